//! What writes facts: the sensors and behaviours that a file, a type or a body has.
//!
//! In:   a vocabulary, and the names that are there.
//! Out:  the kinds, attributes and words that can come of them.
//! Cost: a walk over the vocabulary.

use super::{BehaviourWords, BodyVocabulary, CanBe, FactWords, SensorWords};
use crate::fact::Attribute;
use crate::spec::Spec;
use crate::words::Word;
use std::collections::HashSet;

/// Some of the sensors and behaviours of a body.
pub struct Writers<'v> {
    sensors: Vec<&'v SensorWords>,
    behaviours: Vec<&'v BehaviourWords>,
    /// What squads tell and are told.
    told: Vec<&'v FactWords>,
    /// One of them may write anything.
    is_open: bool,
}

impl<'v> Writers<'v> {
    /// All that a body has.
    pub fn of_body(body: &'v BodyVocabulary) -> Self {
        let sensors = body.sensors.iter().collect();
        let told = body.told_to_members.iter().chain(&body.told_to_squads).collect();
        Writers::of(sensors, body.behaviours.iter().collect(), told)
    }

    /// All that a file names.
    pub(super) fn of_file(body: &'v BodyVocabulary, spec: &Spec) -> Self {
        let sensors = spec.sensors.iter().map(|sensor| sensor.name);
        let told = body.told_to_members.iter().chain(&body.told_to_squads);
        let told = told.filter(|_| !spec.squads.is_empty()).collect();
        let besides = spec.besides.iter().map(|it| it.does);
        let does = spec.actions.iter().map(|it| it.does).chain(besides);
        Writers::named(body, spec, sensors, does, told)
    }

    /// Those that minds of a type have.
    pub(super) fn of_type(body: &'v BodyVocabulary, spec: &Spec, npc: usize) -> Self {
        let sensors = spec.npcs[npc].sensors.iter().map(|&at| spec.sensors[usize::from(at)].name);
        let actions = spec.domain.npcs()[npc].actions().iter().map(|&id| spec.action(id));
        // A compound is done by its parts.
        let does = actions.flat_map(|action| {
            let parts = action.parts.iter().map(|&part| spec.action(part).does);
            parts.chain([action.does])
        });
        let besides = spec.npcs[npc].besides.iter();
        let besides = besides.filter_map(|&at| Some(spec.besides.get(usize::from(at))?.does));
        let does = does.chain(besides);
        let is_member = spec.squads.iter().flat_map(|squad| &squad.of).any(|of| of.index() == npc);
        let is_squad = spec.squads.iter().any(|squad| squad.npc.index() == npc);
        let members = body.told_to_members.iter().filter(|_| is_member);
        let squads = body.told_to_squads.iter().filter(|_| is_squad);
        Writers::named(body, spec, sensors, does, members.chain(squads).collect())
    }

    fn named(
        body: &'v BodyVocabulary,
        spec: &Spec,
        sensors: impl Iterator<Item = Word>,
        does: impl Iterator<Item = Word>,
        told: Vec<&'v FactWords>,
    ) -> Self {
        let flavours = spec.flavours.iter().map(|flavour| flavour.name);
        // Each once, however many actions it does: vocabularies are short, files are long.
        let named = |words: HashSet<Word>| -> HashSet<&str> {
            words.into_iter().map(|word| spec.words.text(word)).collect()
        };
        let does = named(does.chain(flavours).collect());
        let sensors = named(sensors.collect());
        let sensors = body.sensors.iter().filter(|it| sensors.contains(it.name.as_str()));
        let does = body.behaviours.iter().filter(|it| does.contains(it.name.as_str()));
        Writers::of(sensors.collect(), does.collect(), told)
    }

    fn of(
        sensors: Vec<&'v SensorWords>,
        behaviours: Vec<&'v BehaviourWords>,
        told: Vec<&'v FactWords>,
    ) -> Self {
        let is_open = sensors.iter().any(|it| it.writes.is_none())
            || behaviours.iter().any(|it| it.writes.is_none());
        Writers { sensors, behaviours, told, is_open }
    }

    /// Whether one of them may write anything: then nothing can be said of what there is not.
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// What they write anew.
    fn new_facts(&self) -> impl Iterator<Item = &'v FactWords> {
        let sensors = self.sensors.iter().flat_map(|it| it.writes.iter().flatten());
        let behaviours = self.behaviours.iter().flat_map(|it| it.writes.iter().flatten());
        sensors.chain(behaviours).chain(self.told.iter().copied())
    }

    /// What they write and what they change.
    fn facts(&self, kind: &str, shared: bool) -> impl Iterator<Item = &'v FactWords> {
        let changes = self.behaviours.iter().flat_map(|it| &it.changes);
        self.new_facts().chain(changes).filter(move |it| it.kind == kind && it.shared == shared)
    }

    /// Whether facts of a kind come of them, as far as is known.
    pub fn writes(&self, kind: &str, shared: bool) -> bool {
        self.is_open || self.new_facts().any(|it| it.kind == kind && it.shared == shared)
    }

    /// All kinds that they write.
    pub(crate) fn kinds(&self, shared: bool) -> Vec<&'v str> {
        let facts = self.new_facts().filter(|it| it.shared == shared);
        sorted(facts.map(|it| it.kind.as_str()))
    }

    /// What an attribute of such facts can be; empty if they never have it.
    pub(super) fn can(&self, kind: &str, shared: bool, attribute: Attribute) -> Vec<&'v CanBe> {
        let attributes = self.facts(kind, shared).flat_map(|it| &it.attributes);
        attributes.filter(|(at, _)| *at == attribute).map(|(_, can)| can).collect()
    }

    /// The attributes that such facts have.
    pub(super) fn attributes(&self, kind: &str, shared: bool) -> Vec<&'static str> {
        let attributes = self.facts(kind, shared).flat_map(|it| &it.attributes);
        sorted(attributes.map(|(at, _)| at.name()))
    }

    /// The sensor among them that writes facts of a kind.
    pub(super) fn sensor_of(&self, kind: &str) -> Option<&'v SensorWords> {
        let writes = |it: &&&SensorWords| it.writes.iter().flatten().any(|it| it.kind == kind);
        self.sensors.iter().find(writes).copied()
    }

    /// How a file gets facts of a kind with such an attribute: statements to choose from.
    pub(super) fn who(
        &self,
        kind: &str,
        shared: bool,
        attribute: Option<Attribute>,
        fits: &dyn Fn(&CanBe) -> bool,
    ) -> String {
        let fits = |facts: &FactWords| {
            let mut attributes = facts.attributes.iter();
            let has = attributes.any(|(at, can)| attribute.is_none_or(|it| it == *at) && fits(can));
            facts.kind == kind && facts.shared == shared && has
        };
        let sensors = self.sensors.iter().filter(|it| it.writes.iter().flatten().any(fits));
        let mut ways: Vec<String> = sensors.map(|it| format!("`{}`", it.statement())).collect();
        let changed = |it: &BehaviourWords| it.writes.iter().flatten().chain(&it.changes).any(fits);
        let behaviours = self.behaviours.iter().filter(|it| changed(it));
        ways.extend(behaviours.map(|it| format!("an action that `does {}`", it.name)));
        if self.told.iter().any(|it| fits(it)) {
            ways.push("a `squad` statement".to_string());
        }
        ways.join(" or ")
    }
}

/// Each once, by the alphabet.
fn sorted<'s>(names: impl Iterator<Item = &'s str>) -> Vec<&'s str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}
