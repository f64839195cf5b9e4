//! Conditions as other languages write them.

use super::super::{Condition, Formula, Parse, Parser, Stop, Word};
use crate::formats::npc::lex::Kind;
use crate::token::Relation;

impl<'t> Parser<'_, 't> {
    /// `1 < stock < 4`: reported, and read as what was meant.
    pub(in super::super) fn turned_condition(&mut self) -> Option<Formula<'t>> {
        let [number, sign, name] = [self.ahead(0)?, self.ahead(1)?, self.ahead(2)?];
        let left = sign.kind.relation()?;
        if number.kind != Kind::Integer || name.kind != Kind::Name {
            return None;
        }
        self.at += 3;
        let variable = name.word();
        let first = (turned(left), number.word());
        let mut cure = format!("write `{} {} {}", name.text, first.0.sign(), number.text);
        let mut all = vec![first];
        if let Some(sign) = self.peek()
            && let Some(right) = sign.kind.relation()
            && let Some(value) = self.ahead(1)
        {
            self.at += 2;
            cure.push_str(&format!(", {} {} {}", name.text, right.sign(), value.text));
            all.push((right, value.word()));
        }
        let span = self.since(number.span);
        self.mistake(span, "a condition begins with its variable", cure + "`");
        let one = |(relation, value)| {
            Formula::One(Condition { variable, argument: None, relation, value, span })
        };
        Some(Formula::All(all.into_iter().map(one).collect()))
    }

    /// A name that nothing is asked of: `while night`.
    pub(in super::super) fn bare_condition(&mut self) -> Option<Formula<'t>> {
        let token = self.sees(Kind::Name)?;
        self.at += 1;
        let joined = self.peek().is_some_and(|next| joins(next.text));
        if self.sees_end_of_item() || joined {
            let after = self.variable_before(self.at - 1);
            return Some(Formula::Bare(token.word(), after));
        }
        self.at -= 1;
        None
    }

    /// The variable of the condition that `or` or `and` joins to what stands at `at`.
    fn variable_before(&self, at: usize) -> Option<&'t str> {
        let start = at.checked_sub(4).filter(|&start| start > self.start)?;
        let [name, sign, _, joint] = [0, 1, 2, 3].map(|offset| self.tokens[start + offset]);
        let joined = joins(joint.text) && sign.kind.relation().is_some();
        (joined && name.kind == Kind::Name).then_some(name.text)
    }

    /// `ammo > 1 and < 4`, `gold = 5 or 10`: the variable is missing.
    pub(in super::super) fn no_variable(&mut self) -> Parse<()> {
        let Some(token) = self.peek() else { return Ok(()) };
        let Some(name) = self.variable_before(self.at) else { return Ok(()) };
        let cure = match token.kind {
            Kind::Integer => format!("write `{name} = {}`", token.text),
            kind if kind.relation().is_some() => {
                let value = self.text_ahead(1);
                format!("write `{name} {} {value}`", token.text)
            }
            _ => return Ok(()),
        };
        Err(self.mistake(token.span, "a condition begins with its variable", cure))
    }

    /// `> =`, `=<`: reported, and read as the sign that was meant.
    pub(in super::super) fn torn_relation(&mut self, is: Relation) -> Relation {
        let Some(sign) = self.peek() else { return is };
        let meant = match (is, sign.kind) {
            (Relation::More, Kind::Compare(Relation::Is))
            | (Relation::Is, Kind::Compare(Relation::More)) => Relation::AtLeast,
            (Relation::Less, Kind::Compare(Relation::Is))
            | (Relation::Is, Kind::Compare(Relation::Less)) => Relation::AtMost,
            _ => return is,
        };
        self.at += 1;
        let text = format!("`{} {}` is no sign", is.sign(), sign.text);
        self.mistake(sign.span, text, format!("write `{}`", meant.sign()));
        meant
    }

    /// What stands where the sign of a comparison should.
    pub(in super::super) fn no_relation(&mut self, variable: Word<'t>) -> Stop {
        let name = variable.text;
        if self.sees_end_of_item() {
            let text = format!("`{name}` has no value here");
            let cure = format!("write `=` and its value, as in `{name} = open`");
            return self.mistake(variable.span, text, cure);
        }
        if let Some(arrow) = self.sees(Kind::Arrow) {
            let value = self.text_ahead(1);
            let text = "`->` changes a variable; a condition asks with `=`";
            return self.mistake(arrow.span, text, format!("write `{name} = {value}`"));
        }
        let Some(token) = self.sees(Kind::Name) else {
            return self.expected("`=` and a value, as in `door = open`");
        };
        let cure = match (token.text, self.text_ahead(1)) {
            ("in", _) => self.cure_of_in(name),
            ("is", "not") => format!("write `{name} != {}`", self.text_ahead(2)),
            ("is" | "equals" | "are" | "has", value) => format!("write `{name} = {value}`"),
            ("not" | "isnt", value) => format!("write `{name} != {value}`"),
            ("above" | "over", value) => format!("write `{name} > {value}`"),
            ("below" | "under", value) => format!("write `{name} < {value}`"),
            _ => return self.expected("`=` and a value, as in `door = open`"),
        };
        let text = format!("`{}` compares nothing", token.text);
        self.mistake(token.span, text, cure)
    }

    /// `stock in 1..3`, `door in open, shut`.
    fn cure_of_in(&self, name: &str) -> String {
        let open = usize::from(self.kind_ahead(1) == Some(Kind::Open));
        let word = |offset: usize| self.text_ahead(open + offset);
        match self.kind_ahead(open + 2) {
            Some(Kind::Range) => format!("write `{name} >= {}, {name} <= {}`", word(1), word(3)),
            Some(Kind::Comma) => format!("write `{name} = {} or {name} = {}`", word(1), word(3)),
            _ => format!("write `{name} = {}`", word(1)),
        }
    }

    /// What may not follow a condition: `stock = 1..3`, `a < b < c`, `door = not open`.
    pub(in super::super) fn after_condition(
        &mut self,
        variable: Word<'t>,
        is: Relation,
        value: Word<'t>,
    ) -> Parse<()> {
        let (name, start) = (variable.text, variable.span);
        let Some(token) = self.peek() else { return Ok(()) };
        let next = self.text_ahead(1);
        let (text, cure) = match token.kind {
            Kind::Range => (
                "one value is compared, not a range",
                format!("write `{name} >= {}, {name} <= {next}`", value.text),
            ),
            kind if kind.relation().is_some() => (
                "two values are compared at once",
                format!(
                    "write `{name} {} {}, {name} {} {next}`",
                    is.sign(),
                    value.text,
                    token.text
                ),
            ),
            Kind::Name if value.text == "not" && !self.sees_clause(0) && !joins(token.text) => {
                self.at += 1;
                let cure = format!("write `{name} != {}`", token.text);
                return Err(self.mistake(
                    self.since(start),
                    "`not` stands before a whole condition",
                    cure,
                ));
            }
            _ => return Ok(()),
        };
        self.at += 1;
        if matches!(self.kind_ahead(0), Some(Kind::Name | Kind::Integer)) {
            self.at += 1;
        }
        self.mistake(self.since(start), text, cure);
        Ok(())
    }
}

fn joins(word: &str) -> bool {
    matches!(word, "or" | "and")
}

/// The relation read from right to left.
fn turned(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::More,
        Relation::More => Relation::Less,
        Relation::AtMost => Relation::AtLeast,
        Relation::AtLeast => Relation::AtMost,
        same => same,
    }
}
