//! What holds squads together: what one knows all know, somebody leads, orders are heard, and nobody is
//! without a task between two.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

use crate::counting::allocations_of;
use crate::squad_life::{Life, TEXT, led_by, one_squad, spot_name, wish};
use throng_base::codec::Decoder;
use throng_mind::Ending;
use throng_mind::events::EventKind;
use throng_mind::fact::{Attribute, EntityId, FactDraft, Position};
use throng_mind::memory::FactRef;
use throng_mind::orders::{Message, MindId, Stimulus, TaskSlot};
use throng_mind::select::Key;
use throng_mind::squad::{Spot, Squads, TaskEvent, my_task};
use throng_mind::words::Word;

/// The people of a squad, put in a row with so much between them.
fn row(text: &str, between: f32) -> (Life, Vec<MindId>) {
    let (mut life, _) = one_squad(text);
    let minds: Vec<MindId> = life.soldiers().into_iter().map(|(mind, _)| mind).collect();
    for (at, (mind, me)) in life.soldiers().into_iter().enumerate() {
        let place = [at as f32 * between, 0.0, 0.0];
        life.plain.people.get_mut(&me).unwrap().0 = place;
        life.minds.set_place(mind, place).unwrap();
    }
    life.tick();
    assert_eq!(life.squads.all().len(), 1);
    (life, minds)
}

fn facts_of<'l>(life: &'l Life, mind: MindId, kind: &str) -> Vec<FactRef<'l>> {
    let kind = life.minds.word(kind).unwrap();
    life.minds.mind(mind).unwrap().memory().of_kind(kind).collect()
}

fn sees(life: &mut Life, mind: MindId, object: u64, place: Position) {
    let sight = life.minds.word("sight").unwrap();
    let object = Some(EntityId(object));
    life.minds.tell(mind, Stimulus { object, ..Stimulus::new(sight, place) }).unwrap();
}

#[test]
fn squads_with_leaders_keep_their_rules_whatever_happens() {
    for orders in ["radio", "voice radius 3"] {
        let text = led_by(orders);
        let mut ties = [0; 4];
        for seed in 0..6 {
            let mut life = Life::of(&text, seed, 1);
            (0..8).for_each(|_| life.be_born());
            for _ in 0..2000 {
                life.happen();
                life.tick();
                if life.now.is_multiple_of(50) {
                    let bytes = life.packed();
                    let mut from = Decoder::new(&bytes);
                    assert_eq!(from.read::<Squads>().unwrap(), life.squads);
                    from.finish().unwrap();
                }
            }
            ties.iter_mut().zip(life.ties).for_each(|(sum, n)| *sum += n);
        }
        let [leaderless, unheard, told, goes_on] = ties;
        assert!(leaderless > 100 && told > 1000, "{orders}: {ties:?}");
        let is_radio = orders == "radio";
        assert_eq!((unheard > 100, goes_on > 100), (!is_radio, !is_radio), "{orders}: {ties:?}");
        assert!(!is_radio || goes_on == 0, "{ties:?}");
    }
}

#[test]
fn squads_with_leaders_are_the_same_with_any_number_of_threads() {
    let text = led_by("voice radius 3");
    let life = |threads: usize| {
        let mut life = Life::of(&text, 7, threads);
        (0..10).for_each(|_| life.be_born());
        for _ in 0..800 {
            life.happen();
            life.tick();
        }
        (life.packed(), life.minds.digest())
    };
    let one = life(1);
    assert!(one == life(2) && one == life(4));
}

#[test]
fn what_one_sees_all_know_half_a_second_later() {
    let (mut life, minds) = row(&led_by("radio"), 1.0);
    sees(&mut life, minds[0], 8_001, [9.0, 9.0, 0.0]);
    let knows = |life: &Life, mind: MindId| {
        let facts = facts_of(life, mind, "sight");
        facts.first().map(|fact| (fact.sure(Attribute::Position), fact.entity(Attribute::Source)))
    };
    let mut after = None;
    for ticks in 1..=6 {
        life.tick();
        if after.is_none() && minds.iter().all(|&mind| knows(&life, mind).is_some()) {
            after = Some(ticks);
        }
    }
    let after = after.expect("all know it");
    assert!((3..=5).contains(&after), "{after}");
    for &mind in &minds[1..] {
        let (sure, source) = knows(&life, mind).unwrap();
        assert!((sure - 0.8).abs() < 1e-5 && source == Some(EntityId(1)), "{sure} {source:?}");
    }
    // He who saw it is not told of it by the others.
    assert_eq!(facts_of(&life, minds[0], "sight").len(), 1);
}

