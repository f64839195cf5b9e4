//! The task made anew of what can happen.
//!
//! In:   a ground task, and what of it can happen.
//! Out:  the task without the rest: no condition that is always true, no effect that changes
//!       nothing, no rule or effect that another makes needless.
//! Cost: linear in the task, and what [`super::subsets`] compares.

use super::knowledge::{Asked, Knowledge};
use super::limits::{Checked, Guard};
use super::propositional::{
    Effect, Ground, Literal, Operator, Range, fact_of, holds, literal, opposite,
};
use super::prune::Can;
use super::subsets::Subsets;

/// A rule is compared with so many others of its fact, to see whether one makes it needless.
const MOST_COMPARED: usize = 1000;

/// Makes the task of what can happen.
pub(super) fn rebuild(
    ground: &Ground,
    known: &Knowledge,
    can: &Can,
    guard: &Guard<'_>,
) -> Checked<Ground> {
    Rebuild { ground, known, can, guard, made: Ground::default() }.run()
}

/// An effect on its way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Draft {
    fact: u32,
    adds: bool,
    when: Vec<Literal>,
    source: u32,
}

struct Rebuild<'a> {
    ground: &'a Ground,
    known: &'a Knowledge,
    can: &'a Can,
    guard: &'a Guard<'a>,
    made: Ground,
}

impl Rebuild<'_> {
    fn run(mut self) -> Checked<Ground> {
        let Rebuild { ground, can, .. } = self;
        self.made.starts.clone_from(&ground.starts);
        self.made.is_derived.clone_from(&ground.is_derived);
        self.made.is_comparison.clone_from(&ground.is_comparison);
        let mut item = ground.operators.len();
        let mut drafts = Vec::new();
        for (at, operator) in ground.operators.iter().enumerate() {
            let effects = ground.effects(operator);
            if can.items[at] {
                self.add_operator(operator, &can.items[item..item + effects.len()], &mut drafts)?;
            }
            item += effects.len();
        }
        let mut rules = Vec::new();
        for (rule, _) in ground.rules.iter().zip(&can.items[item..]).filter(|(_, can)| **can) {
            let body = self.uncertain(ground.when(rule));
            self.guard.pass(1 + body.len())?;
            let supports_itself = body.binary_search(&literal(rule.fact, true)).is_ok();
            let is_certain = !self.can.literals[literal(rule.fact, false) as usize];
            if !supports_itself && !is_certain {
                rules.push((rule.fact, body));
            }
        }
        // By fact; the shortest first, as it may make longer ones needless.
        rules.sort_unstable_by(|(a, one), (b, other)| {
            (a, one.len(), one).cmp(&(b, other.len(), other))
        });
        for of_fact in rules.chunk_by(|(a, _), (b, _)| a == b) {
            let bodies = of_fact.iter().map(|(_, body)| &body[..]);
            let least = Subsets::least(bodies, MOST_COMPARED, self.guard)?;
            for ((fact, body), _) in of_fact.iter().zip(least).filter(|(_, least)| *least) {
                self.made.add_rule(body, *fact);
            }
        }
        self.made.goal = self.uncertain(&ground.goal);
        Ok(self.made)
    }

    /// The literals that can also be false.
    fn uncertain(&self, literals: &[Literal]) -> Vec<Literal> {
        let can_fail = |literal: &Literal| self.can.literals[opposite(*literal) as usize];
        literals.iter().copied().filter(can_fail).collect()
    }

    fn add_operator(
        &mut self,
        operator: &Operator,
        can: &[bool],
        drafts: &mut Vec<Draft>,
    ) -> Checked<()> {
        let ground = self.ground;
        let needs = self.uncertain(ground.needs(operator));
        self.guard.pass(1 + needs.len())?;
        let is_needed = |literal: Literal| needs.binary_search(&literal).is_ok();
        drafts.clear();
        for (effect, _) in ground.effects(operator).iter().zip(can).filter(|(_, can)| **can) {
            let changes = self.can.literals[literal(effect.fact, !effect.adds) as usize];
            let when = ground.when(effect);
            self.guard.pass(1 + when.len())?;
            if !changes || when.iter().any(|&literal| is_needed(opposite(literal))) {
                continue;
            }
            let mut when = self.uncertain(when);
            when.retain(|&literal| !is_needed(literal));
            let Effect { fact, adds, source, .. } = *effect;
            drafts.push(Draft { fact, adds, when, source });
        }
        // By fact; deletions first.
        drafts.sort_unstable();
        self.drop_idle(&needs, drafts)?;
        if drafts.is_empty() {
            return Ok(());
        }
        let first = self.made.effects.len();
        for draft in drafts.iter() {
            let when = self.made.add_literals(&draft.when);
            let Draft { fact, adds, source, .. } = *draft;
            self.made.effects.push(Effect { when, fact, adds, source });
        }
        let effects = Range::new(first, self.made.effects.len());
        let needs = self.made.add_literals(&needs);
        self.made.operators.push(Operator { needs, effects, ..*operator });
        Ok(())
    }

    /// Drops effects that change nothing, fact by fact.
    fn drop_idle(&mut self, needs: &[Literal], drafts: &mut Vec<Draft>) -> Checked<()> {
        let held = self.known.held(needs);
        let mut left = std::mem::take(drafts).into_iter().peekable();
        let mut of_fact = Vec::new();
        while let Some(first) = left.next() {
            let fact = first.fact;
            of_fact.push(first);
            of_fact.extend(std::iter::from_fn(|| left.next_if(|draft| draft.fact == fact)));
            if of_fact.len() > 1 {
                drop_repeated(&mut of_fact, self.guard)?;
                drop_added_again(&mut of_fact, self.guard)?;
            }
            of_fact.retain(|draft| {
                draft.adds || !self.is_false_before(fact, needs, &held, &draft.when)
            });
            if of_fact.iter().all(|draft| draft.adds) {
                let fact = literal(fact, true);
                let is_needed = needs.binary_search(&fact).is_ok();
                of_fact.retain(|draft| !is_needed && draft.when.binary_search(&fact).is_err());
            }
            drafts.append(&mut of_fact);
        }
        Ok(())
    }

    /// Whether a fact surely does not hold where an effect happens.
    fn is_false_before(
        &self,
        fact: u32,
        needs: &[Literal],
        held: &Asked,
        when: &[Literal],
    ) -> bool {
        let absent = literal(fact, false);
        let is_asked = |literals: &[Literal]| literals.binary_search(&absent).is_ok();
        let mut others = when.iter().filter(|&&l| holds(l)).map(|&l| fact_of(l));
        is_asked(needs)
            || is_asked(when)
            || self.known.is_excluded(fact, held)
            || others.any(|other| self.known.are_excluded(fact, other))
    }
}

