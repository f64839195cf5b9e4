//! The parts of a random task: conditions, effects, actions, rules, facts.
//!
//! In:   what a task has, and dice.
//! Out:  texts.
//!
//! What stands for an argument fits its type, so that the strictest reader has nothing to say.

use super::draft::{Features, Relation};
use std::fmt::Write as _;
use throng_base::SplitMix;

pub(super) struct Parts<'p> {
    pub(super) dice: &'p mut SplitMix,
    pub(super) features: Features,
    pub(super) types: &'p [(String, usize)],
    pub(super) constants: &'p [(String, usize)],
    pub(super) objects: &'p [(String, usize)],
    pub(super) relations: &'p [Relation],
    /// For names of variables.
    pub(super) n_variables: usize,
}

/// What a condition may speak of.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    variables: Vec<(String, usize)>,
    is_problem: bool,
    /// Relations up to this layer, and of this layer none that is negated.
    layer: usize,
}

impl Scope {
    /// Every object, every relation, no variable.
    pub(super) fn problem(layer: usize) -> Scope {
        Scope { variables: Vec::new(), is_problem: true, layer: layer + 1 }
    }
}

impl<'p> Parts<'p> {
    fn is_below(&self, mut below: usize, above: usize) -> bool {
        while below != above && below != 0 {
            below = self.types[below].1;
        }
        below == above || above == 0
    }

    /// Variables of any types.
    fn variables(&mut self, n: usize) -> Vec<(String, usize)> {
        let mut variable = || {
            self.n_variables += 1;
            (format!("?v{}", self.n_variables), self.dice.below(self.types.len()))
        };
        (0..n).map(|_| variable()).collect()
    }

    fn listed(&self, variables: &[(String, usize)]) -> String {
        let listed = variables.iter().map(|(name, kind)| match self.features.types {
            true => format!("{name} - {}", self.types[*kind].0),
            false => name.clone(),
        });
        listed.collect::<Vec<_>>().join(" ")
    }

    /// A name that fits a type.
    fn term(&mut self, scope: &Scope, kind: usize) -> Option<String> {
        let objects = if scope.is_problem { self.objects } else { self.constants };
        let known = scope.variables.iter().chain(objects);
        let fitting: Vec<&(String, usize)> =
            known.filter(|(_, of)| self.is_below(*of, kind)).collect();
        (!fitting.is_empty()).then(|| self.dice.pick(&fitting).0.clone())
    }

    fn atom(&mut self, scope: &Scope, relation: &Relation) -> Option<String> {
        let mut text = format!("({}", relation.name);
        for &kind in &relation.arguments {
            _ = write!(text, " {}", self.term(scope, kind)?);
        }
        text.push(')');
        Some(text)
    }

    /// A literal; true if nothing fits.
    fn literal(&mut self, scope: &Scope) -> String {
        if self.features.equality
            && self.dice.percent(15)
            && let (Some(one), Some(other)) = (self.term(scope, 0), self.term(scope, 0))
        {
            let equal = format!("(= {one} {other})");
            return if self.dice.percent(60) { format!("(not {equal})") } else { equal };
        }
        let known: Vec<&Relation> =
            self.relations.iter().filter(|relation| relation.layer <= scope.layer).collect();
        let relation = *self.dice.pick(&known);
        let Some(atom) = self.atom(scope, relation) else { return "(and)".to_string() };
        // A rule must not lean on the absence of what it derives.
        let may_negate = relation.layer == 0 || relation.layer < scope.layer;
        match self.features.negative && may_negate && self.dice.percent(30) {
            true => format!("(not {atom})"),
            false => atom,
        }
    }

    /// A condition that nests so deep.
    pub(super) fn condition(&mut self, scope: &Scope, depth: usize) -> String {
        if !self.features.quantified || depth == 0 || self.dice.percent(50) {
            return self.literal(scope);
        }
        let word = *self.dice.pick(&["and", "or", "imply", "exists", "forall", "not"]);
        match word {
            "exists" | "forall" => {
                let n = self.dice.within(1, 2);
                let variables = self.variables(n);
                let mut inner = scope.clone();
                inner.variables.extend(variables.iter().cloned());
                let body = self.condition(&inner, depth - 1);
                format!("({word} ({}) {body})", self.listed(&variables))
            }
            // Whatever is under these may turn up negated.
            "not" | "imply" => {
                let inner = Scope { layer: scope.layer.saturating_sub(1), ..scope.clone() };
                let first = self.condition(&inner, depth - 1);
                match word {
                    "not" => format!("(not {first})"),
                    _ => format!("(imply {first} {})", self.condition(scope, depth - 1)),
                }
            }
            _ => {
                let n = self.dice.within(1, 3);
                let each: Vec<String> = (0..n).map(|_| self.condition(scope, depth - 1)).collect();
                format!("({word} {})", each.join(" "))
            }
        }
    }

