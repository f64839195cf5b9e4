//! Minds that were saved and restored go on exactly as those that were not, whatever they are in
//! the middle of; and bytes that are no minds are refused, or are minds that can go on.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::sync::Arc;
use throng_base::SplitMix;
use throng_base::codec::{Decoder, Encoder};
use throng_domain::formats::{load, no_includes};
use throng_domain::{CompiledDomain, Format, Limits};
use throng_mind::fact::Value;
use throng_mind::prelude::*;
use throng_mind::spec::Spec;
use throng_mind::time::Pace;
use throng_mind::words::Word;

const TEXT: &str = "domain d
var v0: a, b, c, d
var v1: a, b, c
var v2: a, b
var v3: a, b, c
action go(p in v0): v0 -> p   takes 0.2
action take: v1 -> b   while v0 = b   if near   does code
action drop: v1 b -> a   kinds roll if near, duck cost 2   does code
action press: v2 -> b   while v1 = b   takes 0.3
action turn: v3 -> c   while v0 = c   does code
action back: v3 c -> a   does code
action look:   takes 0.4   does code
compound both: take, press   cost 1
goal g0: v2 = b   priority 3   relevance if k0 curve 0 0.4, 1 1   keep 0.5   cooldown 0.3
goal g1: v0 = d or v3 = c   priority 2   relevance distance of k1 curve 0 1, 6 0.2   margin 0.2
goal g2: v1 = a, v0 = a   priority 2   relevance count of shared k2 curve 0 0.3, 2 1   cooldown 1
goal g3: v3 = a   priority 5   relevance if v0 = b and k2(age < 0.4)   urgent
npc one
    can go, take, drop, press, turn, look, back, both
    wants g0, g1, g2, g3
    starts v0 = a, v1 = a, v2 = a, v3 = a
    otherwise look   memory 6   doubt 1 for 0.5   retry 0.3
npc two
    can go, take, drop, press, turn, back
    wants g0, g1, g2
    starts v0 = c, v1 = c, v2 = a, v3 = b
sensor s0: every 0 keeps 1 while v0 = a or shared k2 or k1(distance < 3)
sensor s1: every 0.3 keeps 0.5 feeds v0
sensor s2: on k0 keeps 2
sensor s3: on k1 while k0
sensor s4: every 0.2 feeds v3 while v0 = a or v1 = b
symbol v0: node of k0(sure node >= 0.5), c if shared k1(distance < 2), a
symbol v3: b if k3(age < 0.5)
check near: k1 or v3 = b
price go: 2 if k2, amount of k0(node = it)
learn turn: k3
flavour nod: if not k3   every 0.5   takes 0.2
";

#[derive(Clone)]
struct Dice(SplitMix);

