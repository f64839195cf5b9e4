//! Frame times and counts of a run, as a game programmer reads them.
//!
//! In:   frames, one after the other.
//! Out:  median, p99, p99.9 and worst of each phase, and how answers were obtained.
//! Cost: four numbers per frame.
//!
//! The first frame, in which everybody waits and tables are made, is told apart: it belongs to
//! loading a level, not to playing it.

use super::Frame;
use serde::Serialize;
use std::time::Duration;
use throng::crowd::{Applied, FrameReport};

/// A tenth of a frame at 60 Hz, in milliseconds: what planning may take of it.
pub(crate) const TENTH_OF_A_FRAME: f64 = 1.67;

/// Everything that was counted and timed.
#[derive(Default)]
pub(crate) struct Figures {
    first: Option<(Duration, Duration)>,
    /// NPCs that were served in the first frame.
    pub(crate) served_first: usize,
    /// Milliseconds of world, plan, apply and the whole, of each frame but the first.
    phases: [Vec<f64>; 4],
    pub(crate) report: FrameReport,
    pub(crate) applied: Applied,
    pub(crate) most_deferred: usize,
    pub(crate) most_queued: usize,
}

/// Times of a phase in milliseconds.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Times {
    pub(crate) median: f64,
    pub(crate) p99: f64,
    /// `None` of fewer than a thousand frames, where it would only be the worst once more.
    pub(crate) p999: Option<f64>,
    pub(crate) worst: f64,
    /// The share of frames within a tenth of a frame.
    pub(crate) within: f64,
}

impl Figures {
    pub(crate) fn add(&mut self, frame: &Frame) {
        let deferred = frame.report.deferred;
        self.report += frame.report;
        // Who waits for ten frames is one NPC that waits, not ten.
        self.report.deferred = deferred;
        // Likewise of who stands in line.
        self.report.queued = frame.report.queued;
        self.most_queued = self.most_queued.max(frame.report.queued);
        self.most_deferred = self.most_deferred.max(deferred);
        self.applied += frame.applied;
        if self.first.is_none() {
            self.first = Some((frame.plan, frame.whole()));
            self.served_first = frame.report.served;
            return;
        }
        let times = [frame.world, frame.plan, frame.apply, frame.whole()];
        self.phases.iter_mut().zip(times).for_each(|(all, it)| all.push(milliseconds(it)));
    }

    /// How many frames were added.
    pub(crate) fn n_frames(&self) -> u64 {
        self.phases[0].len() as u64 + u64::from(self.first.is_some())
    }

    /// How long the first frame took, and planning in it.
    pub(crate) fn first(&self) -> (f64, f64) {
        let (plan, whole) = self.first.unwrap_or_default();
        (milliseconds(plan), milliseconds(whole))
    }

    /// World, plan, apply and the whole frame; `None` if there was but one frame.
    pub(crate) fn phases(&self) -> Option<[Times; 4]> {
        let [world, plan, apply, whole] = self.phases.each_ref().map(|all| times(all));
        Some([world?, plan?, apply?, whole?])
    }

    /// Answers per second of planning, and per second of everything, after the first frame.
    pub(crate) fn per_second(&self) -> (f64, f64) {
        let served = (self.report.served - self.served_first) as f64;
        let rate = |all: &[f64]| match all.iter().sum::<f64>() {
            0.0 => 0.0,
            ms => served * 1000.0 / ms,
        };
        (rate(&self.phases[1]), rate(&self.phases[3]))
    }
}

pub(crate) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

fn times(all: &[f64]) -> Option<Times> {
    let mut sorted = all.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let within = sorted.iter().filter(|&&ms| ms <= TENTH_OF_A_FRAME).count();
    Some(Times {
        median: rank(&sorted, 500)?,
        p99: rank(&sorted, 990)?,
        p999: rank(&sorted, 999).filter(|_| sorted.len() >= 1000),
        worst: *sorted.last()?,
        within: within as f64 / sorted.len() as f64,
    })
}

/// The least of the sorted that at least so many thousandths do not exceed.
fn rank(sorted: &[f64], thousandths: usize) -> Option<f64> {
    sorted.get((sorted.len() * thousandths).div_ceil(1000).max(1) - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_the_sorted() {
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        let times = times(&hundred).unwrap();
        assert_eq!((times.median, times.p99, times.p999, times.worst), (50.0, 99.0, None, 100.0));
        assert_eq!(times.within, 0.01);
        let thousand: Vec<f64> = (1..=1000).map(f64::from).collect();
        assert_eq!(super::times(&thousand[..999]).unwrap().p999, None);
        assert_eq!(super::times(&thousand).unwrap().p999, Some(999.0));
        assert!(super::times(&[]).is_none());
        assert_eq!(super::times(&[7.0]).unwrap().median, 7.0);
    }

    #[test]
    fn the_first_frame_is_told_apart() {
        let frame = |ms, deferred| {
            let mut report = FrameReport::default();
            (report.served, report.deferred) = (10, deferred);
            Frame {
                report,
                applied: Applied::default(),
                world: Duration::ZERO,
                plan: Duration::from_millis(ms),
                apply: Duration::ZERO,
            }
        };
        let mut figures = Figures::default();
        figures.add(&frame(900, 5));
        assert!(figures.phases().is_none());
        figures.add(&frame(50, 3));
        figures.add(&frame(50, 2));
        let [_, plan, _, whole] = figures.phases().unwrap();
        assert_eq!((plan.worst, whole.worst, figures.first()), (50.0, 50.0, (900.0, 900.0)));
        assert_eq!((figures.report.deferred, figures.most_deferred), (2, 5));
        assert_eq!(figures.per_second(), (200.0, 200.0));
    }
}
