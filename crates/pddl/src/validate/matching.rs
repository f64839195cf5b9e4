//! Objects that make conditions true, found by matching atoms against the facts.
//!
//! In:   conditions that must or must not hold, and variables that are open.
//! Out:  whether some objects fit; or each choice for some of the variables for which there are.
//! Cost: what is bound is judged at once; then the atom that the fewest facts can match is
//!       matched, and objects are tried only for variables that stand in no atom that must hold.
//!       Asks `World::is_over` as it goes.
//!
//! The plain twin is `World::some`, which tries all objects; the tests hold the two equal.

use super::facts::{Fact, Facts, NewFacts};
use super::world::{Binding, World};
use crate::lifted::{Atom, Condition, ObjectId, Parameter, Term};

/// A condition that must hold, or must not.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'c> {
    pub(super) condition: &'c Condition,
    pub(super) is: bool,
}

impl<'c> Wanted<'c> {
    /// The same without `not`s around it.
    fn bare(self) -> Self {
        match self.condition {
            Condition::Not(condition) => Wanted { condition, is: !self.is }.bare(),
            _ => self,
        }
    }

    /// What it asks for, whichever way it says so.
    pub(super) fn shape(self) -> Shape<'c> {
        let Wanted { condition, is } = self.bare();
        match condition {
            Condition::And(parts) | Condition::Or(parts) => {
                let all = matches!(condition, Condition::And(_)) == is;
                let parts = parts.iter().map(|condition| Wanted { condition, is }).collect();
                if all { Shape::All(parts) } else { Shape::Any(parts) }
            }
            Condition::Imply(first, second) => {
                let first = Wanted { condition: first, is: !is };
                let parts = vec![first, Wanted { condition: second, is }];
                if is { Shape::Any(parts) } else { Shape::All(parts) }
            }
            Condition::Exists(parameters, condition) | Condition::Forall(parameters, condition) => {
                let some = matches!(self.bare().condition, Condition::Exists(..)) == is;
                let part = Wanted { condition, is };
                if some { Shape::Some(parameters, part) } else { Shape::Every(part) }
            }
            Condition::Atom(atom) => Shape::Atom(atom, is),
            // `bare` leaves no `not`.
            Condition::Equal(..) | Condition::Compare(..) | Condition::Not(_) => Shape::Other,
        }
    }
}

/// What a wanted condition asks for.
pub(super) enum Shape<'c> {
    All(Vec<Wanted<'c>>),
    Any(Vec<Wanted<'c>>),
    /// For some objects.
    Some(&'c [Parameter], Wanted<'c>),
    /// For all objects.
    Every(Wanted<'c>),
    /// That the atom holds, or does not.
    Atom(&'c Atom, bool),
    /// What is judged once its variables have objects.
    Other,
}

/// Whether a condition holds, by the definition. The binding comes back with other values for
/// the variables of quantifiers.
pub(super) fn holds(world: &World<'_>, condition: &Condition, binding: &mut Binding) -> bool {
    match condition {
        Condition::And(parts) => parts.iter().all(|part| holds(world, part, binding)),
        Condition::Or(parts) => parts.iter().any(|part| holds(world, part, binding)),
        Condition::Not(part) => !holds(world, part, binding),
        Condition::Imply(first, second) => {
            !holds(world, first, binding) || holds(world, second, binding)
        }
        Condition::Exists(parameters, part) => {
            exists(world, parameters, Wanted { condition: part, is: true }, binding)
        }
        Condition::Forall(parameters, part) => {
            !exists(world, parameters, Wanted { condition: part, is: false }, binding)
        }
        Condition::Atom(atom) => {
            !world.is_over() && world.facts_of(atom).contains(&world.fact(atom, binding))
        }
        Condition::Equal(first, second) => {
            !world.is_over() && world.object(*first, binding) == world.object(*second, binding)
        }
        Condition::Compare(relation, first, second) => {
            !world.is_over() && world.compares(*relation, [first, second], binding)
        }
    }
}

/// Takes a fact for each choice of objects for which it can be done.
pub(super) struct Collector<'v> {
    /// The variables whose choices are told apart; the fact is about these.
    pub(super) parameters: &'v [Parameter],
    pub(super) fact: &'v dyn Fn(&Binding) -> Fact,
    /// Facts that need not be found again.
    pub(super) known: Option<&'v Facts>,
    pub(super) new: &'v mut NewFacts,
}

/// Without a collector any choice will do.
pub(super) type Collecting<'v> = Option<Collector<'v>>;

impl Collector<'_> {
    fn wants(&self, fact: &[u32]) -> bool {
        !self.new.contains(fact) && !self.known.is_some_and(|known| known.contains(fact))
    }
}

/// Whether a condition holds, or does not, for some objects; the binding is left with these.
pub(super) fn exists<'c>(
    world: &World<'_>,
    parameters: &'c [Parameter],
    wanted: Wanted<'c>,
    binding: &mut Binding,
) -> bool {
    let lent = world.budget.lent.get();
    let mut matching = Matching::new(world, binding);
    matching.open(parameters);
    let found = matching.find(vec![wanted], &mut None);
    world.budget.lent.set(lent);
    found
}

