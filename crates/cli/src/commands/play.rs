//! `throng play`: a story, watched or judged.
//!
//! | where | what is shown |
//! |---|---|
//! | a terminal | the map and the minds, tick by tick; then the promises |
//! | a file or a pipe | a line per event; then the promises |
//! | `--json` | a JSON line per event and one at the end |
//! | `--fast` | only the promises; of several stories only the broken ones; with `--json` only the last line of each |
//! | `--at` | one moment, in full; with `--json` as a JSON line before the last |
//! | `--why` with `--at` and `--npc` | why a selection holds what it holds, or why an action is not done |
//! | `--record` | the same, and a recording of it; `--last` of its last seconds only |
//! | `--save` with `--at` | nothing; the game as it is then goes into a file, for `--resume` |

mod action;
pub(crate) mod json;
pub(crate) mod layout;
pub(crate) mod picked;
pub(crate) mod recorded;
mod saved;
pub(crate) mod screen;
pub(crate) mod staged;
pub(crate) mod telling;

use crate::args::play::{Moment, PlayArgs};
use crate::console::{CommandResult, Console, Fail, bad, because_of_errors};
use crate::loading;
use crate::{BAD, FINE, NO};
use recorded::Recorded;
use saved::SavedGame;
use staged::Staged;
use std::path::{Path, PathBuf};
use throng_domain::Model;
use throng_domain::formats::Loaded;
use throng_mind::time::Tick;
use throng_trace::RecordingSource;
use throng_world::story::Story;
use throng_world::story::only::Only;
use throng_world::story::picks::ShowSlots;
use throng_world::story::run::{Play, PlayError};
use throng_world::story::staging::Staging;

/// Where stories are that are called by their bare names, and levels, which are looked for next.
const STORIES: &str = "domains/stories";
const LEVELS: &str = "domains/levels";

pub(crate) fn run(args: &PlayArgs, console: &mut Console<'_>) -> CommandResult {
    picked::must_say_of_whom(args.why.as_deref(), args.npc.is_some() && args.at.is_some())?;
    console.set_root(args.root.as_ref());
    if let [story] = args.stories.as_slice() {
        return run_one(args, story, console);
    }
    if args.record.is_some() || args.resume.is_some() {
        return bad("only one story can be recorded or resumed at a time; name one");
    }
    if !args.fast {
        return bad("several stories are played with `--fast`; leave it out to watch one");
    }
    let mut worst = FINE;
    for story in &args.stories {
        let code = run_one(args, story, console);
        worst = worst.max(console.go_on(code)?.unwrap_or(BAD));
        if console.interrupted() {
            break;
        }
    }
    Ok(worst)
}

fn run_one(args: &PlayArgs, story: &Path, console: &mut Console<'_>) -> CommandResult {
    let saved = args.resume.as_deref().map(SavedGame::read).transpose()?;
    let PlayArgs { seed, late, questions, .. } = *args;
    let staging = Staging { seed, late, questions };
    let staging = saved.as_ref().map_or(staging, SavedGame::staging);
    let (mut play, source) = load(story, &staging, args.threads, console)?;
    let until = args.at.map(|moment| tick_of(moment, play.story())).transpose()?;
    if let Some(saved) = &saved {
        saved.resume(&mut play, console)?;
    }
    if args.slots {
        play.set_show_slots(ShowSlots::Both);
    }
    // A saved game has its own, if nothing else is said.
    if args.budget.is_some() {
        play.set_budget(args.budget);
    }
    // Every tick looks whether Ctrl-C was pressed, and the screen must be given back.
    console.set_ends_by_itself(true);
    let Some(file) = &args.record else {
        return match until {
            Some(tick) => run_to(args, tick, play, console),
            None => show(args, &mut play, console).and_then(|()| end(args, &play, console)),
        };
    };
    let now = play.now();
    let mut stage = Recorded::begin(play, source, file, args.last)?;
    let shown = match until {
        Some(tick) => run_until(&mut stage, now, tick, console),
        None => show(args, &mut stage, console),
    };
    // Whatever happened, what was played is in the file.
    let (play, told) = stage.finish()?;
    shown?;
    console.message(&told);
    match until {
        Some(_) => moment(args, &play, console),
        None => end(args, &play, console),
    }
}

/// Plays to a tick, and shows or saves it.
fn run_to(args: &PlayArgs, tick: Tick, mut play: Play, console: &mut Console<'_>) -> CommandResult {
    if play.now() > tick {
        let (now, seconds) = (play.now(), play.story().pace.seconds(play.now()));
        return bad(format!(
            "the saved game is at tick {now}, {seconds:.1} s, already; name a later moment"
        ));
    }
    let now = play.now();
    run_until(&mut play, now, tick, console)?;
    match &args.save {
        Some(_) if console.interrupted() => Ok(NO),
        Some(file) => saved::save(&play, file, args.json, console).map(|()| FINE),
        None => moment(args, &play, console),
    }
}

fn run_until(
    stage: &mut dyn Staged,
    mut now: Tick,
    tick: Tick,
    console: &Console<'_>,
) -> Result<(), Fail> {
    while now < tick
        && let Some(play) = stage.next(console)?
    {
        now = play.now();
    }
    Ok(())
}

