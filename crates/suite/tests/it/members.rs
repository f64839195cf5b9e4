//! Members of families made as tables are the members that `throng gen` writes.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use throng::Domain;
use throng_cli::Console;
use throng_lab::members::{Member, one_prv, tunnel};

/// What `throng gen` writes, loaded.
fn written(words: &[&str]) -> Domain {
    let mut text = Vec::new();
    let console = Console::silent(&mut text);
    let code = throng_lab::commands::run(["throng", "gen"].iter().chain(words), console);
    assert_eq!(code, throng_cli::FINE);
    Domain::from_text(std::str::from_utf8(&text).unwrap()).unwrap()
}

fn assert_same(member: &Member, words: &[&str]) {
    let domain = written(words);
    let compiled = domain.compiled();
    // All tables of the type, and its classes; names are the only difference.
    assert_eq!(format!("{:?}", member.domain.npcs()), format!("{:?}", compiled.npcs()));
    assert_eq!(member.domain.goals(), compiled.goals(), "{words:?}");
}

#[test]
fn tables_and_texts_give_the_same_members() {
    for (values, variables) in [(5, 1), (5, 7), (2, 3), (3, 40), (5, 200)] {
        let member = one_prv(values, variables).unwrap();
        assert_same(&member, &["oneprv", &values.to_string(), &variables.to_string()]);
    }
    for lights in [1, 2, 9, 40] {
        assert_same(&tunnel(lights).unwrap(), &["tunnel", &lights.to_string()]);
    }
}
