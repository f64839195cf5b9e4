//! The outline of a file: what it defines, and its sections.
//!
//! In:   the tree of a file, and whether a domain or a problem is expected.
//! Out:  its name and its sections, sorted by keyword; unknown ones reported.
//! Cost: one visit per section.
//!
//! Sections may stand without `(define …)` around them: a file of actions alone is a domain.

use super::reader::Reader;
use super::refused::feature_of_section;
use super::tree::{Form, Tree};
use std::collections::HashMap;
use throng_base::DidYouMean;
use throng_domain::{Code, Span};

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Domain,
    Problem,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Domain => "domain",
            Kind::Problem => "problem",
        }
    }

    fn other(self) -> Kind {
        match self {
            Kind::Domain => Kind::Problem,
            Kind::Problem => Kind::Domain,
        }
    }

    /// Its sections, those first that may stand several times.
    fn sections(self) -> &'static [&'static str] {
        match self {
            Kind::Domain => &[
                ":action",
                ":derived",
                ":requirements",
                ":types",
                ":constants",
                ":predicates",
                ":functions",
            ],
            Kind::Problem => {
                &[":domain", ":requirements", ":objects", ":init", ":goal", ":metric", ":length"]
            }
        }
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
    pub(super) fn all(&self, keyword: &str) -> Vec<Form<'t>> {
        self.sections.get(keyword).cloned().unwrap_or_default()
    }

    /// The one section of a keyword.
    pub(super) fn one(&self, keyword: &str) -> Option<Form<'t>> {
        self.sections.get(keyword)?.first().copied()
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
    match what.head()? {
        "domain" => Some((Kind::Domain, what)),
        "problem" => Some((Kind::Problem, what)),
        _ => None,
    }
}

impl<'t> Reader<'t> {
    /// The outline of a file; `None`, with an error, if it is something else.
    pub(super) fn outline(&mut self, tree: &'t Tree<'t>, wanted: Kind) -> Option<Outline<'t>> {
        let word = wanted.word();
        let Some(first) = tree.whole().parts().next() else {
            let cure = format!("write `(define ({word} name) …)`");
            let text = format!("there is no {word} in this file");
            self.report.say(Code::PddlNoDefinition, tree.whole().head_span(), text, cure);
            return None;
        };
        let begins_section = |form: Form<'t>| form.head().is_some_and(|head| head.starts_with(':'));
        if begins_section(first) {
            let text = format!("the sections stand without `(define ({word} …) …)` around them");
            let cure = format!("begin the file with `(define ({word} name)`, and end it with `)`");
            self.report.say(Code::PddlBareSections, first.head_span(), text, cure);
            let sections = tree.whole().parts().collect();
            return Some(self.sorted("", first.head_span(), sections, wanted));
        }
        match definition(tree) {
            Some((kind, what)) if kind != wanted => {
                let text = format!("this is a {}, where the {word} is expected", kind.word());
                let cure = "give the file of the domain first, then the file of the problem";
                self.report.say(Code::PddlSwapped, what.span(), text, cure);
                None
            }
            Some((_, what)) => {
                let name = self.name_of_file(what, word);
                self.nothing_follows(tree, first);
                let sections = first.rest().skip(1).collect();
                Some(self.sorted(name, what.span(), sections, wanted))
            }
            None => {
                let text = format!("the file does not begin with `(define ({word} name)`");
                let cure = format!("write `(define ({word} name) …)` around it");
                self.report.say(Code::PddlNoDefinition, first.head_span(), text, cure);
                None
            }
        }
    }

    fn name_of_file(&mut self, what: Form<'t>, word: &str) -> &'t str {
        let name = what.rest().next().and_then(Form::word);
        if name.is_none() {
            let cure = format!("write `({word} name)`");
            self.expected(what.span(), format!("the {word} has no name"), cure);
        }
        name.unwrap_or_default()
    }

    fn nothing_follows(&mut self, tree: &'t Tree<'t>, first: Form<'t>) {
        let Some(next) = tree.whole().rest().next() else { return };
        let also = (first.end_span(), "the definition ends here");
        let text = "this stands after the end of the definition";
        let cure = match next.head() {
            Some(head) if head.starts_with(':') => {
                "remove the parenthesis that closes it too early"
            }
            _ => "remove it, or put it into a file of its own",
        };
        self.report.say_also(Code::PddlNoDefinition, next.head_span(), also, text, cure);
    }

    fn sorted(
        &mut self,
        name: &'t str,
        place: Span,
        forms: Vec<Form<'t>>,
        kind: Kind,
    ) -> Outline<'t> {
        let mut sections: HashMap<&'t str, Vec<Form<'t>>> = HashMap::new();
        for form in forms {
            let Some(keyword) = form.head().filter(|head| head.starts_with(':')) else {
                let text = format!("a section is expected here, not `{}`", form.written());
                let cure = format!("begin it with its keyword: {}", listed(kind.sections()));
                self.expected(form.head_span(), text, cure);
                continue;
            };
            if !kind.sections().contains(&keyword) {
                self.unknown_section(form, keyword, kind);
                continue;
            }
            let so_far = sections.entry(keyword).or_default();
            if let Some(first) = so_far.first().filter(|_| !Kind::may_repeat(keyword)) {
                let (first, span) = (first.head_span(), form.head_span());
                let text = format!("`{keyword}` stands twice");
                let cure = "put both into one list".to_string();
                self.report.say_twice(Code::PddlSectionTwice, span, first, text, cure);
            }
            // What a second one declares is known all the same.
            so_far.push(form);
        }
        Outline { name, place, sections }
    }

    fn unknown_section(&mut self, form: Form<'t>, keyword: &'t str, kind: Kind) {
        if let Some(feature) = feature_of_section(keyword) {
            return self.refuse(feature, form, &format!("`{keyword}`"));
        }
        let other = kind.other();
        if other.sections().contains(&keyword) {
            let text = format!("`{keyword}` belongs into the {}", other.word());
            let cure = format!("move it into the file of the {}", other.word());
            return self.report.say(Code::PddlUnknownSection, form.head_span(), text, cure);
        }
        self.unknown_keyword(form.head_span(), keyword, kind.sections());
    }

    /// A keyword that is none of those that may stand here.
    pub(super) fn unknown_keyword(&mut self, span: Span, keyword: &str, known: &[&'static str]) {
        let nearest = self.report.nearest(keyword, known.iter().copied());
        let text = format!("unknown keyword `{keyword}`{}", DidYouMean(nearest));
        let cure = match nearest {
            Some(nearest) => format!("write `{nearest}`"),
            None => format!("here may stand: {}", listed(known)),
        };
        self.report.say(Code::PddlUnknownSection, span, text, cure);
    }
}

fn listed(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
