//! Names with what stands in their parentheses: declared (`go(place in at)`) and used (`go(pipe)`).

use super::{Argument, Arguments, Head, Kind, Parameter, Parse, Parser, Stop, Word};
use crate::build::Reference;
use crate::diagnostics::Code;
use crate::names;

impl<'t> Parser<'_, 't> {
    pub(super) fn head(&mut self, what: &str) -> Parse<Head<'t>> {
        let name = self.name(what)?;
        if !self.take(Kind::Open) {
            return Ok(Head { name, arguments: Arguments::None, span: name.span });
        }
        self.no_parameters(name.text)?;
        let second = self.tokens.get(self.at + 1);
        let is_template = second.is_some_and(|token| token.text == "in");
        let arguments = if is_template {
            Arguments::Parameters(self.list(Self::parameter)?)
        } else {
            let mut values = vec![self.argument("a parameter, as in `go(place in at)`")?];
            while matches!(self.kind_ahead(0), Some(Kind::Name | Kind::Integer | Kind::Compare(_)))
            {
                values.push(self.argument("a value")?);
            }
            Arguments::Values(values)
        };
        let close = self.peek().map(|token| token.span);
        self.sign(Kind::Close)?;
        Ok(Head { name, arguments, span: name.span.to(close.unwrap_or(name.span)) })
    }

    /// A value inside a ground name, or the sign of an amount that is compared there.
    fn argument(&mut self, what: &str) -> Parse<Word<'t>> {
        let sign = self.peek().filter(|token| token.kind.relation().is_some());
        let stands_behind = matches!(self.tokens[self.at - 1].kind, Kind::Name);
        if let Some(sign) = sign.filter(|_| stands_behind) {
            self.at += 1;
            return Ok(sign.word());
        }
        let word = self.value(what)?;
        if names::is_npc_value(word.text) {
            return Ok(word);
        }
        let text = format!("`{}` is not how a whole number is written", word.text);
        let cure = "at most fifteen digits, without leading zeros";
        self.report.say(Code::BadInteger, word.span, text, cure);
        Err(Stop)
    }

    fn parameter(&mut self) -> Parse<Parameter<'t>> {
        let name = self.name("a parameter, as in `go(place in at)`")?;
        self.keyword("in", "`in` and a variable, as in `go(place in at)`")?;
        let variable = self.name("the variable whose values the parameter takes")?;
        let mut except = Vec::new();
        if self.take_word("except") {
            except.push(self.value("a value to leave out, as in `except nowhere`")?);
            while self.sees(Kind::Comma).is_some() && !self.parameter_follows(1) {
                self.at += 1;
                except.push(self.value("a value to leave out")?);
            }
        }
        Ok(Parameter { name, variable, except })
    }

    /// Whether `place in` stands so far ahead.
    fn parameter_follows(&self, ahead: usize) -> bool {
        let is_name = self.kind_ahead(ahead) == Some(Kind::Name);
        is_name && self.ahead(ahead + 1).is_some_and(|token| token.text == "in")
    }

    /// What a variable or a check is about, in parentheses: `(p)`.
    pub(super) fn argument_of_one(&mut self) -> Parse<Argument<'t>> {
        if !self.take(Kind::Open) {
            return Ok(None);
        }
        let word = self.value("a parameter or a value, as in `ready(p)`")?;
        self.sign(Kind::Close)?;
        Ok(Some(word))
    }

    /// A name without parentheses.
    pub(super) fn plain_reference(&mut self, what: &str) -> Parse<Reference<'t>> {
        self.name(what).map(|word| word.reference())
    }

    pub(super) fn reference(&mut self, what: &str) -> Parse<Reference<'t>> {
        let mut reference = self.plain_reference(what)?;
        if self.take(Kind::Open) {
            let mut blank = '(';
            loop {
                let value = self.argument("a value, as in `go(pipe)`")?;
                let name = reference.name.to_mut();
                name.push(blank);
                name.push_str(value.text);
                blank = ' ';
                if let Some(close) = self.sees(Kind::Close) {
                    self.at += 1;
                    reference.span = reference.span.to(close.span);
                    reference.name.to_mut().push(')');
                    break;
                }
            }
        }
        Ok(reference)
    }
}
