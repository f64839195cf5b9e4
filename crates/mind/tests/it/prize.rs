//! Which enemy a squad cares about: what its own `select prize` has picked, whatever the file is used
//! as; without one, whom it knows most surely.

use crate::common::PACE;
use std::sync::Arc;
use throng_domain::formats::load;
use throng_domain::{Format, Limits};
use throng_mind::prelude::*;
use throng_mind::spec::Spec;
use throng_mind::squad::Team;
use throng_planner::PreparedDomain;

const TEAM: &str = "domain team
select prize: one of character
    score amount of it curve 0 0.1, 9 1
var won: bool
action strike: won -> true  takes 5
goal win: won = true
npc man
    can strike
    wants win
npc team
    can strike
    wants win
    starts won = false
squad team: of man within 9
";

fn spec(level: &str, team: &str) -> Spec {
    let (limits, words) = (Limits::default(), &throng_mind::notes::WORDS);
    let mut includes = |_: &str| Ok(team.to_string());
    let loaded = load("level.npc", level, Format::Npc, &limits, words, &mut includes);
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.report));
    let read = Spec::read(&model, Arc::new(PreparedDomain::new(&model)), PACE);
    read.unwrap_or_else(|report| panic!("{:?}", report.diagnostics()))
}

/// Whom a squad strikes that knows of two: 7, who matters most, and 8, whom it knows most surely.
fn struck(spec: Spec) -> Option<u64> {
    let strike = |acting: &mut Acting<'_, ()>| {
        let enemy = Team::of(acting).enemy;
        let fact = acting.fact("struck");
        acting.remember(fact.with_some(Attribute::Object, enemy.map(|it| it.object), 1.0), 99);
        Progress::Running
    };
    let body = Body::new().behaviour("strike", strike).words(&["character", "struck"]);
    let mut minds = Minds::new(spec, body, 1).unwrap();
    let squad = minds.spawn("team", EntityId(1)).unwrap();
    let [character, word] = ["character", "struck"].map(|word| minds.word(word).unwrap());
    for (who, amount, sure) in [(7, 9.0, 0.3), (8, 1.0, 0.9)] {
        let fact = FactDraft::new(character)
            .with(Attribute::Object, EntityId(who), 1.0)
            .with(Attribute::Position, [who as f32, 0.0, 0.0], sure)
            .with(Attribute::Amount, amount, 1.0);
        minds.tell(squad, Message::Told(Box::new(fact))).unwrap();
    }
    minds.tick(&(), 1);
    let memory = minds.mind(squad).unwrap().memory();
    let struck = memory.of_kind(word).next().unwrap();
    struck.entity(Attribute::Object).map(|it| it.0)
}

#[test]
fn a_squad_cares_about_the_prize_of_its_own_file_whatever_it_is_used_as() {
    assert_eq!(struck(spec(TEAM, "")), Some(7));
    assert_eq!(struck(spec("domain level\nuse \"team.npc\"\n", TEAM)), Some(7));
    let as_red = "domain level\nuse \"team.npc\" as red\n";
    assert_eq!(struck(spec(as_red, TEAM)), Some(7));
    // What another file calls its prize is that one's affair.
    let other = "select prize: one of character  score amount of it curve 0 1, 9 0.1\n";
    assert_eq!(struck(spec(&format!("{as_red}{other}"), TEAM)), Some(7));
    // Without one: whom it knows most surely.
    let (head, rest) = TEAM.split_once("select").unwrap();
    let (_, rest) = rest.split_once("var").unwrap();
    let without = format!("{head}var{rest}");
    assert_eq!(struck(spec(&without, "")), Some(8));
    assert_eq!(struck(spec(as_red, &without)), Some(8));
    // One of the file that uses it will do then.
    let most = "select prize: one of character  score amount of it curve 0 0.1, 9 1\n";
    assert_eq!(struck(spec(&format!("{as_red}{most}"), &without)), Some(7));
}
