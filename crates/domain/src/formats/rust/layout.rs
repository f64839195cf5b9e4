//! Rust text as `rustfmt` lays it out with its own defaults.
//!
//! In:   items, line by line, and lists.
//! Out:  one text.
//! Cost: linear in the text.
//!
//! Only what the tables need is known here: lists that fit on a line or have one for each
//! element. An item with a line that is too long, which `rustfmt` would break in ways of its
//! own, is marked to be left alone.

use std::fmt::Write;

/// Columns of a line.
const WIDTH: usize = 100;
/// Columns that several elements of a list may take together on one line.
const LIST_WIDTH: usize = 60;

/// The text so far.
#[derive(Default)]
pub(super) struct Page {
    text: String,
}

/// One item on its way to the page: comments and attributes, then the rest.
#[derive(Default)]
pub(super) struct Item {
    head: String,
    body: String,
    is_wide: bool,
}

impl Page {
    /// Adds a comment on lines of its own.
    pub(super) fn remark(&mut self, lines: &[&str]) {
        for line in lines {
            let _ = writeln!(self.text, "// {line}");
        }
    }

    /// Adds an item, a blank line before it.
    pub(super) fn item(&mut self, item: Item) {
        let skip = if item.is_wide { "#[rustfmt::skip]\n" } else { "" };
        let _ = write!(self.text, "\n{}{skip}{}", item.head, item.body);
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}

impl Item {
    /// An item with its comment and its attributes.
    pub(super) fn new(comment: &[&str], attributes: &[&str]) -> Item {
        let mut item = Item::default();
        for line in comment {
            let _ = writeln!(item.head, "/// {line}");
        }
        for attribute in attributes {
            let _ = writeln!(item.head, "#[{attribute}]");
        }
        item
    }

    /// Adds a line, so many steps to the right.
    pub(super) fn line(&mut self, depth: usize, text: &str) {
        let is_comment = text.starts_with("///");
        self.is_wide |= !is_comment && 4 * depth + text.chars().count() > WIDTH;
        match text.is_empty() {
            true => self.body.push('\n'),
            false => {
                let _ = writeln!(self.body, "{:indent$}{text}", "", indent = 4 * depth);
            }
        }
    }

    /// Adds a public method to an `impl`; the lines of its body may have steps of their own.
    pub(super) fn method<L: AsRef<str>>(&mut self, comment: &str, head: &str, body: &[L]) {
        if !self.body.ends_with("{\n") {
            self.line(0, "");
        }
        self.line(1, &format!("/// {comment}"));
        self.line(1, &format!("pub {head} {{"));
        body.iter().for_each(|line| self.line(2, line.as_ref()));
        self.line(1, "}");
    }

    /// Adds `before &[elements] after`.
    pub(super) fn list(&mut self, depth: usize, before: &str, elements: &[String], after: &str) {
        let joined: usize = elements.iter().map(|element| element.chars().count() + 2).sum();
        let all = joined.saturating_sub(2);
        let around = 4 * depth + before.chars().count() + "&[]".len() + after.chars().count();
        // A pair that is too long for its line would be broken, too.
        let is_long_pair = |it: &String| it.starts_with('(') && it.chars().count() > LIST_WIDTH;
        self.is_wide |= elements.iter().any(is_long_pair);
        let call = match elements {
            [only] => only.strip_suffix(')').and_then(|only| only.split_once('(')),
            _ => None,
        };
        let fits = all <= LIST_WIDTH || (elements.len() == 1 && call.is_none());
        if fits && around + all <= WIDTH {
            return self.line(depth, &format!("{before}&[{}]{after}", elements.join(", ")));
        }
        if let Some((function, argument)) = call {
            // The only element shares the lines of its list.
            self.line(depth, &format!("{before}&[{function}("));
            self.line(depth + 1, &format!("{argument},"));
            return self.line(depth, &format!(")]{after}"));
        }
        self.line(depth, &format!("{before}&["));
        elements.iter().for_each(|element| self.line(depth + 1, &format!("{element},")));
        self.line(depth, &format!("]{after}"));
    }

    /// Adds `before &[rows] after`, each row a struct with a line or more for each field, drawn
    /// by `row` at the depth it is given.
    pub(super) fn rows(
        &mut self,
        before: &str,
        name: &str,
        n_rows: usize,
        mut row: impl FnMut(&mut Item, usize, usize),
    ) {
        match n_rows {
            0 => self.line(0, &format!("{before}&[];")),
            // `rustfmt` lets the only row share the lines of its list.
            1 => {
                self.line(0, &format!("{before}&[{name} {{"));
                row(self, 0, 1);
                self.line(0, "}];");
            }
            _ => {
                self.line(0, &format!("{before}&["));
                for at in 0..n_rows {
                    self.line(1, &format!("{name} {{"));
                    row(self, at, 2);
                    self.line(1, "},");
                }
                self.line(0, "];");
            }
        }
    }
}

/// A text in quotes. What is not surely visible and one column wide is written by its number:
/// so the width is the number of characters, and nothing steers the reader's screen.
pub(super) fn quoted(text: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        _ if is_plain(c) => c.to_string(),
        _ => by_number(c),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

/// A name in a comment, between backquotes; nothing in it is taken for a sign of the comment or
/// of the screen.
pub(super) fn in_comment(name: &str) -> String {
    let escape = |c: char| match c {
        '`' => by_number(c),
        _ if is_plain(c) || c.is_alphanumeric() => c.to_string(),
        _ => by_number(c),
    };
    format!("`{}`", name.chars().map(escape).collect::<String>())
}

/// Visible, and one column wide: ASCII and the Latin letters with marks.
fn is_plain(c: char) -> bool {
    matches!(c, ' '..='~' | '¡'..='¬' | '®'..='ɏ')
}

fn by_number(c: char) -> String {
    format!("\\u{{{:x}}}", u32::from(c))
}
