//! A planning task as its two files say it: names resolved to numbers, nothing grounded.
//!
//! In:   made by the reader, which found no error.
//! Out:  what the grounder, the lifted search and the validator work on.
//!
//! Names are in lower case: PDDL does not tell cases apart. Effects are flat: nested `and`,
//! `forall` and `when` have become one [`Effect`] per literal, its `forall`s and conditions
//! gathered. What is left is as written: conditions keep their `or`, `imply` and quantifiers.
//!
//! Variables of an action, axiom or goal are numbered: first its parameters, then those of
//! quantifiers, each with a number of its own within the action (so no two scopes share one).

use throng_domain::{Cost, Relation, Span};

throng_base::typed_id! {
    /// Number of a type in [`Lifted::types`]; 0 is `object`.
    pub struct TypeId(pub u32);
    /// Number of an object in [`Lifted::objects`].
    pub struct ObjectId(pub u32);
    /// Number of a predicate in [`Lifted::predicates`].
    pub struct PredicateId(pub u32);
    /// Number of a function in [`Lifted::functions`].
    pub struct FunctionId(pub u32);
}

/// A task.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Lifted {
    /// The domain's name.
    pub domain: String,
    /// The problem's name.
    pub problem: String,
    /// Types; the first is `object`.
    pub types: Vec<Type>,
    /// The domain's constants, then the problem's objects.
    pub objects: Vec<Object>,
    /// How many of the objects are the domain's constants.
    pub n_constants: usize,
    /// Predicates. The same name with another number of arguments is another predicate.
    pub predicates: Vec<Predicate>,
    /// Functions: what actions cost, which never changes, and numbers.
    pub functions: Vec<Function>,
    /// Actions.
    pub actions: Vec<Action>,
    /// Rules for derived predicates.
    pub axioms: Vec<Axiom>,
    /// What holds at the start, each once, in the order of the file; of derived predicates
    /// nothing.
    pub init: Vec<GroundAtom>,
    /// Values of functions at the start, each once. What costs a function without a value
    /// cannot be done if there is a metric.
    pub values: Vec<(FunctionId, Vec<ObjectId>, Cost)>,
    /// Values at the start of functions that are numbers, each once. One without a value is in no
    /// relation to anything, and there is nothing to add to.
    pub numbers: Vec<(FunctionId, Vec<ObjectId>, i64)>,
    /// What must hold at the end.
    pub goal: Condition,
    /// How many variables the goal's quantifiers number.
    pub n_goal_variables: usize,
    /// Whether the plan's total cost counts; else every action counts 1.
    pub has_metric: bool,
}

/// A type.
#[derive(Clone, PartialEq, Debug)]
pub struct Type {
    /// Its name.
    pub name: String,
    /// Its direct parents; none for `object`.
    pub parents: Vec<TypeId>,
}

/// An object or constant.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its types: several with `either`.
    pub types: Vec<TypeId>,
}

/// A predicate.
#[derive(Clone, PartialEq, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// The types of its arguments; several for one argument with `either`. Facts about objects
    /// of other types exist all the same: the reader only warns of them.
    pub arguments: Vec<Vec<TypeId>>,
    /// Whether axioms say when it holds.
    pub is_derived: bool,
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The types of its arguments.
    pub arguments: Vec<Vec<TypeId>>,
    /// Whether something compares or changes it.
    pub is_number: bool,
}

/// A variable with the objects it may stand for: those of any of the types.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Its name, without the question mark.
    pub name: String,
    /// Its number within the action, axiom or goal.
    pub variable: u32,
    /// Its types.
    pub types: Vec<TypeId>,
}

/// A variable or an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    /// The variable of this number.
    Variable(u32),
    /// An object.
    Object(ObjectId),
}

impl Term {
    /// The object, if it is no variable.
    pub(crate) fn object(self) -> Option<ObjectId> {
        match self {
            Term::Object(object) => Some(object),
            Term::Variable(_) => None,
        }
    }
}

/// A predicate about terms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Atom {
    /// Which predicate.
    pub predicate: PredicateId,
    /// Its arguments, as many as it has.
    pub arguments: Vec<Term>,
}

/// A predicate about objects.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GroundAtom {
    /// Which predicate.
    pub predicate: PredicateId,
    /// Its arguments, as many as it has.
    pub arguments: Vec<ObjectId>,
}

