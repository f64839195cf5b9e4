//! The same for small types, in machine words: sets of actions are bits, no edges are stored,
//! nothing is allocated.
//!
//! In:   the tables of the type, a start, a goal, the actions that are there.
//! Out:  a cheapest plan; or `None`, which proves nothing and leaves the answer to the others.
//! Cost: for K actions, about K²/4 tests of one word; tens of nanoseconds for games.
//!
//! The closure is the one of `closure.rs`, as a union of ready-made words: ways and loops, each
//! with what it asks for. The order is found by walking forward: at each step the ready action of
//! smallest id, where *ready* means that its conditions hold now and that it ends no value which a
//! remaining action still needs, unless a remaining action will bring that value back. Both are
//! read off the set of what remains. A condition holds once the action that sets it is done: who
//! needs the value would have kept it from being left. Only a value that holds at the start and is
//! brought back by a loop holds without its setter, until the loop begins.
//!
//! Apart from that, every step is replayed on the state itself before it is handed out, by the
//! conditions of the action and not by sets; and any order of K is a cheapest plan.

#[cfg(any(test, debug_assertions))]
mod plain;
#[cfg(test)]
mod tests;

use crate::tables::{SmallMoves, SmallWay};
use throng_base::ones;
use throng_domain::Cost;
use throng_domain::compile::{LocalAction, LocalFact, NpcTables, PackedValue};
use throng_domain::model::ActionId;

/// A goal: its facts, and the same as masks of the packed state.
#[derive(Clone, Copy, Debug)]
pub struct SmallGoal<'g> {
    /// What must hold.
    pub facts: &'g [LocalFact],
    /// The bits of the state that it looks at.
    pub look: u64,
    /// What it must see there.
    pub see: u64,
}

impl<'g> SmallGoal<'g> {
    /// The goal of a type whose state is one word.
    pub fn new(npc: &NpcTables, facts: &'g [LocalFact]) -> Self {
        let layout = npc.layout();
        let bits = |fact: &LocalFact| layout.field_bits(fact.variable.index(), fact.value);
        SmallGoal {
            facts,
            look: facts.iter().fold(0, |all, f| all | layout.field_mask(f.variable.index())),
            see: facts.iter().fold(0, |all, fact| all | bits(fact)),
        }
    }
}

/// A problem of a type whose state and actions fit one word each.
#[derive(Clone, Copy, Debug)]
pub struct SmallProblem<'p> {
    /// Who plans.
    pub npc: &'p NpcTables,
    /// Its actions in machine words.
    pub tables: &'p SmallMoves,
    /// From where: the state, packed.
    pub start: u64,
    /// To where.
    pub goal: SmallGoal<'p>,
    /// The actions that are there.
    pub enabled: u64,
    /// What each of them costs; empty if that is what the domain says.
    pub costs: &'p [u64],
}

impl<'p> SmallProblem<'p> {
    /// A problem with all actions there, at the prices of the domain.
    pub fn new(
        npc: &'p NpcTables,
        tables: &'p SmallMoves,
        start: &[PackedValue],
        goal: &'p [LocalFact],
    ) -> Self {
        let mut word = [0];
        npc.layout().pack(start, &mut word);
        let goal = SmallGoal::new(npc, goal);
        SmallProblem { npc, tables, start: word[0], goal, enabled: u64::MAX, costs: &[] }
    }
}

/// A cheapest plan and its price, if walking forward finds one; `None`, with no plan, if that does
/// not decide. The plan is written by the number of the type or of the domain, as the caller wants.
#[inline]
pub fn plan<Name: Copy>(
    problem: &SmallProblem<'_>,
    name: impl Fn(LocalAction, ActionId) -> Name,
    plan: &mut Vec<Name>,
) -> Option<Cost> {
    let found = walk(problem, name, plan);
    #[cfg(debug_assertions)]
    debug_assert_eq!(
        found.map(|_| plan.len()),
        plain::walk(problem).map(|plan| plan.actions().len())
    );
    if found.is_none() {
        plan.clear();
    }
    found
}

