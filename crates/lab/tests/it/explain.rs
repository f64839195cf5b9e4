//! `throng why`, `throng whynot`, `throng plan --plans` and `--partial`: pages that designers
//! read, reviewed like code (`UPDATE_GOLDEN=1` writes them anew), and the same as JSON.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;
use crate::golden::difference;
use serde_json::{Value, json};

const COVER: &str = "domains/fear/orkin2005_cover.npc";
const ALTERNATIVES: &str = "domains/beyond/alternatives.npc";
const WORTH: &str = "domains/beyond/worth.npc";
const DOOR: &str = "domains/fear/orkin2005_door.npc";

/// Compares what the program prints with a reviewed page.
fn prints(page: &str, words: &[&str]) {
    let said = exits(words, 0);
    let path = root().join("crates/lab/tests/golden").join(format!("{page}.txt"));
    assert_eq!(difference(&path, &said.out), None);
    assert_eq!(said.err, "");
}

#[test]
fn the_morning_of_the_horse_breeder_is_explained() {
    prints("why_horses", &["why", HORSES]);
    prints("whynot_horses", &["whynot", HORSES, "haystack=in_feeder"]);
    prints("whynot_horses_action", &["whynot", HORSES, "--action", "store_haystack"]);
    prints("partial_horses", &["plan", HORSES, "--partial"]);
}

#[test]
fn the_soldier_is_explained() {
    prints("why_soldier", &["why", COVER, "soldier"]);
    let unarmed = ["whynot", COVER, "soldier", "WeaponLoaded=false", "WeaponArmed=false"];
    prints("whynot_soldier", &[&unarmed[..], &["--only", ""]].concat());
    prints("whynot_soldier_attack", &["whynot", COVER, "soldier", "--action", "Attack"]);
    prints("whynot_soldier_door", &["whynot", DOOR, "--only", "next_link,door_blocked"]);
    prints("plans_soldier", &["plan", COVER, "soldier", "--plans", "4"]);
    prints("partial_soldier", &["plan", COVER, "soldier", "WeaponLoaded=false", "--partial"]);
}

#[test]
fn a_goal_that_was_not_taken_has_no_plan_or_is_worth_less() {
    prints("whynot_alternatives", &["whynot", ALTERNATIVES]);
    let worth = ["whynot", WORTH, "--choose", "worth", "--without", "bridge_open"];
    prints("whynot_worth", &worth);
    let why = exits(&[&worth[..], &["--json"]].concat(), 0).json();
    assert_eq!(why["worth"], 3);
    let parcel = json!({"goal": "deliver_parcel", "outcome": "plan", "worth": 2, "reason": null});
    assert_eq!(why["passed_over"], json!([parcel]));
    let why = exits(&["whynot", ALTERNATIVES, "--json"], 0).json();
    assert_eq!(why["passed_over"], json!([]), "alternatives of one goal are one goal");
}

#[test]
fn any_alternative_of_a_goal_will_do() {
    let paid = ["--goal", "paid"];
    prints("plans_alternatives", &[&["plan", ALTERNATIVES, "--plans", "3"], &paid[..]].concat());
    prints("why_alternatives", &[&["why", ALTERNATIVES], &paid[..]].concat());
    let stuck = ["whynot", ALTERNATIVES, "tree=sold", "--goal", "paid"];
    prints("whynot_alternatives_paid", &stuck);
    let pawn = exits(&[&["whynot", ALTERNATIVES, "--action", "pawn"], &paid[..]].concat(), 0).out;
    assert_has(&pawn, &["the cheapest plan with `pawn` costs 5, 1 more than the plan"]);
    let few = ["plan", ALTERNATIVES, "--plans", "3", "--max-nodes", "6", "--goal", "paid"];
    exits(&few, 3);
}

