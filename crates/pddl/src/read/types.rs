//! The types of a task.
//!
//! In:   the domain's `(:types …)`; then lists of names with types.
//! Out:  numbers for names; the hierarchy.
//! Cost: a hash lookup per name; whether a type is below another is bounded by a budget.
//!
//! What other planners accept is accepted with a warning: a type declared twice has both
//! parents, `object` may be declared, a parent need not be.

use super::notes::Notes;
use super::tree::Form;
use super::typed::{Group, Typed, groups};
use crate::graph::finished;
use crate::lifted::{Ancestors, Type, TypeId, is_below, type_text};
use std::collections::HashMap;
use throng_domain::{Code, Span};

/// So many steps up the hierarchy are taken to warn of arguments of other types.
const MOST_STEPS: usize = 20_000_000;

/// The types so far.
pub(super) struct Types<'t> {
    /// The first is `object`.
    pub(super) list: Vec<Type>,
    numbers: HashMap<&'t str, TypeId>,
    spans: Vec<Span>,
    /// The longest walk up the hierarchy: all types and all their parents.
    walk_steps: usize,
}

impl Default for Types<'_> {
    fn default() -> Self {
        Types {
            list: vec![Type { name: "object".to_string(), parents: Vec::new() }],
            numbers: HashMap::from([("object", TypeId(0))]),
            spans: vec![Span::default()],
            walk_steps: 1,
        }
    }
}

impl<'t> Types<'t> {
    /// `(:types …)`.
    pub(super) fn read(&mut self, section: Form<'t>, notes: &mut Notes<'t>) {
        let groups = groups(section.rest(), notes);
        // First all names: a parent may stand below its child.
        for group in &groups {
            for &form in &group.names {
                self.declare(form, !group.types.is_empty(), notes);
            }
        }
        groups.into_iter().for_each(|group| self.give_parents(group, notes));
        for orphan in self.list[1..].iter_mut().filter(|of| of.parents.is_empty()) {
            orphan.parents.push(TypeId(0));
        }
        self.walk_steps = self.list.iter().map(|of| 1 + of.parents.len()).sum();
        let mut circles = Vec::new();
        let parent = |at: usize, number: usize| Some(self.list[at].parents.get(number)?.index());
        finished(self.list.len(), parent, |at| circles.push(at));
        for at in circles {
            let text = format!("type `{}` is below itself", self.list[at].name);
            let cure = "remove one of the parents on the way; until then they are one type";
            notes.report.say(Code::PddlTypeCircle, self.spans[at], text, cure);
        }
    }

    fn declare(&mut self, form: Form<'t>, has_parent: bool, notes: &mut Notes<'t>) {
        let Some(name) = notes.plain_name(form, "a type") else { return };
        if name == "object" {
            // Declared without a parent it is what it is anyway.
            let cure = match has_parent {
                true => "remove it; what it is declared to be below has no meaning",
                false => "remove it; every type is below it",
            };
            let text = "`object` is the type of everything and need not be declared";
            notes.report.say(Code::PddlObjectType, form.span(), text, cure);
        } else if let Some(&known) = self.numbers.get(name) {
            let text = format!("type `{}` is declared twice", form.written());
            let cure = "remove one of the two; until then it is below both parents";
            let first = self.spans[known.index()];
            notes.report.say_twice(Code::PddlTypeTwice, form.span(), first, text, cure);
        } else {
            self.add(form.span(), name, notes);
        }
    }

    fn add(&mut self, span: Span, name: &'t str, notes: &mut Notes<'t>) -> TypeId {
        if !notes.has_room_for_another(self.list.len(), "types", span) {
            return TypeId(0);
        }
        let id = TypeId(self.list.len() as u32);
        self.numbers.insert(name, id);
        self.spans.push(span);
        self.list.push(Type { name: name.to_string(), parents: Vec::new() });
        id
    }

    fn give_parents(&mut self, group: Group<'t>, notes: &mut Notes<'t>) {
        let parents: Vec<TypeId> =
            group.types.iter().filter_map(|of| self.parent(of, notes)).collect();
        for form in group.names {
            let id = form.word().and_then(|name| self.numbers.get(name));
            let Some(id) = id.filter(|id| id.0 != 0) else { continue };
            let known = &mut self.list[id.index()].parents;
            if !notes.has_room(known.len() + parents.len(), form.span()) {
                return;
            }
            merge(known, &parents);
        }
    }

