//! A search on a ground task, with its limits, seen from outside.
//!
//! In:   a ground task, a mode, limits.
//! Out:  the operators of a plan, that there is none, or the limit hit; what it took.
//! Cost: the search's. On a terminal it pauses ten times a second to say where it is; it goes on
//!       as if nothing had been.

use crate::args::field::LimitArgs;
use crate::console::{Console, Fail, LIVE};
use crate::extension::Work;
use crate::field::measure::Stopwatch;
use crate::question;
use crate::shapes::ReasonShape;
use std::cell::Cell;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use throng::{Cost, Mode};
use throng_base::text::{count, grouped};
use throng_pddl::validate::{self, ValidateError};
use throng_planner::forward::{Found, GroundTask, Search};
use throng_planner::{Limit, SearchBudget};

/// Which limit ended it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hit {
    Time,
    Memory,
    Nodes,
    /// Grounding has limits of its own.
    Size,
    Interrupted,
}

impl Hit {
    /// With a sentence, why a command or an answer ends.
    pub(crate) fn because(self, text: String) -> Fail {
        let code = match self {
            Hit::Time => "time_limit",
            Hit::Memory => "memory_limit",
            Hit::Nodes => "node_limit",
            Hit::Size => "size_limit",
            Hit::Interrupted => "stopped",
        };
        Fail::Limit { code, text }
    }
}

/// The limits of one command on a task, from its beginning.
pub(crate) struct RunLimits {
    began: Instant,
    time: Option<Duration>,
    given: question::Limits,
    stop: Arc<AtomicBool>,
}

impl RunLimits {
    pub(crate) fn new(args: &LimitArgs, nodes: Option<u64>, console: &Console<'_>) -> Self {
        RunLimits {
            began: Instant::now(),
            time: args.time,
            given: question::Limits { max_nodes: nodes, memory: args.memory },
            stop: Arc::clone(console.stop()),
        }
    }

    /// Until somebody presses Ctrl-C.
    #[cfg(test)]
    pub(crate) fn unlimited(console: &Console<'_>) -> Self {
        RunLimits::new(&LimitArgs { time: None, memory: f64::MAX }, None, console)
    }

    /// Whether somebody pressed Ctrl-C or the time is over.
    pub(crate) fn is_over(&self) -> bool {
        is_over(self.began, self.time, &self.stop)
    }

    /// The same question, to be asked by others.
    pub(crate) fn asker(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let (began, time, stop) = (self.began, self.time, Arc::clone(&self.stop));
        move || is_over(began, time, &stop)
    }

    /// The most states of `--max-nodes`.
    pub(crate) fn nodes(&self) -> u64 {
        self.given.max_nodes.unwrap_or(u64::MAX)
    }

    /// What ended a search.
    pub(crate) fn hit(&self, limit: Limit) -> Hit {
        match limit {
            Limit::Stopped => self.over(),
            Limit::Nodes => Hit::Nodes,
            Limit::Memory => Hit::Memory,
        }
    }

    /// Which of the two it was.
    pub(crate) fn over(&self) -> Hit {
        if self.stop.load(Ordering::Relaxed) { Hit::Interrupted } else { Hit::Time }
    }