#[test]
fn checks_are_told_all_of_them() {
    let folder = Folder::new();
    let text = "domain d\nvar horn: dumb, loud\nvar ear: deaf, keen\nvar eye: shut, wide\n\
                action blow: horn dumb -> loud  if lips, breath, not gagged\n\
                action hear: ear deaf -> keen  while horn = loud\n\
                action wake: eye shut -> wide  while horn = loud\n\
                goal alarm: horn = loud, ear = keen, eye = wide\n\
                npc guard\n    can blow, hear, wake\n    wants alarm\n\
                \x20   starts horn = dumb, ear = deaf, eye = shut\n";
    let file = folder.write("d.npc", text);
    let why = exits(&["why", &file, "--without", "gagged"], 0).out;
    assert_has(&why, &["if       lips, breath, not gagged   (checks, true now)"]);
    assert_has(&why, &["enables  horn = loud   (for steps 2 and 3; wanted by the goal)"]);
    let why = exits(&["why", &file, "--without", "gagged", "--json"], 0).json();
    let gagged = json!({"check": "gagged", "expected": false});
    assert_eq!(why["steps"][0]["checks"][2], gagged);
    let all = "the checks `lips` and `breath` are false unless told otherwise (`--only` does not \
               name them), and the check `gagged` is true";
    assert_has(&exits(&["whynot", &file, "--only", "gagged"], 0).out, &[all]);
    let action = ["whynot", &file, "--only", "gagged", "--action", "blow"];
    assert_has(&exits(&action, 0).out, &["`blow` is not there: ", all]);
}

#[test]
fn a_check_that_is_as_its_default_says_tells_how_to_change_that() {
    let folder = Folder::new();
    let text = "domain rain\nvar at: here, there\n\
                check raining: told default true\ncheck sunny: told default false\n\
                check dawn: told default false\n\
                action go: at here -> there  if not raining\n\
                action run: at here -> there  if sunny, dawn\n\
                goal g: at = there\n\
                npc one\n    can go, run\n    wants g\n    starts at = here\n";
    let file = folder.write("rain.npc", text);
    let sunny =
        "the checks `sunny` and `dawn` are false unless told otherwise (`--with sunny,dawn`)";
    let run = |more: &[&str]| {
        exits(&[&["whynot", &file, "--action", "run"], more].concat(), 0).out.replace('\n', " ")
    };
    assert_has(&run(&[]), &[sunny]);
    let dawn = "the check `dawn` is false unless told otherwise (`--with dawn`)";
    assert_has(&run(&["--with", "sunny"]), &[dawn]);
    assert_has(
        &run(&["--only", "sunny"]),
        &["the check `dawn` is false unless told otherwise (`--only`"],
    );
    let said = exits(&["whynot", &file, "--with", "sunny"], 0).out;
    let fixes = [
        "let the check `raining` be false: it is true unless told otherwise (`--without raining`)",
        "let the check `dawn` be true: it is false unless told otherwise (`--with dawn`)",
    ];
    assert_has(&said, &fixes);
    assert!(exits(&["plan", &file, "--with", "sunny,dawn"], 0).out.contains("run"));
}

#[test]
fn checks_of_kinds_are_checks() {
    let folder = Folder::new();
    let text = "domain brawl\nvar fist: coming, gone\n\
                action dodge: fist coming -> gone\n    kinds duck if low_wall, parry if has_stick\n\
                goal unhurt: fist = gone\n\
                npc sailor\n    can dodge\n    wants unhurt\n    starts fist = coming\n";
    let file = folder.write("brawl.npc", text);
    let none = ["whynot", &file, "--without", "low_wall,has_stick"];
    let said = exits(&none, 0).out;
    for check in ["low_wall", "has_stick"] {
        assert_has(&said, &[&format!("let the check `{check}` be true (it is false)")]);
    }
    assert_has(&said, &["→ 1 action, cost 1: dodge"]);
    assert!(!said.contains("No single change"), "{said}");
    let action = [&none[..], &["--action", "dodge"]].concat();
    let said = exits(&action, 0).out;
    assert_has(
        &said,
        &["`dodge` is not there: none of its kinds is possible: the checks \
                         `low_wall` and `has_stick` are false"],
    );
    assert!(!said.contains("can be done from here"), "{said}");
    let shape = exits(&[&action[..], &["--json"]].concat(), 0).json();
    assert_eq!(shape["action"]["code"], "no_kind");
}

