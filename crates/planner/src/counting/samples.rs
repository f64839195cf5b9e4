//! Tasks as games have them, for tests and for measuring by hand: nine domains, their impossible
//! twins, four counters, one of a large range.
//!
//! In:   a few lines of text per domain, read by a small reader of its own.
//! Out:  [`CountingTask`]s with costs in thousandths, and what a cheapest plan costs, where known.

use super::{CountingChange, CountingTask, Effect, Need};
use throng_domain::amounts::{ShiftBy, ShiftEnd, ValueSet};

/// A domain: its name, its text, and what its cheapest plan costs in thousandths; `None` if there
/// is no plan.
pub(crate) struct Sample {
    pub(crate) name: &'static str,
    pub(crate) text: String,
    pub(crate) cost: Option<u64>,
}

impl Sample {
    pub(crate) fn task(&self) -> CountingTask {
        read(&self.text)
    }
}

/// All of them, those with a plan first.
pub(crate) fn samples() -> Vec<Sample> {
    let with = |name, text: &str, cost| Sample { name, text: text.to_owned(), cost: Some(cost) };
    let twin = |name, text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{name}: {from}");
        Sample { name, text: text.replace(from, to), cost: None }
    };
    vec![
        with("hpmp", HPMP, 5_000),
        with("colony_stock", COLONY_STOCK, 15_000),
        with("colony", COLONY, 27_000),
        with("craft", CRAFT, 32_000),
        with("rts", RTS, 266_000),
        with("shooter", SHOOTER, 18_500),
        with("economy", ECONOMY, 99_000),
        with("sims", SIMS, 31_000),
        with("truck", TRUCK, 12_000),
        with("repeat", REPEAT, 160_000),
        with("large", LARGE, 492_000),
        twin("hpmp_no", HPMP, "mp 0..100 = 60", "mp 0..100 = 30"),
        twin(
            "colony_no",
            COLONY,
            "grain += 4, energy -= 10, hunger += 5",
            "grain += 4, energy -= 110",
        ),
        twin(
            "craft_no",
            &CRAFT.replace(
                "smelt_wood 1: ore -= 1, plank -= 1, ingot += 1 while furnace = built\n",
                "",
            ),
            "coal += 1 while pick >= wooden",
            "coal += 1 while pick = iron",
        ),
        twin("rts_no", RTS, "depot 10: minerals -= 100, supply += 8\n", ""),
        twin("shooter_no", SHOOTER, "medkits 0..5 = 2", "medkits 0..5 = 0"),
        twin(
            "economy_no",
            &ECONOMY.replace("sell_tool 1: tool -= 1, money += 90\n", ""),
            "money += 70",
            "money += 30",
        ),
        twin(
            "sims_no",
            SIMS,
            "labour 4: money += 60, energy -= 30, food -= 20, fun -= 20, clean -= 20 while at = work\n",
            "",
        ),
        // Poor, but there is a plan: three quarters of a coin are earned per round.
        Sample { cost: Some(736_000), ..twin("truck_no", TRUCK, "money += 12", "money += 2") },
    ]
}

/// The one of a name.
pub(crate) fn sample(name: &str) -> CountingTask {
    samples().iter().find(|sample| sample.name == name).map(Sample::task).unwrap()
}

const HPMP: &str = "
var hp 0..100 = 0
var mp 0..100 = 60
heal 1: hp += 10, mp -= 5
goal: hp >= 50, mp >= 10
";

const COLONY: &str = "
var hunger 0..100 = 30
var energy 0..100 = 60
var wood 0..100 = 0
var grain 0..100 = 0
var meals 0..100 = 1
chop 2: wood += 5, energy -= 10, hunger += 5
harvest 2: grain += 4, energy -= 10, hunger += 5
cook 1: grain -= 2, wood -= 1, meals += 1, energy -= 5
eat 1: meals -= 1, hunger -= 40 down to 0
sleep 4: energy += 50 up to 100, hunger += 15
goal: meals >= 4, energy >= 50, hunger <= 20, wood >= 10
";

const COLONY_STOCK: &str = "
var hunger 0..100 = 50
var energy 0..100 = 60
var wood 0..100 = 0
var grain 0..100 = 0
var meals 0..100 = 0
chop 2: wood += 5, energy -= 10
harvest 2: grain += 4, energy -= 10
cook 1: grain -= 2, wood -= 1, meals += 1
eat 1: meals -= 1, hunger -= 40 down to 0
sleep 4: energy += 50 up to 100
goal: meals >= 3, hunger <= 20, wood >= 10
";

