//! A random domain before it is written down, and where a story in it leads.
//!
//! In:   a shape and dice.
//! Out:  variables, actions, NPC types, a start, and an end that is mostly in reach.
//!
//! Actions drawn blindly seldom work together: hardly any goal would be more than a step or
//! two away. So most actions are drawn as the next step of a story: they begin where the story
//! stands and need what holds there, above all what the step before has brought about.

use super::Shape;
use throng_base::SplitMix;

/// A variable and one of its values.
pub(super) type Fact = (usize, usize);

/// All values, three bits for each variable: 0 is unknown, 1 the first value.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct State(u32);

impl State {
    pub(super) fn get(self, variable: usize) -> Option<usize> {
        let value = (self.0 >> (3 * variable)) & 7;
        (value as usize).checked_sub(1)
    }

    fn put(&mut self, (variable, value): Fact) {
        let shift = 3 * variable;
        self.0 = (self.0 & !(7 << shift)) | ((value as u32 + 1) << shift);
    }
}

/// How the values of a variable are called.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Letters,
    Numbers,
    Bool,
}

#[derive(Clone, Copy)]
pub(super) struct Variable {
    pub(super) size: usize,
    pub(super) kind: Kind,
}

pub(super) struct Effect {
    pub(super) variable: usize,
    pub(super) from: Option<usize>,
    pub(super) to: usize,
}

pub(super) struct Action {
    pub(super) effects: Vec<Effect>,
    pub(super) during: Vec<Fact>,
    /// Checks and the answers they must have.
    pub(super) checks: Vec<(usize, bool)>,
    pub(super) overrides: Option<usize>,
    /// In thousandths.
    pub(super) cost: usize,
}

impl Action {
    /// The state after it; `None` if it cannot run.
    fn after(&self, state: State) -> Option<State> {
        let moved = self.effects.iter().filter_map(|e| e.from.map(|from| (e.variable, from)));
        let mut needs = moved.chain(self.during.iter().copied());
        let mut next = state;
        self.effects.iter().for_each(|effect| next.put((effect.variable, effect.to)));
        needs.all(|(variable, value)| state.get(variable) == Some(value)).then_some(next)
    }
}

/// A domain, who is asked in it, and where.
pub(super) struct Draft {
    pub(super) shape: Shape,
    pub(super) variables: Vec<Variable>,
    pub(super) actions: Vec<Action>,
    /// The actions of each NPC type; one type that does all stands for the implicit one.
    pub(super) can: Vec<Vec<usize>>,
    /// The NPC type of the question.
    pub(super) asked: usize,
    /// The answers of the context checks.
    pub(super) holding: Vec<bool>,
    pub(super) start: State,
    /// Where the story has led.
    pub(super) end: State,
    /// The variables that the story's last step has changed.
    latest: Vec<usize>,
}

impl Draft {
    pub(super) fn any(shape: Shape, dice: &mut SplitMix) -> Self {
        let variables: Vec<_> = (0..shape.variables).map(|_| any_variable(shape, dice)).collect();
        let start = any_state(&variables, shape, dice);
        let mut draft = Draft {
            shape,
            variables,
            actions: Vec::with_capacity(shape.actions),
            can: Vec::new(),
            asked: dice.below(shape.npcs),
            holding: (0..shape.checks).map(|_| dice.percent(60)).collect(),
            start,
            end: start,
            latest: Vec::new(),
        };
        draft.add_actions(dice);
        draft.add_overrides(dice);
        // The story is one of chance: now and then a type cannot do a step of it.
        let chance = [100, 97, 92, 92][shape.npcs.min(3)];
        for _ in 0..shape.npcs.max(1) {
            let can = (0..draft.actions.len()).filter(|_| dice.percent(chance)).collect();
            draft.can.push(can);
        }
        draft
    }

