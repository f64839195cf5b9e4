//! Names of the command line, each with what it means.
//!
//! In:   a name, from a word or from a line of `solve`.
//! Out:  what it means, or a complaint that lists what is known and says what was meant.
//! Cost: a look at each name.

use crate::console::Fail;
use crate::extension::TaskPlanner;
use clap::builder::{PossibleValuesParser, TypedValueParser, ValueParser};
use throng::{Engine, GoalSelection, Mode};
use throng_base::{DidYouMean, nearest};
use throng_domain::Format;
use throng_planner::explain::Distinctness;

/// Names, each with what it means.
pub(crate) type Names<T> = &'static [(&'static str, T)];

/// What a domain file is.
pub(crate) const FORMATS: Names<Format> = &[("npc", Format::Npc), ("json", Format::Json)];
/// Which plan is wanted.
pub(crate) const MODES: Names<Mode> =
    &[("cheapest", Mode::Cheapest), ("shortest", Mode::Shortest), ("fast", Mode::Fast)];
/// How a goal is chosen, if none is named.
pub(crate) const CHOICES: Names<GoalSelection> =
    &[("priority", GoalSelection::Priority), ("worth", GoalSelection::Worth)];
/// What makes plans differ.
pub(crate) const DIFFERENCES: Names<Distinctness> =
    &[("actions", Distinctness::Actions), ("order", Distinctness::Order)];
/// Which engine plans; the library chooses one for `auto`.
const ENGINES: Names<Option<Engine>> = &[
    ("auto", None),
    ("topological", Some(Engine::Topological)),
    ("goap", Some(Engine::Regressive)),
    ("forward", Some(Engine::Forward)),
];

/// Who is asked for a plan.
#[derive(Clone, Copy)]
pub(crate) enum PlannerName {
    /// The library: this engine, or the one it chooses.
    Engine(Option<Engine>),
    /// One that the program added; the commands of this library do not ask it.
    Added(&'static str),
}

/// The planner of the library for tasks of the planning field: it grounds the task and searches.
const GROUNDED: &str = "grounded";

/// Who plans for a task; `None`: the library.
#[derive(Clone, Copy)]
pub(crate) struct TaskPlannerName(pub(crate) Option<&'static dyn TaskPlanner>);

impl TaskPlannerName {
    pub(crate) fn name(self) -> &'static str {
        self.0.map_or(GROUNDED, |planner| planner.name())
    }
}

/// Takes one of these names.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static>(
    names: Names<T>,
) -> impl TypedValueParser<Value = T> {
    let known = PossibleValuesParser::new(names.iter().map(|(name, _)| *name));
    known.try_map(move |name| meant(names, "name", &name).map_err(|fail| fail.reason().text))
}

/// Takes the name of an engine, or of a planner that the program adds (`plan --planner`).
pub fn planners(added: &'static [&'static str]) -> ValueParser {
    let known = PossibleValuesParser::new(planner_names(added));
    ValueParser::new(
        known.try_map(move |name| planner(&name, added).map_err(|fail| fail.reason().text)),
    )
}

/// Takes the name of the library's planner of tasks, or of one that the program adds
/// (`pddl solve --planner`).
pub fn task_planners(added: &'static [&'static dyn TaskPlanner]) -> ValueParser {
    let names = std::iter::once(GROUNDED).chain(added.iter().map(|planner| planner.name()));
    let find = |name: String| added.iter().copied().find(|planner| planner.name() == name);
    ValueParser::new(PossibleValuesParser::new(names).map(move |name| TaskPlannerName(find(name))))
}

/// What a name means.
pub(crate) fn meant<T: Copy>(names: Names<T>, what: &str, name: &str) -> Result<T, Fail> {
    let found = names.iter().find(|(known, _)| *known == name);
    found.map(|(_, meant)| *meant).ok_or_else(|| unknown(what, name, names.iter().map(|it| it.0)))
}

/// The planner of this name.
pub(crate) fn planner(name: &str, added: &[&'static str]) -> Result<PlannerName, Fail> {
    if let Some(&(_, engine)) = ENGINES.iter().find(|(known, _)| *known == name) {
        return Ok(PlannerName::Engine(engine));
    }
    let found = added.iter().find(|known| **known == name).map(|&it| PlannerName::Added(it));
    found.ok_or_else(|| unknown("planner", name, planner_names(added)))
}

fn planner_names(added: &[&'static str]) -> impl Iterator<Item = &'static str> {
    ENGINES.iter().map(|(name, _)| *name).chain(added.to_vec())
}

impl PlannerName {
    /// The engine, for a command that wants plans to rely on.
    pub(crate) fn engine(self, command: &str) -> Result<Option<Engine>, Fail> {
        match self {
            PlannerName::Engine(engine) => Ok(engine),
            PlannerName::Added(name) => {
                let text = format!(
                    "`{name}` is an algorithm as printed in its paper, which may be wrong: \
                     `throng plan --planner {name}` shows what it does, `{command}` does not ask it"
                );
                Err(Fail::known("not_for_this_planner", text))
            }
        }
    }
}

/// A name that is not among the known.
pub(crate) fn unknown<'n>(
    what: &str,
    name: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Fail {
    let known: Vec<&str> = known.into_iter().collect();
    let near = nearest(name, known.iter().copied());
    let known_are = if near.is_some() { " Known are" } else { "; known are" };
    let (did, all) = (DidYouMean(near), known.join(", "));
    Fail::known("unknown_name", format!("unknown {what} `{name}`{did}{known_are}: {all}"))
}
