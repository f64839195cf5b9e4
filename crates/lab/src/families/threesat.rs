//! The gadget that makes planning in SAS-PUC2* as hard as 3SAT.
//!
//! In:   a [`Formula`].
//! Out:  a problem of the class, strictly read, with a plan exactly if the formula can be
//!       satisfied; where the plan puts `set_x` tells the value of variable x.
//! Cost: about four variables and five actions per variable and per literal of the formula.
//!
//! A *window* starts shut, must be opened for a look, and ends shut. An action that needs it
//! shut happens before it opens or after it is shut: not between. That is one bit. Every
//! variable x and every literal of every clause has a window with such an action beside it:
//! `set` before `open` means true, `set` after `shut` means false. Everything else is a *turn*:
//! it goes from no to yes once, and what needs it at no is before it, at yes after it.
//!
//! - A literal x is true only if x is: `open_l` before `tie_x` before `shut_x`, and `set_x` before
//!   `set_l`. Otherwise set_l, open_l, tie_x, shut_x, set_x, set_l is a circle.
//! - A literal not-x is true only if x is false: `open_x` before `set_l`, and `open_l` before
//!   `set_x`. Otherwise set_x, open_x, set_l, open_l, set_x is a circle.
//! - A clause has a literal that is true: `turn_k` before `shut_k`, and `set_k` before the next
//!   turn, around. Otherwise turn_1, shut_1, set_1, turn_2, …, turn_1 is a circle.
//!
//! If the formula is satisfied there is no other circle: nothing leads from a clause back to a
//! variable. `docs/theory.md` has the proof.

use super::formula::Formula;
use super::{Family, Known, Move, Needed, Values};

const SHUT: u32 = 0;
const OPEN: u32 = 1;
const NO: u32 = 0;
const YES: u32 = 1;

/// Formulas up to this length are named in the command that makes them.
const SHORT: usize = 24;
/// Every variable of the formula and every literal owns so many planning variables.
const PER_OWNER: u64 = 4;
/// What they stand for, in their order.
const WINDOW: u64 = 0;
const LOOK: u64 = 1;
const SET: u64 = 2;
/// Of a variable, its tie: between the openings of its positive literals and its own shutting.
/// Of a literal, its turn: before it, and after the one before it in the clause.
const TURN: u64 = 3;

/// One action: which variable it moves, between which values, and what it needs.
struct Step {
    verb: &'static str,
    moves: Move,
    needs: Vec<Needed>,
}

/// The gadget of a formula.
pub struct ThreeSat {
    formula: Formula,
    satisfiable: Option<bool>,
    /// How the names of owners end: `_3` for a variable, `_2_1` for a literal: clause 2, place 1.
    /// The variables come first.
    owners: Vec<String>,
    n_variables: u64,
    steps: Vec<Step>,
}

/// A planning variable of an owner.
fn of(owner: u64, part: u64) -> u64 {
    PER_OWNER * owner + part
}

impl ThreeSat {
    /// The problem that has a plan if and only if the formula can be satisfied.
    pub fn new(formula: Formula) -> ThreeSat {
        let variables = formula.variables();
        let index = |literal: i64| variables.binary_search(&literal.unsigned_abs()).unwrap_or(0);
        let mut owners: Vec<String> = variables.iter().map(|x| format!("_{x}")).collect();
        // A variable opens before its negative literals are set.
        let mut negative: Vec<Vec<Needed>> = vec![Vec::new(); variables.len()];
        for (c, clause) in formula.clauses.iter().enumerate() {
            for (k, &literal) in clause.iter().enumerate() {
                if literal < 0 {
                    negative[index(literal)].push((of(owners.len() as u64, SET), NO));
                }
                owners.push(format!("_{}_{}", c + 1, k + 1));
            }
        }
        let mut steps = Vec::new();
        for (x, open_needs) in (0..).zip(negative) {
            add_window(&mut steps, x, open_needs, vec![(of(x, TURN), YES)], Vec::new());
            add(&mut steps, "tie", of(x, TURN), [NO, YES], Vec::new());
        }
        let mut first = variables.len() as u64;
        for clause in &formula.clauses {
            let length = clause.len() as u64;
            for (k, &literal) in (0..).zip(clause) {
                let (own, x) = (first + k, index(literal) as u64);
                let (open_needs, set_needs) = match literal > 0 {
                    true => ((of(x, TURN), NO), vec![(of(x, SET), YES)]),
                    false => ((of(x, SET), NO), Vec::new()),
                };
                let shut_needs = vec![(of(own, TURN), YES)];
                add_window(&mut steps, own, vec![open_needs], shut_needs, set_needs);
                let before = first + (k + length - 1) % length;
                add(&mut steps, "turn", of(own, TURN), [NO, YES], vec![(of(before, SET), YES)]);
            }
            first += length;
        }
        let (satisfiable, n_variables) = (formula.is_satisfiable(), variables.len() as u64);
        ThreeSat { formula, satisfiable, owners, n_variables, steps }
    }

