//! Soldiers that live: the same soldiers in any level, on twenty seeds.
//!
//! What a level promises of them holds whatever chance decides; and a level adds places and people,
//! nothing that planning knows of. All that they can do is done by somebody.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;
use throng::Domain;
use throng_domain::formats::json;
use throng_mind::events::{Activity, EventKind};
use throng_mind::fact::{Attribute, EntityId};
use throng_mind::select::Key;
use throng_mind::time::Tick;
use throng_mind::{Ending, Mind};
use throng_trace::stats::Collector;
use throng_world::story::incident::Incident;
use throng_world::story::promise::Verdict;
use throng_world::story::run::Play;

fn level(name: &str) -> PathBuf {
    throng_lab::corpus::folder().join("levels").join(name)
}

/// Chance is drawn anew so many times.
const SEEDS: u64 = 20;

/// Shots from the open of those who have known better for a while.
#[derive(Default)]
struct InTheOpen {
    /// By actor and cover: since when it is known to be near, free, unexposed and good to shoot from.
    since: BTreeMap<(usize, EntityId), Tick>,
    n_shots: usize,
    wrong: Vec<String>,
    /// Who was on the way to cover before this tick: a shot may be what ends his way.
    went: BTreeSet<usize>,
}

impl InTheOpen {
    const SECONDS: f64 = 2.0;
    const CELLS: f32 = 10.0;

    fn look(&mut self, play: &Play) {
        let cast = play.cast();
        for actor in 0..play.story().actors.len() {
            let good = good_covers(play, actor);
            self.since.retain(|(who, cover), _| *who != actor || good.contains(cover));
            for cover in good {
                self.since.entry((actor, cover)).or_insert(play.now());
            }
        }
        let actors = 0..play.story().actors.len();
        let is_going = |actor: &usize| {
            cast.mind(*actor).is_some_and(|mind| is_on_the_way_to_cover(play, mind))
        };
        let going: BTreeSet<usize> = actors.filter(is_going).collect();
        for incident in cast.incidents() {
            let Incident::Shot { by: Some(actor), .. } = *incident else { continue };
            let is_going = self.went.contains(&actor) || going.contains(&actor);
            if cast.mind(actor).is_none() || is_going || is_in_cover(play, actor) {
                continue;
            }
            self.n_shots += 1;
            let long = play.story().pace.ticks(Self::SECONDS);
            let mut known = self.since.range((actor, EntityId(0))..=(actor, EntityId(u64::MAX)));
            if let Some(((_, cover), since)) = known.find(|(_, since)| play.now() - *since > long) {
                let seconds = |tick| play.story().pace.seconds(tick);
                self.wrong.push(format!(
                    "{:.1} s: {} shot in the open, and knew of {:?} since {:.1} s",
                    seconds(play.now()),
                    play.story().actors[actor].name,
                    cast.name_of(*cover),
                    seconds(*since),
                ));
            }
        }
        self.went = going;
    }
}

/// The covers that a mind knows to be within reach, free, and not exposed to whom it fights, unless
/// it knows that he cannot be hit from there, or that a grenade lies there; none while one lies near
/// himself: nobody walks about then.
fn good_covers(play: &Play, actor: usize) -> BTreeSet<EntityId> {
    let (words, Some(mind)) = (play.words(), play.cast().mind(actor)) else {
        return BTreeSet::new();
    };
    let target = mind.picks().named(play.minds().spec(), "target").and_then(|it| it.key.entity());
    let (Some(target), Some(me)) = (target, play.cast().handle(actor)) else {
        return BTreeSet::new();
    };
    let memory = mind.memory();
    let here = mind.here();
    let straight = |place: [f32; 3]| (place[0] - here[0]).hypot(place[1] - here[1]);
    let of = |kind: &str| words.find(kind).into_iter().flat_map(|kind| memory.of_kind(kind));
    let grenades = || of("danger").filter_map(|fact| fact.position(Attribute::Position));
    let is_in_danger = |spot: [f32; 3]| {
        grenades().any(|place| (place[0] - spot[0]).hypot(place[1] - spot[1]) <= 5.0)
    };
    if grenades().any(|place| straight(place) < 8.0) {
        return BTreeSet::new();
    }
    let is_so = |kind: &str, spot: EntityId| {
        of(kind).any(|fact| {
            fact.entity(Attribute::Object) == Some(spot)
                && fact.entity(Attribute::Source) == Some(target)
        })
    };
    let far = |spot: EntityId, place: [f32; 3]| {
        let mut ways = of("path").filter(|fact| fact.entity(Attribute::Object) == Some(spot));
        let straight = straight(place);
        ways.find_map(|way| way.number(Attribute::Amount)).map_or(straight, |far| far.max(straight))
    };
    let is_anothers = |spot: EntityId| {
        let claims = play.minds().claims().iter();
        let taken =
            play.world().node(spot).is_none_or(|node| node.taken_by.is_some_and(|it| it != me));
        taken || claims.clone().any(|it| it.key == Key::Entity(spot) && it.mind != mind.id())
    };
    let covers = of("spot").filter(|fact| fact.word(Attribute::Knowledge) == words.find("cover"));
    covers
        .filter_map(|fact| {
            Some((fact.entity(Attribute::Object)?, fact.position(Attribute::Position)?))
        })
        .filter(|&(spot, place)| {
            far(spot, place) <= InTheOpen::CELLS
                && !is_anothers(spot)
                && !is_in_danger(place)
                && !is_so("exposed", spot)
                && !is_so("masked", spot)
        })
        .map(|(spot, _)| spot)
        .collect()
}

