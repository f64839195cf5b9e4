//! The body of those who live in the world: the kit, over this world.
//!
//! In:   nothing.
//! Out:  sensors and behaviours, by the names used in files.
//! Cost: one list.
//!
//! What the kit asks of the world is answered in `scene.rs`.

use crate::world::World;
pub use throng_kit::vocabulary;
use throng_mind::Body;

/// All sensors and behaviours, for any story: each uses what it needs.
pub fn body() -> Body<World> {
    throng_kit::body().and(throng_kit::squads())
}
