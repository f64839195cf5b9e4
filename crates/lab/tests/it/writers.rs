//! Every file that a command writes is the old one or the new one: on a full disk it is the old
//! one, and nothing is left beside it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the program where files can have no more than so many blocks: writing more fails, as on a
/// full disk.
fn on_a_full_disk(words: &[&str], blocks: u32) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_throng")]).args(words).current_dir(root());
    shell.output().unwrap()
}

/// All files below a folder, with what is in them.
fn all(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(all(&path)),
            false => drop(found.insert(path.display().to_string(), std::fs::read(&path).unwrap())),
        }
    }
    found
}

#[test]
fn a_full_disk_leaves_every_old_file() {
    let folder = Folder::new();
    let out = |name: &str| folder.path(name);
    let domain = folder.write("in/stable.npc", STABLE);
    let untidy = format!("{STABLE}\n\n\n\n# {}\nvar  more :  1 ,2\n", "long ".repeat(400));
    let tidied = folder.write("in/untidy.npc", &untidy);
    let recording = out("in/cover.trace");
    exits(&["play", "cover", "--record", &recording], 0);
    let commands: &[&[&str]] = &[
        &["convert", &domain, &out("stable.json")],
        &["convert", &domain, &out("stable.sas"), "--goal", "feed_horses"],
        &["gen", "tunnel", "20", "--out", &out("tunnel.npc")],
        &["gen", "boxes", "scaling", "3", "--out", &out("boxes.npc")],
        &["gen", "boxes", "scaling", "3", "--out", &out("boxes")],
        &["gen", "rust", &domain, "--out", &out("stable.rs")],
        &["classes", &domain, "--graph", &out("stable.svg")],
        &["test", HORSES, "--junit", &out("report.xml")],
        &["play", "cover", "--at", "2s", "--save", &out("cover.save")],
        &["play", "cover", "--record", &out("last.trace"), "--last", "2"],
        &["replay", &recording, "--make-test", &out("made.npc")],
        &["stats", "cover", "--svg", &out("pictures")],
    ];
    let mut tested = 0;
    for words in commands {
        let said = throng(words);
        assert_eq!(said.code, Some(0), "{words:?}\n{said:?}");
        let before = all(Path::new(&out("")));
        for blocks in [0, 1] {
            let said = on_a_full_disk(words, blocks);
            let err = String::from_utf8_lossy(&said.stderr);
            // A block may be enough for a small file, and what is the same need not be written.
            let failed = said.status.code() == Some(2);
            assert!(failed || said.status.success(), "{words:?}: {err}");
            assert!(!failed || err.contains("cannot "), "{words:?}: {err}");
            tested += usize::from(failed);
            let after = all(Path::new(&out("")));
            let names =
                |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(&before), names(&after), "{words:?}");
            assert!(before == after, "{words:?} changed a file");
        }
    }
    assert!(tested > commands.len(), "{tested}");
    // In place, too.
    let said = on_a_full_disk(&["fmt", "--write", &tidied], 0);
    assert_eq!(said.status.code(), Some(2));
    assert_eq!(folder.read("in/untidy.npc"), untidy);
    exits(&["fmt", "--write", &tidied], 0);
    assert_ne!(folder.read("in/untidy.npc"), untidy);
}

#[test]
fn tables_that_find_no_room_are_said_and_do_no_harm() {
    let folder = Folder::new();
    let tables = folder.path("tables");
    let words = ["crowd", WESTERN, "--npcs", "100", "--frames", "2", "--table-folder", &tables];
    exits(&words, 0);
    let before = all(Path::new(&tables));
    assert!(!before.is_empty());
    // Damaged tables are built anew, and the disk is full.
    for path in before.keys() {
        std::fs::write(path, "damaged").unwrap();
    }
    let damaged = all(Path::new(&tables));
    let said = on_a_full_disk(&words, 0);
    assert_eq!(said.status.code(), Some(0), "{said:?}");
    assert!(all(Path::new(&tables)) == damaged);
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_that_is_full_is_told() {
    refuses(
        &["gen", "tunnel", "3", "--out", "/dev/full", "--json"],
        &["/dev/full", "No space left"],
    );
    refuses(&["test", HORSES, "--junit", "/dev/full"], &["cannot write `/dev/full`"]);
}