/// What to do next.
enum Choice<'c> {
    /// Match this one, an atom.
    Match(usize),
    /// This one says what a variable is.
    Equal(usize, &'c Parameter, ObjectId),
    /// One part of this one after the other.
    Branch(usize),
    /// All objects for a variable.
    Try(&'c Parameter),
    /// Nothing is left.
    Done,
}

/// A search for objects.
pub(super) struct Matching<'m, 'l, 'c> {
    world: &'m World<'l>,
    binding: &'m mut Binding,
    /// By variable, those that have no object yet.
    open: Vec<Option<&'c Parameter>>,
}

impl<'m, 'l, 'c> Matching<'m, 'l, 'c> {
    /// With no variable open. What it takes is lent.
    pub(super) fn new(world: &'m World<'l>, binding: &'m mut Binding) -> Self {
        world.lend(binding.len() * size_of::<Option<&Parameter>>());
        let open = vec![None; binding.len()];
        Matching { world, binding, open }
    }

    /// Leaves these variables to be found.
    pub(super) fn open(&mut self, parameters: &'c [Parameter]) {
        for parameter in parameters {
            self.open[parameter.variable as usize] = Some(parameter);
        }
    }

    /// Tries to fulfil all of `todo`. Without a collector any choice will do, and the first ends
    /// it. Whether it ended with a choice; never with a collector.
    pub(super) fn find(&mut self, todo: Vec<Wanted<'c>>, into: &mut Collecting<'_>) -> bool {
        let world = self.world;
        if world.is_over() {
            return false;
        }
        let lent = world.budget.lent.get();
        let mut opened = Vec::new();
        let found = match self.settle(todo, &mut opened) {
            None => false,
            Some(rest) if world.lend(64 + 2 * size_of_val(&rest[..])) => false,
            Some(rest) => match world.is_deep() {
                true => self.find_plainly(&rest, into),
                false => {
                    world.depth.set(world.depth.get() + 1);
                    let found = self.go_on(rest, into);
                    world.depth.set(world.depth.get() - 1);
                    found
                }
            },
        };
        opened.into_iter().for_each(|variable: u32| self.open[variable as usize] = None);
        world.budget.lent.set(lent);
        found
    }

