//! Canonical layout of `.npc` text; keeps every comment.
//!
//! In:   the text of one file without syntax mistakes. Includes are not followed.
//! Out:  the same statements and comments, laid out: one blank between words, clauses of
//!       `npc` and `test` on lines of their own, neighbours aligned, long lists wrapped; lines of
//!       a note as the author broke them, rows of a `map` one below the other.
//! Cost: linear in the text.
//!
//! Works on tokens, not on the tree, so that nothing can get lost: every token and every
//! comment is printed exactly once, in order. Laying out twice changes nothing; a property
//! test holds that.

use super::lex::{Comment, Kind, Lexed, Token};
use super::{Keywords, lex, parse};
use crate::diagnostics::Report;
use crate::notes::{NoteWords, Role};
use crate::source::FileId;
use std::ops::Range;

/// Lines longer than this are broken at clauses and commas.
const WIDTH: usize = 100;
/// Heads and bodies longer than this do not push their neighbours to the right.
const ALIGNED: usize = 48;

/// Lays out one file.
///
/// # Errors
///
/// The syntax mistakes, if there are any: a broken text is not touched.
pub fn format(text: &str, words: &[&'static NoteWords]) -> Result<String, Report> {
    let mut report = Report::default();
    let lexed = lex::lex(text, FileId(0), &mut report);
    let words = Keywords::new(words);
    let marks = parse::marks(&lexed.tokens, &words, &mut report);
    if report.has_errors() {
        report.sort();
        return Err(report);
    }
    let (clause_starts, joints) = (&marks.clause_starts[..], &marks.joints[..]);
    let blocks = Blocks { lexed: &lexed, clause_starts, joints, words: &words }.all();
    Ok(print(&blocks))
}

/// A statement or a comment between statements, ready to print.
struct Block {
    blank_before: bool,
    /// The first line in cells, if it may be aligned with its neighbours.
    cells: Option<Cells>,
    /// The following lines; all lines if there are no cells.
    lines: Vec<String>,
}

/// The parts of a first line that neighbours share columns in.
struct Cells {
    /// Statement word: only equals align.
    kind: &'static str,
    head: String,
    body: String,
    tail: String,
    comment: String,
}

/// Prints blocks, aligning runs of neighbours.
fn print(blocks: &[Block]) -> String {
    let mut out = String::new();
    let mut at = 0;
    while at < blocks.len() {
        let run = run_length(&blocks[at..]);
        let (head, body) = widths(&blocks[at..at + run]);
        for (index, block) in blocks[at..at + run].iter().enumerate() {
            if block.blank_before && at + index > 0 {
                out.push('\n');
            }
            if let Some(cells) = &block.cells {
                push_line(&mut out, &cells.aligned(head, body));
            }
            block.lines.iter().for_each(|line| push_line(&mut out, line));
        }
        at += run;
    }
    out
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

/// How many blocks from the first on are of one kind without a blank line between.
fn run_length(blocks: &[Block]) -> usize {
    let kind = |block: &Block| block.cells.as_ref().map(|cells| cells.kind);
    let Some(first) = kind(&blocks[0]) else { return 1 };
    let same = |block: &&Block| kind(block) == Some(first) && !block.blank_before;
    1 + blocks[1..].iter().take_while(same).count()
}

fn widths(run: &[Block]) -> (usize, usize) {
    let cells = || run.iter().filter_map(|block| block.cells.as_ref());
    let width = |text: &String| text.chars().count();
    let head = cells().map(|c| width(&c.head)).filter(|&w| w <= ALIGNED).max();
    let with_tail = cells().filter(|c| !c.tail.is_empty());
    let body = with_tail.map(|c| width(&c.body)).filter(|&w| w <= ALIGNED).max();
    (head.unwrap_or(0), body.unwrap_or(0))
}

impl Cells {
    fn aligned(&self, head: usize, body: usize) -> String {
        let mut line = self.head.clone();
        for (text, width, gap) in [(&self.body, head, 1), (&self.tail, body + head + 1, 2)] {
            if !text.is_empty() {
                let length = line.chars().count();
                let pad = width.saturating_sub(length) + gap;
                line.extend(std::iter::repeat_n(' ', pad));
                line.push_str(text);
            }
        }
        if !self.comment.is_empty() {
            line.push_str("  ");
            line.push_str(&self.comment);
        }
        line
    }
}

struct Blocks<'b, 't> {
    lexed: &'b Lexed<'t>,
    clause_starts: &'b [usize],
    joints: &'b [usize],
    words: &'b Keywords<'b>,
}

impl<'t> Blocks<'_, 't> {
    fn all(&self) -> Vec<Block> {
        let tokens = &self.lexed.tokens;
        let mut blocks = Vec::new();
        let mut comments = &self.lexed.comments[..];
        let mut clauses = self.clause_starts;
        let mut at = 0;
        loop {
            // Comments on lines of their own before the next statement.
            let own = comments.iter().take_while(|c| c.after == at && c.own_line).count();
            blocks.extend(comments[..own].iter().map(between));
            comments = &comments[own..];
            if at >= tokens.len() {
                return blocks;
            }
            let later = tokens[at + 1..].iter().position(|token| token.begins_statement);
            let end = later.map_or(tokens.len(), |offset| at + 1 + offset);
            let inside = |c: &&Comment<'_>| c.after < end || (c.after == end && !c.own_line);
            let count = comments.iter().take_while(inside).count();
            let starts = clauses.iter().take_while(|&&start| start < end).count();
            let (mine, rest) = comments.split_at(count);
            let (clauses_here, joints) = (&clauses[..starts], self.joints);
            let statement = Statement {
                tokens,
                comments: mine,
                clauses: clauses_here,
                joints,
                words: self.words,
                range: at..end,
            };
            blocks.push(statement.block());
            (comments, clauses, at) = (rest, &clauses[starts..], end);
        }
    }
}

fn between(comment: &Comment<'_>) -> Block {
    let margin = if comment.at_margin { "" } else { "    " };
    let lines = vec![format!("{margin}{}", comment.text)];
    Block { blank_before: comment.blank_before, cells: None, lines }
}

struct Statement<'s, 't> {
    tokens: &'s [Token<'t>],
    comments: &'s [Comment<'t>],
    clauses: &'s [usize],
    joints: &'s [usize],
    words: &'s Keywords<'s>,
    range: Range<usize>,
}

