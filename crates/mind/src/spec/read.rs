//! From notes to a spec.
//!
//! In:   the notes of a model, in the order of the text.
//! Out:  the [`Spec`], or every mistake.
//! Cost: one pass over the words; what a bare name stands for is counted against [`ROOM`].
//!
//! A mistake in what a word means does not stop a note: the rest of it is read with something
//! harmless in its place. Only a word in the wrong place does, because what follows is unknown.

use super::asked::{AskedPattern, AskedTest};
use super::facts::DeclaredFacts;
use super::names::Names;
use super::references::Bound;
use super::watched::AllWatched;
use super::{NpcSpec, SelectSpec, Spec, makes, needs};
use crate::notes::STORIES;
use crate::spec::SquadWords;
use crate::time::Pace;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use throng_base::Digest128;
use throng_base::codec::Encoder;
use throng_domain::compile::CompiledDomain;
use throng_domain::model::{ActionId, Model, NpcTypeId, SelectId, VariableId};
use throng_domain::notes::{Note, NoteOn, NoteReader, Reported, WordKind};
use throng_domain::source::Span;
use throng_domain::{Code, Report};
use throng_planner::PreparedDomain;

/// What reading a piece of a note gives.
pub(super) type Read<T> = Result<T, Reported>;

/// How many actions, goals and values notes may stand for together, beyond one per word: text
/// that multiplies itself is refused before it fills the memory.
const ROOM: usize = 1 << 22;

/// What has been read so far.
pub(super) struct Reading<'m> {
    pub(super) names: Names<'m>,
    pub(super) spec: Spec,
    /// The place of the symbol of a variable, the price of an action, …
    pub(super) symbols: HashMap<VariableId, Span>,
    pub(super) checks: HashMap<String, Span>,
    /// What the parameters of each check range over.
    pub(super) check_ranges: HashMap<String, Vec<String>>,
    pub(super) prices: HashMap<ActionId, Span>,
    pub(super) learns: HashMap<ActionId, Span>,
    /// The place of the squad of a type, and of the squad that a type is in.
    pub(super) squads: HashMap<NpcTypeId, Span>,
    pub(super) squad_members: HashMap<NpcTypeId, Span>,
    /// The formations of the file: where each is, and its places.
    pub(super) formations: BTreeMap<String, (Span, Vec<[f32; 2]>)>,
    /// Positions of the sensors that an NPC type names, by type.
    pub(super) senses: HashMap<usize, Vec<u16>>,
    /// What the parameters of the template that is being read stand for.
    pub(super) bound: Vec<Bound>,
    /// The selection that is being read.
    pub(super) selecting: Option<SelectId>,
    /// Where selections are.
    pub(super) select_places: Vec<(SelectId, Span)>,
    /// Where besides are, by position.
    pub(super) beside_places: Vec<Span>,
    room: usize,
    /// Where the note that is being read stands among all.
    pub(super) note: usize,
    /// Facts that the file declares, and the kind of the pattern that is being read.
    pub(super) facts: DeclaredFacts,
    pub(super) kind: String,
    /// What notes ask of memory.
    pub(super) asked: Vec<AskedPattern>,
    /// What the pattern that is being read asks of attributes.
    pub(super) asks: Vec<AskedTest>,
}

impl Spec {
    /// What the notes of a model say; `domain` is compiled from it. A story's statements are not
    /// for minds and are passed over.
    ///
    /// # Errors
    ///
    /// Every mistake, in the order of the text.
    pub fn read(model: &Model, domain: Arc<PreparedDomain>, pace: Pace) -> Result<Spec, Report> {
        Spec::read_with_asked(model, domain, pace).map(|(spec, _)| spec)
    }

    /// The same, with every pattern of the notes as it is written.
    ///
    /// # Errors
    ///
    /// Every mistake, in the order of the text.
    pub fn read_with_asked(
        model: &Model,
        domain: Arc<PreparedDomain>,
        pace: Pace,
    ) -> Result<(Spec, Vec<AskedPattern>), Report> {
        let tables = Arc::clone(&domain);
        let fingerprint = fingerprint(&domain, pace, model.notes());
        let mut reading = Reading {
            names: Names::new(&tables, model.notes()),
            spec: Spec { fingerprint, ..Spec::of(domain, pace) },
            symbols: HashMap::new(),
            checks: HashMap::new(),
            check_ranges: HashMap::new(),
            prices: HashMap::new(),
            learns: HashMap::new(),
            squads: HashMap::new(),
            squad_members: HashMap::new(),
            formations: BTreeMap::new(),
            senses: HashMap::new(),
            bound: Vec::new(),
            selecting: None,
            select_places: Vec::new(),
            beside_places: Vec::new(),
            room: ROOM,
            note: 0,
            facts: DeclaredFacts::default(),
            kind: String::new(),
            asked: Vec::new(),
            asks: Vec::new(),
        };
        let Spec { actions, words, .. } = &mut reading.spec;
        for (action, spec) in model.actions().iter().zip(actions) {
            spec.kinds = action.kinds().iter().map(|kind| words.intern(kind.name())).collect();
            spec.parts = action.parts().to_vec();
        }
        let mut report = Report::default();
        // What is declared is known before anything uses it.
        let declares = |note: &Note| {
            let word = note.keyword.word;
            note.on == NoteOn::Itself && matches!(word, "fact" | "body" | "formation")
        };
        let notes = || model.notes().iter().enumerate();
        let first = notes().filter(|(_, note)| declares(note));
        for (at, note) in first.chain(notes().filter(|(_, note)| !declares(note))) {
            reading.note = at;
            // What stops one note is told; the others are read all the same.
            let _ = reading.note(note, &mut report);
        }
        reading.add_lacks(&mut report);
        reading.find_askers(model);
        reading.order_selects(&mut report);
        reading.check_declarations(model, &mut report);
        reading.check_facts(model.notes(), &mut report);
        let asked = std::mem::take(&mut reading.asked);
        let words = &mut reading.spec.words;
        let of_facts = asked.iter().filter(|pattern| pattern.select.is_none());
        let kinds = of_facts.map(|it| (words.intern(&it.kind.text), it.shared));
        reading.spec.asked = kinds.collect::<BTreeSet<_>>().into_iter().collect();
        reading.give_besides(model);
        reading.check_besides(&mut report);
        if report.has_errors() {
            return Err(report);
        }
        reading.finish(&mut report).map(|spec| (spec, asked)).ok_or(report)
    }
}