const CRAFT: &str = "
var wood 0..64 = 0
var plank 0..64 = 0
var stick 0..64 = 0
var cobble 0..64 = 0
var coal 0..64 = 0
var ore 0..64 = 0
var ingot 0..64 = 0
var table none|built = none
var furnace none|built = none
var pick none|wooden|stone|iron = none
chop 1: wood += 1
saw 1: wood -= 1, plank += 4
sticks 1: plank -= 2, stick += 4
make_table 1: plank -= 4, table -> built while table = none
wooden_pick 1: plank -= 3, stick -= 2, pick -> wooden while table = built, pick = none
mine_cobble 1: cobble += 1 while pick >= wooden
mine_coal 1: coal += 1 while pick >= wooden
stone_pick 1: cobble -= 3, stick -= 2, pick -> stone while table = built, pick <= wooden
make_furnace 1: cobble -= 8, furnace -> built while table = built, furnace = none
mine_ore 1: ore += 1 while pick >= stone
smelt 1: ore -= 1, coal -= 1, ingot += 1 while furnace = built
smelt_wood 1: ore -= 1, plank -= 1, ingot += 1 while furnace = built
iron_pick 1: ingot -= 3, stick -= 2, pick -> iron while table = built, pick <= stone
goal: pick = iron
";

const RTS: &str = "
var minerals 0..1000 = 50
var gas 0..500 = 0
var supply 0..40 = 3
var marines 0..20 = 0
var tanks 0..10 = 0
var barracks none|ready = none
var refinery none|ready = none
var factory none|ready = none
gather 5: minerals += 50
pump 4: gas += 25 while refinery = ready
depot 10: minerals -= 100, supply += 8
build_refinery 12: minerals -= 75, refinery -> ready while refinery = none
build_barracks 20: minerals -= 150, barracks -> ready while barracks = none
build_factory 25: minerals -= 150, gas -= 100, factory -> ready while factory = none, barracks = ready
marine 6: minerals -= 50, supply -= 1, marines += 1 while barracks = ready
tank 12: minerals -= 150, gas -= 125, supply -= 3, tanks += 1 while factory = ready
goal: marines >= 4, tanks >= 2
";

const SHOOTER: &str = "
var ammo 0..30 = 12
var clips 0..6 = 3
var health 0..100 = 70
var medkits 0..5 = 2
var grenades 0..3 = 1
var enemies 0..8 = 8
var cover out|in = out
var weapon holstered|drawn = holstered
draw 1: weapon -> drawn while weapon = holstered
take_cover 1: cover -> in while cover = out
leave_cover 1: cover -> out while cover = in
shoot 1: ammo -= 5, enemies -= 1, health -= 15 while weapon = drawn, cover = out
snipe 2: ammo -= 8, enemies -= 1, health -= 5 while weapon = drawn, cover = in
throw 2: grenades -= 1, enemies -= 2 down to 0
reload 1.5: clips -= 1, ammo += 30 up to 30
heal 3: medkits -= 1, health += 50 up to 100 while cover = in
goal: enemies = 0, health >= 60, ammo >= 10
";

const ECONOMY: &str = "
var money 0..1000 = 60
var cloth 0..50 = 0
var shirt 0..50 = 0
var ore 0..50 = 0
var tool 0..50 = 0
var cart none|owned = none
buy_cloth 1: money -= 20, cloth += 1
sew 3: cloth -= 2, shirt += 1
sell_shirt 1: shirt -= 1, money += 70
dig 4: ore += 1
forge 5: ore -= 2, tool += 1, money -= 10
sell_tool 1: tool -= 1, money += 90
cart_load 4: shirt -= 5, money += 420 while cart = owned
buy_cart 2: money -= 150, cart -> owned while cart = none
goal: money >= 500, cart = owned
";

const SIMS: &str = "
var food 0..100 = 40
var energy 0..100 = 60
var fun 0..100 = 50
var clean 0..100 = 30
var money 0..500 = 10
var snacks 0..20 = 0
var at home|shop|work = home
go_home 1: at -> home while at != home
go_shop 1: at -> shop while at != shop
go_work 1: at -> work while at != work
labour 4: money += 60, energy -= 30, food -= 20, fun -= 20, clean -= 20 while at = work
buy 1: money -= 15, snacks += 2 while at = shop
eat 1: snacks -= 1, food += 30 up to 100 while at = home
nap 3: energy += 40 up to 100 while at = home
play 2: fun += 30 up to 100, energy -= 10 while at = home
wash 1: clean += 50 up to 100 while at = home
goal: food >= 70, energy >= 70, fun >= 60, clean >= 60, money >= 100
";

const TRUCK: &str = "
var fuel 0..40 = 25
var boxes 0..10 = 0
var left 0..10 = 0
var money 0..200 = 5
var at depot|north|south|town = depot
north 1: at -> north, fuel -= 6 while at = depot
north_back 1: at -> depot, fuel -= 6 while at = north
south 1: at -> south, fuel -= 9 while at = depot
south_back 1: at -> depot, fuel -= 9 while at = south
town 1: at -> town, fuel -= 4 while at = depot
town_back 1: at -> depot, fuel -= 4 while at = town
short_cut 2: at -> town, fuel -= 5 while at = north
load 1: boxes += 2 while at != depot, at != town, boxes <= 4
sell 1: boxes -= 1, money += 12 while at = town
refuel 2: fuel += 20 up to 40, money -= 15 while at = town
goal: money >= 60, at = depot
";

