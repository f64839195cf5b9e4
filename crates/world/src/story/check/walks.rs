//! Walks to several places, each for the same price: the first in the file is taken, however far.
//!
//! In:   a model and what its minds are made of, both found right.
//! Out:  a warning for each template of walks whose places serve alike and cost the same.
//! Cost: one pass over the actions and the prices.
//!
//! Places that the file lists one by one, each in an action of its own, were thought of one by one:
//! only a template stands for places that its author may never have seen.

use super::doubts::{bare, does};
use crate::story::read::statements;
use std::collections::{BTreeMap, BTreeSet};
use throng_domain::model::{Action, VariableId};
use throng_domain::names::template_of;
use throng_domain::notes::Note;
use throng_domain::{Code, Model, Report};
use throng_mind::spec::Spec;

/// Behaviours that lead to a place.
pub(super) const WALKS: [&str; 2] = ["goto", "sneak"];

pub(super) fn doubts(model: &Model, spec: &Spec, report: &mut Report) {
    // Those of one statement have one place in the text.
    let mut walks: BTreeMap<_, Vec<&Action>> = BTreeMap::new();
    for (at, action) in model.actions().iter().enumerate() {
        if WALKS.contains(&does(spec, at)) && template_of(action.name()).is_some() {
            let span = action.span();
            walks.entry((span.file.0, span.start)).or_default().push(action);
        }
    }
    for all in walks.into_values().filter(|all| all.len() > 1) {
        let name = bare(all[0]);
        let is_same = all.iter().all(|action| action.cost() == all[0].cost());
        let Some(place) = all[0].sets().first().map(|fact| fact.variable) else { continue };
        let is_priced = statements(model, "price").any(|note| differs(note, name));
        if is_priced || !is_same || !serve_alike(model, place) {
            continue;
        }
        let text = format!("`{name}` costs the same for all of its {} places", all.len());
        let far = match all[0].slots().is_empty() {
            true => "distance of node(node = it)",
            false => "amount of path(object = it) else distance of it",
        };
        let cure = format!(
            "write `price {name}: {far} curve 0 0.3, 30 6`; else the first of them is taken, \
             however far"
        );
        report.say(Code::PlacesCostTheSame, all[0].span(), text, cure);
    }
}

/// Whether a price of a walk speaks of where it leads to, or measures something.
fn differs(price: &Note, walk: &str) -> bool {
    let speaks = |word: &str| price.words.iter().any(|it| it.text == word);
    price.words.first().is_some_and(|word| word.text == walk) && (speaks("it") || speaks("of"))
}

/// Whether actions of one template can be done at several values of a variable, with the same
/// effect.
fn serve_alike(model: &Model, place: VariableId) -> bool {
    let mut at: BTreeMap<(&str, Vec<_>), BTreeSet<_>> = BTreeMap::new();
    for action in model.actions() {
        let here = action.requires().iter().find(|fact| fact.variable == place);
        let changes = action.changed().any(|variable| variable == place);
        if let Some(here) = here.filter(|_| !changes && !action.sets().is_empty()) {
            let alike = at.entry((bare(action), action.sets().to_vec())).or_default();
            alike.insert(here.value);
        }
    }
    at.values().any(|values| values.len() > 1)
}
