//! The Horse Breeder by hand: for the `planning` crate, and to judge everybody's plans.

use planning::{Action, Goal};

/// Haystack stored 0, in hands 1, in feeder 2; bucket on floor 0, in hands 1; water in
/// fountain 0, in bucket 1, in trough 2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    haystack: u8,
    bucket: u8,
    water: u8,
}

impl State {
    pub const START: State = State { haystack: 0, bucket: 0, water: 0 };
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Breeder {
    StoreHaystack,
    TakeHaystack,
    FillFeeder,
    DropBucket,
    PickUpBucket,
    FillBucket,
    FillTrough,
}

impl Breeder {
    pub const ALL: [Breeder; 7] = [
        Breeder::StoreHaystack,
        Breeder::TakeHaystack,
        Breeder::FillFeeder,
        Breeder::DropBucket,
        Breeder::PickUpBucket,
        Breeder::FillBucket,
        Breeder::FillTrough,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Breeder::StoreHaystack => "store_haystack",
            Breeder::TakeHaystack => "take_haystack",
            Breeder::FillFeeder => "fill_feeder",
            Breeder::DropBucket => "drop_bucket",
            Breeder::PickUpBucket => "pick_up_bucket",
            Breeder::FillBucket => "fill_bucket",
            Breeder::FillTrough => "fill_trough",
        }
    }
}

impl Action<State> for Breeder {
    fn is_applicable(&self, state: &State) -> bool {
        match self {
            Breeder::StoreHaystack | Breeder::FillFeeder => {
                state.haystack == 1 && state.bucket == 0
            }
            Breeder::TakeHaystack => state.haystack == 0 && state.bucket == 0,
            Breeder::DropBucket => state.bucket == 1 && state.haystack == 0,
            Breeder::PickUpBucket => state.bucket == 0 && state.haystack == 0,
            Breeder::FillBucket => state.water == 0 && state.bucket == 1,
            Breeder::FillTrough => state.water == 1 && state.bucket == 1,
        }
    }

    fn apply_mut(&self, state: &mut State) {
        match self {
            Breeder::StoreHaystack => state.haystack = 0,
            Breeder::TakeHaystack => state.haystack = 1,
            Breeder::FillFeeder => state.haystack = 2,
            Breeder::DropBucket => state.bucket = 0,
            Breeder::PickUpBucket => state.bucket = 1,
            Breeder::FillBucket => state.water = 1,
            Breeder::FillTrough => state.water = 2,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fed;

impl Goal<State> for Fed {
    fn is_satisfied(&self, state: &State) -> bool {
        (state.haystack, state.bucket, state.water) == (2, 0, 2)
    }

    fn priority(&self, _: &State) -> i32 {
        1
    }
}

/// Whether the named actions feed the horses.
pub fn replay(names: &[String]) -> Result<(), String> {
    let mut state = State::START;
    for name in names {
        let action = Breeder::ALL.into_iter().find(|action| action.name() == name);
        let action = action.ok_or_else(|| format!("no action {name}"))?;
        if !action.is_applicable(&state) {
            return Err(format!("{name} cannot be done"));
        }
        action.apply_mut(&mut state);
    }
    if Fed.is_satisfied(&state) { Ok(()) } else { Err(format!("not fed: {names:?}")) }
}
