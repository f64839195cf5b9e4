//! What happened in a play, told as a story that promises it.
//!
//! In:   the texts that a play was read from, the play at its end, who watched it.
//! Out:  one file: the texts without their old promises, the script, new promises.
//! Cost: the story once more, to see that the made one keeps what it promises.

use super::promise::Verdict;
use super::run::{Play, PlayError};
use super::witness::{Witness, seconds};
use super::{Deed, Story};
use throng_domain::formats::no_includes;
use throng_domain::{Format, Limits, Report, Severity, load};
use throng_mind::time::{Pace, Tick};

/// The first line of a made file; only such files are written over.
pub const FIRST_LINE: &str = "# A test made from a recording by `throng replay --make-test`.";

/// A story that was made, and how many promises it keeps.
#[non_exhaustive]
pub struct Retold {
    /// The file.
    pub text: String,
    /// All of them are kept.
    pub promises: usize,
}

/// Why no story can be made of what happened.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RetoldError {
    /// The texts are not in the language that stories are written in.
    NotNpc,
    /// The made story is refused, or does not keep what it promises.
    Wrong(String),
}

throng_base::error! { RetoldError {
    Self::NotNpc => "tests are made of stories in .npc files; this one is of another form";
    Self::Wrong(why) => "the made story is wrong: {why}";
} }

/// Makes a story of a play as it is, from its texts: names with what they contain, the first is
/// the file itself.
///
/// # Errors
///
/// Why there is none.
pub fn retold(
    files: &[(String, String)],
    play: &Play,
    witness: &Witness,
) -> Result<Retold, RetoldError> {
    if files.first().is_none_or(|(name, _)| !name.ends_with(".npc")) {
        return Err(RetoldError::NotNpc);
    }
    let text = written(files, play, witness);
    let promises = judged(&text).map_err(RetoldError::Wrong)?;
    Ok(Retold { text, promises })
}

/// The whole file.
fn written(files: &[(String, String)], play: &Play, witness: &Witness) -> String {
    let (story, pace, end) = (play.story(), play.story().pace, play.now());
    // Who appears only later would be there from the beginning if nothing said so.
    let appears_late = story.script.iter().any(|entry| {
        let late =
            matches!(entry.deed, Deed::Appears(_)) && entry.cue.tick().is_some_and(|at| at > end);
        late && entry.who.is_some_and(|it| !story.is_present(it) && !appears_by(story, it, end))
    });
    let lasts = if appears_late { end + 1 } else { end }.max(1);
    let mut text =
        format!("{FIRST_LINE}\n# It passes as long as everybody behaves as was recorded.\n\n");
    let mut used = vec![0];
    inline(files, 0, &mut used, &mut text, &Cut { end, lasts, pace });
    let sentence = story.sentence.replace(['"', '\\'], "'");
    let (lasts, pace) = (seconds(pace, lasts), pace.ticks_per_second);
    text += &format!("\n# --- What happened ---\n\nstory {} \"{sentence}\"\n", story.name);
    text += &format!("    lasts {lasts}\n    pace {pace}\n");
    // What decides chance and aim, and who stands in whose way, decides what happened.
    text += &format!("    seed {}\n", story.seed);
    if let Some(accuracy) = story.accuracy {
        text += &format!("    accuracy {accuracy}\n");
    }
    if story.bodies_pass {
        text += "    bodies pass\n";
    }
    for promise in witness.promises(play, !appears_late) {
        text += &promise;
        text.push('\n');
    }
    text
}

fn appears_by(story: &Story, who: usize, end: Tick) -> bool {
    let mut script = story.script.iter().filter(|it| it.cue.tick().is_some_and(|at| at <= end));
    script.any(|it| it.who == Some(who) && matches!(it.deed, Deed::Appears(_)))
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
fn inline(
    files: &[(String, String)],
    at: usize,
    used: &mut Vec<usize>,
    text: &mut String,
    cut: &Cut,
) {
    let (name, from) = &files[at];
    let folder = name.rfind('/').map_or("", |slash| &name[..=slash]);
    for statement in statements(from) {
        let mut words = statement.split_whitespace();
        match (words.next().unwrap_or(""), words.next()) {
            ("promise" | "story", _) => {}
            ("domain", _) if at > 0 => {}
            ("use", Some(path)) => {
                let path = clean(&format!("{folder}{}", path.trim_matches('"')));
                let found = files.iter().position(|(name, _)| clean(name) == path);
                if let Some(file) = found.filter(|file| !used.contains(file)) {
                    used.push(file);
                    inline(files, file, used, text, cut);
                }
            }
            ("at", Some(moment)) => {
                let number = moment.trim_end_matches(':').parse::<f64>();
                match number.map_or(0, |seconds| cut.pace.ticks(seconds)) {
                    tick if tick <= cut.end => text.push_str(&statement),
                    // Only that an actor is not there yet still matters.
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
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    let continues = |line: &str| line.starts_with([' ', '\t']) && !line.trim().is_empty();
    lines.chunk_by(|_, next| continues(next)).map(|lines| lines.join("\n") + "\n").collect()
}

/// Plays a made story; gives how many promises it keeps.
fn judged(text: &str) -> Result<usize, String> {
    let loaded = load(
        "made.npc",
        text,
        Format::Npc,
        &Limits::default(),
        &throng_mind::notes::WORDS,
        &mut no_includes,
    );
    let first = |report: &Report| {
        let mut errors = report.diagnostics().iter().filter(|it| it.severity() == Severity::Error);
        errors.next().map_or("it is refused".to_string(), |it| it.short(&loaded.sources))
    };
    let Some(model) = &loaded.model else { return Err(first(&loaded.report)) };
    let mut play = Play::of(model, 1).map_err(|unplayable| match unplayable {
        PlayError::Mistakes(report) => first(&report),
        refused => refused.to_string(),
    })?;
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
