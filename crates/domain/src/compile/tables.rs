//! A domain made by a program, without text: numbers in, tables out.
//!
//! In:   variables by the number of their values, actions by what they require and set, a goal.
//! Out:  a [`CompiledDomain`] with one NPC type that can do everything and starts as said;
//!       everything is named by its number.
//! Cost: linear; a tenth of the memory that the same domain takes as text and model.
//!
//! For domains that are computed and too large to be written: a text of millions of actions is
//! hundreds of megabytes, and its model some gigabytes. Whatever comes from people or from
//! strangers goes through a reader, which explains mistakes and holds limits; here a mistake is
//! an error of the program, named but not explained.

use super::Rows;
use super::digest::{Digest, digest_of_written};
use super::npc_type::{LocalFact, LocalVariable, NpcTables};
use super::numbered::Numbered;
use super::packed::{PackedValue, UNKNOWN};
use super::source_map::SourceMap;
use super::{CompiledDomain, CompiledGoal};
use crate::model::{ActionId, Fact, GoalId, ValueId, VariableId};
use crate::number::Cost;

const NPC: &str = "solver";
const GOAL: &str = "done";

/// A domain in the making.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    name: String,
    sizes: Vec<PackedValue>,
    /// Values of all variables together.
    n_slots: u32,
    starts: Vec<Fact>,
    needs: Rows<LocalFact>,
    sets: Rows<LocalFact>,
    costs: Vec<u64>,
    wants: Vec<Fact>,
    row: Vec<LocalFact>,
}

/// What is wrong with what a program gave.
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TablesError {
    /// A variable has no values, or more than can be numbered.
    Values,
    /// A value that its variable does not have.
    Fact,
    /// Two values of one variable in one list.
    Twice,
    /// An action that costs nothing.
    NoCost,
    /// More entries than can be numbered.
    Full,
}

throng_base::error! { TablesError {
    Self::Values => "a variable has no values, or too many";
    Self::Fact => "a variable does not have that value";
    Self::Twice => "two values of one variable are asked for at once";
    Self::NoCost => "an action must cost something";
    Self::Full => "there are more entries than can be numbered";
} }

impl Tables {
    /// A domain with nothing in it.
    pub fn new(name: &str) -> Self {
        Tables { name: name.to_string(), ..Tables::default() }
    }

    /// Adds a variable with the values `0 .. n_values - 1`, which starts at one of them.
    ///
    /// # Errors
    ///
    /// If it has no such value, or too many.
    pub fn add_variable(&mut self, n_values: u16, start: u16) -> Result<VariableId, TablesError> {
        if n_values == 0 || n_values == UNKNOWN {
            return Err(TablesError::Values);
        }
        if start >= n_values {
            return Err(TablesError::Fact);
        }
        // All values together are numbered in 32 bits.
        let n_slots = self.n_slots.checked_add(n_values.into()).ok_or(TablesError::Full)?;
        let variable = VariableId::at(self.sizes.len());
        self.n_slots = n_slots;
        self.sizes.push(n_values);
        self.starts.push(Fact { variable, value: ValueId::at(usize::from(start)) });
        Ok(variable)
    }

    /// A variable having a value.
    ///
    /// # Errors
    ///
    /// If it has no such value.
    pub fn fact(&self, variable: VariableId, value: u16) -> Result<Fact, TablesError> {
        match self.sizes.get(variable.index()) {
            Some(&size) if value < size => {
                Ok(Fact { variable, value: ValueId::at(usize::from(value)) })
            }
            _ => Err(TablesError::Fact),
        }
    }

