//! The soldiers of the levels in a world without a grid: what the office promises of them holds there
//! too.
//!
//! The file is the one that the office uses, as it is: it names no place. Only the world is another,
//! with coordinates that are continuous, walls that are lines, and people who are where they are.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::examples::kit_guard::field::{Field, PACE, Person};
use crate::kit_field::{Fight, fight_of};
use std::collections::HashMap;
use std::path::Path;
use throng::kit::SpotView;
use throng::mind::events::Activity;
use throng::mind::prelude::*;
use throng::prelude::*;

const SECONDS: u32 = 60;

/// What is watched in every tick.
#[derive(Default)]
struct Promises {
    /// How long each has had nothing to do while he knew of an enemy.
    idle: HashMap<MindId, Tick>,
    /// Who has killed whom, and when he must have picked another or want something.
    owed: Vec<(MindId, EntityId, Tick)>,
    /// How long two have had one target while nobody had another who threatens.
    doubled: HashMap<(MindId, MindId), Tick>,
    /// Deaths seen so far.
    deaths: usize,
    /// Who has killed last, and when.
    killed: HashMap<MindId, Tick>,
    broken: Vec<String>,
}

fn target(mind: &Mind, minds: &Minds<Field>) -> Option<EntityId> {
    mind.picks().named(minds.spec(), "target")?.key.entity()
}

/// Those whom a mind believes alive, known of for less than so many seconds.
fn enemies<'m>(mind: &'m Mind, fight: &'m Fight, seconds: u32) -> impl Iterator<Item = EntityId> {
    let (words, now) = (&fight.field.words, fight.minds.now());
    let known = mind.memory().of_kind(words.character);
    let alive = known.filter(|it| it.word(Attribute::Knowledge) == Some(words.alive));
    let fresh = alive.filter(move |it| now - it.updated() < seconds * PACE);
    fresh.filter_map(|it| it.entity(Attribute::Object))
}

impl Promises {
    fn watch(&mut self, fight: &Fight) {
        self.nobody_idles(fight);
        self.after_a_kill(fight);
        self.nobody_doubles(fight);
        self.nobody_shares(fight);
        for mind in fight.minds.iter() {
            let is_heavy =
                |it: &&Event| it.mind == mind.id() && matches!(it.what, EventKind::Heavy(_));
            if fight.minds.events().iter().filter(is_heavy).count() > 1 {
                self.broken.push("a mind does heavy work twice in a tick".to_string());
            }
        }
    }

    /// `nobody idle for 0.5 while character(knowledge = alive, age < 20)`.
    fn nobody_idles(&mut self, fight: &Fight) {
        for mind in fight.minds.iter() {
            let rests = match mind.follow().run() {
                Some(run) => matches!(run.doing, Activity::Otherwise(_)),
                None => true,
            };
            let lasted = self.idle.entry(mind.id()).or_default();
            let idles = rests && enemies(mind, fight, 20).next().is_some();
            *lasted = if idles { *lasted + 1 } else { 0 };
            if *lasted == PACE / 2 {
                self.broken.push(format!("{:?} idles for half a second", mind.id()));
            }
        }
    }

    /// `after a kill the killer picks target or wants … within 0.3`, and no kill is without effect.
    fn after_a_kill(&mut self, fight: &Fight) {
        let (minds, now) = (&fight.minds, fight.minds.now());
        for &(_, whom, by) in &fight.field.deaths[self.deaths..] {
            let killer = minds.iter().find(|mind| mind.me() == by);
            if let Some(killer) = killer.map(Mind::id) {
                self.owed.push((killer, whom, now + 3));
                self.killed.insert(killer, now);
            }
        }
        self.deaths = fight.field.deaths.len();
        let fights = ["kill", "drive_out", "keep_down", "dodge", "take_cover", "flee"];
        let wishes = ["look", "be_ready", "survive", "react"];
        self.owed.retain(|&(killer, whom, _)| {
            minds.mind(killer).is_some_and(|mind| {
                let wanted = mind.goals().active().and_then(|goal| minds.name(goal));
                let picks_another = target(mind, minds).is_some_and(|it| it != whom);
                !picks_another
                    && !wanted.is_some_and(|goal| fights.contains(&goal) || wishes.contains(&goal))
            })
        });
        for late in self.owed.extract_if(.., |(.., until)| now >= *until) {
            self.broken.push(format!("{late:?} did nothing after a kill"));
        }
        for event in minds.events() {
            let action = match event.what {
                EventKind::NoEffect(action) | EventKind::Doubted(action) => action,
                _ => continue,
            };
            let is_attack = minds.name(action).is_some_and(|name| name.starts_with("attack"));
            if is_attack && self.killed.get(&event.mind).is_some_and(|&at| now <= at + PACE / 2) {
                let name = minds.name(action).unwrap_or_default();
                self.broken
                    .push(format!("{now}: the kill of {:?} by {name} had no effect", event.mind));
            }
        }
    }

