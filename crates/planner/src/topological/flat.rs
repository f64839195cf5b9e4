//! The same for large types that need little: closure, order and replay in two walks over flat
//! rows.
//!
//! In:   the tables of the type, the moves.
//! Out:  the plan of `closure` and `order`, and its price; or `None`, which proves nothing and
//!       leaves the answer to these.
//! Cost: each action of K and each of its needs twice, and a pass over the slots; no edges are
//!       stored. No allocation once warm.
//!
//! Serves what needs no choice: no walk passes a needed value twice. So every walk goes on from its
//! end, or once around the loop through its start and no further. Backward, K is collected, and how
//! often each value is needed. Forward, a value that an action finds stays until it has run. So an
//! action is ready if its walk is where it begins, it finds what it needs, and nobody needs its
//! begin any more. Where one of these does not hold it waits for just that one: for a value, in the
//! list of who waits for it, or, if nothing else is missing, for the last who needs its begin. What
//! was once found is not looked at again. The rule is that of `order`, the ready action of smallest
//! id first, and so is the plan.
//!
//! What an action needs is looked at once more when it runs, in the values as they are then: no
//! other replay is necessary.

use super::moves::MoveTable;
use super::ready::ActionSet;
use crate::relaxed::known_facts;
use crate::tables::FlatMoves;
use throng_base::reset;
use throng_domain::compile::LocalAction;

/// No such action.
const NOBODY: u32 = u32::MAX;

/// What is known of a slot. The variable has this value now.
const HERE: u32 = 1;
/// Nothing is missing for the action that leaves it, but others need it.
const RIPE: u32 = 2;
/// A walk passes it.
const ON_WALK: u32 = 4;
/// A walk ends here.
const END: u32 = 8;
/// The goal wants it.
const CLOSED: u32 = 16;
/// A loop begins and ends here.
const LOOPED: u32 = 32;
/// The other bits count the actions of K that need it and did not run yet.
const REQUEST: u32 = 64;

/// A variable and value.
#[derive(Clone, Copy, Debug)]
struct Slot {
    marks: u32,
    /// The action of K that leaves it.
    leaver: u32,
    /// The first of those who wait for it.
    waiter: u32,
}

const UNSEEN: Slot = Slot { marks: 0, leaver: NOBODY, waiter: NOBODY };

/// An action that comes next in its walk and waits for a value.
#[derive(Clone, Copy, Debug, Default)]
struct Waiting {
    /// Who else waits for it.
    next: u32,
    /// How many of its needs it found.
    n_found: u32,
}

/// Where all walks are, kept between calls.
#[derive(Debug, Default)]
pub(super) struct Flat {
    slots: Vec<Slot>,
    /// The actions of K whose needs are still to be counted.
    open: Vec<LocalAction>,
    /// Where the walks begin that are not empty.
    begins: Vec<u32>,
    /// How many actions K has.
    n_actions: usize,
    /// By action; nothing is cleared.
    waiting: Vec<Waiting>,
    ready: ActionSet,
}

impl Flat {
    /// The plan, if it can be had this way.
    pub(super) fn plan(
        &mut self,
        table: &MoveTable<'_>,
        plan: &mut Vec<LocalAction>,
    ) -> Option<u64> {
        let flat = table.flat?;
        let (npc, problem) = (table.npc, table.problem);
        plan.clear();
        self.close(table, flat)?;
        self.begin(table, flat)?;
        let mut cost = 0u64;
        while let Some(action) = self.ready.take_first() {
            self.run(flat, action)?;
            plan.push(action);
            cost = cost.saturating_add(problem.cost(npc, action));
        }
        let is_here = |fact| self.slots[npc.slot(fact)].marks & HERE != 0;
        let is_plan = plan.len() == self.n_actions
            && problem.goal().iter().all(|&fact| is_here(fact))
            && problem.outside_holds();
        is_plan.then_some(cost)
    }

    /// Collects K and counts its needs; `None` if that takes a choice, or cannot be.
    fn close(&mut self, table: &MoveTable<'_>, flat: &FlatMoves) -> Option<()> {
        let (npc, problem) = (table.npc, table.problem);
        reset(&mut self.slots, npc.n_slots(), UNSEEN);
        self.open.clear();
        self.begins.clear();
        self.n_actions = 0;
        for fact in known_facts(problem.start()) {
            self.slots[npc.slot(fact)].marks = HERE | ON_WALK | END;
        }
        for &fact in problem.goal() {
            let slot = npc.slot(fact);
            self.pass(table, flat, slot)?;
            let marks = &mut self.slots[slot].marks;
            // Two values are wanted of one variable.
            if *marks & END == 0 {
                return None;
            }
            *marks |= CLOSED;
        }
        while let Some(action) = self.open.pop() {
            self.n_actions += 1;
            for &need in flat.needs(action) {
                let marks = &mut self.slots[need as usize].marks;
                *marks += REQUEST;
                if *marks & ON_WALK == 0 {
                    self.pass(table, flat, need as usize)?;
                }
            }
        }
        Some(())
    }