/// Drops what happens in fewer cases than another of the same kind. All are of one fact.
fn drop_repeated(drafts: &mut Vec<Draft>, guard: &Guard<'_>) -> Checked<()> {
    drafts.sort_by_key(|draft| (draft.adds, draft.when.len()));
    let mut least = Vec::with_capacity(drafts.len());
    for same in drafts.chunk_by(|a, b| a.adds == b.adds) {
        let whens = same.iter().map(|draft| &draft.when[..]);
        least.extend(Subsets::least(whens, usize::MAX, guard)?);
    }
    let mut least = least.into_iter();
    drafts.retain(|_| least.next() == Some(true));
    drafts.sort_unstable();
    Ok(())
}

/// What is added again whenever it is deleted is not deleted. All are of one fact, deletions
/// first.
fn drop_added_again(drafts: &mut Vec<Draft>, guard: &Guard<'_>) -> Checked<()> {
    let n_deletions = drafts.partition_point(|draft| !draft.adds);
    if n_deletions == 0 || n_deletions == drafts.len() {
        return Ok(());
    }
    let (deletions, additions) = drafts.split_at(n_deletions);
    let added = Subsets::of(additions.iter().map(|draft| &draft.when[..]));
    let is_kept = deletions.iter().map(|deletion| Ok(!added.has_within(&deletion.when, guard)?));
    let mut is_kept = is_kept.collect::<Checked<Vec<bool>>>()?.into_iter();
    // Additions come after the deletions, where there is no answer any more.
    drafts.retain(|_| is_kept.next() != Some(false));
    Ok(())
}
