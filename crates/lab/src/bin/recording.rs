//! What it costs to record: two stories, each played with a recorder and without, in turns.
//!
//! In:   the stories `ten_soldiers`, as `throng bench minds` has it, and `western_day`.
//! Out:  a table: time on the processor per tick, and bytes per event and per happening.
//! Cost: a minute or two. Run it by `cargo xtask bench recording`.
//!
//! With a story and `on` or `off` it is played once, for a program that counts instructions from
//! outside: the difference is what recording takes, whatever else the machine does.
//!
//! Of several rounds the cheapest counts. The recorder is the usual one, a keyframe every ten
//! seconds, and keeps the last 30; in keyframes is the stage of the play, as `throng play --record` packs
//! it. An event is an entry: something that entered a mind, a call of the game or an answer of its
//! code. What minds tell of themselves, plans made and actions begun, is not recorded, for it
//! follows; it is shown beside as happenings. Exit code 1: a bar is missed, or recording has
//! changed the story.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::process::ExitCode;
use throng::Domain;
use throng_base::text::grouped;
use throng_lab::BenchResult;
use throng_lab::clock::thread_nanoseconds;
use throng_lab::corpus;
use throng_lab::machine::measured_under_load;
use throng_lab::program::{Outcome, program};
use throng_lab::stories;
use throng_lab::table::Table;
use throng_mind::time::Tick;
use throng_trace::{Recorder, RecorderFigures, RecorderSettings, RecordingSource, Replay};
use throng_world::story::run::Play;

/// Each story, how many of its ticks are played, and how often.
const STORIES: [(&str, Tick, usize); 2] = [("ten_soldiers", 250, 40), ("western_day", 600, 6)];

/// The bars: a share of the tick, and bytes per event with all keyframes.
const MOST_COST: f64 = 0.10;
const MOST_BYTES: f64 = 32.0;

/// The bar of `replay --check`: as many times as fast as with a digest of either side every tick.
const CHECK_TIMES: f64 = 2.0;

/// How many seconds a recorder keeps: as is usual, or everything.
const USUAL: f64 = 30.0;
const ALL: f64 = 1e6;

fn held(is_held: bool) -> &'static str {
    if is_held { "pass" } else { "**missed**" }
}

/// What one life of a story cost.
struct Life {
    nanoseconds: u64,
    digest: u64,
    minds: usize,
    figures: RecorderFigures,
    kept: usize,
    /// All of it as a recording.
    bytes: Vec<u8>,
    /// What the dearest keyframe took, with all that is packed for it.
    keyframe: u64,
}

fn main() -> ExitCode {
    program(|words| match words {
        [] => table(),
        [story, "on"] => count(story, true),
        [story, "off"] => count(story, false),
        [story, "check"] => count_check(story, compared),
        [story, "digest"] => count_check(story, by_digest),
        _ => Err("usage: recording [STORY on|off|check|digest]".into()),
    })
}

fn read(name: &str) -> BenchResult<Domain> {
    // Of the soldiers the lab keeps a text of its own, so that measurements can be compared.
    if name == "ten_soldiers" {
        return Ok(Domain::from_text(include_str!("../../stories/ten_soldiers.npc"))?);
    }
    let file = corpus::folder().join("stories").join(name).with_extension("npc");
    Ok(Domain::from_file(file)?)
}

fn ticks_of(name: &str) -> Tick {
    STORIES.iter().find(|(story, ..)| *story == name).map_or(Tick::MAX, |it| it.1)
}

/// Plays a story once and reads no clock.
fn count(name: &str, recorded: bool) -> Outcome {
    let keeps = recorded.then_some(USUAL);
    live(&read(name)?, ticks_of(name), keeps, || 0).map(|_| true)
}

/// Records a story and checks the recording once, and reads no clock.
fn count_check(name: &str, same: Same) -> Outcome {
    let domain = read(name)?;
    let bytes = live(&domain, ticks_of(name), Some(ALL), || 0)?.bytes;
    check(&domain, bytes, same, || 0).map(|_| true)
}

/// Whether the minds of the two sides are the same.
type Same = fn(&Play, &Replay) -> bool;

/// The plain way: a digest of either side.
fn by_digest(play: &Play, replay: &Replay) -> bool {
    play.minds().digest() == replay.minds().digest()
}

/// The way of `throng replay --check`.
fn compared(play: &Play, replay: &Replay) -> bool {
    play.minds().is_same(replay.minds())
}

/// Replays a recording as `throng replay --check` does: the minds from the recording, the story
/// again beside them, and after each tick the one held against the other. Gives the time it took.
fn check(domain: &Domain, bytes: Vec<u8>, same: Same, clock: fn() -> u64) -> BenchResult<u64> {
    let mut play = stories::play(domain)?;
    let begin = clock();
    let mut replay = Replay::open(bytes)?;
    let first = replay.first();
    let (_, game) = replay.game_at(first).ok_or("no keyframe")?;
    play.restore_stage(game, replay.minds_at(first).ok_or("no keyframe")?)?;
    while replay.step()? {
        if !(play.tick() && same(&play, &replay)) {
            return Err(format!("tick {}: the sides differ", replay.now()).into());
        }
    }
    let keyframes = replay.keyframes().count();
    if play.now() != replay.last() || keyframes < 2 {
        return Err("not all was replayed".into());
    }
    Ok(clock() - begin)
}

