//! Compounds do what their parts do, one after the other; kinds follow the checks of now.
//!
//! In:   random sequences of actions of random domains; `domains/beyond/kinds.npc` under every
//!       answer to its checks.
//! Out:  agreement with plain step-by-step application, with the oracle and with the replay.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use throng::check::{CheckContext, Question, Verdict, replay};
use throng::{Domain, Npc, Planner, Request, Scratch};
use throng_base::SplitMix;
use throng_domain::model::Action;
use throng_domain::{Code, Format};
use throng_lab::corpus::{self, load_text};
use throng_suite::oracle;
use throng_suite::random::instance;

/// The value of every variable.
type State = Vec<usize>;

/// The state after an action; `None` if it cannot be done.
fn after(state: &State, action: &Action) -> Option<State> {
    let mut state = state.clone();
    let holds = |fact: &throng::Fact| state[fact.variable.index()] == fact.value.index();
    if !action.requires().iter().all(holds) {
        return None;
    }
    action.sets().iter().for_each(|fact| state[fact.variable.index()] = fact.value.index());
    Some(state)
}

#[test]
fn a_compound_does_what_its_parts_do() {
    let (mut compounds, mut refused) = (0, 0);
    for seed in 0..4_000 {
        let mut dice = SplitMix::new(seed);
        let instance = instance(seed);
        let plain = instance.load().model.unwrap();
        let count = dice.within(1, 4);
        let parts: Vec<&Action> =
            (0..count).map(|_| &plain.actions()[dice.below(plain.actions().len())]).collect();
        let names: Vec<&str> = parts.iter().map(|part| part.name()).collect();
        let text = format!("{}\ncompound all_of_it: {}\n", instance.text, names.join(", "));
        let loaded = load_text(&text, Format::Npc);
        let states: Vec<State> = (0..200)
            .map(|_| plain.variables().iter().map(|v| dice.below(v.values().len())).collect())
            .collect();
        let in_turn =
            |state: &State| parts.iter().try_fold(state.clone(), |state, part| after(&state, part));
        let Some(model) = loaded.model else {
            let codes: Vec<Code> = loaded.report.diagnostics().iter().map(|d| d.code).collect();
            let known = [Code::PartsDoNotFollow, Code::ContradictoryCheck];
            assert!(codes.iter().any(|code| known.contains(code)), "seed {seed}\n{text}");
            let never = codes.contains(&Code::PartsDoNotFollow);
            assert!(!never || states.iter().all(|s| in_turn(s).is_none()), "seed {seed}\n{text}");
            refused += 1;
            continue;
        };
        let compound = model.actions().last().unwrap();
        assert_eq!(compound.name(), "all_of_it");
        let price: u64 = parts.iter().map(|part| part.cost().0).sum();
        assert_eq!(compound.cost().0, price);
        for state in &states {
            assert_eq!(after(state, compound), in_turn(state), "seed {seed}\n{text}");
        }
        compounds += 1;
    }
    assert!(compounds > 500 && refused > 500, "{compounds} {refused}");
}

#[test]
fn kinds_follow_the_checks_under_every_answer() {
    let domain = Domain::from_file(corpus::folder().join("beyond/kinds.npc")).unwrap();
    let model = domain.model();
    let goal = [("loot".to_string(), "taken".to_string())];
    let (mut possible, mut scratch) = (0, Scratch::default());
    for answers in 0..1u32 << model.checks().len() {
        let held = |at: usize| answers >> at & 1 == 1;
        let without: Vec<String> = (0..model.checks().len())
            .filter(|&at| !held(at))
            .map(|at| model.checks()[at].clone())
            .collect();
        let mut npc = Npc::new(&domain, "thief").unwrap();
        without.iter().for_each(|check| npc.set_check(check, false).unwrap());
        for (at, action) in model.actions().iter().enumerate() {
            let mut kinds: Vec<_> = action
                .kinds()
                .iter()
                .filter(|kind| kind.checks().iter().all(|c| held(c.check.index()) == c.expected))
                .collect();
            kinds.sort_by_key(|kind| kind.cost());
            let id = domain.action(model.actions()[at].name()).unwrap();
            let chosen = npc.kind_of(id).map(|kind| kind.name());
            assert_eq!(chosen, kinds.first().map(|kind| kind.name()), "{without:?}");
        }
        let context = CheckContext::Without(&without);
        let question =
            Question { npc: "thief", from: &[], to: &goal, context, ..Question::default() };
        let answer = Planner::new().plan(&npc, &Request::best(), &mut scratch);
        let cost = oracle::cheapest(model, &question, 10_000).unwrap();
        assert_eq!(answer.is_solved().then(|| answer.plan().cost().0), cost, "{without:?}");
        let verdict = replay(model, &question, &["defend", "open", "grab"]).unwrap();
        assert_eq!(matches!(verdict, Verdict::Valid { .. }), cost.is_some(), "{without:?}");
        possible += usize::from(cost.is_some());
    }
    assert!(possible > 0 && possible < 1 << model.checks().len());
}
