//! Equal steps in a row, told as one: `chop ×3`.
//!
//! In:   the names of a plan's steps.
//! Out:  rows of equal ones; numbers of steps as people say them.
//! Cost: a look at each step.
//!
//! Only for people: programs get every step.

use std::ops::Range;

/// Steps of one name that follow each other, by index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) steps: Range<usize>,
}

impl Row {
    /// How often it is done.
    pub(crate) fn times(&self) -> usize {
        self.steps.len()
    }

    /// `3`, or `3-5`.
    pub(crate) fn numbers(&self) -> String {
        let (first, last) = (self.steps.start + 1, self.steps.end);
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    }

    /// `chop`, or `chop ×3`.
    pub(crate) fn name(&self, name: &str) -> String {
        times_name(name, self.times())
    }
}

/// `chop`, or `chop ×3`.
pub(crate) fn times_name(name: &str, times: usize) -> String {
    match times {
        1 => name.to_string(),
        times => format!("{name} ×{times}"),
    }
}

/// The rows of a plan.
pub(crate) fn rows<T: PartialEq>(names: &[T]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (at, name) in names.iter().enumerate() {
        match rows.last_mut() {
            Some(row) if names[row.steps.start] == *name => row.steps.end = at + 1,
            _ => rows.push(Row { steps: at..at + 1 }),
        }
    }
    rows
}

/// All names in a line: `chop ×3, saw`.
pub(crate) fn in_a_line<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    let rows = rows(&names);
    let rows = rows.iter().map(|row| row.name(names[row.steps.start]));
    rows.collect::<Vec<_>>().join(", ")
}

/// Runs of steps with one name; the steps rise.
fn runs(steps: &[usize], names: &[&str]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for &step in steps {
        match runs.last_mut() {
            Some(run) if run.end == step && names[run.start] == names[step] => run.end += 1,
            _ => runs.push(step..step + 1),
        }
    }
    runs
}

/// The numbers of steps, of three and more equal ones in a row the first and the last: `1 to 3`.
pub(crate) fn step_numbers(steps: &[usize], names: &[&str]) -> Vec<String> {
    let mut numbers: Vec<String> = Vec::new();
    for run in runs(steps, names) {
        match run.len() {
            1 | 2 => numbers.extend(run.map(|step| (step + 1).to_string())),
            _ => numbers.push(format!("{} to {}", run.start + 1, run.end)),
        }
    }
    numbers
}

/// `step 2, sell`, `steps 2, 3 and 4`; of equal ones in a row the first and the last: `steps 1 to 3,
/// chop`. The steps rise.
pub(crate) fn told_steps(steps: &[usize], names: &[&str]) -> String {
    if let [one] = &runs(steps, names)[..] {
        let (first, last, name) = (one.start + 1, one.end, names[one.start]);
        return match one.len() {
            1 => format!("step {first}, {name}"),
            2 => format!("steps {first} and {last}, {name}"),
            _ => format!("steps {first} to {last}, {name}"),
        };
    }
    match &step_numbers(steps, names)[..] {
        [first @ .., last] if !first.is_empty() => format!("steps {} and {last}", first.join(", ")),
        numbers => format!("step {}", numbers.concat()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: [&str; 7] = ["chop", "chop", "chop", "saw", "chop", "chop", "sell"];

    #[test]
    fn equal_steps_in_a_row_are_one() {
        let rows = rows(&PLAN);
        let told: Vec<String> =
            rows.iter().map(|row| row.numbers() + " " + &row.name(PLAN[row.steps.start])).collect();
        assert_eq!(told, ["1-3 chop ×3", "4 saw", "5-6 chop ×2", "7 sell"]);
        assert_eq!(in_a_line(PLAN.into_iter()), "chop ×3, saw, chop ×2, sell");
    }

    #[test]
    fn steps_are_named_as_people_do() {
        for (steps, text) in [
            (&[3][..], "step 4, saw"),
            (&[0, 1, 2], "steps 1 to 3, chop"),
            (&[4, 5], "steps 5 and 6, chop"),
            (&[0, 1, 2, 3], "steps 1 to 3 and 4"),
            (&[2, 3, 6], "steps 3, 4 and 7"),
            (&[3, 4, 5], "steps 4, 5 and 6"),
            (&[0, 1, 2, 4, 5, 6], "steps 1 to 3, 5, 6 and 7"),
        ] {
            assert_eq!(told_steps(steps, &PLAN), text);
        }
    }
}
