//! `throng gen`: members of problem families, written as they are made.
//!
//! In:   a family and its sizes, or a formula.
//! Out:  `.npc` text or its JSON twin, on the results or in a file.
//! Cost: linear in the text, in flat memory; a formula is kept.

pub(crate) mod args;
pub(crate) mod boxes;

use crate::families::formula::Formula;
use crate::families::{
    Climbing, Family, Halt, Sink, Switches, ThreeSat, beyond_limits, check_total, write,
};
use args::{FamilyArgs, GenOut, PrvArgs};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use throng::replace::replace_with;
use throng_cli::FINE;
use throng_cli::loading;
use throng_cli::{CommandResult, Console, Fail, bad, plain};
use throng_domain::Format;

/// Bytes of a formula's file at most.
const MOST_BYTES: usize = 16 << 20;

pub(crate) fn run(of: &FamilyArgs, console: &mut Console<'_>) -> CommandResult {
    if let FamilyArgs::Boxes(args) = of {
        return boxes::run(args, console);
    }
    let (family, to) = family(of, console)?;
    if let Err(message) = check_total(family.as_ref()) {
        return bad(message);
    }
    let format = format(to)?;
    let asked = Arc::clone(console.stop());
    let stop = || asked.load(Ordering::Relaxed);
    let send = |out: &mut dyn Write| {
        write(family.as_ref(), format, &mut Sink { out, stop: &stop, parts: 0 })
    };
    let written = match &to.out {
        None => send(&mut console.file_stream()),
        Some(path) => replace_with(path, |out| send(out)),
    };
    match written {
        Ok(()) => {}
        // The exit code of an interrupted command is decided in one place.
        Err(Halt::Stopped) => return Ok(FINE),
        Err(Halt::Writing(error)) => return writing(&error, to),
    }
    if let Some(path) = &to.out {
        console.message(&format!("wrote `{}`", path.display()));
    }
    if let Some(beyond) = beyond_limits(family.as_ref()) {
        console.message(&format!("note: {beyond}"));
    }
    Ok(FINE)
}

fn family<'a>(
    args: &'a FamilyArgs,
    console: &mut Console<'_>,
) -> Result<(Box<dyn Family>, &'a GenOut), Fail> {
    fn boxed<F: Family + 'static>(made: Result<F, String>) -> Result<Box<dyn Family>, Fail> {
        made.map(|family| Box::new(family) as Box<dyn Family>).map_err(Fail::Bad)
    }
    Ok(match args {
        FamilyArgs::Tunnel { n, to } => (boxed(Switches::tunnel(*n))?, to),
        FamilyArgs::Multiprv(PrvArgs { x, n, to }) => (boxed(Climbing::multi_prv(*x, *n))?, to),
        FamilyArgs::Oneprv(PrvArgs { x, n, to }) => (boxed(Climbing::one_prv(*x, *n))?, to),
        FamilyArgs::Gray { n, to } => (boxed(Switches::gray(*n))?, to),
        // Boxes have no member by position: they are neither post-unique nor unary.
        FamilyArgs::Boxes(_) => return bad("boxes are written by themselves"),
        FamilyArgs::Threesat { file, clauses, to } => {
            let formula = match (file, clauses) {
                (Some(file), _) => read_formula(file, console)?,
                (None, Some(text)) => Formula::read(text).map_err(Fail::Bad)?,
                (None, None) => return bad("a formula is needed: a file, or `--clauses`"),
            };
            (Box::new(ThreeSat::new(formula)), to)
        }
    })
}

fn read_formula(path: &Path, console: &mut Console<'_>) -> Result<Formula, Fail> {
    let name = path.display();
    let bytes = match path == Path::new("-") {
        true => loading::read_input(MOST_BYTES, console)?,
        false => {
            let mut bytes = Vec::new();
            let opened = File::open(path);
            let read = opened.and_then(|f| f.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes));
            match read {
                Ok(_) => bytes,
                Err(error) => return bad(format!("cannot read `{name}`: {}", plain(&error))),
            }
        }
    };
    if bytes.len() > MOST_BYTES {
        return bad(format!("`{name}` is larger than {MOST_BYTES} bytes"));
    }
    let Ok(text) = String::from_utf8(bytes) else {
        return bad(format!("`{name}` is no text"));
    };
    Formula::read(&text).map_err(|message| Fail::Bad(format!("`{name}`: {message}")))
}

/// As the ending of the file says, or as `--json` does.
fn format(to: &GenOut) -> Result<Format, Fail> {
    let Some(path) = &to.out else {
        return Ok(if to.json { Format::Json } else { Format::Npc });
    };
    let name = path.display();
    match (Format::of_path(&name.to_string()), to.json) {
        (Some(Format::Npc), true) => {
            bad(format!("`{name}` is to be .npc text, and `--json` asks for JSON; say one of them"))
        }
        (Some(format), _) => Ok(format),
        (None, true) => Ok(Format::Json),
        (None, false) => bad(loading::not_a_domain(path).unwrap_or_else(|| {
            format!("`{name}`: the ending tells no format; use .npc or .json, or say `--json`")
        })),
    }
}

fn writing(error: &io::Error, to: &GenOut) -> CommandResult {
    match &to.out {
        Some(path) => bad(format!("cannot write `{}`: {}", path.display(), plain(error))),
        None if error.kind() == io::ErrorKind::BrokenPipe => Err(Fail::ReaderGone),
        None => bad(format!("cannot write the results: {}", plain(error))),
    }
}