    /// A type that stands after `-` among the types.
    fn parent(&mut self, typed: &Typed<'t>, notes: &mut Notes<'t>) -> Option<TypeId> {
        let Some(name) = typed.name else {
            if !typed.is_glued {
                self.of(typed.form, notes);
            }
            return None;
        };
        if let Some(&known) = self.numbers.get(name) {
            return Some(known);
        }
        notes.plain_name(typed.form, "a type")?;
        let text = format!("type `{name}` stands only as the parent of others");
        let cure = format!("declare it too: `{name} - object`");
        notes.report.say(Code::PddlTypeImplied, typed.form.span(), text, cure);
        Some(self.add(typed.form.span(), name, notes))
    }

    /// The type of a name; `object` after a mistake.
    fn of(&self, form: Form<'t>, notes: &mut Notes<'t>) -> TypeId {
        let Some(name) = form.word() else {
            let text = format!("a type is expected here, not the list `{}`", form.written());
            notes.expected(form.span(), text, "write its name, or `(either first second)`");
            return TypeId(0);
        };
        if let Some(&known) = self.numbers.get(name) {
            return known;
        }
        let code = Code::PddlUnknownType;
        if notes.is_first(code, name) {
            let nearest = notes.report.nearest(name, self.list.iter().map(|known| &known.name[..]));
            let declare = format!("declare it: `(:types {name})`");
            notes.unknown((code, "type"), (form.span(), &form.written()), nearest, declare);
        }
        TypeId(0)
    }

    /// The types of a group; `object` if the list does not say.
    pub(super) fn of_group(&self, group: &Group<'t>, notes: &mut Notes<'t>) -> Vec<TypeId> {
        let mut types: Vec<TypeId> = group
            .types
            .iter()
            .map(|typed| match typed.name.and_then(|name| self.numbers.get(name)) {
                Some(&id) => id,
                // What was glued has been told already.
                None if typed.is_glued => TypeId(0),
                None => self.of(typed.form, notes),
            })
            .collect();
        if types.is_empty() {
            types.push(TypeId(0));
        }
        merge(&mut types, &[]);
        types
    }

    /// Types as they stand behind a name: ` - truck`; nothing for `object`.
    pub(super) fn behind(&self, types: &[TypeId]) -> String {
        match types {
            [TypeId(0)] | [] => String::new(),
            _ => format!(" - {}", type_text(&self.list, types)),
        }
    }

    /// Types in a sentence: `truck or ship`.
    pub(super) fn or(&self, types: &[TypeId]) -> String {
        types.iter().map(|of| &self.list[of.index()].name[..]).collect::<Vec<_>>().join(" or ")
    }

    /// Whether something of some types can be of the wanted ones. A variable of a wider type may
    /// stand for an object that fits. Yes, too, once there were [`MOST_STEPS`].
    pub(super) fn may_be(
        &self,
        given: &[TypeId],
        wanted: &[TypeId],
        is_variable: bool,
        steps: &mut usize,
    ) -> bool {
        // Counted first: lists of alternatives may be long.
        *steps += given.len() * wanted.len();
        if *steps >= MOST_STEPS
            || given.is_empty()
            || given.iter().any(|given| wanted.contains(given))
            || wanted.contains(&TypeId(0))
        {
            return true;
        }
        let mut is = |below: TypeId, above: TypeId| {
            *steps += self.walk_steps;
            *steps >= MOST_STEPS || is_below(&self.list, below, above)
        };
        given.iter().any(|&given| {
            wanted.iter().any(|&wanted| is(given, wanted) || (is_variable && is(wanted, given)))
        })
    }

    /// How many types and parents there are from each type up, if there are `users` of it.
    /// `enough` is told of each such type, and says whether to go on.
    pub(super) fn count_above(&self, users: &[usize], mut enough: impl FnMut(usize) -> bool) {
        let mut ancestors = Ancestors::new(&self.list);
        for (at, &n_users) in users.iter().enumerate().filter(|(_, users)| **users > 0) {
            let above = ancestors.of(vec![TypeId::at(at)]);
            let entries = above.map(|of| self.list[of.index()].parents.len().max(1));
            if enough(entries.sum::<usize>().saturating_mul(n_users)) {
                return;
            }
        }
    }
}

/// Adds types to a list, which is sorted then, each once.
pub(super) fn merge(known: &mut Vec<TypeId>, more: &[TypeId]) {
    known.extend_from_slice(more);
    known.sort_unstable();
    known.dedup();
}
