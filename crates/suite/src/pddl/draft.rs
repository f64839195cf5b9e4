//! A random small task as a list of parts, so that tests can rename, reorder and add before it
//! becomes text.
//!
//! In:   a seed and features.
//! Out:  a [`Draft`]; [`Draft::texts`] gives the domain and the problem.
//!
//! Every text reads without errors. About half of the tasks have a plan.

use super::parts::{Parts, Scope};
use std::fmt::Write as _;
use throng_base::SplitMix;

/// What may occur in a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    /// Types with a hierarchy; else everything is an object.
    pub types: bool,
    /// Negative preconditions and goals.
    pub negative: bool,
    /// Equality.
    pub equality: bool,
    /// Action costs, by number and by function.
    pub costs: bool,
    /// `when` and `forall` in effects.
    pub conditional: bool,
    /// `or`, `imply`, `exists`, `forall` in conditions.
    pub quantified: bool,
    /// Derived predicates.
    pub derived: bool,
}

impl Features {
    /// STRIPS and nothing more.
    pub const STRIPS: Features = Features::each(false);

    /// Everything.
    pub const ALL: Features = Features::each(true);

    const fn each(has: bool) -> Features {
        Features {
            types: has,
            negative: has,
            equality: has,
            costs: has,
            conditional: has,
            quantified: has,
            derived: has,
        }
    }

    /// Any of them.
    pub fn any(dice: &mut SplitMix) -> Features {
        let mut half = || dice.percent(50);
        Features {
            types: half(),
            negative: half(),
            equality: half(),
            costs: half(),
            conditional: half(),
            quantified: half(),
            derived: half(),
        }
    }
}

/// A predicate or derived predicate: its name and the types of its arguments.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub(super) name: String,
    pub(super) arguments: Vec<usize>,
    /// 0 for what actions change; derived ones know what is below them.
    pub(super) layer: usize,
}

/// A task in parts.
#[derive(Clone, Debug)]
pub struct Draft {
    features: Features,
    /// The names of types, and the parent of each; 0 is `object`.
    types: Vec<(String, usize)>,
    /// Objects with their types; the first few are constants of the domain.
    objects: Vec<(String, usize)>,
    n_constants: usize,
    relations: Vec<Relation>,
    /// Whole `(:action …)` and `(:derived …)` texts.
    actions: Vec<String>,
    axioms: Vec<String>,
    /// Facts of the start, and the values of functions.
    init: Vec<String>,
    values: Vec<String>,
    /// Conditions that must hold together.
    goal: Vec<String>,
}

/// A random task.
pub fn draft(seed: u64, features: Features) -> Draft {
    let mut dice = SplitMix::new(seed);
    let mut types = vec![("object".to_string(), 0)];
    if features.types {
        for number in 1..=dice.within(1, 3) {
            types.push((format!("kind{number}"), dice.below(number)));
        }
    }
    let n_objects = dice.within(1, 5);
    let objects: Vec<(String, usize)> =
        (0..n_objects).map(|number| (format!("o{number}"), dice.below(types.len()))).collect();
    let n_constants = dice.below(n_objects.min(2) + 1);
    let mut relations = Vec::new();
    for number in 0..dice.within(1, 4) {
        let n_arguments = *dice.pick(&[0, 1, 1, 1, 2, 2]);
        let arguments = (0..n_arguments).map(|_| dice.below(types.len())).collect();
        relations.push(Relation { name: format!("p{number}"), arguments, layer: 0 });
    }
    let n_derived = if features.derived { dice.within(1, 2) } else { 0 };
    for number in 0..n_derived {
        let arguments = (0..dice.below(3)).map(|_| dice.below(types.len())).collect();
        relations.push(Relation { name: format!("d{number}"), arguments, layer: number + 1 });
    }
    let mut draft = Draft {
        features,
        types,
        objects,
        n_constants,
        relations,
        actions: Vec::new(),
        axioms: Vec::new(),
        init: Vec::new(),
        values: Vec::new(),
        goal: Vec::new(),
    };
    draft.fill(&mut dice);
    draft
}

impl Draft {
    fn fill(&mut self, dice: &mut SplitMix) {
        let mut parts = Parts {
            dice,
            features: self.features,
            types: &self.types,
            constants: &self.objects[..self.n_constants],
            objects: &self.objects,
            relations: &self.relations,
            n_variables: 0,
        };
        let n_actions = parts.dice.within(1, 4);
        self.actions = (0..n_actions).map(|number| parts.action(number)).collect();
        for at in 0..self.relations.len() {
            if self.relations[at].layer > 0 {
                let n_rules = parts.dice.within(1, 2);
                self.axioms.extend((0..n_rules).map(|_| parts.axiom(at)));
            }
        }
        for relation in self.relations.iter().filter(|relation| relation.layer == 0) {
            let chance = *parts.dice.pick(&[5, 10, 20, 30, 60]);
            self.init.extend(parts.facts(relation, chance));
        }
        self.values = parts.values();
        let n_goals = parts.dice.within(1, 3);
        let everything = Scope::problem(self.relations.len());
        self.goal = (0..n_goals).map(|_| parts.condition(&everything, 1)).collect();
    }

