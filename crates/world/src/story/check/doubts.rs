//! What of minds in a story is probably not meant: effects that nobody will see.
//!
//! In:   a model and what its minds are made of, both found right; the table of behaviours.
//! Out:  warnings, each with a cure to copy.
//! Cost: one pass over the actions and the symbols.

use crate::body::vocabulary::{TOLD_TO_MEMBERS, TOLD_TO_SQUADS, behaviour_named};
use crate::story::read::statements;
use std::collections::BTreeSet;
use throng_domain::model::{Action, VariableId};
use throng_domain::names::template_of;
use throng_domain::notes::{Note, NoteOn, WordKind};
use throng_domain::{Code, Model, Report};
use throng_mind::spec::Spec;

/// Words that come before a pattern and are none.
const NO_KINDS: [&str; 8] = ["if", "and", "or", "not", "shared", "count", "of", "sure"];

/// The behaviour of an action, by position in the model.
pub(super) fn does(spec: &Spec, action: usize) -> &str {
    spec.actions.get(action).map_or("", |action| spec.words.text(action.does))
}

/// Its name without parameters.
pub(super) fn bare(action: &Action) -> &str {
    template_of(action.name()).unwrap_or(action.name())
}

/// An animation is to change what only senses can.
pub(super) fn doubts(model: &Model, spec: &Spec, report: &mut Report) {
    let mut told: BTreeSet<(&str, VariableId)> = BTreeSet::new();
    for (at, action) in model.actions().iter().enumerate() {
        let name = bare(action);
        if behaviour_named(does(spec, at)).is_some() || !action.parts().is_empty() {
            continue;
        }
        let touched = touched(model, name);
        for set in action.sets() {
            let variable = &model.variables()[set.variable.index()];
            let symbol = statements(model, "symbol")
                .find(|note| note.words.first().is_some_and(|word| word.text == variable.name()));
            let Some(kinds) = symbol.map(kinds) else { continue };
            // What is picked may be of any kind, and what squads tell they take back themselves.
            let is_picked = |kind: &&str| model.selects().iter().any(|it| it.name() == *kind);
            let mut of_squads = TOLD_TO_MEMBERS.iter().chain(&TOLD_TO_SQUADS);
            let mut is_seen = |kind: &&str| {
                touched.contains(kind) || is_picked(kind) || of_squads.any(|it| it.kind == *kind)
            };
            let is_seen = kinds.is_empty() || kinds.iter().any(&mut is_seen);
            if is_seen || !told.insert((name, set.variable)) {
                continue;
            }
            let kind = kinds[0];
            let value = variable.values().words();
            let value = value.and_then(|all| all.get(set.value.index())).map_or("…", |it| it);
            let text = format!(
                "nothing that `{name}` does can make `{} = {value}`: the symbol asks for `{kind}`",
                variable.name()
            );
            let cure = format!("add `then forgets {kind}`, or a behaviour that leaves such a fact");
            report.say(Code::EffectUnseen, action.span(), text, cure);
        }
    }
}

/// The kinds of facts that the effects of an action speak of.
fn touched<'m>(model: &'m Model, action: &str) -> Vec<&'m str> {
    let is_effect = |note: &&Note| {
        matches!(&note.on, NoteOn::Action(on) if on == action)
            && ["first", "then", "else", "finally"].contains(&note.keyword.word)
    };
    let notes = model.notes().iter().filter(is_effect);
    notes.flat_map(|note| note.words.iter().map(|word| word.text.as_str())).collect()
}

/// The kinds of facts that a symbol, or a relevance, asks for.
pub(super) fn kinds(symbol: &Note) -> Vec<&str> {
    let words = &symbol.words;
    let asked = words.iter().enumerate().filter(|(at, word)| {
        let before = at.checked_sub(1).map_or("", |before| words[before].text.as_str());
        word.kind == WordKind::Name
            && !NO_KINDS.contains(&word.text.as_str())
            && NO_KINDS[..7].contains(&before)
    });
    asked.map(|(_, word)| word.text.as_str()).collect()
}
