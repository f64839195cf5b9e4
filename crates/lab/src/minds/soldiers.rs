//! Soldiers to measure: the file of the levels with two selections more, and a memory that is full.
//!
//! In:   how many, and the seconds that have passed.
//! Out:  minds with 16 selections, each told 160 facts such as a soldier in a fight has.
//! Cost: none to speak of. The senses are still: all that these soldiers know they are told, so that
//!       nothing but the minds is measured.

use crate::report::BenchResult;
use throng::Domain;
use throng_base::SplitMix;
use throng_mind::fact::{Attribute, EntityId, FactDraft};
use throng_mind::orders::{Message, MindId};
use throng_mind::spec::When;
use throng_mind::time::NEVER;
use throng_mind::words::{Word, Words};
use throng_mind::{Body, Minds, Sensing, Work};

const KIT: &str = include_str!("../../../../domains/levels/soldiers/kit.npc");
const SOLDIER: &str = include_str!("../../../../domains/levels/soldiers/soldier.npc");

/// What makes the soldier's twelve selections fourteen.
const MORE: &str = "
select mate: one of friend                  score distance of it curve 0 1, 30 0.1
select exit: one of thing(stimulus = door)
    score amount of path(object = it) else distance of it curve 0 1, 30 0.1
";

/// Selections of these soldiers, and facts that they are told.
pub(super) const SELECTS: usize = 16;
pub(super) const FACTS: usize = 160;

/// Ticks in a second.
pub(super) const PACE: u32 = 60;

/// How many enemies a soldier knows, one of them dead, and how many covers.
const ENEMIES: u64 = 8;
const COVERS: u64 = 10;
const NOISES: u64 = 3;

/// Nothing is here.
pub(super) struct Nowhere;

/// The soldiers' file as one text, and a level's too.
fn soldier() -> String {
    SOLDIER.replace("use \"kit.npc\"", KIT)
}

/// The domain of the soldiers; `alone`: without a word about others.
pub(super) fn domain(alone: bool) -> BenchResult<Domain> {
    let mut text = soldier() + MORE;
    if alone {
        let lines = text.lines().filter(|line| line.trim() != "claims");
        let lines = lines.map(|line| line.strip_suffix("  claims").unwrap_or(line));
        let lines: Vec<&str> = lines.filter(|line| !line.trim().starts_with("spread")).collect();
        text = lines.join("\n");
    }
    Ok(Domain::from_text(&text)?)
}

/// So many soldiers with minds, whose senses are still.
pub(super) fn minds(n: usize, alone: bool) -> BenchResult<Minds<Nowhere>> {
    let domain = domain(alone)?;
    let spec = domain.mind_spec(PACE)?;
    let mut body = Body::new().words(&["enemy", "unknown"]);
    for sensor in &spec.sensors {
        if let When::Every(_) = sensor.when {
            let name = spec.words.text(sensor.name);
            body = body.sensor(name, |_: &mut Sensing<'_, Nowhere>| Work::Light);
        }
    }
    let mut minds = Minds::new(spec, body, 1)?;
    for me in 0..n {
        minds.spawn("soldier", EntityId(me as u64))?;
    }
    Ok(minds)
}

/// What a soldier knows: things of his have numbers from `first` on.
#[derive(Clone, Copy)]
pub(super) struct Knowledge<'w> {
    pub(super) words: &'w Words,
    pub(super) first: u64,
}

/// Where the numbers of enemies, friends, spots and things begin.
const FRIEND: u64 = 20;
pub(super) const SPOT: u64 = 40;
const THING: u64 = 80;

