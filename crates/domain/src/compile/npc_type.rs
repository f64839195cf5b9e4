//! The tables of one NPC type: only what it touches, numbered densely.
//!
//! In:   the model and one of its NPC types.
//! Out:  needs, settings, costs, checks and overrides of its actions; for every variable and
//!       value (a *slot*) who sets it and who needs it.
//! Cost: linear in the actions of the type; a look-up is an index or a binary search.

use super::Rows;
use super::dense::DenseMoves;
use super::masks::ActionMasks;
use super::moves::SmallMoves;
use super::packed::{PackedValue, StateLayout, UNKNOWN};
use super::parts::Parts;
use super::sole::SoleSetters;
use crate::classes::{ClassReport, classify};
use crate::model::*;
use std::fmt;
use std::sync::Arc;

throng_base::typed_id! {
    /// Position of a variable among those of an NPC type.
    pub struct LocalVariable(pub u32);
    /// Position of an action among those of an NPC type.
    pub struct LocalAction(pub u32);
}

/// A variable of an NPC type having a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocalFact {
    /// The variable.
    pub variable: LocalVariable,
    /// Its value.
    pub value: PackedValue,
}

/// Which tables these are: clones are the same, and nothing else is, whatever a digest says. Who
/// keeps one keeps its address from being given to other tables.
#[derive(Clone, Default)]
pub struct Stamp(Arc<()>);

impl PartialEq for Stamp {
    fn eq(&self, other: &Stamp) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Stamp {}

impl fmt::Debug for Stamp {
    /// The address says nothing about the tables, so equal tables look equal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stamp")
    }
}

/// One NPC type, compiled.
#[derive(Clone, Debug)]
pub struct NpcTables {
    id: NpcTypeId,
    variables: Vec<VariableId>,
    actions: Vec<ActionId>,
    goals: Vec<GoalId>,
    starts: Vec<Fact>,
    layout: StateLayout,
    slot_starts: Vec<u32>,
    needs: Rows<LocalFact>,
    sets: Rows<LocalFact>,
    setters: Rows<LocalAction>,
    needed_by: Rows<LocalAction>,
    checks: Rows<CheckUse>,
    overrides: Rows<LocalAction>,
    costs: Vec<u64>,
    /// What the goals want, in the order of `goals`.
    wants: Rows<LocalFact>,
    /// The same as masks of the packed state, where that is one word.
    want_words: Vec<(u64, u64)>,
    small: Option<SmallMoves>,
    dense: Option<DenseMoves>,
    masks: Option<ActionMasks>,
    sole: Option<SoleSetters>,
    classes: ClassReport,
    kinds: Rows<LocalKind>,
    kind_checks: Vec<CheckUse>,
    wishes: Vec<LocalWish>,
    stamp: Stamp,
}

/// A way to do an action: which checks it asks for, what it costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalKind {
    first_check: u32,
    end_of_checks: u32,
    /// Its price beside the other kinds, in thousandths.
    pub cost: u64,
}

/// Steps of some actions that should come before steps of others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalWish {
    /// Those to come first.
    pub before: Vec<LocalAction>,
    /// Those to come later.
    pub after: Vec<LocalAction>,
}

/// What the tables of a type are made of: its own numbers for everything.
pub(super) struct Numbers {
    pub(super) id: NpcTypeId,
    pub(super) variables: Vec<VariableId>,
    /// How many values each variable has.
    pub(super) sizes: Vec<PackedValue>,
    pub(super) actions: Vec<ActionId>,
    pub(super) goals: Vec<GoalId>,
    pub(super) starts: Vec<Fact>,
    pub(super) needs: Rows<LocalFact>,
    pub(super) sets: Rows<LocalFact>,
    pub(super) checks: Rows<CheckUse>,
    pub(super) overrides: Rows<LocalAction>,
    pub(super) costs: Vec<u64>,
    pub(super) wants: Rows<LocalFact>,
}

