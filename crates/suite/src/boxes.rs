//! Boxes, competition: a creature carries boxes one at a time from the first place to the last.
//!
//! In:   how many boxes and places.
//! Out:  the domain as `.npc` text.
//!
//! After "Optimizing Practical Planning for Game AI". Every order of the boxes is a plan of the
//! same length, four actions a box but for the last way back, so a breadth-first search meets
//! nearly every state.

use std::fmt::Write as _;

/// The domain: so many boxes, all at the first place, wanted at the last.
pub fn boxes(n_boxes: usize, n_places: usize) -> String {
    let places: Vec<String> = (1..=n_places).map(|place| format!("place{place}")).collect();
    let places = places.join(", ");
    let mut text = format!("domain boxes\n\nvar at: {places}\nvar hands: free, full\n");
    for number in 1..=n_boxes {
        _ = writeln!(text, "var box{number}: {places}, held");
    }
    text.push_str("\naction go(from in at, to in at): at from -> to\n");
    for number in 1..=n_boxes {
        _ = writeln!(
            text,
            "action take{number}(place in at): box{number} place -> held, hands free -> full\n    \
             while at = place\n\
             action drop{number}(place in at): box{number} held -> place, hands full -> free\n    \
             while at = place"
        );
    }
    let all = |value: &str| -> String {
        (1..=n_boxes).map(|number| format!(", box{number} = {value}")).collect()
    };
    let wanted = all(&format!("place{n_places}"));
    _ = writeln!(text, "\ngoal moved: {}", wanted.trim_start_matches(", "));
    let actions: String =
        (1..=n_boxes).map(|number| format!(", take{number}, drop{number}")).collect();
    _ = writeln!(
        text,
        "\nnpc creature\n    can go{actions}\n    wants moved\n    \
         starts at = place1, hands = free{}",
        all("place1")
    );
    text
}
