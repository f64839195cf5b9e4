//! A problem as the papers see it: every action is the value it sets.
//!
//! In:   an NPC type, its enabled actions; a start and a goal for every variable.
//! Out:  for every variable and value (the papers' identifier, here a [`Post`]) the action that
//!       sets it, the value it comes from, what it needs meanwhile; which values lie on a cycle
//!       and which are requested. An identifier without an action is a *ghost*.
//! Cost: one visit per action and need; one walk per variable for its cycle.
//!
//! This is the pre-processing of the papers. It depends on the actions only, so one table
//! serves all starts and goals.
//!
//! Relies on: [`SoleSetters::fill`], asked once per table.

use super::failure::Failure;
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable, NpcTables, UNKNOWN};
use throng_planner::context::ActionMask;
use throng_planner::problem::Problem;
use throng_planner::tables::SoleSetters;

throng_base::typed_id! {
    /// An action, named by the value that it sets; a ghost if no action sets that value. As an
    /// index values of one variable are neighbours.
    pub struct Post(u32);
}

/// One row of the papers' tables.
#[derive(Clone, Debug)]
struct Row {
    fact: LocalFact,
    action: Option<LocalAction>,
    /// The value that the action comes from.
    pre: Post,
    /// What it needs meanwhile, in order of variables.
    prevail: Vec<Post>,
    requested: bool,
}

/// All actions of a problem, indexed by what they set.
#[derive(Clone, Debug)]
pub struct Tables {
    rows: Vec<Row>,
    /// The first row of each variable, and the number of rows.
    firsts: Vec<u32>,
}

/// Where planning begins and ends: a value for every variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ends {
    /// The first state.
    pub start: Vec<Post>,
    /// The last.
    pub goal: Vec<Post>,
}

/// Reads actions, start and goal.
///
/// # Errors
///
/// As [`Tables::read`] and [`Tables::ends`].
pub fn read(npc: &NpcTables, problem: &Problem) -> Result<(Tables, Ends), Failure> {
    if let Some(action) = problem.counting_action(npc) {
        return Err(Failure::Counts(action));
    }
    let tables = Tables::read(npc, problem.enabled())?;
    let ends = tables.ends(problem)?;
    Ok((tables, ends))
}

impl Tables {
    /// Reads the enabled actions of a type.
    ///
    /// # Errors
    ///
    /// If they are not all moves with a value of their own.
    pub fn read(npc: &NpcTables, enabled: &ActionMask) -> Result<Self, Failure> {
        let is_there = |action| enabled.has(action);
        SoleSetters::default().fill(npc, is_there).map_err(Failure::NotMoves)?;
        let mut tables = Tables::of_ghosts(npc);
        for action in (0..npc.n_actions() as u32).map(LocalAction) {
            if let ([set], true) = (npc.sets(action), enabled.has(action)) {
                tables.add(npc, action, *set);
            }
        }
        tables.mark_requests();
        Ok(tables)
    }

    /// A row for every value, and no actions yet.
    fn of_ghosts(npc: &NpcTables) -> Self {
        let mut tables = Tables { rows: Vec::new(), firsts: vec![0] };
        for variable in (0..npc.variables().len() as u32).map(LocalVariable) {
            for value in 0..npc.n_values(variable) {
                let fact = LocalFact { variable, value: value as u16 };
                tables.rows.push(Row {
                    fact,
                    action: None,
                    pre: Post(tables.rows.len() as u32),
                    prevail: Vec::new(),
                    requested: false,
                });
            }
            tables.firsts.push(tables.rows.len() as u32);
        }
        tables
    }

    fn add(&mut self, npc: &NpcTables, action: LocalAction, set: LocalFact) {
        let needs = npc.needs(action);
        let own = needs.iter().find(|need| need.variable == set.variable);
        // A move from any of two values is a move from the other one.
        let pre = own.map_or(LocalFact { value: 1 - set.value.min(1), ..set }, |need| *need);
        let pre = self.post(pre);
        let others = needs.iter().filter(|need| need.variable != set.variable);
        let prevail = others.map(|&need| self.post(need)).collect();
        let at = self.post(set);
        let row = &mut self.rows[at.index()];
        (row.action, row.pre, row.prevail) = (Some(action), pre, prevail);
    }

    fn mark_requests(&mut self) {
        let needed: Vec<Post> = self.rows.iter().flat_map(|row| row.prevail.clone()).collect();
        needed.into_iter().for_each(|post| self.rows[post.index()].requested = true);
    }

