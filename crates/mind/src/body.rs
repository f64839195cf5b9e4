//! What the game adds in code: sensors and behaviours.
//!
//! In:   a read-only door to the game's world `W`, the mind's memory, its blackboard.
//! Out:  facts from sensors; orders from behaviours.
//! Cost: what the game's code costs; heavy sensor work is taken in turns.
//!
//! Sensors and behaviours are shared by all minds and have no state of their own: what one mind
//! must remember from call to call is in its memory, or in the number `state`. So minds can be
//! saved, copied and run on any thread.

mod picked;

use crate::blackboard::Blackboard;
use crate::fact::{Attribute, EntityId, FactDraft, Position};
use crate::memory::{FactId, Memory};
use crate::mistakes::{Misuse, Noted};
use crate::orders::Stimulus;
pub use crate::progress::{Ending, Progress, Work};
use crate::questions::{Ask, Asker, KEPT_SECONDS, Questions, Reply};
use crate::select::Picks;
use crate::spec::{BesideSpec, Spec};
use crate::time::Tick;
use crate::vocabulary::{BehaviourWords, BodyVocabulary, SensorWords};
use crate::words::Word;
use throng_domain::compile::PackedValue;
use throng_domain::model::{ActionId, NpcTypeId};

/// A sensor's view of a mind and its world.
pub struct Sensing<'s, W: ?Sized> {
    /// The game's world.
    pub world: &'s W,
    /// The entity whose senses these are.
    pub me: EntityId,
    /// Where the mind is. A sensor may move it there.
    pub here: &'s mut Position,
    /// The tick under way.
    pub now: Tick,
    /// Words and pace.
    pub spec: &'s Spec,
    /// What arrived, for sensors that run `on` a stimulus.
    pub stimulus: Option<&'s Stimulus>,
    /// What it has asked, and the reply that has just come, in a run that this brought about: there
    /// is no stimulus then.
    pub answer: Option<(Ask, Reply)>,
    /// The memory that all minds share.
    pub shared: &'s Memory,
    /// Kept from call to call: where a task that is spread over ticks has got to.
    pub state: &'s mut u64,
    pub(crate) memory: &'s mut Memory,
    pub(crate) npc: NpcTypeId,
    pub(crate) picks: &'s Picks,
    pub(crate) questions: &'s mut Questions,
    pub(crate) asking: &'s mut Vec<(Ask, Tick)>,
    /// The sensor's position in the mind.
    pub(crate) position: usize,
    pub(crate) values: &'s [PackedValue],
    pub(crate) shares: &'s mut Vec<FactDraft>,
    pub(crate) noted: &'s Noted,
    /// The sensor's name and how long its facts are believed.
    pub(crate) writer: Word,
    pub(crate) keeps: Tick,
}

impl<W: ?Sized> Sensing<'_, W> {
    /// The mind's memory.
    pub fn memory(&self) -> &Memory {
        self.memory
    }

    /// Asks the game something that it may answer later. Gives the reply if there is one younger than
    /// half a second; else files the question and says [`Reply::Waiting`]: go by what you know. When
    /// the reply comes the sensor runs again, with it as [`answer`](Self::answer).
    pub fn ask(&mut self, ask: Ask) -> Reply {
        self.ask_within(ask, self.spec.pace.ticks(KEPT_SECONDS))
    }

    /// The same, and a reply is good while it is younger than so many ticks.
    pub fn ask_within(&mut self, ask: Ask, keeps: Tick) -> Reply {
        let most = self.spec.most_asked();
        let asker = Asker::Sensor(self.position);
        let reply = self.questions.ask(ask, keeps, asker, self.now, most);
        if reply == Reply::Waiting {
            self.asking.push((ask, keeps));
        }
        reply
    }

    /// What the mind has asked so far, and was answered.
    pub fn questions(&self) -> &Questions {
        self.questions
    }

    /// Remembers a new fact.
    #[inline]
    pub fn remember(&mut self, mut draft: FactDraft) -> FactId {
        self.noted.fact(self.spec, &mut draft);
        self.memory.add(&draft, self.writer, self.now, self.keeps)
    }

    /// Updates this sensor's fact of the same kind that agrees in the attributes `same`, or
    /// remembers a new one.
    #[inline]
    pub fn remember_one(&mut self, mut draft: FactDraft, same: &[Attribute]) -> FactId {
        self.noted.fact(self.spec, &mut draft);
        self.memory.put(&draft, same, self.writer, self.now, self.keeps)
    }

    /// Forgets what this sensor wrote and did not update in this very tick: the clean-up of a
    /// sensor that lists everything it sees.
    pub fn forget_the_rest(&mut self) {
        let (writer, now) = (self.writer, self.now);
        self.memory.remove_if(|fact| fact.writer() == writer && fact.updated() != now);
    }

    /// Makes an attribute of a fact less sure; the fact becomes no younger.
    pub fn lower(&mut self, fact: FactId, attribute: Attribute, confidence: f32) {
        self.memory.lower(fact, attribute, confidence);
    }

    /// Forgets a fact.
    pub fn forget(&mut self, fact: FactId) {
        self.memory.remove(fact);
    }

    /// Shares a fact with all minds: it is in the shared memory from the next tick on.
    pub fn share(&mut self, mut draft: FactDraft) {
        self.noted.fact(self.spec, &mut draft);
        self.shares.push(draft.keep(draft.keep.unwrap_or(self.keeps)));
    }

    /// A word of the file or of [`Body::words`]. One that is in neither is a
    /// [mistake](crate::Mistake), which the game is told, and gives [`Word::NONE`]; for words that
    /// may well be unknown there is [`find`](crate::words::Words::find) of `spec.words`.
    pub fn word(&self, text: &str) -> Word {
        self.noted.word(self.spec, text)
    }

    /// A fact of a kind, without attributes yet. The kind is a [`word`](Self::word).
    pub fn fact(&self, kind: &str) -> FactDraft {
        FactDraft::new(self.word(kind))
    }
}

