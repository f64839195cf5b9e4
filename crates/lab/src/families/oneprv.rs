//! OnePrv_X: every action needs the middle value of the next variable.
//!
//! Source: section 3 of "SAS Planning As Topological Sorting".

use super::{Family, Known, MOST_VARIABLES, Move, Needed, Values, check_size};
use throng_domain::Limits;

/// So many variables that climb from 0 to the last of so many values.
pub struct OnePrv {
    values: u32,
    variables: u64,
}

impl OnePrv {
    /// The member of so many values and variables.
    ///
    /// # Errors
    ///
    /// If a size is out of range, in words for the user.
    pub fn new(values: u64, variables: u64) -> Result<OnePrv, String> {
        check_size("X, the number of values,", values, 2, Limits::default().values as u64)?;
        check_size("the number of variables", variables, 1, MOST_VARIABLES)?;
        Ok(OnePrv { values: values as u32, variables })
    }

    /// The variable an action moves, and the value it sets.
    fn target(&self, action: u64) -> (u64, u32) {
        let steps = u64::from(self.values) - 1;
        (action / steps, (action % steps) as u32 + 1)
    }
}

impl Family for OnePrv {
    fn domain(&self) -> String {
        format!("oneprv_{}_{}", self.values, self.variables)
    }

    fn about(&self) -> String {
        let (x, m) = (self.values, self.variables);
        let middle = x / 2;
        format!(
            "\
OnePrv_{x} with {m} variables, generated: throng gen oneprv {x} {m}

The action a<i>_<p> moves v<i> from p - 1 to p, for 0 < p < X. It needs the middle value
of the next variable, {middle}; the last variable needs nothing. So the number of orderings
grows with m, not with its square. Every variable climbs from 0 to X - 1, which takes
(X - 1)m actions, every one of them once.

Source: \"SAS Planning As Topological Sorting\", section 3, printed for X = 5. The needed
value is printed as floor((n-5)/2) = 2; read floor(n/2), the middle of n = 5 values, which
is 2. Where the undefined prevail conditions are printed for v_i, read v_j. Start and goal
are not printed; these need every action.

No cycle and one needed value per variable: the class is PUS and PUC0: linear, exact."
        )
    }

    fn names(&self) -> (&'static str, &'static str) {
        ("solver", "all_at_the_top")
    }

    fn known(&self) -> Known {
        Known::Length(self.n_actions())
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

    fn start_and_goal(&self, _: u64) -> (u32, u32) {
        (0, self.values - 1)
    }

    fn n_actions(&self) -> u64 {
        (u64::from(self.values) - 1) * self.variables
    }

    fn push_action(&self, action: u64, text: &mut String) {
        let (variable, to) = self.target(action);
        text.push_str(&format!("a{}_{to}", variable + 1));
    }

    fn action(&self, action: u64) -> Move {
        let (variable, to) = self.target(action);
        Move { variable, from: to - 1, to }
    }

    fn needs(&self, action: u64) -> Box<dyn Iterator<Item = Needed> + '_> {
        let next = self.target(action).0 + 1;
        let middle = self.values / 2;
        Box::new((next < self.variables).then_some((next, middle)).into_iter())
    }

    fn n_needs(&self) -> u64 {
        (u64::from(self.values) - 1) * (self.variables - 1)
    }
}