    fn add_actions(&mut self, dice: &mut SplitMix) {
        // What may still be set; it runs out only if no two actions may set the same.
        let mut open: Vec<Fact> = Vec::with_capacity(24);
        for (variable, &Variable { size, .. }) in self.variables.iter().enumerate() {
            open.extend((0..size).map(|value| (variable, value)));
        }
        while self.actions.len() < self.shape.actions && !open.is_empty() {
            let wish = dice.percent(self.shape.story_chance);
            if wish && dice.percent(40) {
                self.go_on(dice);
            }
            if !wish && !self.shape.post_unique && dice.percent(50) {
                let shortcut = self.any_shortcut(dice);
                self.actions.push(shortcut);
                continue;
            }
            let count = dice.within(1, self.shape.effects);
            let mut sets = self.take(&mut open, count, wish, dice);
            // The story may have nowhere to go.
            let is_story = wish && !sets.is_empty();
            if sets.is_empty() {
                sets = self.take(&mut open, count, false, dice);
            }
            let action = self.any_action(&sets, is_story, dice);
            if is_story {
                sets.iter().for_each(|&fact| self.end.put(fact));
                self.latest = sets.iter().map(|fact| fact.0).collect();
            }
            self.actions.push(action);
        }
    }

    /// A step of the story with an action that it knows already: some plans must do a thing
    /// twice.
    fn go_on(&mut self, dice: &mut SplitMix) {
        let n_actions = self.actions.len();
        let first = dice.below(n_actions);
        for action in (first..n_actions).chain(0..first).map(|at| &self.actions[at]) {
            let Some(next) = action.after(self.end).filter(|&next| next != self.end) else {
                continue;
            };
            self.end = next;
            self.latest = action.effects.iter().map(|effect| effect.variable).collect();
            return;
        }
    }

    /// A dear way straight from the start to where the story has brought a variable: fewer
    /// steps are not always cheaper.
    fn any_shortcut(&self, dice: &mut SplitMix) -> Action {
        let variable = dice.below(self.variables.len());
        let to = self.end.get(variable).unwrap_or(0);
        let from = self.start.get(variable).filter(|&from| from != to);
        let cost = if self.shape.costs { *dice.pick(&[1000, 3001, 9500, 20_000]) } else { 1000 };
        let effects = vec![Effect { variable, from, to }];
        Action { effects, during: Vec::new(), checks: Vec::new(), overrides: None, cost }
    }

    /// Up to `count` facts of different variables; for the story, such as do not hold yet.
    fn take(
        &self,
        open: &mut Vec<Fact>,
        count: usize,
        story: bool,
        dice: &mut SplitMix,
    ) -> Vec<Fact> {
        let mut sets: Vec<Fact> = Vec::with_capacity(count);
        for _ in 0..count {
            let first = dice.below(open.len());
            let fits = |&at: &usize| {
                let (variable, value) = open[at];
                let is_new = !story || self.end.get(variable) != Some(value);
                is_new && sets.iter().all(|set| set.0 != variable)
            };
            let Some(at) = (first..open.len()).chain(0..first).find(fits) else { break };
            sets.push(open[at]);
            if self.shape.post_unique {
                open.swap_remove(at);
            }
        }
        sets
    }

    fn any_action(&self, sets: &[Fact], is_story: bool, dice: &mut SplitMix) -> Action {
        let shape = self.shape;
        let mut effects = Vec::with_capacity(sets.len());
        for &(variable, to) in sets {
            let size = self.variables[variable].size;
            let from = match dice.below(100) {
                // Legal, and a warning: it sets what it requires.
                0 => Some(to),
                _ if dice.percent(shape.from_any_chance) || size == 1 => None,
                _ if is_story => self.end.get(variable),
                // Mostly round the values in their order: cycles and long ways.
                1..=60 => Some((to + size - 1) % size),
                _ => Some((to + dice.within(1, size - 1)) % size),
            };
            effects.push(Effect { variable, from, to });
        }
        let during = self.any_during(sets, is_story, dice);
        let mut checks = Vec::new();
        if shape.checks > 0 && dice.percent(40) {
            let count = dice.within(1, 2);
            for check in dice.some_of(shape.checks, count) {
                checks.push((check, self.holding[check] == dice.percent(90)));
            }
        }
        let cost = match shape.costs {
            true => *dice.pick(&[1, 5, 125, 500, 999, 1000, 1001, 1500, 2000, 2250, 3000, 10_000]),
            false => 1000,
        };
        Action { effects, during, checks, overrides: None, cost }
    }