#[test]
fn only_what_has_changed_is_told_again_and_in_place_of_the_old() {
    let (mut life, minds) = row(&led_by("radio"), 1.0);
    sees(&mut life, minds[0], 8_001, [9.0, 9.0, 0.0]);
    (0..8).for_each(|_| life.tick());
    let updated = |life: &Life| facts_of(life, minds[1], "sight")[0].updated();
    let before = updated(&life);
    (0..8).for_each(|_| life.tick());
    assert_eq!(updated(&life), before, "nothing has changed");
    // He remembers what he saw as one fact for each thing that is seen, by sensor.
    sees(&mut life, minds[0], 8_001, [20.0, 9.0, 0.0]);
    (0..8).for_each(|_| life.tick());
    let told = facts_of(&life, minds[1], "sight");
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].position(Attribute::Position), Some([20.0, 9.0, 0.0]));
}

#[test]
fn who_dies_before_he_can_tell_tells_nothing() {
    let (mut life, minds) = row(&led_by("radio"), 1.0);
    sees(&mut life, minds[0], 8_001, [9.0, 9.0, 0.0]);
    life.tick();
    life.die(minds[0], EntityId(1));
    (0..20).for_each(|_| life.tick());
    assert!(minds[1..].iter().all(|&mind| facts_of(&life, mind, "sight").is_empty()));
}

#[test]
fn a_leader_is_lost_at_once_and_the_next_one_takes_over() {
    let (mut life, minds) = row(&led_by("radio"), 1.0);
    let leader = life.squads.all()[0].leader.expect("somebody leads");
    let (npc, me) = {
        let mind = life.minds.mind(leader).unwrap();
        (mind.npc(), mind.me())
    };
    let same = minds.iter().filter(|&&mind| life.minds.mind(mind).unwrap().npc() == npc);
    assert_eq!(same.min(), Some(&leader), "within a type the first leads");
    let state = |life: &Life, mind: MindId| {
        let facts = facts_of(life, mind, "leader");
        assert_eq!(facts.len(), 1, "{facts:?}");
        let knowledge = facts[0].word(Attribute::Knowledge).unwrap();
        let text = life.minds.spec().words.text(knowledge).to_string();
        (text, facts[0].entity(Attribute::Object))
    };
    let others: Vec<MindId> = minds.iter().copied().filter(|&mind| mind != leader).collect();
    let squad = life.squads.all()[0].mind;
    assert_eq!(state(&life, squad), ("alive".to_string(), Some(me)));
    life.die(leader, me);
    life.tick();
    assert_eq!(life.squads.all()[0].leader, None);
    for &mind in others.iter().chain([&squad]) {
        assert_eq!(state(&life, mind), ("lost".to_string(), None));
    }
    (0..9).for_each(|_| life.tick());
    assert_eq!(life.squads.all()[0].leader, None, "for a second");
    life.tick();
    let next = life.squads.all()[0].leader.expect("the next leads");
    let next = Some(life.minds.mind(next).unwrap().me());
    for &mind in others.iter().chain([&squad]) {
        assert_eq!(state(&life, mind), ("alive".to_string(), next));
    }
}

#[test]
fn a_call_goes_from_mouth_to_mouth() {
    let text = led_by("voice radius 4.5").replace("within 6", "within 60");
    let (mut life, minds) = row(&text, 4.0);
    let squad = life.squads.all()[0].clone();
    let leader = squad.leader.unwrap();
    let far = |mind: MindId| {
        let place = |mind: MindId| minds.iter().position(|it| *it == mind).unwrap() as i32;
        (place(mind) - place(leader)).unsigned_abs()
    };
    let ring = wish(&mut life, squad.mind, "ring");
    let mut heard: Vec<Option<u32>> = vec![None; minds.len()];
    let mut noises = 0;
    let mut given = None;
    for _ in 0..20 {
        life.tick();
        noises += life.squads.noises().len();
        given = given.or(life.squads.tasks().first().map(|task| task.given));
        for (at, &mind) in minds.iter().enumerate() {
            let mind = life.minds.mind(mind).unwrap();
            let task = my_task(mind.memory(), life.minds.spec());
            if task.is_some_and(|task| task.what == ring) && heard[at].is_none() {
                heard[at] = Some(life.now);
            }
        }
    }
    let given = given.unwrap();
    for (at, &mind) in minds.iter().enumerate() {
        let hops = far(mind).saturating_sub(1);
        assert_eq!(heard[at], Some(given + 3 * hops), "{at}: {} away", far(mind));
    }
    assert!(noises >= 2, "{noises}");
}

