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
    let mut needs = Needs::default();
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
                let (sort, need) = after.split_once(" needs ").unwrap_or((after, ""));
                if !need.is_empty() {
                    needs.listed.push((name.clone(), need.to_string()));
                }
                groups.entry(sort.to_string()).or_default().push(name);
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
    // What slots lack is told by variables of their own, in the order in which actions need them.
    let picked = groups.iter().filter(|(name, _)| !name.starts_with("sort"));
    needs.slots = picked.flat_map(|(_, slots)| slots.clone()).collect();
    for (_, head, after) in &rest {
        let (_, parameters) = parts(head);
        for word in needed(after) {
            let of = parameters.iter().find(|it| it.split(' ').next() == Some(word));
            for slot in of.map(|it| members(it, &groups, &values)).unwrap_or_default() {
                let name = format!("lacks-{slot}");
                if needs.slots.contains(&slot) && !values.iter().any(|(known, _)| *known == name) {
                    out.push(format!("var {name}: nothing, prop.1, prop.2"));
                    let of = ["nothing", "prop.1", "prop.2"].map(str::to_string);
                    values.push((name, of.into()));
                }
            }
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
            let words: Vec<&str> = choice.iter().map(|(_, value)| value.as_str()).collect();
            let ground = match words.is_empty() {
                true => String::new(),
                false => format!("({})", words.join(" ")),
            };
            let mut variant = 0;
            for way in needs.ways(after, &choice) {
                let Some(body) = instance(after, &choice, &way, &groups, &values) else { continue };
                exists = true;
                variant += 1;
                let more = if variant > 1 { format!("  variant {variant}") } else { String::new() };
                out.push(format!("{keyword} {name}{ground}: {body}{more}"));
            }
        }
        if !exists {
            return Err(name);
        }
    }
    Ok(out.join("\n") + "\n")
}

/// What is needed first.
#[derive(Default)]
struct Needs {
    /// What the level lists, with the condition that each needs.
    listed: Vec<(String, String)>,
    /// All slots.
    slots: Vec<String>,
}

/// The words behind `needs`.
fn needed(body: &str) -> impl Iterator<Item = &str> {
    let clause = body.split("  ").find_map(|clause| clause.strip_prefix("needs "));
    clause.into_iter().flat_map(|words| words.split(", "))
}

impl Needs {
    /// The ways in which all that a statement needs can be met: conditions, one list for each.
    fn ways(&self, body: &str, choice: &[(String, String)]) -> Vec<Vec<String>> {
        let mut ways = vec![Vec::new()];
        for word in needed(body) {
            let Some((_, value)) = choice.iter().find(|(letter, _)| letter == word) else {
                continue;
            };
            let mut each = Vec::new();
            match self.slots.contains(value) {
                true => {
                    each.push(vec![format!("lacks-{value} = nothing")]);
                    for prop in ["prop.1", "prop.2"].iter().filter(|prop| *prop != value) {
                        let lacks = format!("lacks-{value} = {prop}");
                        each.push(vec![lacks, format!("ready-{prop} = true")]);
                    }
                }
                false => {
                    let own = self.listed.iter().filter(|(name, _)| name == value);
                    each.push(own.map(|(_, need)| need.clone()).collect());
                }
            }
            let join = |way: &Vec<String>| {
                let both = each.iter().map(|more| [&way[..], more].concat());
                both.collect::<Vec<_>>()
            };
            ways = ways.iter().flat_map(join).collect();
        }
        ways
    }
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
    way: &[String],
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
    let mut way: Vec<String> = way.to_vec();
    way.dedup();
    for clause in clauses {
        let (word, rest) = clause.split_once(' ').unwrap_or((clause, ""));
        if word == "needs" {
            continue;
        }
        let text = match word {
            "while" => {
                let each = rest.split(", ");
                let all: Option<Vec<String>> =
                    each.map(|it| piece_of(it, &named, (groups, values), &mut allowed)).collect();
                let mut all = all?;
                for need in way.drain(..) {
                    all.push(piece_of(&need, &named, (groups, values), &mut allowed)?);
                }
                all.join(", ")
            }
            "if" | "kinds" => about(rest, &named),
            _ => rest.to_string(),
        };
        out.push(format!("{word} {text}"));
    }
    if !way.is_empty() {
        let each = way.iter().map(|it| piece_of(it, &named, (groups, values), &mut allowed));
        let all: Option<Vec<String>> = each.collect();
        out.insert(1, format!("while {}", all?.join(", ")));
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
