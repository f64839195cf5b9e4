//! `throng stats`: figures about planning that a designer can act on.
//!
//! | FILE | what is told |
//! |---|---|
//! | a story | it is played; who plans how often, what is done and what never, why plans are made and why there is none |
//! | a recording | the same of what was recorded |
//! | a domain | which actions can be in a plan at all, by type; of the others why not, and what to change |
//!
//! In:   a file.
//! Out:  tables, or one JSON object; with a folder, pictures.
//! Cost: the story, and for actions that are never used a look at all states of their type.

pub(crate) mod args;
mod json;
mod pictures;
mod played;
mod possible;
mod replayed;
mod tables;
mod tasks;

use crate::commands::play;
use crate::console::{Console, Fail, Outcome, bad};
use crate::loading;
use crate::render::render;
use crate::writing::make_folder;
use crate::{FINE, NO};
use args::StatsArgs;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use throng_domain::model::NpcId;
use throng_mind::spec::Spec;
use throng_trace::stats::{OfGoal, OfType, Stats};
use throng_world::story::Story;
use throng_world::story::read::USUAL_PACE;

pub(crate) fn run(args: &StatsArgs, console: &mut Console<'_>) -> Outcome {
    if let Some(folder) = &args.svg {
        make_folder(folder)?;
    }
    let subject = subject(&args.file, console)?;
    if console.interrupted() {
        return Ok(FINE);
    }
    // What is known when Ctrl-C comes is worth telling.
    console.ends_by_itself.store(true, Ordering::Relaxed);
    let asked = Asked { types: types(&subject.spec, args.npc.as_deref())?, args };
    let usable = possible::of(&subject, &asked, console);
    match args.json {
        true => json::tell(&subject, &asked, &usable, console)?,
        false => tables::tell(&subject, &asked, &usable, console)?,
    }
    match (&args.svg, &subject.lived) {
        (Some(folder), Some(lived)) => {
            pictures::write(folder, &subject, lived, &asked, console)?;
        }
        (Some(_), None) => {
            console.message("no pictures: a domain alone has no plans to count; name a story");
        }
        (None, _) => {}
    }
    if let Some(damage) = &subject.damage {
        console.message(&format!("`{}` {damage}", args.file.display()));
        return Ok(NO);
    }
    Ok(FINE)
}

/// What is asked of a subject.
struct Asked<'a> {
    args: &'a StatsArgs,
    /// The types to tell of, in declared order.
    types: Vec<NpcId>,
}

/// What there is to tell of.
struct Subject {
    /// The file, or the story.
    name: String,
    spec: Spec,
    /// What was counted, if anybody lived.
    lived: Option<Lived>,
    /// What is wrong with the recording.
    damage: Option<String>,
}

/// What was counted, and who was who.
struct Lived {
    stats: Stats,
    /// By the number that the statistics know somebody by.
    names: BTreeMap<u32, String>,
    /// Whether what became of tasks is known: of minds without their world it is not.
    knows_tasks: bool,
}

impl Lived {
    fn name(&self, who: u32) -> &str {
        self.names.get(&who).map_or("?", String::as_str)
    }
}

/// Reads the file; a story is played.
fn subject(file: &Path, console: &mut Console<'_>) -> Result<Subject, Fail> {
    if loading::is_recording(file) {
        return replayed::recording(file, console);
    }
    let path = play::find(file)?;
    loading::must_tell_its_format(&path)?;
    let domain = loading::domain(&path, None, console)?;
    let model = domain.model();
    if Story::is_in(model) {
        return played::story(&path, model, console);
    }
    let spec = Spec::read(model, Arc::new(domain.compiled().clone()), USUAL_PACE);
    let name = path.display().to_string();
    match spec {
        Ok(spec) => Ok(Subject { name, spec, lived: None, damage: None }),
        Err(report) => {
            let picture = render(&report, model.sources(), console.colour_err);
            console.message_styled(&picture.trimmed());
            bad(format!("`{name}` cannot be used because of the errors above"))
        }
    }
}

/// What was counted of each goal of a type, in declared order; alternatives of one name are one
/// goal.
fn goals<'s>(spec: &'s Spec, own: &OfType, npc: NpcId) -> Vec<(&'s str, OfGoal)> {
    let mut goals: Vec<(&str, OfGoal)> = Vec::new();
    for &goal in spec.domain.npc(npc).goals() {
        let (name, counts) = (spec.domain.map().wish(goal), &own.goals[goal.index()]);
        let at = goals.iter().position(|(known, _)| *known == name).unwrap_or(goals.len());
        if at == goals.len() {
            goals.push((name, OfGoal::default()));
        }
        let sum = &mut goals[at].1;
        sum.chosen += counts.chosen;
        sum.plans += counts.plans;
        sum.ticks += counts.ticks;
    }
    goals
}

/// The types that are meant.
fn types(spec: &Spec, named: Option<&str>) -> Result<Vec<NpcId>, Fail> {
    let (map, all) = (spec.domain.map(), spec.domain.npcs().iter().map(|npc| npc.id()));
    let Some(name) = named else { return Ok(all.collect()) };
    let found: Vec<NpcId> = all.clone().filter(|&npc| map.npc(npc) == name).collect();
    if found.is_empty() {
        let known: Vec<&str> = all.map(|npc| map.npc(npc)).collect();
        let near = throng_base::nearest(name, known.iter().copied());
        let did = throng_base::DidYouMean(near);
        return bad(format!(
            "no NPC type is called `{name}`{did} (there are: {})",
            known.join(", ")
        ));
    }
    Ok(found)
}
