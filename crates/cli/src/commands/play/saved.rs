//! Saved games of stories: written at a moment, taken up again.

use crate::console::{Console, Fail, bad, cannot};
use crate::loading::begins_recording;
use crate::writing::{may_replace, replace};
use serde_json::json;
use std::path::Path;
use throng_world::story::run::{PLAY, Play};

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

/// Makes a fresh play what it was when it was saved; tells what another version of its domain could
/// not take over.
pub(super) fn resume(play: &mut Play, file: &Path, console: &mut Console<'_>) -> Result<(), Fail> {
    let name = file.display();
    if file.is_dir() {
        return bad(format!("`{name}` is a folder; name a file that `--save` wrote"));
    }
    let bytes = std::fs::read(file).or_else(cannot("read", file))?;
    let story = play.story().name.clone();
    let restored = play.restore(&bytes).map_err(|damaged| {
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
