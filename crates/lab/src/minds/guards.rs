//! Guards to measure: a file with ten sensors, eight goals, symbols and checks, and its code.
//!
//! In:   whether two of the sensors look in every tick.
//! Out:  a spec, the body, and what each sensor sees: a function of the guard alone, so that
//!       nothing changes.
//! Cost: none to speak of; four of the sensors say that their work is heavy.

use crate::report::BenchResult;
use throng::Domain;
use throng_mind::fact::{Attribute, EntityId, FactDraft, Value};
use throng_mind::memory::Memory;
use throng_mind::spec::Spec;
use throng_mind::time::Tick;
use throng_mind::words::{Word, Words};
use throng_mind::{Body, Minds, Sensing, Work};

/// Ticks in a second.
pub(super) const PACE: u32 = 60;

/// The sensors that are polled, in the order of the file: name, and whether the work is heavy.
pub(super) const POLLED: [(&str, bool); 6] = [
    ("feet", false),
    ("hands", false),
    ("eyes", true),
    ("map", true),
    ("mates", false),
    ("clock", false),
];

const DOMAIN: &str = include_str!("guards.npc");

/// Everything a guard can see: nothing moves here.
pub(super) struct Yard;

/// The spec of the guards; `every_tick`: two sensors look in every tick.
pub(super) fn spec(every_tick: bool) -> BenchResult<(Domain, Spec)> {
    let text = match every_tick {
        true => DOMAIN.to_string(),
        false => DOMAIN.replace("every 0 ", "every 0.5 "),
    };
    let domain = Domain::from_text(&text)?;
    let spec = domain.mind_spec(PACE)?;
    Ok((domain, spec))
}

/// What a sensor sees for a guard, and which attributes say that it is the same fact.
pub(super) fn seen(
    words: &Words,
    sensor: usize,
    me: EntityId,
) -> (FactDraft, &'static [Attribute]) {
    use Attribute::{Amount, Event, Knowledge, Node, Object, Position, Stimulus};
    let word = |text: &str| words.find(text).unwrap_or(Word::NONE);
    let some = (me.0 % 7) as f32;
    let position = Value::Position([some, some + 1.0, 0.0]);
    let named = |text: &str| Value::Word(word(text));
    let (thing, shots) = (|id: u64| Value::Entity(EntityId(id)), Value::Number(6.0));
    let (kind, parts, same): (_, &[(Attribute, Value, f32)], &'static [Attribute]) = match sensor {
        0 => ("self", &[(Position, position, 1.0), (Node, named("post"), 1.0)], &[]),
        1 => ("weapon", &[(Knowledge, named("holstered"), 1.0), (Amount, shots, 1.0)], &[]),
        2 => {
            let seen = (Stimulus, named("seen"), 0.2);
            ("character", &[(Object, thing(1), 1.0), (Position, position, 0.4), seen], &[Object])
        }
        3 => ("node", &[(Node, named("wall"), 1.0), (Position, position, 1.0)], &[Node]),
        4 => ("mate", &[(Object, thing(2), 1.0), (Position, position, 1.0)], &[Object]),
        _ => ("day", &[(Event, named("night"), 1.0)], &[]),
    };
    let draft =
        parts.iter().fold(FactDraft::new(word(kind)), |draft, &(attribute, value, sure)| {
            draft.with(attribute, value, sure)
        });
    (draft, same)
}

/// Writes down what a sensor sees, as a loop without minds would.
pub(super) fn write(memory: &mut Memory, spec: &Spec, sensor: usize, me: EntityId, now: Tick) {
    let (draft, same) = seen(&spec.words, sensor, me);
    let rules = &spec.sensors[sensor];
    memory.put(&draft, same, rules.name, now, rules.keeps);
}

/// The code of the sensors.
fn body() -> Body<Yard> {
    let mut body = Body::new().words(&["post", "wall", "seen", "night", "holstered"]);
    for (at, (name, heavy)) in POLLED.into_iter().enumerate() {
        body = body.sensor(name, move |sensing: &mut Sensing<'_, Yard>| {
            let (draft, same) = seen(&sensing.spec.words, at, sensing.me);
            sensing.remember_one(draft, same);
            if heavy { Work::Heavy } else { Work::Light }
        });
    }
    body
}

/// So many guards with minds, who have looked around.
pub(super) fn minds(n: usize, every_tick: bool) -> BenchResult<Minds<Yard>> {
    let (domain, spec) = spec(every_tick)?;
    let npc = domain.npc_type("guard")?;
    let mut minds = Minds::new(spec, body(), 1)?;
    for me in 0..n {
        minds.spawn(npc, EntityId(me as u64 + 10))?;
    }
    Ok(minds)
}
