//! A family member as the JSON twin, written as it is made.
//!
//! In:   a [`Family`].
//! Out:  the text that `throng convert` would make of its `.npc` text.
//! Cost: linear in the text; a name is the most that is kept.

use super::{Family, Halt, Known, Needed, Sink, Values, push_value, sayable, test_name};

pub(super) fn write(family: &dyn Family, sink: &mut Sink<'_>) -> Result<(), Halt> {
    let (npc, goal) = family.names();
    sink.put(&format!("{{\"throng\": 1, \"domain\": \"{}\",\n \"variables\": [", family.domain()))?;
    for variable in 0..family.n_variables() {
        sink.put(separator(variable, "\n  ", ",\n  "))?;
        sink.put(&variable_text(family, variable))?;
    }
    sink.put("],\n \"actions\": [")?;
    for action in 0..family.n_actions() {
        sink.put(separator(action, "\n  ", ",\n  "))?;
        action_text(family, action, sink)?;
    }
    sink.put(&format!("],\n \"goals\": [\n  {{\"name\": \"{goal}\", \"wants\": "))?;
    facts(family, (0..family.n_variables()).map(|v| (v, family.start_and_goal(v).1)), sink)?;
    sink.put(&format!("}}],\n \"npcs\": [\n  {{\"name\": \"{npc}\", \"can\": ["))?;
    let mut name = String::new();
    for action in 0..family.n_actions() {
        name.clear();
        name.push_str(separator(action, "\"", ", \""));
        family.push_action(action, &mut name);
        name.push('"');
        sink.put(&name)?;
    }
    sink.put(&format!("], \"wants\": [\"{goal}\"], \"starts\": "))?;
    facts(family, (0..family.n_variables()).map(|v| (v, family.start_and_goal(v).0)), sink)?;
    sink.put("}]")?;
    test(family, sink)?;
    sink.put("}\n")
}

fn separator<'t>(index: u64, first: &'t str, other: &'t str) -> &'t str {
    if index == 0 { first } else { other }
}

fn variable_text(family: &dyn Family, variable: u64) -> String {
    let mut text = "{\"name\": \"".to_string();
    family.push_variable(variable, &mut text);
    text.push_str("\", \"values\": [");
    let quoted: Vec<String> = match family.values(variable) {
        Values::Numbers(n) => (0..n).map(|value| format!("\"{value}\"")).collect(),
        Values::Words(words) => words.iter().map(|word| format!("\"{word}\"")).collect(),
    };
    text.push_str(&quoted.join(", "));
    text.push_str("]}");
    text
}

fn action_text(family: &dyn Family, action: u64, sink: &mut Sink<'_>) -> Result<(), Halt> {
    let mut text = "{\"name\": \"".to_string();
    family.push_action(action, &mut text);
    text.push_str("\", \"requires\": ");
    sink.put(&text)?;
    let step = family.action(action);
    // The twin lists facts in the order of the variables.
    let own = (step.variable, step.from);
    let before = family.needs(action).take_while(|need| need.0 < step.variable);
    let after = family.needs(action).skip_while(|need| need.0 < step.variable);
    facts(family, before.chain([own]).chain(after), sink)?;
    sink.put(", \"sets\": ")?;
    facts(family, [(step.variable, step.to)].into_iter(), sink)?;
    sink.put("}")
}

fn test(family: &dyn Family, sink: &mut Sink<'_>) -> Result<(), Halt> {
    let known = sayable(family.known());
    let expected = match known {
        Known::Length(length) => format!("{{\"length\": {length}}}"),
        Known::Impossible => "{\"impossible\": true}".to_string(),
        Known::Nothing => return Ok(()),
    };
    let (npc, goal) = family.names();
    let name = test_name(known);
    sink.put(&format!(
        ",\n \"tests\": [\n  {{\"name\": \"{name}\", \"npc\": \"{npc}\", \"from\": {{}}, \
         \"goal\": \"{goal}\", \"expect\": [{expected}]}}]"
    ))
}

fn facts(
    family: &dyn Family,
    facts: impl Iterator<Item = Needed>,
    sink: &mut Sink<'_>,
) -> Result<(), Halt> {
    let mut text = "{".to_string();
    let mut first = true;
    for fact in facts {
        text.push_str(if first { "\"" } else { ", \"" });
        family.push_variable(fact.0, &mut text);
        text.push_str("\": \"");
        push_value(family, fact, &mut text);
        text.push('"');
        sink.put(&text)?;
        text.clear();
        first = false;
    }
    text.push('}');
    sink.put(&text)
}
