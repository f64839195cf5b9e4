//! Minds that were saved and restored go on exactly as those that were not, whatever they are in
//! the middle of; and bytes that are no minds are refused, or are minds that can go on.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may panic")]

use crate::common::spec;
use crate::random_life::{Dice, TEXT, WORDS, World, body};
use std::collections::BTreeMap;
use throng_base::codec::{Decoder, Encoder};
use throng_mind::prelude::*;
use throng_mind::select::Key;

fn minds(threads: usize) -> Minds<World> {
    Minds::new(spec(TEXT), body(), threads).unwrap()
}

fn saved(minds: &Minds<World>) -> Vec<u8> {
    minds.save()
}

fn bare(minds: &Minds<World>) -> Vec<u8> {
    let mut packer = Encoder::default();
    minds.save_bare(&mut packer);
    packer.bytes
}

fn restored(bytes: &[u8], threads: usize) -> Minds<World> {
    let mut fresh = minds(threads);
    assert!(fresh.restore(bytes).unwrap().same_file);
    assert!(saved(&fresh) == bytes, "what is saved again is the same");
    fresh
}

/// What happens between two ticks, the same for all who get the same dice.
fn between(minds: &mut Minds<World>, mut dice: Dice, now: Tick) {
    let world = u64::from(now);
    let types: Vec<_> = minds.spec().domain.npcs().iter().map(|npc| npc.id()).collect();
    if (dice.below(6) == 0 && minds.len() < 80) || minds.is_empty() {
        minds.spawn(types[dice.below(2)], EntityId(dice.0.number() >> 40)).unwrap();
    }
    let ids: Vec<MindId> = minds.iter().map(|mind| mind.id()).collect();
    for _ in 0..dice.below(12) {
        let id = ids[dice.below(ids.len())];
        // One of them may have gone a moment ago.
        if minds.mind(id).is_none() {
            continue;
        }
        let fact = dice.fact(minds.spec());
        let order = OrderId(1 + dice.below(9 + now as usize / 8) as u32);
        match dice.below(14) {
            12 => {
                let side = minds.spec().words.find(WORDS[dice.below(2)]).unwrap();
                minds.set_side(id, side).unwrap();
            }
            13 => {
                let key = Key::Entity(EntityId(dice.below(4) as u64));
                match dice.below(2) {
                    0 => drop(minds.claim(id, key)),
                    _ => drop(minds.release(id, key)),
                }
            }
            0 => minds.share(&fact, 9),
            1 => minds.set_place(id, dice.place()).unwrap(),
            2 => {
                let check = minds.spec().domain.map().find_check("close").unwrap();
                minds.set_check(id, check, dice.below(2) == 0).unwrap();
            }
            3 => drop(minds.tell(id, Message::Told(Box::new(fact.keep(8))))),
            4 => drop(minds.tell(id, Message::Failed(order, fact.kind))),
            5..8 => drop(minds.tell(id, Stimulus::new(fact.kind, dice.place()))),
            8 if dice.below(9) == 0 => drop(minds.interrupt(id, &world)),
            9 if dice.below(20) == 0 && ids.len() > 20 => drop(minds.despawn(id, &world)),
            _ => drop(minds.tell(id, Message::Done(order))),
        }
    }
}

fn tick(minds: &mut Minds<World>, dice: &Dice, now: Tick) -> (Vec<IssuedOrder>, Vec<Event>) {
    between(minds, dice.clone(), now);
    let mut orders: Vec<IssuedOrder> = minds.drain_orders().collect();
    minds.tick(&u64::from(now), now);
    orders.extend(minds.drain_orders());
    (orders, minds.events().to_vec())
}

#[test]
fn who_is_restored_every_few_ticks_lives_the_same_life() {
    let (mut one, mut two) = (minds(1), minds(3));
    let mut dice = Dice::new(5);
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for now in 0..800 {
        dice.0.number();
        let happened = tick(&mut one, &dice, now);
        assert!(happened == tick(&mut two, &dice, now), "tick {now}");
        if dice.clone().below(3) > 0 {
            continue;
        }
        // What waits in inboxes is saved too; orders are taken before.
        for minds in [&mut one, &mut two] {
            between(minds, Dice::new(u64::from(now)), now);
            minds.drain_orders().for_each(drop);
        }
        let bytes = saved(&one);
        assert!(bytes == saved(&two), "tick {now}");
        for mind in one.iter() {
            let mut note = |what, is: bool| *seen.entry(what).or_default() += u32::from(is);
            let run = mind.follow().run();
            let has_orders = run.is_some_and(|_| mind.board().progress() == Progress::Waiting);
            note("an action under way", run.is_some());
            note("an order open", has_orders);
            note("a plan", mind.plan().goal().is_some());
            note("nothing planned", mind.plan().goal().is_none());
            note("actions taken out", mind.state().forbidden().words() != [0]);
        }
        two = restored(&bytes, 1 + now as usize % 3);
    }
    println!("{seen:?}, {} minds, {} bytes", one.len(), saved(&one).len());
    assert!(seen.len() == 5 && seen.values().all(|&times| times > 500), "{seen:?}");
    assert_eq!(one.totals().asked, two.totals().asked);
    assert_eq!(one.totals().awake, two.totals().awake);
    assert!(one.len() > 70, "more than one group of minds: {}", one.len());
}

