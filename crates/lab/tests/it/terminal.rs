//! Nothing that anybody writes into a file, a name or an argument steers a terminal: every command
//! is fed with what terminals obey, everywhere, and what it prints is looked at letter by letter.
//!
//! That there is no other way to print than through the console is looked at by `cargo xtask tidy`
//! and by the compiler: the streams are private to it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;
use throng_base::SplitMix;
use throng_cli::edge::is_obeyed;
use throng_cli::{Console, Terminal};

/// What terminals obey: colours that are not ours, titles, cursors, bells, directions.
const HOSTILE: [&str; 16] = [
    "\u{1b}[35;5m",
    "\u{1b}]0;title\u{7}",
    "\u{1b}[2J",
    "\u{1b}",
    "\u{7}",
    "\u{8}",
    "\r",
    "\u{7f}",
    "\u{9b}31m",
    "\u{85}",
    "\u{202e}",
    "\u{2066}",
    "\u{200f}",
    "\u{61c}",
    "\t",
    "\u{0}",
];

/// Files, each with its name; commands name them.
const STORY: &str = "../../domains/stories/door.npc";
const DOMAIN: &str = "domain house
# a comment
var lamp: off, on
var hay: 0..3
action light: lamp off -> on  if oil  cost 2
action fetch(p in hay): hay -> p  while lamp = on
action wait:
goal bright: lamp = on
goal fed: hay > 1
npc owner
    can light, fetch, wait
    wants bright, fed
    starts lamp = off, hay = 0
test evening: owner
    goal bright
    expect length 1
";
const TWIN: &str = r#"{"throng": 1, "domain": "d", "variables": [{"name": "v", "values": ["a", "b"]}], "actions": [{"name": "ab", "requires": {"v": "a"}, "sets": {"v": "b"}}], "goals": [{"name": "g", "wants": {"v": "b"}}]}"#;
const SAS: &str = "begin_version\n3\nend_version\nbegin_metric\n0\nend_metric\n1\nbegin_variable\nvar0\n-1\n2\nAtom lamp(on)\nNegatedAtom lamp(on)\nend_variable\n0\nbegin_state\n1\nend_state\nbegin_goal\n1\n0 0\nend_goal\n1\nbegin_operator\nturn on\n0\n1\n0 0 1 0\n1\nend_operator\n0\n";
const PDDL: &str = "(define (domain d) (:requirements :strips)\n(:predicates (on ?x) (off ?x))\n; more\n(:action turn :parameters (?x) :precondition (off ?x) :effect (and (on ?x) (not (off ?x)))))\n";
const PROBLEM: &str =
    "(define (problem p) (:domain d)\n(:objects lamp)\n(:init (off lamp))\n(:goal (on lamp)))\n";
const PLAN: &str = "(turn lamp)\n; cost = 1\n";
const LINES: &str = "{\"id\": \"x\", \"file\": \"a.npc\", \"npc\": \"owner\", \"goal\": \"bright\"}\n{\"id\": [1], \"file\": \"no.npc\", \"goal\": \"g\"}\nnonsense\n";
const FORMULA: &str = "p cnf 3 1\n1 -2 3 0\n";

