//! The first mind of `docs/minds.md`: a file, a loop, and next to no code for actions.
//! `cargo run -p throng --example first_mind -- FILE`
//!
//! In:   an `.npc` file with an NPC type called `guard`.
//! Out:  half a minute of its life, on standard output.
#![allow(clippy::print_stdout, reason = "this is a program")]

use std::error::Error;
use throng::mind::prelude::*;
use throng::prelude::*;

/// The world that sensors look at. None has any code yet, so there is nothing to see.
pub(crate) struct Yard;

/// Takes its time, and if it comes to its end, forgets what it was about.
struct Settles(&'static str);

impl Behaviour<Yard> for Settles {
    fn start(&self, acting: &mut Acting<'_, Yard>) -> Progress {
        Progress::Until(acting.now + acting.takes())
    }

    fn go_on(&self, _: &mut Acting<'_, Yard>) -> Progress {
        Progress::Done
    }

    fn end(&self, acting: &mut Acting<'_, Yard>, how: Ending) {
        if how == Ending::Done {
            acting.forget_all(self.0);
        }
    }
}

pub(crate) fn body() -> Body<Yard> {
    Body::new().behaviour("inspect", Settles("noise")).expects(&["noise"])
}

pub(crate) fn armed() -> Body<Yard> {
    body().behaviour("shoot", Settles("intruder")).expects(&["intruder"])
}

pub(crate) fn live(domain: &Domain, body: Body<Yard>) -> Result<Vec<String>, Box<dyn Error>> {
    let mut minds = Minds::new(domain.mind_spec(10)?, body, 1)?; // ten ticks a second, one thread
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
        minds.tick(&Yard, now);
        for event in minds.events() {
            diary.push(format!("{:4.1} s  {}", f64::from(now) / 10.0, minds.describe(event)));
        }
    }
    Ok(diary)
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).unwrap_or("guard.npc".to_string());
    // Whatever step of the page the file is of, it may use less than all of the code.
    let diary = live(&Domain::from_file(file)?, armed().for_many_files())?;
    diary.iter().for_each(|line| println!("{line}"));
    Ok(())
}
