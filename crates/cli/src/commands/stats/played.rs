//! A story played to its end, and counted.

use super::Subject;
use super::tasks::Tasks;
use crate::console::{Console, Fail, bad};
use std::collections::BTreeMap;
use std::path::Path;
use throng_domain::Model;
use throng_trace::stats::{Collector, Lived};
use throng_world::story::run::{Play, PlayError};

pub(super) fn story(
    path: &Path,
    model: &Model,
    console: &mut Console<'_>,
) -> Result<Subject, Fail> {
    let name = path.display();
    let mut play = match Play::of(model, 1) {
        Ok(play) => play,
        Err(PlayError::Mistakes(report)) => {
            console.show(&report, model.sources());
            return bad(format!("`{name}` cannot be played because of the errors above"));
        }
        Err(refused) => return bad(format!("`{name}` cannot be played: {refused}")),
    };
    console.set_ends_by_itself(true);
    let mut collector = Collector::new(play.minds().spec());
    let (mut names, mut tasks) = (BTreeMap::new(), Tasks::default());
    while !console.interrupted() && play.tick() {
        see(&play, &mut collector, &mut names);
        tasks.see(&play, &mut collector);
    }
    let lived = Some(Lived { stats: collector.finish(), names, knows_tasks: true });
    let (name, spec) = (play.story().name.clone(), play.minds().spec().clone());
    Ok(Subject { name, spec, lived, damage: None })
}

/// Counts the tick that was just played. Actors are known by their position in the story, so
/// somebody who leaves and comes back is the same.
fn see(play: &Play, collector: &mut Collector, names: &mut BTreeMap<u32, String>) {
    let (now, spec, cast) = (play.now(), play.minds().spec(), play.cast());
    collector.tick(now);
    for voice in (0..play.story().actors.len()).chain(cast.squad_voices()) {
        if let Some(mind) = cast.mind(voice) {
            let name = || cast.voice_name(voice).to_string();
            names.entry(voice as u32).or_insert_with(name);
            collector.there(voice as u32, mind.npc(), mind.goals().active());
        }
    }
    for happening in play.happenings() {
        let (who, mind) = (happening.actor as u32, cast.mind(happening.actor));
        collector.see(now, who, happening.what, mind, spec);
    }
}
