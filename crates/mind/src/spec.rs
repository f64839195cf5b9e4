//! How minds of a domain work, as the file says it.
//!
//! In:   the notes of a model: `sensor`, `symbol`, `check`, `price`, `learn`, `flavour`, `beside`,
//!       `squad`, and the clauses of goals, actions and NPC types.
//! Out:  a [`Spec`]: the same in numbers, or every mistake at once.
//! Cost: one pass at load.
//!
//! The types are here. `spec/read.rs` reads the notes, with one file for statements, clauses,
//! conditions, terms and names each; `spec/needs.rs` finds the sensors that a type has use for.

mod asked;
mod besides;
mod clauses;
mod conditions;
mod declared;
mod defaults;
mod doubts;
mod effects;
mod facts;
mod lacks;
mod makes;
mod names;
mod needs;
mod own_names;
mod parts;
mod questions;
mod read;
mod references;
mod selects;
mod squad_parts;
mod squad_words;
mod squads;
mod statements;
mod templates;
mod terms;
pub(crate) mod watched;

use crate::chance::Chance;
use crate::channels::ChannelSet;
use crate::condition::{Condition, Measure, Pattern, Ref, Term};
use crate::effects::{Cooldown, Effects};
use crate::fact::Attribute;
use crate::former::{Names, TypeNames};
use crate::picks::{SlotSet, slot_set};
use crate::time::{Pace, Tick};
use crate::words::{Word, Words};
pub use asked::{AskedPattern, AskedTest};
pub use besides::BesideSpec;
pub use questions::AskedCheck;
pub use selects::SelectSpec;
pub use squad_words::SQUAD_WORDS;
pub(crate) use squad_words::SquadWords;
use std::sync::{Arc, OnceLock};
use throng_domain::compile::{FormerValues, NpcTables, PackedValue as StateValue};
use throng_domain::model::{ActionId, CheckId, GoalId, NpcTypeId, SelectId, VariableId};
use throng_planner::PreparedDomain;
use watched::AllWatched;

/// When a sensor runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Whenever this stimulus arrives.
    On(Word),
    /// Every so many ticks; 0: every tick.
    Every(Tick),
}

/// `sensor NAME: …`
#[derive(Clone, PartialEq, Debug)]
pub struct SensorSpec {
    /// Its name, by which the code is found.
    pub name: Word,
    /// When it runs.
    pub when: When,
    /// How long what it writes is believed; [`NEVER`](crate::time::NEVER): until removed.
    pub keeps: Tick,
    /// The variables it is for. Both lists empty: it always runs.
    pub feeds_variables: Vec<VariableId>,
    /// The checks it is for.
    pub feeds_checks: Vec<CheckId>,
    /// Runs only while this holds.
    pub during: Option<Condition>,
}

/// One rule of a symbol: the first that gives a value decides.
#[derive(Clone, PartialEq, Debug)]
pub enum SymbolRule {
    /// This value, if the condition holds.
    If(StateValue, Option<Condition>),
    /// The number of an amount that facts give: rounded down, and brought into its range. Nothing
    /// if they give none.
    Number(Measure, AmountRange),
    /// The value called like a word attribute of the surest such fact. The table is by value:
    /// the word of each value of the variable.
    Named(Attribute, Pattern),
}

/// The range of an amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AmountRange {
    /// The least number.
    pub low: i64,
    /// The greatest.
    pub high: i64,
}

impl AmountRange {
    /// The value of a number: rounded down, and brought into the range.
    #[must_use]
    pub fn nearest(self, number: f32) -> StateValue {
        // A cast that does not fit is the nearest that does.
        let number = f64::from(number).floor() as i64;
        (number.clamp(self.low, self.high) - self.low) as StateValue
    }
}

/// `symbol VARIABLE: …`
#[derive(Clone, PartialEq, Debug)]
pub struct SymbolSpec {
    /// The variable.
    pub variable: VariableId,
    /// In the order to try; unknown if none gives a value.
    pub rules: Vec<SymbolRule>,
    /// The word of each value, for [`SymbolRule::Named`].
    pub value_words: Vec<Word>,
    /// The slot that each value is; empty if none is one.
    pub value_slots: Vec<Option<u16>>,
    /// The slots that its rules ask for.
    pub asks: SlotSet,
}

impl SymbolRule {
    /// The slots that it asks for.
    fn slots(&self) -> SlotSet {
        match self {
            SymbolRule::If(_, condition) => condition.as_ref().map_or(0, Condition::slots),
            SymbolRule::Number(measure, _) => measure.slots(),
            SymbolRule::Named(_, pattern) => pattern.slots(),
        }
    }
}