impl Dice {
    fn new(seed: u64) -> Self {
        Dice(SplitMix::new(seed))
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    fn place(&mut self) -> Position {
        [self.below(6) as f32, self.below(6) as f32, 0.0]
    }

    fn fact(&mut self, spec: &Spec) -> FactDraft {
        let mut word = |texts: &[&str]| spec.words.find(texts[self.below(texts.len())]).unwrap();
        let (kind, node) = (word(&["k0", "k1", "k2", "k3"]), word(&["a", "b", "c", "d"]));
        FactDraft::new(kind)
            .with(Attribute::Node, Value::Word(node), self.below(5) as f32 / 4.0)
            .with(Attribute::Position, Value::Position(self.place()), 1.0)
            .with(Attribute::Amount, Value::Number(self.below(4) as f32), 1.0)
    }
}

/// The world is a number; what sensors and behaviours do follows from it, from who asks and when.
type World = u64;

struct Any(u64);

impl Sensor<World> for Any {
    fn sense(&self, s: &mut Sensing<'_, World>) -> Work {
        let seen = s.shared.len() as u64;
        let mut dice =
            Dice::new(*s.world ^ self.0 << 8 ^ s.me.0 << 16 ^ u64::from(s.now) << 24 ^ seen);
        *s.state = s.state.wrapping_add(1);
        match dice.below(6) {
            0 => *s.here = dice.place(),
            1 => s.share(dice.fact(s.spec).keep(5)),
            2 | 3 => {}
            _ => drop(s.remember_one(dice.fact(s.spec), &[Attribute::Node])),
        }
        if dice.below(4) == 0 { Work::Heavy } else { Work::Light }
    }
}

impl Behaviour<World> for Any {
    fn start(&self, a: &mut Acting<'_, World>) -> Progress {
        let past = a.shared.len() as u64 ^ *a.state << 8;
        let mut dice = Dice::new(*a.world ^ a.me.0 << 16 ^ u64::from(a.now) << 24 ^ past << 40);
        *a.state = dice.0.number() >> 32;
        a.board.order(Order::Animate { what: Word::NONE, ticks: dice.below(9) as Tick });
        match dice.below(5) {
            0 => Progress::Done,
            1 => Progress::Failed(Word::NONE),
            2 => Progress::Until(a.now + 3),
            _ => Progress::Waiting,
        }
    }

