//! Reads a file and the files that its `use` lines name, each once.
//!
//! In:   the first file, and the caller's function that fetches others.
//! Out:  all files in [`Sources`], in the order they are met, and what parsing each gives.
//! Cost: one pass over every file.
//!
//! Paths are relative to the file they stand in and may not leave the folder of the first
//! file, or the one above it that the caller names: a domain from a stranger must not read the
//! disk.

use super::Keywords;
use super::statements::Parsed;
use crate::circles::each_edge_back;
use crate::diagnostics::{Code, Report};
use crate::formats::{Fetch, Setting, too_large};
use crate::limits::Limits;
use crate::source::{FileId, Sources, Span};
use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

/// TextArena one after the other: what is read of one may be kept while the next is fetched.
pub(super) struct TextArena {
    text: Arc<String>,
    next: OnceCell<Box<TextArena>>,
}

impl TextArena {
    pub(super) fn new(text: Arc<String>) -> Self {
        TextArena { text, next: OnceCell::new() }
    }

    fn then(&self, text: Arc<String>) -> &TextArena {
        self.next.get_or_init(|| Box::new(TextArena::new(text)))
    }
}

/// A file found, not yet read.
struct Open<'t> {
    file: FileId,
    text: &'t str,
    /// Path relative to the folder of the first file.
    path: String,
    /// The name it goes by.
    name: Option<&'t str>,
    /// How many files lead here.
    depth: usize,
}

/// A `use` line whose file was found.
struct Use {
    written: String,
    span: Span,
    target: FileId,
}

/// What was gathered.
pub(super) struct Files<'t> {
    /// By file, each with the name that it goes by.
    pub(super) parsed: Vec<(Parsed<'t>, Option<&'t str>)>,
    /// Whether all files that are named could be had.
    pub(super) complete: bool,
}

/// Reads the first of `sources`, whose text `first` is, and takes all included files in.
pub(super) fn gather<'t>(
    sources: &mut Sources,
    first: &'t TextArena,
    setting: &Setting<'_>,
    words: &Keywords<'_>,
    fetch: &mut Fetch<'_>,
    report: &mut Report,
) -> Files<'t> {
    let name = sources.file(FileId(0)).map_or("", |file| file.name());
    let limits = setting.limits;
    let (folder, base) = match name.strip_prefix(setting.root) {
        Some(below) if !setting.root.is_empty() => (setting.root, below),
        _ => split_folder(name),
    };
    let (folder, base) = (folder.to_string(), base.to_string());
    let (mut complete, mut stopped) = (true, false);
    let mut bytes = first.text.len();
    // Files that could not be had are remembered too: each is asked for once.
    let mut seen = HashMap::from([((base.clone(), None), Some(FileId(0)))]);
    let mut texts: HashMap<String, Arc<String>> = HashMap::new();
    let mut last = first;
    let mut found_uses: Vec<Vec<Use>> = vec![Vec::new()];
    let mut open =
        vec![Open { file: FileId(0), text: &first.text, path: base, name: None, depth: 0 }];
    let mut parsed = Vec::new();
    while let Some(current) = open.pop() {
        let file = Parsed::new(current.text, current.file, words, report);
        let mut found = Vec::new();
        for &(word, name) in file.uses.iter().filter(|_| !stopped) {
            let name = name.map(|name| name.text);
            let (written, span) = (word.text.trim_matches('"').to_string(), word.span);
            let path = match resolve(&current.path, &written) {
                Ok(path) => path,
                Err(outside) => {
                    let text = match folder == setting.root && !folder.is_empty() {
                        true => format!("`{written}` is not inside `{folder}`"),
                        false => format!("`{written}` is not inside the folder of the first file"),
                    };
                    report.say(Code::IncludeOutside, span, text, outside.cure(&folder));
                    complete = false;
                    continue;
                }
            };
            // A file that goes by a name is another than the same without.
            let key = (path.clone(), name);
            if let Some(known) = seen.get(&key) {
                let known = known.map(|target| Use { written, span, target });
                found_uses[current.file.index()].extend(known);
                continue;
            }
            if let Some(text) = too_many(seen.len(), current.depth, limits) {
                report.say(Code::TooManyFiles, span, text, "join some of the files");
                stopped = true;
                break;
            }
            let known = texts.get(&path).cloned();
            let text = match known.map_or_else(|| fetch(&path).map(Arc::new), Ok) {
                Ok(text) => text,
                Err(why) => {
                    let text = format!("cannot read `{written}`: {why}");
                    let cure = "check the name, which is relative to the file it stands in; \
                                until the file is read, unknown names are not reported";
                    report.say(Code::CannotRead, span, text, cure);
                    seen.insert(key, None);
                    complete = false;
                    continue;
                }
            };
            bytes = bytes.saturating_add(text.len());
            if bytes > limits.text_bytes {
                too_large(report, span, limits);
                stopped = true;
                break;
            }
            let target = sources.add_shared(format!("{folder}{path}"), Arc::clone(&text));
            texts.insert(path.clone(), Arc::clone(&text));
            last = last.then(text);
            seen.insert(key, Some(target));
            found_uses[current.file.index()].push(Use { written, span, target });
            found_uses.push(Vec::new());
            let depth = current.depth + 1;
            found.push(Open { file: target, text: &last.text, path, name, depth });
        }
        parsed.push((current.file, (file, current.name)));
        // The last in is the next out: keep the order of the text.
        open.extend(found.into_iter().rev());
    }
    if !stopped {
        report_circles(&found_uses, report);
    }
    parsed.sort_by_key(|(file, _)| *file);
    let parsed = parsed.into_iter().map(|(_, parsed)| parsed).collect();
    Files { parsed, complete: complete && !stopped }
}

