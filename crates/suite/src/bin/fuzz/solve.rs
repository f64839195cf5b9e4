//! The target `solve`: whatever lines go into the machine door, answers come out in step.
//!
//! In:   lines, damaged.
//! Out:  exactly one answer per line that is not blank, each a JSON object that carries the
//!       id of its line, or the line's number if it has none.

use crate::targets::{Seen, Verdict, promise};
use std::collections::BTreeSet;
use throng_cli::edge::escaped;
use throng_cli::{Console, FINE, solve_stream};
use throng_domain::FileId;
use throng_domain::formats::json::tree::{JsonMember, JsonValue, JsonValueKind, parse};

/// How deep lines and answers may nest.
const DEPTH: usize = 64;
const OUTCOMES: [&str; 5] = ["plan", "satisfied", "impossible", "gave_up", "error"];

pub(crate) fn run(bytes: &[u8]) -> Verdict {
    let mut answers = Vec::new();
    let mut console = Console::silent(&mut answers);
    let code = solve_stream(bytes, &mut console);
    drop(console);
    promise(code == FINE, "a stream read to its end is fine", || code.to_string())?;
    let answers = String::from_utf8(answers).map_err(|error| format!("UTF-8\n{error}"))?;
    let mut answers = answers.lines();
    let mut ways = BTreeSet::new();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let answer = answers.next().ok_or("an answer for every line\n")?;
        check(line, index + 1, answer, &mut ways)?;
    }
    promise(answers.next().is_none(), "no answer without a line", String::new)?;
    let loaded = ways.iter().any(|way| !way.starts_with("error"));
    Ok(Seen { loaded, is_near: true, feature: ways.into_iter().collect::<Vec<_>>().join(" ") })
}

/// One answer beside its line.
fn check(
    line: &[u8],
    number: usize,
    text: &str,
    ways: &mut BTreeSet<String>,
) -> Result<(), String> {
    let answer = parse(text, FileId(0), DEPTH + 2).map_err(|d| format!("JSON\n{d:?}\n{text}"))?;
    let JsonValueKind::Object(answer) = &answer.kind else {
        return Err(format!("an object\n{text}"));
    };
    let story = || format!("line {number}: {text}");
    let outcome = word(answer, "outcome");
    promise(OUTCOMES.contains(&outcome), "an outcome", story)?;
    let id = get(answer, "id").map(|value| raw(value, text));
    let asked = std::str::from_utf8(line).ok();
    let question = asked.and_then(|asked| Some((asked, parse(asked, FileId(0), DEPTH).ok()?)));
    match &question {
        Some((asked, JsonValue { kind: JsonValueKind::Object(question), .. })) => {
            let wanted = get(question, "id").map_or("null", |value| raw(value, asked));
            // What a terminal would obey is written by its number.
            let wanted = escaped(wanted);
            promise(id == Some(&*wanted), "the id of the line", story)?;
        }
        _ => {
            let its_line = get(answer, "line").map(|value| raw(value, text));
            let named = id == Some("null") && its_line == Some(number.to_string().as_str());
            promise(named && outcome == "error", "an unreadable line is named", story)?;
        }
    }
    let has_plan =
        get(answer, "plan").is_some_and(|plan| matches!(plan.kind, JsonValueKind::List(_)));
    let should = matches!(outcome, "plan" | "satisfied");
    promise(has_plan == should, "a plan where there is one", story)?;
    let reason = get(answer, "reason").map(|reason| match &reason.kind {
        JsonValueKind::Object(reason) => (word(reason, "code"), word(reason, "text")),
        _ => ("", ""),
    });
    let (code, why) = reason.unwrap_or(("", ""));
    promise(should == why.is_empty(), "a reason for every no", story)?;
    // Which diagnostics a domain was refused with makes the ways many; that is the point.
    let detail = if code == "bad_domain" { why.get(..4).unwrap_or("") } else { "" };
    ways.insert(format!("{outcome}:{code}:{detail}"));
    Ok(())
}

fn get<'v, 't>(members: &'v [JsonMember<'t>], key: &str) -> Option<&'v JsonValue<'t>> {
    members.iter().find(|member| member.key == key).map(|member| &member.value)
}

fn word<'v>(members: &'v [JsonMember<'_>], key: &str) -> &'v str {
    match get(members, key).map(|value| &value.kind) {
        Some(JsonValueKind::Text(text)) => text,
        _ => "",
    }
}

fn raw<'t>(value: &JsonValue<'_>, text: &'t str) -> &'t str {
    text.get(value.span.start as usize..value.span.end as usize).unwrap_or("")
}

/// Gives every line a small `max_nodes`, so that a legal but hard problem is no hang.
pub(crate) fn bound(text: Vec<u8>) -> Vec<u8> {
    let lines: Vec<Vec<u8>> = text.split(|&byte| byte == b'\n').map(bound_line).collect();
    lines.join(&b'\n')
}

fn bound_line(line: &[u8]) -> Vec<u8> {
    const KEY: &[u8] = b"\"max_nodes\"";
    let Some(at) = line.windows(KEY.len()).position(|part| part == KEY) else {
        let object = line.iter().position(|&byte| byte == b'{').map_or(0, |at| at + 1);
        let comma: &[u8] = if line[object..].trim_ascii().starts_with(b"}") { b"" } else { b"," };
        // Lines that are no objects stay as they are.
        let key = if object == 0 { Vec::new() } else { [KEY, b": 200", comma].concat() };
        return [&line[..object], &key, &line[object..]].concat();
    };
    let digits = |from: usize| line[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let start = (at..line.len()).find(|&at| line[at].is_ascii_digit()).unwrap_or(line.len());
    let end = start + digits(start);
    [&line[..end.min(start + 3)], &line[end..]].concat()
}
