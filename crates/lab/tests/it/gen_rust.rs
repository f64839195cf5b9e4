//! `throng gen rust`: a domain as a Rust module, the same bytes each time. What the module is
//! worth is tested where one is compiled, in `crates/typed`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;

#[test]
fn the_module_is_printed_or_written_and_always_the_same() {
    let folder = Folder::new();
    let printed = exits(&["gen", "rust", HORSES], 0);
    assert_eq!(printed.err, "");
    assert_has(&printed.out, &["pub enum Action {", "pub const DIGEST: u128 = 0x"]);
    let file = folder.path("stable.rs");
    let said = exits(&["gen", "rust", HORSES, "--out", &file], 0);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
    assert_eq!(folder.read("stable.rs"), printed.out);
    assert_eq!(folder.names(), ["stable.rs"]);
    let twin = folder.path("stable.json");
    exits(&["convert", HORSES, &twin], 0);
    assert_eq!(exits(&["gen", "rust", &twin], 0).out, printed.out);
}

#[test]
fn a_module_that_is_the_same_already_is_left_alone() {
    let folder = Folder::new();
    let file = folder.path("stable.rs");
    let words = ["gen", "rust", HORSES, "--json", "--out", &file];
    let made = exits(&words, 0).json();
    assert_keys(&made, &["domain", "digest", "output", "changed"]);
    assert_eq!((&made["changed"], made["output"].as_str()), (&true.into(), Some(file.as_str())));
    let written = std::fs::metadata(&file).unwrap().modified().unwrap();
    assert_eq!(exits(&words, 0).json()["changed"], false);
    assert_eq!(std::fs::metadata(&file).unwrap().modified().unwrap(), written);
    let printed = exits(&["gen", "rust", HORSES, "--json"], 0).json();
    assert_eq!(printed["module"].as_str().unwrap(), folder.read("stable.rs"));
    assert_eq!(printed["digest"], made["digest"]);
}

#[test]
fn what_cannot_be_a_module_is_refused() {
    let folder = Folder::new();
    let broken = folder.write("broken.npc", "domain broken\nvar x\n");
    refuses(&["gen", "rust", &broken], &["broken.npc:2", "cannot be used"]);
    refuses(&["gen", "rust", "no_such_file.npc"], &["no_such_file.npc"]);
    let domain = folder.write("stable.npc", STABLE);
    refuses(&["gen", "rust", &domain, "--out", &domain], &["named like a domain", ".rs"]);
    assert_eq!(folder.read("stable.npc"), STABLE);
    refuses(&["gen", "rust", &domain, "--out", &folder.path("no/such/x.rs")], &["cannot write"]);
    assert_has(&exits(&["gen", "rust", "--help"], 0).out, &["Example", "--out", "--json"]);
}
