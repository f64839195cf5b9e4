//! What is done beside the step: when it begins, goes on and ends, and whose orders are whose.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::spec;
use crate::spec::mistakes;
use throng_mind::events::Activity;
use throng_mind::prelude::*;

/// He walks to two places, one after the other, then works there with all that he has.
const TEXT: &str = "domain d
var at: home, yard, field
var work: open, done
var mood: calm, alert
action walk_out: at home -> yard          takes 1  uses legs
action walk_on:  at yard -> field         takes 1  uses legs
action dig:      work open -> done  while at = field  takes 1
goal harvest: work = done
npc guard
    can walk_out, walk_on, dig
    wants harvest
    starts at = home, work = open, mood = calm
symbol mood: alert if noise, calm
sensor ear: on noise
beside shoot: fire with walk_out, walk_on  if mood = alert  uses hands, head  takes 9
    first remembers fired for 60
    finally remembers ceased for 60
beside call: say(contact)  if noise  uses voice  every 3  takes 0.2
beside wave: greet  if noise  uses hands  takes 0.2
";

/// Says what it is given, for as long as it takes; its word is an order of its own.
struct Say;

impl Behaviour<()> for Say {
    fn start(&self, acting: &mut Acting<'_, ()>) -> Progress {
        let what = acting.given(0).unwrap_or(Word::NONE);
        assert!(acting.beside().is_some() && acting.action.is_none());
        assert_eq!(acting.board.orders().count(), 0, "the step's orders are not seen");
        acting.board.order(Order::Animate { what, ticks: acting.takes() });
        Progress::Until(acting.now + acting.takes())
    }

    fn go_on(&self, acting: &mut Acting<'_, ()>) -> Progress {
        assert_eq!(acting.board.orders().count(), 1);
        Progress::Done
    }
}

fn minds_of(text: &str, body: Body<()>) -> Minds<()> {
    let mut minds = Minds::new(spec(text), body, 1).unwrap();
    minds.spawn("guard", EntityId(1)).unwrap();
    minds
}

fn name(minds: &Minds<()>, doing: Activity) -> String {
    throng_mind::inspect::doing_words(minds.spec(), doing)
}

/// One tick; what began (`+`) and ended (`=` done, `-` cancelled, `!` failed) in it.
fn tick(minds: &mut Minds<()>, now: Tick) -> Vec<String> {
    minds.tick(&(), now);
    told(minds)
}

fn told(minds: &Minds<()>) -> Vec<String> {
    let line = |event: &Event| match event.what {
        EventKind::Started { doing, .. } => Some(format!("+{}", name(minds, doing))),
        EventKind::Ended { doing, how, .. } => {
            let sign = match how {
                Ending::Done => '=',
                Ending::Failed(_) => '!',
                Ending::Cancelled => '-',
            };
            Some(format!("{sign}{}", name(minds, doing)))
        }
        EventKind::WrongChannel(_) => Some("?".to_string()),
        _ => None,
    };
    minds.events().iter().filter_map(line).collect()
}

/// All that happens until a tick, each with its moment.
fn until(minds: &mut Minds<()>, ticks: std::ops::Range<Tick>) -> Vec<(Tick, String)> {
    ticks.flat_map(|now| tick(minds, now).into_iter().map(move |it| (now, it))).collect()
}

fn noise(minds: &mut Minds<()>, keep: Tick) {
    let kind = minds.spec().words.find("noise").unwrap();
    let fact = FactDraft::new(kind).keep(keep);
    minds.tell(MindId(1), Message::Told(Box::new(fact))).unwrap();
}

fn has(minds: &Minds<()>, kind: &str) -> bool {
    let kind = minds.spec().words.find(kind).unwrap();
    minds.mind(MindId(1)).unwrap().memory().of_kind(kind).next().is_some()
}

fn all(list: &[(Tick, &str)]) -> Vec<(Tick, String)> {
    list.iter().map(|&(at, it)| (at, it.to_string())).collect()
}