/// What must hold; the default asks for nothing. Nests no deeper than [`DEEPEST`], so functions over it may recurse.
#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    /// All of them; none is true.
    And(Vec<Condition>),
    /// One of them; none is false.
    Or(Vec<Condition>),
    /// Not this.
    Not(Box<Condition>),
    /// The second if the first.
    Imply(Box<Condition>, Box<Condition>),
    /// For some objects.
    Exists(Vec<Parameter>, Box<Condition>),
    /// For all objects.
    Forall(Vec<Parameter>, Box<Condition>),
    /// The atom holds.
    Atom(Atom),
    /// Both are the same object.
    Equal(Term, Term),
    /// Two numbers stand to each other.
    Compare(Relation, NumberTerm, NumberTerm),
}

/// A number, or a function that has one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NumberTerm {
    /// So much.
    Number(i64),
    /// The value of a function now.
    Function(FunctionId, Vec<Term>),
}

impl NumberTerm {
    /// The arguments of a function.
    pub(crate) fn arguments(&self) -> &[Term] {
        match self {
            NumberTerm::Number(_) => &[],
            NumberTerm::Function(_, arguments) => arguments,
        }
    }
}

/// How deep conditions nest at most; the reader refuses deeper ones.
pub const DEEPEST: usize = 200;

impl Default for Condition {
    fn default() -> Self {
        Condition::And(Vec::new())
    }
}

/// A literal that becomes true or false, for all objects of `forall` and if `condition` holds
/// before. All effects of an action happen at once: what is both deleted and added holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Effect {
    /// Variables it is about beside the action's.
    pub forall: Vec<Parameter>,
    /// When it happens.
    pub condition: Condition,
    /// Whether the atom becomes true.
    pub adds: bool,
    /// What becomes true or false.
    pub atom: Atom,
}

/// A number that changes if `condition` holds before. All happen at once, with the literals.
#[derive(Clone, PartialEq, Debug)]
pub struct NumberEffect {
    /// When it happens.
    pub condition: Condition,
    /// How it changes.
    pub kind: NumberEffectKind,
    /// The function that changes.
    pub function: FunctionId,
    /// Its arguments, as many as it has.
    pub arguments: Vec<Term>,
    /// By how much, or to what.
    pub by: NumberTerm,
}

/// How a number changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberEffectKind {
    /// It becomes so much.
    Assign,
    /// It becomes so much more.
    Increase,
    /// It becomes so much less.
    Decrease,
}

/// A part of what an action costs.
#[derive(Clone, PartialEq, Debug)]
pub enum CostTerm {
    /// So much.
    Number(Cost),
    /// The value of a function at the start.
    Function(FunctionId, Vec<Term>),
}

/// An action.
#[derive(Clone, PartialEq, Debug)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// Its parameters, numbered from 0.
    pub parameters: Vec<Parameter>,
    /// How many variables it numbers, quantified ones included.
    pub n_variables: usize,
    /// When it can be done.
    pub condition: Condition,
    /// What it does, in the order of the file.
    pub effects: Vec<Effect>,
    /// What it does to numbers, in the order of the file.
    pub changes: Vec<NumberEffect>,
    /// What it costs: the sum of these. None is nothing if there is a metric.
    pub cost: Vec<CostTerm>,
    /// Where its name stands.
    pub span: Span,
}

/// A rule: the head holds for all objects for which the condition does.
#[derive(Clone, PartialEq, Debug)]
pub struct Axiom {
    /// What is derived; its arguments are the parameters in order.
    pub predicate: PredicateId,
    /// The head's arguments, numbered from 0.
    pub parameters: Vec<Parameter>,
    /// How many variables it numbers, quantified ones included.
    pub n_variables: usize,
    /// When it holds.
    pub condition: Condition,
    /// Where the head stands.
    pub span: Span,
}

impl Condition {
    /// The conditions directly within this one.
    pub fn parts(&self) -> impl Iterator<Item = &Condition> {
        let (parts, last) = match self {
            Condition::And(parts) | Condition::Or(parts) => (&parts[..], None),
            Condition::Not(part) | Condition::Exists(_, part) | Condition::Forall(_, part) => {
                (std::slice::from_ref(&**part), None)
            }
            Condition::Imply(first, second) => (std::slice::from_ref(&**first), Some(&**second)),
            Condition::Atom(_) | Condition::Equal(..) | Condition::Compare(..) => (&[][..], None),
        };
        parts.iter().chain(last)
    }

    /// Visits this condition and all within it, outermost first.
    pub fn visit(&self, visit: &mut dyn FnMut(&Condition)) {
        visit(self);
        self.parts().for_each(|part| part.visit(visit));
    }

    /// Visits the variables of each quantifier.
    pub(crate) fn each_quantifier(&self, visit: &mut dyn FnMut(&[Parameter])) {
        self.visit(&mut |condition| {
            if let Condition::Exists(variables, _) | Condition::Forall(variables, _) = condition {
                visit(variables);
            }
        });
    }

