//! Every kernel in every form against the rule machine, bit for bit.
//!
//! In:   a kernel, goals, and dice.
//! Out:  a panic where they differ.
//! Cost: two kernels, four forms, states in two forms, goals and masks for all and for each.

use throng_base::SplitMix;
use throng_domain::compile::{NpcTables, PackedValue, UNKNOWN};
use throng_planner::topological::wide::*;

/// NPCs in random states, some of them unknown; each with a goal and a mask of its own.
pub(crate) struct Crowd {
    columns: Vec<Vec<u8>>,
    words: Vec<u64>,
    of: Vec<u16>,
    masks: Vec<u64>,
}

impl Crowd {
    pub(crate) fn new(npc: &NpcTables, n: usize, n_goals: usize, dice: &mut SplitMix) -> Crowd {
        let layout = npc.layout();
        let n_variables = layout.n_variables();
        let (mut columns, mut words) = (vec![Vec::new(); n_variables], Vec::new());
        let strange = *dice.pick(&[0, 0, 3]);
        for _ in 0..n {
            let mut state: Vec<PackedValue> = vec![0; n_variables];
            let any = dice.below(layout.n_states().unwrap() as usize) as u64;
            assert!(layout.state_at(any, &mut state));
            if dice.percent(strange) {
                state[dice.below(n_variables)] = UNKNOWN;
            }
            let mut word = [0];
            layout.pack(&state, &mut word);
            words.push(word[0]);
            for (column, value) in columns.iter_mut().zip(state) {
                column.push(value.min(255) as u8);
            }
        }
        let mut goal = || match dice.percent(strange) {
            true => dice.within(n_goals, 70_000).min(65_535) as u16,
            false => dice.below(n_goals) as u16,
        };
        let of = (0..n).map(|_| goal()).collect();
        let mut mask = || {
            (0..dice.below(4))
                .fold(u64::MAX, |all, _| all & !(1 << dice.below(npc.n_actions().max(1))))
        };
        let masks = (0..n).map(|_| mask()).collect();
        Crowd { columns, words, of, masks }
    }
}

/// What the rule machine says, in every form.
#[derive(PartialEq, Debug, Default)]
struct Forms {
    masks32: Vec<u32>,
    masks16: Vec<u16>,
    lists: Vec<u64>,
    next: Vec<u8>,
    counted: Counted,
}

impl Forms {
    fn add(&mut self, wide: &Wide, lane: Lane) {
        let (status, mask) = match lane {
            Lane::Plan(mask) => (0, mask),
            Lane::Impossible => (1, 0),
            Lane::Unknown => (3, 0),
        };
        self.counted.impossible += usize::from(status == 1);
        self.counted.unknown += usize::from(status == 3);
        self.masks32.push(mask | status << 30);
        self.masks16.push((mask | status << 14) as u16);
        let actions: Vec<u64> = wide.decode(mask).map(|action| action.0.into()).collect();
        self.lists.push(match actions.len() {
            0..=14 => {
                let nibbles = actions.iter().rev().fold(0, |all, action| all << 4 | action);
                nibbles | (actions.len() as u64) << 56 | u64::from(status) << 60
            }
            _ => 3 << 60,
        });
        self.next.push(match status {
            0 => actions.first().map_or(NEXT_NONE, |&action| action as u8),
            1 => NEXT_IMPOSSIBLE,
            _ => NEXT_UNKNOWN,
        });
    }
}

/// Asks all kernels about a crowd, with goals and masks for all and for each.
pub(crate) fn agree(
    name: &str,
    npc: &NpcTables,
    wide: &Wide,
    goals: &[WideGoal],
    crowd: &Crowd,
    scratch: &mut WideScratch,
) {
    let all = wide.goals(goals).unwrap();
    let columns: Vec<&[u8]> = crowd.columns.iter().map(Vec::as_slice).collect();
    let first = LaneGoals::Same(&goals[0]);
    let some = crowd.masks.first().copied().unwrap_or(0);
    for goals_of in [first, LaneGoals::Each(&all, &crowd.of)] {
        for enabled in [LaneActions::Same(some), LaneActions::Each(&crowd.masks)] {
            let mut expected = Forms::default();
            for (at, &word) in crowd.words.iter().enumerate() {
                let mask = match enabled {
                    LaneActions::Same(mask) => mask,
                    LaneActions::Each(masks) => masks[at],
                };
                let goal = match goals_of {
                    LaneGoals::Same(goal) => Some(goal),
                    LaneGoals::Each(_, of) => goals.get(usize::from(of[at])),
                };
                let lane = goal.map_or(Lane::Unknown, |goal| wide.plan_one(word, goal, mask));
                expected.add(wide, lane);
            }
            for states in [LaneStates::Columns(&columns), LaneStates::Words(&crowd.words)] {
                let lanes = Lanes { states, goals: goals_of, enabled };
                for kernel in [Kernel::Portable, Kernel::Best] {
                    forms_agree(name, npc, wide, kernel, &lanes, &expected, scratch);
                }
            }
        }
    }
}

fn forms_agree(
    name: &str,
    npc: &NpcTables,
    wide: &Wide,
    kernel: Kernel,
    lanes: &Lanes<'_>,
    expected: &Forms,
    scratch: &mut WideScratch,
) {
    let n = expected.next.len();
    let mut masks32 = vec![0; n];
    let counted = wide.plan_many_with(kernel, lanes, LanePlans::Masks32(&mut masks32), scratch);
    assert_eq!(masks32, expected.masks32, "{name} {kernel:?}");
    assert_eq!(counted, Ok(expected.counted), "{name} {kernel:?}");
    let mut masks16 = vec![0; n];
    let counted = wide.plan_many_with(kernel, lanes, LanePlans::Masks16(&mut masks16), scratch);
    match wide.word().len() <= 14 {
        true => assert_eq!(masks16, expected.masks16, "{name} {kernel:?}"),
        false => assert_eq!(counted, Err(LanesError::Masks16)),
    }
    let mut lists = vec![0; n];
    let counted = wide.plan_many_with(kernel, lanes, LanePlans::Lists(&mut lists), scratch);
    match npc.n_actions() <= 16 {
        true => assert_eq!(lists, expected.lists, "{name} {kernel:?}"),
        false => assert_eq!(counted, Err(LanesError::Lists)),
    }
    let mut next = vec![0; n];
    wide.plan_many_with(kernel, lanes, LanePlans::Next(&mut next), scratch).unwrap();
    assert_eq!(next, expected.next, "{name} {kernel:?}");
}
