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
//! it goes from no to yes once, and whoever needs it at no is before it, at yes after it.
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

/// What a planning variable stands for. A window belongs to a variable or to a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Window(Owner),
    Look(Owner),
    Set(Owner),
    /// Between the openings of the positive literals and the shutting of their variable.
    Tie(u64),
    /// Before the literal at this place in this clause, after the one before it.
    Turn(usize, usize),
}

/// A variable of the formula, or the literal at a place in a clause; both counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Variable(u64),
    Literal(usize, usize),
}

/// One action: which variable it moves, between which values, and what it needs.
struct Step {
    verb: &'static str,
    role: Role,
    moves: Move,
    needs: Vec<Needed>,
}

/// The gadget of a formula.
pub struct ThreeSat {
    formula: Formula,
    satisfiable: Option<bool>,
    roles: Vec<Role>,
    steps: Vec<Step>,
}

/// Where the four planning variables of each owner stand.
struct Places {
    variables: Vec<u64>,
    /// The first planning variable of each clause.
    clauses: Vec<u64>,
}

/// Formulas up to this length are named in the command that makes them.
const SHORT: usize = 24;

/// Planning variables per owner: window, look, set, and tie or turn.
const PER_OWNER: u64 = 4;

impl Places {
    fn of(&self, role: Role) -> u64 {
        let owner = |owner| match owner {
            Owner::Variable(x) => self.tie_of(x) - 3,
            Owner::Literal(clause, place) => self.clauses[clause] + PER_OWNER * place as u64,
        };
        match role {
            Role::Window(of) => owner(of),
            Role::Look(of) => owner(of) + 1,
            Role::Set(of) => owner(of) + 2,
            Role::Tie(x) => self.tie_of(x),
            Role::Turn(clause, place) => owner(Owner::Literal(clause, place)) + 3,
        }
    }

    fn tie_of(&self, x: u64) -> u64 {
        let index = self.variables.binary_search(&x).unwrap_or(0);
        PER_OWNER * index as u64 + 3
    }
}

impl ThreeSat {
    /// The problem that has a plan if and only if the formula can be satisfied.
    pub fn new(formula: Formula) -> ThreeSat {
        let satisfiable = formula.is_satisfiable();
        let mut gadget = ThreeSat { formula, satisfiable, roles: Vec::new(), steps: Vec::new() };
        gadget.build();
        gadget
    }

    fn build(&mut self) {
        let variables = self.formula.variables();
        let mut next = PER_OWNER * variables.len() as u64;
        let mut clauses = Vec::new();
        for clause in &self.formula.clauses {
            clauses.push(next);
            next += PER_OWNER * clause.len() as u64;
        }
        let places = Places { variables, clauses };
        for &x in &places.variables {
            let of = Owner::Variable(x);
            self.roles.extend([Role::Window(of), Role::Look(of), Role::Set(of), Role::Tie(x)]);
        }
        for (c, clause) in self.formula.clauses.iter().enumerate() {
            for k in 0..clause.len() {
                let of = Owner::Literal(c, k);
                let turn = Role::Turn(c, k);
                self.roles.extend([Role::Window(of), Role::Look(of), Role::Set(of), turn]);
            }
        }
        self.add_variables(&places);
        self.add_literals(&places);
    }

    /// The window of every variable: its literals' sets wait for its opening or are waited for.
    fn add_variables(&mut self, places: &Places) {
        let mut negative: Vec<Vec<Needed>> = vec![Vec::new(); places.variables.len()];
        for (c, clause) in self.formula.clauses.iter().enumerate() {
            for (k, literal) in clause.iter().enumerate().filter(|(_, literal)| **literal < 0) {
                let index = places.variables.binary_search(&literal.unsigned_abs()).unwrap_or(0);
                negative[index].push((places.of(Role::Set(Owner::Literal(c, k))), NO));
            }
        }
        for (&x, open_needs) in places.variables.iter().zip(negative) {
            let tie = places.of(Role::Tie(x));
            self.add_window(places, Owner::Variable(x), open_needs, vec![(tie, YES)], Vec::new());
            self.add(places, "tie", Role::Tie(x), NO, YES, Vec::new());
        }
    }

