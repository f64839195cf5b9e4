//! Tables as bytes, and back: what took a while to build need not be built again.
//!
//! In:   a table and the question it answers; or bytes from anywhere, and the question.
//! Out:  bytes; or the table, or why the bytes are refused.
//! Cost: linear in states and plans; reading replays the plan of every state.
//!
//! No I/O here: the caller reads and writes. Bytes are hostile until checked: the seal tells
//! accidents, nothing is made that the bytes cannot fill, and every plan is replayed from every
//! state that has it. What a file says to be impossible is believed, and so is that plans are
//! cheapest; so a file is as good as who wrote it, but never a crash, and never a plan that fails.
//!
//! Behind `throng table 2`, sealed: the digest of the domain, the question, the plans, an id per
//! state. Ids are those of [`PlanId`] with plans numbered from 4 in the order of the file, whatever
//! they were in the arena.

mod error;

pub use error::TableFileError;

use crate::former::number_of;
use crate::goals::sorted;
use crate::plans::{PlanId, PlanStore};
use crate::space::Space;
use crate::table::{PolicyTable, TableQuestion};
use std::collections::{BTreeMap, BTreeSet};
use throng_base::codec::ByteFormat;
use throng_base::codec_struct;
use throng_domain::compile::{Digest, LocalAction, NpcTables, PackedValue};
use throng_domain::model::{Conditions, Fact, VariableId, Wants};
use throng_planner::ActionMask;
use throng_planner::replay::replay;

/// Its version goes up with every change of the layout, and of what plans mean.
const TABLE: ByteFormat =
    ByteFormat { kind: "table", name: "a policy table", version: 2, oldest: 2 };

impl PolicyTable {
    /// The table as bytes. `question`, `space` and `plans` are those that it was made with.
    #[must_use]
    pub fn to_bytes(
        &self,
        question: &TableQuestion<'_>,
        space: &Space,
        plans: &PlanStore,
    ) -> Vec<u8> {
        let numbers = self.plans().iter().zip(PlanId::FIRST.0..);
        let numbers: BTreeMap<PlanId, u32> = numbers.map(|(&id, number)| (id, number)).collect();
        let number = |index: usize| {
            let id = self.plan(index as u64);
            numbers.get(&id).copied().unwrap_or(id.0)
        };
        let mut to = TABLE.begin();
        to.seal(|to| {
            to.write(&question.domain.digest().0).write(&Key::of(question, space));
            to.list(self.plans().iter().map(|&id| plans.actions(id)));
            to.list((0..self.n_states() as usize).map(number));
        });
        to.bytes
    }

    /// The table that `bytes` hold, if it answers this question; its plans are pinned in `plans`,
    /// with the same ids that building the table now would have given.
    ///
    /// # Errors
    ///
    /// Why the bytes are refused; `plans` is then as it was.
    pub fn from_bytes(
        bytes: &[u8],
        question: &TableQuestion<'_>,
        space: &Space,
        plans: &mut PlanStore,
    ) -> Result<PolicyTable, TableFileError> {
        let (_, mut from) = TABLE.open(bytes)?;
        let mut body = from.unseal()?;
        from.finish()?;
        let (found, expected) = (Digest(body.read()?), question.domain.digest());
        if found != expected {
            return Err(TableFileError::OtherDomain { found, expected });
        }
        body.read::<Key>()?.check(&Key::of(question, space))?;
        let (lists, mut ids): (Vec<Vec<u32>>, Vec<u32>) = (body.read()?, body.read()?);
        body.sound((), space.n_states() == Some(ids.len() as u64), "id for each state")?;
        let lists = lists.into_iter().map(|list| list.into_iter().map(LocalAction).collect());
        let lists: Vec<Vec<LocalAction>> = lists.collect();
        let costs = match check_states(question, space, &ids, &lists) {
            Ok(costs) => costs,
            Err(what) => return Ok(body.error(what)?),
        };
        body.finish()?;
        let mut used = Vec::with_capacity(lists.len());
        for (list, cost) in lists.iter().zip(costs) {
            let id = plans.intern(list, cost);
            plans.pin(id);
            used.push(id);
        }
        for id in ids.iter_mut().filter(|id| PlanId(**id).is_plan()) {
            *id = used[PlanId(*id).index() - PlanId::FIRST.index()].0;
        }
        Ok(PolicyTable::of_ids(ids, used))
    }
}

/// What a table answers in its domain, in numbers: equal exactly for equal questions.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Key {
    npc: u32,
    /// Variables and values; then what is asked of amounts, marked in the variable.
    goal: Vec<(u32, u32)>,
    /// Those that are there.
    actions: Vec<u32>,
    shared: Vec<PackedValue>,
    /// Of what is outside, only whether the goal has it matters.
    outside: Vec<bool>,
}

codec_struct!(Key { npc, goal, actions, shared, outside });

