//! The table of what the world's body writes and understands: it is what the code does, and what
//! the reference of the language says.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use throng_domain::{Format, Limits, Model, formats};
use throng_lab::corpus;
use throng_mind::condition::Pattern;
use throng_mind::effects::ActionEffect;
use throng_mind::fact::{Attribute, Value};
use throng_mind::memory::FactRef;
use throng_suite::golden::difference_between;
use throng_world::body::body;
use throng_world::body::vocabulary::{
    BEHAVIOURS, Can, DUTIES, Facts, SENSORS, SORTS, TASKS, TOLD_TO_MEMBERS, TOLD_TO_SQUADS,
    behaviour_named, sensor_named,
};
use throng_world::story::Story;
use throng_world::story::promise::Verdict;
use throng_world::story::run::Play;
use throng_world::story::tell::failure_words;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn model(name: &str, text: &str) -> Model {
    let limits = Limits::default();
    let loaded = formats::load(
        name,
        text,
        Format::Npc,
        &limits,
        &throng_mind::notes::WORDS,
        &mut formats::no_includes,
    );
    loaded.model.unwrap_or_else(|| panic!("{name}: {:#?}", loaded.report))
}

/// A story that is right, before its first tick.
fn play(name: &str, text: &str) -> Play {
    begin(name, &model(name, text))
}

fn begin(name: &str, model: &Model) -> Play {
    let read = Story::with_minds(model);
    let (story, spec) = read.unwrap_or_else(|told| panic!("{name}: {told:#?}"));
    Play::new(story, model, spec, body(), 1).unwrap()
}

/// The facts that a writer may have written: a sensor, or the behaviour of an action.
fn declared(play: &Play, writer: &str) -> Vec<&'static Facts> {
    if writer == "told" {
        return TOLD_TO_MEMBERS.iter().chain(&TOLD_TO_SQUADS).collect();
    }
    if let Some(sensor) = sensor_named(writer) {
        return sensor.writes.iter().collect();
    }
    let spec = play.minds().spec();
    let mut actions = spec.actions.iter();
    let does = actions.find(|action| spec.words.text(action.template) == writer);
    let does = does.map_or(writer, |action| spec.words.text(action.does));
    behaviour_named(does).map_or(Vec::new(), |entry| entry.writes.iter().collect())
}

/// Whether a word is what the table says that it can be.
fn is_one(play: &Play, can: Can, word: &str) -> bool {
    let story = play.story();
    let node = || story.nodes.iter().any(|it| it.name == word);
    let thing = || story.things.iter().any(|it| it.name == word);
    let actor = || story.actors.iter().any(|it| it.name == word);
    match can {
        Can::NoWord => false,
        Can::Words(words) => words.contains(&word),
        Can::Node => node(),
        Can::Thing => thing(),
        Can::NodeOrThing => node() || thing(),
        Can::Named => node() || thing() || actor(),
        Can::About => node() || thing() || actor() || word == "target",
        Can::Actor => actor(),
        Can::Weapon => thing() || story.actors.iter().any(|it| it.weapon.as_deref() == Some(word)),
        Can::Side => story.actors.iter().any(|it| it.side == word),
        Can::State => story.things.iter().any(|it| it.states.iter().any(|state| state == word)),
        Can::Sort => SORTS.contains(&word) || story.nodes.iter().any(|it| it.sort == word),
        // What he does, or one of the words for failures.
        Can::Ware => {
            let of_things = story.things.iter().flat_map(|it| &it.wares);
            let of_actors = story.actors.iter().flat_map(|it| &it.wares);
            of_things.chain(of_actors).any(|it| it.name == word)
        }
        Can::Duty => DUTIES.contains(&word) || failure_words(word, "") != word,
        Can::Action => {
            let spec = play.minds().spec();
            spec.actions.iter().any(|it| spec.words.text(it.template) == word)
        }
    }
}