#[test]
fn it_goes_on_from_step_to_step_and_gives_way_to_who_needs_the_channel() {
    let mut minds = minds_of(TEXT, Body::new().behaviour("say", Say));
    assert_eq!(until(&mut minds, 0..3), all(&[(0, "+walk_out")]));
    noise(&mut minds, 600);
    let told = until(&mut minds, 3..40);
    // Of the two that want the hands the first in the file has them; the voice is a third's.
    let expected = [
        (3, "+shoot"),
        (3, "+call"),
        (5, "=call"),
        (10, "=walk_out"),
        (10, "+walk_on"),
        (20, "=walk_on"),
        (20, "-shoot"),
        (20, "+dig"),
        (30, "=dig"),
        // Nothing is wanted any more, so all channels are free.
        (30, "+wave"),
        (32, "=wave"),
        // Three seconds after it was begun last.
        (33, "+call"),
        (33, "+wave"),
        (35, "=wave"),
        (35, "=call"),
        (36, "+wave"),
        (38, "=wave"),
        (39, "+wave"),
    ];
    assert_eq!(told, all(&expected));
    assert!(has(&minds, "fired") && has(&minds, "ceased"));
    let (started, ended) = minds.mind(MindId(1)).unwrap().follow().counts();
    assert_eq!(started, ended + 1, "each run but the last has one end");
}

#[test]
fn it_ends_when_its_condition_fails_and_may_begin_again() {
    let mut minds = minds_of(TEXT, Body::new().behaviour("say", Say));
    until(&mut minds, 0..2);
    noise(&mut minds, 4);
    let told = until(&mut minds, 2..8);
    let expected = [(2, "+shoot"), (2, "+call"), (4, "=call"), (6, "-shoot")];
    assert_eq!(told, all(&expected));
    noise(&mut minds, 2);
    // `every 3` is not over for the call; it would be at 32.
    assert_eq!(
        until(&mut minds, 8..12),
        all(&[(8, "+shoot"), (10, "=walk_out"), (10, "+walk_on"), (10, "-shoot"),])
    );
}

#[test]
fn orders_of_the_step_and_of_what_is_beside_it_are_their_own() {
    let mut minds = minds_of(TEXT, Body::new().behaviour("say", Say));
    until(&mut minds, 0..2);
    noise(&mut minds, 600);
    minds.tick(&(), 2);
    let word = |text: &str| minds.spec().words.find(text).unwrap();
    let given: Vec<_> = minds.orders().iter().map(|sent| (sent.id, sent.order)).collect();
    let (fire, contact) = (word("fire"), word("contact"));
    let animates = |it: usize, what: Word| matches!(given[it].1, Order::Animate { what: it, .. } if it == what);
    assert!(given.len() == 2 && animates(0, fire) && animates(1, contact), "{given:?}");
    let mind = minds.mind(MindId(1)).unwrap();
    assert_eq!(mind.board().orders().count(), 1, "the board has those of the step");
    // What fails is what gave the order, and nothing else.
    let why = word("told");
    let failed = given[0].0;
    minds.tell(MindId(1), Message::Failed(failed, why)).unwrap();
    assert_eq!(tick(&mut minds, 3), ["!shoot", "+wave"], "the hands are free for another");
    let doing = minds.mind(MindId(1)).unwrap().follow().run().unwrap().doing;
    assert_eq!(name(&minds, doing), "walk_out");
    // After a failure it rests, as everything that fails.
    assert_eq!(
        until(&mut minds, 4..13),
        all(&[
            (4, "=call"),
            (5, "=wave"),
            (6, "+wave"),
            (8, "=wave"),
            (9, "+wave"),
            (10, "=walk_out"),
            (10, "+walk_on"),
            (11, "=wave"),
            (12, "+wave"),
        ])
    );
}

/// Wants to go somewhere, whatever he has.
struct Strays;

impl Behaviour<()> for Strays {
    fn start(&self, acting: &mut Acting<'_, ()>) -> Progress {
        let (node, manner) = (Word::NONE, Word::NONE);
        acting.board.order(Order::Target { at: Some(EntityId(9)) });
        acting.board.order(Order::Move { to: [7.0; 3], node, manner });
        Progress::Waiting
    }
}

