//! What something needs before it serves: which slots can lack what, and the variables that say so.
//!
//! In:   the selects that take `need` facts, the actions that say `needs`, the level.
//! Out:  a variable `lacks(SLOT)` for each slot that an action needs something of; mistakes.
//! Cost: a look at the words of each select; a variable per slot.
//!
//! A spot or a thing may ask for another first: a table that is tipped over, a crane that has
//! power. `select prop: best 2 of need(source = cover)` picks what is asked for, `ready(prop.1)`
//! says whether it is as it should be, and `lacks(cover.1)` which of them `cover.1` asks for.

use super::{GroupDraft, ModelBuilder, ValuesDraft, VariableDraft, Word};
use crate::diagnostics::Code;
use crate::model::{Fact, SelectId, SlotId, ValueId, VariableId};
use crate::names;
use crate::notes::{Note, NoteWord, Role, WordKind};
use crate::source::Span;

/// What the variables are called that say what a slot lacks.
pub(crate) const LACKS: &str = "lacks";
/// The value that says: nothing.
const NOTHING: &str = "nothing";
/// The variables that say whether a slot is as it should be.
const READY: &str = "ready";
/// The facts that say what needs what.
const NEED: &str = "need";

/// A select that takes what slots of another one need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Taker {
    /// Whose needs.
    of: SelectId,
    /// Who takes them.
    by: SelectId,
}

/// Who takes what is needed.
#[derive(Default)]
pub(crate) struct Needs {
    takers: Vec<Taker>,
    /// The variables that speak of a slot.
    of_slots: Vec<VariableId>,
}

impl Needs {
    /// Takes in a variable that speaks of a slot.
    pub(super) fn note_variable(&mut self, variable: VariableId) {
        self.of_slots.push(variable);
    }
}

/// One way in which what a slot needs is there.
pub(crate) enum WayMet {
    /// It needs nothing.
    Nothing(Fact),
    /// It needs something, and that is as it should be.
    Ready { lacks: Fact, ready: Fact },
}

impl ModelBuilder {
    /// Takes in whose needs a select takes: `need(source = cover)`.
    pub(crate) fn note_needs(&mut self, note: &Note) {
        if note.keyword.role != Role::Selects {
            return;
        }
        let name = note.words.first().map_or("", |word| &word.text);
        let Some(by) = self.model.find_select(name) else { return };
        for source in sources_of_needs(&note.words) {
            let Some(of) = self.model.find_select(source).or_else(|| {
                let slot = self.model.find_slot(source)?;
                Some(self.model[slot].select())
            }) else {
                continue;
            };
            let taker = Taker { of, by };
            if !self.needs.takers.contains(&taker) {
                self.needs.takers.push(taker);
            }
        }
    }

    /// The selects that take what a slot needs, in declared order.
    fn takers_of(&self, slot: SlotId) -> Vec<SelectId> {
        let select = self.model[slot].select();
        let takers = self.needs.takers.iter().filter(|taker| taker.of == select);
        let mut takers: Vec<SelectId> = takers.map(|taker| taker.by).collect();
        takers.sort_unstable();
        takers
    }

    /// Declares what says of these slots what they lack. `needs` is where they are spoken of.
    pub(crate) fn declare_lacks(&mut self, slots: &[SlotId], action: &str, needs: Span) {
        let takers: Vec<_> = slots.iter().map(|&slot| self.takers_of(slot)).collect();
        if takers.iter().all(Vec::is_empty) {
            let Some(&first) = slots.first() else { return };
            self.report_no_taker(first, needs);
            return;
        }
        for (&slot, takers) in slots.iter().zip(takers) {
            let name = format!("{LACKS}({})", self.model[slot].name());
            if takers.is_empty() || self.model.find_variable(&name).is_some() {
                continue;
            }
            if let Some(&taker) = takers.iter().find(|&&taker| !self.has_ready(action, taker)) {
                self.report_no_ready(taker, needs);
                return;
            }
            let mut values = vec![(NOTHING.into(), needs)];
            let mut groups = Vec::with_capacity(takers.len());
            for taker in takers {
                let start = values.len();
                let slots = self.model[taker].slots();
                values
                    .extend(slots.map(|slot| (self.model[slot].name().to_string().into(), needs)));
                let name = self.model[taker].name().to_string();
                groups.push(GroupDraft { name, of: start..values.len() });
            }
            self.declare_variable(VariableDraft {
                name,
                values: ValuesDraft::Words(values),
                groups,
                shared: false,
                was: Vec::new(),
                span: needs,
            });
        }
    }

