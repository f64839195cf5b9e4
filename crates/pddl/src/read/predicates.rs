//! The predicates of a task.
//!
//! In:   `(:predicates …)`, and uses.
//! Out:  numbers for names with so many arguments; a report of those that are unknown, and of
//!       arguments of other types.
//! Cost: a hash lookup per use; walks up the types have a budget.

use super::notes::Notes;
use super::refused::feature_of_head;
use super::tree::Form;
use super::typed::groups;
use super::types::{Types, merge};
use crate::lifted::{Predicate, PredicateId, TypeId};
use std::collections::{HashMap, HashSet};
use throng_domain::{Code, Span};

/// The predicates so far.
#[derive(Default)]
pub(super) struct Predicates<'t> {
    pub(super) list: Vec<Predicate>,
    /// Per name the predicates of different numbers of arguments.
    numbers: HashMap<&'t str, Vec<PredicateId>>,
    spans: Vec<Span>,
    /// Whether predicates are taken from their uses: no file declares any.
    pub(super) infers: bool,
    /// Arguments of which it was told that another type stands there.
    other_types: HashSet<(PredicateId, usize)>,
    /// Steps up the type hierarchy that were taken to warn of these.
    type_steps: usize,
}

impl<'t> Predicates<'t> {
    /// `(:predicates …)`.
    pub(super) fn read(&mut self, section: Form<'t>, types: &Types<'t>, notes: &mut Notes<'t>) {
        let mut follows_word = false;
        for form in section.rest() {
            // Of a row of words only the first is told.
            if std::mem::replace(&mut follows_word, !form.is_list()) && !form.is_list() {
                continue;
            }
            let Some((name, arguments)) = signature(form, "a predicate", types, notes) else {
                continue;
            };
            if name == "=" {
                let text = "`=` is known without a declaration";
                notes.report.say(Code::PddlPredicateTwice, form.span(), text, "remove it");
                continue;
            }
            match self.exact(name, arguments.len()) {
                Some(known) => self.declare_again(form, known, arguments, notes),
                None => drop(self.declare(form, name, arguments, notes)),
            }
        }
    }

    /// Takes a predicate in; the caller knows that it is new.
    fn declare(
        &mut self,
        form: Form<'t>,
        name: &'t str,
        arguments: Vec<Vec<TypeId>>,
        notes: &mut Notes<'t>,
    ) -> Option<PredicateId> {
        if !notes.has_room_for_another(self.list.len(), "predicates", form.span()) {
            return None;
        }
        let id = PredicateId(self.list.len() as u32);
        self.numbers.entry(name).or_default().push(id);
        self.spans.push(form.span());
        self.list.push(Predicate { name: name.to_string(), arguments, is_derived: false });
        Some(id)
    }

    fn declare_again(
        &mut self,
        form: Form<'t>,
        known: PredicateId,
        arguments: Vec<Vec<TypeId>>,
        notes: &mut Notes<'t>,
    ) {
        let declared = &mut self.list[known.index()].arguments;
        let cure = match *declared == arguments {
            true => "remove one of the two",
            false => "remove one of the two; until then its arguments may be of either type",
        };
        declared.iter_mut().zip(arguments).for_each(|(types, more)| merge(types, &more));
        let text = format!("predicate `{}` is declared twice", form.head().unwrap_or_default());
        let first = self.spans[known.index()];
        notes.report.say_twice(Code::PddlPredicateTwice, form.span(), first, text, cure);
    }

    /// The predicates of a name.
    fn named(&self, name: &str) -> &[PredicateId] {
        self.numbers.get(name).map_or(&[], Vec::as_slice)
    }

    fn arity(&self, id: PredicateId) -> usize {
        self.list[id.index()].arguments.len()
    }

    fn exact(&self, name: &str, n_arguments: usize) -> Option<PredicateId> {
        self.named(name).iter().copied().find(|&id| self.arity(id) == n_arguments)
    }

    /// Whether a predicate has this name, with however many arguments.
    pub(super) fn has(&self, name: &str) -> bool {
        self.numbers.contains_key(name)
    }

