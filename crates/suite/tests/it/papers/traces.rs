//! What the printed algorithms tell of their steps.

use super::*;

#[test]
fn traces_are_told_as_they_were_reviewed() {
    let (first, second) = ("horse_breeder_000.npc", "horse_breeder_001.npc");
    let pages = [
        ("topoplan_empty_hands", TOPOPLAN, breeder(second, [0, 0, 0], [2, 0, 2])),
        ("topoplan_hay_in_hands", TOPOPLAN, breeder(second, [1, 0, 0], [2, 0, 2])),
        ("topoplan_refuses", TOPOPLAN, breeder(first, [1, 0, 0], [2, 0, 2])),
        ("p_two_next", Printed::P, breeder(first, [1, 0, 0], [2, 0, 2])),
        ("backstrom_tunnel", Printed::Backstrom, tunnel()),
    ];
    let mut different = Vec::new();
    for (name, printed, asked) in pages {
        let page = asked.trace(printed);
        let path = golden(name);
        different.extend(difference(&path, &page));
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// Three lamps; each is switched while those behind it burn. Only the first is to burn.
fn tunnel() -> Asked {
    let text = "domain tunnel
var first:  bool
var second: bool
var third:  bool
action first_on:   first false -> true   while second = true, third = true
action first_off:  first true -> false   while second = true, third = true
action second_on:  second false -> true  while third = true
action second_off: second true -> false  while third = true
action third_on:   third false -> true
action third_off:  third true -> false
npc warden
    can first_on, first_off, second_on, second_off, third_on, third_off
    starts first = false, second = false, third = false
";
    let lamps = ["first", "second", "third"].map(str::to_string);
    let to = lamps.into_iter().zip(["true", "false", "false"].map(str::to_string)).collect();
    let domain = Domain::from_text(text).unwrap();
    Asked { domain, npc: "warden".to_string(), from: Vec::new(), to }
}

fn golden(name: &str) -> PathBuf {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests");
    tests.join("golden").join(format!("{name}.txt"))
}

#[test]
fn the_trace_places_exactly_the_actions_of_the_plan() {
    let asked = breeder("horse_breeder_001.npc", [1, 0, 0], [2, 0, 2]);
    let problem = asked.problem();
    let npc = problem.kind(asked.domain.compiled());
    let (tables, ends) = printed::tables::read(npc, &problem).unwrap();
    for printed in [TOPOPLAN, Printed::P] {
        let mut placed = Vec::new();
        let answer = printed.run(&tables, &ends, &mut |event| {
            if let Event::Placed(post) = event {
                placed.extend(tables.action(post));
            }
        });
        assert_eq!(answer, Ok(placed), "{}", printed.name());
    }
}

#[test]
fn every_printed_algorithm_is_found_by_its_name() {
    for printed in Printed::ALL {
        assert_eq!(Printed::named(printed.name()), Some(printed));
    }
    assert_eq!(Printed::named("papers/q"), None);
}
