//! The classes as the papers define them, and in the safe ones everybody beside the oracle.

use super::*;

pub(super) fn tables_of(asked: &Asked) -> Tables {
    let problem = asked.problem();
    Tables::read(problem.kind(asked.domain.compiled()), problem.enabled()).unwrap()
}

/// The cycle through an action, if walking back from it comes back to it.
fn cycle_through(tables: &Tables, post: Post) -> Vec<Post> {
    let mut cycle = vec![post];
    while cycle.len() <= tables.n_values(tables.variable(post)) {
        let last = cycle[cycle.len() - 1];
        match tables.pre(last) {
            _ if !tables.is_action(last) => return Vec::new(),
            before if before == post => return cycle,
            before => cycle.push(before),
        }
    }
    Vec::new()
}

fn requesters(tables: &Tables, need: Post) -> Vec<Post> {
    tables.posts().filter(|&post| tables.prevail(post).contains(&need)).collect()
}

/// Every cycle with a requested action: its variable, its actions, those requested.
fn cycles_with_requests(tables: &Tables) -> Vec<(usize, Vec<Post>, Vec<Post>)> {
    let mut found = Vec::new();
    for post in tables.posts() {
        let cycle = cycle_through(tables, post);
        assert_eq!(tables.on_cycle(post), !cycle.is_empty());
        let is_requested = |post: &&Post| !requesters(tables, **post).is_empty();
        let requested: Vec<Post> = cycle.iter().filter(is_requested).copied().collect();
        // Each cycle once: by its first action.
        if cycle.iter().min() == Some(&post) && !requested.is_empty() {
            found.push((tables.variable(post), cycle, requested));
        }
    }
    found
}

fn is_c0(tables: &Tables) -> bool {
    cycles_with_requests(tables).is_empty()
}

fn is_c2(tables: &Tables) -> bool {
    cycles_with_requests(tables).iter().all(|(_, cycle, _)| cycle.len() == 2)
}

fn is_c2s(tables: &Tables) -> bool {
    is_c2(tables) && cycles_with_requests(tables).iter().all(|(.., requested)| requested.len() == 1)
}

fn is_single_valued(tables: &Tables) -> bool {
    (0..tables.n_variables()).all(|variable| {
        let own = tables.posts().filter(|&post| tables.variable(post) == variable);
        own.filter(|&post| !requesters(tables, post).is_empty()).count() <= 1
    })
}

/// C2, and for every cycle that is requested both ways the two groups of requesters are apart
/// in the graph of what `related` gives, without the cycle's variable.
fn are_apart(
    tables: &Tables,
    node: impl Fn(Post) -> usize,
    related: impl Fn(Post) -> Vec<Post>,
) -> bool {
    let both = cycles_with_requests(tables).into_iter().filter(|(.., asked)| asked.len() == 2);
    let mut both = both.map(|(variable, _, requested)| {
        let mut group: Vec<usize> = (0..tables.n_posts()).collect();
        let outside = |post: &Post| tables.variable(*post) != variable;
        for post in tables.posts().filter(|&p| tables.is_action(p)).filter(outside) {
            for other in related(post).into_iter().filter(outside) {
                let (to, from) = (group[node(post)], group[node(other)]);
                group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
            }
        }
        let groups = |need: Post| -> Vec<usize> {
            requesters(tables, need).into_iter().map(|post| group[node(post)]).collect()
        };
        let (first, second) = (groups(requested[0]), groups(requested[1]));
        first.iter().all(|group| !second.contains(group))
    });
    is_c2(tables) && both.all(|apart| apart)
}

/// Nodes are actions, related by who sets what they come from or need: no ghosts.
pub(super) fn is_of_definition_7_as_printed(tables: &Tables) -> bool {
    let related = |post: Post| {
        let before = tables.prevail(post).iter().copied().chain([tables.pre(post)]);
        before.filter(|&post| tables.is_action(post)).collect()
    };
    are_apart(tables, Post::index, related)
}

