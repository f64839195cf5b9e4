//! Trading: `buy`, `fetch`, `deliver`, `make`, `consume`.
//!
//! In:   a thing, and which of its wares; of `consume` the ware alone.
//! Out:  an animation for as long as the action takes, then an `Other` order that lets goods change
//!       hands. Who is interrupted before that has neither paid nor got anything.
//! Cost: two orders.

use crate::geometry::is_beside;
use crate::lists::Lent;
use crate::reacting::play;
use crate::references::given;
use crate::scene::{Scene, Stock, Thing};
use crate::words::Vocabulary;
use throng_mind::fact::EntityId;
use throng_mind::orders::Order;
use throng_mind::words::Word;
use throng_mind::{Acting, Behaviour, Progress};

/// How far a thing is looked for from a spot.
const BESIDE: f32 = 2.0;

/// Something done with goods. `state` is 1 when the order is given.
pub(crate) struct Trading {
    what: fn(&Vocabulary) -> Word,
    /// It is about a thing, whose ware is named second; else about a ware.
    with_thing: bool,
}

/// One for its price.
pub(crate) const BUY: Trading = Trading { what: |words| words.buy, with_thing: true };
/// All that there is.
pub(crate) const FETCH: Trading = Trading { what: |words| words.fetch, with_thing: true };
/// What he has.
pub(crate) const DELIVER: Trading = Trading { what: |words| words.deliver, with_thing: true };
/// As much as there is room for.
pub(crate) const MAKE: Trading = Trading { what: |words| words.make, with_thing: true };
/// One of his own.
pub(crate) const CONSUME: Trading = Trading { what: |words| words.consume, with_thing: false };

impl<W: Scene> Behaviour<W> for Trading {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        if self.with_thing && thing_of(acting).is_none() {
            return Progress::Failed(acting.world.words().gone);
        }
        play(acting);
        Progress::Waiting
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let before = acting.board.progress();
        if before != Progress::Done || *acting.state == 1 {
            return before;
        }
        let words = acting.world.words();
        // What is picked meanwhile does not matter: a parameter is fixed, and a name he follows.
        let on = if self.with_thing { thing_of(acting) } else { None };
        let ware = acting.given(usize::from(self.with_thing)).unwrap_or(Word::NONE);
        let what = (self.what)(words);
        acting.board.order(Order::Other { what, on, name: ware, place: [0.0; 3], amount: 0.0 });
        *acting.state = 1;
        Progress::Waiting
    }
}

/// The thing that goods are in: the one that is given; at a spot, as a counter, the nearest beside it
/// that has any, or has room for some.
fn thing_of<W: Scene>(acting: &Acting<'_, W>) -> Option<EntityId> {
    let (world, given) = (acting.world, given(acting, 0)?);
    if given.what.is_some_and(|what| world.thing(what).is_some()) {
        return given.what;
    }
    let place = given.place?;
    let (mut things, mut stock) = (Lent::<Thing>::new(), Lent::<Stock>::new());
    world.things(place, BESIDE, &mut things);
    let mut has_goods = |thing: &&Thing| {
        stock.clear();
        world.stock(thing.id, &mut stock);
        is_beside(place, thing.place) && !stock.is_empty()
    };
    things.iter().find(|thing| has_goods(thing)).map(|thing| thing.id)
}
