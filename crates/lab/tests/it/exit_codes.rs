//! The exit codes of every command: 0 yes, 1 no, 2 bad input or usage, 3 a limit was hit.
//! What Ctrl-C does is in `interrupts.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;

const MORNING: &str =
    "pick_up_bucket,fill_bucket,fill_trough,drop_bucket,take_haystack,fill_feeder";

#[test]
fn yes_is_zero() {
    let folder = Folder::new();
    let warning = folder.write("warning.npc", "domain d\nvar unused: a, b\n");
    let laid_out = folder.write("laid_out.npc", "domain d\n");
    let converted = folder.path("converted.json");
    let stream = folder.write("stream.txt", "nonsense\n");
    for words in [
        &["plan", HORSES][..],
        &["plan", HORSES, "haystack=in_feeder", "water=in_trough"],
        &["why", HORSES],
        &["whynot", HORSES],
        &["whynot", HORSES, "haystack=in_feeder"],
        &["whynot", HORSES, "--action", "store_haystack"],
        &["validate", HORSES, "--plan", MORNING],
        &["validate", HORSES, "--to", "bucket=on_floor", "--plan", ""],
        &["test", HORSES],
        &["check", HORSES],
        &["check", &warning],
        &["check", "--json", &warning],
        &["check", "--format", "short", &warning],
        &["fmt", HORSES],
        &["fmt", "--check", &laid_out],
        &["convert", HORSES, &converted],
        &["solve"],
        &["solve", "-"],
        &["solve", &stream],
        &["demo"],
    ] {
        exits(words, 0);
    }
}

#[test]
fn no_is_one() {
    let folder = Folder::new();
    let fails = folder.write("fails.npc", failing_test());
    let untidy = folder.write("untidy.npc", "domain   d\n");
    for words in [
        &["plan", HORSES, "haystack=in_feeder"][..],
        &["plan", HORSES, "haystack=in_feeder", "--json"],
        &["plan", HORSES, "--goal", "feed_horses", "haystack=in_feeder"],
        &["why", HORSES, "haystack=in_feeder"],
        &["validate", HORSES, "--plan", "fill_feeder"],
        &["validate", HORSES, "--plan", "fill_feeder", "--json"],
        &["validate", HORSES, "--plan", ""],
        &["validate", HORSES, "--plan", "no_such_action"],
        &["test", &fails],
        &["test", &fails, "--json"],
        &["fmt", "--check", &untidy],
        &["fmt", "--check", "--json", &untidy],
    ] {
        exits(words, 1);
    }
}

#[test]
fn slips_at_the_command_line_are_told_with_what_to_write() {
    let folder = Folder::new();
    let text = "domain inn\nvar hunger: 0..9\naction eat: hunger -= 1\ngoal fed: hunger <= 2\n\
                goal calm: hunger = 1\ngoal starved(n in hunger): hunger = n\n";
    let inn = folder.write("inn.npc", text);
    for (words, says) in [
        (&["plan", &inn, "hunger=9", "--goal", "fedd"][..], "did you mean `fed`?"),
        (&["plan", &inn, "hunger=9", "--goal", "starve"], "did you mean `starved`?"),
        (&["plan", &inn, "hunger=9", "--goal", "rich"], "known are: fed, calm"),
        (&["plan", &inn, "hunger=9", "--to", "hungry<=1"], "did you mean `hunger`?"),
        (&["plan", &inn, "hunger=9", "--to", "hunger>9"], "`hunger` is 0..9"),
        (&["plan", &inn, "hunger=9", "--to", "hunger=<1"], "`=<` is written `<=` here"),
        (&["plan", &inn, "hunger=9", "--to", "hunger==1"], "`==` is written `=` here"),
        (&["plan", &inn, "hunger=9", "--to", "hunger<4,hunger>6"], "no value of `hunger` is all"),
        (
            &["plan", &inn, "hunger>3", "--goal", "fed"],
            "starts with exact values, `variable=value`",
        ),
        (&["crowd", &inn, "--npcs", "1e6"], "write 1000000"),
        (&["crowd", &inn, "--npcs", "1,000"], "write 1000"),
        (&["crowd", &inn, "--npcs", "many"], "a whole number is needed"),
        (&["plan", &inn, "hunger=9", "--max-nodes", "10k"], "write 10000"),
    ] {
        let done = throng(words);
        assert_eq!(done.code, Some(2), "{words:?}");
        assert!(done.err.contains(says), "{words:?}: {}", done.err);
    }
    let help = throng(&["validate", "--help"]).out;
    let goal = help.lines().find(|line| line.contains("--goal <GOAL>")).unwrap();
    assert!(!goal.contains("has a plan"), "nothing is searched for: {goal}");
}

