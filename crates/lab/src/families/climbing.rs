//! OnePrv_X and MultiPrv_X_Cycle: variables of many values that move one value at a time.
//!
//! Source: section 3 of "SAS Planning As Topological Sorting". In OnePrv_X values end at the top
//! and every action needs the middle value of the next variable; in MultiPrv_X_Cycle values go
//! round and every action needs value 1 of all later variables.

use super::{Family, Known, MOST_VARIABLES, Move, Needed, Values, check_size};
use throng_domain::Limits;

/// A number of variables, each with the same number of values.
pub struct Climbing {
    values: u32,
    variables: u64,
    /// Whether values go round: MultiPrv_X_Cycle.
    goes_round: bool,
}

impl Climbing {
    /// OnePrv_X.
    ///
    /// # Errors
    ///
    /// If a size is out of range, in words for the user.
    pub fn one_prv(values: u64, variables: u64) -> Result<Climbing, String> {
        Climbing::new(values, variables, false)
    }

    /// MultiPrv_X_Cycle.
    ///
    /// # Errors
    ///
    /// If a size is out of range, in words for the user.
    pub fn multi_prv(values: u64, variables: u64) -> Result<Climbing, String> {
        Climbing::new(values, variables, true)
    }

    fn new(values: u64, variables: u64, goes_round: bool) -> Result<Climbing, String> {
        check_size("X, the number of values,", values, 2, Limits::default().values as u64)?;
        check_size("the number of variables", variables, 1, MOST_VARIABLES)?;
        Ok(Climbing { values: values as u32, variables, goes_round })
    }

    /// The first value that an action sets: 0 is set only where values go round.
    fn lowest(&self) -> u32 {
        u32::from(!self.goes_round)
    }

    /// Actions per variable.
    fn steps(&self) -> u64 {
        u64::from(self.values - self.lowest())
    }
}

impl Family for Climbing {
    fn domain(&self) -> String {
        match self.goes_round {
            true => format!("multiprv_{}_cycle_{}", self.values, self.variables),
            false => format!("oneprv_{}_{}", self.values, self.variables),
        }
    }

    fn about(&self) -> String {
        let (x, m) = (self.values, self.variables);
        if self.goes_round {
            return format!(
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
            );
        }
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
        ("solver", if self.goes_round { "all_but_one_around" } else { "all_at_the_top" })
    }

    fn known(&self) -> Known {
        // Where values go round, the first variable does not close its circle.
        Known::Length(self.n_actions() - u64::from(self.goes_round))
    }

    fn n_variables(&self) -> u64 {
        self.variables
    }

    fn variable_name(&self, variable: u64) -> String {
        format!("v{}", variable + 1)
    }

    fn values(&self, _: u64) -> Values {
        Values::Numbers(self.values)
    }

    fn start_and_goal(&self, variable: u64) -> (u32, u32) {
        (0, if self.goes_round && variable > 0 { 0 } else { self.values - 1 })
    }

    fn n_actions(&self) -> u64 {
        self.steps() * self.variables
    }

    fn action_name(&self, action: u64) -> String {
        let Move { variable, to, .. } = self.action(action);
        format!("a{}_{to}", variable + 1)
    }

    fn action(&self, action: u64) -> Move {
        let to = (action % self.steps()) as u32 + self.lowest();
        let from = if to == 0 { self.values - 1 } else { to - 1 };
        Move { variable: action / self.steps(), from, to }
    }

    fn needs(&self, action: u64) -> Box<dyn Iterator<Item = Needed> + '_> {
        let next = action / self.steps() + 1;
        let (last, value) = match self.goes_round {
            true => (self.variables, 1),
            false => (self.variables.min(next + 1), self.values / 2),
        };
        Box::new((next..last).map(move |later| (later, value)))
    }

    fn n_needs(&self) -> u64 {
        let pairs = match self.goes_round {
            true => self.variables * (self.variables - 1) / 2,
            false => self.variables - 1,
        };
        pairs.saturating_mul(self.steps())
    }
}
