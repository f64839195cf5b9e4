//! All figures of all measurements: a table, a page of what holds, what has changed.
//!
//! In:   lines of values between tabs, as measuring programs write them
//!       (`crates/lab/src/figures.rs`).
//! Out:  the same lines, sorted; a page with a row for every bar; sentences about what differs from
//!       an older table.

use std::fmt::Write as _;

/// The heads of the table, in the order of the values.
const HEADS: [&str; 12] = [
    "command", "name", "ours", "theirs", "unit", "against", "ratio", "bar", "verdict", "spread",
    "protocol", "commit",
];

/// Two figures of the same code differ by so much without a reason, whatever the spread of their
/// rounds: another load, another layout of the program.
const NOISE: f64 = 0.1;

/// The protocol of what valgrind counts; a step that this moves can be seen.
pub(super) const INSTRUCTIONS: &str = "instructions by callgrind";
const NOISE_OF_INSTRUCTIONS: f64 = 0.005;

/// A line of the table.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Figure {
    values: [String; HEADS.len()],
}

impl Figure {
    fn read(line: &str) -> Option<Figure> {
        let values: Vec<String> = line.split('\t').map(str::to_string).collect();
        let values: [String; HEADS.len()] = values.try_into().ok()?;
        (values[0] != HEADS[0]).then_some(Figure { values })
    }

    fn get(&self, head: &str) -> &str {
        HEADS.iter().position(|it| *it == head).map_or("", |at| &self.values[at])
    }

    /// The command that measures it.
    pub(super) fn command(&self) -> &str {
        self.get("command")
    }

    fn key(&self) -> (&str, &str) {
        (self.command(), self.get("name"))
    }

    fn number(&self, head: &str) -> Option<f64> {
        self.get(head).parse().ok()
    }

    fn has_bar(&self) -> bool {
        !self.get("bar").is_empty()
    }

    fn spread(&self) -> f64 {
        self.number("spread").unwrap_or(0.0)
    }
}

/// The figures of a table; lines that are none are left out.
pub(super) fn read(text: &str) -> Vec<Figure> {
    text.lines().filter_map(Figure::read).collect()
}

/// The table: figures measured now, and those of other commands as they were.
pub(super) fn merged(old: &[Figure], new: &[Figure]) -> Vec<Figure> {
    let is_kept = |figure: &&Figure| !new.iter().any(|new| new.command() == figure.command());
    let mut all: Vec<Figure> = old.iter().filter(is_kept).chain(new).cloned().collect();
    // Within a command they stay in its order.
    all.sort_by(|a, b| a.command().cmp(b.command()));
    all
}

/// The table as text.
pub(super) fn write(figures: &[Figure]) -> String {
    let lines = figures.iter().map(|figure| figure.values.join("\t") + "\n");
    HEADS.join("\t") + "\n" + &lines.collect::<String>()
}

/// A row for every bar, those that are missed first told by name.
pub(super) fn page(figures: &[Figure]) -> String {
    let bars: Vec<&Figure> = figures.iter().filter(|figure| figure.has_bar()).collect();
    let missed: Vec<&str> = bars
        .iter()
        .filter(|figure| figure.get("verdict") == "missed")
        .map(|figure| figure.get("name"))
        .collect();
    let mut text = format!("{} of {} bars hold", bars.len() - missed.len(), bars.len());
    match missed.is_empty() {
        true => text += ".\n",
        false => _ = writeln!(text, "; missed: `{}`.", missed.join("`, `")),
    }
    let mut command = "";
    for figure in bars {
        if figure.command() != command {
            command = figure.command();
            _ = write!(
                text,
                "\n## `{command}`\n\n\
                 | row | ours | beside | unit | ratio | bar | | spread | protocol | commit |\n\
                 |---|--:|---|---|--:|--:|---|--:|---|---|\n"
            );
        }
        let get = |head| figure.get(head);
        let verdict = if get("verdict") == "missed" { "**missed**" } else { "held" };
        let spread =
            figure.number("spread").map_or("–".into(), |s| format!("{:.0} %", s * 100.0));
        _ = writeln!(
            text,
            "| {} | {} | {}: {} | {} | {} | {} | {verdict} | {spread} | {} | `{}` |",
            get("name"),
            get("ours"),
            get("against"),
            get("theirs"),
            get("unit"),
            get("ratio"),
            get("bar"),
            get("protocol"),
            get("commit"),
        );
    }
    text
}

