//! The layouts of the topological planner say the same: rows of bits beside flat rows.
//!
//! (Machine words beside flat rows: `topological.rs`.)
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]
#![allow(clippy::print_stdout, reason = "what was tried is said aloud")]

use std::fmt::Write;
use throng::prelude::Domain;
use throng_base::SplitMix;
use throng_check::{CheckContext, Question, Verdict, replay};
use throng_planner::topological::{self, Moves};
use throng_planner::{ActionMask, Call, Checks, Outcome, Problem};

/// A type of 40 variables whose actions need much of the variables before them: some values that
/// can be had, now and then one that cannot.
fn text(dice: &mut SplitMix) -> String {
    let mut text = "domain dense\n".to_string();
    let n = 40;
    for v in 0..n {
        _ = writeln!(text, "var v{v}: x0, x1, x2");
    }
    let mut names = Vec::new();
    let odd = if dice.percent(50) { 100_000 } else { 400 };
    for v in 0..n {
        // Two values most of the time, and a way back; sometimes on to the third.
        let steps: &[(usize, usize)] = match dice.below(4) {
            0 => &[(0, 1), (1, 2)],
            1 => &[(0, 1), (1, 2), (2, 0)],
            _ => &[(0, 1), (1, 0)],
        };
        for &(from, to) in steps {
            _ = write!(text, "action v{v}_{from}_{to}: v{v} x{from} -> x{to}");
            names.push(format!("v{v}_{from}_{to}"));
            let chance = 60 + dice.below(40);
            let wish = |dice: &mut SplitMix| if dice.below(odd) > 0 { 1 } else { dice.below(3) };
            let needs: Vec<String> = (0..v)
                .filter(|_| dice.percent(chance))
                .collect::<Vec<_>>()
                .into_iter()
                .map(|w| format!("v{w} = x{}", wish(dice)))
                .collect();
            let word = if needs.is_empty() { "" } else { "  while " };
            _ = writeln!(text, "{word}{}", needs.join(", "));
        }
    }
    _ = writeln!(text, "npc n\n    can {}", names.join(", "));
    let starts: Vec<String> = (0..n).map(|v| format!("v{v} = x0")).collect();
    _ = writeln!(text, "    starts {}", starts.join(", "));
    text
}

#[test]
fn rows_of_bits_say_what_flat_rows_say() {
    let (mut plans, mut impossible, mut open, mut longest) = (0, 0, 0, 0);
    for seed in 0..300 {
        let mut dice = SplitMix::new(seed);
        let domain = Domain::from_text(&text(&mut dice)).unwrap();
        let compiled = domain.compiled();
        let id = domain.npc_type("n").unwrap();
        let npc = compiled.npc(id);
        assert!(compiled.tables(id).dense_moves.is_some(), "{seed}: not dense");
        let nothing = ActionMask::none(npc.n_actions());
        let (mut by_bits, mut by_rows) =
            (topological::TopologicalScratch::default(), Default::default());
        let (mut plan, mut twin) = (Vec::new(), Vec::new());
        for _ in 0..10 {
            let n_wanted = 1 + dice.below(40);
            let mut to: Vec<(String, String)> = Vec::new();
            for v in (0..40).rev().take(n_wanted) {
                // The last one always moves, so that there is something to do.
                let value = if v == 39 { 1 } else { dice.below(2) };
                to.push((format!("v{v}"), format!("x{value}")));
            }
            let goal: Vec<_> = to.iter().map(|(v, x)| domain.fact(v, x).unwrap()).collect();
            let mut problem = Problem::new(compiled, id);
            problem.fill(
                compiled,
                id,
                |_| 0,
                &goal,
                throng_planner::Context::new(&Checks::all(0), &nothing),
            );
            let mut moves = Moves::default();
            let call = Call::new(compiled, &problem);
            moves.certify(&call).unwrap();
            let bits = topological::decide(&call, &moves, &mut by_bits, &mut plan);
            let rows = topological::decide_by_order(&call, &moves, &mut by_rows, &mut twin);
            assert_eq!(bits, rows, "{seed}");
            match bits {
                Some(Outcome::Plan { cost }) => {
                    let name = |a: &throng_domain::compile::LocalAction| {
                        compiled.map().action(npc.actions()[a.index()])
                    };
                    let names: Vec<&str> = plan.iter().map(name).collect();
                    let context = CheckContext::Without(&[]);
                    let question =
                        Question { npc: "n", from: &[], to: &to, context, ..Question::default() };
                    let verdict = replay(domain.model(), &question, &names).unwrap();
                    assert_eq!(verdict, Verdict::Valid { cost }, "{seed}");
                    longest = longest.max(plan.len());
                    plan.sort();
                    twin.sort();
                    assert_eq!(plan, twin, "{seed}");
                    plans += 1;
                }
                Some(Outcome::Impossible(proof)) => {
                    // Proofs find their reasons when they are read.
                    let Some(Outcome::Impossible(twin)) = rows else { panic!("{seed}") };
                    assert_eq!(proof.reason(compiled), twin.reason(compiled), "{seed}");
                    impossible += 1;
                }
                _ => open += 1,
            }
        }
    }
    println!(
        "{plans} plans, the longest of {longest} actions; {impossible} impossible, {open} open"
    );
    assert!(plans > 300 && impossible > 300 && longest > 30, "{plans} {impossible} {longest}");
}
