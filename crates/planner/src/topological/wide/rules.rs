//! The rules of the machine.
//!
//! In:   the fields of a type.
//! Out:  closure rules: *if an action still to do needs a value that is neither there nor on the
//!       way, its way is still to do too*; order rules: *if an action is still to do, can run, and
//!       ends nothing that is still needed, it runs*.
//! Cost: at load only; a rule per needed value and start, one or two per action.
//!
//! Closure rules are kept in an order in which one pass is complete: a rule comes after all that
//! can wake it. Rules that can wake each other stand together in a segment that is repeated until
//! nothing changes. So the closure is complete for every state, goal and mask, by construction.

use super::fields::Fields;
use throng_base::Bits;
use throng_domain::compile::{LocalAction, PackedValue};

/// Fires where `word & care == want` and `word & any != 0`; sets `set`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClosureRule {
    pub(super) care: u64,
    pub(super) want: u64,
    /// The actions that ask for the value.
    pub(super) any: u64,
    /// The actions on its way.
    pub(super) set: u64,
    /// Which rules wake each other: they have the same number, and stand together.
    pub(super) segment: u32,
    /// Others have the same number.
    pub(super) repeats: bool,
}

/// Fires where `word & care == want`: the action runs, `flip` changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OrderRule {
    pub(super) care: u64,
    pub(super) want: u64,
    /// The action's bit, and the bits of its variable that change.
    pub(super) flip: u64,
    pub(super) action: LocalAction,
    /// It ends a value that is still needed, because the value comes back.
    pub(super) is_risky: bool,
}

impl OrderRule {
    pub(super) fn is_ready(&self, word: u64) -> bool {
        word & self.care == self.want
    }
}

/// All closure rules, in an order in which one pass is complete.
pub(super) fn closure_rules(fields: &Fields) -> Vec<ClosureRule> {
    let mut rules = Vec::new();
    for (variable, field) in fields.variables.iter().enumerate() {
        for wanted in 0..field.size {
            let any = field.requesters[usize::from(wanted)];
            let Some(setter) = field.setters[usize::from(wanted)] else { continue };
            for start in (0..field.size).filter(|&start| any != 0 && start != wanted) {
                rules.extend(loop_rule(fields, variable, start, setter, any));
                rules.extend(chain_rule(fields, variable, start, wanted, any));
            }
        }
    }
    sort_by_wakes(&mut rules);
    rules
}

/// A variable that the goal names goes once around its loop. If the path is part of the loop the
/// action would be needed twice, and the rule stays silent.
fn loop_rule(
    fields: &Fields,
    variable: usize,
    start: PackedValue,
    setter: LocalAction,
    any: u64,
) -> Option<ClosureRule> {
    let set = fields.variables[variable].loops[usize::from(start)];
    if set & fields.action(setter) == 0 {
        return None;
    }
    // In a loop of two the other action is on no path that leaves this one out.
    let absent = if set.count_ones() > 2 { set } else { fields.action(setter) };
    let care = fields.field_mask(variable) | absent | fields.open(variable);
    let want = fields.code(variable, start);
    Some(ClosureRule { care, want, any, set, segment: 0, repeats: false })
}

/// A variable that the goal leaves open goes to where it is needed.
fn chain_rule(
    fields: &Fields,
    variable: usize,
    start: PackedValue,
    wanted: PackedValue,
    any: u64,
) -> Option<ClosureRule> {
    let set = fields.chain(variable, start, wanted)?;
    let setter = fields.variables[variable].setters[usize::from(wanted)]?;
    let care = fields.field_mask(variable) | fields.action(setter) | fields.open(variable);
    let want = fields.code(variable, start) | fields.open(variable);
    Some(ClosureRule { care, want, any, set, segment: 0, repeats: false })
}

/// Puts every rule behind those that can wake it, and those that wake each other together.
pub(super) fn sort_by_wakes(rules: &mut Vec<ClosureRule>) {
    let n = rules.len();
    let mut wakes = vec![Bits::new(n); n];
    for (from, rule) in rules.iter().enumerate() {
        for (to, other) in rules.iter().enumerate() {
            wakes[from].set(to, rule.set & other.any != 0 && can_both_fire(rule, other));
        }
    }
    // What they wake in turn.
    for middle in 0..n {
        let through = wakes[middle].clone();
        wakes.iter_mut().filter(|row| row.get(middle)).for_each(|row| row.insert_all(&through));
    }
    let both = |a: usize, b: usize| wakes[a].get(b) && wakes[b].get(a);
    let mut keyed: Vec<(usize, usize, ClosureRule)> = Vec::with_capacity(n);
    for (at, rule) in rules.iter().enumerate() {
        // Of those that wake it, the ones that it does not wake: more with every step down.
        let before = |other: &usize| wakes[*other].get(at) && !both(at, *other);
        let before = (0..n).filter(before).count();
        let first = (0..n).find(|&other| other == at || both(at, other)).unwrap_or(at);
        let repeats = (0..n).any(|other| other != at && both(at, other));
        keyed.push((before, first, ClosureRule { segment: first as u32, repeats, ..*rule }));
    }
    keyed.sort_by_key(|&(before, first, _)| (before, first));
    rules.clear();
    rules.extend(keyed.into_iter().map(|(_, _, rule)| rule));
}

/// Two rules that want different starts of one variable never meet in one word; nor does a rule
/// that wants an action absent which the other has set.
fn can_both_fire(first: &ClosureRule, then: &ClosureRule) -> bool {
    let common = first.care & then.care;
    let excluded = first.set & then.care & !then.want;
    (first.want ^ then.want) & common == 0 && excluded == 0
}

/// All order rules: for each action in file order the normal one, then those that take a risk.
pub(super) fn order_rules(fields: &Fields) -> Vec<OrderRule> {
    let actions = || (0..fields.n_actions() as u32).map(LocalAction);
    let normal = actions().filter_map(|action| order_rule(fields, action, false));
    normal.chain(actions().filter_map(|action| order_rule(fields, action, true))).collect()
}

fn order_rule(fields: &Fields, action: LocalAction, is_risky: bool) -> Option<OrderRule> {
    let step = fields.moves[action.index()].as_ref()?;
    let field = &fields.variables[step.variable];
    let own = fields.action(action);
    let requesters = field.requesters[usize::from(step.from)];
    let around = field.loops[usize::from(step.from)];
    let into = match field.setters[usize::from(step.from)] {
        Some(setter) if around != 0 => fields.action(setter),
        _ => 0,
    };
    let mut care = own | fields.field_mask(step.variable);
    let mut want = own | fields.code(step.variable, step.from);
    for need in &step.needs {
        care |= fields.field_mask(need.variable.index());
        want |= fields.code(need.variable.index(), need.value);
    }
    match is_risky {
        // Who leaves the loop for good waits until it has been gone round.
        false => care |= requesters | if around & own == 0 { into } else { 0 },
        true if requesters != 0 && around & own != 0 => {
            care |= into;
            want |= into;
        }
        true => return None,
    }
    let change = fields.code(step.variable, step.from) ^ fields.code(step.variable, step.to);
    Some(OrderRule { care, want, flip: own | change, action, is_risky })
}
