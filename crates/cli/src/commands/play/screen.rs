//! A story on a terminal: the map above, the minds below, tick by tick.
//!
//! In:   a play, a speed, a terminal of any size.
//! Out:  one frame per tick; the screen is given back however it ends.
//! Cost: a frame is written in one go.

use super::layout::{Frame, lines};
use super::staged::Staged;
use super::telling::Teller;
use crate::console::{Console, Fail};
use crate::edge::Styled;
use crate::screen::{Size, over, wait};
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use throng_world::story::promise::Verdict;
use throng_world::story::run::Play;

/// How many events are remembered for the free lines of a frame.
const EVENTS: usize = 100;

/// Plays to the end, or until Ctrl-C, and draws each tick.
pub(crate) fn watch(
    stage: &mut dyn Staged,
    speed: f64,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    console.enter_screen()?;
    let watched = draw_all(stage, speed, console);
    // The screen is given back first; what went wrong is told on the old one.
    let left = console.leave_screen();
    watched.and(left)
}

fn draw_all(stage: &mut dyn Staged, speed: f64, console: &mut Console<'_>) -> Result<(), Fail> {
    let mut events: VecDeque<String> = VecDeque::new();
    let (mut teller, mut due) = (Teller::default(), Instant::now());
    while let Some(play) = stage.next(console)? {
        events.extend(teller.recent(play, true, None));
        events.drain(..events.len().saturating_sub(EVENTS));
        console.print_styled(&drawn(play, events.make_contiguous(), Size::now()))?;
        console.flush()?;
        let pace = f64::from(play.story().pace.ticks_per_second);
        due += Duration::from_secs_f64(1.0 / (pace * speed));
        wait(due, || console.interrupted());
        // A slow machine does not hurry afterwards.
        due = due.max(Instant::now());
    }
    Ok(())
}

/// A whole frame, ready to be written.
fn drawn(play: &Play, events: &[String], size: Size) -> Styled {
    let lines = lines(&frame(play, events), size);
    over(lines.iter().map(|line| Styled::line(line).first(size.width)))
}

/// What there is to see after a tick.
fn frame<'p>(play: &'p Play, events: &'p [String]) -> Frame<'p> {
    let (story, cast) = (play.story(), play.cast());
    let seconds = story.pace.seconds(play.now());
    let verdicts = || play.judge().verdicts().map(|(_, verdict)| verdict);
    let kept = verdicts().filter(|verdict| matches!(verdict, Verdict::Kept(_))).count();
    let broken = verdicts().filter(|verdict| matches!(verdict, Verdict::Broken(..))).count();
    let open = verdicts().count() - kept - broken;
    let signs = cast.signs();
    Frame {
        head: format!("{seconds:6.1} s  {}: {}", story.name, story.sentence),
        map: play.world().draw_all(&signs),
        around: cast.focus(),
        minds: cast.mind_lines(),
        legend: play.world().meanings(&signs).into_iter().collect::<Vec<_>>().join("  "),
        events,
        foot: format!("promises: {kept} ✓  {broken} ✗  {open} open      Ctrl-C ends"),
    }
}
