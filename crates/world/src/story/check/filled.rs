//! Selections that a level can never fill: it has nothing that they pick from.
//!
//! In:   a model, its story, and what its minds are made of.
//! Out:  the name of each such selection, and what is missing.
//! Cost: the nodes and things of the level for each selection.
//!
//! A file about minds serves many levels, and few of them have everything: what an included file
//! picks and this level does not have is worth a remark, no more. A selection that stands in the
//! level's own file is for this level alone, and picks nothing by mistake.

use crate::build::ThingDraft;
use crate::story::Story;
use crate::story::read::statements;
use throng_domain::model::Select;
use throng_domain::{Code, Model, Report};
use throng_mind::condition::{AttributeTest, Pattern, Relation};
use throng_mind::fact::{Attribute, Value};
use throng_mind::spec::Spec;

/// Tells of selections of the level's own.
pub(super) fn doubts(model: &Model, story: &Story, spec: &Spec, report: &mut Report) {
    for (select, lacks) in empty(model, story, spec).filter(|(it, _)| is_own(model, it)) {
        let name = select.name();
        let text = format!("nothing in this level is ever picked as `{name}`: it has no {lacks}");
        let cure = format!(
            "add one, as in `node ledge at L: cover`, or ask for what there is; \
                            a `{name}` for other levels belongs into an included file"
        );
        report.say(Code::UnusedSelect, select.span(), text, cure);
    }
}

/// Remarks about selections that the level shares with others.
pub(crate) fn remarks(model: &Model, story: &Story, spec: &Spec) -> Vec<String> {
    let shared = empty(model, story, spec).filter(|(it, _)| !is_own(model, it));
    shared
        .map(|(select, lacks)| format!("nothing is picked as `{}`: no {lacks}", select.name()))
        .collect()
}

/// Whether a selection stands in the file of the story.
fn is_own(model: &Model, select: &Select) -> bool {
    statements(model, "story").any(|note| note.span.file == select.span().file)
}

/// Selections that can have no candidate, and what is missing.
fn empty<'m>(
    model: &'m Model,
    story: &'m Story,
    spec: &'m Spec,
) -> impl Iterator<Item = (&'m Select, String)> {
    spec.selects.iter().filter_map(move |own| {
        let lacks: Option<Vec<String>> = own.of.iter().map(|it| lacking(story, spec, it)).collect();
        let lacks = lacks.filter(|lacks| !lacks.is_empty())?;
        Some((model.selects().get(own.select.index())?, lacks.join(" and no ")))
    })
}

/// What a level would need for such facts and does not have.
fn lacking(story: &Story, spec: &Spec, pattern: &Pattern) -> Option<String> {
    let kind = spec.words.text(pattern.kind()?);
    let has = match kind {
        "spot" | "node" => story.nodes.iter().any(|node| {
            fits(spec, pattern, Attribute::Knowledge, &node.sort)
                && fits(spec, pattern, Attribute::Node, &node.name)
        }),
        "thing" => {
            // Whoever falls leaves his weapon.
            let is_armed = story.actors.iter().any(|actor| actor.weapon.is_some());
            is_armed && fits(spec, pattern, Attribute::Stimulus, "weapon")
                || story.things.iter().any(|thing| {
                    fits(spec, pattern, Attribute::Stimulus, word_of(thing))
                        && fits(spec, pattern, Attribute::Node, &thing.name)
                })
        }
        _ => true,
    };
    let what = if kind == "thing" { Attribute::Stimulus } else { Attribute::Knowledge };
    let asked = pattern.tests.iter().find_map(|test| match test {
        AttributeTest::Value(at, Relation::Is, Value::Word(word)) if *at == what => {
            Some(format!(" `{}`", spec.words.text(*word)))
        }
        _ => None,
    });
    let kind = if kind == "spot" { "node" } else { kind };
    (!has).then(|| format!("{kind}{}", asked.unwrap_or_default()))
}

/// The word for what a thing is, as minds know it.
fn word_of(thing: &ThingDraft) -> &str {
    match thing.arms {
        Some(_) => "weapon",
        None if thing.sort.is_empty() => thing.kind.name(),
        None => &thing.sort,
    }
}

/// Whether a word passes what a pattern asks of an attribute.
fn fits(spec: &Spec, pattern: &Pattern, attribute: Attribute, is: &str) -> bool {
    pattern.tests.iter().all(|test| match test {
        AttributeTest::Value(at, relation, Value::Word(word)) if *at == attribute => {
            (*relation == Relation::Is) == (spec.words.text(*word) == is)
        }
        _ => true,
    })
}
