//! Symbols: from what a mind remembers to what its planner sees.
//!
//! In:   memory, the rules of the spec, what the game said itself.
//! Out:  a value per variable, which checks hold, which actions are there, what they cost.
//! Cost: nothing while memory stands still and no answer has run out of time; else one pass over
//!       the rules, of which those are asked for which something has changed.
//!
//! A variable without a `symbol` rule keeps what actions set. One with a rule is what memory says;
//! but an action that was just done is believed until the sensors that feed the variable have
//! looked again, because a plan goes on faster than sensors look.

mod codec;
mod kept;
mod offers;
mod pauses;
mod settle;
mod tried;

use crate::chance::Luck;
use crate::condition::{Condition, Ref, Situation};
use crate::events::EventKind;
use crate::fact::{Attribute, Value};
use crate::memory::{KindSet, Memory};
use crate::picks::{Picks, SlotSet};
use crate::seldom::Seldom;
use crate::senses::Senses;
use crate::shown::{has_moved, moved};
use crate::spec::watched::{Inputs, VALUES};
use crate::spec::{CheckSpec, Spec, SymbolRule, SymbolSpec};
use crate::time::{NEVER, Tick};
use crate::versions::Versions;
use kept::Kept;
pub(crate) use offers::Doubt;
pub use pauses::AskRules;
pub(crate) use pauses::{Around, CooledBy, Pauses};
use throng_domain::compile::{PackedValue, UNKNOWN};
use throng_domain::model::{ActionId, CheckId, Conditions, NpcTypeId, VariableId};
use throng_planner::{ActionMask, Checks};
pub(crate) use tried::facts_read;

/// What an action was to bring about, believed until the senses have looked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Belief {
    variable: VariableId,
    value: PackedValue,
    /// Of an amount, what it was before.
    before: Option<PackedValue>,
    /// By which action; `None` if others brought it about while the mind was elsewhere.
    action: Option<ActionId>,
    since: Tick,
}

impl Belief {
    /// Whether what the senses see now is what the action was to bring about. Amounts move by
    /// themselves too, as hunger does: of them half the way is enough.
    fn came_true(&self, seen: PackedValue) -> bool {
        match self.before {
            Some(before) => has_moved(before, self.value, seen),
            None => seen == self.value,
        }
    }
}

/// What the planner sees.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    pub(crate) npc: NpcTypeId,
    values: Vec<PackedValue>,
    checks: Checks,
    /// Checks that the game has answered itself: no rule answers them.
    pub(crate) told: Seldom<Vec<CheckId>>,
    /// When it last did, of those that the file declares as told.
    pub(crate) told_at: Seldom<Vec<(CheckId, Tick)>>,
    forbidden: ActionMask,
    enabled: ActionMask,
    costs: Seldom<Vec<u64>>,
    beliefs: Vec<Belief>,
    pub(crate) doubts: Vec<Doubt>,
    /// Actions that are not there for a while.
    pub(crate) pauses: Seldom<Pauses>,
    /// By position in the spec's `learns`.
    pub(crate) learnt: Seldom<Vec<bool>>,
    /// What this was made of.
    seen: Versions,
    /// An answer may change by itself at this moment.
    wake: Tick,
    /// Changes whenever a value, an action that is there, or a price does.
    version: u64,
    dirty: bool,
    kept: Kept,
}

/// How new a memory is, and what was picked from it. Both only count up, so their sum tells when
/// either has changed.
pub(crate) fn seen_of(spec: &Spec, memory: &Memory, picks: &Picks) -> (u64, u64) {
    let (version, refreshed) = memory.versions(spec.asks_age);
    (version.wrapping_add(picks.version()), refreshed)
}

impl Versions {
    /// Those of a situation, without what was picked in it.
    pub(crate) fn without_picks(spec: &Spec, from: &Situation<'_>) -> Self {
        Versions { memory: from.memory.versions(spec.asks_age), ..Versions::of(spec, from) }
    }

    /// Those of a situation; what no condition of the file asks about is left out.
    pub(crate) fn of(spec: &Spec, from: &Situation<'_>) -> Self {
        Versions {
            memory: seen_of(spec, from.memory, from.picks),
            shared: from.shared.versions(spec.asks_age),
            here: if spec.asks_distance { from.here } else { [0.0; 3] },
        }
    }
}

/// What checks answer before anything is known: true, unless the file says otherwise.
fn first_answers(spec: &Spec) -> Checks {
    let mut checks = Checks::all(spec.domain.map().n_checks());
    spec.told_checks.iter().for_each(|&(check, holds)| checks.set(check, holds));
    spec.asked_checks.iter().for_each(|asked| checks.set(asked.check, asked.default));
    checks
}

