//! What writes facts: the sensors and behaviours that a file, a type or the world has.
//!
//! In:   their names.
//! Out:  the kinds, attributes and words that can come of them, by the table of the body.
//! Cost: a walk over the table.

use crate::body::vocabulary::{
    BEHAVIOURS, BehaviourEntry, Can, Facts, SENSORS, SensorEntry, TOLD_TO_MEMBERS, TOLD_TO_SQUADS,
    behaviour_named, sensor_named,
};
use std::collections::HashSet;
use throng_mind::fact::Attribute;
use throng_mind::spec::Spec;
use throng_mind::words::Word;

/// Some of the sensors and behaviours.
pub(super) struct Writers {
    sensors: Vec<&'static SensorEntry>,
    behaviours: Vec<&'static BehaviourEntry>,
    /// What squads tell and are told.
    told: Vec<&'static Facts>,
}

impl Writers {
    /// All that the world has.
    pub(super) fn of_world() -> Self {
        Writers {
            sensors: SENSORS.iter().collect(),
            behaviours: BEHAVIOURS.iter().collect(),
            told: TOLD_TO_MEMBERS.iter().chain(&TOLD_TO_SQUADS).collect(),
        }
    }

    /// All that a file names.
    pub(super) fn of_all(spec: &Spec) -> Self {
        let actions = spec.actions.iter().map(|action| action.does);
        let all = Writers::named(spec, spec.sensors.iter().map(|sensor| sensor.name), actions);
        let told = TOLD_TO_MEMBERS.iter().chain(&TOLD_TO_SQUADS);
        Writers { told: told.filter(|_| !spec.squads.is_empty()).collect(), ..all }
    }

    /// Those that minds of a type have.
    pub(super) fn of_type(spec: &Spec, npc: usize) -> Self {
        let sensors = spec.npcs[npc].sensors.iter().map(|&at| spec.sensors[usize::from(at)].name);
        let actions = spec.domain.npcs()[npc].actions().iter().map(|&id| spec.action(id));
        // A compound is done by its parts.
        let does = actions.flat_map(|action| {
            let parts = action.parts.iter().map(|&part| spec.action(part).does);
            parts.chain([action.does])
        });
        let own = Writers::named(spec, sensors, does);
        let is_member = spec.squads.iter().flat_map(|squad| &squad.of).any(|of| of.index() == npc);
        let is_squad = spec.squads.iter().any(|squad| squad.npc.index() == npc);
        let members = TOLD_TO_MEMBERS.iter().filter(|_| is_member);
        let squads = TOLD_TO_SQUADS.iter().filter(|_| is_squad);
        Writers { told: members.chain(squads).collect(), ..own }
    }

    fn named(
        spec: &Spec,
        sensors: impl Iterator<Item = Word>,
        does: impl Iterator<Item = Word>,
    ) -> Self {
        let flavours = spec.flavours.iter().map(|flavour| flavour.name);
        let text = |word: Word| spec.words.text(word);
        // Each once, however many actions it does: the table is short, files are long.
        let does: HashSet<Word> = does.chain(flavours).collect();
        let sensors: HashSet<Word> = sensors.collect();
        Writers {
            sensors: sensors.into_iter().filter_map(|name| sensor_named(text(name))).collect(),
            behaviours: does.into_iter().filter_map(|it| behaviour_named(text(it))).collect(),
            told: Vec::new(),
        }
    }

    /// What they write anew.
    fn new_facts(&self) -> impl Iterator<Item = &'static Facts> {
        let sensors = self.sensors.iter().flat_map(|it| it.writes);
        let behaviours = self.behaviours.iter().flat_map(|it| it.writes);
        sensors.chain(behaviours).chain(self.told.iter().copied())
    }

    /// What they write and what they change.
    fn facts(&self, kind: &str, shared: bool) -> impl Iterator<Item = &'static Facts> {
        let changes = self.behaviours.iter().flat_map(|it| it.changes);
        self.new_facts().chain(changes).filter(move |it| it.kind == kind && it.shared == shared)
    }

    /// Whether facts of a kind come of them.
    pub(super) fn writes(&self, kind: &str, shared: bool) -> bool {
        self.new_facts().any(|it| it.kind == kind && it.shared == shared)
    }

    /// All kinds that they write.
    pub(super) fn kinds(&self, shared: bool) -> Vec<&'static str> {
        let facts = self.new_facts().filter(|it| it.shared == shared);
        let mut kinds: Vec<_> = facts.map(|it| it.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// What an attribute of such facts can be; empty if they never have it.
    pub(super) fn can(&self, kind: &str, shared: bool, attribute: Attribute) -> Vec<Can> {
        let attributes = self.facts(kind, shared).flat_map(|it| it.attributes);
        attributes.filter(|(at, _)| *at == attribute).map(|(_, can)| *can).collect()
    }

    /// The attributes that such facts have.
    pub(super) fn attributes(&self, kind: &str, shared: bool) -> Vec<&'static str> {
        let attributes = self.facts(kind, shared).flat_map(|it| it.attributes);
        let mut names: Vec<_> = attributes.map(|(at, _)| at.name()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// How a file gets facts of a kind with such an attribute: statements to choose from.
    pub(super) fn who(
        &self,
        kind: &str,
        shared: bool,
        attribute: Option<Attribute>,
        fits: &dyn Fn(&Can) -> bool,
    ) -> String {
        let fits = |facts: &Facts| {
            let mut attributes = facts.attributes.iter();
            let has = attributes.any(|(at, can)| attribute.is_none_or(|it| it == *at) && fits(can));
            facts.kind == kind && facts.shared == shared && has
        };
        let sensors = self.sensors.iter().filter(|it| it.writes.iter().any(fits));
        let mut ways: Vec<String> = sensors.map(|it| format!("`{}`", it.statement())).collect();
        let changed = |it: &BehaviourEntry| it.writes.iter().chain(it.changes).any(fits);
        let behaviours = self.behaviours.iter().filter(|it| changed(it));
        ways.extend(behaviours.map(|it| format!("an action that `does {}`", it.name)));
        if self.told.iter().any(|it| fits(it)) {
            ways.push("a `squad` statement".to_string());
        }
        ways.join(" or ")
    }
}
