//! `throng replay`: a recording, tick by tick, any tick, checked, or made a test.
//!
//! | asked | what is shown |
//! |---|---|
//! | on a terminal | the map and the minds, as `throng play` shows them |
//! | in a file or a pipe | a line per event; `--json` a JSON line each and one at the end |
//! | `--at` | one moment, in full |
//! | `--why` with `--at` and `--npc` | why a selection held what it held, or why an action was not done |
//! | `--check`, `--fast` | whether every tick and keyframe is as recorded, and the digest |
//! | `--make-test` | nothing; a story with promises of what happened |
//!
//! A damaged recording is shown up to the damage; that and minds that leave what was recorded end
//! with exit code 1.

mod make_test;
mod minds;
pub(crate) mod reel;

use crate::args::play::{Moment, ReplayArgs};
use crate::commands::play::staged::Staged;
use crate::commands::play::{json, picked, screen, telling};
use crate::console::{CommandResult, Console, Fail, bad, count};
use crate::{FINE, NO};
use reel::Reel;
use serde_json::json;
use throng_mind::time::Tick;
use throng_world::story::only::Only;

pub(crate) fn run(args: &ReplayArgs, console: &mut Console<'_>) -> CommandResult {
    picked::must_say_of_whom(args.why.as_deref(), args.npc.is_some() && args.at.is_some())?;
    let mut reel = Reel::open(&args.file)?;
    if args.slots {
        reel.show_slots();
    }
    console.set_ends_by_itself(true);
    if let Some(moment) = args.at.filter(|_| args.make_test.is_none()) {
        reel.seek(tick_of(moment, &reel, args)?);
    }
    let mut only = args.npc.as_deref().map(|name| reel.only(name)).transpose()?;
    if let Some(out) = &args.make_test {
        return make_test::run(&mut reel, args, out, console);
    }
    if args.at.is_some() {
        if let Some(why) = &reel.off_stage {
            console.message(&format!("the world cannot be shown: {why}"));
        }
        if let Some(only) = &mut only {
            reel.look_for(only);
            only.must_be_there(reel.stage())?;
        }
        if let Some(select) = &args.why {
            match reel.stage() {
                Some(play) => picked::on_stage(play, only.as_ref(), select, args.json, console)?,
                None => {
                    let mind = only.as_ref().and_then(Only::mind);
                    minds::why_picked(&reel, mind, select, args.json, console)?;
                }
            }
            return end(&reel, args, None, console);
        }
        let name = only.as_ref().and_then(Only::name);
        match (reel.stage(), args.json) {
            (Some(play), true) => json::moment(play, name, console)?,
            (Some(play), false) => telling::moment(play, name, console)?,
            (None, json) => {
                minds::moment(&reel, only.as_ref().and_then(Only::mind), json, console)?;
            }
        }
        return end(&reel, args, None, console);
    }
    if args.check || args.fast {
        while !console.interrupted() && reel.step() {}
    } else {
        show(&mut reel, args, only.as_mut(), console)?;
        if let Some(only) = only.filter(|_| !console.interrupted()) {
            only.must_have_been()?;
        }
    }
    if console.interrupted() {
        return Ok(NO);
    }
    let ticks = reel.replay.now() - reel.replay.first();
    end(&reel, args, Some(ticks), console)
}

/// Shows it to its end, as is asked for.
fn show(
    reel: &mut Reel,
    args: &ReplayArgs,
    mut only: Option<&mut Only>,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let is_watched = only.is_none() && !args.json && console.terminal().watched_out;
    if is_watched && reel.stage().is_some() {
        screen::watch(reel, args.speed, console)?;
    }
    let mut teller = telling::Teller::new(args.all);
    while !is_watched && let Some(play) = reel.next(console)? {
        let asked = only.as_mut().map(|only| {
            only.look_at(play);
            only.name()
        });
        // Somebody who is not there yet has no name yet, and nothing to tell.
        match (asked, args.json) {
            (Some(None), _) => {}
            (asked, true) => json::tick(play, asked.flatten(), false, console)?,
            (asked, false) => teller.tick(play, asked.flatten(), console)?,
        }
    }
    if let Some(why) = &reel.off_stage {
        console.message(&format!("the world cannot be shown: {why}"));
        let mind = only.as_ref().and_then(|only| only.mind());
        if only.is_some() && mind.is_none() {
            return bad("who that is cannot be told without the world; name the number of a mind");
        }
        // The tick in which the stage was left has not been told.
        minds::tick(reel, mind, args.json, console)?;
        while !console.interrupted() && reel.step() {
            minds::tick(reel, mind, args.json, console)?;
            only.iter_mut().for_each(|only| reel.look_for(only));
        }
        only.iter_mut().for_each(|only| reel.look_for(only));
    }
    Ok(())
}

/// What came of it: whether all is as recorded.
fn end(
    reel: &Reel,
    args: &ReplayArgs,
    ticks: Option<Tick>,
    console: &mut Console<'_>,
) -> CommandResult {
    let (replay, name) = (&reel.replay, reel.name());
    let damage = replay.damage().map(ToString::to_string);
    let diverged = reel.diverged.as_ref().map(ToString::to_string);
    let is_fine = damage.is_none() && diverged.is_none();
    if let (Some(ticks), true) = (ticks, args.json) {
        console.json(&json!({"recording": name, "first": replay.first(), "last": replay.last(),
            "ticks": ticks, "as_recorded": diverged.is_none(), "whole": damage.is_none(),
            "diverged": diverged, "damage": damage, "world": reel.stage().is_some(),
            "digest": format!("{:016x}", reel.digest())}))?;
    } else if let (Some(ticks), None) = (ticks, &diverged) {
        let keyframes = replay.recording().keyframes().count().saturating_sub(1);
        let (ticks, keyframes) = (count(ticks as usize, "tick"), count(keyframes, "keyframe"));
        let minds =
            reel.stage().map_or_else(|| count(replay.minds().len(), "mind"), telling::minds_of);
        let (of, digest) =
            (if reel.stage().is_some() { "" } else { " of the minds" }, reel.digest());
        writeln!(
            console,
            "{name}: {ticks} and {keyframes} are as recorded · {minds} · digest{of} {digest:016x}"
        )?;
    }
    let file = args.file.display();
    if let Some(diverged) = diverged {
        console.message(&format!("`{file}` does not replay as recorded: {diverged}"));
    }
    if let Some(damage) = damage {
        console.message(&format!("`{file}` is {damage}; it was replayed up to there"));
    }
    Ok(if is_fine { FINE } else { NO })
}

/// The tick of a moment that the recording has.
fn tick_of(moment: Moment, reel: &Reel, args: &ReplayArgs) -> Result<Tick, Fail> {
    let (pace, file) = (reel.replay.header().source.pace, args.file.display());
    let (first, last) = (reel.replay.first(), reel.replay.last());
    let tick = moment.tick(pace).filter(|tick| (first..=last).contains(tick));
    tick.ok_or_else(|| {
        let (from, to) = (pace.seconds(first), pace.seconds(last));
        Fail::Bad(format!(
            "`{file}` has the ticks {first} to {last}, {from:.1} s to {to:.1} s; there is no \
             {moment}"
        ))
    })
}