/// What tells a file from all others: its domain, its pace, and what its notes say to minds.
pub(super) fn fingerprint(domain: &CompiledDomain, pace: Pace, notes: &[Note]) -> u128 {
    let mut to = Encoder::default();
    to.write(&domain.digest().0).write(&pace);
    for note in notes.iter().filter(|note| !STORIES.statements.contains(note.keyword)) {
        let (sort, of) = match &note.on {
            NoteOn::Itself => (0u8, ""),
            NoteOn::Action(head) => (1, head.as_str()),
            NoteOn::Goal(head) => (2, head.as_str()),
            NoteOn::Npc(name) => (3, name.as_str()),
        };
        to.write(&sort).write(of).write(note.text().as_str());
    }
    Digest128::of(&to.bytes).0
}

impl<'m> Reading<'m> {
    fn note(&mut self, note: &'m Note, report: &mut Report) -> Read<()> {
        for word in note.words.iter().filter(|word| word.kind == WordKind::Name) {
            self.spec.words.intern(&word.text);
        }
        let mut reader = NoteReader::new(note, report);
        let r = &mut reader;
        match (&note.on, note.keyword.word) {
            (NoteOn::Itself, "sensor") => self.sensor(r)?,
            (NoteOn::Itself, "symbol") => self.symbol(note, r)?,
            (NoteOn::Itself, "check") => self.check(note, r)?,
            (NoteOn::Itself, "select") => self.select(note, r)?,
            (NoteOn::Itself, "price") => self.price(r)?,
            (NoteOn::Itself, "learn") => self.learn(r)?,
            (NoteOn::Itself, "flavour") => self.flavour(r)?,
            (NoteOn::Itself, "beside") => self.beside(note, r)?,
            (NoteOn::Itself, "squad") => self.squad(r)?,
            (NoteOn::Itself, "formation") => self.formation(r)?,
            (NoteOn::Itself, "fact") => self.fact(r)?,
            (NoteOn::Itself, "body") => self.body(r)?,
            // Of a story, and read by the crate that plays it.
            (NoteOn::Itself, _) => return Ok(()),
            (NoteOn::Action(head), clause) => self.action_clause(head, clause, note.span, r)?,
            (NoteOn::Goal(head), clause) => self.goal_clause(head, clause, note, r)?,
            (NoteOn::Npc(name), clause) => self.npc_clause(name, clause, note.span, r)?,
        }
        r.end()
    }

    /// Counts what notes stand for; `false`, with a report, beyond the limit.
    pub(super) fn spend(&mut self, count: usize, span: Span, report: &mut Report) -> bool {
        let fits = count <= self.room;
        self.room = self.room.saturating_sub(count);
        if !fits {
            let text = format!("the notes stand for more than {ROOM} actions, goals and values");
            let cure = "name fewer templates, or split the domain";
            report.say(Code::TooMuchInTotal, span, text, cure);
        }
        fits
    }

    /// Gives every type its sensors; `None`, with a report, if there are too many.
    fn finish(mut self, report: &mut Report) -> Option<Spec> {
        let (n_sensors, n_npcs) = (self.spec.sensors.len(), self.spec.npcs.len());
        let last = self.names.sensors().last().and_then(|name| self.names.sensor(name));
        let span = last.map_or(Span::default(), |(_, span)| span);
        if n_sensors > usize::from(u16::MAX) {
            let text = format!("{n_sensors} sensors; at most {} are allowed", u16::MAX);
            report.say(Code::TooManyDeclarations, span, text, "let one sensor sense more");
            return None;
        }
        if !self.spend(n_sensors.saturating_mul(n_npcs), span, report) {
            return None;
        }
        let mut spec = self.spec;
        if !spec.squads.is_empty() {
            super::SQUAD_WORDS.iter().for_each(|word| _ = spec.words.intern(word));
        }
        spec.squad_words = SquadWords::of(&spec.words);
        spec.goals_of_duty = spec.find_goals_of_duty();
        // A squad has no eyes of its own unless it asks for some: it is told.
        for squad in &spec.squads {
            self.senses.entry(squad.npc.index()).or_default();
        }
        let selects = makes::selects_of_types(&spec, &self.senses);
        let Spec { npcs, selects: all, .. } = &mut spec;
        for (npc, own) in npcs.iter_mut().zip(selects) {
            let made = || own.iter().map(|&at| &all[usize::from(at)]);
            npc.selects_read_state = made().any(|select| select.reads_state);
            npc.selects_ask_others = made().any(SelectSpec::asks_others);
            npc.selects = own;
        }
        let sensors = needs::sensors_of_types(&spec, &self.senses);
        let give = |(npc, sensors): (&mut NpcSpec, Vec<u16>)| npc.sensors = sensors;
        spec.npcs.iter_mut().zip(sensors).for_each(give);
        spec.watched = AllWatched::of(&spec);
        Some(spec)
    }
}
