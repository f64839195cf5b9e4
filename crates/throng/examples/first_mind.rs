//! The first mind of `docs/minds.md`: a file, a loop, and no code for actions.
//! `cargo run -p throng --example first_mind -- FILE`
//!
//! In:   an `.npc` file with an NPC type called `guard`.
//! Out:  half a minute of its life, on standard output.
#![allow(clippy::print_stdout, reason = "this is a program")]

use std::error::Error;
use throng::mind::prelude::*;
use throng::prelude::*;

pub(crate) fn live(domain: &Domain) -> Result<Vec<String>, Box<dyn Error>> {
    let mut minds = Minds::new(domain.mind_spec(10)?, Body::new(), 1)?; // ten ticks a second, one thread
    let guard = minds.spawn("guard", EntityId(1))?;
    let mut diary = Vec::new();
    for now in 0..300 {
        // What happens in the game. Who has no sensor for it does not notice.
        for (when, what) in [(50, "noise"), (120, "intruder")] {
            if when == now
                && let Ok(what) = minds.word(what)
            {
                minds.tell(guard, Stimulus::new(what, [14.0, 0.0, 0.0]))?;
            }
        }
        minds.tick(&(), now); // no world yet that sensors could look at
        for event in minds.events() {
            diary.push(format!("{:4.1} s  {}", f64::from(now) / 10.0, minds.describe(event)));
        }
    }
    Ok(diary)
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).unwrap_or("guard.npc".to_string());
    let diary = live(&Domain::from_file(file)?)?;
    diary.iter().for_each(|line| println!("{line}"));
    Ok(())
}
