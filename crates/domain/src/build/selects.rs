//! Selects: of each statement its head, which is all that planning knows of it.
//!
//! In:   `cover: best 3 …` as a note, or the name and the number of slots from a tool.
//! Out:  a select and its slots in the model.
//! Cost: a name per slot; there are few.

use super::counted::Settled;
use super::resolve::some_of;
use super::{GroupDraft, ModelBuilder, ValuesDraft, VariableDraft, Word};
use crate::diagnostics::{Code, Report};
use crate::level::MOST_MEMBERS;
use crate::model::{Select, SelectId, Slot, SlotAt, SlotId, ValueId, VariableId};
use crate::names;
use crate::notes::{Note, NoteReader, Reported, Role};
use crate::source::Span;
use crate::token::WordKind;
use std::sync::Arc;
use throng_base::DidYouMean;

/// So many slots `best` may have.
pub(crate) const MOST_OF_ONE: usize = 8;
const MOST_SELECTS: usize = 32;
const MOST_SLOTS: usize = 64;

impl ModelBuilder {
    /// Takes in what a note declares that others speak of: the head of a `select` statement, the
    /// name of a check. The rest is for minds.
    pub(crate) fn declare_noted(&mut self, note: &Note) {
        self.level.add_placed(note);
        self.declare_check(note);
        if note.keyword.role != Role::Selects {
            return;
        }
        match select_head(note, &mut self.report) {
            Ok((name, n_slots)) => self.declare_select(name, n_slots),
            Err(Reported) => {
                let name = note.words.first().map(|word| word.text.clone());
                name.iter().for_each(|name| self.add_broken(name));
            }
        }
    }

    /// Takes in the name of the check that a note answers, if it does.
    pub(crate) fn declare_check(&mut self, note: &Note) {
        if note.keyword.role == Role::AnswersCheck {
            self.declared_checks.extend(note.words.first().map(|word| word.text.clone()));
        }
    }

    /// Takes a select in; reported if there can be none of that name or size.
    pub(crate) fn declare_select(&mut self, name: Word<'_>, n_slots: usize) {
        let Word { text, span } = name;
        if !self.name_fits(text, span) {
            self.add_broken(text);
            return;
        }
        if let Some(first) = self.model.find_select(text) {
            let first = self.model[first].span;
            self.declared_twice(Code::SelectName, "select", text, span, first);
            return;
        }
        if n_slots == 0 || n_slots > MOST_OF_ONE {
            let said = format!("`{text}` would have {n_slots} slots");
            let cure = format!("write `one`, or `best 2` to `best {MOST_OF_ONE}`");
            self.report.say(Code::TooManySlots, span, said, cure);
            self.add_broken(text);
            return;
        }
        let (selects, slots) = (self.model.selects.len(), self.model.slots.len());
        if selects >= MOST_SELECTS || slots + n_slots > MOST_SLOTS {
            let said = format!(
                "with `{text}` there are more than {MOST_SELECTS} selects or {MOST_SLOTS} slots"
            );
            let cure = "remove those that nothing needs, or give some fewer slots";
            self.report.say(Code::TooManySlots, span, said, cure);
            self.add_broken(text);
            return;
        }
        let select = SelectId::at(selects);
        let first = SlotId::at(slots);
        for at in 1..=n_slots {
            let name = if n_slots == 1 { text.to_string() } else { format!("{text}.{at}") };
            // `cover.1: one` beside `cover: best 2`.
            if let Some(other) = self.model.find_slot(&name) {
                let first = self.model[other].span;
                self.declared_twice(Code::SelectName, "slot", &name, span, first);
                return;
            }
            self.model.add_slot(Slot { name, select, span });
        }
        self.model.add_select(Select { name: text.to_string(), first, n_slots, span });
    }

    /// Lets the notes about selects stand in the order of the selects, whatever order a tool told
    /// them in: in `.npc`, the order of the statements is that of the selects.
    pub(super) fn order_selects_in_notes(&mut self) {
        let is_about_select = |note: &&Note| note.keyword.role == Role::Selects;
        let mut ordered: Vec<Note> =
            self.model.notes.iter().filter(is_about_select).cloned().collect();
        ordered.sort_by_key(|note| {
            note.words.first().and_then(|name| self.model.find_select(&name.text))
        });
        let places = Arc::make_mut(&mut self.model.notes).iter_mut();
        let places = places.filter(|note| is_about_select(&&**note));
        places.zip(ordered).for_each(|(place, note)| *place = note);
    }

    /// Whether a variable may have this name beside the selects; reported if not.
    pub(super) fn is_no_select(&mut self, variable: Word<'_>) -> bool {
        let Some(select) = self.model.find_select(variable.text) else { return true };
        let also = (self.model[select].span, "the select is here");
        let text = format!("`{}` is a variable and a select", variable.text);
        let cure = "rename one: `in` and conditions take both, so their names must differ";
        self.report.say_also(Code::SelectName, variable.span, also, text, cure);
        self.add_broken(variable.text);
        false
    }
}

impl ModelBuilder {
    /// The names of a group behind `any`; `None`, with a report, if there is no such group.
    pub(crate) fn members(&mut self, group: Word<'_>) -> Option<Vec<String>> {
        let Word { text: name, span } = group;
        if let Some(select) = self.model.find_select(name) {
            let slots = self.model[select].slots();
            return Some(slots.map(|slot| self.model[slot].name().to_string()).collect());
        }
        let members: Vec<String> =
            self.level.members(name).map(|(name, _)| name.to_string()).collect();
        match members.len() {
            0 if self.is_explained(name) => None,
            0 => {
                self.report_no_group(name, span);
                None
            }
            1..=MOST_MEMBERS => Some(members),
            count => {
                let text = format!("the level has {count} of the sort `{name}`");
                let cure = format!(
                    "at most {MOST_MEMBERS} can be listed; let a select pick among them: \
                     `select {name}: best 3 of …`"
                );
                self.report.say(Code::SortSize, span, text, cure);
                None
            }
        }
    }

