//! Words of the command line into an NPC and a request.

use crate::args::{PlanArgs, QuestionArgs};
use crate::console::{Fail, bad};
use crate::extension::{Extension, UntrustedPlanner};
use std::sync::atomic::Ordering;
use throng::{
    Cost, CostError, Domain, Engine, Fact, GoalId, GoalSelection, Mode, Npc, Request, Target,
    UnknownNameError,
};
use throng_domain::number::ParseCostError;
use throng_planner::Limit;

impl From<UnknownNameError> for Fail {
    fn from(unknown: UnknownNameError) -> Fail {
        Fail::known("unknown_name", unknown.to_string())
    }
}

/// What was asked, in ids.
pub(crate) struct Question {
    pub(crate) npc: Npc,
    pub(crate) want: Target,
    pub(crate) limits: Limits,
}

/// The limits that were set, to be named when one is hit.
#[derive(Clone, Copy, Default)]
pub(crate) struct Limits {
    pub(crate) max_nodes: Option<u64>,
    /// In megabytes.
    pub(crate) memory: Option<f64>,
}

impl Limits {
    /// Which limit it was, and the option that moves it.
    pub(crate) fn reached(&self, limit: Limit) -> String {
        match (limit, self.max_nodes, self.memory) {
            (Limit::Nodes, Some(nodes), _) => {
                let plural = if nodes == 1 { "" } else { "s" };
                format!("the limit of {nodes} node{plural} (`--max-nodes`) was reached")
            }
            (Limit::Nodes, None, _) => "the limit of nodes was reached".to_string(),
            (Limit::Memory, _, Some(memory)) => {
                format!("the limit of {memory} MB (`--memory`) was reached")
            }
            (Limit::Memory, _, None) => "the limit of memory was reached".to_string(),
            (Limit::Stopped, ..) => "the search was stopped".to_string(),
        }
    }

    /// The bytes of `--memory`.
    pub(crate) fn bytes(&self) -> Option<usize> {
        self.memory.map(|megabytes| (megabytes * 1024.0 * 1024.0) as usize)
    }

    /// The same of a search that has no answer.
    pub(crate) fn sentence(&self, limit: Limit) -> String {
        format!("{} before an answer was found", self.reached(limit))
    }
}

impl Question {
    /// What is wanted, in words: the values asked for, or the goal that it came to.
    pub(crate) fn wish(&self, goal: Option<GoalId>) -> String {
        let map = self.npc.domain().compiled().map();
        match (&self.want, goal) {
            (Target::Facts(facts), _) => {
                facts.iter().map(|&fact| map.fact(fact)).collect::<Vec<_>>().join(", ")
            }
            (_, Some(goal)) => map.goal(goal).to_string(),
            (_, None) => "nothing".to_string(),
        }
    }
}

/// Understands the words of `plan` and its siblings.
pub(crate) fn question(domain: &Domain, args: &QuestionArgs) -> Result<Question, Fail> {
    let is_value = |word: &&String| word.contains(['=', '<', '>']);
    let names: Vec<&String> = args.words.iter().filter(|word| !is_value(word)).collect();
    let mut npc = match names[..] {
        [] => Npc::new(domain, only_npc(domain)?)?,
        [name] => match Npc::new(domain, name) {
            Ok(npc) => npc,
            Err(unknown) => return bad(no_npc(domain, name, &unknown)),
        },
        [first, second, ..] => {
            for name in &names {
                if let Err(unknown) = domain.npc_type(name) {
                    return bad(no_npc(domain, name, &unknown));
                }
            }
            return bad(format!("`{first}` and `{second}`: one NPC at a time"));
        }
    };
    let starts: Vec<&String> = args.words.iter().filter(is_value).collect();
    let given = facts(domain, starts.into_iter().map(String::as_str))?;
    one_value_each(domain, &given)?;
    given.iter().for_each(|&fact| npc.set_fact(fact));
    for check in args.without.iter().filter(|word| !word.is_empty()) {
        npc.set_check(check.trim(), false)?;
    }
    if let Some(only) = &args.only {
        npc.clear_checks();
        for check in only.iter().filter(|word| !word.is_empty()) {
            npc.set_check(check.trim(), true)?;
        }
    }
    set_costs(&mut npc, &args.cost)?;
    let want = want(domain, args)?;
    Ok(Question { npc, want, limits: Limits::default() })
}

