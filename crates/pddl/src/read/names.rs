//! All names that two files declare.
//!
//! In:   the outlines of both files.
//! Out:  the tables that conditions, effects and facts are read against.
//! Cost: linear.
//!
//! Declarations of both files come first, so that what an action lacks may be found among the
//! problem's objects.

use super::functions::Functions;
use super::notes::Notes;
use super::objects::Objects;
use super::outline::Outline;
use super::predicates::Predicates;
use super::types::Types;
use throng_domain::Code;

/// The tables.
#[derive(Default)]
pub(super) struct Names<'t> {
    pub(super) types: Types<'t>,
    pub(super) objects: Objects<'t>,
    pub(super) predicates: Predicates<'t>,
    pub(super) functions: Functions<'t>,
}

impl<'t> Names<'t> {
    /// Reads all declarations.
    pub(super) fn read(
        domain: &Outline<'t>,
        problem: &Outline<'t>,
        notes: &mut Notes<'t>,
    ) -> Names<'t> {
        let mut names = Names::default();
        let Names { types, objects, predicates, functions } = &mut names;
        domain.all(":types").for_each(|section| types.read(section, notes));
        domain.all(":constants").for_each(|section| objects.read(section, types, notes));
        objects.n_constants = objects.list.len();
        problem.all(":objects").for_each(|section| objects.read(section, types, notes));
        objects.count_types(types, problem.place, notes);
        domain.all(":functions").for_each(|section| functions.read(section, types, notes));
        domain.all(":predicates").for_each(|section| predicates.read(section, types, notes));
        if domain.one(":predicates").is_none() {
            predicates.infers = true;
            if domain.one(":action").is_some() {
                let text = "there is no `(:predicates …)`; predicates are taken from their uses";
                let cure = "declare them, so that slips of the fingers are found";
                notes.report.say(Code::PddlInferred, domain.place, text, cure);
            }
        }
        if domain.one(":constants").is_none() && problem.one(":objects").is_none() {
            objects.infers = true;
        }
        names
    }
}
