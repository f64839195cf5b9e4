//! `throng pddl info`: what a task has, before and after grounding, and what it uses.

use super::{Looked, ground_to_look};
use crate::console::{CommandResult, Console};
use crate::field::args::PddlTaskArgs;
use crate::field::run::RunLimits;
use crate::field::{distance, files};
use crate::{FINE, LIMIT};
use serde::Serialize;
use throng_pddl::ground::Unreachable;
use throng_pddl::lifted::{Condition, Lifted};

#[derive(Serialize)]
struct InfoShape<'a> {
    domain: &'a str,
    problem: &'a str,
    types: usize,
    objects: usize,
    predicates: usize,
    functions: usize,
    actions: usize,
    axioms: usize,
    init: usize,
    metric: bool,
    /// What the task uses, in the words of `:requirements`.
    features: Vec<&'static str>,
    /// `null` if it was not grounded.
    ground: Option<GroundShape>,
    /// Why it was not grounded.
    limit: Option<&'a str>,
    /// What of the goal can never hold, if grounding shows it.
    unreachable: Option<String>,
}

/// After grounding.
#[derive(Clone, Copy, Serialize)]
struct GroundShape {
    /// Facts that can become true.
    facts: usize,
    variables: usize,
    /// Of which rules derive.
    derived: usize,
    operators: usize,
    rules: usize,
    mutex_groups: usize,
}

pub(super) fn run(args: &PddlTaskArgs, console: &mut Console<'_>) -> CommandResult {
    let limits = RunLimits::new(&args.limits, None, console);
    let task = match files::lifted_or_limit(&args.files, &limits, true, console)? {
        Ok(task) => task,
        Err(hit) => return distance::print_limit(&limits.sentence(hit), args.json, console),
    };
    let Looked { task, grounded } = ground_to_look(task, &limits)?;
    let ground = grounded.as_ref().ok().map(|grounded| {
        let ground = &grounded.named.task;
        let derived = (0..ground.sizes().len()).filter(|&at| ground.layer(at as u32).is_some());
        GroundShape {
            facts: grounded.counts.atoms,
            variables: ground.sizes().len(),
            derived: derived.count(),
            operators: ground.n_operators(),
            rules: ground.axioms().count(),
            mutex_groups: grounded.named.mutexes.len(),
        }
    });
    let unreachable = grounded.as_ref().ok().and_then(|grounded| grounded.unreachable.as_ref());
    let shape = InfoShape {
        domain: &task.domain,
        problem: &task.problem,
        types: task.types.len(),
        objects: task.objects.len(),
        predicates: task.predicates.len(),
        functions: task.functions.len(),
        actions: task.actions.len(),
        axioms: task.axioms.len(),
        init: task.init.len(),
        metric: task.has_metric,
        features: features(&task),
        ground,
        limit: grounded.as_ref().err().map(String::as_str),
        unreachable: unreachable.map(Unreachable::part),
    };
    match args.json {
        true => console.json(&shape)?,
        false => console.line(&text(&shape, unreachable))?,
    }
    Ok(if shape.limit.is_some() { LIMIT } else { FINE })
}

fn text(shape: &InfoShape<'_>, unreachable: Option<&Unreachable>) -> String {
    let mut lines = vec![format!("{}: {}", shape.domain, shape.problem)];
    let mut row = |name: &str, count: usize| lines.push(format!("  {name:<20} {count:>10}"));
    row("types", shape.types);
    row("objects", shape.objects);
    row("predicates", shape.predicates);
    row("actions", shape.actions);
    row("derived by axioms", shape.axioms);
    row("facts at the start", shape.init);
    if let Some(ground) = shape.ground {
        row("ground facts", ground.facts);
        row("ground variables", ground.variables);
        row("ground operators", ground.operators);
        row("ground rules", ground.rules);
        row("mutex groups", ground.mutex_groups);
    }
    lines.push(format!("  uses                 {}", shape.features.join(" ")));
    if let Some(why) = shape.limit {
        lines.push(format!("  not grounded: {why}"));
    }
    if let Some(unreachable) = unreachable {
        lines.push(format!("  impossible: {unreachable}"));
    }
    lines.join("\n")
}

/// What a task uses, in the words of `:requirements`, whatever its files declare.
fn features(task: &Lifted) -> Vec<&'static str> {
    let mut uses = Uses::default();
    uses.condition(&task.goal);
    for action in &task.actions {
        uses.condition(&action.condition);
        for effect in &action.effects {
            uses.condition(&effect.condition);
            let is_conditional = effect.condition != Condition::And(Vec::new());
            uses.conditional_effects |= is_conditional || !effect.forall.is_empty();
        }
    }
    for axiom in &task.axioms {
        uses.condition(&axiom.condition);
    }
    let all = [
        (true, ":strips"),
        (task.types.len() > 1, ":typing"),
        (uses.negative, ":negative-preconditions"),
        (uses.equality, ":equality"),
        (uses.disjunctive, ":disjunctive-preconditions"),
        (uses.existential, ":existential-preconditions"),
        (uses.universal, ":universal-preconditions"),
        (uses.conditional_effects, ":conditional-effects"),
        (!task.axioms.is_empty(), ":derived-predicates"),
        (task.has_metric || !task.functions.is_empty(), ":action-costs"),
    ];
    all.into_iter().filter(|(used, _)| *used).map(|(_, word)| word).collect()
}

#[derive(Default)]
struct Uses {
    negative: bool,
    equality: bool,
    disjunctive: bool,
    existential: bool,
    universal: bool,
    conditional_effects: bool,
}

impl Uses {
    fn condition(&mut self, condition: &Condition) {
        condition.visit(&mut |part| match part {
            Condition::Or(_) | Condition::Imply(..) => self.disjunctive = true,
            // `(not (= a b))` is what equality is for.
            Condition::Not(part) => self.negative |= !matches!(**part, Condition::Equal(..)),
            Condition::Exists(..) => self.existential = true,
            Condition::Forall(..) => self.universal = true,
            Condition::Equal(..) => self.equality = true,
            Condition::And(_) | Condition::Atom(_) => {}
        });
    }
}
