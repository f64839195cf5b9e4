//! Tables as bytes, and back: what took a while to build need not be built again.
//!
//! In:   a table and the question it answers; or bytes from anywhere, and the question.
//! Out:  bytes; or the table, or which of six reasons there is to refuse the bytes.
//! Cost: linear in states and plans; reading replays the plan of every state.
//!
//! No I/O here: the caller reads and writes. Bytes are hostile until checked: the checksum tells
//! accidents, lengths are compared with what is there before anything is made, and every plan is
//! replayed from every state that has it. What a file says to be impossible is believed, and so
//! is that plans are cheapest; so a file is as good as who wrote it, but never a crash, and never
//! a plan that fails.
//!
//! ```text
//! magic 8 | version 4 | checksum of all that follows 16
//! digest of the domain 16 | NPC type 4 | lists: goal, actions there, shared values, outside
//! states 8 | plans 4 | per plan: length 4, actions 4 each | width 1 | id per state, 2 or 4 each
//! ```
//!
//! Numbers are little-endian. Ids are those of [`PlanId`] with plans numbered from 4 in the order of
//! the file, whatever they were in the arena.

mod bytes;
mod refused;

pub use refused::TableFileError;

use crate::plans::{PlanId, PlanStore};
use crate::space::Space;
use crate::table::{PolicyTable, TableQuestion};
use bytes::{Reader, in_words, number};
use throng_domain::compile::{Digest, LocalAction};
use throng_domain::model::Fact;
use throng_planner::replay::replay;

const MAGIC: [u8; 8] = *b"thrtable";
/// Counts up with every change of the layout, and of what plans mean.
const VERSION: u32 = 1;
/// Where the bytes begin that the checksum covers.
const BODY: usize = 8 + 4 + 16;

impl PolicyTable {
    /// The table as bytes. `question`, `space` and `plans` are those that it was made with.
    pub fn to_bytes(
        &self,
        question: &TableQuestion<'_>,
        space: &Space,
        plans: &PlanStore,
    ) -> Vec<u8> {
        let mut body = key(question, space);
        body.extend(self.n_states().to_le_bytes());
        body.extend((self.plans().len() as u32).to_le_bytes());
        // The number in the file, by id.
        let mut numbers = vec![0u32; plans.max_id().index() + 1];
        for (at, id) in (0..PlanId::FIRST.0).zip(numbers.iter_mut()) {
            *id = at;
        }
        for (number, &id) in (PlanId::FIRST.0..).zip(self.plans()) {
            let actions = plans.actions(id);
            body.extend((actions.len() as u32).to_le_bytes());
            actions.iter().for_each(|action| body.extend(action.0.to_le_bytes()));
            if let Some(place) = numbers.get_mut(id.index()) {
                *place = number;
            }
        }
        let width = width_of(self.plans().len());
        body.push(width as u8);
        for index in 0..self.n_states() {
            let number = numbers.get(self.plan(index).index()).copied().unwrap_or(0);
            body.extend(&number.to_le_bytes()[..width]);
        }
        let mut all = Vec::with_capacity(BODY + body.len());
        all.extend(MAGIC);
        all.extend(VERSION.to_le_bytes());
        all.extend(Digest::of(&body).0.to_le_bytes());
        all.extend(body);
        all
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
        let mut head = Reader::new(bytes);
        // A beginning of the magic may be one of a table that was cut.
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) || bytes.is_empty() {
            return Err(TableFileError::NotATable);
        }
        head.take(MAGIC.len())?;
        let version = head.u32()?;
        if version != VERSION {
            return Err(TableFileError::OtherVersion { found: version, expected: VERSION });
        }
        let sum = head.u128()?;
        let mut body = head;
        check_key(&mut body.clone(), question, space)?;
        let parts = Parts::read(&mut body, question, space)?;
        // Only now: a file of another domain or a cut one is told by what it is.
        let found = Digest::of(&bytes[BODY.min(bytes.len())..]);
        if found != Digest(sum) {
            return Err(TableFileError::Damaged { what: "its checksum does not fit its content" });
        }
        parts.into_table(question, space, plans)
    }
}

