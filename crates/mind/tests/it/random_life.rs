//! A random life, for tests inside the crate and outside of it: minds with every statement that a
//! file can have, and code that does anything.
//!
//! The world is a number; all that sensors and behaviours do follows from it, from whose mind it is
//! and from the tick.

use throng_base::SplitMix;
use throng_mind::fact::Value;
use throng_mind::prelude::*;
use throng_mind::spec::Spec;

pub(super) const TEXT: &str = "domain d
var v0: a, b, c, d
var v1: a, b, c
var v2: a, b
var v3: a, b, c
var v4: away, any two, any near
var ready(p in two): bool
var hit: no, yes
action go(p in v0): v0 -> p   takes 0.2   then forgets k2(node = it)   cooldown 0.2   uses legs
action take: v1 -> b   while v0 = b   if close   does code   first noise bang radius 3 and tells k0 to squad   uses hands, voice
action drop: v1 b -> a   kinds roll if close, hop if lucky, duck cost 2   does code
    else remembers k3(node = b, object = me, position = me, amount = 2) for 2   cooldown 0.6 of squad
action press: v2 -> b   while v1 = b   takes 0.3   finally tells k1(age < 1) to within 2   uses legs, hands
action shove: v2 -> b   if open   cost 0.3   takes 0.2   then tells k0 to side   cooldown 0.9 of side
action turn: v3 -> c   while v0 = c   if known   does code   chance 0.6 per 0.7
action back: v3 c -> a   does code   cooldown 0.3 of all   then remembers k1(node = c) for 1 and forgets k3
action look:   takes 0.4   does code   then tells k2 to all   cooldown 0.5   uses head
action reach(p in two): v4 -> p   if free(p)   needs p   does code   uses legs
action ready_it(p in two): ready(p) -> true   while v4 = p   does code
action strike: hit -> yes   while v4 = near   does code   uses hands
action chase(p in near): v4 -> p   needs p   does code   uses legs, head
action peek: v2 -> b   if seen   cost 0.4   takes 0.2   kinds far if dry, near cost 2
action slip(p in two): v4 -> p   if clear(p)   does code   uses legs, head
compound both: take, press   cost 1   uses legs, hands
select near: one of k0(amount > 0)
    where not k2(object = it) and age of it < 1.5
    score distance of it curve 0 1, 9 0.3 times sure node of it curve 0 0.4, 1 1
    margin 0.2   keep 0.3   spread 0.5
select two: best 2 of k1 or k3(age < 0.6) or need(source = near) or need(source = two)
    where not k0(source = near, within 2 of it)
    score amount of it else 0.5 curve 0 0.2, 3 1 times distance of it from near else 3 curve 0 0.3, 6 1
    every 0.2   while v3 != c   claims
select own: best 3 of k2(object != near) or k2(source = own)   by node   keep 0.2
goal g0: v2 = b   priority 3   relevance if k0 curve 0 0.4, 1 1   keep 0.5   cooldown 0.3   reconsiders 0.1
goal g1: v0 = d or v3 = c   priority 2   relevance distance of k1 curve 0 1, 6 0.2   margin 0.2   reconsiders 0.1
goal g2: v1 = a, v0 = a   priority 2   relevance count of shared k2 curve 0 0.3, 2 1   cooldown 1
goal g4: v4 = two   priority 3   relevance if two and not near curve 0 0.2, 1 0.9   reconsiders 0.1   lingers 0.3
goal g5: hit = yes   priority 4   relevance if near(distance < 5)
goal g6: ready(two.1) = true   priority 2   relevance if two.1
goal g3: v3 = a   priority 5   relevance if v0 = b or k2(age < 0.4)   urgent
npc one
    can go, take, drop, press, shove, turn, look, back, both, reach, ready_it, strike, chase, peek, slip
    wants g0, g1, g2, g3, g4, g5, g6
    starts v0 = a, v1 = a, v2 = a, v3 = a, v4 = away, hit = no
    otherwise look after 0.2   memory 12   doubt 1 for 0.5   retry 0.3   commits 0.3
npc two
    can go, take, drop, press, shove, turn, back, reach, ready_it, strike, chase, peek, slip
    wants g0, g1, g2, g4, g5, g6
    starts v0 = c, v1 = c, v2 = a, v3 = b, v4 = away
sensor s0: every 0 keeps 1 while v0 = a or shared k2 or k1(distance < 3)
sensor s1: every 0.3 keeps 0.5 feeds v0
sensor s2: on k0 keeps 2
sensor s3: on k1 while k0
sensor s4: every 0.2 feeds v3 while v0 = a or v1 = b
symbol v0: node of k0(sure node >= 0.5), c if shared k1(distance < 2), a
symbol v4: object of k3, away
symbol ready(p in two): true if k2(object = p), false
symbol hit: yes if near(node = c), no if near, no
symbol v3: b if k3(age < 0.5) or near(amount > 2)
check close: near(distance < 4) or two.1 or v3 = b
check free(p in two): not k3(object = p, amount > 2)
check known: own(sure node > 0.4) or not two(object != me)
price reach: distance of it else 3 curve 0 0.3, 8 4
price go: 2 if k2(object = near), amount of k0(node = it) else distance of near curve 0 0.5, 9 3   vary 0.3
check lucky: chance 0.4 per 0.3
check open: told default false
check seen: asks sight of near   keeps 0.3   default false
check clear(p in two): asks path of p   default true
check dry: asks weather of me   keeps 0.7   default false
learn turn: k3
flavour nod: if not k3   every 0.5   takes 0.2
beside aim: code(near)   with go, press, reach, look   if k0(age < 0.8) or v1 = b   uses hands, head
    first remembers k2(node = it, object = it) for 1   then forgets k0(object = it)
