//! Random domains with selects, slots, sorts, groups and templates, and the same in plain words.
//!
//! In:   a seed.
//! Out:  a text that uses what planning knows of selects and levels, all of it in combination.
//! Cost: a few microseconds.
//!
//! Names tell what things are, so that [`plain`](super::plain) can do without a parser:
//! `about_…` is a variable with a parameter, `ask_…` a check, `flag_…` is set by one action alone,
//! so that every action changes something.

use throng_base::SplitMix;

/// A text of random statements, one a line.
pub fn slots_text(seed: u64) -> String {
    let mut draft = Draft {
        random: SplitMix::new(seed),
        groups: Vec::new(),
        has_needs: false,
        text: String::new(),
    };
    draft.line("domain slots");
    draft.groups();
    let values = draft.variables();
    draft.actions(&values);
    draft.goals(&values);
    draft.text
}

struct Draft {
    random: SplitMix,
    /// Names behind `any`, with their members.
    groups: Vec<(String, Vec<String>, bool)>,
    /// Whether a select takes what things need, so that actions may say `needs`.
    has_needs: bool,
    text: String,
}

/// A variable with its values and its groups.
struct Listed {
    name: String,
    words: Vec<String>,
    groups: Vec<String>,
    values: Vec<String>,
}

impl Draft {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn groups(&mut self) {
        for at in 0..1 + self.random.below(3) {
            let name = format!("pick{at}");
            let count = 1 + self.random.below(3);
            let how = if count == 1 { "one".to_string() } else { format!("best {count}") };
            self.line(&format!("select {name}: {how} of spot(knowledge = cover)"));
            let slots = match count {
                1 => vec![name.clone()],
                _ => (1..=count).map(|slot| format!("{name}.{slot}")).collect(),
            };
            self.groups.push((name, slots, true));
        }
        for at in 0..self.random.below(2) {
            let name = format!("sort{at}");
            let members: Vec<String> =
                (0..1 + self.random.below(3)).map(|member| format!("place{at}{member}")).collect();
            for member in &members {
                let needs = if self.random.one_in(3) { " needs switch = on" } else { "" };
                self.line(&format!("node {member} at M: {name}{needs}"));
            }
            self.groups.push((name, members, false));
        }
        self.has_needs = self.random.one_in(2);
        if self.has_needs {
            let selects = self.groups.iter().filter(|it| it.2).map(|it| it.0.as_str());
            let needs: Vec<String> =
                selects.chain(["prop"]).map(|of| format!("need(source = {of})")).collect();
            self.line(&format!("select prop: best 2 of {}", needs.join(" or ")));
            self.groups.push(("prop".into(), vec!["prop.1".into(), "prop.2".into()], true));
        }
    }

    fn variables(&mut self) -> Vec<Listed> {
        let mut listed = Vec::new();
        for at in 0..1 + self.random.below(2) {
            let words: Vec<String> =
                (0..1 + self.random.below(2)).map(|word| format!("word{at}{word}")).collect();
            let groups = self.groups.clone();
            let mut own: Vec<_> = groups.into_iter().filter(|_| !self.random.one_in(3)).collect();
            if self.random.one_in(2) {
                own.reverse();
            }
            let mut entries = words.clone();
            let mut values = words.clone();
            for (name, members, _) in &own {
                entries.push(format!("any {name}"));
                values.extend(members.iter().cloned());
            }
            let name = format!("at{at}");
            self.line(&format!("var {name}: {}", entries.join(", ")));
            let groups = own.iter().map(|(name, ..)| name.clone()).collect();
            listed.push(Listed { name, words, groups, values });
        }
        for at in 0..1 + self.random.below(2) {
            let parameter = self.parameter("p", &listed);
            self.line(&format!("var about_{at}({parameter}): bool"));
        }
        for at in 0..4 {
            self.line(&format!("var flag_{at}: no, yes"));
        }
        self.line("var switch: off, on");
        if self.has_needs {
            self.line("var ready(p in prop): bool");
        }
        listed
    }

    /// `p in at0 except word00`.
    fn parameter(&mut self, name: &str, listed: &[Listed]) -> String {
        let selects: Vec<String> =
            self.groups.iter().filter(|it| it.2).map(|it| it.0.clone()).collect();
        if self.random.one_in(3) {
            return format!("{name} in {}", self.random.pick(&selects));
        }
        let of = self.random.pick(listed);
        let mut text = format!("{name} in {}", of.name);
        let mut out: Vec<&String> = of.words.iter().chain(&of.groups).collect();
        out.retain(|_| self.random.one_in(3));
        // Something must be left.
        if !out.is_empty() && out.len() < of.words.len() + of.groups.len() {
            let out: Vec<&str> = out.into_iter().map(String::as_str).collect();
            text.push_str(&format!(" except {}", out.join(", ")));
        }
        text
    }