/// What the table does not say of a fact.
fn undeclared(play: &Play, fact: FactRef<'_>, shared: bool) -> Option<String> {
    let words = &play.minds().spec().words;
    let (kind, writer) = (words.text(fact.kind()), words.text(fact.writer()));
    // What an action remembers at one of its moments is the file's own.
    let spec = play.minds().spec();
    let is_action = |name: &str| {
        spec.actions.iter().any(|it| words.text(it.template) == name)
            || spec.besides.iter().any(|it| words.text(it.name) == name)
    };
    let moments = ["first", "then", "else", "finally"];
    let moment = writer.rsplit_once('.').filter(|(_, moment)| moments.contains(moment));
    // And so is what it tells others.
    let clauses = spec.effects.iter().flat_map(|it| it.0.iter().flatten());
    let mut effects = clauses.flat_map(|clause| &clause.effects);
    let told = |pattern: &Pattern| pattern.kind() == Some(fact.kind());
    let tells = |it: &ActionEffect| matches!(it, ActionEffect::Tells(pattern, _) if told(pattern));
    // Kinds that the file declares the script may tell of.
    let is_own = spec.facts.contains(&fact.kind());
    // And what one of a squad has sensed the squad tells the others.
    let is_sensed = SENSORS.iter().any(|it| it.writes.iter().any(|facts| facts.kind == kind));
    let is_shared = !spec.squads.is_empty() && is_sensed;
    if moment.is_some_and(|(action, _)| is_action(action))
        || (writer == "told" && (is_own || is_shared || effects.any(tells)))
    {
        return None;
    }
    // What is shared is written by the minds' own machinery, for whoever shared it.
    let written: Vec<&Facts> = match shared {
        true => SENSORS.iter().flat_map(|sensor| sensor.writes).filter(|it| it.shared).collect(),
        false => declared(play, writer).into_iter().filter(|it| !it.shared).collect(),
    };
    let of_kind: Vec<&Facts> = written.into_iter().filter(|it| it.kind == kind).collect();
    if of_kind.is_empty() {
        return Some(format!("`{writer}` writes {kind}"));
    }
    let changed = BEHAVIOURS.iter().flat_map(|entry| entry.changes);
    let changed: Vec<&Facts> = changed.filter(|it| it.kind == kind && !shared).collect();
    let can_be = |attribute: Attribute| {
        let all = of_kind.iter().chain(&changed).flat_map(|it| it.attributes);
        all.filter(move |(at, _)| *at == attribute).map(|(_, can)| *can)
    };
    Attribute::ALL.into_iter().find_map(|attribute| {
        let (value, _) = fact.get(attribute)?;
        let fits = match value {
            // What a noise is called, and what sort a thing is of, files may say.
            Value::Word(_) if attribute == Attribute::Event && kind == "disturbance" => true,
            Value::Word(_)
                if attribute == Attribute::Stimulus && ["thing", "mine"].contains(&kind) =>
            {
                true
            }
            Value::Word(word) => can_be(attribute).any(|can| is_one(play, can, words.text(word))),
            _ => can_be(attribute).any(|can| can == Can::NoWord),
        };
        let shown = match value {
            Value::Word(word) => words.text(word).to_string(),
            other => format!("{other:?}"),
        };
        (!fits).then(|| format!("`{writer}` writes {kind}{{{} = {shown}}}", attribute.name()))
    })
}

/// For the sensors that no story of the corpus has.
const BRAWL: &str = "domain brawl
select target: one of character(knowledge = alive)
var foe: none, alive, dead
var down: bool
sensor self: every 0
sensor see_enemy: on sight
sensor call_out: every 0.5
sensor aim: every 0.3
sensor hurt: on damage
sensor pinned: every 0.3
symbol foe: dead if character(knowledge = dead), alive if character, none
symbol down: true if pinned(object = target), false
action attack: foe alive -> dead
action suppress: down -> true  takes 1
goal win: foe = dead
    priority 1
goal hold: down = true
    priority 2
    relevance if target
npc soldier
    can attack, suppress
    wants win, hold
story brawl \"They shoot at each other.\" lasts 6
map \"#########\" \"#s.....e#\" \"#########\"
actor bob at s: npc soldier side red weapon rifle
actor eve at e: player side blue weapon pistol health 200
at 0.5: eve aims at bob
at 1: eve fires at bob
";

/// The tasks that the squads of a story give by the table.
fn gives(play: &Play) -> BTreeSet<&'static str> {
    let spec = play.minds().spec();
    let squads = spec.squads.iter().map(|squad| &spec.domain.npcs()[squad.npc.index()]);
    let does =
        squads.flat_map(|npc| npc.actions()).map(|&id| spec.words.text(spec.action(id).does));
    does.filter_map(behaviour_named).flat_map(|entry| entry.gives).copied().collect()
}

