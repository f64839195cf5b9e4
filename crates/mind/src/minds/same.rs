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