    pub(super) fn action(&mut self, number: usize) -> String {
        let n = *self.dice.pick(&[0, 1, 2, 2, 3]);
        let parameters = self.variables(n);
        let layer = self.relations.len() + 1;
        let scope = Scope { variables: parameters.clone(), is_problem: false, layer };
        let mut text = format!("(:action a{number} :parameters ({})", self.listed(&parameters));
        let n_conditions = *self.dice.pick(&[0, 0, 1, 1, 2]);
        let mut each: Vec<String> = (0..n_conditions).map(|_| self.condition(&scope, 2)).collect();
        // Most actions of real tasks move something: a fact goes and another comes. Without these
        // nearly every goal is one step away.
        let moved = if self.dice.percent(75) { self.moved(&scope) } else { None };
        if let Some([from, _]) = &moved {
            each.push(from.clone());
        }
        if !each.is_empty() || self.dice.percent(50) {
            _ = write!(text, " :precondition (and {})", each.join(" "));
        }
        text.push_str(" :effect (and");
        if let Some([from, to]) = &moved {
            _ = write!(text, " (not {from}) {to}");
        }
        let n_effects = if moved.is_some() { self.dice.below(2) } else { self.dice.within(1, 3) };
        for _ in 0..n_effects {
            _ = write!(text, " {}", self.effect(&scope));
        }
        if self.features.costs && self.dice.percent(80) {
            let toll = self.dice.percent(40).then(|| self.term(&scope, 0)).flatten();
            match toll {
                Some(of) => _ = write!(text, " (increase (total-cost) (toll {of}))"),
                None => {
                    _ = write!(text, " (increase (total-cost) {})", self.dice.below(6));
                }
            }
        }
        text.push_str("))");
        text
    }

    /// A relation that actions change.
    fn changing(&mut self) -> &'p Relation {
        let relations = self.relations.iter().filter(|relation| relation.layer == 0);
        self.dice.pick::<&Relation>(&relations.collect::<Vec<_>>())
    }

    /// A fact that goes and one that comes, often of the same relation.
    fn moved(&mut self, scope: &Scope) -> Option<[String; 2]> {
        let from = self.changing();
        let to = if self.dice.percent(60) { from } else { self.changing() };
        Some([self.atom(scope, from)?, self.atom(scope, to)?])
    }

    fn effect(&mut self, scope: &Scope) -> String {
        if self.features.conditional && self.dice.percent(40) {
            if self.dice.percent(40) {
                let variables = self.variables(1);
                let mut inner = scope.clone();
                inner.variables.extend(variables.iter().cloned());
                let body = self.effect(&inner);
                return format!("(forall ({}) {body})", self.listed(&variables));
            }
            let condition = self.condition(scope, 1);
            let n = self.dice.within(1, 2);
            let each: Vec<String> = (0..n).map(|_| self.change(scope)).collect();
            return format!("(when {condition} (and {}))", each.join(" "));
        }
        self.change(scope)
    }

    fn change(&mut self, scope: &Scope) -> String {
        let relation = self.changing();
        match self.atom(scope, relation) {
            Some(atom) if self.dice.percent(45) => format!("(not {atom})"),
            Some(atom) => atom,
            None => "(and)".to_string(),
        }
    }

    pub(super) fn axiom(&mut self, of: usize) -> String {
        let head = &self.relations[of];
        let mut parameters = self.variables(head.arguments.len());
        for (parameter, &kind) in parameters.iter_mut().zip(&head.arguments) {
            parameter.1 = kind;
        }
        let scope = Scope { variables: parameters.clone(), is_problem: false, layer: head.layer };
        let n = self.dice.within(1, 2);
        let each: Vec<String> = (0..n).map(|_| self.condition(&scope, 2)).collect();
        let blank = if parameters.is_empty() { "" } else { " " };
        format!(
            "(:derived ({}{blank}{}) (and {}))",
            head.name,
            self.listed(&parameters),
            each.join(" ")
        )
    }

    /// Facts of a relation, each with a chance.
    pub(super) fn facts(&mut self, relation: &Relation, chance: usize) -> Vec<String> {
        let mut texts = vec![format!("({}", relation.name)];
        for &kind in &relation.arguments {
            let fitting: Vec<&str> = self
                .objects
                .iter()
                .filter(|(_, of)| self.is_below(*of, kind))
                .map(|(name, _)| name.as_str())
                .collect();
            texts = texts
                .iter()
                .flat_map(|text| fitting.iter().map(move |name| format!("{text} {name}")))
                .collect();
        }
        texts.retain(|_| self.dice.percent(chance));
        texts.into_iter().map(|text| text + ")").collect()
    }

    /// What passing each object costs.
    pub(super) fn values(&mut self) -> Vec<String> {
        if !self.features.costs {
            return Vec::new();
        }
        let objects = self.objects.iter();
        let mut texts: Vec<String> =
            objects.map(|(name, _)| format!("(= (toll {name}) {})", self.dice.below(5))).collect();
        texts.push("(= (total-cost) 0)".to_string());
        texts
    }
}
