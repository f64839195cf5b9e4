//! Statistics as one JSON object.

use crate::console::{Console, Fail};
use crate::shapes::{list, rounded};
use serde_json::{Map, Value, json};
use throng_domain::Cost;
use throng_domain::model::NpcTypeId;
use throng_mind::inspect::{EmptyReason, cause_words};
use throng_planner::explain::{Usable, Usage};
use throng_trace::stats::{ActionStats, Lived, OtherUses, StatsReport, said_cost};

pub(super) fn tell(report: &StatsReport, console: &mut Console<'_>) -> Result<(), Fail> {
    let map = report.spec.domain.map();
    let types = list(report.types.iter().zip(&report.usable).map(|(&npc, usable)| {
        let lived = report.lived.as_ref().map(|lived| lived_type(report, lived, npc));
        json!({"npc": map.npc(npc), "lived": lived, "possible": possible(report, usable)})
    }));
    let lived = report.lived.as_ref().map(|lived| {
        let stats = &lived.stats;
        let mind = |(&who, mind): (&u32, &throng_trace::stats::MindStats)| {
            json!({"name": lived.name(who), "npc": map.npc(mind.npc),
                "seconds": stats.pace.seconds(mind.ticks), "plans": mind.plans,
                "no_plans": mind.no_plans, "plans_per_second": rounded(stats.rate_of(mind))})
        };
        let told = stats.minds.iter().filter(|(_, mind)| report.types.contains(&mind.npc));
        json!({"ticks": stats.ticks(), "seconds": stats.seconds(), "minds": list(told.map(mind)),
            "tasks": lived.knows_tasks.then(|| tasks(report, lived))})
    });
    console.json(&json!({"name": report.name, "lived": lived, "types": types}))
}

/// What became of tasks, by type of squad.
fn tasks(report: &StatsReport, lived: &Lived) -> Vec<Value> {
    let (map, words) = (report.spec.domain.map(), &report.spec.words);
    let told = lived.stats.tasks.iter().filter(|((squad, _), _)| report.types.contains(squad));
    told.map(|(&(squad, what), counts)| {
        json!({"squad": map.npc(squad), "task": words.text(what), "given": counts.given,
            "done": counts.done, "refused": counts.refused, "cancelled": counts.cancelled,
            "timed_out": counts.timed_out, "dead": counts.dead, "failed": counts.failed})
    })
    .collect()
}

fn lived_type(report: &StatsReport, lived: &Lived, npc: NpcTypeId) -> Value {
    let (spec, stats) = (&report.spec, &lived.stats);
    let (map, own) = (spec.domain.map(), &stats.types[npc.index()]);
    let seconds = |ticks: u64| stats.pace.seconds(1) * ticks as f64;
    let counts = |name: &str, counts: &ActionStats| {
        json!({"action": name, "planned": counts.planned, "started": counts.started,
            "otherwise": counts.otherwise, "done": counts.done, "failed": counts.failed,
            "cancelled": counts.cancelled, "skipped": counts.skipped,
            "no_effect": counts.no_effect, "doubted": counts.doubted, "learnt": counts.learnt,
            "seconds": rounded(seconds(counts.ticks))})
    };
    let can = spec.domain.npc(npc).actions();
    let actions = can.iter().map(|&a| counts(map.action(a), &own.actions[a.index()]));
    let flavours = spec.flavours.iter().zip(&own.flavours);
    let flavours = flavours.map(|(flavour, own)| counts(spec.words.text(flavour.name), own));
    let besides = spec.besides.iter().zip(&own.besides);
    let besides = besides.map(|(beside, own)| counts(spec.words.text(beside.name), own));
    // Actions that differ only in the slot of a selection are one here: `goto(cover)`.
    let never = report.actions(own, npc).into_iter().filter(|(_, counts)| !counts.is_used());
    let never = never.map(|(name, _)| name);
    let goals = report.goals(own, npc).into_iter().map(|(name, counts)| {
        json!({"goal": name, "chosen": counts.chosen, "plans": counts.plans,
            "seconds": rounded(seconds(counts.ticks))})
    });
    let selects = report.selects(own).into_iter().map(|(select, counts)| {
        let empty = EmptyReason::ALL
            .map(|why| (why.code().to_string(), rounded(seconds(counts.empty_for(why)))));
        let minutes = seconds(own.ticks) / 60.0;
        // `null`: it does not apply.
        let doubled = (select.slots.len() == 1).then(|| rounded(seconds(counts.doubled)));
        json!({"select": map.select(select.select), "held": rounded(seconds(counts.held)),
            "empty": Map::from_iter(empty),
            "empty_though_known": rounded(seconds(counts.empty_though_known())),
            "switches": counts.switches, "outbid": counts.outbid,
            "switches_per_minute": rounded(counts.switches as f64 / minutes),
            "doubled": doubled, "claims_lost": select.claims.map(|_| counts.taken)})
    });
    let idle = own.idle_reasons.iter().map(|(why, ticks)| {
        json!({"code": why.code(), "goal": why.goal().map(|goal| map.wish(goal)),
            "why": why.words(spec), "seconds": rounded(seconds(*ticks))})
    });
    let causes: Map<String, Value> =
        own.causes.iter().map(|(c, times)| (cause_words(*c).to_string(), json!(times))).collect();
    json!({"minds": own.minds, "seconds": rounded(seconds(own.ticks)),
        "without_goal": rounded(seconds(own.idle)), "plans": own.plans, "no_plans": own.no_plans, "content": own.content,
        "waits": own.waits,
        "plans_per_second": rounded(stats.rate_of_type(own)),
        "mean_length": rounded(own.mean_length()), "lengths": own.lengths,
        "actions": list(actions), "flavours": list(flavours),
        "besides": list(besides),
        "never_used": list(never), "goals": list(goals), "selects": list(selects),
        "idle": list(idle), "questions": {"asked": own.questions.asked,
            "answered": own.questions.answered, "late": own.questions.late,
            "unanswered": own.questions.unanswered,
            "seconds": rounded(seconds(own.questions.ticks))},
        "causes": causes,
        "reasons": own.reasons, "plans_over_time": own.plans_over_time,
        "stretch": stats.stretch})
}

fn possible(report: &StatsReport, usable: &Usable) -> Value {
    let (spec, map) = (&report.spec, report.spec.domain.map());
    let others = OtherUses::new(spec, usable.npc);
    let action = |(action, usage): &(_, Usage)| {
        let cost = Cost(said_cost(spec, *action).unwrap_or(0));
        let goal = match usage {
            Usage::InPlans(goal) | Usage::Beaten { goal, .. } => Some(map.wish(*goal)),
            _ => None,
        };
        let in_plans = match usage {
            Usage::InPlans(_) => Some(true),
            Usage::Undecided(_) => None,
            _ => Some(false),
        };
        json!({"action": map.action(*action), "in_plans": in_plans, "code": usage.code(),
            "goal": goal, "why": usage.sentence(&spec.domain, *action, cost),
            "other_use": others.of(*action)})
    };
    json!({"states": usable.states, "states_of_a_goal": usable.states_of_a_goal, "sets_of_actions": usable.contexts,
        "actions": list(usable.uses.iter().map(action))})
}
