//! The instances on the page of theory are what it says.

use super::*;

/// The instances that `docs/theory.md` shows, as texts.
fn instances_of_the_page() -> Vec<String> {
    let page = corpus::folder().join("../docs/theory.md");
    let page = std::fs::read_to_string(page).unwrap().replace("\r\n", "\n");
    let blocks = page.split("```text\n").skip(1).filter_map(|rest| rest.split_once("```"));
    let is_instance = |block: &&str| block.starts_with("domain ");
    blocks.map(|(block, _)| block).filter(is_instance).map(str::to_string).collect()
}

#[test]
fn the_instances_on_the_page_of_theory_are_what_it_says() {
    let mut scratch = throng::Scratch::default();
    let instances = instances_of_the_page();
    assert_eq!(instances.len(), 10);
    for text in instances {
        let domain = Domain::from_text(&text).unwrap();
        check_tests(&domain, 1, &mut scratch);
        let laid_out =
            throng_domain::formats::npc::format(&text, &throng_mind::notes::WORDS).ok().unwrap();
        assert_eq!(laid_out, text, "{}", domain.name());
    }
}

#[test]
fn a_requested_loop_of_three_need_not_make_an_action_occur_twice() {
    let text = instances_of_the_page().into_iter().find(|t| t.starts_with("domain never_twice"));
    let domain = Domain::from_text(&text.unwrap()).unwrap();
    let states = || (0..3).flat_map(|v| (0..2).map(move |w| (v.to_string(), w.to_string())));
    let (mut pairs, mut plans) = (0, 0);
    for ((v, w), (to_v, to_w)) in
        states().flat_map(|from| states().map(move |to| (from.clone(), to)))
    {
        let mut npc = Npc::new(&domain, "worker").unwrap();
        npc.set("v", &v).unwrap();
        npc.set("w", &w).unwrap();
        let wanted = [domain.fact("v", &to_v).unwrap(), domain.fact("w", &to_w).unwrap()];
        let answer =
            Planner::new().plan(&npc, &Request::to(wanted), &mut throng::Scratch::default());
        let names: Vec<&str> = answer.plan().names().collect();
        let once: std::collections::BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(once.len(), names.len(), "{names:?}");
        pairs += 1;
        plans += usize::from(!names.is_empty());
    }
    assert_eq!((pairs, plans), (36, 15));
}

/// What a printed algorithm makes of an instance of the page: a plan, an order that is none, or
/// a failure.
fn printed(name: &str, algorithm: Printed) -> &'static str {
    let head = format!("domain {name}\n");
    let text = instances_of_the_page().into_iter().find(|text| text.starts_with(&head));
    let member = Member::of(&text.unwrap_or_else(|| panic!("no instance `{name}`")));
    let (compiled, problem) = (member.domain.compiled(), member.problem());
    let npc = problem.kind(compiled);
    let Ok(plan) = printed::plan(algorithm, npc, &problem, &mut |_| {}) else {
        return "failure";
    };
    let actions = npc.actions();
    let names: Vec<&str> = plan.iter().map(|a| compiled.map().action(actions[a.index()])).collect();
    match replay(member.domain.model(), &member.question(), &names).unwrap() {
        Verdict::Valid { .. } => "plan",
        Verdict::Invalid(_) => "no order",
    }
}

#[test]
fn the_printed_algorithms_do_on_the_page_of_theory_what_it_says() {
    let (handled, skipped) =
        (Printed::TopoPlan(Ghosts::Handled), Printed::TopoPlan(Ghosts::Skipped));
    assert_eq!(printed("before_the_loop", handled), "failure");
    assert_eq!(printed("before_the_loop", Printed::P), "no order");
    assert_eq!(printed("between", handled), "failure");
    assert_eq!(printed("between", Printed::P), "failure");
    assert_eq!(printed("no_order", Printed::P), "no order");
    assert_eq!(printed("twice", handled), "failure");
    assert_eq!(printed("ghost", skipped), "no order");
    assert_eq!(printed("ghost", handled), "failure");
    assert_eq!(printed("ghost_in_order", skipped), "no order");
    assert_eq!(printed("ghost_in_order", handled), "plan");
    assert_eq!(printed("around_and_on", handled), "failure");
    assert_eq!(printed("outside", handled), "no order");
}
