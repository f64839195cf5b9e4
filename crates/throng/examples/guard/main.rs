//! The end of the tutorial `docs/minds.md` as a program: a guard hears a noise, investigates,
//! fights from cover and forgets. `cargo run -p throng --example guard`
//!
//! In:   `guard.npc`, the designer's file, and a script.
//! Out:  a minute of his life on standard output; why he stands there; a new version of the file.
#![allow(clippy::print_stdout, reason = "this is a program")]

pub(crate) mod yard;

use std::error::Error;
use throng::mind::prelude::*;
use throng::prelude::*;
use yard::Yard;

pub(crate) const GUARD: &str = include_str!("guard.npc");

/// Where he is: by name at a place, nowhere on the way.
fn feet(sensing: &mut Sensing<'_, Yard>) -> Work {
    *sensing.here = sensing.world.guard(sensing.me);
    if let Some(name) = sensing.world.guard_at(sensing.me) {
        let node = sensing.word(name);
        sensing.remember_one(sensing.fact("self").with(Attribute::Node, node, 1.0), &[]);
    }
    sensing.forget_the_rest();
    Work::Light
}

/// Whom he sees. What he does not see any more he remembers for as long as the file says.
fn eyes(sensing: &mut Sensing<'_, Yard>) -> Work {
    if let Some(place) = sensing.world.intruder_in_sight(sensing.me) {
        let fact = sensing.fact("intruder").with(Attribute::Position, place, 1.0);
        sensing.remember_one(fact, &[]);
    }
    Work::Heavy // a ray through the world
}

/// Going somewhere is an order to the game, which says when it is done.
fn walk(acting: &mut Acting<'_, Yard>) -> Progress {
    let to = yard::place(acting.parameter_text(0));
    acting.board.order(Order::Move { to, node: acting.it(), manner: Word::NONE });
    Progress::Waiting
}

/// Looks around for as long as the file says, and then has done with the noise.
struct Inspect;

impl Behaviour<Yard> for Inspect {
    fn start(&self, acting: &mut Acting<'_, Yard>) -> Progress {
        Progress::Until(acting.now + acting.takes())
    }

    fn go_on(&self, _: &mut Acting<'_, Yard>) -> Progress {
        Progress::Done
    }

    fn end(&self, acting: &mut Acting<'_, Yard>, how: Ending) {
        if how == Ending::Done {
            acting.forget_all("noise");
        }
    }
}

/// Shot after shot until nobody is there to be shot at.
struct Shoot;

impl Behaviour<Yard> for Shoot {
    fn start(&self, acting: &mut Acting<'_, Yard>) -> Progress {
        if acting.world.intruder_in_sight(acting.me).is_none() {
            return Progress::Failed(acting.word("lost"));
        }
        acting.board.order(Order::Weapon { what: acting.word("fire"), at: None, to: None });
        Progress::Waiting
    }

    fn go_on(&self, acting: &mut Acting<'_, Yard>) -> Progress {
        match acting.board.progress() {
            Progress::Done if acting.world.intruder.is_some() => self.start(acting),
            other => other,
        }
    }

    fn end(&self, acting: &mut Acting<'_, Yard>, how: Ending) {
        if how == Ending::Done {
            acting.forget_all("intruder");
        }
    }
}

/// All the code there is, by the names in the file. The rest is animations.
pub(crate) fn body() -> Body<Yard> {
    Body::new()
        .sensor("feet", feet)
        .sensor("eyes", eyes)
        .behaviour("walk", walk)
        .behaviour("inspect", Inspect)
        .behaviour("shoot", Shoot)
        .words(&["fire", "lost"])
        .expects(&["self", "intruder", "noise"])
}

/// A minute of his life, line by line.
pub(crate) fn life() -> Result<Vec<String>, Box<dyn Error>> {
    let domain = Domain::from_text(GUARD)?;
    let mut minds = Minds::new(domain.mind_spec(10)?, body(), 1)?;
    let guard = minds.spawn("guard", EntityId(1))?;
    let mut yard = Yard::new();
    let mut diary = Vec::new();
    for now in 0..600 {
        let mut say = |text: &str| diary.push(format!("{:4.1} s  {text}", f64::from(now) / 10.0));
        // The script: what happens in the game.
        match now {
            50 | 470 => {
                say("— a noise in the yard");
                let noise = minds.word("noise")?;
                minds.tell(guard, Stimulus::new(noise, yard::place("yard")))?;
            }
            140 | 300 => {
                say("— an intruder in the yard");
                yard.intruder = Some((yard::place("yard"), 2));
            }
            310 => {
                say("— the intruder slips away");
                yard.intruder = None;
            }
            450 => {
                say("— somebody steals his gun");
                minds.set_check(guard, "has_gun", false)?;
            }
            490 => {
                say("— why does he stand there?");
                let seen = minds.inspect(guard).ok_or("he is gone")?.to_string();
                seen.lines().for_each(|line| say(&format!("  {line}")));
            }
            500 => {
                say("— the designer lets him inspect without a gun, and saves the file");
                let newer = GUARD.replace("while at = yard, gun = drawn", "while at = yard");
                minds.reload(Domain::from_text(&newer)?.mind_spec(10)?, &yard)?;
                minds.drain_orders().for_each(|sent| yard.take(sent, now));
            }
            _ => {}
        }
        // A tick of the game and of the minds in it.
        for sent in yard.step(now) {
            minds.tell(sent.mind, Message::Done(sent.id))?;
        }
        minds.tick(&yard, now);
        minds.drain_orders().for_each(|sent| yard.take(sent, now));
        for event in minds.events() {
            if !matches!(event.what, EventKind::Heavy(_)) {
                say(&minds.describe(event));
            }
        }
    }
    Ok(diary)
}

fn main() -> Result<(), Box<dyn Error>> {
    life()?.iter().for_each(|line| println!("{line}"));
    Ok(())
}
