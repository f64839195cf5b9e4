//! `test` statements: who, from where, to where, and what is expected.

use super::misread::foreign_expectation;
use super::{Kind, Parse, Parser, Stop, TestDraft, TestSyntax, Word};
use crate::build::{ExpectDraft, Reference};
use crate::diagnostics::Code;
use throng_base::DidYouMean;

const EXPECTATIONS: [&str; 6] = ["length", "cost", "plan", "impossible", "satisfied", "never"];

impl<'t> Parser<'_, 't> {
    pub(super) fn test(&mut self) -> Parse<TestSyntax<'t>> {
        let name = self.name("the test's name, as in `test dawn: horse_breeder`")?;
        let npc = match self.take(Kind::Colon) {
            true => Some(self.name("the NPC type to test, as in `test dawn: horse_breeder`")?),
            false => None,
        };
        let mut test = TestDraft { name, npc, complete: true, ..TestDraft::default() };
        let mut to = Vec::new();
        while let Some((clause, span)) = self.clause()? {
            match clause {
                "from" => test.from = self.list(Self::condition)?,
                "goal" => test.goal = Some(self.reference("a goal")?),
                "to" => {
                    test.to = Some(span);
                    to = self.conditions()?;
                }
                "without" => test.without = Some((self.list(|p| p.reference("a check"))?, span)),
                "only" => test.only = Some((self.only_checks()?, span)),
                _ => test.expects.push((self.expectation()?, self.since(span))),
            }
        }
        Ok(TestSyntax { draft: test, to })
    }

    /// The checks of `only`; a bare `only` means that no check holds.
    fn only_checks(&mut self) -> Parse<Vec<Reference<'t>>> {
        let bare = self.peek().is_none_or(|t| t.begins_line && self.clauses.contains(&t.text));
        if bare { Ok(Vec::new()) } else { self.list(|p| p.reference("a check")) }
    }

    fn expectation(&mut self) -> Parse<ExpectDraft<'t>> {
        let what = "an expectation, as in `expect length 7` or `expect impossible`";
        if let Some(length) = self.count_expected() {
            return Ok(length);
        }
        let word = self.name(what)?;
        let near = self.expectation_meant(word);
        Ok(match near.unwrap_or(word.text) {
            "length" => ExpectDraft::Length(self.length()?),
            "cost" => ExpectDraft::Cost(self.number("a cost, as in `expect cost 2.5`")?),
            "plan" => {
                let what = "the actions of the plan, as in `expect plan open, leave`";
                ExpectDraft::Plan(self.list(|p| p.reference(what))?)
            }
            "impossible" => ExpectDraft::Impossible,
            "satisfied" => ExpectDraft::Satisfied,
            "never" => ExpectDraft::Never(self.list(|p| p.reference("an action"))?),
            _ => return Err(Stop),
        })
    }

    /// The expectation that was probably meant by a word that is none; reported.
    fn expectation_meant(&mut self, word: Word<'t>) -> Option<&'static str> {
        if EXPECTATIONS.contains(&word.text) {
            return None;
        }
        let found = ["possible", "success", "reachable", "solvable"].contains(&word.text);
        let near = self.report.nearest(word.text, EXPECTATIONS.into_iter()).filter(|_| !found);
        let near = near.or_else(|| foreign_expectation(word.text));
        let cure = match near {
            None if found => "say what the plan is, as in `expect length 7`".to_string(),
            None if self.sees_end_of_item() => {
                format!("if it is an action, write `expect plan {}`", word.text)
            }
            Some("length") => "write `length` and a number, as in `expect length 4`".to_string(),
            Some(near) => format!("write `expect {near}`"),
            None => format!("expect one of: {}", EXPECTATIONS.join(", ")),
        };
        let text = format!("`{}` cannot be expected{}", word.text, DidYouMean(near));
        self.report.say(Code::UnknownExpectation, word.span, text, cure);
        near
    }
}
