//! The table as data that files are held against.
//!
//! In:   the table.
//! Out:  the same as a [`BodyVocabulary`], whole or in part.
//! Cost: copies the table; once, when a body is made or a file checked.

use super::{
    BEHAVIOURS, BehaviourEntry, Can, Facts, KitPart, QUESTIONS, SENSORS, STIMULI, SensorEntry,
    TOLD_TO_MEMBERS, TOLD_TO_SQUADS, Usual,
};
use throng_mind::vocabulary::{
    BehaviourWords, BodyVocabulary, CanBe, FactWords, SensorWords, UsualTime,
};

/// All that the kit understands and writes, as files call it: `body kit`.
#[must_use]
pub fn described() -> BodyVocabulary {
    described_part(|_| true)
}

/// The same of some parts of the kit.
pub(crate) fn described_part(wanted: impl Fn(KitPart) -> bool) -> BodyVocabulary {
    let has_squads = wanted(KitPart::Squads);
    let told = |facts: &[Facts]| all(&facts[..if has_squads { facts.len() } else { 0 }]);
    BodyVocabulary {
        name: "kit".to_string(),
        stimuli: STIMULI.map(str::to_string).to_vec(),
        questions: QUESTIONS.map(str::to_string).to_vec(),
        sensors: SENSORS.iter().filter(|_| wanted(KitPart::Senses)).map(sensor).collect(),
        behaviours: BEHAVIOURS.iter().filter(|it| wanted(it.part)).map(behaviour).collect(),
        told_to_members: told(&TOLD_TO_MEMBERS),
        told_to_squads: told(&TOLD_TO_SQUADS),
    }
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| text.to_string()).collect()
}

fn all(list: &[Facts]) -> Vec<FactWords> {
    let can_be = |can: Can| match (can, can.name_of()) {
        (Can::Words(words), _) => CanBe::Words(texts(words)),
        (_, Some(of)) => CanBe::NameOf(of.to_string()),
        (_, None) => CanBe::NoWord,
    };
    let one = |facts: &Facts| FactWords {
        kind: facts.kind.to_string(),
        shared: facts.shared,
        attributes: facts.attributes.iter().map(|&(at, can)| (at, can_be(can))).collect(),
    };
    list.iter().map(one).collect()
}

fn sensor(entry: &SensorEntry) -> SensorWords {
    let when = match entry.when {
        Usual::On(stimulus) => UsualTime::On(stimulus.to_string()),
        Usual::Every(seconds) => UsualTime::Every(seconds),
    };
    let writes = Some(all(entry.writes));
    SensorWords { name: entry.name.to_string(), when: Some(when), writes }
}

fn behaviour(entry: &BehaviourEntry) -> BehaviourWords {
    BehaviourWords {
        name: entry.name.to_string(),
        given: entry.given,
        about: entry.about.name_of().map(str::to_string),
        writes: Some(all(entry.writes)),
        changes: all(entry.changes),
        gives: texts(entry.gives),
    }
}
