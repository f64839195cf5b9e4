//! Words of the command line into an NPC and a request.

use crate::args::plan::{PlanArgs, QuestionArgs, WishArgs};
use crate::console::{Fail, bad, count};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use throng::check::{CheckContext, Question, Verdict, Wanted, replay};
use throng::{
    AmountError, ConditionsError, Cost, CostError, Domain, Engine, Fact, GoalId, Npc, Request,
    Target, UnknownNameError,
};
use throng_domain::model::Conditions;
use throng_domain::names::as_integer;
use throng_domain::number::ParseCostError;
use throng_planner::Limit;
use throng_world::story::read::USUAL_PACE;

impl From<UnknownNameError> for Fail {
    fn from(unknown: UnknownNameError) -> Fail {
        Fail::known("unknown_name", unknown.to_string())
    }
}

impl From<AmountError> for Fail {
    fn from(wrong: AmountError) -> Fail {
        Fail::known("unknown_name", wrong.to_string())
    }
}

impl From<ConditionsError> for Fail {
    fn from(wrong: ConditionsError) -> Fail {
        let code = match wrong {
            ConditionsError::Unknown(_)
            | ConditionsError::NoNumber { .. }
            | ConditionsError::OutOfRange { .. } => "unknown_name",
            _ => "bad_question",
        };
        Fail::known(code, wrong.to_string())
    }
}

/// What was asked, in ids.
pub struct PlanQuestion {
    /// Who asks, from where.
    pub npc: Npc,
    /// What is asked for.
    pub want: Target,
    pub(crate) limits: Limits,
}

/// The limits that were set, to be named when one is hit.
#[derive(Clone, Copy, Default)]
pub(crate) struct Limits {
    pub(crate) max_nodes: Option<u64>,
    /// In megabytes.
    pub(crate) memory: f64,
}

impl Limits {
    /// Which limit it was, and the option that moves it.
    pub(crate) fn reached(&self, limit: Limit) -> String {
        match (limit, self.max_nodes) {
            (Limit::Nodes, Some(nodes)) => {
                let nodes = count(usize::try_from(nodes).unwrap_or(usize::MAX), "node");
                format!("the limit of {nodes} (`--max-nodes`) was reached")
            }
            (Limit::Nodes, None) => {
                "the default limit of nodes (`--max-nodes` sets another) was reached".to_string()
            }
            (Limit::Memory, _) => {
                format!("the limit of {} MB (`--memory`) was reached", self.memory)
            }
            (Limit::Stopped, _) => "the search was stopped".to_string(),
        }
    }

    /// The bytes of `--memory`.
    pub(crate) fn bytes(&self) -> usize {
        (self.memory * 1024.0 * 1024.0) as usize
    }

    /// The same of a search that has no answer.
    pub(crate) fn sentence(&self, limit: Limit) -> String {
        format!("{} before an answer was found", self.reached(limit))
    }
}

impl PlanQuestion {
    /// What is wanted, in words: the values asked for, or the goal that it came to.
    pub fn wish(&self, goal: Option<GoalId>) -> String {
        let map = self.npc.domain().compiled().map();
        match (&self.want, goal) {
            (Target::Conditions(wants), _) => map.conditions(wants.conditions()).join(", "),
            (_, Some(goal)) => map.goal(goal).to_string(),
            (_, None) => "nothing".to_string(),
        }
    }

