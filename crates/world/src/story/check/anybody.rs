//! Symbols about anybody where the attack is about one.
//!
//! In:   a model and what its minds are made of, both found right.
//! Out:  a warning for each symbol that an attack should change and that asks for any enemy, if
//!       somebody in the story has several.
//! Cost: one pass over the actions, the actors and the symbols.

use super::doubts::{bare, does};
use crate::story::read::statements;
use std::collections::BTreeMap;
use throng_domain::model::VariableId;
use throng_domain::names::plain_of;
use throng_domain::notes::{Note, NoteWord, WordKind};
use throng_domain::{Code, Model, Report};
use throng_mind::spec::Spec;

/// Behaviours that are about one enemy.
const ATTACKS: [&str; 5] = ["attack", "attack_from_cover", "melee", "lunge", "suppress"];
/// What says which one is meant: him, by name, or whoever was last heard of.
const WHICH: [&str; 3] = ["object", "node", "age"];

pub(super) fn doubts(model: &Model, spec: &Spec, report: &mut Report) {
    if !has_several_enemies(model) {
        return;
    }
    let actions = model.actions().iter().enumerate();
    let attacks = actions.filter(|(at, _)| ATTACKS.contains(&does(spec, *at)));
    // What attacks bring about, and by which name.
    let mut set: BTreeMap<VariableId, &str> = BTreeMap::new();
    for (_, attack) in attacks {
        attack.changed().for_each(|variable| _ = set.entry(variable).or_insert(bare(attack)));
    }
    let has_target = model.selects().iter().any(|select| plain_of(select.name()) == "target");
    for note in statements(model, "symbol") {
        let Some(symbol) = note.words.first() else { continue };
        let variable = model.variables().iter().position(|it| it.name() == symbol.text);
        let attack = variable.and_then(|at| set.get(&VariableId::from_index(at)?));
        let (Some(attack), Some(word)) = (attack, any_character(note)) else { continue };
        let text =
            format!("`{}` asks for any `character`, and `{attack}` is about one", symbol.text);
        let first = match has_target {
            true => "write `target(…)`",
            false => {
                "add `select target: one of character(knowledge = alive)`, ask for `target(…)`"
            }
        };
        let cure = format!(
            "{first}; else one who is dead counts for all, or one who lives makes every kill seem \
             without effect"
        );
        report.say(Code::AnyCharacter, word.span, text, cure);
    }
}

/// Whether somebody with a mind has more than one enemy: with one, anybody is he.
fn has_several_enemies(model: &Model) -> bool {
    let says = |note: &Note, what: &str| note.words.iter().any(|word| word.text == what);
    let side = |note: &Note| {
        let at = note.words.iter().position(|word| word.text == "side")?;
        note.words.get(at + 1).map(|word| word.text.clone())
    };
    let enemies = |own: &Option<String>| {
        let others = statements(model, "actor").filter(|note| side(note) != *own);
        others.map(|note| if says(note, "each") { 2 } else { 1 }).sum::<usize>()
    };
    statements(model, "actor").filter(|note| says(note, "npc")).any(|note| enemies(&side(note)) > 1)
}

/// A pattern `character`, unless one of them says which one is meant.
fn any_character(symbol: &Note) -> Option<&NoteWord> {
    let words = &symbol.words;
    let inside = |at: usize| {
        let behind = words[at + 1..].iter();
        let is_open = words.get(at + 1).is_some_and(|word| word.kind == WordKind::Open);
        behind.take_while(move |word| is_open && word.kind != WordKind::Close)
    };
    let asked = || words.iter().enumerate().filter(|(_, word)| word.text == "character");
    let says_which =
        asked().any(|(at, _)| inside(at).any(|word| WHICH.contains(&word.text.as_str())));
    asked().next().map(|(_, word)| word).filter(|_| !says_which)
}