    fn end(&self, a: &mut Acting<'_, World>, _: Ending) {
        let mut dice = Dice::new(*a.state ^ u64::from(a.now));
        if dice.below(3) == 0 {
            a.remember(dice.fact(a.spec), 9);
        }
        if dice.below(5) == 0 {
            a.share(dice.fact(a.spec), 7);
        }
    }
}

fn minds(threads: usize) -> Minds<World> {
    let loaded = load(
        "d.npc",
        TEXT,
        Format::Npc,
        &Limits::default(),
        &throng_mind::notes::WORDS,
        &mut no_includes,
    );
    let model = loaded.model.unwrap();
    let domain = Arc::new(CompiledDomain::new(&model));
    let spec = Spec::read(&model, domain, Pace { ticks_per_second: 10 }).unwrap();
    // `s3` has no code: it remembers what arrives.
    let body = Body::new()
        .sensor("s0", Any(0))
        .sensor("s1", Any(1))
        .sensor("s2", Any(2))
        .sensor("s4", Any(4))
        .behaviour("code", Any(99));
    Minds::new(spec, body, threads).unwrap()
}

fn saved(minds: &Minds<World>) -> Vec<u8> {
    minds.save()
}

fn bare(minds: &Minds<World>) -> Vec<u8> {
    let mut packer = Encoder::default();
    minds.save_bare(&mut packer);
    packer.bytes
}

fn restored(bytes: &[u8], threads: usize) -> Minds<World> {
    let mut fresh = minds(threads);
    assert!(fresh.restore(bytes).unwrap().same_file);
    assert!(saved(&fresh) == bytes, "what is saved again is the same");
    fresh
}

/// What happens between two ticks, the same for all who get the same dice.
fn between(minds: &mut Minds<World>, mut dice: Dice, now: Tick) {
    let world = u64::from(now);
    let types: Vec<_> = minds.spec().domain.npcs().iter().map(|npc| npc.id()).collect();
    if dice.below(6) == 0 || minds.is_empty() {
        minds.spawn(types[dice.below(2)], EntityId(dice.0.number() >> 40));
    }
    let ids: Vec<MindId> = minds.iter().map(|mind| mind.id()).collect();
    for _ in 0..dice.below(12) {
        let id = ids[dice.below(ids.len())];
        let fact = dice.fact(minds.spec());
        let order = OrderId(1 + dice.below(9 + now as usize / 8) as u32);
        match dice.below(12) {
            0 => minds.share(&fact, 9),
            1 => minds.set_place(id, dice.place()),
            2 => {
                let check = minds.spec().domain.map().find_check("near").unwrap();
                minds.set_check(id, check, dice.below(2) == 0);
            }
            3 => drop(minds.tell(id, Message::Told(Box::new(fact.keep(8))))),
            4 => drop(minds.tell(id, Message::Failed(order, fact.kind))),
            5..8 => drop(minds.tell(id, Stimulus::new(fact.kind, dice.place()))),
            8 if dice.below(9) == 0 => drop(minds.interrupt(id, &world)),
            9 if dice.below(20) == 0 && ids.len() > 20 => drop(minds.despawn(id, &world)),
            _ => drop(minds.tell(id, Message::Done(order))),
        }
    }
}

fn tick(minds: &mut Minds<World>, dice: &Dice, now: Tick) -> (Vec<IssuedOrder>, Vec<Event>) {
    between(minds, dice.clone(), now);
    let mut orders: Vec<IssuedOrder> = minds.drain_orders().collect();
    minds.tick(&u64::from(now), now);
    orders.extend(minds.drain_orders());
    (orders, minds.events().to_vec())
}

#[test]
fn who_is_restored_every_few_ticks_lives_the_same_life() {
    let (mut one, mut two) = (minds(1), minds(3));
    let mut dice = Dice::new(5);
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for now in 0..1500 {
        dice.0.number();
        let happened = tick(&mut one, &dice, now);
        assert!(happened == tick(&mut two, &dice, now), "tick {now}");
        if dice.clone().below(3) > 0 {
            continue;
        }
        // What waits in inboxes is saved too; orders are taken before.
        for minds in [&mut one, &mut two] {
            between(minds, Dice::new(u64::from(now)), now);
            minds.drain_orders().for_each(drop);
        }
        let bytes = saved(&one);
        assert!(bytes == saved(&two), "tick {now}");
        for mind in one.iter() {
            let mut note = |what, is: bool| *seen.entry(what).or_default() += u32::from(is);
            let run = mind.follow().run();
            let has_orders = run.is_some_and(|_| mind.board().progress() == Progress::Waiting);
            note("an action under way", run.is_some());
            note("an order open", has_orders);
            note("a plan", mind.plan().goal().is_some());
            note("nothing planned", mind.plan().goal().is_none());
            note("actions taken out", mind.state().forbidden().words() != [0]);
        }
        two = restored(&bytes, 1 + now as usize % 3);
    }
    println!("{seen:?}, {} minds, {} bytes", one.len(), saved(&one).len());
    assert!(seen.len() == 5 && seen.values().all(|&times| times > 1000), "{seen:?}");
    assert_eq!(one.totals().asked, two.totals().asked);
    assert_eq!(one.totals().awake, two.totals().awake);
    assert!(one.len() > 70, "more than one group of minds: {}", one.len());
}

#[test]
fn one_mind_is_put_aside_and_comes_back_as_if_nothing_had_been() {
    let (mut one, mut two) = (minds(1), minds(1));
    let mut dice = Dice::new(9);
    for now in 0..900 {
        dice.0.number();
        assert!(tick(&mut one, &dice, now) == tick(&mut two, &dice, now), "tick {now}");
        let ids: Vec<MindId> = two.iter().map(|mind| mind.id()).collect();
        // Sometimes all of them: groups go and come.
        let all = now % 100 == 99;
        let aside: Vec<MindId> = ids.into_iter().filter(|_| all || dice.below(4) == 0).collect();
        let mut kept = Vec::new();
        for &id in &aside {
            kept.push(two.put_aside(id).unwrap());
            assert!(two.mind(id).is_none() && two.put_aside(id).is_none());
        }
        assert_eq!(two.len() + aside.len(), one.len());
        for (&id, bytes) in aside.iter().zip(&kept) {
            assert_eq!(two.restore_mind(bytes), Ok(id));
        }
        assert!(saved(&one) == saved(&two), "tick {now}");
    }
    // One that is here is replaced; one that was never here is refused.
    let id = MindId(1);
    let bytes = one.save_mind(id).unwrap();
    let longer = [&bytes[..], &[0]].concat();
    assert!(two.restore_mind(&longer).is_err() && two.restore_mind(&bytes[1..]).is_err());
    two.tick(&1, 900);
    assert_eq!(two.restore_mind(&bytes), Ok(id));
    assert!(two.mind(id) == one.mind(id));
    assert!(minds(1).restore_mind(&bytes).is_err());
}

/// Bytes with something wrong somewhere.
fn hurt(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
        let some = [0, 1, 2, 0x7f, 0x80, 0xff, dice.below(256) as u8][dice.below(7)];
        match dice.below(8) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, some),
            2 => drop(bytes.drain(at..(at + 1 + dice.below(4)).min(bytes.len()))),
            3 => bytes[at] = bytes[at].wrapping_add(1),
            4 => bytes[at] ^= 1 << dice.below(8),
            _ => bytes[at] = some,
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

#[test]
fn bytes_that_are_no_minds_are_refused_or_can_go_on() {
    let mut dice = Dice::new(77);
    let (mut accepted, mut refused) = (0, 0);
    let mut one = minds(1);
    let mut game = minds(1);
    for now in 0..4000 {
        tick(&mut one, &dice, now);
        dice.0.number();
        // Small, so that what is wrong is likely in a mind.
        let ids: Vec<MindId> = one.iter().map(|mind| mind.id()).collect();
        ids.iter().skip(3).for_each(|&id| _ = one.despawn(id, &0));
        let bytes = bare(&one);
        // The words are most of it, and any change of them is found.
        let words = Encoder::bytes_of(&one.spec().words).len();
        let mut wrong = bytes[..words].to_vec();
        wrong.extend(hurt(&bytes[words..], &mut dice));
        let before = bare(&game);
        match game.restore_bare(&mut Decoder::new(&wrong)) {
            Err(_) => {
                refused += 1;
                assert!(bare(&game) == before, "nothing is changed by what is refused");
            }
            Ok(()) => {
                accepted += 1;
                for _ in 0..20 {
                    let next = game.now() + 1;
                    tick(&mut game, &dice, next);
                    for mind in game.iter() {
                        assert!(!mind.inspect(game.spec(), next).to_string().is_empty());
                    }
                }
            }
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 400 && refused > 400);
    let mut other = bare(&one);
    other[3] ^= 1;
    let why = game.restore_bare(&mut Decoder::new(&other)).unwrap_err().to_string();
    assert!(why.contains("another file's save"), "{why}");
}

#[test]
fn no_flipped_bit_of_saved_minds_is_accepted_and_what_is_none_is_called_that() {
    let mut one = minds(1);
    let dice = Dice::new(4);
    (0..60).for_each(|now| _ = tick(&mut one, &dice, now));
    let ids: Vec<MindId> = one.iter().map(|mind| mind.id()).collect();
    ids.iter().skip(3).for_each(|&id| _ = one.despawn(id, &0));
    let mut bytes = saved(&one);
    let mut game = minds(1);
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(game.restore(&bytes).is_err(), "bit {bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    println!("{} flipped bits refused", bytes.len() * 8);
    assert!(game.is_empty() && game.restore(&bytes).is_ok());
    // The first version wrote no line; the second wrote another number; a play is no minds.
    let told = |game: &mut Minds<World>, bytes: &[u8]| game.restore(bytes).unwrap_err().to_string();
    let why = told(&mut game, &bare(&one));
    assert!(why.starts_with("this is not saved minds, or one of before they said so"), "{why}");
    let why = told(&mut game, b"throng minds 2\nand so on, as it was written then");
    assert_eq!(why, "this is saved minds of format 2; this program reads format 3");
    let why = told(&mut game, b"throng play 2\n");
    assert_eq!(why, "this is not saved minds: it begins as `throng play 2`");
    assert!(game.restore(b"").is_err());
}
