//! Which selections a type makes: those that something of it can ask for.
//!
//! In:   a spec that is otherwise complete.
//! Out:  for every NPC type its selections, in the order in which they are made.
//! Cost: one pass over what each type can do and wants, until nothing new is asked for.
//!
//! A type asks for what its actions, besides, goals, prices, checks and sensors name, for what the symbols of
//! the variables in all of these do, and for what its selections ask of others. Code may read a pick
//! by its name, which no file says: `attack` is about `target`. So a type also makes what nobody asks
//! for; and if another's action is judged by a selection (its symbol asks for it) and the type does
//! something by the same code, then that selection too.

use super::needs::{asked_by_select, checks_of, variables};
use super::{ActionSpec, Spec};
use crate::condition::{Condition, Measure, Term};
use crate::effects::{ActionEffect, Effects, Given};
use crate::picks::{SlotSet, slot_set};
use crate::words::Word;
use std::collections::{BTreeSet, HashMap};
use throng_domain::compile::{LocalAction, NpcTables};
use throng_domain::model::{ActionId, VariableId};

/// For every NPC type the positions of the selections that it makes. `senses` has, by type, the
/// sensors that a type names; one that names none may have all.
pub(super) fn selects_of_types(spec: &Spec, senses: &HashMap<usize, Vec<u16>>) -> Vec<Vec<u16>> {
    if spec.selects.is_empty() {
        return vec![Vec::new(); spec.npcs.len()];
    }
    let types = || spec.domain.npcs().iter();
    let asks = |(at, npc)| Asking::of(spec, npc, senses.get(&at)).slots;
    let asked: Vec<SlotSet> = types().enumerate().map(asks).collect();
    let by_anybody = asked.iter().fold(0, |all, own| all | own);
    let mut by_code: HashMap<Word, SlotSet> = HashMap::new();
    for (npc, own) in types().zip(&asked) {
        for (does, about) in judged_by(spec, npc) {
            *by_code.entry(does).or_default() |= about & own;
        }
    }
    let made_by = |(npc, own): (&NpcTables, &SlotSet)| {
        let codes = npc.actions().iter().map(|&action| spec.action(action).does);
        let by_code = codes.fold(0, |all, does| all | by_code.get(&does).copied().unwrap_or(0));
        let mut asked = own | by_code | !by_anybody;
        // Each comes after those that it asks for.
        for select in spec.selects.iter().rev() {
            if select.own() & asked != 0 {
                asked |= select.reads;
            }
        }
        let selects = spec.selects.iter().zip(0u16..);
        selects.filter(|(select, _)| select.own() & asked != 0).map(|(_, at)| at).collect()
    };
    types().zip(&asked).map(made_by).collect()
}

/// By the code that does it: the slots that what an action brings about is judged by, but for those
/// that it is given as parameters.
fn judged_by<'s>(
    spec: &'s Spec,
    npc: &'s NpcTables,
) -> impl Iterator<Item = (Word, SlotSet)> + use<'s> {
    let symbols = spec.symbols.iter().map(|symbol| (symbol.variable, symbol.asks));
    let judged: HashMap<VariableId, SlotSet> = symbols.collect();
    let mut given: HashMap<Word, SlotSet> = HashMap::new();
    for action in npc.actions().iter().map(|&action| spec.action(action)) {
        *given.entry(action.template).or_default() |= action.pins();
    }
    let about = move |(id, local): (ActionId, LocalAction)| {
        let set = npc.sets(local).iter().map(|set| set.variable);
        let moved = npc.shifts(local).iter().map(|shift| shift.variable);
        let changed = set.chain(moved).map(|variable| npc.variables()[variable.index()]);
        let action = spec.action(id);
        let slots = changed.filter_map(|variable| judged.get(&variable));
        let slots = slots.fold(0, |all, asked| all | asked);
        (action.does, slots & !given.get(&action.template).copied().unwrap_or(0))
    };
    npc.actions().iter().copied().zip(npc.local_actions()).map(about)
}

/// The slots that a word means, if it is the name of a slot or of a selection.
fn slots_named(spec: &Spec, word: &str) -> SlotSet {
    let map = spec.domain.map();
    let one = map.find_slot(word).into_iter();
    let all = map.find_select(word).into_iter().flat_map(|select| map.slots_of(select));
    one.chain(all).fold(0, |set, slot| set | slot_set(slot.index() as u16, 1))
}

/// What a type asks for, as it is found.
struct Asking<'s> {
    spec: &'s Spec,
    slots: SlotSet,
    variables: BTreeSet<u32>,
}