/// `check NAME: CONDITION`
#[derive(Clone, PartialEq, Debug)]
pub struct CheckSpec {
    /// The check.
    pub check: CheckId,
    /// When it holds.
    pub condition: Condition,
    /// The slots that its parameters are: it does not hold while one of them is empty.
    pub needs: SlotSet,
}

/// `price ACTION: …`; the first that gives a number above zero decides, else the domain.
#[derive(Clone, PartialEq, Debug)]
pub struct PriceSpec {
    /// The ground actions, each with what its first parameter refers to.
    pub actions: Vec<(ActionId, Ref)>,
    /// The numbers with an optional condition, in the order to try; they are not brought into any
    /// range.
    pub rules: Vec<(Term, Option<Condition>)>,
    /// `vary F`: by how much it differs from mind to mind.
    pub vary: f32,
}

/// `learn ACTIONS: CONDITION`
#[derive(Clone, PartialEq, Debug)]
pub struct LearnSpec {
    /// Not there until the condition has held once.
    pub actions: Vec<ActionId>,
    /// When they are learnt.
    pub condition: Condition,
}

/// `flavour NAME: after ACTIONS …`
#[derive(Clone, PartialEq, Debug)]
pub struct FlavourSpec {
    /// Its name: the behaviour to play, or an animation of that name.
    pub name: Word,
    /// Between a step of these, just done, and the next; empty: any.
    pub after: Vec<ActionId>,
    /// Before a step of these; empty: any.
    pub before: Vec<ActionId>,
    /// Only if this holds.
    pub condition: Option<Condition>,
    /// At most once in so many ticks.
    pub every: Tick,
    /// How long it takes, if no code says otherwise.
    pub takes: Tick,
}

/// `squad TYPE: of NPC, … within CELLS …`
#[derive(Clone, PartialEq, Debug)]
pub struct SquadSpec {
    /// The type of the squad's own mind.
    pub npc: NpcTypeId,
    /// The types that can be in it.
    pub of: Vec<NpcTypeId>,
    /// How near a member must be to another.
    pub within: f32,
    /// At most so many.
    pub most: usize,
    /// At least so many.
    pub least: usize,
    /// How long a task may take.
    pub tasks: Tick,
    /// How long a member may do something else before that is a refusal.
    pub patience: Tick,
    /// Who leads: the first of these types of which there is a member; empty: nobody does.
    pub leader: Vec<NpcTypeId>,
    /// How long nobody leads after one who led is gone.
    pub succession: Tick,
    /// The kinds of facts that members tell each other.
    pub shares: Vec<Word>,
    /// How long that takes.
    pub shares_after: Tick,
    /// How far a voice carries that gives orders; `None`: they come by radio.
    pub voice: Option<f32>,
    /// Where members go: how far to the right of the leader and ahead of him, place by place, of
    /// which the first is his own; empty: anywhere.
    pub formation: Vec<[f32; 2]>,
    /// The selection whose pick the squad is told of every member.
    pub reports: Option<SelectId>,
    /// The selection of the enemy that the squad cares about.
    pub prize: Option<SelectId>,
}

/// What a goal's clauses say.
#[derive(Clone, PartialEq, Debug)]
pub struct GoalSpec {
    /// Their product is the relevance; empty: 1.
    pub relevance: Vec<Term>,
    /// How much better another must be to replace it: 0.1 means ten per cent.
    pub margin: f32,
    /// How long it is kept at least.
    pub keep: Tick,
    /// How long it is not chosen again after it was left.
    pub cooldown: Tick,
    /// It waits neither for margins nor for `keep` of others.
    pub urgent: bool,
    /// After how many ticks a plan that works is held against a cheaper one, if something has
    /// changed; `None`: never.
    pub reconsiders: Option<Tick>,
    /// How long nothing of a lower score begins after it was reached or lost its relevance.
    pub lingers: Tick,
}

