//! ARCHITECTURE.md against the crates: the table of crates and edges, and every path it names.
//!
//! In:   the page, the manifests, the folders.
//! Out:  edges that the table does not allow, crates that it does not name or that are not
//!       there, paths that do not exist.

use super::manifest::Manifest;
use super::{Finding, folders};
use std::fs;
use std::path::Path;

const PAGE: &str = "ARCHITECTURE.md";
/// The head of the table's last column.
const EDGES: &str = "may depend on";

/// A row of the table: a crate and what it may depend on.
#[derive(PartialEq, Eq, Debug)]
struct Row {
    line: usize,
    folder: String,
    package: Option<String>,
    edges: Edges,
    /// The row says that nothing depends on it.
    alone: bool,
}

#[derive(PartialEq, Eq, Debug)]
enum Edges {
    All,
    Only(Vec<String>),
}

/// Compares the page with the crates.
pub(super) fn check(root: &Path, manifests: &[Manifest], findings: &mut Vec<Finding>) {
    let Ok(text) = fs::read_to_string(root.join(PAGE)) else {
        findings.push(Finding::error(PAGE, 0, "there is no map of the code"));
        return;
    };
    let rows = table(&text);
    if rows.is_empty() {
        let text = format!("no table of crates; its last column is headed `{EDGES}`");
        findings.push(Finding::error(PAGE, 0, text));
    }
    check_crates(root, &rows, manifests, findings);
    check_edges(&rows, manifests, findings);
    findings.extend(rows.iter().flat_map(|row| missing(row, manifests)));
    for (line, path) in paths(&text) {
        if !root.join(path).exists() {
            findings.push(Finding::error(PAGE, line, format!("`{path}` does not exist")));
        }
    }
}

fn check_crates(root: &Path, rows: &[Row], manifests: &[Manifest], findings: &mut Vec<Finding>) {
    let there = folders(&root.join("crates"));
    for folder in there.iter().filter(|&folder| rows.iter().all(|row| row.folder != *folder)) {
        let text = format!("`crates/{folder}` is missing in the table of crates");
        findings.push(Finding::error(PAGE, 0, text));
    }
    for row in rows {
        if !there.contains(&row.folder) {
            let text = format!("there is no `crates/{}`", row.folder);
            findings.push(Finding::error(PAGE, row.line, text));
        }
        let package = manifests.iter().find(|m| m.folder == row.folder).map(|m| &m.package);
        if let (Some(named), Some(package)) = (&row.package, package)
            && named != package
        {
            let text = format!("the package of `{}` is {package}, not {named}", row.folder);
            findings.push(Finding::error(PAGE, row.line, text));
        }
    }
}

fn check_edges(rows: &[Row], manifests: &[Manifest], findings: &mut Vec<Finding>) {
    for manifest in manifests {
        let row = rows.iter().find(|row| row.folder == manifest.folder);
        for dependency in manifest.dependencies.iter().filter(|dependency| !dependency.is_dev) {
            let Some(to) = manifests.iter().find(|other| other.package == dependency.name) else {
                continue;
            };
            let alone = rows.iter().any(|row| row.folder == to.folder && row.alone);
            let allowed = match row.map(|row| &row.edges) {
                Some(Edges::Only(allowed)) => allowed.contains(&to.folder),
                Some(Edges::All) | None => true,
            };
            if alone || !allowed {
                let text = format!(
                    "`{}` may not depend on `{}`: {PAGE} says so; remove the edge, or change \
                     the table and write a decision",
                    manifest.folder, to.folder
                );
                findings.push(Finding::error(&manifest.path, dependency.line, text));
            }
        }
    }
}

/// Edges that the table names and the manifest does not have.
fn missing(row: &Row, manifests: &[Manifest]) -> Vec<Finding> {
    let manifest = manifests.iter().find(|manifest| manifest.folder == row.folder);
    let (Edges::Only(named), Some(manifest)) = (&row.edges, manifest) else { return Vec::new() };
    let is_there = |folder: &String| {
        let package = manifests.iter().find(|m| m.folder == *folder).map(|m| &m.package);
        manifest.dependencies.iter().any(|d| !d.is_dev && Some(&d.name) == package)
    };
    let missing = named.iter().filter(|folder| !is_there(folder)).map(|folder| {
        let text = format!("`{}` does not depend on `{folder}`", row.folder);
        Finding::error(PAGE, row.line, text)
    });
    missing.collect()
}

/// The rows of the table of crates.
fn table(text: &str) -> Vec<Row> {
    let lines = text.lines().enumerate();
    let below = lines.skip_while(|(_, line)| !(line.starts_with('|') && line.contains(EDGES)));
    let rows = below.skip(1).take_while(|(_, line)| line.starts_with('|'));
    rows.filter_map(|(at, line)| row(at + 1, line)).collect()
}