/// Understands `--cost action=cost,…`; an action that stands twice is a slip.
fn set_costs(npc: &mut Npc, words: &[String]) -> Result<(), Fail> {
    let mut seen: Vec<&str> = Vec::new();
    for word in words.iter().filter(|word| !word.trim().is_empty()) {
        let Some((action, cost)) = word.rsplit_once('=') else {
            return bad(format!("`{word}` is not of the form `action=cost`"));
        };
        let action = action.trim();
        if seen.contains(&action) {
            return bad(format!("`--cost` names `{action}` twice"));
        }
        seen.push(action);
        set_cost(npc, action, cost.trim())?;
    }
    Ok(())
}

/// Lets an action cost something else, both in words.
pub(crate) fn set_cost(npc: &mut Npc, action: &str, cost: &str) -> Result<(), Fail> {
    let why = match Cost::parse(cost) {
        Ok(milli) => match npc.set_cost(action, milli) {
            Ok(()) => return Ok(()),
            Err(CostError::Unknown(unknown)) => return Err(unknown.into()),
            Err(CostError::OutOfRange(_)) => "it must be above 0",
        },
        Err(ParseCostError::Malformed) => "it must be a plain number above 0, as 2.5",
        Err(ParseCostError::TooFine) => "it may have three places after the point at most",
        Err(ParseCostError::TooLarge) => "it may be 1000000 at most",
    };
    Err(Fail::known("bad_cost", format!("`{action}` cannot cost `{cost}`: {why}")))
}

/// What to say of a word that stands where the NPC type does and is none.
fn no_npc(domain: &Domain, word: &str, unknown: &UnknownNameError) -> String {
    let map = domain.compiled().map();
    if let Some(variable) = map.find_variable(word) {
        let example = map.values(variable).first().map_or("", String::as_str);
        return format!(
            "`{word}` is a variable; write its value with it, without blanks: `{word}={example}`"
        );
    }
    if map.find_goal(word).is_some() {
        return format!("`{word}` is a goal, not an NPC type; write `--goal {word}`");
    }
    if map.find_check(word).is_some() {
        return format!("`{word}` is a check, not an NPC type; write `--without {word}`");
    }
    unknown.to_string()
}

fn want(domain: &Domain, args: &QuestionArgs) -> Result<Target, Fail> {
    if let Some(goal) = &args.goal {
        return Ok(domain.goal_target(goal)?);
    }
    if args.to.is_empty() {
        return Ok(Target::Best);
    }
    let wanted = facts(domain, args.to.iter().map(String::as_str))?;
    if wanted.is_empty() {
        return bad("`--to` names no value; write it as in `--to variable=value`");
    }
    one_value_each(domain, &wanted)?;
    Ok(Target::Facts(wanted))
}

/// The only NPC type, or an error that lists them.
pub(crate) fn only_npc(domain: &Domain) -> Result<&str, Fail> {
    let map = domain.compiled().map();
    match map.npc_names() {
        [name] => Ok(name),
        several => bad(format!(
            "the domain has {} NPC types; say which: {}",
            several.len(),
            several.join(", ")
        )),
    }
}

fn facts<'w>(domain: &Domain, words: impl Iterator<Item = &'w str>) -> Result<Vec<Fact>, Fail> {
    let mut facts = Vec::new();
    for word in words.filter(|word| !word.trim().is_empty()) {
        if word.contains(['<', '>', '!']) {
            return bad(format!(
                "`{word}` compares, but only exact values, `variable=value`, can stand here; if \
                 several values will do, ask for a goal of the file, `goal NAME: {word}`"
            ));
        }
        let Some((variable, value)) = word.split_once('=') else {
            return bad(format!("`{word}` is not of the form `variable=value`"));
        };
        facts.push(domain.fact(variable.trim(), value.trim())?);
    }
    Ok(facts)
}

/// Two values of one variable in one list are a slip, not a wish.
pub(crate) fn one_value_each(domain: &Domain, facts: &[Fact]) -> Result<(), Fail> {
    for (at, fact) in facts.iter().enumerate() {
        let other = facts[..at].iter().find(|other| other.variable == fact.variable);
        if let Some(other) = other.filter(|other| other.value != fact.value) {
            let map = domain.compiled().map();
            return bad(format!(
                "`{}` and `{}` at once: a variable has one value",
                map.fact(*other),
                map.fact(*fact)
            ));
        }
    }
    Ok(())
}

