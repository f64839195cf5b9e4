//! What a clock of the game's counts: every phase, and all of the tick around them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::spec;
use std::cell::Cell;
use throng_mind::prelude::*;

const TEXT: &str = "domain d
var a: no, yes
action go: a no -> yes   takes 2
goal g: a = yes
npc one
    can go
    wants g
    starts a = no
";

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

/// A clock that counts how often it is asked, so that costs are exact; of this thread, as all
/// minds here are.
fn counts() -> u64 {
    ASKED.set(ASKED.get() + 1);
    ASKED.get()
}

fn minds(budget: Option<u32>) -> Minds<()> {
    let mut minds = Minds::new(spec(TEXT), Body::new(), 1).unwrap();
    minds.set_budget(budget);
    minds.measure_by(Some(counts));
    (1..=3).for_each(|me| _ = minds.spawn("one", EntityId(me)));
    minds
}

#[test]
fn every_phase_of_who_is_awake_is_counted_and_so_is_what_is_between() {
    // With a budget a tick has two halves, and `plan` a part in each.
    for (budget, laps, begins) in [(None, [1; 9], 1), (Some(9), [1, 1, 1, 1, 1, 1, 2, 1, 1], 2)] {
        let mut minds = minds(budget);
        minds.tick(&(), 1);
        assert_eq!(minds.totals().awake, 3);
        assert_eq!(minds.costs(), laps.map(|laps: u64| 3 * laps));
        // One for the end of the tick; each mind's watch is set as often as it begins.
        let per_mind = laps.iter().sum::<u64>() + begins;
        assert_eq!(minds.cost(), 3 * per_mind + 1);
        // Who sleeps is not looked at by any phase, but by the tick.
        (2..6).for_each(|now| minds.tick(&(), now));
        let before = (minds.totals().awake, minds.costs(), minds.cost());
        minds.tick(&(), 6);
        let after = (minds.totals().awake, minds.costs(), minds.cost());
        assert_eq!(after, (before.0, before.1, before.2 + 1), "all are under way");
        minds.measure_by(None);
        minds.tick(&(), 7);
        assert_eq!((minds.costs(), minds.cost()), ([0; 9], 0));
    }
}
