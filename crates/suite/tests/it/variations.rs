//! Variations of a story differ from it in the cause that was removed: what the planner sees and what
//! they can do is the same, word for word. Only names, comments at the head and what happens differ.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

/// A story and a variation of it.
const PAIRS: [(&str, &str); 8] = [
    ("cover", "cover_taken"),
    ("cover", "near_cover"),
    ("cover", "second_enemy"),
    ("cover", "four_enemies"),
    ("pipe", "no_pipe"),
    ("door", "door_opens"),
    ("grenade", "grenade_far"),
    ("grenade", "grenade_too_late"),
];

/// Everything between the name of the domain and the story.
fn above(story: &str) -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../domains/stories");
    let text = std::fs::read_to_string(format!("{folder}/{story}.npc")).unwrap();
    let lines = text.lines().skip_while(|line| !line.starts_with("domain ")).skip(1);
    let above = lines.take_while(|line| !line.starts_with("# --- The story"));
    let above: Vec<String> = above.map(str::to_string).collect();
    assert!(above.iter().any(|line| line.starts_with("goal ")), "{story}: what stands there?");
    assert!(text.lines().any(|line| line.starts_with("# --- The story")), "{story}: no such line");
    above
}

#[test]
fn a_variation_shares_with_its_story_what_they_see_and_can_do() {
    for (story, variation) in PAIRS {
        assert_eq!(above(story), above(variation), "{story} and {variation}");
    }
}

#[test]
fn levels_with_the_same_squad_use_the_same_file() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../domains/levels");
    let used = |level: &str| -> Vec<String> {
        let text = std::fs::read_to_string(format!("{folder}/{level}.npc")).unwrap();
        let lines = text.lines().skip_while(|line| !line.starts_with("domain ")).skip(1);
        lines.take_while(|line| !line.starts_with("story ")).map(str::to_string).collect()
    };
    assert!(used("squad_flank").iter().any(|line| line == "use \"soldiers/fireteam.npc\""));
    for level in ["squad_flank_alone", "squad_loss", "squad_second"] {
        assert_eq!(used("squad_flank"), used(level), "{level}");
    }
}

#[test]
fn with_equal_costs_one_line_is_gone() {
    let mut dear = above("cover");
    dear.retain(|line| line.trim() != "cost 5");
    assert_eq!(dear.len() + 1, above("cover").len());
    assert_eq!(dear, above("cover_equal_costs"));
}