/// Nodes are variables, related by any need.
pub(super) fn is_of_definition_7_strictly(tables: &Tables) -> bool {
    are_apart(tables, |post| tables.variable(post), |post| tables.prevail(post).to_vec())
}

/// A random problem of unary actions that set different values, goal and start total.
fn random_problem(seed: u64) -> Asked {
    let mut dice = SplitMix::new(seed);
    let shape = Shape {
        variables: dice.within(2, 5),
        values: dice.within(2, 4),
        actions: dice.within(2, 12),
        effects: 1,
        post_unique: true,
        story_chance: *dice.pick(&[50, 80, 100]),
        from_any_chance: 0,
        during: dice.within(1, 2),
        costs: false,
        checks: 0,
        overrides: false,
        npcs: 1,
        unknown_chance: 0,
        total_goal: true,
        blind_goal: dice.percent(20),
    };
    let instance = instance_of(shape, &mut dice);
    let domain = Domain::from_loaded(instance.load()).unwrap();
    Asked { domain, npc: instance.npc, from: instance.from, to: instance.to }
}

/// What became of the random problems, by class, algorithm and answer.
type Tally = BTreeMap<(&'static str, &'static str, &'static str), u64>;

fn count_random(seed: u64, tally: &mut Tally) {
    let asked = random_problem(seed);
    let problem = asked.problem();
    let npc = problem.kind(asked.domain.compiled());
    let Ok((tables, _)) = printed::tables::read(npc, &problem) else {
        *tally.entry(("none", "all", "not the papers'")).or_default() += 1;
        return;
    };
    let class = match () {
        () if is_c0(&tables) => "C0",
        () if is_c2s(&tables) => "C2S",
        () if is_of_definition_7_strictly(&tables) => "C2* strict",
        () if is_of_definition_7_as_printed(&tables) => "C2* as printed",
        () if is_c2(&tables) => "C2",
        () => "PU",
    };
    let shortest = asked.shortest();
    for printed in Printed::ALL {
        let of_class = match (printed, is_single_valued(&tables)) {
            (Printed::Backstrom, true) => "PUS",
            (Printed::Backstrom, false) => continue,
            _ => class,
        };
        let answer = match (asked.made(printed), shortest) {
            (Made::Invalid, _) => "invalid",
            (Made::Valid(length), Some(shortest)) if length == shortest => "right plan",
            (Made::Valid(_), _) => "not shortest",
            (Made::Failed(_), None) => "right failure",
            (Made::Failed(_), Some(_)) => "refused",
        };
        *tally.entry((of_class, printed.name(), answer)).or_default() += 1;
    }
}

#[test]
fn in_the_safe_classes_all_agree_with_the_oracle() {
    let long = std::env::var_os("THRONG_LONG").is_some();
    let mut tally = Tally::new();
    for seed in 0..if long { 600_000 } else { 60_000 } {
        count_random(seed, &mut tally);
    }
    for (what, count) in &tally {
        println!("{count:>6} {what:?}");
    }
    let count = |class, printed: Printed, answer| {
        tally.get(&(class, printed.name(), answer)).copied().unwrap_or(0)
    };
    let safe = [
        ("C0", TOPOPLAN),
        ("C2S", TOPOPLAN),
        ("C0", Printed::P),
        ("C2S", Printed::P),
        ("PUS", Printed::Backstrom),
    ];
    for (class, printed) in safe {
        for wrong in ["refused", "invalid", "not shortest"] {
            assert_eq!(count(class, printed, wrong), 0, "{class} {} {wrong}", printed.name());
        }
        for right in ["right plan", "right failure"] {
            assert!(count(class, printed, right) > 300, "{class} {} {right}", printed.name());
        }
    }
    for class in ["C0", "C2S", "C2* strict", "C2* as printed", "C2"] {
        assert_eq!(count(class, TOPOPLAN, "invalid"), 0, "with ghosts, within cycles of two");
    }
    assert!(count("C0", TO_THE_LETTER, "invalid") > 0, "without ghosts");
}

// --- Traces -------------------------------------------------------------------------------
