//! Whole plans, each in one word: up to ten actions of six bits and the length.
//!
//! In:   a table whose type has few actions; plans that are too long are left to the table.
//! Out:  per state a word; many at once by [`PlanLists::serve_u16`].
//! Cost: eight bytes per state; serving is one load and one store per NPC.
//!
//! Words are [`packed`]; in place of a length they may say why there is no plan. The other bits are
//! zero then.

use crate::town::packed;
use throng_crowd::plans::{PlanId, PlanStore};
use throng_crowd::table::PolicyTable;
use throng_domain::compile::NpcTables;

/// The most actions of a plan in a word, and how many actions there may be.
const LIST_LENGTH: usize = 10;
const MOST_ACTIONS: usize = 64;

/// In place of a length: nobody has planned, or the plan is too long.
const UNPLANNED: u64 = 13 << 60;
/// In place of a length: a limit was hit.
const GAVE_UP: u64 = 14 << 60;
/// In place of a length: there is no plan.
const IMPOSSIBLE: u64 = 15 << 60;

/// The room of a table is one of these, so that a state cut to fit needs no test.
const PADDED: [usize; 4] = [1 << 8, 1 << 12, 1 << 14, 1 << 16];

/// How many look-ups are under way together.
const TOGETHER: usize = 8;

/// The plan of every state as a word.
#[derive(Debug)]
pub struct PlanLists {
    words: Box<[u64]>,
}

/// A plan as a word.
fn listed(plans: &PlanStore, id: PlanId) -> u64 {
    match (id, plans.actions(id)) {
        (PlanId::IMPOSSIBLE, _) => IMPOSSIBLE,
        (PlanId::GAVE_UP, _) => GAVE_UP,
        (PlanId::UNPLANNED, _) => UNPLANNED,
        (_, actions) if actions.len() > LIST_LENGTH => UNPLANNED,
        (_, actions) => packed(actions),
    }
}

impl PlanLists {
    /// A table with whole plans; `None` if the type has more than 64 actions, or the table more
    /// than 65,536 states. A state whose plan has more than ten actions is unplanned here: its
    /// plan is in the table.
    pub fn new(table: &PolicyTable, plans: &PlanStore, npc: &NpcTables) -> Option<PlanLists> {
        let room = PADDED.into_iter().find(|&room| room as u64 >= table.n_states())?;
        if npc.n_actions() > MOST_ACTIONS {
            return None;
        }
        let words = (0..table.n_states()).map(|index| listed(plans, table.plan(index)));
        let mut words: Vec<u64> = words.collect();
        words.resize(room, UNPLANNED);
        Some(PlanLists { words: words.into_boxed_slice() })
    }

    /// Writes the plan of each state, each below the number of states; of columns of different
    /// length the shorter counts.
    pub fn serve_u16(&self, states: &[u16], plans: &mut [u64]) {
        let [few, some, many, _] = PADDED;
        match self.words.len() {
            room if room == few => look_up::<{ PADDED[0] }>(&self.words, states, plans),
            room if room == some => look_up::<{ PADDED[1] }>(&self.words, states, plans),
            room if room == many => look_up::<{ PADDED[2] }>(&self.words, states, plans),
            _ => look_up::<{ PADDED[3] }>(&self.words, states, plans),
        }
    }
}

/// The kernel, for tables with `ROOM` entries, a power of two.
fn look_up<const ROOM: usize>(table: &[u64], states: &[u16], plans: &mut [u64]) {
    let Ok(table) = <&[u64; ROOM]>::try_from(table) else { return };
    let look = |state: u16| table[usize::from(state) & (ROOM - 1)];
    let n = states.len().min(plans.len());
    let (rows, rest) = states[..n].as_chunks::<TOGETHER>();
    let (plan_rows, plan_rest) = plans[..n].as_chunks_mut::<TOGETHER>();
    for (plans, states) in plan_rows.iter_mut().zip(rows) {
        *plans = states.map(look);
    }
    for (plan, &state) in plan_rest.iter_mut().zip(rest) {
        *plan = look(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::Domain;
    use throng::crowd::Pool;
    use throng_crowd::space::Space;
    use throng_crowd::table::{TableLimits, TableQuestion};
    use throng_domain::compile::LocalAction;
    use throng_planner::{ActionMask, Checks};

    fn list(numbers: &[u32]) -> Vec<LocalAction> {
        numbers.iter().map(|&number| LocalAction(number)).collect()
    }

    /// The actions of a word; none if it says why there is no plan.
    fn unlisted(word: u64) -> Vec<LocalAction> {
        let length = (word >> 60) as usize;
        let action = |at: usize| LocalAction((word >> (6 * at)) as u32 & 63);
        if length > LIST_LENGTH { Vec::new() } else { (0..length).map(action).collect() }
    }

    #[test]
    fn plans_survive_being_words() {
        let mut plans = PlanStore::new();
        for actions in [&[0u32][..], &[63], &[5, 0, 63, 1], &[63; 10], &[0; 10]] {
            let id = plans.intern(&list(actions), 1);
            assert_eq!(unlisted(listed(&plans, id)), list(actions));
        }
        assert_eq!(listed(&plans, PlanId::SATISFIED), 0);
        let verdicts = [PlanId::UNPLANNED, PlanId::IMPOSSIBLE, PlanId::GAVE_UP];
        let words = verdicts.map(|id| listed(&plans, id));
        assert_eq!(words, [UNPLANNED, IMPOSSIBLE, GAVE_UP]);
    }

    #[test]
    fn what_does_not_fit_is_no_word() {
        let mut plans = PlanStore::new();
        let long = plans.intern(&list(&[0; 11]), 1);
        assert_eq!(listed(&plans, long), UNPLANNED);
        assert!(UNPLANNED >> 60 > LIST_LENGTH as u64);
    }

    /// A ladder of twelve rungs: from the lowest the plan is one action too long.
    #[test]
    fn every_state_has_the_plan_of_the_table_unless_it_is_too_long_for_a_word() {
        let rungs = 0..11;
        let up = |at| format!("action up{at}: x {at} -> {}\n", at + 1);
        let actions: String = rungs.clone().map(up).collect();
        let can: Vec<String> = rungs.map(|at| format!("up{at}")).collect();
        let text = format!(
            "domain d\nvar x: 0..11\n{actions}goal top: x = 11\nnpc n\n    can {}\n    wants top\n",
            can.join(", ")
        );
        let domain = Domain::from_text(&text).unwrap();
        let (compiled, kind) = (domain.compiled(), &domain.compiled().npcs()[0]);
        let question = TableQuestion {
            domain: compiled,
            npc: kind.id(),
            goal: compiled.goals()[0].conditions(),
            checks: &Checks::all(0),
            forbidden: &ActionMask::none(kind.n_actions()),
            shared: &[],
            outside: &[],
        };
        let (space, mut plans) = (Space::new(compiled.map(), kind), PlanStore::new());
        let limits = TableLimits::DEFAULT;
        let pool = Pool::new(1);
        let table =
            PolicyTable::build(&question, &space, &mut plans, &pool, &limits, &|_, _| {}).unwrap();
        let lists = PlanLists::new(&table, &plans, kind).unwrap();
        let mut words = vec![0; 12];
        lists.serve_u16(&(0..12).collect::<Vec<u16>>(), &mut words);
        assert_eq!((words[0], words[11]), (UNPLANNED, 0));
        assert_eq!(plans.actions(table.plan(0)).len(), 11);
        for (at, &word) in words.iter().enumerate().skip(1) {
            assert_eq!(unlisted(word), plans.actions(table.plan(at as u64)));
        }
    }
}
