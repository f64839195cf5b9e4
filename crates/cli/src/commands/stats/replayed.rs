//! A recording replayed to its end, and counted.

use super::Subject;
use super::tasks::Tasks;
use crate::commands::replay::reel::Reel;
use crate::console::{Console, Fail};
use std::collections::BTreeMap;
use std::path::Path;
use throng_mind::Mind;
use throng_trace::stats::{Collector, Lived};

pub(super) fn recording(path: &Path, console: &mut Console<'_>) -> Result<Subject, Fail> {
    let mut reel = Reel::open(path)?;
    console.set_ends_by_itself(true);
    let spec = reel.replay.minds().spec().clone();
    let mut collector = Collector::new(&spec);
    let (mut names, mut tasks) = (BTreeMap::new(), Tasks::default());
    while !console.interrupted() && reel.step() {
        if reel.replay.minds().spec().domain.digest() != spec.domain.digest() {
            let tick = reel.replay.now();
            console.message(&format!("at tick {tick} a new file was loaded; counted up to there"));
            break;
        }
        see(&reel, &mut collector, &mut names);
        if let Some(play) = reel.stage() {
            tasks.see(play, &mut collector);
        }
    }
    let damage = match (&reel.diverged, reel.replay.damage()) {
        (Some(diverged), _) => Some(format!("does not replay as recorded: {diverged}")),
        (None, Some(damage)) => Some(format!("is {damage}; it was counted up to there")),
        (None, None) => None,
    };
    // Minds alone do not tell what became of tasks; a story that left its stage tells half of it.
    let knows_tasks = reel.stage().is_some();
    let lived = Some(Lived { stats: collector.finish(), names, knows_tasks });
    Ok(Subject { name: reel.name(), spec, lived, damage })
}

/// Counts the tick that was just replayed.
fn see(reel: &Reel, collector: &mut Collector, names: &mut BTreeMap<u32, String>) {
    let (minds, now) = (reel.replay.minds(), reel.replay.now());
    collector.tick(now);
    for mind in minds.iter() {
        names.entry(mind.id().0).or_insert_with(|| name(reel, mind));
        collector.there(mind.id().0, mind.npc(), mind.goals().active());
    }
    for event in reel.replay.events() {
        let mind = minds.mind(event.mind);
        collector.see(event.at, event.mind.0, event.what, mind, minds.spec());
    }
}

/// What the story calls somebody; without one, the type and a number.
fn name(reel: &Reel, mind: &Mind) -> String {
    let known = reel.stage().and_then(|play| play.cast().name_in_full(mind.me()));
    let npc = || reel.replay.minds().spec().domain.map().npc(mind.npc());
    known.map_or_else(|| format!("{} {}", npc(), mind.id().0), str::to_string)
}
