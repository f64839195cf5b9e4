//! Turns for heavy senses: how many minds may do heavy sensor work in a tick, if they have a budget.
//!
//! In:   the groups of minds, and how many of them may.
//! Out:  minds that are held back: their heavy sensors wait, and stay due.
//! Cost: before each tick a pass over all minds; none without a budget.
//!
//! Whose heavy sensor ran longest ago comes first, then the smaller id: so none waits for ever. Who
//! comes first is settled before the tick, on one thread, from what the minds are: the result is the
//! same for any number of threads. A sensor whose work was light so far and turns out heavy is not
//! held back, for nobody knew; from then on it waits for its turn. A budget that is never used up
//! changes nothing.

use crate::orders::{Message, MindId};
use crate::spec::Spec;
use crate::time::Tick;
use crate::turns::Group;

/// A mind with heavy work to do; the first to be served is the smallest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct HeavyInLine {
    /// When the sensor that is next ran last.
    ran: Tick,
    id: MindId,
    group: u32,
    at: u32,
}

/// Holds back all but so many of those with heavy work to do; they are left in the line.
pub(crate) fn hold_back(
    groups: &mut [Group],
    line: &mut Vec<HeavyInLine>,
    budget: u32,
    spec: &Spec,
    now: Tick,
) {
    line.clear();
    for (group, it) in groups.iter().enumerate() {
        for (at, mind) in it.minds.iter().enumerate() {
            let arrives = |kind| {
                mind.inbox
                    .iter()
                    .any(|told| matches!(told, Message::Stimulus(it) if it.kind == kind))
            };
            if let Some(ran) = mind.senses.heavy_since(spec, now, arrives) {
                line.push(HeavyInLine { ran, id: mind.id, group: group as u32, at: at as u32 });
            }
        }
    }
    let budget = (budget as usize).min(line.len());
    if budget > 0 && budget < line.len() {
        line.select_nth_unstable(budget - 1);
    }
    line.drain(..budget);
    set(groups, line, true);
}

/// The tick is over: nobody is held back any more.
pub(crate) fn let_go(groups: &mut [Group], line: &[HeavyInLine]) {
    set(groups, line, false);
}

fn set(groups: &mut [Group], line: &[HeavyInLine], held_back: bool) {
    for turn in line {
        groups[turn.group as usize].minds[turn.at as usize].senses.held_back = held_back;
    }
}
