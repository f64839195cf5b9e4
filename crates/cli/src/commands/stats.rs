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

mod counted;
mod json;
mod pictures;
mod usable;

use crate::args::play::StatsArgs;
use crate::commands::play;
use crate::console::{CommandResult, Console, Fail, bad};
use crate::edge::cells;
use crate::loading;
use crate::writing::make_folder;
use crate::{FINE, NO};
use std::path::Path;
use std::sync::Arc;
use throng_base::DidYouMean;
use throng_domain::model::NpcTypeId;
use throng_mind::spec::Spec;
use throng_trace::stats::{Lived, StatsReport};
use throng_world::story::Story;
use throng_world::story::read::USUAL_PACE;

pub(crate) fn run(args: &StatsArgs, console: &mut Console<'_>) -> CommandResult {
    console.set_root(args.root.as_ref());
    if let Some(folder) = &args.svg {
        make_folder(folder)?;
    }
    let Subject { name, spec, lived, damage } = subject(&args.file, console)?;
    if console.interrupted() {
        return Ok(FINE);
    }
    // What is known when Ctrl-C comes is worth telling.
    console.set_ends_by_itself(true);
    let types = types(&spec, args.npc.as_deref())?;
    let usable = usable::of(&spec, &types, args.max_states, console);
    let report = StatsReport { name, spec, lived, types, usable };
    match args.json {
        true => json::tell(&report, console)?,
        false => report.page(cells).iter().try_for_each(|line| writeln!(console, "{line}"))?,
    }
    match (&args.svg, &report.lived) {
        (Some(folder), Some(lived)) => pictures::write(folder, &report, lived, console)?,
        (Some(_), None) => {
            console.message("no pictures: a domain alone has no plans to count; name a story");
        }
        (None, _) => {}
    }
    if let Some(damage) = &damage {
        console.message(&format!("`{}` {damage}", args.file.display()));
        return Ok(NO);
    }
    Ok(FINE)
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

/// Reads the file; a story is played.
fn subject(file: &Path, console: &mut Console<'_>) -> Result<Subject, Fail> {
    if loading::is_recording(file) {
        return counted::recording(file, console);
    }
    let path = play::find(file)?;
    loading::must_tell_its_format(&path)?;
    let domain = loading::domain_at(&path, None, console)?;
    let model = domain.model();
    if Story::is_in(model) {
        return counted::story(&path, model, console);
    }
    let spec = Spec::read(model, Arc::new(domain.compiled().clone()), USUAL_PACE);
    let name = path.display().to_string();
    match spec {
        Ok(spec) => Ok(Subject { name, spec, lived: None, damage: None }),
        Err(report) => {
            console.show(&report, model.sources());
            bad(format!("`{name}` cannot be used because of the errors above"))
        }
    }
}

/// The types that are meant.
fn types(spec: &Spec, named: Option<&str>) -> Result<Vec<NpcTypeId>, Fail> {
    let (map, npcs) = (spec.domain.map(), spec.domain.npcs());
    let Some(name) = named else { return Ok(npcs.iter().map(|npc| npc.id()).collect()) };
    map.find_npc(name).map(|npc| vec![npc]).ok_or_else(|| {
        let (did, known) =
            (DidYouMean(map.nearest_npc(name)), map.npc_names().collect::<Vec<_>>().join(", "));
        Fail::Bad(format!("no NPC type is called `{name}`{did} (there are: {known})"))
    })
}
