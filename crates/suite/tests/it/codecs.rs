//! Whatever can be decoded is held to its round trip: every `impl Decode` of the workspace, written
//! by hand or described to `codec_struct!` and `codec_enum!`, has a `comes_back::<Type>` beside it,
//! in the tests of its own crate. What is read in a context goes there and back with its whole.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic, and say what was tried"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The Rust files of a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The name that a type begins with; lists of fixed length and tuples by what they are.
fn head(text: &str) -> String {
    let text = text.trim_start();
    match text.as_bytes().first() {
        Some(b'[') => "[..]".to_string(),
        Some(b'(') => "(..)".to_string(),
        _ => {
            let end = text.find(|it: char| !(it.is_alphanumeric() || it == '_' || it == ':'));
            let path = &text[..end.unwrap_or(text.len())];
            path.rsplit("::").next().unwrap_or(path).to_string()
        }
    }
}

/// What follows each mention of a text.
fn after<'t>(text: &'t str, mention: &str) -> Vec<&'t str> {
    text.match_indices(mention).map(|(at, _)| &text[at + mention.len()..]).collect()
}

/// The types that a file makes decodable.
fn decodable(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let code: Vec<&str> =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    // By hand; in a macro the type comes later.
    let by_hand = after(&code, "Decode for ").into_iter().filter(|it| !it.starts_with('$'));
    found.extend(by_hand.map(head));
    for list in after(&code, "codec_enum!(") {
        // A name in quotes, then the type.
        found.extend(list.splitn(3, '"').nth(2).map(head));
    }
    for described in after(&code, "codec_struct!(").into_iter().map(str::trim_start) {
        // With a context, the whole that it is part of is tried; macros of this one begin otherwise.
        if !described.starts_with("in ") && !described.starts_with(['$', '@', '\n']) {
            found.push(head(described.strip_prefix("decode ").unwrap_or(described)));
        }
    }
    for mention in ["codec_numbers!(", "codec_signed!(", "codec_floats!("] {
        for list in after(&code, mention) {
            let list = &list[..list.find(')').unwrap()];
            found.extend(list.split(',').map(head));
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

#[test]
fn every_type_that_can_be_decoded_is_held_to_its_round_trip() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut sources: Vec<PathBuf> =
        std::fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path().join("src")).collect();
    sources.retain(|folder| folder.is_dir());
    sources.sort();
    let mut n_types = 0;
    let mut forgotten = Vec::new();
    for source in &sources {
        let mut open: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut held: BTreeMap<String, usize> = BTreeMap::new();
        for file in files(source) {
            let text = std::fs::read_to_string(&file).unwrap();
            for name in decodable(&text) {
                open.entry(name).or_default().push(file.display().to_string());
            }
            let calls = after(&text, "comes_back::<").into_iter();
            calls.for_each(|call| *held.entry(head(call)).or_default() += 1);
        }
        for (name, places) in open {
            n_types += places.len();
            // Two types of one name need two.
            if held.get(&name).copied().unwrap_or(0) < places.len() {
                forgotten.push(format!("{name}: {}", places.join(", ")));
            }
        }
    }
    println!("{n_types} types that can be decoded");
    assert!(forgotten.is_empty(), "without a round trip: {forgotten:#?}");
    // All of those known today are found, so the search finds what it should.
    assert!(n_types >= 51, "{n_types}");
}

#[test]
fn types_are_found_however_they_are_made_decodable() {
    let text = "impl Decode for a::B {\nimpl<T: Decode> crate::codec::Decode for Vec<T> {\n\
        // impl Decode for Old {\nimpl Decode for $number {\n\
        impl<T, const N: usize> Decode for [T; N] {\n\
        crate::codec_enum!(\"a choice\" C { 0 => One });\ncodec_numbers!(u8, u16);\n\
        codec_struct!(\n    D { one, two }\n);\ncodec_struct!(E(it));\n\
        codec_struct!(in known: Known<'_>; F { one });\n";
    assert_eq!(decodable(text), ["B", "Vec", "[..]", "C", "D", "E", "u8", "u16"]);
}
