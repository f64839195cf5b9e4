//! Random small tasks: the ground task walks as the lifted task does, and its shortest plans are
//! as long.
//!
//! In:   tasks with types, equality, negations, `or`, `imply`, quantifiers, conditional and
//!       universal effects, derived predicates and costs, a few objects each.
//! Out:  nothing, or the seed of the task that was grounded wrongly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::plain::{Plain, disagreement, ground_after, ground_shortest, ground_start};
use throng_base::SplitMix;
use throng_domain::{Cost, FileId, Span};
use throng_pddl::ground::{Limits, ground};
use throng_pddl::lifted::{
    Action, Atom, Axiom, Condition, CostTerm, Effect, Function, FunctionId, GroundAtom, Lifted,
    Object, ObjectId, Parameter, Predicate, PredicateId, Term, Type, TypeId,
};

const N_TASKS: u64 = 2000;
const MOST_STATES: usize = 400;

/// What a random task is made of, and how much of it there is.
struct Maker {
    dice: SplitMix,
    lifted: Lifted,
    n_base: usize,
    n_static: usize,
    /// How deep conditions nest.
    depth: usize,
    /// Variables in scope, and how many were numbered.
    scope: Vec<(u32, TypeId)>,
    n_variables: u32,
    /// A predicate with one argument that begins with one fact and is moved, not added.
    token: Option<usize>,
    /// Derived predicates below this one may be used, negated too; this one only as it is.
    derived_below: usize,
}

fn random_task(seed: u64) -> Lifted {
    let mut maker = Maker {
        dice: SplitMix::new(seed),
        lifted: Lifted::default(),
        n_base: 0,
        n_static: 0,
        depth: 0,
        token: None,
        scope: Vec::new(),
        n_variables: 0,
        derived_below: 0,
    };
    maker.make();
    maker.lifted
}

impl Maker {
    fn make(&mut self) {
        let object = Type { name: "object".to_owned(), parents: Vec::new() };
        let sub = |name: &str| Type { name: name.to_owned(), parents: vec![TypeId(0)] };
        self.lifted.types = vec![object, sub("s"), sub("t")];
        for at in 0..2 + self.dice.below(3) {
            let types = vec![TypeId(self.dice.below(3) as u32)];
            self.lifted.objects.push(Object { name: format!("o{at}"), types });
        }
        self.n_static = self.dice.below(2);
        self.n_base = self.n_static + 2 + self.dice.below(3);
        self.depth = if self.dice.percent(50) { 0 } else { 1 + self.dice.below(2) };
        self.token = self.dice.percent(60).then(|| self.n_base - 1);
        let n_derived = if self.dice.percent(30) { 1 + self.dice.below(2) } else { 0 };
        for at in 0..self.n_base + n_derived {
            let arity = if self.token == Some(at) { 1 } else { self.dice.below(3) };
            let is_derived = at >= self.n_base;
            let arguments = (0..arity).map(|_| vec![TypeId(0)]).collect();
            self.lifted.predicates.push(Predicate {
                name: format!("p{at}"),
                arguments,
                is_derived,
            });
        }
        self.start();
        for at in 0..n_derived {
            for _ in 0..1 + self.dice.below(2) {
                self.axiom(at);
            }
        }
        self.derived_below = n_derived;
        for at in 0..2 + self.dice.below(3) {
            self.action(at);
        }
        (self.n_variables, self.scope) = (0, Vec::new());
        self.lifted.goal = self.condition(2);
        if self.dice.percent(70) {
            self.goal_from_a_walk();
        }
        self.lifted.n_goal_variables = self.n_variables as usize;
    }

    /// A goal that holds after some steps: some of what they changed.
    fn goal_from_a_walk(&mut self) {
        let lifted = self.lifted.clone();
        let plain = Plain::new(&lifted);
        let start = plain.start();
        let mut state = start.clone();
        for _ in 0..2 + self.dice.below(8) {
            let mut steps = plain.steps(&state);
            if !steps.is_empty() {
                state = steps.swap_remove(self.dice.below(steps.len())).2;
            }
        }
        let changed: Vec<_> = state.symmetric_difference(&start).collect();
        let mut parts = Vec::new();
        for atom in changed.into_iter().filter(|_| self.dice.percent(60)) {
            let arguments = atom.arguments.iter().map(|&object| Term::Object(object)).collect();
            let holds = Condition::Atom(Atom { predicate: atom.predicate, arguments });
            parts.push(match state.contains(atom) {
                true => holds,
                false => Condition::Not(Box::new(holds)),
            });
        }
        if !parts.is_empty() {
            self.lifted.goal = Condition::And(parts);
        }
    }

