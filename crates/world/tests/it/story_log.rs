//! The log: causes of death, idling told once, ends before what follows; and scripts that wait.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::tale::{facts, idler, tale, until};
use throng_world::story::log::{Log, LogLine};
use throng_world::story::run::Play;

/// All lines that are told by default, with their moments in ticks.
fn log(play: &mut Play) -> Vec<(u32, String)> {
    let (mut log, mut told) = (Log::default(), Vec::new());
    while play.tick() {
        let lines = log.tick(play);
        let line = |line: &LogLine| {
            let who = line.who.map_or("-", |who| play.cast().voice_name(who));
            (play.now(), format!("{who}: {}", line.text(true)))
        };
        told.extend(lines.iter().filter(|line| !line.is_minor).map(line));
    }
    told
}

fn deaths(play: &mut Play) -> Vec<String> {
    let lines = log(play).into_iter().map(|(_, line)| line);
    lines.filter(|line| line.contains(": dies")).collect()
}

const YARD: &str = "map \"##########\" \"#A...B...#\" \"#....G...#\" \"##########\"\n";

#[test]
fn every_death_names_who_and_with_what() {
    let story = |script: &str| {
        format!(
            "{YARD}actor a at A: npc idler side red health 20\nactor b at B: player side blue \
             weapon pistol\npromise every death has a cause\n{script}"
        )
    };
    for (script, told) in [
        ("at 1: a dies\n", "a: dies: the script says so"),
        ("at 1: b fires at a\n", "a: dies: shot by b with pistol"),
        ("at 1: b throws grenade at A\nat 1.5: b leaves\n", "a: dies: blast of b's grenade"),
    ] {
        let mut play = idler("", &story(script));
        assert_eq!(deaths(&mut play), [told], "{script}");
        assert!(play.is_kept(), "{script}");
    }
    // Who goes has not died.
    let mut play = idler("", &story("at 1: a leaves\n"));
    assert!(deaths(&mut play).is_empty() && play.is_kept());
}

#[test]
fn shots_hits_and_blasts_are_told_before_the_death_they_cause() {
    let mut play = idler(
        "",
        &format!(
            "{YARD}actor a at A: npc idler side red health 20\nactor b at B: player side blue \
             weapon pistol\nat 1: b fires at a\nat 2: b throws grenade at G\n"
        ),
    );
    let told: Vec<String> = log(&mut play).into_iter().map(|(_, line)| line).collect();
    assert_eq!(
        told[..3],
        ["-: b fires at a", "b: hits a: 25 by shot, 0 left", "a: dies: shot by b with pistol",]
    );
    assert!(told.contains(&"-: a grenade goes off at G: b's".to_string()), "{told:?}");
}

const WORKER: &str = "domain yard
var work: open, done
sensor hear: on noise keeps 5
symbol work: open if disturbance, done
action toil: work -> done  takes 1
action wait: takes 1
goal finish: work = done
npc Worker
    can toil, wait
    wants finish
    otherwise wait
story yard \"He works.\" lasts 9
map \"####\" \"#AB#\" \"####\"
actor a at A: npc Worker
actor b at B: npc Worker
";

#[test]
fn idling_is_one_line_and_only_when_something_happens_meanwhile() {
    let mut play = tale(&format!("{WORKER}at 8: noise at B radius 3\n"));
    let told = log(&mut play);
    let idle: Vec<_> = told.iter().filter(|(_, line)| line.contains("idles")).collect();
    assert!(idle.is_empty(), "nobody had begun anything: {told:?}");
    let mut play = tale(&format!("{WORKER}at 1: noise at B radius 3\nat 8: b dies\n"));
    let told = log(&mut play);
    let idle: Vec<_> = told.iter().filter(|(_, line)| line.contains("idles")).collect();
    assert!(idle.len() == 2 && idle.iter().all(|(at, _)| *at == 80), "{told:#?}");
    assert!(idle[0].1.contains("all it wants holds (for "), "{}", idle[0].1);
    let noise = ["wants nothing", "rests", "starts wait", "has done wait", "gives up wait"];
    let is_noise = |line: &String| noise.iter().any(|it| line.contains(it));
    assert!(!told.iter().any(|(_, line)| is_noise(line)), "{told:?}");
}

