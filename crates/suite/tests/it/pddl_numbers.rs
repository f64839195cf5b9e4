//! Random PDDL with numeric fluents that have arguments, against a plain search that follows the
//! definition: the judge, the task as a domain with amounts, and the task with its numbers written
//! out agree with it.
//!
//! In:   seeds.
//! Out:  the same length of a shortest plan in all ways, or that there is none.
//! Cost: some milliseconds a task; nothing in the plain search is clever.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may panic")]

use crate::amounts::pddl::{grounded, solved, solved_out};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fmt::Write as _;
use throng_base::SplitMix;
use throng_pddl::lifted::{
    Condition, GroundAtom, Lifted, NumberEffectKind, NumberTerm, ObjectId, Parameter, Term,
};
use throng_pddl::plan::PlanStep;
use throng_pddl::read::{self, Text, read_task};
use throng_pddl::validate::{Verdict, validate};

/// More states than these are left out.
const MOST_STATES: usize = 4_000;

/// What holds, and the value of each function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State {
    facts: BTreeSet<GroundAtom>,
    numbers: BTreeMap<(u32, Vec<ObjectId>), i64>,
}

/// A task by its definition.
struct Plain<'l> {
    task: &'l Lifted,
}

fn object(term: &Term, binding: &[ObjectId]) -> ObjectId {
    match term {
        Term::Object(object) => *object,
        Term::Variable(variable) => binding[*variable as usize],
    }
}

impl Plain<'_> {
    fn start(&self) -> State {
        let numbers = self.task.numbers.iter();
        State {
            facts: self.task.init.iter().cloned().collect(),
            numbers: numbers.map(|(of, on, value)| ((of.0, on.clone()), *value)).collect(),
        }
    }

    /// All ways to give objects, of which there is one type.
    fn choices(&self, variables: &[Parameter], binding: &[ObjectId]) -> Vec<Vec<ObjectId>> {
        let mut all = vec![binding.to_vec()];
        for variable in variables {
            let longer = all.iter().flat_map(|binding| {
                (0..self.task.objects.len() as u32).map(move |at| {
                    let mut binding = binding.clone();
                    binding[variable.variable as usize] = ObjectId(at);
                    binding
                })
            });
            all = longer.collect();
        }
        all
    }

    fn number(&self, term: &NumberTerm, state: &State, binding: &[ObjectId]) -> Option<i64> {
        match term {
            NumberTerm::Number(number) => Some(*number),
            NumberTerm::Function(function, terms) => {
                let objects = terms.iter().map(|term| object(term, binding)).collect();
                state.numbers.get(&(function.0, objects)).copied()
            }
        }
    }

    fn holds(&self, condition: &Condition, state: &State, binding: &[ObjectId]) -> bool {
        match condition {
            Condition::And(parts) => parts.iter().all(|part| self.holds(part, state, binding)),
            Condition::Or(parts) => parts.iter().any(|part| self.holds(part, state, binding)),
            Condition::Not(part) => !self.holds(part, state, binding),
            Condition::Imply(from, to) => {
                !self.holds(from, state, binding) || self.holds(to, state, binding)
            }
            Condition::Exists(variables, part) => {
                self.choices(variables, binding).iter().any(|b| self.holds(part, state, b))
            }
            Condition::Forall(variables, part) => {
                self.choices(variables, binding).iter().all(|b| self.holds(part, state, b))
            }
            Condition::Atom(atom) => {
                let arguments = atom.arguments.iter().map(|term| object(term, binding)).collect();
                state.facts.contains(&GroundAtom { predicate: atom.predicate, arguments })
            }
            Condition::Equal(a, b) => object(a, binding) == object(b, binding),
            Condition::Compare(relation, a, b) => {
                let [a, b] = [a, b].map(|term| self.number(term, state, binding));
                a.zip(b).is_some_and(|(a, b)| match relation.sign() {
                    "=" => a == b,
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    _ => a >= b,
                })
            }
        }
    }

    fn after(&self, state: &State, action: usize, binding: &[ObjectId]) -> Option<State> {
        let of = &self.task.actions[action];
        if !self.holds(&of.condition, state, binding) {
            return None;
        }
        let mut after = state.clone();
        for adds in [false, true] {
            for effect in of.effects.iter().filter(|effect| effect.adds == adds) {
                for binding in self.choices(&effect.forall, binding) {
                    if self.holds(&effect.condition, state, &binding) {
                        let arguments =
                            effect.atom.arguments.iter().map(|term| object(term, &binding));
                        let predicate = effect.atom.predicate;
                        let atom = GroundAtom { predicate, arguments: arguments.collect() };
                        if adds {
                            after.facts.insert(atom);
                        } else {
                            after.facts.remove(&atom);
                        }
                    }
                }
            }
        }
        let mut set: BTreeMap<(u32, Vec<ObjectId>), i64> = BTreeMap::new();
        let mut added = set.clone();
        for change in &of.changes {
            if !self.holds(&change.condition, state, binding) {
                continue;
            }
            let objects = change.arguments.iter().map(|term| object(term, binding)).collect();
            let key = (change.function.0, objects);
            let by = self.number(&change.by, state, binding)?;
            match change.kind {
                NumberEffectKind::Assign => {
                    if set.insert(key, by).is_some_and(|before| before != by) {
                        return None;
                    }
                }
                NumberEffectKind::Increase => *added.entry(key).or_default() += by,
                NumberEffectKind::Decrease => *added.entry(key).or_default() -= by,
            }
        }
        for (key, by) in added {
            if set.contains_key(&key) {
                return None;
            }
            *after.numbers.get_mut(&key)? += by;
        }
        after.numbers.extend(set);
        Some(after)
    }

    /// A shortest plan; `Err` beyond so many states.
    fn shortest(&self) -> Result<Option<Vec<PlanStep>>, ()> {
        let start = self.start();
        let mut seen: HashMap<State, usize> = HashMap::from([(start.clone(), 0)]);
        let mut open = VecDeque::from([(start, Vec::new())]);
        let goal = vec![ObjectId(0); self.task.n_goal_variables];
        while let Some((state, plan)) = open.pop_front() {
            if self.holds(&self.task.goal, &state, &goal) {
                return Ok(Some(plan));
            }
            for (action, of) in self.task.actions.iter().enumerate() {
                for binding in self.choices(&of.parameters, &vec![ObjectId(0); of.n_variables]) {
                    let Some(after) = self.after(&state, action, &binding) else { continue };
                    let number = seen.len();
                    if *seen.entry(after.clone()).or_insert(number) == number {
                        let step = PlanStep::of(self.task, action, &binding[..of.parameters.len()]);
                        open.push_back((after, [&plan[..], &[step]].concat()));
                    }
                }
            }
            if seen.len() > MOST_STATES {
                return Err(());
            }
        }
        Ok(None)
    }
}