impl NpcTables {
    /// The type as the model has it, with all that is learned at load.
    pub(super) fn new(model: &Model, id: NpcTypeId) -> Self {
        NpcTables::from_parts(&Parts::of(model, id)).learned()
    }

    /// The tables without what is learned at load: classes, and the layouts for moves.
    pub(super) fn from_parts(parts: &Parts<'_>) -> Self {
        let variables = parts.touched_variables();
        let local = |fact: &Fact| LocalFact {
            variable: LocalVariable(position(&variables, fact.variable)),
            value: fact.value.0 as PackedValue,
        };
        let actions = || parts.actions.iter();
        let ids: Vec<ActionId> = actions().map(|action| action.id).collect();
        let known = |id: &ActionId| ids.binary_search(id).ok().map(|at| LocalAction(at as u32));
        let mut npc_type = NpcTables::from_numbers(Numbers {
            id: parts.id,
            needs: Rows::from_lists(actions().map(|action| action.requires.iter().map(local))),
            sets: Rows::from_lists(actions().map(|action| action.sets.iter().map(local))),
            sizes: variables.iter().map(|&id| parts.n_values(id)).collect(),
            wants: Rows::from_lists(parts.goals.iter().map(|(_, wants)| wants.iter().map(local))),
            checks: Rows::from_lists(actions().map(|action| action.checks.iter().copied())),
            overrides: Rows::from_lists(
                actions().map(|action| action.overrides.iter().filter_map(known)),
            ),
            costs: actions().map(|action| action.cost.0).collect(),
            goals: parts.goals.iter().map(|(id, _)| *id).collect(),
            starts: parts.starts.to_vec(),
            actions: ids,
            variables,
        });
        npc_type.add_kinds(parts);
        npc_type.add_wishes(parts);
        npc_type
    }

    fn add_kinds(&mut self, parts: &Parts<'_>) {
        self.kinds = Rows::from_lists(std::iter::empty::<[LocalKind; 0]>());
        for action in &parts.actions {
            let kinds: Vec<LocalKind> = action.kinds.iter().map(|kind| self.kind(kind)).collect();
            self.kinds.push(&kinds);
        }
    }

    fn kind(&mut self, kind: &ActionKind) -> LocalKind {
        // Counted against `Limits::entries`, far below this.
        let clip = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let first_check = clip(self.kind_checks.len());
        self.kind_checks.extend_from_slice(&kind.checks);
        LocalKind { first_check, end_of_checks: clip(self.kind_checks.len()), cost: kind.cost.0 }
    }

    fn add_wishes(&mut self, parts: &Parts<'_>) {
        let own = |ids: &[ActionId]| -> Vec<LocalAction> {
            ids.iter().filter_map(|&id| self.local_action(id)).collect()
        };
        let wishes = parts.wishes().iter();
        let wishes = wishes.map(|w| LocalWish { before: own(&w.before), after: own(&w.after) });
        let possible = |wish: &LocalWish| !wish.before.is_empty() && !wish.after.is_empty();
        self.wishes = wishes.filter(possible).collect();
    }