/// Something that perceives.
pub trait Sensor<W: ?Sized>: Send + Sync {
    /// Looks, and writes down what it finds.
    fn sense(&self, sensing: &mut Sensing<'_, W>) -> Work;
}

impl<W: ?Sized, F> Sensor<W> for F
where
    F: Fn(&mut Sensing<'_, W>) -> Work + Send + Sync,
{
    fn sense(&self, sensing: &mut Sensing<'_, W>) -> Work {
        self(sensing)
    }
}

/// A behaviour's view of a mind and its world.
pub struct Acting<'a, W: ?Sized> {
    /// The game's world.
    pub world: &'a W,
    /// The entity that acts.
    pub me: EntityId,
    /// Where the mind is.
    pub here: Position,
    /// The tick under way.
    pub now: Tick,
    /// The tick in which it was started.
    pub since: Tick,
    /// Words and pace.
    pub spec: &'a Spec,
    /// The action; `None` for a flavour, and for what is done beside.
    pub action: Option<ActionId>,
    /// The kind chosen at start, for actions with kinds.
    pub kind: Option<Word>,
    /// The memory that all minds share.
    pub shared: &'a Memory,
    /// Where context effects go.
    pub memory: &'a mut Memory,
    /// Where orders go.
    pub board: &'a mut Blackboard,
    /// Kept from call to call; 0 at the start.
    pub state: &'a mut u64,
    pub(crate) npc: NpcTypeId,
    pub(crate) picks: &'a Picks,
    pub(crate) questions: &'a mut Questions,
    pub(crate) asking: &'a mut Vec<(Ask, Tick)>,
    pub(crate) shares: &'a mut Vec<FactDraft>,
    pub(crate) noted: &'a Noted,
    pub(crate) writer: Word,
    /// How long it takes if no code says otherwise.
    pub(crate) takes: Tick,
    /// What is done beside the step, if this is it.
    pub(crate) beside: Option<&'a BesideSpec>,
}

impl<W: ?Sized> Acting<'_, W> {
    /// What it is done as, if it is done beside the step of the plan: then the step has orders of its
    /// own, and this behaviour only some of the [channels](crate::channels::Channel).
    pub fn beside(&self) -> Option<&BesideSpec> {
        self.beside
    }

    /// How long the file says that it takes.
    pub fn takes(&self) -> Tick {
        self.takes
    }

    /// Asks the game something that it may answer later. Gives the reply if there is one younger than
    /// half a second; else files the question and says [`Reply::Waiting`]. When the reply comes the
    /// behaviour is asked how it goes on, whatever it waits for.
    pub fn ask(&mut self, ask: Ask) -> Reply {
        let keeps = self.spec.pace.ticks(KEPT_SECONDS);
        let most = self.spec.most_asked();
        let reply = self.questions.ask(ask, keeps, Asker::Run, self.now, most);
        if reply == Reply::Waiting {
            self.asking.push((ask, keeps));
        }
        reply
    }

