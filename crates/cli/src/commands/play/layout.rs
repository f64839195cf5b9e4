//! Which line of a frame shows what, on a terminal of any size.
//!
//! In:   all there is to see, and the size.
//! Out:  as many lines as fit, each as wide as fits; nothing is cut without a sign of it.
//! Cost: a few strings.
//!
//! | lines | what | how many |
//! |---|---|---|
//! | first | time and story | 1 |
//! | | the map, or the part of it around who acts | what minds leave |
//! | | minds | two each, or one, or as many as fit |
//! | | what the letters mean | 1, if there is room |
//! | | what happened last, newest last | all that is left, at least 1 |
//! | last | promises | 1 |

use crate::console::count;
use crate::edge::{cells, cut, padded};
use crate::screen::Size;
use throng_world::cell::Cell;
use throng_world::draw::part;
use throng_world::story::tell::MindLine;

/// As many lines as minds have at least, where the map would take them all.
const LEAST_MINDS: usize = 3;
/// Terminals lower than this have no line for the letters.
const LEGEND_FROM: usize = 16;
/// How far the second line of a mind is set in.
const INDENT: usize = 4;

/// All there is to see.
pub(super) struct Frame<'p> {
    pub(super) head: String,
    pub(super) map: Vec<String>,
    /// The cell that must be seen of a map that does not fit.
    pub(super) around: Cell,
    pub(super) minds: Vec<MindLine>,
    pub(super) legend: String,
    /// Oldest first.
    pub(super) events: &'p [String],
    pub(super) foot: String,
}

/// The lines of a frame; no more than fit.
pub(super) fn lines(frame: &Frame<'_>, size: Size) -> Vec<String> {
    let has_legend = size.height >= LEGEND_FROM && !frame.legend.is_empty();
    // The head, the foot, what happened last, and what the letters mean.
    let room = size.height.saturating_sub(3 + usize::from(has_legend));
    let least = frame.minds.len().min(LEAST_MINDS);
    let map = map_in(frame, size.width, room.saturating_sub(least));
    let for_minds = room - map.len().min(room);
    let minds = minds_in(&frame.minds, size.width, for_minds);
    let for_events = 1 + for_minds - minds.len().min(for_minds);
    let mut lines = vec![cut(&frame.head, size.width)];
    lines.extend(map.into_iter().chain(minds));
    lines.extend(has_legend.then(|| cut(&frame.legend, size.width)));
    let from = frame.events.len().saturating_sub(for_events);
    lines.extend(frame.events[from..].iter().map(|event| cut(event, size.width)));
    // The foot stays where it is, however little has happened yet.
    lines.resize(lines.len().max(size.height.saturating_sub(1)), String::new());
    lines.truncate(size.height.saturating_sub(1));
    lines.push(cut(&frame.foot, size.width));
    lines.truncate(size.height);
    lines
}

/// The map in so many lines; the last says how many more there are.
fn map_in(frame: &Frame<'_>, width: usize, room: usize) -> Vec<String> {
    if frame.map.len() <= room {
        return part(&frame.map, frame.around, width, room);
    }
    let Some(shown) = room.checked_sub(1) else { return Vec::new() };
    let mut rows = part(&frame.map, frame.around, width, shown);
    rows.push(cut(&format!("… {}", count(frame.map.len() - shown, "more row")), width));
    rows
}

/// The minds in so many lines: two each if there is room for that, else one; the last says how
/// many more there are.
fn minds_in(minds: &[MindLine], width: usize, room: usize) -> Vec<String> {
    let shown = if minds.len() <= room { minds.len() } else { room.saturating_sub(1) };
    let each = if 2 * minds.len() <= room { 2 } else { 1 };
    let widest = |pick: fn(&MindLine) -> &String, most: usize| {
        let widths = minds[..shown].iter().map(|mind| cells(pick(mind)));
        widths.max().unwrap_or(0).min(most)
    };
    let (who, goal) = (widest(|mind| &mind.who, 14), widest(|mind| &mind.goal, 16));
    let doing = widest(|mind| &mind.doing, 24);
    let line = |mind: &MindLine| {
        let [name, wants, does] = [(&mind.who, who), (&mind.goal, goal), (&mind.doing, doing)]
            .map(|(text, width)| padded(&cut(text, width), width));
        let columns = format!("{} {name}  {wants}  {does}  ", mind.sign);
        wrapped(&columns, &mind.why, width, each)
    };
    let mut lines: Vec<String> = minds[..shown].iter().flat_map(line).collect();
    if shown < minds.len() && room > 0 {
        lines.push(cut(&format!("… and {} more", minds.len() - shown), width));
    }
    lines
}