#[test]
fn a_compound_that_does_without_something_still_leaves_what_its_parts_leave() {
    let folder = Folder::new();
    let text = "domain guard\nvar gate: shut, ajar\nvar horn: still, blown\n\
                action open: gate shut -> ajar\n\
                action blow: horn -> blown  while gate = ajar\n\
                action close: gate ajar -> shut\n\
                compound warn: open, blow, close\ncompound air: close, open\n\
                goal both: horn = blown, gate = ajar\ngoal fresh: gate = ajar\n\
                npc warden\n    can warn, air\n    wants both, fresh\n\
                \x20   starts gate = ajar, horn = still\n";
    let file = folder.write("guard.npc", text);
    let words = |change: &serde_json::Value| change["text"].as_str().unwrap().to_string();
    let drops = |words: &[&str]| -> Vec<serde_json::Value> {
        let all = exits(&[&["whynot", &file, "--json"], words].concat(), 0).json();
        let fixes = all["fixes"].as_array().unwrap().clone();
        fixes.into_iter().filter(|fix| fix["change"] == "drop_need").collect()
    };
    // `warn` ends with the gate shut, also where it need not have been so before.
    assert_eq!(drops(&["--goal", "both"]), Vec::<serde_json::Value>::new());
    // And `air` ends with the gate ajar, which is nothing that it sets as long as it needs it.
    let fresh = drops(&["--goal", "fresh", "gate=shut"]);
    let air = "let `air` do without `gate = ajar` (its part `close` needs it)";
    let part = "let `close` do without `gate = ajar` (a part of `warn`, `air`)";
    let mut told: Vec<String> = fresh.iter().map(words).collect();
    told.sort();
    assert_eq!(told, [air, part]);
    assert!(fresh.iter().all(|fix| fix["plan"] == json!(["air"])), "{fresh:?}");
}

#[test]
fn the_check_that_alone_stands_in_the_way_is_a_cause() {
    // Everything is in reach, but the only key is used up by the first of two doors.
    let folder = Folder::new();
    let text = "domain keys\nvar key: none, held\nvar front: shut, open\nvar back: shut, open\n\
                action open_front: front shut -> open, key held -> none\n\
                action open_back: back shut -> open, key held -> none\n\
                action borrow: key none -> held  if not alone\n\
                goal draught: front = open, back = open\n\
                npc maid\n    can open_front, open_back, borrow\n    wants draught\n\
                \x20   starts key = held, front = shut, back = shut\n";
    let file = folder.write("keys.npc", text);
    let said = exits(&["whynot", &file], 0).out;
    assert_has(
        &said,
        &[
            "but for one check there would be a plan: the check `alone` is true unless told \
             otherwise (`--without alone`)",
            "let the check `alone` be false: it is true unless told otherwise (`--without alone`)",
        ],
    );
    assert!(exits(&["plan", &file, "--without", "alone"], 0).out.contains("borrow"));
}

/// Amounts are told as they are written: without the room that a rise needs, once, in numbers, and on
/// a screen.
#[test]
fn amounts_are_told_as_unknown_only_if_nothing_makes_them_known() {
    let folder = Folder::new();
    let text = "domain d\nvar mood: 0..100\nvar gold: 0..100\nvar rank: 0..9\n\
                action ponder: mood -> 50\n\
                action sing: mood += 10 up to 100\n\
                action rise: rank -> 9  while gold >= 0\n\
                action earn: gold += 5 up to 100\n\
                npc n\n    can everything\n    starts rank = 0\n";
    let file = folder.write("d.npc", text);
    let reason = |to: &str| exits(&["plan", &file, "--to", to], 1).out;
    assert_has(&reason("mood=63"), &["`mood` is moved past that, and `mood = 63` never holds"]);
    assert_has(&reason("mood=5"), &["nothing lowers `mood`; `mood = 5` is needed"]);
    let unknown = ["`rise` needs `gold` to be known; ", "the value of `gold` is unknown: say it"];
    assert_has(&reason("rank=9"), &unknown);
}