/// The task that somebody knows of: its number, and what is to be done.
fn known_task(life: &Life, mind: MindId) -> Option<(f32, Word)> {
    let memory = life.minds.mind(mind).unwrap().memory();
    my_task(memory, life.minds.spec()).map(|task| (task.index, task.what))
}

/// Somebody goes to another place.
fn walk(life: &mut Life, mind: MindId, to: Position) {
    let me = life.minds.mind(mind).unwrap().me();
    life.plain.people.get_mut(&me).unwrap().0 = to;
    life.minds.set_place(mind, to).unwrap();
}

/// A squad wants something, and nothing else.
fn wants_only(life: &mut Life, squad: MindId, what: &str) -> Word {
    let like = FactDraft::new(life.minds.word("wish").unwrap());
    life.minds.tell(squad, Message::Untold(Box::new(like))).unwrap();
    wish(life, squad, what)
}

/// Four in a row by voice, who work on a task for as long as they have it; one of them walks off when
/// they are all at it.
fn one_out_of_earshot() -> (Life, MindId, MindId, (f32, Word)) {
    let text = led_by("voice radius 4.5").replace("within 6", "within 60");
    let text = text.replace("duty what -> none", "duty what -> none  does stay");
    let text = text.replace("tasks 6 patience 1", "tasks 30 patience 20");
    let (mut life, minds) = row(&text, 1.0);
    let squad = life.squads.all()[0].clone();
    let ring = wish(&mut life, squad.mind, "ring");
    (0..8).for_each(|_| life.tick());
    let lost = *minds.iter().find(|&&mind| Some(mind) != squad.leader).unwrap();
    let own = known_task(&life, lost).unwrap();
    assert_eq!(own.1, ring);
    walk(&mut life, lost, [0.0, 50.0, 0.0]);
    (life, squad.mind, lost, own)
}

#[test]
fn who_is_out_of_earshot_keeps_his_task_until_he_hears_of_the_next() {
    let (mut life, squad, lost, own) = one_out_of_earshot();
    let spots = (0..8).map(|at| {
        let name = life.minds.word(&spot_name(at)).unwrap();
        Spot { slot: TaskSlot::Place(name), place: [at as f32 * 2.0, 2.0, 0.0] }
    });
    life.plain.spots = spots.collect();
    let cover = wants_only(&mut life, squad, "cover");
    let (mut given, mut told) = (0, 0);
    for _ in 0..40 {
        life.tick();
        assert_eq!(known_task(&life, lost), Some(own), "at {}", life.now);
        let news = life.squads.news().iter().filter(|it| it.task.member == lost);
        for news in news {
            given += u32::from(news.event == TaskEvent::Given);
            told += u32::from(news.event == TaskEvent::Told);
        }
    }
    assert!(given >= 1 && told == 0, "given {given} tasks, told of {told}");
    assert!(life.squads.tasks().iter().any(|task| task.member == lost && !task.told));
    assert_eq!(life.squads.unheard(lost), Some(own.0 as u32));
    let run = life.minds.mind(lost).unwrap().follow().run();
    assert!(run.is_some(), "he goes on with it");
    // He comes back, and hears of it.
    walk(&mut life, lost, [0.0, 1.0, 0.0]);
    let ticks = (1..=30).find(|_| {
        life.tick();
        known_task(&life, lost) != Some(own)
    });
    assert!(
        ticks.is_some_and(|ticks| ticks <= 21),
        "the leader calls every two seconds: {ticks:?}"
    );
    assert_eq!(known_task(&life, lost).map(|(_, what)| what), Some(cover), "no moment without");
    assert_eq!(life.squads.unheard(lost), None);
}

#[test]
fn who_is_out_of_earshot_keeps_his_task_until_he_hears_that_it_is_over() {
    let (mut life, squad, lost, own) = one_out_of_earshot();
    let like = FactDraft::new(life.minds.word("wish").unwrap());
    life.minds.tell(squad, Message::Untold(Box::new(like))).unwrap();
    let others: Vec<MindId> =
        life.soldiers().into_iter().map(|(mind, _)| mind).filter(|&mind| mind != lost).collect();
    for ticks in 0..40 {
        life.tick();
        assert_eq!(known_task(&life, lost), Some(own), "at {}", life.now);
        let know = others.iter().filter(|&&mind| known_task(&life, mind).is_some()).count();
        assert!(know == 0 || ticks < 10, "{know} of the others after {ticks} ticks");
    }
    assert!(life.squads.tasks().is_empty());
    walk(&mut life, lost, [0.0, 1.0, 0.0]);
    (0..21).for_each(|_| life.tick());
    assert_eq!((known_task(&life, lost), life.squads.unheard(lost)), (None, None));
}