#[test]
fn every_fact_in_every_story_is_declared() {
    let (mut wrong, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut tasks = BTreeSet::new();
    let named = |file: PathBuf| {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let loaded = corpus::read(&file).unwrap();
        let model = loaded.model.unwrap_or_else(|| panic!("{name}: {:#?}", loaded.report));
        (begin(&name, &model), name)
    };
    let folders = ["stories", "levels"].map(|folder| corpus::files(folder, "npc").unwrap());
    // Who is in the market of a hundred is in the smaller one.
    let is_small = |file: &PathBuf| file.file_stem().is_none_or(|name| name != "market_hundred");
    let files = folders.into_iter().flatten().filter(is_small).map(named);
    for (mut play, name) in files.chain([(play("brawl", BRAWL), "brawl".to_string())]) {
        while play.tick() {
            let words = &play.minds().spec().words;
            for fact in play.minds().iter().flat_map(|mind| mind.memory().iter()) {
                seen.insert(words.text(fact.writer()).to_string());
                let task = fact.word(Attribute::Task).map(|task| words.text(task));
                let given = task.filter(|_| words.text(fact.kind()) == "task");
                tasks.extend(given.map(str::to_string));
                // What `give` gives a file says.
                let gives_any =
                    play.minds().spec().actions.iter().any(|it| words.text(it.does) == "give");
                let by_nobody = given.filter(|task| !gives_any && !gives(&play).contains(task));
                wrong.extend(by_nobody.map(|task| format!("{name}: nobody gives `{task}`")));
                wrong.extend(undeclared(&play, fact, false).map(|it| format!("{name}: {it}")));
            }
            for fact in play.minds().shared().iter() {
                // Who shared it is not kept; the kind tells.
                let is_it = |facts: &Facts| facts.shared && facts.kind == words.text(fact.kind());
                let sharers = SENSORS.iter().filter(|entry| entry.writes.iter().any(is_it));
                seen.extend(sharers.map(|entry| entry.name.to_string()));
            }
            let shared = play.minds().shared().iter();
            wrong.extend(shared.filter_map(|fact| undeclared(&play, fact, true)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let silent = SENSORS.iter().map(|entry| entry.name).filter(|name| !seen.contains(*name));
    let silent: Vec<&str> = silent.collect();
    assert!(silent.is_empty(), "never seen to write anything: {silent:?}");
    let never: Vec<&&str> = TASKS.iter().filter(|task| !tasks.contains(**task)).collect();
    assert!(never.is_empty(), "never given in any story: {never:?}");
}

#[test]
fn the_table_has_every_name_once() {
    // That there is code for each, and for nothing else, is a test of the kit itself.
    let sensors: BTreeSet<&str> = SENSORS.iter().map(|entry| entry.name).collect();
    let behaviours: BTreeSet<&str> = BEHAVIOURS.iter().map(|entry| entry.name).collect();
    assert_eq!((sensors.len(), behaviours.len()), (SENSORS.len(), BEHAVIOURS.len()));
}

/// What an attribute can be, as the reference says it.
fn told(attribute: Attribute, can: Can) -> String {
    let name = attribute.name();
    let of = match can {
        Can::NoWord => return format!("`{name}`"),
        Can::Words(words) => return format!("`{name}` = `{}`", words.join("`, `")),
        Can::Node => "a node",
        Can::Thing => "a thing",
        Can::NodeOrThing => "a node or thing",
        Can::Named => "a node, thing or actor",
        Can::About => "a node, thing or actor, or `target`",
        Can::Actor => "an actor",
        Can::Weapon => "a weapon",
        Can::Side => "a side",
        Can::State => "its state",
        Can::Sort => "its sort",
        Can::Action => "an action",
        Can::Ware => "a ware",
        Can::Duty => "what he does for it, or why it failed",
    };
    format!("`{name}` = {of}")
}

fn facts(list: &[Facts]) -> String {
    let one = |facts: &Facts| {
        let parts: Vec<String> = facts.attributes.iter().map(|&(at, can)| told(at, can)).collect();
        let shared = if facts.shared { "shared " } else { "" };
        format!("**{shared}{}**: {}", facts.kind, parts.join("; "))
    };
    list.iter().map(one).collect::<Vec<_>>().join(" · ")
}

/// The tables of the reference.
fn tables() -> String {
    let mut text = String::from("| sensor | tells | facts |\n|---|---|---|\n");
    for entry in &SENSORS {
        let statement = entry.statement();
        writeln!(text, "| `{statement}` | {} | {} |", entry.line, facts(entry.writes)).unwrap();
    }
    text.push_str("\n| behaviour | parameters | needs | does | leaves |\n|---|---|---|---|---|\n");
    for entry in &BEHAVIOURS {
        let (name, mut line) = (entry.name, entry.line.to_string());
        if !entry.gives.is_empty() {
            write!(line, ": tasks `{}`", entry.gives.join("`, `")).unwrap();
        }
        let left = [entry.writes, entry.changes].concat();
        let row = format!(
            "| `{name}` | {} | {} | {line} | {} |",
            entry.parameters,
            entry.needs,
            facts(&left)
        );
        writeln!(text, "{row}").unwrap();
    }
    text.push_str("\n| told by squads | facts |\n|---|---|\n");
    writeln!(text, "| to a member | {} |", facts(&TOLD_TO_MEMBERS)).unwrap();
    writeln!(text, "| to the squad's mind | {} |", facts(&TOLD_TO_SQUADS)).unwrap();
    text
}

const BEGIN: &str = "<!-- vocabulary: made from the table in the code; a test keeps it true -->\n";
const END: &str = "<!-- end of the vocabulary -->";

#[test]
fn the_reference_shows_the_table() {
    let path = root().join("docs/kit.md");
    assert_eq!(difference_between(&path, [BEGIN, END], &tables()), None);
}

#[test]
fn the_story_of_the_reference_keeps_its_promises() {
    let page = std::fs::read_to_string(root().join("docs/language.md")).unwrap();
    let section = &page[page.find("\n## Stories\n").unwrap()..];
    let start = section.find("```text\n").unwrap() + "```text\n".len();
    let example = &section[start..start + section[start..].find("```").unwrap()];
    let mut play = play("language.md", example);
    while play.tick() {}
    for (promise, verdict) in play.judge().verdicts() {
        assert!(matches!(verdict, Verdict::Kept(_)), "{}: {verdict:?}", promise.text);
    }
    assert!(play.judge().verdicts().count() >= 3);
}
