//! Declarations: types, constants, objects, predicates, functions.
//!
//! In:   the sections of both files that declare names.
//! Out:  numbered tables in the task.
//! Cost: linear; the types that objects are of are counted against the limits.
//!
//! What other planners accept is accepted with a warning: a type declared twice has both
//! parents, `object` may be declared, a parent need not be.

use super::reader::Reader;
use super::tree::{Form, Parts};
use super::typed::{Group, Typed};
use crate::lifted::{Function, FunctionId, PredicateId, Type, TypeId};
use throng_domain::{Code, Span};

impl<'t> Reader<'t> {
    /// `(:types …)`.
    pub(super) fn read_types(&mut self, section: Form<'t>) {
        let groups = self.groups(section.rest());
        // First all names: a parent may stand below its child.
        for group in &groups {
            for &form in &group.names {
                self.declare_type(form, !group.types.is_empty());
            }
        }
        for group in groups {
            self.give_parents(group);
        }
        // Who has no parent is below `object`.
        for at in 1..self.task.types.len() {
            if self.task.types[at].parents.is_empty() {
                self.task.types[at].parents.push(TypeId(0));
            }
        }
        let parents = self.task.types.iter().map(|t| 1 + t.parents.len());
        self.walk_steps = parents.sum();
        self.check_circles();
    }

    fn declare_type(&mut self, form: Form<'t>, has_parent: bool) {
        let Some(name) = self.plain_name(form, "a type") else { return };
        if name == "object" {
            // Declared without a parent it is what it is anyway.
            let cure = match has_parent {
                true => "remove it; what it is declared to be below has no meaning",
                false => "remove it; every type is below it",
            };
            let text = "`object` is the type of everything and need not be declared";
            return self.report.say(Code::PddlObjectType, form.span(), text, cure);
        }
        if let Some(&known) = self.types.get(name) {
            let first = self.type_spans[known.0 as usize];
            let text = format!("type `{}` is declared twice", form.written());
            let cure = "remove one of the two; until then it is below both parents".to_string();
            self.report.say_twice(Code::PddlTypeTwice, form.span(), first, text, cure);
        } else {
            self.new_type(form.span(), name);
        }
    }

    fn new_type(&mut self, span: Span, name: &'t str) -> TypeId {
        let id = TypeId(self.task.types.len() as u32);
        if !self.has_room_for_another(self.task.types.len(), "types", span) {
            return TypeId(0);
        }
        self.types.insert(name, id);
        self.type_spans.push(span);
        self.task.types.push(Type { name: name.to_string(), parents: Vec::new() });
        id
    }

    fn give_parents(&mut self, group: Group<'t>) {
        let parents: Vec<TypeId> = group.types.iter().filter_map(|t| self.parent(t)).collect();
        for form in group.names {
            let id = form.word().and_then(|name| self.types.get(name).copied());
            let Some(id) = id.filter(|id| id.0 != 0) else { continue };
            let known = self.task.types[id.0 as usize].parents.len();
            if !self.has_room(known + parents.len(), form.span()) {
                return;
            }
            let known = &mut self.task.types[id.0 as usize].parents;
            known.extend_from_slice(&parents);
            known.sort_unstable();
            known.dedup();
        }
    }

    /// A type that stands after `-` among the types.
    fn parent(&mut self, typed: &Typed<'t>) -> Option<TypeId> {
        let Some(name) = typed.name else {
            self.type_of(typed.form);
            return None;
        };
        if let Some(&known) = self.types.get(name) {
            return Some(known);
        }
        let text = format!("type `{name}` stands only as the parent of others");
        let cure = format!("declare it too: `{name} - object`");
        self.report.say(Code::PddlTypeImplied, typed.form.span(), text, cure);
        Some(self.new_type(typed.form.span(), name))
    }

    /// Warns of each circle of types once, at one of them.
    fn check_circles(&mut self) {
        const NEW: u8 = 0;
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let types = &self.task.types;
        let mut marks = vec![NEW; types.len()];
        let mut circles = Vec::new();
        for from in 0..types.len() {
            let mut open: Vec<(usize, usize)> = Vec::new();
            if marks[from] == NEW {
                marks[from] = OPEN;
                open.push((from, 0));
            }
            while let Some((at, next)) = open.last_mut() {
                let Some(parent) = types[*at].parents.get(*next) else {
                    marks[*at] = DONE;
                    open.pop();
                    continue;
                };
                *next += 1;
                let parent = parent.0 as usize;
                match marks[parent] {
                    NEW => {
                        marks[parent] = OPEN;
                        open.push((parent, 0));
                    }
                    OPEN => circles.push(parent),
                    _ => {}
                }
            }
        }
        for at in circles {
            let text = format!("type `{}` is below itself", self.task.types[at].name);
            let cure = "remove one of the parents on the way; until then they are one type";
            self.report.say(Code::PddlTypeCircle, self.type_spans[at], text, cure);
        }
    }

    /// `(:constants …)` or `(:objects …)`.
    pub(super) fn read_objects(&mut self, section: Form<'t>) {
        for group in self.groups(section.rest()) {
            let types = self.types_of(&group);
            for form in group.names {
                if let Some(name) = self.plain_name(form, "an object") {
                    self.declare_object(form, name, &types);
                }
            }
        }
    }

