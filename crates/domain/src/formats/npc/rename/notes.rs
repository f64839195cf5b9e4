//! Notes: what a word names follows from the words beside it.
//!
//! In:   the words of a note, in the grammar of minds: patterns `kind(attribute = word)`,
//!       comparisons `variable = value`, terms `attribute of kind`.
//! Out:  variables, selects, slots, actions and goals of the file renamed; kinds of facts,
//!       attributes, words and the names of code stay as they are.
//! Cost: one pass.

use super::{Kind, Renaming, base_of};
use crate::formats::npc::Keywords;
use crate::formats::npc::statements::{Declares, Parsed};
use crate::formats::npc::syntax::Statement;
use crate::notes::{BEFORE_GROUPS, Keyword, Note, NoteOn, NoteWord, Role};
use crate::token::WordKind;

/// Attributes that are compared with things, or written from them, so that what stands behind `=` may
/// be a slot.
const REFERENCES: [&str; 6] = ["object", "source", "link", "node", "position", "direction"];
/// Words behind which a kind of facts or a select stands, whatever it is compared with.
const BEFORE_KINDS: [&str; 3] = ["of", "from", "count"];
/// Words behind which the names of actions stand.
const BEFORE_ACTIONS: [&str; 3] = ["after", "before", "with"];

impl<'t> Renaming<'t> {
    /// The clauses by which actions without one name their code: as the file calls them.
    pub(super) fn codes(
        &self,
        parsed: &Parsed<'t>,
        words: &Keywords<'_>,
        code: &'static Keyword,
    ) -> Vec<Note> {
        let said = |name: &str| {
            let of = |note: &&Note| note.keyword == code && note.on == NoteOn::Action(name.into());
            parsed.found.tree.notes.iter().any(|note| of(&note))
        };
        let mut codes: Vec<Note> = Vec::new();
        parsed.each(&[Declares::Action, Declares::ActionWithNeeds], words, &mut |statement| {
            let Statement::Action(action) = statement else { return };
            let (name, span) = (action.head.name.text, action.head.name.span);
            let on = NoteOn::Action(name.to_string());
            if !said(name) && codes.iter().all(|note| note.on != on) {
                let word = NoteWord { kind: WordKind::Name, text: name.to_string(), span };
                codes.push(Note { keyword: code, on, words: vec![word], span });
            }
        });
        codes
    }

    pub(super) fn note(&self, note: &mut Note) {
        let rename = |kind: Kind, name: &mut String| {
            if let Some(new) = self.new_name(&[kind], name) {
                *name = new.to_string();
            }
        };
        match &mut note.on {
            NoteOn::Itself => {}
            NoteOn::Action(name) => rename(Kind::Action, name),
            NoteOn::Goal(name) => rename(Kind::Goal, name),
            NoteOn::Npc(name) => rename(Kind::Npc, name),
        }
        if note.keyword.role == Role::NamesCode {
            // Code is called the same everywhere; what it is given may be a slot.
            for word in note.words.iter_mut().skip(1) {
                if let Some(new) = self.new_slot(&word.text) {
                    word.text = new.to_string();
                }
            }
            return;
        }
        if matches!(note.keyword.role, Role::OwnNames | Role::Rows | Role::OfCompoundsToo)
            || matches!(note.keyword.role, Role::Places { .. })
        {
            return;
        }
        let new: Vec<Option<String>> =
            (0..note.words.len()).map(|at| self.note_word(note, at)).collect();
        for (word, new) in note.words.iter_mut().zip(new) {
            word.text = new.unwrap_or(std::mem::take(&mut word.text));
        }
    }

