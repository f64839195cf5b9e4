//! A story played, or a recording replayed, to its end, and counted.
//!
//! In:   a play or a recording, tick by tick.
//! Out:  what was counted, with the names of all minds.
//! Cost: that of the story, and a look at all minds and events of each tick.

use super::Subject;
use crate::commands::play;
use crate::commands::replay::reel::Reel;
use crate::console::{Console, Fail};
use std::collections::BTreeMap;
use std::path::Path;
use throng_domain::Model;
use throng_domain::model::NpcTypeId;
use throng_mind::Mind;
use throng_mind::spec::Spec;
use throng_mind::time::Tick;
use throng_trace::stats::{Collector, Lived};
use throng_world::story::run::Play;
use throng_world::story::staging::Staging;

/// Plays a story. Actors are known by their position in it, so somebody who leaves and comes back
/// is the same.
pub(super) fn story(
    path: &Path,
    model: &Model,
    console: &mut Console<'_>,
) -> Result<Subject, Fail> {
    let mut play = play::begin(model, path, &Staging::default(), 1, console)?;
    console.set_ends_by_itself(true);
    let mut counted = Counted::new(play.minds().spec());
    while !console.interrupted() && play.tick() {
        let (now, spec, cast) = (play.now(), play.minds().spec(), play.cast());
        let voices = (0..play.story().actors.len()).chain(cast.squad_voices());
        let minds = voices.filter_map(|voice| Some((voice as u32, cast.mind(voice)?)));
        counted.there(now, minds, |voice, _| cast.voice_name(voice as usize).to_string());
        counted.collector.look(play.minds());
        for it in play.happenings() {
            counted.collector.see(now, it.actor as u32, it.what, cast.mind(it.actor), spec);
        }
        counted.tasks(&play);
    }
    let (name, spec) = (play.story().name.clone(), play.minds().spec().clone());
    Ok(Subject { name, spec, lived: Some(counted.finish(true)), damage: None })
}

/// Replays a recording.
pub(super) fn recording(path: &Path, console: &mut Console<'_>) -> Result<Subject, Fail> {
    let mut reel = Reel::open(path)?;
    console.set_ends_by_itself(true);
    let spec = reel.replay.minds().spec().clone();
    let mut counted = Counted::new(&spec);
    while !console.interrupted() && reel.step() {
        let (minds, now) = (reel.replay.minds(), reel.replay.now());
        if minds.spec().domain.digest() != spec.domain.digest() {
            console.message(&format!("at tick {now} a new file was loaded; counted up to there"));
            break;
        }
        let there = minds.iter().map(|mind| (mind.id().0, mind));
        counted.there(now, there, |_, mind| name(&reel, mind));
        counted.collector.look(minds);
        for it in reel.replay.events() {
            let mind = minds.mind(it.mind);
            counted.collector.see(it.at, it.mind.0, it.what, mind, minds.spec());
        }
        reel.stage().into_iter().for_each(|play| counted.tasks(play));
    }
    let damage = match (&reel.diverged, reel.replay.damage()) {
        (Some(diverged), _) => Some(format!("does not replay as recorded: {diverged}")),
        (None, Some(damage)) => Some(format!("is {damage}; it was counted up to there")),
        (None, None) => None,
    };
    // Minds alone do not tell what became of tasks; a story that left its stage tells half of it.
    let lived = Some(counted.finish(reel.stage().is_some()));
    Ok(Subject { name: reel.name(), spec, lived, damage })
}

/// What the story calls somebody; without one, the type and a number.
fn name(reel: &Reel, mind: &Mind) -> String {
    let known = reel.stage().and_then(|play| play.cast().name_in_full(mind.me()));
    let npc = || reel.replay.minds().spec().domain.map().npc(mind.npc());
    known.map_or_else(|| format!("{} {}", npc(), mind.id().0), str::to_string)
}

/// What was counted so far.
struct Counted {
    collector: Collector,
    names: BTreeMap<u32, String>,
    /// Of which type squads are, also those that are no more.
    squads: BTreeMap<u32, NpcTypeId>,
}

impl Counted {
    fn new(spec: &Spec) -> Counted {
        let (names, squads) = (BTreeMap::new(), BTreeMap::new());
        Counted { collector: Collector::new(spec), names, squads }
    }

    /// A tick began, and these minds are there.
    fn there<'m>(
        &mut self,
        now: Tick,
        minds: impl Iterator<Item = (u32, &'m Mind)>,
        name: impl Fn(u32, &Mind) -> String,
    ) {
        self.collector.tick(now);
        for (who, mind) in minds {
            self.names.entry(who).or_insert_with(|| name(who, mind));
            self.collector.there(who, mind.npc(), mind.goals().active());
        }
    }

    /// Counts what happened to tasks that squads gave in the last tick.
    fn tasks(&mut self, play: &Play) {
        let (squads, spec) = (play.cast().squads(), play.minds().spec());
        for squad in squads.all() {
            if let Some(kind) = spec.squads.get(squad.kind) {
                self.squads.insert(squad.number, kind.npc);
            }
        }
        for news in squads.news() {
            if let Some(&npc) = self.squads.get(&news.task.squad) {
                self.collector.task(npc, news.task.what, news.event);
            }
        }
    }

    fn finish(self, knows_tasks: bool) -> Lived {
        Lived { stats: self.collector.finish(), names: self.names, knows_tasks }
    }
}
