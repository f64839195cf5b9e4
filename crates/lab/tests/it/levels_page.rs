//! The page `docs/levels.md` is true: its files are written as they stand there, its commands are run
//! where the files are, and they print what the page shows.
//!
//! In:   the page's blocks: `npc FILE` (a file), `npc FILE changed` (statements that are added to it, or
//!       take the place of those of the same name), `console` (commands and what they print; `…` for
//!       any lines between). Commands about `domains` are run in the repository.
//! Out:  the block that is not true.

use crate::common::*;
use crate::page_blocks::{blocks, edited, is_in};

#[test]
fn files_of_the_page_load_and_its_commands_print_what_it_shows() {
    let page = std::fs::read_to_string(root().join("docs/levels.md")).unwrap();
    let folder = Folder::new();
    let (mut n_files, mut n_commands) = (0, 0);
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
                    n_commands += 1;
                }
            }
            _ => {}
        }
    }
    assert!(n_files >= 15 && n_commands >= 10, "{n_files} files, {n_commands} commands");
}
