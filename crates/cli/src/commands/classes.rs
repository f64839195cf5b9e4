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
    AskedClasses::new(args, console)?.tell(console)
}

/// A domain, and which of its types are asked about.
pub struct AskedClasses {
    domain: Domain,
    /// All, if none is named.
    npc: Option<NpcTypeId>,
    json: bool,
}

impl AskedClasses {
    /// Reads the words of `classes` and the domain.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has no such type.
    pub fn read(words: &ArgMatches, console: &mut Console<'_>) -> Result<AskedClasses, Fail> {
        let args = ClassesArgs::from_arg_matches(words);
        AskedClasses::new(&args.map_err(|error| Fail::Bad(error.to_string()))?, console)
    }

    fn new(args: &ClassesArgs, console: &mut Console<'_>) -> Result<AskedClasses, Fail> {
        let domain = loading::domain(&args.domain, console)?;
        let npc = args.npc.as_ref().map(|name| domain.npc_type(name)).transpose();
        let npc = npc.map_err(|unknown| Fail::Bad(unknown.to_string()))?;
        Ok(AskedClasses { domain, npc, json: args.json })
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

    /// Says which restrictions they keep.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn tell(&self, console: &mut Console<'_>) -> CommandResult {
        let (domain, map) = (self.domain.compiled(), self.map());
        let of = |npc: &'_ NpcTables| Told { npc: npc.id(), report: domain.classes(npc.id()), map };
        let types: Vec<Told<'_>> = self.types().into_iter().map(of).collect();
        if self.json {
            console.json(&types.iter().map(Told::shape).collect::<Vec<_>>())?;
            return Ok(FINE);
        }
        for (at, told) in types.iter().enumerate() {
            if at > 0 {
                writeln!(console)?;
            }
            told.tell(domain.npc(told.npc), console)?;
        }
        Ok(FINE)
    }
}

/// What is told of a type.
struct Told<'r> {
    npc: NpcTypeId,
    report: &'r ClassReport,
    map: &'r SourceMap,
}