    /// `nobody doubles target for 1 while another threatens`.
    fn nobody_doubles(&mut self, fight: &Fight) {
        let side = |who: EntityId| fight.field.person(who).map(|it| it.side);
        let minds: Vec<&Mind> = fight.minds.iter().collect();
        let picked: Vec<_> = minds.iter().map(|mind| target(mind, &fight.minds)).collect();
        for (at, one) in minds.iter().enumerate() {
            for (more, other) in minds[at + 1..].iter().enumerate() {
                let shared = picked[at].is_some() && picked[at] == picked[at + 1 + more];
                let mine = side(one.me());
                let threatens = |enemy: &EntityId| {
                    let aims = fight.field.person(*enemy).filter(|it| it.is_alive());
                    let aims = aims.and_then(|it| it.aims_at).is_some_and(|it| side(it) == mine);
                    let both = enemies(other, fight, 20).any(|it| it == *enemy);
                    let mut ours = minds.iter().zip(&picked).filter(|it| side(it.0.me()) == mine);
                    aims && both && !ours.any(|(_, held)| *held == Some(*enemy))
                };
                let is_side = mine == side(other.me());
                let doubles = shared && is_side && enemies(one, fight, 20).any(|it| threatens(&it));
                let lasted = self.doubled.entry((one.id(), other.id())).or_default();
                *lasted = if doubles { *lasted + 1 } else { 0 };
                if *lasted == PACE {
                    self.broken.push(format!("{:?} and {:?} double", one.id(), other.id()));
                }
            }
        }
    }

    /// `nobody shares`: two never stand at one spot.
    fn nobody_shares(&mut self, fight: &Fight) {
        let living = || fight.field.people.iter().filter(|it| it.is_alive());
        let far =
            |it: &Person, spot: &SpotView| throng::kit::geometry::distance(it.place, spot.place);
        for spot in &fight.field.spots {
            if living().filter(|it| far(it, spot) < 0.25).count() > 1 {
                self.broken.push(format!("two share {:?}", spot.id));
            }
        }
    }
}

#[test]
fn the_soldiers_of_the_levels_keep_the_offices_promises_without_a_grid() {
    let file = "../../domains/levels/soldiers/soldier.npc";
    let domain = Domain::from_file(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let (mut over, mut broken) = (0, Vec::new());
    for seed in 0..10 {
        let mut fight = fight_of(&domain, seed, 1);
        fight.field.people.iter_mut().for_each(|it| it.grenades = 1);
        let mut promises = Promises::default();
        let mut all_picked = false;
        for now in 1..SECONDS * PACE {
            if now == 2 * PACE {
                let bang = fight.field.words.bang;
                fight.field.noise([12.0, 7.5, 0.0], 40.0, bang, None);
            }
            fight.tick(now);
            promises.watch(&fight);
            all_picked |= fight.minds.iter().all(|mind| target(mind, &fight.minds).is_some());
            if fight.is_over() {
                over += 1;
                break;
            }
        }
        let killed = fight.field.people.iter().filter(|it| !it.is_alive()).count();
        assert_eq!(fight.field.deaths.len(), killed, "every death has a cause");
        assert!(fight.went_to_cover && all_picked && killed >= 2, "seed {seed}: {killed} killed");
        let calls = fight.minds.totals().calls as f64;
        let lived = f64::from(fight.minds.now()) / f64::from(PACE) * 8.0;
        assert!(calls < 2.0 * lived, "seed {seed}: {calls} searches in {lived} seconds");
        broken.extend(promises.broken.into_iter().map(|why| format!("seed {seed}: {why}")));
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(over >= 5, "{over} of 10 fights ended");
}