#[test]
fn a_start_value_that_the_plan_uses_up_is_no_part_of_the_goal() {
    let folder = Folder::new();
    let text = "domain d\nvar hp: 0..100\nvar mp: 0..100\nvar price: 5..30\n\
                action heal: hp += 10, mp -= 5\n\
                action haggle: mp -= 5  while mp >= price\n\
                goal ok: hp >= 50, mp >= 10\n\
                npc n\n    can everything\n    wants ok\n    starts hp = 0, mp = 5, price = 12\n";
    let file = folder.write("d.npc", text);
    let said = exits(&["whynot", &file], 0).out;
    assert_has(&said, &["nearest fix", "`mp` would have to be 35 or more; it is 5", "heal ×5"]);
    assert!(!said.contains("No single change"), "{said}");
    let fixes = exits(&["whynot", &file, "--json"], 0).json();
    assert_eq!(fixes["fixes"][0]["to"], 35, "{fixes}");
    assert_eq!(fixes["fixes"][0]["gives_goal"], false, "{fixes}");
    // What the plan leaves alone is given away.
    let said = exits(&["whynot", &file, "--to", "price>=20"], 0).out;
    let nearest = "the nearest `price` that gives a plan is 20; it is 12";
    assert_has(&said, &["gives a plan, but for these.", "\na part of the goal holds", nearest]);
    // As near on both sides.
    let said = exits(&["whynot", &file, "--to", "price != 12"], 0).out;
    assert_has(&said, &["the nearest `price` that give a plan are 11 and 13; it is 12"]);
}

#[test]
fn amounts_are_explained_as_they_are_written() {
    let folder = Folder::new();
    let file = folder.write(
        "d.npc",
        "domain d\nvar grain: 0..100\nvar meals: 0..100\n\
         action harvest: grain += 4  while grain >= 1\n\
         action cook: grain -= 2, meals += 1\n\
         goal fed: meals >= 4\n\
         npc n\n    can harvest, cook\n    wants fed\n    starts grain = 0, meals = 0\n",
    );
    let said = exits(&["whynot", &file], 0).out;
    let told = "`harvest` would raise `grain`, but needs `grain >= 1`";
    assert_eq!(said.matches(told).count(), 1, "{said}");
    assert_has(
        &said,
        &[
            "`cook` would raise `meals`, but needs `grain >= 2`",
            "`grain` would have to be 1 or more; it is 0",
            "`meals` would have to be 4 or more; it is 0",
            "let `harvest` make do with `grain >= 0`; it asks for `grain >= 1`",
        ],
    );
    assert!(!said.contains("<=") && said.lines().count() <= 40, "{said}");
    // The order of steps that counts, and who brings what.
    let said = exits(&["plan", &file, "grain=1", "--partial"], 0).out;
    assert_has(&said, &["6 actions", "harvest", "cook ×", "  after ", " stages:"]);
    let said = exits(&["stats", &file], 0).out;
    assert_has(&said, &["it can never be done: `grain >= 2` never holds"]);
}

#[test]
fn many_goals_without_a_plan_are_told_by_reason() {
    let folder = Folder::new();
    let text = "domain d\nvar lamp: off, on\nvar moon: 0..9\naction light: lamp off -> on\n\
                goal reach(n in moon): moon = n\n    priority 5\ngoal see: lamp = on\n\
                npc man\n    can light\n    wants reach, see\n    starts lamp = off, moon = 0\n";
    let file = folder.write("d.npc", text);
    let said = exits(&["whynot", &file, "man"], 0).out;
    assert_eq!(said.matches("It matters less than").count(), 5, "{said}");
    assert_has(&said, &["… and 4 more (see `--json`)"]);
    let all = exits(&["whynot", &file, "man", "--json"], 0).json();
    assert_eq!(all["passed_over"].as_array().unwrap().len(), 9);
}

#[test]
fn an_action_is_not_there_for_a_reason() {
    let why = |words: &[&str]| exits(&[&["whynot", COVER], words].concat(), 0).out;
    let check = why(&["soldier", "--action", "DrawWeapon", "--only", ""]);
    assert_has(&check, &["`DrawWeapon` is not there: the check `holstered_weapon` is false"]);
    let other = why(&["sentry", "--action", "GotoNode(Node.Cover)"]);
    assert_has(&other, &["`sentry` cannot do `GotoNode(Node.Cover)`", "`soldier`", "npc:26"]);
    let own = why(&["soldier", "--action", "AttackFromCover"]);
    assert_has(&own, &["`AttackFromCover` is in the plan, as step 2"]);
    let never = why(&["sentry", "--action", "AttackFromCover"]);
    assert_has(&never, &["It can never be done from here", "`AtNodeType = Node.Cover`"]);
    refuses(&["whynot", COVER, "soldier", "--action", "Atack"], &["did you mean `Attack`?"]);
    refuses(&["whynot", COVER, "soldier", "--action", "GotoNode"], &["is a template"]);
}

