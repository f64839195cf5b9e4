//! Inspections, causes, endings as text for people.

use super::{
    AbsentView, AttributeView, BesideView, CheckView, FactView, GoalView, Inspection, PickView,
    StepView, action_name,
};
use crate::choose::Standing;
use crate::events::{Activity, Cause};
use crate::spec::Spec;
use std::fmt;

/// The cause of planning, in words.
pub fn cause_words(cause: Cause) -> &'static str {
    match cause {
        Cause::NothingToDo => "it had nothing to do",
        Cause::BetterGoal => "another goal became more important",
        Cause::GoalIrrelevant => "its goal lost its relevance",
        Cause::PlanInvalid => "the rest of its plan would not work any more",
        Cause::StepFailed => "a step of its plan failed",
        Cause::PlanEnded => "its plan came to its end and the goal does not hold",
        Cause::GoalReached => "its goal was reached",
        Cause::TryAgain => "something changed since no plan was found",
        Cause::Reloaded => "it was told to think anew",
        Cause::Reselected => "what it is about is another now",
        Cause::Cheaper => "there was a cheaper plan",
    }
}

/// What is done, in words.
pub fn doing_words(spec: &Spec, doing: Activity) -> String {
    match doing {
        Activity::Step(action) | Activity::Otherwise(action) => action_name(spec, action),
        Activity::Beside(at) => {
            let beside = spec.besides.get(usize::from(at));
            beside.map_or(String::new(), |beside| spec.words.text(beside.name).to_string())
        }
        Activity::Flavour(at) => {
            let flavour = spec.flavours.get(usize::from(at));
            flavour.map_or(String::new(), |flavour| spec.words.text(flavour.name).to_string())
        }
    }
}

/// What a line begins with that tells of actions that are not there.
const NOT_THERE: &str = "  not there: ";

/// As wide as lines are where what they say can be parted.
const WIDTH: usize = 80;

impl fmt::Display for Inspection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, _] = self.here;
        writeln!(f, "{} at ({x:.1} {y:.1}), tick {}", self.npc, self.tick)?;
        writeln!(f, "  does   {}", self.doing)?;
        wrapped(f, "  why    ", &words(&self.why), " ")?;
        for BesideView { name, since, channels } in &self.besides {
            writeln!(f, "  beside {name} since {since:.1} s ({channels})")?;
        }
        if !self.plan.is_empty() {
            let steps: Vec<String> = self.plan.iter().map(step_words).collect();
            wrapped(f, "  plan   ", &priced(steps, self.cost), " → ")?;
        }
        if let Some((steps, cost)) = &self.runner_up {
            wrapped(f, "  else   ", &priced(steps.clone(), *cost), " → ")?;
        }
        writeln!(f, "  goals")?;
        self.goals.iter().try_for_each(|goal| self.goal(f, goal))?;
        writeln!(f, "  facts  {} of {}", self.facts.len(), self.memory_bound)?;
        self.facts.iter().try_for_each(|view| fact(f, view))?;
        let value = |(name, value): &(String, Option<String>)| {
            format!("{name} = {}", value.as_deref().unwrap_or("?"))
        };
        let state: Vec<String> = self.state.iter().map(value).collect();
        wrapped(f, "  state  ", &state, ", ")?;
        if !self.false_checks.is_empty() {
            wrapped(f, "  false  ", &self.false_checks, ", ")?;
        }
        self.picks.iter().try_for_each(|it| pick(f, it))?;
        if !self.claims.is_empty() {
            wrapped(f, "  claims ", &self.claims, ", ")?;
        }
        let told = |it: &CheckView| match (&it.lacks, it.age) {
            (Some(lacks), _) => format!("{} {}: {lacks}", it.name, it.holds),
            (None, Some(age)) if it.by == "unanswered" => {
                format!("{} {} by default, unanswered {age:.1} s ago", it.name, it.holds)
            }
            (None, Some(age)) => format!("{} {}, {} {age:.1} s ago", it.name, it.holds, it.by),
            (None, None) if it.by == "asked" => {
                format!("{} {} by default, never answered", it.name, it.holds)
            }
            (None, None) => format!("{} {} by default, never told", it.name, it.holds),
        };
        let checks: Vec<String> = self.told_checks.iter().map(told).collect();
        if !checks.is_empty() {
            wrapped(f, "  checks ", &checks, "; ")?;
        }
        let asks: Vec<String> = self.asks.iter().map(ToString::to_string).collect();
        if !asks.is_empty() {
            wrapped(f, "  asks   ", &asks, "; ")?;
        }
        for it in &self.cooling {
            wrapped_to(f, NOT_THERE, 6, &words(&format!("{}: {}", it.action, it.why)), " ")?;
        }
        for (why, actions) in self.absent_by_reason() {
            let mut parts: Vec<String> = actions.iter().map(|it| format!("{it},")).collect();
            parts.last_mut().into_iter().for_each(|last| _ = last.pop());
            parts.last_mut().into_iter().for_each(|last| last.push(':'));
            parts.extend(words(why));
            wrapped_to(f, NOT_THERE, 6, &parts, " ")?;
        }
        let ran = |(name, ran): &(String, Option<f64>)| match ran {
            Some(ago) => format!("{name} {ago:.1} s ago"),
            None => format!("{name} never"),
        };
        let sensors: Vec<String> = self.sensors.iter().map(ran).collect();
        if !sensors.is_empty() {
            wrapped(f, "  senses ", &sensors, ", ")?;
        }
        if self.missed > 0 {
            writeln!(f, "  missed {} stimuli: too many came at once", self.missed)?;
        }
        let plural = if self.asked == 1 { "" } else { "s" };
        writeln!(f, "  asked for {} plan{plural}", self.asked)
    }
}

