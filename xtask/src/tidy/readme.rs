//! The commands that the README shows, run.
//!
//! In:   the README's fenced `console` and `sh` blocks, but those behind `<!-- not run -->`.
//! Out:  a finding for every `cargo run …` or `throng …` that does not end with exit code 0.
//! Cost: a build in the profile of the tests, which is there already, and what the commands do.
//!
//! A block with `$ ` prompts has commands behind them and output elsewhere; in a block without
//! prompts every line is a command. Other commands (`cargo xtask test` above all) are not run.

use super::Finding;
use crate::command::{built, cargo, root, run as run_command};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const PAGE: &str = "README.md";
const NOT_RUN: &str = "<!-- not run -->";

/// Runs the README's commands.
pub(super) fn check(root: &Path, findings: &mut Vec<Finding>) {
    let Ok(text) = fs::read_to_string(root.join(PAGE)) else {
        findings.push(Finding::error(PAGE, 0, "there is no README"));
        return;
    };
    // Built first: if it cannot be built, that is one finding, not one for each command.
    let build = ["build", "--quiet", "--workspace", "--all-features", "--profile", "ci"];
    // The published program has the same name, and would be written to the same file.
    let which = ["--exclude", "throng-cli", "--bin", "throng"];
    if let Err(why) = run_command(&mut cargo(&[&build[..], &which].concat())) {
        findings.push(Finding::error(PAGE, 0, why));
        return;
    }
    for (line, words) in commands(&text) {
        if let Err(why) = words.and_then(|words| run(&words)) {
            findings.push(Finding::error(PAGE, line, why));
        }
    }
}

/// Runs one command; `throng` is the program of this repository.
fn run(words: &[String]) -> Result<(), String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut command = match words[..] {
        // As the tests are built: a release build of everything would only be slower to make.
        ["throng", ref rest @ ..] | ["cargo", "run", "--release", "--", ref rest @ ..] => {
            let mut command = Command::new(built("ci", "throng")?);
            command.args(rest).current_dir(root());
            command
        }
        ["cargo", ref rest @ ..] => cargo(rest),
        _ => return Err(format!("`{}` is neither cargo nor throng", words.join(" "))),
    };
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last: Vec<&str> = said.lines().rev().take(8).collect();
    let last: String = last.iter().rev().map(|line| format!("\n    {line}")).collect();
    Err(format!("`{}` ends with {}{last}", words.join(" "), output.status))
}

/// The commands to run: the line each stands on, and its words or why it cannot be run.
fn commands(text: &str) -> Vec<(usize, Result<Vec<String>, String>)> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate();
    let mut before = "";
    while let Some((_, line)) = lines.next() {
        let Some(language) = line.trim_start().strip_prefix("```") else {
            if !line.trim().is_empty() {
                before = line.trim();
            }
            continue;
        };
        let block = lines.by_ref().take_while(|(_, line)| line.trim() != "```");
        let block: Vec<(usize, &str)> = block.collect();
        if matches!(language.trim(), "console" | "sh") && before != NOT_RUN {
            found.extend(of_block(&block));
        }
        before = "";
    }
    found
}

fn of_block(block: &[(usize, &str)]) -> Vec<(usize, Result<Vec<String>, String>)> {
    let prompted = block.iter().any(|(_, line)| line.starts_with("$ "));
    let typed = |line: &'_ str| match prompted {
        true => line.strip_prefix("$ ").map(str::to_string),
        false => Some(line.to_string()),
    };
    let typed = block.iter().filter_map(|&(at, line)| Some((at + 1, typed(line)?)));
    let ours = typed.filter(|(_, line)| {
        let mut words = line.split_whitespace();
        matches!((words.next(), words.next()), (Some("throng"), _) | (Some("cargo"), Some("run")))
    });
    ours.map(|(at, line)| (at, words(&line))).collect()
}

/// A command in words, quotes taken off; a `#` begins a comment. What only a shell can do is
/// refused.
fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    let mut quote = None;
    let mut begins = true;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => words.last_mut().into_iter().for_each(|word| word.push(c)),
            (None, '#') if begins => break,
            (None, '|' | '>' | '<' | '&' | ';' | '`') => {
                let story = "only a shell can run; put `<!-- not run -->` before the block";
                return Err(format!("`{line}`: `{c}` is something that {story}"));
            }
            (None, c) if c.is_whitespace() => begins = true,
            (None, c) => {
                if std::mem::take(&mut begins) {
                    words.push(String::new());
                }
                match c {
                    '"' | '\'' => quote = Some(c),
                    _ => words.last_mut().into_iter().for_each(|word| word.push(c)),
                }
            }
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(usize, &[&str])]) {
        let found: Vec<_> =
            commands(text).into_iter().map(|(line, words)| (line, words.unwrap())).collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(line, words)| (*line, words.iter().map(|w| w.to_string()).collect::<Vec<_>>()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn commands_stand_in_console_blocks() {
        check(
            "a\n```console\ncargo run -- demo   # main job\ncargo xtask test\n```\n```rust\nthrong\n```\n```sh\nthrong check a.npc\n```\n",
            &[(3, &["cargo", "run", "--", "demo"]), (10, &["throng", "check", "a.npc"])],
        );
    }

    #[test]
    fn behind_prompts_only_prompts_count() {
        check("```console\n$ throng demo\nthrong is great\n```\n", &[(2, &["throng", "demo"])]);
    }

    #[test]
    fn a_remark_keeps_a_block_from_running() {
        check(
            "<!-- not run -->\n\n```console\nthrong demo\n```\nx\n```sh\nthrong x\n```",
            &[(8, &["throng", "x"])],
        );
    }

    #[test]
    fn quotes_keep_words_together_and_shells_are_refused() {
        assert_eq!(
            words("throng plan --only \"\" 'a b'c #d").unwrap(),
            ["throng", "plan", "--only", "", "a bc"]
        );
        assert!(words("throng solve < a").is_err());
        assert!(words("echo '|'").is_ok());
    }
}
