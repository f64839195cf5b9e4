//! What code says of itself, and what a strict body asks of a file.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::spec;
use throng_domain::FileId;
use throng_mind::prelude::*;
use throng_mind::vocabulary::{BehaviourWords, BodyVocabulary, CanBe, FactWords, SensorWords};

const INN: &str = "domain inn
var mood: calm, cross
sensor see: every 0.5
sensor hear: on bell
symbol mood: cross if guest(knowledge = loud) or bell, calm
action hush: mood cross -> calm does speak
goal peace: mood = calm
npc host
    can hush
    wants peace
";

fn looks(_: &mut Sensing<'_, ()>) -> Work {
    Work::Light
}

fn speaks(_: &mut Acting<'_, ()>) -> Progress {
    Progress::Done
}

fn guest() -> FactWords {
    let knowledge = CanBe::Words(vec!["loud".to_string(), "quiet".to_string()]);
    let attributes = vec![(Attribute::Knowledge, knowledge)];
    FactWords { kind: "guest".to_string(), shared: false, attributes }
}

fn words(writes: Option<Vec<FactWords>>) -> BodyVocabulary {
    let see = SensorWords { name: "see".to_string(), when: None, writes };
    let speak = BehaviourWords { writes: Some(Vec::new()), ..BehaviourWords::bare("speak") };
    let (sensors, behaviours) = (vec![see], vec![speak]);
    BodyVocabulary { name: "inn".to_string(), sensors, behaviours, ..BodyVocabulary::default() }
}

fn body() -> Body<()> {
    Body::new().sensor("see", looks).behaviour("speak", speaks)
}

/// What `Minds::new` says.
fn told(text: &str, body: Body<()>) -> Vec<String> {
    match Minds::new(spec(text), body, 1) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.all.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn code_says_what_it_is_and_what_it_writes() {
    let bare = body().describe();
    assert_eq!(bare.sensor("see").unwrap().writes, None);
    assert_eq!(bare.behaviour("speak").unwrap(), &BehaviourWords::bare("speak"));
    let full = body().describes(words(Some(vec![guest()]))).describe();
    assert_eq!(full.sensor("see").unwrap().writes, Some(vec![guest()]));
    assert_eq!(BodyVocabulary::from_json(&full.to_json(), FileId(0)).unwrap(), full);
    assert_eq!(BodyVocabulary::from_json(&bare.to_json(), FileId(0)).unwrap(), bare);
}

#[test]
fn a_strict_body_tells_all_that_does_not_fit_at_once() {
    let described = |writes| body().describes(words(writes)).for_many_files().strict();
    assert_eq!(told(INN, described(Some(vec![guest()]))), [""; 0]);
    let wrong = INN
        .replace("guest(", "gest(")
        .replace("sensor see:", "sensor sea:")
        .replace("does speak", "does speek");
    let all = told(&wrong, described(Some(vec![guest()])));
    for part in [
        "the sensor `sea` is polled, but there is no code of that name; did you mean `see`?",
        "an action `does speek`, and there is no code of that name; did you mean `speak`?",
        "the file asks for facts `gest`, which nothing writes; did you mean `guest`?",
        "there is code for a sensor `see`, which the file does not have; did you mean `sea`?",
        "there is code for a behaviour `speak`, which no action of the file does",
    ] {
        assert!(all.iter().any(|said| said.starts_with(part)), "{part}: {all:#?}");
    }
    assert_eq!(all.len(), 5, "{all:#?}");
    // What code does not say it may write; and who is not strict takes what there is.
    assert_eq!(told(&INN.replace("guest(", "gest("), described(None)), [""; 0]);
    let lax = body().describes(words(Some(vec![guest()])));
    assert_eq!(told(&INN.replace("guest(", "gest("), lax), [""; 0]);
}
