//! Asks the topological planner about a grid and checks every answer.
//!
//! In:   a grid; then situations (start, forbidden actions, answers of checks); then goals.
//! Out:  what is wrong, in words with the whole instance; and a tally.
//! Cost: one exploration of the reachable states for each situation, a pass over them for each
//!       goal, and the planner's own work.
//!
//! An answer is right if its plan runs from the start to the goal on the grid, costs what it
//! says and no more than the least, or if there is nothing to find. What is decided without
//! search must be shortest as well as cheapest, because every plan contains its actions.

use super::{At, Distances, Grid, MAX_VARIABLES, Seen, State, Tally, VALUES};
use throng::{Cost, Domain, Engine, Fact, Npc, NpcTypeId, Planner, Request};
use throng_domain::compile::{LocalAction, UNKNOWN};
use throng_planner::topological::{self, Moves};
use throng_planner::{ActionMask, Call, Checks, Context, Mode, Outcome, Problem, forward};

/// A loaded grid, a situation in it, and the memory of planners.
pub struct Judge {
    grid: Grid,
    domain: Domain,
    npc: Npc,
    kind: NpcTypeId,
    facts: Vec<Vec<Fact>>,
    start: State,
    there: Vec<bool>,
    is_served: bool,
    only_under_mask: bool,
    checks: Checks,
    forbidden: ActionMask,
    problem: Problem,
    tools: Tools,
    /// What has been seen.
    pub tally: Tally,
}

/// What outlives a grid.
#[derive(Default)]
struct Tools {
    cheapest: Distances,
    shortest: Distances,
    moves: Moves,
    topological: topological::TopologicalScratch,
    search: forward::ForwardScratch,
    library: throng::Scratch,
    plan: Vec<LocalAction>,
    goal: Vec<Fact>,
}

impl Judge {
    /// Loads a grid through its text.
    ///
    /// # Errors
    ///
    /// Why it does not load.
    pub fn new(grid: Grid) -> Result<Judge, String> {
        let text = grid.text();
        let domain = Domain::from_text(&text).map_err(|why| format!("{why}\n{text}"))?;
        let npc = Npc::new(&domain, "d").map_err(|why| why.to_string())?;
        let kind = npc.type_id();
        let mut facts = Vec::new();
        for (variable, &size) in grid.sizes.iter().enumerate() {
            let values = VALUES[..usize::from(size)].iter();
            let row: Result<_, _> =
                values.map(|value| domain.fact(&format!("v{variable}"), value)).collect();
            facts.push(row.map_err(|why| why.to_string())?);
        }
        let compiled = domain.compiled();
        let ids = compiled.npc(kind).actions();
        if ids.len() != grid.steps.len() || !ids.iter().enumerate().all(|(n, id)| id.index() == n) {
            return Err(format!("actions are not in file order\n{text}"));
        }
        Ok(Judge {
            problem: Problem::new(compiled, kind),
            checks: npc.checks().clone(),
            forbidden: ActionMask::none(ids.len()),
            there: vec![true; ids.len()],
            start: [0; MAX_VARIABLES],
            is_served: false,
            only_under_mask: false,
            tools: Tools::default(),
            tally: Tally::default(),
            grid,
            npc,
            kind,
            facts,
            domain,
        })
    }

    /// Goes on with another grid and the same memory.
    ///
    /// # Errors
    ///
    /// Why it does not load.
    pub fn turn_to(&mut self, grid: Grid) -> Result<(), String> {
        let mut next = Judge::new(grid)?;
        next.tools = std::mem::take(&mut self.tools);
        next.tally = std::mem::take(&mut self.tally);
        *self = next;
        Ok(())
    }

    /// Enters a situation; gives whether the topological planner serves it.
    ///
    /// # Errors
    ///
    /// If the planner thinks otherwise about which actions are there, or whether they are moves.
    pub fn enter(
        &mut self,
        start: &State,
        forbidden: &[bool],
        answers: &[bool],
    ) -> Result<bool, String> {
        self.start = *start;
        for (variable, facts) in self.facts.iter().enumerate() {
            match facts.get(usize::from(start[variable])) {
                Some(&fact) => self.npc.set_fact(fact),
                None => {
                    self.npc.forget(&format!("v{variable}")).map_err(|why| why.to_string())?;
                }
            }
        }
        for (check, &answer) in answers.iter().enumerate() {
            // A check that no action asks for does not exist.
            _ = self.npc.set_check(&format!("c{check}"), answer);
        }
        self.checks.clone_from(self.npc.checks());
        for (action, &is_forbidden) in forbidden.iter().enumerate() {
            self.forbidden.set(LocalAction(action as u32), is_forbidden);
            let id = self.domain.compiled().npc(self.kind).actions()[action];
            self.npc.forbid_id(id, is_forbidden);
        }
        self.there = self.grid.there(forbidden, answers);
        self.is_served = self.grid.is_topological(&self.there, start);
        let all = vec![true; self.there.len()];
        self.only_under_mask = self.is_served && !self.grid.is_topological(&all, start);
        self.fill(&[]);
        let enabled = self.problem.enabled();
        let agree =
            |(at, &is_there): (usize, &bool)| enabled.has(LocalAction(at as u32)) == is_there;
        if !self.there.iter().enumerate().all(agree) {
            return Err(self.complaint("other actions are there", &[]));
        }
        let call = Call::new(self.domain.compiled(), &self.problem);
        let is_certified = self.tools.moves.certify(&call).is_ok();
        if (is_certified && self.tools.moves.fits(&call)) != self.is_served {
            return Err(self.complaint("the certificate is wrong", &[]));
        }
        self.tools.cheapest.explore(&self.grid, &self.there, start, |step| step.cost);
        self.tools.shortest.explore(&self.grid, &self.there, start, |_| 1);
        Ok(self.is_served)
    }

