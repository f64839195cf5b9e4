//! Tokens into statements.
//!
//! In:   the tokens of one statement.
//! Out:  the statement; one with a mistake is reported, left out, and its name kept so that uses
//!       of it are not reported as well.
//! Cost: one pass, no look-ahead beyond two tokens.
//!
//! The grammar is written out in `docs/language.md`; functions here follow it in its order.

mod compounds;
mod conditions;
mod misread;
mod names;
mod notes;
mod scenarios;
mod words;

use super::keywords::Keywords;
use super::lex::{Kind, Token};
use super::syntax::*;
use crate::build::Missing;
use crate::diagnostics::{Code, Report};
use crate::notes::Reported as Stop;
use std::borrow::Cow;

pub(crate) use misread::BEFORE_CHANGES;
pub(crate) use notes::read_note;
use words::THE_END;

/// What parsing finds in a file beside its statements, and what broken ones would have declared.
#[derive(Default)]
pub(crate) struct Found<'t> {
    pub(crate) tree: Tree<'t>,
    pub(crate) broken: Vec<Cow<'t, str>>,
    pub(crate) missing: Missing,
}

impl Missing {
    /// Notes what a statement that begins with this keyword would have said.
    fn add(&mut self, keyword: &str) {
        self.domain |= keyword == "domain";
        self.names |= keyword == "use";
        self.checks |= matches!(keyword, "action" | "compound");
    }
}

type Parse<T> = Result<T, Stop>;

impl<'t> Found<'t> {
    /// Parses the statement that begins at a token and has all that follow; `None`, with a report,
    /// if it is broken.
    pub(crate) fn statement(
        &mut self,
        tokens: &[Token<'t>],
        at: usize,
        words: &Keywords<'_>,
        report: &mut Report,
    ) -> Option<Statement<'t>> {
        if !tokens[at].begins_statement {
            self.continues_nothing(&tokens[at..], words, report);
            return None;
        }
        let first_note = self.tree.notes.len();
        let mut parser = Parser::new(tokens, at, words, &mut self.tree, report);
        match parser.statement() {
            Ok(statement) => Some(statement),
            Err(Stop) => {
                let keyword = parser.meant.unwrap_or(tokens[at].text);
                self.broken.extend(parser.joined_name.take().map(Cow::Owned));
                self.tree.notes.truncate(first_note);
                self.missing.add(keyword);
                self.broken.extend(declared_name(&tokens[at..], words));
                None
            }
        }
    }

    /// Forgets where clauses and joints are: who lays out needs them, who declares does not.
    pub(crate) fn forget_marks(&mut self) {
        self.tree.clause_starts.clear();
        self.tree.joints.clear();
    }

    /// A file that begins with an indented line.
    fn continues_nothing(
        &mut self,
        tokens: &[Token<'t>],
        words: &Keywords<'_>,
        report: &mut Report,
    ) {
        report.say(
            Code::ContinuationWithoutStatement,
            tokens[0].span,
            "the file begins with an indented line, which continues nothing",
            "begin the statement in column one; a line that begins with a blank continues \
             the one before",
        );
        // Every line may be indented: then everything is lost.
        tokens.iter().filter(|t| t.begins_line).for_each(|t| self.missing.add(t.text));
        let lines = (0..tokens.len()).filter(|&at| tokens[at].begins_line);
        self.broken.extend(lines.filter_map(|at| declared_name(&tokens[at..], words)));
    }
}

/// Where the clauses, groups and joints of a whole file are, by position among its tokens. Its
/// mistakes are reported.
pub(crate) fn marks<'t>(
    tokens: &[Token<'t>],
    words: &Keywords<'_>,
    report: &mut Report,
) -> Tree<'t> {
    let (mut found, mut at) = (Found::default(), 0);
    while at < tokens.len() {
        let end = statement_end(tokens, at);
        _ = found.statement(&tokens[..end], at, words, report);
        at = end;
    }
    found.tree
}

fn statement_end(tokens: &[Token<'_>], start: usize) -> usize {
    let later = tokens[start..].iter().skip(1).position(|token| token.begins_statement);
    later.map_or(tokens.len(), |offset| start + 1 + offset)
}

/// The name that a broken statement was about to declare.
fn declared_name<'t>(tokens: &[Token<'t>], words: &Keywords<'_>) -> Option<Cow<'t, str>> {
    let skip = match tokens.first()?.text {
        "shared" => 2,
        "prefer" => return None,
        word if words.note(word).is_some() => return None,
        _ => 1,
    };
    let name = tokens.get(skip).filter(|token| token.kind == Kind::Name);
    name.map(|token| Cow::Borrowed(token.text))
}

