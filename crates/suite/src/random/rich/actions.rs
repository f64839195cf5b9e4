//! Actions of every form that the language has.
//!
//! Each form is drawn so that at least one of the actions that it stands for exists: a
//! statement that means nothing is an error.

use super::{CHECKS, Kind, NUMBERS, Variable, Writer, behind};

impl Writer<'_> {
    /// Declares an action or a template.
    pub(super) fn action(&mut self) {
        let name = self.fresh("action");
        self.bases.push(name.clone());
        match self.dice.below(6) {
            0 => self.template(&name),
            1 => self.double_template(&name),
            2 => self.counting(&name),
            3 => self.two_variables(&name),
            _ => self.plain(&name),
        }
    }

    /// Writes an action down, with clauses of all kinds; `true` if it has alternatives, which
    /// add to its name.
    fn push_action(
        &mut self,
        head: &str,
        effects: &str,
        mut conditions: Vec<String>,
        taken: &[usize],
    ) -> bool {
        let mut alternatives = None;
        if self.dice.percent(20) {
            alternatives = self.alternatives(taken);
        }
        match &alternatives {
            Some(alternatives) => conditions.push(alternatives.clone()),
            None => conditions.extend(self.facts(taken, 2)),
        }
        let mut clauses = Vec::new();
        if !conditions.is_empty() {
            clauses.push(format!("while {}", conditions.join(" , ")));
        }
        if self.dice.percent(30) {
            clauses.push(self.ifs());
        }
        if self.dice.percent(30) {
            clauses.push(format!("cost {}", self.dice.pick(&NUMBERS)));
        }
        if self.dice.percent(15) && !self.actions.is_empty() {
            clauses.push(format!("overrides {}", self.dice.pick(&self.actions)));
        }
        clauses.extend(self.note_clauses(|words| words.action_clauses));
        self.dice.shuffle(&mut clauses);
        // Last: an `if` or `cost` behind a kind is the kind's own.
        if self.dice.percent(15) {
            clauses.push(self.kinds());
        }
        let (clauses, was) = (behind(&clauses), self.was());
        self.statements.push(format!("action {head} : {effects}{clauses}{was}").replace("  ", " "));
        alternatives.is_some()
    }

    /// `kinds a if x and not y cost 2 , b`.
    fn kinds(&mut self) -> String {
        let mut kinds = Vec::new();
        for (at, name) in ["roll", "cost", "if"].into_iter().enumerate() {
            if at > 0 && self.dice.percent(40) {
                continue;
            }
            let mut kind = name.to_string();
            if self.dice.percent(60) {
                kind += &format!(" {}", self.ifs().replace(" , ", " and "));
            }
            if self.dice.percent(40) {
                kind += &format!(" cost {}", self.dice.pick(&NUMBERS));
            }
            kinds.push(kind);
        }
        format!("kinds {}", kinds.join(" , "))
    }

    /// Two actions that can follow each other, and a compound of them.
    pub(super) fn compound(&mut self) {
        let at = self.dice.below(self.variables.len());
        let variable = self.name_of(at).to_string();
        let values = self.variables[at].values.clone();
        let (first, second) = (self.fresh("action"), self.fresh("action"));
        let check = if self.dice.percent(50) { " if compound_check" } else { "" };
        let last = self.dice.pick(&values).clone();
        self.statements
            .push(format!("action {first} : {variable} {} -> {}{check}", values[0], values[1]));
        self.statements
            .push(format!("action {second} : {variable} {} -> {last} cost 3", values[1]));
        let name = self.fresh("action");
        let mut clauses = Vec::new();
        if self.dice.percent(30) {
            clauses.push(self.ifs());
        }
        if self.dice.percent(30) {
            clauses.push(format!("cost {}", self.dice.pick(&NUMBERS)));
        }
        if self.dice.percent(20) {
            clauses.push(format!("overrides {first}"));
        }
        let clauses = behind(&clauses);
        let (head, was) = (
            if self.dice.percent(20) { format!("{name} ( a 3 )") } else { name.clone() },
            self.was(),
        );
        self.statements.push(format!("compound {head} : {first} , {second}{clauses}{was}"));
        self.bases.push(name.clone());
        self.actions.extend([first, second, name]);
    }

    fn ifs(&mut self) -> String {
        let count = self.dice.within(1, 3);
        let mut words = Vec::new();
        for check in self.dice.some_of(CHECKS.len(), count) {
            let check = CHECKS[check];
            words.push(format!("{}{check}", if self.dice.percent(30) { "not " } else { "" }));
            if !self.checks.contains(&check) {
                self.checks.push(check);
            }
        }
        format!("if {}", words.join(" , "))
    }

    /// `a x -> y , b -> z while b != x`, a ground name now and then, or no change at all.
    fn plain(&mut self, name: &str) {
        let (mut effects, mut taken, mut conditions) = (Vec::new(), Vec::new(), Vec::new());
        let least = usize::from(self.dice.percent(95));
        for _ in 0..self.dice.within(least, 3) {
            let Some(variable) = self.other_than(&taken) else { break };
            let to = self.value_of(variable);
            let from = if self.dice.percent(60) { self.value_of(variable) } else { String::new() };
            // Of what it changes from any value: not from this one, or from one of two. Some of
            // the actions that it stands for then find the value there already.
            let name = self.name_of(variable).to_string();
            match self.dice.below(10) {
                _ if !from.is_empty() => {}
                0 | 1 => conditions.push(format!("{name} != {}", self.value_of(variable))),
                2 => {
                    let (one, other) = (self.value_of(variable), self.value_of(variable));
                    conditions.push(format!("{name} = {one} or {name} = {other}"));
                }
                _ => {}
            }
            effects.push(format!("{name} {from} -> {to}"));
            taken.push(variable);
        }
        let head = match self.dice.below(10) {
            0 => format!("{name} ( red -3 )"),
            _ => name.to_string(),
        };
        let several = !conditions.is_empty();
        let several = self.push_action(&head, &effects.join(" , "), conditions, &taken) || several;
        self.actions.push(if several { name.to_string() } else { head });
    }

    /// `go ( p in at ) : at -> p`.
    fn template(&mut self, name: &str) {
        let at = self.listed();
        let variable = self.name_of(at).to_string();
        let head = format!("{name} ( p_1 in {variable} )");
        let mut conditions = Vec::new();
        if self.dice.percent(20) {
            conditions.push(format!("{variable} != p_1"));
        }
        let effect = format!("{variable} -> p_1");
        let several = self.push_action(&head, &effect, conditions.clone(), &[at]);
        self.actions.push(name.to_string());
        if conditions.is_empty() && !several {
            let value = self.value_of(at);
            self.actions.push(format!("{name} ( {value} )"));
        }
    }

    /// `give ( p in a , q in b ) : a -> p , b -> q`, or both of one variable.
    fn double_template(&mut self, name: &str) {
        let a = self.listed();
        let b = if self.dice.percent(60) { self.listed() } else { a };
        let (first, second) = (self.name_of(a).to_string(), self.name_of(b).to_string());
        let head = format!("{name} ( p_1 in {first} , p_2 in {second} )");
        let effects = match a == b {
            true => format!("{first} p_1 -> p_2"),
            false => format!("{first} -> p_1 , {second} -> p_2"),
        };
        let several = self.push_action(&head, &effects, Vec::new(), &[a, b]);
        let values = &self.variables[b].values;
        let member = format!("{name} ( {} {} )", self.variables[a].values[0], values[1]);
        self.actions.push(name.to_string());
        if !several {
            self.actions.push(member);
        }
    }

    /// `use ( p in at ) : using -> p while at = p`, if two variables have a value in common.
    fn two_variables(&mut self, name: &str) {
        let a = self.listed();
        let common = |b: &usize| {
            let (a, b) = (&self.variables[a], &self.variables[*b]);
            a.name != b.name && a.values.iter().any(|value| b.values.contains(value))
        };
        let Some(b) = (0..self.variables.len()).find(common) else { return self.plain(name) };
        let (first, second) = (self.name_of(a).to_string(), self.name_of(b).to_string());
        let head = format!("{name} ( p_1 in {first} )");
        let condition = format!("{first} = p_1");
        self.push_action(&head, &format!("{second} -> p_1"), vec![condition], &[a, b]);
        self.actions.push(name.to_string());
    }

    /// `shoot : ammo -= 1 while ammo >= 1`, if a variable counts; an amount may stop.
    fn counting(&mut self, name: &str) {
        let counts = |variable: &Variable| variable.kind.ends();
        let found = self.variables.iter().enumerate().find_map(|(at, v)| Some((at, counts(v)?)));
        let Some((at, (low, high))) = found else { return self.plain(name) };
        let variable = self.name_of(at).to_string();
        let is_amount = matches!(self.variables[at].kind, Kind::Range(..));
        let step = 1 + self.dice.below((high - low) as usize) as i64;
        let down = self.dice.percent(60);
        let condition = match (self.dice.below(4), down) {
            (0, _) => None,
            (1, true) => Some(format!("{variable} > {low}")),
            (1, false) => Some(format!("{variable} < {high}")),
            (2, true) => Some(format!("{variable} != {low}")),
            (2, false) => Some(format!("{variable} != {high}")),
            (_, true) => Some(format!("{variable} >= {}", low + step)),
            (_, false) => Some(format!("{variable} <= {}", high - step)),
        };
        let sign = if down { "-=" } else { "+=" };
        // By any number of a list: that of 1 exists if the range has 0 and 1.
        if !is_amount && low <= 0 && high >= 1 && self.dice.percent(20) {
            let head = format!("{name} ( p_1 in {variable} )");
            self.push_action(&head, &format!("{variable} {sign} p_1"), Vec::new(), &[at]);
        } else {
            let stop = match is_amount && self.dice.percent(40) {
                true => {
                    let word = if down { "down" } else { "up" };
                    format!(
                        " {word} to {}",
                        low + self.dice.below((high - low + 1) as usize) as i64
                    )
                }
                false => String::new(),
            };
            let conditions = condition.into_iter().collect();
            self.push_action(name, &format!("{variable} {sign} {step}{stop}"), conditions, &[at]);
        }
        self.actions.push(name.to_string());
    }
}
