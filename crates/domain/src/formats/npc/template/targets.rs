//! What a test wants: conditions on one variable each, without a name of their own.
//!
//! In:   the conditions behind `to`.
//! Out:  facts, sets of values, and amounts that are compared.
//! Cost: one look at each condition.

use super::alternatives::Tree;
use super::{Expansion, Operand, Term};
use crate::build::{ModelBuilder, WantsDraft};
use crate::diagnostics::Code;
use crate::formats::npc::syntax::{Formula, Head, Relation, Word};
use crate::model::{Fact, Range};

/// What the conditions of a test ask for; `None`, with a report, if something is wrong with them.
pub(in super::super) fn wanted(
    test: Word<'_>,
    conditions: &[Formula<'_>],
    builder: &mut ModelBuilder,
) -> Option<WantsDraft> {
    let head = Head { name: test, span: test.span, ..Head::default() };
    let mut plan = Expansion::new("goals", &head);
    let mut complete = true;
    for condition in conditions {
        let tree = plan.tree(condition, false, builder);
        complete &= tree.is_some();
        tree.into_iter().for_each(|tree| plan.add_condition(tree));
    }
    let mut facts = Vec::new();
    for demand in std::mem::take(&mut plan.demands) {
        match (demand.relation, demand.operand) {
            (Relation::Is, Operand::Term(Term::Value(value))) => {
                facts.push((Fact { variable: demand.variable, value }, demand.span));
            }
            _ => plan.ask(Tree::Leaf(demand)),
        }
    }
    for tree in std::mem::take(&mut plan.trees) {
        if tree.only_variable().is_none() {
            let text = "`or` joins conditions on several variables; `to` asks of each alone";
            let cure = "declare a `goal` with these conditions, and ask for it by `goal`";
            builder.report.say(Code::Expected, tree.span(), text, cure);
            complete = false;
        }
        plan.ask(tree);
    }
    let mut ranges = Vec::with_capacity(plan.asked.len());
    for asked in &plan.asked {
        for tree in &asked.trees {
            let allowed = plan.allowed_by_tree(tree, &[], builder).ok()?;
            let whose = Word { span: asked.span, ..test };
            let values = builder.set_of(asked.variable, allowed.to_positions(), whose)?;
            ranges.push((Range { variable: asked.variable, values }, asked.span));
        }
    }
    let comparisons = std::mem::take(&mut plan.comparisons);
    complete.then_some(WantsDraft { facts, ranges, comparisons })
}