const REPEAT: &str = "
var one 0..100 = 0
var two 0..100 = 0
var three 0..100 = 0
var four 0..100 = 0
first 1: one += 1
second 1: two += 1
third 1: three += 1
fourth 1: four += 1
goal: one >= 40, two >= 40, three >= 40, four >= 40
";

const LARGE: &str = "
var gold 0..60000 = 0
var ore 0..60000 = 0
dig 2: ore += 700
smelt 3: ore -= 1000, gold += 600
sell 1: gold -= 1, ore += 1
goal: gold >= 50000
";

/// Reads a domain: variables, actions, a goal, a line each. Only tests do, so what is wrong panics.
pub(crate) fn read(text: &str) -> CountingTask {
    let mut task = CountingTask::default();
    let mut variables: Vec<Variable<'_>> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(rest) = line.strip_prefix("var ") {
            let variable = Variable::read(rest);
            task.add_variable(variable.size, variable.start);
            variables.push(variable);
        } else if let Some(rest) = line.strip_prefix("goal: ") {
            task.set_goal(needs(&variables, rest).into_iter());
        } else {
            let (head, body) = line.split_once(": ").unwrap();
            let cost: f64 = head.split_once(' ').unwrap().1.parse().unwrap();
            let (effects, asked) = body.split_once(" while ").unwrap_or((body, ""));
            let changes = effects.split(", ").map(|effect| change(&variables, effect));
            let needs = needs(&variables, asked).into_iter();
            task.add_action(needs, changes, (cost * 1000.0) as u64);
        }
    }
    task
}

struct Variable<'t> {
    name: &'t str,
    words: Vec<&'t str>,
    size: u16,
    start: u16,
}

impl<'t> Variable<'t> {
    fn read(text: &'t str) -> Self {
        let [name, values, _, start] = text.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{text}")
        };
        let (words, size) = match values.split_once("..") {
            Some((_, top)) => (Vec::new(), top.parse::<u16>().unwrap() + 1),
            None => (values.split('|').collect(), values.split('|').count() as u16),
        };
        let mut variable = Variable { name, words, size, start: 0 };
        variable.start = variable.value(start);
        variable
    }

    fn value(&self, text: &str) -> u16 {
        let word = self.words.iter().position(|word| *word == text);
        word.map_or_else(|| text.parse().unwrap(), |at| at as u16)
    }
}

fn find<'v, 't>(variables: &'v [Variable<'t>], name: &str) -> (u32, &'v Variable<'t>) {
    let at = variables.iter().position(|variable| variable.name == name).unwrap();
    (at as u32, &variables[at])
}

fn needs(variables: &[Variable<'_>], text: &str) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    for part in text.split(", ").filter(|part| !part.is_empty()) {
        let [name, sign, value] = part.split(' ').collect::<Vec<_>>()[..] else { panic!("{part}") };
        let (at, variable) = find(variables, name);
        let (size, value) = (variable.size, variable.value(value));
        let values = match sign {
            "=" => ValueSet::one(value),
            "!=" => ValueSet::one(value).others(size).unwrap(),
            ">=" => ValueSet::run(value, size - 1),
            "<=" => ValueSet::run(0, value),
            _ => panic!("{part}"),
        };
        match needs.iter_mut().find(|need| need.variable == at) {
            Some(need) => need.values = need.values.both(&values).unwrap(),
            None => needs.push(Need { variable: at, values }),
        }
    }
    needs
}

fn change(variables: &[Variable<'_>], text: &str) -> CountingChange {
    let words: Vec<&str> = text.split(' ').collect();
    let (at, variable) = find(variables, words[0]);
    let shift = |sign: i32| {
        let end = match words.get(5) {
            Some(stop) => ShiftEnd::Stop(variable.value(stop)),
            None => ShiftEnd::Refuse,
        };
        Effect::Shift(ShiftBy { by: sign * words[2].parse::<i32>().unwrap(), end })
    };
    let effect = match words[1] {
        "->" => Effect::Set(variable.value(words[2])),
        "+=" => shift(1),
        "-=" => shift(-1),
        _ => panic!("{text}"),
    };
    CountingChange { variable: at, effect }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counting::oracle::{Truth, truth};

    /// Where plain Dijkstra ends soon; the engines tell the others.
    #[test]
    fn samples_cost_what_is_said() {
        let small = ["hpmp", "colony_stock", "colony", "shooter", "truck"];
        for sample in samples() {
            let name = sample.name.trim_end_matches("_no");
            if small.contains(&name) {
                let expected = sample.cost.map_or(Truth::Impossible, Truth::Cost);
                assert_eq!(truth(&sample.task(), 200_000), expected, "{}", sample.name);
            }
        }
    }
}
