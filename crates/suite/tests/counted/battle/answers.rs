//! What the kit asks of the battle: the four traits.

use super::{Battle, Person, SIGHT, SPOTS, THINGS};
use throng::kit::geometry::distance;
use throng::kit::questions::TripBeliefs;
use throng::kit::{
    Arms, Bodies, EngineAnswer, Eye, Mark, Paths, Seen, Sight, SpotView, Spots, Thing, Trip,
    Vocabulary, Way,
};
use throng::mind::prelude::*;
use throng_mind::Minds;

impl Bodies for Battle {
    fn words(&self) -> &Vocabulary {
        self.note_thread();
        &self.words
    }

    fn side(&self, who: EntityId) -> Word {
        self.person(who).map_or(Word::NONE, |person| person.side)
    }

    fn body(&self, who: EntityId) -> Option<Seen> {
        self.person(who).map(|person| Seen {
            alive: person.is_alive(),
            health: person.health,
            posture: self.words.standing,
            aims_at: person.aims_at,
            pinned: person.pinned > self.now,
            ..Seen::at(person.place)
        })
    }

    fn arms(&self, who: EntityId) -> Arms {
        self.person(who).map_or(Arms::default(), |person| Arms {
            weapon: Some(self.words.shot),
            in_hand: person.in_hand,
            rounds: person.rounds,
            holds: super::MAGAZINE,
            spare: u32::MAX,
            grenades: person.grenades,
        })
    }

    fn near(&self, place: Position, radius: f32, out: &mut Vec<EntityId>) {
        let far = |person: &Person| distance(place, person.place);
        let near = self.people.iter().filter(|it| it.is_alive() && far(it) <= radius);
        out.extend(near.map(|person| person.id));
        let far = |id: EntityId| self.person(id).map_or(0.0, far);
        out.sort_unstable_by(|&a, &b| far(a).total_cmp(&far(b)).then(a.cmp(&b)));
    }
}

impl Sight for Battle {
    fn sees(&self, from: Eye, to: Mark) -> EngineAnswer<f32> {
        if self.is_late {
            return EngineAnswer::Later;
        }
        EngineAnswer::Now(if Battle::is_seen(from.place, to.place) { 1.0 } else { 0.0 })
    }

    fn range(&self) -> f32 {
        SIGHT
    }

    fn protects(&self, spot: EntityId, from: Position) -> EngineAnswer<bool> {
        if self.is_late {
            return EngineAnswer::Later;
        }
        let spot = self.spot(spot);
        let protects = |spot: SpotView| {
            spot.faces.is_some_and(|faces| (from[1] - spot.place[1]) * faces.direction[1] > 0.0)
        };
        spot.map(protects).into()
    }
}

impl Battle {
    fn is_seen(from: Position, to: Position) -> bool {
        distance(from, to) <= SIGHT && Battle::is_clear(from, to)
    }

    fn way_now(from: Eye, to: Mark, trip: &Trip<'_>) -> Way {
        let far = distance(from.place, to.place);
        let detour = if Battle::is_clear(from.place, to.place) { 1.0 } else { 1.4 };
        let watched = trip.eyes.iter().any(|&eye| Battle::is_clear(eye, to.place));
        Way { cost: far * detour, link: None, shut: false, watched }
    }

    /// What is so now.
    pub(super) fn reply(&self, minds: &Minds<Battle>, question: &IssuedQuestion) -> Reply {
        let (Some(to), Some(mind)) = (question.to, minds.mind(question.mind)) else {
            return Reply::Unanswered;
        };
        match TripBeliefs::of(self, mind, question) {
            Some(trip) => Battle::way_now(question.from.into(), to.into(), &trip.trip()).into(),
            None => Battle::is_seen(question.from.place, to.place).into(),
        }
    }
}

impl Paths for Battle {
    fn way(&self, from: Eye, to: Mark, trip: &Trip<'_>) -> EngineAnswer<Way> {
        match self.is_late {
            true => EngineAnswer::Later,
            false => EngineAnswer::Now(Battle::way_now(from, to, trip)),
        }
    }

    fn clear(&self, at: Position, radius: f32) -> EngineAnswer<bool> {
        let is_near = |it: &Person| it.is_alive() && distance(it.place, at) < radius;
        EngineAnswer::Now(!self.people.iter().any(is_near))
    }
}

impl Spots for Battle {
    fn spots(&self, around: Position, radius: f32, out: &mut Vec<SpotView>) {
        let far = |spot: &SpotView| distance(around, spot.place);
        out.extend(self.spots.iter().filter(|spot| far(spot) <= radius));
        out.sort_unstable_by(|a, b| far(a).total_cmp(&far(b)).then(a.id.cmp(&b.id)));
    }

    fn things(&self, around: Position, radius: f32, out: &mut Vec<Thing>) {
        let far = |thing: &Thing| distance(around, thing.place);
        out.extend(self.things.iter().filter(|thing| far(thing) <= radius));
        out.sort_unstable_by(|a, b| far(a).total_cmp(&far(b)).then(a.id.cmp(&b.id)));
    }

    fn spot(&self, id: EntityId) -> Option<SpotView> {
        self.spots.get(id.0.checked_sub(SPOTS)? as usize).copied()
    }

    fn thing(&self, id: EntityId) -> Option<Thing> {
        self.things.get(id.0.checked_sub(THINGS)? as usize).copied()
    }

    fn named(&self, _: Word) -> Option<EntityId> {
        None
    }

    fn stands_at(&self, who: EntityId) -> Option<EntityId> {
        let place = self.person(who)?.place;
        self.spots.iter().find(|spot| distance(spot.place, place) < 0.6).map(|spot| spot.id)
    }

    fn place(&self, what: EntityId) -> Option<Position> {
        let person = self.person(what).map(|person| person.place);
        let spot = || self.spot(what).map(|spot| spot.place);
        person.or_else(spot).or_else(|| Some(self.thing(what)?.place))
    }
}