/// Bytes of an id in the file, for so many plans.
fn width_of(n_plans: usize) -> usize {
    if n_plans + PlanId::FIRST.index() <= 1 << 16 { 2 } else { 4 }
}

/// What the table answers, as bytes: equal exactly for equal questions.
fn key(question: &TableQuestion<'_>, space: &Space) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(question.domain.digest().0.to_le_bytes());
    out.extend((question.npc.index() as u32).to_le_bytes());
    let problem = question.problem(space);
    let count = |number: usize| (number as u32).to_le_bytes();
    let facts = |out: &mut Vec<u8>, facts: &[Fact]| {
        out.extend(count(facts.len()));
        for fact in facts {
            out.extend(count(fact.variable.index()));
            out.extend(count(fact.value.index()));
        }
    };
    let kind = question.kind();
    let mut goal: Vec<Fact> = problem.goal().iter().map(|&fact| kind.fact(fact)).collect();
    goal.extend(problem.outside().iter().map(|outside| outside.fact));
    facts(&mut out, &goal);
    let there = (0..kind.n_actions() as u32).filter(|&at| problem.enabled().has(LocalAction(at)));
    let there: Vec<u32> = there.collect();
    out.extend(count(there.len()));
    there.iter().for_each(|action| out.extend(action.to_le_bytes()));
    out.extend(count(problem.start().len()));
    problem.start().iter().for_each(|value| out.extend(value.to_le_bytes()));
    // Of what is outside, only whether the goal has it matters.
    out.extend(count(problem.outside().len()));
    out.extend(problem.outside().iter().map(|outside| u8::from(outside.holds)));
    out
}

/// Reads past the key; refuses one that is not this question's.
fn check_key(
    body: &mut Reader<'_>,
    question: &TableQuestion<'_>,
    space: &Space,
) -> Result<(), TableFileError> {
    let found = Digest(body.u128()?);
    let expected = question.domain.digest();
    if found != expected {
        return Err(TableFileError::OtherDomain { found, expected });
    }
    let npc = body.u32()?;
    if npc as usize != question.npc.index() {
        let (found, expected) = (npc.to_string(), question.npc.index().to_string());
        return Err(TableFileError::OtherQuestion { what: "NPC type", found, expected });
    }
    let key = key(question, space);
    let mut own = Reader::new(&key);
    own.take(16 + 4)?;
    let lists = [("goal", 4, 2), ("actions", 4, 1), ("shared values", 2, 1), ("outside", 1, 1)];
    for (what, size, per_item) in lists {
        let (found, expected) = (body.list(size * per_item)?, own.list(size * per_item)?);
        if found != expected {
            let (found, expected) = (in_words(found, size), in_words(expected, size));
            return Err(TableFileError::OtherQuestion { what, found, expected });
        }
    }
    Ok(())
}

/// What follows the key, with lengths that fit.
struct Parts<'b> {
    /// Lengths and actions.
    plans: Reader<'b>,
    n_plans: u32,
    width: usize,
    ids: &'b [u8],
}

