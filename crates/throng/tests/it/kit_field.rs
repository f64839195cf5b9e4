//! The kit in a world without a grid: soldiers who pick targets and cover fight it out, the same for the
//! same seed and any number of threads.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::examples::kit_guard::field::{Field, PACE, Person};
use crate::examples::kit_guard::walls::Walls;
use std::collections::HashMap;
use throng::kit::{Faces, SpotView, Spots, Vocabulary};
use throng::mind::prelude::*;
use throng::prelude::*;

const SOLDIERS: &str = "domain soldiers
sensor self:     every 0    keeps 1
sensor see:      on sight   keeps 20
sensor lose:     every 0.5  keeps 20
sensor spots:    every 0.33 keeps 2
sensor ways:     every 0.33 keeps 6
sensor exposure: every 0.1  keeps 4

select target: one of character(knowledge = alive)
    score distance of it curve 0 1, 30 0.2
    margin 0.25
select cover: best 2 of spot(knowledge = cover)
    where not exposed(object = it, source = target)
    score amount of path(object = it) else distance of it curve 0 1, 30 0.1
    claims

var threat: none, alive, dead
var place:  elsewhere, any cover
var rounds: empty, loaded

symbol threat: alive if target(knowledge = alive), dead if target, none
symbol place:  object of self, elsewhere
symbol rounds: stimulus of weapon

action goto(spot in cover): place -> spot
action attack:              threat alive -> dead  while rounds = loaded
    cost 5
action attack_from_cover(spot in cover): threat alive -> dead
    while rounds = loaded, place = spot
    does attack
action reload:              rounds empty -> loaded
action wait:                takes 2

goal kill: threat = dead  priority 50  relevance if target

npc soldier
    can goto, attack, attack_from_cover, reload, wait
    wants kill
    otherwise wait
    memory 160
    retry 0.3
";

/// A fight of four against four.
pub(crate) struct Fight {
    pub(crate) minds: Minds<Field>,
    pub(crate) field: Field,
    pub(crate) went_to_cover: bool,
    most_idle: Tick,
}

fn fight(seed: u64, threads: usize) -> Fight {
    fight_of(&Domain::from_text(SOLDIERS).unwrap(), seed, threads)
}

/// The same with the `soldier` of a file.
pub(crate) fn fight_of(domain: &Domain, seed: u64, threads: usize) -> Fight {
    let spec = domain.mind_spec(PACE).unwrap();
    let mut minds = Minds::new(spec, throng::kit::body(), threads).unwrap();
    let words = Vocabulary::find(&minds.spec().words);
    let walls = Walls::new(&[[12.0, 0.0, 12.0, 6.0], [12.0, 9.0, 12.0, 16.0]]);
    let mut field = Field::new(words, walls, seed);
    for number in 0..8_u8 {
        let is_east = number >= 4;
        let (x, east) = if is_east { (16.0, -1.0) } else { (8.0, 1.0) };
        field.spots.push(SpotView {
            id: EntityId(100 + u64::from(number)),
            name: Word::NONE,
            sort: field.words.cover,
            place: [x, 2.0 + 4.0 * f32::from(number % 4), 0.0],
            faces: Some(Faces { direction: [east, 0.0, 0.0], arc: 160.0 }),
            radius: None,
            held_by: None,
        });
        let side = if is_east { field.words.enemy } else { field.words.friend };
        let place = [if is_east { 21.0 } else { 3.0 }, 3.0 + 3.0 * f32::from(number % 4), 0.0];
        let mut person = Person::new(u64::from(number) + 1, field.words.person, side, place);
        let mind = minds.spawn("soldier", person.id).unwrap();
        minds.set_side(mind, side).unwrap();
        person.mind = Some(mind);
        field.people.push(person);
    }
    Fight { minds, field, went_to_cover: false, most_idle: 0 }
}

impl Fight {
    pub(crate) fn tick(&mut self, now: Tick) {
        self.field.step();
        for (mind, message) in self.field.reports() {
            let _ = self.minds.tell(mind, message);
        }
        let dead = self.field.people.iter().filter(|it| !it.is_alive()).filter_map(|it| it.mind);
        let dead: Vec<_> = dead.filter(|&mind| self.minds.mind(mind).is_some()).collect();
        for mind in dead {
            self.minds.despawn(mind, &self.field).unwrap();
        }
        self.minds.tick(&self.field, now);
        let sent: Vec<IssuedOrder> = self.minds.drain_orders().collect();
        sent.iter().for_each(|sent| self.field.take(sent));
        self.field.cast_rays(&mut self.minds);
        let at_spot = |it: &Person| self.field.stands_at(it.id).is_some();
        self.went_to_cover |= self.field.people.iter().any(at_spot);
    }

    pub(crate) fn is_over(&self) -> bool {
        let lives =
            |east: bool| self.field.people.iter().any(|it| it.is_alive() && (it.id.0 > 4) == east);
        !(lives(true) && lives(false))
    }
}

#[test]
fn soldiers_on_the_kit_fight_it_out_without_a_grid() {
    let mut over = 0;
    for seed in 0..10 {
        let mut fight = fight(seed, 1);
        // How long each has had nothing to do.
        let mut idle: HashMap<MindId, Tick> = HashMap::new();
        for now in 1..900 {
            fight.tick(now);
            if fight.is_over() {
                over += 1;
                break;
            }
            // Who sees a living enemy has picked one, and does something about it. Nobody in this file
            // goes to look for whom he has lost.
            let is_idle = |mind: &Mind| {
                let alive = Some(fight.field.words.alive);
                let known = mind.memory().of_kind(fight.field.words.character);
                let mut seen = known.filter(|it| it.updated() == now);
                let sees = seen.any(|it| it.word(Attribute::Knowledge) == alive);
                sees && mind.goals().active().is_none()
            };
            for mind in fight.minds.iter() {
                let lasted = idle.entry(mind.id()).or_default();
                *lasted = if is_idle(mind) { *lasted + 1 } else { 0 };
                fight.most_idle = fight.most_idle.max(*lasted);
            }
        }
        assert!(fight.went_to_cover, "seed {seed}");
        assert!(fight.most_idle <= 5, "seed {seed}: idle for {} ticks", fight.most_idle);
        let killed = fight.field.people.iter().filter(|it| !it.is_alive()).count();
        assert_eq!(fight.field.deaths.len(), killed, "every death has a cause");
        assert!(killed >= 2, "seed {seed}: {killed} killed");
    }
    // Some fights end with both in hiding.
    assert!(over >= 5, "{over} of 10 fights ended");
}

#[test]
fn the_same_seed_is_the_same_fight_for_any_number_of_threads() {
    let mut fights = [fight(3, 1), fight(3, 2), fight(3, 4)];
    for now in 1..300 {
        fights.iter_mut().for_each(|fight| fight.tick(now));
        let digests = fights.each_ref().map(|fight| fight.minds.digest());
        assert!(digests.iter().all(|it| *it == digests[0]), "tick {now}");
    }
    let deaths = fights.each_ref().map(|fight| fight.field.deaths.clone());
    assert!(deaths.iter().all(|it| *it == deaths[0]) && !deaths[0].is_empty());
}