    /// The tables that follow from what is known of a type, nothing learned.
    pub(super) fn from_numbers(numbers: Numbers) -> Self {
        let Numbers { id, variables, sizes, actions, goals, starts, .. } = numbers;
        let Numbers { needs, sets, checks, overrides, costs, wants, .. } = numbers;
        let mut slot_starts = vec![0u32];
        for &size in &sizes {
            slot_starts.push(slot_starts[slot_starts.len() - 1] + u32::from(size));
        }
        let n_slots = slot_starts[slot_starts.len() - 1] as usize;
        let slot = |fact: &LocalFact| {
            slot_starts[fact.variable.index()] as usize + usize::from(fact.value)
        };
        let by_slot = |rows: &Rows<LocalFact>| {
            let pairs = (0..rows.len()).flat_map(|action| {
                rows.row(action).iter().map(move |fact| (slot(fact), LocalAction(action as u32)))
            });
            Rows::from_pairs(n_slots, pairs)
        };
        let mut npc_type = NpcTables {
            id,
            wants,
            want_words: Vec::new(),
            small: None,
            dense: None,
            masks: None,
            sole: None,
            classes: ClassReport::unexamined(),
            kinds: Rows::empty(costs.len()),
            kind_checks: Vec::new(),
            wishes: Vec::new(),
            stamp: Stamp::default(),
            setters: by_slot(&sets),
            needed_by: by_slot(&needs),
            checks,
            overrides,
            costs,
            actions,
            goals,
            starts,
            layout: StateLayout::new(sizes),
            slot_starts,
            needs,
            sets,
            variables,
        };
        let layout = &npc_type.layout;
        let word = |facts: &[LocalFact]| {
            let masks = facts.iter().map(|f| layout.field_mask(f.variable.index()));
            let bits = facts.iter().map(|f| layout.field_bits(f.variable.index(), f.value));
            (masks.fold(0, |all, mask| all | mask), bits.fold(0, |all, bits| all | bits))
        };
        npc_type.want_words =
            (0..npc_type.wants.len()).map(|at| word(npc_type.wants.row(at))).collect();
        npc_type.masks = ActionMasks::new(&npc_type);
        npc_type
    }

    /// The same, with its classes and the layouts for moves.
    pub(super) fn learned(mut self) -> Self {
        self.small = SmallMoves::new(&self);
        self.sole = SoleSetters::of_all(&self);
        self.classes = classify(&self);
        if self.sole.is_some() {
            self.dense = DenseMoves::new(&self);
        }
        self
    }

    /// The tables of machine words, if the type is small and all its actions are moves.
    pub fn small_moves(&self) -> Option<&SmallMoves> {
        self.small.as_ref()
    }

    /// The proof that all its actions are moves with values of their own, if they are.
    pub fn sole_setters(&self) -> Option<&SoleSetters> {
        self.sole.as_ref()
    }

    /// Its actions as masks of the packed state, if that is a few words.
    pub fn masks(&self) -> Option<&ActionMasks> {
        self.masks.as_ref()
    }

    /// The tables of bits, if the type is large, all its actions are moves, and they need much.
    pub fn dense_moves(&self) -> Option<&DenseMoves> {
        self.dense.as_ref()
    }

    /// Which restrictions it keeps with all its actions, and hence with any of them.
    pub fn classes(&self) -> &ClassReport {
        &self.classes
    }

    /// What one of its goals wants, and the same as the bits of a state of one word to look at
    /// and to see there; `None` if it does not want that goal.
    pub fn wants(&self, goal: GoalId) -> Option<(&[LocalFact], u64, u64)> {
        let at = self.goals.binary_search(&goal).ok()?;
        let (look, see) = self.want_words[at];
        Some((self.wants.row(at), look, see))
    }

    /// Which tables these are: what was learned from them can be kept beside it.
    pub fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    /// Whether some action asks for a context check or overrides another; otherwise all that
    /// are not forbidden are there.
    pub fn has_context(&self) -> bool {
        self.checks.n_entries() > 0
            || self.overrides.n_entries() > 0
            || !self.kind_checks.is_empty()
    }

    /// The ways to do an action, in the order written; none if there is only one.
    pub fn kinds(&self, action: LocalAction) -> &[LocalKind] {
        self.kinds.row(action.index())
    }

    /// The context checks of a kind.
    pub fn kind_checks(&self, kind: LocalKind) -> &[CheckUse] {
        &self.kind_checks[kind.first_check as usize..kind.end_of_checks as usize]
    }

    /// What should come before what, among its actions; the most important wish first.
    pub fn wishes(&self) -> &[LocalWish] {
        &self.wishes
    }

    /// Which NPC type of the domain this is.
    pub fn id(&self) -> NpcTypeId {
        self.id
    }

    /// Its variables: those its actions, goals and starts touch, by id.
    pub fn variables(&self) -> &[VariableId] {
        &self.variables
    }

    /// Its actions, by id.
    pub fn actions(&self) -> &[ActionId] {
        &self.actions
    }

    /// The goals it wants, by id.
    pub fn goals(&self) -> &[GoalId] {
        &self.goals
    }

