//! Names of a domain as Rust identifiers: legal, in the usual case, no two alike.
//!
//! In:   the names of one kind, in declared order, and the identifiers that are taken.
//! Out:  an identifier for each, in CamelCase and ASCII.
//! Cost: linear in the names.
//!
//! ASCII, because Rust takes identifiers that look alike or are normalised alike for a mistake,
//! and some compilers' warnings about them cannot be silenced inside a module.

use std::collections::{HashMap, HashSet};

/// An identifier for each name. The first name of several that read alike (`lamp`, `Lamp`) has
/// the plain one, the others a number behind it.
pub(super) fn identifiers<'n>(
    names: impl Iterator<Item = &'n str>,
    reserved: &[&str],
) -> Vec<String> {
    let plain: Vec<String> = names.map(camel_case).collect();
    // A number must not make an identifier that another name has by itself.
    let mut taken: HashSet<String> = plain.iter().cloned().collect();
    let mut first: HashSet<&str> = reserved.iter().copied().collect();
    let mut numbers: HashMap<&str, u64> = HashMap::new();
    let mut given = Vec::with_capacity(plain.len());
    for name in &plain {
        if first.insert(name) {
            given.push(name.clone());
            continue;
        }
        let number = numbers.entry(name).or_insert(1);
        // `Go1` and 2 would read as 12.
        let joint = if name.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        let mut candidate;
        loop {
            *number += 1;
            candidate = format!("{name}{joint}{number}");
            if !reserved.contains(&candidate.as_str()) && taken.insert(candidate.clone()) {
                break;
            }
        }
        given.push(candidate);
    }
    given
}

/// `take_hay` as `TakeHay`, `go(pipe)` as `GoPipe`, `heat(-3)` as `HeatMinus3`, `3rd` as `N3rd`,
/// `chop(axe _)` as `ChopAxeAny`.
fn camel_case(name: &str) -> String {
    let mut made = String::with_capacity(name.len());
    for token in name.split([' ', '(', ')']).filter(|token| !token.is_empty()) {
        if token.bytes().all(|byte| byte == b'_') {
            // What an alternative leaves open.
            push_word(&mut made, "any");
            continue;
        }
        let is_negative = token
            .strip_prefix('-')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if is_negative {
            push_word(&mut made, "minus");
        }
        for word in token.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            push_word(&mut made, &ascii(word));
        }
    }
    if made.is_empty() {
        made.push_str("Unnamed");
    }
    if made.starts_with(|c: char| c.is_ascii_digit()) {
        made.insert(0, 'N');
    }
    // `NPC` and `ALL` read as constants.
    if made.len() > 2 && made.bytes().all(|byte| byte.is_ascii_uppercase()) {
        made[1..].make_ascii_lowercase();
    }
    made
}

fn push_word(made: &mut String, word: &str) {
    let is_digit = |c: char| c.is_ascii_digit();
    if made.ends_with(is_digit) && word.starts_with(is_digit) {
        made.push('_');
    }
    let mut letters = word.chars();
    made.extend(letters.next().map(|first| first.to_ascii_uppercase()));
    made.push_str(letters.as_str());
}

/// Letters of Western Europe without their marks; others by their number.
fn ascii(word: &str) -> String {
    let mut made = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            _ if c.is_ascii() => made.push(c),
            'à'..='å' => made.push('a'),
            'è'..='ë' => made.push('e'),
            'ì'..='ï' => made.push('i'),
            'ò'..='ö' | 'ø' => made.push('o'),
            'ù'..='ü' => made.push('u'),
            'À'..='Å' => made.push('A'),
            'È'..='Ë' => made.push('E'),
            'Ì'..='Ï' => made.push('I'),
            'Ò'..='Ö' | 'Ø' => made.push('O'),
            'Ù'..='Ü' => made.push('U'),
            'ç' => made.push('c'),
            'Ç' => made.push('C'),
            'ñ' => made.push('n'),
            'Ñ' => made.push('N'),
            'ß' => made.push_str("ss"),
            'æ' => made.push_str("ae"),
            'Æ' => made.push_str("Ae"),
            'œ' => made.push_str("oe"),
            'Œ' => made.push_str("Oe"),
            _ => made.push_str(&format!("U{:x}", u32::from(c))),
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str], expected: &[&str]) {
        assert_eq!(identifiers(names.iter().copied(), &["Self", "Option"]), expected);
    }

    #[test]
    fn names_read_as_rust_does() {
        check(
            &["take_hay", "go(pipe)", "give(bread joe)", "TargetIsNear", "Node.Cover-2"],
            &["TakeHay", "GoPipe", "GiveBreadJoe", "TargetIsNear", "NodeCover2"],
        );
        check(&["heat(-3)", "heat(3)", "-3", "3rd"], &["HeatMinus3", "Heat3", "Minus3", "N3rd"]);
        check(&["chop(axe _)", "chop(_ 2)", "_"], &["ChopAxeAny", "ChopAny2", "Any"]);
        check(&["NPC", "AI", "X1"], &["Npc", "AI", "X1"]);
    }

    #[test]
    fn letters_of_all_alphabets_become_ascii() {
        check(&["Zügel", "straße", "馬"], &["Zugel", "Strasse", "U99ac"]);
        check(&["+", "a+b"], &["Unnamed", "AB"]);
    }

    #[test]
    fn no_two_are_alike_and_none_is_reserved() {
        check(&["lamp", "Lamp", "lamp2", "LAMP"], &["Lamp", "Lamp3", "Lamp2", "Lamp4"]);
        check(&["go_1", "go1", "go_1_2"], &["Go1", "Go1_3", "Go1_2"]);
        check(&["self", "option", "type"], &["Self2", "Option2", "Type"]);
    }
}
