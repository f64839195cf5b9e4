//! What the kit asks of the field: the four traits.
//!
//! In:   questions of sensors and behaviours.
//! Out:  answers from the field as it is: ways at once, rays a tick later.
//! Cost: a walk over the people, spots or walls.

use super::field::{Field, MAGAZINE, SIGHT};
use throng::kit::geometry::distance;
use throng::kit::{
    Arms, Bodies, EngineAnswer, Eye, Mark, Paths, Seen, Sight, SpotView, Spots, Thing, Trip,
    Vocabulary, Way,
};
use throng::mind::prelude::*;

impl Bodies for Field {
    fn words(&self) -> &Vocabulary {
        &self.words
    }

    fn side(&self, who: EntityId) -> Word {
        self.person(who).map_or(Word::NONE, |person| person.side)
    }

    fn body(&self, who: EntityId) -> Option<Seen> {
        self.person(who).map(|person| Seen {
            alive: person.is_alive(),
            health: person.health,
            posture: if person.crouched { self.words.crouched } else { self.words.standing },
            aims_at: person.aims_at,
            pinned: person.pinned > self.now,
            name: person.name,
            ..Seen::at(person.place)
        })
    }

    fn arms(&self, who: EntityId) -> Arms {
        self.person(who).map_or(Arms::default(), |person| Arms {
            weapon: person.weapon,
            in_hand: person.in_hand,
            rounds: person.rounds,
            holds: MAGAZINE,
            spare: u32::MAX,
            grenades: person.grenades,
        })
    }

    fn near(&self, place: Position, radius: f32, out: &mut Vec<EntityId>) {
        let living = self.people.iter().filter(|person| person.is_alive());
        let mut near: Vec<(f32, EntityId)> =
            living.map(|person| (distance(place, person.place), person.id)).collect();
        near.retain(|(far, _)| *far <= radius);
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        out.extend(near.into_iter().map(|(_, id)| id));
    }
}

impl Sight for Field {
    /// Rays are cast beside the frame: see [`Field::cast_rays`].
    fn sees(&self, _: Eye, _: Mark) -> EngineAnswer<f32> {
        EngineAnswer::Later
    }

    fn range(&self) -> f32 {
        SIGHT
    }

    fn protects(&self, spot: EntityId, from: Position) -> EngineAnswer<bool> {
        self.spot(spot).map(|spot| protects(&spot, from)).into()
    }
}

impl Field {
    /// Answers the rays that were asked for in the tick before, and takes those of the last.
    pub(crate) fn cast_rays(&mut self, minds: &mut Minds<Field>) {
        for question in std::mem::take(&mut self.rays) {
            let (from, to) = (question.from.place, question.to.map_or([0.0; 3], |to| to.place));
            let is_seen = distance(from, to) <= SIGHT && self.walls.is_clear(from, to);
            minds.answer(question.id, is_seen);
        }
        self.rays.extend_from_slice(minds.questions());
    }
}

/// Whether a spot protects against shots from a place.
pub(crate) fn protects(spot: &SpotView, from: Position) -> bool {
    spot.faces.is_some_and(|faces| {
        let to = [0, 1].map(|axis| from[axis] - spot.place[axis]);
        let along = to[0] * faces.direction[0] + to[1] * faces.direction[1];
        let lengths = to[0].hypot(to[1]) * faces.direction[0].hypot(faces.direction[1]);
        along >= lengths * (faces.arc / 2.0).to_radians().cos()
    })
}

impl Paths for Field {
    fn way(&self, from: Eye, to: Mark, trip: &Trip<'_>) -> EngineAnswer<Way> {
        let Some((corners, cost)) = self.walls.way(from.place, to.place) else {
            return EngineAnswer::Never;
        };
        let is_seen =
            |place: &Position| trip.eyes.iter().any(|&eye| self.walls.is_clear(eye, *place));
        let watched = corners.iter().any(is_seen);
        EngineAnswer::Now(Way { cost, link: None, shut: false, watched })
    }

    fn clear(&self, at: Position, radius: f32) -> EngineAnswer<bool> {
        let is_near = |place| distance(place, at) < radius * 2.0;
        let is_taken = self.people.iter().any(|it| it.is_alive() && is_near(it.place));
        EngineAnswer::Now(self.walls.has_room(at, radius) && !is_taken)
    }
}

impl Spots for Field {
    fn spots(&self, around: Position, radius: f32, out: &mut Vec<SpotView>) {
        out.extend(self.spots.iter().filter(|spot| distance(around, spot.place) <= radius));
        out.sort_by(|a, b| {
            distance(around, a.place).total_cmp(&distance(around, b.place)).then(a.id.cmp(&b.id))
        });
    }

    fn things(&self, _: Position, _: f32, _: &mut Vec<Thing>) {}

    fn spot(&self, id: EntityId) -> Option<SpotView> {
        self.spots.iter().find(|spot| spot.id == id).copied()
    }

    fn thing(&self, _: EntityId) -> Option<Thing> {
        None
    }

    fn named(&self, name: Word) -> Option<EntityId> {
        let spot = self.spots.iter().find(|spot| spot.name == name).map(|spot| spot.id);
        spot.or_else(|| Some(self.people.iter().find(|person| person.name == name)?.id))
    }

    fn stands_at(&self, who: EntityId) -> Option<EntityId> {
        let place = self.person(who)?.place;
        let mut near = self.spots.iter().filter(|spot| distance(spot.place, place) < 0.6);
        near.next().map(|spot| spot.id)
    }

    fn place(&self, what: EntityId) -> Option<Position> {
        let person = self.person(what).map(|person| person.place);
        person.or_else(|| Some(self.spot(what)?.place))
    }
}
