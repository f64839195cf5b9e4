//! The search from the goal back with amounts: demands are sets of values.
//!
//! In:   a task, a budget.
//! Out:  a cheapest plan, a proof that there is none, or the limit hit; a search that hit a limit
//!       goes on when it is asked again.
//! Cost: see `search`; no allocation once warm.
//!
//! At first upper ends of ranges are ignored where nothing asks for them (`question`): that only
//! adds plans, so what is impossible is. A plan that can be done all the same is cheapest. Else the
//! same steps are tried in another order (`order`); if that fails the end that was in the way
//! counts from now on, and the search begins again.

use super::found::CountingFound;
use super::layout::Layout;
use super::order::Order;
use super::question::NO_VARIABLE;
use super::ray::Ray;
use super::reach::NEVER;
use super::search::{CountingProof, Ended, Search, Tools};
use super::switches::Switches;
use super::task::CountingTask;
use crate::budget::{Limit, SearchBudget};
use throng_base::Bits;

/// Working memory, and a search that can be resumed; keep one per thread and reuse it.
#[derive(Clone, Debug, Default)]
pub struct Backward {
    tools: Tools,
    layout: Layout,
    width: Width,
    eight: Search<u16, 8>,
    sixteen: Search<u16, 16>,
    thirty_two: Search<u16, 32>,
    sixty_four: Search<u16, 64>,
    long_sixteen: Search<u32, 16>,
    long_sixty_four: Search<u32, 64>,
    /// Whether more was demanded than sixteen bits can count.
    is_long: bool,
    order: Order,
    /// Variables of the task whose ends all count.
    closed: Bits,
    state: Vec<u16>,
    steps: Vec<u32>,
    proof: Option<CountingProof>,
    n_closed: u32,
}

/// Which search is under way, by its lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Width {
    Eight,
    Sixteen,
    ThirtyTwo,
    SixtyFour,
    LongSixteen,
    LongSixtyFour,
    /// None: the demands take too many lanes.
    #[default]
    TooWide,
}

/// Does the same with the search under way, whatever its width.
macro_rules! with_search {
    ($self:ident, $search:ident => $do:expr, $else:expr) => {
        match $self.width {
            Width::Eight => {
                let $search = &mut $self.eight;
                $do
            }
            Width::Sixteen => {
                let $search = &mut $self.sixteen;
                $do
            }
            Width::ThirtyTwo => {
                let $search = &mut $self.thirty_two;
                $do
            }
            Width::SixtyFour => {
                let $search = &mut $self.sixty_four;
                $do
            }
            Width::LongSixteen => {
                let $search = &mut $self.long_sixteen;
                $do
            }
            Width::LongSixtyFour => {
                let $search = &mut $self.long_sixty_four;
                $do
            }
            Width::TooWide => $else,
        }
    };
}

impl Backward {
    /// Says which parts are on from the next [`Backward::begin`] on.
    pub fn set_switches(&mut self, switches: Switches) {
        self.tools.switches = switches;
    }

    /// Begins a search for a task.
    pub fn begin(&mut self, task: &CountingTask) {
        self.begin_in(task, self.tools.switches.haste);
    }

    /// Begins with estimates at once, which [`Backward::begin`] does after a while.
    pub fn begin_guided(&mut self, task: &CountingTask) {
        self.begin_in(task, false);
    }

    fn begin_in(&mut self, task: &CountingTask, in_haste: bool) {
        self.tools.n_nodes = 0;
        self.n_closed = 0;
        self.is_long = false;
        self.proof = None;
        self.closed.reset(task.n_variables(), !self.tools.switches.open_ends);
        self.start_over(task, in_haste);
    }

    /// Begins, with the ends that count now.
    fn start_over(&mut self, task: &CountingTask, in_haste: bool) {
        let closed = &self.closed;
        self.tools.question.fill(task, &|variable| closed.get(variable as usize));
        let fits = self.layout.fill(&self.tools.question);
        self.width = match self.layout.n_lanes {
            _ if !fits => Width::TooWide,
            0..=16 if self.is_long => Width::LongSixteen,
            17..=64 if self.is_long => Width::LongSixtyFour,
            0..=8 => Width::Eight,
            9..=16 => Width::Sixteen,
            17..=32 => Width::ThirtyTwo,
            33..=64 => Width::SixtyFour,
            _ => Width::TooWide,
        };
        let (tools, layout) = (&self.tools, &mut self.layout);
        with_search!(self, search => search.begin(tools, layout, in_haste), ());
    }

