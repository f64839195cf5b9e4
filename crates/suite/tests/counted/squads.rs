//! Squads keep their rules whatever happens: random places, deaths, births, travels, refusals, wishes.
//!
//! Nothing here is inside the crate of minds: the ground is a plane with spots, the members' work is
//! dice, and one behaviour of squads, `form_ring`, is added as a game would add its own
//! (`squad_life/mod.rs`).

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

use crate::squad_life::{Life, TEXT, one_squad, wish};
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_base::codec::Decoder;
use throng_domain::{CompiledDomain, Format, Limits, formats};
use throng_mind::blackboard::OrderState;
use throng_mind::fact::Position;
use throng_mind::spec::Spec;
use throng_mind::squad::{Squads, TaskEnd, TaskEvent, my_task};
use throng_mind::time::Pace;

#[test]
fn squads_keep_their_rules_whatever_happens() {
    let mut ends: BTreeMap<&str, u32> = BTreeMap::new();
    let mut travels = [0; 3];
    for seed in 0..12 {
        let mut life = Life::new(seed, 1);
        for _ in 0..8 {
            life.be_born();
        }
        for _ in 0..3000 {
            life.happen();
            life.tick();
            if life.now.is_multiple_of(100) {
                let bytes = life.packed();
                let mut unpacker = Decoder::new(&bytes);
                assert_eq!(unpacker.read::<Squads>().unwrap(), life.squads);
                unpacker.finish().unwrap();
            }
        }
        for (mind, me) in life.soldiers() {
            life.die(mind, me);
        }
        life.tick();
        assert!(life.squads.all().is_empty() && life.squads.tasks().is_empty());
        assert!(life.open.is_empty() && life.ended.len() > 100, "{}", life.ended.len());
        assert_eq!(life.minds.len(), 0, "minds of squads that are no more");
        life.ends.iter().for_each(|(how, n)| *ends.entry(how).or_default() += n);
        travels.iter_mut().zip(life.travels).for_each(|(sum, n)| *sum += n);
    }
    assert!(travels.iter().all(|&n| n >= 10), "{travels:?}");
    // Every way in which a task can end was tried.
    for how in ["done", "failed", "refused", "cancelled", "dead", "late"] {
        assert!(ends.get(how).is_some_and(|&n| n >= 5), "{ends:?}");
    }
}

#[test]
fn squads_are_the_same_with_any_number_of_threads() {
    let life = |threads: usize| {
        let mut life = Life::new(77, threads);
        for _ in 0..10 {
            life.be_born();
        }
        for _ in 0..1500 {
            life.happen();
            life.tick();
        }
        (life.packed(), life.minds.digest())
    };
    let one = life(1);
    assert!(one == life(2) && one == life(5));
}

#[test]
fn damaged_squads_are_refused() {
    let mut life = Life::new(5, 1);
    for _ in 0..10 {
        life.be_born();
    }
    while life.squads.tasks().len() < 2 {
        life.happen();
        life.tick();
    }
    let bytes = life.packed();
    for short in 0..bytes.len() {
        assert!(Decoder::new(&bytes[..short]).read::<Squads>().is_err());
    }
    for at in 0..bytes.len() {
        let mut other = bytes.clone();
        other[at] ^= 1 << (at % 8);
        // Whatever it is, it can be stepped.
        if let Ok(squads) = Decoder::new(&other).read::<Squads>() {
            let mut other = Life::new(5, 1);
            other.squads = squads;
            other.squads.step(&mut other.minds, &other.plain, 1);
        }
    }
}

#[test]
fn a_game_adds_a_squad_behaviour_of_its_own() {
    let (mut life, squad) = one_squad(TEXT);
    let ring = wish(&mut life, squad.mind, "ring");
    life.tick();
    let given = life.minds.mind(squad.mind).unwrap().board().orders().count();
    assert_eq!(given, 4, "a task for each");
    life.tick();
    let mut places: Vec<Position> = life.squads.tasks().iter().map(|task| task.place).collect();
    assert!(life.squads.tasks().iter().all(|task| task.what == ring));
    places.dedup();
    assert_eq!(places.len(), 4);
    for (mind, _) in life.soldiers() {
        let (mind, spec) = (life.minds.mind(mind).unwrap(), life.minds.spec());
        assert_eq!(my_task(mind.memory(), spec).unwrap().what, ring);
    }
    for _ in 0..200 {
        life.tick();
        let mind = life.minds.mind(squad.mind).unwrap();
        let is_open = |(_, state): (_, OrderState)| state == OrderState::Open;
        assert!(mind.board().orders().filter(|&order| is_open(order)).count() <= 4);
    }
    assert!(life.squads.tasks().is_empty());
    assert!(life.ends.get("done").is_some_and(|&n| n >= 1), "{:?}", life.ends);
}

#[test]
fn mistakes_in_a_squad_statement_are_told() {
    let right = "squad platoon: of soldier within 6 most 5 least 2 tasks 6 patience 1";
    let said = |line: &str| {
        let text = TEXT.replace(right, line);
        let limits = Limits::default();
        let loaded = formats::load(
            "t",
            &text,
            Format::Npc,
            &limits,
            &throng_mind::notes::WORDS,
            &mut formats::no_includes,
        );
        let model = loaded.model.unwrap();
        let pace = Pace { ticks_per_second: 10 };
        let spec = Spec::read(&model, Arc::new(CompiledDomain::new(&model)), pace);
        let told = spec.err().map(|report| format!("{report:?}"));
        told.unwrap_or_default()
    };
    assert_eq!(said(right), "");
    for (line, told) in [
        ("squad platon: of soldier within 6", "did you mean `platoon`?"),
        ("squad platoon: of soldiers within 6", "did you mean `soldier`?"),
        ("squad platoon: of soldier", "`within` and how near"),
        ("squad platoon: within 6", "`of` and who can be in it"),
        ("squad platoon: of platoon within 6", "is a `platoon` itself"),
        ("squad platoon: of soldier within 6 least 5 most 2", "there is no such squad"),
        ("squad platoon: of soldier within 6 most 99", "out of range"),
        ("squad platoon: of soldier within 6 mots 5", "did you mean `most`?"),
        ("squad platoon: of soldier within 6 within 7", "`within` is written twice"),
        ("squad platoon: of soldier, soldier within 6", "`soldier` is in two squads"),
    ] {
        assert!(said(line).contains(told), "{line}: {}", said(line));
    }
}

#[test]
fn squads_that_are_disbanded_end_their_tasks_and_form_anew() {
    let mut life = Life::new(3, 1);
    for _ in 0..10 {
        life.be_born();
    }
    while life.squads.tasks().len() < 2 {
        life.happen();
        life.tick();
    }
    let (tasks, last) = (life.squads.tasks().len(), life.squads.all().last().unwrap().number);
    life.squads.disband(&mut life.minds, &life.plain);
    let ended = TaskEvent::Ended(TaskEnd::Cancelled);
    assert_eq!(life.squads.news().iter().filter(|news| news.event == ended).count(), tasks);
    assert!(life.squads.all().is_empty() && life.squads.tasks().is_empty());
    assert_eq!(life.n_people(), life.plain.people.len());
    life.open.clear();
    life.tick();
    assert!(life.squads.all().first().is_some_and(|squad| squad.number > last));
}
