//! `throng gen rust`: a domain as a Rust module.
//!
//! In:   a domain file.
//! Out:  the module, on the results or in a file that is replaced whole.
//! Cost: linear in the domain.

use crate::FINE;
use crate::args::FileFormat;
use crate::console::{CommandResult, Console, bad};
use crate::loading;
use crate::writing::replace;
use clap::{Args, Subcommand};
use serde::Serialize;
use std::path::PathBuf;
use throng_domain::Format;

/// The words of `throng gen`.
#[derive(Args)]
pub(crate) struct GenArgs {
    #[command(subcommand)]
    pub(crate) what: GenWhat,
}

#[derive(Subcommand)]
pub(crate) enum GenWhat {
    /// A domain as a Rust module: typed names, numbers and tables; needs nothing else
    #[command(after_help = "Examples:\n  \
        throng gen rust stable.npc --out src/stable.rs\n  \
        throng gen rust stable.npc | less")]
    Rust(RustArgs),
}

/// The words of `throng gen rust`.
#[derive(Args)]
pub(crate) struct RustArgs {
    /// The domain file; `-` reads standard input
    pub(crate) file: PathBuf,
    /// The file to write; without it, print. A file that is the same already is left alone
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// What the domain file is, if its ending does not tell
    #[arg(long)]
    pub(crate) format: Option<FileFormat>,
    /// Print JSON: what was made, and the module itself without --out
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct MadeShape<'m> {
    domain: &'m str,
    digest: String,
    output: Option<String>,
    /// Whether the file had to be written.
    changed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<&'m str>,
}

pub(crate) fn run(args: &GenArgs, console: &mut Console<'_>) -> CommandResult {
    let GenWhat::Rust(args) = &args.what;
    rust(args, console)
}

fn rust(args: &RustArgs, console: &mut Console<'_>) -> CommandResult {
    // A slip of the pen must not cost somebody a domain.
    if let Some(out) = &args.out
        && Format::of_path(&out.display().to_string()).is_some()
    {
        return bad(format!("`{}` is named like a domain; a module ends in .rs", out.display()));
    }
    let domain = loading::domain(&args.file, args.format.map(Format::from), console)?;
    let module = throng::codegen::rust(&domain);
    let mut changed = None;
    if let Some(out) = &args.out {
        // Builds look at the time of files: the same bytes are not written again.
        let is_same = std::fs::read(out).is_ok_and(|bytes| bytes == module.as_bytes());
        if !is_same {
            replace(out, &module)?;
        }
        changed = Some(!is_same);
    }
    if args.json {
        console.json(&MadeShape {
            domain: domain.name(),
            digest: domain.digest().to_string(),
            output: args.out.as_ref().map(|out| out.display().to_string()),
            changed,
            module: args.out.is_none().then_some(&module),
        })?;
    } else if args.out.is_none() {
        console.print_file(&module)?;
    }
    Ok(FINE)
}
