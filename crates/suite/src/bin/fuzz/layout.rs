//! The target `layout`: a text that can be laid out keeps every word and every comment.
//!
//! In:   `.npc` text, damaged.
//! Out:  the promises of `throng fmt`, held or broken; texts with syntax mistakes are not
//!       touched and promise nothing.

use crate::seeds;
use crate::targets::{LIMITS, NEAR, Seen, Verdict, feature, feature_of, promise, same_domain};
use throng_domain::formats::{json, npc};
use throng_domain::{Format, Limits, load};

pub(crate) fn run(bytes: &[u8]) -> Verdict {
    let text = String::from_utf8_lossy(bytes);
    let laid_out = match npc::format(&text, &throng_mind::notes::WORDS) {
        Ok(laid_out) => laid_out,
        Err(report) => {
            let feature = feature_of(&report, None);
            let is_near = feature.split_whitespace().count() <= NEAR;
            return Ok(Seen { loaded: false, is_near, feature });
        }
    };
    let story = |other: &str| format!("{laid_out}\n---\n{other}");
    let again = npc::format(&laid_out, &throng_mind::notes::WORDS)
        .unwrap_or_else(|report| format!("{report:?}"));
    promise(again == laid_out, "laying out twice changes nothing", || story(&again))?;
    let kept = dense(&text) == dense(&laid_out);
    promise(kept, "every word stays, in order", || story(""))?;
    let kept = comments(&text) == comments(&laid_out);
    promise(kept, "every comment stays", || story(""))?;
    // The layout may lengthen the text; that is no reason to refuse it.
    let limits = Limits { text_bytes: usize::MAX, ..LIMITS };
    let read = |text: &str| {
        load("fuzz.npc", text, Format::Npc, &limits, &throng_mind::notes::WORDS, &mut seeds::fetch)
    };
    let (before, after) = (read(&text), read(&laid_out));
    match &before.model {
        Some(model) => {
            same_domain("the layout keeps the domain", model, &after, &laid_out)?;
            let tests = after.model.as_ref().map(json::write) == Some(json::write(model));
            promise(tests, "the layout keeps the tests", || story(""))?;
        }
        None => promise(after.model.is_none(), "the layout mends nothing", || story(""))?,
    }
    let shape = comments(&text).len().min(9);
    let feature = format!("{} #{shape}", feature(&before));
    Ok(Seen { loaded: before.model.is_some(), is_near: true, feature })
}

/// Everything but blanks.
fn dense(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The comments, in order: from a `#` outside quotes to the end of the line.
fn comments(text: &str) -> Vec<&str> {
    let comment = |line| {
        let mut quoted = false;
        let start = |&(_, c): &(usize, char)| {
            quoted ^= c == '"';
            c == '#' && !quoted
        };
        let line: &str = line;
        line.char_indices().find(start).map(|(at, _)| line[at..].trim_end())
    };
    text.split('\n').filter_map(comment).collect()
}