    /// A value, a parameter or a group that something may be compared with.
    fn operand(&mut self, of: &Listed, parameters: &[&str]) -> String {
        match self.random.below(4) {
            0 if !of.groups.is_empty() => self.random.pick(&of.groups).clone(),
            1 | 2 if !parameters.is_empty() => self.random.pick(parameters).to_string(),
            _ => self.random.pick(&of.values).clone(),
        }
    }

    fn conditions(&mut self, listed: &[Listed], parameters: &[&str]) -> Vec<String> {
        let mut all = Vec::new();
        for _ in 0..self.random.below(3) {
            if self.random.one_in(3) && !parameters.is_empty() {
                let (at, about) = (self.random.below(2), *self.random.pick(parameters));
                let value = ["true", "false"][self.random.below(2)];
                if self.text.contains(&format!("var about_{at}(")) {
                    all.push(format!("about_{at}({about}) = {value}"));
                }
                continue;
            }
            let of = self.random.pick(listed);
            // A parameter that is no value of the variable differs from all of them.
            let sign = ["=", "=", "!="][self.random.below(3)];
            let operand = self.operand(of, if sign == "=" { parameters } else { &[] });
            all.push(format!("{} {sign} {operand}", of.name));
        }
        all
    }

    fn checks(&mut self, parameters: &[&str]) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for at in 0..self.random.below(3) {
            let not = if self.random.one_in(3) { "not " } else { "" };
            let about = match parameters {
                [] => String::new(),
                _ => format!("({})", self.random.pick(parameters)),
            };
            all.push(format!("{not}ask_{at}{about}"));
        }
        all
    }

    fn head(&mut self, name: &str, listed: &[Listed]) -> (String, Vec<&'static str>) {
        let names = ["p", "q"];
        let count = self.random.below(3);
        let parameters: Vec<String> =
            names[..count].iter().map(|name| self.parameter(name, listed)).collect();
        match parameters.is_empty() {
            true => (name.to_string(), Vec::new()),
            false => (format!("{name}({})", parameters.join(", ")), names[..count].to_vec()),
        }
    }

    fn actions(&mut self, listed: &[Listed]) {
        for at in 0..2 + self.random.below(3) {
            let (head, parameters) = self.head(&format!("do_{at}"), listed);
            let mut effects = vec![format!("flag_{at} no -> yes")];
            if self.random.one_in(2) && !parameters.is_empty() {
                let of = self.random.pick(listed);
                effects.push(format!("{} -> {}", of.name, self.random.pick(&parameters)));
            }
            if self.random.one_in(2) && !parameters.is_empty() {
                effects.push(format!("about_0({}) -> true", self.random.pick(&parameters)));
            }
            let mut line = format!("action {head}: {}", effects.join(", "));
            let conditions = self.conditions(listed, &parameters);
            if !conditions.is_empty() {
                line.push_str(&format!("  while {}", conditions.join(", ")));
            }
            let checks = self.checks(&parameters);
            if !checks.is_empty() {
                line.push_str(&format!("  if {}", checks.join(", ")));
            }
            if self.has_needs && !parameters.is_empty() && self.random.one_in(2) {
                line.push_str(&format!("  needs {}", parameters.join(", ")));
            }
            line.push_str(&format!("  cost {}", 1 + self.random.below(4)));
            if self.random.one_in(4) {
                let about = parameters.first().map_or(String::new(), |it| format!("({it})"));
                line.push_str(&format!("  kinds fast if ask_7{about}, slow cost 2"));
            }
            self.line(&line);
        }
        self.line("action turn: switch off -> on");
        if self.has_needs {
            self.line("action mend(p in prop): ready(p) false -> true  needs p  cost 2");
        }
    }

    fn goals(&mut self, listed: &[Listed]) {
        for at in 0..1 + self.random.below(3) {
            let (head, parameters) = self.head(&format!("want_{at}"), listed);
            let mut all = vec![format!("flag_{} = yes", self.random.below(2))];
            all.extend(self.conditions(listed, &parameters));
            let priority = 1 + self.random.below(5);
            self.line(&format!("goal {head}: {}  priority {priority}", all.join(", ")));
        }
    }
}
