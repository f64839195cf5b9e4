//! Looking at files again and again: what they hold now, and whether they have come to rest.
//!
//! In:   paths, and the time of day.
//! Out:  what each file holds, as a digest; and when it is time to read them.
//! Cost: a question to the system for each file; a file is read only if its time or length
//!       changed, or if its time is so recent that it cannot tell.
//!
//! Editors save in several strokes: they empty a file and fill it again, or put another in its
//! place. So a change counts when two looks in a row find the same, and a file that is gone or
//! empty is given longer to come back.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use throng::domain::read_bounded;
use throng_domain::Limits;
use throng_domain::compile::Digest;

/// Times of files are this coarse at worst; two changes within it may leave one time.
const COARSE: Duration = Duration::from_secs(2);
/// Files beyond this size are not read again only because their time is recent.
const LARGE: u64 = 1 << 20;
/// Looks in a row that must find the same before a change counts.
const LOOKS: u32 = 1;
/// The same for a file that has gone or was emptied.
const LOOKS_FOR_LOST: u32 = 6;

/// What a file holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    /// There is no such file.
    Nothing,
    /// It cannot be read, and why: a folder, or not ours to read.
    Unreadable(String),
    Text {
        digest: Digest,
        is_empty: bool,
    },
}

/// What all files hold.
pub(crate) type Seen = Vec<(PathBuf, Held)>;

/// What the system says about a file without opening it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp {
    modified: Option<SystemTime>,
    bytes: u64,
    is_file: bool,
    whose: Whose,
}

impl Stamp {
    pub(crate) fn of(path: &Path) -> Option<Stamp> {
        let found = std::fs::metadata(path).ok()?;
        Some(Stamp {
            modified: found.modified().ok(),
            bytes: found.len(),
            is_file: found.is_file(),
            whose: whose(&found),
        })
    }

    /// Whether another change could leave the same stamp.
    fn may_hide_a_change(&self, now: SystemTime) -> bool {
        let age = self.modified.and_then(|then| now.duration_since(then).ok());
        // A time in the future, or none at all, tells nothing.
        let is_recent = age.is_none_or(|age| age < COARSE);
        is_recent && self.bytes <= LARGE
    }

    /// Whether the file is surely as it was at `then`.
    fn is_older_than(&self, then: SystemTime) -> bool {
        let age = self.modified.and_then(|modified| then.duration_since(modified).ok());
        age.is_some_and(|age| age > COARSE)
    }
}

/// Which file it is, whose, and who may read it: that changes without changing its time.
type Whose = (u64, u32, u32);

#[cfg(unix)]
fn whose(found: &std::fs::Metadata) -> Whose {
    use std::os::unix::fs::MetadataExt;
    (found.ino(), found.uid(), found.mode())
}

#[cfg(not(unix))]
fn whose(_: &std::fs::Metadata) -> Whose {
    (0, 0, 0)
}

/// A set of files, and what was last seen of them.
pub(crate) struct Eyes {
    files: Vec<File>,
}

struct File {
    path: PathBuf,
    stamp: Option<Stamp>,
    held: Held,
}

impl Eyes {
    pub(crate) fn new(paths: Vec<PathBuf>) -> Eyes {
        let mut eyes = Eyes { files: Vec::new() };
        eyes.turn_to(paths);
        eyes
    }

    /// How many files it looks at.
    pub(crate) fn len(&self) -> usize {
        self.files.len()
    }

    /// Looks at other files from now on. What is known of those that stay is kept.
    pub(crate) fn turn_to(&mut self, paths: Vec<PathBuf>) {
        let mut old = std::mem::take(&mut self.files);
        for path in paths {
            let known = old.iter().position(|file| file.path == path);
            let unseen = File { path, stamp: None, held: Held::Nothing };
            self.files.push(known.map_or(unseen, |at| old.swap_remove(at)));
        }
    }

    /// What the files hold now.
    pub(crate) fn look(&mut self, now: SystemTime) -> Seen {
        let look = |file: &mut File| {
            let stamp = Stamp::of(&file.path);
            let is_certain = stamp.is_some_and(|stamp| !stamp.may_hide_a_change(now));
            if stamp != file.stamp || !is_certain {
                file.stamp = stamp;
                file.held = held(&file.path, stamp);
            }
            (file.path.clone(), file.held.clone())
        };
        self.files.iter_mut().map(look).collect()
    }

    /// What the system said of each file when it was last looked at.
    pub(crate) fn stamps(&self) -> Vec<(PathBuf, Option<Stamp>)> {
        self.files.iter().map(|file| (file.path.clone(), file.stamp)).collect()
    }

