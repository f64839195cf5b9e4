//! A file that is read under a name: code that knows a name means what that file calls so.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::tale::{tale_of, until};
use throng_world::story::run::Play;

const SENSES: &str = "domain senses
body kit
sensor self:     every 0   keeps 1
sensor see:      on sight  keeps 20
sensor lose:     every 0.3 keeps 20
sensor exposure: every 0.2 keeps 4
";

/// He shoots the farthest first.
const GUNNER: &str = "domain gunner
use \"senses.npc\"
select target: one of character(knowledge = alive)
    score distance of it curve 0 0.1, 30 1
var threat: none, alive, dead
symbol threat: alive if target(knowledge = alive), dead if target, none
action attack: threat alive -> dead
action rest: takes 2
goal safe: threat = dead  relevance if target and reach(object = me, source = target)
npc gunner
    can attack, rest
    wants safe
    otherwise rest
";

/// He has a `target` of his own, and takes the nearest.
const GUARD: &str = "domain guard
use \"senses.npc\"
select target: one of character(knowledge = alive)
    score distance of it curve 0 1, 30 0.1
var threat: none, alive, dead
symbol threat: alive if target(knowledge = alive), dead if target, none
action attack: threat alive -> dead
goal safe: threat = dead  relevance if target
npc guard
    can attack
    wants safe
";

fn street(uses: &str, who: &str) -> Play {
    let story = format!(
        "domain street
{uses}
story street \"Whom does he shoot first?\" lasts 10
map
    \"####################\"
    \"#.g...n............#\"
    \"#.................f#\"
    \"####################\"
actor gus at g: npc {who} side town weapon rifle
actor near at n: player side gang weapon none
actor far at f: player side gang weapon none
"
    );
    let files = [("senses.npc", SENSES), ("gunner.npc", GUNNER), ("guard.npc", GUARD)];
    tale_of(&story, &files)
}

/// The first who is hurt.
fn first_hurt(uses: &str, who: &str) -> Option<&'static str> {
    let mut play = street(uses, who);
    let health = |play: &Play, actor| {
        let world = play.world();
        world.actor(play.cast().handle(actor).unwrap()).unwrap().health
    };
    for _ in 0..80 {
        let seconds = play.story().pace.seconds(play.now() + 1);
        until(&mut play, seconds);
        let hurt = [(1, "near"), (2, "far")].into_iter().find(|it| health(&play, it.0) < 100);
        if let Some((_, name)) = hurt {
            return Some(name);
        }
    }
    None
}

#[test]
fn behaviours_and_sensors_go_by_the_target_of_their_own_file() {
    let both = "use \"guard.npc\"\nuse \"gunner.npc\" as g";
    let other = "use \"gunner.npc\"\nuse \"guard.npc\" as g";
    for (uses, who, first) in [
        ("use \"gunner.npc\"", "gunner", "far"),
        ("use \"gunner.npc\" as g", "gunner", "far"),
        (both, "gunner", "far"),
        (both, "guard", "near"),
        (other, "gunner", "far"),
        (other, "guard", "near"),
    ] {
        assert_eq!(first_hurt(uses, who), Some(first), "{who} of {uses}");
    }
}

#[test]
fn who_does_what_another_file_says_means_the_target_of_that_file() {
    let mixed =
        "use \"guard.npc\"\nuse \"gunner.npc\" as g\nnpc both\n    can g.attack\n    wants g.safe";
    assert_eq!(first_hurt(mixed, "both"), Some("far"));
}

/// Two files have a `target` and a `post`, and the story says whose by saying who.
#[test]
fn promises_call_a_selection_as_the_file_of_its_people_does() {
    let posted = |who: &str| {
        format!(
            "domain {who}\nuse \"senses.npc\"\nselect post: one of spot(knowledge = {who})\n\
             var place: elsewhere, any post\nsymbol place: object of self, elsewhere\n\
             action goto(where in post): place -> where\ngoal there: place = post\n\
             npc {who}\n    can goto\n    wants there\n"
        )
    };
    let story = "domain camp
use \"cook.npc\"
use \"scout.npc\" as s
sensor spots: every 0.3 keeps 2
story camp \"Each to his post.\" lasts 12
map
    \"####################\"
    \"#.c...a........b.s.#\"
    \"####################\"
node fire at b: cook
node hill at a: scout
actor carl at c: npc cook side camp
actor sue at s: npc scout side camp
promise carl at post by 10
promise sue at post by 10
promise sue picks post hill by 10
promise some scout at post by 10
promise some scout at s.post by 10
promise sue is within 3 of carl by 10
";
    let (cook, scout) = (posted("cook"), posted("scout"));
    let files = [("senses.npc", SENSES), ("cook.npc", &cook), ("scout.npc", &scout)];
    let mut play = tale_of(story, &files);
    while play.tick() {}
    let told: Vec<_> = play.judge().verdicts().collect();
    assert!(play.is_kept(), "{told:#?}");
}