impl Inspection {
    /// The actions that are not there, those with one reason together.
    fn absent_by_reason(&self) -> Vec<(&str, Vec<&str>)> {
        let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
        for AbsentView { action, why } in &self.absent {
            match reasons.iter_mut().find(|(known, _)| known == why) {
                Some((_, actions)) => actions.push(action),
                None => reasons.push((why, vec![action])),
            }
        }
        reasons
    }

    fn goal(&self, f: &mut fmt::Formatter<'_>, goal: &GoalView) -> fmt::Result {
        let mark = if goal.standing == Standing::Active { "▶" } else { " " };
        let (name, score, relevance) = (&goal.name, goal.score, goal.relevance);
        let head = format!("  {mark} {name:<20} {score:7.2} = {relevance:.2} of its priority");
        // What was said above as the reason for everything need not be said again.
        let told = !goal.why_not.is_empty() && self.why.ends_with(&goal.why_not);
        let why_not = if told { "no plan, see why" } else { &goal.why_not };
        match why_not.is_empty() {
            true => writeln!(f, "{head}"),
            false => wrapped_to(f, &format!("{head}; "), 6, &words(why_not), " "),
        }
    }
}

/// A slot: what it holds, since when, and whether the plan is about it.
fn pick(f: &mut fmt::Formatter<'_>, pick: &PickView) -> fmt::Result {
    let PickView { slot, score, since, why, .. } = pick;
    let planned = if pick.pinned { ", planned" } else { "" };
    match &pick.holds {
        Some(held) => {
            writeln!(f, "  picks  {slot} = {held} ({score:.2}) for {since:.1} s{planned}")
        }
        None => writeln!(f, "  picks  {slot} empty: {why}"),
    }
}

/// A fact: a line about it, and as many as are needed for what it says.
fn fact(f: &mut fmt::Formatter<'_>, fact: &FactView) -> fmt::Result {
    let attribute = |it: &AttributeView| match it.confidence {
        sure if sure >= 0.9995 => format!("{} {}", it.name, it.value),
        sure => format!("{} {} ({sure:.2})", it.name, it.value),
    };
    let attributes: Vec<String> = fact.attributes.iter().map(attribute).collect();
    let left = fact.expires_in.map_or("kept".to_string(), |s| format!("{s:.1} s left"));
    let (kind, age, writer) = (&fact.kind, fact.age, &fact.writer);
    let head = format!("    {kind:<12} {age:5.1} s old, {left}, by {writer}: ");
    wrapped_to(f, &head, 6, &attributes, ", ")
}

fn step_words(step: &StepView) -> String {
    match step.status {
        "done" => format!("{} ✓", step.action),
        "now" => format!("[{}]", step.action),
        _ => step.action.clone(),
    }
}

/// The steps, the last with the price of all.
fn priced(mut steps: Vec<String>, cost: f64) -> Vec<String> {
    if let Some(last) = steps.last_mut() {
        last.push_str(&format!("   (cost {cost})"));
    }
    steps
}

/// The words of a text; what stands between backquotes is one word.
fn words(text: &str) -> Vec<String> {
    let mut quoted = false;
    let is_gap = |letter: char| {
        quoted ^= letter == '`';
        letter == ' ' && !quoted
    };
    text.split(is_gap).map(str::to_string).collect()
}

/// Parts with something between them, after a head; further lines begin below the first part.
fn wrapped(f: &mut fmt::Formatter<'_>, head: &str, parts: &[String], gap: &str) -> fmt::Result {
    wrapped_to(f, head, head.chars().count(), parts, gap)
}

/// The same; further lines begin at this column. A part that is wider than a line stays whole.
fn wrapped_to(
    f: &mut fmt::Formatter<'_>,
    head: &str,
    indent: usize,
    parts: &[String],
    gap: &str,
) -> fmt::Result {
    let mut line = head.to_string();
    for (at, part) in parts.iter().enumerate() {
        let gap = if at + 1 < parts.len() { gap } else { "" };
        // What stands between two parts and is blank may hang over the edge.
        let needs = part.chars().count() + gap.trim_end().chars().count();
        let is_empty = line.trim().is_empty();
        if !is_empty && line.chars().count() + needs > WIDTH {
            writeln!(f, "{}", line.trim_end())?;
            line = " ".repeat(indent);
        }
        line.push_str(part);
        line.push_str(gap);
    }
    writeln!(f, "{}", line.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Lines(Vec<String>, &'static str);

    impl fmt::Display for Lines {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            wrapped(f, "  state  ", &self.0, self.1)
        }
    }

    #[test]
    fn lines_are_parted_between_parts_and_no_wider_than_they_may_be() {
        let parts: Vec<String> = (0..20).map(|n| format!("part{n} = {n}")).collect();
        let text = Lines(parts.clone(), ", ").to_string();
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with("         part")), "{text}");
        let joined: Vec<&str> = text.lines().map(|line| line[9..].trim_end()).collect();
        assert_eq!(joined.join(" "), parts.join(", "));
        let long = "x".repeat(200);
        assert_eq!(
            Lines(vec![long.clone()], ", ").to_string(),
            format!("  state\n         {long}\n")
        );
    }

    #[test]
    fn what_is_quoted_is_one_word() {
        assert_eq!(words("needs `gun = drawn`; then"), ["needs", "`gun = drawn`;", "then"]);
    }
}
