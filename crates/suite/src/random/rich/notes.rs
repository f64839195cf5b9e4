//! Notes: statements and clauses that mean nothing to the planner, some sensible, some not.
//!
//! Any words may stand in a statement, behind the head of a `select`; a clause may not have the words that begin clauses of
//! its statement, nor look like a condition or a change.

use super::{NAMES, NUMBERS, Writer};
use throng_domain::notes::{Keyword, NoteWords};
use throng_mind::notes::listed;

/// Sensible rests of statements and clauses; words of no clause.
#[rustfmt::skip]
const RESTS: [&str; 10] = [
    "see : on sight keeps 5 feeds armed , near",
    "at : node of self , here of character ( sure stimulus >= 0.5 ) , nowhere",
    "near : ( danger or not ( character ( knowledge != dead , distance < 3 ) ) ) and count x >= 2",
    "go : 2.5 , amount of path ( node = it )",
    "wave : after go ( pipe ) before attack every 3",
    "\"#..#\" \"#.a#\" \"\" \"##\"",
    "2 for 10",
    "sure stimulus of character ( knowledge = alive ) times distance of danger curve 0 1 , 5 0",
    "door at D : door shut , open , blocked opened key = held",
    "",
];
const SIGNS: [&str; 10] = [":", ",", "(", ")", "..", "=", "!=", "<", ">=", "->"];
const TEXTS: [&str; 4] = ["\"\"", "\"#\"", "\"a-b:c\"", "\"Zügel#馬\""];

impl Writer<'_> {
    /// A statement of its own.
    pub(super) fn note(&mut self) {
        let keyword = self.dice.pick(&listed(|words| words.statements)).word;
        let mut rest = self.dice.pick(&RESTS).to_string();
        if self.dice.percent(50) {
            rest = (0..self.dice.within(0, 12))
                .map(|_| self.note_word())
                .collect::<Vec<_>>()
                .join(" ");
        }
        if keyword == "select" {
            // Planning reads its head.
            let head = self.dice.pick(&["one", "best 2", "best 8"]);
            rest = format!("pick{} : {head} {rest}", self.statements.len());
        }
        self.statements.push(format!("{keyword} {rest}").trim_end().to_string());
    }

    /// Some clauses of those given, each once; mostly none.
    pub(super) fn note_clauses(
        &mut self,
        known: fn(&NoteWords) -> &'static [Keyword],
    ) -> Vec<String> {
        if !self.dice.percent(25) {
            return Vec::new();
        }
        let known = listed(known);
        let count = self.dice.within(1, known.len());
        let some = self.dice.some_of(known.len(), count);
        some.into_iter().map(|at| self.note_clause(known[at].word)).collect()
    }

    fn note_clause(&mut self, keyword: &str) -> String {
        let mut rest = self.dice.pick(&RESTS).to_string();
        if self.dice.percent(50) {
            let words = (0..self.dice.within(0, 8)).map(|_| self.note_word());
            let harmless = |word: &String| !NAMES.contains(&word.as_str()) && word != "->";
            rest = words.filter(harmless).collect::<Vec<_>>().join(" ");
            rest = rest.trim_start_matches(['=', '!', '<', '>', ' ']).to_string();
        }
        format!("{keyword} {rest}").trim_end().to_string()
    }

    fn note_word(&mut self) -> String {
        let words: &[&str] = match self.dice.below(8) {
            0 => &NUMBERS,
            1 | 2 => &SIGNS,
            3 => &TEXTS,
            4 => &["and", "or", "not", "times", "while", "if"],
            5 => &["character", "danger", "-3", "007", "sight"],
            _ => &NAMES,
        };
        self.dice.pick(words).to_string()
    }
}