    /// The start and the goal of a problem over these tables.
    ///
    /// # Errors
    ///
    /// If a start value is unknown, a variable has no goal value or two, or a goal lies on a
    /// variable that the type does not touch and does not hold.
    pub fn ends(&self, problem: &Problem) -> Result<Ends, Failure> {
        if let Some(outside) = problem.outside().iter().find(|outside| !outside.holds) {
            return Err(Failure::OutsideGoal(outside.fact));
        }
        if let Some(outside) = problem.outside_ranges().iter().find(|outside| !outside.holds) {
            return Err(Failure::OutsideRange(outside.range));
        }
        if problem.is_contradictory() {
            return Err(Failure::Contradiction);
        }
        if let Some(range) = problem.goal_ranges().first() {
            return Err(Failure::GoalRange(range.variable));
        }
        let (mut start, mut goal) = (Vec::new(), Vec::new());
        for (variable, &value) in (0..).map(LocalVariable).zip(problem.start()) {
            if value == UNKNOWN {
                return Err(Failure::UnknownStart(variable));
            }
            let mut wanted = problem.goal().iter().filter(|fact| fact.variable == variable);
            let Some(&fact) = wanted.next() else { return Err(Failure::NoGoalValue(variable)) };
            if wanted.next().is_some() {
                return Err(Failure::TwoGoalValues(variable));
            }
            start.push(self.post(LocalFact { variable, value }));
            goal.push(self.post(fact));
        }
        Ok(Ends { start, goal })
    }

    /// How many variables there are.
    pub fn n_variables(&self) -> usize {
        self.firsts.len() - 1
    }

    /// How many values a variable has.
    pub fn n_values(&self, variable: usize) -> usize {
        (self.firsts[variable + 1] - self.firsts[variable]) as usize
    }

    /// How many identifiers there are, ghosts included.
    pub fn n_posts(&self) -> usize {
        self.rows.len()
    }

    /// All identifiers.
    pub fn posts(&self) -> impl Iterator<Item = Post> + use<> {
        (0..self.rows.len() as u32).map(Post)
    }

    /// The identifier of a variable and a value.
    pub fn post(&self, fact: LocalFact) -> Post {
        Post(self.firsts[fact.variable.index()] + u32::from(fact.value))
    }

    /// The variable and the value of an identifier.
    pub fn fact(&self, post: Post) -> LocalFact {
        self.rows[post.index()].fact
    }

    /// The variable of an identifier, as an index.
    pub fn variable(&self, post: Post) -> usize {
        self.rows[post.index()].fact.variable.index()
    }

    /// The action itself; `None` for a ghost.
    pub fn action(&self, post: Post) -> Option<LocalAction> {
        self.rows[post.index()].action
    }

    /// Whether it is an action and not a ghost.
    pub fn is_action(&self, post: Post) -> bool {
        self.action(post).is_some()
    }

    /// The value that an action comes from; a ghost comes from itself.
    pub fn pre(&self, post: Post) -> Post {
        self.rows[post.index()].pre
    }

    /// What an action needs of other variables, ghosts included.
    pub fn prevail(&self, post: Post) -> &[Post] {
        &self.rows[post.index()].prevail
    }

    /// What an action needs of one variable.
    pub fn prevail_on(&self, post: Post, variable: usize) -> Option<Post> {
        // The papers look it up in a list over all variables; a search keeps the cost near theirs.
        let prevail = self.prevail(post);
        let at = prevail.partition_point(|&need| self.variable(need) < variable);
        prevail.get(at).copied().filter(|&need| self.variable(need) == variable)
    }

    /// Whether an action lies on the cycle of its variable.
    pub fn on_cycle(&self, post: Post) -> bool {
        let mut at = post;
        // Whoever comes back does so within as many steps as there are values.
        let mut steps = 0..self.n_values(self.variable(post));
        self.is_action(post)
            && steps.any(|_| {
                at = self.pre(at);
                at == post
            })
    }

    /// Whether some action needs this value.
    pub fn is_requested(&self, post: Post) -> bool {
        self.rows[post.index()].requested
    }

    /// Whether an action lies on a cycle of two that are both requested.
    pub fn on_two_way_cycle(&self, post: Post) -> bool {
        let other = self.pre(post);
        self.is_action(post)
            && self.pre(other) == post
            && self.is_requested(post)
            && self.is_requested(other)
    }
}