    /// Lets the walk of a variable pass a slot.
    #[inline]
    fn pass(&mut self, table: &MoveTable<'_>, flat: &FlatMoves, slot: usize) -> Option<()> {
        if self.slots[slot].marks & ON_WALK != 0 {
            return Some(());
        }
        let joint = self.go_back(table, flat, slot)?;
        let marks = &mut self.slots[joint].marks;
        match *marks & (END | CLOSED | HERE | LOOPED) {
            // The walk goes on from where it ended.
            END => *marks &= !END,
            start if start == END | HERE => {
                *marks &= !END;
                self.begins.push(joint as u32);
            }
            // It is to end where it begins: around the loop, if the slot is on it.
            start if start == END | CLOSED | HERE => {
                *marks |= LOOPED;
                self.begins.push(joint as u32);
                let last = self.step_back(table, flat, joint)?;
                return (self.go_back(table, flat, last)? == slot).then_some(());
            }
            _ => return None,
        }
        self.slots[slot].marks |= END;
        Some(())
    }

    /// Goes back from a slot to the first that is on a walk.
    #[inline]
    fn go_back(&mut self, table: &MoveTable<'_>, flat: &FlatMoves, slot: usize) -> Option<usize> {
        let mut at = slot;
        while self.slots[at].marks & ON_WALK == 0 {
            self.slots[at].marks |= ON_WALK;
            at = self.step_back(table, flat, at)?;
        }
        Some(at)
    }

    /// Takes the action that sets a slot into K; gives the slot that it leaves.
    #[inline]
    fn step_back(&mut self, table: &MoveTable<'_>, flat: &FlatMoves, slot: usize) -> Option<usize> {
        let (action, _) = table.setter_of(slot)?;
        let from = flat.get(action).from as usize;
        self.slots[from].leaver = action.0;
        self.open.push(action);
        Some(from)
    }

    /// Looks at the first action of every walk; `None` if the begin of a loop is needed: before
    /// it, or after?
    fn begin(&mut self, table: &MoveTable<'_>, flat: &FlatMoves) -> Option<()> {
        self.waiting.resize(table.npc.n_actions(), Waiting::default());
        self.ready.begin(table.npc.n_actions());
        for at in 0..self.begins.len() {
            let Slot { marks, leaver, .. } = self.slots[self.begins[at] as usize];
            if marks & LOOPED != 0 && marks >= REQUEST {
                return None;
            }
            self.look(flat, LocalAction(leaver), 0);
        }
        Some(())
    }

    /// Looks at the needs of the action that comes next in a walk, from one on: it becomes ready
    /// or waits.
    #[inline]
    fn look(&mut self, flat: &FlatMoves, action: LocalAction, n_found: u32) {
        let needs = &flat.needs(action)[n_found as usize..];
        for (&need, at) in needs.iter().zip(n_found..) {
            let slot = &mut self.slots[need as usize];
            if slot.marks & HERE == 0 {
                let next = std::mem::replace(&mut slot.waiter, action.0);
                self.waiting[action.index()] = Waiting { next, n_found: at };
                return;
            }
        }
        let marks = &mut self.slots[flat.get(action).from as usize].marks;
        if *marks >= REQUEST {
            *marks |= RIPE;
        } else {
            self.ready.insert(action);
        }
    }

