//! Accuracy: how likely a shot hits, and whether it does.
//!
//! In:   who shoots, at whom, whether blindly; `rules.accuracy` and `rules.seed`.
//! Out:  a chance from 0 to 1; a yes or no that follows from the seed, the shooter and the tick.
//! Cost: a few products.
//!
//! Without `rules.accuracy` nothing is left to chance: every shot with a clear line hits, and who
//! is covered is hurt less. With it, who is covered is hit less often, and as much as others.

use super::World;
use crate::actor::{Actor, Posture};
use throng_base::SplitMix;

/// A shot at the end of sight hits so many times as often as one at arm's length.
const AT_THE_END: f32 = 0.4;
/// The same for one at a target behind cover that protects it from this side …
const COVERED: f32 = 0.35;
/// … that crouches …
const LOW: f32 = 0.7;
/// … that is on the move; and by a shooter who is.
const MOVING: f32 = 0.6;
/// A shot from behind cover without a look.
const BLIND: f32 = 0.25;

impl World {
    /// How likely a shot with a clear line hits.
    pub fn hit_chance(&self, me: &Actor, it: &Actor, is_blind: bool) -> f32 {
        let Some(accuracy) = self.rules.accuracy else { return if is_blind { 0.0 } else { 1.0 } };
        let far = me.cell.distance(it.cell) / f32::from(self.rules.sight.max(1));
        let lessened = |is_so: bool, times: f32| if is_so { times } else { 1.0 };
        let chance = accuracy
            * (1.0 - (1.0 - AT_THE_END) * far.min(1.0))
            * lessened(self.is_behind_cover(it, me.cell), COVERED)
            * lessened(it.posture == Posture::Crouched, LOW)
            * lessened(it.is_moving(), MOVING)
            * lessened(me.is_moving(), MOVING)
            * lessened(is_blind, BLIND);
        chance.clamp(0.0, 1.0)
    }

    /// Whether a shot of this tick hits.
    pub(super) fn hits(&self, me: &Actor, it: &Actor, is_blind: bool) -> bool {
        let own = SplitMix::new(self.rules.seed).number() ^ me.handle.0;
        let now = SplitMix::new(own).number() ^ u64::from(self.now);
        SplitMix::new(now).fraction() < f64::from(self.hit_chance(me, it, is_blind))
    }

    /// What a hit takes.
    pub(super) fn shot_harm(&self, me: &Actor, it: &Actor) -> i32 {
        let is_less = self.rules.accuracy.is_none() && self.is_covered_from(it, me.cell);
        self.rules.shot_damage / if is_less { self.rules.cover_divides.max(1) } else { 1 }
    }

    /// What a blast takes so far from its middle: all of it; with `rules.accuracy` less and less
    /// beyond the inner third, down to two fifths at the edge.
    pub(super) fn blast_harm(&self, distance: f32, radius: u16) -> i32 {
        let whole = self.rules.blast_damage;
        if self.rules.accuracy.is_none() {
            return whole;
        }
        let inner = f32::from(radius) / 3.0;
        let out = (distance - inner) / (f32::from(radius) - inner).max(1.0);
        // Casts saturate.
        (whole as f32 * (1.0 - 0.6 * out.clamp(0.0, 1.0))) as i32
    }
}
