//! Random selections: what is picked, and of what, with every part that a `select` may have.

use super::super::notes::{Rules, Scope, Select, curve};
use super::Writer;
use std::fmt::Write;
use throng_base::SplitMix;

/// Names and slots; the rest is written when it is known what there is to ask for.
pub(super) fn heads(dice: &mut SplitMix, count: usize) -> Vec<Select> {
    let head = |at: usize, dice: &mut SplitMix| {
        let name = format!("t{at}");
        let slots = match dice.percent(50) {
            true => vec![name.clone()],
            false => (1..=dice.within(2, 3)).map(|slot| format!("{name}.{slot}")).collect(),
        };
        Select { name, slots }
    };
    (0..count).map(|at| head(at, dice)).collect()
}

impl Writer<'_> {
    /// All selections, in any order: each asks for those before it at most, and for itself.
    pub(super) fn write_selects(&mut self) {
        let mut lines: Vec<String> = (0..self.selects.len()).map(|at| self.select(at)).collect();
        if self.chance(50) {
            lines.reverse();
        }
        lines.iter().for_each(|line| self.line(line));
    }

    fn select(&mut self, at: usize) -> String {
        let asked = if self.chance(25) { at + 1 } else { at };
        let Writer { variables, selects, declares, dice, .. } = self;
        let rules = Rules { variables, selects: &selects[..asked], declares: *declares };
        // One that is off because of what it has picked is on again when it has nothing.
        let others = Rules { variables, selects: &selects[..at], declares: *declares };
        let Select { name, slots } = &selects[at];
        let how = if slots.len() == 1 { "one".into() } else { format!("best {}", slots.len()) };
        let mut line = format!("select {name}: {how} of {}", candidates(&rules, dice));
        while dice.percent(45) {
            _ = write!(line, " or {}", candidates(&rules, dice));
        }
        let mut part = |percent: usize, what: &mut dyn FnMut(&mut SplitMix) -> String| {
            if dice.percent(percent) {
                _ = write!(line, "  {}", what(dice));
            }
        };
        part(20, &mut |dice| format!("by {}", dice.pick(&["object", "node", "amount"])));
        part(30, &mut |dice| format!("where {}", rules.condition(dice, Scope::IT)));
        part(70, &mut |dice| {
            let terms: Vec<String> = (0..dice.within(1, 2)).map(|_| score(&rules, dice)).collect();
            format!("score {}", terms.join(" times "))
        });
        part(50, &mut |dice| format!("margin {}", dice.pick(&["0", "0.05", "0.3", "1"])));
        part(40, &mut |dice| format!("keep {}", dice.pick(&["0", "0.2", "0.5", "2"])));
        part(50, &mut |dice| format!("every {}", dice.pick(&["0", "0.1", "0.2", "1"])));
        part(20, &mut |dice| format!("while {}", others.condition(dice, Scope::ELSEWHERE)));
        part(45, &mut |dice| dice.pick(&["claims", "claims", "claims 1", "claims 2"]).to_string());
        part(35, &mut |dice| format!("spread {}", dice.pick(&["0", "0.25", "0.7"])));
        line
    }
}

/// Most facts of a kind, so that there is something to pick.
fn candidates(rules: &Rules<'_>, dice: &mut SplitMix) -> String {
    match dice.percent(50) {
        true => format!("{}(object)", dice.pick(&super::super::notes::KINDS)),
        false => rules.of_kind(dice, Scope::ELSEWHERE),
    }
}

/// A term that is above zero for most candidates.
fn score(rules: &Rules<'_>, dice: &mut SplitMix) -> String {
    let measure = match dice.below(6) {
        0 => "distance of it".to_string(),
        1 => "amount of it else 0.5".to_string(),
        2 => format!("sure {} of it", dice.pick(&["node", "knowledge"])),
        3 => "age of it".to_string(),
        _ => return rules.term(dice, Scope::IT),
    };
    format!("{measure} {}", curve(dice, &["0.1", "0.4", "0.8", "1"]))
}