    /// What is wanted, once the goal is known.
    pub fn wanted(&self, goal: Option<GoalId>) -> Conditions<'_> {
        match (&self.want, goal) {
            (Target::Conditions(wants), _) => wants.conditions(),
            (_, Some(goal)) => self.npc.domain().compiled().goal(goal).conditions(),
            _ => Conditions::default(),
        }
    }

    /// Puts the question to the independent checker, in words: whether actions lead to all of this.
    ///
    /// # Errors
    ///
    /// If the checker does not know what is asked for.
    pub fn judge(&self, wanted: Conditions<'_>, plan: &[&str]) -> Result<Verdict, Fail> {
        let npc = &self.npc;
        let model = npc.domain().model();
        let saved = npc.save();
        let names = model.variables().iter().map(|variable| variable.name().to_string());
        let unknown: Vec<String> = names.filter(|name| !saved.values.contains_key(name)).collect();
        let from: Vec<(String, String)> = saved.values.into_iter().collect();
        let wants = Wanted::of(model, wanted);
        let asked = Question {
            npc: npc.type_name(),
            from: &from,
            unknown: &unknown,
            wants: &wants,
            context: CheckContext::Without(&saved.without),
            ..Question::default()
        };
        let verdict = replay(model, &asked, plan).map_err(|bad| Fail::Bad(bad.to_string()))?;
        Ok(match verdict {
            // The checker knows the file's costs; this NPC may have others.
            Verdict::Valid { .. } => {
                let costs =
                    plan.iter().filter_map(|name| npc.cost(npc.domain().action(name).ok()?));
                let cost = costs.fold(0u64, |sum, cost| sum.saturating_add(cost.0));
                Verdict::Valid { cost: Cost(cost) }
            }
            invalid => invalid,
        })
    }
}

/// Understands the words of `plan` and its siblings that search.
pub(crate) fn searched(domain: &Domain, args: &PlanArgs) -> Result<PlanQuestion, Fail> {
    let limits = Limits { max_nodes: args.max_nodes, memory: args.memory };
    Ok(PlanQuestion { limits, ..question(domain, &args.question)? })
}

/// Understands the words of `plan` and its siblings.
pub(crate) fn question(domain: &Domain, args: &QuestionArgs) -> Result<PlanQuestion, Fail> {
    let mut question = asked(domain, &args.words, &args.wish)?;
    set_costs(&mut question.npc, &args.cost)?;
    Ok(question)
}

/// Understands who starts from where, and what it wants.
pub(crate) fn asked(
    domain: &Domain,
    words: &[String],
    wish: &WishArgs,
) -> Result<PlanQuestion, Fail> {
    let is_value = |word: &&String| word.contains(['=', '<', '>']);
    let names: Vec<&String> = words.iter().filter(|word| !is_value(word)).collect();
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
    let given = facts(domain, words.iter().filter(is_value))?;
    given.iter().for_each(|&fact| npc.set_fact(fact));
    let named = |words| <[String]>::iter(words).filter(|it| !it.is_empty()).map(|it| it.trim());
    set_defaults(domain, &mut npc);
    named(&wish.with).try_for_each(|check| npc.set_check(check, true))?;
    set_checks(&mut npc, named(&wish.without), wish.only.as_deref().map(named))?;
    let want = want(&npc, wish)?;
    Ok(PlanQuestion { npc, want, limits: Limits::default() })
}

/// Checks that the game tells, or is asked for, are as the file says that they are until it does.
fn set_defaults(domain: &Domain, npc: &mut Npc) {
    let declares = domain.model().notes().iter().any(|note| note.keyword.word == "check");
    // Mistakes in what is said about minds are not this command's to tell.
    let Some(spec) = declares.then(|| domain.mind_spec(USUAL_PACE.ticks_per_second).ok()).flatten()
    else {
        return;
    };
    let asked = spec.asked_checks.iter().map(|asked| (asked.check, asked.default));
    let all = spec.told_checks.iter().copied().chain(asked);
    all.for_each(|(check, holds)| npc.set_default_check(check, holds));
}

