//! Members of problem families as compiled tables, of sizes that no text should have.
//!
//! In:   a size.
//! Out:  the compiled domain, and how long its shortest plan is.
//! Cost: linear in actions and needs; no text, no model.
//!
//! OnePrv and the tunnel are the families that `throng gen` writes; [`Climb`] has a knob for every
//! size by itself.

use crate::families::{Climbing, Family, Known, Move, Switches, Values};
use throng_domain::compile::{CompiledDomain, Tables, TablesError};
use throng_domain::{Cost, Fact};

/// What every action costs.
const ONE: Cost = Cost(1000);

/// A member of a family.
#[derive(Clone, Debug)]
pub struct Member {
    /// The compiled domain: one NPC type, one goal.
    pub domain: CompiledDomain,
    /// How many values actions need of variables that they leave alone.
    pub n_needs: u64,
    /// The length of the shortest plan; 0 if it is not known.
    pub length: usize,
}

impl Member {
    /// A member of a family that `throng gen` writes, without a text.
    ///
    /// # Errors
    ///
    /// If it has more of something than can be numbered.
    pub fn of(family: &impl Family) -> Result<Member, TablesError> {
        let number = |n: u32| u16::try_from(n).map_err(|_| TablesError::Values);
        let mut tables = Tables::new(&family.domain());
        let (mut ids, mut goal) = (Vec::new(), Vec::new());
        for variable in 0..family.n_variables() {
            let n_values = match family.values(variable) {
                Values::Numbers(n) => n,
                Values::Words(words) => words.len() as u32,
            };
            let (start, wanted) = family.start_and_goal(variable);
            let id = tables.add_variable(number(n_values)?, number(start)?)?;
            goal.push(tables.fact(id, number(wanted)?)?);
            ids.push(id);
        }
        let mut requires = Vec::new();
        for action in 0..family.n_actions() {
            let Move { variable, from, to } = family.action(action);
            requires.clear();
            for (other, value) in family.needs(action).chain([(variable, from)]) {
                requires.push(tables.fact(ids[other as usize], number(value)?)?);
            }
            let sets = tables.fact(ids[variable as usize], number(to)?)?;
            tables.add_action(&requires, &[sets], ONE)?;
        }
        tables.set_goal(&goal)?;
        let length = match family.known() {
            Known::Length(length) => length as usize,
            Known::Impossible | Known::Nothing => 0,
        };
        Ok(Member { domain: tables.compile(), n_needs: family.n_needs(), length })
    }
}

/// OnePrv: `variables` that climb from 0 to the last of `values`, every action needs the middle
/// value of the next variable.
///
/// # Errors
///
/// If there are fewer than two values.
pub fn one_prv(values: u16, variables: u32) -> Result<Member, TablesError> {
    let family = Climbing::one_prv(u64::from(values), u64::from(variables));
    Member::of(&family.map_err(|_| TablesError::Values)?)
}

/// The tunnel: a light is switched where it hangs, and all lights before it must be on. Wanted:
/// the innermost light on, all others off.
///
/// # Errors
///
/// If it has no lights, or more than can be numbered.
pub fn tunnel(lights: u32) -> Result<Member, TablesError> {
    Member::of(&Switches::tunnel(u64::from(lights)).map_err(|_| TablesError::Full)?)
}

/// Variables that climb from 0 to `steps`, where some steps need value 1 of the variables that
/// follow. Every size can grow while the others stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Climb {
    /// How many variables there are.
    pub variables: u32,
    /// How many values each has; more than it has steps.
    pub values: u16,
    /// How many actions each variable has: all of them are in the plan.
    pub steps: u16,
    /// So many of its first actions need something.
    pub needy: u16,
    /// So many of the following variables they need at 1.
    pub needs: u32,
}

impl Climb {
    /// MultiPrv_n of "SAS Planning As Topological Sorting": every action needs value 1 of all
    /// later variables.
    pub fn multi_prv(values: u16, variables: u32) -> Climb {
        let steps = values.saturating_sub(1);
        Climb { variables, values, steps, needy: steps, needs: variables.saturating_sub(1) }
    }

    /// The member.
    ///
    /// # Errors
    ///
    /// If there are no steps, or more steps than values to reach.
    pub fn member(self) -> Result<Member, TablesError> {
        let mut tables = Tables::new("climb");
        let ids: Vec<_> = (0..self.variables)
            .map(|_| tables.add_variable(self.values, 0))
            .collect::<Result<_, _>>()?;
        let mut goal = Vec::with_capacity(ids.len());
        let mut n_needs = 0;
        for (at, &variable) in ids.iter().enumerate() {
            let later = &ids[at + 1..(at + 1 + self.needs as usize).min(ids.len())];
            let later: Vec<Fact> =
                later.iter().map(|&later| tables.fact(later, 1)).collect::<Result<_, _>>()?;
            for step in 1..=self.steps {
                let mut requires = if step <= self.needy { later.clone() } else { Vec::new() };
                n_needs += requires.len() as u64;
                requires.push(tables.fact(variable, step - 1)?);
                tables.add_action(&requires, &[tables.fact(variable, step)?], ONE)?;
            }
            goal.push(tables.fact(variable, self.steps)?);
        }
        tables.set_goal(&goal)?;
        let length = usize::from(self.steps) * ids.len();
        Ok(Member { domain: tables.compile(), n_needs, length })
    }
}
