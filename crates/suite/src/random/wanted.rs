//! More to want: goals with alternatives and of all priorities, for a random domain.
//!
//! In:   the JSON twin of a domain, the NPC type that wants more, dice.
//! Out:  the same with some goals more, of which several may serve one name.
//! Cost: a few microseconds.

use serde_json::{Map, Value as Json, json};
use throng_base::SplitMix;

/// Few, so that there are equal ones.
const PRIORITIES: [f64; 4] = [0.5, 1.0, 2.0, 3.5];

/// Adds goals that a type wants from now on, beside those it wanted.
///
/// Most facts speak of values that actions set, so that many goals can be had.
pub fn add_wishes(domain: &mut Json, npc: &str, dice: &mut SplitMix) {
    let list = |what: &Json| what.as_array().cloned().unwrap_or_default();
    let sets: Vec<(String, Json)> = list(&domain["actions"])
        .iter()
        .filter_map(|action| action["sets"].as_object().cloned())
        .flatten()
        .collect();
    let variables = list(&domain["variables"]);
    let mut names = Vec::new();
    let mut goals = list(&domain["goals"]);
    for wish in 0..dice.within(2, 4) {
        let n = dice.within(1, 3);
        for at in 0..n {
            let mut wants = Map::new();
            for _ in 0..dice.within(1, 2) {
                let (variable, value) = match sets.is_empty() || dice.percent(25) {
                    false => dice.pick(&sets).clone(),
                    true => {
                        let variable = dice.pick(&variables);
                        let value = dice.pick(&list(&variable["values"])).clone();
                        (variable["name"].as_str().unwrap_or_default().to_owned(), value)
                    }
                };
                wants.insert(variable, value);
            }
            let name = format!("wish_{wish}_{at}");
            let mut goal = json!({"name": name, "wants": wants});
            // One that serves a name alone is a goal with one alternative.
            if n > 1 || dice.percent(30) {
                goal["serves"] = json!(format!("wish_{wish}"));
            }
            if dice.percent(80) {
                goal["priority"] = json!(dice.pick(&PRIORITIES));
            }
            goals.push(goal);
            names.push(json!(name));
        }
    }
    domain["goals"] = Json::Array(goals);
    // Where no type is declared one NPC stands for everybody, and wants everything.
    let npcs = domain.get_mut("npcs").and_then(Json::as_array_mut);
    for one in npcs.into_iter().flatten() {
        if one["name"] == npc {
            let mut wants = list(&one["wants"]);
            wants.append(&mut names);
            one["wants"] = Json::Array(wants);
        }
    }
}
