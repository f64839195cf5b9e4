//! Promises of who hunts unseen: never among several, and cloaked where several could see it.
//!
//! In:   what it begins, where everybody is.
//! Out:  why it is broken: how many were about.
//! Cost: a look at each of the side.

use super::{Decided, Judge, Progress, Tick, View};
use crate::story::Crowd;

impl Judge {
    /// For how long it has had each of them in view.
    pub(super) fn watch_crowd(who: usize, crowd: &Crowd, view: &dyn View, progress: &mut Progress) {
        for &it in &crowd.of {
            let lasted = progress.lasted.entry((who, it)).or_default();
            *lasted = if view.could_see(who, it) { *lasted + 1 } else { 0 };
        }
    }

    /// Whether so many are about whom it has picked, in truth and not only as it believes. Who has only
    /// just come into view is not noticed yet.
    pub(super) fn among(
        &self,
        who: usize,
        crowd: &Crowd,
        view: &dyn View,
        progress: &Progress,
    ) -> Decided {
        let near = |&it: &usize| {
            let lasted = progress.lasted.get(&(who, it)).copied().unwrap_or(0);
            let is_seen = crowd.in_view.is_none_or(|long| lasted > long);
            let far = view.distance_to_pick(it, who, &crowd.select);
            is_seen && far.is_some_and(|far| far <= crowd.cells)
        };
        let about: Vec<&str> =
            crowd.of.iter().copied().filter(near).map(|it| self.name(it)).collect();
        (about.len() >= crowd.count as usize).then(|| {
            let picked = view.picked(who, &crowd.select).join("`, `");
            Err(format!("{} were within {} of `{picked}`", about.join(", "), crowd.cells))
        })
    }

    /// Whether it has been seen by so many for too long, or could have been.
    pub(super) fn uncloaked(
        &self,
        who: usize,
        (count, of, most): (u32, &[usize], Tick),
        view: &dyn View,
        progress: &mut Progress,
    ) -> Decided {
        let seeing = || of.iter().copied().filter(|&it| view.could_see(it, who));
        let shows = view.is_alive(who)
            && !view.is_cloaked(who)
            && seeing().take(count as usize).count() == count as usize;
        let lasted = progress.between.entry(who).or_default();
        *lasted = if shows { *lasted + 1 } else { 0 };
        (*lasted > most).then(|| {
            let names: Vec<&str> = seeing().map(|it| self.name(it)).collect();
            let seconds = self.pace.seconds(most);
            Err(format!("for more than {seconds:.1} s {} could see it", names.join(" and ")))
        })
    }
}
