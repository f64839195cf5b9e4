//! The same for large types that need much, in rows of bits.
//!
//! In:   the tables of the type, a closure.
//! Out:  a cheapest plan and its price; or `None`, which proves nothing and leaves the answer to
//!       the others.
//! Cost: for each action of K two rows of bits: 64 needs at a time. No edges are stored.
//!
//! Serves what needs no choice: K has no action twice, and no action needs the value at which a
//! loop begins. The order is found from the end: before each action, those that it waits for.
//! The rule: actions by walk in order of first need; before each, the step before it in its own
//! walk, then the smallest id.

use super::closure::Closure;
use super::moves::MoveTable;
use crate::relaxed::known_facts;
use crate::tables::{DenseMoves, as_move};
use throng_base::reset;
use throng_domain::compile::{LocalAction, LocalFact};

const NOBODY: u32 = u32::MAX;

/// Sets of actions and slots, kept between calls.
#[derive(Debug, Default)]
pub(super) struct Dense {
    actions: Vec<LocalAction>,
    needed: Vec<u64>,
    done: Vec<u64>,
    begun: Vec<u64>,
    /// The step before an action in its walk; by action, only for those of K.
    previous: Vec<u32>,
    /// Actions that are begun, and the word up to which all that they wait for is done.
    stack: Vec<(u32, u32)>,
    state: Vec<u64>,
}

fn has(set: &[u64], at: usize) -> bool {
    set[at / 64] >> (at % 64) & 1 == 1
}

fn insert(set: &mut [u64], at: usize) {
    set[at / 64] |= 1 << (at % 64);
}

impl Dense {
    /// The plan, if it can be had this way; not so for types without rows of bits.
    pub(super) fn plan(
        &mut self,
        table: &MoveTable<'_>,
        closure: &Closure,
        plan: &mut Vec<LocalAction>,
    ) -> Option<u64> {
        let bits = table.bits?;
        self.collect(table, bits, closure)?;
        self.sort(bits, plan)?;
        self.replay(table, bits, plan)
    }

    /// The actions of K as a set; `None` if that is not all there is to say.
    fn collect(
        &mut self,
        table: &MoveTable<'_>,
        bits: &DenseMoves,
        closure: &Closure,
    ) -> Option<()> {
        let (npc, problem) = (table.npc, table.problem);
        for set in [&mut self.needed, &mut self.done, &mut self.begun] {
            reset(set, bits.action_words(), 0);
        }
        self.previous.resize(npc.n_actions(), NOBODY);
        self.actions.clear();
        for &variable in &closure.moved {
            let first = self.actions.len();
            closure.walk(table, variable, &mut self.actions);
            let start = LocalFact { variable, value: problem.start()[variable.index()] };
            if closure.walks[variable.index()].looped && closure.is_requested(npc, start) {
                return None;
            }
            let mut previous = NOBODY;
            for action in &self.actions[first..] {
                if has(&self.needed, action.index()) {
                    return None;
                }
                insert(&mut self.needed, action.index());
                self.previous[action.index()] = previous;
                previous = action.0;
            }
        }
        Some(())
    }

    fn sort(&mut self, bits: &DenseMoves, plan: &mut Vec<LocalAction>) -> Option<()> {
        plan.clear();
        for at in 0..self.actions.len() {
            self.begin(self.actions[at].0)?;
            while let Some(&(action, word)) = self.stack.last() {
                match self.next_before(bits, LocalAction(action), word as usize) {
                    Some((before, word)) => {
                        if let Some(top) = self.stack.last_mut() {
                            top.1 = word;
                        }
                        self.begin(before)?;
                    }
                    None => {
                        self.stack.pop();
                        if !has(&self.done, action as usize) {
                            insert(&mut self.done, action as usize);
                            plan.push(LocalAction(action));
                        }
                    }
                }
            }
        }
        Some(())
    }

    /// Puts an action on the stack; `None` if it is there already: a cycle.
    fn begin(&mut self, action: u32) -> Option<()> {
        if has(&self.done, action as usize) {
            return Some(());
        }
        if has(&self.begun, action as usize) {
            self.stack.clear();
            return None;
        }
        insert(&mut self.begun, action as usize);
        self.stack.push((action, 0));
        Some(())
    }

    /// An action that must be done before this one, and the word to look at next time.
    fn next_before(
        &self,
        bits: &DenseMoves,
        action: LocalAction,
        from: usize,
    ) -> Option<(u32, u32)> {
        let previous = self.previous[action.index()];
        if previous != NOBODY && !has(&self.done, previous as usize) {
            return Some((previous, from as u32));
        }
        let before = &bits.before(action)[from..];
        let sets = before.iter().zip(&self.needed[from..]).zip(&self.done[from..]);
        for (at, ((before, needed), done)) in sets.enumerate() {
            let missing = before & needed & !done;
            if missing != 0 {
                let word = from + at;
                return Some((word as u32 * 64 + missing.trailing_zeros(), word as u32));
            }
        }
        None
    }

    /// Runs the plan on the state as a set of slots; gives its price if it is one.
    fn replay(
        &mut self,
        table: &MoveTable<'_>,
        bits: &DenseMoves,
        plan: &[LocalAction],
    ) -> Option<u64> {
        let (npc, problem) = (table.npc, table.problem);
        reset(&mut self.state, bits.slot_words(), 0);
        known_facts(problem.start()).for_each(|fact| insert(&mut self.state, npc.slot(fact)));
        let mut cost = 0u64;
        for &action in plan {
            let (set, source) = as_move(npc, action)?;
            let left = npc.slot(LocalFact { variable: set.variable, value: source });
            let needs = bits.needs(action).iter();
            let has_all = needs.zip(&self.state).all(|(needs, state)| needs & !state == 0);
            if !has_all || !has(&self.state, left) || !problem.enabled().has(action) {
                return None;
            }
            self.state[left / 64] &= !(1 << (left % 64));
            insert(&mut self.state, npc.slot(set));
            cost = cost.saturating_add(problem.cost(npc, action));
        }
        let outside = problem.outside_holds();
        let reached = problem.goal().iter().all(|&fact| has(&self.state, npc.slot(fact)));
        (outside && reached).then_some(cost)
    }
}