    /// Whether all files but the known ones are surely as they were at `then`.
    pub(crate) fn others_are_older(&self, known: &Seen, then: SystemTime) -> bool {
        let is_known = |file: &&File| known.iter().any(|(path, _)| *path == file.path);
        let mut others = self.files.iter().filter(|file| !is_known(file));
        others.all(|file| file.stamp.is_none_or(|stamp| stamp.is_older_than(then)))
    }
}

fn held(path: &Path, stamp: Option<Stamp>) -> Held {
    if stamp.is_none() {
        return Held::Nothing;
    }
    match read_bounded(path, &Limits::default()) {
        Ok(bytes) => Held::Text { digest: Digest::of(&bytes), is_empty: bytes.is_empty() },
        Err(error) => Held::Unreadable(error.to_string()),
    }
}

/// Decides when what was seen is worth an answer.
#[derive(Default)]
pub(crate) struct Rest {
    answered: Option<Seen>,
    last: Option<Seen>,
    same: u32,
}

impl Rest {
    /// Takes a look in; whether it is time to answer.
    pub(crate) fn is_due(&mut self, seen: &Seen) -> bool {
        if self.answered.as_ref() == Some(seen) {
            // Nothing happened, or it was undone.
            self.last = None;
            return false;
        }
        match self.last.as_ref() == Some(seen) {
            true => self.same += 1,
            false => {
                self.last = Some(seen.clone());
                self.same = 0;
            }
        }
        let Some(answered) = &self.answered else { return true };
        let lost = |(path, held): &(PathBuf, Held)| {
            let is_bad = !matches!(held, Held::Text { is_empty: false, .. });
            is_bad && !answered.iter().any(|(other, was)| other == path && was == held)
        };
        self.same >= if seen.iter().any(lost) { LOOKS_FOR_LOST } else { LOOKS }
    }

    /// The answer to this is known.
    pub(crate) fn answered(&mut self, seen: Seen) {
        self.answered = Some(seen);
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Held {
        Held::Text { digest: Digest::of(text.as_bytes()), is_empty: text.is_empty() }
    }

    fn seen(held: Held) -> Seen {
        vec![(PathBuf::from("a.npc"), held)]
    }

    /// Looks at these one after the other; what was answered.
    fn check(looks: &[Held], expected: &[Held]) {
        let mut rest = Rest::default();
        let mut answered = Vec::new();
        for held in looks {
            let seen = seen(held.clone());
            if rest.is_due(&seen) {
                rest.answered(seen);
                answered.push(held.clone());
            }
        }
        assert_eq!(answered, expected);
    }

    #[test]
    fn the_first_look_is_answered_at_once_and_others_when_they_rest() {
        check(&[text("a"), text("a"), text("a")], &[text("a")]);
        check(&[text("a"), text("b")], &[text("a")]);
        check(&[text("a"), text("b"), text("b"), text("b")], &[text("a"), text("b")]);
        check(
            &[text("a"), text("b"), text("bc"), text("bcd"), text("bcd")],
            &[text("a"), text("bcd")],
        );
        check(&[text("a"), text("b"), text("a"), text("b"), text("a")], &[text("a")]);
    }

    #[test]
    fn what_is_gone_or_empty_is_given_time_to_come_back() {
        let lost = [Held::Nothing, text(""), Held::Unreadable("locked".to_string())];
        for lost in lost {
            let short = vec![lost.clone(); LOOKS_FOR_LOST as usize];
            let looks = [vec![text("a")], short, vec![text("b"), text("b")]].concat();
            check(&looks, &[text("a"), text("b")]);
            let long = vec![lost.clone(); LOOKS_FOR_LOST as usize + 1];
            let looks = [vec![text("a")], long, vec![text("b"), text("b")]].concat();
            check(&looks, &[text("a"), lost, text("b")]);
        }
    }

    #[test]
    fn a_change_that_leaves_time_and_length_is_seen() {
        let name = format!("throng-watch-{}.npc", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, "one").unwrap();
        let then = std::fs::metadata(&path).unwrap().modified().unwrap();
        let mut eyes = Eyes::new(vec![path.clone()]);
        let one = eyes.look(then);
        let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        std::io::Write::write_all(&mut &file, b"two").unwrap();
        file.set_modified(then).unwrap();
        assert_ne!(eyes.look(then), one);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(eyes.look(then), vec![(path, Held::Nothing)]);
    }
}
