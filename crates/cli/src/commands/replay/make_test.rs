//! `throng replay --make-test`: a recording becomes a story that promises what happened.
//!
//! The story is played from its beginning with the program as it is now and compared with the
//! recording in every tick, so a test is made only of what was recorded.

use super::reel::Reel;
use crate::FINE;
use crate::args::play::ReplayArgs;
use crate::console::{CommandResult, Console, Fail, bad, count};
use crate::writing::replace;
use std::path::Path;
use throng_world::story::retold::{FIRST_LINE, retold};
use throng_world::story::run::Play;
use throng_world::story::witness::Witness;

pub(super) fn run(
    reel: &mut Reel,
    args: &ReplayArgs,
    out: &Path,
    console: &mut Console<'_>,
) -> CommandResult {
    let file = args.file.display();
    let (budget, staging) = (reel.replay.minds().budget(), reel.staging());
    let options = [("budget", budget), ("late", staging.late), ("questions", staging.questions)];
    if let Some((option, _)) = options.iter().find(|(_, is)| is.is_some()) {
        return bad(format!(
            "`{file}` was recorded with `--{option}`, for which stories have no word; record it \
             without"
        ));
    }
    may_write(out)?;
    let play = match reel.staged() {
        Ok(play) => play,
        Err(why) => return bad(format!("no test can be made of `{file}`: {why}")),
    };
    let Some((play, witness)) = watched(reel, play, args, console)? else { return Ok(FINE) };
    let files = &reel.replay.header().source.files;
    let made = retold(files, &play, &witness)
        .map_err(|why| Fail::Bad(format!("no test can be made of `{file}`: {why}")))?;
    replace(out, &made.text)?;
    if let Some(damage) = reel.replay.damage() {
        console.message(&format!("`{file}` is {damage}; the test ends there"));
    }
    let (promises, out) = (count(made.promises, "promise"), out.display());
    writeln!(console, "wrote `{out}`: {promises}, all kept; `throng test {out}` runs it")?;
    Ok(FINE)
}

fn may_write(out: &Path) -> Result<(), Fail> {
    if out.extension().is_none_or(|ending| ending != "npc") {
        return bad(format!(
            "`{}`: a story is written into a file that ends in .npc",
            out.display()
        ));
    }
    match std::fs::read_to_string(out) {
        Ok(text) if !text.starts_with(FIRST_LINE) => bad(format!(
            "`{}` is there and was not made from a recording; name another file",
            out.display()
        )),
        _ => Ok(()),
    }
}

/// Plays the story from its beginning to the end of the recording, beside it.
fn watched(
    reel: &mut Reel,
    mut play: Play,
    args: &ReplayArgs,
    console: &Console<'_>,
) -> Result<Option<(Play, Witness)>, Fail> {
    let (first, last) = (reel.replay.first(), reel.replay.last());
    let mut witness = Witness::new(&play);
    loop {
        if console.interrupted() {
            return Ok(None);
        }
        let now = play.now();
        let differs = now >= first && play.minds().digest() != reel.replay.minds().digest();
        if differs || reel.diverged.is_some() {
            return bad(format!(
                "no test can be made of `{}`: at tick {now} this version does otherwise than was \
                 recorded",
                args.file.display()
            ));
        }
        if now >= last || !play.tick() {
            return Ok(Some((play, witness)));
        }
        witness.see(&play);
        if play.now() > first {
            reel.step();
        }
    }
}
