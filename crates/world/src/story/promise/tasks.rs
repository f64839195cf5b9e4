//! Promises about the tasks of squads.
//!
//! In:   what happened to tasks in a tick.
//! Out:  whether it is what was promised; what came instead is noted.
//! Cost: one pass over the news.

use super::{Claim, Judge, Progress, View};
use crate::story::squads::SquadWhat;
use throng_mind::squad::TaskEnd;

impl Judge {
    /// Whether a promise about a task came true in this tick; notes what came instead.
    pub(super) fn hear_of_tasks(
        &self,
        claim: &Claim,
        view: &dyn View,
        progress: &mut Progress,
    ) -> bool {
        let (Claim::Gets(who, task) | Claim::Fulfils(who, task) | Claim::Refuses(who, task)) =
            claim
        else {
            return false;
        };
        for told in view.squad_news().iter().filter(|told| told.who == *who) {
            let is_it = told.name.split(' ').next() == Some(task);
            let fits = match claim {
                Claim::Gets(..) => told.what == SquadWhat::Given,
                Claim::Fulfils(..) => told.what == SquadWhat::Ended(TaskEnd::Done),
                _ => told.what == SquadWhat::Ended(TaskEnd::Refused),
            };
            if progress.kept_if(is_it && fits, || format!("it {told}")).is_some() {
                return true;
            }
        }
        false
    }
}