#[test]
fn without_the_legs_nobody_goes_anywhere() {
    let text = TEXT.replace("beside wave: greet", "beside wave: stray");
    let mut minds = minds_of(&text, Body::new().behaviour("say", Say).behaviour("stray", Strays));
    minds.set_fact(MindId(1), ("work", "done")).unwrap();
    minds.tick(&(), 0);
    noise(&mut minds, 600);
    assert_eq!(tick(&mut minds, 1), ["+call", "+wave", "?"]);
    let orders: Vec<Order> = minds.orders().iter().map(|sent| sent.order).collect();
    assert!(orders.iter().all(|order| !matches!(order, Order::Move { .. })), "{orders:?}");
    assert_eq!(minds.mind(MindId(1)).unwrap().board().destination, None);
    let told = tick(&mut minds, 2);
    assert_eq!(told, ["!wave"], "it sees that the order was not carried out");
    assert!(minds.orders().iter().any(|sent| matches!(sent.order, Order::Cancel(_))));
    // With them he goes.
    let text = text.replace("uses hands  takes 0.2", "uses hands, legs  takes 0.2");
    let mut minds = minds_of(&text, Body::new().behaviour("say", Say).behaviour("stray", Strays));
    minds.set_fact(MindId(1), ("work", "done")).unwrap();
    minds.tick(&(), 0);
    noise(&mut minds, 600);
    assert_eq!(tick(&mut minds, 1), ["+call", "+wave"]);
    assert!(minds.orders().iter().any(|sent| matches!(sent.order, Order::Move { .. })));
}

#[test]
fn an_interruption_and_the_end_of_the_mind_end_it_once() {
    for ends in [false, true] {
        let mut minds = minds_of(TEXT, Body::new().behaviour("say", Say));
        minds.tick(&(), 0);
        noise(&mut minds, 600);
        assert_eq!(tick(&mut minds, 1), ["+shoot", "+call"]);
        match ends {
            true => minds.despawn(MindId(1), &()).unwrap(),
            false => minds.interrupt(MindId(1), &()).unwrap(),
        }
        let ended = told(&minds);
        assert_eq!(ended[2..], ["-walk_out", "-shoot", "-call"]);
        let cancelled = minds.orders().iter().filter(|it| matches!(it.order, Order::Cancel(_)));
        assert_eq!(cancelled.count(), 3);
    }
}

#[test]
fn another_version_of_the_file_ends_it() {
    let mut minds = minds_of(TEXT, Body::new().behaviour("say", Say));
    minds.tick(&(), 0);
    noise(&mut minds, 600);
    minds.tick(&(), 1);
    let text = TEXT.replace("beside wave: greet  if noise  uses hands  takes 0.2\n", "");
    minds.reload(spec(&text), &()).unwrap();
    assert_eq!(told(&minds)[2..], ["-walk_out", "-shoot", "-call"]);
    let (started, ended) = minds.mind(MindId(1)).unwrap().follow().counts();
    assert_eq!(started, ended);
    // What it heard it still knows.
    assert_eq!(tick(&mut minds, 2), ["+walk_out", "+shoot", "+call"]);
}

#[test]
fn a_save_has_what_is_done_beside_and_another_file_gives_its_orders_back() {
    let mut minds = minds_of(TEXT, Body::new().behaviour("say", Say));
    minds.tick(&(), 0);
    noise(&mut minds, 600);
    minds.tick(&(), 1);
    let saved = minds.save();
    let mut later = Minds::new(spec(TEXT), Body::new().behaviour("say", Say), 1).unwrap();
    later.restore(&saved).unwrap();
    assert_eq!(later.mind(MindId(1)), minds.mind(MindId(1)));
    for now in 2..40 {
        assert_eq!(tick(&mut minds, now), tick(&mut later, now));
        assert_eq!(minds.orders(), later.orders());
        assert_eq!(minds.digest(), later.digest());
    }
    let text = TEXT.replace("takes 9", "takes 8");
    let mut patched = Minds::new(spec(&text), Body::new().behaviour("say", Say), 1).unwrap();
    patched.restore(&saved).unwrap();
    let orders: Vec<Order> = patched.orders().iter().map(|sent| sent.order).collect();
    assert!(orders.len() == 3 && orders.iter().all(|it| matches!(it, Order::Cancel(_))));
    assert_eq!(patched.mind(MindId(1)).unwrap().follow().besides().count(), 0);
}