    /// The variable that says whether a slot is as it should be, as a file that is read under a
    /// name calls it.
    fn ready(&self, action: &str, slot: SlotId) -> Option<(VariableId, ValueId)> {
        let slot = self.model[slot].name();
        let prefix = names::prefix_of(action);
        let variable = self.model.find_variable(&format!("{prefix}{READY}({slot})"))?;
        Some((variable, self.model.value_named(variable, "true")?))
    }

    fn has_ready(&self, action: &str, select: SelectId) -> bool {
        self.model[select].slots().all(|slot| self.ready(action, slot).is_some())
    }

    /// All ways in which what a slot needs can be there; none if nothing says what it lacks.
    pub(crate) fn ways_met(&self, action: &str, slot: SlotId) -> Vec<WayMet> {
        let name = format!("{LACKS}({})", self.model[slot].name());
        let Some(variable) = self.model.find_variable(&name) else { return Vec::new() };
        let Some(nothing) = self.model.value_named(variable, NOTHING) else { return Vec::new() };
        let mut ways = vec![WayMet::Nothing(Fact { variable, value: nothing })];
        for value in (0..self.model[variable].values().len()).map(ValueId::at) {
            let Some(needed) = self.model.value_slot(variable, value) else { continue };
            // Nothing needs itself first.
            let Some(slot) = Some(needed).filter(|&needed| needed != slot) else { continue };
            let Some((of, is)) = self.ready(action, slot) else { continue };
            let ready = Fact { variable: of, value: is };
            ways.push(WayMet::Ready { lacks: Fact { variable, value }, ready });
        }
        ways
    }

    /// What the variables of needs start with, where nothing is said of them: nothing is lacking.
    pub(crate) fn starts_of_lacks(
        &self,
        said: &[Fact],
        can: &[crate::model::ActionId],
    ) -> Vec<Fact> {
        let mut starts = Vec::new();
        for &variable in &self.needs.of_slots {
            let Some((_, value)) = self.model.lack(variable) else { continue };
            let is_said = said.iter().any(|fact| fact.variable == variable);
            let asks = |id: &crate::model::ActionId| {
                self.model[*id].requires().iter().any(|fact| fact.variable == variable)
            };
            if !is_said && can.iter().any(asks) {
                starts.push(Fact { variable, value });
            }
        }
        starts
    }

    fn report_no_taker(&mut self, slot: SlotId, span: Span) {
        let select = self.model[self.model[slot].select()].name();
        let text = format!("no select takes `{NEED}` facts, which say what `{select}` needs");
        let cure = format!("add `select prop: best 2 of {NEED}(source = {select})`");
        self.report.say(Code::NeedsUnknown, span, text, cure);
    }

    fn report_no_ready(&mut self, select: SelectId, span: Span) {
        let name = self.model[select].name();
        let text = format!("no variable `{READY}` says whether a `{name}` is as it should be");
        let cure = format!(
            "add `var {READY}(p in {name}): bool` and `symbol {READY}(p in {name}): \
             true if {NEED}(object = p, knowledge = met), false`"
        );
        self.report.say(Code::NeedsUnknown, span, text, cure);
    }

    /// Reports a word behind `needs` that the action does not have.
    pub(crate) fn report_no_parameter(&mut self, action: &str, word: Word<'_>) {
        let text = format!("`{action}` has no parameter `{}` that could need something", word.text);
        let cure = format!(
            "name one of its parameters, as in `action {action}(spot in place): … needs spot`"
        );
        self.report.say(Code::NeedsUnknown, word.span, text, cure);
    }
}

/// The words that stand behind `source =` inside `need(…)`.
fn sources_of_needs(words: &[NoteWord]) -> Vec<&str> {
    let mut sources = Vec::new();
    let mut inside = false;
    for (at, word) in words.iter().enumerate() {
        let next = |by: usize| words.get(at + by);
        match word.kind {
            WordKind::Name if word.text == NEED => {
                inside = next(1).is_some_and(|it| it.kind == WordKind::Open);
            }
            WordKind::Close => inside = false,
            WordKind::Name if inside && word.text == "source" => {
                let is = next(1).is_some_and(|sign| sign.text == "=");
                let value = next(2).filter(|_| is);
                sources.extend(value.map(|value| value.text.as_str()));
            }
            _ => {}
        }
    }
    sources
}

impl crate::model::Model {
    /// The slot whose lack a variable tells, and the value that says that nothing is lacking:
    /// `cover.1` and `nothing` of `lacks(cover.1)`.
    #[must_use]
    pub fn lack(&self, variable: VariableId) -> Option<(SlotId, ValueId)> {
        let it = &self[variable];
        let slot = it.slot().filter(|_| names::template_of(it.name()) == Some(LACKS))?;
        let nothing = self.value_named(variable, NOTHING)?;
        (!it.picks().is_empty()).then_some((slot, nothing))
    }
}
