//! What may be a name.
//!
//! Two alphabets: the narrow one of `.npc` text, where a name must be told apart from arrows,
//! ranges and arithmetic; and the wide one of JSON, where quotes already do that and names
//! come from other tools (PDDL among them).

use crate::token::SIGNS;

/// Whether a character may begin a name in `.npc` text.
pub fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Whether a character may stand anywhere after the first in a name in `.npc` text.
pub fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || throng_base::nearest::is_mark(c)
}

/// Length in bytes of the name that `text` begins with; 0 if it begins with none.
///
/// A `.` or `-` belongs to the name only singly and between name characters, so that `a->b`
/// is an arrow and `a..b` a range.
pub fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(&first) if is_plain(first) && !first.is_ascii_digit() => {}
        Some(first) if !first.is_ascii() => return length_in_any_alphabet(text),
        _ => return 0,
    }
    let mut at = 1;
    loop {
        match bytes.get(at) {
            Some(&byte) if is_plain(byte) => at += 1,
            Some(b'.' | b'-') => match bytes.get(at + 1) {
                Some(&byte) if is_plain(byte) => at += 2,
                Some(byte) if !byte.is_ascii() => return length_in_any_alphabet(text),
                _ => return at,
            },
            Some(byte) if !byte.is_ascii() => return length_in_any_alphabet(text),
            _ => return at,
        }
    }
}

/// Whether a byte is a character that may stand in a name, whatever the alphabet.
#[inline]
fn is_plain(byte: u8) -> bool {
    PLAIN[usize::from(byte)]
}

static PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        plain[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    plain
};

/// The same as [`name_length`], of letters of any alphabet.
fn length_in_any_alphabet(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    match chars.next() {
        Some((_, first)) if begins_name(first) => {}
        _ => return 0,
    }
    while let Some((at, c)) = chars.next() {
        let joins = |next: Option<&(usize, char)>| next.is_some_and(|&(_, n)| continues_name(n));
        if !(continues_name(c) || ((c == '.' || c == '-') && joins(chars.peek()))) {
            return at;
        }
    }
    text.len()
}

/// Whether the whole text is one name of the `.npc` language.
pub fn is_npc_name(text: &str) -> bool {
    !text.is_empty() && name_length(text) == text.len()
}

/// Whether the whole text is an integer as `.npc` writes values: `-3`, `0`, `12`.
pub fn as_integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty()
        && digits.len() <= 15
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'))
        && text != "-0";
    if plain { text.parse().ok() } else { None }
}

/// The range as `.npc` writes it, as in `0..6`, if the values are consecutive integers and more
/// than one.
pub fn as_range(values: &[String]) -> Option<String> {
    let (first, last) = (as_integer(values.first()?)?, as_integer(values.last()?)?);
    let consecutive =
        values.iter().zip(first..).all(|(value, number)| as_integer(value) == Some(number));
    (first < last && consecutive).then(|| format!("{first}..{last}"))
}

/// Whether the text may be a value in `.npc`: a name or an integer.
pub fn is_npc_value(text: &str) -> bool {
    is_npc_name(text) || as_integer(text).is_some()
}

/// Whether the text is a sign that compares.
pub(crate) fn is_comparison(text: &str) -> bool {
    let sign = SIGNS.iter().find(|(sign, _)| *sign == text);
    sign.is_some_and(|(_, kind)| kind.relation().is_some())
}

/// Whether the text may refer to an action or goal in `.npc`: `go`, `go(pipe)`,
/// `give(bread joe)`, `fell(helper >= 2)`. A sign stands behind the name of what it compares.
pub fn is_npc_reference(text: &str) -> bool {
    let Some((base, rest)) = text.split_once('(') else { return is_npc_name(text) };
    let Some(words) = rest.strip_suffix(')') else { return false };
    let mut before = "";
    let is_word = |word| {
        let before = std::mem::replace(&mut before, word);
        is_npc_value(word) || is_comparison(word) && is_npc_name(before)
    };
    is_npc_name(base) && words.split(' ').all(is_word)
}

/// Whether the text may be a variable or a check in `.npc`: a name, perhaps with what it is about
/// in parentheses, as in `ready(prop.1)`.
pub fn is_npc_about(text: &str) -> bool {
    let Some((base, rest)) = text.split_once('(') else { return is_npc_name(text) };
    is_npc_name(base) && rest.strip_suffix(')').is_some_and(is_npc_value)
}

/// Whether the text may be declared as the ground name of an action or goal in `.npc`: any
/// reference whose second word is not `in`, because `f(a in b)` declares a template.
pub fn is_npc_ground_name(text: &str) -> bool {
    let words = text.split_once('(').map_or("", |(_, words)| words).trim_end_matches(')');
    is_npc_reference(text) && words.split(' ').nth(1) != Some("in")
}

/// The template part of a ground name: `go` for `go(pipe)`; `None` for a plain name.
pub fn template_of(name: &str) -> Option<&str> {
    // Of most names this is all that there is to see.
    if !name.ends_with(')') {
        return None;
    }
    name.split_once('(').map(|(base, _)| base).filter(|base| !base.is_empty())
}