    fn owner(&self, variable: u64) -> &str {
        &self.owners[(variable / PER_OWNER) as usize]
    }
}

/// The four actions around a window.
fn add_window(
    steps: &mut Vec<Step>,
    owner: u64,
    open_needs: Vec<Needed>,
    shut_needs: Vec<Needed>,
    mut set_needs: Vec<Needed>,
) {
    let window = of(owner, WINDOW);
    set_needs.push((window, SHUT));
    add(steps, "open", window, [SHUT, OPEN], open_needs);
    add(steps, "shut", window, [OPEN, SHUT], shut_needs);
    add(steps, "look", of(owner, LOOK), [NO, YES], vec![(window, OPEN)]);
    add(steps, "set", of(owner, SET), [NO, YES], set_needs);
}

fn add(
    steps: &mut Vec<Step>,
    verb: &'static str,
    variable: u64,
    [from, to]: [u32; 2],
    mut needs: Vec<Needed>,
) {
    needs.sort_unstable();
    steps.push(Step { verb, moves: Move { variable, from, to }, needs });
}

impl Family for ThreeSat {
    fn domain(&self) -> String {
        "threesat".to_string()
    }

    fn about(&self) -> String {
        let text = self.formula.text();
        let clauses = match text.len() <= SHORT {
            true => format!(" --clauses \"{text}\""),
            false => String::new(),
        };
        let formula = formula_lines(&text).join("\n");
        let answer = match self.satisfiable {
            Some(true) => "It can be satisfied, so there is a plan; it has every action once.",
            Some(false) => "It cannot be satisfied, so there is no plan.",
            None => "Whether it can be satisfied was not tried: it has too many variables.",
        };
        format!(
            "\
A formula as a planning problem, generated: throng gen threesat{clauses}

{formula}

{answer}

How to read a plan: variable x is true if set_x comes before open_x, false if it comes
after shut_x. set_x needs the window shut, so it is never between.

set_2_1, open_2_1 and shut_2_1 do the same for the first literal of clause 2. The ties
keep a literal from being true when its variable says otherwise; the turns of a clause
form a circle if all its literals are false.

Source: ours. It shows that plan existence in SAS-PUC2* is NP-complete; the class
is that of \"Topological Planning with Post-unique and Unary Actions\", strictly read. The
proof is in docs/theory.md."
        )
    }

    fn names(&self) -> (&'static str, &'static str) {
        ("solver", "all_done")
    }

    fn known(&self) -> Known {
        match self.satisfiable {
            Some(true) => Known::Length(self.n_actions()),
            Some(false) => Known::Impossible,
            None => Known::Nothing,
        }
    }

    fn n_variables(&self) -> u64 {
        PER_OWNER * self.owners.len() as u64
    }

    fn variable_name(&self, variable: u64) -> String {
        let word = match variable % PER_OWNER {
            WINDOW => "window",
            LOOK => "looked",
            SET => "is_set",
            _ if variable < PER_OWNER * self.n_variables => "tied",
            _ => "turned",
        };
        format!("{word}{}", self.owner(variable))
    }

    fn values(&self, variable: u64) -> Values {
        match variable % PER_OWNER {
            WINDOW => Values::Words(&["shut", "open"]),
            _ => Values::Words(&["no", "yes"]),
        }
    }

    fn start_and_goal(&self, variable: u64) -> (u32, u32) {
        if variable % PER_OWNER == WINDOW { (SHUT, SHUT) } else { (NO, YES) }
    }

    fn n_actions(&self) -> u64 {
        self.steps.len() as u64
    }

    fn action_name(&self, action: u64) -> String {
        let step = &self.steps[action as usize];
        format!("{}{}", step.verb, self.owner(step.moves.variable))
    }

    fn action(&self, action: u64) -> Move {
        self.steps[action as usize].moves
    }

    fn needs(&self, action: u64) -> Box<dyn Iterator<Item = Needed> + '_> {
        Box::new(self.steps[action as usize].needs.iter().copied())
    }

    fn n_needs(&self) -> u64 {
        self.steps.iter().map(|step| step.needs.len() as u64).sum()
    }
}

/// The formula in lines of about eighty letters, cut short if there are many.
fn formula_lines(text: &str) -> Vec<String> {
    let mut lines = vec!["Formula:".to_string()];
    for clause in text.split(", ") {
        if lines.len() > 20 {
            lines.push("    and more".to_string());
            return lines;
        }
        let part = format!(" ({})", clause.replace(' ', " or "));
        match lines.last_mut() {
            Some(line) if line.len() + part.len() <= 88 => line.push_str(&part),
            _ => lines.push(format!("   {part}")),
        }
    }
    lines
}
