//! Amounts by number: `hp` is 40, not the word `40`.
//!
//! In:   an amount, by id or name, and numbers as the file writes them.
//! Out:  the changed NPC, or the number that it has.
//! Cost: a look-up by name, if it is one; nothing is allocated.

use crate::domain::Domain;
use crate::npc::Npc;
use throng_domain::compile::{IdOrName, UnknownNameError};
use throng_domain::model::{Fact, ValueId, VariableId};

/// Why an amount cannot have that number.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AmountError {
    /// There is no such variable.
    Unknown(UnknownNameError),
    /// The variable is no amount: it lists its values.
    NoAmount {
        /// Its name.
        variable: String,
    },
    /// The number is outside the amount's range.
    OutOfRange {
        /// Its name.
        variable: String,
        /// The number.
        number: i64,
        /// The first and the last number of its range.
        range: (i64, i64),
    },
}

throng_base::error! { AmountError {
    Self::Unknown(unknown) => "{unknown}";
    Self::NoAmount { variable } => "`{variable}` is no amount: it lists its values";
    Self::OutOfRange { variable, number, range } =>
        "`{variable}` is {}..{}, so it is never {number}", range.0, range.1;
} source {
    Self::Unknown(unknown) => unknown;
} }

impl Domain {
    /// The first and the last number of an amount; `None` if there is no such variable, or it
    /// lists its values.
    pub fn range_of(&self, variable: impl IdOrName<VariableId>) -> Option<(i64, i64)> {
        let map = self.map();
        map.amount(map.id(variable).ok()?)
    }

    /// An amount having a number, as a fact.
    ///
    /// # Errors
    ///
    /// If there is no such variable, it is no amount, or the number is outside its range.
    pub fn amount_fact(
        &self,
        variable: impl IdOrName<VariableId>,
        number: i64,
    ) -> Result<Fact, AmountError> {
        let map = self.map();
        let variable: VariableId = map.id(variable).map_err(AmountError::Unknown)?;
        let name = || map.variable(variable).to_string();
        match map.amount(variable) {
            None => Err(AmountError::NoAmount { variable: name() }),
            Some((low, high)) if low <= number && number <= high => {
                Ok(Fact { variable, value: ValueId::at((number - low) as usize) })
            }
            Some(range) => Err(AmountError::OutOfRange { variable: name(), number, range }),
        }
    }
}

impl Npc {
    /// Gives an amount a number.
    ///
    /// ```
    /// use throng::prelude::*;
    ///
    /// # let domain = Domain::from_json(
    /// #     r#"{"throng": 1, "domain": "camp", "variables": [{"name": "hp", "range": [0, 100]}],
    /// #        "actions": [{"name": "heal", "shifts": {"hp": {"add": 30, "up_to": 100}}}]}"#,
    /// # )?;
    /// let mut npc = Npc::new(&domain, "camp")?;
    /// npc.set_amount("hp", 40)?;
    /// assert_eq!(npc.amount("hp"), Some(40));
    /// assert!(npc.apply("heal") && npc.amount("hp") == Some(70));
    /// // What the file says about the range is kept.
    /// assert_eq!(
    ///     npc.set_amount("hp", 140).unwrap_err().to_string(),
    ///     "`hp` is 0..100, so it is never 140",
    /// );
    /// assert_eq!(npc.shift_amount("hp", 45)?, Some(100));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such variable, it is no amount, or the number is outside its range.
    pub fn set_amount(
        &mut self,
        variable: impl IdOrName<VariableId>,
        number: i64,
    ) -> Result<(), AmountError> {
        let fact = self.domain().amount_fact(variable, number)?;
        self.set_fact(fact);
        Ok(())
    }

    /// The number of an amount; `None` if it is unknown, or there is no such amount.
    pub fn amount(&self, variable: impl IdOrName<VariableId>) -> Option<i64> {
        let fact = self.fact_of(variable)?;
        let (low, _) = self.domain().map().amount(fact.variable)?;
        Some(low + fact.value.index() as i64)
    }

    /// Moves an amount up, or down if `by` is below zero, and stops at the end of its range:
    /// hunger that grows, a wound. Gives the number that it has now; `None` if it is unknown, and
    /// stays so.
    ///
    /// # Errors
    ///
    /// If there is no such variable, or it is no amount.
    pub fn shift_amount(
        &mut self,
        variable: impl IdOrName<VariableId>,
        by: i64,
    ) -> Result<Option<i64>, AmountError> {
        let map = self.domain().map();
        let variable: VariableId = map.id(variable).map_err(AmountError::Unknown)?;
        let Some((low, high)) = map.amount(variable) else {
            let variable = map.variable(variable).to_string();
            return Err(AmountError::NoAmount { variable });
        };
        let Some(number) = self.amount(variable) else { return Ok(None) };
        let number = number.saturating_add(by).clamp(low, high);
        self.set_amount(variable, number)?;
        Ok(Some(number))
    }
}
