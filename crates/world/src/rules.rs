//! The numbers of the world: how long, how far, how much.

use throng_mind::time::{Pace, Tick};

/// Fields with the usual number of each: `TENTHS tenths` is a time in tenths of a second, which
/// are ticks at a pace of ten.
macro_rules! rules {
    ($($(#[$meta:meta])* $name:ident: $type:ty = $number:literal $($unit:ident)?,)*) => {
        /// How long, how far, how much. Change what you like before the first step.
        #[derive(Clone, Debug)]
        #[allow(missing_docs, reason = "a field is told by the remark of its group and its name")]
        pub struct Rules {
            /// How many ticks make a second.
            pub pace: Pace,
            /// Nobody is in anybody's way: any number may be in one cell.
            pub bodies_pass: bool,
            /// Who looks is told of friends, those of no side, and the dead as well.
            pub sees_all: bool,
            /// How often a shot hits at best, from 0 to 1; without, every shot with a clear line does.
            pub accuracy: Option<f32>,
            /// What all chance follows from.
            pub seed: u64,
            /// Rays are asked as questions, and answered so many ticks late; without, all at once.
            pub rays_later: Option<Tick>,
            /// The same of ways.
            pub paths_later: Option<Tick>,
            $($(#[$meta])* pub $name: $type,)*
        }

        impl Rules {
            /// The usual numbers at this pace.
            pub fn at(pace: Pace) -> Self {
                Rules { pace, bodies_pass: false, sees_all: false, accuracy: None, seed: 0, rays_later: None, paths_later: None, $($name: rules!(@pace $number $($unit)?),)* }
            }
        }
    };
    (@$pace:ident $number:literal) => { $number };
    // Whatever takes time takes at least a tick.
    (@$pace:ident $number:literal tenths) => { $pace.ticks(f64::from($number) / 10.0).max(1) };
}

rules! {
    // Ticks per cell.
    walk: Tick = 3 tenths,
    run: Tick = 2 tenths,
    sneak: Tick = 5 tenths,
    // Ticks that something takes.
    open_door: Tick = 4 tenths,
    dive: Tick = 4 tenths,
    draw: Tick = 5 tenths,
    holster: Tick = 5 tenths,
    reload: Tick = 15 tenths,
    fire: Tick = 3 tenths,
    melee: Tick = 5 tenths,
    throw: Tick = 6 tenths,
    aim: Tick = 3 tenths,
    use_thing: Tick = 8 tenths,
    kick: Tick = 6 tenths,
    change_posture: Tick = 3 tenths,
    cloak: Tick = 6 tenths,
    fuse: Tick = 25 tenths,
    /// How long a walker waits for one who stands in his way before he squeezes past.
    patience: Tick = 8 tenths,
    /// How long a shot that is to keep an actor's head down does so: a reload and the next shot.
    pinned: Tick = 25 tenths,
    /// Between two looks at what is near.
    look: Tick = 5 tenths,
    /// How long a noise is kept for sensors.
    noise_kept: Tick = 50 tenths,
    // Distances in cells.
    sight: u16 = 24,
    /// From how far one who is cloaked is seen.
    cloaked_sight: u16 = 3,
    /// The same of one who is cloaked and on a perch.
    perched_sight: u16 = 1,
    throw_range: u16 = 15,
    grenade_radius: u16 = 4,
    shot_noise: u16 = 20,
    blast_noise: u16 = 30,
    kick_noise: u16 = 8,
    // Health taken.
    shot_damage: i32 = 25,
    melee_damage: i32 = 40,
    blast_damage: i32 = 100,
    /// A shot at an actor who crouches, or stands at a `cover` node, does so many times less.
    cover_divides: i32 = 5,
    // Costs of ways, in cells.
    door_cost: u32 = 2,
    window_cost: u32 = 3,
    seen_cost: u32 = 8,
    /// Who stands in the way is gone round if that takes at most so much more.
    body_cost: u32 = 6,
}
