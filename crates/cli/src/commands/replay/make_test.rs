//! A recording becomes a story that promises what happened.
//!
//! In:   a recording of a story.
//! Out:  one file: the recorded texts without their old promises, the script, new promises.
//! Cost: the story twice: once to see what happened, once to see that the made story keeps it.
//!
//! The story is played from its beginning with the program as it is now and compared with the
//! recording in every tick, so a test is made only of what was recorded.

use super::args::ReplayArgs;
use super::promises::{Watcher, seconds};
use super::reel::Reel;
use crate::FINE;
use crate::commands::play::story_and_spec;
use crate::console::{Console, Fail, Outcome, bad, count};
use crate::writing::replace;
use std::path::Path;
use throng_domain::formats::no_includes;
use throng_domain::{Format, Limits, Severity, load};
use throng_mind::time::{Pace, Tick};
use throng_trace::Source;
use throng_world::story::promise::Verdict;
use throng_world::story::run::Play;
use throng_world::story::{Deed, Story};

/// The first line of a made file; only such files are written over.
const FIRST: &str = "# A test made from a recording by `throng replay --make-test`.";

pub(super) fn run(
    reel: &mut Reel,
    args: &ReplayArgs,
    out: &Path,
    console: &mut Console<'_>,
) -> Outcome {
    let file = args.file.display();
    if reel.replay.minds().budget().is_some() {
        return bad(format!(
            "`{file}` was recorded with `--budget`, for which stories have no word; record it \
             without"
        ));
    }
    may_write(out)?;
    let play = match reel.staged() {
        Ok(play) => play,
        Err(why) => return bad(format!("no test can be made of `{file}`: {why}")),
    };
    let Some((play, watcher)) = watched(reel, play, args, console)? else { return Ok(FINE) };
    let text = written(reel, &play, &watcher)?;
    let promises = judged(&text).map_err(|why| {
        Fail::Bad(format!("no test can be made of `{file}`: the made story is wrong: {why}"))
    })?;
    replace(out, &text)?;
    if let Some(damage) = reel.replay.damage() {
        console.message(&format!("`{file}` is {damage}; the test ends there"));
    }
    let (promises, out) = (count(promises, "promise"), out.display());
    console.line(&format!("wrote `{out}`: {promises}, all kept; `throng test {out}` runs it"))?;
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
        Ok(text) if !text.starts_with(FIRST) => bad(format!(
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
) -> Result<Option<(Play, Watcher)>, Fail> {
    let (first, last) = (reel.replay.first(), reel.replay.last());
    let mut watcher = Watcher::new(&play);
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
            return Ok(Some((play, watcher)));
        }
        watcher.see(&play);
        if play.now() > first {
            reel.step();
        }
    }
}

/// The whole file.
fn written(reel: &Reel, play: &Play, watcher: &Watcher) -> Result<String, Fail> {
    let (story, pace, end) = (play.story(), play.story().pace, play.now());
    let source = &reel.replay.header().source;
    if source.files.first().is_some_and(|(name, _)| !name.ends_with(".npc")) {
        return bad("tests are made of stories in .npc files; this one is of another form");
    }
    // Who appears only later would be there from the beginning if nothing said so.
    let appears_late = story.script.iter().any(|entry| {
        let Deed::Appears { actor, .. } = entry.deed else { return false };
        entry.at > end && !story.actors[actor].present && !appears_by(story, actor, end)
    });
    let lasts = if appears_late { end + 1 } else { end }.max(1);
    let mut text =
        format!("{FIRST}\n# It passes as long as everybody behaves as was recorded.\n\n");
    let mut used = vec![0];
    inline(source, 0, &mut used, &mut text, &Cut { end, lasts, pace });
    let sentence = story.sentence.replace(['"', '\\'], "'");
    let (lasts, pace) = (seconds(pace, lasts), pace.ticks_per_second);
    text += &format!("\n# --- What happened ---\n\nstory {} \"{sentence}\"\n", story.name);
    text += &format!("    lasts {lasts}\n    pace {pace}\n");
    for promise in watcher.promises(play, !appears_late) {
        text += &promise;
        text.push('\n');
    }
    Ok(text)
}