impl State {
    /// As the type starts, and nothing sensed yet.
    pub(crate) fn new(spec: &Spec, npc: NpcTypeId) -> Self {
        let kind = spec.domain.npc(npc);
        let mut values = vec![UNKNOWN; spec.domain.map().n_variables()];
        for fact in kind.starts() {
            values[fact.variable.index()] = fact.value.index() as PackedValue;
        }
        State {
            npc,
            values,
            checks: first_answers(spec),
            told: Seldom::default(),
            told_at: Seldom::default(),
            forbidden: ActionMask::none(kind.n_actions()),
            enabled: ActionMask::default(),
            costs: Seldom::default(),
            beliefs: Vec::new(),
            doubts: Vec::new(),
            pauses: Pauses::new(spec),
            learnt: vec![false; spec.learns.len()].into(),
            seen: Versions::default(),
            wake: 0,
            version: 0,
            dirty: true,
            kept: Kept::default(),
        }
    }

    throng_base::getters! {
        /// The value of every variable of the domain.
        values: &[PackedValue];

        /// Which checks hold.
        checks: &Checks;

        /// Which actions of the type are there.
        enabled: &ActionMask;

        /// Which actions are taken out: doubted, or not yet learnt.
        forbidden: &ActionMask;

        /// What the actions of the type cost, in thousandths; empty for what the domain says.
        costs: &[u64];

        /// Changes whenever anything that planning depends on does.
        version: u64;
    }

