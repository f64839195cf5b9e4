//! Diagnostics as `throng::render` draws them, in colours that a terminal may have.
//!
//! In:   a report, and the texts it speaks of.
//! Out:  text for the console; colours only around what is the same without them.
//! Cost: that of drawing, twice where there are colours.

use crate::edge::Styled;
use throng::render::{closing_line, pictures as drawn};
use throng_domain::{Diagnostic, Report, Severity, Sources};

/// All diagnostics of a report, ready to print; empty if there are none.
pub fn render(report: &Report, sources: &Sources, colour: bool) -> Styled {
    let mut text = Styled::default();
    if report.diagnostics().is_empty() {
        return text;
    }
    for picture in styled(report.diagnostics().iter(), sources, colour) {
        text.push(&picture);
        text.code("\n\n");
    }
    text.push(&Styled::line(&closing_line(report)));
    text.code("\n");
    text
}

/// The errors of a report, each by itself and without a closing line.
pub(crate) fn errors(report: &Report, sources: &Sources, colour: bool) -> Vec<Styled> {
    let errors = report.diagnostics().iter().filter(|it| it.severity() == Severity::Error);
    styled(errors, sources, colour)
}

fn styled<'d>(
    diagnostics: impl Iterator<Item = &'d Diagnostic> + Clone,
    sources: &Sources,
    colour: bool,
) -> Vec<Styled> {
    let plain = drawn(diagnostics.clone(), sources, false);
    if !colour {
        return plain.iter().map(|text| Styled::plain(text)).collect();
    }
    let coloured = drawn(diagnostics, sources, true);
    plain.iter().zip(coloured).map(|(plain, text)| Styled::coloured(plain, text)).collect()
}
