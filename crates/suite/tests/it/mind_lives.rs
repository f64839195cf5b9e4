//! Lives of random files, with all that is picked, claimed, told and left to chance in them: the
//! same from a save of any tick and from a recording; and wrong bytes are refused, or are minds
//! that can go on.
//!
//! `THRONG_LONG=1` lives more of them.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic, and say what was tried"
)]

use std::sync::Arc;
use throng_base::SplitMix;
use throng_base::codec::{Decoder, Encoder};
use throng_mind::Minds;
use throng_mind::events::{Event, EventKind};
use throng_mind::orders::{IssuedOrder, MindId};
use throng_mind::select::Claim;
use throng_mind::time::Tick;
use throng_suite::minds::{PACE, Script, Stage, World};

/// What minds are, did and have in a tick.
type Page = (u64, Vec<Event>, Vec<IssuedOrder>, Vec<Claim>);

fn seeds(usually: u64) -> std::ops::Range<u64> {
    0..if std::env::var_os("THRONG_LONG").is_some() { 20 * usually } else { usually }
}

/// A life of a few minds; `each` may put others in their place after a tick.
fn life(stage: &Stage, ticks: Tick, mut each: impl FnMut(&mut Minds<World>, Tick)) -> Vec<Page> {
    let (mut minds, world) = stage.minds(1).unwrap();
    let mut script = Script::new(stage, &minds);
    script.cast(stage, 8).iter().for_each(|op| op.apply(stage, &mut minds, &world));
    each(&mut minds, 0);
    let mut pages = Vec::new();
    for now in 1..ticks {
        script.next(stage, &world, now).iter().for_each(|op| op.apply(stage, &mut minds, &world));
        minds.tick(&world, now);
        script.hear(minds.orders(), now);
        script.hear_questions(minds.questions(), now);
        let (events, orders) = (minds.events().to_vec(), minds.orders().to_vec());
        pages.push((minds.digest(), events, orders, minds.claims().to_vec()));
        each(&mut minds, now);
    }
    pages
}

fn picks(pages: &[Page]) -> usize {
    let events = pages.iter().flat_map(|(_, events, ..)| events);
    events.filter(|event| matches!(event.what, EventKind::Picked { .. })).count()
}

#[test]
fn a_save_of_any_tick_lives_on_as_if_nobody_had_saved() {
    let (mut picked, mut claims) = (0, 0);
    for seed in seeds(40) {
        let stage = Stage::new(seed).unwrap();
        let plain = life(&stage, 60, |_, _| {});
        let mut dice = SplitMix::new(seed);
        let saved = life(&stage, 60, |minds, now| {
            if dice.percent(60) {
                return;
            }
            let bytes = minds.save();
            let mut other = stage.minds(1).unwrap().0;
            other.restore(&bytes).unwrap();
            assert_eq!(other.digest(), minds.digest(), "seed {seed}, tick {now}");
            assert!(other.save() == bytes, "seed {seed}, tick {now}: saved again it is another");
            *minds = other;
        });
        let differs = plain.iter().zip(&saved).position(|(one, two)| one != two);
        assert_eq!(differs, None, "seed {seed}\n{}", stage.text);
        picked += picks(&plain);
        claims += plain.iter().map(|(.., claims)| claims.len()).sum::<usize>();
    }
    println!("{picked} picks, {claims} claims");
    assert!(picked > 1_000 && claims > 500, "{picked} picks, {claims} claims");
}

#[test]
fn a_recording_lives_the_same_without_the_game() {
    let mut picked = 0;
    for seed in seeds(40) {
        let stage = Stage::new(seed).unwrap();
        let mut replayed: Option<Minds<()>> = None;
        let pages = life(&stage, 60, |minds, now| {
            let Some(twins) = &mut replayed else {
                let (sensors, behaviours) = minds.code_names();
                let spec = stage.domain.mind_spec(PACE).unwrap();
                let mut twins = Minds::for_replay(spec, &sensors, &behaviours).unwrap();
                twins.restore(&minds.save()).unwrap();
                minds.record().unwrap();
                replayed = Some(twins);
                return;
            };
            let entries = Arc::new(minds.entries().unwrap().clone());
            minds.forget_entries();
            let mut file = || stage.domain.mind_spec(PACE).ok();
            let left = twins.replay(&entries, now, &mut Vec::new(), &mut file);
            left.unwrap_or_else(|left| panic!("seed {seed}, tick {now}: {left:?}\n{}", stage.text));
            assert_eq!(twins.digest(), minds.digest(), "seed {seed}, tick {now}\n{}", stage.text);
            assert_eq!(twins.claims(), minds.claims(), "seed {seed}, tick {now}");
        });
        picked += picks(&pages);
    }
    println!("{picked} picks");
    assert!(picked > 1_000, "{picked} picks");
}

/// Bytes with something wrong in them, behind the words, of which any change is found.
fn hurt(bytes: &[u8], words: usize, dice: &mut SplitMix) -> Vec<u8> {
    let mut wrong = bytes.to_vec();
    for _ in 0..=dice.below(3) {
        let at = words + dice.below(wrong.len() - words);
        wrong[at] = *dice.pick(&[0, 1, 2, 3, 0x7f, 0x80, 0xff]);
    }
    wrong
}

fn bare(minds: &Minds<World>) -> Vec<u8> {
    let mut packer = Encoder::default();
    minds.save_bare(&mut packer);
    packer.bytes
}

#[test]
fn wrong_bytes_are_refused_or_are_minds_that_can_go_on() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in seeds(40) {
        let stage = Stage::new(seed).unwrap();
        let mut dice = SplitMix::new(seed);
        let (mut game, world) = stage.minds(1).unwrap();
        life(&stage, 40, |minds, now| {
            if now < 4 || !dice.percent(70) {
                return;
            }
            // Small, so that what is wrong is likely in a mind.
            let ids: Vec<MindId> = minds.iter().skip(2).map(throng_mind::Mind::id).collect();
            ids.into_iter().for_each(|id| _ = minds.despawn(id, &world));
            let bytes = bare(minds);
            let words = Encoder::bytes_of(&minds.spec().words).len();
            let wrong = hurt(&bytes, words, &mut dice);
            let before = bare(&game);
            if game.restore_bare(&mut Decoder::new(&wrong)).is_err() {
                refused += 1;
                assert!(bare(&game) == before, "what is refused changes nothing");
                return;
            }
            accepted += 1;
            for _ in 0..10 {
                let next = game.now().saturating_add(1);
                game.tick(&world, next);
                for mind in game.iter() {
                    assert!(!mind.inspect(game.spec(), next).to_string().is_empty());
                }
            }
        });
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 100 && refused > 100, "{accepted} accepted, {refused} refused");
}
