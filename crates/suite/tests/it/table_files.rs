//! Tables kept in a folder: read again, and refused with a reason and rebuilt if they are no use.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use throng::TableFolder;
use throng::crowd::{CrowdSettings, FrameBudget, Pool, Population, Prepared, TablePolicy};
use throng::prelude::*;
use throng_base::SplitMix;
use throng_lab::corpus;

fn western() -> Domain {
    Domain::from_file(corpus::folder().join("papers/western.npc")).unwrap()
}

/// A folder of its own for each test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("throng-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// What a crowd of everybody comes to, with tables from a folder; and what the folder said.
fn run(domain: &Domain, folder: &Path) -> (Prepared, Vec<String>, Vec<Vec<String>>) {
    let settings = CrowdSettings { tables: TablePolicy::Prepared, ..CrowdSettings::default() };
    let mut all = Population::new(domain.compiled_arc(), settings, Arc::new(Pool::new(2)));
    for npc in domain.compiled().npcs() {
        let crowd = all.crowd_mut(npc.id()).unwrap();
        for &goal in npc.goals() {
            let goal = crowd.goal(goal).unwrap();
            crowd.spawn(throng::crowd::GroupId::FIRST, goal).unwrap();
        }
    }
    let mut store = TableFolder::new(folder);
    let prepared = all.prepare_from(&mut store, &|_, _| true);
    let report = all.plan(FrameBudget::UNLIMITED);
    assert_eq!(report.looked_up, report.served, "{report:?}");
    let map = domain.compiled().map();
    let plans = all.crowds().iter().flat_map(|crowd| {
        let plan = |npc| crowd.plan_of(npc).map(|a| map.action(a).to_string()).collect();
        crowd.handles().map(plan).collect::<Vec<Vec<String>>>()
    });
    (prepared, store.messages().to_vec(), plans.collect())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn what_was_built_once_is_read_later() {
    let (domain, folder) = (western(), folder("kept"));
    let (first, said, plans) = run(&domain, &folder);
    assert_eq!((first, said.len()), (Prepared { read: 0, built: 9, refused: 0, lists: 0 }, 0));
    assert_eq!(files(&folder).len(), 9);
    let (second, said, same) = run(&domain, &folder);
    assert_eq!((second, said.len()), (Prepared { read: 9, built: 0, refused: 0, lists: 0 }, 0));
    assert_eq!(plans, same);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_is_no_use_is_refused_with_a_reason_and_rebuilt() {
    let (domain, folder) = (western(), folder("refused"));
    let (_, _, plans) = run(&domain, &folder);
    let all = files(&folder);
    let good: Vec<Vec<u8>> = all.iter().map(|path| fs::read(path).unwrap()).collect();
    let mut dice = SplitMix::new(1);
    let mut damaged = good[1].clone();
    let at = dice.below(damaged.len());
    damaged[at] ^= 16;
    fs::write(&all[0], &good[0][..good[0].len() / 2]).unwrap();
    fs::write(&all[1], damaged).unwrap();
    fs::write(&all[2], "a shopping list").unwrap();
    fs::write(&all[3], "").unwrap();
    // Somebody mixed up two files.
    fs::write(&all[4], &good[5]).unwrap();
    let (prepared, said, same) = run(&domain, &folder);
    println!("{}", said.join("\n"));
    assert_eq!(prepared, Prepared { read: 4, built: 5, refused: 5, lists: 0 });
    assert_eq!(said.len(), 5);
    assert_eq!(plans, same);
    let now: Vec<Vec<u8>> = all.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(now == good, "rebuilt files are what they were");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn an_edited_domain_refuses_the_tables_of_the_old_one() {
    let folder = folder("edited");
    run(&western(), &folder);
    let text = fs::read_to_string(corpus::folder().join("papers/western.npc")).unwrap();
    let edited =
        text.replace("action Lumberjack.PullAxe:", "# a word more\naction Lumberjack.PullAxe:");
    let commented = Domain::from_text(&edited).unwrap();
    let (prepared, _, _) = run(&commented, &folder);
    assert_eq!(prepared.read, 9, "a comment changes nothing");
    let dearer = edited.replacen(
        "Lumberjack.Axe inStump -> inHands",
        "Lumberjack.Axe inStump -> inHands  cost 2",
        1,
    );
    assert_ne!(dearer, edited);
    let dearer = Domain::from_text(&dearer).unwrap();
    let (prepared, said, _) = run(&dearer, &folder);
    println!("{}", said[0]);
    assert_eq!(prepared, Prepared { read: 0, built: 9, refused: 9, lists: 0 });
    assert!(said.iter().all(|line| line.contains("domain")), "{}", said[0]);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_folder_that_cannot_be_written_is_said_once_and_does_no_harm() {
    let file = folder("no-folder");
    fs::write(&file, "in the way").unwrap();
    let (prepared, said, plans) = run(&western(), &file);
    assert_eq!(prepared.built, 9);
    let [sentence] = &said[..] else { panic!("{said:?}") };
    assert!(sentence.starts_with(&file.display().to_string()), "{sentence}");
    assert!(sentence.contains("cannot be written"), "{sentence}");
    assert!(sentence.ends_with("9 tables were not kept"), "{sentence}");
    assert!(plans.iter().all(|plan| !plan.is_empty()));
    fs::remove_file(&file).unwrap();
}

#[test]
fn one_place_that_is_taken_does_not_keep_the_others_out() {
    let (domain, folder) = (western(), folder("taken"));
    run(&domain, &folder);
    let taken = files(&folder)[3].clone();
    fs::remove_dir_all(&folder).unwrap();
    fs::create_dir_all(taken.join("somebody's")).unwrap();
    let (prepared, said, _) = run(&domain, &folder);
    assert_eq!(prepared.built, 9);
    // It is no file to read, and no place to write to.
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[1].starts_with(&taken.display().to_string()), "{said:?}");
    assert!(said[1].contains("cannot be written"), "{said:?}");
    let kept = files(&folder);
    assert_eq!(kept.len(), 9, "eight tables, what was in the way, and no part: {kept:?}");
    let (again, _, _) = run(&domain, &folder);
    assert_eq!((again.read, again.built), (8, 1));
    fs::remove_dir_all(&folder).unwrap();
}