#[test]
fn a_fix_can_be_an_action_of_somebody_else_and_a_list_can_be_empty() {
    let folder = Folder::new();
    let text = "domain d\nvar forge: cold, lit\nvar horn: dumb, loud\n\
                action light: forge cold -> lit\naction blow: horn dumb -> loud  while forge = lit\n\
                action ride_by: horn -> dumb  overrides blow\n\
                goal alarm: horn = loud\n\
                npc smith\n    can light\n\
                npc guard\n    can blow\n    wants alarm\n    starts forge = cold, horn = dumb\n\
                npc rider\n    can blow, ride_by\n    wants alarm\n    starts forge = lit, horn = dumb\n\
                npc idler\n    can ride_by\n    wants alarm\n    starts forge = cold, horn = dumb\n";
    let file = folder.write("d.npc", text);
    let grant = exits(&["whynot", &file, "guard"], 0).out;
    assert_has(&grant, &["let `guard` do `light`: add it to its `can`", "cost 2: light, blow"]);
    let lift = exits(&["whynot", &file, "rider"], 0).out;
    assert_has(&lift, &["let `ride_by` not override `blow`", "cost 1: blow"]);
    let given = exits(&["whynot", &file, "idler", "--json"], 0).json();
    let fixes = given["fixes"].as_array().unwrap();
    assert!(fixes.iter().all(|fix| fix["gives_goal"] == true), "{given}");
    let given = exits(&["whynot", &file, "idler"], 0).out;
    let but = "No single change of a value, a check or an action gives a plan, but for these.";
    assert_has(&given, &[but, "\na part of the goal holds from the start"]);
    let none = ["whynot", &file, "idler", "--to", "horn=loud,forge=lit"];
    assert_has(&exits(&none, 0).out, &["No single change gives a plan:"]);
}

#[test]
fn whynot_as_json_has_causes_fixes_and_places() {
    let why = exits(&["whynot", HORSES, "haystack=in_feeder", "--json"], 0).json();
    let keys = ["outcome", "goal", "cost", "reason", "causes", "fixes", "undecided", "passed_over"];
    assert_keys(&why, &keys);
    assert_eq!((&why["outcome"], &why["undecided"]), (&json!("impossible"), &json!(0)));
    why["causes"]
        .as_array()
        .unwrap()
        .iter()
        .for_each(|c| assert_keys(c, &["text", "file", "line"]));
    let fix = &why["fixes"][0];
    assert_keys(fix, &["change", "text", "file", "line", "gives_goal", "plan", "cost"]);
    assert_eq!((&fix["change"], &fix["cost"]), (&json!("value"), &json!(6)));
    assert_eq!(fix["file"], HORSES);
    let action = ["whynot", COVER, "soldier", "--action", "Attack", "--json"];
    let action = exits(&action, 0).json()["action"].clone();
    let keys = ["action", "code", "text", "file", "line", "plan", "cost", "dearer"];
    assert_keys(&action, &keys);
    assert_eq!((&action["code"], &action["dearer"]), (&json!("dearer"), &json!(3)));
    let fine = exits(&["whynot", HORSES, "--json"], 0).json();
    assert_eq!((&fine["outcome"], &fine["fixes"]), (&json!("plan"), &Value::Null));
}

#[test]
fn plans_and_orders_as_json_complete_the_answer() {
    let plans = exits(&["plan", COVER, "soldier", "--plans", "9", "--json"], 0).json();
    assert_eq!((&plans["outcome"], &plans["all"]), (&json!("plan"), &json!(true)));
    assert_eq!(plans["plans"][0]["plan"], plans["plan"]);
    assert_eq!(plans["plans"][1], json!({"plan": ["Attack"], "cost": 5}));
    let words = ["plan", COVER, "soldier", "WeaponLoaded=false", "--json"];
    let partial = exits(&[&words[..], &["--partial"]].concat(), 0).json();
    assert_eq!(partial["order"], json!([[1, 3], [2, 3]]));
    assert_eq!(partial["stages"], json!([[1, 2], [3]]));
    let orders = exits(&[&words[..], &["--plans", "9", "--different", "order"]].concat(), 0).json();
    let of_three = orders["plans"].as_array().unwrap().iter().filter(|plan| plan["cost"] == 3);
    assert_eq!(of_three.count(), 2, "reload and walk, walk and reload: {orders}");
}