/// What `use … as beast` has put before a name, with its dot: `beast.` of `beast.bite(beast.prey)`;
/// nothing of a plain one.
pub fn prefix_of(name: &str) -> &str {
    let head = template_of(name).unwrap_or(name);
    head.rfind('.').map_or("", |dot| &head[..=dot])
}

/// A name as the file says it that was read under another: `bite` of `beast.bite`.
pub fn plain_of(name: &str) -> &str {
    &name[prefix_of(name).len()..]
}

/// What names begin with, each once, in their order; last, unless one of them is plain, nothing.
pub fn prefixes_of<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut prefixes = Vec::new();
    for prefix in names.map(prefix_of).chain([""]) {
        if !prefixes.contains(&prefix) {
            prefixes.push(prefix);
        }
    }
    prefixes
}

/// The words in the parentheses of a ground name: `bread`, `joe` of `give(bread joe)`.
pub fn arguments_of(name: &str) -> impl Iterator<Item = &str> {
    let rest = template_of(name).map_or("", |base| &name[base.len() + 1..name.len() - 1]);
    rest.split(' ').filter(|word| !word.is_empty())
}

/// Whether a JSON string may be a name: not empty, no control characters, no blank at either
/// end, none of `" , = #`, no `!` in front (it negates a check).
pub fn is_json_name(text: &str) -> bool {
    !text.is_empty()
        && text.trim() == text
        && !text.starts_with('!')
        && !text.contains(['"', ',', '=', '#'])
        && !text.chars().any(char::is_control)
}

/// Whether a JSON string may be the name of an action or a goal: any name, in whose parentheses
/// amounts may be compared.
pub fn is_json_reference(text: &str) -> bool {
    let compares = |(base, rest): (&str, &str)| {
        is_json_name(base) && rest.ends_with(')') && is_json_name(&rest.replace('=', ""))
    };
    is_json_name(text) || text.split_once('(').is_some_and(compares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_where_an_arrow_or_a_range_begins() {
        for (text, length) in
            [("a->b", 1), ("a-b", 3), ("a--b", 1), ("a..b", 1), ("a.b c", 3), ("a-", 1), ("3a", 0)]
        {
            assert_eq!(name_length(text), length, "{text}");
        }
        for text in ["a", "a.b-c d", "a_1.2-3..4", "a.é-x", "aé.b", "a-é", "a.", "_", "1a", "é", ""]
        {
            assert_eq!(name_length(text), length_in_any_alphabet(text), "{text}");
        }
        assert!(is_npc_name("Node.Cover-2") && is_npc_name("_x") && is_npc_name("Zügel"));
        assert!(!is_npc_name("") && !is_npc_name("a b") && !is_npc_name("3rd"));
    }

    #[test]
    fn letters_are_those_of_any_alphabet_with_their_marks() {
        for name in ["हिन्दी", "ที่นั่ง", "cafe\u{301}", "שָׁלוֹם", "मित्र_2"]
        {
            assert!(is_npc_name(name), "{name}");
        }
        // A mark begins nothing; what cannot be seen is part of no name.
        for text in ["\u{301}a", "a\u{200b}", "a\u{fe0f}", "a\u{202e}b", "a\u{ad}"] {
            assert!(!is_npc_name(text), "{text:?}");
        }
    }

    #[test]
    fn ground_names_carry_values_in_parentheses() {
        assert!(is_npc_ground_name("go(pipe)") && is_npc_ground_name("give(bread joe)"));
        assert!(is_npc_ground_name("shoot(3)") && is_npc_ground_name("heat(-3)"));
        assert!(!is_npc_ground_name("go()") && !is_npc_ground_name("go(a  b)"));
        for text in ["fell(helper >= 2)", "fell(oak helper != 2)", "fell(2 helper < other)"] {
            assert!(is_npc_ground_name(text), "{text}");
        }
        for text in ["fell(>= 2)", "fell(2 >= 3)", "fell(oak helper = = 2)", "fell(< <)"] {
            assert!(!is_npc_ground_name(text), "{text}");
        }
        assert_eq!(template_of("go(pipe)"), Some("go"));
        assert_eq!(template_of("go"), None);
    }

    #[test]
    fn a_prefix_ends_with_the_last_dot_before_the_parentheses() {
        assert_eq!(prefix_of("beast.bite(beast.prey)"), "beast.");
        assert_eq!(prefix_of("beast.bite"), "beast.");
        assert_eq!(prefix_of("goto(cover.2)"), "");
        assert_eq!(prefix_of(""), "");
        assert_eq!(plain_of("beast.bite(beast.prey)"), "bite(beast.prey)");
        assert_eq!(prefixes_of(["b.x", "a.y", "b.z"].into_iter()), ["b.", "a.", ""]);
        assert_eq!(prefixes_of(["x", "a.y"].into_iter()), ["", "a."]);
    }

    #[test]
    fn integers_have_one_spelling() {
        assert_eq!(as_integer("-3"), Some(-3));
        for text in ["", "-", "007", "-0", "1.5", "9999999999999999999"] {
            assert_eq!(as_integer(text), None, "{text}");
        }
    }
}
