//! Gathers the files that `use` lines name.
//!
//! In:   the first file, and the caller's function that fetches others.
//! Out:  all files in [`Sources`], each once, in the order they are met.
//! Cost: a file with `use` lines is parsed once more than others.
//!
//! Paths are relative to the file they stand in and may not leave the folder of the first
//! file: a domain from a stranger must not read the disk.

use super::syntax::Statement;
use super::{lex, parse};
use crate::diagnostics::{Code, Report};
use crate::formats::{Fetch, too_large};
use crate::limits::Limits;
use crate::source::{FileId, Sources, Span};
use std::collections::HashSet;

/// A file found, not yet searched for `use` lines of its own.
struct Open {
    file: FileId,
    /// Path relative to the folder of the first file.
    path: String,
    /// The paths of the files that lead here, the first one first.
    chain: Vec<String>,
}

/// Takes all included files into `sources`; `false` if one of them could not be had.
pub(super) fn gather(
    sources: &mut Sources,
    limits: &Limits,
    fetch: &mut Fetch<'_>,
    report: &mut Report,
) -> bool {
    let Some(first) = sources.file(FileId(0)) else { return true };
    let mut complete = true;
    let (folder, base) = split_folder(first.name());
    let (folder, base) = (folder.to_string(), base.to_string());
    let mut bytes = first.text().len();
    // Files that could not be had are remembered too: each is asked for once.
    let mut seen = HashSet::from([base.clone()]);
    let mut open = vec![Open { file: FileId(0), path: base, chain: Vec::new() }];
    while let Some(current) = open.pop() {
        let mut found = Vec::new();
        for (written, span) in uses(sources, current.file) {
            let Some(path) = resolve(&current.path, &written) else {
                outside(report, span, &written);
                complete = false;
                continue;
            };
            if path == current.path || current.chain.contains(&path) {
                circle(report, span, &written);
                continue;
            }
            if seen.contains(&path) {
                continue;
            }
            if seen.len() >= limits.files {
                too_many(report, span, format!("too many files: the limit is {}", limits.files));
                return false;
            }
            if current.chain.len() + 1 >= limits.include_depth {
                let depth = limits.include_depth;
                too_many(report, span, format!("`use` nests too deep: the limit is {depth} files"));
                return false;
            }
            seen.insert(path.clone());
            let text = match fetch(&path) {
                Ok(text) => text,
                Err(why) => {
                    cannot_read(report, span, &written, &why);
                    complete = false;
                    continue;
                }
            };
            bytes = bytes.saturating_add(text.len());
            if bytes > limits.text_bytes {
                too_large(report, span, limits);
                return false;
            }
            let file = sources.add(format!("{folder}{path}"), text);
            let mut chain = current.chain.clone();
            chain.push(current.path.clone());
            found.push(Open { file, path, chain });
        }
        // The last in is the next out: keep the order of the text.
        open.extend(found.into_iter().rev());
    }
    complete
}

/// The `use` lines of a file: the path written, and its place.
fn uses(sources: &Sources, file: FileId) -> Vec<(String, Span)> {
    let text = sources.file(file).map_or("", |source| source.text());
    // Most files have none: a glance is cheaper than a parse.
    if !text.lines().any(|line| line.trim_start_matches('\u{feff}').starts_with("use")) {
        return Vec::new();
    }
    // Mistakes are reported when the file is parsed for good.
    let mut unheard = Report::default();
    let lexed = lex::lex(text, file, &mut unheard);
    let parsed = parse::parse(&lexed.tokens, file, &mut unheard);
    let uses = parsed.tree.statements.into_iter().filter_map(|statement| match statement {
        Statement::Use(word) => Some((word.text.trim_matches('"').to_string(), word.span)),
        _ => None,
    });
    uses.collect()
}

/// Folder with its closing slash, and file name.
fn split_folder(name: &str) -> (&str, &str) {
    match name.rfind(['/', '\\']) {
        Some(at) => name.split_at(at + 1),
        None => ("", name),
    }
}

/// The path relative to the first folder; `None` if it would leave that folder.
fn resolve(from: &str, written: &str) -> Option<String> {
    if written.is_empty() || written.starts_with('/') || written.contains(['\\', ':', '\0']) {
        return None;
    }
    let mut parts: Vec<&str> = split_folder(from).0.split('/').filter(|p| !p.is_empty()).collect();
    for part in written.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

fn outside(report: &mut Report, span: Span, written: &str) {
    report.say(
        Code::IncludeOutside,
        span,
        format!("`{written}` is not inside the folder of the first file"),
        "use a relative path with `/` that stays in that folder, as in `use \"parts/common.npc\"`",
    );
}

fn circle(report: &mut Report, span: Span, written: &str) {
    report.say(
        Code::IncludeCircle,
        span,
        format!("`{written}` includes this file again"),
        "remove one of the `use` lines of the circle; a file is read once however often it is used",
    );
}

fn too_many(report: &mut Report, span: Span, text: String) {
    report.say(Code::TooManyFiles, span, text, "join some of the files");
}

fn cannot_read(report: &mut Report, span: Span, written: &str, why: &str) {
    report.say(
        Code::CannotRead,
        span,
        format!("cannot read `{written}`: {why}"),
        "check the name, which is relative to the file it stands in; \
         until the file is read, unknown names are not reported",
    );
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn paths_stay_in_the_folder_of_the_first_file() {
        let check = |from, written, expected: Option<&str>| {
            assert_eq!(resolve(from, written).as_deref(), expected, "{from} uses {written}");
        };
        check("a.npc", "b.npc", Some("b.npc"));
        check("a.npc", "./parts/b.npc", Some("parts/b.npc"));
        check("parts/b.npc", "../a.npc", Some("a.npc"));
        check("a.npc", "../b.npc", None);
        check("parts/b.npc", "../../c.npc", None);
        check("a.npc", "/etc/passwd", None);
        check("a.npc", "C:/x.npc", None);
        check("a.npc", "..\\x.npc", None);
        check("a.npc", "", None);
    }
}
