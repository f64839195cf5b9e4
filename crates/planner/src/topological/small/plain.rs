//! The plain twin: the same rules on the compiled type, value by value, without any table of
//! machine words. Only for checking.
//!
//! In:   a problem of a small type.
//! Out:  the plan that the kernel must find, or that it must find none.
//! Cost: for K actions, K² conditions. Allocates nothing, so that what is counted stays as it is.

use super::SmallProblem;
use crate::tables::as_move;
use throng_base::ones;
use throng_domain::compile::{LocalAction, LocalFact, NpcTables, PackedValue, UNKNOWN};

/// A plan of a small type: it takes no action twice.
pub(super) struct PlainPlan {
    actions: [LocalAction; 64],
    len: usize,
}

impl PlainPlan {
    pub(super) fn actions(&self) -> &[LocalAction] {
        &self.actions[..self.len]
    }

    /// The action that comes when so many remain.
    pub(super) fn next_after(&self, remaining: u64) -> Option<u32> {
        let done = self.len.checked_sub(remaining.count_ones() as usize)?;
        self.actions().get(done).map(|action| action.0)
    }
}

/// A state as it is packed, read and written value by value.
#[derive(Clone, Copy)]
struct State<'n> {
    npc: &'n NpcTables,
    word: u64,
}

impl State<'_> {
    fn value(self, fact: LocalFact) -> PackedValue {
        let known = |at: &LocalFact| self.has(*at);
        self.npc.facts_of(fact.variable).find(known).map_or(UNKNOWN, |at| at.value)
    }

    fn has(self, fact: LocalFact) -> bool {
        let (layout, variable) = (self.npc.layout(), fact.variable.index());
        self.word & layout.field_mask(variable) == layout.field_bits(variable, fact.value)
    }

    fn set(&mut self, fact: LocalFact) {
        let (layout, variable) = (self.npc.layout(), fact.variable.index());
        self.word &= !layout.field_mask(variable);
        self.word |= layout.field_bits(variable, fact.value);
    }
}

/// Closure, then at each step the ready action of smallest id, by the state.
pub(super) fn walk(problem: &SmallProblem<'_>) -> Option<PlainPlan> {
    let npc = problem.npc;
    let mut state = State { npc, word: problem.start };
    let mut remaining = closure(state, problem.goal.facts)?;
    if remaining & !problem.enabled != 0 {
        return None;
    }
    let mut plan = PlainPlan { actions: [LocalAction(0); 64], len: 0 };
    while remaining != 0 {
        let action = LocalAction(first_ready(npc, state.word, remaining)?);
        npc.sets(action).iter().for_each(|&set| state.set(set));
        remaining &= !(1 << action.0);
        plan.actions[plan.len] = action;
        plan.len += 1;
    }
    problem.goal.facts.iter().all(|&fact| state.has(fact)).then_some(plan)
}

/// The ready action of smallest id.
fn first_ready(npc: &NpcTables, state: u64, remaining: u64) -> Option<u32> {
    let state = State { npc, word: state };
    let mut actions = ones(remaining).map(|action| LocalAction(action as u32));
    actions.find(|&action| is_ready(state, action, remaining)).map(|action| action.0)
}

/// Whether the conditions of an action hold now, and it ends no value which a remaining action
/// still needs, unless a remaining action will bring that value back. It leaves a value also where
/// it does not say which: done where that does not hold, it would change nothing.
fn is_ready(state: State<'_>, action: LocalAction, remaining: u64) -> bool {
    let npc = state.npc;
    let Some((set, source)) = as_move(npc, action) else { return false };
    let source = LocalFact { value: source, ..set };
    let left = npc.slot(source);
    let needs_it = |&other: &LocalAction| {
        remaining >> other.0 & 1 == 1
            && npc.sets(other).iter().all(|it| it.variable != set.variable)
    };
    let spoils = npc.needed_by(left).iter().any(needs_it);
    let comes_back = npc.setters(left).iter().any(|setter| remaining >> setter.0 & 1 == 1);
    let holds = npc.needs(action).iter().chain([&source]).all(|&need| state.has(need));
    holds && (!spoils || comes_back)
}

fn closure(start: State<'_>, goal: &[LocalFact]) -> Option<u64> {
    let npc = start.npc;
    let is_wanted = |of: LocalFact| goal.iter().any(|fact| fact.variable == of.variable);
    let mut needed = 0;
    for &fact in goal {
        needed |= way(start, fact)?;
    }
    let mut open = needed;
    while open != 0 {
        let action = LocalAction(open.trailing_zeros());
        open &= open - 1;
        let moved = npc.sets(action).first()?.variable;
        for &need in npc.needs(action).iter().filter(|need| need.variable != moved) {
            let setter = npc.setters(npc.slot(need)).iter().fold(0, |_, setter| 1u64 << setter.0);
            if start.has(need) || needed & setter != 0 {
                continue;
            }
            let more = if is_wanted(need) {
                let here = LocalFact { value: start.value(need), ..need };
                // A loop that shares an action with the path would need it twice.
                back(start, here).filter(|around| around & setter != 0 && around & needed == 0)?
            } else {
                let own = npc.setters_of(need.variable);
                let own = own.fold(0, |all, (_, action)| all | 1u64 << action.0);
                way(start, need).filter(|way| needed & own & !way == 0)?
            };
            open |= more & !needed;
            needed |= more;
        }
    }
    Some(needed)
}

/// The actions on the way to a value; none if it holds.
fn way(start: State<'_>, to: LocalFact) -> Option<u64> {
    if start.has(to) { Some(0) } else { back(start, to) }
}

/// Backward from a value to the one at the start, at least one step.
fn back(start: State<'_>, to: LocalFact) -> Option<u64> {
    let npc = start.npc;
    let (mut actions, mut at) = (0, to);
    for _ in npc.facts_of(to.variable) {
        let &setter = npc.setters(npc.slot(at)).first()?;
        actions |= 1 << setter.0;
        at.value = as_move(npc, setter)?.1;
        if start.has(at) {
            return Some(actions);
        }
    }
    None
}
