//! What a random domain may contain: one knob per feature of the language that planners see.

use throng_base::SplitMix;

/// The knobs of a random domain and its question. Those that end in `_chance` are so many
/// times in a hundred.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Number of variables, 1 to 8.
    pub variables: usize,
    /// Most values of a variable, 2 to 4.
    pub values: usize,
    /// Number of actions, 1 to 14; fewer if `post_unique` leaves nothing to set.
    pub actions: usize,
    /// Most variables that an action changes, 1 to 3; 1 makes all actions unary.
    pub effects: usize,
    /// No two actions set the same value.
    pub post_unique: bool,
    /// An action is a step of a story that leads from the start to the goal, if nothing else
    /// prevents it; the others do anything.
    pub story_chance: usize,
    /// An effect works from any value.
    pub from_any_chance: usize,
    /// Most values that must hold during an action, 0 to 3.
    pub during: usize,
    /// Costs other than 1, with up to three places.
    pub costs: bool,
    /// Number of context checks that actions may ask for, in either sense, 0 to 3.
    pub checks: usize,
    /// Some actions override others.
    pub overrides: bool,
    /// Number of NPC types, each with its own list of actions; 0 is the implicit one.
    pub npcs: usize,
    /// A variable starts unknown.
    pub unknown_chance: usize,
    /// The goal names every variable that is known at the end of the story.
    pub total_goal: bool,
    /// The goal is any values, not the end of the story.
    pub blind_goal: bool,
}

impl Shape {
    /// A mix in which every feature and every class of domains occurs often.
    pub fn any(dice: &mut SplitMix) -> Self {
        // What the fast planners are made for comes as often as all that they are not.
        let (effects, post_unique) = match dice.below(10) {
            0..=4 => (1, true),
            5 | 6 => (1, false),
            7 => (3, true),
            _ => (3, false),
        };
        Shape {
            variables: dice.within(1, 6).max(dice.within(1, 6)),
            values: dice.within(2, 4),
            actions: dice.within(1, 12).max(dice.within(1, 12)),
            effects,
            post_unique,
            story_chance: *dice.pick(&[50, 80, 100]),
            from_any_chance: *dice.pick(&[0, 0, 10, 40]),
            during: *dice.pick(&[0, 1, 2, 2, 3]),
            costs: dice.percent(50),
            checks: *dice.pick(&[0, 0, 1, 2, 3]),
            overrides: dice.percent(25),
            npcs: *dice.pick(&[0, 1, 1, 1, 2, 3]),
            unknown_chance: *dice.pick(&[0, 0, 0, 10, 40]),
            total_goal: dice.percent(40),
            blind_goal: dice.percent(20),
        }
    }

    /// Larger domains without structure: what only search can answer. Several effects, actions
    /// that set the same values, costs, masks, partial goals.
    pub fn general(dice: &mut SplitMix) -> Self {
        Shape {
            variables: dice.within(1, 8).max(dice.within(1, 8)),
            values: dice.within(2, 4),
            actions: dice.within(1, 14).max(dice.within(1, 14)),
            effects: dice.within(1, 3),
            post_unique: false,
            costs: dice.percent(60),
            ..Shape::any(dice)
        }
    }
}
