//! How much less an action would have to ask of an amount.
//!
//! In:   a question without a plan, and a condition of an action on a variable.
//! Out:  the closest condition that gives a plan: with another lower end, with another upper end;
//!       without any, if neither is enough.
//! Cost: a question without the condition, and by halving one per bit of each end.
//!
//! Who asks for less can do no less, so halving is exact.

use super::change::Change;
use super::fixes::{Fix, Trial};
use crate::budget::Limit;
use throng_domain::amounts::ValueSet;
use throng_domain::compile::PackedValue;
use throng_domain::model::{ActionId, Range, VariableId};

/// All ways to ask for less that give a plan, each as little less as can be.
pub(super) fn loosen(
    trial: &mut Trial<'_, '_>,
    action: ActionId,
    variable: VariableId,
) -> Result<Vec<Fix>, Limit> {
    let Some(without) = trial.plan_after(Change::DropRange { action, variable })? else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    if let Some((asked, (least, most))) = ends(trial, action, variable)
        && let &[(first, last)] = asked.runs()
    {
        let lower = |first| ValueSet::run(first, last);
        let upper = |last| ValueSet::run(first, last);
        let change = |values| Change::Loosen { action, range: Range { variable, values } };
        if first > least {
            let below = |steps: PackedValue| change(lower(first - steps));
            found.extend(least_change(trial, first - least, below)?);
        }
        if last < most {
            let above = |steps: PackedValue| change(upper(last + steps));
            found.extend(least_change(trial, most - last, above)?);
        }
    }
    if found.is_empty() {
        found.push(without);
    }
    Ok(found)
}

/// The smallest step from 1 up to the most that gives a plan; larger ones do, too.
fn least_change(
    trial: &mut Trial<'_, '_>,
    most: PackedValue,
    change: impl Fn(PackedValue) -> Change,
) -> Result<Option<Fix>, Limit> {
    let Some(mut fix) = trial.plan_after(change(most))? else { return Ok(None) };
    let (mut first, mut last) = (1, most);
    while first < last {
        let middle = first + (last - first) / 2;
        match trial.plan_after(change(middle))? {
            Some(nearer) => (fix, last) = (nearer, middle),
            None => first = middle + 1,
        }
    }
    Ok(Some(fix))
}

/// What an action asks of an amount, and the ends that its own shift leaves it; `None` of words.
fn ends(
    trial: &Trial<'_, '_>,
    action: ActionId,
    variable: VariableId,
) -> Option<(ValueSet, (PackedValue, PackedValue))> {
    let map = trial.asked.domain.map();
    map.amount(variable)?;
    let action = &trial.asked.model.actions()[action.index()];
    let asked = action.ranges().iter().find(|range| range.variable == variable)?;
    let n_values = map.n_values(variable) as PackedValue;
    let shift = action.shifts().iter().find(|shift| shift.variable == variable);
    let all = shift.map_or(ValueSet::all(n_values), |shift| shift.by.domain(n_values));
    Some((asked.values, all.ends()?))
}
