//! Bytes per mind: guards whose memory is full.
//!
//! In:   a hundred guards, told facts of five attributes until each holds 32.
//! Out:  bytes of a mind, and of its memory alone.

use super::guards::{Yard, minds};
use crate::report::{BenchResult, Session};
use throng_mind::fact::{Attribute, EntityId, FactDraft, Value};
use throng_mind::orders::Message;

/// What was asked for: at most so many bytes.
pub(super) const AIM: usize = 8192;

/// Bytes of a mind.
pub(super) struct Bytes {
    pub(super) mind: usize,
    pub(super) memory: usize,
    pub(super) facts: usize,
}

pub(super) fn measure(session: &mut Session<'_>) -> BenchResult<Bytes> {
    session.begin("bytes per mind")?;
    let n = session.pick(100, 5);
    let mut minds = minds(n, true)?;
    let kind = minds.spec().told;
    let ids: Vec<_> = minds.iter().map(|mind| mind.id()).collect();
    for now in 0..600 {
        for &id in &ids {
            // A rumour now and then.
            let fact = FactDraft::new(kind)
                .with(Attribute::Position, Value::Position([now as f32, 0.0, 0.0]), 0.9)
                .with(Attribute::Stimulus, Value::Word(kind), 0.9)
                .with(Attribute::Object, Value::Entity(EntityId(u64::from(now))), 0.9)
                .with(Attribute::Radius, Value::Number(3.0), 0.9)
                .with(Attribute::Event, Value::Word(kind), 0.9);
            if now % 10 == 0 {
                let _ = minds.tell(id, Message::Told(Box::new(fact)));
            }
        }
        minds.tick(&Yard, now);
    }
    let facts = minds.iter().map(|mind| mind.memory().len()).min().unwrap_or(0);
    if facts != 32 {
        session.wrong.push(format!("a guard remembers {facts} facts, not 32"));
    }
    let memory = minds.iter().map(|mind| mind.memory().bytes()).max().unwrap_or(0);
    let mind = minds.iter().map(|mind| mind.bytes()).max().unwrap_or(0);
    Ok(Bytes { mind, memory, facts })
}
