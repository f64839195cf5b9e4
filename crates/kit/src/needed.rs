//! What spots and things ask for first: the facts `need`, part of the sensor `things`.
//!
//! In:   the spots and things around, and what the engine says that they need.
//! Out:  `need{source, object, knowledge, event, position, node}`: the source asks for the object to
//!       be in the state that `event` names; `knowledge` says whether it is (`met`) or not (`unmet`).
//! Cost: one question to the engine for each spot and thing around; nothing if the file asks for no
//!       `need`.
//!
//! A spot that is not there for want of something is nothing to go to for who does not ask for
//! needs; who does knows of it, and can bring about what it wants.

use crate::facts::name;
use crate::lists::Lent;
use crate::scene::{Scene, SpotView, Thing};
use throng_mind::fact::{Attribute, EntityId, FactDraft, Position};
use throng_mind::spec::Spec;
use throng_mind::words::Word;
use throng_mind::{Acting, Sensing};

/// So many needs are remembered.
const MOST: usize = 16;

/// Whether a file asks what things need.
pub(crate) fn are_asked_for(spec: &Spec, need: Word) -> bool {
    need != Word::NONE && spec.asked.iter().any(|&(kind, _)| kind == need)
}

/// Adds the spots that are not there for want of something.
pub(crate) fn add_wanting<W: Scene>(
    sensing: &Sensing<'_, W>,
    around: Position,
    reach: f32,
    out: &mut Vec<SpotView>,
) {
    if are_asked_for(sensing.spec, sensing.world.words().need) {
        sensing.world.wanting(around, reach, out);
    }
}

/// Remembers what the spots and things around need.
pub(crate) fn remember<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    from: Position,
    reach: f32,
    things: &[Thing],
) {
    let (world, me) = (sensing.world, sensing.me);
    if !are_asked_for(sensing.spec, world.words().need) {
        return;
    }
    let mut spots = Lent::new();
    world.spots(from, reach, &mut spots);
    world.wanting(from, reach, &mut spots);
    let of_spots = spots.iter().map(|spot| spot.id);
    let mut needs = Lent::new();
    let mut left = MOST;
    for source in of_spots.chain(things.iter().map(|thing| thing.id)) {
        needs.clear();
        world.needs(source, me, &mut needs);
        for need in needs.iter().take(left) {
            left -= 1;
            let Some(thing) = world.thing(need.thing) else { continue };
            let words = world.words();
            let draft = FactDraft::new(words.need)
                .with(Attribute::Source, source, 1.0)
                .with(Attribute::Object, thing.id, 1.0)
                .with(Attribute::Knowledge, if need.met { words.met } else { words.unmet }, 1.0)
                .with(Attribute::Event, need.state, 1.0)
                .with(Attribute::Position, thing.place, 1.0)
                .with_some(Attribute::Node, name(thing.name), 1.0);
            sensing.remember_one(draft, &[Attribute::Source, Attribute::Object]);
        }
    }
}

/// The state that something wants a thing to be in, as far as he knows.
pub(crate) fn state_wanted<W: Scene>(acting: &Acting<'_, W>, thing: EntityId) -> Option<Word> {
    let words = acting.world.words();
    let needs = acting.memory.of_kind(words.need);
    let mut wanted = needs.filter(|fact| {
        fact.entity(Attribute::Object) == Some(thing)
            && fact.word(Attribute::Knowledge) == Some(words.unmet)
    });
    wanted.next().and_then(|fact| fact.word(Attribute::Event))
}