    fn report_no_group(&mut self, name: &str, span: Span) {
        let selects = self.model.selects.iter().map(Select::name);
        let near = self.report.nearest(name, selects.chain(self.level.sorts()));
        if near.is_none() && !self.level.is_empty() {
            let text = format!("nothing in this level is a `{name}`");
            let sorts: Vec<&str> = self.level.sorts().collect();
            let cure = format!(
                "place one, as in `node mill at M: {name}`; its sorts are: {}",
                some_of(sorts.into_iter())
            );
            self.report.say(Code::SortSize, span, text, cure);
            return;
        }
        let text = format!("nothing is called `{name}`{}", DidYouMean(near));
        let cure = match near {
            Some(near) => format!("write `any {near}`"),
            None => format!(
                "behind `any` stands a select, as in `select {name}: best 3 of …`, \
                 or a sort of which a level has some"
            ),
        };
        self.report.say(Code::NoteUnknown, span, text, cure);
    }

    /// Whether no word stands beside a group that is called like it or like one of it; reported
    /// if one does.
    pub(super) fn groups_are_plain(&mut self, draft: &VariableDraft<'_>) -> bool {
        let ValuesDraft::Words(words) = &draft.values else { return true };
        for group in &draft.groups {
            let is_other = |at: &usize| !group.of.contains(at);
            let same = |at: &usize| words[*at].0 == group.name;
            let Some(at) = (0..words.len()).filter(is_other).find(same) else { continue };
            let (word, span) = &words[at];
            let text = format!("`{}` has the word `{word}` and `any {word}`", draft.name);
            let cure = format!("rename the word: `{} = {word}` would mean both", draft.name);
            self.report.say(Code::SelectName, *span, text, cure);
            return false;
        }
        true
    }

    /// Remembers the groups of a variable; gives the first values of those of selects.
    pub(super) fn add_groups(
        &mut self,
        variable: VariableId,
        groups: Vec<GroupDraft>,
    ) -> Vec<(ValueId, SelectId)> {
        let mut picks = Vec::new();
        for GroupDraft { name, of } in groups {
            match self.model.find_select(&name) {
                Some(select) => picks.push((ValueId::at(of.start), select)),
                None => self.model.add_sort(variable, name, of),
            }
        }
        picks
    }

    /// Reports that a check stands where a variable should, if the name is that of one.
    pub(crate) fn reported_check(&mut self, name: &str, span: Span) -> bool {
        let bare = names::template_of(name).unwrap_or(name);
        if !self.declared_checks.contains(bare) {
            return false;
        }
        let text = format!("`{name}` is a check, and `while` asks a variable");
        let cure = format!("write `if {name}`, or `if not {name}`");
        self.report.say(Code::CheckOrVariable, span, text, cure);
        true
    }

    /// Whether variables are called so with something in parentheses.
    pub(crate) fn is_variable_template(&self, name: &str) -> bool {
        self.variable_templates.get(name).is_some()
    }

    /// Those of the words in parentheses of an action's name that are slots. A word that the
    /// action takes for a plain value of some variable is none.
    pub(super) fn parameter_slots(&self, name: &str, settled: &Settled) -> Vec<SlotAt> {
        let mut slots = self.model.slots_in(name);
        if slots.is_empty() {
            return slots;
        }
        let facts = settled.requires.iter().chain(&settled.sets).map(|&(fact, _)| fact);
        let named: Vec<(&str, bool)> = facts
            .map(|fact| {
                let slot = self.model.value_slot(fact.variable, fact.value);
                (self.model.fact_names(fact).1, slot.is_some())
            })
            .collect();
        slots.retain(|&(_, slot)| {
            let same = || named.iter().filter(|(name, _)| *name == self.model[slot].name());
            same().count() == 0 || same().any(|&(_, is_slot)| is_slot)
        });
        slots
    }
}

/// The name and the number of slots of a `select` statement.
pub(crate) fn select_head<'n>(
    note: &'n Note,
    report: &mut Report,
) -> Result<(Word<'n>, usize), Reported> {
    let mut reader = NoteReader::new(note, report);
    let name = reader.name("the select's name, as in `select target: one of character`")?;
    reader.sign(WordKind::Colon)?;
    let word = Word { text: &name.text, span: name.span };
    if reader.take_word("one") {
        return Ok((word, 1));
    }
    if !reader.take_word("best") {
        return Err(reader.expected("`one` or `best` and how many, as in `best 3`"));
    }
    let span = reader.place();
    let found = reader.next().filter(|word| word.kind == WordKind::Integer);
    match found.and_then(|word| word.text.parse::<usize>().ok()) {
        Some(n_slots @ 2..=MOST_OF_ONE) => Ok((word, n_slots)),
        _ => {
            let written = found.map_or("…", |word| word.text.as_str());
            let text = format!("`best {written}` is no number of slots");
            let cure = format!("write `one`, or `best 2` to `best {MOST_OF_ONE}`");
            report.say(Code::TooManySlots, span, text, cure);
            Err(Reported)
        }
    }
}
