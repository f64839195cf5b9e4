//! Random domains whose goals can be reached in several ways: alternatives, amounts, templates.
//!
//! In:   a seed.
//! Out:  `.npc` text that loads: words and amounts, actions that set, count, choose and are
//!       chosen by checks, goals with `or`, `!=`, `<` and parameters, types that want several.
//! Cost: a few microseconds.

use std::fmt::Write as _;
use throng_base::SplitMix;

/// Words first, amounts after them.
const WORDS: [(&str, &[&str]); 2] =
    [("tool", &["none", "axe", "saw"]), ("place", &["hut", "wood"])];
const AMOUNTS: [(&str, usize); 2] = [("purse", 4), ("logs", 3)];

pub(super) fn text(seed: u64) -> String {
    let mut dice = SplitMix::new(seed);
    let mut text = "domain wishes\n".to_string();
    for (name, values) in WORDS {
        let _ = writeln!(text, "var {name}: {}", values.join(", "));
    }
    for (name, most) in AMOUNTS {
        let _ = writeln!(text, "var {name}: 0..{most}");
    }
    let actions = dice.within(3, 6);
    for at in 0..actions {
        let _ = writeln!(text, "action a{at}{}", action(&mut dice));
    }
    let goals = dice.within(1, 3);
    for at in 0..goals {
        let _ = writeln!(text, "goal g{at}{}", goal(&mut dice));
    }
    for npc in 0..dice.within(1, 2) {
        let list = |dice: &mut SplitMix, letter: char, n: usize| {
            let some = dice.within(1, n);
            let some = dice.some_of(n, some);
            some.iter().map(|at| format!("{letter}{at}")).collect::<Vec<_>>().join(", ")
        };
        let _ = writeln!(text, "npc n{npc}\n    can {}", list(&mut dice, 'a', actions));
        let _ = writeln!(text, "    wants {}", list(&mut dice, 'g', goals));
        let facts = WORDS.map(|(name, values)| (name, dice.pick(values).to_string()));
        let amounts = AMOUNTS.map(|(name, most)| (name, dice.below(most + 1).to_string()));
        let told: Vec<String> = facts
            .iter()
            .chain(&amounts)
            .filter(|_| dice.percent(85))
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        if !told.is_empty() {
            let _ = writeln!(text, "    starts {}", told.join(", "));
        }
    }
    text
}

/// What follows an action's name: changes, conditions, checks, a price.
fn action(dice: &mut SplitMix) -> String {
    let (amount, most) = *dice.pick(&AMOUNTS);
    let (word, values) = *dice.pick(&WORDS);
    let (from, to) = (dice.below(most + 1), dice.below(most + 1));
    let mut text = match dice.below(7) {
        0 => format!(": {amount} += {}", dice.within(1, 2)),
        1 => format!(": {amount} -= 1"),
        2 if from != to => format!(": {amount} {from} -> {to}"),
        3 => format!("(p in {word}): {word} -> p"),
        4 => format!("(p in {amount}): {amount} -> p"),
        5 => format!(": {word} -> {}, {amount} += 1", dice.pick(values)),
        _ => format!(": {word} -> {}", dice.pick(values)),
    };
    if dice.percent(45) {
        let _ = write!(text, "  while {}", condition(dice, 1, &[amount, word]));
    }
    if dice.percent(20) {
        let not = if dice.percent(50) { "not " } else { "" };
        let _ = write!(text, "  if {not}{}", dice.pick(&["dark", "wet"]));
    }
    if dice.percent(70) {
        let _ = write!(text, "  cost {}", dice.within(1, 9));
    }
    text
}

/// What follows a goal's name.
fn goal(dice: &mut SplitMix) -> String {
    if dice.percent(15) {
        let (word, _) = *dice.pick(&WORDS);
        return format!("(p in {word}): {word} = p, {}", condition(dice, 1, &[word]));
    }
    format!(": {}", condition(dice, 2, &[]))
}

/// A condition on any variable but some.
fn condition(dice: &mut SplitMix, depth: usize, but: &[&str]) -> String {
    if depth > 0 && dice.percent(40) {
        let (one, other) = (condition(dice, depth - 1, but), condition(dice, depth - 1, but));
        return format!("(({one}) or ({other}))");
    }
    loop {
        if dice.percent(60) {
            let (name, most) = *dice.pick(&AMOUNTS);
            let sign = dice.pick(&["=", "!=", ">", ">=", "<", "<="]);
            if !but.contains(&name) {
                return format!("{name} {sign} {}", dice.within(1, most - 1));
            }
        } else {
            let (name, values) = *dice.pick(&WORDS);
            let (sign, value) = (dice.pick(&["=", "!="]), dice.pick(values));
            if !but.contains(&name) {
                return format!("{name} {sign} {value}");
            }
        }
    }
}
