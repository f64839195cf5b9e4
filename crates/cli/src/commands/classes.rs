//! `throng classes`: which restrictions an NPC type keeps, what breaks the others, what is
//! promised.
//!
//! The report is made at load and kept by the compiled domain; here it is only told: as a table
//! for people or as JSON for scripts. A program that is built on this library may add other forms.

use crate::FINE;
use crate::args::ClassesArgs;
use crate::console::{CommandResult, Console, Fail, count};
use crate::loading;
use clap::{ArgMatches, FromArgMatches};
use serde_json::{Map, Value, json};
use throng::{Domain, NpcTypeId};
use throng_domain::compile::{NpcTables, SourceMap};
use throng_planner::classes::{Breach, Class, ClassReport, MOST_NAMED, Violation};

/// How many violations of a class are told to people; JSON has more.
const MOST_SHOWN: usize = 3;

pub(crate) fn run(args: &ClassesArgs, console: &mut Console<'_>) -> CommandResult {
    Asked::new(args, console)?.tell(console)
}

/// A domain, and which of its types are asked about.
pub struct Asked {
    domain: Domain,
    /// All, if none is named.
    npc: Option<NpcTypeId>,
    json: bool,
}

impl Asked {
    /// Reads the words of `classes` and the domain.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has no such type.
    pub fn read(words: &ArgMatches, console: &mut Console<'_>) -> Result<Asked, Fail> {
        let args = ClassesArgs::from_arg_matches(words);
        Asked::new(&args.map_err(|error| Fail::Bad(error.to_string()))?, console)
    }

    fn new(args: &ClassesArgs, console: &mut Console<'_>) -> Result<Asked, Fail> {
        let domain = loading::domain(&args.domain, console)?;
        let npc = args.npc.as_ref().map(|name| domain.npc_type(name)).transpose();
        let npc = npc.map_err(|unknown| Fail::Bad(unknown.to_string()))?;
        Ok(Asked { domain, npc, json: args.json })
    }

    /// The names of the domain.
    pub fn map(&self) -> &SourceMap {
        self.domain.compiled().map()
    }

    /// The types asked about.
    pub fn types(&self) -> Vec<&NpcTables> {
        let compiled = self.domain.compiled();
        match self.npc {
            None => compiled.npcs().iter().collect(),
            Some(id) => vec![compiled.npc(id)],
        }
    }

    fn report(&self, npc: &NpcTables) -> &ClassReport {
        self.domain.compiled().classes(npc.id())
    }

    /// Says which restrictions they keep.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn tell(&self, console: &mut Console<'_>) -> CommandResult {
        let (npcs, map) = (self.types(), self.map());
        if self.json {
            let shapes: Vec<Value> =
                npcs.iter().map(|npc| shape(npc, self.report(npc), map)).collect();
            console.json(&shapes)?;
            return Ok(FINE);
        }
        for (at, npc) in npcs.iter().enumerate() {
            if at > 0 {
                writeln!(console)?;
            }
            tell(npc, self.report(npc), map, console)?;
        }
        Ok(FINE)
    }
}

fn shape(npc: &NpcTables, report: &ClassReport, map: &SourceMap) -> Value {
    let violation = |violation: &Violation| {
        let place = violation.source_place(map);
        let actions = violation.actions().iter().map(|&action| map.action(action));
        json!({
            "class": violation.class().id(), "actions": actions.collect::<Vec<_>>(),
            "file": map.file(place.file), "line": place.line,
            "why": violation.why(map), "cure": violation.cure(map),
        })
    };
    let classes: Map<String, Value> = Class::ALL
        .iter()
        .map(|&class| {
            let holds = report.holds(class);
            let shape = match class {
                Class::C2Star => json!({"printed": report.c2_star_as_printed(), "strict": holds}),
                _ => json!(holds),
            };
            (class.id().to_string(), shape)
        })
        .collect();
    json!({
        "npc": map.npc(npc.id()),
        "classes": classes,
        "engine": report.engine().name(),
        "promise": report.promise(),
        "repetition": report.repetition().word(),
        "violations": report.violations().iter().map(violation).collect::<Vec<_>>(),
    })
}

