//! Goals as bytes and back: which there are is the file's, how they stand is theirs.

use super::{Goals, Seen, Standing, Standings};
use crate::known::Known;
use throng_base::{codec_enum, codec_struct};
use throng_domain::model::GoalId;

codec_enum!("standing of a goal" Standing {
    0 => Active,
    1 => Satisfied,
    2 => Irrelevant,
    3 => Resting,
    4 => Outscored,
    5 => NoPlan,
    6 => GaveUp,
});

codec_struct!(Seen { state, memory, shared, here });

codec_struct!(
    in goal: GoalId;
    Standings { relevance, score, standing, rests_until, no_plan_for: long_counter, gave_up }
    given { goal: *goal }
    where |it| (0.0..=1.0).contains(&it.relevance) && (0.0..).contains(&it.score),
        "score of a goal"
);

codec_struct!(
    in known: Known<'_>;
    Goals {
        all each known.own.goals,
        active,
        since: past(known.now),
        switches: counter,
        order,
        n_challengers,
        seen,
        wake,
    }
    where |goals| goals.is_sound(known.own.goals.len()), "order of goals"
);

impl Goals {
    /// Whether all positions are of so many goals, and none is listed twice.
    fn is_sound(&self, n_goals: usize) -> bool {
        let mut listed = self.order.clone();
        listed.sort_unstable();
        listed.is_sorted_by(|one, two| one < two)
            && self.active.is_none_or(|at| at < n_goals)
            && listed.iter().all(|&at| usize::from(at) < n_goals)
            && self.n_challengers <= self.order.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

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
