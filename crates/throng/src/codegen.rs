//! A domain as Rust: typed names, numbers and tables, for programs that know their domain when
//! they are built.
//!
//! In:   a loaded domain.
//! Out:  the text of a module that depends on nothing; the same bytes for the same domain.
//! Cost: linear in the domain.
//!
//! Meant for a `build.rs`; `docs/embedding.md` shows one, and the command line writes the same
//! text with `throng gen rust`.

use crate::Domain;
use throng_domain::formats;

/// The module: put it into a file, or into a module with `include!`.
///
/// ```
/// use throng::prelude::*;
///
/// let domain = Domain::from_text(
///     "domain lamp
/// var light: off, on
/// action switch_on: light off -> on
/// goal bright: light = on",
/// )?;
/// let module = throng::codegen::rust(&domain);
/// assert!(module.contains("pub enum Action {\n    /// `switch_on`\n    SwitchOn,\n}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rust(domain: &Domain) -> String {
    formats::rust::write(domain.model())
}