/// Sets which checks hold: all but some, or only some.
pub(crate) fn set_checks<'w, C: IntoIterator<Item = &'w str>>(
    npc: &mut Npc,
    without: C,
    only: Option<C>,
) -> Result<(), UnknownNameError> {
    without.into_iter().try_for_each(|check| npc.set_check(check, false))?;
    let Some(only) = only else { return Ok(()) };
    npc.clear_checks();
    only.into_iter().try_for_each(|check| npc.set_check(check, true))
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

/// Sets what an action costs this NPC, both in words.
pub(crate) fn set_cost(npc: &mut Npc, action: &str, cost: &str) -> Result<(), Fail> {
    let why = match Cost::parse(cost) {
        Ok(cost) => match npc.set_cost(action, cost) {
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

fn want(npc: &Npc, wish: &WishArgs) -> Result<Target, Fail> {
    if let Some(goal) = &wish.goal {
        return Ok(npc.domain().goal_target(goal)?);
    }
    if wish.to.is_empty() {
        return Ok(Target::Best);
    }
    let wanted = npc.conditions(&wish.to.join(","))?;
    match wanted.conditions().is_empty() {
        true => bad("`--to` names no value; write it as in `--to variable=value`"),
        false => Ok(Target::Conditions(wanted)),
    }
}

/// The only NPC type, or an error that lists them.
pub(crate) fn only_npc(domain: &Domain) -> Result<&str, Fail> {
    let map = domain.compiled().map();
    match map.npc_names().collect::<Vec<_>>()[..] {
        [name] => Ok(name),
        ref several => bad(format!(
            "the domain has {} NPC types; say which: {}",
            several.len(),
            several.join(", ")
        )),
    }
}

fn facts<'w>(domain: &Domain, words: impl Iterator<Item = &'w String>) -> Result<Vec<Fact>, Fail> {
    let mut facts = Vec::new();
    for word in words.filter(|word| !word.trim().is_empty()) {
        if word.contains(['<', '>', '!']) {
            return bad(format!(
                "`{word}` compares, but an NPC starts with exact values, `variable=value`; what \
                 it wants stands behind `--to`, as in `--to '{word}'`"
            ));
        }
        let Some((variable, value)) = word.split_once('=') else {
            return bad(format!("`{word}` is not of the form `variable=value`"));
        };
        facts.push(fact(domain, variable.trim(), value.trim())?);
    }
    one_value_each(domain, &facts)?;
    Ok(facts)
}

/// A variable having a value, both in words.
pub(crate) fn fact(domain: &Domain, variable: &str, value: &str) -> Result<Fact, Fail> {
    let id = domain.variable(variable)?;
    match (domain.range_of(id), as_integer(value)) {
        (Some(_), Some(number)) => Ok(domain.amount_fact(id, number)?),
        (Some((low, high)), None) => {
            let is_part = value.contains('.') && value.parse::<f64>().is_ok();
            let number = if is_part { "whole number" } else { "number" };
            let text = format!("`{variable}` is {low}..{high}; `{value}` is no {number}");
            Err(Fail::known("unknown_name", text))
        }
        (None, _) => Ok(domain.fact(variable, value)?),
    }
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

/// The goals of an NPC that is asked what it wants: at least one.
pub(crate) fn goals_of(npc: &Npc) -> Result<&[GoalId], Fail> {
    match npc.domain().compiled().npc(npc.type_id()).goals() {
        [] => bad(format!(
            "`{}` wants nothing: name a goal with `--goal`, or values with `--to`",
            npc.type_name()
        )),
        goals => Ok(goals),
    }
}

/// The request with mode and limits; also fails for an NPC that wants nothing.
pub(crate) fn request(
    question: &PlanQuestion,
    args: &PlanArgs,
    engine: Option<Engine>,
    stop: &Arc<AtomicBool>,
) -> Result<Request, Fail> {
    if question.want == Target::Best {
        goals_of(&question.npc)?;
    }
    let stop = Arc::clone(stop);
    let mut request = Request::new(question.want.clone())
        .mode(args.mode)
        .among(args.choose)
        .max_bytes(question.limits.bytes())
        .stop_when(move || stop.load(Ordering::Relaxed));
    if let Some(engine) = engine {
        request = request.engine(engine);
    }
    if let Some(nodes) = args.max_nodes {
        request = request.max_nodes(nodes);
    }
    Ok(request)
}