    /// The predicate of a name with so many arguments.
    pub(super) fn find(
        &mut self,
        form: Form<'t>,
        name: &'t str,
        n_arguments: usize,
        types: &Types<'t>,
        notes: &mut Notes<'t>,
    ) -> Option<PredicateId> {
        let exact = self.exact(name, n_arguments);
        if exact.is_some() {
            return exact;
        }
        if self.infers {
            return self.declare(form, name, vec![vec![TypeId(0)]; n_arguments], notes);
        }
        let code = Code::PddlUnknownPredicate;
        if let known @ [first, ..] = self.named(name) {
            let counts: Vec<String> = known.iter().map(|&id| self.arity(id).to_string()).collect();
            let text =
                format!("`{name}` has {} arguments, here {n_arguments}", counts.join(" or "));
            let declared = (self.spans[first.index()], "declared here");
            let cure = format!("write it as declared: `{}`", self.as_declared(*first, types));
            notes.report.say_also(Code::PddlWrongCount, form.span(), declared, text, cure);
        } else if notes.is_first(code, name) {
            let nearest = notes.report.nearest(name, self.list.iter().map(|known| &known.name[..]));
            let head = form.parts().next().unwrap_or(form);
            let declare =
                format!("declare it: `(:predicates ({name}{}))`", some_arguments(n_arguments));
            notes.unknown((code, "predicate"), (head.span(), &head.written()), nearest, declare);
        }
        None
    }

    /// A predicate as its declaration says it: `(at ?1 - truck ?2)`.
    fn as_declared(&self, predicate: PredicateId, types: &Types<'t>) -> String {
        let predicate = &self.list[predicate.index()];
        let arguments = predicate.arguments.iter().zip(1..);
        let arguments: String =
            arguments.map(|(of, at)| format!(" ?{at}{}", types.behind(of))).collect();
        format!("({}{arguments})", predicate.name)
    }

    /// Warns if an argument can never be of the types declared for its place. Planners do not
    /// mind: a fact about an object of another type is a fact.
    pub(super) fn check_type(
        &mut self,
        form: Form<'t>,
        (given, is_variable): (&[TypeId], bool),
        (predicate, place): (PredicateId, usize),
        types: &Types<'t>,
        notes: &mut Notes<'t>,
    ) {
        let Predicate { name, arguments, .. } = &self.list[predicate.index()];
        let wanted = &arguments[place];
        if types.may_be(given, wanted, is_variable, &mut self.type_steps)
            || !self.other_types.insert((predicate, place))
        {
            return;
        }
        let (written, given, wanted) = (form.written(), types.or(given), types.or(wanted));
        let text = format!("`{written}` is of type {given}, and `{name}` is declared for {wanted}");
        let declared = (self.spans[predicate.index()], "declared here");
        let cure = "use an argument of the declared type, or declare the predicate for both";
        notes.report.say_also(Code::PddlOtherType, form.span(), declared, text, cure);
    }

    /// Whether rules tell when a predicate holds.
    pub(super) fn is_derived(&self, predicate: PredicateId) -> bool {
        self.list[predicate.index()].is_derived
    }
}

/// So many variables, for a declaration that is proposed.
pub(super) fn some_arguments(n_arguments: usize) -> String {
    (1..=n_arguments).map(|at| format!(" ?x{at}")).collect()
}

/// `(name ?x - t …)`: the name and the types of the arguments.
pub(super) fn signature<'t>(
    form: Form<'t>,
    what: &str,
    types: &Types<'t>,
    notes: &mut Notes<'t>,
) -> Option<(&'t str, Vec<Vec<TypeId>>)> {
    let Some(name) = form.head() else {
        let text = format!("{what} is expected here, not `{}`", form.written());
        notes.expected(form.head_span(), text, "write it in parentheses: `(name ?x - type)`");
        return None;
    };
    let head = form.parts().next()?;
    notes.plain_name(head, what)?;
    if is_reserved(name) {
        let text = format!("`{name}` is a word of PDDL and cannot be the name of {what}");
        notes.report.say(Code::PddlReserved, head.span(), text, "choose another name");
        return None;
    }
    Some((name, argument_types(form.rest(), types, notes)))
}

fn argument_types<'t>(
    forms: impl Iterator<Item = Form<'t>>,
    types: &Types<'t>,
    notes: &mut Notes<'t>,
) -> Vec<Vec<TypeId>> {
    let mut arguments = Vec::new();
    for group in groups(forms, notes) {
        let types = types.of_group(&group, notes);
        for form in group.names {
            if !form.word().is_some_and(|word| word.starts_with('?')) {
                let text = format!("a variable is expected here, not `{}`", form.written());
                notes.expected(form.span(), text, "declare arguments as in `?x - truck`");
            }
            if notes.has_room(1 + types.len(), form.span()) {
                arguments.push(types.clone());
            }
        }
    }
    arguments
}

/// Whether a head is a word of the language that effects and conditions do not have.
fn is_reserved(name: &str) -> bool {
    let words = ["and", "or", "not", "imply", "exists", "forall", "when", "either"];
    let is_sign = !name.starts_with(|c: char| c.is_ascii_alphabetic());
    words.contains(&name) || (feature_of_head(name).is_some() && is_sign)
}
