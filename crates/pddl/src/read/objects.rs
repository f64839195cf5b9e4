//! The objects of a task: the domain's constants, then the problem's objects.
//!
//! In:   the sections that declare them, and uses.
//! Out:  numbers for names, with a report of those that are unknown.
//! Cost: a hash lookup per name; the types that objects are of are counted against the limits.

use super::notes::Notes;
use super::tree::Form;
use super::typed::groups;
use super::types::{Types, merge};
use crate::lifted::{Object, ObjectId, TypeId};
use std::collections::HashMap;
use throng_domain::{Code, Span};

/// The objects so far.
#[derive(Default)]
pub(super) struct Objects<'t> {
    pub(super) list: Vec<Object>,
    numbers: HashMap<&'t str, ObjectId>,
    spans: Vec<Span>,
    /// How many are the domain's.
    pub(super) n_constants: usize,
    /// Whether objects are taken from their uses: no file declares any.
    pub(super) infers: bool,
}

impl<'t> Objects<'t> {
    /// `(:constants …)` or `(:objects …)`.
    pub(super) fn read(&mut self, section: Form<'t>, types: &Types<'t>, notes: &mut Notes<'t>) {
        for group in groups(section.rest(), notes) {
            let types = types.of_group(&group, notes);
            for form in group.names {
                if let Some(name) = notes.plain_name(form, "an object") {
                    self.declare(form, name, &types, notes);
                }
            }
        }
    }

    /// Counts the types that objects are of, directly or above: tables by type grow so large.
    pub(super) fn count_types(&self, types: &Types<'t>, place: Span, notes: &mut Notes<'t>) {
        let mut users = vec![0; types.list.len()];
        for of in self.list.iter().flat_map(|object| &object.types) {
            users[of.index()] += 1;
        }
        types.count_above(&users, |entries| !notes.has_room(entries, place));
    }

    /// From now on none is taken from its use: the goal names what the initial state does.
    pub(super) fn end_inferring(&mut self, place: Span, notes: &mut Notes<'t>) {
        if std::mem::take(&mut self.infers) && !self.list.is_empty() {
            let text = "there is no `(:objects …)`; objects are taken from the initial state";
            let cure = "declare them, so that slips of the fingers are found";
            notes.report.say(Code::PddlInferred, place, text, cure);
        }
    }

    /// Takes an object in. Declared again, it has the types of both.
    fn declare(
        &mut self,
        form: Form<'t>,
        name: &'t str,
        types: &[TypeId],
        notes: &mut Notes<'t>,
    ) -> ObjectId {
        if let Some(&object) = self.numbers.get(name) {
            let known = &mut self.list[object.index()].types;
            let n_known = known.len();
            if notes.has_room(n_known + types.len(), form.span()) {
                merge(known, types);
                let cure = match known.len() == n_known {
                    true => "remove one of the two",
                    false => "remove one of the two; until then it is of both types",
                };
                let text = format!("`{}` is declared twice", form.written());
                let first = self.spans[object.index()];
                notes.report.say_twice(Code::PddlObjectTwice, form.span(), first, text, cure);
            }
            return object;
        }
        let object = ObjectId(self.list.len() as u32);
        if notes.has_room_for_another(self.list.len(), "objects", form.span())
            && notes.has_room(types.len(), form.span())
        {
            self.numbers.insert(name, object);
            self.spans.push(form.span());
            self.list.push(Object { name: name.to_string(), types: types.to_vec() });
        }
        object
    }

    /// The object of a name; `None` if it is unknown. In the domain's text only constants are
    /// known.
    pub(super) fn find(
        &mut self,
        form: Form<'t>,
        name: &'t str,
        in_domain: bool,
        types: &Types<'t>,
        notes: &mut Notes<'t>,
    ) -> Option<ObjectId> {
        let code = Code::PddlUnknownObject;
        if let Some(&object) = self.numbers.get(name) {
            if in_domain && object.index() >= self.n_constants && notes.is_first(code, name) {
                let of = types.behind(&self.list[object.index()].types);
                let cure = format!("declare it in the domain: `(:constants {name}{of})`");
                let written = form.written();
                let text = format!(
                    "`{written}` is an object of the problem, not a constant of the domain"
                );
                let also = (self.spans[object.index()], "declared here, in the problem");
                notes.report.say_also(code, form.span(), also, text, cure);
            }
            return Some(object);
        }
        if self.infers && !in_domain {
            return Some(self.declare(form, name, &[TypeId(0)], notes));
        }
        if notes.is_first(code, name) {
            let nearest = notes.report.nearest(name, self.list.iter().map(|known| &known.name[..]));
            let declare = match in_domain {
                true => format!(
                    "declare it: `(:constants {name})`; if a parameter is meant, write `?{name}`"
                ),
                false => format!("declare it: `(:objects {name})`"),
            };
            notes.unknown((code, "object"), (form.span(), &form.written()), nearest, declare);
        }
        None
    }

    /// Whether an object has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.numbers.contains_key(name)
    }

    /// The types of an object; none of one that had no room.
    pub(super) fn types(&self, object: ObjectId) -> &[TypeId] {
        self.list.get(object.index()).map_or(&[], |object| &object.types)
    }
}
