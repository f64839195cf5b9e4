//! Whatever a squad begins ends, and what has ended is over for everybody: searches of many places,
//! members who refuse, leave and come back, squads that lose their minds.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

use crate::counting::allocations_of;
use crate::squad_life::{Life, TEXT, one_squad, spot_name, wish};
use std::collections::BTreeMap;
use throng_mind::Ending;
use throng_mind::events::EventKind;
use throng_mind::fact::EntityId;
use throng_mind::orders::{IssuedOrder, MindId, Order, OrderId, Stimulus, TaskSlot};
use throng_mind::squad::{Member, Spot, TaskEnd, TaskEvent, TaskNews, my_task};
use throng_mind::time::Tick;

/// Spots in rows of ten ahead of the squad.
fn put_spots(life: &mut Life, n: usize) {
    let place = |at: usize| [(at % 10) as f32 * 1.5 - 5.0, (at / 10) as f32 * 1.5 + 2.0, 0.0];
    let slot = |at: usize| TaskSlot::Place(life.minds.word(&spot_name(at)).unwrap());
    life.plain.spots = (0..n).map(|at| Spot { slot: slot(at), place: place(at) }).collect();
}

/// A file whose soldiers do not learn that sulking does not help.
fn stubborn() -> String {
    let (soldier, others) = TEXT.split_once("npc platoon").unwrap();
    format!("{soldier}    doubt 250 for 1\nnpc platoon{others}")
}

/// Lets these sulk: whatever they are told, they do something else.
fn refuse(life: &mut Life, who: &[MindId]) {
    let mood = life.minds.word("mood").unwrap();
    for &mind in who {
        // Twice, so that there is always one.
        if life.minds.mind(mind).unwrap().memory().of_kind(mood).count() < 2 {
            life.minds.tell(mind, Stimulus::new(mood, [0.0; 3])).unwrap();
        }
    }
}

/// How the squad's action ends; `None` if it does not within so many ticks.
fn ending(
    life: &mut Life,
    squad: MindId,
    within: Tick,
    mut each: impl FnMut(&mut Life),
) -> Option<Ending> {
    for _ in 0..within {
        each(life);
        life.tick();
        let of_squad = life.minds.events().iter().filter(|event| event.mind == squad);
        let mut ends = of_squad.filter_map(|event| match event.what {
            EventKind::Ended { how, .. } => Some(how),
            _ => None,
        });
        if let Some(how) = ends.next() {
            return Some(how);
        }
    }
    None
}

#[test]
fn a_search_of_many_places_ends_and_searches_none_twice() {
    for memory in ["memory 64", "memory 32", "memory 12"] {
        let (mut life, squad) = one_squad(&TEXT.replace("memory 64", memory));
        put_spots(&mut life, 150);
        wish(&mut life, squad.mind, "search");
        let mut searched: BTreeMap<u32, u32> = BTreeMap::new();
        let how = ending(&mut life, squad.mind, 3_000, |life| {
            for news in life.squads.news() {
                if let (TaskEvent::Ended(TaskEnd::Done), TaskSlot::Place(name)) =
                    (news.event, news.task.slot)
                {
                    *searched.entry(name.0).or_default() += 1;
                }
            }
        });
        assert_eq!(how, Some(Ending::Done), "{memory}");
        assert!(searched.len() >= 3 && searched.values().all(|&n| n == 1), "{searched:?}");
    }
}

#[test]
fn a_search_leaves_out_what_another_squad_has() {
    let (mut life, squad) = one_squad(TEXT);
    put_spots(&mut life, 2);
    // Four others, far away, hold both places.
    let blue = life.minds.word("blue").unwrap();
    for at in 0..4 {
        life.be_born();
        let me = EntityId(5 + at);
        *life.plain.people.get_mut(&me).unwrap() = ([100.0 + at as f32, 0.0, 0.0], blue);
    }
    for (mind, me) in life.soldiers() {
        life.minds.set_place(mind, life.plain.people[&me].0).unwrap();
    }
    (0..6).for_each(|_| life.tick());
    let other = life.squads.all()[1].clone();
    wish(&mut life, squad.mind, "search");
    let what = life.minds.word("hold").unwrap();
    for (at, spot) in life.plain.spots.clone().into_iter().enumerate() {
        let (to, Spot { slot, place }) = (other.members[at].me, spot);
        let order = Order::Task { what, to, place, slot, about: None };
        let sent = IssuedOrder { mind: other.mind, me: EntityId(0), id: OrderId(900), order };
        assert!(life.squads.take(&sent));
    }
    let taken = life.minds.word("taken").unwrap();
    let mut held = 2;
    let how = ending(&mut life, squad.mind, 8, |life| {
        held = held.min(life.squads.tasks().iter().filter(|task| task.what == what).count().max(1));
    });
    assert_eq!((how, held), (Some(Ending::Failed(taken)), 1));
}

