//! Minds that are far away are saved with the others: restored and brought back, they and all that
//! they do are as if nobody had saved; and wrong bytes are refused, or are minds that can come back.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic, and say what was tried"
)]

use std::collections::BTreeMap;
use std::sync::Arc;
use throng::crowd::{CrowdSettings, FrameBudget, GroupId, Pool, Population, Status};
use throng::{Domain, Offscreen, PromoteError, RestoreOffscreenError};
use throng_base::SplitMix;
use throng_base::codec::{Decoder, Encoder};
use throng_mind::events::Event;
use throng_mind::fact::FactDraft;
use throng_mind::orders::{IssuedOrder, Message, MindId};
use throng_mind::time::Tick;
use throng_mind::{Mind, Minds};
use throng_suite::minds::{Op, Script, Stage};

/// A population with two groups.
fn people(domain: &Domain) -> (Population, [GroupId; 2]) {
    let mut people =
        Population::new(domain.compiled_arc(), CrowdSettings::default(), Arc::new(Pool::new(1)));
    let second = people.add_group().unwrap();
    (people, [GroupId::FIRST, second])
}

fn saved<W: ?Sized + Sync>(minds: &Minds<W>) -> Vec<u8> {
    minds.save()
}

fn saved_far(far: &Offscreen, people: &Population) -> Vec<u8> {
    far.save(people)
}

/// The population that was saved.
fn restored_people(bytes: &[u8], domain: &Domain) -> Population {
    let pool = Arc::new(Pool::new(1));
    Population::restore(bytes, domain.compiled_arc(), CrowdSettings::default(), pool).unwrap().0
}

/// Random minds some time after some of them have left.
struct Game {
    stage: Stage,
    minds: Minds<throng_suite::minds::World>,
    world: throng_suite::minds::World,
    far: Offscreen,
    people: Population,
    now: Tick,
}

fn game(seed: u64, dice: &mut SplitMix) -> Game {
    let stage = Stage::new(seed).unwrap();
    let (mut minds, world) = stage.minds(1).unwrap();
    let mut script = Script::new(&stage, &minds);
    script.cast(&stage, 12).iter().for_each(|op| op.apply(&stage, &mut minds, &world));
    let mut now = 0;
    for _ in 0..3 + dice.below(10) {
        let ops = script.next(&stage, &world, now);
        let ops = ops.iter().filter(|op| !matches!(op, Op::Reload));
        ops.for_each(|op| op.apply(&stage, &mut minds, &world));
        minds.tick(&world, now);
        script.hear(minds.orders(), now);
        now += 1;
    }
    let (mut people, groups) = people(&stage.domain);
    let mut far = Offscreen::new();
    let ids: Vec<MindId> = minds.iter().map(Mind::id).collect();
    for id in ids {
        if dice.percent(30) {
            continue;
        }
        far.demote(id, &mut minds, &mut people, groups[dice.below(2)]).unwrap();
        if dice.percent(30) {
            let fact = FactDraft::new(minds.spec().told);
            far.tell(id, Message::Told(Box::new(fact))).unwrap();
        }
    }
    let mut game = Game { stage, minds, world, far, people, now };
    for _ in 0..dice.below(4) {
        live(&mut game);
    }
    game
}

/// A tick here and a step far away.
fn live(game: &mut Game) {
    game.people.plan(FrameBudget::UNLIMITED);
    game.people.apply_next();
    game.minds.tick(&game.world, game.now);
    game.now += 1;
}

/// Somebody comes back; what left the minds by that.
fn promote(game: &mut Game, id: MindId) -> (Vec<IssuedOrder>, Vec<Event>) {
    let Game { minds, world, far, people, .. } = game;
    let (n_orders, n_events) = (minds.orders().len(), minds.events().len());
    far.promote(id, minds, people, world).unwrap();
    (minds.orders()[n_orders..].to_vec(), minds.events()[n_events..].to_vec())
}

