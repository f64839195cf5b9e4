//! The assault of `domains/fear/assault.npc` by hand: for the `planning` crate, to judge
//! everybody's plans, and for `dogoap`.

use crate::gpgoap::{Atoms, Question};
use dogoap::prelude::{Compare, Datum, Effect, LocalState, Mutator};
use planning::{Action, Goal};

/// The sixteen symbols, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State(u16);

/// Symbols by bit.
pub const SYMBOLS: [&str; 16] = [
    "WeaponArmed", "WeaponLoaded", "AtCover", "AtTargetPos", "UsingObject", "MountedObject",
    "TargetIsDead", "TargetIsFlushedOut", "TargetIsSuppressed", "TargetIsAimingAtMe",
    "PositionIsValid", "DisturbanceExists", "SurveyedArea", "TraversedLink", "ReactedToDamage",
    "Idling",
];

const ARMED: u16 = 1;
const LOADED: u16 = 1 << 1;
const COVER: u16 = 1 << 2;
const AT_TARGET: u16 = 1 << 3;
const USING: u16 = 1 << 4;
const MOUNTED: u16 = 1 << 5;
const DEAD: u16 = 1 << 6;
const FLUSHED: u16 = 1 << 7;
const SUPPRESSED: u16 = 1 << 8;
const AIMING: u16 = 1 << 9;
const POSITION: u16 = 1 << 10;
const DISTURBANCE: u16 = 1 << 11;
const SURVEYED: u16 = 1 << 12;
const TRAVERSED: u16 = 1 << 13;
const REACTED: u16 = 1 << 14;
const IDLING: u16 = 1 << 15;

impl State {
    pub const START: State = State(AIMING | DISTURBANCE);
}

/// What must be on and off before an action, what it turns on and off, and its cost.
struct Row {
    name: &'static str,
    needs_on: u16,
    needs_off: u16,
    on: u16,
    off: u16,
    cost: i32,
}

const fn step(name: &'static str, needs: (u16, u16), sets: (u16, u16), cost: i32) -> Row {
    Row { name, needs_on: needs.0, needs_off: needs.1, on: sets.0, off: sets.1, cost }
}

static ROWS: [Row; 18] = [
    step("Attack", (ARMED | LOADED, MOUNTED), (DEAD, 0), 5),
    step("AttackFromCover", (ARMED | LOADED | COVER, MOUNTED), (DEAD, 0), 1),
    step("AttackMelee", (ARMED | AT_TARGET, MOUNTED), (DEAD, 0), 4),
    step("ThrowGrenade", (ARMED | COVER, 0), (FLUSHED, 0), 1),
    step("SuppressionFire", (ARMED | LOADED, MOUNTED), (SUPPRESSED, 0), 1),
    step("DrawWeapon", (0, ARMED), (ARMED, 0), 1),
    step("HolsterWeapon", (ARMED, 0), (0, ARMED), 1),
    step("Reload", (ARMED, LOADED), (LOADED, 0), 1),
    step("GotoCover", (0, MOUNTED), (COVER, AT_TARGET), 1),
    step("GotoTarget", (0, MOUNTED), (AT_TARGET, COVER), 2),
    step("UseObject", (COVER, 0), (USING, 0), 1),
    step("Dodge", (ARMED | AIMING, 0), (0, AIMING), 1),
    step("EscapeDanger", (DISTURBANCE, MOUNTED), (0, DISTURBANCE), 1),
    step("SurveyArea", (ARMED, 0), (SURVEYED, 0), 1),
    step("CorrectPosition", (0, MOUNTED | POSITION), (POSITION, 0), 1),
    step("TraverseLink", (0, 0), (TRAVERSED, 0), 1),
    step("Recoil", (0, 0), (REACTED, 0), 1),
    step("Idle", (0, MOUNTED), (IDLING, 0), 1),
];

/// An action, by its row. One byte, because `planning` hashes it with every state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step(u8);

impl Step {
    pub fn all() -> Vec<Step> {
        (0..ROWS.len() as u8).map(Step).collect()
    }

    pub fn name(self) -> &'static str {
        self.row().name
    }

    fn row(self) -> &'static Row {
        &ROWS[usize::from(self.0)]
    }
}

impl Action<State> for Step {
    fn is_applicable(&self, state: &State) -> bool {
        let row = self.row();
        state.0 & row.needs_on == row.needs_on && state.0 & row.needs_off == 0
    }

    fn apply_mut(&self, state: &mut State) {
        let row = self.row();
        state.0 = (state.0 | row.on) & !row.off;
    }

    fn cost(&self, _: &State) -> i32 {
        self.row().cost
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KillEnemy;

impl Goal<State> for KillEnemy {
    fn is_satisfied(&self, state: &State) -> bool {
        state.0 & DEAD != 0
    }

    /// The least that is left.
    fn heuristic(&self, state: &State) -> i32 {
        i32::from(!self.is_satisfied(state))
    }
}

/// The price of the named actions, if they kill.
pub fn replay(names: &[String]) -> Result<i32, String> {
    let (mut state, mut cost) = (State::START, 0);
    for name in names {
        let step = Step::all().into_iter().find(|step| step.name() == name);
        let step = step.ok_or_else(|| format!("no action {name}"))?;
        if !step.is_applicable(&state) {
            return Err(format!("{name} cannot be done"));
        }
        step.apply_mut(&mut state);
        cost += step.cost(&state);
    }
    if KillEnemy.is_satisfied(&state) { Ok(cost) } else { Err(format!("alive: {names:?}")) }
}

/// The same for `dogoap`.
pub fn goap() -> (LocalState, Vec<dogoap::prelude::Action>, dogoap::prelude::Goal) {
    let bits = |bits: u16| (0..16).filter(move |bit| bits >> bit & 1 == 1);
    let mut start = LocalState::new();
    for (bit, symbol) in SYMBOLS.iter().enumerate() {
        start = start.with_datum(symbol, Datum::Bool(State::START.0 >> bit & 1 == 1));
    }
    let is = |truth: bool| Compare::Equals(Datum::Bool(truth));
    let actions = ROWS.iter().map(|step| {
        let mut action = dogoap::prelude::Action::new(step.name);
        for (needs, truth) in [(step.needs_on, true), (step.needs_off, false)] {
            for bit in bits(needs) {
                action = action.with_precondition(SYMBOLS[bit], is(truth));
            }
        }
        let mut effect = Effect::new(step.name);
        for (sets, truth) in [(step.on, true), (step.off, false)] {
            for bit in bits(sets) {
                let set = Mutator::Set(SYMBOLS[bit].to_string(), Datum::Bool(truth));
                effect = effect.with_mutator(set);
            }
        }
        action.with_effect(effect).set_cost(step.cost as usize)
    });
    let goal = dogoap::prelude::Goal::new().with_req("TargetIsDead", is(true));
    (start, actions.collect(), goal)
}

/// The same for GPGOAP.
pub fn gpgoap() -> Question {
    let name = |bit: usize| SYMBOLS[bit];
    let is_in = |bits: u16, bit: usize| bits >> bit & 1 == 1;
    let atoms = |on: u16, off: u16| -> Atoms {
        let touched = (0..16).filter(|&bit| is_in(on | off, bit));
        touched.map(|bit| (name(bit), is_in(on, bit))).collect()
    };
    let rows = ROWS.iter().map(|row| {
        let (needs, sets) = (atoms(row.needs_on, row.needs_off), atoms(row.on, row.off));
        (row.name, needs, sets, row.cost)
    });
    Question { start: atoms(State::START.0, !State::START.0), goal: atoms(DEAD, 0), actions: rows.collect() }
}