/// What an action's clauses say.
#[derive(Clone, PartialEq, Debug)]
pub struct ActionSpec {
    /// The behaviour that does it: `does NAME`, else its bare name.
    pub does: Word,
    /// What the behaviour is given, in place of the action's parameters: `does NAME(GIVEN)`.
    pub given: Vec<Word>,
    /// How long it takes if no code does it: `takes SECONDS`.
    pub takes: Tick,
    /// The bare name.
    pub template: Word,
    /// The parameters of the ground action.
    pub parameters: Vec<Word>,
    /// By parameter: the slot that it is, if it is one.
    pub slots: Vec<Option<u16>>,
    /// All slots that it names: while one of them is empty it is not there.
    pub named: SlotSet,
    /// The names of its kinds, in order.
    pub kinds: Vec<Word>,
    /// Of a compound, its parts, in the order to do them.
    pub parts: Vec<ActionId>,
    /// Position in [`Spec::effects`] of what it does besides its behaviour.
    pub effects: Option<usize>,
    /// For how long it is not there after it began.
    pub cooldown: Option<Cooldown>,
    /// How often it is there at all.
    pub chance: Option<Chance>,
    /// The channels that it takes: all, unless the file says otherwise.
    pub uses: ChannelSet,
}

/// What an NPC type's clauses say.
#[derive(Clone, PartialEq, Debug)]
pub struct NpcSpec {
    /// Positions in [`Spec::sensors`] of those it has, in the order of the file; those that feed
    /// only what no goal or action of the type asks for are left out.
    pub sensors: Vec<u16>,
    /// Positions in [`Spec::besides`] of what it does beside the step, in the order of the file.
    pub besides: Vec<u16>,
    /// Positions in [`Spec::selects`] of those it makes, in their order; what nothing of the type
    /// can ask for is left out.
    pub selects: Vec<u16>,
    /// Whether one of these asks for variables, and whether what others have matters to one.
    pub(crate) selects_read_state: bool,
    pub(crate) selects_ask_others: bool,
    /// What the names of its files begin with, where these are read under a name: `beast.`. Its own
    /// file comes first; one without a name has nothing there.
    pub prefixes: Vec<String>,
    /// What it does when nothing is wanted or nothing can be done.
    pub otherwise: Option<ActionId>,
    /// How long it does nothing before that.
    pub otherwise_after: Tick,
    /// How many facts it can hold.
    pub memory: usize,
    /// After how many times without effect in a row an action is doubted, and for how long it
    /// then is not there.
    pub doubt: (u8, Tick),
    /// How long an action is not there after it failed.
    pub retry: Tick,
    /// For how long a step that was begun is not given up, unless an urgent goal calls.
    pub commits: Tick,
}

/// How minds of a domain work.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The compiled domain.
    pub domain: Arc<PreparedDomain>,
    /// All words.
    pub words: Words,
    /// The writer of facts that were told by others.
    pub told: Word,
    /// How long a second is.
    pub pace: Pace,
    /// All sensors, in the order of the file.
    pub sensors: Vec<SensorSpec>,
    /// By the order of the file; at most one per variable.
    pub symbols: Vec<SymbolSpec>,
    /// Checks that memory answers.
    pub checks: Vec<CheckSpec>,
    /// Checks that the game tells, each with the answer until it does.
    pub told_checks: Vec<(CheckId, bool)>,
    /// Checks that the game is asked for.
    pub asked_checks: Vec<AskedCheck>,
    /// Checks that chance answers.
    pub chance_checks: Vec<(CheckId, Chance)>,
    /// What actions do besides their behaviours.
    pub effects: Vec<Effects>,
    /// Whether an action can be not there for a while for itself: it cools, or by chance.
    pub(crate) has_pauses: bool,
    /// Whether anything is told to squads, or cools for them.
    pub(crate) speaks_of_squads: bool,
    /// The kinds of facts that the file declares: the game writes them, whatever senses there are.
    pub facts: Vec<Word>,
    /// The kinds of facts that its conditions ask for, each once, and whether of those that all share.
    pub asked: Vec<(Word, bool)>,
    /// `body NAME`: what senses and acts for these minds.
    pub body: Option<String>,
    /// Prices that memory tells.
    pub prices: Vec<PriceSpec>,
    /// What can be learnt.
    pub learns: Vec<LearnSpec>,
    /// What may be played between steps.
    pub flavours: Vec<FlavourSpec>,
    /// What may be done beside steps, in the order of the file.
    pub besides: Vec<BesideSpec>,
    /// Why an order is dropped that is for a channel which what gives it does not have.
    pub(crate) wrong_channel: Word,
    /// Squads that may form, in the order of the file.
    pub squads: Vec<SquadSpec>,
    pub(crate) squad_words: SquadWords,
    /// The goals that want a task to be done: of a variable that is called like the task.
    pub(crate) goals_of_duty: Vec<GoalId>,
    /// What each slot is called: `target`, `cover.2`.
    pub slots: Vec<String>,
    /// What is picked, in the order in which it is made.
    pub selects: Vec<SelectSpec>,
    /// The slots whose picks a mind may claim.
    pub(crate) claimed_slots: SlotSet,
    /// Whether what others have matters to a selection.
    pub(crate) selects_ask_others: bool,
    /// By variable that has slots as values: by value, the slot that it is.
    pub(crate) slot_values: Vec<(VariableId, Vec<Option<u16>>)>,
    /// By [`GoalId`].
    pub goals: Vec<GoalSpec>,
    /// By [`ActionId`].
    pub actions: Vec<ActionSpec>,
    /// By NPC type.
    pub npcs: Vec<NpcSpec>,
    /// What symbols, checks and prices depend on.
    pub(crate) watched: AllWatched,
    /// Whether anything asks for the age of facts.
    pub asks_age: bool,
    /// Whether anything asks for distances.
    pub asks_distance: bool,
    /// What tells this file from all others, but for the words that were learnt since it was read:
    /// minds that were saved with the same go on exactly as they were.
    pub(crate) fingerprint: u128,
    /// Made when minds are first saved or restored.
    names: OnceLock<Arc<Names>>,
}

