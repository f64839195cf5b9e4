//! What a text with selects, slots, sorts, groups and templates says, in plain words.
//!
//! In:   a text of [`slots_text`](super::slots_text): one statement a line, names that tell what
//!       things are.
//! Out:  the same without `select`, `node`, `any`, `except`, parameters and groups; or that some
//!       statement says nothing at all. `about_0(x)` is written `about_0-x`, `ask_0(x)` likewise.
//! Cost: the square of what is written out, about.
//!
//! It is the judge of what the reader makes of such a text, so it is plain: it replaces words.

use std::collections::BTreeMap;

/// Values by variable, in the order of the text.
type Values = Vec<(String, Vec<String>)>;

/// The text in plain words; `Err` names a statement of which nothing exists.
///
/// # Errors
///
/// If no combination of values makes a statement possible.
pub fn plain(text: &str) -> Result<String, String> {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut values: Values = Vec::new();
    let mut about = Vec::new();
    let mut rest = Vec::new();
    let mut out = Vec::new();
    for line in text.lines() {
        let (keyword, body) = line.split_once(' ').unwrap_or((line, ""));
        let (head, after) = body.split_once(": ").unwrap_or((body, ""));
        match keyword {
            "select" => {
                let slots = after.strip_prefix("best ").and_then(|it| it[..1].parse().ok());
                let slots = slots.map_or(vec![head.to_string()], |slots: usize| {
                    (1..=slots).map(|at| format!("{head}.{at}")).collect()
                });
                groups.insert(head.to_string(), slots);
            }
            "node" => {
                let name = head.split(' ').next().unwrap_or_default().to_string();
                groups.entry(after.to_string()).or_default().push(name);
            }
            "var" if head.contains('(') => about.push((head, after)),
            "var" => {
                let mut all = Vec::new();
                for entry in after.split(", ") {
                    match entry.strip_prefix("any ") {
                        Some(group) => all.extend(groups[group].iter().cloned()),
                        None => all.push(entry.to_string()),
                    }
                }
                out.push(format!("var {head}: {}", all.join(", ")));
                values.push((head.to_string(), all));
            }
            "action" | "goal" => rest.push((keyword, head, after)),
            _ => out.push(line.to_string()),
        }
    }
    for (head, after) in about {
        let (name, parameters) = parts(head);
        for value in members(&parameters[0], &groups, &values) {
            out.push(format!("var {name}-{value}: {after}"));
            values.push((format!("{name}-{value}"), vec!["false".into(), "true".into()]));
        }
    }
    for (keyword, head, after) in rest {
        let (name, parameters) = parts(head);
        let mut choices = vec![Vec::new()];
        for parameter in &parameters {
            let letter = parameter.split(' ').next().unwrap_or_default();
            let of = members(parameter, &groups, &values);
            let longer = |choice: &Vec<(String, String)>| {
                let each = of.iter().map(|value| {
                    let mut choice = choice.clone();
                    choice.push((letter.to_string(), value.clone()));
                    choice
                });
                each.collect::<Vec<_>>()
            };
            choices = choices.iter().flat_map(longer).collect();
        }
        let mut exists = false;
        for choice in choices {
            let Some(body) = instance(after, &choice, &groups, &values) else { continue };
            exists = true;
            let words: Vec<&str> = choice.iter().map(|(_, value)| value.as_str()).collect();
            let ground = match words.is_empty() {
                true => String::new(),
                false => format!("({})", words.join(" ")),
            };
            out.push(format!("{keyword} {name}{ground}: {body}"));
        }
        if !exists {
            return Err(name);
        }
    }
    Ok(out.join("\n") + "\n")
}

/// The name and the parameters of a head: `p in at0 except a, b`.
fn parts(head: &str) -> (String, Vec<String>) {
    let Some((name, rest)) = head.split_once('(') else { return (head.to_string(), Vec::new()) };
    let mut parameters: Vec<String> = Vec::new();
    for piece in rest.trim_end_matches(')').split(", ") {
        match parameters.last_mut() {
            Some(last) if !piece.contains(" in ") => last.push_str(&format!(", {piece}")),
            _ => parameters.push(piece.to_string()),
        }
    }
    (name.to_string(), parameters)
}

