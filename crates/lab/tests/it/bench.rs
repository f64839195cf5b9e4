//! `throng bench`: records, files, and what is refused. Sizes are tiny (`--quick`): these tests
//! look at shapes and answers, never at times.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;
use std::collections::BTreeSet;

const SUITES: [&str; 5] = ["papers", "limits", "growth", "scaling", "competition"];

#[test]
fn every_suite_prints_one_list_of_records() {
    for suite in SUITES {
        let said = exits(&["bench", suite, "--quick", "--json"], 0);
        assert_eq!(said.err, "", "{suite}: progress is for terminals");
        let rows = said.json();
        let rows = rows.as_array().unwrap();
        assert!(!rows.is_empty(), "{suite}");
        let names: BTreeSet<String> = rows.iter().map(|row| row["name"].to_string()).collect();
        assert_eq!(names.len(), rows.len(), "{suite}: every row has a name of its own");
        for row in rows {
            let keys = ["name", "ours", "theirs", "against", "ratio", "unit", "protocol", "spread"];
            assert_keys(row, &keys);
            assert!(row["protocol"].as_str().is_some_and(|how| !how.is_empty()), "{row}");
            assert!(row["name"].as_str().is_some_and(|name| !name.is_empty()), "{row}");
            assert!(["ours", "theirs", "ratio"].iter().all(|key| row[*key].is_number()), "{row}");
        }
    }
}

#[test]
fn without_a_folder_only_tables_are_printed() {
    for suite in SUITES {
        let said = exits(&["bench", suite, "--quick"], 0);
        assert_has(&said.out, &["| row | ours | theirs | unit | against | ratio |"]);
    }
}

#[test]
fn the_papers_come_as_figures_points_and_a_page() {
    let folder = Folder::new();
    let out = folder.path("new/papers");
    exits(&["bench", "papers", "--quick", "--out", &out], 0);
    for figure in ["figure1", "figure2", "figure3", "section6"] {
        let svg = folder.read(&format!("new/papers/{figure}.svg"));
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{figure}");
        assert!(folder.read(&format!("new/papers/{figure}.csv")).lines().count() > 2, "{figure}");
    }
    let page = folder.read("new/papers/papers.md");
    assert_has(
        &page,
        &["bench papers --out", "figure1.svg", "16 cycles", "**direct**", "P as printed"],
    );
    // Ours is right on every pair, the printed ones are not: also a quick look shows that.
    let answers = folder.read("new/papers/answers.csv");
    let cells: Vec<Vec<&str>> =
        answers.lines().skip(1).map(|row| row.split(',').collect()).collect();
    assert!(cells.iter().filter(|row| row[1] == "Throng").all(|row| row[2] == row[4]), "{answers}");
    let refused = |row: &Vec<&str>| row[5] != "0";
    assert!(cells.iter().any(|row| row[1] == "TopoPlan as printed" && refused(row)), "{answers}");
}

#[test]
fn growth_comes_as_figures_points_and_a_page() {
    let folder = Folder::new();
    let out = folder.path("growth");
    exits(&["bench", "growth", "--quick", "--out", &out], 0);
    for name in ["growth_time.svg", "growth_time.csv", "growth_bytes.svg", "growth.md"] {
        assert!(!folder.read(&format!("growth/{name}")).is_empty(), "{name}");
    }
    let page = folder.read("growth/growth.md");
    assert_has(
        &page,
        &["**variables**", "**values**", "**actions**", "**needs**", "**npcs**", "**crowd**"],
    );
}

#[test]
fn limits_have_all_rows_and_a_page_that_keeps_three_numbers_apart() {
    let folder = Folder::new();
    let out = folder.path("limits");
    let said = exits(&["bench", "limits", "--quick", "--json", "--out", &out], 0);
    let rows = said.json();
    let names: BTreeSet<&str> =
        rows.as_array().unwrap().iter().filter_map(|row| row["name"].as_str()).collect();
    for name in [
        "ids_u16_3m",
        "ids_u16_3m_hot",
        "ids_u16_3m_two_threads",
        "plans_u64_3m",
        "plans_u64_3m_two_threads",
        "crowd_ids_3m",
        "table_vs_direct",
        "direct_two_threads",
        "wide_vs_direct",
        "wide_mask_vs_direct",
        "wide_portable_vs_direct",
        "wide_3m",
        "build_western_tables",
        "bytes_per_npc",
        "bytes_per_npc_all",
        "end_to_end_1m_1_percent",
        "end_to_end_1m_1_percent_median",
        "end_to_end_1m_busy",
        "end_to_end_1m_all",
        "end_to_end_1m_dice",
        "end_to_end_1m_steps",
    ] {
        assert!(names.contains(name), "{name} of {names:?}");
    }
    let page = folder.read("limits/limits.md");
    assert_has(&page, &["## Direct", "## Shared", "## End to end", "limits.svg", "bars hold"]);
    assert!(folder.read("limits/limits.svg").trim_end().ends_with("</svg>"));
    assert_eq!(folder.read("limits/limits.csv").lines().count(), 13);
}

