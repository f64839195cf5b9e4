//! Promises of several: one verdict of many.
//!
//! In:   how many must keep it, and how it stands with each.
//! Out:  the verdict; broken, it names who and when.
//! Cost: a look at each.

use super::{Case, Judge, Promise, TOLD, Verdict};
use crate::story::HowMany;

impl Judge {
    /// The verdict of a promise by those of its cases.
    pub(super) fn together(&self, promise: &Promise, cases: &[Case]) -> Verdict {
        let Some((how_many, _)) = promise.among else {
            return cases.first().map_or(Verdict::Open, |case| case.verdict.clone());
        };
        let kept = cases.iter().filter_map(|case| match case.verdict {
            Verdict::Kept(at) => Some((at, case)),
            _ => None,
        });
        let broken = cases.iter().filter_map(|case| match &case.verdict {
            Verdict::Broken(at, why) => {
                Some((*at, format!("`{}`: {why}", self.name(case.who.unwrap_or_default()))))
            }
            _ => None,
        });
        let is_decided = cases.iter().all(|case| case.verdict != Verdict::Open);
        // When the last of them was decided.
        let last = || {
            let ticks = kept.clone().map(|(at, _)| at).chain(broken.clone().map(|(at, _)| at));
            ticks.max().unwrap_or_default()
        };
        match how_many {
            HowMany::Some => match kept.clone().map(|(at, _)| at).min() {
                Some(at) => Verdict::Kept(at),
                None if is_decided => {
                    let all: Vec<String> = broken.clone().map(|(_, why)| why).collect();
                    let more = all.len().saturating_sub(TOLD);
                    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
                    let told = all[..all.len().min(TOLD)].join("; ");
                    Verdict::Broken(last(), format!("none of them: {told}{more}"))
                }
                None => Verdict::Open,
            },
            HowMany::One => {
                let mut those = kept.clone().collect::<Vec<_>>();
                those.sort_by_key(|(at, _)| *at);
                match those[..] {
                    [(_, one), (at, other), ..] => {
                        let name = |case: &Case| self.name(case.who.unwrap_or_default());
                        let (one, other) = (name(one), name(other));
                        Verdict::Broken(at, format!("`{one}` and `{other}` both"))
                    }
                    [(at, _)] if is_decided => Verdict::Kept(at),
                    [] if is_decided => Verdict::Broken(last(), "none of them".to_string()),
                    _ => Verdict::Open,
                }
            }
            HowMany::Each => match broken.clone().min_by_key(|(at, _)| *at) {
                Some((at, why)) => Verdict::Broken(at, why),
                None if is_decided => Verdict::Kept(last()),
                None => Verdict::Open,
            },
            HowMany::None => match kept.clone().min_by_key(|(at, _)| *at) {
                Some((at, case)) => {
                    let name = self.name(case.who.unwrap_or_default());
                    Verdict::Broken(at, format!("`{name}` did, or is so"))
                }
                None if is_decided => Verdict::Kept(last()),
                None => Verdict::Open,
            },
        }
    }
}
