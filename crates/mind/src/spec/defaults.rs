//! What holds where the file says nothing.

use super::own_names::prefixes_of_type;
use super::watched::AllWatched;
use super::{ActionSpec, GoalSpec, NpcSpec, Spec};
use crate::channels::ChannelSet;
use crate::picks::slot_set;
use crate::spec::SquadWords;
use crate::time::Pace;
use crate::words::{Word, Words};
use std::sync::{Arc, OnceLock};
use throng_domain::compile::SourceMap;
use throng_domain::model::{ActionId, ValueId, VariableId};
use throng_domain::names::template_of;
use throng_planner::PreparedDomain;

/// How long the facts of a sensor are believed, in seconds.
pub(super) const KEEPS: f64 = 10.0;
/// How long an action or a flavour takes, in seconds.
pub(super) const TAKES: f64 = 0.5;
/// How much better another goal must be.
const MARGIN: f32 = 0.1;
/// How many facts a mind holds.
const MEMORY: usize = 32;
/// After how many times without effect an action is doubted, and for how many seconds.
const DOUBT: (u8, f64) = (2, 10.0);
/// How many seconds a failed action is not there.
const RETRY: f64 = 1.0;

/// The bare name of an action or goal: `go` for `go(pipe)`.
pub(super) fn bare(name: &str) -> &str {
    template_of(name).unwrap_or(name)
}

/// The words in the parentheses of a ground name.
pub(super) fn parameters(name: &str) -> impl Iterator<Item = &str> {
    let inside = name.strip_prefix(bare(name)).unwrap_or("");
    let inside = inside.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inside.unwrap_or("").split(' ').filter(|word| !word.is_empty())
}

impl Spec {
    /// Minds of a domain without notes: no NPC senses anything, every goal matters as much as its
    /// priority says, and every action takes half a second.
    pub fn of(domain: Arc<PreparedDomain>, pace: Pace) -> Spec {
        // Names are interned in the order of the file.
        let mut words = Words::default();
        let map = domain.map();
        let action = |id: ActionId, words: &mut Words| {
            let name = map.action(id);
            let template = words.intern(bare(name));
            let parameters: Vec<Word> = parameters(name).map(|word| words.intern(word)).collect();
            let mut slots = vec![None; parameters.len()];
            for &(at, slot) in map.parameter_slots(id) {
                slots[at] = Some(slot.index() as u16);
            }
            let named = map.named_slots(id).into_iter();
            let named = named.fold(0, |all, slot| all | slot_set(slot.index() as u16, 1));
            let (kinds, parts) = (Vec::new(), Vec::new());
            ActionSpec {
                does: template,
                given: Vec::new(),
                takes: pace.ticks(TAKES),
                template,
                parameters,
                slots,
                named,
                kinds,
                parts,
                effects: None,
                cooldown: None,
                chance: None,
                uses: ChannelSet::ALL,
            }
        };
        let actions = map.action_ids().map(|id| action(id, &mut words)).collect();
        for name in map.goal_names() {
            words.intern(bare(name));
            words.intern(name);
        }
        for name in map.npc_names() {
            words.intern(name);
        }
        let told = words.intern("told");
        let squad_words = SquadWords::of(&words);
        let fingerprint = super::read::fingerprint(&domain, pace, &[]);
        let goal = GoalSpec {
            relevance: Vec::new(),
            margin: MARGIN,
            keep: 0,
            cooldown: 0,
            urgent: false,
            reconsiders: None,
            lingers: 0,
        };
        let npc = |prefixes| NpcSpec {
            sensors: Vec::new(),
            besides: Vec::new(),
            selects: Vec::new(),
            selects_read_state: false,
            selects_ask_others: false,
            prefixes,
            otherwise: None,
            otherwise_after: 0,
            memory: MEMORY,
            doubt: (DOUBT.0, pace.ticks(DOUBT.1)),
            retry: pace.ticks(RETRY),
            commits: 0,
        };
        Spec {
            goals: vec![goal; domain.goals().len()],
            npcs: domain.npcs().iter().map(|it| npc(prefixes_of_type(map, it))).collect(),
            actions,
            words,
            told,
            pace,
            sensors: Vec::new(),
            symbols: Vec::new(),
            checks: Vec::new(),
            told_checks: Vec::new(),
            asked_checks: Vec::new(),
            chance_checks: Vec::new(),
            effects: Vec::new(),
            has_pauses: false,
            speaks_of_squads: false,
            facts: Vec::new(),
            asked: Vec::new(),
            body: None,
            prices: Vec::new(),
            learns: Vec::new(),
            flavours: Vec::new(),
            besides: Vec::new(),
            wrong_channel: Word::NONE,
            squads: Vec::new(),
            goals_of_duty: Vec::new(),
            slots: map.slot_names().map(str::to_string).collect(),
            selects: Vec::new(),
            claimed_slots: 0,
            selects_ask_others: false,
            slot_values: slot_values(map),
            squad_words,
            watched: AllWatched::default(),
            asks_age: false,
            asks_distance: false,
            fingerprint,
            names: OnceLock::new(),
            domain,
        }
    }
}

/// By variable that has slots as values: by value, the slot that it is.
fn slot_values(map: &SourceMap) -> Vec<(VariableId, Vec<Option<u16>>)> {
    if map.slot_ids().next().is_none() {
        return Vec::new();
    }
    let words = map.variable_ids().filter(|&id| map.amount(id).is_none());
    let slots = |id| {
        let values = (0..map.n_values(id)).map(ValueId::at);
        let slot = |value| map.value_slot(id, value).map(|slot| slot.index() as u16);
        values.map(slot).collect::<Vec<_>>()
    };
    let all = words.map(|id| (id, slots(id)));
    all.filter(|(_, slots)| slots.iter().any(Option::is_some)).collect()
}
