//! An NPC type in the papers' notation: variables, actions, predecessor sets, cycles.
//!
//! Actions are a_1, a_2 … and variables v_0, v_1 … in declared order, values are numbers; of an
//! amount the first and the last are told, and what is asked of it and done to it are runs and sums.
//! The tables are 1 and 2 of "Topological Planning with Post-unique and Unary Actions", the sets
//! below them its Definitions 2 and 3.

use std::collections::BTreeSet;
use throng_base::text::columns;
use throng_cli::edge::cells;
use throng_domain::compile::{
    LocalAction, LocalFact, LocalRange, LocalShift, LocalVariable, NpcTables, PackedValue,
    SourceMap,
};
use throng_domain::{ShiftEnd, ValueSet};
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
        let values: Vec<String> = match map.amount(variable) {
            Some((low, high)) if high - low > 1 => {
                vec![format!("0: {low}"), "…".to_string(), format!("{}: {high}", high - low)]
            }
            _ => {
                let values = map.values(variable).iter().enumerate();
                values.map(|(at, value)| format!("{at}: {value}")).collect()
            }
        };
        let name = map.variable(variable);
        text.push_str(&format!("v_{at}: {name}, D(v_{at}) = {{{}}}\n", values.join(", ")));
    }
    text
}

/// `v_0 = 1`.
fn equation(fact: LocalFact) -> String {
    format!("v_{} = {}", fact.variable.0, fact.value)
}

/// `1`, `5..100`, `0..3|7`.
fn runs(values: &ValueSet) -> String {
    let run = |&(first, last): &(PackedValue, PackedValue)| match first == last {
        true => first.to_string(),
        false => format!("{first}..{last}"),
    };
    values.runs().iter().map(run).collect::<Vec<_>>().join("|")
}

/// `v_0 = 1`, `v_0 = 5..100`.
fn asked(range: &LocalRange) -> String {
    format!("v_{} = {}", range.variable.0, runs(&range.values))
}

/// `v_0 + 10`, `v_0 + 10 up to 100`.
fn sum(shift: &LocalShift) -> String {
    let (sign, end) = if shift.by.by < 0 { ('-', "down to") } else { ('+', "up to") };
    let stop = match shift.by.end {
        ShiftEnd::Refuse => String::new(),
        ShiftEnd::Stop(stop) => format!(" {end} {stop}"),
    };
    let at = shift.variable.0;
    format!("v_{at} = v_{at} {sign} {}{stop}", shift.by.by.unsigned_abs())
}

fn row(npc: &NpcTables, map: &SourceMap, action: LocalAction) -> [String; 8] {
    let (sets, shifts) = (npc.sets(action), npc.shifts(action));
    let is_moved = |variable: LocalVariable| {
        sets.iter().any(|set| set.variable == variable)
            || shifts.iter().any(|shift| shift.variable == variable)
    };
    let facts = npc.needs(action).iter().map(|&fact| as_range(fact));
    let all = facts.chain(npc.ranges(action).iter().copied());
    let (mut pre, prv): (Vec<LocalRange>, Vec<LocalRange>) =
        all.partition(|range| is_moved(range.variable));
    let id = match as_move(npc, action) {
        Some((set, source)) => {
            pre = vec![as_range(LocalFact { variable: set.variable, value: source })];
            format!("a_v{}^{}", set.variable.0, set.value)
        }
        None => "-".to_string(),
    };
    // What is set from any value has no equation of its own.
    let from_any = sets.iter().filter(|set| pre.iter().all(|range| range.variable != set.variable));
    let from_any = from_any.map(|set| format!("v_{} = any", set.variable.0));
    let before: Vec<String> = pre.iter().map(asked).chain(from_any).collect();
    let after: Vec<String> =
        sets.iter().map(|&set| equation(set)).chain(shifts.iter().map(sum)).collect();
    [
        symbol(action),
        id,
        dash(before.join(", ")),
        dash(after.join(", ")),
        prevail(npc, action, &prv),
        predecessors(npc, &pre),
        predecessors(npc, &prv),
        map.action(npc.actions()[action.index()]).to_string(),
    ]
}

fn as_range(fact: LocalFact) -> LocalRange {
    LocalRange { variable: fact.variable, values: ValueSet::one(fact.value) }
}

fn dash(text: String) -> String {
    if text.is_empty() { "-".to_string() } else { text }
}

/// `<u, 0, u>`, or the defined values alone where there are many variables, or two are compared.
fn prevail(npc: &NpcTables, action: LocalAction, prv: &[LocalRange]) -> String {
    let compared = npc.comparisons(action).iter();
    let compared: Vec<String> = compared
        .map(|it| format!("v_{} {} v_{}", it.variable.0, it.comparison.relation.sign(), it.other.0))
        .collect();
    if npc.variables().len() > MOST_IN_VECTOR || !compared.is_empty() {
        return dash(prv.iter().map(asked).chain(compared).collect::<Vec<_>>().join(", "));
    }
    let mut vector = vec!["u".to_string(); npc.variables().len()];
    prv.iter().for_each(|range| vector[range.variable.index()] = runs(&range.values));
    format!("<{}>", vector.join(", "))
}

/// Which actions set these, or count towards them; `ghost` stands for none.
fn predecessors(npc: &NpcTables, asked: &[LocalRange]) -> String {
    let mut all: BTreeSet<LocalAction> = BTreeSet::new();
    let mut has_ghost = false;
    for range in asked {
        let leads = |action: &LocalAction| {
            let sets = npc.sets(*action).iter();
            let mut sets = sets.filter(|set| set.variable == range.variable);
            sets.any(|set| range.values.has(set.value))
                || npc.shifts(*action).iter().any(|shift| shift.variable == range.variable)
        };
        let own: Vec<LocalAction> = npc.local_actions().filter(leads).collect();
        has_ghost |= own.is_empty();
        all.extend(own);
    }
    let names = all.iter().map(|&action| symbol(action));
    set(names.chain(has_ghost.then(|| "ghost".to_string())))
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
