//! The same domain written otherwise: whatever is asked of it has the same answer.
//!
//! In:   a [`Stated`] domain.
//! Out:  its twins, which differ in how amounts are declared and counted, or in the order of
//!       statements, and in nothing that a plan costs.
//! Cost: one look at each statement.

use super::{Change, ChangeKind, Formula, Stated, Statement, Word};
use throng_base::SplitMix;

/// What is done with the numbers of a domain, by variable.
struct Uses {
    /// Counted, compared by size, or compared with another: its numbers have a size.
    has_size: Vec<bool>,
    /// Given a value, or asked for one, by a parameter.
    by_parameter: Vec<bool>,
}

impl Stated {
    /// Every amount as the list of its values, which is written out; `None` if a statement stops
    /// counting somewhere, or compares two amounts: lists know neither.
    pub fn listed(&self) -> Option<Stated> {
        let stops =
            |change: &Change| matches!(change.kind, ChangeKind::Count { stop: Some(_), .. });
        let has_stop = self.statements.iter().any(|one| one.changes.iter().any(stops));
        let mut formulas = self.formulas();
        if has_stop || self.compound.is_some() || formulas.any(has_other) {
            return None;
        }
        let mut twin = self.clone();
        twin.variables.iter_mut().for_each(|variable| variable.is_amount = false);
        Some(twin)
    }

    /// The numbers of every amount raised by so much, wherever they stand for a value; `None` if
    /// a parameter does.
    pub fn raised(&self, by: i64) -> Option<Stated> {
        if self.names_numbers() {
            return None;
        }
        let uses = self.uses();
        let moved: Vec<bool> = self.variables.iter().map(|variable| variable.is_amount).collect();
        if moved.iter().zip(&uses.by_parameter).any(|(moved, parameter)| *moved && *parameter) {
            return None;
        }
        // Two that are compared move together; parameters are of lists, which stay.
        let raise = |number: i64| number + by;
        Some(self.renumbered(&moved, &raise))
    }

    /// The range of every amount longer at both ends: what could be done can still be done, but for
    /// a compound whose parts have other names there.
    pub fn widened(&self, by: i64) -> Stated {
        let mut twin = self.clone();
        if self.names_numbers() {
            twin.compound = None;
        }
        for variable in twin.variables.iter_mut().filter(|variable| variable.is_amount) {
            let (low, high) = (variable.number(0), variable.number(variable.values.len() - 1));
            variable.values = (low - by..=high + by).map(|number| number.to_string()).collect();
        }
        twin
    }

    /// The amounts that nothing counts or compares by size, as words; `None` if there are none, or
    /// if a part of the compound has several actions then, as words are written out.
    pub fn worded(&self) -> Option<Stated> {
        if self.names_numbers() {
            return None;
        }
        let uses = self.uses();
        let is_plain = |at: usize| {
            self.variables[at].is_amount && !uses.has_size[at] && !uses.by_parameter[at]
        };
        let plain: Vec<bool> = (0..self.variables.len()).map(is_plain).collect();
        if !plain.contains(&true) {
            return None;
        }
        let mut twin = self.clone();
        let reword = |at: usize, word: &mut Word| {
            if let (true, Word::Text(text)) = (plain[at], word) {
                *text = text_of(text);
            }
        };
        twin.each_word(&reword);
        for (variable, _) in twin.variables.iter_mut().zip(&plain).filter(|(_, plain)| **plain) {
            variable.values.iter_mut().for_each(|value| *value = text_of(value));
            (variable.counts, variable.is_amount) = (false, false);
        }
        let parts = self.compound.iter().flat_map(|compound| &compound.names);
        parts.into_iter().all(|name| twin.deed(name).is_some()).then_some(twin)
    }

    /// The statements in another order.
    pub fn permuted(&self, dice: &mut SplitMix) -> Stated {
        let mut order: Vec<usize> = (0..self.statements.len()).collect();
        dice.shuffle(&mut order);
        let place = |at: usize| order.iter().position(|&old| old == at).unwrap_or(at);
        let moved = |&at: &usize| Statement {
            overrides: self.statements[at].overrides.map(place),
            ..self.statements[at].clone()
        };
        let mut twin = self.clone();
        twin.statements = order.iter().map(moved).collect();
        for folk in &mut twin.folk {
            folk.can.iter_mut().for_each(|at| *at = place(*at));
        }
        twin.preferences.iter_mut().for_each(|pair| *pair = (place(pair.0), place(pair.1)));
        if let Some(compound) = &mut twin.compound {
            compound.parts.iter_mut().for_each(|part| part.statement = place(part.statement));
        }
        twin
    }

