//! A file in which everything is declared before it is used: read in one go.
//!
//! In:   a text that includes nothing.
//! Out:  a builder that has all of it, as if the statements had been declared kind by kind
//!       ([`expand`](super::expand)); nothing if the text has to be read that way.
//! Cost: each statement is parsed once and gone once it is declared. A text that has to be read the
//!       other way was read in vain up to where that shows: at the first statement with a mistake,
//!       or with something that others before it may speak of.
//!
//! Things are numbered kind by kind, so only the order within a kind matters, and what each finds by
//! name. What may find less than it would at the end waits until then: NPC types whose lists name
//! more than single actions and goals, and all compounds, capabilities, wishes and tests.

use super::lex::{Lexed, Lexer};
use super::parse::Found;
use super::syntax::*;
use super::{Keywords, domain_name, expand, template, variables};
use crate::build::ModelBuilder;
use crate::source::FileId;

/// What is declared when all else is there.
#[derive(Default)]
struct Waiting<'t> {
    compounds: Vec<CompoundDraft<'t>>,
    capabilities: Vec<CapabilitySyntax<'t>>,
    wishes: Vec<WishSyntax<'t>>,
    npcs: Vec<NpcDraft<'t>>,
    tests: Vec<TestSyntax<'t>>,
}

/// Declares all that a text says; `false` if it has to be read kind by kind.
pub(super) fn read(text: &str, words: &Keywords<'_>, builder: &mut ModelBuilder) -> bool {
    let (mut found, mut waiting) = (Found::default(), Waiting::default());
    let (mut domains, mut lexed) = (Vec::new(), Lexed::default());
    let mut lexer = Lexer::new(text, FileId(0), &mut builder.report);
    while lexer.statement(&mut lexed, &mut builder.report) {
        let statement = found.statement(&lexed.tokens, 0, words, &mut builder.report);
        let goes_on = match statement {
            Some(Statement::Domain(word)) => {
                domains.push(word);
                true
            }
            Some(statement) => waiting.declare_or_keep(statement, builder),
            None => false,
        };
        if !goes_on || builder.report.errors() + builder.report.warnings() > 0 {
            return false;
        }
        found.forget_marks();
        lexed.clear();
    }
    if let Some(word) = domain_name(domains.iter(), &mut builder.report, false) {
        builder.set_name(word.text, word.span);
    }
    waiting.declare(builder);
    found.tree.notes.into_iter().for_each(|note| builder.add_note(note));
    true
}

impl<'t> Waiting<'t> {
    /// Declares a statement, or keeps it for the end; `false` if others before it may have found
    /// too little because of it.
    fn declare_or_keep(&mut self, statement: Statement<'t>, builder: &mut ModelBuilder) -> bool {
        match statement {
            // What has parentheses is one of several, and stands behind all that has none.
            Statement::Variable(it) if matches!(it.head.arguments, Arguments::None) => {
                variables::plain(&it, builder);
            }
            Statement::Action(it) if it.needs.is_empty() && it.variant.is_none() => {
                template::actions(&it, builder);
            }
            Statement::Goal(it) => template::goals(&it, builder),
            Statement::Npc(it) if self.npcs.is_empty() && builder.lists_single_things(&it) => {
                builder.declare_npc(&it);
            }
            Statement::Npc(it) => self.npcs.push(it),
            Statement::Compound(it) => self.compounds.push(it),
            Statement::Capability(it) => self.capabilities.push(it),
            Statement::Prefer(it) => self.wishes.push(it),
            Statement::Test(it) => self.tests.push(it),
            _ => return false,
        }
        true
    }