fn is_in_cover(play: &Play, actor: usize) -> bool {
    let world = play.world();
    let here = play.cast().handle(actor).and_then(|handle| world.actor(handle)).map(|it| it.cell);
    let node = here.and_then(|cell| world.spot_at(cell)).and_then(|(spot, _)| world.node(spot));
    node.is_some_and(|node| Some(node.kind) == play.words().find("cover"))
}

/// Whether somebody runs to a cover: what he fires meanwhile he fires beside that.
fn is_on_the_way_to_cover(play: &Play, mind: &Mind) -> bool {
    let spec = play.minds().spec();
    let step = mind.follow().run().and_then(|run| run.doing.action());
    let step = step.map(|action| spec.domain.map().action(action));
    step.is_some_and(|step| step.starts_with("goto(cover"))
}

/// What was done in a play as a step of a plan for a goal: actions by their bare names, and kinds of
/// actions. What is done without a plan does not count.
fn note_done(play: &Play, done: &mut BTreeSet<String>) {
    let spec = play.minds().spec();
    for happening in play.happenings() {
        match happening.what {
            EventKind::Ended { doing: Activity::Step(action), how: Ending::Done, .. } => {
                done.insert(spec.words.text(spec.action(action).template).to_string());
            }
            EventKind::Started { doing: Activity::Step(_), kind: Some(kind), .. } => {
                done.insert(spec.words.text(kind).to_string());
            }
            _ => {}
        }
    }
}

/// Appendix B of "Agent Architecture Considerations for Real-Time Planning in Games", without
/// AttackLunge and InstantDeath: what each action is called in the soldiers' file, as an action or as
/// a kind of one.
const APPENDIX: [(&str, &[&str]); 34] = [
    ("Animate", &["stretch"]),
    ("Attack", &["attack"]),
    ("AttackFromNode", &["attack_from_cover", "attack_from_vantage"]),
    ("AttackFromVehicle", &["attack_from_vehicle"]),
    ("AttackGrenade", &["attack_grenade"]),
    ("AttackGrenadeFromCover", &["attack_grenade_from_cover"]),
    ("AttackMelee", &["melee"]),
    ("AttackReady", &["attack_ready"]),
    ("BlindFireFromCover", &["blind_fire"]),
    ("DismountVehicle", &["dismount"]),
    ("DodgeRoll", &["roll"]),
    ("DodgeShuffle", &["shuffle"]),
    ("DrawWeapon", &["draw"]),
    ("EscapeDanger", &["escape"]),
    ("FlushOutWithGrenade", &["flush_out"]),
    ("Follow", &["follow"]),
    ("GetOutOfTheWay", &["get_out_of_the_way"]),
    ("GotoNode", &["goto"]),
    ("GotoNodeOfType", &["goto"]),
    ("GotoTarget", &["goto_target"]),
    ("GotoValidPosition", &["goto_valid_position"]),
    ("HolsterWeapon", &["holster"]),
    ("Idle", &["idle"]),
    ("InspectDisturbance", &["inspect"]),
    ("LookAtDisturbance", &["look_at"]),
    ("MountVehicle", &["mount"]),
    ("ReactToDanger", &["react_to_danger"]),
    ("Recoil", &["recoil"]),
    ("Reload", &["reload"]),
    ("SuppressionFire", &["suppression_fire"]),
    ("SurveyArea", &["survey"]),
    ("TraverseBlockedDoor", &["traverse_blocked_door"]),
    ("TraverseLink", &["traverse_link"]),
    ("UseSmartObjectNode", &["serve"]),
];