    /// What judging a plan may take.
    pub(crate) fn judging<'s>(&self, stop: &'s dyn Fn() -> bool) -> validate::Limits<'s> {
        let steps = validate::Limits::USUAL_STEPS;
        validate::Limits { bytes: self.bytes() as u64, steps, stop: Some(stop) }
    }

    /// The bytes of `--memory`.
    pub(crate) fn bytes(&self) -> usize {
        self.given.bytes()
    }

    /// A limit that was hit, with the option that moves it.
    pub(crate) fn stopped(&self, hit: Hit) -> Fail {
        hit.because(format!("{} before an answer was found", self.reached(hit)))
    }

    /// The limit that ended the judge of a plan that was found: it is not handed out.
    pub(crate) fn gave_up_judging(&self, why: ValidateError) -> Fail {
        let hit = self.hit_judging(why);
        let reached = match hit {
            Hit::Size => why.to_string(),
            _ => self.reached(hit),
        };
        hit.because(format!("{reached} before the plan that was found could be judged"))
    }

    /// Which limit ended the judge.
    fn hit_judging(&self, why: ValidateError) -> Hit {
        match why {
            ValidateError::Stopped => self.over(),
            ValidateError::Bytes(_) => Hit::Memory,
            _ => Hit::Size,
        }
    }

    /// The limit that ended the judge of a plan that was given.
    pub(crate) fn not_judged(&self, why: ValidateError) -> Fail {
        match self.hit_judging(why) {
            Hit::Size => Hit::Size.because(why.to_string()),
            hit => hit.because(format!("{} before the plan was judged", self.reached(hit))),
        }
    }

    /// Which limit was reached, with the option that moves it.
    pub(crate) fn reached(&self, hit: Hit) -> String {
        match hit {
            Hit::Time => {
                let seconds = self.time.unwrap_or_default().as_secs_f64();
                format!("the limit of {seconds} s (`--time`) was reached")
            }
            Hit::Memory => self.given.reached(Limit::Memory),
            Hit::Nodes => self.given.reached(Limit::Nodes),
            Hit::Size => "the task is too large to ground".to_string(),
            Hit::Interrupted => "the search was interrupted".to_string(),
        }
    }
}

fn is_over(began: Instant, time: Option<Duration>, stop: &AtomicBool) -> bool {
    time.is_some_and(|time| began.elapsed() >= time) || stop.load(Ordering::Relaxed)
}

/// The steps of a plan that was judged, as `(move a b)`, and what they cost together.
pub(crate) type Steps = (Vec<String>, Cost);

/// A plan that was judged, or why there is none.
pub(crate) type Came = Result<Steps, ReasonShape>;

/// The code of a task that was proven to have no plan.
pub(crate) const UNREACHABLE: &str = "unreachable";

/// Why there is no plan for a task.
pub(crate) fn unreachable(text: String) -> ReasonShape {
    ReasonShape { code: UNREACHABLE, text }
}

/// A plan that the judge refuses is a mistake of the planner.
pub(crate) fn wrong_plan(why: impl Display) -> Fail {
    let text = format!("a plan was found that is none, please report it: {why}");
    Fail::known("wrong_plan", text)
}

/// A task being solved: within which limits, and what it took so far.
pub(crate) struct Run<'r, 'c> {
    pub(crate) limits: &'r RunLimits,
    pub(crate) mode: Mode,
    pub(crate) console: &'r mut Console<'c>,
    pub(crate) stopwatch: Stopwatch,
    pub(crate) work: Work,
    pub(crate) has_metric: bool,
}

impl<'r, 'c> Run<'r, 'c> {
    pub(crate) fn new(limits: &'r RunLimits, mode: Mode, console: &'r mut Console<'c>) -> Self {
        let (stopwatch, work) = (Stopwatch::default(), Work::default());
        Run { limits, mode, console, stopwatch, work, has_metric: false }
    }

    /// Searches a ground task: the operators of a plan; `None` if there is none.
    pub(crate) fn search(&mut self, task: &GroundTask) -> Result<Option<Vec<u32>>, Fail> {
        self.stopwatch.begin("search");
        let mut search = Search::default();
        search.begin(task, self.mode);
        let found = self.watched(|budget| {
            let found = search.run(task, budget);
            let work = Work {
                nodes: search.nodes(),
                generated: search.generated(),
                states: search.n_states() as u64,
                bytes: search.bytes() as u64,
                has_dead_ends: search.has_dead_ends(),
            };
            (found, work)
        })?;
        let mut plan = Vec::new();
        Ok(found.map(|state| {
            search.extract_plan(state, &mut plan);
            plan
        }))
    }

