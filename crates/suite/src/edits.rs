//! A domain's text with one thing otherwise, made by editing the text.
//!
//! In:   a model; what is to be otherwise.
//! Out:  the model of the edited text, read anew: nothing here knows how the library varies
//!       domains.
//! Cost: the domain is written as JSON, edited and loaded.

use serde_json::{Value, json};
use throng_domain::formats::json::write;
use throng_domain::{Format, Model};
use throng_lab::corpus::load_text;

/// The text of a domain, to be edited.
#[derive(Clone, Debug)]
pub struct Edited {
    json: Value,
}

impl Edited {
    /// The text as it is; `None` if it cannot be written.
    pub fn of(model: &Model) -> Option<Edited> {
        Some(Edited { json: serde_json::from_str(&write(model)).ok()? })
    }

    /// The edited text, read anew; `None` if it has errors.
    pub fn load(&self) -> Option<Model> {
        load_text(&self.json.to_string(), Format::Json).model
    }

    fn actions(&mut self) -> impl Iterator<Item = &mut Value> {
        list(&mut self.json, "actions").into_iter().flatten()
    }

    fn action(&mut self, name: &str) -> Option<&mut Value> {
        self.actions().find(|action| action["name"] == name)
    }

    /// Lets an NPC type do one more action.
    pub fn grant(mut self, npc: &str, action: &str) -> Edited {
        let npcs = list(&mut self.json, "npcs").into_iter().flatten();
        for npc in npcs.filter(|other| other["name"] == npc) {
            match list(npc, "can") {
                Some(can) => can.push(json!(action)),
                None => npc["can"] = json!([action]),
            }
        }
        self
    }

    /// Lets an action no longer override another.
    pub fn drop_override(mut self, by: &str, other: &str) -> Edited {
        let overrides = self.action(by).and_then(|action| list(action, "overrides"));
        if let Some(overrides) = overrides {
            overrides.retain(|name| name != other);
        }
        self
    }

    /// Lets an action do without a value. That cannot be written of a compound, so that is given
    /// parts of its own: copies that do without.
    pub fn drop_need(mut self, action: &str, variable: &str) -> Edited {
        // What follows from the parts is told by them.
        for compound in self.actions().filter(|action| action["parts"].is_array()) {
            if let Some(keys) = compound.as_object_mut() {
                for key in ["requires", "sets", "ranges", "shifts", "compare"] {
                    keys.remove(key);
                }
            }
        }
        let Some(changed) = self.action(action) else { return self };
        let Some(parts) = list(changed, "parts") else {
            forget(changed, variable);
            return self;
        };
        let originals: Vec<Value> = parts.clone();
        for (at, part) in parts.iter_mut().enumerate() {
            *part = json!(format!("copy_{at}"));
        }
        for (at, original) in originals.iter().enumerate() {
            let name = original.as_str().unwrap_or_default();
            let Some(mut copy) = self.action(name).cloned() else { continue };
            copy["name"] = json!(format!("copy_{at}"));
            forget(&mut copy, variable);
            if let Some(keys) = copy.as_object_mut() {
                keys.remove("overrides");
            }
            if let Some(all) = list(&mut self.json, "actions") {
                all.insert(0, copy);
            }
        }
        self
    }
}

impl Edited {
    /// Lets an action that is no compound ask for other values of a variable, as the JSON twin
    /// writes them; for none in particular, if none are said.
    pub fn ask_for(mut self, action: &str, variable: &str, values: Option<Value>) -> Edited {
        for compound in self.actions().filter(|action| action["parts"].is_array()) {
            if let Some(keys) = compound.as_object_mut() {
                for key in ["requires", "sets", "ranges", "shifts", "compare"] {
                    keys.remove(key);
                }
            }
        }
        let ranges = self.action(action).and_then(|action| action.get_mut("ranges"));
        if let Some(ranges) = ranges.and_then(Value::as_object_mut) {
            match values {
                Some(values) => ranges.insert(variable.to_string(), values),
                None => ranges.remove(variable),
            };
        }
        self
    }
}

fn list<'v>(of: &'v mut Value, key: &str) -> Option<&'v mut Vec<Value>> {
    of.get_mut(key).and_then(Value::as_array_mut)
}

fn forget(action: &mut Value, variable: &str) {
    let requires = action.get_mut("requires").and_then(Value::as_object_mut);
    if let Some(requires) = requires {
        requires.remove(variable);
    }
}