    /// Declares what was kept, kind by kind.
    fn declare(self, builder: &mut ModelBuilder) {
        self.compounds.iter().for_each(|it| builder.declare_compound(it));
        builder.settle_checks();
        for it in &self.capabilities {
            builder.declare_capability(it.name.text, &it.members, it.name.span);
        }
        for it in &self.wishes {
            builder.declare_preference(&it.before, &it.after, it.span);
        }
        self.npcs.iter().for_each(|it| builder.declare_npc(it));
        self.tests.iter().for_each(|it| expand::test(it, builder));
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_by_kind;
    use super::*;
    use crate::formats::{Format, Setting, json, no_includes};
    use crate::level::Level;
    use crate::limits::Limits;
    use crate::model::Model;
    use crate::source::Sources;
    use crate::{Code, Report};
    use std::sync::Arc;
    use throng_base::SplitMix;

    /// What a text says, in an order in which all of it is there before it is used.
    const STATEMENTS: [&str; 24] = [
        "var door: shut, open",
        "var place: yard, hall, loft",
        "var gold: 0..20",
        "var price: 0..9",
        "var key(hall): lost, found",
        "action push: door shut -> open if awake, not tired",
        "action slam: door open -> shut if tired cost 1.5 overrides push",
        "action go(to in place): place -> to while door = open",
        "action climb: place hall -> loft if awake",
        "action spare(1): place loft -> hall if not awake",
        "action dig: gold += 3 up to 18",
        "action pay: gold -= 5, door -> open while gold >= price was bribe",
        "action roll: door -> open kinds softly if awake cost 2, loudly cost 1",
        "compound escape: push, climb",
        "goal out: door = open",
        "goal rich: gold >= 15 or place = loft priority 2",
        "goal high: place = loft serves best",
        "goal far: place = yard serves best",
        "capability work: dig, pay",
        "prefer push before climb",
        "npc thief can push, climb wants out starts door = shut, gold = 3",
        "npc guest can go, work, escape wants best, rich starts place = yard",
        "npc all can everything wants everything starts door = shut",
        "test way: thief goal out without tired expect length 1",
    ];

    /// More statements, which are wrong beside those.
    const ODD: [&str; 10] = [
        "action work: door -> open",
        "action push: place hall -> yard",
        "action go(roof): place -> hall",
        "var door: ajar, wide",
        "var key: lost, found",
        "goal best: door = shut",
        "action unlock(to in place): door -> open while key(to) = found",
        "npc thief can nothing_known wants out",
        "action climb: place hall -> attic",
        "acton push: door",
    ];

    /// The model in words, and every diagnostic.
    type Outcome = (Option<String>, Vec<(Code, crate::Span, String, String)>);

    fn outcome((model, report): (Option<Model>, Report)) -> Outcome {
        let told = report.diagnostics().iter();
        let told = told.map(|it| (it.code, it.span, it.text.clone(), it.cure.clone())).collect();
        (model.map(|model| json::write(&model)), told)
    }

    /// Reads a text both ways; whether it could be read in order.
    fn agree(text: &str) -> bool {
        let (limits, level) = (Limits::default(), Level::new());
        let setting = Setting { limits: &limits, words: &[], level: &level, root: "" };
        let mut sources = Sources::default();
        sources.add("t.npc", text);
        let mut again = sources.clone();
        let by_kind = read_by_kind(Arc::new(text.into()), &mut again, &setting, &mut no_includes);
        let read = super::super::read(&mut sources, &setting, &mut no_includes);
        assert_eq!(outcome(read), outcome(by_kind), "{text}");
        let report = Report::default();
        let mut builder = ModelBuilder::new(&limits, report, Format::Npc, &[]);
        super::read(text, &Keywords::new(&[]), &mut builder)
    }

    #[test]
    fn any_order_of_statements_reads_as_kind_by_kind() {
        let mut random = SplitMix::new(11);
        let (mut in_order, mut by_kind) = (0, 0);
        for round in 0..600 {
            let mut statements: Vec<&str> = vec!["domain d"];
            let kept = STATEMENTS.iter().filter(|it| round % 3 > 0 || !it.contains('('));
            statements.extend(kept.filter(|_| !random.one_in(8)));
            if round % 4 == 0 {
                statements.push(ODD[random.below(ODD.len())]);
            }
            // From a few neighbours that change places to no order at all.
            for _ in 0..random.below(1 + round % 40) {
                let at = random.below(statements.len());
                let reach = if round % 2 == 0 { 3 } else { statements.len() };
                let other = (at + random.below(reach)).min(statements.len() - 1);
                statements.swap(at, other);
            }
            match agree(&(statements.join("\n") + "\n")) {
                true => in_order += 1,
                false => by_kind += 1,
            }
        }
        assert!(in_order > 50 && by_kind > 50, "{in_order} {by_kind}");
    }

    #[test]
    fn what_may_find_less_waits_or_is_read_again() {
        let check = |text: &str, in_order| assert_eq!(agree(text), in_order, "{text}");
        let begin = "domain d\nvar a: x, y\naction one: a x -> y\ngoal g: a = y\n";
        check(begin, true);
        for (rest, in_order) in [
            ("npc n can everything wants everything\naction two: a y -> x\ngoal h: a = x\n", true),
            ("npc n can both wants g\ncapability both: one, two\naction two: a y -> x\n", true),
            ("npc n can two wants g\nnpc m can one wants g\naction two: a y -> x\n", true),
            ("test t: n goal g from a = x expect length 1\nnpc n can one wants g\n", true),
            ("npc n can one wants g\naction one: a -> x variant 2\n", false),
            ("action b: c on -> off\nvar c: on, off\nnpc n can b, one wants g\n", false),
            ("var c(x): on, off\nnpc n can one wants g\n", false),
            ("npc n can one wants g\nprefer one before two\naction two: a y -> x\n", true),
        ] {
            check(&format!("{begin}{rest}"), in_order);
        }
    }
}