    /// Adds an action. A value that it requires and sets only has to hold during it.
    ///
    /// # Errors
    ///
    /// If a value does not exist, a list names a variable twice, or the cost is zero.
    pub fn add_action(
        &mut self,
        requires: &[Fact],
        sets: &[Fact],
        cost: Cost,
    ) -> Result<ActionId, TablesError> {
        let action = ActionId::at(self.costs.len());
        // Rows count their entries in 32 bits, those by slot as well.
        let entries = (self.needs.n_entries() + requires.len())
            .max(self.sets.n_entries() + sets.len())
            .max(self.costs.len() + 1);
        if u32::try_from(entries).is_err() {
            return Err(TablesError::Full);
        }
        if cost.0 == 0 {
            return Err(TablesError::NoCost);
        }
        self.fill_row(sets)?;
        self.row.retain(|set| !requires.iter().any(|need| local(need) == *set));
        let sets = std::mem::take(&mut self.row);
        self.fill_row(requires)?;
        self.needs.push(&self.row);
        self.sets.push(&sets);
        self.costs.push(cost.0);
        Ok(action)
    }

    /// Says what is wanted at the end.
    ///
    /// # Errors
    ///
    /// If a value does not exist, or a variable is named twice.
    pub fn set_goal(&mut self, wants: &[Fact]) -> Result<(), TablesError> {
        self.fill_row(wants)?;
        self.wants.clear();
        self.wants.extend(self.row.iter().map(|fact| global(*fact)));
        Ok(())
    }

    /// Checks and sorts a list into `row`.
    fn fill_row(&mut self, facts: &[Fact]) -> Result<(), TablesError> {
        self.row.clear();
        for fact in facts {
            let size = self.sizes.get(fact.variable.index());
            if size.is_none_or(|&size| fact.value.index() >= usize::from(size)) {
                return Err(TablesError::Fact);
            }
            self.row.push(local(fact));
        }
        self.row.sort_unstable();
        let twice = self.row.windows(2).any(|pair| pair[0].variable == pair[1].variable);
        if twice { Err(TablesError::Twice) } else { Ok(()) }
    }

    /// The domain, ready to plan with. The same domain read from a text has the same digest.
    pub fn compile(self) -> CompiledDomain {
        let digest = self.digest();
        let Tables { name, sizes, starts, needs, sets, costs, wants, .. } = self;
        let n_actions = costs.len();
        let wanted: Vec<LocalFact> = wants.iter().map(local).collect();
        let map = SourceMap::numbered(Numbered::new(&name, &sizes, n_actions, GOAL, NPC));
        let npc = NpcTables {
            variables: (0..sizes.len()).map(VariableId::at).collect(),
            actions: (0..n_actions).map(ActionId::at).collect(),
            goals: vec![GoalId::at(0)],
            starts,
            needs,
            sets,
            checks: Rows::empty(n_actions),
            overrides: Rows::empty(n_actions),
            costs,
            wants: Rows::from_lists([wanted]),
            kinds: Rows::empty(n_actions),
            ranges: Rows::empty(n_actions),
            comparisons: Rows::empty(n_actions),
            shifts: Rows::empty(n_actions),
            want_ranges: Rows::empty(1),
            want_comparisons: Rows::empty(1),
            ..NpcTables::default()
        };
        let goal = CompiledGoal { wants: wants.into(), priority: Cost(1000), group: None };
        CompiledDomain {
            npcs: vec![npc.with_sizes(sizes)],
            goals: vec![goal],
            map: std::sync::Arc::new(map),
            digest,
        }
    }

    /// The digest of the model that this would be.
    fn digest(&self) -> Digest {
        let n_actions = self.costs.len() as u64;
        digest_of_written(|out| {
            out.head(&self.name);
            out.number(self.sizes.len() as u64);
            for (at, &size) in self.sizes.iter().enumerate() {
                out.text(&format!("v{}", at + 1));
                out.number(size.into());
                (0..size).for_each(|value| out.text(&value.to_string()));
                out.flag(false);
                out.texts(&[]);
            }
            out.texts(&[]);
            out.number(n_actions);
            for (at, &cost) in self.costs.iter().enumerate() {
                out.text(&format!("a{}", at + 1));
                for row in [self.needs.row(at), self.sets.row(at)] {
                    out.list(row, |out, fact| out.fact(global(*fact)));
                }
                out.number(0);
                out.number(0);
                out.number(cost);
                out.texts(&[]);
            }
            out.number(1);
            out.text(GOAL);
            out.facts(&self.wants);
            out.number(1000);
            out.texts(&[]);
            out.number(1);
            out.text(NPC);
            out.flag(false);
            out.number(n_actions);
            (0..n_actions).for_each(|action| out.number(action));
            out.number(1);
            out.number(0);
            out.facts(&self.starts);
            out.texts(&[]);
        })
    }
}

