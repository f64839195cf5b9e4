//! The published program: the commands of the library, without those of the lab.

use throng_cli::{BAD, Console, Extension, FINE};

/// Runs the library as the published program does; exit code, results, messages.
fn published(words: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = {
        let mut console = Console::new(std::io::empty(), &mut out, &mut err);
        throng_cli::run(std::iter::once(&"throng").chain(words), &Extension::NONE, &mut console)
    };
    let [out, err] = [out, err].map(|bytes| String::from_utf8(bytes).unwrap());
    (code, out, err)
}

#[test]
fn it_plans_and_offers_nothing_that_it_cannot_do() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../domains/papers/horse_breeder_000.npc");
    let (code, plan, _) = published(&["plan", file]);
    assert_eq!(code, FINE, "{plan}");
    for help in
        [&["--help"][..], &["plan", "--help"], &["gen", "--help"], &["pddl", "solve", "--help"]]
    {
        let (code, text, _) = published(help);
        assert_eq!(code, FINE, "{help:?}");
        for word in ["bench", "papers/topoplan", "seed", "tunnel"] {
            assert!(!text.contains(word), "{help:?} tells of {word}: {text}");
        }
    }
}

#[test]
fn what_the_lab_adds_is_refused_with_what_there_is() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../domains/papers/horse_breeder_000.npc");
    let cases: [(&[&str], &str); 4] = [
        (&["bench", "papers"], "unrecognized subcommand 'bench'"),
        (&["gen", "tunnel", "8"], "unrecognized subcommand 'tunnel'"),
        (
            &["plan", file, "--planner", "papers/p"],
            "[possible values: auto, topological, goap, forward]",
        ),
        (&["pddl", "solve", "d", "p", "--planner", "seed"], "[possible values: grounded]"),
    ];
    for (words, told) in cases {
        let (code, _, err) = published(words);
        assert_eq!(code, BAD, "{words:?}");
        assert!(err.contains(told), "{words:?}: {err}");
    }
}
