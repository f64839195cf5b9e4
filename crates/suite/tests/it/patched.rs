//! The file of a saved game is patched: plays of stories go on under the new version, and so do
//! minds that are far away.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic, and say what was tried"
)]

use std::sync::Arc;
use throng::crowd::{CrowdSettings, FrameBudget, GroupId, Pool, Population};
use throng::{Domain, Offscreen, RestoreOffscreenError};
use throng_mind::fact::{EntityId, FactDraft};
use throng_mind::orders::Message;
use throng_mind::{Body, Lost, Minds};
use throng_world::body::body;
use throng_world::story::Story;
use throng_world::story::run::Play;

fn fresh(domain: &Domain) -> Play {
    let story = Story::read(domain.model()).unwrap();
    let spec = domain.mind_spec(story.pace.ticks_per_second).unwrap();
    Play::new(story, domain.model(), spec, body(), 1).unwrap()
}

/// A file with more before everything else, so that all numbers and places are others.
fn patched(text: &str) -> String {
    let (first, rest) = text.split_once("\ndomain ").map_or(("", text), |(a, b)| (a, b));
    let rest = rest.strip_prefix("domain ").unwrap_or(rest);
    let (name, rest) = rest.split_once('\n').unwrap();
    format!(
        "{first}\ndomain {name}\nvar zz_new: zz_no, zz_yes\naction zz_do: zz_new -> zz_yes\n\
         goal zz_wish: zz_new = zz_yes   priority 0.1\n{rest}"
    )
}

#[test]
fn plays_of_stories_go_on_under_a_patched_domain() {
    let files = throng_lab::corpus::files("stories", "npc").unwrap();
    let (mut played, mut interrupted, mut with_squads) = (0, 0, 0);
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let (Ok(old), Ok(new)) = (Domain::from_text(&text), Domain::from_text(&patched(&text)))
        else {
            continue;
        };
        let mut play = fresh(&old);
        if play.story().actors.len() > 50 {
            continue;
        }
        let until = play.story().lasts / 2;
        while play.now() < until && play.tick() {}
        let mut later = fresh(&new);
        let restored = later.restore(&play.save()).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(!restored.same_file && restored.dropped.is_empty(), "{name}: {restored}");
        assert_eq!(later.now(), play.now(), "{name}");
        let squads = play.minds().len() - later.minds().len();
        with_squads += u32::from(squads > 0);
        let place = |play: &Play| -> Vec<_> {
            let actors = play.world().actors().iter();
            actors.map(|it| (it.handle, it.text.clone(), it.cell, it.health, it.alive)).collect()
        };
        assert_eq!(place(&later), place(&play), "{name}");
        for mind in later.minds().iter() {
            let before = play.minds().mind(mind.id()).unwrap();
            let values = |play: &Play, mind: &throng_mind::Mind| -> Vec<String> {
                let domain = &play.minds().spec().domain;
                let (map, own) = (domain.map(), domain.npc(mind.npc()).variables());
                let all = own.iter().filter_map(|&id| {
                    let value = map.values(id).get(usize::from(mind.state().values()[id.index()]));
                    value.map(|value| format!("{} = {value}", map.variable(id)))
                });
                all.collect()
            };
            assert_eq!(values(&later, mind), values(&play, before), "{name}");
            assert_eq!(mind.memory().len(), before.memory().len(), "{name}");
        }
        interrupted += restored.interrupted;
        played += 1;
        // It is a play like any other from here on.
        let mut twin = fresh(&new);
        assert!(twin.restore(&later.save()).unwrap().same_file, "{name}");
        while later.tick() {}
        while twin.tick() {}
        assert_eq!(later.digest(), twin.digest(), "{name}");
        // Another story is another play, whatever its domain.
        let other = text.replacen("lasts ", "lasts 1", 1);
        if let Ok(other) = Domain::from_text(&other) {
            let why = fresh(&other).restore(&play.save()).unwrap_err().to_string();
            assert!(why.contains("the story is another"), "{name}: {why}");
        }
    }
    println!("{played} stories, {interrupted} actions given up, {with_squads} with squads");
    assert!(played > 15 && interrupted > 10, "{played} stories, {interrupted}");
}

const FIRST: &str = "domain d
var at: home, field, mill
var sack: empty, full
var mood: glad, sad
action go(place in at): at -> place
action fill: sack empty -> full   while at = field
action sigh: mood glad -> sad
goal milled: at = mill, sack = full
npc farmer
    can go, fill, sigh
    wants milled
    starts at = home, sack = empty, mood = glad
npc cat
    can sigh
    wants milled
    starts mood = glad
sensor ears: on bell
";

fn minds(domain: &Domain) -> Minds<()> {
    Minds::new(domain.mind_spec(10).unwrap(), Body::new(), 1).unwrap()
}

fn people(domain: &Domain) -> Population {
    Population::new(domain.compiled_arc(), CrowdSettings::default(), Arc::new(Pool::new(1)))
}

