//! `throng crowd`: a crowd kept busy frame by frame, and what that took.

use crate::FINE;
use crate::args::crowd::{CrowdArgs, WhenTables};
use crate::console::{CommandResult, Console, Fail, LIVE, bad};
use crate::life::figures::{Figures, milliseconds};
use crate::life::summary::Summary;
use crate::life::{Life, Setup};
use crate::loading;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use throng::crowd::{CrowdSettings, FrameBudget, Prepared, TablePolicy};
use throng::{Domain, NpcTypeId, TableFolder};
use throng_base::text::grouped;

pub(crate) fn run(args: &CrowdArgs, console: &mut Console<'_>) -> CommandResult {
    if args.npcs == 0 {
        return bad("a crowd of 0 NPCs has nothing to do; `--npcs` must be 1 or more");
    }
    let domain = loading::domain(&args.domain, console)?;
    let setup = Setup {
        npcs: args.npcs,
        types: types(&domain, args.npc.as_deref())?,
        groups: args.groups.unwrap_or_else(|| groups(args.npcs)),
        drift: args.drift,
        change_every: args.change,
        far_every: args.every,
        by_priority: args.by_priority,
        seed: args.seed,
        settings: CrowdSettings {
            tables: match args.tables {
                WhenTables::AtLoad | WhenTables::OnFirstUse => TablePolicy::OnFirstUse,
                WhenTables::Never => TablePolicy::Never,
            },
            wide: !args.no_wide,
            ..CrowdSettings::default()
        },
        threads: threads(args.threads),
    };
    let mut life = begin(&domain, &setup, args.memory)?;
    let mut load_ms = 0.0;
    if args.tables != WhenTables::AtLoad && args.table_folder.is_some() {
        return bad("`--table-folder` is for tables made at load; leave `--tables` out");
    }
    if args.tables == WhenTables::AtLoad {
        let start = Instant::now();
        let stop = console.stop();
        let mut folder = args.table_folder.as_ref().map(TableFolder::new);
        let prepared = life.prepare(folder.as_mut(), &|| !stop.load(Ordering::Relaxed));
        load_ms = milliseconds(start.elapsed());
        if let Some(folder) = &folder {
            let Prepared { read, built, .. } = prepared;
            for message in folder.messages() {
                console.message(message);
            }
            console.message(&format!("{read} tables read, {built} built"));
        }
    }
    console.set_ends_by_itself(true);
    let figures = live(&mut life, args.budget, console, |frame, _| frame < args.frames);
    let lived = life.n_frames();
    if lived < args.frames {
        let (lived, asked) = (grouped(lived), grouped(args.frames));
        console.message(&format!("interrupted after {lived} of {asked} frames"));
    }
    if lived == 0 {
        return Ok(FINE);
    }
    let summary = Summary { setup: &setup, life: &life, figures: &figures, load_ms };
    match args.json {
        true => console.json(&summary.json())?,
        false => summary.print(console)?,
    }
    Ok(FINE)
}

/// The types to fill: the one that was named, or all that want something.
pub(crate) fn types(domain: &Domain, name: Option<&str>) -> Result<Vec<NpcTypeId>, Fail> {
    let compiled = domain.compiled();
    if let Some(name) = name {
        let npc = domain.npc_type(name)?;
        if compiled.npc(npc).goals().is_empty() {
            return bad(format!("`{name}` wants nothing; give it a goal with `wants`"));
        }
        return Ok(vec![npc]);
    }
    let all = compiled.npcs().iter().filter(|npc| !npc.goals().is_empty());
    let all: Vec<NpcTypeId> = all.map(|npc| npc.id()).collect();
    match all.is_empty() {
        true => bad("nobody in this file wants anything; give an NPC type a goal with `wants`"),
        false => Ok(all),
    }
}

/// As many groups as there are thousands.
pub(crate) fn groups(npcs: u64) -> u16 {
    (npcs / 1000).clamp(1, 1000) as u16
}

pub(crate) fn threads(said: Option<u16>) -> usize {
    match said {
        Some(threads) => threads.into(),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// Fills the types, if memory allows.
fn begin(domain: &Domain, setup: &Setup, most_megabytes: u64) -> Result<Life, Fail> {
    let tables = domain.compiled_arc();
    let bytes = Life::column_bytes(&tables, setup);
    let megabytes = bytes.div_ceil(1 << 20);
    let npcs = grouped(setup.npcs);
    if megabytes > most_megabytes.into() {
        let megabytes = grouped(megabytes.try_into().unwrap_or(u64::MAX));
        return bad(format!(
            "{npcs} NPCs would take {megabytes} MB, {} bytes each, and {} MB are allowed; \
             take fewer, or allow more with `--memory`",
            bytes / u128::from(setup.npcs),
            grouped(most_megabytes)
        ));
    }
    match Life::begin(&tables, setup) {
        Some(life) => Ok(life),
        None => bad(format!("there is no place for {npcs} NPCs in {} groups", setup.groups)),
    }
}

/// Lives as long as `go_on` says of the number of frames and the time; a live line is written
/// where lines can be written over.
pub(crate) fn live(
    life: &mut Life,
    budget: FrameBudget,
    console: &mut Console<'_>,
    go_on: impl Fn(u64, Duration) -> bool,
) -> Figures {
    let mut figures = Figures::default();
    let start = Instant::now();
    let mut last_line = start;
    while go_on(life.n_frames(), start.elapsed()) && !console.interrupted() {
        let frame = life.frame(budget);
        figures.add(&frame);
        if console.terminal().watched_err && last_line.elapsed() >= LIVE {
            last_line = Instant::now();
            console.progress(&format!(
                "frame {} · {} NPCs · {} answers/s of planning · last frame {:.2} ms",
                life.n_frames(),
                grouped(life.people.len() as u64),
                grouped(figures.per_second().0 as u64),
                milliseconds(frame.whole())
            ));
        }
    }
    if last_line > start {
        console.end_progress();
    }
    figures
}
