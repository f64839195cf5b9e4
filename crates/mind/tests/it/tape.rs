//! The tape of minds, told one by one: what is written comes back, and what could never be
//! replayed is not written, or found.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::spec;
use std::sync::Arc;
use throng_mind::Minds;
use throng_mind::blackboard::OrderState;
use throng_mind::body::{Acting, Behaviour, Body, Progress};
use throng_mind::fact::EntityId;
use throng_mind::orders::{Message, MindId, Order, Stimulus};
use throng_mind::tape::{Divergence, Entries, MindCall, Wrong};
use throng_mind::time::Tick;
use throng_mind::words::Word;

const TEXT: &str = "domain d
var a: 0..1
action go: a -> 1   does hesitate
goal g: a = 1
npc one
    can go
    wants g
    starts a = 0
sensor ears: on noise keeps 2
";

/// Gives three orders, calls two of them off later, and is done with the third.
struct Hesitate {
    word: Word,
}

impl Behaviour<()> for Hesitate {
    fn start(&self, acting: &mut Acting<'_, ()>) -> Progress {
        for thing in 1..=3 {
            acting.board.order(Order::Use { what: self.word, on: EntityId(thing) });
        }
        Progress::Until(acting.now + 2)
    }

    fn go_on(&self, acting: &mut Acting<'_, ()>) -> Progress {
        let open: Vec<_> =
            acting.board.orders().filter(|(_, state)| *state == OrderState::Open).collect();
        match open[..] {
            [(first, _), _, (third, _)] => {
                assert!(acting.board.cancel(third) && !acting.board.cancel(third));
                acting.board.order(Order::Target { at: None });
                assert!(acting.board.cancel(first));
                Progress::Until(acting.now + 2)
            }
            _ => Progress::Done,
        }
    }
}

fn minds(word: Word) -> Minds<()> {
    Minds::new(spec(TEXT), Body::new().behaviour("hesitate", Hesitate { word }), 1).unwrap()
}

fn spawn(minds: &mut Minds<()>) -> MindId {
    let npc = minds.spec().domain.map().find_npc("one").unwrap();
    minds.spawn(npc, EntityId(7)).unwrap()
}

/// The same minds, which live from a tape.
fn twins(minds: &Minds<()>) -> Minds<()> {
    let (sensors, behaviours) = minds.code_names();
    Minds::for_replay(spec(TEXT), &sensors, &behaviours).unwrap()
}

/// What was written of a tick.
fn take(minds: &mut Minds<()>) -> Arc<Entries> {
    let entries = Arc::new(minds.entries().unwrap().clone());
    minds.forget_entries();
    entries
}

fn replay(minds: &mut Minds<()>, entries: &Arc<Entries>, tick: Tick) -> Result<(), Divergence> {
    minds.replay(entries, tick, &mut Vec::new(), &mut || None)
}

#[test]
fn orders_that_are_called_off_are_called_off_again() {
    let mut minds = minds(Word::NONE);
    let mut twins = twins(&minds);
    assert!(minds.record().is_ok());
    spawn(&mut minds);
    let mut cancelled = 0;
    for now in 1..10 {
        minds.set_nodes_per_call(u64::from(now) * 100);
        minds.tick(&(), now);
        let told = minds.output_digest();
        let entries = take(&mut minds);
        replay(&mut twins, &entries, now).unwrap();
        assert_eq!(twins.digest(), minds.digest(), "tick {now}");
        assert_eq!(twins.nodes_per_call(), u64::from(now) * 100);
        assert_eq!((twins.output_digest(), twins.orders()), (told, minds.orders()), "tick {now}");
        let calls_off = |order: &Order| matches!(order, Order::Cancel(_));
        cancelled += minds.orders().iter().filter(|sent| calls_off(&sent.order)).count();
    }
    assert!(cancelled >= 2, "{cancelled}");
}

#[test]
fn two_cannot_record_the_same_minds() {
    let mut minds = minds(Word::NONE);
    assert!(minds.record().is_ok());
    spawn(&mut minds);
    assert!(minds.record().is_err(), "somebody does already");
    assert_eq!(minds.entries().map(Entries::len), Some(1), "and keeps what is written");
    minds.stop_recording();
    assert!(minds.record().is_ok());
    assert_eq!(minds.entries().map(Entries::len), Some(0));
}

#[test]
fn minds_that_are_restored_are_no_longer_recorded() {
    let mut minds = minds(Word::NONE);
    let saved = minds.save();
    minds.record().unwrap();
    assert!(minds.restore(&saved[1..]).is_err());
    assert!(minds.is_recording(), "nothing has changed");
    minds.restore(&saved).unwrap();
    assert!(!minds.is_recording());
    assert_eq!(minds.entries(), None);
}

#[test]
fn minds_stop_writing_when_nobody_takes_what_they_write() {
    let mut minds = minds(Word::NONE);
    minds.record().unwrap();
    spawn(&mut minds);
    minds.tick(&(), 1);
    let mut written = 0;
    while minds.is_recording() {
        minds.set_budget(Some(1));
        written += 1;
        assert!(written <= 1 << 22, "it goes on for ever");
    }
    assert!(written > 1 << 21, "{written}: as many as a recording takes in a tick");
    // Neither do the parts of minds go on.
    (2..9).for_each(|now| minds.tick(&(), now));
    assert_eq!((minds.entries(), minds.output_digest()), (None, 0));
    assert!(minds.record().is_ok(), "and somebody may begin anew");
    minds.tick(&(), 9);
    let calls: Vec<u32> = minds.entries().unwrap().calls().collect();
    assert_eq!(calls.first(), Some(&MindCall::Tick.number()), "nothing of before is there");
}

#[test]
fn a_tick_that_is_not_the_recordings_is_not_entered() {
    let mut minds = minds(Word::NONE);
    let mut twins = twins(&minds);
    minds.record().unwrap();
    minds.tick(&(), 1_000_000);
    let entries = take(&mut minds);
    let wrong = replay(&mut twins, &entries, 1).unwrap_err();
    assert_eq!(wrong.wrong, Wrong::OtherTick { recorded: 1, entered: 1_000_000 });
    let told = "tick 0: the entries are of tick 1000000, and the recording says 1";
    assert_eq!(wrong.sentence(twins.spec()), told);
    assert_eq!(twins.now(), 0, "it did not happen");
    replay(&mut twins, &entries, 1_000_000).unwrap();
}

#[test]
fn words_that_the_file_does_not_have_are_no_words_on_the_tape() {
    let says = |wrong: &Divergence| match &wrong.wrong {
        Wrong::Says { call, damaged } => Some((*call, damaged.what)),
        _ => None,
    };
    // What code orders.
    let mut strange = minds(Word(1_000));
    let mut twin = twins(&strange);
    strange.record().unwrap();
    spawn(&mut strange);
    strange.tick(&(), 1);
    let wrong = replay(&mut twin, &take(&mut strange), 1).unwrap_err();
    assert!(matches!(says(&wrong), Some((MindCall::Start(_), _))), "{wrong:?}");
    // What the game tells.
    let mut told = minds(Word::NONE);
    let mut twin = twins(&told);
    told.record().unwrap();
    let id = spawn(&mut told);
    let noise = told.word("noise").unwrap();
    let stimulus = Stimulus { event: Word(1_000), ..Stimulus::new(noise, [0.0; 3]) };
    told.tell(id, Message::Stimulus(stimulus)).unwrap();
    told.tick(&(), 1);
    let wrong = replay(&mut twin, &take(&mut told), 1).unwrap_err();
    assert!(matches!(says(&wrong), Some((MindCall::Tell(_), _))), "{wrong:?}");
}