impl Knowledge<'_> {
    pub(super) fn word(&self, text: &str) -> Word {
        self.words.find(text).unwrap_or(Word::NONE)
    }

    fn fact(&self, kind: &str) -> FactDraft {
        FactDraft::new(self.word(kind)).keep(NEVER)
    }

    /// A fact about the thing of a number, somewhere.
    fn about(&self, kind: &str, thing: u64, place: [f32; 2]) -> FactDraft {
        let [x, y] = place;
        let fact = self.fact(kind).with(Attribute::Object, self.thing(thing), 1.0);
        fact.with(Attribute::Position, [x, y, 0.0], 1.0)
    }

    pub(super) fn thing(&self, number: u64) -> EntityId {
        EntityId(self.first + number)
    }

    /// What another second has changed: where enemies are, and what he has heard.
    pub(super) fn news(&self, second: u32) -> Vec<FactDraft> {
        let mut random = SplitMix::new(self.first ^ u64::from(second) << 32);
        let mut place = || [0, 1].map(|_| random.within(0, 60) as f32 - 30.0);
        let mut facts = Vec::new();
        for enemy in 0..ENEMIES {
            let state = if enemy == 0 { "dead" } else { "alive" };
            let sure = 0.3 + 0.1 * ((enemy + u64::from(second)) % 8) as f32;
            let fact = self.about("character", enemy, place());
            let fact = fact.with(Attribute::Knowledge, self.word(state), 1.0);
            let fact = fact.with(Attribute::Stimulus, self.word("seen"), sure);
            facts.push(fact.with(Attribute::Amount, 100.0, 1.0));
        }
        for noise in 0..NOISES {
            let fact = self.about("disturbance", THING + 20 + noise, place());
            facts.push(fact.with(Attribute::Stimulus, self.word("noise"), 0.8));
        }
        facts
    }

    /// All that stays as it is.
    pub(super) fn rest(&self) -> Vec<FactDraft> {
        let mut random = SplitMix::new(!self.first);
        let mut facts = vec![
            self.fact("self").with(Attribute::Position, [0.0; 3], 1.0),
            self.fact("weapon")
                .with(Attribute::Knowledge, self.word("armed"), 1.0)
                .with(Attribute::Stimulus, self.word("loaded"), 1.0)
                .with(Attribute::Amount, 12.0, 1.0),
            self.about("leader", FRIEND, [3.0, 1.0]),
        ];
        let mut place = || [0, 1].map(|_| random.within(0, 60) as f32 - 30.0);
        for friend in FRIEND..FRIEND + 7 {
            facts.push(self.about("friend", friend, place()));
        }
        for body in 0..2 {
            let fact = self.about("body", FRIEND + 10 + body, place());
            facts.push(fact.with(Attribute::Stimulus, self.word("friend"), 1.0));
        }
        for spot in 0..24 {
            let sort = match spot {
                _ if spot < COVERS => "cover",
                10..16 => "view",
                16..20 => "work",
                _ => "unknown",
            };
            let fact = self.about("spot", SPOT + spot, place());
            let fact = fact.with(Attribute::Knowledge, self.word(sort), 1.0);
            facts.push(fact.with(Attribute::Index, spot as f32, 1.0));
        }
        for thing in 0..10 {
            let kind = ["item", "vehicle", "door"][thing as usize % 3];
            let fact = self.about("thing", THING + thing, place());
            facts.push(fact.with(Attribute::Stimulus, self.word(kind), 1.0));
        }
        for to in (SPOT..SPOT + 24).chain(THING..THING + 6) {
            let fact = self.fact("path").with(Attribute::Object, self.thing(to), 1.0);
            let fact = fact.with(Attribute::Amount, random.within(2, 40) as f32, 1.0);
            facts.push(fact.with(Attribute::Knowledge, self.word("clear"), 1.0));
        }
        let seen = |kind: &str, spot: u64, enemy: u64| {
            let fact = self.fact(kind).with(Attribute::Object, self.thing(SPOT + spot), 1.0);
            fact.with(Attribute::Source, self.thing(enemy), 1.0)
        };
        // Every third pair of a spot and an enemy is in view of each other.
        let pairs = (0..24).flat_map(|spot| (1..ENEMIES).map(move |enemy| (spot, enemy)));
        for (spot, enemy) in pairs.step_by(3).take(36) {
            facts.push(seen("exposed", spot, enemy));
            if facts.len() + 1 < FACTS - (ENEMIES + NOISES) as usize - 4 {
                facts.push(seen("reach", spot, enemy));
            }
        }
        for enemy in 1..3 {
            facts.push(self.fact("aimed").with(Attribute::Source, self.thing(enemy), 1.0));
        }
        while facts.len() < FACTS - (ENEMIES + NOISES) as usize {
            let fact = self.fact("damage").with(Attribute::Amount, 5.0, 1.0);
            facts.push(fact.with(Attribute::Source, self.thing(3), 1.0));
        }
        facts
    }
}

/// Tells a mind facts; those it knows already in place of what they were.
pub(super) fn tell(
    minds: &mut Minds<Nowhere>,
    id: MindId,
    facts: Vec<FactDraft>,
    is_known: bool,
) -> BenchResult {
    for fact in facts.into_iter().map(Box::new) {
        minds.tell(id, if is_known { Message::Retold(fact) } else { Message::Told(fact) })?;
    }
    Ok(())
}
