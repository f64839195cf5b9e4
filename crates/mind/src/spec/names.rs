//! The names that notes may use: those of the domain, and those of sensors.
//!
//! In:   the compiled domain and the notes.
//! Out:  ids for names; a bare name stands for all that a template became.
//! Cost: one entry per action and goal.
//!
//! Former names are for saved games: a note uses present ones, as the rest of the file does.

use super::defaults::bare;
use std::collections::HashMap;
use throng_domain::compile::{CompiledDomain, SourceMap};
use throng_domain::model::{ActionId, GoalId, NpcTypeId, VariableId};
use throng_domain::notes::{Note, NoteOn, WordKind};
use throng_domain::source::Span;

/// Ids by bare name, in declared order.
pub(super) struct Groups<'m, T> {
    list: Vec<(&'m str, Vec<T>)>,
    index: HashMap<&'m str, usize>,
}

impl<'m, T> Groups<'m, T> {
    fn new(entries: impl Iterator<Item = (&'m str, T)>) -> Self {
        let mut groups = Groups { list: Vec::new(), index: HashMap::new() };
        for (name, id) in entries {
            let name = bare(name);
            let at = *groups.index.entry(name).or_insert(groups.list.len());
            if at == groups.list.len() {
                groups.list.push((name, Vec::new()));
            }
            groups.list[at].1.push(id);
        }
        groups
    }

    pub(super) fn get(&self, name: &str) -> Option<&[T]> {
        self.index.get(name).map(|&at| &self.list[at].1[..])
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'m str> + Clone {
        self.list.iter().map(|&(name, _)| name)
    }
}

/// All names.
pub(super) struct Names<'m> {
    pub(super) map: &'m SourceMap,
    actions: Groups<'m, ActionId>,
    pub(super) goals: Groups<'m, GoalId>,
    /// Names of sensors with the place of the first of that name, in the order of the file.
    sensors: Vec<(&'m str, Span)>,
    sensor_index: HashMap<&'m str, usize>,
}

impl<'m> Names<'m> {
    pub(super) fn new(domain: &'m CompiledDomain, notes: &'m [Note]) -> Self {
        let map = domain.map();
        let mut names = Names {
            map,
            actions: Groups::new(map.action_ids().map(|id| (map.action(id), id))),
            goals: Groups::new(map.goal_ids().map(|id| (map.goal(id), id))),
            sensors: Vec::new(),
            sensor_index: HashMap::new(),
        };
        // Sensors with a mistake count too, so that naming one is not a second mistake.
        let of_sensor = |note: &&Note| note.keyword.word == "sensor" && note.on == NoteOn::Itself;
        let first = notes.iter().filter(of_sensor).filter_map(|note| note.words.first());
        for word in first.filter(|word| word.kind == WordKind::Name) {
            names.sensor_index.entry(&word.text).or_insert_with(|| {
                names.sensors.push((&word.text, word.span));
                names.sensors.len() - 1
            });
        }
        names
    }

    pub(super) fn variable(&self, name: &str) -> Option<VariableId> {
        self.map.find_variable(name).filter(|&id| self.map.variable(id) == name)
    }

    pub(super) fn variables(&self) -> impl Iterator<Item = &'m str> + Clone {
        let map = self.map;
        map.variable_ids().map(move |id| map.variable(id))
    }

    /// The one ground action of this name, or all of a template.
    pub(super) fn actions(&self, name: &str) -> Option<&[ActionId]> {
        let group = self.actions.get(bare(name))?;
        if bare(name) == name {
            return Some(group);
        }
        let first = self.ground_action(name)?;
        let variants = self.map.variants(first);
        let at = group.binary_search(&first).ok()?;
        if variants.is_empty() { group.get(at..=at) } else { Some(variants) }
    }

    pub(super) fn ground_action(&self, name: &str) -> Option<ActionId> {
        self.map.find_action(name).filter(|&id| self.map.action(id) == name)
    }

    /// What may stand where a name does: bare names, or the ground names of its template.
    pub(super) fn like_action(&self, name: &str) -> impl Iterator<Item = &'m str> + Clone {
        let map = self.map;
        let ids = self.actions.get(bare(name)).filter(|_| bare(name) != name);
        let bare_names = ids.is_none().then(|| self.actions.names());
        let ground = ids.into_iter().flatten().map(move |&id| map.action(id));
        ground.chain(bare_names.into_iter().flatten())
    }

    pub(super) fn npc(&self, name: &str) -> Option<NpcTypeId> {
        self.map.find_npc(name).filter(|&id| self.map.npc(id) == name)
    }

    /// The position of a sensor in the order of the file, and where it is declared.
    pub(super) fn sensor(&self, name: &str) -> Option<(usize, Span)> {
        self.sensor_index.get(name).map(|&at| (at, self.sensors[at].1))
    }

    pub(super) fn sensors(&self) -> impl Iterator<Item = &'m str> + Clone {
        self.sensors.iter().map(|&(name, _)| name)
    }
}