/// The values that a parameter takes.
fn members(
    parameter: &str,
    groups: &BTreeMap<String, Vec<String>>,
    values: &Values,
) -> Vec<String> {
    let (whole, except) = parameter.split_once(" except ").unwrap_or((parameter, ""));
    let of = whole.rsplit(' ').next().unwrap_or_default();
    let listed = values.iter().find(|(name, _)| name == of).map(|(_, values)| values);
    let mut all = listed.or_else(|| groups.get(of)).cloned().unwrap_or_default();
    for word in except.split(", ") {
        let own = groups.get(word).cloned().unwrap_or_else(|| vec![word.to_string()]);
        all.retain(|value| !own.contains(value));
    }
    all
}

/// A statement for one choice of its parameters; `None` if it cannot be.
fn instance(
    body: &str,
    choice: &[(String, String)],
    groups: &BTreeMap<String, Vec<String>>,
    values: &Values,
) -> Option<String> {
    let named = |word: &str| {
        choice.iter().find(|(letter, _)| letter == word).map_or(word.to_string(), |it| it.1.clone())
    };
    let mut allowed: BTreeMap<String, Vec<String>> = values.iter().cloned().collect();
    let mut clauses = body.split("  ");
    let mut out = Vec::new();
    let first = clauses.next().unwrap_or_default();
    // What stands first are the changes of an action or the conditions of a goal.
    let mut pieces = Vec::new();
    for piece in first.split(", ") {
        pieces.push(piece_of(piece, &named, (groups, values), &mut allowed)?);
    }
    out.push(pieces.join(", "));
    for clause in clauses {
        let (word, rest) = clause.split_once(' ').unwrap_or((clause, ""));
        let text = match word {
            "while" => {
                let each = rest.split(", ");
                let all: Option<Vec<String>> =
                    each.map(|it| piece_of(it, &named, (groups, values), &mut allowed)).collect();
                all?.join(", ")
            }
            "if" | "kinds" => about(rest, &named),
            _ => rest.to_string(),
        };
        out.push(format!("{word} {text}"));
    }
    allowed.values().all(|left| !left.is_empty()).then(|| out.join("  "))
}

/// `ask_0(p)` as `ask_0-x`, wherever it stands.
fn about(text: &str, named: &dyn Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('(') {
        let (word, later) = after.split_once(')').unwrap_or((after, ""));
        out.push_str(&format!("{before}-{}", named(word)));
        rest = later;
    }
    out + rest
}

/// A change or a condition; what it asks of its variable is taken from what is allowed.
fn piece_of(
    piece: &str,
    named: &dyn Fn(&str) -> String,
    (groups, values): (&BTreeMap<String, Vec<String>>, &Values),
    allowed: &mut BTreeMap<String, Vec<String>>,
) -> Option<String> {
    let piece = about(piece, named);
    let words: Vec<&str> = piece.split(' ').collect();
    match words[..] {
        [variable, sign @ ("=" | "!="), operand] => {
            let operand = named(operand);
            let left = allowed.get_mut(variable)?;
            let own = values.iter().find(|(name, _)| name == variable);
            let is_value = own.is_some_and(|(_, own)| own.contains(&operand));
            // A value of the variable hides a group of the same name.
            let meant = match groups.get(&operand).filter(|_| !is_value) {
                Some(group) => group.clone(),
                None => vec![operand],
            };
            left.retain(|value| meant.contains(value) == (sign == "="));
            let each: Vec<String> =
                meant.iter().map(|value| format!("{variable} {sign} {value}")).collect();
            let joint = if sign == "=" { " or " } else { ", " };
            Some(match each.len() {
                1 => each[0].clone(),
                _ if sign == "=" => format!("({})", each.join(joint)),
                _ => each.join(joint),
            })
        }
        [variable, "->", operand] => {
            let operand = named(operand);
            let (_, own) = values.iter().find(|(name, _)| name == variable)?;
            own.contains(&operand).then(|| format!("{variable} -> {operand}"))
        }
        [variable, from, "->", to] => {
            let left = allowed.get_mut(variable)?;
            left.retain(|value| value == from);
            Some(format!("{variable} {from} -> {to}"))
        }
        _ => None,
    }
}