#[test]
fn the_peak_of_a_case_is_a_number_of_bytes() {
    for case in ["nothing:0", "variables:1000", "npcs:100", "crowd:100"] {
        let said = throng(&["bench", "growth", "--peak", case]);
        if cfg!(target_os = "linux") {
            assert_eq!(said.code, Some(0), "{said:?}");
            assert!(said.out.trim().parse::<u64>().is_ok_and(|bytes| bytes > 0), "{said:?}");
        }
    }
    refuses(&["bench", "growth", "--peak", "moons:3"], &["no case `moons:3`"]);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    refuses(&["bench"], &["Usage: throng bench", "papers", "limits", "growth"]);
    refuses(&["bench", "speed"], &["unrecognized subcommand 'speed'"]);
    let folder = Folder::new();
    let file = folder.write("taken", "");
    refuses(&["bench", "limits", "--quick", "--out", &file], &["cannot make the folder"]);
}

#[test]
fn boxes_come_as_one_table_figures_points_and_a_page() {
    let folder = Folder::new();
    for suite in ["scaling", "competition"] {
        exits(&["bench", suite, "--quick", "--out", &folder.path("boxes")], 0);
        let page = folder.read(&format!("boxes/{suite}.md"));
        let rows = ["plain", "seed, array", "seed, bit set", "seed, array, computed", "grounded"];
        assert_has(&page, &rows);
        assert_has(&page, &["**places**", "**creatures**", "**unsolvable**", "Measured at "]);
        for figure in ["time", "bytes"] {
            assert!(folder.read(&format!("boxes/{suite}_{figure}.svg")).starts_with("<svg"));
        }
        let csv = folder.read(&format!("boxes/{suite}.csv"));
        let widths: BTreeSet<usize> = csv.lines().map(|line| line.split(',').count()).collect();
        assert_eq!(widths, BTreeSet::from([15]), "{csv}");
    }
    let case = "carry:boxes-scaling-3-2-1:bits";
    let peak = exits(&["bench", "growth", "--peak", case], 0).out;
    assert!(peak.trim().parse::<u64>().is_ok_and(|bytes| bytes > 0), "{peak}");
    refuses(&["bench", "growth", "--peak", "carry:boxes-scaling-3-2-1:other"], &["no case"]);
}

/// Rows of a page's CSV, each split behind its first `n` cells.
fn first_cells(csv: &str, n: usize) -> BTreeSet<Vec<String>> {
    let cells = |row: &str| row.split(',').take(n).map(str::to_string).collect();
    csv.lines().skip(1).map(cells).collect()
}

#[test]
fn what_does_not_depend_on_time_is_as_the_pages_say() {
    let folder = Folder::new();
    let page = |path: &str| std::fs::read_to_string(root().join("docs").join(path)).unwrap();
    // Lengths, counts of states, bytes of tables: all but the peak and the time.
    for suite in ["scaling", "competition"] {
        exits(&["bench", suite, "--quick", "--out", &folder.path(suite)], 0);
        let now = first_cells(&folder.read(&format!("{suite}/{suite}.csv")), 13);
        let told = first_cells(&page(&format!("boxes/{suite}.csv")), 13);
        assert!(now.len() >= 40, "{suite}: {} rows", now.len());
        let drifted: Vec<_> = now.difference(&told).collect();
        assert!(drifted.is_empty(), "docs/boxes/{suite}.csv says otherwise: {drifted:#?}");
    }
    // Who answers rightly, on the games that a quick look asks whole.
    exits(&["bench", "papers", "--quick", "--out", &folder.path("papers")], 0);
    let told = first_cells(&page("papers/answers.csv"), 9);
    let now = first_cells(&folder.read("papers/answers.csv"), 9);
    let whole = ["western_restricted", "western", "machines"];
    let now: BTreeSet<_> = now.into_iter().filter(|row| whole.contains(&row[0].as_str())).collect();
    assert_eq!(now.len(), 12);
    let drifted: Vec<_> = now.difference(&told).collect();
    assert!(drifted.is_empty(), "docs/papers/answers.csv says otherwise: {drifted:#?}");
    // What minds ask and take, whatever the day's length.
    let page = page("mind-costs/minds.md");
    let said = exits(&["bench", "minds", "--quick", "--json"], 0).json();
    for name in ["planner_calls", "heavy_per_tick", "bytes_per_mind", "day_asked_20"] {
        let row = said.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
        let told = format!("| {name} | {} |", row["ours"].as_f64().unwrap());
        assert!(page.contains(&told), "docs/mind-costs/minds.md has no `{told}`");
    }
}