#[test]
fn what_waits_for_something_happens_once_as_soon_as_it_holds() {
    let mut play = tale(
        "domain yard
var calm: bool
action wait: calm -> true
npc idler
    can wait
story yard \"One thing leads to another.\" lasts 9
map \"##########\" \"#AE.B.C.D#\" \"##########\"
thing gate at D: door
actor a at A: player
actor b at B: npc idler
actor c at C: player
at 1: a moves to E
when a at E: gate = open
when gate = open: b dies
when b is dead: c leaves
when b is dead: a moves to A
promise gate = open
promise b is dead by 3
promise a at A
",
    );
    let told = log(&mut play);
    assert!(play.is_kept(), "{:?}", play.judge().verdicts().collect::<Vec<_>>());
    let count = |text: &str| told.iter().filter(|(_, line)| line == text).count();
    assert_eq!((count("-: gate = open"), count("-: c leaves"), count("-: b dies")), (1, 1, 1));
    let at = |text: &str| told.iter().find(|(_, line)| line == text).unwrap().0;
    assert!(at("-: gate = open") < at("-: b dies") && at("-: b dies") < at("-: c leaves"));
}

#[test]
fn who_is_told_knows_for_so_long() {
    let story = "map \"####\" \"#AB#\" \"####\"\nactor a at A: npc idler\nactor b at B: npc idler\n\
        at 1: everybody is told hunger(amount = 60, object = b, event = noon) for 2\n\
        promise everybody remembers hunger by 2\npromise a forgets hunger by 5\n";
    let mut play = idler("", story);
    until(&mut play, 1.5);
    let hunger = facts(&play, "hunger");
    assert_eq!(hunger.len(), 1);
    let amount = hunger[0].number(throng_mind::fact::Attribute::Amount);
    assert_eq!(amount, Some(60.0));
    while play.tick() {}
    assert!(play.is_kept(), "{:?}", play.judge().verdicts().collect::<Vec<_>>());
}

#[test]
fn a_play_saved_between_two_cues_goes_on_alike() {
    let text = "domain yard
var calm: bool
action wait: calm -> true
npc idler
    can wait
story yard \"It goes on.\" lasts 5
map \"#####\" \"#A.B#\" \"#####\"
thing gate at B: door
actor a at A: npc idler
actor b at B: player
at 1: b moves to A
when b at A: gate = open
when gate = open: b moves to B
promise some red is alive
promise nobody twitches
"
    .replace("npc idler\nactor b", "npc idler side red\nactor b");
    let mut whole = tale(&text);
    while whole.tick() {}
    for tick in [5, 14, 20, 30] {
        let mut first = tale(&text);
        until(&mut first, f64::from(tick) / 10.0);
        let mut second = tale(&text);
        second.restore(&first.save()).unwrap();
        while second.tick() {}
        assert_eq!(second.digest(), whole.digest(), "saved at {tick}");
        assert!(second.judge().verdicts().eq(whole.judge().verdicts()));
    }
}

const SHOUT: &str = "domain yard
var calm: bool
select foe: one of hunger
action shout: calm -> true   takes 0.2   first tells foe to side
npc guard
    can shout
    wants calm
    starts calm = false
goal calm: calm = true   relevance if hunger
story yard \"It is told.\" lasts 3
map \"#######\" \"#ABC.D#\" \"#######\"
actor a at A: npc guard side red
actor b at B: npc guard side red
actor c at C: npc guard side blue
actor d at D: player side blue
at 1: a is told hunger(amount = 60, object = d) for 9
";

#[test]
fn who_tells_what_to_whom_is_one_line() {
    let text = SHOUT.replace("symbol calm: true if hunger(source = nobody_at_all), false\n", "");
    let mut play = tale(&text);
    let (mut log, mut told) = (Log::default(), Vec::new());
    while play.tick() {
        for line in log.tick(&play).iter().filter(|it| it.text(true).contains("hunger d ")) {
            let who = line.who.map_or("-", |who| play.cast().voice_name(who));
            told.push((line.is_minor, format!("{who} {}", line.text(true))));
        }
    }
    let told: Vec<(bool, &str)> =
        told.iter().map(|(minor, line)| (*minor, line.as_str())).collect();
    assert_eq!(told[..2], [(false, "a tells hunger d to b"), (true, "b is told hunger d by a")]);
    // Whom nobody else has told: b knows it now, and says it in turn.
    assert!(told.contains(&(false, "b tells hunger d to a")), "{told:?}");
}