    /// The domain and the problem.
    pub fn texts(&self) -> [String; 2] {
        let mut domain = String::from("(define (domain small)\n");
        let mut wants = vec![":strips"];
        let features = self.features;
        for (has, word) in [
            (features.types, ":typing"),
            (features.negative, ":negative-preconditions"),
            (features.equality, ":equality"),
            (features.costs, ":action-costs"),
            (features.conditional, ":conditional-effects"),
            (features.quantified, ":adl"),
            (features.derived, ":derived-predicates"),
        ] {
            if has {
                wants.push(word);
            }
        }
        _ = writeln!(domain, "  (:requirements {})", wants.join(" "));
        if features.types {
            let types = self.types[1..].iter();
            let types = types.map(|(name, parent)| format!(" {name} - {}", self.types[*parent].0));
            _ = writeln!(domain, "  (:types{})", types.collect::<String>());
        }
        if self.n_constants > 0 {
            _ = writeln!(
                domain,
                "  (:constants{})",
                self.listed(&self.objects[..self.n_constants])
            );
        }
        domain.push_str("  (:predicates");
        for relation in &self.relations {
            _ = write!(domain, " ({}", relation.name);
            for (at, &kind) in relation.arguments.iter().enumerate() {
                _ = write!(domain, " ?x{at}");
                if features.types {
                    _ = write!(domain, " - {}", self.types[kind].0);
                }
            }
            domain.push(')');
        }
        domain.push_str(")\n");
        if features.costs {
            domain.push_str("  (:functions (total-cost) (toll ?x))\n");
        }
        for part in self.axioms.iter().chain(&self.actions) {
            _ = writeln!(domain, "  {part}");
        }
        domain.push_str(")\n");
        let mut problem = String::from("(define (problem one) (:domain small)\n");
        _ = writeln!(problem, "  (:objects{})", self.listed(&self.objects[self.n_constants..]));
        let facts: Vec<&str> = self.init.iter().chain(&self.values).map(String::as_str).collect();
        _ = writeln!(problem, "  (:init {})", facts.join(" "));
        _ = writeln!(problem, "  (:goal (and {}))", self.goal.join(" "));
        if features.costs {
            problem.push_str("  (:metric minimize (total-cost))\n");
        }
        problem.push_str(")\n");
        [domain, problem]
    }

    fn listed(&self, objects: &[(String, usize)]) -> String {
        let listed = objects.iter().map(|(name, kind)| match self.features.types {
            true => format!(" {name} - {}", self.types[*kind].0),
            false => format!(" {name}"),
        });
        listed.collect()
    }

    /// Wants other things: conditions that must hold together.
    pub fn set_goal(&mut self, goal: Vec<String>) {
        self.goal = goal;
    }

    /// The same task in another order: actions, rules, facts, goals, objects, predicates.
    pub fn reordered(&self, seed: u64) -> Draft {
        let mut dice = SplitMix::new(seed);
        let mut other = self.clone();
        dice.shuffle(&mut other.actions);
        dice.shuffle(&mut other.axioms);
        dice.shuffle(&mut other.init);
        dice.shuffle(&mut other.values);
        dice.shuffle(&mut other.goal);
        let (constants, objects) = other.objects.split_at_mut(self.n_constants);
        dice.shuffle(constants);
        dice.shuffle(objects);
        dice.shuffle(&mut other.relations);
        other
    }

    /// The same task and a part that nothing leads to: objects of a fact of their own, and an
    /// action that needs what no other makes.
    pub fn with_unreachable(&self) -> Draft {
        let mut other = self.clone();
        for name in ["island", "lagoon"] {
            let arguments = vec![0; 2];
            other.relations.push(Relation { name: name.to_string(), arguments, layer: 0 });
        }
        other.actions.push(
            "(:action drift :parameters (?a ?b) :precondition (and (island ?a ?b) (lagoon ?b ?a)) \
             :effect (and (not (lagoon ?b ?a)) (island ?b ?a)))"
                .to_string(),
        );
        let first = &self.objects[0].0;
        other.init.push(format!("(island {first} {first})"));
        other
    }
}

/// The same texts with other names for everything that a task names itself.
pub fn renamed(texts: &[String; 2]) -> [String; 2] {
    texts.clone().map(|text| {
        let mut out = String::new();
        let mut word = String::new();
        for letter in text.chars().chain(" ".chars()) {
            if letter.is_ascii_alphanumeric() || letter == '-' || letter == '_' {
                word.push(letter);
                continue;
            }
            let is_ours = word.starts_with(['o', 'p', 'd', 'a'])
                && word.len() == 2
                && word.ends_with(|digit: char| digit.is_ascii_digit());
            match is_ours {
                // Digits first, and a name that ends as another begins.
                true => _ = write!(out, "{}-{}", &word[1..], word.to_uppercase()),
                false => out.push_str(&word),
            }
            word.clear();
            out.push(letter);
        }
        out
    })
}