#[test]
fn minds_that_are_away_come_back_from_a_save_as_they_would_have_without() {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..150 {
        let mut dice = SplitMix::new(seed);
        let mut one = game(seed, &mut dice);
        let (bytes, far_bytes) = (saved(&one.minds), saved_far(&one.far, &one.people));
        for (_, npc, row) in one.far.rows() {
            let name = match one.people.crowd(npc).unwrap().status(row).unwrap() {
                Status::Following => "follows",
                Status::Satisfied => "satisfied",
                Status::Waiting => "waits",
                _ => "has no plan",
            };
            *seen.entry(name).or_default() += 1;
        }
        // The game is begun anew, with tables of its own, and loaded.
        let stage = Stage::new(seed).unwrap();
        let (mut minds, world) = stage.minds(1).unwrap();
        minds.restore(&bytes).unwrap();
        let mut people = restored_people(&one.people.save(), &stage.domain);
        let mut far = Offscreen::new();
        far.restore(&far_bytes, &minds, &mut people).unwrap();
        assert!(saved_far(&far, &people) == far_bytes, "seed {seed}: saved again it is another");
        assert_eq!((far.len(), people.len()), (one.far.len(), one.people.len()));
        let mut two = Game { stage, minds, world, far, people, now: one.now };

        let ids: Vec<MindId> = one.far.rows().map(|(id, ..)| id).collect();
        let goes_on = dice.percent(50);
        for (at, &id) in ids.iter().enumerate() {
            if goes_on && at % 4 == 3 {
                live(&mut one);
                live(&mut two);
            }
            assert!(promote(&mut one, id) == promote(&mut two, id), "seed {seed}");
            assert!(saved(&one.minds) == saved(&two.minds), "seed {seed}, {id:?}");
        }
        for _ in 0..5 {
            live(&mut one);
            live(&mut two);
        }
        assert!(saved(&one.minds) == saved(&two.minds), "seed {seed}");
        *seen.entry("came back").or_default() += ids.len() as u32;
    }
    println!("{seen:?}");
    assert!(seen["came back"] > 700 && seen["follows"] > 50 && seen["satisfied"] > 20, "{seen:?}");
}

/// Bytes with something wrong in them, under a seal of their own, as if they had been written so:
/// whatever a checksum does not find must be found by reading.
fn hurt_within(saved: &[u8], dice: &mut SplitMix) -> Vec<u8> {
    let begin = 1 + saved.iter().position(|byte| *byte == b'\n').unwrap();
    let mut whole = Decoder::new(&saved[begin..]).unseal().unwrap();
    let mut wrong = whole.raw(whole.left()).unwrap().to_vec();
    for _ in 0..=dice.below(3) {
        // Behind the digest of the domain.
        let at = 16 + dice.below(wrong.len() - 16);
        wrong[at] = *dice.pick(&[0, 1, 2, 3, 0x7f, 0x80, 0xff]);
    }
    let mut to = Encoder { bytes: saved[..begin].to_vec() };
    to.seal(|to| to.raw(&wrong));
    to.bytes
}

