//! A family member as the JSON twin, written as it is made.
//!
//! In:   a [`Family`].
//! Out:  the text that `throng convert` would make of its `.npc` text.
//! Cost: linear in the text; a name is the most that is kept.

use super::{Family, Halt, Needed, Sink, Values, sayable, value_name};

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
    for action in 0..family.n_actions() {
        let before = separator(action, "", ", ");
        sink.put(&format!("{before}\"{}\"", family.action_name(action)))?;
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
    let values = match family.values(variable) {
        Values::Numbers(1) => "\"values\": [\"0\"]".to_string(),
        Values::Numbers(n) => format!("\"range\": [0, {}]", n - 1),
        Values::Words(words) => {
            let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            format!("\"values\": [{}]", quoted.join(", "))
        }
    };
    format!("{{\"name\": \"{}\", {values}}}", family.variable_name(variable))
}

fn action_text(family: &dyn Family, action: u64, sink: &mut Sink<'_>) -> Result<(), Halt> {
    sink.put(&format!("{{\"name\": \"{}\", \"requires\": ", family.action_name(action)))?;
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
    let Some((name, length)) = sayable(family.known()) else { return Ok(()) };
    let expected = match length {
        Some(length) => format!("{{\"length\": {length}}}"),
        None => "{\"impossible\": true}".to_string(),
    };
    let (npc, goal) = family.names();
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
    sink.put("{")?;
    for (at, fact) in (0..).zip(facts) {
        let (name, value) = (family.variable_name(fact.0), value_name(family, fact));
        let value = match family.values(fact.0) {
            Values::Numbers(n) if n > 1 => value,
            _ => format!("\"{value}\""),
        };
        sink.put(&format!("{}\"{name}\": {value}", separator(at, "", ", ")))?;
    }
    sink.put("}")
}