#[test]
fn who_leaves_a_squad_that_calls_takes_along_that_his_task_is_over() {
    let (mut life, squad, lost, _) = one_out_of_earshot();
    let like = FactDraft::new(life.minds.word("wish").unwrap());
    life.minds.tell(squad, Message::Untold(Box::new(like))).unwrap();
    (0..10).for_each(|_| life.tick());
    assert!(life.squads.unheard(lost).is_some());
    assert!(life.squads.leave(lost, &mut life.minds));
    assert_eq!(life.squads.unheard(lost), None);
    life.minds.tick(&life.plain, life.now + 1);
    assert_eq!(known_task(&life, lost), None);
}

#[test]
fn nobody_is_without_a_task_between_two_and_the_work_begins_anew() {
    let (mut life, squad) = one_squad(TEXT);
    wish(&mut life, squad.mind, "hold");
    (0..3).for_each(|_| life.tick());
    let has_task = |life: &Life, mind: MindId| {
        my_task(life.minds.mind(mind).unwrap().memory(), life.minds.spec()).map(|it| it.what)
    };
    let hold = life.minds.word("hold").ok();
    let minds: Vec<MindId> = life.soldiers().into_iter().map(|(mind, _)| mind).collect();
    let holds = |life: &Life| minds.iter().filter(|&&mind| has_task(life, mind) == hold).count();
    assert!(holds(&life) >= 2, "{}", holds(&life));
    // The squad wants something else.
    let ring = wants_only(&mut life, squad.mind, "ring");
    let before: Vec<MindId> =
        minds.iter().copied().filter(|&mind| has_task(&life, mind) == hold).collect();
    let mut changed = 0;
    for _ in 0..6 {
        let was: Vec<_> = before.iter().map(|&mind| has_task(&life, mind)).collect();
        life.tick();
        for (&mind, was) in before.iter().zip(was) {
            let is = has_task(&life, mind);
            if was != hold || is == hold {
                continue;
            }
            assert_eq!(is, Some(ring), "no moment without a task");
            let own = life.minds.events().iter().filter(|event| event.mind == mind);
            let whats: Vec<EventKind> = own.map(|event| event.what).collect();
            let ended =
                |it: &&EventKind| matches!(it, EventKind::Ended { how: Ending::Cancelled, .. });
            let began = |it: &&EventKind| matches!(it, EventKind::Started { .. });
            assert_eq!(whats.iter().filter(ended).count(), 1, "{whats:?}");
            assert_eq!(whats.iter().filter(began).count(), 1, "{whats:?}");
            changed += 1;
        }
    }
    assert!(changed >= 2, "{changed} of {}", before.len());
}

#[test]
fn places_of_a_formation_are_behind_the_leader_and_stay_whose_they_are() {
    let (mut life, minds) = row(&led_by("radio"), 1.0);
    let leader = life.squads.all()[0].leader.unwrap();
    let me = life.minds.mind(leader).unwrap().me();
    let mut indices: Vec<Option<f32>> = vec![None; minds.len()];
    for step in 0..30 {
        let place = [3.0 + step as f32 * 0.4, 0.0, 0.0];
        life.plain.people.get_mut(&me).unwrap().0 = place;
        life.minds.set_place(leader, place).unwrap();
        for (at, &mind) in minds.iter().enumerate().filter(|(_, mind)| **mind != leader) {
            let own = life.minds.mind(mind).unwrap().me();
            let told = facts_of(&life, mind, "formation");
            let Some(to) = told.first().and_then(|fact| fact.position(Attribute::Position)) else {
                continue;
            };
            let index = told[0].number(Attribute::Index);
            if step > 10 {
                assert!(to[0] < place[0], "{to:?} is not behind {place:?}");
                assert!(indices[at].is_none() || indices[at] == index, "{at} changed places");
                indices[at] = index;
            }
            life.plain.people.get_mut(&own).unwrap().0 = to;
            life.minds.set_place(mind, to).unwrap();
        }
        life.tick();
    }
    assert_eq!(indices.iter().flatten().count(), 3);
}

