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
/// Most facts speak of values that actions set, so that many goals can be had. Of amounts some
/// goals want "at least" or "at most".
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
            let (mut wants, mut ranges) = (Map::new(), Map::new());
            for _ in 0..dice.within(1, 2) {
                let (variable, wanted) = match sets.is_empty() || dice.percent(25) {
                    false => {
                        let (variable, value) = dice.pick(&sets).clone();
                        (variable, Wanted::Value(value))
                    }
                    true => {
                        let variable = dice.pick(&variables);
                        let name = variable["name"].as_str().unwrap_or_default().to_owned();
                        (name, Wanted::any(variable, dice))
                    }
                };
                // One thing of each variable: the last.
                wants.remove(&variable);
                ranges.remove(&variable);
                match wanted {
                    Wanted::Value(value) => wants.insert(variable, value),
                    Wanted::Runs(runs) => ranges.insert(variable, runs),
                };
            }
            let name = format!("wish_{wish}_{at}");
            let mut goal = json!({"name": name, "wants": wants});
            if !ranges.is_empty() {
                goal["ranges"] = Json::Object(ranges);
            }
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

/// What a goal wants of one variable.
enum Wanted {
    Value(Json),
    /// A set of several numbers, though not all there are.
    Runs(Json),
}

impl Wanted {
    /// Any value of a variable, or of an amount also a set of them.
    fn any(variable: &Json, dice: &mut SplitMix) -> Wanted {
        let Some([low, high]) = ends(variable) else {
            let values = variable["values"].as_array().map_or(&[][..], Vec::as_slice);
            return Wanted::Value(dice.pick(values).clone());
        };
        let any = |dice: &mut SplitMix, low: i64, high: i64| {
            low + dice.below_u64(low.abs_diff(high) + 1) as i64
        };
        if high - low < 2 || dice.percent(50) {
            return Wanted::Value(json!(any(dice, low, high)));
        }
        let inner = any(dice, low + 1, high - 1);
        let run = if dice.percent(50) { [inner, high] } else { [low, inner] };
        Wanted::Runs(json!([run]))
    }
}

/// The least and the greatest number of an amount.
fn ends(variable: &Json) -> Option<[i64; 2]> {
    let range = variable.get("range")?;
    Some([range[0].as_i64()?, range[1].as_i64()?])
}
