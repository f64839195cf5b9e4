//! Domains in levels: the members of a sort, and files that lie in several folders.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use throng::prelude::*;
use throng::{Level, Surroundings};

const QUEST: &str = "domain quest
var place: nowhere, any landmark
action go(to in place except nowhere): place -> to
goal there: place = landmark
";

#[test]
fn files_of_a_level_may_lie_above_it_up_to_the_root_and_no_further() {
    let root = std::env::temp_dir().join(format!("throng-levels-{}", std::process::id()));
    let levels = root.join("levels");
    fs::create_dir_all(&levels).unwrap();
    fs::write(root.join("quest.npc"), QUEST).unwrap();
    let level = levels.join("village.npc");
    fs::write(&level, "domain village\nuse \"../quest.npc\"\n").unwrap();
    let members = Level::new().add("landmark", "mill", 7).add("landmark", "well", 8);
    let inside = Surroundings { level: members.clone(), root: Some(root.clone()) };
    let domain = Domain::from_file_in(&level, &inside);
    let without = Domain::from_file_in(&level, &Surroundings { level: members, root: None });
    let again = domain.as_ref().unwrap().with_level(&Level::new().add("landmark", "inn", 1));
    fs::remove_dir_all(&root).unwrap();
    let domain = domain.unwrap();
    assert!(domain.action("go(mill)").is_ok() && domain.action("go(inn)").is_err());
    assert!(without.unwrap_err().to_string().contains("E004"));
    let again = again.unwrap();
    assert!(again.action("go(inn)").is_ok() && again.action("go(mill)").is_err());
}

#[test]
fn a_level_without_members_of_a_sort_is_refused() {
    let error = Domain::from_text_in(QUEST, &Level::new().add("seat", "bench", 1)).unwrap_err();
    assert!(error.to_string().contains("E152"), "{error}");
    let names: Vec<String> = (0..300).map(|at| format!("place_{at}")).collect();
    let many = names.iter().fold(Level::new(), |level, name| level.add("landmark", name, 0));
    let error = Domain::from_text_in(QUEST, &many).unwrap_err();
    assert!(error.to_string().contains("E152"), "{error}");
}

#[test]
fn what_stands_at_each_letter_of_the_map_is_a_member_whichever_statement_comes_first() {
    let map = "map \"######\" \"#m.m.#\" \"#..m.#\" \"######\"\n";
    let node = "node mill at m: landmark each\n";
    let story = "story quest \"There.\" lasts 5\n";
    for text in [format!("{QUEST}{story}{map}{node}"), format!("{QUEST}{node}{story}{map}")] {
        let domain = Domain::from_text(&text).unwrap();
        for name in ["go(mill)", "go(mill.2)", "go(mill.3)"] {
            assert!(domain.action(name).is_ok(), "{name} in {text}");
        }
        assert!(domain.action("go(mill.4)").is_err());
    }
}
