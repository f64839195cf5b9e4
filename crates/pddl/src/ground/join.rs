//! All ways to choose objects for variables so that some atoms are in their relations.
//!
//! In:   a body (atoms, filters, variables with their objects), relations, and either nothing,
//!       a new tuple for one of the atoms, or objects for some variables.
//! Out:  every choice, as tuples of the terms asked for.
//! Cost: at every step the atom with the fewest tuples left is taken next, counted exactly by an
//!       index over what is bound so far; so a static condition that binds much goes first.
//!
//! The steps form a tree of nodes that is made as it is walked: a node knows which atoms are
//! done and which variables are bound, so nothing is undone when a choice is given up.

use super::body::{Body, Filter, VariableDomain, bind, is_bound, is_complete, value};
use super::limits::{Checked, Guard, INDEX_BYTES, too_many_operators};
use super::relation::{NONE, Relation};
use crate::lifted::{Atom, Term};

/// A body with the ways of joining it that were found useful.
pub(super) struct Join<'a> {
    body: Body,
    domains: &'a [VariableDomain],
    guard: &'a Guard<'a>,
    n_variables: usize,
    given: Vec<u32>,
    /// By variable, its domain.
    domain_of: Vec<Option<usize>>,
    nodes: Vec<Node>,
    /// By atom, the node once it alone is done; the last one is the node before any is.
    starts: Vec<u32>,
    stack: Vec<Frame>,
    key: Vec<u32>,
}

struct Node {
    bound: Vec<bool>,
    done: Vec<bool>,
    checks: Vec<Check>,
    choices: Vec<Choice>,
    /// The variable to go through once all atoms are done, and its domain.
    free: Option<(u32, usize)>,
    after_free: u32,
}

enum Check {
    Filter(usize),
    Member(usize),
}

/// An atom that may be next.
struct Choice {
    atom: usize,
    /// By which of its bound positions; `None` if none is bound.
    index: Option<usize>,
    key: Vec<Term>,
    /// Positions that bind variables; a variable that stands twice must get the same.
    writes: Vec<(usize, u32)>,
    next: u32,
}

struct Frame {
    node: u32,
    /// Which choice; `NONE` goes through the free variable's objects.
    choice: u32,
    /// The next tuple, or the next position in the domain.
    cursor: u32,
}

/// A new tuple: the atoms before `atom` must not use it too, or the same would be found twice.
#[derive(Clone, Copy)]
pub(super) struct Fresh {
    pub(super) atom: usize,
    pub(super) relation: usize,
    pub(super) tuple: u32,
}

/// Beyond so many nodes of one body, only known ways are chosen where there are any.
const MOST_NODES: usize = 1000;

