//! The world as rows of text.

use crate::world::World;

impl World {
    /// Rows of text, at most 78 wide: the part of the map that is widest in use.
    pub fn draw(&self) -> Vec<String> {
        Vec::new()
    }

    /// What the letters mean, a line each.
    pub fn legend(&self) -> Vec<String> {
        Vec::new()
    }
}