impl Told<'_> {
    fn shape(&self) -> Value {
        let Told { npc, report, map } = self;
        let violation = |violation: &Violation| {
            let place = violation.source_place(map);
            let actions = violation.actions().iter().map(|&action| map.action(action));
            let mut shape = json!({
                "class": violation.class().id(), "actions": actions.collect::<Vec<_>>(),
                "file": map.file(place.file), "line": place.line,
                "why": violation.why(map), "cure": violation.cure(map),
            });
            if let Breach::Counts(variables) = violation.breach() {
                // Amounts are counted, and which.
                shape["finding"] = json!("counts");
                shape["counts"] = variables.iter().map(|&id| map.variable(id)).collect();
            }
            shape
        };
        let class = |&class: &Class| {
            let holds = report.holds(class);
            let shape = match class {
                Class::C2Star => json!({"printed": report.c2_star_as_printed(), "strict": holds}),
                _ => json!(holds),
            };
            (class.id().to_string(), shape)
        };
        json!({
            "npc": map.npc(*npc),
            "classes": Class::ALL.iter().map(class).collect::<Map<String, Value>>(),
            "engine": report.engine().name(),
            "promise": report.promise(),
            "repetition": report.repetition().word(),
            "violations": report.violations().iter().map(violation).collect::<Vec<_>>(),
        })
    }

    /// The table, what breaks the rest, and what is promised.
    fn tell(&self, npc: &NpcTables, console: &mut Console<'_>) -> Result<(), Fail> {
        let report = self.report;
        let variables = count(npc.variables().len(), "variable");
        let actions = count(npc.n_actions(), "action");
        writeln!(console, "{}: {variables}, {actions}", self.title())?;
        for class in Class::ALL {
            let word = if report.holds(class) { "yes" } else { "no" };
            let (id, title, remark) = (class.id(), class.title(), self.remark(class));
            writeln!(console, "  {word:<4} {id:<14} {title}{remark}")?;
        }
        writeln!(console, "  engine    {}", report.engine().name())?;
        writeln!(console, "  promise   {}", report.promise())?;
        self.tell_violations(console)
    }

    /// What breaks the classes that fail, each thing once even if it breaks several; those first
    /// that would raise the promise.
    fn tell_violations(&self, console: &mut Console<'_>) -> Result<(), Fail> {
        let own = |violation: &&Violation| !violation.follows_from_another();
        let mut told: Vec<(Vec<Class>, &Violation)> = Vec::new();
        let mut classes = Class::ALL;
        classes.sort_by_key(|&class| !self.raises(class));
        for class in classes {
            // Variants of one name break it alike.
            let mut said: Option<String> = None;
            let is_new = |violation: &&Violation| {
                let why = violation.why(self.map);
                said.replace(why) != Some(violation.why(self.map))
            };
            for violation in self.violations(class).filter(own).filter(is_new).take(MOST_SHOWN) {
                let same = |other: &Violation| {
                    other.breach() == violation.breach() && other.actions() == violation.actions()
                };
                match told.iter_mut().find(|(_, other)| same(other)) {
                    Some((classes, _)) => classes.push(class),
                    None => told.push((vec![class], violation)),
                }
            }
        }
        if !told.is_empty() {
            writeln!(console, "\n  {}", self.heading())?;
        }
        let helps = |classes: &[Class]| classes.iter().any(|&class| self.raises(class));
        let rest = told.iter().position(|(classes, _)| !helps(classes)).filter(|&at| at > 0);
        for (at, (classes, violation)) in told.iter().enumerate() {
            if Some(at) == rest {
                writeln!(
                    console,
                    "\n  Also outside of these classes, which would promise nothing more:"
                )?;
            }
            self.tell_violation(classes, violation, console)?;
        }
        for class in Class::ALL {
            let more = self.report.n_violations(class).saturating_sub(MOST_SHOWN);
            if more > 0 {
                writeln!(console, "  {}: and {more} more", class.id())?;
            }
        }
        Ok(())
    }

    fn tell_violation(
        &self,
        classes: &[Class],
        violation: &Violation,
        console: &mut Console<'_>,
    ) -> Result<(), Fail> {
        let place = violation.source_place(self.map);
        let (file, line) = (self.map.file(place.file), place.line);
        let classes = classes.iter().map(|class| class.id()).collect::<Vec<_>>().join(", ");
        writeln!(console, "  {classes}: {file}:{line}: {}", violation.why(self.map))?;
        if violation.n_actions() > MOST_NAMED {
            writeln!(console, "      {} in all", count(violation.n_actions(), "action"))?;
        }
        writeln!(console, "      cure: {}", violation.cure(self.map))
    }

    fn violations(&self, class: Class) -> impl Iterator<Item = &Violation> {
        self.report.violations().iter().filter(move |violation| violation.class() == class)
    }

    /// The name and the place of an NPC type; the implicit one has no place of its own.
    fn title(&self) -> String {
        let (name, place) = (self.map.npc(self.npc), self.map.npc_place(self.npc));
        match self.map.has_implicit_npc() {
            true => name.to_string(),
            false => format!("{name} ({}:{})", self.map.file(place.file), place.line),
        }
    }

    fn remark(&self, class: Class) -> String {
        match self.violations(class).next().map(Violation::breach) {
            Some(Breach::Asks(first)) => format!(" (asks for {} first)", first.id()),
            Some(_) if class == Class::C2Star && self.report.c2_star_as_printed() => {
                " (holds only as printed in the paper, which promises nothing)".to_string()
            }
            _ => String::new(),
        }
    }

    /// Whether the strongest promise is made already.
    fn is_decided(&self) -> bool {
        self.report.holds(Class::OnePerCycle) || self.report.holds(Class::Nested)
    }

    /// Whether mending a class would raise the promise.
    fn raises(&self, class: Class) -> bool {
        match self.report.are_moves() {
            false => ["U", "P"].contains(&class.id()),
            true => !self.is_decided() && ["C2*", "nested", "one_per_cycle"].contains(&class.id()),
        }
    }

    /// What the list of violations is good for.
    fn heading(&self) -> &'static str {
        match (self.report.are_moves(), self.is_decided()) {
            (true, true) => "Nothing has to change. What keeps it out of the other classes:",
            (true, false) => "What to change for a stronger promise:",
            (false, _) => "What to change, U and P first:",
        }
    }
}
