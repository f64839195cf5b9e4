//! Reads a `.sas` text, section by section.
//!
//! In:   a text and limits.
//! Out:  a named task, or the first mistake.
//! Cost: linear in the text, with at most some thirty bytes of memory per byte (names of one letter).
//!
//! Refused although other readers may take it, because it has no meaning that they agree on:
//! operators that set a derived variable or need two values of one, rules that are not in
//! layers, derived variables with other than two values.

use super::Limits;
use super::lines::{Fields, Lines, SasError};
use super::overruled::that_count;
use crate::named::{NamedTask, VariableNames, clash};
use throng_domain::Cost;
use throng_domain::compile::PackedValue;
use throng_planner::forward::Atom;

/// The largest cost: other planners keep costs in 32 bits with a sign.
pub(super) const MOST_COST: i64 = i32::MAX as i64;
/// How many values a derived variable has: what it is by default, and the other.
pub(super) const VALUES_OF_DERIVED: usize = 2;

/// Reads a text.
///
/// # Errors
///
/// The first mistake, with its line and what to do about it.
pub fn read(text: &str, limits: &Limits) -> Result<NamedTask, SasError> {
    if text.len() > limits.text_bytes {
        let bytes = limits.text_bytes;
        let what = format!("the text has {} bytes, at most {bytes} are allowed", text.len());
        return Err(SasError::new(1, what, "ground a smaller task, with fewer objects"));
    }
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        let cure = "write it again: it begins with `begin_version`";
        return Err(SasError::new(1, "the file is empty", cure));
    }
    let mut reader = Reader {
        lines: Lines::new(text),
        limits,
        layers: Vec::new(),
        start: Vec::new(),
        named: NamedTask::default(),
    };
    reader.header()?;
    reader.variables()?;
    reader.mutexes()?;
    reader.start()?;
    reader.goal()?;
    reader.operators()?;
    reader.rules()?;
    reader.lines.end()?;
    Ok(reader.named)
}

struct Reader<'t> {
    lines: Lines<'t>,
    limits: &'t Limits,
    /// Per variable, -1 or the layer of its rules.
    layers: Vec<i64>,
    start: Vec<PackedValue>,
    named: NamedTask,
}

/// One operator while it is read.
#[derive(Default)]
struct Operator {
    needs: Vec<Atom>,
    /// Conditions and what comes of them, in the order of the lines.
    effects: Vec<(Vec<Atom>, Atom)>,
}

