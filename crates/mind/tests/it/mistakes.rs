//! Typos in code are told: names by `Minds::new`, all at once; words, attributes and parameters
//! when the code that has them runs.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::spec;
use throng_mind::body::{Acting, Behaviour, Body, Ending, Progress, Sensing, Work};
use throng_mind::events::EventKind;
use throng_mind::fact::{Attribute, EntityId, FactDraft};
use throng_mind::orders::{Message, Order, Stimulus};
use throng_mind::words::Word;
use throng_mind::{BodyError, BodyErrors, Hint, Minds, Misuse};

const GUARD: &str = "domain guard
var at: gate, post
var area: quiet, disturbed
sensor feet: every 0 feeds at
sensor eyes: every 0.2
sensor hear: on noise keeps 20 feeds area
symbol at: node of self
symbol area: disturbed if noise, quiet
action walk(place in at): at -> place
action inspect: area disturbed -> quiet  does look
action rest:
flavour shrug: after inspect
goal on_post: at = post
goal calm: area = quiet
    priority 2
npc guard
    can walk, inspect, rest
    wants on_post, calm
    starts at = gate
    otherwise rest
";

fn nothing(_: &mut Sensing<'_, ()>) -> Work {
    Work::Light
}

fn done(_: &mut Acting<'_, ()>) -> Progress {
    Progress::Done
}

fn refused(body: Body<()>) -> BodyErrors {
    Minds::new(spec(GUARD), body, 1).err().unwrap()
}

fn minds(body: Body<()>) -> Minds<()> {
    let mut minds = Minds::new(spec(GUARD), body, 1).unwrap();
    let guard = minds.spec().domain.map().find_npc("guard").unwrap();
    minds.spawn(guard, EntityId(1)).unwrap();
    minds
}

/// What code says while a guard lives for some ticks: the mistakes, and what the events tell.
fn lived(body: Body<()>) -> (Vec<String>, Vec<String>) {
    let mut minds = minds(body);
    let mut told = Vec::new();
    for now in 0..6 {
        minds.tick(&(), now);
        let mistakes = minds.events().iter().filter(|it| matches!(it.what, EventKind::Mistake(_)));
        told.extend(mistakes.map(|event| minds.describe(event)));
    }
    (minds.mistakes().iter().map(ToString::to_string).collect(), told)
}

#[test]
fn every_name_that_code_and_file_do_not_share_is_told_at_once() {
    let errors = refused(
        Body::new()
            .sensor("feets", nothing)
            .sensor("nose", nothing)
            .sensor("walk", nothing)
            .behaviour("wlak", done)
            .behaviour("inspect", done)
            .behaviour("hear", done)
            .behaviour("juggle", done)
            .behaviour("shrug", done)
            .expects(&["noise", "nosie", "hungry"]),
    );
    assert_eq!(
        errors.to_string(),
        "\
the sensor `feet` is polled, but there is no code of that name; did you mean `feets`?
the sensor `eyes` is polled, but there is no code of that name; add it with `Body::sensor`
there is code for a sensor `feets`, which the file does not have; did you mean `feet`?
there is code for a sensor `nose`, which the file does not have; remove it, or see `Body::for_many_files`
there is code for a sensor `walk`, which the file does not have; that is an action: add it with `Body::behaviour`
there is code for a behaviour `wlak`, which no action of the file does; did you mean `walk`?
there is code for a behaviour `inspect`, which no action of the file does; the action of that name does `look`
there is code for a behaviour `hear`, which no action of the file does; that is a sensor: add it with `Body::sensor`
there is code for a behaviour `juggle`, which no action of the file does; remove it, or see `Body::for_many_files`
the code expects the word `nosie`, which the file does not have; did you mean `noise`?
the code expects the word `hungry`, which the file does not have; words that the code brings along are given to `Body::words`"
    );
    let hint = Some(Hint::Nearest("walk".to_string()));
    assert_eq!(errors.all[5], BodyError::NoAction { name: "wlak".to_string(), hint });
}