/// The type touches every variable, so its numbers are the domain's.
fn local(fact: &Fact) -> LocalFact {
    LocalFact { variable: LocalVariable(fact.variable.0), value: fact.value.0 as PackedValue }
}

fn global(fact: LocalFact) -> Fact {
    Fact { variable: VariableId(fact.variable.0), value: ValueId(fact.value.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, Limits, formats};

    #[test]
    fn the_same_domain_as_from_a_text() {
        let text = "domain small\nvar v1: 0..2\nvar v2: 0, 1\n\
            action a1: v1 0 -> 1  while v2 = 1\naction a2: v2 -> 1  cost 2.5\n\
            goal done: v1 = 1, v2 = 0\n\
            npc solver\n    can a1, a2\n    wants done\n    starts v1 = 0, v2 = 0\n";
        let limits = Limits::default();
        let loaded =
            formats::load("x.npc", text, Format::Npc, &limits, &[], &mut formats::no_includes);
        let read = CompiledDomain::new(&loaded.model.unwrap());
        let mut tables = Tables::new("small");
        let v1 = tables.add_variable(3, 0).unwrap();
        let v2 = tables.add_variable(2, 0).unwrap();
        let fact = |tables: &Tables, variable, value| tables.fact(variable, value).unwrap();
        let (one, ready) = (fact(&tables, v1, 1), fact(&tables, v2, 1));
        let from = fact(&tables, v1, 0);
        // What is required and set only has to hold.
        tables.add_action(&[ready, from], &[one, ready], Cost(1000)).unwrap();
        tables.add_action(&[], &[ready], Cost(2500)).unwrap();
        tables.set_goal(&[fact(&tables, v2, 0), one]).unwrap();
        let made = tables.compile();
        assert_eq!(made.digest(), read.digest());
        assert_eq!(format!("{:?}", made.npcs()), format!("{:?}", read.npcs()));
        assert_eq!(made.goals(), read.goals());
        let map = made.map();
        for (id, name) in [(v1, "v1"), (v2, "v2")] {
            assert_eq!((map.variable(id), map.find_variable(name)), (name, Some(id)));
            assert_eq!(map.values(id), read.map().values(id));
        }
        assert_eq!(map.fact(one), "v1 = 1");
    }

    #[test]
    fn more_values_than_can_be_numbered_are_refused() {
        let mut tables = Tables::new("wide");
        let wide = UNKNOWN - 1;
        let fit = u32::MAX / u32::from(wide);
        assert!((0..fit).all(|_| tables.add_variable(wide, 0).is_ok()));
        assert_eq!(tables.add_variable(wide, 0), Err(TablesError::Full));
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        let mut tables = Tables::new("none");
        assert_eq!(tables.add_variable(0, 0), Err(TablesError::Values));
        assert_eq!(tables.add_variable(UNKNOWN, 0), Err(TablesError::Values));
        assert_eq!(tables.add_variable(2, 2), Err(TablesError::Fact));
        let v = tables.add_variable(2, 0).unwrap();
        let (off, on) = (tables.fact(v, 0).unwrap(), tables.fact(v, 1).unwrap());
        assert_eq!(tables.fact(v, 2), Err(TablesError::Fact));
        assert_eq!(tables.add_action(&[off, on], &[], Cost(1)), Err(TablesError::Twice));
        assert_eq!(tables.add_action(&[off], &[on], Cost(0)), Err(TablesError::NoCost));
        let foreign = Fact { variable: VariableId::at(7), value: off.value };
        assert_eq!(tables.set_goal(&[foreign]), Err(TablesError::Fact));
        assert_eq!(tables.compile().npcs()[0].n_actions(), 0);
    }
}
