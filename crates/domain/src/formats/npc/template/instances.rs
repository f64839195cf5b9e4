//! A statement whose variables or checks are about a parameter: one instance for each choice of
//! its parameters, since each speaks of other variables.
//!
//! In:   a statement, and what to do with each ground action or goal.
//! Out:  declarations, and what there is to say of all instances together.
//! Cost: names are found again for each instance; their number is checked against the limits.

use super::combine::{Ground, Progress, too_large};
use super::dimensions::{Dimension, parameters};
use super::{Expansion, Gone};
use crate::build::{Clash, ModelBuilder};
use crate::formats::npc::syntax::{CheckWord, Effect, Formula, Head, KindDraft, Word};
use crate::model::ValueId;

/// A statement as it is written out.
pub(super) struct Whole<'s, 't> {
    /// What it becomes: `actions` or `goals`.
    pub(super) what: &'static str,
    pub(super) head: &'s Head<'t>,
    pub(super) conditions: &'s [Formula<'t>],
    pub(super) effects: &'s [Effect<'t>],
    /// All checks, those of kinds too.
    pub(super) checks: &'s [CheckWord<'t>],
    /// The parameters whose needs must be met.
    pub(super) needs: &'s [Word<'t>],
}

/// What is found anew for each instance; `None`, with a report, if it cannot be.
pub(super) type Prepare<'p, P> = dyn FnMut(&Expansion<'_>, &mut ModelBuilder) -> Option<P> + 'p;

/// What to do with each ground action or goal: its name, how its former names end, itself.
pub(super) type Declare<'d, P> =
    dyn FnMut(&mut ModelBuilder, &P, String, &str, Ground) -> Result<(), Clash> + 'd;

impl<'s, 't: 's> Whole<'s, 't> {
    /// Whether a variable or a check is about one of the parameters.
    fn depends(&self, dimensions: &[Dimension<'t>]) -> bool {
        let is_parameter = |word: &str| {
            dimensions.iter().any(|it| it.parameter.is_some_and(|name| name.text == word))
        };
        let mut depends = self.checks.iter().filter_map(|check| check.argument);
        let mut of_effects = self.effects.iter().filter_map(|effect| effect.argument);
        let mut found = depends.any(|word| is_parameter(word.text))
            || of_effects.any(|word| is_parameter(word.text))
            || self.needs.iter().any(|word| is_parameter(word.text));
        for formula in self.conditions {
            formula.each_condition(&mut |condition| {
                found |= condition.argument.is_some_and(|word| is_parameter(word.text));
            });
        }
        found
    }

    /// Declares everything that exists of the statement.
    pub(super) fn write_out<P>(
        &self,
        builder: &mut ModelBuilder,
        prepare: &mut Prepare<'_, P>,
        declare: &mut Declare<'_, P>,
    ) {
        let name = self.head.name.text;
        let Some(dimensions) = parameters(&self.head.arguments, builder) else {
            builder.add_broken(name);
            return;
        };
        let n_instances = match self.depends(&dimensions) {
            false => None,
            true => {
                let total = dimensions.iter().try_fold(1usize, |n, it| n.checked_mul(it.size));
                if total.is_none_or(|total| total > builder.limits.template) {
                    too_large(self.head, self.what, total, builder);
                    builder.add_broken(name);
                    return;
                }
                total
            }
        };
        let mut all = Progress::default();
        let mut last = None;
        for keeps_idle in [false, true] {
            all = Progress { keeps_idle, ..Progress::default() };
            for number in 0..n_instances.unwrap_or(1) {
                let chosen = match n_instances {
                    None => dimensions.clone(),
                    Some(_) => fixed(&dimensions, number),
                };
                let plan = Expansion::of(self, chosen, builder);
                let plan = match plan {
                    Ok(plan) => plan,
                    Err(Gone::Missing) => {
                        builder.spend(1 + dimensions.len(), self.head.span);
                        continue;
                    }
                    Err(Gone::Broken) => {
                        builder.add_broken(name);
                        return;
                    }
                };
                let Some(prepared) = prepare(&plan, builder) else {
                    builder.add_broken(name);
                    return;
                };
                let Some(total) = plan.n_combinations(builder) else {
                    builder.add_broken(name);
                    return;
                };
                all.moves.resize(plan.outcomes.len(), false);
                plan.declare_all(total, builder, &mut all, &mut |builder, name, suffix, ground| {
                    declare(builder, &prepared, name, suffix, ground)
                });
                last = Some(plan);
                if all.stopped {
                    break;
                }
            }
            // What can be done but never changes anything is odd, and no mistake.
            if all.exist > 0 || !all.has_idle || all.stopped {
                break;
            }
        }
        match last {
            _ if all.stopped => builder.add_broken(name),
            Some(plan) if all.exist > 0 => plan.warn_of_idle_changes(&all.moves, builder),
            Some(plan) if n_instances.is_none() => {
                builder.add_broken(name);
                plan.report_nothing_exists(builder);
            }
            _ => {
                builder.add_broken(name);
                super::misread::nothing_at_all(self.head, builder);
            }
        }
    }
}

/// Parameters that stand for one value each: choice `number`, the last changing fastest.
fn fixed<'t>(dimensions: &[Dimension<'t>], mut number: usize) -> Vec<Dimension<'t>> {
    let mut chosen = dimensions.to_vec();
    for dimension in chosen.iter_mut().rev() {
        let value: ValueId = dimension.value(number % dimension.size.max(1));
        number /= dimension.size.max(1);
        *dimension = dimension.fixed(value);
    }
    chosen
}

/// Checks that are about what parameters stand for.
pub(super) fn with_arguments<'c>(
    checks: &[CheckWord<'c>],
    arguments: &'c [Option<String>],
) -> Vec<CheckWord<'c>> {
    let each = checks.iter().zip(arguments);
    let replaced = each.map(|(check, argument)| match (check.argument, argument) {
        (Some(word), Some(text)) => CheckWord { argument: Some(Word { text, ..word }), ..*check },
        _ => *check,
    });
    replaced.collect()
}

/// The same of the checks of kinds, all of whose arguments stand in one row.
pub(super) fn kinds_with_arguments<'c>(
    kinds: &[KindDraft<'c>],
    mut arguments: &'c [Option<String>],
) -> Vec<KindDraft<'c>> {
    let mut replaced = Vec::with_capacity(kinds.len());
    for kind in kinds {
        let (own, rest) = arguments.split_at(kind.checks.len().min(arguments.len()));
        arguments = rest;
        replaced.push(KindDraft { checks: with_arguments(&kind.checks, own), ..kind.clone() });
    }
    replaced
}
