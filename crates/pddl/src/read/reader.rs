//! What is known while two files are read: the task so far, who is called what, and what was
//! already told.
//!
//! In:   declarations and uses, by the files beside this one.
//! Out:  numbers for names, with a report of those that are unknown.
//! Cost: a hash lookup per name; the search for nearest names has the report's budget.
//!
//! After a mistake reading goes on with something harmless in the broken thing's place: all
//! mistakes are told at once, and a task with an error is never handed out. A name that is
//! unknown is told where it stands first.

use super::asking::Asking;
use super::limits::Limits;
use super::requirements::Requirements;
use super::tree::Form;
use crate::lifted::{
    FunctionId, Lifted, Object, ObjectId, Predicate, PredicateId, Term, Type, TypeId,
};
use std::collections::{HashMap, HashSet};
use throng_base::DidYouMean;
use throng_domain::{Code, Report, Span};

/// The task so far.
pub(super) struct Reader<'t> {
    pub(super) limits: Limits,
    pub(super) asking: &'t Asking<'t>,
    pub(super) report: Report,
    pub(super) task: Lifted,
    pub(super) requirements: Requirements,
    pub(super) types: HashMap<&'t str, TypeId>,
    pub(super) type_spans: Vec<Span>,
    pub(super) objects: HashMap<&'t str, ObjectId>,
    pub(super) object_spans: Vec<Span>,
    /// Per name the predicates of different numbers of arguments.
    pub(super) predicates: HashMap<&'t str, Vec<PredicateId>>,
    pub(super) predicate_spans: Vec<Span>,
    pub(super) functions: HashMap<&'t str, FunctionId>,
    pub(super) function_spans: Vec<Span>,
    pub(super) actions: HashMap<&'t str, Span>,
    /// Which functions are added to the cost of some action.
    pub(super) costs_use: HashSet<FunctionId>,
    /// Whether predicates are taken from their uses: no file declares any.
    pub(super) infers_predicates: bool,
    /// Whether objects are taken from their uses: no file declares any.
    pub(super) infers_objects: bool,
    /// Arguments of predicates of which it was told that another type stands there.
    other_types: HashSet<(PredicateId, usize)>,
    /// What was told and is not told again.
    told: HashSet<(Code, &'t str)>,
    /// What the task, written out, comes to so far.
    entries: usize,
    /// The longest walk up the type hierarchy: all types and all their parents.
    pub(super) walk_steps: usize,
    /// Steps up the type hierarchy that may still be taken to warn of arguments of other types.
    pub(super) type_steps: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(limits: &Limits, asking: &'t Asking<'t>, report: Report) -> Self {
        let object = Type { name: "object".to_string(), parents: Vec::new() };
        Reader {
            limits: *limits,
            asking,
            report,
            task: Lifted { types: vec![object], ..Lifted::default() },
            requirements: Requirements::default(),
            types: HashMap::from([("object", TypeId(0))]),
            type_spans: vec![Span::default()],
            objects: HashMap::new(),
            object_spans: Vec::new(),
            predicates: HashMap::new(),
            predicate_spans: Vec::new(),
            functions: HashMap::new(),
            function_spans: Vec::new(),
            actions: HashMap::new(),
            costs_use: HashSet::new(),
            infers_predicates: false,
            infers_objects: false,
            other_types: HashSet::new(),
            told: HashSet::new(),
            entries: 0,
            walk_steps: 1,
            type_steps: 20_000_000,
        }
    }

    /// Reports that something else should stand at a place.
    pub(super) fn expected(
        &mut self,
        span: Span,
        text: impl Into<String>,
        cure: impl Into<String>,
    ) {
        self.report.say(Code::Expected, span, text, cure);
    }

    /// Whether this is the first time that a code is told of a name.
    pub(super) fn is_first(&mut self, code: Code, name: &'t str) -> bool {
        self.told.insert((code, name))
    }

    /// Counts what is about to be written out; `false`, with an error, beyond the limit; `false`
    /// too if the caller said stop.
    pub(super) fn has_room(&mut self, entries: usize, span: Span) -> bool {
        if self.asking.step() {
            return false;
        }
        self.entries = self.entries.saturating_add(entries);
        if self.entries <= self.limits.entries {
            return true;
        }
        if self.is_first(Code::TooMuchInTotal, "") {
            let most = self.limits.entries;
            self.report.say(
                Code::TooMuchInTotal,
                span,
                format!("the task, written out, has more than {most} conditions, effects and types of objects"),
                "nest fewer effects below `when` and `forall`, or split the action",
            );
        }
        false
    }

    /// Whether one more declaration fits; `false`, with an error, beyond the limit.
    pub(super) fn has_room_for_another(
        &mut self,
        so_far: usize,
        what: &'static str,
        span: Span,
    ) -> bool {
        let most = self.limits.declarations;
        if so_far < most {
            return true;
        }
        if self.is_first(Code::TooManyDeclarations, what) {
            let text = format!("more than {most} {what}");
            let cure = "split the task, or take fewer objects";
            self.report.say(Code::TooManyDeclarations, span, text, cure);
        }
        false
    }

    /// The type of a name.
    pub(super) fn type_of(&mut self, form: Form<'t>) -> TypeId {
        let Some(name) = form.word() else {
            let text = format!("a type is expected here, not the list `{}`", form.written());
            self.expected(form.span(), text, "write its name, or `(either first second)`");
            return TypeId(0);
        };
        if let Some(&known) = self.types.get(name) {
            return known;
        }
        if self.is_first(Code::PddlUnknownType, name) {
            let declared = self.task.types.iter().map(|known| known.name.as_str());
            let nearest = self.report.nearest(name, declared);
            let cure = format!("declare it: `(:types {name})`");
            let (text, cure) = unknown("type", &form.written(), nearest, cure);
            self.report.say(Code::PddlUnknownType, form.span(), text, cure);
        }
        TypeId(0)
    }

    /// The object of a name; `None` if it is unknown. In the domain's text only constants are
    /// known.
    pub(super) fn object(
        &mut self,
        form: Form<'t>,
        name: &'t str,
        in_domain: bool,
    ) -> Option<ObjectId> {
        let known = self.objects.get(name).copied();
        if let Some(object) = known
            && (!in_domain || (object.0 as usize) < self.task.n_constants)
        {
            return Some(object);
        }
        if let Some(object) = known {
            self.is_no_constant(form, name, object);
            return Some(object);
        }
        if self.infers_objects && !in_domain {
            return Some(self.declare_object(form, name, &[TypeId(0)]));
        }
        if self.is_first(Code::PddlUnknownObject, name) {
            let known = self.task.objects.iter();
            let nearest = self.report.nearest(name, known.map(|object| object.name.as_str()));
            let section = if in_domain { "constants" } else { "objects" };
            let mut cure = format!("declare it: `(:{section} {name})`");
            if in_domain {
                cure.push_str(&format!("; if a parameter is meant, write `?{name}`"));
            }
            let (text, cure) = unknown("object", &form.written(), nearest, cure);
            self.report.say(Code::PddlUnknownObject, form.span(), text, cure);
        }
        None
    }

    /// The domain's text uses what only the problem declares.
    fn is_no_constant(&mut self, form: Form<'t>, name: &'t str, object: ObjectId) {
        if !self.is_first(Code::PddlUnknownObject, name) {
            return;
        }
        let declared = (self.object_spans[object.0 as usize], "declared here, in the problem");
        let types = &self.task.objects[object.0 as usize].types;
        let names: Vec<&str> =
            types.iter().map(|t| self.task.types[t.0 as usize].name.as_str()).collect();
        let cure = match names[..] {
            ["object"] | [] => format!("declare it in the domain: `(:constants {name})`"),
            [one] => format!("declare it in the domain: `(:constants {name} - {one})`"),
            _ => format!(
                "declare it in the domain: `(:constants {name} - (either {}))`",
                names.join(" ")
            ),
        };
        let text = format!(
            "`{}` is an object of the problem, not a constant of the domain",
            form.written()
        );
        self.report.say_also(Code::PddlUnknownObject, form.span(), declared, text, cure);
    }

    /// Takes an object in. Declared again, it has the types of both.
    pub(super) fn declare_object(
        &mut self,
        form: Form<'t>,
        name: &'t str,
        types: &[TypeId],
    ) -> ObjectId {
        if let Some(&object) = self.objects.get(name) {
            let n_known = self.task.objects[object.0 as usize].types.len();
            if !self.has_room(n_known + types.len(), form.span()) {
                return object;
            }
            let known = &mut self.task.objects[object.0 as usize].types;
            known.extend_from_slice(types);
            known.sort_unstable();
            known.dedup();
            let cure = match known.len() == n_known {
                true => "remove one of the two",
                false => "remove one of the two; until then it is of both types",
            };
            let first = self.object_spans[object.0 as usize];
            let text = format!("`{}` is declared twice", form.written());
            self.report.say_twice(Code::PddlObjectTwice, form.span(), first, text, cure);
            return object;
        }
        let object = ObjectId(self.task.objects.len() as u32);
        if self.has_room_for_another(self.task.objects.len(), "objects", form.span())
            && self.has_room(types.len(), form.span())
        {
            self.objects.insert(name, object);
            self.object_spans.push(form.span());
            self.task.objects.push(Object { name: name.to_string(), types: types.to_vec() });
        }
        object
    }

    /// The predicate of a name with so many arguments.
    pub(super) fn predicate(
        &mut self,
        form: Form<'t>,
        name: &'t str,
        n_arguments: usize,
    ) -> Option<PredicateId> {
        let known = self.predicates.get(name).map_or(&[][..], Vec::as_slice);
        let arity = |id: &PredicateId| self.task.predicates[id.0 as usize].arguments.len();
        if let Some(&exact) = known.iter().find(|id| arity(id) == n_arguments) {
            return Some(exact);
        }
        if self.infers_predicates {
            let arguments = vec![vec![TypeId(0)]; n_arguments];
            return self.declare_predicate(form, name, arguments);
        }
        if let Some(&first) = known.first() {
            let counts: Vec<String> = known.iter().map(|id| arity(id).to_string()).collect();
            let text =
                format!("`{name}` has {} arguments, here {n_arguments}", counts.join(" or "));
            let declared = (self.predicate_spans[first.0 as usize], "declared here");
            let cure = format!("write it as declared: `{}`", self.as_declared(first));
            self.report.say_also(Code::PddlWrongCount, form.span(), declared, text, cure);
        } else if self.is_first(Code::PddlUnknownPredicate, name) {
            let declared = self.task.predicates.iter().map(|known| known.name.as_str());
            let nearest = self.report.nearest(name, declared);
            let head = form.parts().next().unwrap_or(form);
            let arguments: String = (1..=n_arguments).map(|at| format!(" ?x{at}")).collect();
            let cure = format!("declare it: `(:predicates ({name}{arguments}))`");
            let (text, cure) = unknown("predicate", &head.written(), nearest, cure);
            self.report.say(Code::PddlUnknownPredicate, head.span(), text, cure);
        }
        None
    }

    /// Takes a predicate in; the caller knows that it is new.
    pub(super) fn declare_predicate(
        &mut self,
        form: Form<'t>,
        name: &'t str,
        arguments: Vec<Vec<TypeId>>,
    ) -> Option<PredicateId> {
        if !self.has_room_for_another(self.task.predicates.len(), "predicates", form.span()) {
            return None;
        }
        let id = PredicateId(self.task.predicates.len() as u32);
        self.predicates.entry(name).or_default().push(id);
        self.predicate_spans.push(form.span());
        let name = name.to_string();
        self.task.predicates.push(Predicate { name, arguments, is_derived: false });
        Some(id)
    }

    /// A predicate as its declaration says it: `(at ?1 - truck ?2)`.
    pub(super) fn as_declared(&self, predicate: PredicateId) -> String {
        let predicate = &self.task.predicates[predicate.0 as usize];
        let mut text = format!("({}", predicate.name);
        for (at, types) in predicate.arguments.iter().enumerate() {
            text.push_str(&format!(" ?{}", at + 1));
            let names: Vec<&str> =
                types.iter().map(|t| self.task.types[t.0 as usize].name.as_str()).collect();
            match names[..] {
                ["object"] => {}
                [one] => text.push_str(&format!(" - {one}")),
                _ => text.push_str(&format!(" - (either {})", names.join(" "))),
            }
        }
        text + ")"
    }

    /// Warns if an argument can never be of the types declared for its place. Planners do not
    /// mind: a fact about an object of another type is a fact.
    pub(super) fn check_type(
        &mut self,
        form: Form<'t>,
        term: Term,
        types: &[TypeId],
        predicate: PredicateId,
        place: usize,
    ) {
        let wanted = &self.task.predicates[predicate.0 as usize].arguments[place];
        let given = match term {
            Term::Object(object) => match self.task.objects.get(object.0 as usize) {
                Some(object) => &object.types[..],
                None => return,
            },
            Term::Variable(_) => types,
        };
        // Counted first: lists of alternatives may be long.
        let mut steps = self.type_steps.saturating_sub(given.len() * wanted.len());
        self.type_steps = steps;
        if steps == 0
            || given.iter().any(|given| wanted.contains(given))
            || wanted.contains(&TypeId(0))
        {
            return;
        }
        let task = &self.task;
        let mut may = |below: TypeId, above: TypeId| {
            steps = steps.saturating_sub(self.walk_steps);
            steps == 0 || task.is_below(below, above)
        };
        // A variable of a wider type may stand for an object that fits.
        let is_variable = matches!(term, Term::Variable(_));
        let fits = given.iter().any(|&given| {
            wanted.iter().any(|&wanted| may(given, wanted) || (is_variable && may(wanted, given)))
        });
        self.type_steps = steps;
        if !fits && self.other_types.insert((predicate, place)) {
            let name = |t: &TypeId| self.task.types[t.0 as usize].name.as_str();
            let names = |types: &[TypeId]| types.iter().map(name).collect::<Vec<_>>().join(" or ");
            let text = format!(
                "`{}` is of type {}, and `{}` is declared for {}",
                form.written(),
                names(given),
                self.task.predicates[predicate.0 as usize].name,
                names(wanted)
            );
            let declared = (self.predicate_spans[predicate.0 as usize], "declared here");
            let cure = "use an argument of the declared type, or declare the predicate for both";
            self.report.say_also(Code::PddlOtherType, form.span(), declared, text, cure);
        }
    }
}

/// Text and cure for a name that is unknown.
pub(super) fn unknown(
    kind: &str,
    name: &str,
    nearest: Option<&str>,
    declare: String,
) -> (String, String) {
    let text = format!("unknown {kind} `{name}`{}", DidYouMean(nearest));
    match nearest {
        Some(nearest) => (text, format!("write `{nearest}`, or {declare}")),
        None => (text, declare),
    }
}
