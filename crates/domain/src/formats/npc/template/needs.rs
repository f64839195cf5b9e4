//! `needs PARAMETER`: what an action is about serves only while its needs are met.
//!
//! In:   the parameters behind `needs`, each standing for one value.
//! Out:  conditions: of a slot one alternative for each way in which its needs can be met, of what
//!       the level lists the states of other things.
//! Cost: a few look-ups for each instance of the statement.
//!
//! The alternatives add nothing to the name of the action: whichever it is, it is the same thing
//! that is done.

use super::alternatives::Tree;
use super::dimensions::{Dimension, parameters};
use super::{Demand, Expansion, Operand, Term};
use crate::build::{ModelBuilder, WayMet};
use crate::formats::npc::syntax::{ActionSyntax, Arguments, Relation, Word};
use crate::model::{Fact, SlotId};
use crate::source::Span;

/// Declares the variables that say what is lacking, for all that an action says it needs.
pub(in super::super) fn declare_lacks(syntax: &ActionSyntax<'_>, builder: &mut ModelBuilder) {
    if syntax.needs.is_empty() {
        return;
    }
    let action = syntax.head.name.text;
    // What is wrong with a parameter is told where the action is written out.
    let errors = builder.report.errors();
    let dimensions = match &syntax.head.arguments {
        Arguments::Parameters(_) if builder.report.errors() == errors => {
            let quiet = parameters_exist(syntax, builder);
            quiet.then(|| parameters(&syntax.head.arguments, builder)).flatten().unwrap_or_default()
        }
        _ => Vec::new(),
    };
    for word in &syntax.needs {
        let slots = match slots_meant(syntax, *word, &dimensions, builder) {
            Some(slots) => slots,
            None => {
                builder.report_no_parameter(action, *word);
                continue;
            }
        };
        builder.declare_lacks(&slots, action, word.span);
    }
}

fn parameters_exist(syntax: &ActionSyntax<'_>, builder: &ModelBuilder) -> bool {
    let Arguments::Parameters(list) = &syntax.head.arguments else { return false };
    list.iter().all(|it| {
        let name = it.variable.text;
        builder.model.find_select(name).is_some() || builder.model.find_variable(name).is_some()
    })
}

/// The slots that a word behind `needs` stands for; `None` if the action has no such parameter.
fn slots_meant(
    syntax: &ActionSyntax<'_>,
    word: Word<'_>,
    dimensions: &[Dimension<'_>],
    builder: &ModelBuilder,
) -> Option<Vec<SlotId>> {
    match &syntax.head.arguments {
        Arguments::None => None,
        Arguments::Values(values) => {
            values.iter().find(|value| value.text == word.text)?;
            Some(builder.model.find_slot(word.text).into_iter().collect())
        }
        Arguments::Parameters(list) => {
            list.iter().find(|it| it.name.text == word.text)?;
            let of = |it: &&Dimension<'_>| it.parameter.is_some_and(|own| own.text == word.text);
            let Some(dimension) = dimensions.iter().find(of) else { return Some(Vec::new()) };
            let values = (0..dimension.size).map(|at| dimension.value(at));
            Some(values.filter_map(|value| dimension.slot(value, builder)).collect())
        }
    }
}

impl Expansion<'_> {
    /// Adds what the parameters behind `needs` ask for. All of them stand for one value each.
    pub(super) fn add_needs(&mut self, needs: &[Word<'_>], builder: &mut ModelBuilder) {
        self.n_told = self.trees.len();
        for word in needs {
            let fixed = self.fixed_name(word.text, builder).unwrap_or(word.text).to_string();
            let slot = match self.dimension_of(word.text) {
                Some(at) => {
                    let dimension = &self.dimensions[at];
                    dimension.slot(dimension.value(0), builder)
                }
                None => builder.model.find_slot(&fixed),
            };
            match slot {
                Some(slot) => {
                    let ways = builder.ways_met(self.head.name.text, slot);
                    if !ways.is_empty() {
                        let tree = ways.into_iter().map(|way| met(way, word.span)).collect();
                        self.trees.push(Tree::Any(tree));
                    }
                }
                None => {
                    for fact in builder.needs_in_level(&fixed) {
                        self.demands.push(demand(fact, word.span));
                    }
                }
            }
        }
    }
}

fn met(way: WayMet, span: Span) -> Tree {
    match way {
        WayMet::Nothing(fact) => Tree::Leaf(demand(fact, span)),
        WayMet::Ready { lacks, ready } => {
            Tree::All([lacks, ready].map(|fact| Tree::Leaf(demand(fact, span))).into())
        }
    }
}

fn demand(fact: Fact, span: Span) -> Demand {
    let Fact { variable, value } = fact;
    let operand = Operand::Term(Term::Value(value));
    Demand { variable, relation: Relation::Is, operand, span, now: None }
}
