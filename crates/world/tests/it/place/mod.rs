//! Worlds to test in: small ones by hand, large ones by a seed.
#![allow(dead_code, reason = "each test file uses a part")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

use throng_base::SplitMix;
use throng_mind::fact::EntityId;
use throng_mind::orders::{IssuedOrder, Message, MindId, Order, OrderId};
use throng_mind::time::Pace;
use throng_mind::words::{Word, Words};
use throng_world::build::{ActorDraft, Needs, NodeDraft, ThingDraft};
use throng_world::cell::Cell;
use throng_world::draw::{Signs, signs};
use throng_world::grenade::Grenade;
use throng_world::thing::ThingKind;
use throng_world::world::World;

/// A world, the words for it, and the orders given so far.
pub(crate) struct Place {
    pub(crate) world: World,
    pub(crate) words: Words,
    pub(crate) last_order: u32,
}

/// A thing that needs nothing; an item is a weapon for arm's length.
pub(crate) fn thing(name: &str, cell: Cell, kind: ThingKind, states: &[&str]) -> ThingDraft {
    let (name, states) = (name.to_string(), states.iter().map(|it| it.to_string()).collect());
    let arms = (kind == ThingKind::Item).then_some(0);
    ThingDraft { name, cell, kind, states, arms, ..ThingDraft::default() }
}

/// Things and their states, as drafts have them.
pub(crate) fn needs(needs: &[(&str, &str)]) -> Needs {
    needs.iter().map(|(thing, state)| (thing.to_string(), state.to_string())).collect()
}

/// Cover.
pub(crate) fn cover(name: &str, cell: Cell, with: &[(&str, &str)]) -> NodeDraft {
    let (name, sort) = (name.to_string(), "cover".to_string());
    NodeDraft { name, cell, sort, needs: needs(with), ..NodeDraft::default() }
}

impl Place {
    pub(crate) fn new(rows: &[&str]) -> Self {
        let mut words = Words::default();
        let world = World::new(rows, Pace { ticks_per_second: 10 }, &mut words).unwrap();
        Place { world, words, last_order: 0 }
    }

    /// A map of walls and floor, so many walls in a hundred cells.
    pub(crate) fn random(dice: &mut SplitMix, width: usize, height: usize, walls: usize) -> Self {
        let mut cell = || if dice.percent(walls) { '#' } else { '.' };
        let rows: Vec<String> = (0..height).map(|_| (0..width).map(|_| cell()).collect()).collect();
        Place::new(&rows.iter().map(String::as_str).collect::<Vec<_>>())
    }

    pub(crate) fn mark(&self, letter: char) -> Cell {
        let mut marks = self.world.grid().marks().iter();
        marks.find(|(known, _)| *known == letter).unwrap().1
    }

    /// The signs of those who are, or were, in the world.
    pub(crate) fn signs(&self) -> Signs {
        let actors = self.world.actors().iter().map(|it| (it.text.as_str(), it.is_minded()));
        signs(actors, &self.world.thing_letters())
    }

    /// Whether a grenade that lies there now would harm an actor in this cell.
    pub(crate) fn is_danger(&self, cell: Cell) -> bool {
        let harms = |it: &Grenade| {
            it.cell.is_within(cell, it.radius) && self.world.line_of_sight(it.cell, cell)
        };
        self.world.grenades().iter().any(harms)
    }

    pub(crate) fn word(&mut self, text: &str) -> Word {
        self.words.intern(text)
    }

    /// Somebody with a mind, a gun in hand and three grenades.
    pub(crate) fn soldier(&mut self, name: &str, cell: Cell, side: &str) -> EntityId {
        let (side, weapon) = (side.to_string(), Some("gun".to_string()));
        let soldier = ActorDraft::new(name, cell);
        let soldier = ActorDraft { npc: Some(0), side, weapon, grenades: 3, ..soldier };
        self.world.add_actor(&soldier, &mut self.words).unwrap()
    }

    pub(crate) fn player(&mut self, name: &str, cell: Cell, side: &str) -> EntityId {
        let player = ActorDraft { side: side.to_string(), ..ActorDraft::new(name, cell) };
        self.world.add_actor(&player, &mut self.words).unwrap()
    }

    pub(crate) fn thing(
        &mut self,
        name: &str,
        cell: Cell,
        kind: ThingKind,
        states: &[&str],
    ) -> EntityId {
        self.world.add_thing(&thing(name, cell, kind, states), &mut self.words).unwrap()
    }

    pub(crate) fn door(&mut self, name: &str, cell: Cell) -> EntityId {
        self.thing(name, cell, ThingKind::Door, &["shut", "open"])
    }

    pub(crate) fn node(&mut self, name: &str, cell: Cell, needs: &[(&str, &str)]) {
        let node = cover(name, cell, needs);
        self.world.add_node(&node, &mut self.words).unwrap();
    }

    pub(crate) fn order(&mut self, me: EntityId, order: Order) -> OrderId {
        self.last_order += 1;
        let id = OrderId(self.last_order);
        self.world.order(&IssuedOrder { mind: MindId(0), me, id, order });
        id
    }

    pub(crate) fn go(&mut self, me: EntityId, to: Cell, manner: &str) -> OrderId {
        let manner = self.word(manner);
        self.order(me, Order::Move { to: to.place(), node: Word::NONE, manner })
    }

    pub(crate) fn fight(&mut self, me: EntityId, what: &str, at: EntityId) -> OrderId {
        let what = self.word(what);
        self.order(me, Order::Weapon { what, at: Some(at), to: None })
    }

    pub(crate) fn handle(&mut self, me: EntityId, what: &str, on: EntityId) -> OrderId {
        let what = self.word(what);
        self.order(me, Order::Use { what, on })
    }

    /// Steps until the order ends: `done` or why not, and after how many steps.
    pub(crate) fn end_of(&mut self, id: OrderId) -> (String, u32) {
        for steps in 0..1_000 {
            let ends = self.world.reports().map(|(_, message)| message).filter_map(|it| match it {
                Message::Done(end) if end == id => Some(None),
                Message::Failed(end, why) if end == id => Some(Some(why)),
                _ => None,
            });
            let ends: Vec<Option<Word>> = ends.collect();
            if let Some(end) = ends.first() {
                assert_eq!(ends.len(), 1, "one end");
                return (end.map_or("done", |why| self.words.text(why)).to_string(), steps);
            }
            self.world.step();
        }
        panic!("no end after a thousand steps");
    }

    pub(crate) fn steps(&mut self, count: u32) {
        (0..count).for_each(|_| self.world.step());
    }

    /// Stimuli of a kind that somebody has got since the last call; all other reports are gone.
    pub(crate) fn told(&mut self, me: EntityId, kind: &str) -> usize {
        let kind = self.word(kind);
        let is_it = |(to, message): &(EntityId, Message)| {
            *to == me && matches!(message, Message::Stimulus(draft) if draft.kind == kind)
        };
        self.world.reports().filter(is_it).count()
    }
}

/// All cells of a map.
pub(crate) fn cells(world: &World) -> Vec<Cell> {
    let (width, height) = (world.grid().width(), world.grid().height());
    (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y))).collect()
}