    /// What the behaviour is about: the `target` of `does throw(target)`; if the file gives it nothing
    /// there, the parameter of the action.
    pub fn given(&self, at: usize) -> Option<Word> {
        if let Some(beside) = self.beside {
            return beside.given.get(at).copied();
        }
        let given = self.spec.action(self.action?).given.get(at).copied();
        given.or_else(|| self.parameter(at))
    }

    /// A parameter of the action: the `pipe` of `go(pipe)`. Of what is done beside, what it is given.
    pub fn parameter(&self, at: usize) -> Option<Word> {
        if let Some(beside) = self.beside {
            return beside.given.get(at).copied();
        }
        self.spec.action(self.action?).parameters.get(at).copied()
    }

    /// The text of a parameter. If there is none, that is a [mistake](crate::Mistake), which the
    /// game is told, and the text is empty.
    pub fn parameter_text(&self, at: usize) -> &str {
        self.spec.words.text(self.expected_parameter(at))
    }

    /// The first parameter: what files call `it`. If there is none, that is a
    /// [mistake](crate::Mistake), which the game is told, and it is [`Word::NONE`].
    pub fn it(&self) -> Word {
        self.expected_parameter(0)
    }

    fn expected_parameter(&self, at: usize) -> Word {
        self.parameter(at).unwrap_or_else(|| {
            self.noted.add(Misuse::Parameter(at));
            Word::NONE
        })
    }

    /// A word of the file or of [`Body::words`]. One that is in neither is a
    /// [mistake](crate::Mistake), which the game is told, and gives [`Word::NONE`]; for words that
    /// may well be unknown there is [`find`](crate::words::Words::find) of `spec.words`.
    pub fn word(&self, text: &str) -> Word {
        self.noted.word(self.spec, text)
    }

    /// A fact of a kind, without attributes yet. The kind is a [`word`](Self::word).
    pub fn fact(&self, kind: &str) -> FactDraft {
        FactDraft::new(self.word(kind))
    }

    /// Forgets all facts of a kind; says how many.
    pub fn forget_all(&mut self, kind: &str) -> usize {
        let kind = self.word(kind);
        self.memory.remove_if(|fact| fact.kind() == kind)
    }

    /// Shares a fact with all minds for so many ticks, from the next tick on.
    pub fn share(&mut self, mut draft: FactDraft, keep: Tick) {
        self.noted.fact(self.spec, &mut draft);
        self.shares.push(draft.keep(keep));
    }

    /// Remembers a fact for so many ticks.
    pub fn remember(&mut self, mut draft: FactDraft, keep: Tick) -> FactId {
        self.noted.fact(self.spec, &mut draft);
        self.memory.add(&draft, self.writer, self.now, keep)
    }

    /// Updates the fact of the same kind that this action wrote and that agrees in the attributes
    /// `same`, or remembers a new one.
    pub fn remember_one(&mut self, mut draft: FactDraft, same: &[Attribute], keep: Tick) -> FactId {
        self.noted.fact(self.spec, &mut draft);
        self.memory.put(&draft, same, self.writer, self.now, keep)
    }
}

/// Something that does an action.
///
/// `start` usually writes an order on the blackboard and says [`Progress::Waiting`]; the rest
/// follows from the order's end unless the behaviour wants it otherwise.
pub trait Behaviour<W: ?Sized>: Send + Sync {
    /// The action begins.
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress;

    /// The action goes on; asked as often as the last answer wished.
    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        acting.board.progress()
    }

    /// The action has ended, one way or another: context effects and clean-up. Orders that are
    /// still under way are cancelled after this.
    fn end(&self, acting: &mut Acting<'_, W>, how: Ending) {
        let _ = (acting, how);
    }
}

/// A closure is a behaviour that starts and then waits for its orders.
impl<W: ?Sized, F> Behaviour<W> for F
where
    F: Fn(&mut Acting<'_, W>) -> Progress + Send + Sync,
{
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        self(acting)
    }
}

/// All the code that the minds of a game share, by the names used in files.
#[must_use]
pub struct Body<W: ?Sized> {
    pub(crate) sensors: Vec<(String, Box<dyn Sensor<W>>)>,
    pub(crate) behaviours: Vec<(String, Box<dyn Behaviour<W>>)>,
    pub(crate) words: Vec<String>,
    pub(crate) expected: Vec<String>,
    pub(crate) for_many_files: bool,
    pub(crate) is_strict: bool,
    pub(crate) described: BodyVocabulary,
}

