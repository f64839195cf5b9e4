//! Whether two sets of minds are the same, found without a digest.
//!
//! In:   minds, and others that are to be the same: those of a recording, and of the game that is
//!       played again beside it.
//! Out:  yes or no, as their digests would say.
//! Cost: one pass over both, a small part of what two digests take.
//!
//! Minds are compared part by part where they stand, their numbers bit by bit, for two zeros may
//! differ in their sign. Those that seem to differ, and those that have what is rare, are written
//! on both sides and the bytes compared: parts may hold more than is saved of them.

use super::Minds;
use crate::fact::Position;
use crate::mind::Mind;
use crate::spec::Spec;
use throng_base::codec::Encoder;

/// Room to write something of both sides.
#[derive(Default)]
struct Both([Encoder; 2]);

impl Both {
    /// Whether something is written the same of both.
    fn same<T>(&mut self, two: [T; 2], mut write: impl FnMut(T, &mut Encoder)) -> bool {
        for (to, one) in self.0.iter_mut().zip(two) {
            to.bytes.clear();
            write(one, to);
        }
        self.0[0] == self.0[1]
    }
}

impl<W: ?Sized + Sync> Minds<W> {
    /// Whether others, of the same file and in whatever world, are what these are, bit by bit: their
    /// [digests](Self::digest) are the same then, and found to be in a fraction of the time.
    pub fn is_same<V: ?Sized + Sync>(&self, other: &Minds<V>) -> bool {
        let mut both = Both::default();
        let are_same = self.is_same_in(other, &mut both);
        debug_assert_eq!(are_same, self.digest() == other.digest(), "the digests say otherwise");
        are_same
    }

    fn is_same_in<V: ?Sized + Sync>(&self, other: &Minds<V>, both: &mut Both) -> bool {
        let specs = [&*self.spec, &*other.spec];
        self.places.len() == other.places.len()
            && self.iter().zip(other.iter()).all(|(one, two)| is_same(specs, [one, two], both))
            && (self.shared.is_same(&other.shared)
                || both.same([&self.shared, &other.shared], |memory, to| memory.encode(to)))
            && both.same([self.others.claims(), other.others.claims()], |all, to| _ = to.write(all))
    }
}

fn is_same(specs: [&Spec; 2], [one, two]: [&Mind; 2], both: &mut Both) -> bool {
    let whole = |(spec, mind): (&Spec, &Mind), to: &mut Encoder| mind.encode(spec, to);
    seems_same(one, two) || both.same([(specs[0], one), (specs[1], two)], whole)
}