#[test]
fn nothing_goes_on_for_ever_with_members_who_refuse() {
    for what in ["search", "advance", "orderly"] {
        let (mut life, squad) = one_squad(&stubborn());
        put_spots(&mut life, 100);
        life.plain.enemy = Some([0.0, 30.0, 0.0]);
        (0..6).for_each(|_| life.tick());
        let everybody: Vec<MindId> = squad.members.iter().map(|member| member.mind).collect();
        wish(&mut life, squad.mind, what);
        let how = ending(&mut life, squad.mind, 120, |life| refuse(life, &everybody));
        let refused = life.minds.word("refused").unwrap();
        assert_eq!(how, Some(Ending::Failed(refused)), "{what}");
        // Twice each, and those of the other half who were to fire meanwhile.
        let n = life.ends["refused"];
        assert!((8..=16).contains(&n), "{what}: {n}");
    }
}

#[test]
fn one_who_refuses_is_left_behind_and_the_others_go_on() {
    for what in ["search", "advance", "orderly"] {
        let (mut life, squad) = one_squad(&stubborn());
        put_spots(&mut life, 100);
        life.plain.enemy = Some([0.0, 30.0, 0.0]);
        (0..6).for_each(|_| life.tick());
        let sulks = squad.members[1].mind;
        wish(&mut life, squad.mind, what);
        let (mut asked, mut others) = (0, 0);
        let to_go = [life.minds.word("search").unwrap(), life.minds.word("move").unwrap()];
        let how = ending(&mut life, squad.mind, 12_000, |life| {
            refuse(life, &[sulks]);
            let given = life.squads.news().iter().filter(|news| news.event == TaskEvent::Given);
            for news in given.filter(|news| to_go.contains(&news.task.what)) {
                *(if news.task.member == sulks { &mut asked } else { &mut others }) += 1;
            }
        });
        assert_eq!(how, Some(Ending::Done), "{what}");
        assert_eq!(asked, 2, "{what}: asked twice");
        assert!(others > 6, "{what}: {others}");
    }
}

#[test]
fn whose_order_it_is_is_said_by_the_mind() {
    let (mut life, squad) = one_squad(TEXT);
    let order = Order::Cancel(OrderId(1));
    let sent = |mind, me| IssuedOrder { mind, me, id: OrderId(0), order };
    let game_own = EntityId(1 << 63 | 77);
    assert!(!life.squads.take(&sent(squad.members[0].mind, game_own)));
    assert!(life.squads.take(&sent(squad.mind, game_own)));
    // What a squad says when it ends is no game's business either.
    for (mind, me) in life.soldiers() {
        life.die(mind, me);
    }
    life.step();
    assert!(life.squads.all().is_empty());
    assert!(life.squads.take(&sent(squad.mind, game_own)));
    life.step();
    assert!(!life.squads.take(&sent(squad.mind, game_own)));
}

