//! Bytes per mind, by part: guards and soldiers whose memory is full, soldiers in a fight.
//!
//! In:   a hundred guards, told facts of five attributes until each holds 32; any other minds.
//! Out:  bytes of the mind that takes most, and what each of its parts takes.

use super::guards::{Yard, minds};
use crate::report::{BenchResult, Session};
use crate::table::Table;
use throng_base::text::grouped;
use throng_mind::Mind;
use throng_mind::fact::{Attribute, EntityId, FactDraft, Value};
use throng_mind::orders::Message;

/// What was asked for: at most so many bytes, of a guard with 32 facts.
pub(super) const AIM: usize = 4_000;

/// Bytes of a mind, by part.
#[derive(Clone, Copy)]
pub(super) struct Bytes {
    pub(super) all: usize,
    parts: [(&'static str, usize); 11],
    pub(super) facts: usize,
}

impl Bytes {
    pub(super) fn of(mind: &Mind) -> Self {
        Bytes { all: mind.bytes(), parts: mind.bytes_by_part(), facts: mind.memory().len() }
    }

    /// Of the mind that takes most; of equals the first.
    pub(super) fn most<'m>(minds: impl IntoIterator<Item = &'m Mind>) -> Option<Self> {
        let all = minds.into_iter().map(Bytes::of);
        all.reduce(|most, next| if next.all > most.all { next } else { most })
    }
}

/// What takes how much: a row for each part, a column for each of these.
pub(super) fn table(columns: [(&str, &Bytes); 3]) -> Table {
    let [one, two, three] = columns.map(|(name, _)| name);
    let mut table = Table::new(&format!("part | {one}: | {two}: | {three}:"));
    let mut row = |name: &str, of: &dyn Fn(&Bytes) -> usize| {
        let [one, two, three] = columns.map(|(_, bytes)| grouped(of(bytes) as u64));
        table.row(format_args!("{name} | {one} | {two} | {three}"));
    };
    for (at, (name, _)) in columns[0].1.parts.iter().enumerate() {
        row(name, &|bytes| bytes.parts[at].1);
    }
    row("all", &|bytes| bytes.all);
    row("facts that it held", &|bytes| bytes.facts);
    table
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
    Ok(Bytes::most(minds.iter()).ok_or("there are no guards")?)
}