impl Statement<'_, '_> {
    fn block(&self) -> Block {
        let blank_before = self.tokens[self.range.start].blank_before;
        let broken = self.broken_clauses();
        let first_end = broken.first().copied().unwrap_or(self.range.end);
        let mut lines = Vec::new();
        let cells = self.cells(first_end);
        if cells.is_none() {
            self.wrap(self.range.start..first_end, 0, &mut lines);
        }
        for (index, &start) in broken.iter().enumerate() {
            let end = broken.get(index + 1).copied().unwrap_or(self.range.end);
            self.wrap(start..end, 4, &mut lines);
        }
        Block { blank_before, cells, lines }
    }

    /// The clauses that begin a line: those the author broke, all of `npc` and `test`, all if
    /// the statement is too long, and those behind a comment.
    fn broken_clauses(&self) -> Vec<usize> {
        let always = matches!(self.kind(), "npc" | "test") || self.one_line_width() > WIDTH;
        let after_comment = |start: usize| self.comments.iter().any(|c| c.after == start);
        let breaks =
            |start: &usize| always || self.tokens[*start].begins_line || after_comment(*start);
        let first = self.clauses.iter().position(breaks).unwrap_or(self.clauses.len());
        // Once a clause stands on its own line, clauses the author kept together stay so.
        self.clauses[first..].iter().copied().filter(breaks).collect()
    }