struct Parser<'p, 't> {
    tokens: &'p [Token<'t>],
    /// The first token of the statement.
    start: usize,
    at: usize,
    report: &'p mut Report,
    tree: &'p mut Tree<'t>,
    words: &'p Keywords<'p>,
    /// The words that begin a clause of this statement.
    clauses: &'p [&'static str],
    /// The keyword that was probably meant where the statement begins with another word.
    meant: Option<&'static str>,
    /// The name that several words probably were.
    joined_name: Option<String>,
}

impl<'p, 't> Parser<'p, 't> {
    /// At the first token of a statement, which is the rest of `tokens`.
    fn new(
        tokens: &'p [Token<'t>],
        start: usize,
        words: &'p Keywords<'p>,
        tree: &'p mut Tree<'t>,
        report: &'p mut Report,
    ) -> Self {
        let clauses = words.clauses_of(tokens[start].text);
        tree.seen.clear();
        Parser {
            tokens,
            start,
            at: start,
            report,
            tree,
            words,
            clauses,
            meant: None,
            joined_name: None,
        }
    }
}

impl<'t> Parser<'_, 't> {
    fn statement(&mut self) -> Parse<Statement<'t>> {
        let first = self.tokens[self.at];
        self.at += 1;
        let statement = match (first.kind, first.text) {
            (Kind::Name, "domain") => {
                Statement::Domain(self.name("the domain's name, as in `domain stable`")?)
            }
            (Kind::Name, "use") => {
                self.no_bare_file()?;
                let file = self.word(Kind::Text, "a file, as in `use \"common.npc\"`")?;
                let name = match self.take_word("as") {
                    true => Some(self.name("a name, as in `use \"wolf.npc\" as beast`")?),
                    false => None,
                };
                Statement::Use(file, name)
            }
            (Kind::Name, "shared") => {
                self.keyword("var", "`var`, as in `shared var forge: cold, lit`")?;
                Statement::Variable(self.variable(true)?)
            }
            (Kind::Name, "var") => Statement::Variable(self.variable(false)?),
            (Kind::Name, "action") => Statement::Action(self.action()?),
            (Kind::Name, "compound") => Statement::Compound(self.compound()?),
            (Kind::Name, "goal") => Statement::Goal(self.goal()?),
            (Kind::Name, "prefer") => Statement::Prefer(self.prefer(first.span)?),
            (Kind::Name, "capability") => Statement::Capability(self.capability()?),
            (Kind::Name, "npc") => Statement::Npc(self.npc()?),
            (Kind::Name, "test") => Statement::Test(self.test()?),
            _ => match self.words.note(first.text).filter(|_| first.kind == Kind::Name) {
                Some(keyword) => Statement::Note(self.note_statement(keyword, first.span)?),
                None => return Err(self.unknown_statement(first)),
            },
        };
        if self.at < self.tokens.len() {
            return Err(match self.no_blank_in_name() {
                true => Stop,
                false => self.expected(THE_END),
            });
        }
        Ok(statement)
    }

    fn variable(&mut self, shared: bool) -> Parse<VariableSyntax<'t>> {
        let head = self.head("the variable's name, as in `var lamp: off, on`")?;
        self.sign(Kind::Colon)?;
        let mut values = Vec::with_capacity(4);
        loop {
            values.push(self.values()?);
            if !self.comma() {
                break;
            }
        }
        let mut was = Vec::new();
        while self.clause()?.is_some() {
            was = self.list(|p| p.reference("a former name"))?;
        }
        Ok(VariableSyntax { head, shared, values, was })
    }

    fn values(&mut self) -> Parse<Values<'t>> {
        let first = self.value("a value, as in `var lamp: off, on` or `var ammo: 0..6`")?;
        // A value may be called `any`; before a name it gathers.
        if first.text == "any" && self.sees(Kind::Name).is_some() && !self.sees_clause(0) {
            return Ok(Values::Any(self.name("a select or a sort, as in `any cover`")?));
        }
        if let Some(last) = self.no_minus_as_range(first) {
            return Ok(Values::Range { first, last });
        }
        if !self.take(Kind::Range) {
            return Ok(Values::One(first));
        }
        self.no_sign_in_range();
        let last = self.word(Kind::Integer, "the last number of the range, as in `0..6`")?;
        Ok(Values::Range { first, last })
    }

    fn action(&mut self) -> Parse<ActionSyntax<'t>> {
        let head = self.head("the action's name, as in `action open: door shut -> open`")?;
        self.sign(Kind::Colon)?;
        let mut action = ActionSyntax { head, ..ActionSyntax::default() };
        if self.effect_follows() {
            action.effects = self.list(Self::effect)?;
        }
        while let Some((clause, _)) = self.clause()? {
            match clause {
                "while" => action.conditions = self.conditions()?,
                "if" => action.checks = self.list(Self::check)?,
                "needs" => action.needs = self.needs()?,
                "variant" => {
                    let what = "which of the actions of its name it is, as in `variant 2`";
                    action.variant = Some(self.word(Kind::Integer, what)?);
                }
                "cost" => action.cost = Some(self.cost()?),
                "kinds" => action.kinds = self.list(Self::kind)?,
                "overrides" => action.overrides = self.list(|p| p.reference("an action"))?,
                _ => action.was = self.list(|p| p.reference("a former name"))?,
            }
        }
        Ok(action)
    }

    /// The parameters behind `needs`.
    fn needs(&mut self) -> Parse<Vec<Word<'t>>> {
        let needs = self.list(|p| p.value("a parameter of the action, as in `needs spot`"))?;
        if self.relation_follows(0)
            && let (Some(sign), Some(last)) = (self.peek(), needs.last())
        {
            let text = "`needs` names a parameter; a condition stands behind `while`";
            let cure = format!("write `while {} {} …`", last.text, sign.text);
            return Err(self.mistake(sign.span, text, cure));
        }
        Ok(needs)
    }

    /// Whether an effect comes next, even if its variable is called like a clause.
    fn effect_follows(&self) -> bool {
        let Some(first) = self.peek() else { return false };
        let is_change = |kind| matches!(kind, Some(Kind::Arrow | Kind::PlusIs | Kind::MinusIs));
        is_change(self.kind_ahead(1))
            || is_change(self.kind_ahead(2))
            || !(self.clauses.contains(&first.text) || self.is_foreign_clause())
    }

    fn effect(&mut self) -> Parse<Effect<'t>> {
        let variable = self.name("a variable and its change, as in `door shut -> open`")?;
        let argument = self.argument_of_one()?;
        for (kind, negative) in [(Kind::PlusIs, false), (Kind::MinusIs, true)] {
            if self.take(kind) {
                let amount = self.value("a whole number, as in `ammo -= 1`")?;
                let stop = self.stop(variable, negative, amount)?;
                let change = Change::Add { negative, amount, stop };
                return Ok(Effect { variable, argument, change });
            }
        }
        let from = match self.kind_ahead(0) {
            Some(Kind::Name | Kind::Integer) => Some(self.value("a value")?),
            _ => None,
        };
        if !self.take(Kind::Arrow) {
            return self.no_change(variable, from);
        }
        let to = self.value("the new value after `->`")?;
        self.no_range_as_value(variable, to)?;
        Ok(Effect { variable, argument, change: Change::Move { from, to } })
    }

    fn check(&mut self) -> Parse<CheckWord<'t>> {
        let mut name = self.name("a check, as in `if room_to_roll, not crouched`")?;
        let negated = name.text == "not" && self.sees(Kind::Name).is_some();
        if negated {
            name = self.name("a check after `not`")?;
        } else if name.text == "not" {
            name = self.no_group_of_checks(name).unwrap_or(name);
        }
        let argument = self.argument_of_one()?;
        self.no_condition_as_check(name, negated);
        Ok(CheckWord { name, argument, negated })
    }

    fn goal(&mut self) -> Parse<GoalSyntax<'t>> {
        let head = self.head("the goal's name, as in `goal lit: lamp = on`")?;
        self.sign(Kind::Colon)?;
        let is_clause = |t: Token<'_>| self.clauses.contains(&t.text);
        let empty = self.peek().is_none_or(is_clause) && !self.relation_follows(1);
        let conditions = if empty { Vec::new() } else { self.conditions()? };
        let mut goal = GoalSyntax { head, conditions, ..GoalSyntax::default() };
        while let Some((clause, _)) = self.clause()? {
            match clause {
                "priority" => {
                    let what = "a number, as in `priority 5`";
                    let cure = "write a number from 0 to 1000000: the highest is tried first";
                    goal.priority = Some(self.number_or(what, |_| cure.to_string())?);
                }
                "serves" => {
                    goal.serves = Some(self.reference("the goal it is an alternative of")?);
                }
                _ => goal.was = self.list(|p| p.reference("a former name"))?,
            }
        }
        Ok(goal)
    }

    fn capability(&mut self) -> Parse<CapabilitySyntax<'t>> {
        let name =
            self.name("the capability's name, as in `capability stable_work: feed, clean`")?;
        self.sign(Kind::Colon)?;
        let members = self.list(|p| p.reference("an action"))?;
        self.clause()?;
        Ok(CapabilitySyntax { name, members })
    }

    fn npc(&mut self) -> Parse<NpcDraft<'t>> {
        let name = self.name("the NPC type's name, as in `npc horse_breeder`")?;
        let mut npc = NpcDraft { name, ..NpcDraft::default() };
        while let Some((clause, _)) = self.clause()? {
            match clause {
                "can" => {
                    self.no_verb_after_can();
                    npc.can = self.list(|p| p.reference("an action or a capability"))?;
                }
                "wants" => npc.wants = self.list(|p| p.reference("a goal"))?,
                "starts" => npc.starts = self.list(Self::condition)?,
                _ => npc.was = self.list(|p| p.plain_reference("a former name"))?,
            }
        }
        Ok(npc)
    }
}
