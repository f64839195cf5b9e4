//! What is told of somebody where he hears it himself, and how the log says who was told.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::tale::{tale, until};
use throng_world::story::log::Log;

/// The deer see the wolf and cry; the wolf bites whom he knows of.
fn wood(cry: &str, script: &str) -> String {
    format!(
        "domain wood
body kit
sensor self: every 0   keeps 1
sensor see:  on sight  keeps 20
sensor lose: every 0.3 keeps 20
select target: one of character(knowledge = alive)
    score distance of it curve 0 1, 30 0.2
var threat: none, alive, dead
var told: no, yes
fact cried: time
symbol threat: alive if target(knowledge = alive), dead if target, none
symbol told: yes if cried, no
action melee: threat alive -> dead
action cry: told no -> yes  takes 0.5
    first remembers cried for 60 and {cry}
action rest: takes 2
goal safe: threat = dead  relevance if target
goal warned: told = yes  relevance if target
npc wolf
    can melee, rest
    wants safe
    otherwise rest
npc deer
    can cry, rest
    wants warned
    otherwise rest
story wood \"The deer warns.\" lasts 8
map
    \"####################\"
    \"#.w....d...........#\"
    \"#......d...........#\"
    \"####################\"
actor wolf at w: npc wolf side wolves weapon none
actor deer at d: npc deer side herd each
{script}"
    )
}

#[test]
fn nobody_is_told_of_himself_as_an_enemy() {
    let mut play = tale(&wood("tells character to within 12", "promise wolf is alive"));
    let character = play.cast().words().find("character").unwrap();
    while play.tick() {
        let Some(wolf) = play.cast().mind(0) else { continue };
        assert!(wolf.memory().about(character, wolf.me()).next().is_none(), "{}", play.now());
    }
    assert!(play.is_kept());
}

/// A level or a game may tell anything.
#[test]
fn nobody_strikes_himself_whatever_he_is_told() {
    let script = "at 1: wolf is told foe(object = wolf, knowledge = alive, position = w) for 5";
    let text = wood("tells cried to side", script);
    let text = text.replace("one of character", "one of foe");
    let mut play = tale(
        &text
            .replace("fact cried: time", "fact foe: object, position, knowledge\nfact cried: time"),
    );
    until(&mut play, 7.5);
    let wolf = play.world().actor(play.cast().handle(0).unwrap()).unwrap();
    assert_eq!(wolf.health, 100);
}

#[test]
fn the_log_names_everybody_once_who_is_told() {
    let cry = "tells character(knowledge = alive) to side and tells character(age < 9) to side";
    let mut play = tale(&wood(cry, ""));
    let (mut log, mut told) = (Log::default(), Vec::new());
    while play.tick() {
        let lines = log.tick(&play);
        told.extend(lines.iter().filter(|it| it.told.id == "tells").map(|it| it.text(true)));
    }
    let twice = told.iter().filter(|line| line.matches("deer").count() > 1);
    assert!(!told.is_empty() && twice.count() == 0, "{told:#?}");
}