/// A text after a head, in exactly so many lines, parted between words; what does not fit is cut.
fn wrapped(head: &str, text: &str, width: usize, n: usize) -> Vec<String> {
    let mut lines = vec![head.to_string()];
    for word in text.split_whitespace() {
        let is_last = lines.len() == n;
        let Some(line) = lines.last_mut() else { break };
        let fits = cells(line) + cells(word) <= width;
        if fits || is_last {
            line.push_str(word);
            line.push(' ');
        } else {
            lines.push(format!("{}{word} ", " ".repeat(INDENT)));
        }
    }
    lines.resize(n, String::new());
    lines.iter().map(|line| cut(line.trim_end(), width)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minds(n: usize, why: &str) -> Vec<MindLine> {
        let mind = |at: usize| MindLine {
            sign: 'S',
            who: format!("soldier{at}"),
            goal: "fight".to_string(),
            doing: "go(wall)".to_string(),
            why: why.to_string(),
        };
        (0..n).map(mind).collect()
    }

    fn frame(rows: usize, n: usize, events: &[String]) -> Frame<'_> {
        let row = |y: usize| format!("{y:02}{}", ".".repeat(98));
        Frame {
            head: "head".to_string(),
            map: (0..rows).map(row).collect(),
            around: Cell::new(0, 30),
            minds: minds(n, "a step of its plan failed"),
            legend: "S soldier".to_string(),
            events,
            foot: "foot".to_string(),
        }
    }

    #[test]
    fn more_minds_than_lines_are_counted() {
        assert_eq!(minds_in(&minds(3, "because"), 80, 3).len(), 3);
        let lines = minds_in(&minds(10, "because"), 80, 4);
        assert_eq!((lines.len(), lines[3].as_str()), (4, "… and 7 more"));
        assert_eq!(lines[0], "S soldier0  fight  go(wall)  because");
        assert_eq!(minds_in(&minds(2, "because"), 80, 0), Vec::<String>::new());
    }

    #[test]
    fn a_long_reason_has_a_second_line_if_there_is_room() {
        let one = minds(1, "the rest of its plan would not work any more");
        let lines = minds_in(&one, 50, 2);
        assert_eq!(
            lines,
            ["S soldier0  fight  go(wall)  the rest of its plan", "    would not work any more"]
        );
        let lines = minds_in(&one, 50, 1);
        assert_eq!(lines, ["S soldier0  fight  go(wall)  the rest of its plan…"]);
    }

    #[test]
    fn every_size_is_filled_and_never_exceeded() {
        let events: Vec<String> = (0..50).map(|n| format!("event {n}")).collect();
        for (width, height) in [(80, 24), (40, 12), (10, 5), (3, 2), (1, 1), (200, 60)] {
            for (rows, n) in [(5, 1), (50, 1), (11, 10), (0, 0)] {
                let lines = lines(&frame(rows, n, &events), Size { width, height });
                assert_eq!(lines.len(), height, "{width}×{height}: {lines:?}");
                assert!(lines.iter().all(|line| line.chars().count() <= width), "{lines:?}");
            }
        }
    }

    #[test]
    fn free_lines_show_what_happened_last() {
        let events: Vec<String> = (0..50).map(|n| format!("event {n}")).collect();
        let lines = lines(&frame(5, 1, &events), Size { width: 80, height: 24 });
        // A head, 5 rows, 2 lines for the mind, the letters, and then events up to the foot.
        assert_eq!(lines[8], "S soldier");
        assert_eq!((lines[9].as_str(), lines[22].as_str()), ("event 36", "event 49"));
        assert_eq!(lines[23], "foot");
    }

    #[test]
    fn of_a_high_map_the_part_around_who_acts_is_shown() {
        let lines = lines(&frame(50, 1, &[]), Size { width: 80, height: 24 });
        assert!(lines.iter().any(|line| line.starts_with("30.")), "{lines:?}");
        assert!(lines.contains(&"… 32 more rows".to_string()), "{lines:?}");
    }
}
