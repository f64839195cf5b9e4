//! What a newcomer sees first: usage, help with examples, the version, the demonstration.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;

/// The commands that a help text lists.
fn commands(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let words = lines.map_while(|line| line.split_whitespace().next());
    words.filter(|word| *word != "help").collect()
}

/// Checks the help of a command, and of the commands it is a group of.
fn check_help(command: &[&str]) {
    let said = exits(&[command, &["--help"]].concat(), 0);
    assert_eq!(said.err, "", "{command:?}");
    assert_has(&said.out, &["Usage", "Example", &format!("throng {}", command.join(" "))]);
    assert_eq!(exits(&[&["help"], command].concat(), 0).out, said.out);
    let members = commands(&said.out);
    if members.is_empty() {
        assert_has(&said.out, &["--json"]);
    }
    members.iter().for_each(|member| check_help(&[command, &[member]].concat()));
}

#[test]
fn every_command_has_help_with_an_example() {
    let help = exits(&["--help"], 0).out;
    commands(&help).iter().for_each(|command| check_help(&[command]));
}

#[test]
fn help_lists_every_command_and_the_exit_codes() {
    let said = exits(&["--help"], 0);
    for command in [
        "demo", "check", "fmt", "convert", "plan", "why", "whynot", "test", "solve", "validate",
        "crowd", "play", "replay", "stats",
    ] {
        assert!(commands(&said.out).contains(&command), "{}", said.out);
    }
    assert_has(&said.out, &["Exit codes", "130", "throng demo"]);
    assert_eq!(said.err, "");
}

#[test]
fn the_first_steps_of_the_help_work() {
    let help = exits(&["--help"], 0).out;
    let steps: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("  throng ")).collect();
    assert!(steps.len() >= 3, "{help}");
    for step in steps {
        exits(&step.split_whitespace().collect::<Vec<_>>(), 0);
    }
}

#[test]
fn the_program_alone_prints_usage_and_exits_with_two() {
    refuses(&[], &["Usage: throng <COMMAND>", "demo", "plan"]);
}

#[test]
fn the_version_is_that_of_the_package() {
    let said = exits(&["--version"], 0);
    assert_eq!(said.out, format!("throng {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_demonstration_shows_a_plan_a_reason_and_a_town() {
    let said = exits(&["demo", "--npcs", "5000"], 0);
    assert!(said.out.lines().count() >= 10, "{}", said.out);
    assert_has(&said.out, &["6. fill_feeder", "cannot be reached", "Blacksmith", "Try next"]);
    assert_eq!(said.err, "");
}

#[test]
fn the_demonstration_ends_with_a_crowd_and_three_numbers() {
    let said = exits(&["demo", "--npcs", "5000"], 0);
    assert_has(&said.out, &["5,000 NPCs of 16 kinds", "steps done", "goals reached"]);
    for number in ["    direct  ", "    shared  ", "    end to end  "] {
        let mut lines = said.out.lines().filter_map(|line| line.strip_prefix(number));
        let told = lines.next().unwrap_or_else(|| panic!("`{number}` in {}", said.out));
        assert_eq!(lines.next(), None, "each number once: {}", said.out);
        let (digits, what) = told.trim().split_once(' ').unwrap();
        assert!(what.starts_with("answers a second"), "{told}");
        assert!(digits.replace(',', "").parse::<u64>().unwrap() > 0, "{told}");
    }
}

#[test]
fn what_the_demonstration_proposes_works() {
    let demo = exits(&["demo", "--npcs", "1000"], 0).out;
    let (_, next) = demo.split_once("Try next").unwrap();
    let steps = next.lines().filter_map(|line| line.trim().strip_prefix("throng "));
    let steps: Vec<Vec<&str>> = steps.map(|step| step.split_whitespace().collect()).collect();
    assert!(steps.len() >= 3, "{demo}");
    steps.iter().for_each(|step| {
        exits(step, 0);
    });
}

#[test]
fn the_demonstration_as_json_lists_the_goals_of_the_town() {
    let town = exits(&["demo", "--json"], 0).json();
    let goals = town.as_array().unwrap();
    assert_eq!(goals.len(), 9);
    for goal in goals {
        assert_keys(goal, &["npc", "goal", "length", "plan"]);
        assert_eq!(goal["plan"].as_array().unwrap().len() as u64, goal["length"]);
    }
}