/// What differs from an older table, a sentence each: bars first, then ratios that moved by more
/// than noise and spread explain, then rows that came and went. Only commands that were measured
/// now count.
pub(super) fn changes(old: &[Figure], new: &[Figure]) -> Vec<String> {
    let before = |figure: &Figure| old.iter().find(|old| old.key() == figure.key());
    let mut bars = Vec::new();
    let mut moved = Vec::new();
    let mut came = Vec::new();
    for figure in new {
        let ((command, name), ratio) = (figure.key(), figure.get("ratio"));
        let Some(old) = before(figure) else {
            came.push(format!("new: {name} ({command}), {ratio}"));
            continue;
        };
        let (was, is) = (old.get("verdict"), figure.get("verdict"));
        let change = format!("{name} ({command}): {} → {ratio}", old.get("ratio"));
        if was != is {
            bars.push(format!("{is}, was {was}: {change}, bar {}", figure.get("bar")));
        } else if has_moved(old, figure) {
            moved.push(format!("moved: {change}"));
        }
    }
    let measured = |old: &&Figure| new.iter().any(|new| new.command() == old.command());
    let gone = |old: &&Figure| !new.iter().any(|new| new.key() == old.key());
    let gone = old.iter().filter(measured).filter(gone);
    let gone = gone.map(|old| format!("gone: {} ({})", old.get("name"), old.command()));
    bars.into_iter().chain(moved).chain(came).chain(gone).collect()
}

/// Whether two figures of a row differ by more than their rounds did.
fn has_moved(old: &Figure, new: &Figure) -> bool {
    let (Some(was), Some(is)) = (old.number("ratio"), new.number("ratio")) else {
        return old.get("ratio") != new.get("ratio");
    };
    let least = was.abs().min(is.abs());
    let allowed = match new.get("protocol") {
        "counted" => 0.0,
        INSTRUCTIONS => NOISE_OF_INSTRUCTIONS,
        _ => NOISE + old.spread().max(new.spread()),
    };
    (was - is).abs() > allowed * least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(name: &str, ratio: &str, verdict: &str, spread: &str, protocol: &str) -> String {
        let bar = if verdict == "stated" { "" } else { "≤ 1" };
        format!("x\t{name}\t1\t2\tms\ty\t{ratio}\t{bar}\t{verdict}\t{spread}\t{protocol}\tc0ffee\n")
    }

    #[test]
    fn a_table_comes_back_as_it_was_and_other_commands_stay() {
        let text = write(&read(&figure("a", "0.5", "held", "0.1", "wall time")));
        assert_eq!(write(&read(&text)), text);
        let other = text.replace("\nx\t", "\nw\t");
        let both = merged(&read(&other), &read(&text));
        assert_eq!(both.iter().map(Figure::command).collect::<Vec<_>>(), ["w", "x"]);
        assert_eq!(merged(&both, &read(&text)), both);
        assert_eq!(read("no figure\n1\t2\n"), []);
    }

    #[test]
    fn the_page_has_a_row_for_every_bar_and_names_what_is_missed() {
        let text = figure("a", "0.5", "held", "0.1", "wall time")
            + &figure("b", "1.5", "missed", "", "counted")
            + &figure("c", "1.5", "stated", "", "counted");
        let page = page(&read(&text));
        assert!(page.starts_with("1 of 2 bars hold; missed: `b`.\n"), "{page}");
        assert!(page.contains("| a | 1 | y: 2 | ms | 0.5 | ≤ 1 | held | 10 % | wall time |"));
        assert!(page.contains("| 1.5 | ≤ 1 | **missed** | – | counted | `c0ffee` |"), "{page}");
        assert!(!page.contains("| c |"), "{page}");
    }

    #[test]
    fn what_changed_is_told_beyond_noise() {
        let old = figure("bar", "0.9", "held", "0", "wall time")
            + &figure("noise", "1", "stated", "0.3", "wall time")
            + &figure("far", "1", "stated", "0.3", "wall time")
            + &figure("count", "100", "stated", "0", "counted")
            + &figure("gone", "1", "stated", "0", "counted");
        let new = figure("bar", "1.1", "missed", "0", "wall time")
            + &figure("noise", "1.35", "stated", "0", "wall time")
            + &figure("far", "1.45", "stated", "0", "wall time")
            + &figure("count", "101", "stated", "0", "counted")
            + &figure("came", "7", "stated", "0", "counted");
        let told = changes(&read(&old), &read(&new));
        let wanted = [
            "missed, was held: bar (x): 0.9 → 1.1, bar ≤ 1",
            "moved: far (x): 1 → 1.45",
            "moved: count (x): 100 → 101",
            "new: came (x), 7",
            "gone: gone (x)",
        ];
        assert_eq!(told, wanted);
        let same = read(&new);
        assert_eq!(changes(&same, &same), Vec::<String>::new());
    }
}