/// The office is played once with every seed, for all that is asked of it.
#[test]
fn the_office_keeps_its_promises_on_twenty_seeds_and_nobody_shoots_from_the_open_beside_cover() {
    let mut open = InTheOpen::default();
    let (mut broken, mut done) = (Vec::new(), BTreeSet::new());
    let domain = Domain::from_file(level("office.npc")).unwrap();
    for seed in 1..=SEEDS {
        let mut play = Play::of_seed(domain.model(), Some(seed), 1).unwrap();
        open.since.clear();
        while play.tick() {
            open.look(&play);
            note_done(&play, &mut done);
        }
        let n_wrong = open.wrong.len();
        broken.extend(open.wrong.drain(..n_wrong).map(|why| format!("seed {seed}: {why}")));
        let verdicts: Vec<_> = play.judge().verdicts().collect();
        assert!(verdicts.len() >= 9, "{}", verdicts.len());
        for (promise, verdict) in verdicts {
            if !matches!(verdict, Verdict::Kept(_)) {
                broken.push(format!("seed {seed}: {}: {verdict:?}", promise.text));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    // Who has no cover near shoots all the same.
    assert!(open.n_shots > 100, "{}", open.n_shots);
    // What soldiers can do they do.
    let is_done = |actions: &[&str]| actions.iter().any(|action| done.contains(*action));
    let n_done = APPENDIX.iter().filter(|(_, actions)| is_done(actions)).count();
    assert!(n_done > 20, "{n_done}: {done:?}");
}

/// What a level promises holds whatever chance decides: that nobody idles while an enemy is known, who
/// leads and who throws, whom the assassin takes and who sees it.
#[test]
fn levels_keep_their_promises_on_twenty_seeds() {
    let levels = ["courtyard", "warehouse", "cover_two", "squad_flank_alone", "squad_search"];
    let (mut broken, mut lives) = (Vec::new(), HashSet::new());
    for name in levels {
        let domain = Domain::from_file(level(&format!("{name}.npc"))).unwrap();
        for seed in 1..=SEEDS {
            let mut play = Play::of_seed(domain.model(), Some(seed), 1).unwrap();
            while play.tick() {}
            lives.insert((name, play.digest()));
            for (promise, verdict) in play.judge().verdicts() {
                if !matches!(verdict, Verdict::Kept(_)) {
                    broken.push(format!("{name}, seed {seed}: {}: {verdict:?}", promise.text));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    // Chance decides something.
    for name in ["courtyard", "warehouse"] {
        assert_eq!(lives.iter().filter(|(of, _)| *of == name).count(), SEEDS as usize, "{name}");
    }
}

/// What one of a squad fights all fight: nobody stands about for a second while a mate near him shoots.
#[test]
fn nobody_waits_while_a_mate_fights_near_him() {
    let domain = Domain::from_file(level("squad_search.npc")).unwrap();
    let (mut n_fights, mut longest) = (0, 0);
    for seed in 1..=SEEDS {
        let mut play = Play::of_seed(domain.model(), Some(seed), 1).unwrap();
        let second = play.story().pace.ticks(1.0);
        let (mut shots, mut waits) = (BTreeMap::new(), BTreeMap::new());
        while play.tick() {
            let (cast, now) = (play.cast(), play.now());
            for incident in cast.incidents() {
                if let Incident::Shot { by: Some(actor), .. } = *incident {
                    shots.insert(actor, now);
                }
            }
            for actor in 0..play.story().actors.len() {
                let Some(mind) = cast.mind(actor) else { continue };
                let is_near = |mate: usize| {
                    let near = cast.mind(mate).map(|it| it.here());
                    near.is_some_and(|at| {
                        (at[0] - mind.here()[0]).hypot(at[1] - mind.here()[1]) <= 15.0
                    })
                };
                let mut fighting = shots
                    .iter()
                    .filter(|(mate, at)| **mate != actor && now - **at < second && is_near(**mate));
                let is_fight = fighting.next().is_some();
                n_fights += usize::from(is_fight);
                let step = mind.follow().run().map(|run| run.doing);
                let is_waiting = !matches!(step, Some(Activity::Step(_)));
                let waited = waits.entry(actor).or_insert(0);
                *waited = if is_fight && is_waiting { *waited + 1 } else { 0 };
                longest = longest.max(*waited);
            }
        }
        assert!(longest < second, "seed {seed}: somebody waited for {longest} ticks");
    }
    assert!(n_fights > 200, "{n_fights}");
}

/// Each level shows a part of what soldiers can do, whatever chance decides elsewhere.
#[test]
fn all_that_soldiers_can_do_is_done_in_the_levels_for_a_goal() {
    let (mut done, mut can, mut used) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for file in throng_lab::corpus::files("levels", "npc").unwrap() {
        let domain = Domain::from_file(&file).unwrap();
        let mut play = Play::of(domain.model(), 1).unwrap();
        let spec = play.minds().spec().clone();
        let Some(soldier) = spec.domain.map().find_npc("soldier") else { continue };
        let mut counts = Collector::new(&spec);
        while play.tick() {
            note_done(&play, &mut done);
            counts.watch(play.minds());
        }
        for &action in spec.domain.npc(soldier).actions() {
            // Slots of a selection are alike.
            let name = spec.domain.map().alike(spec.domain.map().action(action));
            let counted = &counts.stats().types[soldier.index()].actions[action.index()];
            used.extend(counted.is_used().then(|| name.clone()));
            can.insert(name);
        }
    }
    let unused: Vec<&String> = can.difference(&used).collect();
    assert!(can.len() > 34 && unused.is_empty(), "never used in any level: {unused:?}");
    let is_done = |actions: &[&str]| actions.iter().any(|action| done.contains(*action));
    let never: Vec<_> = APPENDIX.iter().filter(|(_, actions)| !is_done(actions)).collect();
    assert!(never.is_empty(), "nobody ever does {never:?}");
}

#[test]
fn a_lone_soldier_shoots_from_the_cover_beside_him() {
    for file in [level("far_cover.npc"), throng_lab::corpus::story("near_cover")] {
        let domain = Domain::from_file(&file).unwrap();
        let mut play = Play::of(domain.model(), 1).unwrap();
        let mut open = InTheOpen::default();
        let mut n_good = 0;
        while play.tick() {
            open.look(&play);
            n_good += usize::from(!open.since.is_empty());
        }
        assert_eq!((open.n_shots, &open.wrong[..]), (0, &[][..]), "{file:?}");
        assert!(n_good > 10, "{file:?}: no cover was ever good");
    }
}

#[test]
fn thirty_four_actions_of_the_appendix_are_in_the_soldiers_file() {
    let domain = Domain::from_file(level("soldiers/soldier.npc")).unwrap();
    let spec = domain.mind_spec(10).unwrap();
    let soldier = spec.domain.map().find_npc("soldier").unwrap();
    let own = spec.domain.npc(soldier).actions().iter();
    let mut can: BTreeSet<&str> =
        own.map(|&action| spec.words.text(spec.action(action).template)).collect();
    let kinds = |name: &str| {
        let text = std::fs::read_to_string(level("soldiers/soldier.npc")).unwrap();
        let is_kind = |line: &str| line.trim_start().starts_with("kinds ") && line.contains(name);
        text.lines().any(is_kind)
    };
    can.extend(["stretch", "roll", "shuffle"].into_iter().filter(|kind| kinds(kind)));
    for (name, actions) in APPENDIX {
        assert!(actions.iter().all(|action| can.contains(action)), "{name}: {actions:?}");
    }
}

/// What planning knows of the soldiers in a file, whatever else is in it: all that their own file
/// declares.
fn planned(name: &str, own: Option<&[Vec<serde_json::Value>; 5]>) -> [Vec<serde_json::Value>; 5] {
    let domain = Domain::from_file(level(name)).unwrap();
    let twin: serde_json::Value = serde_json::from_str(&json::write(domain.model())).unwrap();
    let parts = ["selects", "variables", "actions", "goals", "npcs"];
    std::array::from_fn(|at| {
        let all = twin[parts[at]].as_array().unwrap().iter();
        let is_own = |it: &&serde_json::Value| {
            own.is_none_or(|own| own[at].iter().any(|known| known["name"] == it["name"]))
        };
        all.filter(is_own).cloned().collect()
    })
}

#[test]
fn a_level_changes_nothing_that_the_planner_knows_of_its_soldiers() {
    let alone = planned("soldiers/soldier.npc", None);
    assert!(alone.iter().all(|part| !part.is_empty()));
    assert!(alone[2].len() > 60 && alone[4].len() == 2, "{} {:?}", alone[2].len(), alone[4]);
    for name in ["office.npc", "courtyard.npc", "warehouse.npc"] {
        let there = planned(name, Some(&alone));
        for (one, two) in alone.iter().zip(&there) {
            assert_eq!(one, two, "{name}");
        }
    }
}

#[test]
fn the_soldiers_file_names_nothing_of_a_level() {
    let text = std::fs::read_to_string(level("soldiers/soldier.npc")).unwrap();
    let domain = Domain::from_file(level("office.npc")).unwrap();
    let read = throng_world::story::Story::read(domain.model()).unwrap();
    let things = read.things.iter().map(|it| &it.name);
    let names: Vec<&String> = read.actors.iter().map(|it| &it.name).chain(things).collect();
    assert!(names.len() > 8);
    // Remarks may speak of doors.
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
    let is_end = |c: char| !(c.is_alphanumeric() || "._".contains(c));
    let words: HashSet<&str> = lines.flat_map(|line| line.split(is_end)).collect();
    let is_named = |name: &&&String| words.contains(name.as_str());
    let named: Vec<_> = names.iter().filter(is_named).collect();
    assert!(named.is_empty(), "{named:?}");
}
