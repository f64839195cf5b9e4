//! A search on a ground task, with its limits, seen from outside.
//!
//! In:   a ground task, a mode, limits.
//! Out:  the operators of a plan, that there is none, or the limit hit; what it took.
//! Cost: the search's. On a terminal it pauses ten times a second to say where it is; it goes on
//!       as if nothing had been.

use crate::args::field::LimitArgs;
use crate::console::{Console, Fail, LIVE};
use crate::extension::Work;
use crate::question;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use throng::{Cost, Mode};
use throng_base::text::grouped;
use throng_pddl::ground;
use throng_pddl::read;
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
            given: question::Limits { max_nodes: nodes, memory: Some(args.memory) },
            stop: Arc::clone(console.stop()),
        }
    }

    /// Until somebody presses Ctrl-C.
    #[cfg(test)]
    pub(crate) fn unlimited(console: &Console<'_>) -> Self {
        let (given, stop) = (question::Limits::default(), Arc::clone(console.stop()));
        RunLimits { began: Instant::now(), time: None, given, stop }
    }

    /// Whether somebody pressed Ctrl-C or the time is over.
    pub(crate) fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.is_late()
    }

    fn is_late(&self) -> bool {
        self.time.is_some_and(|time| self.began.elapsed() >= time)
    }

    /// Which of the two it was.
    pub(crate) fn over(&self) -> Hit {
        if self.stop.load(Ordering::Relaxed) { Hit::Interrupted } else { Hit::Time }
    }

    /// What grounding may make: as much as fits into the memory, if that is limited.
    pub(crate) fn grounding(&self) -> ground::Limits {
        match self.given.bytes() {
            Some(bytes) => ground::Limits::for_bytes(bytes),
            None => ground::Limits::default(),
        }
    }

    /// What reading may write out.
    pub(crate) fn reading(&self) -> read::Limits {
        read::Limits::for_bytes(self.bytes())
    }

    /// What judging a plan may take.
    pub(crate) fn judging<'s>(&self, stop: &'s dyn Fn() -> bool) -> validate::Limits<'s> {
        let steps = validate::Limits::USUAL_STEPS;
        validate::Limits { bytes: self.bytes() as u64, steps, stop: Some(stop) }
    }

    /// Whether there is a `--memory`.
    pub(crate) fn has_memory(&self) -> bool {
        self.given.memory.is_some()
    }

    /// The bytes of `--memory`.
    pub(crate) fn bytes(&self) -> usize {
        self.given.bytes().unwrap_or(usize::MAX)
    }

    /// The sentence for a limit that was hit, with the option that moves it.
    pub(crate) fn sentence(&self, hit: Hit) -> String {
        format!("{} before an answer was found", self.reached(hit))
    }

    /// The limit that ended the judge of a plan that was found: it is not handed out.
    pub(crate) fn gave_up_judging(&self, why: ValidateError) -> Stopped {
        let hit = self.hit_judging(why);
        let reached = match hit {
            Hit::Size => why.to_string(),
            _ => self.reached(hit),
        };
        let why = format!("{reached} before the plan that was found could be judged");
        Stopped { hit, why: Some(why) }
    }

    /// Which limit ended the judge.
    fn hit_judging(&self, why: ValidateError) -> Hit {
        match why {
            ValidateError::Stopped => self.over(),
            ValidateError::Bytes(_) => Hit::Memory,
            _ => Hit::Size,
        }
    }

    /// The sentence for a plan that could not be judged.
    pub(crate) fn not_judged(&self, why: ValidateError) -> String {
        match self.hit_judging(why) {
            Hit::Size => why.to_string(),
            hit => format!("{} before the plan was judged", self.reached(hit)),
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

/// What a search came to.
pub(crate) enum Finished<P> {
    Plan(P),
    /// And why, if that is known better than "everything was tried".
    Impossible(Option<String>),
    Limit(Stopped),
}

/// A limit that was hit.
pub(crate) struct Stopped {
    pub(crate) hit: Hit,
    /// More than its name.
    pub(crate) why: Option<String>,
}

impl From<Hit> for Stopped {
    fn from(hit: Hit) -> Stopped {
        Stopped { hit, why: None }
    }
}

impl Stopped {
    /// In words, with the option that moves the limit.
    pub(crate) fn sentence(&self, limits: &RunLimits) -> String {
        self.why.clone().unwrap_or_else(|| limits.sentence(self.hit))
    }
}

/// The steps of a plan that was judged, as `(move a b)`, and what they cost together.
pub(crate) type Steps = (Vec<String>, Cost);

impl<P> Finished<P> {
    /// What a search found or hit; `plan` reads the plan that leads to a state.
    pub(crate) fn of(found: Result<Found, Hit>, plan: impl FnOnce(u32) -> P) -> Finished<P> {
        match found {
            Ok(Found::Goal(state)) => Finished::Plan(plan(state)),
            Ok(_) => Finished::Impossible(None),
            Err(hit) => Finished::Limit(hit.into()),
        }
    }

    /// The same with a plan that was judged: no other is handed out.
    pub(crate) fn judged(
        self,
        judge: impl FnOnce(P) -> Result<Finished<Steps>, Fail>,
    ) -> Result<Finished<Steps>, Fail> {
        match self {
            Finished::Plan(plan) => judge(plan),
            Finished::Impossible(why) => Ok(Finished::Impossible(why)),
            Finished::Limit(stopped) => Ok(Finished::Limit(stopped)),
        }
    }
}

/// Searches a ground task.
pub(crate) fn search(
    task: &GroundTask,
    mode: Mode,
    limits: &RunLimits,
    console: &mut Console<'_>,
) -> (Finished<Vec<u32>>, Work) {
    let mut search = Search::default();
    search.begin(task, mode);
    let found = watched(limits, console, |budget| {
        let found = search.run(task, budget);
        (found, search.nodes(), search.bytes() as u64)
    });
    let finished = Finished::of(found, |state| {
        let mut plan = Vec::new();
        search.extract_plan(state, &mut plan);
        plan
    });
    let work = Work {
        nodes: search.nodes(),
        generated: search.generated(),
        states: search.n_states() as u64,
        bytes: search.bytes() as u64,
        has_dead_ends: search.has_dead_ends(),
    };
    (finished, work)
}

/// Lets a search run to its end or its limit; on a terminal it is asked to pause now and then.
/// `go_on` gives what was found, and how many nodes and bytes it took so far.
pub(crate) fn watched(
    limits: &RunLimits,
    console: &mut Console<'_>,
    mut go_on: impl FnMut(&SearchBudget<'_>) -> (Found, u64, u64),
) -> Result<Found, Hit> {
    let ended_by_itself = console.set_ends_by_itself(true);
    let is_watched = console.terminal().watched_err;
    let last_line = Cell::new(Instant::now());
    let wants_line = || is_watched && last_line.get().elapsed() >= LIVE;
    let stop = || limits.is_over() || wants_line();
    let mut has_line = false;
    let mut nodes = 0;
    let found = loop {
        let left = limits.given.max_nodes.map_or(u64::MAX, |most| most.saturating_sub(nodes));
        let budget = SearchBudget { nodes: left, bytes: limits.bytes(), stop: Some(&stop) };
        let (found, so_far, bytes) = go_on(&budget);
        nodes = so_far;
        match found {
            Found::Limit(Limit::Stopped) if !limits.is_over() => {
                has_line = true;
                last_line.set(Instant::now());
                console.progress(&format!(
                    "searching: {} states expanded, {} MB, {:.1} s",
                    grouped(nodes),
                    bytes >> 20,
                    limits.began.elapsed().as_secs_f64()
                ));
            }
            Found::Limit(Limit::Stopped) => break Err(limits.over()),
            Found::Limit(Limit::Nodes) => break Err(Hit::Nodes),
            Found::Limit(Limit::Memory) => break Err(Hit::Memory),
            found => break Ok(found),
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
    found
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
        let found = watched(&limits, &mut console, |_| {
            assert!(signals.has_last_words());
            (Found::Nothing, 1, 1)
        });
        assert!(found.is_ok() && !signals.has_last_words());
        let found = watched(&limits, &mut console, |_| {
            signals.interrupt();
            (Found::Limit(Limit::Stopped), 1, 1)
        });
        assert!(found.is_err() && signals.has_last_words());
    }

    #[test]
    fn a_plan_that_could_not_be_judged_is_a_limit_and_not_a_plan() {
        let limits = RunLimits {
            time: Some(Duration::ZERO),
            ..RunLimits::unlimited(&console(&Arc::default()))
        };
        let Stopped { hit, why } = limits.gave_up_judging(ValidateError::Stopped);
        assert!(hit == Hit::Time);
        let said = "the limit of 0 s (`--time`) was reached before the plan that was found could \
                    be judged";
        assert_eq!(why.as_deref(), Some(said));
    }
}