/// Command lines; a name of a file stands for its path.
#[rustfmt::skip]
const COMMANDS: [&[&str]; 46] = [
    &["check", "a.npc"], &["check", "a.npc", "--format", "short"], &["check", "a.json", "--json"],
    &["fmt", "a.npc"], &["fmt", "a.npc", "--check"], &["fmt", "a.npc", "--json", "--check"],
    &["convert", "a.npc", "-", "--out-format", "json"], &["convert", "a.json", "-", "--out-format", "npc"], &["convert", "a.sas", "-", "--out-format", "npc"],
    &["convert", "a.npc", "-", "--out-format", "sas", "--goal", "bright"],
    &["classes", "a.npc"], &["classes", "a.npc", "--json"], &["classes", "a.npc", "--formal"],
    &["plan", "a.npc", "owner"], &["plan", "a.npc", "owner", "--goal", "bright", "--json"], &["plan", "a.npc", "owner", "--to", "lamp=on"],
    &["plan", "a.json", "--goal", "g"], &["plan", "a.npc", "owner", "--without", "oil"],
    &["why", "a.npc", "owner"], &["why", "a.npc", "--json"], &["whynot", "a.npc", "owner", "--without", "oil"],
    &["whynot", "a.npc", "owner", "--action", "wait"], &["test", "a.npc"], &["test", "a.npc", "--json"], &["test", "a.npc", "story.npc"],
    &["validate", "a.npc", "owner", "--goal", "bright", "--plan", "light"],
    &["stats", "a.npc"], &["stats", "a.npc", "--json", "--npc", "owner"], &["stats", "story.npc"],
    &["play", "story.npc", "--fast"], &["play", "story.npc", "--at", "3s"], &["play", "story.npc"], &["play", "story.npc", "--fast", "--json"],
    &["watch", "a.npc", "--once"], &["crowd", "a.npc", "--npcs", "10", "--frames", "2"],
    &["sas", "solve", "a.sas"], &["sas", "info", "a.sas", "--json"], &["sas", "solve", "a.sas", "--json"],
    &["pddl", "solve", "d.pddl", "p.pddl"], &["pddl", "solve", "d.pddl", "p.pddl", "--json", "--stats"], &["pddl", "info", "d.pddl", "p.pddl"],
    &["pddl", "validate", "d.pddl", "p.pddl", "a.plan"],
    &["solve", "lines.txt", "--root", "."], &["gen", "rust", "a.npc"], &["gen", "threesat", "f.cnf"], &["gen", "tunnel", "3"],
];

struct Dice(SplitMix);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    /// A text with some of what terminals obey in it.
    fn hostile(&mut self, text: &str) -> String {
        let mut text = text.to_string();
        for _ in 0..=self.below(3) {
            let places: Vec<usize> =
                text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            text.insert_str(places[self.below(places.len())], HOSTILE[self.below(HOSTILE.len())]);
        }
        text
    }
}

/// A file that is as good as before: what is hostile stands where anything may stand.
fn quietly(name: &str, text: &str, dice: &mut Dice) -> String {
    let hostile = dice.hostile("x").replace(['\r', '\0'], "\u{1b}");
    match name.rsplit('.').next() {
        Some("npc") => format!("{text}# {hostile}\n"),
        Some("pddl" | "plan") => format!("{text}; {hostile}\n"),
        Some("sas") => text.replace("turn on", &format!("turn {hostile}")),
        Some("json") => text.replace("\"ab\"", "\"a\u{202e}b\"").replace("\"g\"", "\"\u{2066}g\""),
        _ => text.to_string(),
    }
}

/// Runs a command in this process, as on a terminal.
fn shown(words: &[String], colour: bool) -> (u8, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let terminal =
        Terminal { reads_out: true, colour_out: colour, colour_err: colour, ..Terminal::default() };
    let console = Console::new(std::io::empty(), &mut out, &mut err).read_by(terminal);
    let words = std::iter::once("throng".to_string()).chain(words.iter().cloned());
    let code = throng_lab::commands::run(words, console);
    out.extend(err);
    (code, String::from_utf8(out).expect("UTF-8"))
}

/// Takes our colours away; those of the hostile texts are others.
fn without_our_colours(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        let code = after.find('m').map(|end| &after[..end]);
        let ours = code.is_some_and(|code| {
            code != "35;5" && code.chars().all(|c| c.is_ascii_digit() || c == ';')
        });
        match (ours, code) {
            (true, Some(code)) => rest = &after[code.len() + 1..],
            _ => {
                plain.push_str("\u{1b}[");
                rest = after;
            }
        }
    }
    plain + rest
}