fn failing_test() -> String {
    format!("{STABLE}\ntest dawn: horse_breeder\n    goal feed_horses\n    expect length 1\n")
}

#[test]
fn files_that_cannot_be_used_are_two() {
    let folder = Folder::new();
    let missing = folder.path("missing.npc");
    let directory = folder.path("");
    let broken = folder.write("broken.npc", "domain d\nvar lamp off, on\n");
    let broken_json = folder.write("broken.json", "{\"throng\": 1,}");
    let empty = folder.write("empty.npc", "");
    let empty_json = folder.write("empty.json", "");
    let not_text = folder.write("not_text.npc", b"domain d\xff\n");
    let pddl = folder.write("problem.pddl", "(define (problem p))");
    let no_ending = folder.write("no_ending", STABLE);
    let out = folder.path("out.json");
    let files =
        [missing, directory, broken, broken_json, empty, empty_json, not_text, pddl, no_ending];
    for file in &files {
        refuses(&["plan", file], &["error", file]);
        refuses(&["why", file], &["error", file]);
        refuses(&["validate", file, "--plan", "a"], &["error", file]);
        refuses(&["convert", file, &out], &["error", file]);
        // These two show what they find as results.
        exits(&["check", file], 2);
        exits(&["test", file], 2);
    }
    assert!(!std::path::Path::new(&out).exists(), "nothing was converted");
    // The layout of an empty text is the empty text; the model is not asked.
    for file in files.iter().filter(|file| !file.contains("empty.npc")) {
        refuses(&["fmt", file], &["error", file]);
    }
}

#[test]
fn a_file_of_problems_must_be_a_file() {
    let folder = Folder::new();
    refuses(&["solve", &folder.path("missing.txt")], &["missing.txt", "no such file"]);
    refuses(&["solve", &folder.path("")], &["is a folder"]);
}

#[test]
fn unknown_words_are_two_and_the_nearest_known_is_named() {
    refuses(&["plan", HORSES, "--gaol", "x"], &["--gaol", "--goal"]);
    refuses(&["plna", HORSES], &["plna", "plan"]);
    refuses(&["plan", HORSES, "horse_breder"], &["horse_breder", "horse_breeder"]);
    refuses(&["plan", HORSES, "haystak=stored"], &["haystak", "haystack"]);
    refuses(&["plan", HORSES, "haystack=stord"], &["stord", "stored"]);
    refuses(&["plan", HORSES, "--goal", "feed_horse"], &["feed_horse", "feed_horses"]);
    refuses(&["plan", HORSES, "--to", "watr=in_trough"], &["watr", "water"]);
    refuses(&["plan", HORSES, "--to", "water=in_trogh"], &["in_trogh", "in_trough"]);
    refuses(&["plan", HORSES, "--planner", "forwad"], &["forwad", "forward"]);
    refuses(&["plan", HORSES, "--mode", "cheapst"], &["cheapst", "cheapest"]);
    refuses(&["plan", HORSES, "--without", "rain"], &["rain", "has none"]);
    let folder = Folder::new();
    let stable = folder.write("stable.npc", STABLE);
    refuses(&["plan", &stable, "--without", "trough_reachabel"], &["trough_reachable`?"]);
    refuses(&["plan", &stable, "--only", "trough_reachabel"], &["trough_reachable`?"]);
    refuses(&["validate", &stable, "--goal", "fed", "--plan", "a"], &["unknown goal `fed`"]);
}

#[test]
fn an_unknown_planner_is_two_and_the_known_ones_are_listed() {
    let parts = ["gaop", "goap"];
    refuses(&["plan", HORSES, "--planner", "gaop"], &parts);
}

#[test]
fn words_in_the_wrong_place_are_two_and_their_place_is_named() {
    let folder = Folder::new();
    let stable = folder.write("stable.npc", STABLE);
    let parts = &["is a goal", "--goal feed_horses"];
    refuses(&["plan", &stable, "feed_horses"], parts);
    refuses(&["plan", &stable, "trough_reachable"], &["is a check", "--without"]);
    refuses(&["plan", &stable, "haystack", "=", "stored"], &["is a variable", "without blanks"]);
    refuses(&["plan", &stable, "horse_breeder", "horse_breeder"], &["one NPC at a time"]);
    refuses(&["plan", &stable, "--to", "water"], &["`water`", "variable=value"]);
    refuses(&["plan", &stable, "--to", ""], &["--to", "variable=value"]);
    refuses(&["plan", &stable, "water=in_bucket", "water=in_trough"], &["one value"]);
    refuses(&["plan", &stable, "--to", "water=in_bucket,water=in_trough"], &["one value"]);
}

