//! The numbers of the world: how long, how far, how much.

use throng_mind::time::{Pace, Tick};

/// How long, how far, how much. Change what you like before the first step.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each field of a group is told by the group's remark and its name")]
pub struct Rules {
    /// How many ticks make a second.
    pub pace: Pace,
    // Ticks per cell.
    pub walk: Tick,
    pub run: Tick,
    pub sneak: Tick,
    // Ticks that something takes.
    pub open_door: Tick,
    pub dive: Tick,
    pub draw: Tick,
    pub holster: Tick,
    pub reload: Tick,
    pub fire: Tick,
    pub melee: Tick,
    pub throw: Tick,
    pub aim: Tick,
    pub use_thing: Tick,
    pub kick: Tick,
    pub change_posture: Tick,
    pub fuse: Tick,
    /// How long a shot that is to keep somebody's head down does so: a reload and the next shot.
    pub pinned: Tick,
    /// Between two looks at what is near.
    pub look: Tick,
    /// How long a noise is kept for sensors.
    pub noise_kept: Tick,
    // Distances in cells.
    pub sight: u16,
    pub throw_range: u16,
    pub grenade_radius: u16,
    pub shot_noise: u16,
    pub blast_noise: u16,
    pub kick_noise: u16,
    // Health taken.
    pub shot_damage: i32,
    pub melee_damage: i32,
    pub blast_damage: i32,
    /// A shot at somebody who crouches, or stands at a `cover` node, does so many times less.
    pub cover_divides: i32,
    // Costs of ways, in cells.
    pub door_cost: u32,
    pub window_cost: u32,
    pub seen_cost: u32,
}

impl Rules {
    /// The usual numbers at this pace: written in tenths of a second, which are ticks at a pace of ten.
    pub fn at(pace: Pace) -> Self {
        // Whatever takes time takes at least a tick.
        let tenths = |tenths: u32| pace.ticks(f64::from(tenths) / 10.0).max(1);
        Rules {
            pace,
            walk: tenths(3),
            run: tenths(2),
            sneak: tenths(5),
            open_door: tenths(4),
            dive: tenths(4),
            draw: tenths(5),
            holster: tenths(5),
            reload: tenths(15),
            fire: tenths(3),
            melee: tenths(5),
            throw: tenths(6),
            aim: tenths(3),
            use_thing: tenths(8),
            kick: tenths(6),
            change_posture: tenths(3),
            fuse: tenths(25),
            pinned: tenths(25),
            look: tenths(5),
            noise_kept: tenths(50),
            sight: 24,
            throw_range: 15,
            grenade_radius: 4,
            shot_noise: 20,
            blast_noise: 30,
            kick_noise: 8,
            shot_damage: 25,
            melee_damage: 40,
            blast_damage: 100,
            cover_divides: 5,
            door_cost: 2,
            window_cost: 3,
            seen_cost: 8,
        }
    }
}
