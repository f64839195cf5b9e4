//! The tunnel: lights are switched on one after the other, then off again.
//!
//! Source: described in section 2.1 of "SAS Planning As Topological Sorting", which takes it
//! from Bäckström's thesis (1992). It is MultiPrv_2_Cycle told from the entrance.

use super::{Family, Known, MOST_VARIABLES, Move, Needed, Values, check_size};

const OFF: u32 = 0;
const ON: u32 = 1;

/// A tunnel with so many lights; light 1 is at the entrance.
pub struct Tunnel {
    lights: u64,
}

impl Tunnel {
    /// The member of so many lights.
    ///
    /// # Errors
    ///
    /// If a size is out of range, in words for the user.
    pub fn new(lights: u64) -> Result<Tunnel, String> {
        check_size("the number of lights", lights, 1, MOST_VARIABLES)?;
        Ok(Tunnel { lights })
    }
}

impl Family for Tunnel {
    fn domain(&self) -> String {
        format!("tunnel_{}", self.lights)
    }

    fn about(&self) -> String {
        let n = self.lights;
        format!(
            "\
The tunnel with {n} lights, generated: throng gen tunnel {n}

A light is switched on or off where it hangs, and one only gets there through light:
all lights between the entrance and it must be on. Wanted: the innermost light on, all
others off. So one goes in switching on, and out switching off: 2n - 1 actions, in one
order only.

Source: \"SAS Planning As Topological Sorting\", section 2.1, after Bäckström (1992). The
paper says that it is none other than MultiPrv_2_Cycle; there the entrance is the last
variable. Start and goal are not printed; these need every action but one.

Only `on` is ever needed, so the class is PUS (and PUC2S): linear, exact."
        )
    }

    fn names(&self) -> (&'static str, &'static str) {
        ("lamplighter", "only_the_innermost")
    }

    fn known(&self) -> Known {
        Known::Length(2 * self.lights - 1)
    }

    fn n_variables(&self) -> u64 {
        self.lights
    }

    fn push_variable(&self, variable: u64, text: &mut String) {
        text.push_str("light_");
        text.push_str(&(variable + 1).to_string());
    }

    fn values(&self, _: u64) -> Values {
        Values::Words(&["off", "on"])
    }

    fn start_and_goal(&self, variable: u64) -> (u32, u32) {
        (OFF, if variable + 1 == self.lights { ON } else { OFF })
    }

    fn n_actions(&self) -> u64 {
        2 * self.lights
    }

    fn push_action(&self, action: u64, text: &mut String) {
        text.push_str(if action.is_multiple_of(2) { "switch_on_" } else { "switch_off_" });
        text.push_str(&(action / 2 + 1).to_string());
    }

    fn action(&self, action: u64) -> Move {
        let (from, to) = if action.is_multiple_of(2) { (OFF, ON) } else { (ON, OFF) };
        Move { variable: action / 2, from, to }
    }

    fn needs(&self, action: u64) -> Box<dyn Iterator<Item = Needed> + '_> {
        Box::new((0..action / 2).map(|before| (before, ON)))
    }

    fn n_needs(&self) -> u64 {
        self.lights * (self.lights - 1)
    }
}