    /// The domain it judges.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// All states within reach, nearest first.
    pub fn reached(&self) -> &[(State, u64)] {
        self.tools.cheapest.reached()
    }

    fn fill(&mut self, goal: &[At]) {
        let (sizes, start) = (&self.grid.sizes, &self.start);
        let value_of = |variable: usize| match start[variable] {
            value if value < sizes[variable] => u16::from(value),
            _ => UNKNOWN,
        };
        self.tools.goal.clear();
        let facts = goal.iter().map(|&(variable, value)| self.facts[variable][usize::from(value)]);
        self.tools.goal.extend(facts);
        let (domain, goal) = (self.domain.compiled(), &self.tools.goal);
        self.problem.fill(
            domain,
            self.kind,
            value_of,
            goal,
            Context::new(&self.checks, &self.forbidden),
        );
    }

    /// Puts one question to the topological planner, in all its parts.
    ///
    /// # Errors
    ///
    /// What is wrong with an answer.
    pub fn ask(&mut self, goal: &[At]) -> Result<(), String> {
        self.fill(goal);
        self.count_question(goal);
        let domain = self.domain.compiled();
        let problem = &self.problem;
        let call = Call::new(domain, problem);
        let Tools { topological: work, plan, moves, .. } = &mut self.tools;
        // What lies outside of the type's own variables is not closure's business.
        if problem.outside_holds() {
            let by_order = topological::decide_by_order(&call, moves, work, plan);
            match by_order {
                Some(outcome) => {
                    self.verify_both("by order", &outcome, goal)?;
                }
                None => self.tally.add(Seen::OpenByOrder, 1),
            }
        }
        let Tools { topological: work, plan, moves, .. } = &mut self.tools;
        if let Some(outcome) = topological::decide(&call, moves, work, plan) {
            self.verify_both("decided", &outcome, goal)?;
            self.count_answer(&outcome, Seen::PlansDecided, Seen::ProofsDecided);
            return Ok(());
        }
        let mut last = None;
        for mode in [Mode::Shortest, Mode::Cheapest] {
            let Tools { topological: work, search, plan, moves, .. } = &mut self.tools;
            let answer = topological::search(&call.mode(mode), moves, work, search, plan);
            let wrong = |why| self.complaint(&format!("searched, {mode:?}: {why}"), goal);
            self.verify(&answer.outcome, goal, mode).map_err(wrong)?;
            last = Some(answer);
        }
        if let Some(answer) = last {
            self.tally.add(Seen::Nodes, answer.nodes);
            self.count_answer(&answer.outcome, Seen::PlansSearched, Seen::ProofsSearched);
        }
        Ok(())
    }

    /// Puts the question to the library, which must choose the right engine.
    ///
    /// # Errors
    ///
    /// What is wrong with its answer.
    pub fn ask_library(&mut self, goal: &[At]) -> Result<(), String> {
        self.fill(goal);
        let request = Request::to(self.tools.goal.iter().copied());
        let answer = Planner::new().plan(&self.npc, &request, &mut self.tools.library);
        let engine = if self.is_served { Engine::Topological } else { Engine::Regressive };
        if answer.engine() != engine {
            let because = format!("{:?}, because {}", answer.engine(), answer.because());
            return Err(self.complaint(&because, goal));
        }
        let steps = answer.plan().actions().iter().map(|id| LocalAction(id.index() as u32));
        self.tools.plan.clear();
        self.tools.plan.extend(steps);
        self.tally.add(if self.is_served { Seen::Library } else { Seen::NotServed }, 1);
        let wrong = |why| self.complaint(&format!("library: {why}"), goal);
        self.verify(answer.outcome(), goal, Mode::Cheapest).map_err(wrong)
    }

    /// What is wrong with an outcome that must be the cheapest and the shortest.
    fn verify_both(&self, how: &str, outcome: &Outcome, goal: &[At]) -> Result<(), String> {
        let modes = [Mode::Cheapest, Mode::Shortest];
        let both = modes.into_iter().try_for_each(|mode| self.verify(outcome, goal, mode));
        both.map_err(|why| self.complaint(&format!("{how}: {why}"), goal))
    }