    /// The values it starts with, by variable.
    pub fn starts(&self) -> &[Fact] {
        &self.starts
    }

    /// How its states are packed and numbered.
    pub fn layout(&self) -> &StateLayout {
        &self.layout
    }

    /// How many actions it has.
    pub fn n_actions(&self) -> usize {
        self.actions.len()
    }

    /// Its number for a variable of the domain; `None` if nothing it does touches it.
    pub fn local_variable(&self, id: VariableId) -> Option<LocalVariable> {
        // Most types of a small domain touch everything: then its own number is the domain's.
        if self.variables.get(id.index()) == Some(&id) {
            return Some(LocalVariable(id.0));
        }
        self.variables.binary_search(&id).ok().map(|at| LocalVariable(at as u32))
    }

    /// Its number for an action of the domain; `None` if it cannot do it.
    pub fn local_action(&self, id: ActionId) -> Option<LocalAction> {
        self.actions.binary_search(&id).ok().map(|at| LocalAction(at as u32))
    }

    /// The domain's name for one of its facts.
    pub fn fact(&self, fact: LocalFact) -> Fact {
        Fact {
            variable: self.variables[fact.variable.index()],
            value: ValueId::at(usize::from(fact.value)),
        }
    }

    /// How many values a variable has.
    pub fn n_values(&self, variable: LocalVariable) -> usize {
        let next = self.slot_starts[variable.index() + 1];
        (next - self.slot_starts[variable.index()]) as usize
    }

    /// How many slots (variable and value) there are.
    pub fn n_slots(&self) -> usize {
        self.setters.len()
    }

    /// The slot of a fact.
    pub fn slot(&self, fact: LocalFact) -> usize {
        self.slot_starts[fact.variable.index()] as usize + usize::from(fact.value)
    }

    /// What an action requires, by variable.
    pub fn needs(&self, action: LocalAction) -> &[LocalFact] {
        self.needs.row(action.index())
    }

    /// What an action sets, by variable.
    pub fn sets(&self, action: LocalAction) -> &[LocalFact] {
        self.sets.row(action.index())
    }

    /// The actions that set the fact of a slot, by id.
    pub fn setters(&self, slot: usize) -> &[LocalAction] {
        self.setters.row(slot)
    }

    /// The actions that require the fact of a slot, by id.
    pub fn needed_by(&self, slot: usize) -> &[LocalAction] {
        self.needed_by.row(slot)
    }

    /// The context checks of an action.
    pub fn checks(&self, action: LocalAction) -> &[CheckUse] {
        self.checks.row(action.index())
    }

    /// Those of its actions that an action overrides.
    pub fn overrides(&self, action: LocalAction) -> &[LocalAction] {
        self.overrides.row(action.index())
    }

    /// The price of an action in thousandths.
    pub fn cost(&self, action: LocalAction) -> u64 {
        self.costs[action.index()]
    }

    /// All ways to set a variable: the value, and an action that sets it.
    pub fn setters_of(
        &self,
        variable: LocalVariable,
    ) -> impl Iterator<Item = (LocalFact, LocalAction)> {
        let start = self.slot_starts[variable.index()];
        let end = self.slot_starts[variable.index() + 1];
        (start..end).flat_map(move |slot| {
            let fact = LocalFact { variable, value: (slot - start) as PackedValue };
            self.setters.row(slot as usize).iter().map(move |&action| (fact, action))
        })
    }

    /// Whether some value of a variable is set by an action of this type.
    pub fn can_change(&self, variable: LocalVariable) -> bool {
        self.setters_of(variable).next().is_some()
    }

    /// A state in which every variable is unknown.
    pub fn unknown_state(&self) -> Vec<PackedValue> {
        vec![UNKNOWN; self.variables.len()]
    }
}

/// Where a touched variable stands; they all were collected, so the search always finds it.
fn position(variables: &[VariableId], id: VariableId) -> u32 {
    match variables.binary_search(&id) {
        Ok(at) | Err(at) => at as u32,
    }
}