/// The table, what breaks the rest, and what is promised.
fn tell(
    npc: &NpcTables,
    report: &ClassReport,
    map: &SourceMap,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    writeln!(
        console,
        "{}: {}, {}",
        title(npc.id(), map),
        count(npc.variables().len(), "variable"),
        count(npc.n_actions(), "action")
    )?;
    for class in Class::ALL {
        let word = if report.holds(class) { "yes" } else { "no" };
        let line =
            format!("  {word:<4} {:<14} {}{}", class.id(), class.title(), remark(report, class));
        writeln!(console, "{line}")?;
    }
    writeln!(console, "  engine    {}", report.engine().name())?;
    writeln!(console, "  promise   {}", report.promise())?;
    tell_violations(report, map, console)
}

/// What breaks the classes that fail, each thing once even if it breaks several.
fn tell_violations(
    report: &ClassReport,
    map: &SourceMap,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let own = |violation: &&Violation| !violation.follows_from_another();
    let mut told: Vec<(Vec<&str>, &Violation)> = Vec::new();
    for class in by_use(report) {
        let violations = report.violations().iter().filter(|violation| violation.class() == class);
        for violation in violations.filter(own).take(MOST_SHOWN) {
            let same = |other: &Violation| {
                other.breach() == violation.breach() && other.actions() == violation.actions()
            };
            match told.iter_mut().find(|(_, other)| same(other)) {
                Some((classes, _)) => classes.push(class.id()),
                None => told.push((vec![class.id()], violation)),
            }
        }
    }
    if !told.is_empty() {
        writeln!(console, "\n  {}", heading(report))?;
    }
    let helps = |classes: &[&str]| classes.iter().any(|class| raises(report, class));
    let mut rest = told.iter().position(|(classes, _)| !helps(classes)).unwrap_or(told.len());
    if rest == 0 {
        rest = told.len();
    }
    for (at, (classes, violation)) in told.iter().enumerate() {
        if at == rest {
            writeln!(
                console,
                "\n  Also outside of these classes, which would promise nothing more:"
            )?;
        }
        tell_violation(&classes.join(", "), violation, map, console)?;
    }
    for class in Class::ALL {
        let more = report.n_violations(class).saturating_sub(MOST_SHOWN);
        if more > 0 {
            writeln!(console, "  {}: and {more} more", class.id())?;
        }
    }
    Ok(())
}

/// The name and the place of an NPC type; the implicit one has no place of its own.
fn title(npc: NpcTypeId, map: &SourceMap) -> String {
    let place = map.npc_place(npc);
    match map.has_implicit_npc() {
        true => map.npc(npc).to_string(),
        false => format!("{} ({}:{})", map.npc(npc), map.file(place.file), place.line),
    }
}

fn remark(report: &ClassReport, class: Class) -> String {
    let mut violations = report.violations().iter().filter(|v| v.class() == class);
    match violations.next().map(Violation::breach) {
        Some(Breach::Asks(first)) => {
            format!(" (asks for {} first)", first.id())
        }
        Some(_) if class == Class::C2Star && report.c2_star_as_printed() => {
            " (holds only as printed in the paper, which promises nothing)".to_string()
        }
        _ => String::new(),
    }
}

/// Whether mending a class would raise the promise.
fn raises(report: &ClassReport, class: &str) -> bool {
    if !report.are_moves() {
        return ["U", "P"].contains(&class);
    }
    let decided = report.holds(Class::OnePerCycle) || report.holds(Class::Nested);
    !decided && ["C2*", "nested", "one_per_cycle"].contains(&class)
}

/// The classes, those first that would raise the promise.
fn by_use(report: &ClassReport) -> Vec<Class> {
    let (mut first, rest): (Vec<Class>, Vec<Class>) =
        Class::ALL.into_iter().partition(|class| raises(report, class.id()));
    first.extend(rest);
    first
}

/// What the list of violations is good for.
fn heading(report: &ClassReport) -> &'static str {
    let decided = report.holds(Class::OnePerCycle) || report.holds(Class::Nested);
    match (report.are_moves(), decided) {
        (true, true) => "Nothing has to change. What keeps it out of the other classes:",
        (true, false) => "What to change for a stronger promise:",
        (false, _) => "What to change, U and P first:",
    }
}

fn tell_violation(
    classes: &str,
    violation: &Violation,
    map: &SourceMap,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let place = violation.source_place(map);
    let (file, line) = (map.file(place.file), place.line);
    writeln!(console, "  {classes}: {file}:{line}: {}", violation.why(map))?;
    if violation.n_actions() > MOST_NAMED {
        writeln!(console, "      {} in all", count(violation.n_actions(), "action"))?;
    }
    writeln!(console, "      cure: {}", violation.cure(map))
}