#[test]
fn no_flipped_bit_of_those_who_are_away_is_accepted() {
    let mut game = game(3, &mut SplitMix::new(3));
    let mut bytes = saved_far(&game.far, &game.people);
    assert!(game.far.len() > 2);
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let restored = game.far.restore(&bytes, &game.minds, &mut game.people);
        assert!(restored.is_err(), "bit {bit} of {}", bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    println!("{} flipped bits refused", bytes.len() * 8);
    let old = b"throng far 3\nand so on, as it was written then";
    let why = game.far.restore(old, &game.minds, &mut game.people).unwrap_err().to_string();
    assert_eq!(why, "this is saved minds that are away of format 3; this program reads format 4");
}

#[test]
fn wrong_bytes_of_those_who_are_away_are_refused_or_they_can_come_back() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..60 {
        let mut dice = SplitMix::new(seed);
        let mut game = game(seed, &mut dice);
        let bytes = saved_far(&game.far, &game.people);
        assert!((0..bytes.len()).step_by(7).all(|end| {
            game.far.restore(&bytes[..end], &game.minds, &mut game.people).is_err()
        }));
        for _ in 0..40 {
            let wrong = hurt_within(&bytes, &mut dice);
            let before = (saved_far(&game.far, &game.people), game.people.len());
            let restored = game.far.restore(&wrong, &game.minds, &mut game.people);
            if restored.is_err() {
                refused += 1;
                let after = (saved_far(&game.far, &game.people), game.people.len());
                assert!(after == before, "what is refused changes nothing");
                continue;
            }
            accepted += 1;
            let mut minds = game.stage.minds(1).unwrap().0;
            // A copy of the minds, which must be of the tables of the population.
            minds.restore(&saved(&game.minds)).unwrap();
            let mut far = Offscreen::new();
            let mut people = restored_people(&game.people.save(), &game.stage.domain);
            let again = saved_far(&game.far, &game.people);
            far.restore(&again, &minds, &mut people).unwrap();
            let ids: Vec<MindId> = far.rows().map(|(id, ..)| id).collect();
            for id in ids {
                match far.promote(id, &mut minds, &mut people, &game.world) {
                    Ok(()) => assert!(minds.mind(id).is_some()),
                    Err(PromoteError::NoRow) => {
                        far.end(id, &mut minds, &mut people, &game.world).unwrap();
                    }
                    Err(other) => panic!("{other}"),
                }
            }
            (0..5).for_each(|tick| minds.tick(&game.world, game.now + tick));
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 300 && refused > 300, "{accepted} accepted, {refused} refused");
}

#[test]
fn who_is_away_is_restored_where_it_can_be_and_a_row_that_is_gone_stays_gone() {
    let text = "domain d\nvar a: no, yes\naction go: a no -> yes\ngoal g: a = yes\n\
                npc one\n    can go\n    wants g\n    starts a = no\n";
    let (domain, other) = (Domain::from_text(text).unwrap(), Domain::from_text(text).unwrap());
    let npc = domain.npc_type("one").unwrap();
    let mut minds =
        Minds::<()>::new(domain.mind_spec(10).unwrap(), throng_mind::Body::new(), 1).unwrap();
    let id = minds.spawn(npc, throng_mind::fact::EntityId(1)).unwrap();
    minds.tick(&(), 1);
    let (mut crowd, [_, second]) = people(&domain);
    let mut far = Offscreen::new();
    let row = far.demote(id, &mut minds, &mut crowd, second).unwrap();
    let bytes = saved_far(&far, &crowd);

    let mut strange = people(&other).0;
    let restore = |far: &mut Offscreen, people: &mut Population, minds: &Minds<()>| {
        far.restore(&bytes, minds, people)
    };
    assert_eq!(restore(&mut far, &mut strange, &minds), Err(RestoreOffscreenError::OtherDomain));
    // With the population that was saved beside it, its row is the one that it had.
    let mut crowd = restored_people(&crowd.save(), &domain);
    restore(&mut far, &mut crowd, &minds).unwrap();
    assert_eq!((crowd.len(), far.row(id)), (1, Some((npc, row))));
    assert_eq!(crowd.crowd(npc).unwrap().group_of(row), Some(second));

    crowd.crowd_mut(npc).unwrap().despawn(row);
    let gone = saved_far(&far, &crowd);
    let mut again = Offscreen::new();
    again.restore(&gone, &minds, &mut crowd).unwrap();
    assert_eq!(again.promote(id, &mut minds, &mut crowd, &()), Err(PromoteError::NoRow));
    again.end(id, &mut minds, &mut crowd, &()).unwrap();
    assert!(again.is_empty() && minds.is_empty());
    // Who is among the minds is not away.
    far.restore(&gone, &minds, &mut crowd).unwrap();
    far.end(id, &mut minds, &mut crowd, &()).unwrap();
    let here = Minds::<()>::new(domain.mind_spec(10).unwrap(), throng_mind::Body::new(), 1);
    let mut here = here.unwrap();
    here.spawn(npc, throng_mind::fact::EntityId(1)).unwrap();
    here.tick(&(), 1);
    let why = restore(&mut far, &mut crowd, &here).unwrap_err().to_string();
    assert!(why.contains("no mind that is away"), "{why}");
}
