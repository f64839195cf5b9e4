//! A story on a terminal: the map above, the minds below, tick by tick.
//!
//! In:   a play, a speed, a terminal of any size.
//! Out:  one frame per tick; the screen is given back however it ends.
//! Cost: a frame is written in one go.

use super::telling::{recent, visible};
use crate::console::{Console, Fail};
use std::time::{Duration, Instant};
use throng_world::story::promise::Verdict;
use throng_world::story::run::Play;
use throng_world::story::tell::MindLine;

/// How often a wait looks whether Ctrl-C was pressed.
const NAP: Duration = Duration::from_millis(20);
/// As many lines as minds have at least, where the map would take them all.
const LEAST_MINDS: usize = 3;

/// Columns and lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Size {
    width: usize,
    height: usize,
}

/// Plays to the end, or until Ctrl-C, and draws each tick.
pub(crate) fn watch(play: &mut Play, speed: f64, console: &mut Console<'_>) -> Result<(), Fail> {
    console.enter_screen()?;
    let watched = draw_all(play, speed, console);
    // The screen is given back first; what went wrong is told on the old one.
    let left = console.leave_screen();
    watched.and(left)
}

fn draw_all(play: &mut Play, speed: f64, console: &mut Console<'_>) -> Result<(), Fail> {
    let pace = f64::from(play.story().pace.ticks_per_second);
    let tick = Duration::from_secs_f64(1.0 / (pace * speed));
    let (begin, mut last_event) = (Instant::now(), String::new());
    let mut due = begin;
    while !console.interrupted() && play.tick() {
        if let Some(line) = recent(play).pop() {
            last_event = line;
        }
        console.print(&frame(play, &last_event, size()))?;
        console.flush()?;
        due += tick;
        while !console.interrupted() && Instant::now() < due {
            std::thread::sleep(NAP.min(due.saturating_duration_since(Instant::now())));
        }
        // A slow machine does not hurry afterwards.
        due = due.max(Instant::now());
    }
    Ok(())
}

/// A whole frame, ready to be written.
fn frame(play: &Play, last_event: &str, size: Size) -> String {
    let mut text = "\x1b[H".to_string();
    for (at, line) in lines(play, last_event, size).iter().enumerate() {
        // No line break after the last: the screen would roll.
        text.push_str(if at == 0 { "" } else { "\r\n" });
        text.extend(visible(line).chars().take(size.width));
        text.push_str("\x1b[K");
    }
    text.push_str("\x1b[J");
    text
}

/// The lines of a frame; no more than fit.
fn lines(play: &Play, last_event: &str, size: Size) -> Vec<String> {
    let story = play.story();
    let seconds = story.pace.seconds(play.now());
    let mut lines = vec![format!("{seconds:6.1} s  {}: {}", story.name, story.sentence)];
    let map = play.world().draw();
    let minds = play.cast().mind_lines();
    // The head, what happened last and the promises have a line each.
    let room = size.height.saturating_sub(3);
    let for_map = map.len().min(room.saturating_sub(minds.len().min(LEAST_MINDS)));
    lines.extend(map.into_iter().take(for_map));
    lines.extend(minds_in(&minds, room - for_map));
    lines.push(last_event.trim_start().to_string());
    let verdicts = || play.judge().verdicts().map(|(_, verdict)| verdict);
    let kept = verdicts().filter(|verdict| matches!(verdict, Verdict::Kept(_))).count();
    let broken = verdicts().filter(|verdict| matches!(verdict, Verdict::Broken(..))).count();
    let open = verdicts().count() - kept - broken;
    lines.push(format!("promises: {kept} ✓  {broken} ✗  {open} open      Ctrl-C ends"));
    lines.truncate(size.height);
    lines
}

/// The minds in so many lines; the last says how many more there are.
fn minds_in(minds: &[MindLine], room: usize) -> Vec<String> {
    let shown = if minds.len() <= room { minds.len() } else { room.saturating_sub(1) };
    let widest = |pick: fn(&MindLine) -> &String, most: usize| {
        let widths = minds[..shown].iter().map(|mind| pick(mind).chars().count());
        widths.max().unwrap_or(0).min(most)
    };
    let (who, goal) = (widest(|mind| &mind.who, 14), widest(|mind| &mind.goal, 16));
    let doing = widest(|mind| &mind.doing, 24);
    let line = |mind: &MindLine| {
        format!("{:<who$}  {:<goal$}  {:<doing$}  {}", mind.who, mind.goal, mind.doing, mind.why)
    };
    let mut lines: Vec<String> = minds[..shown].iter().map(line).collect();
    if shown < minds.len() && room > 0 {
        lines.push(format!("… and {} more", minds.len() - shown));
    }
    lines
}

/// The size of the terminal: as said by the environment, else as the terminal says, else the
/// usual one.
fn size() -> Size {
    let said = |name: &str| std::env::var(name).ok()?.parse().ok().filter(|&size| size > 0);
    let (width, height) = terminal_size().unwrap_or((80, 24));
    Size { width: said("COLUMNS").unwrap_or(width), height: said("LINES").unwrap_or(height) }
}

#[cfg(unix)]
fn terminal_size() -> Option<(usize, usize)> {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout()).ok()?;
    let known = size.ws_col > 0 && size.ws_row > 0;
    known.then(|| (size.ws_col.into(), size.ws_row.into()))
}

#[cfg(not(unix))]
fn terminal_size() -> Option<(usize, usize)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minds(n: usize) -> Vec<MindLine> {
        let mind = |at: usize| MindLine {
            who: format!("soldier{at}"),
            goal: "fight".to_string(),
            doing: "go(wall)".to_string(),
            why: "because".to_string(),
        };
        (0..n).map(mind).collect()
    }

    #[test]
    fn more_minds_than_lines_are_counted() {
        assert_eq!(minds_in(&minds(3), 3).len(), 3);
        let lines = minds_in(&minds(10), 4);
        assert_eq!((lines.len(), lines[3].as_str()), (4, "… and 7 more"));
        assert_eq!(lines[0], "soldier0  fight  go(wall)  because");
        assert_eq!(minds_in(&minds(2), 0), Vec::<String>::new());
    }
}