impl<'a> Join<'a> {
    /// Prepares a body; `given` are variables bound by the caller.
    pub(super) fn new(
        body: Body,
        n_variables: usize,
        given: &[u32],
        domains: &'a [VariableDomain],
        guard: &'a Guard<'a>,
    ) -> Checked<Self> {
        guard.pass(n_variables)?;
        let per_variable = size_of::<Option<usize>>();
        guard.hold(size_of::<Join<'_>>() + n_variables * per_variable + body.bytes())?;
        guard.hold(size_of_val(given))?;
        let mut domain_of = vec![None; n_variables];
        for &(variable, domain) in &body.variables {
            domain_of[variable as usize] = Some(domain);
        }
        let starts = vec![NONE; body.atoms.len() + 1];
        let (nodes, stack, key, given) = (Vec::new(), Vec::new(), Vec::new(), given.to_vec());
        Ok(Join { body, domains, guard, n_variables, given, domain_of, nodes, starts, stack, key })
    }

    /// Gives, for every choice that `fresh` has a part in (every choice at all without one), the
    /// values of `head` to `take`.
    pub(super) fn run(
        &mut self,
        relations: &mut [Relation],
        fresh: Option<Fresh>,
        binding: &mut [u32],
        head: &[Term],
        mut take: impl FnMut(&[u32], &mut [Relation]) -> Checked<()>,
    ) -> Checked<()> {
        if fresh.is_some_and(|fresh| !self.takes(fresh, relations, binding)) {
            return Ok(());
        }
        let mut node = self.start(fresh, relations)?;
        self.stack.clear();
        loop {
            if self.passes(node, relations, binding, fresh) {
                let at = &self.nodes[node as usize];
                if at.choices.is_empty() && at.free.is_none() {
                    self.key.clear();
                    self.key.extend(head.iter().map(|&term| value(term, binding)));
                    take(&self.key, relations)?;
                } else if let Some(frame) = self.choose(node, relations, binding) {
                    self.stack.push(frame);
                }
            }
            match self.advance(relations, binding, fresh)? {
                Some(next) => node = next,
                None => return Ok(()),
            }
        }
    }

    /// Writes every choice for `head` into a row, one after the other; gives how many there are.
    /// The row is lent.
    pub(super) fn all(
        &mut self,
        relations: &mut [Relation],
        binding: &mut [u32],
        head: &[Term],
        row: &mut Vec<u32>,
    ) -> Checked<usize> {
        let (guard, mut n_found) = (self.guard, 0);
        let most = guard.limits.operators;
        self.run(relations, None, binding, head, |tuple, _| {
            n_found += 1;
            // Twice: a row doubles when it grows.
            guard.lend(2 * size_of_val(tuple))?;
            row.extend_from_slice(tuple);
            if row.len() > most { Err(too_many_operators(most)) } else { Ok(()) }
        })?;
        Ok(n_found)
    }

    /// Binds the variables of the fresh tuple's atom.
    fn takes(&self, fresh: Fresh, relations: &[Relation], binding: &mut [u32]) -> bool {
        let tuple = relations[fresh.relation].tuple(fresh.tuple);
        let arguments = &self.body.atoms[fresh.atom].arguments;
        arguments.iter().zip(tuple).enumerate().all(|(at, (&term, &object))| match term {
            Term::Object(constant) => constant.0 == object,
            Term::Variable(variable) => {
                let again = arguments[..at].contains(&term);
                let before = std::mem::replace(&mut binding[variable as usize], object);
                (!again || before == object) && self.fits(variable, object)
            }
        })
    }

    #[inline]
    fn fits(&self, variable: u32, object: u32) -> bool {
        let domain = self.domain_of[variable as usize];
        domain.is_none_or(|domain| self.domains[domain].has[object as usize])
    }

    fn start(&mut self, fresh: Option<Fresh>, relations: &mut [Relation]) -> Checked<u32> {
        let at = fresh.map_or(self.body.atoms.len(), |fresh| fresh.atom);
        if self.starts[at] == NONE {
            let mut bound = vec![false; self.n_variables];
            self.given.iter().for_each(|&variable| bound[variable as usize] = true);
            let mut done = vec![false; self.body.atoms.len()];
            if let Some(fresh) = fresh {
                done[fresh.atom] = true;
                bind(&self.body.atoms[fresh.atom].arguments, &mut bound);
            }
            self.starts[at] = self.add_node(None, bound, done, relations)?;
        }
        Ok(self.starts[at])
    }

    fn add_node(
        &mut self,
        parent: Option<u32>,
        bound: Vec<bool>,
        mut done: Vec<bool>,
        relations: &mut [Relation],
    ) -> Checked<u32> {
        let guard = self.guard;
        guard.work(bound.len() as u64)?;
        // Rows of nodes double when they grow.
        guard.hold(2 * size_of::<Node>() + bound.len() + done.len())?;
        let mut checks = Vec::new();
        for (at, filter) in self.body.filters.iter().enumerate() {
            let was_checked =
                parent.is_some_and(|node| is_complete(filter, &self.nodes[node as usize].bound));
            if !was_checked && is_complete(filter, &bound) {
                checks.push(Check::Filter(at));
            }
        }
        let mut choices = Vec::new();
        for (at, atom) in self.body.atoms.iter().enumerate() {
            if done[at] {
                continue;
            }
            guard.work(1 + atom.arguments.len() as u64)?;
            guard.hold(2 * size_of::<Choice>() + 2 * size_of_val(&atom.arguments[..]))?;
            if atom.arguments.iter().all(|&term| is_bound(term, &bound)) {
                done[at] = true;
                checks.push(Check::Member(at));
            } else {
                choices.push(choice(at, atom, &bound, relations, guard)?);
            }
        }
        let free = self.body.variables.iter().find(|(variable, _)| !bound[*variable as usize]);
        let free = free.copied().filter(|_| choices.is_empty());
        self.nodes.push(Node { bound, done, checks, choices, free, after_free: NONE });
        Ok(self.nodes.len() as u32 - 1)
    }

    fn passes(
        &mut self,
        node: u32,
        relations: &[Relation],
        binding: &[u32],
        fresh: Option<Fresh>,
    ) -> bool {
        let (body, key) = (&self.body, &mut self.key);
        let mut find = |atom: &Atom| {
            key.clear();
            key.extend(atom.arguments.iter().map(|&term| value(term, binding)));
            let relation = &relations[atom.predicate.index()];
            relation.find(key).filter(|&tuple| tuple < relation.n_shown)
        };
        self.nodes[node as usize].checks.iter().all(|check| match check {
            Check::Member(at) => {
                let atom = &body.atoms[*at];
                find(atom).is_some_and(|tuple| !is_fresh(fresh, *at, atom, tuple))
            }
            Check::Filter(at) => match &body.filters[*at] {
                Filter::Equal(a, b, is) => (value(*a, binding) == value(*b, binding)) == *is,
                Filter::Absent(atom) => find(atom).is_none(),
            },
        })
    }

    /// The choice with the fewest tuples; none if one has no tuple at all.
    fn choose(&mut self, node: u32, relations: &[Relation], binding: &[u32]) -> Option<Frame> {
        let at = &self.nodes[node as usize];
        if at.choices.is_empty() {
            return Some(Frame { node, choice: NONE, cursor: 0 });
        }
        let only_known =
            self.nodes.len() > MOST_NODES && at.choices.iter().any(|choice| choice.next != NONE);
        let mut best: Option<(u32, Frame)> = None;
        for (number, choice) in at.choices.iter().enumerate() {
            let relation = &relations[self.body.atoms[choice.atom].predicate.index()];
            let (cursor, count) = match choice.index {
                None => (0, relation.n_shown),
                Some(index) => {
                    self.key.clear();
                    self.key.extend(choice.key.iter().map(|&term| value(term, binding)));
                    relation.first(index, &self.key)
                }
            };
            if count == 0 {
                return None;
            }
            let is_known = !only_known || choice.next != NONE;
            if is_known && best.as_ref().is_none_or(|(fewest, _)| count < *fewest) {
                best = Some((count, Frame { node, choice: number as u32, cursor }));
            }
        }
        best.map(|(_, frame)| frame)
    }

    /// Takes the next tuple or object of the innermost frame that has one; gives the node it
    /// leads to.
    fn advance(
        &mut self,
        relations: &mut [Relation],
        binding: &mut [u32],
        fresh: Option<Fresh>,
    ) -> Checked<Option<u32>> {
        loop {
            self.guard.work(1)?;
            let Some(&Frame { node, choice, cursor }) = self.stack.last() else { return Ok(None) };
            let (taken, next) = match choice {
                NONE => (self.take_object(node, cursor, binding), cursor + 1),
                _ => self.take_tuple(node, choice, cursor, relations, binding, fresh),
            };
            match taken {
                None => drop(self.stack.pop()),
                Some(fits) => {
                    if let Some(frame) = self.stack.last_mut() {
                        frame.cursor = next;
                    }
                    if fits {
                        return self.follow(node, choice, relations).map(Some);
                    }
                }
            }
        }
    }

    /// Binds the free variable to its next object, if there is one.
    #[inline]
    fn take_object(&self, node: u32, cursor: u32, binding: &mut [u32]) -> Option<bool> {
        let (variable, domain) = self.nodes[node as usize].free?;
        binding[variable as usize] = *self.domains[domain].objects.get(cursor as usize)?;
        Some(true)
    }

    /// Binds variables to the next tuple: whether it fits, `None` if there is none; and the
    /// tuple after it.
    #[inline]
    fn take_tuple(
        &self,
        node: u32,
        choice: u32,
        tuple: u32,
        relations: &[Relation],
        binding: &mut [u32],
        fresh: Option<Fresh>,
    ) -> (Option<bool>, u32) {
        let choice = &self.nodes[node as usize].choices[choice as usize];
        let atom = &self.body.atoms[choice.atom];
        let relation = &relations[atom.predicate.index()];
        if tuple == NONE || tuple >= relation.n_shown {
            return (None, NONE);
        }
        let values = relation.tuple(tuple);
        let fits = choice.writes.iter().enumerate().all(|(at, &(position, variable))| {
            let object = values[position];
            let again = choice.writes[..at].iter().any(|&(_, other)| other == variable);
            let before = std::mem::replace(&mut binding[variable as usize], object);
            if again { before == object } else { self.fits(variable, object) }
        });
        let next = choice.index.map_or(tuple + 1, |index| relation.next(index, tuple));
        (Some(fits && !is_fresh(fresh, choice.atom, atom, tuple)), next)
    }

    /// The node after a choice, made if it is new.
    fn follow(&mut self, node: u32, choice: u32, relations: &mut [Relation]) -> Checked<u32> {
        let at = &self.nodes[node as usize];
        let known = if choice == NONE { at.after_free } else { at.choices[choice as usize].next };
        if known != NONE {
            return Ok(known);
        }
        let (mut bound, mut done) = (at.bound.clone(), at.done.clone());
        if let Some((variable, _)) = at.free {
            bound[variable as usize] = true;
        } else {
            let atom = at.choices[choice as usize].atom;
            done[atom] = true;
            bind(&self.body.atoms[atom].arguments, &mut bound);
        }
        let next = self.add_node(Some(node), bound, done, relations)?;
        let at = &mut self.nodes[node as usize];
        if choice == NONE {
            at.after_free = next;
        } else {
            at.choices[choice as usize].next = next;
        }
        Ok(next)
    }
}

fn choice(
    at: usize,
    atom: &Atom,
    bound: &[bool],
    relations: &mut [Relation],
    guard: &Guard<'_>,
) -> Checked<Choice> {
    let (mut positions, mut key, mut writes) = (Vec::new(), Vec::new(), Vec::new());
    for (position, &term) in atom.arguments.iter().enumerate() {
        match term {
            Term::Variable(variable) if !bound[variable as usize] => {
                writes.push((position, variable));
            }
            _ => {
                positions.push(position);
                key.push(term);
            }
        }
    }
    let mut index = None;
    if !positions.is_empty() {
        let relation = &mut relations[atom.predicate.index()];
        let before = relation.n_indexes();
        // An index is made when it is first asked for.
        index = Some(relation.index_by(&positions));
        let n_new = relation.n_indexes() - before;
        let n_tuples = n_new * relation.len();
        guard.pass(n_tuples)?;
        guard.hold(n_tuples * INDEX_BYTES + n_new * (128 + 8 * positions.len()))?;
    }
    Ok(Choice { atom: at, index, key, writes, next: NONE })
}

/// Whether an atom before the fresh one would use the fresh tuple.
fn is_fresh(fresh: Option<Fresh>, at: usize, atom: &Atom, tuple: u32) -> bool {
    fresh.is_some_and(|fresh| {
        at < fresh.atom && atom.predicate.index() == fresh.relation && tuple == fresh.tuple
    })
}
