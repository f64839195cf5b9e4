//! What is asked of a planner: a goal, a mode, limits.

use std::fmt;
use std::sync::Arc;
pub use throng_domain::model::Target;
use throng_domain::model::{Fact, GoalId, Wants};
use throng_planner::{Engine, Mode, SearchBudget};

/// How [`Target::Best`] chooses among several goals that can be had.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum GoalSelection {
    /// The most important one, whatever its plan costs.
    #[default]
    Priority,
    /// The one that is worth most: its priority, taken as a value, less the price of its plan;
    /// among equals the one declared first. All goals are planned for.
    Worth,
}

/// A question to a planner.
///
/// ```
/// use throng::prelude::*;
///
/// # let domain = Domain::from_text(
/// #     "domain door\nvar door: shut, open\naction push: door shut -> open   if unlocked\n\
/// #      goal out: door = open\nnpc guest\n    can push\n    wants out\n    starts door = shut",
/// # )?;
/// let npc = Npc::new(&domain, "guest")?;
/// let request = Request::goal(domain.goal("out")?);
/// let answer = Planner::new().plan(&npc, &request, &mut Scratch::default());
/// assert!(matches!(answer.outcome(), Outcome::Plan { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct Request {
    pub(crate) want: Target,
    pub(crate) mode: Mode,
    pub(crate) engine: Option<Engine>,
    pub(crate) among: GoalSelection,
    pub(crate) max_nodes: u64,
    pub(crate) max_bytes: usize,
    pub(crate) stop: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("want", &self.want)
            .field("mode", &self.mode)
            .field("among", &self.among)
            .field("max_nodes", &self.max_nodes)
            .field("max_bytes", &self.max_bytes)
            .finish_non_exhaustive()
    }
}

impl Request {
    /// Asks for something: the cheapest plan, no node limit, one gigabyte at most.
    pub fn new(want: Target) -> Request {
        Request {
            want,
            mode: Mode::Cheapest,
            engine: None,
            among: GoalSelection::Priority,
            max_nodes: SearchBudget::DEFAULT.nodes,
            max_bytes: SearchBudget::DEFAULT.bytes,
            stop: None,
        }
    }

    /// Asks for the NPC's most important goal that can be had.
    pub fn best() -> Request {
        Request::new(Target::Best)
    }

    /// Asks for a goal.
    pub fn goal(goal: GoalId) -> Request {
        Request::new(Target::Goal(goal))
    }

    /// Asks for any of some goals: the one whose plan is cheapest. [`Domain::goal_target`] gives the
    /// alternatives of a name.
    ///
    /// [`Domain::goal_target`]: crate::Domain::goal_target
    pub fn any(goals: impl IntoIterator<Item = GoalId>) -> Request {
        Request::new(Target::Any(goals.into_iter().collect()))
    }

    /// Asks for facts.
    pub fn to(facts: impl IntoIterator<Item = Fact>) -> Request {
        Request::to_conditions(facts.into_iter().collect::<Vec<_>>())
    }

    /// Asks for values and sets of values, as `hp >= 50`.
    pub fn to_conditions(wants: impl Into<Wants>) -> Request {
        Request::new(Target::Conditions(wants.into()))
    }

    /// Cheapest, shortest, or any plan.
    pub fn mode(mut self, mode: Mode) -> Request {
        self.mode = mode;
        self
    }

    /// Asks for an engine. If that engine is not exact for the problem, another answers, and
    /// the answer says so.
    pub fn engine(mut self, engine: Engine) -> Request {
        self.engine = Some(engine);
        self
    }

    /// How to choose among several goals, where none is named.
    pub fn among(mut self, among: GoalSelection) -> Request {
        self.among = among;
        self
    }

    /// At most so many states are expanded in a call, for all goals tried.
    pub fn max_nodes(mut self, nodes: u64) -> Request {
        self.max_nodes = nodes;
        self
    }

    /// At most so many bytes of working memory are used.
    pub fn max_bytes(mut self, bytes: usize) -> Request {
        self.max_bytes = bytes;
        self
    }

    /// Ends the search when `stop` says `true`; this is where a clock belongs.
    pub fn stop_when(mut self, stop: impl Fn() -> bool + Send + Sync + 'static) -> Request {
        self.stop = Some(Arc::new(stop));
        self
    }

    /// Whether a call may give up before memory is full.
    pub(crate) fn is_limited(&self) -> bool {
        self.max_nodes < SearchBudget::DEFAULT.nodes || self.stop.is_some()
    }

    pub(crate) fn budget(&self) -> SearchBudget<'_> {
        let stop = self.stop.as_deref().map(|stop| stop as &dyn Fn() -> bool);
        SearchBudget { nodes: self.max_nodes, bytes: self.max_bytes, stop }
    }
}
