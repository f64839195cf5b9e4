//! Why something could not be done, in sentences.
//!
//! In:   the word that an order or a behaviour failed with, and the behaviour.
//! Out:  a sentence that also says what the behaviour needs.
//! Cost: a walk over a table; allocates, for those who watch.

use super::behaviour_named;

/// Why an engine refuses or ends what was ordered: its word, and a sentence for people.
pub const FAILURES: [(&str, &str); 23] = [
    ("no_path", "there is no way"),
    ("too_far", "it was too far away"),
    ("needs", "what it needs was not there"),
    ("gone", "it was not there any more"),
    ("unarmed", "there was no weapon at hand"),
    ("no_line", "there was no line of fire"),
    ("unknown", "that cannot be done with it"),
    ("replaced", "something else was ordered instead"),
    ("used", "it was used up"),
    ("held", "somebody else had it"),
    ("lost", "the target was out of sight"),
    ("blocked", "the way was blocked"),
    ("dead", "he died"),
    ("empty", "no round was left"),
    ("taken", "somebody else was there first"),
    ("sold_out", "there was none left"),
    ("poor", "he could not pay for it"),
    ("full", "there was no room for more"),
    ("refused", "he would not"),
    ("late", "it took too long"),
    ("no_cover", "there was no cover"),
    ("nobody", "there was nobody to do it"),
    ("failed", "he could not"),
];

/// Failures that come from outside: what the behaviour needs has nothing to do with them.
const FROM_OUTSIDE: [&str; 5] = ["dead", "replaced", "refused", "late", "taken"];

/// A word for a failure as a sentence, with what the behaviour needs; other words as they are.
#[must_use]
pub fn failure_words(word: &str, behaviour: &str) -> String {
    let known = FAILURES.iter().find(|(known, _)| *known == word);
    // Who got to the door had all that it needs.
    match (word, behaviour) {
        ("held", "kick") => return "the door held".to_string(),
        ("empty", "throw") => return "no grenade was left".to_string(),
        _ => {}
    }
    let sentence = known.map_or(word, |(_, sentence)| sentence);
    let needs = behaviour_named(behaviour).map_or("", |entry| entry.needs);
    match needs.is_empty() || known.is_none() || FROM_OUTSIDE.contains(&word) {
        true => sentence.to_string(),
        false => format!("{sentence} (`{behaviour}` needs {needs})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::BEHAVIOURS;

    #[test]
    fn failures_are_sentences_that_name_what_is_needed_and_words_of_others_stay() {
        assert_eq!(failure_words("held", "kick"), "the door held");
        assert_eq!(
            failure_words("held", "pick_up"),
            "somebody else had it (`pick_up` needs to be beside it)"
        );
        assert_eq!(failure_words("empty", ""), "no round was left");
        assert_eq!(failure_words("empty", "throw"), "no grenade was left");
        assert_eq!(failure_words("rain", "attack"), "rain");
        for entry in BEHAVIOURS.iter().filter(|entry| !entry.needs.is_empty()) {
            assert!(failure_words("gone", entry.name).contains(entry.needs), "{}", entry.name);
        }
    }
}