impl<W: ?Sized> Default for Body<W> {
    fn default() -> Self {
        Body {
            sensors: Vec::new(),
            behaviours: Vec::new(),
            words: Vec::new(),
            expected: Vec::new(),
            for_many_files: false,
            is_strict: false,
            described: BodyVocabulary::default(),
        }
    }
}

impl<W: ?Sized> Body<W> {
    /// No code yet.
    pub fn new() -> Self {
        Body::default()
    }

    /// The code of a sensor of the file; given twice, the later counts. Sensors that are polled must
    /// have code; an event-driven sensor without code remembers the stimulus as it is.
    pub fn sensor(mut self, name: &str, sensor: impl Sensor<W> + 'static) -> Self {
        self.sensors.retain(|(known, _)| known != name);
        self.sensors.push((name.to_string(), Box::new(sensor)));
        self
    }

    /// The code of a behaviour: of all actions and flavours of this name, unless they say that they
    /// `does` another; given twice, the later counts. An action without code plays an animation of
    /// its name for as long as it `takes`.
    pub fn behaviour(mut self, name: &str, behaviour: impl Behaviour<W> + 'static) -> Self {
        self.behaviours.retain(|(known, _)| known != name);
        self.behaviours.push((name.to_string(), Box::new(behaviour)));
        self
    }

    /// The code and words of another body too; where both have a name, the other's counts.
    pub fn and(mut self, other: Body<W>) -> Self {
        self.sensors.retain(|(name, _)| other.sensors.iter().all(|(it, _)| it != name));
        self.behaviours.retain(|(name, _)| other.behaviours.iter().all(|(it, _)| it != name));
        self.sensors.extend(other.sensors);
        self.behaviours.extend(other.behaviours);
        self.words.extend(other.words);
        self.expected.extend(other.expected);
        self.for_many_files |= other.for_many_files;
        self.is_strict |= other.is_strict;
        self.described = self.described.and(other.described);
        self
    }

    /// Words that the code brings along: it will ask for them by [`Sensing::word`], whether or not
    /// the file mentions them.
    pub fn words(mut self, words: &[&str]) -> Self {
        self.words.extend(words.iter().map(|word| word.to_string()));
        self
    }

    /// Words of the file that the code asks for: [`Minds::new`](crate::Minds::new) says which of
    /// them the file does not have. Words that are not declared show their mistakes when the code
    /// that asks for them runs: [`Minds::mistakes`](crate::Minds::mistakes).
    pub fn expects(mut self, words: &[&str]) -> Self {
        self.expected.extend(words.iter().map(|word| word.to_string()));
        self
    }

    /// This code is shared by several files, each of which uses a part of it: names and words that
    /// a file has no use for are no error. [`check`](Self::check) holds it against all of them.
    pub fn for_many_files(mut self) -> Self {
        self.for_many_files = true;
        self
    }

    /// [`Minds::new`](crate::Minds::new) forgives nothing: each name of the code must be of use to the
    /// file, whatever [`for_many_files`](Self::for_many_files) says; each behaviour that the file names
    /// must have code; and each kind of facts that it asks for must be written by somebody, as far as
    /// the code [describes](Self::describes) what it writes.
    pub fn strict(mut self) -> Self {
        self.is_strict = true;
        self
    }

    /// What the code understands and writes, for files to be held against. Later words about a name
    /// count.
    pub fn describes(mut self, vocabulary: BodyVocabulary) -> Self {
        self.described = self.described.and(vocabulary);
        self
    }

    /// All that this code is known to understand and to write: a file can be checked against it, also
    /// without the game, as [JSON](BodyVocabulary::to_json) by `throng check FILE --vocabulary
    /// game.json`. Of code that was not [described](Self::describes) only the name is known.
    pub fn describe(&self) -> BodyVocabulary {
        let own = &self.described;
        let sensors = self.sensors.iter().map(|(name, _)| {
            let bare = || SensorWords { name: name.clone(), when: None, writes: None };
            own.sensor(name).cloned().unwrap_or_else(bare)
        });
        let behaviours = self.behaviours.iter().map(|(name, _)| {
            let bare = || BehaviourWords::bare(name);
            own.behaviour(name).cloned().unwrap_or_else(bare)
        });
        let (sensors, behaviours) = (sensors.collect(), behaviours.collect());
        BodyVocabulary { sensors, behaviours, ..own.clone() }
    }
}