fn moment(args: &PlayArgs, play: &Play, console: &mut Console<'_>) -> CommandResult {
    let only = args.npc.as_deref().map(|name| Only::find(name, Some(play))).transpose()?;
    only.as_ref().map_or(Ok(()), |only| only.must_be_there(Some(play)))?;
    if let Some(select) = &args.why {
        return picked::on_stage(play, only.as_ref(), select, args.json, console).map(|()| FINE);
    }
    let only = only.as_ref().and_then(Only::name);
    match args.json {
        true => json::moment(play, only, console).and_then(|()| json::end(play, console))?,
        false => telling::moment(play, only, console)?,
    }
    Ok(FINE)
}

/// Plays to the end, and shows it as is asked for.
fn show(args: &PlayArgs, stage: &mut dyn Staged, console: &mut Console<'_>) -> Result<(), Fail> {
    if !args.fast && !args.json && console.terminal().watched_out {
        return screen::watch(stage, args.speed, console);
    }
    let mut teller = telling::Teller::new(args.all);
    while let Some(play) = stage.next(console)? {
        match (args.fast, args.json) {
            (true, _) => {}
            (false, true) => json::tick(play, None, args.sensors, console)?,
            (false, false) => teller.tick(play, None, console)?,
        }
    }
    Ok(())
}

/// What came of it.
fn end(args: &PlayArgs, play: &Play, console: &mut Console<'_>) -> CommandResult {
    if !play.is_over() {
        let (now, lasts) = (play.now(), play.story().lasts);
        let seconds = play.story().pace.seconds(now);
        console.message(&format!("interrupted after {now} of {lasts} ticks, {seconds:.1} s"));
        return Ok(NO);
    }
    match args.json {
        true => json::end(play, console)?,
        // Of several, what was kept is left out.
        false => telling::text_end(play, args.stories.len() > 1, console)?,
    }
    Ok(if play.is_kept() { FINE } else { NO })
}

/// The tick of a moment that the story has.
fn tick_of(moment: Moment, story: &Story) -> Result<Tick, Fail> {
    let (name, lasts) = (&story.name, story.lasts);
    let tick = moment.tick(story.pace).filter(|&tick| tick <= lasts);
    tick.ok_or_else(|| {
        let seconds = story.pace.seconds(lasts);
        Fail::Bad(format!("`{name}` has {lasts} ticks, {seconds:.1} s; there is no {moment}"))
    })
}

/// Reads the story.
fn load(
    story: &Path,
    staging: &Staging,
    threads: u16,
    console: &mut Console<'_>,
) -> Result<(Play, RecordingSource), Fail> {
    let path = find(story)?;
    loading::must_tell_its_format(&path)?;
    let name = path.display();
    let Loaded { model, report, sources } = loading::read(&path, None, console)?;
    let Some(model) = &model else {
        console.show(&report, &sources);
        return bad(format!("`{name}` cannot be played {}", because_of_errors(&report)));
    };
    if !Story::is_in(model) {
        return bad(format!(
            "`{name}` tells no story; add `story NAME \"what it tells\" lasts SECONDS`, \
             or ask for a plan with `throng plan {name}`"
        ));
    }
    let play = begin(model, &path, staging, threads, console)?;
    let source = RecordingSource::of(model.sources(), play.story().pace);
    Ok((play, source))
}

/// Puts all actors of a story in place; its mistakes are shown.
pub(crate) fn begin(
    model: &Model,
    path: &Path,
    staging: &Staging,
    threads: u16,
    console: &mut Console<'_>,
) -> Result<Play, Fail> {
    Play::staged(model, staging, threads.into()).map_err(|error| {
        let why = match &error {
            PlayError::Mistakes(report) => {
                console.show(report, model.sources());
                format!(" {}", because_of_errors(report))
            }
            refused => format!(": {refused}"),
        };
        Fail::Bad(format!("`{}` cannot be played{why}", path.display()))
    })
}

/// The file that is meant: as named, or a story of the corpus by its bare name.
pub(crate) fn find(named: &Path) -> Result<PathBuf, Fail> {
    let is_bare = named.extension().is_none() && named.components().count() == 1;
    if !is_bare || named == Path::new("-") || named.exists() {
        return Ok(named.to_path_buf());
    }
    let in_folder = |folder| Path::new(folder).join(named).with_extension("npc");
    if let Some(path) = [STORIES, LEVELS].map(in_folder).into_iter().find(|path| path.is_file()) {
        return Ok(path);
    }
    let name = named.display().to_string();
    let known = stories();
    let near = throng_base::nearest(&name, known.iter().map(String::as_str));
    let did = throng_base::DidYouMean(near);
    bad(match known.is_empty() {
        true => format!("there is no file `{name}` and no folder `{STORIES}` here"),
        false => format!("there is no story `{name}`{did} (there are: {})", known.join(", ")),
    })
}

/// The bare names of the stories of the corpus, by name.
fn stories() -> Vec<String> {
    let folders = [STORIES, LEVELS].into_iter().filter_map(|folder| std::fs::read_dir(folder).ok());
    let entries = folders.flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let npc = paths.filter(|path| path.extension().is_some_and(|ending| ending == "npc"));
    let mut names: Vec<String> =
        npc.filter_map(|path| Some(path.file_stem()?.to_str()?.to_string())).collect();
    names.sort();
    names
}