impl Spec {
    /// What the file calls everything.
    pub(crate) fn names(&self) -> &Arc<Names> {
        self.names.get_or_init(|| Arc::new(self.make_names()))
    }

    fn make_names(&self) -> Names {
        let map = self.domain.map();
        let mut values = FormerValues::Words(Arc::default());
        let variable = |id| {
            let own = FormerValues::of(map, id);
            if values != own {
                values = own;
            }
            (map.variable(id).to_string(), values.clone())
        };
        let n_shifts = |id: ActionId| {
            let of_type = |npc: &NpcTables| Some(npc.shifts(npc.local_action(id)?).len());
            self.domain.npcs().iter().find_map(of_type).unwrap_or(0)
        };
        let types = self.domain.npcs().iter().zip(&self.npcs);
        Names {
            digest: self.domain.digest().0,
            variables: map.variable_ids().map(variable).collect(),
            checks: map.check_names().map(str::to_string).collect(),
            goals: map.goal_names().map(str::to_string).collect(),
            actions: map
                .action_ids()
                .zip(&self.actions)
                .map(|(id, action)| (map.action(id).to_string(), action.parts.len(), n_shifts(id)))
                .collect(),
            symbols: self.symbols.iter().map(|symbol| symbol.variable).collect(),
            learns: self.learns.iter().map(|rule| rule.actions.clone()).collect(),
            n_flavours: self.flavours.len(),
            slots: self.slots.clone(),
            n_selects: self.selects.len(),
            npcs: types
                .map(|(kind, own)| TypeNames {
                    name: map.npc(kind.id()).to_string(),
                    memory: own.memory,
                    sensors: own.sensors.len(),
                    otherwise: own.otherwise,
                    variables: kind.variables().to_vec(),
                    actions: kind.actions().to_vec(),
                    goals: kind.goals().to_vec(),
                })
                .collect(),
        }
    }

    /// What a slot is called: `target`, `cover.2`.
    pub fn slot_name(&self, slot: u16) -> &str {
        self.slots.get(usize::from(slot)).map_or("", String::as_str)
    }

    /// How many slots there are.
    pub fn n_slots(&self) -> usize {
        self.slots.len()
    }

    /// The selections that a type makes, each with its position, in the order in which they are
    /// made.
    pub fn selects_of(&self, npc: NpcTypeId) -> impl Iterator<Item = (usize, &SelectSpec)> {
        let own = self.npcs.get(npc.index()).map_or(&[][..], |npc| &npc.selects);
        own.iter().filter_map(|&at| Some((at.into(), self.selects.get(usize::from(at))?)))
    }

    /// What a goal's clauses say.
    pub fn goal(&self, goal: GoalId) -> &GoalSpec {
        &self.goals[goal.index()]
    }

    /// What an action's clauses say.
    pub fn action(&self, action: ActionId) -> &ActionSpec {
        &self.actions[action.index()]
    }
}

impl ActionSpec {
    /// What files call `it`: the first parameter, a slot or a plain word.
    pub fn first_parameter(&self) -> Option<Ref> {
        let word = self.parameters.first()?;
        let slot = self.slots.first().copied().flatten();
        Some(slot.map_or(Ref::Word(*word), |slot| Ref::Slots(slot, 1)))
    }

    /// The slots that its parameters are: they are not exchanged while it is done or planned.
    pub(crate) fn pins(&self) -> SlotSet {
        self.slots.iter().flatten().fold(0, |all, &slot| all | slot_set(slot, 1))
    }
}