#[test]
fn options_that_exclude_each_other_or_make_no_sense_are_two() {
    refuses(&["plan", HORSES, "--goal", "feed_horses", "--to", "water=in_trough"], &["--to"]);
    refuses(&["plan", HORSES, "--without", "a", "--only", "b"], &["--only"]);
    refuses(&["fmt", "--check", "--write", HORSES], &["--write"]);
    for states in ["0", "-1", "many"] {
        refuses(&["plan", HORSES, "--max-nodes", states], &["--max-nodes", "above zero"]);
    }
    for megabytes in ["0", "-1", "nan", "much", "0,5"] {
        refuses(&["plan", HORSES, "--memory", megabytes], &["--memory", "above zero"]);
    }
}

#[test]
fn missing_words_are_two() {
    for words in [&["plan"][..], &["why"], &["check"], &["fmt"], &["convert", HORSES], &["test"]] {
        refuses(words, &["required arguments", "Usage"]);
    }
    refuses(&["validate", HORSES], &["--plan"]);
}

#[test]
fn several_npcs_without_a_choice_are_two_and_all_are_listed() {
    let all = ["HorseBreeder", "Blacksmith", "Bartender", "Shopkeeper", "Lumberjack", "Fisherman"];
    refuses(&["plan", WESTERN], &all);
    refuses(&["why", WESTERN], &all);
    refuses(&["validate", WESTERN, "--plan", "a"], &all);
}

#[test]
fn an_npc_without_goals_is_two_unless_values_are_wanted() {
    let folder = Folder::new();
    let text = "domain d\nvar lamp: off, on\naction light: lamp off -> on\n\
                npc idler\n    can light\n    starts lamp = off\n";
    let file = folder.write("idler.npc", text);
    refuses(&["plan", &file], &["idler", "wants nothing", "--goal", "--to"]);
    refuses(&["validate", &file, "--plan", "light"], &["idler", "wants nothing"]);
    exits(&["plan", &file, "--to", "lamp=on"], 0);
    exits(&["validate", &file, "--to", "lamp=on", "--plan", "light"], 0);
}

#[test]
fn limits_are_three_and_json_is_still_printed() {
    for (limit, code) in
        [(["--max-nodes", "1"], "node_limit"), (["--memory", "0.0001"], "memory_limit")]
    {
        for command in ["plan", "why", "whynot"] {
            // A search: other planners may be done before they reach a limit.
            let words = [command, HORSES, "--planner", "forward", limit[0], limit[1]];
            let said = exits(&words, 3);
            let named = format!("(`{}`) was reached", limit[0]);
            assert_has(&said.out, &["gave up", "the limit of ", &named]);
            let answer = exits(&[&words[..], &["--json"]].concat(), 3).json();
            assert_eq!(answer["outcome"], "gave_up");
            assert_eq!(answer["reason"]["code"], code);
        }
    }
}

#[test]
fn a_limit_that_is_not_reached_changes_nothing() {
    let free = exits(&["plan", HORSES, "--json"], 0);
    let limited = exits(&["plan", HORSES, "--json", "--max-nodes", "1000", "--memory", "0.5"], 0);
    assert_eq!(free.out, limited.out);
}

#[test]
#[cfg(unix)]
fn words_that_are_not_text_are_two() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let strange = OsStr::from_bytes(b"hay\xffstack=stored");
    for words in [
        &[OsStr::new("plan"), OsStr::new(HORSES), strange][..],
        &[OsStr::new("plan"), strange],
        &[OsStr::new("check"), strange],
        &[strange],
    ] {
        let output = program(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{words:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_two_and_a_message() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = program(&["demo"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert_has(&message, &["cannot write the results", "No space left"]);
}

#[test]
#[cfg(unix)]
fn nobody_reading_the_messages_does_not_make_bad_input_good() {
    let folder = Folder::new();
    let broken = folder.write("broken.npc", "domain d\nvar lamp off, on\n");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = program(&["plan", &broken]).stderr(writer).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