    /// A plan that was judged: no other is handed out; or why there is none.
    pub(crate) fn judged<P>(
        &mut self,
        plan: Option<P>,
        judge: impl FnOnce(P) -> Result<Steps, Fail>,
    ) -> Result<Came, Fail> {
        let states = self.work.states;
        let Some(plan) = plan else {
            return Ok(Err(unreachable(match self.work.has_dead_ends {
                true => format!("every state that could lead to the goal was tried ({states})"),
                false => format!(
                    "the goal holds in none of the {} that can be reached",
                    count(states as usize, "state")
                ),
            })));
        };
        self.stopwatch.begin("validate");
        judge(plan).map(Ok)
    }

    /// Lets a search run to its end or its limit; on a terminal it is asked to pause now and then.
    /// `go_on` gives what was found, and how much work it was so far. Gives the state in which the
    /// goal holds; `None` if there is none.
    pub(crate) fn watched(
        &mut self,
        mut go_on: impl FnMut(&SearchBudget<'_>) -> (Found, Work),
    ) -> Result<Option<u32>, Fail> {
        let (limits, console) = (self.limits, &mut *self.console);
        let ended_by_itself = console.set_ends_by_itself(true);
        let is_watched = console.terminal().watched_err;
        let last_line = Cell::new(Instant::now());
        let wants_line = || is_watched && last_line.get().elapsed() >= LIVE;
        let stop = || limits.is_over() || wants_line();
        let mut has_line = false;
        let most = limits.nodes();
        let found = loop {
            let nodes = most.saturating_sub(self.work.nodes);
            let (found, work) =
                go_on(&SearchBudget { nodes, bytes: limits.bytes(), stop: Some(&stop) });
            self.work = work;
            match found {
                Found::Limit(Limit::Stopped) if !limits.is_over() => {
                    has_line = true;
                    last_line.set(Instant::now());
                    console.progress(&format!(
                        "searching: {} states expanded, {} MB, {:.1} s",
                        grouped(work.nodes),
                        work.bytes >> 20,
                        limits.began.elapsed().as_secs_f64()
                    ));
                }
                Found::Limit(limit) => break Err(limits.hit(limit)),
                Found::Goal(state) => break Ok(Some(state)),
                Found::Nothing => break Ok(None),
            }
        };
        if has_line {
            console.end_progress();
        }
        // What comes after the search is no longer worth waiting for; unless it is the last words
        // of a search that was interrupted.
        if !limits.stop.load(Ordering::Relaxed) {
            console.set_ends_by_itself(ended_by_itself);
        }
        found.map_err(|hit| limits.stopped(hit))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::console::Signals;

    /// One that nobody sees.
    pub(crate) fn console(stop: &Arc<AtomicBool>) -> Console<'static> {
        Console::silent(std::io::sink()).stopped_by(stop)
    }

    #[test]
    fn only_the_last_words_of_an_interrupted_search_are_waited_for() {
        let signals = Signals::default();
        let console = Console::silent(std::io::sink());
        let mut console = console.listening_to(signals.clone(), || false);
        let limits = RunLimits::unlimited(&console);
        let mut run = Run::new(&limits, Mode::Fast, &mut console);
        let found = run.watched(|_| {
            assert!(signals.has_last_words());
            (Found::Nothing, Work::default())
        });
        assert!(found.is_ok() && !signals.has_last_words());
        let found = run.watched(|_| {
            signals.interrupt();
            (Found::Limit(Limit::Stopped), Work::default())
        });
        assert!(found.is_err() && signals.has_last_words());
    }

    #[test]
    fn a_plan_that_could_not_be_judged_is_a_limit_and_not_a_plan() {
        let limits = RunLimits {
            time: Some(Duration::ZERO),
            ..RunLimits::unlimited(&console(&Arc::default()))
        };
        let said = "the limit of 0 s (`--time`) was reached before the plan that was found could \
                    be judged";
        let given_up = limits.gave_up_judging(ValidateError::Stopped);
        assert!(matches!(given_up, Fail::Limit { code: "time_limit", text } if text == said));
    }
}