impl<'b> Parts<'b> {
    /// Walks through everything once and makes nothing.
    fn read(
        body: &mut Reader<'b>,
        question: &TableQuestion<'_>,
        space: &Space,
    ) -> Result<Parts<'b>, TableFileError> {
        check_key(body, question, space)?;
        let states = body.u64()?;
        if space.n_states() != Some(states) {
            return Err(TableFileError::Damaged { what: "it has another number of states" });
        }
        let n_plans = body.u32()?;
        let plans = body.clone();
        for _ in 0..n_plans {
            body.list(4)?;
        }
        let width = usize::from(body.take(1)?[0]);
        if width != width_of(n_plans as usize) {
            return Err(TableFileError::Damaged { what: "its ids have another width" });
        }
        let n_states = usize::try_from(states).unwrap_or(usize::MAX);
        let ids = body.take(n_states.saturating_mul(width))?;
        if !body.is_empty() {
            return Err(TableFileError::Damaged { what: "there is something behind its end" });
        }
        Ok(Parts { plans, n_plans, width, ids })
    }

    /// Replays every plan where it is used, then takes all into the arena.
    fn into_table(
        mut self,
        question: &TableQuestion<'_>,
        space: &Space,
        plans: &mut PlanStore,
    ) -> Result<PolicyTable, TableFileError> {
        let n_actions = question.kind().n_actions() as u32;
        // Bounded: each list was there in the bytes.
        let mut lists: Vec<Vec<LocalAction>> = Vec::with_capacity(self.n_plans as usize);
        for _ in 0..self.n_plans {
            let actions = self.plans.list(4)?.chunks_exact(4);
            let list: Vec<_> = actions.map(|bytes| LocalAction(number(bytes))).collect();
            if list.is_empty() || list.iter().any(|action| action.0 >= n_actions) {
                return Err(TableFileError::Damaged {
                    what: "a plan names an action that is not there",
                });
            }
            lists.push(list);
        }
        let mut ids: Vec<u32> = self.ids.chunks_exact(self.width).map(number).collect();
        let costs = check_states(question, space, &ids, &lists)?;
        let mut used = Vec::with_capacity(lists.len());
        for (list, cost) in lists.iter().zip(costs) {
            let id = plans.intern(list, cost);
            plans.pin(id);
            used.push(id);
        }
        let real = |id: u32| used.get((id.wrapping_sub(PlanId::FIRST.0)) as usize);
        for id in &mut ids {
            *id = real(*id).map_or(*id, |real| real.0);
        }
        Ok(PolicyTable::of_ids(ids, used))
    }
}

/// Every state has a plan that replays, or is satisfied exactly if its goal holds; plans come in
/// the order in which states meet them, each once. Gives what the plans cost.
fn check_states(
    question: &TableQuestion<'_>,
    space: &Space,
    ids: &[u32],
    lists: &[Vec<LocalAction>],
) -> Result<Vec<u64>, TableFileError> {
    let damaged = |what| Err(TableFileError::Damaged { what });
    let mut problem = question.problem(space);
    let mut start = problem.start().to_vec();
    let mut state = Vec::new();
    let mut costs = Vec::with_capacity(lists.len());
    for (index, &id) in (0u64..).zip(ids) {
        space.state_at(index, &mut start);
        problem.set_start(&start);
        let holds = problem.is_goal(&start) && problem.outside().iter().all(|fact| fact.holds);
        match PlanId(id) {
            PlanId::UNPLANNED | PlanId::GAVE_UP => return damaged("a state has no answer"),
            id if (id == PlanId::SATISFIED) != holds => {
                return damaged("a state is not satisfied exactly where its goal holds");
            }
            PlanId::SATISFIED | PlanId::IMPOSSIBLE => continue,
            _ => {}
        }
        let at = (id - PlanId::FIRST.0) as usize;
        let Some(list) = lists.get(at) else {
            return damaged("a state has a plan beyond the last");
        };
        let Some(cost) = replay(question.kind(), &problem, list, &mut state) else {
            return damaged("a plan does not replay");
        };
        if at > costs.len() {
            return damaged("its plans are in another order");
        }
        if at == costs.len() {
            costs.push(cost);
        }
    }
    let mut sorted: Vec<&Vec<LocalAction>> = lists.iter().collect();
    sorted.sort_unstable();
    let is_twice = sorted.windows(2).any(|pair| pair[0] == pair[1]);
    if costs.len() < lists.len() || is_twice {
        return damaged("a plan is there twice or for nothing");
    }
    Ok(costs)
}

#[cfg(test)]
mod tests;