    /// Whether it has such an atom anywhere.
    pub(crate) fn has_atom(&self, is_such: &dyn Fn(&Atom) -> bool) -> bool {
        match self {
            Condition::Atom(atom) => is_such(atom),
            _ => self.parts().any(|part| part.has_atom(is_such)),
        }
    }

    /// How many conditions, arguments and quantified variables it has.
    pub fn size(&self) -> usize {
        let own = match self {
            Condition::Exists(variables, _) | Condition::Forall(variables, _) => variables.len(),
            Condition::Atom(atom) => atom.arguments.len(),
            Condition::Equal(..) => 1,
            Condition::Compare(_, a, b) => 1 + a.arguments().len() + b.arguments().len(),
            _ => 0,
        };
        1 + own + self.parts().map(Condition::size).sum::<usize>()
    }
}

/// Whether a type is another or below it.
pub(crate) fn is_below(types: &[Type], below: TypeId, above: TypeId) -> bool {
    below == above || above.0 == 0 || Ancestors::new(types).of(vec![below]).any(|at| at == above)
}

/// Walks up the hierarchy of types.
pub(crate) struct Ancestors<'t> {
    types: &'t [Type],
    /// Per type the last walk that came by: a type may be declared its own ancestor.
    seen: Vec<usize>,
    walk: usize,
}

impl<'t> Ancestors<'t> {
    pub(crate) fn new(types: &'t [Type]) -> Self {
        Ancestors { types, seen: vec![0; types.len()], walk: 0 }
    }

    /// Some types and all above them, each once.
    pub(crate) fn of(&mut self, mut open: Vec<TypeId>) -> impl Iterator<Item = TypeId> {
        self.walk += 1;
        std::iter::from_fn(move || {
            loop {
                let at = open.pop()?;
                if std::mem::replace(&mut self.seen[at.index()], self.walk) != self.walk {
                    open.extend(&self.types[at.index()].parents);
                    return Some(at);
                }
            }
        })
    }
}

/// Types as PDDL writes them: `truck`, `(either truck ship)`.
pub(crate) fn type_text(types: &[Type], of: &[TypeId]) -> String {
    let names: Vec<&str> = of.iter().map(|of| types[of.index()].name.as_str()).collect();
    match names[..] {
        [one] => one.to_string(),
        _ => format!("(either {})", names.join(" ")),
    }
}

impl Lifted {
    /// Whether a type is another or below it.
    pub fn is_below(&self, below: TypeId, above: TypeId) -> bool {
        is_below(&self.types, below, above)
    }

    /// Per type, the objects that are of it or of a type below it, in order. Linear in what it
    /// gives, which the reader has bounded.
    pub fn objects_by_type(&self) -> Vec<Vec<ObjectId>> {
        let mut objects = vec![Vec::new(); self.types.len()];
        let mut ancestors = Ancestors::new(&self.types);
        for (object, at) in self.objects.iter().zip(0..) {
            let types = [&object.types[..], &[TypeId(0)]].concat();
            ancestors.of(types).for_each(|of| objects[of.index()].push(ObjectId(at)));
        }
        objects
    }

    /// Whether it counts: something compares or changes numbers.
    pub fn has_numbers(&self) -> bool {
        self.functions.iter().any(|function| function.is_number)
    }

    /// Every condition of the task, with the variables that it brings beside an action's
    /// parameters: those of an effect's `forall`, those of a rule's head.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = (&[Parameter], &Condition)> {
        let own = |condition| std::iter::once((&[][..], condition));
        let actions = self.actions.iter().flat_map(move |action| {
            let effects = action.effects.iter();
            let changes = action.changes.iter().flat_map(move |of| own(&of.condition));
            let effects = effects.map(|of| (&of.forall[..], &of.condition));
            own(&action.condition).chain(effects).chain(changes)
        });
        let rules = self.axioms.iter().map(|rule| (&rule.parameters[..], &rule.condition));
        own(&self.goal).chain(actions).chain(rules)
    }

    /// A ground atom as PDDL writes it: `(on a b)`.
    pub fn atom_text(&self, atom: &GroundAtom) -> String {
        let name = &self.predicates[atom.predicate.0 as usize].name;
        self.call_text(name, atom.arguments.iter().copied())
    }

    /// A predicate, function or action with its objects: `(on a b)`.
    pub(crate) fn call_text(&self, name: &str, of: impl Iterator<Item = ObjectId>) -> String {
        let mut text = format!("({name}");
        for object in of {
            text.push(' ');
            text.push_str(&self.objects[object.0 as usize].name);
        }
        text + ")"
    }
}