impl<'s> Asking<'s> {
    fn of(spec: &'s Spec, npc: &NpcTables, senses: Option<&Vec<u16>>) -> Self {
        let variables = npc.variables().iter().map(|variable| variable.index() as u32).collect();
        let mut asking = Asking { spec, slots: 0, variables };
        npc.actions().iter().for_each(|&action| asking.action(action));
        for &goal in npc.goals() {
            asking.terms(&spec.goal(goal).relevance);
        }
        let checks = checks_of(npc);
        for check in spec.checks.iter().filter(|it| checks.contains(&it.check)) {
            asking.slots |= check.needs;
            asking.conditions([&check.condition]);
        }
        for asked in spec.asked_checks.iter().filter(|it| checks.contains(&it.check)) {
            asking.slots |= asked.needs | asked.of.map_or(0, |of| of.slots());
        }
        for (sensor, at) in spec.sensors.iter().zip(0u16..) {
            if senses.is_none_or(|senses| senses.contains(&at)) {
                asking.conditions(&sensor.during);
            }
        }
        let is_own = |action: &ActionId| npc.local_action(*action).is_some();
        for price in &spec.prices {
            let mut priced = price.actions.iter().filter(|(action, _)| is_own(action)).peekable();
            if priced.peek().is_some() {
                asking.slots |= priced.fold(0, |all, (_, it)| all | it.slots());
                asking.terms(price.rules.iter().map(|(term, _)| term));
                asking
                    .conditions(price.rules.iter().filter_map(|(_, condition)| condition.as_ref()));
            }
        }
        for learn in spec.learns.iter().filter(|it| it.actions.iter().any(is_own)) {
            asking.conditions([&learn.condition]);
        }
        let own = &spec.npcs[npc.id().index()];
        for beside in own.besides.iter().filter_map(|&at| spec.besides.get(usize::from(at))) {
            asking.conditions(&beside.condition);
            asking.given(&beside.given);
            asking.effects(beside.effects);
        }
        // His squad is told what he has picked, and what squads do is about their prize.
        for squad in &spec.squads {
            let reports = squad.reports.filter(|_| squad.of.contains(&npc.id()));
            let prize = squad.prize.filter(|_| squad.npc == npc.id());
            let slots = reports.into_iter().chain(prize);
            let slots = slots.flat_map(|it| spec.domain.map().slots_of(it));
            asking.slots |= slots.fold(0, |all, slot| all | slot_set(slot.index() as u16, 1));
        }
        // One that says neither what it comes after nor before may come anywhere.
        for flavour in &spec.flavours {
            asking.conditions(&flavour.condition);
        }
        asking.go_on();
        asking
    }

    fn action(&mut self, action: ActionId) {
        let ActionSpec { given, named, effects, .. } = self.spec.action(action);
        self.slots |= named;
        self.given(given);
        self.effects(*effects);
    }

    fn given(&mut self, given: &[Word]) {
        let words = given.iter().map(|&word| self.spec.words.text(word));
        self.slots |= words.fold(0, |all, word| all | slots_named(self.spec, word));
    }

    fn effects(&mut self, at: Option<usize>) {
        let effects: Option<&Effects> = at.and_then(|at| self.spec.effects.get(at));
        let clauses = effects.into_iter().flat_map(|all| all.0.iter().flatten());
        for effect in clauses.flat_map(|clause| &clause.effects) {
            self.slots |= match effect {
                ActionEffect::Forgets(pattern) | ActionEffect::Tells(pattern, _) => pattern.slots(),
                ActionEffect::Remembers { says, .. } => says.iter().fold(0, |all, (_, given)| {
                    all | match given {
                        Given::Of(what) => what.slots(),
                        Given::Value(_) => 0,
                    }
                }),
                ActionEffect::Noise { at, .. } => at.map_or(0, |at| at.slots()),
            };
        }
    }

    fn conditions<'c>(&mut self, all: impl IntoIterator<Item = &'c Condition>) {
        for condition in all {
            self.slots |= condition.slots();
            self.variables.extend(variables([condition]));
        }
    }

    fn terms<'t>(&mut self, all: impl IntoIterator<Item = &'t Term>) {
        all.into_iter().for_each(|term| self.measure(&term.measure));
    }

    fn measure(&mut self, measure: &Measure) {
        self.slots |= measure.slots();
        measure.each_variable(&mut |variable| _ = self.variables.insert(variable));
    }

    /// Symbols of what is asked for ask for more, and so do selections.
    fn go_on(&mut self) {
        loop {
            let before = (self.slots, self.variables.len());
            let spec = self.spec;
            let is_asked = |variable: usize| self.variables.contains(&(variable as u32));
            let values = spec.slot_values.iter().filter(|(it, _)| is_asked(it.index()));
            let values = values.flat_map(|(_, slots)| slots.iter().flatten());
            self.slots |= values.fold(0, |all, &slot| all | slot_set(slot, 1));
            for symbol in &spec.symbols {
                if self.variables.contains(&(symbol.variable.index() as u32)) {
                    self.slots |= symbol.asks;
                }
            }
            for select in &spec.selects {
                if select.own() & self.slots != 0 {
                    self.slots |= select.reads | select.own();
                    self.variables.extend(asked_by_select(select));
                }
            }
            if before == (self.slots, self.variables.len()) {
                return;
            }
        }
    }
}