/// The actions that every plan contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Needed {
    actions: u64,
    /// Those of them that end a loop: they set what holds at the start.
    ends_of_loops: u64,
}

#[inline]
fn walk<Name: Copy>(
    problem: &SmallProblem<'_>,
    name: impl Fn(LocalAction, ActionId) -> Name,
    plan: &mut Vec<Name>,
) -> Option<Cost> {
    let &SmallProblem { tables, start: mut state, goal, enabled, costs, .. } = problem;
    let needed = closure(tables, state, goal.facts)?;
    if needed.actions & !enabled != 0 || needed.actions == 0 {
        plan.clear();
        let is_plan = needed.actions == 0 && state & goal.look == goal.see;
        return is_plan.then_some(Cost(0));
    }
    let length = needed.actions.count_ones() as usize;
    if plan.len() != length {
        plan.resize(length, name(LocalAction(0), ActionId::at(0)));
    }
    let (mut remaining, mut loops_ahead) = (needed.actions, needed.ends_of_loops);
    let mut cost = 0;
    #[cfg(debug_assertions)]
    let twin = plain::walk(problem);
    for place in plan.iter_mut() {
        let action = first_ready(tables, remaining, loops_ahead);
        // Where the twin finds a plan, what the sets call ready is so by the state.
        #[cfg(debug_assertions)]
        debug_assert!(twin.as_ref().is_none_or(|twin| action == twin.next_after(remaining)));
        let action = action?;
        let step = tables.action(action);
        if state & step.look != step.see {
            return None;
        }
        state ^= step.turns;
        remaining &= !(1 << action);
        loops_ahead &= !step.brings_back;
        cost += step.cost;
        *place = name(LocalAction(action), step.id);
    }
    if !costs.is_empty() {
        // They are those that every plan contains, so it is cheapest whatever they cost.
        cost = ones(needed.actions).map(|action| costs[action]).sum();
    }
    (state & goal.look == goal.see).then_some(Cost(cost))
}

/// The actions that every plan contains; `None` if one would be needed twice, a way branches,
/// or there is none.
#[inline]
fn closure(tables: &SmallMoves, start: u64, goal: &[LocalFact]) -> Option<Needed> {
    let (mut needed, mut asks, mut closed) = (0u64, 0u64, 0u64);
    for &fact in goal {
        let way = tables.way(start, fact);
        if way.actions == SmallWay::NONE {
            return None;
        }
        closed |= 1 << fact.variable.0;
        needed |= way.actions;
        asks |= way.asks;
    }
    let mut ends_of_loops = 0;
    // Those who set what holds at the start: nobody need do them for that.
    let mut held = 0u64;
    loop {
        let missing = asks & !(needed | held);
        if missing == 0 {
            return Some(Needed { actions: needed, ends_of_loops });
        }
        let setter = missing.trailing_zeros();
        let (variable, way) = tables.way_to(start, setter);
        let way = if way.actions == 0 {
            held |= 1 << setter;
            continue;
        } else if closed >> variable & 1 == 1 {
            let around = tables.loop_through(start, variable);
            // A loop that shares an action with the path would need it twice.
            if around.way.actions >> setter & 1 == 0 || around.way.actions & needed != 0 {
                return None;
            }
            ends_of_loops |= around.last;
            &around.way
        } else {
            // Includes that there is no way.
            if way.actions == SmallWay::NONE || needed & tables.own(variable) & !way.actions != 0 {
                return None;
            }
            way
        };
        needed |= way.actions;
        asks |= way.asks;
    }
}

/// The ready action of smallest id.
#[inline]
fn first_ready(tables: &SmallMoves, remaining: u64, loops_ahead: u64) -> Option<u32> {
    let setters = remaining & !loops_ahead;
    let mut candidates = remaining;
    while candidates != 0 {
        let action = candidates.trailing_zeros();
        let step = tables.action(action);
        let spoils = step.needs_left & remaining != 0 && step.brings_back & loops_ahead == 0;
        if step.waits_for & setters == 0 && !spoils {
            return Some(action);
        }
        candidates &= candidates - 1;
    }
    None
}
