//! The tasks that squads gave, tick by tick.
//!
//! In:   a play after each tick.
//! Out:  what happened to each task, by type of squad, for the collector.
//! Cost: a look at the squads and at the news of the tick.

use std::collections::BTreeMap;
use throng_domain::model::NpcTypeId;
use throng_trace::stats::Collector;
use throng_world::story::run::Play;

/// Knows of which type squads are, also of those that are no more.
#[derive(Default)]
pub(super) struct Tasks {
    types: BTreeMap<u32, NpcTypeId>,
}

impl Tasks {
    /// Counts what happened to tasks in the last tick.
    pub(super) fn see(&mut self, play: &Play, collector: &mut Collector) {
        let (squads, spec) = (play.cast().squads(), play.minds().spec());
        for squad in squads.all() {
            if let Some(kind) = spec.squads.get(squad.kind) {
                self.types.insert(squad.number, kind.npc);
            }
        }
        for news in squads.news() {
            if let Some(&npc) = self.types.get(&news.task.squad) {
                collector.task(npc, news.task.what, news.event);
            }
        }
    }
}
