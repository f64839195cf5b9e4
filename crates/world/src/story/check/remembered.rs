//! What actions remember and nobody asks for.
//!
//! In:   a model with a story: all files that there are.
//! Out:  a warning for each kind.
//! Cost: one pass over the notes for each.

use crate::body::vocabulary::described;
use std::collections::BTreeSet;
use throng_domain::{Code, Model, Report};
use throng_mind::vocabulary::{Writers, is_asked, remembered};

pub(super) fn doubts(model: &Model, report: &mut Report) {
    let body = described();
    let by_code = Writers::of_body(&body);
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for (note, at) in remembered(model) {
        let kind = note.words[at].text.as_str();
        // Code may ask for what code writes.
        if by_code.writes(kind, false) || is_asked(model, kind) || !seen.insert(kind) {
            continue;
        }
        let text = format!("facts `{kind}` are remembered, and nobody asks for them");
        let cure = format!(
            "ask for them, as in `symbol … if {kind}`, mend the name, or leave the effect out"
        );
        report.say(Code::RememberedInVain, note.words[at].span, text, cure);
    }
}