#[test]
fn what_is_under_way_beside_is_seen_from_outside() {
    let mut minds = minds_of(TEXT, Body::new().behaviour("say", Say));
    minds.tick(&(), 0);
    noise(&mut minds, 600);
    (1..5).for_each(|now| minds.tick(&(), now));
    let shown = minds.inspect(MindId(1)).unwrap();
    assert_eq!(shown.doing, "walk_out");
    let text = shown.to_string();
    assert!(text.contains("\n  beside shoot since 0.3 s (hands, head)\n"), "{text}");
}

/// A compound takes all channels unless it says otherwise; its parts do not matter.
#[test]
fn a_compound_leaves_free_what_it_says() {
    let text = |uses: &str| {
        format!(
            "domain d
var at: home, yard, field
action walk_out: at home -> yard   takes 1  uses legs
action walk_on:  at yard -> field  takes 1  uses legs
compound march: walk_out, walk_on  cost 0.5{uses}
goal out: at = field
npc guard
    can march
    wants out
    starts at = home
beside hum: say(song) uses voice takes 5
beside look_around: turn with walk_on uses head takes 5
"
        )
    };
    let mut silent = minds_of(&text(""), Body::new().behaviour("say", Say));
    assert_eq!(until(&mut silent, 0..12), all(&[(0, "+march")]));
    let mut humming = minds_of(&text("  uses legs"), Body::new().behaviour("say", Say));
    let told = until(&mut humming, 0..12);
    assert_eq!(told, all(&[(0, "+march"), (0, "+hum"), (10, "+look_around")]));
}

#[test]
fn types_have_what_stands_beside_their_actions_and_squads_have_no_voice() {
    let text = "domain d
var at: home, yard
var told: no, yes
action walk: at home -> yard  uses legs
action sit: at yard -> home
action lead: told no -> yes
goal out: at = yard
goal led: told = yes
npc walker
    can walk
    wants out
    starts at = home
npc sitter
    can sit
    wants out
    starts at = home
npc team
    can lead
    wants led
    starts told = no
squad team: of walker within 8
beside hum: say(song) uses voice
beside shoot: fire with walk uses hands
";
    let spec = spec(text);
    let of = |name: &str| {
        let npc = spec.domain.map().find_npc(name).unwrap();
        spec.npcs[npc.index()].besides.clone()
    };
    assert_eq!((of("walker"), of("sitter"), of("team")), (vec![0, 1], vec![0], vec![]));
}

/// What stands beside anything goes with all that its types do.
const ALWAYS_BUSY: &str = "domain d
var at: here, there
action go: at -> there  uses legs
action wait: takes 1
goal g: at = there
npc guard
    can go, wait
    wants g
    otherwise wait
    starts at = here
beside hail: say(contact)
beside nod: gesture  uses head
beside trip: stumble  uses legs
";

#[test]
fn what_everything_leaves_no_channel_for_is_told() {
    let all = mistakes(ALWAYS_BUSY);
    let [hail, trip] = &all[..] else { panic!("`nod` begins while he goes: {all:#?}") };
    let why =
        "error[E150]: `hail` can never begin: every action of the types that have it takes one";
    assert!(hail.contains(why), "{hail}");
    assert!(hail.contains("say which channels it takes itself, as in `uses voice`"), "{hail}");
    assert!(trip.contains("say which channels `wait` takes"), "{trip}");
    // Who is idle for a while has all of them free, and be it another who has it too.
    for (busy, idle) in [
        ("    otherwise wait\n", ""),
        ("otherwise wait", "otherwise wait after 2"),
        ("takes 1", "takes 1  cooldown 4"),
        ("goal g: at = there", "goal g: at = there  lingers 1"),
        ("beside hail", "npc idler\n    can go\n    wants g\n    starts at = here\nbeside hail"),
    ] {
        assert_eq!(mistakes(&ALWAYS_BUSY.replace(busy, idle)), [""; 0], "{idle}");
    }
}