#[test]
fn one_mind_is_put_aside_and_comes_back_as_if_nothing_had_been() {
    let (mut one, mut two) = (minds(1), minds(1));
    let mut dice = Dice::new(9);
    for now in 0..900 {
        dice.0.number();
        assert!(tick(&mut one, &dice, now) == tick(&mut two, &dice, now), "tick {now}");
        let ids: Vec<MindId> = two.iter().map(|mind| mind.id()).collect();
        // Sometimes all of them: groups go and come.
        let all = now % 100 == 99;
        let aside: Vec<MindId> = ids.into_iter().filter(|_| all || dice.below(4) == 0).collect();
        let mut kept = Vec::new();
        for &id in &aside {
            kept.push(two.put_aside(id).unwrap());
            assert!(two.mind(id).is_none() && two.put_aside(id).is_err());
        }
        assert_eq!(two.len() + aside.len(), one.len());
        for (&id, bytes) in aside.iter().zip(&kept) {
            assert_eq!(two.restore_mind(bytes), Ok(id));
        }
        assert!(saved(&one) == saved(&two), "tick {now}");
    }
    // One that is here is replaced; one that was never here is refused.
    let id = MindId(1);
    let bytes = one.save_mind(id).unwrap();
    let longer = [&bytes[..], &[0]].concat();
    assert!(two.restore_mind(&longer).is_err() && two.restore_mind(&bytes[1..]).is_err());
    two.tick(&1, 900);
    assert_eq!(two.restore_mind(&bytes), Ok(id));
    assert!(two.mind(id) == one.mind(id));
    assert!(minds(1).restore_mind(&bytes).is_err());
}

/// Bytes with something wrong somewhere.
fn hurt(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
        let some = [0, 1, 2, 0x7f, 0x80, 0xff, dice.below(256) as u8][dice.below(7)];
        match dice.below(8) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, some),
            2 => drop(bytes.drain(at..(at + 1 + dice.below(4)).min(bytes.len()))),
            3 => bytes[at] = bytes[at].wrapping_add(1),
            4 => bytes[at] ^= 1 << dice.below(8),
            _ => bytes[at] = some,
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

#[test]
fn bytes_that_are_no_minds_are_refused_or_can_go_on() {
    let mut dice = Dice::new(77);
    let (mut accepted, mut refused) = (0, 0);
    let mut one = minds(1);
    let mut game = minds(1);
    for now in 0..4000 {
        tick(&mut one, &dice, now);
        dice.0.number();
        // Small, so that what is wrong is likely in a mind.
        let ids: Vec<MindId> = one.iter().map(|mind| mind.id()).collect();
        ids.iter().skip(3).for_each(|&id| _ = one.despawn(id, &0));
        let bytes = bare(&one);
        // The words are most of it, and any change of them is found.
        let words = Encoder::bytes_of(&one.spec().words).len();
        let mut wrong = bytes[..words].to_vec();
        wrong.extend(hurt(&bytes[words..], &mut dice));
        let before = bare(&game);
        match game.restore_bare(&mut Decoder::new(&wrong)) {
            Err(_) => {
                refused += 1;
                assert!(bare(&game) == before, "nothing is changed by what is refused");
            }
            Ok(()) => {
                accepted += 1;
                for _ in 0..20 {
                    let next = game.now() + 1;
                    tick(&mut game, &dice, next);
                    for mind in game.iter() {
                        assert!(!mind.inspect(game.spec(), next).to_string().is_empty());
                    }
                }
            }
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 400 && refused > 400);
    let mut other = bare(&one);
    other[3] ^= 1;
    let why = game.restore_bare(&mut Decoder::new(&other)).unwrap_err().to_string();
    assert!(why.contains("another file's save"), "{why}");
}

#[test]
fn no_flipped_bit_of_saved_minds_is_accepted_and_what_is_none_is_called_that() {
    let mut one = minds(1);
    let dice = Dice::new(4);
    (0..60).for_each(|now| _ = tick(&mut one, &dice, now));
    let ids: Vec<MindId> = one.iter().map(|mind| mind.id()).collect();
    ids.iter().skip(3).for_each(|&id| _ = one.despawn(id, &0));
    let mut bytes = saved(&one);
    let mut game = minds(1);
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(game.restore(&bytes).is_err(), "bit {bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    println!("{} flipped bits refused", bytes.len() * 8);
    assert!(game.is_empty() && game.restore(&bytes).is_ok());
    // The first version wrote no line; the second wrote another number; a play is no minds.
    let told = |game: &mut Minds<World>, bytes: &[u8]| game.restore(bytes).unwrap_err().to_string();
    let why = told(&mut game, &bare(&one));
    assert!(why.starts_with("this is not saved minds, or one of before they said so"), "{why}");
    let why = told(&mut game, b"throng minds 2\nand so on, as it was written then");
    let reads = "this program reads format 7 and those from 4 on";
    assert_eq!(why, format!("this is saved minds of format 2; {reads}"));
    let why = told(&mut game, b"throng play 2\n");
    assert_eq!(why, "this is not saved minds: it begins as `throng play 2`");
    assert!(game.restore(b"").is_err());
}