/// What is wrong with one more file beside so many, so deep.
fn too_many(files: usize, depth: usize, limits: &Limits) -> Option<String> {
    let Limits { files: most, include_depth: deepest, .. } = limits;
    let nested = depth + 1 >= *deepest;
    let nested = nested.then(|| format!("`use` nests too deep: the limit is {deepest} files"));
    (files >= *most).then(|| format!("too many files: the limit is {most}")).or(nested)
}

/// Reports every `use` that leads back to a file which leads to it.
fn report_circles(uses: &[Vec<Use>], report: &mut Report) {
    let target = |file: usize, nth: usize| uses[file].get(nth).map(|used| used.target.index());
    each_edge_back(uses.len(), target, |file, nth| {
        let Use { written, span, .. } = &uses[file][nth];
        let text = format!("`{written}` includes this file again");
        let cure = "remove one of the `use` lines of the circle; \
                    a file is read once however often it is used";
        report.say(Code::IncludeCircle, *span, text, cure);
    });
}

/// Folder with its closing slash, and file name.
fn split_folder(name: &str) -> (&str, &str) {
    match name.rfind(['/', '\\']) {
        Some(at) => name.split_at(at + 1),
        None => ("", name),
    }
}

/// Why a path does not lead to a file in the folder.
#[derive(PartialEq, Eq, Debug)]
enum Outside {
    /// It is none that is relative to a folder, or it is a folder.
    NoPath,
    /// It climbs so many folders above that one.
    Above(usize),
}

impl Outside {
    /// What to do about it. Only what climbs can be had by naming a folder that is further up.
    fn cure(&self, folder: &str) -> String {
        let inside = "use a relative path with `/` that stays in that folder, \
                      as in `use \"parts/common.npc\"`";
        match self {
            Outside::NoPath => inside.to_string(),
            Outside::Above(steps) => {
                format!(
                    "{inside}, or name one that has both files in it: `--root {}`",
                    above(folder, *steps)
                )
            }
        }
    }
}

/// The folder so many steps above another: `.` is above `levels/`.
fn above(folder: &str, steps: usize) -> String {
    let is_step = |part: &&str| !matches!(*part, "" | ".");
    let mut parts: Vec<&str> = folder.split(['/', '\\']).filter(is_step).collect();
    for _ in 0..steps {
        match parts.last() {
            None | Some(&"..") => parts.push(".."),
            Some(_) => _ = parts.pop(),
        }
    }
    match (folder.starts_with('/'), parts.is_empty()) {
        (true, _) => format!("/{}", parts.join("/")),
        (false, true) => ".".to_string(),
        (false, false) => parts.join("/"),
    }
}

