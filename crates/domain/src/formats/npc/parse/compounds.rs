//! What stands beside plain actions: compounds, kinds of an action, wishes for an order.

use super::{Arguments, CompoundDraft, Head, KindDraft, Parse, Parser, Stop, WishSyntax};
use crate::build::Reference;
use crate::diagnostics::Code;
use crate::formats::npc::lex::Kind;
use crate::source::Span;

impl<'t> Parser<'_, 't> {
    pub(super) fn compound(&mut self) -> Parse<CompoundDraft<'t>> {
        let what = "the compound's name, as in `compound ambush: draw, aim, shoot`";
        let head = self.head(what)?;
        let name = self.ground_name(&head)?;
        self.sign(Kind::Colon)?;
        let parts =
            self.list(|p| p.reference("an action, as in `compound ambush: draw, shoot`"))?;
        let mut compound = CompoundDraft { name, parts, ..CompoundDraft::default() };
        while let Some((clause, _)) = self.clause()? {
            match clause {
                "if" => compound.checks = self.list(Self::check)?,
                "cost" => compound.cost = Some(self.cost()?),
                "overrides" => compound.overrides = self.list(|p| p.reference("an action"))?,
                _ => compound.was = self.list(|p| p.reference("a former name"))?,
            }
        }
        Ok(compound)
    }

    /// The name of a head that has no parameters.
    fn ground_name(&mut self, head: &Head<'t>) -> Parse<Reference<'t>> {
        let base = head.name.text;
        let name = match &head.arguments {
            Arguments::None => base.to_string(),
            Arguments::Values(values) => {
                let words: Vec<&str> = values.iter().map(|word| word.text).collect();
                format!("{base}({})", words.join(" "))
            }
            // A compound stands for one action: its parts say which values.
            Arguments::Parameters(_) => {
                let text = format!("compound `{base}` has parameters, but stands for one action");
                let cure = format!("write one for each value, as in `compound {base}(pipe): …`");
                self.report.say(Code::NotOneAction, head.span, text, cure);
                return Err(Stop);
            }
        };
        Ok(Reference { name: name.into(), span: head.span })
    }

    /// `roll if room_to_roll and not crouched cost 2`.
    pub(super) fn kind(&mut self) -> Parse<KindDraft<'t>> {
        let name = self.name("a kind, as in `kinds roll if room_to_roll, duck cost 3`")?;
        let (mut checks, mut cost) = (Vec::new(), None);
        loop {
            if checks.is_empty() && self.take_word("if") {
                checks.push(self.check()?);
                while self.take_word("and") {
                    checks.push(self.check()?);
                }
            } else if cost.is_none() && self.take_word("cost") {
                cost = Some(self.cost()?);
            } else {
                return Ok(KindDraft { name, checks, cost });
            }
        }
    }

    /// `prefer draw_weapon before goto_target`.
    pub(super) fn prefer(&mut self, start: Span) -> Parse<WishSyntax<'t>> {
        let what = "an action, as in `prefer draw_weapon before goto_target`";
        let before = self.list(|p| p.reference(what))?;
        self.before()?;
        let after = self.list(|p| p.reference("an action after `before`"))?;
        self.clause()?;
        Ok(WishSyntax { before, after, span: self.since(start) })
    }
}