    fn any_during(&self, sets: &[Fact], is_story: bool, dice: &mut SplitMix) -> Vec<Fact> {
        let least = usize::from(dice.percent(50)).min(self.shape.during);
        let count = dice.within(least, self.shape.during);
        if count == 0 {
            return Vec::new();
        }
        let mut others = dice.some_of(self.variables.len(), self.variables.len());
        others.retain(|&variable| sets.iter().all(|set| set.0 != variable));
        if is_story {
            others.sort_by_key(|variable| !self.latest.contains(variable));
        }
        others.truncate(count);
        let mut during = Vec::with_capacity(count);
        for variable in others {
            match self.end.get(variable) {
                Some(value) if is_story => during.push((variable, value)),
                // Nothing can be asked of what the story does not know.
                None if is_story => {}
                _ => during.push((variable, dice.below(self.variables[variable].size))),
            }
        }
        during
    }

    fn add_overrides(&mut self, dice: &mut SplitMix) {
        let n_actions = self.actions.len();
        if !self.shape.overrides || n_actions < 2 {
            return;
        }
        for index in 0..n_actions {
            if dice.percent(12) {
                // Any other one.
                let other = (index + dice.within(1, n_actions - 1)) % n_actions;
                self.actions[index].overrides = Some(other);
            }
        }
    }

    /// The values at the end of the story, or any values; all of them, or some.
    pub(super) fn any_goal(&self, dice: &mut SplitMix) -> Vec<Fact> {
        let n_variables = self.variables.len();
        let mut goal: Vec<Fact> = Vec::with_capacity(n_variables);
        for variable in dice.some_of(n_variables, n_variables) {
            match self.end.get(variable).filter(|_| !self.shape.blind_goal) {
                Some(value) => goal.push((variable, value)),
                // What is unknown at the end stays out of most goals.
                None if !self.shape.blind_goal && dice.percent(90) => {}
                None => goal.push((variable, dice.below(self.variables[variable].size))),
            }
        }
        if !self.shape.total_goal {
            // The story's last changes come first, then its others; a partial goal asks for
            // some of them. Now and then a goal wants nothing.
            let is_old = |&(variable, value): &Fact| self.start.get(variable) == Some(value);
            goal.sort_by_key(|fact| (!self.latest.contains(&fact.0), is_old(fact)));
            let least = usize::from(!dice.percent(2));
            goal.truncate(dice.within(least, n_variables));
        }
        // Nothing to do is a question too, but a dull one.
        let is_satisfied = goal.iter().all(|&(v, value)| self.start.get(v) == Some(value));
        if let Some(fact) = goal.first_mut().filter(|_| is_satisfied && dice.percent(70)) {
            let size = self.variables[fact.0].size;
            fact.1 = (fact.1 + dice.within(1, size.max(2) - 1)) % size;
        }
        goal
    }
}

fn any_variable(shape: Shape, dice: &mut SplitMix) -> Variable {
    let size = if dice.percent(2) { 1 } else { dice.within(2, shape.values) };
    let kind = match dice.below(10) {
        0 => Kind::Numbers,
        1 if size == 2 => Kind::Bool,
        _ => Kind::Letters,
    };
    Variable { size, kind }
}

fn any_state(variables: &[Variable], shape: Shape, dice: &mut SplitMix) -> State {
    let mut state = State::default();
    for (variable, &Variable { size, .. }) in variables.iter().enumerate() {
        if !dice.percent(shape.unknown_chance) {
            state.put((variable, dice.below(size)));
        }
    }
    state
}