fn files() -> [(&'static str, String); 10] {
    let story = std::fs::read_to_string(root().join("domains/stories/door.npc")).expect(STORY);
    let texts = [DOMAIN, TWIN, SAS, PDDL, PROBLEM, PLAN, LINES, FORMULA];
    let names = ["a.npc", "a.json", "a.sas", "d.pddl", "p.pddl", "a.plan", "lines.txt", "f.cnf"];
    let [a, b, c, d, e, f, g, h] =
        [0, 1, 2, 3, 4, 5, 6, 7].map(|at| (names[at], texts[at].to_string()));
    [a, b, c, d, e, f, g, h, ("story.npc", story), (".", String::new())]
}

#[test]
fn nothing_that_anybody_writes_steers_a_terminal() {
    let folder = Folder::new();
    let (mut refused, mut fine) = (0, 0);
    for seed in 0..1_500_u64 {
        let mut dice = Dice(SplitMix::new(seed));
        let command = COMMANDS[seed as usize % COMMANDS.len()];
        // What is hostile: the text of a file anywhere, a word, its name, its comments and names.
        let kind = dice.below(4);
        let place = dice.below(command.len());
        let mut words = Vec::new();
        for (at, &word) in command.iter().enumerate() {
            let text = files().into_iter().find(|(name, _)| *name == word).map(|(_, text)| text);
            let word = match text {
                // Where a file is written, another name is a file; not among the sources.
                None if kind == 1 && at == place && word == "-" => {
                    folder.path(&dice.hostile(word).replace(['\0', '/'], ""))
                }
                // Without this word it would watch for ever.
                None if kind == 1 && at == place && word != "--once" => dice.hostile(word),
                None => word.to_string(),
                Some(_) if word == "." => folder.path(""),
                Some(text) => {
                    let text = match kind {
                        0 => dice.hostile(&text),
                        1 | 2 => text,
                        _ => quietly(word, &text, &mut dice),
                    };
                    let name = if kind == 2 {
                        dice.hostile("n").replace('\0', "") + word
                    } else {
                        word.to_string()
                    };
                    folder.write(&name, text)
                }
            };
            words.push(word.replace('\0', ""));
        }
        let colour = dice.below(2) == 0;
        let (code, text) = shown(&words, colour);
        *(if code == 2 { &mut refused } else { &mut fine }) += 1;
        let plain = if colour { without_our_colours(&text) } else { text.clone() };
        let found: Vec<char> = plain.chars().filter(|&c| is_obeyed(c)).collect();
        assert!(found.is_empty(), "seed {seed}: {words:?} printed {found:?}\n{text:?}");
        for name in folder.names() {
            let _ = std::fs::remove_file(folder.path(&name));
        }
    }
    println!("{fine} command lines answered, {refused} refused");
    assert!(fine > 300 && refused > 400, "{fine} {refused}");
}

#[test]
fn without_it_every_command_line_is_answered() {
    let folder = Folder::new();
    for command in COMMANDS {
        let path = |word: &str| {
            let file = files().into_iter().find(|(name, _)| *name == word);
            match file {
                Some((".", _)) => folder.path(""),
                Some((name, text)) => folder.write(name, text),
                None => word.to_string(),
            }
        };
        let words: Vec<String> = command.iter().map(|word| path(word)).collect();
        let (code, text) = shown(&words, false);
        assert_ne!(code, 2, "{words:?}\n{text}");
        for name in folder.names() {
            let _ = std::fs::remove_file(folder.path(&name));
        }
    }
}

#[test]
fn an_operator_that_paints_is_shown_and_not_obeyed() {
    let folder = Folder::new();
    let paints = SAS.replace("turn on", "turn\u{1b}[31m on").replace("var0", "var\u{1b}[31m0");
    let file = folder.write("paints.sas", paints);
    let said = exits(&["sas", "solve", &file], 0);
    assert_eq!(said.out, "(turn␛[31m on)\n; cost = 1 (unit cost)\n");
    // For programs it is the same text, written by numbers.
    let said = exits(&["sas", "solve", &file, "--json"], 0);
    assert!(said.out.contains("\\u001b[31m"), "{said:?}");
    assert_eq!(said.json()["plan"][0], "(turn\u{1b}[31m on)");
}

#[test]
fn what_the_environment_says_is_not_obeyed_either() {
    for name in ["COLUMNS", "LINES", "TERM", "NO_COLOR", "LANG", "RUST_BACKTRACE"] {
        let said = program(&["play", "door", "--at", "2s"])
            .env(name, "\u{1b}[35;5m\u{202e}")
            .output()
            .unwrap();
        let text = String::from_utf8([said.stdout, said.stderr].concat()).unwrap();
        assert!(!text.contains(is_obeyed), "{name}: {text:?}");
    }
}

#[test]
fn a_file_goes_to_a_program_to_the_letter_and_to_a_terminal_visibly() {
    let folder = Folder::new();
    let text = "domain d\n# \u{202e}mine\u{1b}[2J\nvar a: 0, 1\naction go: a 0 -> 1\n";
    let file = folder.write("a.npc", text);
    assert_eq!(exits(&["fmt", &file], 0).out, text);
    let (_, seen) = shown(&["fmt".to_string(), file], false);
    assert_eq!(seen, text.replace('\u{202e}', "\u{fffd}").replace('\u{1b}', "␛"));
}