    /// Whether the parts of the compound are told by conditions on amounts.
    fn names_numbers(&self) -> bool {
        let parts = self.compound.iter().flat_map(|compound| &compound.names);
        parts.into_iter().any(|name| name.contains('('))
    }

    fn renumbered(&self, moved: &[bool], to: &dyn Fn(i64) -> i64) -> Stated {
        let change = |text: &mut String| {
            if let Ok(number) = text.parse::<i64>() {
                *text = to(number).to_string();
            }
        };
        let mut twin = self.clone();
        twin.each_word(&|at: usize, word: &mut Word| {
            if let (true, Word::Text(text)) = (moved[at], word) {
                change(text);
            }
        });
        for change in twin.statements.iter_mut().flat_map(|one| &mut one.changes) {
            if let (true, ChangeKind::Count { stop: Some(stop), .. }) =
                (moved[change.variable], &mut change.kind)
            {
                *stop = to(*stop);
            }
        }
        for (variable, _) in twin.variables.iter_mut().zip(moved).filter(|(_, moved)| **moved) {
            variable.values.iter_mut().for_each(change);
        }
        twin
    }

    /// Calls `each` with every word that stands for a value, and its variable.
    fn each_word(&mut self, each: &dyn Fn(usize, &mut Word)) {
        for statement in &mut self.statements {
            for change in &mut statement.changes {
                if let ChangeKind::Move { from, to } = &mut change.kind {
                    from.iter_mut().chain([to]).for_each(|word| each(change.variable, word));
                }
            }
            statement.conditions.iter_mut().for_each(|formula| words_of(formula, each));
        }
        self.goals.iter_mut().flatten().for_each(|formula| words_of(formula, each));
    }

    fn formulas(&self) -> impl Iterator<Item = &Formula> {
        let asked = self.statements.iter().flat_map(|one| &one.conditions);
        asked.chain(self.goals.iter().flatten())
    }

    fn uses(&self) -> Uses {
        let n = self.variables.len();
        let mut uses = Uses { has_size: vec![false; n], by_parameter: vec![false; n] };
        self.formulas().for_each(|formula| uses.add(formula));
        for change in self.statements.iter().flat_map(|one| &one.changes) {
            match &change.kind {
                ChangeKind::Count { .. } => uses.has_size[change.variable] = true,
                ChangeKind::Move { from, to } => {
                    let is_parameter = |word: &Word| matches!(word, Word::Parameter(_));
                    uses.by_parameter[change.variable] |= from.iter().chain([to]).any(is_parameter);
                }
            }
        }
        uses
    }
}

impl Uses {
    fn add(&mut self, formula: &Formula) {
        match formula {
            Formula::One(variable, sign, word) => {
                self.has_size[*variable] |= !matches!(*sign, "=" | "!=");
                self.by_parameter[*variable] |= matches!(word, Word::Parameter(_));
            }
            Formula::Other(variable, _, other) => {
                [variable, other].into_iter().for_each(|&at| self.has_size[at] = true);
            }
            Formula::Not(inner) => self.add(inner),
            Formula::All(list) | Formula::Any(list) => {
                list.iter().for_each(|part| self.add(part));
            }
        }
    }
}

fn words_of(formula: &mut Formula, each: &dyn Fn(usize, &mut Word)) {
    match formula {
        Formula::One(variable, _, word) => each(*variable, word),
        Formula::Other(..) => {}
        Formula::Not(inner) => words_of(inner, each),
        Formula::All(list) | Formula::Any(list) => {
            list.iter_mut().for_each(|part| words_of(part, each));
        }
    }
}

fn has_other(formula: &Formula) -> bool {
    match formula {
        Formula::One(..) => false,
        Formula::Other(..) => true,
        Formula::Not(inner) => has_other(inner),
        Formula::All(list) | Formula::Any(list) => list.iter().any(has_other),
    }
}

/// A number as a word that is none.
fn text_of(number: &str) -> String {
    format!("n{}", number.replace('-', "_"))
}
