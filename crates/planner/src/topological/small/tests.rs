//! The kernel finds what its plain twin finds: in small types made by dice, from every state, values
//! that nobody knows among them.
//!
//! In:   texts of up to five variables; each value is set by one action at most, from any value or
//!       from a named one, while up to two others have a value.
//! Out:  the same actions in the same order, or none by both.

use super::{SmallProblem, plain, plan};
use crate::prepared::PreparedDomain;
use throng_base::SplitMix;
use throng_domain::compile::{LocalAction, NpcTables, PackedValue, UNKNOWN};
use throng_domain::formats::{self, Format};
use throng_domain::{Cost, Limits};

const N_TYPES: u64 = 6_000;
/// Of each type, so many questions.
const N_QUESTIONS: usize = 60;

fn text(dice: &mut SplitMix) -> String {
    let sizes: Vec<usize> = (0..dice.within(1, 5)).map(|_| dice.within(2, 4)).collect();
    let mut text = "domain dice\n".to_string();
    for (at, &size) in sizes.iter().enumerate() {
        let values: Vec<_> = (0..size).map(|value| format!("x{value}")).collect();
        text += &format!("var v{at}: {}\n", values.join(", "));
    }
    let mut names = Vec::new();
    for (at, &size) in sizes.iter().enumerate() {
        for value in 0..size {
            if dice.one_in(8) {
                continue;
            }
            let name = format!("a{at}_{value}");
            let source = (value + dice.within(1, size - 1)) % size;
            text += &match size == 2 && dice.one_in(3) {
                true => format!("action {name}: v{at} -> x{value}"),
                false => format!("action {name}: v{at} x{source} -> x{value}"),
            };
            let mut others: Vec<usize> = (0..sizes.len()).filter(|&other| other != at).collect();
            dice.shuffle(&mut others);
            others.truncate(dice.below(3));
            let needs: Vec<_> = others
                .iter()
                .map(|&other| format!("v{other} = x{}", dice.below(sizes[other])))
                .collect();
            if !needs.is_empty() {
                text += &format!(" while {}", needs.join(", "));
            }
            text += "\n";
            names.push(name);
        }
    }
    let n_wanted = dice.within(1, sizes.len());
    let wanted = dice.some_of(sizes.len(), n_wanted);
    let wants: Vec<_> =
        wanted.iter().map(|&at| format!("v{at} = x{}", dice.below(sizes[at]))).collect();
    text += &format!(
        "goal g: {}\nnpc n\n    can {}\n    wants g\n",
        wants.join(", "),
        names.join(", ")
    );
    text
}

fn prepared(text: &str) -> Option<PreparedDomain> {
    let limits = Limits::default();
    let loaded =
        formats::load("dice.npc", text, Format::Npc, &limits, &[], &mut formats::no_includes);
    loaded.model.as_ref().map(PreparedDomain::new)
}

fn any_state(dice: &mut SplitMix, npc: &NpcTables) -> Vec<PackedValue> {
    let value = |variable| match dice.one_in(40) {
        true => UNKNOWN,
        false => dice.below(npc.n_values(variable)) as PackedValue,
    };
    npc.local_variables().map(value).collect()
}

#[test]
fn the_kernel_finds_what_its_plain_twin_finds() {
    let (mut plans, mut none, mut loops, mut loops_from_any) = (0, 0, 0, 0);
    for seed in 0..N_TYPES {
        let mut dice = SplitMix::new(seed);
        let text = text(&mut dice);
        if !text.contains("action") {
            continue;
        }
        let Some(domain) = prepared(&text) else { panic!("seed {seed} does not load\n{text}") };
        let npc = &domain.npcs()[0];
        let Some(tables) = &domain.tables(npc.id()).small_moves else { continue };
        let (facts, ..) = npc.wants(npc.goals()[0]).unwrap();
        let (mut found, mut ids) = (Vec::new(), Vec::new());
        for _ in 0..N_QUESTIONS {
            let start = any_state(&mut dice, npc);
            let small = SmallProblem::new(npc, tables, &start, facts);
            let enabled = if dice.one_in(4) { !(1 << dice.below(8)) } else { u64::MAX };
            let small = SmallProblem { enabled, ..small };
            let cost = plan(&small, |local, _| local, &mut found);
            let twin = plain::walk(&small);
            let expected = twin.as_ref().map_or(&[][..], |twin| twin.actions());
            assert_eq!(found, expected, "seed {seed}, from {start:?}\n{text}");
            assert_eq!(cost.is_some(), twin.is_some(), "seed {seed}, from {start:?}\n{text}");
            assert_eq!(plan(&small, |_, id| id, &mut ids), cost);
            assert!(found.iter().map(|local| npc.actions()[local.index()]).eq(ids.iter().copied()));
            plans += usize::from(!found.is_empty());
            none += usize::from(cost.is_none());
            let sets_start =
                |local| npc.sets(local).iter().any(|it| start[it.variable.index()] == it.value);
            loops += usize::from(found.iter().any(|&local| sets_start(local)));
            let from_any = |local| {
                let moved = npc.sets(local)[0].variable;
                npc.needs(local).iter().all(|need| need.variable != moved)
            };
            loops_from_any +=
                usize::from(found.iter().any(|&local| sets_start(local) && from_any(local)));
        }
    }
    assert!(
        plans > 10_000 && none > 10_000 && loops > 500 && loops_from_any > 100,
        "{plans} plans, {none} none, {loops} loops, {loops_from_any} of them end from any value"
    );
}

/// Who ends the loop does not say from where, and has the smallest id: it could be done at once,
/// and would change nothing.
#[test]
fn the_end_of_a_loop_waits_though_it_goes_from_any_value() {
    let text = "domain house
var door: shut, open
var at: hall, room
action close: door -> shut
action open: door shut -> open
action go: at hall -> room while door = open
goal in_hiding: at = room, door = shut
npc n
    can close, open, go
    wants in_hiding
";
    let domain = prepared(text).unwrap();
    let npc = &domain.npcs()[0];
    let tables = domain.tables(npc.id()).small_moves.as_ref().unwrap();
    let (facts, ..) = npc.wants(npc.goals()[0]).unwrap();
    let small = SmallProblem::new(npc, tables, &[0, 0], facts);
    let expected = [1, 2, 0].map(LocalAction);
    let mut found = Vec::new();
    assert_eq!(plan(&small, |local, _| local, &mut found), Some(Cost(3000)));
    assert_eq!(found, expected);
    assert_eq!(plain::walk(&small).unwrap().actions(), expected);
}
