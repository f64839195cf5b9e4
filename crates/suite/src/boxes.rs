//! Boxes, competition, as `.npc` text with one creature.
//!
//! In:   how many boxes and places.
//! Out:  the member of `throng_pddl::boxes`, which says what the family is.

use throng_pddl::boxes::{Boxes, Kind};

/// The domain: so many boxes, all at the first place, wanted at the last.
pub fn boxes(n_boxes: usize, n_places: usize) -> String {
    let [boxes, places] = [n_boxes, n_places].map(|n| n as u32);
    Boxes { places, ..Boxes::new(Kind::Competition, boxes) }.npc()
}
