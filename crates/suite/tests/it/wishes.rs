//! `prefer` costs nothing and gives what can be had: the same steps at the same price, still a
//! plan, and no wish dropped that some order would have granted beside those before it.
//!
//! In:   random domains with random wishes, asked with every engine.
//! Out:  agreement with all orders of the steps, tried one by one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use throng::check::{Verdict, replay};
use throng::{ActionId, Domain, Engine, Fact, Npc, Planner, Request, Scratch};
use throng_base::SplitMix;
use throng_domain::Model;
use throng_lab::corpus;
use throng_suite::random::{Instance, Told, instance};

/// Plans of more steps have too many orders to try.
const STEPS: usize = 6;

/// The domain of an instance with some wishes, and the NPC in question.
fn with_wishes(seed: u64, instance: &Instance) -> Option<(Domain, Npc)> {
    let mut dice = SplitMix::new(seed);
    let plain = instance.load().model?;
    let names: Vec<&str> = plain.actions().iter().map(|action| action.name()).collect();
    let mut text = instance.text.clone();
    for _ in 0..dice.within(1, 4) {
        let [a, b] = [dice.below(names.len()), dice.below(names.len())];
        if a != b {
            text += &format!("\nprefer {} before {}\n", names[a], names[b]);
        }
    }
    let domain = Domain::from_text(&text).unwrap();
    let mut npc = Npc::new(&domain, &instance.npc).unwrap();
    instance.from.iter().for_each(|(variable, value)| npc.set(variable, value).unwrap());
    // A check that no action asks for does not matter.
    match &instance.told {
        Told::Without(checks) => checks.iter().for_each(|c| npc.set_check(c, false).unwrap()),
        Told::Only(checks) => {
            npc.clear_checks();
            checks.iter().for_each(|check| npc.set_check(check, true).unwrap());
        }
    }
    Some((domain, npc))
}

/// Whether an order of steps runs from the NPC's state to the goal.
fn runs(npc: &Npc, order: &[ActionId], goal: &[Fact]) -> bool {
    let mut npc = npc.clone();
    order.iter().all(|&action| npc.apply(action)) && npc.has_all(goal)
}

/// Whether all steps of the wish's first actions come before all of the others.
fn grants(model: &Model, wish: usize, order: &[ActionId]) -> bool {
    let wish = &model.preferences()[wish];
    let last = order.iter().rposition(|step| wish.before().contains(step));
    let first = order.iter().position(|step| wish.after().contains(step));
    last.zip(first).is_none_or(|(last, first)| last < first)
}

/// All orders of the steps that run, each once.
fn orders(npc: &Npc, steps: &mut Vec<ActionId>, from: usize, goal: &[Fact]) -> Vec<Vec<ActionId>> {
    if from == steps.len() {
        return if runs(npc, steps, goal) { vec![steps.clone()] } else { Vec::new() };
    }
    let mut all = Vec::new();
    for at in from..steps.len() {
        steps.swap(from, at);
        all.extend(orders(npc, steps, from + 1, goal));
        steps.swap(from, at);
    }
    all
}

#[test]
fn wishes_are_granted_exactly_where_some_order_grants_them() {
    let (mut plans, mut changed, mut dropped) = (0, 0, 0);
    let mut scratch = Scratch::default();
    for seed in 0..6_000 {
        let instance = instance(seed);
        let Some((domain, npc)) = with_wishes(seed, &instance) else { continue };
        let plain = Domain::from_loaded(instance.load()).unwrap();
        let facts: Vec<Fact> = instance
            .to
            .iter()
            .map(|(variable, value)| domain.fact(variable, value).unwrap())
            .collect();
        for engine in [None, Some(Engine::Regressive), Some(Engine::Forward)] {
            let request = Request::to(facts.clone()).max_nodes(20_000);
            let request = engine.map_or(request.clone(), |engine| request.engine(engine));
            let answer = Planner::new().plan(&npc, &request, &mut scratch);
            let plan = answer.plan();
            if plan.is_empty() || plan.len() > STEPS {
                continue;
            }
            plans += 1;
            let names: Vec<&str> = plan.names().collect();
            let verdict = replay(plain.model(), &instance.question(), &names).unwrap();
            assert_eq!(verdict, Verdict::Valid { cost: plan.cost() }, "seed {seed}");
            let mut left = orders(&npc, &mut plan.actions().to_vec(), 0, &facts);
            let model = domain.model();
            for wish in 0..model.preferences().len() {
                let granting = |order: &Vec<ActionId>| grants(model, wish, order);
                if left.iter().any(granting) {
                    left.retain(granting);
                    assert!(
                        grants(model, wish, plan.actions()),
                        "seed {seed}, wish {wish}: {names:?}"
                    );
                } else {
                    dropped += 1;
                }
            }
            let mut first = plain_plan(&plain, &npc, &facts);
            changed += usize::from(first != names);
            let mut same: Vec<String> = names.iter().map(|name| name.to_string()).collect();
            first.sort();
            same.sort();
            if engine.is_none() {
                assert_eq!(first, same, "seed {seed}: the same steps in any order");
            }
        }
    }
    assert!(plans > 1_000 && changed > 50 && dropped > 50, "{plans} {changed} {dropped}");
}

/// The plan of the domain without wishes.
fn plain_plan(plain: &Domain, npc: &Npc, facts: &[Fact]) -> Vec<String> {
    let twin = Npc::restore(plain, &npc.save()).unwrap();
    let request = Request::to(facts.to_vec()).max_nodes(20_000);
    let answer = Planner::new().plan(&twin, &request, &mut Scratch::default());
    answer.plan().names().map(str::to_string).collect()
}

#[test]
fn orkins_soldier_draws_the_weapon_first() {
    let path = corpus::folder().join("fear/orkin2004_pipe.npc");
    let text = std::fs::read_to_string(path).unwrap();
    let plan = |text: &str| -> Vec<String> {
        let domain = Domain::from_text(text).unwrap();
        let npc = Npc::of_type(&domain, domain.compiled().npcs()[0].id()).unwrap();
        let answer = Planner::new().plan(&npc, &Request::best(), &mut Scratch::default());
        answer.plan().names().map(str::to_string).collect()
    };
    let before = plan(&text);
    let place = |plan: &[String], name: &str| plan.iter().position(|step| step.starts_with(name));
    let wished = plan(&format!("{text}\nprefer DrawWeapon before Goto\n"));
    assert!(place(&before, "DrawWeapon") > place(&before, "Goto"), "{before:?}");
    assert!(place(&wished, "DrawWeapon") < place(&wished, "Goto"), "{wished:?}");
    assert_eq!(before.len(), wished.len());
}