#[test]
fn code_for_many_files_may_have_more_than_one_file_needs_but_not_less() {
    let body = || {
        Body::new()
            .for_many_files()
            .sensor("feet", nothing)
            .sensor("nose", nothing)
            .behaviour("wlak", done)
            .expects(&["nosie"])
    };
    let only = refused(body());
    assert_eq!(only.all, [BodyError::NoCode { sensor: "eyes".to_string(), hint: None }]);
    assert!(Minds::new(spec(GUARD), body().sensor("eyes", nothing), 1).is_ok());
}

#[test]
fn code_for_many_files_is_checked_against_all_of_them() {
    let cook = spec(
        "domain cook\nvar x: 0..1\nsensor nose: every 1\naction stir: x -> 1\nnpc c\n    can stir\n",
    );
    let guard = spec(GUARD);
    let body = |typo: &str| {
        let body: Body<()> = Body::new().for_many_files().expects(&["noise"]);
        let body = body.sensor("feet", nothing).sensor("eyes", nothing).sensor("nose", nothing);
        body.behaviour("walk", done).behaviour(typo, done)
    };
    // Each file lacks the sensors that are for the other only where they are polled.
    let feet = Body::new().sensor("nose", nothing).behaviour("stir", done);
    assert_eq!(feet.check(&[&cook]), Ok(()));
    assert_eq!(feet.check(&[&cook, &guard]).unwrap_err().all.len(), 2, "feet and eyes");
    assert_eq!(body("stir").check(&[&cook, &guard]), Ok(()));
    let hint = Some(Hint::Nearest("stir".to_string()));
    let wrong = BodyError::NoAction { name: "strir".to_string(), hint };
    assert_eq!(body("strir").check(&[&cook, &guard]).unwrap_err().all, [wrong]);
}

#[test]
fn a_word_that_nobody_knows_is_told_in_the_tick_in_which_it_is_asked_for() {
    let feet = |sensing: &mut Sensing<'_, ()>| {
        let node = sensing.word("pots");
        sensing.remember_one(sensing.fact("self").with(Attribute::Node, node, 1.0), &[]);
        Work::Light
    };
    let (mistakes, told) = lived(Body::new().sensor("feet", feet).sensor("eyes", nothing));
    let why = "neither the file nor `Body::words` has the word `pots`; did you mean `post`?";
    let mistake = format!("the code of `feet`: {why} (first at tick 0 in mind 1, 6 times so far)");
    assert_eq!(mistakes, [mistake], "each once");
    assert_eq!(told.len(), 6, "an event each time");
    assert_eq!(told[0], format!("has a mistake in the code of feet: {why}"));
}

#[test]
fn kinds_of_facts_are_words_too() {
    let eyes = |sensing: &mut Sensing<'_, ()>| {
        sensing.share(sensing.fact("nosie"));
        Work::Light
    };
    struct Rest;
    impl Behaviour<()> for Rest {
        fn start(&self, acting: &mut Acting<'_, ()>) -> Progress {
            acting.remember(acting.fact("hungre"), 5);
            Progress::Failed(acting.word("tried"))
        }
        fn end(&self, acting: &mut Acting<'_, ()>, _: Ending) {
            acting.forget_all("noises");
        }
    }
    let body = Body::new().words(&["hungry", "tired"]).behaviour("look", Rest);
    let mut minds = minds(body.sensor("feet", nothing).sensor("eyes", eyes));
    let (guard, noise) = (minds.iter().next().unwrap().id(), minds.word("noise").unwrap());
    minds.tell(guard, Stimulus::new(noise, [0.0; 3])).unwrap();
    (0..4).for_each(|now| minds.tick(&(), now));
    let mistakes: Vec<String> = minds.mistakes().iter().map(ToString::to_string).collect();
    let whats: Vec<&str> = mistakes.iter().map(|it| it.split(" (").next().unwrap()).collect();
    let neither = "neither the file nor `Body::words` has the word";
    assert_eq!(
        whats,
        [
            format!("the code of `eyes`: {neither} `nosie`; did you mean `noise`?"),
            format!("the code of `look`: {neither} `hungre`; did you mean `hungry`?"),
            format!("the code of `look`: {neither} `tried`; did you mean `tired`?"),
            format!("the code of `look`: {neither} `noises`; did you mean `noise`?"),
        ]
    );
}

