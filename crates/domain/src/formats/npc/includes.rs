//! Gathers the files that `use` lines name.
//!
//! In:   the first file, and the caller's function that fetches others.
//! Out:  all files in [`Sources`], each once, in the order they are met.
//! Cost: one look at every line; `use` lines are parsed here and again with their file.
//!
//! Paths are relative to the file they stand in and may not leave the folder of the first
//! file: a domain from a stranger must not read the disk.

use super::syntax::Statement;
use super::{Keywords, lex, parse};
use crate::diagnostics::{Code, Report};
use crate::formats::{Fetch, too_large};
use crate::limits::Limits;
use crate::source::{FileId, Sources, Span};
use std::collections::HashMap;
use std::ops::Range;

/// A file found, not yet searched for `use` lines of its own.
struct Open {
    file: FileId,
    /// Path relative to the folder of the first file.
    path: String,
    /// How many files lead here.
    depth: usize,
}

/// A `use` line whose file was found.
struct Use {
    written: String,
    span: Span,
    target: FileId,
}

/// Takes all included files into `sources`; `false` if one of them could not be had.
pub(super) fn gather(
    sources: &mut Sources,
    limits: &Limits,
    fetch: &mut Fetch<'_>,
    report: &mut Report,
) -> bool {
    let Some(first) = sources.file(FileId(0)) else { return true };
    let (folder, base) = split_folder(first.name());
    let (folder, base) = (folder.to_string(), base.to_string());
    let mut complete = true;
    let mut bytes = first.text().len();
    // Files that could not be had are remembered too: each is asked for once.
    let mut seen = HashMap::from([(base.clone(), Some(FileId(0)))]);
    let mut found_uses: Vec<Vec<Use>> = vec![Vec::new()];
    let mut open = vec![Open { file: FileId(0), path: base, depth: 0 }];
    while let Some(current) = open.pop() {
        let mut found = Vec::new();
        for (written, span) in uses(sources, current.file) {
            let Some(path) = resolve(&current.path, &written) else {
                outside(report, span, &written);
                complete = false;
                continue;
            };
            if let Some(known) = seen.get(&path) {
                let known = known.map(|target| Use { written, span, target });
                found_uses[current.file.0 as usize].extend(known);
                continue;
            }
            if seen.len() >= limits.files {
                too_many(report, span, format!("too many files: the limit is {}", limits.files));
                return false;
            }
            if current.depth + 1 >= limits.include_depth {
                let depth = limits.include_depth;
                let text = format!("`use` nests too deep: the limit is {depth} files");
                too_many(report, span, text);
                return false;
            }
            let text = match fetch(&path) {
                Ok(text) => text,
                Err(why) => {
                    cannot_read(report, span, &written, &why);
                    seen.insert(path, None);
                    complete = false;
                    continue;
                }
            };
            bytes = bytes.saturating_add(text.len());
            if bytes > limits.text_bytes {
                too_large(report, span, limits);
                return false;
            }
            let target = sources.add(format!("{folder}{path}"), text);
            seen.insert(path.clone(), Some(target));
            found_uses[current.file.0 as usize].push(Use { written, span, target });
            found_uses.push(Vec::new());
            found.push(Open { file: target, path, depth: current.depth + 1 });
        }
        // The last in is the next out: keep the order of the text.
        open.extend(found.into_iter().rev());
    }
    report_circles(&found_uses, report);
    complete
}

/// Reports every `use` that leads back to a file which leads to it.
fn report_circles(uses: &[Vec<Use>], report: &mut Report) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; uses.len()];
    let mut stack = vec![(0, 0)];
    marks[0] = Mark::Open;
    while let Some((file, next)) = stack.last_mut() {
        let Some(used) = uses[*file].get(*next) else {
            marks[*file] = Mark::Done;
            stack.pop();
            continue;
        };
        *next += 1;
        let target = used.target.0 as usize;
        match marks[target] {
            Mark::New => {
                marks[target] = Mark::Open;
                stack.push((target, 0));
            }
            Mark::Open => circle(report, used.span, &used.written),
            Mark::Done => {}
        }
    }
}

/// The `use` lines of a file: the path written, and its place. Only these lines are looked at;
/// their mistakes are reported when the file is parsed.
fn uses(sources: &Sources, file: FileId) -> Vec<(String, Span)> {
    let text = sources.file(file).map_or("", |source| source.text());
    let (mut found, mut at, mut begin) = (Vec::new(), 0, None);
    for line in text.split_inclusive('\n') {
        // A byte-order mark may stand before the first line.
        let content = if at == 0 { line.trim_start_matches('\u{feff}') } else { line };
        if !content.starts_with(|c: char| c.is_whitespace() || c == '#') {
            found.extend(begin.take().into_iter().flat_map(|begin| used(text, begin..at, file)));
            begin = content.starts_with("use").then_some(at);
        }
        at += line.len();
    }
    found.extend(begin.into_iter().flat_map(|begin| used(text, begin..at, file)));
    found
}

/// What the statement at `range` uses.
fn used(text: &str, range: Range<usize>, file: FileId) -> Vec<(String, Span)> {
    let mut unheard = Report::default();
    let lexed = lex::lex(&text[range.clone()], file, &mut unheard);
    let parsed = parse::parse(&lexed.tokens, file, &Keywords::new(&[]), &mut unheard);
    let uses = parsed.tree.statements.into_iter().filter_map(|statement| match statement {
        Statement::Use(word) => {
            let start = range.start + word.span.start as usize;
            let span = Span::new(file, start, range.start + word.span.end as usize);
            Some((word.text.trim_matches('"').to_string(), span))
        }
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
    use super::*;

    fn codes(files: &[(&str, &str)]) -> Vec<Code> {
        let mut sources = Sources::default();
        sources.add(files[0].0, files[0].1);
        let mut report = Report::default();
        let mut fetch = |path: &str| {
            let found = files.iter().find(|(name, _)| *name == path);
            found.map(|(_, text)| text.to_string()).ok_or_else(|| "no such file".to_string())
        };
        gather(&mut sources, &Limits::default(), &mut fetch, &mut report);
        report.diagnostics().iter().map(|d| d.code).collect()
    }

    #[test]
    fn circles_are_found_whatever_leads_into_them() {
        let circle = [Code::IncludeCircle];
        assert_eq!(codes(&[("a", "use \"a\"")]), circle);
        assert_eq!(codes(&[("a", "use \"b\""), ("b", "use \"a\"")]), circle);
        let a = ("a", "use \"b\"\nuse \"c\"");
        assert_eq!(codes(&[a, ("b", "use \"c\""), ("c", "use \"b\"")]), circle);
        assert_eq!(codes(&[a, ("b", "use \"c\""), ("c", "")]), [], "two ways are no circle");
        assert_eq!(codes(&[a, ("c", "use \"b\"")]), [Code::CannotRead], "each is asked for once");
    }

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