    /// Goes on with the search for a task that [`Backward::begin`] has begun; the plan is written
    /// only if there is one. The same task must be given until there is an answer.
    pub fn run(
        &mut self,
        task: &CountingTask,
        budget: &SearchBudget<'_>,
        plan: &mut Vec<u32>,
    ) -> CountingFound {
        plan.clear();
        if task.goal().iter().any(|need| need.values.is_empty()) {
            self.proof = Some(CountingProof::Reach);
            return CountingFound::Impossible;
        }
        let mut spent = 0;
        loop {
            let tools = &mut self.tools;
            let ended = with_search!(
                self,
                search => search.run(tools, budget, &mut spent),
                Err(Limit::Memory)
            );
            let in_the_way = match ended {
                Err(limit) => return CountingFound::Limit(limit),
                Ok(Ended::Never(proof)) => {
                    self.proof = Some(proof);
                    return CountingFound::Impossible;
                }
                Ok(Ended::At(node)) => {
                    self.read_plan(node, plan);
                    match self.in_the_way(task, plan) {
                        None => return CountingFound::Plan,
                        Some(_) if self.order.arrange(task, plan) => return CountingFound::Plan,
                        Some(variable) => variable,
                    }
                }
                Ok(Ended::Beyond(_)) if !self.is_long => {
                    self.is_long = true;
                    self.start_over(task, false);
                    continue;
                }
                Ok(Ended::Beyond(variable)) => {
                    let origin = self.tools.question.origins.get(variable as usize);
                    origin.map_or(NO_VARIABLE, |origin| origin.variable)
                }
            };
            plan.clear();
            if !self.close(task, in_the_way) {
                // Every end counts, so a plan is one.
                return CountingFound::Limit(Limit::Stopped);
            }
            self.start_over(task, false);
        }
    }

    /// The way from a node to the goal, in actions of the task.
    fn read_plan(&mut self, node: u32, plan: &mut Vec<u32>) {
        let steps = &mut self.steps;
        with_search!(self, search => search.nodes.way(node, steps), steps.clear());
        let actions = &self.tools.question.actions;
        plan.extend(self.steps.iter().map(|&step| actions[step as usize]));
    }

    /// The variable whose end keeps a plan from being one.
    fn in_the_way(&mut self, task: &CountingTask, plan: &[u32]) -> Option<u32> {
        self.state.clear();
        self.state.extend_from_slice(task.start());
        let unmet = |needs: &[super::task::Need], state: &[u16]| {
            let mut needs = needs.iter();
            needs.find(|need| !need.values.has(state[need.variable as usize])).map(|n| n.variable)
        };
        for &action in plan {
            let variable = unmet(task.needs(action), &self.state);
            if variable.is_some() {
                return variable;
            }
            task.run(action, &mut self.state);
        }
        unmet(task.goal(), &self.state)
    }

    /// Makes the ends of a variable count; all, if they did. `false` if all did.
    fn close(&mut self, task: &CountingTask, variable: u32) -> bool {
        self.n_closed += 1;
        if self.closed.insert(variable as usize) {
            return true;
        }
        let is_news = self.closed.count() < task.n_variables();
        self.closed.reset(task.n_variables(), true);
        is_news
    }

    /// How many nodes were expanded since the search began.
    pub fn nodes(&self) -> u64 {
        self.tools.n_nodes
    }

    /// No plan costs less, as far as the search has come.
    pub(super) fn bound(&mut self) -> u64 {
        with_search!(self, search => search.bound(), 0)
    }

    /// How many bytes the search under way holds; what others left counts for nothing, so that an
    /// answer never depends on the questions before.
    pub fn bytes(&self) -> usize {
        match self.width {
            Width::Eight => self.eight.bytes(),
            Width::Sixteen => self.sixteen.bytes(),
            Width::ThirtyTwo => self.thirty_two.bytes(),
            Width::SixtyFour => self.sixty_four.bytes(),
            Width::LongSixteen => self.long_sixteen.bytes(),
            Width::LongSixtyFour => self.long_sixty_four.bytes(),
            Width::TooWide => 0,
        }
    }

    /// Why the last task is impossible, if it is.
    pub fn proof(&self) -> Option<CountingProof> {
        self.proof
    }

    /// What can never rise enough, if that is why the last task is impossible.
    pub fn ray(&mut self, task: &CountingTask) -> Option<Ray> {
        if self.proof != Some(CountingProof::Ray) {
            return None;
        }
        let question = &self.tools.question;
        with_search!(
            self,
            search => search
                .estimates
                .worths()
                .find(|worth| worth.is_ray())
                .map(|ray| Ray::new(task, question, ray)),
            None
        )
    }

    /// Whether an action may be part of a plan for the last task, as far as prices of values say.
    pub fn can_ever_run(&self, action: u32) -> bool {
        let Tools { question, reach, .. } = &self.tools;
        question.actions.binary_search(&action).is_ok_and(|at| reach.ready(at as u32) != NEVER)
    }

    /// How often an end of a range had to be taken back.
    pub fn n_closed(&self) -> u32 {
        self.n_closed
    }
}
