//! Goals as bytes and back: which there are is the file's, how they stand is theirs.

use super::{Goals, Seen, Standing, Standings};
use crate::known::Known;
use crate::pack::{Damaged, Pack, Packer, Unpacker};

crate::pack_choices!("standing of a goal" Standing {
    Active = 0,
    Satisfied = 1,
    Irrelevant = 2,
    Resting = 3,
    Outscored = 4,
    NoPlan = 5,
    GaveUp = 6,
});

impl Pack for Seen {
    fn pack(&self, to: &mut Packer) {
        let Seen { state, memory, shared, here } = self;
        to.put(state).put(memory).put(shared).put(here);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let (state, memory, shared, here) = from.take()?;
        Ok(Seen { state, memory, shared, here })
    }
}

impl Goals {
    pub(crate) fn pack(&self, to: &mut Packer) {
        let Goals { all, active, since, switches, order, n_challengers, seen, wake } = self;
        for entry in all {
            let Standings {
                goal: _,
                relevance,
                score,
                standing,
                rests_until,
                no_plan_for,
                gave_up,
            } = entry;
            to.put(relevance).put(score).put(standing);
            to.put(rests_until).put(no_plan_for).put(gave_up);
        }
        to.put(active).put(since).put(switches).put(order).put(n_challengers);
        to.put(seen).put(wake);
    }

    pub(crate) fn unpack(from: &mut Unpacker<'_>, known: &Known<'_>) -> Result<Self, Damaged> {
        let own = known.goals();
        let mut all = Vec::with_capacity(own.len());
        for &goal in own {
            let entry = Standings {
                goal,
                relevance: from.take()?,
                score: from.take()?,
                standing: from.take()?,
                rests_until: from.take()?,
                no_plan_for: from.long_counter()?,
                gave_up: from.take()?,
            };
            if !(0.0..=1.0).contains(&entry.relevance) || !(0.0..).contains(&entry.score) {
                return from.damaged("score of a goal");
            }
            all.push(entry);
        }
        let goals = Goals {
            all,
            active: from.take()?,
            since: from.past(known.now)?,
            switches: from.counter()?,
            order: from.take()?,
            n_challengers: from.take()?,
            seen: from.take()?,
            wake: from.take()?,
        };
        let is_own = |at: usize| at < own.len();
        let mut listed = goals.order.clone();
        listed.sort_unstable();
        let once = listed.is_sorted_by(|one, two| one < two);
        let fits = goals.active.is_none_or(is_own)
            && listed.iter().all(|&at| is_own(usize::from(at)))
            && goals.n_challengers <= goals.order.len();
        if once && fits { Ok(goals) } else { from.damaged("order of goals") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::tests::comes_back;

    #[test]
    fn standings_and_what_they_were_made_of_come_back() {
        comes_back::<Seen>(|trial, _| Seen {
            state: trial.any(),
            memory: trial.any(),
            shared: trial.any(),
            here: trial.any(),
        });
        // The list of choices is checked by the compiler.
        comes_back::<Standing>(|trial, _| trial.any());
    }
}
