//! Every story and every level keeps its promises when the world answers rays and ways late, and when
//! few questions are handed out in a tick: times are half a second longer then, and nothing else is
//! asked for less.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may stop")]

use std::path::PathBuf;
use throng::Domain;
use throng_world::story::promise::Verdict;
use throng_world::story::run::Play;
use throng_world::story::staging::Staging;

/// So many questions a tick are few for a story with eight soldiers in it.
const FEW: u32 = 4;

fn files() -> Vec<PathBuf> {
    let all = throng_lab::corpus::stories().unwrap().into_iter();
    all.filter(|file| !throng_lab::corpus::is_large(file)).collect()
}

/// What came of a story: broken promises, questions asked, ticks in which as many as may be were.
#[derive(Default)]
struct Came {
    broken: Vec<String>,
    asked: usize,
    full: usize,
}

fn play(file: &PathBuf, staging: &Staging, came: &mut Came) {
    let domain = Domain::from_file(file).unwrap();
    let mut play = Play::staged(domain.model(), staging, 1).unwrap();
    while play.tick() {
        let n = play.minds().questions().len();
        let most = staging.questions.map_or(usize::MAX, |most| most as usize);
        assert!(n <= most, "{file:?}: {n} questions in a tick");
        came.asked += n;
        came.full += usize::from(n == most);
    }
    assert!(play.minds().mistakes().is_empty(), "{:#?}", play.minds().mistakes());
    for (promise, verdict) in play.judge().verdicts() {
        if !matches!(verdict, Verdict::Kept(_)) {
            came.broken.push(format!("{file:?} {staging:?}: {}: {verdict:?}", promise.text));
        }
    }
}

#[test]
fn promises_are_kept_with_answers_that_come_late_and_with_few_questions() {
    let mut came = Came::default();
    let all = [0, 1, 3].into_iter().flat_map(|late| [(late, None), (late, Some(FEW))]);
    for (late, questions) in all {
        let staging = Staging { seed: None, late: Some(late), questions };
        for file in files() {
            play(&file, &staging, &mut came);
        }
    }
    println!("{} questions, {} ticks full", came.asked, came.full);
    assert!(came.broken.is_empty(), "{}", came.broken.join("\n"));
    assert!(came.asked > 10_000 && came.full > 500, "{} {}", came.asked, came.full);
}

/// A story that waits for answers is the same on any number of threads, and from a save of any tick.
#[test]
fn late_answers_are_the_same_for_any_threads_and_from_a_save() {
    let staging = Staging { seed: Some(3), late: Some(3), questions: Some(FEW) };
    let office = files().into_iter().find(|file| file.ends_with("office.npc")).unwrap();
    let domain = Domain::from_file(&office).unwrap();
    let begin = |threads| Play::staged(domain.model(), &staging, threads).unwrap();
    let mut plain = begin(1);
    let mut digests = Vec::new();
    while plain.now() < 120 && plain.tick() {
        digests.push(plain.digest());
    }
    let mut other = begin(4);
    for (at, digest) in digests.iter().enumerate() {
        other.tick();
        assert_eq!(other.digest(), *digest, "tick {at}");
        // Another goes on from here.
        if at % 7 == 3 {
            let mut next = begin(if at % 2 == 0 { 1 } else { 2 });
            next.restore(&other.save()).unwrap();
            other = next;
        }
    }
}
