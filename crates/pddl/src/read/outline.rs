//! The outline of a file: what it defines, and its sections.
//!
//! In:   the tree of a file, and whether a domain or a problem is expected.
//! Out:  its name and its sections, sorted by keyword; unknown ones reported.
//! Cost: one visit per section.
//!
//! Sections may stand without `(define …)` around them: a file of actions alone is a domain.

use super::notes::{Notes, listed};
use super::refused::feature_of_section;
use super::tree::{Form, Tree};
use std::collections::HashMap;
use throng_domain::{Code, Span};

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kind {
    word: &'static str,
    sections: &'static [&'static str],
}

impl Kind {
    pub(super) const DOMAIN: Kind = Kind {
        word: "domain",
        sections: &[
            ":action",
            ":derived",
            ":requirements",
            ":types",
            ":constants",
            ":predicates",
            ":functions",
        ],
    };
    pub(super) const PROBLEM: Kind = Kind {
        word: "problem",
        sections: &[":domain", ":requirements", ":objects", ":init", ":goal", ":metric", ":length"],
    };

    fn other(self) -> Kind {
        if self == Kind::DOMAIN { Kind::PROBLEM } else { Kind::DOMAIN }
    }

    fn may_repeat(section: &str) -> bool {
        matches!(section, ":action" | ":derived" | ":requirements")
    }
}

/// The sections of a file.
pub(super) struct Outline<'t> {
    /// The name of the domain or problem, in lower case; empty if it has none.
    pub(super) name: &'t str,
    /// A place for what is missing.
    pub(super) place: Span,
    /// Per keyword the sections, in the order of the text.
    sections: HashMap<&'t str, Vec<Form<'t>>>,
}

impl<'t> Outline<'t> {
    /// All sections of a keyword.
    pub(super) fn all(&self, keyword: &str) -> impl Iterator<Item = Form<'t>> {
        self.sections.get(keyword).into_iter().flatten().copied()
    }

    /// The one section of a keyword.
    pub(super) fn one(&self, keyword: &str) -> Option<Form<'t>> {
        self.all(keyword).next()
    }
}

/// Whether the file says that it is the other kind.
pub(super) fn is_other(tree: &Tree<'_>, wanted: Kind) -> bool {
    definition(tree).is_some_and(|(kind, _)| kind == wanted.other())
}

/// What the first form of a file says that it defines, and where.
fn definition<'t>(tree: &'t Tree<'t>) -> Option<(Kind, Form<'t>)> {
    let define = tree.whole().parts().next().filter(|form| form.head() == Some("define"))?;
    let what = define.rest().next()?;
    let word = what.head()?;
    let kind = [Kind::DOMAIN, Kind::PROBLEM].into_iter().find(|kind| kind.word == word)?;
    Some((kind, what))
}

impl<'t> Outline<'t> {
    /// The outline of a file; `None`, with an error, if it is something else.
    pub(super) fn read(tree: &'t Tree<'t>, wanted: Kind, notes: &mut Notes<'t>) -> Option<Self> {
        let word = wanted.word;
        let Some(first) = tree.whole().parts().next() else {
            let cure = format!("write `(define ({word} name) …)`");
            let text = format!("there is no {word} in this file");
            notes.report.say(Code::PddlNoDefinition, tree.whole().head_span(), text, cure);
            return None;
        };
        if begins_section(first) {
            let text = format!("the sections stand without `(define ({word} …) …)` around them");
            let cure = format!("begin the file with `(define ({word} name)`, and end it with `)`");
            notes.report.say(Code::PddlBareSections, first.head_span(), text, cure);
            let mut outline = Outline::new("", first.head_span());
            tree.whole().parts().for_each(|form| outline.sort_in(form, wanted, notes));
            return Some(outline);
        }
        match definition(tree) {
            Some((kind, what)) if kind != wanted => {
                let text = format!("this is a {}, where the {word} is expected", kind.word);
                let cure = "give the file of the domain first, then the file of the problem";
                notes.report.say(Code::PddlSwapped, what.span(), text, cure);
                None
            }
            Some((_, what)) => {
                let name = what.rest().next().and_then(Form::word);
                if name.is_none() {
                    let cure = format!("write `({word} name)`");
                    notes.expected(what.span(), format!("the {word} has no name"), cure);
                }
                nothing_follows(tree, first, notes);
                let mut outline = Outline::new(name.unwrap_or_default(), what.span());
                first.rest().skip(1).for_each(|form| outline.sort_in(form, wanted, notes));
                Some(outline)
            }
            None => {
                let text = format!("the file does not begin with `(define ({word} name)`");
                let cure = format!("write `(define ({word} name) …)` around it");
                notes.report.say(Code::PddlNoDefinition, first.head_span(), text, cure);
                None
            }
        }
    }

    fn new(name: &'t str, place: Span) -> Self {
        Outline { name, place, sections: HashMap::new() }
    }

    fn sort_in(&mut self, form: Form<'t>, kind: Kind, notes: &mut Notes<'t>) {
        let Some(keyword) = form.head().filter(|_| begins_section(form)) else {
            let text = format!("a section is expected here, not `{}`", form.written());
            let cure = format!("begin it with its keyword: {}", listed(kind.sections));
            return notes.expected(form.head_span(), text, cure);
        };
        if !kind.sections.contains(&keyword) {
            return unknown_section(form, keyword, kind, notes);
        }
        let so_far = self.sections.entry(keyword).or_default();
        if let Some(first) = so_far.first().filter(|_| !Kind::may_repeat(keyword)) {
            let (first, span) = (first.head_span(), form.head_span());
            let (text, cure) = (format!("`{keyword}` stands twice"), "put both into one list");
            notes.report.say_twice(Code::PddlSectionTwice, span, first, text, cure);
        }
        // What a second one declares is known all the same.
        so_far.push(form);
    }
}

fn begins_section(form: Form<'_>) -> bool {
    form.head().is_some_and(|head| head.starts_with(':'))
}

fn nothing_follows<'t>(tree: &'t Tree<'t>, first: Form<'t>, notes: &mut Notes<'t>) {
    let Some(next) = tree.whole().rest().next() else { return };
    let also = (first.end_span(), "the definition ends here");
    let text = "this stands after the end of the definition";
    let cure = match begins_section(next) {
        true => "remove the parenthesis that closes it too early",
        false => "remove it, or put it into a file of its own",
    };
    notes.report.say_also(Code::PddlNoDefinition, next.head_span(), also, text, cure);
}

fn unknown_section<'t>(form: Form<'t>, keyword: &str, kind: Kind, notes: &mut Notes<'t>) {
    if let Some(feature) = feature_of_section(keyword) {
        return notes.refuse(feature, form, &format!("`{keyword}`"));
    }
    let other = kind.other();
    if other.sections.contains(&keyword) {
        let text = format!("`{keyword}` belongs into the {}", other.word);
        let cure = format!("move it into the file of the {}", other.word);
        return notes.report.say(Code::PddlUnknownSection, form.head_span(), text, cure);
    }
    notes.unknown_keyword(form.head_span(), keyword, kind.sections);
}
