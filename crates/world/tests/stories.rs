//! Every story of `domains/stories` keeps its promises, and comes out the same each time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use std::path::PathBuf;
use std::sync::Arc;
use throng_domain::formats::{load, no_includes};
use throng_domain::{CompiledDomain, Format, Limits, Model};
use throng_mind::Ending;
use throng_mind::events::{Doing, What};
use throng_mind::spec::Spec;
use throng_world::body::body;
use throng_world::story::Story;
use throng_world::story::promise::Verdict;
use throng_world::story::run::Play;

fn stories() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../domains/stories");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn play(text: &str, name: &str, threads: usize) -> (Play, Model) {
    let loaded = load(name, text, Format::Npc, &Limits::default(), &mut no_includes);
    let told = |report: &throng_domain::Report, sources: &throng_domain::Sources| {
        let lines: Vec<String> = report.diagnostics().iter().map(|d| d.short(sources)).collect();
        lines.join("\n")
    };
    let model = loaded.model.unwrap_or_else(|| panic!("{}", told(&loaded.report, &loaded.sources)));
    let story = Story::read(&model).unwrap_or_else(|r| panic!("{}", told(&r, model.sources())));
    let domain = Arc::new(CompiledDomain::new(&model));
    let spec = Spec::read(&model, domain, story.pace);
    let spec = spec.unwrap_or_else(|r| panic!("{}", told(&r, model.sources())));
    (Play::new(story, &model, spec, body(), threads).unwrap(), model)
}

/// What happened in a tick, a line each.
fn lines(play: &Play, model: &Model) -> Vec<String> {
    let seconds = play.story().pace.seconds(play.now());
    let action = |doing: Doing| match doing {
        Doing::Step(action) => model.actions()[action.index()].name().to_string(),
        Doing::Otherwise(action) => format!("({})", model.actions()[action.index()].name()),
        Doing::Flavour(at) => format!("flavour {at}"),
    };
    let script = play.scripted().iter().map(|s| {
        let entry = &play.story().script[s.entry];
        format!("{seconds:5.1} s  script: {}{}", entry.text, if s.worked { "" } else { " (no)" })
    });
    let minds = play.happenings().iter().filter_map(|happening| {
        let text = match happening.what {
            What::Goal(goal) => {
                let goal = goal.map_or("nothing", |goal| model.goals()[goal.index()].name());
                format!("wants {goal}")
            }
            What::Planned { cause, .. } => {
                let mind = play.cast().mind(happening.actor)?;
                let steps = mind.plan().steps().iter();
                let steps: Vec<_> = steps.map(|a| model.actions()[a.index()].name()).collect();
                format!("plans {} ({cause:?})", steps.join(", "))
            }
            What::Started { doing, .. } => format!("starts {}", action(doing)),
            What::Ended { doing, how, .. } => {
                let how = match how {
                    Ending::Done => "done".to_string(),
                    Ending::Failed(why) => format!("failed: {}", play.cast().words().text(why)),
                    Ending::Cancelled => "cancelled".to_string(),
                };
                format!("{} {how}", action(doing))
            }
            What::Heavy(_) => return None,
            other => format!("{other:?}"),
        };
        let name = &play.story().actors[happening.actor].name;
        Some(format!("{seconds:5.1} s  {name}: {text}"))
    });
    script.chain(minds).collect()
}

#[test]
fn every_story_keeps_its_promises() {
    let mut broken = Vec::new();
    let only = std::env::var("STORY").unwrap_or_default();
    for file in stories() {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        if !name.starts_with(&only) {
            continue;
        }
        let (mut play, model) = play(&std::fs::read_to_string(&file).unwrap(), &name, 1);
        println!("=== {name}");
        while play.tick() {
            lines(&play, &model).iter().for_each(|line| println!("{line}"));
        }
        for (promise, verdict) in play.judge().verdicts() {
            println!("{verdict:?}: {}", promise.text);
            if !matches!(verdict, Verdict::Kept(_)) {
                broken.push(format!("{name}: promise {}: {verdict:?}", promise.text));
            }
        }
        assert!(!play.story().promises.is_empty(), "{name} promises nothing");
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn a_story_is_the_same_for_any_number_of_threads() {
    for file in stories() {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let digest = |threads| {
            let (mut play, _) = play(&text, &name, threads);
            while play.tick() {}
            play.digest()
        };
        assert_eq!(digest(1), digest(2), "{name}");
    }
}
