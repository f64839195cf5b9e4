//! Members of problem families as compiled tables, of sizes that no text should have.
//!
//! In:   a size.
//! Out:  the compiled domain, and how long its shortest plan is.
//! Cost: linear in actions and needs; no text, no model.
//!
//! OnePrv and the tunnel are the members that `throng gen` writes; a test of the suite holds the
//! two equal. [`Climb`] has a knob for every size by itself.

use throng_domain::compile::{CompiledDomain, NoSuchTable, Tables};
use throng_domain::{Fact, Milli};

/// What every action costs.
const ONE: Milli = Milli(1000);

/// A member of a family.
#[derive(Clone, Debug)]
pub struct Member {
    /// The compiled domain: one NPC type, one goal.
    pub domain: CompiledDomain,
    /// How many values actions need of variables that they leave alone.
    pub n_needs: u64,
    /// The length of the shortest plan.
    pub length: usize,
}

/// OnePrv: `variables` that climb from 0 to the last of `values`, every action needs the middle
/// value of the next variable.
///
/// # Errors
///
/// If there are fewer than two values.
pub fn one_prv(values: u16, variables: u32) -> Result<Member, NoSuchTable> {
    let mut tables = Tables::new(&format!("oneprv_{values}_{variables}"));
    let ids: Vec<_> =
        (0..variables).map(|_| tables.add_variable(values, 0)).collect::<Result<_, _>>()?;
    let mut goal = Vec::with_capacity(ids.len());
    let (mut n_needs, mut length) = (0, 0);
    for (at, &variable) in ids.iter().enumerate() {
        let next = ids.get(at + 1).map(|&next| tables.fact(next, values / 2)).transpose()?;
        for value in 1..values {
            let own = tables.fact(variable, value - 1)?;
            let requires = [Some(own), next];
            let requires: Vec<Fact> = requires.into_iter().flatten().collect();
            tables.add_action(&requires, &[tables.fact(variable, value)?], ONE)?;
            n_needs += u64::from(next.is_some());
            length += 1;
        }
        goal.push(tables.fact(variable, values - 1)?);
    }
    tables.set_goal(&goal)?;
    Ok(Member { domain: tables.compile(), n_needs, length })
}

/// The tunnel: a light is switched where it hangs, and all lights before it must be on. Wanted:
/// the innermost light on, all others off.
///
/// # Errors
///
/// If it has more lights than can be numbered.
pub fn tunnel(lights: u32) -> Result<Member, NoSuchTable> {
    let mut tables = Tables::new(&format!("tunnel_{lights}"));
    let ids: Vec<_> = (0..lights).map(|_| tables.add_variable(2, 0)).collect::<Result<_, _>>()?;
    let mut before = Vec::new();
    let mut goal = Vec::new();
    let mut n_needs = 0;
    for &light in &ids {
        let (off, on) = (tables.fact(light, 0)?, tables.fact(light, 1)?);
        for (from, to) in [(off, on), (on, off)] {
            before.push(from);
            tables.add_action(&before, &[to], ONE)?;
            before.pop();
            n_needs += before.len() as u64;
        }
        before.push(on);
        goal.push(if before.len() == ids.len() { on } else { off });
    }
    tables.set_goal(&goal)?;
    Ok(Member { domain: tables.compile(), n_needs, length: (2 * ids.len()).saturating_sub(1) })
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
    pub fn member(self) -> Result<Member, NoSuchTable> {
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