/// What the facts of a request are, once the goal is known.
pub(crate) fn wanted_facts(domain: &Domain, want: &Target, goal: Option<GoalId>) -> Vec<Fact> {
    match (want, goal) {
        (Target::Facts(facts), _) => facts.clone(),
        (_, Some(goal)) => domain.compiled().goal(goal).wants().to_vec(),
        _ => Vec::new(),
    }
}

/// The request with mode and limits; also fails for an NPC that wants nothing.
pub(crate) fn request(
    question: &Question,
    args: &PlanArgs,
    engine: Option<Engine>,
    stop: &std::sync::Arc<std::sync::atomic::AtomicBool>,
) -> Result<Request, Fail> {
    let mode = mode(&args.mode)?;
    let npc = &question.npc;
    let wants_nothing = npc.domain().compiled().npc(npc.type_id()).goals().is_empty();
    if question.want == Target::Best && wants_nothing {
        return bad(format!(
            "`{}` wants nothing: name a goal with `--goal`, or values with `--to`",
            npc.type_name()
        ));
    }
    let stop = std::sync::Arc::clone(stop);
    let mut request = Request::new(question.want.clone())
        .mode(mode)
        .among(among(&args.choose)?)
        .max_bytes((args.memory * 1024.0 * 1024.0) as usize)
        .stop_when(move || stop.load(Ordering::Relaxed));
    if let Some(engine) = engine {
        request = request.engine(engine);
    }
    if let Some(nodes) = args.max_nodes {
        request = request.max_nodes(nodes);
    }
    Ok(request)
}

/// How to choose among goals.
fn among(name: &str) -> Result<GoalSelection, Fail> {
    match name {
        "priority" => Ok(GoalSelection::Priority),
        "worth" => Ok(GoalSelection::Worth),
        _ => Err(unknown("way to choose", name, &["priority", "worth"])),
    }
}

/// The mode of this name.
pub(crate) fn mode(name: &str) -> Result<Mode, Fail> {
    match name {
        "cheapest" => Ok(Mode::Cheapest),
        "shortest" => Ok(Mode::Shortest),
        "fast" => Ok(Mode::Fast),
        _ => Err(unknown("mode", name, &["cheapest", "shortest", "fast"])),
    }
}

/// Who is asked for a plan.
#[derive(Clone, Copy)]
pub(crate) enum Asked {
    /// The library: this engine, or the one it chooses.
    Engine(Option<Engine>),
    /// Somebody whose plans may be wrong.
    Untrusted(&'static dyn UntrustedPlanner),
}

/// The planner of this name.
pub(crate) fn planner(name: &str, extension: Extension) -> Result<Asked, Fail> {
    match name {
        "auto" => return Ok(Asked::Engine(None)),
        "topological" => return Ok(Asked::Engine(Some(Engine::Topological))),
        "goap" => return Ok(Asked::Engine(Some(Engine::Regressive))),
        "forward" => return Ok(Asked::Engine(Some(Engine::Forward))),
        _ => {}
    }
    let added = extension.planners;
    if let Some(&untrusted) = added.iter().find(|planner| planner.name() == name) {
        return Ok(Asked::Untrusted(untrusted));
    }
    let mut known = vec!["auto", "topological", "goap", "forward"];
    known.extend(added.iter().map(|planner| planner.name()));
    Err(unknown("planner", name, &known))
}

/// The engine of this name, for a command that wants plans to rely on.
pub(crate) fn engine(
    name: &str,
    command: &str,
    extension: Extension,
) -> Result<Option<Engine>, Fail> {
    match planner(name, extension)? {
        Asked::Engine(engine) => Ok(engine),
        Asked::Untrusted(_) => {
            let text = format!(
                "`{name}` is an algorithm as printed in its paper, which may be wrong: \
                 `throng plan --planner {name}` shows what it does, `{command}` does not ask it"
            );
            Err(Fail::known("not_for_this_planner", text))
        }
    }
}

fn unknown(what: &str, name: &str, known: &[&str]) -> Fail {
    let near = throng_base::nearest(name, known.iter().copied());
    let known = known.join(", ");
    let text = match near {
        Some(near) => {
            format!("unknown {what} `{name}`; did you mean `{near}`? Known are: {known}")
        }
        None => format!("unknown {what} `{name}`; known are: {known}"),
    };
    Fail::known("unknown_name", text)
}