/// `true` is certain.
fn seems_same(one: &Mind, two: &Mind) -> bool {
    let numbers = |mind: &Mind| (mind.id, mind.me, mind.npc, mind.side, mind.squad, mind.wake);
    let bits = |place: Position| place.map(f32::to_bits);
    let places = |mind: &Mind| (bits(mind.here), mind.board.destination.map(bits));
    // What is rare and holds numbers of the game is not looked at here.
    let has_rest = !(one.inbox.is_empty() && one.board.out.is_empty() && one.questions.are_none());
    !has_rest
        && numbers(one) == numbers(two)
        && places(one) == places(two)
        && one.shared_seen == two.shared_seen
        && one.inbox == two.inbox
        && one.questions == two.questions
        && one.board == two.board
        && one.senses.is_same(&two.senses)
        && one.picks.is_same(&two.picks)
        && one.goals.are_same(&two.goals)
        && one.plan == two.plan
        && one.follow == two.follow
        && one.state.is_same(&two.state)
        && one.memory.is_same(&two.memory)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may stop")]
mod tests {
    use super::*;
    use crate::body::{Body, Sensing, Work};
    use crate::choose::Goals;
    use crate::fact::{Attribute, EntityId, FactDraft};
    use crate::orders::MindId;
    use crate::time::Pace;
    use crate::words::Word;
    use std::sync::Arc;
    use throng_domain::formats::{load, no_includes};
    use throng_domain::{Format, Limits};
    use throng_planner::PreparedDomain;

    const TEXT: &str = "domain d
var x: a, b
select target: one of thing   margin 0
action go: x a -> b
goal g: x = b   relevance if target
npc n
    can go
    wants g
    starts x = a
sensor eyes: every 0.1 keeps 10
";

    fn minds() -> Minds<()> {
        let (limits, words) = (Limits::default(), &crate::notes::WORDS);
        let loaded = load("d.npc", TEXT, Format::Npc, &limits, words, &mut no_includes);
        let model = loaded.model.unwrap();
        let domain = Arc::new(PreparedDomain::new(&model));
        let spec = Spec::read(&model, domain, Pace { ticks_per_second: 10 }).unwrap();
        let eyes = |sensing: &mut Sensing<'_, ()>| {
            let seen = sensing.fact("thing").with(Attribute::Index, 0.0, 0.5);
            sensing.remember_one(seen.with(Attribute::Object, EntityId(7), 1.0), &[]);
            Work::Light
        };
        let body = Body::new().sensor("eyes", eyes).words(&["thing"]);
        let mut minds = Minds::new(spec, body, 1).unwrap();
        minds.spawn("n", EntityId(1)).unwrap();
        (1..5).for_each(|now| minds.tick(&(), now));
        minds
    }

    fn thing(index: f32) -> FactDraft {
        FactDraft::new(Word(9)).with(Attribute::Index, index, 0.5)
    }

    /// What is done to the mind of one side and not to that of the other.
    /// What is planted, and how.
    type Plant = (&'static str, fn(&mut Mind));

    const PLANTS: [Plant; 19] = [
        ("a place", |mind| mind.here[1] = 0.25),
        ("a zero of another sign", |mind| mind.here[1] = -0.0),
        ("no place", |mind| mind.here[1] = f32::NAN),
        ("a side", |mind| mind.side = Word(1)),
        ("a squad", |mind| mind.squad = Some(MindId(3))),
        ("when it wakes", |mind| mind.wake += 1),
        ("what it has seen of all", |mind| mind.shared_seen.0 += 1),
        ("a fact", |mind| _ = mind.memory.add(&thing(1.0), Word(2), 4, 10)),
        ("a value", |mind| {
            let id = mind.memory.iter().next().unwrap().id();
            mind.memory.set(id, Attribute::Index, 2.0, 0.5, 4).unwrap();
        }),
        ("a confidence", |mind| {
            let id = mind.memory.iter().next().unwrap().id();
            assert!(mind.memory.lower(id, Attribute::Index, 0.25));
        }),
        ("a fact that has gone", |mind| {
            let id = mind.memory.iter().next().unwrap().id();
            assert!(mind.memory.remove(id));
        }),
        ("when it looked", |mind| mind.senses = crate::senses::Senses::default()),
        ("a pick", |mind| mind.picks.slots[0].score = 0.125),
        ("what it sees", |mind| mind.state.learnt.push(true)),
        ("what it wants", |mind| mind.goals = Goals::default()),
        ("a plan", |mind| mind.plan.serial += 1),
        ("what it did", |mind| {
            mind.follow.started += 1;
            mind.follow.ended += 1;
        }),
        ("where it goes", |mind| mind.board.destination = Some([1.0; 3])),
        ("how many orders it gave", |mind| mind.board.last += 1),
    ];

    #[test]
    fn every_kind_of_difference_is_seen() {
        for (what, plant) in PLANTS {
            let [mut one, mut two] = [minds(), minds()];
            assert!(one.is_same(&two), "{what}");
            let id = one.iter().next().unwrap().id();
            plant(one.mind_mut(id).unwrap());
            assert!(!one.is_same(&two) && !two.is_same(&one), "{what}");
            plant(two.mind_mut(id).unwrap());
            assert!(one.is_same(&two), "{what} on both sides");
        }
        let [mut one, two] = [minds(), minds()];
        one.shared.add(&thing(1.0), Word(2), 4, 10);
        assert!(!one.is_same(&two), "what all share");
        let [mut one, two] = [minds(), minds()];
        one.spawn("n", EntityId(2)).unwrap();
        assert!(!one.is_same(&two) && !two.is_same(&one), "one mind more");
    }

    #[test]
    fn zeros_of_another_sign_are_seen_wherever_they_are() {
        let signs: [fn(&mut Mind, f32); 3] = [
            |mind, zero| mind.board.destination = Some([zero; 3]),
            |mind, zero| mind.picks.slots[0].score = zero,
            |mind, zero| _ = mind.memory.add(&thing(zero), Word(2), 4, 10),
        ];
        for sign in signs {
            let [mut one, mut two] = [minds(), minds()];
            let id = one.iter().next().unwrap().id();
            sign(one.mind_mut(id).unwrap(), 0.0);
            sign(two.mind_mut(id).unwrap(), -0.0);
            assert!(!one.is_same(&two));
        }
    }
}