/// Text with dice.
struct Author {
    dice: SplitMix,
    n_objects: usize,
    n_variables: usize,
}

impl Author {
    fn term(&mut self) -> String {
        match self.n_variables {
            0 => format!("o{}", self.dice.below(self.n_objects)),
            n if self.dice.percent(80) => format!("?x{}", self.dice.below(n)),
            _ => format!("o{}", self.dice.below(self.n_objects)),
        }
    }

    fn function(&mut self, standing: bool) -> String {
        match (standing, self.dice.below(2)) {
            (true, 0) => "(limit)".to_owned(),
            (true, _) => format!("(price {})", self.term()),
            (false, 0) => "(gold)".to_owned(),
            (false, _) => format!("(fuel {})", self.term()),
        }
    }

    fn comparison(&mut self) -> String {
        let sign = *self.dice.pick(&["<", "<=", "=", ">=", ">"]);
        let left = self.function(false);
        let right = match self.dice.below(10) {
            0..=6 => (self.dice.below(7) as i64 - 1).to_string(),
            7 | 8 => self.function(true),
            _ => self.function(false),
        };
        match self.dice.percent(80) {
            true => format!("({sign} {left} {right})"),
            false => format!("({sign} {right} {left})"),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let deep = depth > 0;
        match self.dice.below(if deep { 10 } else { 5 }) {
            0 | 1 => format!("(on {})", self.term()),
            2..=4 => self.comparison(),
            5 => format!("(not {})", self.condition(depth - 1)),
            6 | 7 => format!("(and {} {})", self.condition(depth - 1), self.condition(depth - 1)),
            8 => format!("(or {} {})", self.condition(depth - 1), self.condition(depth - 1)),
            _ => {
                let kind = *self.dice.pick(&["exists", "forall"]);
                let name = self.n_variables;
                self.n_variables += 1;
                let inner = self.condition(depth - 1);
                self.n_variables -= 1;
                format!("({kind} (?x{name}) {inner})")
            }
        }
    }

    /// A change of a number, most often one that stays within 0 and 6.
    fn change(&mut self) -> (Option<String>, String) {
        let function = self.function(false);
        let by = 1 + self.dice.below(3) as i64;
        match self.dice.below(10) {
            0..=2 => {
                (Some(format!("(<= {function} {})", 6 - by)), format!("(increase {function} {by})"))
            }
            3..=5 => (Some(format!("(>= {function} {by})")), format!("(decrease {function} {by})")),
            6 => (None, format!("(assign {function} {})", self.dice.below(7))),
            7 => {
                let (full, cap) = (5 - by, 5);
                let effect = format!(
                    "(when (<= {function} {full}) (increase {function} {by})) \
                     (when (and (> {function} {full}) (< {function} {cap})) (assign {function} {cap}))"
                );
                (None, effect)
            }
            8 => {
                let (amount, condition) = (self.function(true), self.condition(1));
                let effect = format!("(when {condition} (decrease {function} {amount}))");
                (Some(format!("(>= {function} {amount})")), effect)
            }
            _ => {
                let condition = self.condition(1);
                (None, format!("(when {condition} (assign {function} {by}))"))
            }
        }
    }

    fn texts(seed: u64) -> [String; 2] {
        let mut dice = SplitMix::new(seed);
        let n_objects = dice.within(1, 2);
        let mut author = Author { dice, n_objects, n_variables: 0 };
        let objects: Vec<String> = (0..n_objects).map(|at| format!("o{at}")).collect();
        let mut domain = format!(
            "(define (domain d) (:requirements :adl :numeric-fluents) (:constants {})\n \
             (:predicates (on ?x))\n (:functions (gold) (limit) (fuel ?x) (price ?x))\n",
            objects.join(" ")
        );
        for at in 0..author.dice.within(2, 4) {
            let n = author.dice.below(3);
            author.n_variables = n;
            let parameters: Vec<String> = (0..n).map(|at| format!("?x{at}")).collect();
            let (mut needs, mut effects) = (String::new(), String::new());
            for _ in 0..author.dice.below(2) {
                _ = write!(needs, " {}", author.condition(2));
            }
            for _ in 0..author.dice.within(1, 2) {
                let (guard, effect) = author.change();
                _ = write!(needs, " {}", guard.unwrap_or_default());
                _ = write!(effects, " {effect}");
            }
            if author.dice.percent(60) {
                let literal = format!("(on {})", author.term());
                let literal =
                    if author.dice.percent(60) { literal } else { format!("(not {literal})") };
                match author.dice.percent(25) {
                    true => _ = write!(effects, " (when {} {literal})", author.condition(1)),
                    false => _ = write!(effects, " {literal}"),
                }
            }
            _ = writeln!(
                domain,
                " (:action a{at} :parameters ({})\n  :precondition (and{needs})\n  :effect (and{effects}))",
                parameters.join(" ")
            );
        }
        domain.push(')');
        author.n_variables = 0;
        let mut init = String::new();
        for at in 0..n_objects {
            if author.dice.percent(40) {
                _ = write!(init, " (on o{at})");
            }
            _ = write!(init, " (= (fuel o{at}) {})", author.dice.below(6));
            _ = write!(init, " (= (price o{at}) {})", author.dice.below(4));
        }
        _ = write!(
            init,
            " (= (gold) {}) (= (limit) {})",
            author.dice.below(6),
            author.dice.below(6)
        );
        let goal = format!("(and {} {})", author.condition(2), author.comparison());
        let problem = format!("(define (problem p) (:domain d)\n (:init{init})\n (:goal {goal}))");
        [domain, problem]
    }
}

#[test]
fn random_tasks_with_numbers_are_solved_alike() {
    let tasks = if std::env::var_os("THRONG_LONG").is_some() { 60_000 } else { 3_000 };
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut note = |what: &'static str| *seen.entry(what).or_default() += 1;
    for seed in 0..tasks {
        let [domain, problem] = Author::texts(seed);
        let place = format!("seed {seed}\n{domain}\n{problem}");
        let texts = [&domain, &problem].map(|text| Text { name: "t", text });
        let reading = read_task(texts[0], texts[1], &read::Limits::default());
        assert!(!reading.report.has_errors(), "{:?} {place}", reading.report);
        let task = reading.task.unwrap();
        let plain = Plain { task: &task };
        let Ok(expected) = plain.shortest() else {
            note("large");
            continue;
        };
        if let Some(plan) = &expected {
            match validate(&task, plan) {
                Verdict::Valid { length, .. } => assert_eq!(length, plan.len(), "{place}"),
                Verdict::Invalid(failure) => panic!("{failure}: {place}"),
            }
        }
        let cost = expected.as_ref().map(|plan| 1000 * plan.len() as u64);
        note(if cost.is_some_and(|cost| cost > 0) { "plans" } else { "none or empty" });
        let made = grounded(&task, &place);
        match solved(&task, &made, u64::MAX, &place) {
            Ok(found) => {
                note("as a domain");
                assert_eq!(found, cost, "as a domain: {place}");
            }
            Err(why) => note(match why {
                _ if why.contains("conditional effects") => "conditional effects",
                _ if why.contains("on something else") => "on something else",
                _ if why.contains("both change") => "both change",
                _ if why.contains("satisfied whatever") || why.contains("goal is empty") => {
                    assert_eq!(cost, Some(0), "{why}: {place}");
                    "met"
                }
                _ if why.contains("what rules derive") => "rules",
                _ if why.contains("assumed") => "assumed",
                _ => panic!("{why}: {place}"),
            }),
        }
        match solved_out(&task, &made, &place) {
            Ok(found) => {
                note("written out");
                assert_eq!(found, cost, "written out: {place}");
            }
            Err(why) => note(match why {
                _ if why.contains("in several ways") => "several ways",
                _ if why.contains("how far") => "endless",
                _ => panic!("{why}: {place}"),
            }),
        }
    }
    println!("{seen:?}");
    let asked = seen["plans"] + seen["none or empty"];
    assert!(asked * 2 > tasks as usize && seen["plans"] * 8 > asked, "{seen:?}");
    assert!(seen["as a domain"] * 3 > asked && seen["written out"] * 2 > asked, "{seen:?}");
}