#[test]
fn a_value_of_the_wrong_sort_is_told_wherever_it_is_written() {
    let eyes = |sensing: &mut Sensing<'_, ()>| {
        let fact = sensing.fact("self").with(Attribute::Node, EntityId(1), 1.0);
        assert!(fact.wrong().eq([Attribute::Node]));
        let twice = fact.with(Attribute::Position, [f32::NAN, 0.0, 0.0], 1.0);
        sensing.remember(fact.with(Attribute::Object, EntityId(2), 1.0));
        sensing.remember_one(twice, &[]);
        sensing.share(sensing.fact("noise").with(Attribute::Amount, EntityId(3), 0.5));
        Work::Light
    };
    let walk = |acting: &mut Acting<'_, ()>| {
        let place = acting.fact("self").with(Attribute::Radius, [0.0; 3], 1.0);
        acting.remember(place, 5);
        acting.share(acting.fact("self").with(Attribute::Direction, 1.0, 1.0), 5);
        acting.remember_one(acting.fact("self").with(Attribute::Link, 1.0, 1.0), &[], 5);
        // Not even the memory itself takes it without a word.
        let now = acting.now;
        acting.memory.add(&place, Word(0), now, 5);
        Progress::Waiting
    };
    let body = Body::new().sensor("feet", nothing).sensor("eyes", eyes).behaviour("walk", walk);
    let mut minds = minds(body);
    for now in 0..4 {
        minds.tick(&(), now);
    }
    let told = |by: &str| -> Vec<(String, Attribute)> {
        let its = minds.mistakes().iter().filter(|mistake| mistake.by == by);
        its.map(|mistake| match &mistake.what {
            Misuse::Attribute { fact, attribute } => (fact.clone(), *attribute),
            other => panic!("{other:?}"),
        })
        .collect()
    };
    let own = |attribute| ("self".to_string(), attribute);
    let seen = [own(Attribute::Node), own(Attribute::Position)];
    assert_eq!(told("eyes")[..2], seen);
    assert_eq!(told("eyes")[2..], [("noise".to_string(), Attribute::Amount)]);
    let walked = [Attribute::Radius, Attribute::Direction, Attribute::Link].map(own);
    assert_eq!(told("walk"), walked);
    let texts: Vec<String> = minds.mistakes().iter().map(|it| it.what.to_string()).collect();
    let says = "of the fact `self` takes";
    assert!(texts.contains(&format!("`node` {says} a word; what it got is left out")), "{texts:?}");
    let place = format!("`position` {says} a place, of finite numbers; what it got is left out");
    assert!(texts.contains(&place), "{texts:?}");
    // The rest of the fact is there.
    let mind = minds.iter().next().unwrap();
    let kept = |fact: throng_mind::memory::FactRef<'_>| fact.entity(Attribute::Object).is_some();
    assert!(
        mind.memory().iter().any(kept)
            && mind.memory().iter().all(|f| f.sure(Attribute::Node) == 0.0)
    );
}

#[test]
fn what_the_game_tells_wrongly_is_its_own_mistake() {
    let body = Body::new().sensor("feet", nothing).sensor("eyes", nothing);
    let mut minds = minds(body);
    let guard = minds.iter().next().unwrap().id();
    let noise = minds.word("noise").unwrap();
    let fact = FactDraft::new(noise).with(Attribute::Stimulus, 0.7, 1.0);
    minds.share(&fact, 10);
    minds.tell(guard, Message::Told(Box::new(fact))).unwrap();
    minds.tell(guard, Message::Untold(Box::new(fact))).unwrap();
    minds.tell(guard, Stimulus::new(noise, [f32::INFINITY, 0.0, 0.0])).unwrap();
    minds.tick(&(), 0);
    let told: Vec<_> = minds.mistakes().iter().map(|it| (it.by.as_str(), it.times)).collect();
    assert_eq!(told, [("Minds::share", 1), ("Minds::tell", 2), ("hear", 1)]);
}