impl Reader<'_> {
    fn header(&mut self) -> Result<(), SasError> {
        self.lines.word("begin_version")?;
        let version = self.lines.number("the version", 0)?;
        if version != 3 {
            let what = format!("version {version} is not understood");
            let cure = "only version 3 is: translate the task again with a planner of after 2011";
            return Err(self.lines.error(what, cure));
        }
        self.lines.word("end_version")?;
        self.lines.word("begin_metric")?;
        let metric = self.lines.number("the metric", 0)?;
        if metric > 1 {
            let cure = "write 0 (every operator counts 1) or 1 (costs count)";
            return Err(self.lines.error(format!("the metric cannot be `{metric}`"), cure));
        }
        self.named.has_metric = metric == 1;
        self.lines.word("end_metric")
    }

    fn variables(&mut self) -> Result<(), SasError> {
        let count = self.lines.count("variables", self.limits.variables, 6)?;
        for _ in 0..count {
            self.lines.word("begin_variable")?;
            let name = self.lines.next("a variable's name")?.to_owned();
            let layer = self.lines.number("the axiom layer", -1)?;
            if layer >= i64::from(u32::MAX) {
                let what = format!("{layer} is no layer");
                return Err(self.lines.error(what, "number layers from 0 on"));
            }
            let most = self.limits.values.min(usize::from(PackedValue::MAX));
            let size = self.lines.count("values", most, 1)?;
            if size == 0 {
                let what = format!("variable `{name}` has no value");
                return Err(self.lines.error(what, "give it the value it always has"));
            }
            if layer >= 0 && size != VALUES_OF_DERIVED {
                let what = format!("derived variable `{name}` has {size} values");
                let cure = "a derived variable has two: its default and the other";
                return Err(self.lines.error(what, cure));
            }
            let value = |_| Ok(self.lines.next("a value's name")?.to_owned());
            let values = (0..size).map(value).collect::<Result<_, SasError>>()?;
            self.lines.word("end_variable")?;
            self.layers.push(layer);
            self.named.variables.push(VariableNames { name, values });
        }
        Ok(())
    }

    fn mutexes(&mut self) -> Result<(), SasError> {
        let count = self.lines.count("mutex groups", self.limits.mutexes, 3)?;
        for _ in 0..count {
            self.lines.word("begin_mutex_group")?;
            let group = self.atoms("facts of the group")?;
            self.named.mutexes.push(group);
            self.lines.word("end_mutex_group")?;
        }
        Ok(())
    }

    fn start(&mut self) -> Result<(), SasError> {
        self.lines.word("begin_state")?;
        for variable in 0..self.layers.len() {
            let mut fields = self.lines.fields("a value of the start")?;
            let value = self.value(&mut fields, variable as u32)?;
            fields.end()?;
            self.start.push(value);
        }
        self.lines.word("end_state")?;
        let task = &mut self.named.task;
        for (at, &value) in self.start.iter().enumerate() {
            let size = self.named.variables[at].values.len() as u32;
            match self.layers[at] {
                -1 => task.add_variable(size, value),
                layer => task.add_derived(size, value, layer as u32),
            };
        }
        Ok(())
    }

    fn goal(&mut self) -> Result<(), SasError> {
        self.lines.word("begin_goal")?;
        let mut goal = self.atoms("facts of the goal")?;
        self.one_value_each(&mut goal.clone(), "the goal")?;
        // In the order of the file, so that it is written so again.
        let mut seen = std::collections::HashSet::new();
        goal.retain(|&atom| seen.insert(atom));
        self.lines.word("end_goal")?;
        self.named.task.set_goal(goal.into_iter());
        Ok(())
    }

    fn operators(&mut self) -> Result<(), SasError> {
        let count = self.lines.count("operators", self.limits.operators, 6)?;
        for _ in 0..count {
            self.lines.word("begin_operator")?;
            let name = self.lines.next("an operator's name")?;
            self.named.operators.push(name);
            let mut operator =
                Operator { needs: self.atoms("prevail lines")?, ..Operator::default() };
            let effects = self.lines.count("effects", usize::MAX, 1)?;
            for _ in 0..effects {
                self.effect(&mut operator)?;
            }
            self.one_value_each(&mut operator.needs, "the operator")?;
            let cost = self.lines.number("the cost", 0)?;
            if cost > MOST_COST {
                let what = format!("a cost of {cost} is too large");
                return Err(self.lines.error(what, format!("costs go up to {MOST_COST}")));
            }
            self.lines.word("end_operator")?;
            let cost = if self.named.has_metric { cost as u64 } else { 1 } * Cost::ONE.0;
            let (sets, effects) = that_count(operator.effects.into_iter());
            let task = &mut self.named.task;
            task.add_operator(operator.needs.into_iter(), sets.into_iter(), cost);
            for (when, sets) in effects {
                task.add_effect(when.into_iter(), sets);
            }
        }
        Ok(())
    }

    /// Reads an effect: `c {variable value}×c variable before|-1 after`.
    fn effect(&mut self, operator: &mut Operator) -> Result<(), SasError> {
        let mut fields = self.lines.fields("an effect")?;
        let conditions = fields.number("the number of conditions", 0)?;
        let when = (0..conditions).map(|_| self.atom(&mut fields));
        let mut when = when.collect::<Result<Vec<_>, _>>()?;
        let (variable, before, sets) = self.change(&mut fields)?;
        if self.layers[variable as usize] >= 0 {
            let name = &self.named.variables[variable as usize].name;
            let what = format!("an operator sets derived variable `{name}`");
            return Err(fields.error(what, "only rules set derived variables"));
        }
        operator.needs.extend(before.map(|value| Atom { variable, value }));
        if clash(&mut when).is_none() {
            operator.effects.push((when, sets));
        }
        Ok(())
    }

    fn rules(&mut self) -> Result<(), SasError> {
        let count = self.lines.count("rules", self.limits.rules, 4)?;
        for _ in 0..count {
            self.lines.word("begin_rule")?;
            let mut when = self.atoms("conditions of the rule")?;
            let mut fields = self.lines.fields("what the rule sets")?;
            let (variable, before, sets) = self.change(&mut fields)?;
            let default = self.start[variable as usize];
            let layer = self.layers[variable as usize];
            let name = &self.named.variables[variable as usize].name;
            if layer < 0 {
                let what = format!("a rule sets variable `{name}`, which is not derived");
                let cure = "give the variable a layer from 0 on, or make the rule an operator";
                return Err(fields.error(what, cure));
            }
            if before.is_some_and(|value| value != default) || sets.value == default {
                let what =
                    format!("the rule does not lead `{name}` from its default to the other value");
                let cure = format!("write `{variable} {default} {}`", 1 - default.min(1));
                return Err(fields.error(what, cure));
            }
            let early = |atom: &&Atom| {
                let other = self.layers[atom.variable as usize];
                other > layer || other == layer && atom.value == self.start[atom.variable as usize]
            };
            if let Some(atom) = when.iter().find(early) {
                let other = &self.named.variables[atom.variable as usize].name;
                let what = format!("the rule for `{name}` asks for `{other}` before it is decided");
                let cure = format!("put `{other}` into a lower layer than `{name}`");
                return Err(fields.error(what, cure));
            }
            self.lines.word("end_rule")?;
            if clash(&mut when).is_none() {
                self.named.task.add_axiom(when.into_iter(), sets);
            }
        }
        Ok(())
    }

    /// A count, and so many lines of `variable value`.
    fn atoms(&mut self, what: &str) -> Result<Vec<Atom>, SasError> {
        let count = self.lines.count(what, usize::MAX, 1)?;
        let mut atoms = Vec::new();
        for _ in 0..count {
            let mut fields = self.lines.fields("a variable and its value")?;
            atoms.push(self.atom(&mut fields)?);
            fields.end()?;
        }
        Ok(atoms)
    }

    /// `variable before|-1 after`, to the end of the line.
    fn change(
        &self,
        fields: &mut Fields<'_>,
    ) -> Result<(u32, Option<PackedValue>, Atom), SasError> {
        let variable = self.variable(fields)?;
        let before = match fields.number("the value before", -1)? {
            -1 => None,
            before => Some(self.legal(fields, variable, before)?),
        };
        let value = self.value(fields, variable)?;
        fields.end()?;
        Ok((variable, before, Atom { variable, value }))
    }

    fn atom(&self, fields: &mut Fields<'_>) -> Result<Atom, SasError> {
        let variable = self.variable(fields)?;
        Ok(Atom { variable, value: self.value(fields, variable)? })
    }

    fn variable(&self, fields: &mut Fields<'_>) -> Result<u32, SasError> {
        let variable = fields.number("the variable", 0)?;
        let count = self.layers.len();
        if (variable as u64) < count as u64 {
            return Ok(variable as u32);
        }
        let cure = format!("there are {count}, numbered from 0");
        Err(fields.error(format!("there is no variable {variable}"), cure))
    }

    fn value(&self, fields: &mut Fields<'_>, variable: u32) -> Result<PackedValue, SasError> {
        let value = fields.number("the value", 0)?;
        self.legal(fields, variable, value)
    }

    fn legal(
        &self,
        fields: &Fields<'_>,
        variable: u32,
        value: i64,
    ) -> Result<PackedValue, SasError> {
        let names = &self.named.variables[variable as usize];
        if (value as u64) < names.values.len() as u64 {
            return Ok(value as PackedValue);
        }
        let what = format!("variable `{}` has no value {value}", names.name);
        Err(fields.error(what, format!("it has {}, numbered from 0", names.values.len())))
    }

    /// Leaves each fact once; two values of one variable are a mistake.
    fn one_value_each(&self, atoms: &mut Vec<Atom>, who: &str) -> Result<(), SasError> {
        let Some(variable) = clash(atoms) else { return Ok(()) };
        let name = &self.named.variables[variable as usize].name;
        let what = format!("{who} needs two values of variable `{name}` at once");
        Err(self.lines.error(what, "that never holds: leave one, or leave the operator out"))
    }
}
