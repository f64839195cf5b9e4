//! MultiPrv_X_Cycle: every action needs value 1 of all later variables.
//!
//! Source: section 3 of "SAS Planning As Topological Sorting".

use super::{Family, Known, MOST_VARIABLES, Move, Needed, Values, check_size};
use throng_domain::Limits;

/// So many variables whose values go round in a circle of so many.
pub struct MultiPrv {
    values: u32,
    variables: u64,
}

impl MultiPrv {
    /// The member of so many values and variables.
    ///
    /// # Errors
    ///
    /// If a size is out of range, in words for the user.
    pub fn new(values: u64, variables: u64) -> Result<MultiPrv, String> {
        check_size("X, the number of values,", values, 2, Limits::default().values as u64)?;
        check_size("the number of variables", variables, 1, MOST_VARIABLES)?;
        Ok(MultiPrv { values: values as u32, variables })
    }

    /// The variable an action moves, and the value it sets.
    fn target(&self, action: u64) -> (u64, u32) {
        let values = u64::from(self.values);
        (action / values, (action % values) as u32)
    }
}

impl Family for MultiPrv {
    fn domain(&self) -> String {
        format!("multiprv_{}_cycle_{}", self.values, self.variables)
    }

    fn about(&self) -> String {
        let (x, m) = (self.values, self.variables);
        format!(
            "\
MultiPrv_{x}_Cycle with {m} variables, generated: throng gen multiprv {x} {m}

The action a<i>_<p> moves v<i> from p - 1 to p, where p counts modulo X; so the values
go round in a circle. It needs value 1 of every later variable: m(m - 1)/2 pairs of
variables, and a number of orderings that grows with the square of m.

Source: \"SAS Planning As Topological Sorting\", section 3. It is printed for X = 2 only,
as MultiPrv_n with 0 <= p in place of 0 < p. Where it prints pre = p - 1 read modulo X;
where the prevail condition is printed for v_i, read v_j. Start and goal are not printed;
these need every action but one: v1 ends before its circle closes, all others close it.

Only value 1 is ever needed, so the class is PUS, with one requested value per cycle:
linear, exact. X = 2 is in PUC2S as well, and is the tunnel told from its inner end."
        )
    }

    fn names(&self) -> (&'static str, &'static str) {
        ("solver", "all_but_one_around")
    }

    fn known(&self) -> Known {
        Known::Length(u64::from(self.values) * self.variables - 1)
    }

    fn n_variables(&self) -> u64 {
        self.variables
    }

    fn push_variable(&self, variable: u64, text: &mut String) {
        text.push('v');
        text.push_str(&(variable + 1).to_string());
    }

    fn values(&self, _: u64) -> Values {
        Values::Numbers(self.values)
    }

    fn start_and_goal(&self, variable: u64) -> (u32, u32) {
        (0, if variable == 0 { self.values - 1 } else { 0 })
    }

    fn n_actions(&self) -> u64 {
        u64::from(self.values) * self.variables
    }

    fn push_action(&self, action: u64, text: &mut String) {
        let (variable, to) = self.target(action);
        text.push_str(&format!("a{}_{to}", variable + 1));
    }

    fn action(&self, action: u64) -> Move {
        let (variable, to) = self.target(action);
        let from = if to == 0 { self.values - 1 } else { to - 1 };
        Move { variable, from, to }
    }

    fn needs(&self, action: u64) -> Box<dyn Iterator<Item = Needed> + '_> {
        let (variable, _) = self.target(action);
        Box::new((variable + 1..self.variables).map(|later| (later, 1)))
    }

    fn n_needs(&self) -> u64 {
        let pairs = self.variables * (self.variables - 1) / 2;
        pairs.saturating_mul(u64::from(self.values))
    }
}