#[test]
fn limits_are_told() {
    let few = ["whynot", "domains/stress/gray_4.npc", "--max-nodes", "1", "--planner", "forward"];
    assert_has(
        &exits(&few, 3).out,
        &["gave up", "the limit of 1 node (`--max-nodes`) was reached"],
    );
    let cut = ["plan", COVER, "soldier", "--plans", "9", "--max-nodes", "2"];
    assert_has(&exits(&cut, 3).out, &["There may be more: the limit of 2 nodes (`--max-nodes`)"]);
    let why = ["why", COVER, "soldier", "--max-nodes", "2"];
    assert_has(&exits(&why, 0).out, &["No other plan was found within 2 ways"]);
}

#[test]
fn a_comparison_that_nothing_meets_is_told_by_its_right_side() {
    let folder = Folder::new();
    let file = |name: &str, action: &str, goal: &str, starts: &str| {
        let text = format!(
            "domain n\nvar x: 0..9\nvar y: 0..9\naction a: x += 1{action}\ngoal g: {goal}\n\
             npc w\n    can a\n    wants g\n    starts {starts}\n"
        );
        folder.write(name, text)
    };
    for (name, action, goal, starts, says) in [
        ("a.npc", "", "x < y", "x = 5", "the value of `y` is unknown"),
        ("b.npc", "", "x < y", "x = 5, y = 0", "changes `y`, only the world can"),
        ("c.npc", " while x < y", "x = 7", "x = 5", "the value of `y` is unknown"),
        ("d.npc", " while x < y", "x = 7", "x = 5, y = 0", "changes `y`, only the world can"),
    ] {
        let said = exits(&["plan", &file(name, action, goal, starts)], 1);
        assert_has(&said.out, &[says]);
        for wrong in ["never", "two values", "came from"] {
            assert!(!said.out.contains(wrong), "{name}: {}", said.out);
        }
    }
}

/// Four against four; which cover a slot holds differs from mind to mind.
const OFFICE: &str = "domains/levels/office.npc";

#[test]
fn whynot_of_a_thing_in_no_slot_says_whom_to_ask() {
    let asked = |file: &str, thing: &str, parts: &[&str]| {
        let slots = "a plan is about slots, whatever they hold: ask for `goto(cover.1)`, or for";
        let action = format!("goto({thing})");
        let words = ["whynot", file, "soldier", "--action", &action];
        refuses(&words, &[parts, &[slots]].concat());
        let said = exits(&[&words[..], &["--json"]].concat(), 2).json();
        assert_eq!(said["reason"]["code"], "unknown_name", "{said}");
    };
    let mind = format!("`throng play {OFFICE} --at 5s --npc r --why 'goto(c7)'`");
    asked(OFFICE, "c7", &["`c7` is in this level, and in no slot until a mind picks it", &mind]);
    asked(OFFICE, "c9", &["nothing in this level is called `c9`; did you mean `c1`?"]);
    asked("domains/levels/soldiers/soldier.npc", "c7", &["`c7` is in no slot: no level is here"]);
    // Slots, selections and words of the file are no things.
    let cover = ["whynot", OFFICE, "soldier", "--action", "goto(cover)"];
    assert_has(&exits(&cover, 0).out, &["`goto(cover.1)`"]);
    let nowhere = ["whynot", OFFICE, "soldier", "--action", "goto(elsewhere)"];
    refuses(&nowhere, &["unknown action `goto(elsewhere)`"]);
}

#[test]
fn a_mind_says_why_a_thing_is_in_no_slot() {
    let asked = |thing: &str| {
        let action = format!("goto({thing})");
        exits(&["play", OFFICE, "--at", "6s", "--npc", "r", "--why", &action], 0).out
    };
    let of_another = asked("c7");
    assert_has(&of_another, &["`c7` is in no slot: the mind has no fact of it"]);
    assert!(!of_another.contains("did you mean"), "it is there: {of_another}");
    assert_has(&asked("c9"), &["`c9` is in no slot: nothing that the level places is called so"]);
}
