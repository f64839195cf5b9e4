//! The pages `docs/levels.md` and `docs/cookbook.md` are true: their files are written as they stand
//! there, their commands are run where the files are, and they print what the page shows.
//!
//! In:   a page's blocks: `npc FILE` (a file), `npc FILE changed` (statements that are added to it, or
//!       take the place of those of the same name), `console` (commands and what they print; `…` for
//!       any lines between). Commands about `domains` are run in the repository.
//! Out:  the block that is not true.

use crate::common::*;
use crate::page_blocks::{blocks, edited, is_in};

#[test]
fn files_of_the_levels_load_and_their_commands_print_what_the_page_shows() {
    let (files, commands) = run_page("docs/levels.md");
    let commands = commands.len();
    assert!(files >= 15 && commands >= 10, "{files} files, {commands} commands");
}

#[test]
fn every_recipe_of_the_cookbook_keeps_its_promises() {
    let (files, commands) = run_page("docs/cookbook.md");
    assert!(files >= 1 && commands.len() >= files, "{files} files, {} commands", commands.len());
    // What tells a story is a file, and is tested as it stands.
    let page = std::fs::read_to_string(root().join("docs/cookbook.md")).unwrap();
    for (kind, block) in blocks(&page) {
        let Some(story) = block.lines().find(|line| line.starts_with("story ")) else { continue };
        let file = kind.strip_prefix("npc ").unwrap_or_else(|| panic!("no file: {story}"));
        assert!(commands.contains(&format!("test {file}")), "{file} is not tested");
    }
}

/// How many files the page has, and the commands.
fn run_page(path: &str) -> (usize, Vec<String>) {
    let page = std::fs::read_to_string(root().join(path)).unwrap();
    let folder = Folder::new();
    let (mut n_files, mut commands) = (0, Vec::new());
    for (kind, block) in blocks(&page) {
        match kind.split(' ').collect::<Vec<_>>()[..] {
            ["npc", file] => {
                folder.write(file, &block);
                n_files += 1;
            }
            ["npc", file, "changed"] => {
                folder.write(file, edited(&folder.read(file), &block));
                n_files += 1;
            }
            ["console"] => {
                for command in block.split("$ throng ").skip(1) {
                    let (words, told) = command.split_once('\n').unwrap();
                    let words: Vec<&str> = words.split(' ').collect();
                    let is_ours = words.iter().any(|word| word.starts_with("domains/"));
                    let place = if is_ours { root() } else { folder.path("").into() };
                    let said = program(&words).current_dir(place).output().unwrap();
                    let [out, err] =
                        [said.stdout, said.stderr].map(|it| String::from_utf8(it).unwrap());
                    assert!(said.status.success(), "throng {}\n{out}\n{err}", words.join(" "));
                    is_in(told, &out.lines().map(String::from).collect::<Vec<_>>());
                    commands.push(words.join(" "));
                }
            }
            _ => {}
        }
    }
    (n_files, commands)
}
