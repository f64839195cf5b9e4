//! An NPC type in the papers' notation: variables, actions, predecessor sets, cycles.
//!
//! Actions are a_1, a_2 … and variables v_0, v_1 … in declared order, values are numbers.
//! The tables are 1 and 2 of "Topological Planning with Post-unique and Unary Actions", the sets
//! below them its Definitions 2 and 3.

use std::collections::BTreeSet;
use throng_base::text::columns;
use throng_cli::edge::cells;
use throng_domain::compile::{LocalAction, LocalFact, NpcTables, SourceMap};
use throng_planner::classes::{Class, classify};
use throng_planner::tables::as_move;

/// Up to so many variables prevail-conditions are written as whole vectors.
const MOST_IN_VECTOR: usize = 8;

/// The whole of it.
pub(super) fn text(npc: &NpcTables, map: &SourceMap) -> String {
    let mut text = format!("{}\n\n", map.npc(npc.id()));
    text.push_str(&domains(npc, map));
    text.push('\n');
    let head = ["A", "ID", "pre", "post", "prv", "N_pre", "N_prv", "name"].map(String::from);
    let actions = (0..npc.n_actions() as u32).map(|action| row(npc, map, LocalAction(action)));
    let rows: Vec<[String; 8]> = std::iter::once(head).chain(actions).collect();
    for line in columns(&rows, 8, cells) {
        text.push_str(&line);
        text.push('\n');
    }
    text.push('\n');
    text.push_str(&sets(npc));
    let report = classify(npc);
    let held = Class::ALL.iter().filter(|&&class| report.holds(class));
    let held: Vec<&str> = held.map(|class| class.id()).collect();
    text.push_str(&format!("\nholds: {}\n", held.join(", ")));
    text
}

/// The name of an action in the papers' numbering.
pub(super) fn symbol(action: LocalAction) -> String {
    format!("a_{}", action.0 + 1)
}

fn domains(npc: &NpcTables, map: &SourceMap) -> String {
    let mut text = String::new();
    for (at, &variable) in npc.variables().iter().enumerate() {
        let values = map.values(variable).iter().enumerate();
        let values: Vec<String> = values.map(|(at, value)| format!("{at}: {value}")).collect();
        let name = map.variable(variable);
        text.push_str(&format!("v_{at}: {name}, D(v_{at}) = {{{}}}\n", values.join(", ")));
    }
    text
}

/// `v_0 = 1`.
fn equation(fact: LocalFact) -> String {
    format!("v_{} = {}", fact.variable.0, fact.value)
}

fn row(npc: &NpcTables, map: &SourceMap, action: LocalAction) -> [String; 8] {
    let sets = npc.sets(action);
    let moved = |need: &&LocalFact| sets.iter().any(|set| set.variable == need.variable);
    let needs = npc.needs(action);
    let mut pre: Vec<LocalFact> = needs.iter().filter(|need| moved(need)).copied().collect();
    let prv: Vec<LocalFact> = needs.iter().filter(|need| !moved(need)).copied().collect();
    let id = match (as_move(npc, action), sets) {
        (Some((set, source)), _) => {
            pre = vec![LocalFact { variable: set.variable, value: source }];
            format!("a_v{}^{}", set.variable.0, set.value)
        }
        _ => "-".to_string(),
    };
    let list = |facts: &[LocalFact]| facts.iter().map(|&fact| equation(fact)).collect::<Vec<_>>();
    // What is set from any value has no equation of its own.
    let from_any = sets.iter().filter(|set| pre.iter().all(|fact| fact.variable != set.variable));
    let from_any: Vec<String> = from_any.map(|set| format!("v_{} = any", set.variable.0)).collect();
    [
        symbol(action),
        id,
        dash([list(&pre), from_any].concat().join(", ")),
        dash(list(sets).join(", ")),
        prevail(npc, &prv),
        predecessors(npc, &pre),
        predecessors(npc, &prv),
        map.action(npc.actions()[action.index()]).to_string(),
    ]
}

fn dash(text: String) -> String {
    if text.is_empty() { "-".to_string() } else { text }
}

/// `<u, 0, u>`, or the defined values alone where there are many variables.
fn prevail(npc: &NpcTables, prv: &[LocalFact]) -> String {
    if npc.variables().len() > MOST_IN_VECTOR {
        return dash(prv.iter().map(|&fact| equation(fact)).collect::<Vec<_>>().join(", "));
    }
    let mut vector = vec!["u".to_string(); npc.variables().len()];
    prv.iter().for_each(|fact| vector[fact.variable.index()] = fact.value.to_string());
    format!("<{}>", vector.join(", "))
}

/// Which actions set these facts; `ghost` stands for none.
fn predecessors(npc: &NpcTables, facts: &[LocalFact]) -> String {
    let slots = facts.iter().map(|&fact| npc.slot(fact));
    let setters: BTreeSet<LocalAction> =
        slots.clone().flat_map(|slot| npc.setters(slot).iter().copied()).collect();
    let ghost = slots.into_iter().any(|slot| npc.setters(slot).is_empty());
    let names = setters.iter().map(|&action| symbol(action));
    set(names.chain(ghost.then(|| "ghost".to_string())))
}

/// `{a, b}`.
fn set(names: impl Iterator<Item = String>) -> String {
    format!("{{{}}}", names.collect::<Vec<_>>().join(", "))
}

/// Whether an action sets a value that another action needs during itself.
pub(super) fn is_requestable(npc: &NpcTables, action: LocalAction) -> bool {
    npc.sets(action).iter().any(|set| {
        let needed_by = npc.needed_by(npc.slot(*set)).iter();
        needed_by.into_iter().any(|&by| npc.sets(by).iter().all(|its| its.variable != set.variable))
    })
}

/// Requestable actions and cycles, for each variable that has any.
fn sets(npc: &NpcTables) -> String {
    let actions = (0..npc.n_actions() as u32).map(LocalAction);
    let requestable: BTreeSet<LocalAction> =
        actions.filter(|&action| is_requestable(npc, action)).collect();
    let mut text = format!("Req = {}\n", set(requestable.iter().map(|&action| symbol(action))));
    let report = classify(npc);
    if !report.are_moves() {
        text.push_str("Cycle(v) is defined only where U and P hold.\n");
        return text;
    }
    for (at, _) in npc.variables().iter().enumerate() {
        let own: Vec<_> =
            report.cycles().iter().filter(|cycle| cycle.variable().index() == at).collect();
        if own.is_empty() {
            text.push_str(&format!("Cycle(v_{at}) = {{}}\n"));
        }
        for cycle in own {
            let mut actions = cycle.actions().to_vec();
            actions.sort_unstable();
            let names = |requested: bool| {
                let kept =
                    actions.iter().filter(|&action| !requested || requestable.contains(action));
                set(kept.map(|&action| symbol(action)))
            };
            let (all, requested) = (names(false), names(true));
            text.push_str(&format!(
                "Cycle(v_{at}) = {all}, Req(v_{at}) ∩ Cycle(v_{at}) = {requested}\n"
            ));
        }
    }
    text
}