    /// The new name of a word of a note, if it has one.
    fn note_word(&self, note: &Note, at: usize) -> Option<String> {
        let words = &note.words;
        let word = &words[at];
        if word.kind != WordKind::Name {
            return None;
        }
        let text = word.text.as_str();
        let slot = || self.new_slot(text).map(str::to_string);
        let named = |kinds: &[Kind]| self.new_name(kinds, text).map(str::to_string);
        let before = |back: usize| at.checked_sub(back).map(|at| &words[at]);
        let is = |word: Option<&NoteWord>, names: &[&str]| {
            word.is_some_and(|word| names.contains(&word.text.as_str()))
        };
        let compares =
            |word: Option<&NoteWord>| word.is_some_and(|it| it.kind.relation().is_some());
        // What code is given may be a slot; what it is called is its own affair.
        let gives = |code: usize| match words.get(code + 1).map(|word| word.kind) {
            Some(WordKind::Open) => code..=closing(words, code + 1).unwrap_or(words.len()),
            _ => code..=code,
        };
        if note.keyword.role == Role::NamesCode {
            return slot().filter(|_| at > 0);
        }
        let colon = words.iter().position(|word| word.kind == WordKind::Colon);
        let is_statement = note.on == NoteOn::Itself;
        if is_statement && colon.is_none_or(|colon| at < colon) {
            return match note.keyword.role {
                _ if is(before(1), &["in"]) => named(&[Kind::Variable, Kind::Select]),
                Role::SetsVariable if at == 0 => named(&[Kind::Variable]),
                Role::AnswersCheck if at == 0 => named(&[Kind::Check]),
                Role::Selects if at == 0 => named(&[Kind::Select]),
                Role::NamesItself if at == 0 => named(&[Kind::Beside]),
                Role::Plain => named(&[Kind::Action]),
                _ => slot(),
            };
        }
        if note.keyword.role == Role::NamesAction && at == 0 {
            return named(&[Kind::Action]);
        }
        if let Some(colon) = colon.filter(|_| note.keyword.role == Role::NamesItself) {
            if gives(colon + 1).contains(&at) {
                return slot().filter(|_| at > colon + 1);
            }
            // Channels are nobody's names.
            if lists_after(words, at, &["uses"]) {
                return None;
            }
        }
        if let Some(open) = pattern_around(words, at) {
            let end = closing(words, open).and_then(|end| words.get(end + 1));
            let lead = open.checked_sub(2).map(|at| &words[at]);
            if compares(end) && !is(lead, &BEFORE_KINDS) {
                return slot();
            }
            let compared = compares(before(1)) && is(before(2), &REFERENCES);
            return (compared || is(before(1), &["of", "from"])).then(slot).flatten();
        }
        if is(before(1), &BEFORE_KINDS) {
            return slot();
        }
        if compares(before(1)) {
            let variable = variable_before(words, at - 1)?;
            return self.new_value(variable, text).map(str::to_string);
        }
        let next = words.get(at + 1);
        let behind = match next.map(|word| word.kind) {
            Some(WordKind::Open) => closing(words, at + 1).and_then(|end| words.get(end + 1)),
            _ => next,
        };
        if compares(behind) {
            return named(&[Kind::Variable]);
        }
        if lists_after(words, at, &["feeds"]) {
            return named(&[Kind::Variable, Kind::Check]);
        }
        if lists_after(words, at, &BEFORE_ACTIONS) {
            return named(&[Kind::Action]);
        }
        // The result of a rule: `post if post(…), elsewhere`.
        let begins = is(before(1), &[",", ":"]);
        if note.keyword.role == Role::SetsVariable && begins {
            let variable = base_of(&words[0].text);
            return self.new_value(variable, text).map(str::to_string);
        }
        if is(next, &["of"]) || is(before(1), &["by"]) {
            return None;
        }
        slot()
    }
}

/// Where the parentheses around a word open, if they belong to a name: those of a group do not.
fn pattern_around(words: &[NoteWord], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    for back in (0..at).rev() {
        match words[back].kind {
            WordKind::Close => depth += 1,
            WordKind::Open if depth > 0 => depth -= 1,
            WordKind::Open => {
                let opener = back.checked_sub(1).map(|at| &words[at]);
                let is_name = |word: &&NoteWord| {
                    word.kind == WordKind::Name && !BEFORE_GROUPS.contains(&word.text.as_str())
                };
                return opener.filter(is_name).map(|_| back);
            }
            _ => {}
        }
    }
    None
}

/// Where the parenthesis that opens here is closed.
fn closing(words: &[NoteWord], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, word) in words.iter().enumerate().skip(open) {
        match word.kind {
            WordKind::Open => depth += 1,
            WordKind::Close if depth == 1 => return Some(at),
            WordKind::Close => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The variable before the sign of a comparison: `nerve` of `nerve = broken`, `ready` of
/// `ready(prop.1) = true`.
fn variable_before(words: &[NoteWord], sign: usize) -> Option<&str> {
    let mut at = sign.checked_sub(1)?;
    if words[at].kind == WordKind::Close {
        while words[at].kind != WordKind::Open {
            at = at.checked_sub(1)?;
        }
        at = at.checked_sub(1)?;
    }
    Some(&words[at].text)
}

/// Whether a word stands in a list that begins behind one of these.
fn lists_after(words: &[NoteWord], at: usize, begins: &[&str]) -> bool {
    let mut at = at;
    while let Some(before) = at.checked_sub(1) {
        if begins.contains(&words[before].text.as_str()) {
            return true;
        }
        let Some(item) = before.checked_sub(1).filter(|_| words[before].kind == WordKind::Comma)
        else {
            return false;
        };
        // Step over an item, with its parentheses.
        at = item;
        if words[at].kind == WordKind::Close {
            while at > 0 && words[at].kind != WordKind::Open {
                at -= 1;
            }
            at = at.saturating_sub(1);
        }
    }
    false
}