    fn start(&mut self) {
        for predicate in 0..self.n_base {
            let arity = self.lifted.predicates[predicate].arguments.len();
            for at in 0..self.lifted.objects.len().pow(arity as u32) {
                let is_there =
                    if self.token == Some(predicate) { at == 0 } else { self.dice.percent(35) };
                if is_there {
                    let n = self.lifted.objects.len();
                    let digit = |place: usize| ObjectId((at / n.pow(place as u32) % n) as u32);
                    let arguments = (0..arity).map(digit).collect();
                    let predicate = PredicateId(predicate as u32);
                    self.lifted.init.push(GroundAtom { predicate, arguments });
                }
            }
        }
        self.lifted.has_metric = self.dice.percent(40);
        let arguments = vec![vec![TypeId(0)]];
        self.lifted.functions =
            vec![Function { name: "price".to_owned(), arguments, is_number: false }];
        for at in 0..self.lifted.objects.len() as u32 {
            let value = Cost(self.dice.below(5) as u64 * 500);
            self.lifted.values.push((FunctionId(0), vec![ObjectId(at)], value));
        }
    }

    fn parameters(&mut self, n: usize) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for _ in 0..n {
            let (variable, of) = (self.n_variables, TypeId(self.dice.below(3) as u32));
            self.n_variables += 1;
            self.scope.push((variable, of));
            parameters.push(Parameter { name: format!("v{variable}"), variable, types: vec![of] });
        }
        parameters
    }

    fn term(&mut self) -> Term {
        if self.scope.is_empty() || self.dice.percent(15) {
            return Term::Object(ObjectId(self.dice.below(self.lifted.objects.len()) as u32));
        }
        let at = self.dice.below(self.scope.len());
        Term::Variable(self.scope[at].0)
    }

    fn atom_of(&mut self, predicate: usize) -> Atom {
        let arity = self.lifted.predicates[predicate].arguments.len();
        let arguments = (0..arity).map(|_| self.term()).collect();
        Atom { predicate: PredicateId(predicate as u32), arguments }
    }

    fn condition(&mut self, depth: usize) -> Condition {
        let kind = if depth == 0 { self.dice.below(4) } else { self.dice.below(11) };
        match kind {
            0..=2 => {
                let n = self.n_base + self.derived_below;
                let predicate = self.dice.below(n);
                Condition::Atom(self.atom_of(predicate))
            }
            3 if self.dice.percent(50) => Condition::Equal(self.term(), self.term()),
            3 => {
                let n = self.n_base + self.derived_below;
                let predicate = self.dice.below(n);
                Condition::Not(Box::new(Condition::Atom(self.atom_of(predicate))))
            }
            4..=6 => {
                let n = self.dice.below(4);
                Condition::And((0..n).map(|_| self.condition(depth - 1)).collect())
            }
            7 => {
                let n = 1 + self.dice.below(3);
                Condition::Or((0..n).map(|_| self.condition(depth - 1)).collect())
            }
            8 => {
                let inner = self.condition(depth - 1);
                if self.dice.percent(50) {
                    Condition::Not(Box::new(inner))
                } else {
                    let to = self.condition(depth - 1);
                    Condition::Imply(Box::new(inner), Box::new(to))
                }
            }
            _ => {
                let before = self.scope.len();
                let n = 1 + self.dice.below(2);
                let variables = self.parameters(n);
                let inner = Box::new(self.condition(depth - 1));
                self.scope.truncate(before);
                if kind == 9 {
                    Condition::Exists(variables, inner)
                } else {
                    Condition::Forall(variables, inner)
                }
            }
        }
    }

    fn axiom(&mut self, derived: usize) {
        let predicate = self.n_base + derived;
        (self.n_variables, self.scope) = (0, Vec::new());
        let n = self.lifted.predicates[predicate].arguments.len();
        let parameters = self.parameters(n);
        self.derived_below = derived;
        let mut parts = vec![self.condition(2)];
        if self.dice.percent(40) {
            // Recursion: the predicate itself, as it is.
            let before = self.scope.len();
            let variables = self.parameters(1);
            let own = Condition::Atom(self.atom_of(predicate));
            let link = self.condition(0);
            self.scope.truncate(before);
            parts.push(Condition::Exists(variables, Box::new(Condition::And(vec![own, link]))));
        }
        self.lifted.axioms.push(Axiom {
            predicate: PredicateId(predicate as u32),
            parameters,
            n_variables: self.n_variables as usize,
            condition: Condition::And(parts),
            span: Span::new(FileId(0), 0, 0),
        });
    }

    fn action(&mut self, at: usize) {
        (self.n_variables, self.scope) = (0, Vec::new());
        let n = if self.token.is_some() { 2 } else { self.dice.below(4) };
        let parameters = self.parameters(n);
        let (n, depth) = (self.dice.below(3), self.depth);
        let mut parts: Vec<Condition> = (0..n).map(|_| self.condition(depth)).collect();
        let mut effects = Vec::new();
        if let Some(token) = self.token.filter(|_| self.dice.percent(75)) {
            let token_at = |at: u32| Atom {
                predicate: PredicateId(token as u32),
                arguments: vec![Term::Variable(at)],
            };
            let (from, to) = (token_at(0), token_at(1));
            let when = if self.dice.percent(30) { self.condition(1) } else { Condition::default() };
            let held = Condition::Atom(from.clone());
            let condition = match self.dice.percent(70) {
                true => {
                    parts.push(held);
                    when
                }
                false => Condition::And(vec![held, when]),
            };
            for (adds, atom) in [(true, to), (false, from)] {
                effects.push(Effect {
                    forall: Vec::new(),
                    condition: condition.clone(),
                    adds,
                    atom,
                });
            }
        }
        let condition = Condition::And(parts);
        for _ in 0..1 + self.dice.below(4) {
            let before = self.scope.len();
            let n = if self.dice.percent(30) { 1 } else { 0 };
            let forall = self.parameters(n);
            let when =
                if self.dice.percent(30) { self.condition(depth) } else { Condition::default() };
            let predicate = self.n_static + self.dice.below(self.n_base - self.n_static);
            let adds = self.token != Some(predicate) && self.dice.percent(55);
            let atom = self.atom_of(predicate);
            effects.push(Effect { forall, condition: when, adds, atom });
            self.scope.truncate(before);
        }
        let price = parameters.first().map(|p| Term::Variable(p.variable));
        let price = price.unwrap_or(Term::Object(ObjectId(0)));
        let cost =
            vec![CostTerm::Number(Cost(250)), CostTerm::Function(FunctionId(0), vec![price])];
        self.lifted.actions.push(Action {
            name: format!("a{at}"),
            parameters,
            n_variables: self.n_variables as usize,
            condition,
            effects,
            changes: Vec::new(),
            cost,
            span: Span::new(FileId(0), 0, 0),
        });
    }
}

