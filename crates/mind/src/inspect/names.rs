//! What slots hold, by name.
//!
//! In:   keys, or texts with the names of slots in them; how the caller calls things of the game.
//! Out:  names; the same texts with what the slots hold.
//! Cost: allocates; not for the frame.

use crate::fact::EntityId;
use crate::mind::Mind;
use crate::select::Key;
use crate::spec::Spec;

/// What a key stands for, as far as words of the file go: things of the game are numbers. What is
/// only a fact of the mind is called by its kind.
pub fn key_name(spec: &Spec, mind: Option<&Mind>, key: Key) -> String {
    named_key(spec, mind, key, &|entity| format!("#{}", entity.0))
}

/// The same, with the caller's names of things.
pub fn named_key(
    spec: &Spec,
    mind: Option<&Mind>,
    key: Key,
    name: &dyn Fn(EntityId) -> String,
) -> String {
    match key {
        Key::None => "nothing".to_string(),
        Key::Entity(entity) => name(entity),
        Key::Word(word) => spec.words.text(word).to_string(),
        Key::Number(bits) => format!("{}", f32::from_bits(bits)),
        Key::Fact(fact) => match mind.and_then(|mind| mind.memory().get(fact)) {
            Some(fact) => spec.words.text(fact.kind()).to_string(),
            None => "what is forgotten".to_string(),
        },
    }
}

/// A text in which slots that stand as parameters are shown with what they hold: `goto(c7)` for
/// `goto(cover.2)`; `with_slots` as `goto(cover.2=c7)`. What is empty is called by its slot.
pub fn with_held(
    spec: &Spec,
    mind: &Mind,
    text: &str,
    with_slots: bool,
    name: &dyn Fn(EntityId) -> String,
) -> String {
    let held = |at| Some(mind.picks().get(at)?.key);
    with_keys(spec, mind, text, with_slots, &held, name)
}

/// The same with what slots held at some other time.
pub fn with_keys(
    spec: &Spec,
    mind: &Mind,
    text: &str,
    with_slots: bool,
    held: &dyn Fn(usize) -> Option<Key>,
    name: &dyn Fn(EntityId) -> String,
) -> String {
    if spec.slots.is_empty() || !text.contains('(') {
        return text.to_string();
    }
    let shown = |word: &str| {
        let at = spec.slots.iter().position(|slot| slot == word)?;
        let held = named_key(spec, Some(mind), held(at)?, name);
        Some(if with_slots { format!("{word}={held}") } else { held })
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('(') {
        let Some((inside, after)) = behind.split_once(')') else { break };
        let words = inside.split(' ').map(|word| shown(word).unwrap_or(word.to_string()));
        out.push_str(&format!("{before}({})", words.collect::<Vec<_>>().join(" ")));
        rest = after;
    }
    out + rest
}
