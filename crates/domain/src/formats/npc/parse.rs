//! Tokens into statements.
//!
//! In:   the tokens of one file.
//! Out:  its [`Tree`]; a statement with a mistake is reported, left out, and its name kept so
//!       that uses of it are not reported as well.
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
use crate::diagnostics::{Code, Report};
use crate::notes::{Note, NoteOn};
use crate::source::FileId;
use std::borrow::Cow;

pub(crate) use misread::BEFORE_CHANGES;
pub(crate) use notes::read_note;
use words::THE_END;

/// What parsing a file gives: the tree, and what broken statements would have declared.
pub(crate) struct Parsed<'t> {
    pub(crate) tree: Tree<'t>,
    pub(crate) broken: Vec<Cow<'t, str>>,
    pub(crate) lost: Reported,
}

/// What broken statements leave unknown beside the names they would have declared.
#[derive(Clone, Copy, Default)]
pub(crate) struct Reported {
    /// The domain's name.
    pub(crate) domain: bool,
    /// A file to include.
    pub(crate) file: bool,
    /// The context checks of an action.
    pub(crate) checks: bool,
}

impl Reported {
    /// Notes what a statement that begins with this keyword would have said.
    fn add(&mut self, keyword: &str) {
        self.domain |= keyword == "domain";
        self.file |= keyword == "use";
        self.checks |= matches!(keyword, "action" | "compound");
    }
}

/// A mistake was reported; give this statement up.
struct Stop;
type Parse<T> = Result<T, Stop>;

/// Parses all statements of a file.
pub(crate) fn parse<'t>(
    tokens: &[Token<'t>],
    file: FileId,
    words: &Keywords<'_>,
    report: &mut Report,
) -> Parsed<'t> {
    let mut parsed =
        Parsed { tree: Tree::default(), broken: Vec::new(), lost: Reported::default() };
    let mut at = 0;
    if let Some(first) = tokens.first()
        && !first.begins_statement
    {
        let end = statement_end(tokens, 0);
        report.say(
            Code::ContinuationWithoutStatement,
            first.span,
            "the file begins with an indented line, which continues nothing",
            "begin the statement in column one; a line that begins with a blank continues \
             the one before",
        );
        // Every line may be indented: then everything is lost.
        tokens[..end].iter().filter(|t| t.begins_line).for_each(|t| parsed.lost.add(t.text));
        let lines = (0..end).filter(|&at| tokens[at].begins_line);
        parsed.broken.extend(lines.filter_map(|at| declared_name(&tokens[at..end], words)));
        at = end;
    }
    while at < tokens.len() {
        let end = statement_end(tokens, at);
        let Tree { clause_starts, joints, notes, .. } = &mut parsed.tree;
        let first_note = notes.len();
        let marks = Marks { clause_starts, joints, notes, first_note };
        let clauses = words.clauses_of(tokens[at].text);
        let mut parser = Parser {
            tokens,
            start: at,
            at,
            end,
            file,
            report,
            marks,
            words,
            clauses,
            meant: None,
            joined_name: None,
        };
        match parser.statement() {
            Ok(statement) => parsed.tree.statements.push(statement),
            Err(Stop) => {
                let keyword = parser.meant.unwrap_or(tokens[at].text);
                parsed.broken.extend(parser.joined_name.take().map(Cow::Owned));
                parsed.tree.notes.truncate(first_note);
                parsed.lost.add(keyword);
                parsed.broken.extend(declared_name(&tokens[at..end], words));
            }
        }
        at = end;
    }
    parsed
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

/// What parsing leaves behind beside the statements; see [`Tree`].
struct Marks<'p> {
    clause_starts: &'p mut Vec<usize>,
    joints: &'p mut Vec<usize>,
    notes: &'p mut Vec<Note>,
    /// How many notes there were before this statement.
    first_note: usize,
}