/// The path relative to the first folder, if it stays in that folder.
fn resolve(from: &str, written: &str) -> Result<String, Outside> {
    if written.is_empty() || written.starts_with('/') || written.contains(['\\', ':', '\0']) {
        return Err(Outside::NoPath);
    }
    let mut parts: Vec<&str> = split_folder(from).0.split('/').filter(|p| !p.is_empty()).collect();
    let mut above = 0;
    for part in written.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.pop().is_none() => above += 1,
            ".." => {}
            name => parts.push(name),
        }
    }
    match (above, parts.is_empty()) {
        (_, true) => Err(Outside::NoPath),
        (0, false) => Ok(parts.join("/")),
        (steps, false) => Err(Outside::Above(steps)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;

    fn codes(files: &[(&str, &str)]) -> Vec<Code> {
        codes_below("", files)
    }

    fn codes_below(root: &str, files: &[(&str, &str)]) -> Vec<Code> {
        let mut sources = Sources::default();
        sources.add(files[0].0, files[0].1);
        let mut report = Report::default();
        let mut fetch = |path: &str| {
            let found = files.iter().find(|(name, _)| *name == path);
            found.map(|(_, text)| text.to_string()).ok_or_else(|| "no such file".to_string())
        };
        let (limits, level) = (Limits::default(), Level::new());
        let (words, first) = (Keywords::new(&[]), TextArena::new(Arc::new(files[0].1.to_string())));
        let setting = Setting { limits: &limits, words: &[], level: &level, root };
        let files = gather(&mut sources, &first, &setting, &words, &mut fetch, &mut report);
        assert_eq!(files.parsed.len(), sources.files().len());
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
    fn paths_may_climb_to_the_root_and_no_further() {
        let office = ("game/levels/office.npc", "use \"../soldier.npc\"");
        let soldier = ("soldier.npc", "");
        assert_eq!(codes(&[office, soldier]), [Code::IncludeOutside]);
        assert_eq!(codes_below("game/", &[office, soldier]), []);
        assert_eq!(codes_below("other/", &[office, soldier]), [Code::IncludeOutside]);
        let office = ("game/levels/office.npc", "use \"../../soldier.npc\"");
        assert_eq!(codes_below("game/", &[office, soldier]), [Code::IncludeOutside]);
    }

    #[test]
    fn paths_stay_in_the_folder_of_the_first_file() {
        let check = |from, written, expected: Result<&str, Outside>| {
            let expected = expected.map(str::to_string);
            assert_eq!(resolve(from, written), expected, "{from} uses {written}");
        };
        check("a.npc", "b.npc", Ok("b.npc"));
        check("a.npc", "./parts/b.npc", Ok("parts/b.npc"));
        check("parts/b.npc", "../a.npc", Ok("a.npc"));
        check("a.npc", "../b.npc", Err(Outside::Above(1)));
        check("parts/b.npc", "../../c.npc", Err(Outside::Above(1)));
        check("parts/b.npc", "../../../parts/c.npc", Err(Outside::Above(2)));
        check("a.npc", "/etc/passwd", Err(Outside::NoPath));
        check("a.npc", "C:/x.npc", Err(Outside::NoPath));
        check("a.npc", "..\\x.npc", Err(Outside::NoPath));
        check("a.npc", "", Err(Outside::NoPath));
        check("parts/b.npc", "", Err(Outside::NoPath));
        check("a.npc", "..", Err(Outside::NoPath));
    }

    #[test]
    fn the_cure_names_the_folder_that_has_both_files_in_it() {
        let check =
            |folder, steps, expected| assert_eq!(above(folder, steps), expected, "{folder}");
        check("levels/", 1, ".");
        check("game/levels/", 1, "game");
        check("./game/levels/", 2, ".");
        check("", 1, "..");
        check("levels/", 3, "../..");
        check("../levels/", 1, "..");
        check("../", 1, "../..");
        check("/srv/game/", 1, "/srv");
        let is_cured_by_root = |outside: Outside| outside.cure("levels/").contains("`--root .`");
        assert!(is_cured_by_root(Outside::Above(1)) && !is_cured_by_root(Outside::NoPath));
    }
}