    /// Takes conjunctions apart and judges what has no open variable: gives the others, or
    /// `None` if something fails. Variables of quantifiers are opened.
    fn settle(
        &mut self,
        mut todo: Vec<Wanted<'c>>,
        opened: &mut Vec<u32>,
    ) -> Option<Vec<Wanted<'c>>> {
        todo.reverse();
        let mut rest = Vec::new();
        while let Some(wanted) = todo.pop().map(Wanted::bare) {
            if self.first_open(wanted.condition).is_none() {
                if holds(self.world, wanted.condition, self.binding) != wanted.is {
                    return None;
                }
                continue;
            }
            match wanted.shape() {
                Shape::All(parts) => todo.extend(parts.into_iter().rev()),
                Shape::Some(parameters, part) => {
                    self.open(parameters);
                    opened.extend(parameters.iter().map(|parameter| parameter.variable));
                    todo.push(part);
                }
                _ => rest.push(wanted),
            }
        }
        Some(rest)
    }

    fn go_on(&mut self, mut rest: Vec<Wanted<'c>>, into: &mut Collecting<'_>) -> bool {
        if let Some(collector) = into {
            let is_open = |p: &Parameter| self.open[p.variable as usize].is_some();
            if !collector.parameters.iter().any(is_open) {
                // All that is left is whether it can be done at all.
                let fact = (collector.fact)(self.binding);
                if collector.wants(&fact) && self.find(rest, &mut None) {
                    self.world.hold(collector.new.insert(fact));
                }
                return false;
            }
        }
        match self.choose(&rest, into) {
            Choice::Match(at) => {
                let wanted = rest.swap_remove(at);
                let Condition::Atom(atom) = wanted.condition else { return false };
                let world = self.world;
                let facts = world.facts_of(atom);
                let candidates = self.candidates(atom);
                candidates.iter().any(|&slot| {
                    self.with_match(atom, facts.fact(slot), |matching| {
                        matching.find(rest.clone(), into)
                    })
                })
            }
            Choice::Equal(at, parameter, object) => {
                rest.swap_remove(at);
                self.world.is_for(object, parameter)
                    && self.with(parameter, object, |matching| matching.find(rest, into))
            }
            Choice::Branch(at) => {
                let wanted = rest.swap_remove(at);
                let (Shape::Any(parts) | Shape::All(parts)) = wanted.shape() else { return false };
                parts.into_iter().any(|part| {
                    let todo = rest.iter().copied().chain([part]).collect();
                    self.find(todo, into)
                })
            }
            Choice::Try(parameter) => {
                let world = self.world;
                world.objects_for(parameter).iter().any(|&object| {
                    self.with(parameter, object, |matching| matching.find(rest.clone(), into))
                })
            }
            Choice::Done => self.fill(),
        }
    }

    /// What narrows the search most. Whatever is chosen, a variable is bound next, so that no
    /// more than one branch is taken per variable.
    fn choose(&self, rest: &[Wanted<'c>], into: &Collecting<'_>) -> Choice<'c> {
        let mut best: Option<(usize, Choice<'c>)> = None;
        let mut offer = |count: usize, choice: Choice<'c>| {
            if best.as_ref().is_none_or(|(least, _)| count < *least) {
                best = Some((count, choice));
            }
        };
        for (at, wanted) in rest.iter().enumerate().filter(|(_, wanted)| wanted.is) {
            match wanted.condition {
                Condition::Atom(atom) => {
                    offer(self.candidates(atom).len(), Choice::Match(at));
                    for parameter in atom.arguments.iter().filter_map(|&term| self.is_open(term)) {
                        offer(self.world.objects_for(parameter).len(), Choice::Try(parameter));
                    }
                }
                Condition::Equal(first, second) => {
                    for (one, other) in [(*first, *second), (*second, *first)] {
                        if let (Some(open), None) = (self.is_open(one), self.is_open(other)) {
                            let object = self.world.object(other, self.binding);
                            offer(1, Choice::Equal(at, open, object));
                        }
                    }
                }
                _ => {}
            }
        }
        if let Some((_, choice)) = best {
            return choice;
        }
        let binds = |wanted: &Wanted<'c>| self.binds(*wanted);
        if let Some(at) = rest.iter().position(binds) {
            return Choice::Branch(at);
        }
        let asked = rest.iter().find_map(|wanted| self.first_open(wanted.condition));
        let told = || into.iter().flat_map(|collector| collector.parameters);
        let told = || told().find_map(|p| self.open[p.variable as usize]);
        asked.or_else(told).map_or(Choice::Done, Choice::Try)
    }

    /// Gives the variables that nothing is asked of their first objects, if they have any.
    fn fill(&mut self) -> bool {
        let open = self.open.iter().flatten();
        for parameter in open {
            let Some(&object) = self.world.objects_for(parameter).first() else { return false };
            self.binding[parameter.variable as usize] = object;
        }
        true
    }

    /// Without going deeper: all objects for all variables.
    fn find_plainly(&mut self, rest: &[Wanted<'c>], into: &mut Collecting<'_>) -> bool {
        let open: Vec<&Parameter> = self.open.iter().flatten().copied().collect();
        let world = self.world;
        world.some(&open, self.binding, &mut |binding| {
            let mut judge =
                |wanted: &Wanted<'c>| holds(world, wanted.condition, binding) == wanted.is;
            let holds = rest.iter().all(&mut judge);
            let Some(collector) = into.as_mut().filter(|_| holds) else { return holds };
            let fact = (collector.fact)(binding);
            if collector.wants(&fact) {
                world.hold(collector.new.insert(fact));
            }
            false
        })
    }

    /// Whether fulfilling a disjunction always binds an open variable, by an atom.
    fn binds(&self, wanted: Wanted<'c>) -> bool {
        match wanted.shape() {
            Shape::Atom(_, true) => self.first_open(wanted.condition).is_some(),
            Shape::All(parts) => parts.into_iter().any(|part| self.binds(part)),
            Shape::Any(parts) => parts.into_iter().all(|part| self.binds(part)),
            Shape::Some(_, part) => self.binds(part),
            _ => false,
        }
    }

    /// The slots of the fewest facts that an atom can match.
    fn candidates(&self, atom: &Atom) -> &'m [u32] {
        let known = atom.arguments.iter().enumerate().filter_map(|(place, &term)| {
            let is_open = self.is_open(term).is_some();
            (!is_open).then(|| (place as u32, self.world.object(term, self.binding).0))
        });
        let world = self.world;
        world.facts_of(atom).shortest(atom.predicate.0, known)
    }

    /// Goes on with the variables that make an atom this fact, if there are such.
    pub(super) fn with_match(
        &mut self,
        atom: &Atom,
        fact: &[u32],
        go_on: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        let mut bound = Vec::new();
        let fits = atom.arguments.iter().zip(&fact[1..]).all(|(&term, &object)| {
            let object = ObjectId(object);
            match self.is_open(term) {
                None => self.world.object(term, self.binding) == object,
                Some(parameter) => {
                    self.binding[parameter.variable as usize] = object;
                    self.open[parameter.variable as usize] = None;
                    bound.push(parameter);
                    self.world.is_for(object, parameter)
                }
            }
        });
        let found = fits && go_on(self);
        for parameter in bound {
            self.open[parameter.variable as usize] = Some(parameter);
        }
        found
    }

    /// Goes on with a variable bound.
    fn with(
        &mut self,
        parameter: &'c Parameter,
        object: ObjectId,
        go_on: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        let variable = parameter.variable as usize;
        self.binding[variable] = object;
        self.open[variable] = None;
        let found = go_on(self);
        self.open[variable] = Some(parameter);
        found
    }

    /// The parameter of a term that has no object yet.
    fn is_open(&self, term: Term) -> Option<&'c Parameter> {
        match term {
            Term::Variable(variable) => self.open[variable as usize],
            Term::Object(_) => None,
        }
    }

    /// The first open variable that a condition asks for.
    fn first_open(&self, condition: &Condition) -> Option<&'c Parameter> {
        match condition {
            Condition::Atom(atom) => {
                self.world.is_over();
                atom.arguments.iter().find_map(|&term| self.is_open(term))
            }
            Condition::Equal(first, second) => {
                self.is_open(*first).or_else(|| self.is_open(*second))
            }
            Condition::Compare(_, first, second) => {
                let mut arguments = first.arguments().iter().chain(second.arguments());
                arguments.find_map(|&term| self.is_open(term))
            }
            _ => condition.parts().find_map(|part| self.first_open(part)),
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
