//! Which engine serves each NPC type of the corpus, and why: a table that changes only in sight.
//!
//! In:   every domain of `domains/` that is not there to be rejected.
//! Out:  a line per NPC type as it starts, equal to `domains/engines.txt`. With
//!       `UPDATE_GOLDEN=1` in the environment the table is written anew.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::fmt::Write as _;
use std::fs;
use throng::prelude::*;
use throng_lab::corpus;
use throng_suite::golden::difference;

#[test]
fn every_type_of_the_corpus_has_the_engine_of_the_table() {
    let mut paths = Vec::new();
    for folder in fs::read_dir(corpus::folder()).unwrap() {
        let folder = folder.unwrap();
        let name = folder.file_name().into_string().unwrap();
        if folder.path().is_dir() && name != "rejected" {
            paths.extend(corpus::files(&name, "npc").unwrap());
        }
    }
    paths.sort();
    let mut table = String::new();
    for path in &paths {
        let domain = Domain::from_loaded(corpus::read(path).unwrap()).unwrap();
        _ = writeln!(table, "{}", domain.model().sources().files()[0].name());
        for kind in domain.model().npcs() {
            let npc = Npc::new(&domain, kind.name()).unwrap();
            let (engine, because) = Planner::new().choice(&npc);
            _ = writeln!(table, "    {}: {engine:?}, because {because}", kind.name());
        }
    }
    for engine in ["Topological", "Regressive"] {
        assert!(table.contains(engine), "nobody in the corpus is served by {engine}");
    }
    let golden = corpus::folder().join("engines.txt");
    assert_eq!(difference(&golden, &table), None);
}
