//! `throng fmt`: the canonical layout.

use crate::args::FmtArgs;
use crate::console::{CommandResult, Console, Fail, bad};
use crate::loading;
use crate::writing::replace;
use crate::{BAD, FINE, NO};
use serde_json::json;
use std::path::Path;
use throng::domain::read_bounded;
use throng_domain::formats::{Loaded, decode, json, npc};
use throng_domain::{FileId, Format, Limits, Sources};

pub(crate) fn run(args: &FmtArgs, console: &mut Console<'_>) -> CommandResult {
    let mut files = Vec::new();
    let mut broken = false;
    for path in &args.files {
        let file = one(path, args, console);
        match console.go_on(file)? {
            Some(file) => files.push(file),
            None => broken = true,
        }
    }
    let differs = files.iter().any(|(_, canonical)| !canonical);
    if args.json {
        let shape = |(file, canonical)| json!({"file": file, "canonical": canonical});
        console.json(&files.into_iter().map(shape).collect::<Vec<_>>())?;
    }
    Ok(match (broken, args.check && differs) {
        (true, _) => BAD,
        (false, true) => NO,
        (false, false) => FINE,
    })
}

/// Lays out one file; its name, and whether it was so already.
fn one(path: &Path, args: &FmtArgs, console: &mut Console<'_>) -> Result<(String, bool), Fail> {
    let format = match (args.format, path == Path::new("-")) {
        (_, true) if args.write => {
            return bad("standard input cannot be rewritten; leave out `--write`");
        }
        (None, true) => Format::Npc,
        (said, _) => loading::format_of(path, said)?,
    };
    let (before, after) = lay_out(path, format, console)?;
    let canonical = before == after;
    let name = path.display().to_string();
    if args.write && !canonical {
        replace(path, &after)?;
    }
    match (args.check, args.write) {
        _ if args.json => {}
        (false, false) => console.print_file(&after)?,
        _ if canonical => {}
        (true, _) => {
            writeln!(console, "{name}: not in canonical layout; `fmt --write` lays it out")?;
        }
        (_, true) => console.message(&format!("{name}: laid out")),
    }
    Ok((name, canonical))
}

/// The text as it is and as it should be.
fn lay_out(
    path: &Path,
    format: Format,
    console: &mut Console<'_>,
) -> Result<(String, String), Fail> {
    let name = path.display().to_string();
    let text = read_text(path, &name, console)?;
    if format == Format::Json {
        let loaded = loading::load_text(&name, &text, format);
        let Some(model) = &loaded.model else { return refuse(&loaded, &name, console) };
        return Ok((text, json::write(model)));
    }
    match npc::format(&text, throng::domain::NOTE_WORDS) {
        Ok(after) => Ok((text, after)),
        Err(report) => {
            let mut sources = Sources::default();
            let file = sources.add(name.as_str(), text);
            debug_assert_eq!(file, FileId(0), "the layout speaks of the first file");
            refuse(&Loaded { model: None, report, sources }, &name, console)
        }
    }
}

fn read_text(path: &Path, name: &str, console: &mut Console<'_>) -> Result<String, Fail> {
    let limits = Limits::default();
    let limit = limits.text_bytes;
    let bytes = match path == Path::new("-") {
        true => loading::read_input(limit, console)?,
        false => match read_bounded(path, &limits) {
            Ok(bytes) => bytes,
            Err(error) => return bad(error.to_string()),
        },
    };
    if bytes.len() > limit {
        return bad(format!("`{name}` is larger than {limit} bytes"));
    }
    match decode(name, bytes) {
        Ok(text) => Ok(text),
        Err(loaded) => refuse(&loaded, name, console),
    }
}

fn refuse<T>(loaded: &Loaded, name: &str, console: &mut Console<'_>) -> Result<T, Fail> {
    console.show(&loaded.report, &loaded.sources);
    bad(format!("`{name}` is left as it is because of the mistakes above"))
}