    /// Runs an action, and looks at those for which that may have been the last that was missing;
    /// `None` if it cannot run.
    #[inline]
    fn run(&mut self, flat: &FlatMoves, action: LocalAction) -> Option<()> {
        let moved = flat.get(action);
        for &need in flat.needs(action) {
            let slot = &mut self.slots[need as usize];
            if slot.marks & HERE == 0 {
                return None;
            }
            slot.marks -= REQUEST;
            if slot.marks & RIPE != 0 && slot.marks < REQUEST {
                self.ready.insert(LocalAction(slot.leaver));
            }
        }
        let begin = &mut self.slots[moved.from as usize].marks;
        if *begin & HERE == 0 || *begin >= REQUEST {
            return None;
        }
        *begin &= !(HERE | RIPE);
        let end = &mut self.slots[moved.to as usize];
        end.marks |= HERE;
        let Slot { marks, leaver, waiter } = *end;
        end.waiter = NOBODY;
        let mut next = waiter;
        while next != NOBODY {
            let waiting = self.waiting[next as usize];
            // What it waited for is here.
            self.look(flat, LocalAction(next), waiting.n_found + 1);
            next = waiting.next;
        }
        if marks & END == 0 {
            self.look(flat, LocalAction(leaver), 0);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Checks, Context};
    use crate::outcome::Outcome;
    use crate::prepared::PreparedDomain;
    use crate::topological::{Moves, TopologicalScratch, decide_by_order};
    use crate::{ActionMask, Call, Problem};
    use throng_base::SplitMix;
    use throng_domain::Cost;
    use throng_domain::compile::{LocalFact, PackedValue, Tables, UNKNOWN};

    /// A type of moves: each variable a tree of values, some with ways back to the root, and
    /// actions that need values of others.
    fn any_type(random: &mut SplitMix) -> Option<PreparedDomain> {
        let mut tables = Tables::new("any");
        let n_values: Vec<u16> =
            (0..random.within(1, 7)).map(|_| random.within(2, 5) as u16).collect();
        let mut ids = Vec::new();
        for &n in &n_values {
            ids.push(tables.add_variable(n, 0).ok()?);
        }
        for (own, &n) in n_values.iter().enumerate() {
            let has_way_back = random.one_in(2);
            for to in u16::from(!has_way_back)..n {
                let from = if to == 0 { random.within(1, n as usize - 1) as u16 } else { to - 1 };
                let from = if to > 1 && random.one_in(4) { 0 } else { from };
                let mut needs = vec![tables.fact(ids[own], from).ok()?];
                for (other, &n) in n_values.iter().enumerate() {
                    if other != own && random.one_in(4) {
                        let value = random.below(n as usize) as u16;
                        needs.push(tables.fact(ids[other], value).ok()?);
                    }
                }
                let set = tables.fact(ids[own], to).ok()?;
                tables.add_action(&needs, &[set], Cost(random.within(1, 9) as u64)).ok()?;
            }
        }
        Some(tables.compile().into())
    }

    #[test]
    fn its_plans_are_those_of_closure_and_order() {
        let mut random = SplitMix::new(21);
        let (mut flat, mut scratch) = (Flat::default(), TopologicalScratch::default());
        let (mut plan, mut expected) = (Vec::new(), Vec::new());
        let (mut n_plans, mut n_steps, mut n_left, mut n_loops) = (0, 0, 0, 0);
        for round in 0..4_000 {
            let domain = any_type(&mut random).unwrap_or_else(|| unreachable!("small enough"));
            let npc = &domain.npcs()[0];
            let tables = FlatMoves::new(npc).unwrap_or_else(|| unreachable!("all are moves"));
            let checks = Checks::all(domain.map().n_checks());
            for _ in 0..4 {
                let mut forbidden = ActionMask::none(npc.n_actions());
                npc.local_actions().filter(|_| random.one_in(40)).for_each(|action| {
                    forbidden.set(action, true);
                });
                let mut value = |variable| match random.one_in(60) {
                    true => UNKNOWN,
                    // Rather low: most ways lead up from there.
                    false => {
                        let most = random.within(1, npc.n_values(variable));
                        random.below(most) as PackedValue
                    }
                };
                let start: Vec<_> = npc.local_variables().map(&mut value).collect();
                let mut wish = |variable| {
                    let value = random.below(npc.n_values(variable)) as PackedValue;
                    random.percent(60).then(|| npc.fact(LocalFact { variable, value }))
                };
                let wanted: Vec<_> = npc.local_variables().filter_map(&mut wish).collect();
                let mut problem = Problem::new(&domain, npc.id());
                let context = Context::new(&checks, &forbidden);
                problem.fill(&domain, npc.id(), |at| start[at], &wanted[..], context);
                let call = Call::new(&domain, &problem);
                let moves = Moves::default();
                let table = MoveTable { flat: Some(&tables), bits: None, ..moves.table(&call) };
                let outcome = decide_by_order(&call, &moves, &mut scratch, &mut expected);
                match flat.plan(&table, &mut plan) {
                    Some(cost) => {
                        let about = format!("round {round}, {start:?} to {wanted:?}");
                        assert_eq!(outcome, Some(Outcome::Plan { cost: Cost(cost) }), "{about}");
                        assert_eq!(plan, expected, "{about}");
                        n_plans += 1;
                        n_steps += plan.len();
                        let loops = flat.begins.iter();
                        let is_loop = |at: &&u32| flat.slots[**at as usize].marks & LOOPED != 0;
                        n_loops += loops.filter(is_loop).count();
                    }
                    None => n_left += usize::from(matches!(outcome, Some(Outcome::Plan { .. }))),
                }
            }
        }
        let tally = format!("{n_plans} plans, {n_steps} steps, {n_loops} loops, {n_left} left");
        assert!(n_plans > 3_000 && n_steps > n_plans && n_loops > 30, "{tally}");
        assert!(n_left < n_plans / 10, "{tally}");
    }
}