#[test]
fn a_new_task_takes_the_place_of_the_old_one_in_one_breath() {
    let (mut life, squad) = one_squad(TEXT);
    let member = squad.members[0];
    let what = life.minds.word("hold").unwrap();
    let give = |life: &mut Life, number: u32, x: f32| {
        let (to, place, slot) = (member.me, [x, 0.0, 0.0], TaskSlot::Free);
        let order = Order::Task { what, to, place, slot, about: None };
        assert!(life.squads.take(&IssuedOrder {
            mind: squad.mind,
            me: to,
            id: OrderId(number),
            order
        }));
    };
    refuse(&mut life, &[member.mind]);
    life.tick();
    give(&mut life, 900, 0.0);
    life.step();
    let (first, given) = (life.squads.tasks()[0].number, life.now);
    life.minds_tick();
    let patience = life.minds.spec().squads[0].patience;
    while life.now < given + patience {
        refuse(&mut life, &[member.mind]);
        life.tick();
    }
    give(&mut life, 901, 20.0);
    life.step();
    let news = life.squads.news().iter().map(|news| (news.task.number, news.event));
    let refused = (first, TaskEvent::Ended(TaskEnd::Refused));
    let [given, told] = [TaskEvent::Given, TaskEvent::Told].map(|event| (first + 1, event));
    assert_eq!(Vec::from_iter(news), [refused, given, told], "in one step");
    life.minds_tick();
    let known = |life: &Life| {
        let memory = life.minds.mind(member.mind).unwrap().memory();
        my_task(memory, life.minds.spec()).map(|task| task.index)
    };
    assert_eq!(known(&life), Some((first + 1) as f32));
}

#[test]
fn who_comes_back_has_no_task_that_is_over() {
    for says_so in [true, false] {
        let (mut life, squad) = one_squad(TEXT);
        wish(&mut life, squad.mind, "ring");
        (0..2).for_each(|_| life.tick());
        let member = squad.members[0].mind;
        let task = *life.squads.tasks().iter().find(|task| task.member == member).unwrap();
        if says_so {
            assert!(life.squads.leave(member, &mut life.minds));
            assert!(!life.squads.leave(member, &mut life.minds), "he has left");
        }
        let bytes = life.minds.put_aside(member).unwrap();
        life.step();
        let how = if says_so { TaskEnd::Cancelled } else { TaskEnd::Dead };
        let is_told = |news: &TaskNews| {
            news.task.number == task.number && news.event == TaskEvent::Ended(how)
        };
        assert_eq!(life.squads.news().iter().filter(|&news| is_told(news)).count(), 1);
        life.minds_tick();
        life.minds.restore_mind(&bytes).unwrap();
        // By the next look at the latest.
        (0..6).for_each(|_| life.tick());
        let memory = life.minds.mind(member).unwrap().memory();
        let known = my_task(memory, life.minds.spec());
        assert!(known.is_none_or(|known| known.index != task.number as f32), "{known:?}");
        assert_eq!(life.squads.squad_of(member).map(|squad| squad.number), Some(squad.number));
    }
}

#[test]
fn a_squad_without_a_mind_ends_and_its_members_are_free() {
    let (mut life, squad) = one_squad(TEXT);
    wish(&mut life, squad.mind, "ring");
    (0..2).for_each(|_| life.tick());
    assert_eq!(life.squads.tasks().len(), 4);
    life.minds.despawn(squad.mind, &life.plain).unwrap();
    life.step();
    assert!(life.squads.tasks().is_empty());
    assert!(life.squads.all().iter().all(|other| other.number != squad.number));
    assert_eq!(life.squads.all().len(), 1, "they form another");
    life.minds_tick();
    let known = |member: &Member| {
        my_task(life.minds.mind(member.mind).unwrap().memory(), life.minds.spec())
    };
    assert!(squad.members.iter().all(|member| known(member).is_none()));
}

#[test]
fn a_step_in_which_nothing_changes_allocates_nothing() {
    let (mut life, squad) = one_squad(TEXT);
    wish(&mut life, squad.mind, "hold");
    let (mut quiet, mut of) = (0, 0);
    for _ in 0..400 {
        life.now += 1;
        let is_busy = life.squads.tasks().len() >= 2;
        let Life { squads, minds, plain, now, .. } = &mut life;
        let count = allocations_of(|| squads.step(minds, plain, *now));
        if is_busy && squads.news().is_empty() {
            (quiet, of) = (quiet + u32::from(count == 0), of + 1);
        }
        minds.tick(plain, *now);
        minds.orders().iter().for_each(|sent| _ = squads.take(sent));
    }
    // Two looks a second, of ten steps, and a telling whenever somebody does something else.
    assert!(of > 100 && quiet * 2 > of, "{quiet} of {of}");
}
