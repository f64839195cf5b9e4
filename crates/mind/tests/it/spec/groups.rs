//! Groups of values in what minds ask: the slots of a select, what a level has of a sort.

use super::{PACE, mistakes};
use crate::common::spec;
use std::sync::Arc;
use throng_domain::formats::{Setting, load_in, no_includes};
use throng_domain::{Format, Level, Limits};
use throng_mind::spec::Spec;
use throng_planner::PreparedDomain;

/// Asks in every place where a mind asks for a variable whether it is, and is not, at a cover.
fn text(is: &str, is_not: &str) -> String {
    format!(
        "domain hide
var place: elsewhere, any cover, any target
var threat: alive, dead
select target: one of character  where {is} or age of it < 5  while not ({is_not})
select cover: best 2 of spot  score if {is} curve 0 0.5, 1 1
sensor see: every 1 keeps 1
symbol place: object of self, elsewhere
symbol threat: alive if target, dead
check hidden: {is}
action goto(spot in place except elsewhere): place -> spot
action shoot: threat alive -> dead  if hidden
price shoot: 3 if {is_not}, 1
goal hide: place = cover  relevance if {is_not}
goal kill: threat = dead  relevance if {is} and target
npc soldier
    can everything
    wants everything
"
    )
}

/// All that is asked of variables, without the words that it was asked in.
fn asked(spec: &Spec) -> String {
    let selects = spec.selects.iter().map(|it| (&it.filter, &it.score, &it.during));
    let selects: Vec<_> = selects.collect();
    format!("{:?} {:?} {:?} {:?}", spec.goals, spec.checks, selects, spec.prices)
}

#[test]
fn a_group_is_one_of_its_values_and_its_denial_none_of_them() {
    let group = text("place = cover", "place != cover");
    let written_out =
        text("(place = cover.1 or place = cover.2)", "(place != cover.1 and place != cover.2)");
    assert_eq!(asked(&spec(&group)), asked(&spec(&written_out)));
}

#[test]
fn a_group_that_a_variable_does_not_have_is_unknown() {
    let told = mistakes(&text("threat = cover", "place != cover"));
    assert!(told.iter().any(|line| line.contains("E101")), "{told:?}");
    let told = mistakes(&text("place < cover", "place != cover"));
    assert!(told.iter().any(|line| line.contains("have no size")), "{told:?}");
}

#[test]
fn a_sort_of_the_level_is_a_group_too() {
    let text = |is: &str| {
        format!(
            "domain post
var place: nowhere, any landmark
sensor see: every 1 keeps 1
action go(to in place except nowhere): place -> to
action rest: takes 1
goal roam: place = landmark  relevance if {is}
"
        )
    };
    let level = Level::new().add("landmark", "mill", 1).add("landmark", "well", 2);
    let limits = Limits::default();
    let words = &throng_mind::notes::WORDS;
    let setting = Setting { limits: &limits, words, level: &level, root: "" };
    let relevance = |is: &str| {
        let loaded = load_in("t.npc", &text(is), Format::Npc, &setting, &mut no_includes);
        let model = loaded.model.unwrap();
        let spec = Spec::read(&model, Arc::new(PreparedDomain::new(&model)), PACE).unwrap();
        format!("{:?}", spec.goals)
    };
    assert_eq!(relevance("place = landmark"), relevance("place = mill or place = well"));
}