struct Parser<'p, 't> {
    tokens: &'p [Token<'t>],
    /// The first token of the statement.
    start: usize,
    at: usize,
    end: usize,
    file: FileId,
    report: &'p mut Report,
    marks: Marks<'p>,
    words: &'p Keywords<'p>,
    /// The words that begin a clause of this statement.
    clauses: &'p [&'static str],
    /// The keyword that was probably meant where the statement begins with another word.
    meant: Option<&'static str>,
    /// The name that several words probably were.
    joined_name: Option<String>,
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
                Statement::Use(self.word(Kind::Text, "a file, as in `use \"common.npc\"`")?)
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
        if self.at < self.end {
            return Err(match self.no_blank_in_name() {
                true => Stop,
                false => self.expected(THE_END),
            });
        }
        Ok(statement)
    }

    fn variable(&mut self, shared: bool) -> Parse<VariableSyntax<'t>> {
        let name = self.name("the variable's name, as in `var lamp: off, on`")?;
        self.sign(Kind::Colon)?;
        let mut values = Vec::new();
        loop {
            values.push(self.values()?);
            if !self.comma() {
                break;
            }
        }
        let mut was = None;
        while let Some((clause, span)) = self.clause(self.clauses)? {
            match clause {
                _ if was.is_some() => return Err(self.twice(clause, span)),
                _ => was = Some(self.list(|p| p.name("a former name"))?),
            }
        }
        Ok(VariableSyntax { name, shared, values, was: was.unwrap_or_default() })
    }

    fn values(&mut self) -> Parse<Values<'t>> {
        let first = self.value("a value, as in `var lamp: off, on` or `var ammo: 0..6`")?;
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
        let mut effects = Vec::new();
        if self.effect_follows() {
            effects = self.list(Self::effect)?;
        }
        let (mut conditions, mut checks, mut cost) = (None, None, None);
        let (mut kinds, mut overrides, mut was) = (None, None, None);
        while let Some((clause, span)) = self.clause(self.clauses)? {
            if self.note_clause(clause, span, head.name, NoteOn::Action)? {
                continue;
            }
            let given = match clause {
                "while" => conditions.is_some(),
                "if" => checks.is_some(),
                "cost" => cost.is_some(),
                "kinds" => kinds.is_some(),
                "overrides" => overrides.is_some(),
                _ => was.is_some(),
            };
            if given {
                return Err(self.twice(clause, span));
            }
            match clause {
                "while" => conditions = Some(self.conditions()?),
                "if" => checks = Some(self.list(Self::check)?),
                "cost" => cost = Some(self.cost()?),
                "kinds" => kinds = Some(self.list(Self::kind)?),
                "overrides" => overrides = Some(self.list(|p| p.reference("an action"))?),
                _ => was = Some(self.list(|p| p.reference("a former name"))?),
            }
        }
        Ok(ActionSyntax {
            head,
            effects,
            conditions: conditions.unwrap_or_default(),
            checks: checks.unwrap_or_default(),
            cost,
            kinds: kinds.unwrap_or_default(),
            overrides: overrides.unwrap_or_default(),
            was: was.unwrap_or_default(),
        })
    }

    /// Whether an effect comes next, even if its variable is called like a clause.
    fn effect_follows(&self) -> bool {
        let Some(first) = self.peek() else { return false };
        let sign = |offset: usize| self.tokens[..self.end].get(self.at + offset).map(|t| t.kind);
        let is_change = |kind| matches!(kind, Some(Kind::Arrow | Kind::PlusIs | Kind::MinusIs));
        let is_clause = self.clauses.contains(&first.text) || self.is_foreign_clause();
        !is_clause || is_change(sign(1)) || is_change(sign(2))
    }

    fn effect(&mut self) -> Parse<Effect<'t>> {
        let variable = self.name("a variable and its change, as in `door shut -> open`")?;
        for (kind, negative) in [(Kind::PlusIs, false), (Kind::MinusIs, true)] {
            if self.take(kind) {
                let amount = self.value("a whole number, as in `ammo -= 1`")?;
                return Ok(Effect { variable, change: Change::Add { negative, amount } });
            }
        }
        let from = match self.peek().map(|token| token.kind) {
            Some(Kind::Name | Kind::Integer) => Some(self.value("a value")?),
            _ => None,
        };
        if !self.take(Kind::Arrow) {
            return self.no_change(variable, from);
        }
        let to = self.value("the new value after `->`")?;
        self.no_range_as_value(variable, to)?;
        Ok(Effect { variable, change: Change::Move { from, to } })
    }

    fn check(&mut self) -> Parse<CheckWord<'t>> {
        let mut name = self.name("a check, as in `if room_to_roll, not crouched`")?;
        let negated = name.text == "not" && self.peek().is_some_and(|t| t.kind == Kind::Name);
        if negated {
            name = self.name("a check after `not`")?;
        } else if name.text == "not" {
            name = self.no_group_of_checks(name).unwrap_or(name);
        }
        self.no_condition_as_check(name, negated);
        Ok(CheckWord { name, negated })
    }

    fn goal(&mut self) -> Parse<GoalSyntax<'t>> {
        let head = self.head("the goal's name, as in `goal lit: lamp = on`")?;
        self.sign(Kind::Colon)?;
        let is_clause = |t: Token<'_>| self.clauses.contains(&t.text);
        let empty = self.peek().is_none_or(is_clause) && !self.relation_follows(1);
        let conditions = if empty { Vec::new() } else { self.conditions()? };
        let (mut priority, mut serves, mut was) = (None, None, None);
        while let Some((clause, span)) = self.clause(self.clauses)? {
            if self.note_clause(clause, span, head.name, NoteOn::Goal)? {
                continue;
            }
            match clause {
                "priority" if priority.is_none() => {
                    let what = "a number, as in `priority 5`";
                    let cure = "write a number from 0 to 1000000: the highest is tried first";
                    priority = Some(self.number_or(what, cure)?);
                }
                "serves" if serves.is_none() => {
                    serves = Some(self.reference("the goal it is an alternative of")?);
                }
                "was" if was.is_none() => was = Some(self.list(|p| p.reference("a former name"))?),
                _ => return Err(self.twice(clause, span)),
            }
        }
        Ok(GoalSyntax { head, conditions, priority, serves, was: was.unwrap_or_default() })
    }

    fn capability(&mut self) -> Parse<CapabilitySyntax<'t>> {
        let name =
            self.name("the capability's name, as in `capability stable_work: feed, clean`")?;
        self.sign(Kind::Colon)?;
        let members = self.list(|p| p.reference("an action"))?;
        self.clause(&[])?;
        Ok(CapabilitySyntax { name, members })
    }

    fn npc(&mut self) -> Parse<NpcSyntax<'t>> {
        let name = self.name("the NPC type's name, as in `npc horse_breeder`")?;
        let (mut can, mut wants, mut starts, mut was) = (None, None, None, None);
        while let Some((clause, span)) = self.clause(self.clauses)? {
            if self.note_clause(clause, span, name, NoteOn::Npc)? {
                continue;
            }
            match clause {
                "can" if can.is_none() => {
                    self.no_verb_after_can();
                    can = Some(self.list(|p| p.reference("an action or a capability"))?);
                }
                "wants" if wants.is_none() => {
                    wants = Some(self.list(|p| p.reference("a goal"))?);
                }
                "starts" if starts.is_none() => starts = Some(self.list(Self::condition)?),
                "was" if was.is_none() => was = Some(self.list(|p| p.name("a former name"))?),
                _ => return Err(self.twice(clause, span)),
            }
        }
        Ok(NpcSyntax {
            name,
            can: can.unwrap_or_default(),
            wants: wants.unwrap_or_default(),
            starts: starts.unwrap_or_default(),
            was: was.unwrap_or_default(),
        })
    }
}