fn appears_by(story: &Story, who: usize, end: Tick) -> bool {
    let mut script = story.script.iter().filter(|entry| entry.at <= end);
    script.any(|entry| matches!(entry.deed, Deed::Appears { actor, .. } if actor == who))
}

/// Where the story is cut.
struct Cut {
    /// The last tick that was recorded.
    end: Tick,
    /// How long the made story lasts.
    lasts: Tick,
    pace: Pace,
}

/// Writes a file of the source with the files it uses in their places, each once.
fn inline(source: &Source, at: usize, used: &mut Vec<usize>, text: &mut String, cut: &Cut) {
    let (name, from) = &source.files[at];
    let folder = name.rfind('/').map_or("", |slash| &name[..=slash]);
    for statement in statements(from) {
        let mut words = statement.split_whitespace();
        match (words.next().unwrap_or(""), words.next()) {
            ("promise" | "story", _) => {}
            ("domain", _) if at > 0 => {}
            ("use", Some(path)) => {
                let path = clean(&format!("{folder}{}", path.trim_matches('"')));
                let found = source.files.iter().position(|(name, _)| clean(name) == path);
                if let Some(file) = found.filter(|file| !used.contains(file)) {
                    used.push(file);
                    inline(source, file, used, text, cut);
                }
            }
            ("at", Some(moment)) => {
                let number = moment.trim_end_matches(':').parse::<f64>();
                match number.map_or(0, |seconds| cut.pace.ticks(seconds)) {
                    tick if tick <= cut.end => text.push_str(&statement),
                    // Only that somebody is not there yet still matters.
                    _ if cut.lasts > cut.end && statement.contains(" appears ") => {
                        let rest = statement.find(':').map_or("", |colon| &statement[colon..]);
                        *text += &format!("at {}{rest}", seconds(cut.pace, cut.lasts));
                    }
                    _ => {}
                }
            }
            _ => text.push_str(&statement),
        }
    }
}

/// A path without detours.
fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." if !parts.is_empty() => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The statements of a text, each with the lines that continue it; blank lines and comments in
/// column one are statements of their own.
fn statements(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in text.trim_start_matches('\u{feff}').lines() {
        let continues = line.starts_with([' ', '\t']) && !line.trim().is_empty();
        match all.last_mut().filter(|_| continues) {
            Some(statement) => {
                statement.push_str(line);
                statement.push('\n');
            }
            None => all.push(format!("{line}\n")),
        }
    }
    all
}

/// Plays a made story; gives how many promises it keeps.
fn judged(text: &str) -> Result<usize, String> {
    let loaded = load(
        "made.npc",
        text,
        Format::Npc,
        &Limits::default(),
        &throng::mind::notes::WORDS,
        &mut no_includes,
    );
    let first = |report: &throng_domain::Report| {
        let mut errors = report.diagnostics().iter().filter(|it| it.severity() == Severity::Error);
        errors.next().map_or("it is refused".to_string(), |it| it.short(&loaded.sources))
    };
    let Some(model) = &loaded.model else { return Err(first(&loaded.report)) };
    let (story, spec) = story_and_spec(model).map_err(|report| first(&report))?;
    let play = Play::new(story, model, spec, throng_world::body::body(), 1);
    let mut play = play.map_err(|error| error.to_string())?;
    while play.tick() {}
    let broken = play.judge().verdicts().find_map(|(promise, verdict)| match verdict {
        Verdict::Kept(_) => None,
        Verdict::Broken(_, why) => Some(format!("`{}` is not kept: {why}", promise.text)),
        Verdict::Open => Some(format!("`{}` is never decided", promise.text)),
    });
    broken.map_or(Ok(play.story().promises.len()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_keep_the_lines_that_continue_them() {
        let text = "domain d\n\nnpc x\n    can a\n\n    wants b\n# note\npromise x at y\n  by 3\n";
        let all = statements(text);
        // A blank line ends nothing: what is indented after it continues the statement before, so
        // it must not be taken for the end of one.
        assert_eq!(all.concat(), text);
        assert!(all.contains(&"promise x at y\n  by 3\n".to_string()), "{all:?}");
    }

    #[test]
    fn paths_lose_their_detours() {
        assert_eq!(clean("./a/../b/c.npc"), "b/c.npc");
    }
}
