//! Saved games of stories: written at a moment, taken up again.

use crate::console::{Console, Fail, bad, cannot};
use crate::loading::begins_recording;
use crate::writing::{may_replace, replace};
use serde_json::json;
use std::path::Path;
use throng_world::story::run::{PLAY, Play};
use throng_world::story::staging::Staging;

/// Saves a play as it is.
pub(super) fn save(
    play: &Play,
    file: &Path,
    json: bool,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let bytes = play.save();
    let is_ours = |begin: Vec<u8>| PLAY.begins(&begin) || begins_recording(begin);
    may_replace(file, is_ours, "neither a saved game nor a recording", "--save")?;
    replace(file, &bytes)?;
    let (name, now) = (&play.story().name, play.now());
    let (seconds, n) = (play.story().pace.seconds(now), bytes.len());
    let file = file.display();
    if json {
        return console.json(&json!({"story": name, "saved": file.to_string(), "tick": now,
            "seconds": seconds, "bytes": n}));
    }
    writeln!(console, "saved `{name}` at tick {now}, {seconds:.1} s: {n} bytes into `{file}`")
}

/// A saved game, as it was read from its file.
pub(super) struct SavedGame<'f> {
    file: &'f Path,
    bytes: Vec<u8>,
}

impl SavedGame<'_> {
    /// Reads the file.
    pub(super) fn read(file: &Path) -> Result<SavedGame<'_>, Fail> {
        if file.is_dir() {
            return bad(format!(
                "`{}` is a folder; name a file that `--save` wrote",
                file.display()
            ));
        }
        let bytes = std::fs::read(file).or_else(cannot("read", file))?;
        Ok(SavedGame { file, bytes })
    }

    /// How its story is staged. Of what is no saved game, in any way: it will be refused.
    pub(super) fn staging(&self) -> Staging {
        Staging::of_save(&self.bytes).unwrap_or_default()
    }

    /// Makes a fresh play what it was when it was saved; tells what another version of its domain
    /// could not take over.
    pub(super) fn resume(&self, play: &mut Play, console: &mut Console<'_>) -> Result<(), Fail> {
        let (name, story) = (self.file.display(), play.story().name.clone());
        let restored = play.restore(&self.bytes).map_err(|damaged| {
            Fail::Bad(format!(
                "`{name}` is no saved game of `{story}` as it is now: {damaged}; save it anew with \
                 `throng play STORY --at MOMENT --save FILE`"
            ))
        })?;
        if !restored.same_file {
            console.message(&format!("`{name}`: {restored}"));
        }
        Ok(())
    }
}