#[test]
fn random_tasks_keep_their_plans_and_their_states() {
    let (mut n_plans, mut n_long, mut n_without, mut n_large, mut n_grouped) = (0, 0, 0, 0, 0);
    for seed in 0..N_TASKS {
        let lifted = random_task(seed);
        let plain = Plain::new(&lifted);
        let made = ground(&lifted, &Limits::default(), None).expect("small tasks are grounded");
        let Ok(expected) = plain.shortest(MOST_STATES) else {
            n_large += 1;
            continue;
        };
        let found = ground_shortest(&made.named.task, usize::MAX).expect("no limit");
        assert_eq!(found.as_ref().map(Vec::len), expected, "seed {seed}: {lifted:#?}");
        match found {
            Some(plan) => {
                n_plans += 1;
                n_long += u64::from(plan.len() > 2);
            }
            None => n_without += 1,
        }
        n_grouped += u64::from(made.named.task.sizes().iter().any(|&size| size > 2));
        assert!(expected.is_none() || made.unreachable.is_none(), "seed {seed}");
        walk(seed, &lifted, &plain, &made);
    }
    // Enough of each kind, or the test says less than it seems to.
    let told = format!("{n_plans} {n_long} {n_without} {n_large} {n_grouped}");
    assert!(n_plans > N_TASKS / 5 && n_without > N_TASKS / 20, "{told}");
    assert!(n_long > N_TASKS / 100 && n_grouped > N_TASKS / 20, "{told}");
}

/// A random walk, step by step in both tasks.
fn walk(seed: u64, lifted: &Lifted, plain: &Plain<'_>, made: &throng_pddl::ground::Grounded) {
    if made.unreachable.is_some() {
        return;
    }
    let task = &made.named.task;
    let mut dice = SplitMix::new(seed);
    let (mut state, mut facts) = (ground_start(task), plain.start());
    for step in 0..30 {
        let with_derived = plain.with_derived(&facts);
        let wrong = disagreement(&made.named, &state, lifted, &with_derived);
        assert_eq!(wrong, None, "seed {seed} after {step} steps: {lifted:#?} {made:#?}");
        let mut able = Vec::new();
        for operator in 0..task.n_operators() as u32 {
            if let Some(after) = ground_after(task, &state, operator) {
                able.push((operator, after));
            }
        }
        if able.is_empty() {
            return;
        }
        let (operator, after) = able.swap_remove(dice.below(able.len()));
        let (action, arguments) = made.step(operator);
        let same = plain.after(&facts, action as usize, arguments);
        facts = same.unwrap_or_else(|| panic!("seed {seed}: step cannot be done: {lifted:#?}"));
        assert_eq!(task.cost(operator), plain.cost(action as usize, arguments), "seed {seed}");
        state = after;
    }
}