impl Key {
    fn of(question: &TableQuestion<'_>, space: &Space) -> Key {
        let (problem, kind) = (question.problem(space), question.kind());
        // Whatever amounts stand still: each state has its own.
        let mut enabled = ActionMask::default();
        enabled.fill_enabled(kind, question.checks, question.forbidden);
        let actions = 0..kind.n_actions() as u32;
        let ranges = problem.outside_ranges().iter().map(|outside| outside.holds);
        Key {
            npc: question.npc.index() as u32,
            goal: goal_numbers(question.goal, kind),
            actions: actions.filter(|&at| enabled.has(LocalAction(at))).collect(),
            shared: problem.start().to_vec(),
            outside: problem.outside().iter().map(|outside| outside.holds).chain(ranges).collect(),
        }
    }

    /// Each part with its numbers.
    fn parts(&self) -> [(&'static str, Vec<u32>); 5] {
        [
            ("NPC type", vec![self.npc]),
            ("goal", self.goal.iter().flat_map(|&(variable, value)| [variable, value]).collect()),
            ("actions", self.actions.clone()),
            ("shared values", self.shared.iter().map(|&value| value.into()).collect()),
            ("outside", self.outside.iter().map(|&holds| holds.into()).collect()),
        ]
    }

    /// Refuses what is another question.
    fn check(&self, expected: &Key) -> Result<(), TableFileError> {
        for ((what, found), (_, expected)) in self.parts().iter().zip(expected.parts()) {
            if *found != expected {
                let (found, expected) = (in_words(found), in_words(&expected));
                return Err(TableFileError::OtherQuestion { what, found, expected });
            }
        }
        Ok(())
    }
}

/// Marks a variable of which a run of values is wanted, first and last in one number.
const RUN: u32 = 1 << 31;

/// Marks one that is compared; how it is, and with which, follows.
const COMPARED: u32 = 1 << 30;

/// A goal as numbers: the same conditions in whatever order are the same.
fn goal_numbers(goal: Conditions<'_>, kind: &NpcTables) -> Vec<(u32, u32)> {
    let Wants { facts, ranges, comparisons } = sorted(goal);
    let number = |variable: VariableId| variable.index() as u32;
    // What is outside the type comes last.
    let is_own = |fact: &&Fact| kind.local_variable(fact.variable).is_some();
    let (own, outside): (Vec<&Fact>, Vec<&Fact>) = facts.iter().partition(is_own);
    let facts = own.into_iter().chain(outside);
    let mut all: Vec<(u32, u32)> =
        facts.map(|fact| (number(fact.variable), fact.value.index() as u32)).collect();
    for range in &ranges {
        let run = |&(first, last): &(u16, u16)| u32::from(first) << 16 | u32::from(last);
        let runs = range.values.runs().iter();
        all.extend(runs.map(|one| (number(range.variable) | RUN, run(one))));
    }
    for it in &comparisons {
        all.push((number(it.variable) | COMPARED, number_of(it.relation).into()));
        all.push((number(it.other), it.offset as u32));
    }
    all
}

/// The numbers of a list, for sentences; the first few of many.
fn in_words(list: &[u32]) -> String {
    if list.is_empty() {
        return "none".to_string();
    }
    const MOST: usize = 12;
    let mut words: Vec<String> = list.iter().take(MOST).map(u32::to_string).collect();
    if list.len() > MOST {
        words.push(format!("… ({} in all)", list.len()));
    }
    words.join(" ")
}

/// Every state has a plan that replays, or is satisfied exactly if its goal holds; plans come in
/// the order in which states meet them, each once. Gives what the plans cost; or what there is
/// instead of it that it should be.
fn check_states(
    question: &TableQuestion<'_>,
    space: &Space,
    ids: &[u32],
    lists: &[Vec<LocalAction>],
) -> Result<Vec<u64>, &'static str> {
    let n_actions = question.kind().n_actions();
    if lists.iter().any(|list| list.is_empty() || list.iter().any(|a| a.index() >= n_actions)) {
        return Err("plan of actions that are there");
    }
    let mut problem = question.problem(space);
    let mut start = problem.start().to_vec();
    let mut state = Vec::new();
    let mut costs = Vec::with_capacity(lists.len());
    for (index, &id) in (0u64..).zip(ids) {
        space.state_at(index, &mut start);
        problem.set_start(question.kind(), &start);
        let holds = problem.is_goal(&start) && problem.outside_holds();
        match PlanId(id) {
            PlanId::UNPLANNED | PlanId::GAVE_UP => return Err("answer of a state"),
            id if (id == PlanId::SATISFIED) != holds => {
                return Err("state that is satisfied exactly where its goal holds");
            }
            PlanId::SATISFIED | PlanId::IMPOSSIBLE => continue,
            _ => {}
        }
        let at = (id - PlanId::FIRST.0) as usize;
        let list = lists.get(at).ok_or("plan of the list")?;
        let cost = replay(question.kind(), &problem, list, &mut state);
        let cost = cost.ok_or("plan that replays")?;
        if at > costs.len() {
            return Err("plan in the order of states");
        }
        if at == costs.len() {
            costs.push(cost);
        }
    }
    let distinct: BTreeSet<&Vec<LocalAction>> = lists.iter().collect();
    match costs.len() < lists.len() || distinct.len() < lists.len() {
        true => Err("list of plans that are used, each once"),
        false => Ok(costs),
    }
}

#[cfg(test)]
mod tests;
