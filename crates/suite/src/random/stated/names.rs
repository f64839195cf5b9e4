//! What the names of ground actions mean, by the rules of the language's page.
//!
//! In:   a name, and the statement that it begins with.
//! Out:  the values of its parameters, and what it says besides: values of words and lists that
//!       are written out, and what an alternative asks of amounts, by its text.
//! Cost: a look at the statement.
//!
//! The rules: behind the parameters stand the values of lists that are counted with, and of words
//! that are compared beside no amount; then the word of each variable that only `or` speaks of, a
//! blank for one that is left open. A statement that asks something of amounts tells no blank
//! unless a word could be of two variables; what is asked of amounts and words apart from each
//! other is in no name, because it stays one condition.

use super::any::SIGNS;
use super::{COMPOUND, ChangeKind, Deed, Formula, Ground, Stated, Statement, Word};

/// The parts of a name behind its parameters.
#[derive(Default)]
struct Said {
    /// Variables whose value always stands there.
    written_out: Vec<usize>,
    /// Word variables of which only alternatives speak.
    open: Vec<usize>,
    /// Whether one that is left open has a blank.
    has_blanks: bool,
}

/// The conditions of a statement by how they bind.
#[derive(Default)]
struct Sorted {
    pinned: Vec<usize>,
    compared: Vec<usize>,
    /// Below an `or`: the variables that are compared with values, and whether amounts are with
    /// each other.
    trees: Vec<(Vec<usize>, bool)>,
    has_other: bool,
}

impl Sorted {
    fn add(&mut self, formula: &Formula, negated: bool) {
        match formula {
            Formula::Not(inner) => self.add(inner, !negated),
            Formula::All(list) | Formula::Any(list) => {
                if matches!(formula, Formula::Any(_)) == negated {
                    list.iter().for_each(|part| self.add(part, negated));
                    return;
                }
                let mut tree = (Vec::new(), false);
                list.iter().for_each(|part| leaves(part, &mut tree));
                self.trees.push(tree);
            }
            Formula::One(variable, sign, _) => {
                let equation = (*sign == "=" && !negated) || (*sign == "!=" && negated);
                if equation { self.pinned.push(*variable) } else { self.compared.push(*variable) }
            }
            Formula::Other(..) => self.has_other = true,
        }
    }
}

fn leaves(formula: &Formula, tree: &mut (Vec<usize>, bool)) {
    match formula {
        Formula::One(variable, ..) => tree.0.push(*variable),
        Formula::Other(..) => tree.1 = true,
        Formula::Not(inner) => leaves(inner, tree),
        Formula::All(list) | Formula::Any(list) => list.iter().for_each(|it| leaves(it, tree)),
    }
}

impl Stated {
    /// What the name of a ground action means.
    pub fn deed(&self, name: &str) -> Option<Deed> {
        if name == COMPOUND {
            return self.compound.as_ref().map(|compound| compound.parts.clone());
        }
        let (base, words) = name.split_once('(').unwrap_or((name, ")"));
        let words: Vec<&str> = words.strip_suffix(')')?.split_whitespace().collect();
        let at = self.statements.iter().position(|statement| statement.name == base)?;
        let statement = &self.statements[at];
        let said = self.said(statement);
        let n_parameters = statement.parameters.len();
        let (arguments, rest) = words.split_at_checked(n_parameters)?;
        let (values, mut rest) = rest.split_at_checked(said.written_out.len())?;
        let mut pins: Vec<(usize, String)> =
            said.written_out.iter().copied().zip(values.iter().map(|it| it.to_string())).collect();
        if said.has_blanks {
            let (open, texts) = rest.split_at_checked(said.open.len())?;
            let told = said.open.iter().copied().zip(open.iter().map(|it| it.to_string()));
            pins.extend(told.filter(|(_, word)| word != "_"));
            rest = texts;
        } else {
            let begins_text = |at: usize| rest.get(at + 1).is_some_and(|it| SIGNS.contains(it));
            let n_words = (0..rest.len()).find(|&at| begins_text(at)).unwrap_or(rest.len());
            for word in &rest[..n_words] {
                let has = |at: &&usize| self.variables[**at].values.iter().any(|it| it == word);
                pins.push((*said.open.iter().find(has)?, word.to_string()));
            }
            rest = &rest[n_words..];
        }
        let arguments = arguments.iter().map(|it| it.to_string()).collect();
        Some(vec![Ground { statement: at, arguments, pins, texts: self.texts(rest)? }])
    }

