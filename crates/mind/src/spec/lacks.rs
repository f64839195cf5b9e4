//! What slots lack: symbols of variables that no file writes one for.
//!
//! In:   the variables `lacks(SLOT)` that `needs` makes.
//! Out:  a symbol for each that has none: the slot with what it needs, or `nothing`.
//! Cost: one symbol per slot that can need something.
//!
//! What is needed and nobody has picked is nothing that a plan could bring about: then the variable
//! is unknown, and no action that asks for it is there.

use super::read::Reading;
use throng_domain::diagnostics::Report;
use throng_domain::notes::{Keyword, Note, NoteOn, NoteReader, NoteWord, Relation, WordKind};
use throng_domain::source::Span;

/// As it stands in a text, with the slot for `S`.
const RULES: &str = ": object of need ( source = S , knowledge = unmet ) , \
    object of need ( source = S , knowledge = met ) , \
    nothing if not need ( source = S , knowledge = unmet )";

static KEYWORD: Keyword =
    Keyword::new("symbol", "symbol weapon: armed if weapon(knowledge = armed)");

impl Reading<'_> {
    /// Adds the symbols of what slots lack.
    pub(super) fn add_lacks(&mut self, report: &mut Report) {
        let map = self.names.map;
        let Some(model) = map.model() else { return };
        for id in map.variable_ids() {
            let lack = model.lack(id).filter(|_| !self.symbols.contains_key(&id));
            let Some((slot, _)) = lack else { continue };
            let span = model[id].span();
            let name = NoteWord { kind: WordKind::Name, text: map.variable(id).to_string(), span };
            let words = RULES.split_whitespace().map(|text| word(text, map.slot(slot), span));
            let on = NoteOn::Itself;
            let note = Note { keyword: &KEYWORD, on, words: words.collect(), span };
            for word in note.words.iter().filter(|word| word.kind == WordKind::Name) {
                self.spec.words.intern(&word.text);
            }
            // What could be wrong with it is told like any other mistake.
            let _ = self.symbol_rules(&mut NoteReader::new(&note, report), &name, Some(id));
        }
    }
}

fn word(text: &str, slot: &str, span: Span) -> NoteWord {
    let kind = match text {
        ":" => WordKind::Colon,
        "," => WordKind::Comma,
        "(" => WordKind::Open,
        ")" => WordKind::Close,
        "=" => WordKind::Compare(Relation::Is),
        _ => WordKind::Name,
    };
    NoteWord { kind, text: if text == "S" { slot } else { text }.to_string(), span }
}
