//! Rows whose goal is a choice, served by the wide kernel.
//!
//! In:   rows that no table serves and that choose among several goals.
//! Out:  the plan of the goal that the single planner would choose; what the kernel leaves open
//!       goes on to the planner.
//! Cost: as much as a row for each of the goals.

use super::{BATCH, Gathered, IMPOSSIBLE, PLAN, POSITIONS, WideWork};
use crate::following::Remainder;
use crate::goals::Choice;
use crate::plans::PlanId;
use crate::serve::{Part, Shared};
use throng_base::ones;
use throng_planner::topological::wide::{Wide, WideGoals};

impl Part<'_> {
    pub(super) fn compute_choices(
        &mut self,
        shared: &Shared<'_>,
        work: &WideWork,
        wide: &Wide,
        goals: &WideGoals,
        gathered: &mut Gathered,
    ) {
        gathered.clear();
        let mut state = std::mem::take(&mut gathered.state);
        for at in 0..self.serve.len() {
            for bit in ones(self.serve[at]) {
                let own = at * 64 + bit;
                let row = self.first + own;
                let Some(choice) = shared.goals.choice(shared.goal[row]) else { continue };
                let place = |part: u16| work.places[usize::from(part)];
                let is_known = choice.parts().all(|part| place(part).is_some());
                let Some(word) = shared.word(row, &mut state).filter(|_| is_known) else {
                    continue;
                };
                let group = usize::from(shared.group[row]);
                // One row, and for each of its goals a state.
                gathered.rows.push(own as u32);
                for goal in choice.parts().filter_map(place) {
                    gathered.words.push(word | work.shared_bits[group]);
                    gathered.goals.push(goal);
                    gathered.enabled.push(work.enabled[group]);
                }
            }
            if gathered.words.len() >= BATCH {
                self.choose_batch(shared, wide, goals, gathered);
            }
        }
        if !gathered.rows.is_empty() {
            self.choose_batch(shared, wide, goals, gathered);
        }
        gathered.state = state;
    }

    fn choose_batch(
        &mut self,
        shared: &Shared<'_>,
        wide: &Wide,
        goals: &WideGoals,
        gathered: &mut Gathered,
    ) {
        if gathered.ask(wide, goals) {
            let mut masks = &gathered.masks[..];
            for &own in &gathered.rows {
                let goal = shared.goal[self.first + own as usize];
                let Some(choice) = shared.goals.choice(goal) else { continue };
                let (mine, others) = masks.split_at(choice.parts().count());
                masks = others;
                let cost = |mask: u32| {
                    let steps = Remainder::Word { word: wide.word(), left: mask & POSITIONS };
                    steps.map(|action| shared.npc.cost(action)).sum()
                };
                if let Some(id) = chosen(choice, mine, cost) {
                    self.found.report.computed += 1;
                    self.answer(own as usize, id, shared);
                }
            }
        }
        gathered.clear();
    }
}

/// What a row goes by, given what came out for each goal of its choice; `None` if that is open.
fn chosen(choice: &Choice, mut masks: &[u32], cost: impl Fn(u32) -> u64) -> Option<u32> {
    let mut answer = PlanId::SATISFIED;
    for stage in &choice.stages {
        let (own, later) = masks.split_at(stage.len());
        masks = later;
        if own.contains(&0) {
            continue;
        }
        if !own.iter().all(|mask| matches!(mask >> 30, PLAN | IMPOSSIBLE)) {
            return None;
        }
        // Of equals the first.
        let plans = own.iter().filter(|mask| **mask >> 30 == PLAN);
        if let Some(&least) = plans.min_by_key(|mask| cost(**mask)) {
            return Some(Remainder::of_word(least & POSITIONS));
        }
        answer = PlanId::IMPOSSIBLE;
    }
    Some(answer.0)
}