beside call: hum(contact)   if k1 or shared k2   uses voice   every 0.6   takes 0.2
    first tells k1 to within 3 and noise bang radius 2   finally remembers k3(node = d, amount = 1) for 0.5
beside stray: code(own)   with go, take, both, strike   if not k3(distance < 2)   uses head, voice   every 0.3   chance 0.7 per 0.5
    else forgets k2
beside pace_about: code   if v3 != c and near(distance < 4)   uses legs, head   chance 0.6 per 0.4
";

pub(super) const KINDS: [&str; 5] = ["k0", "k1", "k2", "k3", "need"];
pub(super) const WORDS: [&str; 4] = ["a", "b", "c", "d"];
#[derive(Clone)]
pub(super) struct Dice(pub(super) SplitMix);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Dice(SplitMix::new(seed))
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    pub(super) fn place(&mut self) -> Position {
        [self.below(6) as f32, self.below(6) as f32, 0.0]
    }

    pub(super) fn fact(&mut self, spec: &Spec) -> FactDraft {
        let words = WORDS.map(|word| spec.words.find(word).unwrap());
        let fact = FactDraft::new(spec.words.find(KINDS[self.below(5)]).unwrap());
        let known = spec.words.find(["met", "unmet"][self.below(2)]).unwrap();
        fact.with(Attribute::Knowledge, Value::Word(known), 1.0)
            .with(Attribute::Node, Value::Word(words[self.below(4)]), self.below(5) as f32 / 4.0)
            .with(Attribute::Position, Value::Position(self.place()), 1.0)
            .with(Attribute::Amount, Value::Number(self.below(4) as f32), 1.0)
            .with(Attribute::Object, EntityId(self.below(4) as u64), 1.0)
            .with(Attribute::Source, EntityId(self.below(4) as u64), 1.0)
    }
}

/// The world is a number; everything in it follows from that, who asks and when.
pub(super) type World = u64;

/// Code that does anything.
pub(super) struct Any(u64);

impl Sensor<World> for Any {
    fn sense(&self, s: &mut Sensing<'_, World>) -> Work {
        let seen = s.shared.len() as u64
            ^ (s.here[0] as u64) << 4
            ^ s.candidates("two").count() as u64
            ^ s.picked("near").map_or(0, |pick| u64::from(pick.since));
        let mut dice =
            Dice::new(*s.world ^ self.0 << 8 ^ s.me.0 << 16 ^ u64::from(s.now) << 24 ^ seen);
        *s.state = s.state.wrapping_add(1);
        if let Some((_, reply)) = s.answer {
            let sure = if reply.holds() == Some(true) { 1.0 } else { 0.3 };
            s.remember(dice.fact(s.spec).with(Attribute::Radius, sure, 1.0));
            return Work::Light;
        }
        if dice.below(3) == 0 {
            let to = Point::of(EntityId(dice.below(6) as u64), dice.place());
            let from = (dice.below(4) == 0).then(|| Point::at(dice.place()));
            let reply = match dice.below(3) {
                0 => s.ask_within(Ask::path(to, Word::NONE), 3),
                _ => s.ask(Ask::Sight { from, to }),
            };
            if reply == Reply::Yes {
                s.remember(dice.fact(s.spec));
            }
        }
        match dice.below(6) {
            0 => *s.here = dice.place(),
            1 => s.share(dice.fact(s.spec).keep(5)),
            2 | 3 => drop(s.memory().len()),
            _ => {
                s.remember_one(dice.fact(s.spec), &[Attribute::Node]);
            }
        }
        if dice.below(4) == 0 { Work::Heavy } else { Work::Light }
    }
}

impl Any {
    fn dice(&self, a: &Acting<'_, World>) -> Dice {
        let picked = a.picked("own").map_or(0, |pick| u64::from(pick.since));
        let past = picked ^ a.shared.len() as u64 ^ (a.here[0] as u64) << 4 ^ *a.state << 8;
        Dice::new(*a.world ^ a.me.0 << 16 ^ u64::from(a.now) << 24 ^ past << 40)
    }
}

impl Behaviour<World> for Any {
    fn start(&self, a: &mut Acting<'_, World>) -> Progress {
        let mut dice = self.dice(a);
        if dice.below(3) == 0 {
            let to = Point::of(EntityId(dice.below(6) as u64), dice.place());
            let reply = a.ask(Ask::Sight { from: None, to });
            if reply == Reply::Yes {
                return Progress::Done;
            }
        }
        a.board.order(Order::Animate { what: Word::NONE, ticks: dice.below(9) as Tick });
        if a.beside().is_some() && dice.below(4) == 0 {
            // Whether or not it has the legs.
            a.board.order(Order::Move { to: dice.place(), node: Word::NONE, manner: Word::NONE });
        }
        match dice.below(5) {
            0 => Progress::Done,
            1 => Progress::Failed(Word::NONE),
            2 => Progress::Until(a.now + 3),
            _ => Progress::Waiting,
        }
    }

    fn end(&self, a: &mut Acting<'_, World>, _: Ending) {
        let mut dice = self.dice(a);
        if dice.below(3) == 0 {
            a.remember(dice.fact(a.spec), 9);
        }
        if dice.below(5) == 0 {
            a.share(dice.fact(a.spec), 7);
        }
    }
}

/// The code; `s3` has none: it remembers what arrives.
pub(super) fn body() -> Body<World> {
    Body::new()
        .sensor("s0", Any(0))
        .sensor("s1", Any(1))
        .sensor("s2", Any(2))
        .sensor("s4", Any(4))
        .behaviour("code", Any(99))
}