    /// Conditions as names tell them: `a >= 2 and a <= 5 or a = 9`, one behind the other.
    fn texts(&self, mut words: &[&str]) -> Option<Vec<Formula>> {
        let variable = |name: &str| self.variables.iter().position(|it| it.name == name);
        let mut texts = Vec::new();
        while !words.is_empty() {
            let mut any: Vec<Formula> = Vec::new();
            let mut all: Vec<Formula> = Vec::new();
            loop {
                let (&[left, sign, right], rest) = words.split_first_chunk()?;
                let sign = SIGNS.into_iter().find(|known| *known == sign)?;
                all.push(match variable(right) {
                    Some(other) => Formula::Other(variable(left)?, sign, other),
                    None => Formula::One(variable(left)?, sign, Word::Text(right.to_string())),
                });
                let joint = rest.first().copied().filter(|it| ["and", "or"].contains(it));
                words = &rest[usize::from(joint.is_some())..];
                if joint != Some("and") {
                    any.push(Formula::All(std::mem::take(&mut all)));
                }
                if joint.is_none() {
                    break;
                }
            }
            texts.push(Formula::Any(any));
        }
        Some(texts)
    }

    fn said(&self, statement: &Statement) -> Said {
        let mut sorted = Sorted::default();
        statement.conditions.iter().for_each(|condition| sorted.add(condition, false));
        let (mut listed, mut counted) = (Vec::new(), Vec::new());
        for change in &statement.changes {
            let is_amount = self.variables[change.variable].is_amount;
            match change.kind {
                ChangeKind::Move { from: Some(_), .. } => sorted.pinned.push(change.variable),
                ChangeKind::Move { from: None, .. } => {}
                ChangeKind::Count { .. } if is_amount => counted.push(change.variable),
                ChangeKind::Count { .. } => listed.push(change.variable),
            }
        }
        let Sorted { pinned, compared, trees, has_other } = sorted;
        let is_free = |at: &usize| self.variables[*at].is_amount && !pinned.contains(at);
        let alone = |tree: &(Vec<usize>, bool)| {
            let first = *tree.0.first()?;
            (!tree.1 && tree.0.iter().all(|at| *at == first)).then_some(first)
        };
        let counts = has_other
            || counted.iter().chain(&compared).any(is_free)
            || trees.iter().filter_map(alone).any(|at| is_free(&at));
        let words_only =
            counts || trees.iter().any(|(all, other)| *other || all.iter().any(is_free));
        let stays =
            |at: &usize| is_free(at) || (counts && !pinned.contains(at) && !listed.contains(at));
        let mut said = Said::default();
        for at in compared.into_iter().filter(|at| !stays(at)).chain(listed.iter().copied()) {
            if !pinned.contains(&at) && !said.written_out.contains(&at) {
                said.written_out.push(at);
            }
        }
        let apart = |tree: &&(Vec<usize>, bool)| alone(tree).is_none_or(|at| !stays(&at));
        for &at in trees.iter().filter(apart).flat_map(|(all, _)| all) {
            let fixed = pinned.contains(&at) || said.written_out.contains(&at);
            if !fixed && !self.variables[at].is_amount && !said.open.contains(&at) {
                said.open.push(at);
            }
        }
        let mut words: Vec<&String> =
            said.open.iter().flat_map(|at| &self.variables[*at].values).collect();
        words.sort_unstable();
        let in_two = words.windows(2).any(|pair| pair[0] == pair[1]);
        said.has_blanks = !words_only || in_two;
        said
    }
}