#[test]
fn a_formation_that_nobody_leads_turns_with_the_first_member() {
    let text = led_by("radio").replace("    leader sergeant, soldier succession 1\n", "");
    let (mut life, _) = row(&text, 1.0);
    let members = life.squads.all()[0].members.clone();
    let (first, next) = (members[0], members[1]);
    assert_eq!(life.squads.all()[0].leader, None);
    let told = |life: &Life, mind: MindId| {
        let facts = facts_of(life, mind, "formation");
        let fact = facts.first()?;
        Some((fact.position(Attribute::Position)?, fact.position(Attribute::Direction)))
    };
    // He goes south, as maps are drawn.
    for step in 0..20 {
        walk(&mut life, first.mind, [0.0, step as f32 * 0.4, 0.0]);
        life.tick();
    }
    let place = life.minds.mind(first.mind).unwrap().here();
    for member in &members[1..] {
        let (to, direction) = told(&life, member.mind).unwrap();
        assert_eq!(direction, Some([0.0, 1.0, 0.0]));
        assert!(to[1] < place[1] && to[0] == place[0], "{to:?} is not behind {place:?}");
    }
    // The next one has not gone anywhere yet.
    life.die(first.mind, first.me);
    (0..6).for_each(|_| life.tick());
    let here = life.minds.mind(next.mind).unwrap().here();
    for member in &members[2..] {
        let (to, direction) = told(&life, member.mind).unwrap();
        assert_eq!(direction, None);
        assert!(to[0] < here[0] && to[1] == here[1], "{to:?} is not behind {here:?}");
    }
}

#[test]
fn no_task_is_given_where_somebody_has_claimed_the_place() {
    let (mut life, minds) = row(&led_by("radio"), 1.0);
    let squad = life.squads.all()[0].mind;
    let name = |life: &Life, at: usize| life.minds.word(&spot_name(at)).unwrap();
    let spot = |at: usize, life: &Life| Spot {
        slot: TaskSlot::Place(name(life, at)),
        place: [at as f32, 1.0, 0.0],
    };
    life.plain.spots = vec![spot(0, &life), spot(1, &life)];
    let taken = name(&life, 0);
    assert_eq!(life.minds.claim(minds[3], Key::Word(taken)), Ok(true));
    wish(&mut life, squad, "cover");
    let mut given = Vec::new();
    for _ in 0..4 {
        life.tick();
        given.extend(life.squads.tasks().iter().map(|task| (task.slot, task.member)));
    }
    assert!(!given.is_empty());
    let is_wrong = |(slot, member): &&(TaskSlot, MindId)| {
        *slot == TaskSlot::Place(taken) && *member != minds[3]
    };
    assert_eq!(given.iter().find(is_wrong), None);
    // What a task claims no selection gets.
    let (slot, member) = given[0];
    let TaskSlot::Place(place) = slot else { panic!("{slot:?}") };
    let other = *minds.iter().find(|&&mind| mind != member).unwrap();
    let has_task = life.squads.tasks().iter().any(|task| task.slot == slot);
    assert_eq!(life.minds.claim(other, Key::Word(place)), Ok(!has_task));
}

#[test]
fn a_quiet_step_of_a_squad_with_leader_and_knowledge_takes_no_room() {
    let (mut life, minds) = row(&led_by("voice radius 9"), 1.0);
    sees(&mut life, minds[0], 8_001, [9.0, 9.0, 0.0]);
    (0..40).for_each(|_| life.tick());
    let mut quiet = 0;
    for _ in 0..20 {
        life.now += 1;
        let now = life.now;
        let (squads, minds, plain) = (&mut life.squads, &mut life.minds, &life.plain);
        quiet += u32::from(allocations_of(|| squads.step(minds, plain, now)) == 0);
        life.minds_tick();
    }
    // Twice a second members and minds are told.
    assert!(quiet >= 14, "{quiet} of 20");
}

#[test]
fn sixty_four_tellings_are_noted_in_a_look_and_the_rest_in_the_next() {
    let text = led_by("radio").replace("    retry 0.2", "    retry 0.2\n    memory 64");
    let text = text.replace("    memory 64\n    memory 64", "    memory 64");
    let (mut life, minds) = row(&text, 1.0);
    // Three mates are to know of forty things: that makes 120 tellings.
    for at in 0..40 {
        sees(&mut life, minds[0], 8_001 + at, [at as f32 * 3.0, 9.0, 0.0]);
        // A mind does not hear more than so much at once.
        if at % 20 == 19 {
            life.minds.tick(&life.plain, life.now);
        }
    }
    assert_eq!(facts_of(&life, minds[0], "sight").len(), 40);
    let mut known = Vec::new();
    for _ in 0..8 {
        life.tick();
        let told = minds[1..].iter().map(|&mind| facts_of(&life, mind, "sight").len());
        known.push(told.sum::<usize>());
    }
    // A look is a tenth of a second, which is a tick; they are told three ticks later.
    let first = known.iter().position(|&n| n > 0).unwrap();
    assert_eq!(known[first..first + 3], [64, 120, 120], "{known:?}");
}
