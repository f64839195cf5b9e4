//! Turns: all works of a run alternate, so that a busy machine hurts all alike.
//!
//! In:   works, each with how often a turn does it.
//! Out:  for each the fastest turn and the middle one: how far they are apart says how far the
//!       figures can be trusted.
//!
//! Time is time on the processor where the system tells it.

use crate::clock::thread_nanoseconds;

/// Work that takes turns.
pub struct Turn<'w> {
    pub name: String,
    work: Box<dyn FnMut() + 'w>,
    times: u32,
    taken: Vec<f64>,
}

impl<'w> Turn<'w> {
    /// Work that a turn does so often.
    pub fn new(name: impl Into<String>, times: u32, mut work: impl FnMut() + 'w) -> Turn<'w> {
        // The loop is within, so that the work itself can be inlined.
        let work = Box::new(move || (0..times).for_each(|_| work()));
        Turn { name: name.into(), work, times, taken: Vec::new() }
    }

    fn take(&mut self) {
        let begin = thread_nanoseconds();
        (self.work)();
        let time = thread_nanoseconds().saturating_sub(begin);
        self.taken.push(time as f64 / f64::from(self.times));
    }
}

/// What a work takes, in nanoseconds.
#[derive(Clone)]
pub struct Time {
    pub name: String,
    pub least: f64,
    pub median: f64,
}

/// Lets all take their turns, so often.
pub fn race(rounds: usize, mut turns: Vec<Turn<'_>>) -> Vec<Time> {
    for _ in 0..rounds.max(1) {
        turns.iter_mut().for_each(Turn::take);
    }
    let time = |mut turn: Turn<'_>| {
        turn.taken.sort_by(f64::total_cmp);
        let (least, median) = (turn.taken[0], turn.taken[turn.taken.len() / 2]);
        Time { name: turn.name, least, median }
    };
    turns.into_iter().map(time).collect()
}

/// What must hold in a run: a ratio of two figures of it, so that it holds on every machine.
pub struct Bar {
    pub what: String,
    pub ratio: f64,
    pub limit: Limit,
}

pub enum Limit {
    AtLeast(f64),
    AtMost(f64),
}

impl Bar {
    pub fn is_held(&self) -> bool {
        match self.limit {
            Limit::AtLeast(least) => self.ratio >= least,
            Limit::AtMost(most) => self.ratio <= most,
        }
    }

    fn limit(&self) -> String {
        match self.limit {
            Limit::AtLeast(least) => format!("≥ {least}"),
            Limit::AtMost(most) => format!("≤ {most}"),
        }
    }
}

/// Prints the bars; whether all are held.
pub fn judge(bars: &[Bar]) -> bool {
    println!("| bar | limit | measured | |\n|---|--:|--:|---|");
    for bar in bars {
        let verdict = if bar.is_held() { "held" } else { "missed" };
        println!("| {} | {} | {:.2} | {verdict} |", bar.what, bar.limit(), bar.ratio);
    }
    bars.iter().all(Bar::is_held)
}
