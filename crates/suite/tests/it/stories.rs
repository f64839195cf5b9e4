//! Every story and every level of the corpus keeps its promises, in the same way twice and with any
//! number of threads.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may stop")]

use std::path::PathBuf;
use throng::Domain;
use throng_mind::spec::Spec;
use throng_mind::time::Pace;
use throng_world::body::body;
use throng_world::story::Story;
use throng_world::story::promise::Verdict;
use throng_world::story::read::NotesRead;
use throng_world::story::run::Play;

/// The stories there must be: the papers' own and the variations with one cause removed.
const KNOWN: usize = 32;

fn stories() -> Vec<PathBuf> {
    throng_lab::corpus::stories().unwrap()
}

fn play(domain: &Domain, threads: usize) -> Play {
    let story = Story::read(domain.model()).unwrap();
    let spec = domain.mind_spec(story.pace.ticks_per_second).unwrap();
    assert_eq!(spec.pace, Pace { ticks_per_second: story.pace.ticks_per_second });
    let mut play = Play::new(story, domain.model(), spec, body(), threads).unwrap();
    while play.tick() {}
    assert!(play.minds().mistakes().is_empty(), "{:#?}", play.minds().mistakes());
    play
}

/// For the behaviours that no story of the corpus has.
const SHY: &str = "domain shy
var seen: bool
var up: bool
sensor self: every 0 keeps 1
sensor see_enemy: on sight keeps 0.5
symbol seen: true if character(sure stimulus >= 1), false
symbol up: true if self(knowledge = standing), false
action retreat: seen true -> false
action stand: up -> true
goal away: seen = false
    priority 9
goal upright: up = true
npc coward
    can retreat, stand
    wants away, upright
story shy \"He gets up, and runs from whom he sees.\" lasts 4
map \"##############\" \"#s....e......#\" \"#....#####...#\" \"#............#\" \"##############\"
actor bob at s: npc coward side red weapon none crouched
actor eve at e: player side blue weapon pistol
promise bob does stand by 2
promise bob does retreat by 4
";

/// Each story uses a part of the world's code; a name that was mistyped there would be used by none.
#[test]
fn sensors_and_behaviours_of_the_world_are_used_by_stories() {
    let shy = Domain::from_text(SHY).unwrap();
    for (promise, verdict) in play(&shy, 1).judge().verdicts() {
        assert!(matches!(verdict, Verdict::Kept(_)), "{}: {verdict:?}", promise.text);
    }
    let files = stories().into_iter().map(|file| Domain::from_file(file).unwrap());
    let domains: Vec<Domain> = files.chain([shy]).collect();
    let specs: Vec<Spec> = domains.iter().map(|domain| domain.mind_spec(10).unwrap()).collect();
    let told = body().check(&specs.iter().collect::<Vec<_>>());
    assert!(told.is_ok(), "{told:?}");
}

#[test]
fn no_story_and_no_level_is_warned_of() {
    let levels = throng_lab::corpus::files("levels", "npc").unwrap();
    for file in stories().into_iter().chain(levels) {
        let loaded = throng_lab::corpus::read(&file).unwrap();
        let told = NotesRead::of(&loaded.model.unwrap()).report;
        assert!(told.diagnostics().is_empty(), "{file:?}: {:#?}", told.diagnostics());
    }
}

/// Code knows `target`, whatever file has it: see `use … as`.
#[test]
fn people_of_a_file_with_a_name_mean_the_selections_of_that_file() {
    let mut n_own = 0;
    for file in stories() {
        let spec = Domain::from_file(&file).unwrap().mind_spec(10).unwrap();
        let map = spec.domain.map();
        for npc in map.npc_ids() {
            let prefix = spec.npcs[npc.index()].prefixes[0].as_str();
            for (_, select) in spec.selects_of(npc) {
                let Some(name) = map.select(select.select).strip_prefix(prefix) else { continue };
                let meant = spec.slots_meant(npc, "", name);
                assert_eq!(meant.as_ref(), Some(&select.slots), "{file:?}: {}", map.npc(npc));
                n_own += usize::from(!prefix.is_empty());
            }
        }
    }
    assert!(n_own > 0, "no file is used under a name");
}

#[test]
fn every_story_keeps_its_promises_the_same_way_with_any_number_of_threads() {
    let files = stories();
    assert!(files.len() >= KNOWN, "{} stories", files.len());
    let folder = throng_lab::corpus::folder().join("stories");
    for path in throng_lab::corpus::sorted(&folder).unwrap() {
        // In folders is what stories are made of.
        let is_right = path.is_dir() || files.contains(&path);
        assert!(is_right, "nothing but stories is in this folder: {path:?}");
    }
    let mut broken = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let domain = Domain::from_file(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(domain.warnings().warnings(), 0, "{name}: {:?}", domain.warnings());
        let first = play(&domain, 1);
        assert!(!first.story().promises.is_empty(), "{name} promises nothing");
        for (promise, verdict) in first.judge().verdicts() {
            if !matches!(verdict, Verdict::Kept(_)) {
                broken.push(format!("{name}: {}: {verdict:?}", promise.text));
            }
        }
        for threads in [1, 2, 7] {
            assert_eq!(
                play(&domain, threads).digest(),
                first.digest(),
                "{name}, {threads} threads"
            );
        }
        println!("{name}: {} ticks, digest {:016x}", first.now(), first.digest());
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