    /// What is wrong with an outcome and the plan in the tools.
    fn verify(&self, outcome: &Outcome, goal: &[At], mode: Mode) -> Result<(), String> {
        let distances =
            if mode == Mode::Cheapest { &self.tools.cheapest } else { &self.tools.shortest };
        let least = distances.to(goal);
        match outcome {
            Outcome::Plan { cost } => {
                let (end, sum) = self.replay()?;
                if !goal.iter().all(|&(variable, value)| end[variable] == value) {
                    return Err("the plan does not reach the goal".to_string());
                }
                if *cost != Cost(sum) {
                    return Err(format!("costs {sum}, says {cost}"));
                }
                let price = if mode == Mode::Cheapest { sum } else { self.tools.plan.len() as u64 };
                if Some(price) != least {
                    return Err(format!("{mode:?}: {price}, but the least is {least:?}"));
                }
            }
            Outcome::Satisfied if least == Some(0) => {}
            Outcome::Impossible(_) if least.is_none() => {}
            other => return Err(format!("{other:?}, but the least is {least:?}")),
        }
        Ok(())
    }

    fn replay(&self) -> Result<(State, u64), String> {
        let (mut state, mut sum) = (self.start, 0);
        for (nth, action) in self.tools.plan.iter().enumerate() {
            let step = &self.grid.steps[action.index()];
            if !self.there[action.index()] {
                return Err(format!("step {nth} is not there"));
            }
            state = step.after(&state).ok_or_else(|| format!("step {nth} is not applicable"))?;
            sum += step.cost;
        }
        Ok((state, sum))
    }

    fn count_question(&mut self, goal: &[At]) {
        let sizes = &self.grid.sizes;
        let is_total = goal.len() == sizes.len();
        let is_unknown = sizes.iter().zip(&self.start).any(|(size, value)| value >= size);
        let mut count = |what, is_so| self.tally.add(what, u64::from(is_so));
        count(Seen::Instances, true);
        count(Seen::TotalGoals, is_total);
        count(Seen::PartialGoals, !is_total);
        count(Seen::Masked, self.there.contains(&false));
        count(Seen::OnlyUnderMask, self.only_under_mask);
        count(Seen::UnknownStart, is_unknown);
        count(Seen::Costs, self.grid.steps.iter().any(|step| step.cost != 1000));
    }

    fn count_answer(&mut self, outcome: &Outcome, plan: Seen, proof: Seen) {
        let steps = &self.tools.plan;
        match outcome {
            Outcome::Plan { .. } => {
                self.tally.add(plan, 1);
                self.tally.add(Seen::Steps, steps.len() as u64);
                let mut is_done = 0u64;
                let is_repeated = steps.iter().any(|action| {
                    let bit = 1 << action.0;
                    let before = is_done & bit != 0;
                    is_done |= bit;
                    before
                });
                self.tally.add(Seen::DoTwice, u64::from(is_repeated));
                let (soft, both) = self.softness();
                self.tally.add(Seen::Soft, u64::from(soft));
                self.tally.add(Seen::UsedBothTimes, u64::from(both));
            }
            Outcome::Impossible(_) => self.tally.add(proof, 1),
            Outcome::Satisfied => self.tally.add(Seen::Satisfied, 1),
            Outcome::GaveUp(_) => {}
        }
    }

    /// Whether the plan needs a value that holds in two separate stretches; and whether it is
    /// needed in both.
    fn softness(&self) -> (bool, bool) {
        // For every variable and value: how often it has begun, and in which of the first 32
        // stretches it was needed.
        let mut begun = [[0u32; VALUES.len() + 1]; MAX_VARIABLES];
        let mut used = [[0u32; VALUES.len() + 1]; MAX_VARIABLES];
        for (variable, &value) in self.start.iter().enumerate() {
            begun[variable][usize::from(value)] = 1;
        }
        for action in &self.tools.plan {
            let step = &self.grid.steps[action.index()];
            for &(variable, value) in &step.during {
                let stretch = begun[variable][usize::from(value)];
                used[variable][usize::from(value)] |= 1 << (stretch % 32);
            }
            begun[step.to.0][usize::from(step.to.1)] += 1;
        }
        let cells = || begun.iter().flatten().zip(used.iter().flatten());
        let soft = cells().any(|(&begun, &used)| begun > 1 && used != 0);
        (soft, cells().any(|(_, used)| used.count_ones() > 1))
    }

    fn complaint(&self, what: &str, goal: &[At]) -> String {
        let name = |variable: usize, value: u8| {
            let value =
                VALUES.get(usize::from(value)).filter(|_| value < self.grid.sizes[variable]);
            format!("v{variable} = {}", value.unwrap_or(&"unknown"))
        };
        let start = (0..self.grid.sizes.len()).map(|variable| name(variable, self.start[variable]));
        let goal = goal.iter().map(|&(variable, value)| name(variable, value));
        let there = (0..self.there.len()).filter(|&at| self.there[at]).map(|at| format!("a{at}"));
        let list = |items: &mut dyn Iterator<Item = String>| items.collect::<Vec<_>>().join(", ");
        format!(
            "{what}\nfrom {}\nto {}\nthere {}\nplan {:?}\n{}",
            list(&mut start.into_iter()),
            list(&mut goal.into_iter()),
            list(&mut there.into_iter()),
            self.tools.plan,
            self.grid.text()
        )
    }
}
