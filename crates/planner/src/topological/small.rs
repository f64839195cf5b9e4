//! The same for small types, in machine words: sets of actions are bits, no edges are stored,
//! nothing is allocated.
//!
//! In:   the tables of the type, a start, a goal, the actions that are there.
//! Out:  a cheapest plan; or `None`, which proves nothing and leaves the answer to the others.
//! Cost: for K actions, about K²/4 tests of one word; tens of nanoseconds for games.
//!
//! The closure is the one of `closure.rs`, as a union of ready-made words. The order is found by
//! walking forward: at each step the ready action of smallest id, where *ready* means that its
//! conditions hold now and that it ends no value which a remaining action still needs, unless
//! a remaining action will bring that value back. Every step is checked on the state itself,
//! so a plan that comes out has been replayed; and any order of K is a cheapest plan.

use crate::tables::{NO_WAY, SmallMoves};
use throng_base::ones;
use throng_domain::Cost;
use throng_domain::compile::{LocalAction, LocalFact, NpcTables, PackedValue};

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
/// not decide.
pub fn plan(problem: &SmallProblem<'_>, plan: &mut Vec<LocalAction>) -> Option<Cost> {
    let cost = walk(problem, plan);
    if cost.is_none() {
        plan.clear();
    }
    // Its actions are those that every plan contains, so it is cheapest whatever they cost.
    let SmallProblem { npc, costs, .. } = problem;
    let price =
        |&action: &LocalAction| costs.get(action.index()).copied().unwrap_or(npc.cost(action));
    let cost = cost.map(|cost| if costs.is_empty() { cost } else { plan.iter().map(price).sum() });
    cost.map(Cost)
}

fn walk(problem: &SmallProblem<'_>, plan: &mut Vec<LocalAction>) -> Option<u64> {
    let &SmallProblem { tables, start: mut state, goal, enabled, .. } = problem;
    plan.clear();
    let needed = closure(tables, state, goal.facts)?;
    if needed & !enabled != 0 {
        return None;
    }
    let mut remaining = needed;
    let mut cost = 0u64;
    while remaining != 0 {
        let action = first_ready(tables, state, remaining)?;
        let step = tables.action(action);
        state = (state & step.keep) | step.write;
        remaining &= !(1 << action);
        cost += step.cost;
        plan.push(LocalAction(action));
    }
    (state & goal.look == goal.see).then_some(cost)
}

/// The actions that every plan contains; `None` if one would be needed twice, a way branches,
/// or there is none.
fn closure(tables: &SmallMoves, start: u64, goal: &[LocalFact]) -> Option<u64> {
    let mut needed = 0;
    let mut closed = 0u64;
    for fact in goal {
        closed |= 1 << fact.variable.0;
        needed |= way(tables, fact.variable.0, start, fact.value)?;
    }
    let mut open = needed;
    while open != 0 {
        let action = open.trailing_zeros();
        open &= open - 1;
        for need in tables.needs(action) {
            if start & need.look == need.see || needed & need.setter != 0 {
                continue;
            }
            let more = if closed >> need.variable & 1 == 1 {
                let around =
                    tables.loop_through(need.variable, tables.value(need.variable, start)?);
                // A loop that shares an action with the path would need it twice.
                Some(around).filter(|_| around & need.setter != 0 && around & needed == 0)?
            } else {
                let way = way(tables, need.variable, start, need.value)?;
                let so_far = needed & tables.own(need.variable);
                Some(way).filter(|way| so_far & !way == 0)?
            };
            open |= more & !needed;
            needed |= more;
        }
    }
    Some(needed)
}

fn way(tables: &SmallMoves, variable: u32, start: u64, to: PackedValue) -> Option<u64> {
    let way = tables.way(variable, tables.value(variable, start)?, to);
    Some(way).filter(|&way| way != NO_WAY)
}

/// The ready action of smallest id.
fn first_ready(tables: &SmallMoves, state: u64, remaining: u64) -> Option<u32> {
    ones(remaining).map(|action| action as u32).find(|&action| {
        let step = tables.action(action);
        let spoils = remaining & step.needs_left != 0 && remaining & step.brings_back == 0;
        state & step.look == step.see && !spoils
    })
}