/// A row, if its first cell begins with a folder in backquotes.
fn row(line: usize, text: &str) -> Option<Row> {
    let cells: Vec<&str> = text.trim().trim_matches('|').split('|').map(str::trim).collect();
    let (first, last) = (*cells.first()?, *cells.last()?);
    let (folder, rest) = first.strip_prefix('`')?.split_once('`')?;
    let package = rest.split_once('[').and_then(|(_, rest)| rest.split([',', ']']).next());
    // A remark in brackets belongs to the name before it.
    let name =
        |word: &str| word.split('(').next().unwrap_or("").trim().trim_matches('`').to_string();
    let edges = match last {
        "all" => Edges::All,
        "nothing of ours" | "nothing" => Edges::Only(Vec::new()),
        _ => Edges::Only(last.split([',', ';']).map(name).collect()),
    };
    Some(Row {
        line,
        folder: folder.to_string(),
        package: package.map(|package| package.trim().to_string()),
        edges,
        alone: text.contains("nothing depends on it"),
    })
}

/// What stands in backquotes and is a path, with its line: it has a `/` or a known ending.
/// Patterns and placeholders are left out.
fn paths(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (at, line) in text.lines().enumerate() {
        fenced ^= line.trim_start().starts_with("```");
        if fenced {
            continue;
        }
        let quoted = line.split('`').skip(1).step_by(2);
        found.extend(quoted.filter(|word| is_path(word)).map(|word| (at + 1, word)));
    }
    found
}

fn is_path(word: &str) -> bool {
    let ends = [".md", ".rs", ".toml"].iter().any(|ending| word.ends_with(ending));
    let pattern = word.contains(['*', '<', '>', '{', '}', '…', ' ', ':', '=', '"']);
    (word.contains('/') || ends) && !pattern && !word.starts_with(['/', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "text\n| folder | turns | may depend on |\n|---|---|---|\n\
        | `domain` [throng-domain] | text → model | nothing of ours |\n\
        | `check` [throng-check] | a → b | domain, `planner` (its types) |\n\
        | `cli` [throng-cli, binary `throng`] | words | all |\n\
        | `suite` | tests; nothing depends on it | all |\n\n| `not` | a | row |\n";

    #[test]
    fn the_table_gives_crates_and_edges() {
        let rows = table(TABLE);
        let folders: Vec<_> = rows.iter().map(|row| row.folder.as_str()).collect();
        assert_eq!(folders, ["domain", "check", "cli", "suite"]);
        assert_eq!(rows[0].edges, Edges::Only(Vec::new()));
        assert_eq!(rows[1].edges, Edges::Only(vec!["domain".into(), "planner".into()]));
        assert_eq!(rows[2].edges, Edges::All);
        assert_eq!(rows[2].package.as_deref(), Some("throng-cli"));
        assert!(rows[3].alone && rows[3].package.is_none());
    }

    #[test]
    fn an_edge_against_the_table_is_found_and_a_dev_dependency_is_not() {
        let manifest = |folder: &str, package: &str, text: &str| {
            Manifest::read(
                folder,
                "x/Cargo.toml",
                &format!("[package]\nname = \"{package}\"\n{text}"),
            )
        };
        let manifests = [
            manifest("domain", "throng-domain", "[dependencies]\nthrong-check.workspace = true\n"),
            manifest(
                "check",
                "throng-check",
                "[dev-dependencies]\nthrong-suite.workspace = true\n",
            ),
            manifest("cli", "throng-cli", "[dependencies]\nthrong-suite.workspace = true\n"),
            manifest("suite", "throng-suite", "[dependencies]\nthrong-cli.workspace = true\n"),
        ];
        let mut findings = Vec::new();
        check_edges(&table(TABLE), &manifests, &mut findings);
        let texts: Vec<_> = findings.iter().map(|finding| &finding.text[..33]).collect();
        assert_eq!(
            texts,
            ["`domain` may not depend on `check", "`cli` may not depend on `suite`: "]
        );
    }

    #[test]
    fn an_edge_that_is_not_there_is_not_named() {
        let text = "[package]\nname = \"throng-check\"\n[dependencies]\nthrong-domain = \"1\"\n";
        let check = Manifest::read("check", "x/Cargo.toml", text);
        let domain = Manifest::read("domain", "y", "[package]\nname = \"throng-domain\"\n");
        let findings = missing(&table(TABLE)[1], &[check, domain]);
        let texts: Vec<_> = findings.iter().map(|finding| finding.text.as_str()).collect();
        assert_eq!(texts, ["`check` does not depend on `planner`"]);
    }

    #[test]
    fn paths_are_told_from_other_words() {
        let text = "`a/b.rs` and `GLOSSARY.md`, `cargo run`, `.npc`, `crates/<folder>`, `a/*.rs`\n```\n`c/d`\n```\n`e/f`\n";
        assert_eq!(paths(text), [(1, "a/b.rs"), (1, "GLOSSARY.md"), (5, "e/f")]);
    }
}