    /// The window of every literal, tied to its variable and to its neighbours in the clause.
    fn add_literals(&mut self, places: &Places) {
        let clauses = self.formula.clauses.clone();
        for (c, clause) in clauses.iter().enumerate() {
            for (k, &literal) in clause.iter().enumerate() {
                let x = literal.unsigned_abs();
                let set_x = places.of(Role::Set(Owner::Variable(x)));
                let (open_needs, set_needs) = match literal > 0 {
                    true => ((places.of(Role::Tie(x)), NO), vec![(set_x, YES)]),
                    false => ((set_x, NO), Vec::new()),
                };
                let shut_needs = vec![(places.of(Role::Turn(c, k)), YES)];
                let of = Owner::Literal(c, k);
                self.add_window(places, of, vec![open_needs], shut_needs, set_needs);
                let before = Owner::Literal(c, (k + clause.len() - 1) % clause.len());
                let turn_needs = vec![(places.of(Role::Set(before)), YES)];
                self.add(places, "turn", Role::Turn(c, k), NO, YES, turn_needs);
            }
        }
    }

    /// The four actions around a window.
    fn add_window(
        &mut self,
        places: &Places,
        of: Owner,
        open_needs: Vec<Needed>,
        shut_needs: Vec<Needed>,
        mut set_needs: Vec<Needed>,
    ) {
        let window = places.of(Role::Window(of));
        set_needs.push((window, SHUT));
        self.add(places, "open", Role::Window(of), SHUT, OPEN, open_needs);
        self.add(places, "shut", Role::Window(of), OPEN, SHUT, shut_needs);
        self.add(places, "look", Role::Look(of), NO, YES, vec![(window, OPEN)]);
        self.add(places, "set", Role::Set(of), NO, YES, set_needs);
    }

    fn add(
        &mut self,
        places: &Places,
        verb: &'static str,
        role: Role,
        from: u32,
        to: u32,
        mut needs: Vec<Needed>,
    ) {
        needs.sort_unstable();
        let moves = Move { variable: places.of(role), from, to };
        self.steps.push(Step { verb, role, moves, needs });
    }
}

/// A word and whose it is: `_3` for a variable, `_2_1` for a literal: clause 2, place 1.
fn owned(word: &str, role: Role) -> String {
    let owner = match role {
        Role::Window(of) | Role::Look(of) | Role::Set(of) => of,
        Role::Tie(x) => Owner::Variable(x),
        Role::Turn(clause, place) => Owner::Literal(clause, place),
    };
    match owner {
        Owner::Variable(x) => format!("{word}_{x}"),
        Owner::Literal(clause, place) => format!("{word}_{}_{}", clause + 1, place + 1),
    }
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
        self.roles.len() as u64
    }

    fn variable_name(&self, variable: u64) -> String {
        let role = self.roles[variable as usize];
        let word = match role {
            Role::Window(_) => "window",
            Role::Look(_) => "looked",
            Role::Set(_) => "is_set",
            Role::Tie(_) => "tied",
            Role::Turn(..) => "turned",
        };
        owned(word, role)
    }

    fn values(&self, variable: u64) -> Values {
        match self.roles[variable as usize] {
            Role::Window(_) => Values::Words(&["shut", "open"]),
            _ => Values::Words(&["no", "yes"]),
        }
    }

    fn start_and_goal(&self, variable: u64) -> (u32, u32) {
        match self.roles[variable as usize] {
            Role::Window(_) => (SHUT, SHUT),
            _ => (NO, YES),
        }
    }

    fn n_actions(&self) -> u64 {
        self.steps.len() as u64
    }

    fn action_name(&self, action: u64) -> String {
        let step = &self.steps[action as usize];
        owned(step.verb, step.role)
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