    fn kind(&self) -> &'static str {
        match self.tokens[self.range.start].text {
            "shared" | "var" => "var",
            "action" | "compound" => "action",
            "goal" => "goal",
            "npc" => "npc",
            "test" => "test",
            _ => "",
        }
    }

    fn one_line_width(&self) -> usize {
        self.text(self.range.clone()).chars().count()
    }

    /// The first line in cells; `None` if it must not be aligned.
    fn cells(&self, first_end: usize) -> Option<Cells> {
        let kind = Some(self.kind()).filter(|kind| matches!(*kind, "var" | "action" | "goal"))?;
        let inner_comment = |c: &Comment<'_>| c.after < first_end;
        let range = self.range.start..first_end;
        let too_long = self.text(range.clone()).chars().count() > WIDTH;
        if self.comments.iter().any(inner_comment) || too_long {
            return None;
        }
        let colon = range.clone().find(|&at| self.tokens[at].kind == Kind::Colon)? + 1;
        let clause = self.clauses.first().copied().unwrap_or(first_end).min(first_end);
        let trailing = self.comments.iter().find(|c| c.after == first_end && !c.own_line);
        Some(Cells {
            kind,
            head: self.text(range.start..colon),
            body: self.text(colon..clause),
            tail: self.text(clause..range.end),
            comment: trailing.map(|c| c.text.to_string()).unwrap_or_default(),
        })
    }

    /// The tokens of a range on one line.
    fn text(&self, range: Range<usize>) -> String {
        let mut line = String::new();
        for at in range {
            if !line.is_empty() {
                line.push_str(self.gap(at));
            }
            line.push_str(self.tokens[at].text);
        }
        line
    }

    /// What stands between a token and the one before it.
    fn gap(&self, at: usize) -> &'static str {
        let (before, kind) = (self.tokens[at - 1].kind, self.tokens[at].kind);
        let close = matches!(kind, Kind::Comma | Kind::Colon | Kind::Close | Kind::Range)
            || matches!(before, Kind::Open | Kind::Range)
            || (kind == Kind::Open && before == Kind::Name && !self.is_joint(at));
        if close {
            ""
        } else if self.clauses.binary_search(&at).is_ok() {
            "  "
        } else {
            " "
        }
    }

    /// Whether conditions are joined or grouped here.
    fn is_joint(&self, at: usize) -> bool {
        self.joints.binary_search(&at).is_ok()
    }

    /// Whether a line may be broken before a token: after a comma, and before `or`.
    fn may_break(&self, at: usize) -> bool {
        let is_or = self.tokens[at].kind == Kind::Name && self.is_joint(at);
        is_or || self.tokens[at - 1].kind == Kind::Comma
    }

    /// Whether a line begins at a token whatever its length: in notes, which have no clauses,
    /// wherever the author began one, and with each row of a map.
    fn must_break(&self, at: usize) -> bool {
        let keyword = self.tokens[self.range.start].text;
        let Some(note) = self.words.note(keyword) else { return false };
        let is_row = note.role == Role::Rows && self.tokens[at].kind == Kind::Text;
        is_row || self.tokens[at].begins_line
    }

    /// Prints a range on lines of at most [`WIDTH`], broken after commas, before `or` and after
    /// comments.
    fn wrap(&self, range: Range<usize>, margin: usize, lines: &mut Vec<String>) {
        let deeper = margin + if margin == 0 { 4 } else { 8 - margin };
        let mut line = " ".repeat(margin);
        let mut empty = true;
        for at in range.clone() {
            for comment in self.comments.iter().filter(|c| c.after == at && at > self.range.start) {
                let trails_here = !comment.own_line && at > range.start;
                if trails_here {
                    line.push_str("  ");
                    line.push_str(comment.text);
                    lines.push(std::mem::replace(&mut line, " ".repeat(deeper)));
                    empty = true;
                } else if comment.own_line {
                    let indent = if at == range.start { margin.max(4) } else { deeper };
                    if !empty {
                        lines.push(std::mem::replace(&mut line, " ".repeat(deeper)));
                        empty = true;
                    }
                    lines.push(format!("{}{}", " ".repeat(indent), comment.text));
                }
            }
            let word = self.tokens[at].text;
            // Room for the token itself and a comma after it.
            let is_full = || line.chars().count() + self.item_width(at, &range) + 2 > WIDTH;
            if !empty && (self.must_break(at) || (self.may_break(at) && is_full())) {
                lines.push(std::mem::replace(&mut line, " ".repeat(deeper)));
                empty = true;
            }
            if !empty {
                line.push_str(self.gap(at));
            }
            line.push_str(word);
            empty = false;
        }
        let trailing = self.comments.iter().filter(|c| c.after == range.end && !c.own_line);
        for comment in trailing {
            line.push_str("  ");
            line.push_str(comment.text);
        }
        lines.push(line);
    }

    /// Width of the list item that begins at a token, up to where the line may be broken next.
    fn item_width(&self, start: usize, range: &Range<usize>) -> usize {
        let stop = |&at: &usize| {
            self.tokens[at].kind == Kind::Comma || self.may_break(at) || self.must_break(at)
        };
        let end = (start + 1..range.end).find(stop).unwrap_or(range.end);
        self.text(start..end).chars().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notes::Keyword;

    static WORDS: NoteWords = NoteWords {
        statements: &[
            Keyword::new("check", "check near: danger"),
            Keyword::new("symbol", "symbol at: here if danger"),
            Keyword::new("map", "map \"###\"").with(Role::Rows),
        ],
        action_clauses: &[Keyword::new("does", "does kick"), Keyword::new("takes", "takes 0.5")],
        goal_clauses: &[Keyword::new("relevance", "relevance 1"), Keyword::new("urgent", "urgent")],
        npc_clauses: &[Keyword::new("senses", "senses s, t"), Keyword::new("retry", "retry 1")],
    };

    fn laid_out(text: &str) -> Result<String, Report> {
        format(text, &[&WORDS])
    }

    fn check(text: &str, expected: &str) {
        let once = laid_out(text).unwrap();
        assert_eq!(once, expected);
        assert_eq!(laid_out(&once).unwrap(), once, "laying out twice changes nothing");
    }

    #[test]
    fn neighbours_are_aligned_and_blank_lines_kept() {
        check(
            "domain d\n\n\nvar  a:on,off\nvar longer :x , y   was z\naction go : a on->off while longer=x\naction stay:longer->y",
            "domain d\n\nvar a:      on, off\nvar longer: x, y  was z\naction go:   a on -> off  while longer = x\naction stay: longer -> y\n",
        );
    }

    #[test]
    fn every_comment_stays_where_it_was_meant() {
        check(
            "# top\nnpc x # who\n  # before can\n  can a, # first\n   b # second\n # end\n# margin\n",
            "# top\nnpc x  # who\n    # before can\n    can a,  # first\n        b  # second\n    # end\n# margin\n",
        );
    }

    #[test]
    fn rows_of_a_map_stand_below_each_other() {
        check(
            "map \"#.#\" \"# #\"  # door\n# next\nmap # floor\n  \"a\"",
            "map\n    \"#.#\"\n    \"# #\"  # door\n# next\nmap  # floor\n    \"a\"\n",
        );
    }

    #[test]
    fn notes_keep_their_lines_and_parentheses_their_words() {
        check(
            "check near : character ( sure stimulus>=0.5 )and not( danger or(x) )\n\
             symbol at :  node of self ,\n  here   if danger\n",
            "check near: character(sure stimulus >= 0.5) and not (danger or (x))\n\
             symbol at: node of self,\n    here if danger\n",
        );
        check(
            "goal g: x=a  priority 5 relevance if( a )times sure stimulus of character ( x )  urgent\n\
             action a: x->b does kick takes 0.5\nnpc n can a senses s,t retry 1\n",
            "goal g: x = a  priority 5  relevance if (a) times sure stimulus of character(x)  urgent\n\
             action a: x -> b  does kick  takes 0.5\nnpc n\n    can a\n    senses s, t\n    retry 1\n",
        );
    }

    #[test]
    fn long_notes_are_broken_after_commas_and_before_joints() {
        let rules = ["first if danger(radius >= 2)"; 6].join(", ");
        let once = laid_out(&format!("symbol at: {rules}\n")).unwrap();
        assert!(once.lines().count() > 1 && once.lines().all(|line| line.chars().count() <= WIDTH));
        assert_eq!(laid_out(&once).unwrap(), once);
        let terms = ["sure stimulus of character(object)"; 6].join(" times ");
        let once = laid_out(&format!("goal g: x = a relevance {terms}\n")).unwrap();
        assert!(once.lines().count() > 2 && once.lines().all(|line| line.chars().count() <= WIDTH));
        assert_eq!(laid_out(&once).unwrap(), once);
    }

    #[test]
    fn a_broken_text_is_not_touched() {
        assert!(laid_out("vra x: on\n").is_err());
    }
}