    /// Whether all of these facts, or conditions, hold.
    pub fn has_all<'c>(&self, conditions: impl Into<Conditions<'c>>) -> bool {
        let value = |id: VariableId| self.values.get(id.index()).copied().unwrap_or(UNKNOWN);
        conditions.into().hold(value)
    }

    /// Whether an action has been learnt, or need not be.
    pub fn knows(&self, spec: &Spec, action: ActionId) -> bool {
        let mut rules = spec.learns.iter().zip(&*self.learnt);
        rules.all(|(rule, learnt)| *learnt || !rule.actions.contains(&action))
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.values.capacity() * size_of::<PackedValue>()
            + self.told.heap_bytes()
            + self.told_at.heap_bytes()
            + self.costs.heap_bytes()
            + self.pauses.heap_bytes()
            + self.told.capacity() * size_of::<CheckId>()
            + self.told_at.capacity() * size_of::<(CheckId, Tick)>()
            + (self.forbidden.words().len() + self.enabled.words().len()) * 8
            + self.checks.len().div_ceil(64) * 8
            + self.costs.capacity() * 8
            + self.beliefs.capacity() * size_of::<Belief>()
            + self.doubts.capacity() * size_of::<Doubt>()
            + self.learnt.heap_bytes()
            + self.learnt.capacity()
            + self.kept.clocks.capacity() * size_of::<Tick>()
            + Pauses::heap_bytes(&self.pauses)
    }

    /// When this may change by itself.
    pub(crate) fn wake(&self) -> Tick {
        if self.dirty { 0 } else { self.wake }
    }

    /// Whether this was made of the memory as it is; behaviours write to it later in a tick.
    pub(crate) fn has_seen(&self, spec: &Spec, memory: &Memory, picks: &Picks) -> bool {
        self.seen.memory == seen_of(spec, memory, picks)
    }

    /// The game gives a variable a value.
    pub(crate) fn set(&mut self, variable: VariableId, value: PackedValue) {
        if let Some(place) = self.values.get_mut(variable.index())
            && std::mem::replace(place, value) != value
        {
            self.touch();
        }
    }

    /// A variable has had this value since others saw to the mind, as far as is known: it is
    /// believed until the senses have looked.
    pub(crate) fn carry(
        &mut self,
        spec: &Spec,
        variable: VariableId,
        value: PackedValue,
        now: Tick,
    ) {
        self.set(variable, value);
        self.beliefs.retain(|belief| belief.variable != variable);
        if value != UNKNOWN && spec.symbols.iter().any(|symbol| symbol.variable == variable) {
            let before = None;
            self.beliefs.push(Belief { variable, value, before, action: None, since: now });
        }
    }

    /// What the rule of this position is about was learnt.
    pub(crate) fn learn(&mut self, at: usize) {
        self.learnt[at] = true;
        self.touch();
    }

    /// The game answers a check at this moment; it is remembered if the file has declared that it does.
    pub(crate) fn note_told(&mut self, spec: &Spec, check: CheckId, now: Tick) {
        let is_declared = spec.told_checks.iter().any(|(known, _)| *known == check)
            || spec.asked_checks.iter().any(|known| known.check == check);
        if is_declared {
            self.told_at.retain(|(known, _)| *known != check);
            self.told_at.push((check, now));
        }
    }

    /// A check is as the game was asked, and answered.
    pub(crate) fn answer_check(&mut self, check: CheckId, holds: bool) {
        if self.checks.holds(check) != holds {
            self.checks.set(check, holds);
            self.touch();
        }
    }

    /// The game answers a check itself, from now on.
    pub(crate) fn tell_check(&mut self, check: CheckId, holds: bool) {
        if !self.told.contains(&check) {
            self.told.push(check);
        }
        if self.checks.holds(check) != holds {
            self.checks.set(check, holds);
            self.touch();
        }
    }

    /// An action was done: what it sets holds, and amounts have moved, as far as is known. `begun`
    /// has the values that it moves as they were when it began, in the order of its shifts.
    /// What is about something that `lost` slots held when it began is not believed of what they
    /// hold now.
    pub(crate) fn apply(
        &mut self,
        spec: &Spec,
        action: ActionId,
        begun: &[PackedValue],
        lost: SlotSet,
        now: Tick,
    ) {
        let kind = spec.domain.npc(self.npc);
        let Some(local) = kind.local_action(action) else { return };
        if let Some(doubt) = self.doubts.iter_mut().find(|doubt| doubt.action == action) {
            doubt.fails = 0;
        }
        for &effect in kind.sets(local) {
            let variable = kind.fact(effect).variable;
            if lost == 0 || spec.slots_about(variable, effect.value) & lost == 0 {
                self.believe(spec, variable, effect.value, action, now);
            }
        }
        for (at, shift) in kind.shifts(local).iter().enumerate() {
            let variable = kind.variables()[shift.variable.index()];
            let value = self.values[variable.index()];
            if let Some(moved) = moved(kind, *shift, begun.get(at).copied(), value) {
                self.believe(spec, variable, moved, action, now);
            }
        }
        // Rules that ask for a value are asked again, and those of what is believed in any case.
        self.dirty = true;
        self.kept.values_moved = true;
    }

    /// A variable has a value by an action, as far as is known.
    fn believe(
        &mut self,
        spec: &Spec,
        variable: VariableId,
        value: PackedValue,
        action: ActionId,
        now: Tick,
    ) {
        let held = std::mem::replace(&mut self.values[variable.index()], value);
        let believed = self.beliefs.iter().find(|belief| belief.variable == variable).copied();
        // What memory shows already need not be believed: it may change again right now, as
        // when one task is over and the next is told.
        if held == value && believed.is_none() {
            return;
        }
        if spec.symbols.iter().any(|symbol| symbol.variable == variable) {
            self.beliefs.retain(|belief| belief.variable != variable);
            let is_amount = spec.domain.map().amount(variable).is_some();
            let before = match believed {
                Some(belief) if held == value => belief.before,
                _ => Some(held).filter(|&held| is_amount && held != UNKNOWN),
            };
            let action = Some(action);
            self.beliefs.push(Belief { variable, value, before, action, since: now });
        }
    }

    /// Brings everything up to date; says whether anything that planning depends on changed. The
    /// values of the situation are not looked at: they are this state's own.
    pub(crate) fn update(
        &mut self,
        spec: &Spec,
        senses: &Senses,
        from: &Situation<'_>,
        changed_kinds: KindSet,
        around: Around<'_>,
        mut event: impl FnMut(EventKind),
    ) -> bool {
        let seen = Versions::of(spec, from);
        let beliefs_may_end = !self.beliefs.is_empty();
        let is_same = !self.dirty && seen == self.seen && from.now < self.wake;
        if is_same && !beliefs_may_end && around.rules != AskRules::Always {
            self.kept.changed = 0;
            return false;
        }
        if around.rules != AskRules::Changed {
            self.forget_answers();
        }
        let mut inputs = self.changed_inputs(spec, from, changed_kinds, &seen);
        self.seen = seen;
        self.wake = NEVER;
        let was_dirty = std::mem::take(&mut self.dirty);
        let values = self.update_values(spec, senses, from, inputs, &mut event);
        inputs |= if values { VALUES } else { 0 };
        let checks = self.update_checks(spec, from, inputs, around.luck);
        let learnt = self.update_learnt(spec, from, &mut event);
        self.end_waits(spec, from);
        let offers = inputs == Inputs::MAX || checks || learnt;
        let enabled = self.update_enabled(spec, from, offers, around);
        let costs = self.update_costs(spec, from, inputs, around.luck);
        self.kept.is_known = true;
        self.kept.values_moved = values;
        self.kept.changed = inputs;
        self.wake = self.kept.clocks.iter().copied().fold(self.wake, Tick::min);
        #[cfg(debug_assertions)]
        self.assert_as_made_anew(spec, from, around.luck);
        let changed = was_dirty || values || checks || enabled || costs;
        self.version += u64::from(changed);
        changed
    }

    fn update_values(
        &mut self,
        spec: &Spec,
        senses: &Senses,
        from: &Situation<'_>,
        inputs: Inputs,
        event: &mut impl FnMut(EventKind),
    ) -> bool {
        let mut changed = false;
        for (symbol, &watched) in spec.symbols.iter().zip(&spec.watched.symbols) {
            let belief = self.beliefs.iter().position(|b| b.variable == symbol.variable);
            let inputs = if changed { inputs | VALUES } else { inputs };
            if belief.is_none() && !self.kept.is_due(watched, inputs, from.now) {
                continue;
            }
            let mut wake = NEVER;
            let mut value = self.by_rules(symbol, from, &mut wake);
            self.kept.set_clock(watched, wake);
            if let Some(at) = belief {
                let belief = self.beliefs[at];
                let looked = senses.have_looked(spec, symbol.variable, belief.since);
                if value != belief.value && !looked {
                    value = belief.value;
                } else {
                    self.beliefs.remove(at);
                    if let Some(action) = belief.action {
                        self.confirm(spec, from.now, action, belief.came_true(value), event);
                    }
                }
            }
            let place = &mut self.values[symbol.variable.index()];
            changed |= std::mem::replace(place, value) != value;
        }
        changed
    }

    fn by_rules(&self, symbol: &SymbolSpec, from: &Situation<'_>, wake: &mut Tick) -> PackedValue {
        let situation = Situation { values: &self.values, ..*from };
        for rule in &symbol.rules {
            match rule {
                SymbolRule::If(value, None) => return *value,
                SymbolRule::If(value, Some(condition)) => {
                    if condition.holds(&situation, wake) {
                        return *value;
                    }
                }
                SymbolRule::Number(measure, range) => {
                    let number = measure.value(&situation, wake);
                    if let Some(number) = number {
                        return range.nearest(number);
                    }
                }
                SymbolRule::Named(attribute, pattern) => {
                    let fact = pattern.surest(*attribute, &situation, wake);
                    let value = fact.and_then(|fact| fact.get(*attribute));
                    let at = value.and_then(|(value, _)| symbol.value_called(value, &situation));
                    if let Some(at) = at {
                        return at as PackedValue;
                    }
                }
            }
        }
        UNKNOWN
    }

    fn holds(&mut self, condition: &Condition, from: &Situation<'_>) -> bool {
        let situation = Situation { values: &self.values, ..*from };
        condition.holds(&situation, &mut self.wake)
    }

    fn update_checks(
        &mut self,
        spec: &Spec,
        from: &Situation<'_>,
        inputs: Inputs,
        luck: Luck,
    ) -> bool {
        let mut changed = false;
        for (check, chance) in &spec.chance_checks {
            if self.told.contains(check) {
                continue;
            }
            let holds = chance.says_yes(luck, from.now);
            self.wake = self.wake.min(chance.until(from.now));
            changed |= self.checks.holds(*check) != holds;
            self.checks.set(*check, holds);
        }
        let bound = from.picks.bound();
        let all = spec.checks.iter().zip(&spec.watched.checks);
        for (CheckSpec { check, condition, needs }, &watched) in all {
            if self.told.contains(check) || !self.kept.is_due(watched, inputs, from.now) {
                continue;
            }
            let mut wake = NEVER;
            let situation = Situation { values: &self.values, ..*from };
            let holds = needs & !bound == 0 && condition.holds(&situation, &mut wake);
            self.kept.set_clock(watched, wake);
            changed |= self.checks.holds(*check) != holds;
            self.checks.set(*check, holds);
        }
        changed
    }

    fn update_learnt(
        &mut self,
        spec: &Spec,
        from: &Situation<'_>,
        event: &mut impl FnMut(EventKind),
    ) -> bool {
        let mut any = false;
        for (at, rule) in spec.learns.iter().enumerate() {
            if !self.learnt[at] && self.holds(&rule.condition, from) {
                self.learnt[at] = true;
                let kind = spec.domain.npc(self.npc);
                let own = rule.actions.iter().filter(|id| kind.local_action(**id).is_some());
                own.for_each(|&action| event(EventKind::Learnt(action)));
                any = true;
            }
        }
        any
    }
}

impl SymbolSpec {
    /// The value that is called like a word, or that is a slot which holds that; the first.
    pub(crate) fn value_called(&self, value: Value, situation: &Situation<'_>) -> Option<usize> {
        let is_held = |at: usize| {
            let slot = self.value_slots.get(at).copied().flatten();
            slot.map(|slot| Ref::Slots(slot, 1).is(Attribute::Node, value, situation))
        };
        let is_called = |at: usize| value == Value::Word(self.value_words[at]);
        (0..self.value_words.len()).find(|&at| is_held(at).unwrap_or_else(|| is_called(at)))
    }
}
