//! Senses and behaviours for characters that live: perception, targets, cover, ways, weapons, things.
//!
//! In:   an engine, through four small traits ([`scene`]); a mind's memory, its blackboard.
//! Out:  a [`Body`] of sensors and behaviours by the names used in files; facts in the words of the
//!       [vocabulary]; orders.
//! Cost: sensors that search a way, cast a ray or sort say so: minds take them in turns. What the
//!       engine answers later is asked as a question.
//!
//! `body()` has all of it; `senses()`, `moving()`, `fighting()` … have a part, and
//! `senses().and(moving())` has both. Minds of squads need `squads()` besides, and with it an engine
//! that is a [`Ground`].
//!
//! Which there are, what each sensor writes and each behaviour needs is one table: [`vocabulary`].
//! Behaviours write an order and wait for it; what they do besides stands in their own files.
#![forbid(unsafe_code)]

mod code;
mod disturbances;
mod duty;
mod enemies;
mod exposure;
mod facts;
mod fighting;
mod formation;
pub mod geometry;
mod going;
mod handling;
mod lists;
mod needed;
mod own;
mod places;
pub mod questions;
mod reacting;
mod references;
pub mod scene;
mod targets;
mod trading;
pub mod vocabulary;
mod ways;
pub mod words;

pub use scene::{
    Arms, Attitude, Avoided, Bodies, EngineAnswer, Eye, Faces, Mark, Paths, Scene, Seen, Sight,
    SpotNeed, SpotView, Spots, Stock, Thing, Trip, Way,
};
pub use words::Vocabulary;

use handling::Settled;
use throng_mind::Body;
use throng_mind::squad::Ground;
use vocabulary::{BEHAVIOURS, KitPart, SENSORS, described_part};

/// All sensors and behaviours of characters, for any file: each uses what it needs.
pub fn body<W: Scene>() -> Body<W> {
    with(|_| true)
}

/// What squads do.
pub fn squads<W: Scene + Ground>() -> Body<W> {
    let of_squads = BEHAVIOURS.iter().filter(|entry| entry.part == KitPart::Squads);
    let code = of_squads.filter_map(|entry| Some((entry.name, code::of_squad(entry.name)?)));
    let nothing = nothing().describes(described_part(|part| part == KitPart::Squads));
    code.fold(nothing, |body, (name, code)| body.behaviour(name, Settled(code)))
}

/// A body with one part of the kit: `senses::<W>()`.
macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident $part:ident,)*) => {$(
        $(#[$doc])*
        pub fn $name<W: Scene>() -> Body<W> {
            with(|it| it == KitPart::$part)
        }
    )*};
}

parts! {
    /// The sensors.
    senses Senses,
    /// Behaviours that go somewhere.
    moving Moving,
    /// Behaviours with weapons.
    fighting Fighting,
    /// Behaviours that look, duck, wait.
    reacting Reacting,
    /// Behaviours with things.
    handling Handling,
    /// What members do for the tasks of their squad.
    duties Duties,
}

/// The words of the kit, and no code.
fn nothing<W: Scene>() -> Body<W> {
    Body::new().for_many_files().words(Vocabulary::TEXTS)
}

fn with<W: Scene>(wanted: impl Fn(KitPart) -> bool) -> Body<W> {
    let sensors = SENSORS.iter().filter(|_| wanted(KitPart::Senses)).map(|entry| entry.name);
    let sensors = sensors.filter_map(|name| Some((name, code::sensor(name)?)));
    let nothing = nothing().describes(described_part(|it| it != KitPart::Squads && wanted(it)));
    let body = sensors.fold(nothing, |body, (name, code)| body.sensor(name, code));
    let behaviours = BEHAVIOURS.iter().filter(|entry| wanted(entry.part)).map(|entry| entry.name);
    let behaviours = behaviours.filter_map(|name| Some((name, code::behaviour(name)?)));
    behaviours.fold(body, |body, (name, code)| body.behaviour(name, Settled(code)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// What `code.rs` has code for, as it is written there.
    fn written() -> BTreeSet<&'static str> {
        let lines = include_str!("code.rs").lines();
        lines
            .filter_map(|line| line.trim().strip_prefix('"')?.split_once("\" => "))
            .map(|it| it.0)
            .collect()
    }

    #[test]
    fn the_table_has_exactly_what_there_is_code_for() {
        let sensors = SENSORS.iter().map(|entry| entry.name);
        let names: BTreeSet<&str> =
            sensors.chain(BEHAVIOURS.iter().map(|entry| entry.name)).collect();
        assert_eq!(names, written());
    }
}