#[test]
fn a_parameter_that_an_action_does_not_have_is_told() {
    let walk = |acting: &mut Acting<'_, ()>| {
        let node = acting.it();
        assert!(!acting.parameter_text(0).is_empty() && acting.parameter_text(1).is_empty());
        acting.board.order(Order::Move { to: [0.0; 3], node, manner: node });
        Progress::Waiting
    };
    let body = Body::new().behaviour("walk", walk);
    let (mistakes, _) = lived(body.sensor("feet", nothing).sensor("eyes", nothing));
    let told = "the code of `walk`: the action has no parameter 1 (first at tick 0 in mind 1)";
    assert_eq!(mistakes, [told]);
}

/// A tick in two halves once lost what sensors did wrong in the first.
#[test]
fn mistakes_of_sensors_are_told_with_a_budget_as_without() {
    let lives = |budget: Option<u32>| {
        let eyes = |sensing: &mut Sensing<'_, ()>| {
            sensing.word("pots");
            Work::Light
        };
        let mut minds = minds(Body::new().sensor("feet", nothing).sensor("eyes", eyes));
        minds.set_budget(budget);
        (0..6).for_each(|now| minds.tick(&(), now));
        minds.mistakes().to_vec()
    };
    assert_eq!(lives(None).len(), 1);
    assert_eq!(lives(Some(5)), lives(None));
}

#[test]
fn code_without_mistakes_is_told_nothing() {
    let feet = |sensing: &mut Sensing<'_, ()>| {
        let node = sensing.word("post");
        sensing.remember_one(sensing.fact("self").with(Attribute::Node, node, 1.0), &[]);
        assert_eq!(sensing.spec.words.find("pots"), None, "who only asks is not told off");
        Work::Light
    };
    let (mistakes, told) = lived(Body::new().sensor("feet", feet).sensor("eyes", nothing));
    assert!(mistakes.is_empty() && told.is_empty());
}

#[test]
fn mistakes_are_the_same_on_any_number_of_threads_and_bounded() {
    let lives = |threads: usize| {
        let eyes = |sensing: &mut Sensing<'_, ()>| {
            sensing.word(&format!("word {} of {}", sensing.now, sensing.me.0));
            Work::Light
        };
        let body = Body::new().sensor("feet", nothing).sensor("eyes", eyes);
        let mut minds = Minds::new(spec(GUARD), body, threads).unwrap();
        let guard = minds.spec().domain.map().find_npc("guard").unwrap();
        (0..150).for_each(|me| _ = minds.spawn(guard, EntityId(me)));
        let mut events = Vec::new();
        for now in 0..20 {
            minds.tick(&(), now);
            events.extend_from_slice(minds.events());
        }
        (minds.mistakes().to_vec(), events)
    };
    let alone = lives(1);
    assert_eq!(alone.0.len(), 256);
    assert!(alone == lives(3));
}

#[test]
fn what_a_new_file_has_no_use_for_is_told_but_does_not_stand_in_its_way() {
    let body = Body::new().sensor("feet", nothing).sensor("eyes", nothing).behaviour("walk", done);
    let mut minds = minds(body.behaviour("shrug", done).expects(&["noise"]));
    let newer = GUARD.replace("flavour shrug: after inspect\n", "").replace("walk", "wander");
    let reloaded = minds.reload(spec(&newer), &()).unwrap();
    let told: Vec<String> = reloaded.unused.iter().map(ToString::to_string).collect();
    let no_use =
        |name| format!("there is code for a behaviour `{name}`, which no action of the file does");
    assert_eq!(told.len(), 2);
    assert!(
        told[0].starts_with(&no_use("walk")) && told[1].starts_with(&no_use("shrug")),
        "{told:?}"
    );
}
