//! What of selections in a story is probably not meant, though nothing forbids it.
//!
//! In:   a model and what its minds are made of, both found right; the table of behaviours.
//! Out:  as warnings, selections that nothing uses, several picked without a score, picks that
//!       change with every step, spots that several may run to.
//! Cost: one pass over the notes for each selection.

use super::SPOTS;
use super::walks::WALKS;
use crate::story::read::statements;
use throng_domain::model::{Select, SelectId};
use throng_domain::names::plain_of;
use throng_domain::notes::{Note, NoteOn};
use throng_domain::{Code, Model, Report};
use throng_mind::condition::{Aspect, Measure};
use throng_mind::spec::{SelectSpec, Spec};

/// Behaviours and sensors of the kit ask for these by name.
const READ_BY_CODE: [&str; 2] = ["target", "stir"];
/// Statements that are about the level, in which a name means something else.
const OF_LEVEL: [&str; 5] = ["node", "thing", "actor", "map", "promise"];

/// All warnings about selections.
pub(super) fn doubts(model: &Model, spec: &Spec, report: &mut Report) {
    for own in &spec.selects {
        let Some(select) = model.selects().get(own.select.index()) else { continue };
        unused(model, own.select, select, report);
        let name = select.name();
        if own.slots.len() > 1 && own.score.is_empty() {
            let text = format!("`{name}` picks several, and nothing says which are better");
            let cure = "add a score, as in `score distance of it curve 0 1, 30 0.1`; else those \
                        with the smallest numbers are taken";
            report.say(Code::SelectWithoutScore, select.span(), text, cure);
        }
        let is_moving = own.score.iter().any(|term| measures_distance(&term.measure));
        if is_moving && own.margin <= 0.0 && own.keep == 0 {
            let text = format!("what `{name}` picks may change with every step");
            let cure = "leave `margin 0` out, or add `keep 1`";
            report.say(Code::PickTwitches, select.span(), text, cure);
        }
        crowded(model, spec, own, select, report);
    }
}

/// Nothing asks for what it picks.
fn unused(model: &Model, id: SelectId, select: &Select, report: &mut Report) {
    let name = select.name();
    let is_it = |word: &str| {
        let slot = word.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
        word == name || slot.is_some()
    };
    let own = |note: &Note| {
        let first = note.words.first().map(|word| word.text.as_str());
        note.keyword.word == "select" && first == Some(name)
    };
    let speaks = |note: &&Note| {
        let of_level = note.on == NoteOn::Itself && OF_LEVEL.contains(&note.keyword.word);
        !own(note) && !of_level && note.words.iter().any(|word| is_it(&word.text))
    };
    let is_slot = |slot| select.slots().any(|own| own == slot);
    let in_values = model.variables().iter().any(|variable| {
        variable.picks().iter().any(|(_, of)| *of == id) || variable.slot().is_some_and(is_slot)
    });
    let named =
        model.actions().iter().any(|action| action.slots().iter().any(|(_, slot)| is_slot(*slot)));
    let is_used = in_values || named || model.notes().iter().any(|note| speaks(&note));
    if !is_used && !READ_BY_CODE.contains(&plain_of(name)) {
        let text = format!("nothing uses what `{name}` picks");
        let cure = format!(
            "ask for it, as in `symbol … if {name}(distance < 6)`, make it a value with \
             `var place: elsewhere, any {name}`, or leave it out"
        );
        report.say(Code::UnusedSelect, select.span(), text, cure);
    }
}

/// Whether a number changes when the mind walks.
fn measures_distance(measure: &Measure) -> bool {
    match measure {
        Measure::Of(aspect, _) => matches!(aspect, Aspect::Distance),
        Measure::Else(list) => list.iter().any(measures_distance),
        Measure::Number(_) | Measure::If(_) => false,
    }
}

/// Several minds walk to what they pick, and none leaves it to another.
fn crowded(model: &Model, spec: &Spec, own: &SelectSpec, select: &Select, report: &mut Report) {
    let kinds = own.of.iter().filter_map(|pattern| pattern.kind());
    let of_spots = kinds.map(|kind| spec.words.text(kind)).any(|kind| SPOTS.contains(&kind));
    let is_own = |slot: &Option<u16>| slot.is_some_and(|slot| own.slots.contains(&slot));
    let walks = |action: &&throng_mind::spec::ActionSpec| {
        WALKS.contains(&spec.words.text(action.does)) && action.slots.iter().any(is_own)
    };
    let Some(walk) = spec.actions.iter().find(walks) else { return };
    let has_mind = |note: &&Note| note.words.iter().any(|word| word.text == "npc");
    let minds: usize = statements(model, "actor")
        .filter(has_mind)
        .map(|note| if note.words.iter().any(|word| word.text == "each") { 2 } else { 1 })
        .sum();
    if of_spots && minds > 1 && own.claims.is_none() && own.spread.is_none() {
        let (name, walk) = (select.name(), spec.words.text(walk.template));
        let text = format!("several minds may `{walk}` to one spot that each picks as `{name}`");
        let cure = format!(
            "add `claims` to `select {name}`: one has it, the others pick another; where several may have one, `claims 8`"
        );
        report.say(Code::SpotForSeveral, select.span(), text, cure);
    }
}