    /// Counts the types that objects are of, directly or above: tables by type grow so large.
    pub(super) fn count_types_of_objects(&mut self, place: Span) {
        let mut users = vec![0usize; self.task.types.len()];
        for object in &self.task.objects {
            object.types.iter().for_each(|t| users[t.0 as usize] += 1);
        }
        let mut seen = vec![usize::MAX; self.task.types.len()];
        for at in (0..users.len()).filter(|&at| users[at] > 0) {
            let mut open = vec![at];
            let mut above = 0usize;
            while let Some(at_type) = open.pop() {
                if std::mem::replace(&mut seen[at_type], at) != at {
                    let parents = &self.task.types[at_type].parents;
                    above += parents.len().max(1);
                    open.extend(parents.iter().map(|t| t.0 as usize));
                }
            }
            if !self.has_room(above.saturating_mul(users[at]), place) {
                return;
            }
        }
    }

    /// `(:predicates …)`.
    pub(super) fn read_predicates(&mut self, section: Form<'t>) {
        let mut follows_word = false;
        for form in section.rest() {
            // Of a row of words only the first is told.
            if std::mem::replace(&mut follows_word, !form.is_list()) && !form.is_list() {
                continue;
            }
            let Some((name, arguments)) = self.signature(form, "a predicate") else { continue };
            if name == "=" {
                let text = "`=` is known without a declaration";
                self.report.say(Code::PddlPredicateTwice, form.span(), text, "remove it");
                continue;
            }
            let known = self.predicates.get(name).map_or(&[][..], Vec::as_slice);
            let same = |id: &&PredicateId| {
                self.task.predicates[id.0 as usize].arguments.len() == arguments.len()
            };
            match known.iter().find(same).copied() {
                Some(known) => self.predicate_again(form, known, arguments),
                None => {
                    self.declare_predicate(form, name, arguments);
                }
            }
        }
    }

    fn predicate_again(&mut self, form: Form<'t>, known: PredicateId, arguments: Vec<Vec<TypeId>>) {
        let declared = &mut self.task.predicates[known.0 as usize].arguments;
        let is_alike = *declared == arguments;
        for (types, more) in declared.iter_mut().zip(arguments) {
            types.extend(more);
            types.sort_unstable();
            types.dedup();
        }
        let first = self.predicate_spans[known.0 as usize];
        let text = format!("predicate `{}` is declared twice", form.head().unwrap_or_default());
        let cure = match is_alike {
            true => "remove one of the two",
            false => "remove one of the two; until then its arguments may be of either type",
        };
        self.report.say_twice(Code::PddlPredicateTwice, form.span(), first, text, cure);
    }

    /// `(:functions …)`.
    pub(super) fn read_functions(&mut self, section: Form<'t>) {
        for group in self.groups(section.rest()) {
            let is_number = |t: &Typed<'t>| t.name == Some("number");
            if let Some(other) = group.types.iter().find(|t| !is_number(t)) {
                self.refuse(Code::PddlObjectFluent, other.form, "only numbers may be values");
            }
            for form in group.names {
                let Some((name, arguments)) = self.signature(form, "a function") else { continue };
                if let Some(&known) = self.functions.get(name) {
                    let first = self.function_spans[known.0 as usize];
                    let text = format!("function `{name}` is declared twice");
                    let cure = "remove one of the two".to_string();
                    self.report.say_twice(Code::PddlPredicateTwice, form.span(), first, text, cure);
                } else if self.has_room_for_another(
                    self.task.functions.len(),
                    "functions",
                    form.span(),
                ) {
                    self.functions.insert(name, FunctionId(self.task.functions.len() as u32));
                    self.function_spans.push(form.span());
                    self.task.functions.push(Function { name: name.to_string(), arguments });
                }
            }
        }
    }

    /// `(name ?x - t …)`: the name and the types of the arguments.
    fn signature(&mut self, form: Form<'t>, what: &str) -> Option<(&'t str, Vec<Vec<TypeId>>)> {
        let Some(name) = form.head() else {
            let text = format!("{what} is expected here, not `{}`", form.written());
            self.expected(form.head_span(), text, "write it in parentheses: `(name ?x - type)`");
            return None;
        };
        let head = form.parts().next()?;
        self.plain_name(head, what)?;
        if Self::is_reserved(name) {
            let text = format!("`{name}` is a word of PDDL and cannot be the name of {what}");
            self.report.say(Code::PddlReserved, head.span(), text, "choose another name");
            return None;
        }
        Some((name, self.argument_types(form.rest())))
    }

    fn argument_types(&mut self, forms: Parts<'t>) -> Vec<Vec<TypeId>> {
        let mut arguments = Vec::new();
        for group in self.groups(forms) {
            let types = self.types_of(&group);
            for form in group.names {
                if !form.word().is_some_and(|word| word.starts_with('?')) {
                    let text = format!("a variable is expected here, not `{}`", form.written());
                    self.expected(form.span(), text, "declare arguments as in `?x - truck`");
                }
                if self.has_room(1 + types.len(), form.span()) {
                    arguments.push(types.clone());
                }
            }
        }
        arguments
    }

    /// The word of a name that is declared; not a list, a variable or a keyword.
    pub(super) fn plain_name(&mut self, form: Form<'t>, what: &str) -> Option<&'t str> {
        let name = form.word().filter(|word| !word.starts_with(['?', ':']));
        if name.is_none() {
            let text = format!("`{}` cannot be the name of {what}", form.written());
            let cure = "write a plain word, without `?` or `:` in front and without parentheses";
            self.report.say(Code::BadName, form.head_span(), text, cure);
        }
        name
    }
}