/// Two farmers, one of whom has been away for some steps; minds, who is away, and the population.
fn saved() -> [Vec<u8>; 3] {
    let domain = Domain::from_text(FIRST).unwrap();
    let (mut minds, mut people, mut far) = (minds(&domain), people(&domain), Offscreen::new());
    let farmer = domain.npc_type("farmer").unwrap();
    let ids = [1, 2].map(|me| minds.spawn(farmer, EntityId(me)).unwrap());
    minds.tick(&(), 0);
    far.demote(ids[1], &mut minds, &mut people, GroupId::FIRST).unwrap();
    let bell = minds.spec().words.find("bell").unwrap();
    far.tell(ids[1], Message::Told(Box::new(FactDraft::new(bell)))).unwrap();
    far.tell(ids[1], Message::Done(throng_mind::orders::OrderId(1))).unwrap();
    for now in 1..3 {
        people.plan(FrameBudget::UNLIMITED);
        people.apply_next();
        minds.tick(&(), now);
    }
    [minds.save(), far.save(&people), people.save()]
}

#[test]
fn who_was_away_comes_back_under_a_patched_file() {
    let [bytes, away_bytes, people_bytes] = saved();
    let text = FIRST
        .replace("domain d\n", "domain d\nvar hat: on, off\nsensor nose: on smell\n")
        .replace("var sack: empty, full", "var bag: full, torn, empty   was sack")
        .replace("sack ", "bag ")
        .replace("npc farmer", "npc peasant\n    was farmer")
        .replace("var mood: glad, sad", "var mood: merry, sad")
        .replace("glad", "merry")
        .replace("can go", "can sing, go")
        .replace("starts at = home", "starts hat = on, at = home")
        + "action sing: hat on -> off\n";
    let domain = Domain::from_text(&text).unwrap();
    let (mut minds, mut far) = (minds(&domain), Offscreen::new());
    let (settings, pool) = (CrowdSettings::default(), Arc::new(Pool::new(1)));
    let (mut people, moved) =
        Population::restore(&people_bytes, domain.compiled_arc(), settings, pool).unwrap();
    assert_eq!((moved.concerned, moved.lost_values), (1, 1));
    let restored = minds.restore(&bytes).unwrap();
    assert!(!restored.same_file && minds.is_migrated());
    let away = far.restore(&away_bytes, &minds, &mut people).unwrap();
    let lost: Vec<_> = away.dropped.iter().map(|it| (it.what, it.name.as_str())).collect();
    assert_eq!(lost, [(Lost::Value, "mood = glad")]);
    assert_eq!(away.cancelled.len(), 1, "what he was at when he left");
    assert_eq!((far.len(), minds.len()), (1, 1));
    let (id, npc, row) = far.rows().next().unwrap();
    assert_eq!(domain.compiled_arc().map().npc(npc), "peasant");
    let crowd = people.crowd(npc).unwrap();
    let tables = domain.compiled_arc();
    let map = tables.map();
    let value = |name: &str| {
        let fact = crowd.get(row, map.find_variable(name).unwrap());
        fact.map_or("?".to_string(), |fact| map.value(fact).to_string())
    };
    // He went to the field and filled it; what is new, or gone, is as the type starts.
    let row_says = ["at", "bag", "hat", "mood"].map(value);
    assert_eq!(row_says, ["field", "full", "on", "merry"]);
    // He is planned for anew, and comes back with what came of it.
    people.plan(FrameBudget::UNLIMITED);
    people.apply_next();
    far.promote(id, &mut minds, &mut people, &()).unwrap();
    let at = map.find_variable("at").unwrap();
    let told = minds.mind(id).unwrap();
    assert_eq!(map.values(at)[usize::from(told.state().values()[at.index()])], "mill");
    minds.tick(&(), 3);
    let bell = minds.spec().words.find("bell").unwrap();
    assert_eq!(minds.mind(id).unwrap().memory().iter().next().map(|fact| fact.kind()), Some(bell));
    (4..40).for_each(|now| minds.tick(&(), now));
}

#[test]
fn who_is_away_needs_his_type_and_the_save_of_the_same_minds() {
    let [bytes, away_bytes, people_bytes] = saved();
    // The first farmer dies before; then only the one who is away is of that type.
    let gone = FIRST.replace("npc farmer", "npc miller");
    let domain = Domain::from_text(&gone).unwrap();
    let (mut minds, mut people, mut far) = (minds(&domain), people(&domain), Offscreen::new());
    let (settings, pool) = (CrowdSettings::default(), Arc::new(Pool::new(1)));
    let restored = Population::restore(&people_bytes, domain.compiled_arc(), settings, pool);
    assert!(restored.is_err_and(|why| why.to_string().contains("no NPC type `farmer`")));
    let restored = minds.restore_known(&bytes).unwrap();
    assert_eq!((restored.minds, restored.dropped[0].what), (0, Lost::Type));
    let why = far.restore(&away_bytes, &minds, &mut people).unwrap_err();
    assert!(matches!(why, RestoreOffscreenError::NoSuchType(_)), "{why}");
    assert!(far.is_empty() && people.is_empty());
    // Minds that were not restored from that save cannot tell its numbers.
    let fresh = Minds::<()>::new(domain.mind_spec(10).unwrap(), Body::new(), 1).unwrap();
    let why = far.restore(&away_bytes, &fresh, &mut people).unwrap_err();
    assert_eq!(why, RestoreOffscreenError::OtherSave);
}