fn table() -> Outcome {
    let mut table = Table::new(
        "story | minds: | ticks: | µs per tick, off: | on: | recording: | µs in the worst tick, \
         with a keyframe: | events per tick: | bytes per event: | with keyframes: | bytes per \
         happening: | with keyframes: | ring of 30 s, kB:",
    );
    let mut checks = Table::new(
        "story | ticks: | µs per tick, a digest of either side: | compared: | times as fast: | ",
    );
    let mut fine = true;
    for (name, ticks, rounds) in STORIES {
        let domain = read(name)?;
        let once = |keeps| live(&domain, ticks, keeps, thread_nanoseconds);
        let (mut off, mut on) = (once(None)?, once(Some(USUAL))?);
        for _ in 1..rounds {
            // In turns, so that what else the machine does falls on both.
            let (one, two) = (once(None)?, once(Some(USUAL))?);
            off.nanoseconds = off.nanoseconds.min(one.nanoseconds);
            on.nanoseconds = on.nanoseconds.min(two.nanoseconds);
            on.keyframe = on.keyframe.min(two.keyframe);
        }
        if off.digest != on.digest {
            return Err(format!("{name}: recording has changed the story").into());
        }
        fine &= row(name, ticks, &off, &on, &mut table);
        let bytes = once(Some(ALL))?.bytes;
        let of = |same| check(&domain, bytes.clone(), same, thread_nanoseconds);
        let mut ways = [u64::MAX; 2];
        for _ in 0..rounds.div_ceil(4).max(3) {
            ways = [ways[0].min(of(by_digest)?), ways[1].min(of(compared)?)];
        }
        let [digests, compared] = ways.map(|all| all as f64 / on.figures.ticks as f64 / 1000.0);
        let times = digests / compared;
        checks.row(format_args!(
            "{name} | {} | {digests:.1} | {compared:.1} | {times:.2} | {}",
            on.figures.ticks,
            held(times >= CHECK_TIMES)
        ));
        fine &= times >= CHECK_TIMES;
    }
    print!("{}.\n\n{table}\n{checks}", measured_under_load());
    Ok(fine)
}

/// Plays a story, with a recorder that keeps so many seconds, or without.
fn live(domain: &Domain, ticks: Tick, keeps: Option<f64>, clock: fn() -> u64) -> BenchResult<Life> {
    let mut play = stories::play(domain)?;
    let pace = play.story().pace;
    let source = RecordingSource::of(domain.model().sources(), pace);
    let game = play.save_stage();
    let mut recorder = match keeps {
        Some(seconds) => Some(Recorder::ring(
            seconds,
            RecorderSettings::paced(pace),
            play.minds_mut(),
            source,
            &game,
        )?),
        None => None,
    };
    let mut keyframe = 0;
    let begin = clock();
    while play.now() < ticks && play.tick() {
        let Some(recorder) = &mut recorder else { continue };
        if recorder.is_keyframe_due(play.minds()) {
            let begin = clock();
            let game = play.save_stage();
            recorder.after_tick(play.minds_mut(), &game)?;
            keyframe = keyframe.max(clock() - begin);
        } else {
            recorder.after_tick(play.minds_mut(), &[])?;
        }
    }
    let nanoseconds = clock() - begin;
    let bytes = match &mut recorder {
        Some(recorder) => {
            let game = play.save_stage();
            recorder.finish(play.minds_mut(), &game)?;
            recorder.save_last(ALL)?
        }
        None => Vec::new(),
    };
    Ok(Life {
        bytes,
        nanoseconds,
        digest: play.digest(),
        minds: play.minds().len(),
        figures: recorder.as_ref().map(Recorder::figures).unwrap_or_default(),
        kept: recorder.as_ref().map_or(0, Recorder::bytes_kept),
        keyframe,
    })
}

/// Adds a row; says whether the bars are held.
fn row(name: &str, ticks: Tick, off: &Life, on: &Life, table: &mut Table) -> bool {
    let per_tick = |life: &Life| life.nanoseconds as f64 / f64::from(ticks) / 1000.0;
    let cost = on.nanoseconds as f64 / off.nanoseconds as f64 - 1.0;
    let RecorderFigures { entries, events, tick_bytes, keyframe_bytes, .. } = on.figures;
    let bytes = |all: u64, of: u64| all as f64 / of.max(1) as f64;
    let both = tick_bytes + keyframe_bytes;
    let [minds, happened, kept] =
        [on.minds as u64, entries / u64::from(ticks), on.kept as u64 / 1000].map(grouped);
    let ([idle, busy], worst) = ([off, on].map(per_tick), on.keyframe as f64 / 1000.0);
    let [entry, event] = [entries, events]
        .map(|of| [tick_bytes, both].map(|all| format!("{:.1}", bytes(all, of))).join(" | "));
    table.row(format_args!(
        "{name} | {minds} | {ticks} | {idle:.1} | {busy:.1} | {:.1} % | {worst:.1} | {happened} \
         | {entry} | {event} | {kept}",
        cost * 100.0
    ));
    cost <= MOST_COST && bytes(both, entries) <= MOST_BYTES
}
