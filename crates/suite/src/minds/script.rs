//! What happens to minds from outside: a random script.
//!
//! In:   dice, the orders that minds gave.
//! Out:  for every tick what is told, set, begun and ended; the same for the same orders.
//!
//! Subsystems are late, report twice, report what they never got, and forget to report.

use super::notes::STIMULI;
use super::stage::{PACE, Stage};
use super::world::{THINGS, World, any_thing};
use throng_base::SplitMix;
use throng_domain::model::{CheckId, Fact, NpcTypeId};
use throng_mind::Minds;
use throng_mind::fact::{EntityId, FactDraft, Position};
use throng_mind::orders::{IssuedOrder, Message, MindId, OrderId, Stimulus};
use throng_mind::questions::{IssuedQuestion, QuestionId, Reply};
use throng_mind::select::Key;
use throng_mind::time::Tick;
use throng_mind::words::Word;

/// Something done to the minds between two ticks.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the arguments of the methods of `Minds`")]
pub enum Op {
    Tell(MindId, Message),
    SetFact(MindId, Fact),
    SetCheck(MindId, CheckId, bool),
    SetPlace(MindId, Position),
    SetSide(MindId, Word),
    SetSquad(MindId, Option<MindId>),
    SetSeed(u64),
    Claim(MindId, Key),
    Release(MindId, Key),
    Share(Box<FactDraft>, Tick),
    Spawn(NpcTypeId, EntityId),
    Despawn(MindId),
    Interrupt(MindId),
    /// The same file again.
    Reload,
    Answer(QuestionId, Reply),
    SetQuestions(Option<u32>),
}

impl Op {
    /// Does it; what is about a mind that has ended is refused, which is as good.
    pub fn apply(&self, stage: &Stage, minds: &mut Minds<World>, world: &World) {
        match self {
            Op::Tell(id, message) => _ = minds.tell(*id, message.clone()),
            Op::SetFact(id, fact) => _ = minds.set_fact(*id, *fact),
            Op::SetCheck(id, check, holds) => _ = minds.set_check(*id, *check, *holds),
            Op::SetPlace(id, here) => _ = minds.set_place(*id, *here),
            Op::SetSide(id, side) => _ = minds.set_side(*id, *side),
            Op::SetSquad(id, squad) => _ = minds.set_squad(*id, *squad),
            Op::SetSeed(seed) => minds.set_seed(*seed),
            Op::Claim(id, key) => _ = minds.claim(*id, *key),
            Op::Release(id, key) => _ = minds.release(*id, *key),
            Op::Share(fact, keep) => minds.share(fact, *keep),
            Op::Spawn(npc, me) => _ = minds.spawn(*npc, *me),
            Op::Despawn(id) => _ = minds.despawn(*id, world),
            Op::Answer(id, reply) => _ = minds.answer(*id, *reply),
            Op::SetQuestions(most) => minds.set_questions(*most),
            Op::Interrupt(id) => _ = minds.interrupt(*id, world),
            // The file could be read before, and its code is there.
            Op::Reload => {
                let spec = stage.domain.mind_spec(PACE).ok();
                spec.map(|spec| minds.reload(spec, world));
            }
        }
    }
}

/// A script that is written as it is played.
pub struct Script {
    dice: SplitMix,
    /// How often in a hundred something happens to a mind in a tick.
    busy: usize,
    /// Reports on their way.
    reports: Vec<(Tick, MindId, Message)>,
    /// Answers on their way.
    answers: Vec<(Tick, QuestionId, Reply)>,
    living: Vec<MindId>,
    born: u32,
    stimuli: Vec<Word>,
}

impl Script {
    /// The script of a stage.
    pub fn new(stage: &Stage, minds: &Minds<World>) -> Script {
        let mut dice = SplitMix::new(stage.seed ^ 0x7363_7269);
        let busy = *dice.pick(&[3, 20, 80]);
        let stimuli = STIMULI.iter().filter_map(|text| minds.spec().words.find(text)).collect();
        Script {
            dice,
            busy,
            reports: Vec::new(),
            answers: Vec::new(),
            living: Vec::new(),
            born: 0,
            stimuli,
        }
    }

    /// Begins so many minds.
    pub fn cast(&mut self, stage: &Stage, count: usize) -> Vec<Op> {
        (0..count).map(|_| self.spawn(stage)).collect()
    }

    fn spawn(&mut self, stage: &Stage) -> Op {
        self.born += 1;
        self.living.push(MindId(self.born));
        let me = u64::from(self.born) % THINGS as u64;
        Op::Spawn(*self.dice.pick(&stage.npcs), EntityId(me))
    }

    /// Hears of the orders of the last tick.
    pub fn hear(&mut self, sent: &[IssuedOrder], now: Tick) {
        for sent in sent.iter().filter(|sent| sent.order.is_reported()) {
            let late = *self.dice.pick(&[1, 1, 2, 5, 10, 30]);
            let why = self.stimuli.first().copied().unwrap_or(Word::NONE);
            let report = match self.dice.below(10) {
                0..=6 => Message::Done(sent.id),
                7 => Message::Failed(sent.id, why),
                _ => continue,
            };
            self.reports.push((now + late, sent.mind, report.clone()));
            if self.dice.percent(15) {
                let again = now + late + self.dice.below(3) as Tick;
                self.reports.push((again, sent.mind, report));
            }
        }
    }

    /// Hears of the questions of the last tick. Some are answered at once, some later, some twice,
    /// some never. What is asked again after a save is known.
    pub fn hear_questions(&mut self, asked: &[IssuedQuestion], now: Tick) {
        for question in asked {
            // Of the question alone, so that who is asked again says the same.
            let mut dice = SplitMix::new(question.id.0 ^ 0x6173_6b73);
            if self.answers.iter().any(|(_, id, _)| *id == question.id) || dice.percent(15) {
                continue;
            }
            let due = question.since.max(now) + *dice.pick(&[1, 1, 1, 2, 4, 25]);
            let way = Reply::Way { cost: 2.0, link: None, shut: dice.percent(30), watched: false };
            let there = Reply::At([1.0, 2.0, 0.0]);
            let reply = *dice.pick(&[Reply::Yes, Reply::No, Reply::Amount(0.5), way, there]);
            self.answers.push((due, question.id, reply));
            if dice.percent(10) {
                self.answers.push((due + 1, question.id, Reply::No));
            }
        }
    }

    /// What happens before the tick `now`.
    pub fn next(&mut self, stage: &Stage, world: &World, now: Tick) -> Vec<Op> {
        let mut ops = Vec::new();
        self.reports.retain(|(at, mind, report)| {
            if *at <= now {
                ops.push(Op::Tell(*mind, report.clone()));
            }
            *at > now
        });
        // In one order, whoever asked again.
        self.answers.sort_unstable_by_key(|(at, id, _)| (*at, *id));
        self.answers.retain(|(at, id, reply)| {
            if *at <= now {
                ops.push(Op::Answer(*id, *reply));
            }
            *at > now
        });
        if self.dice.percent(1) {
            let most = *self.dice.pick(&[None, Some(0), Some(1), Some(3)]);
            ops.push(Op::SetQuestions(most));
        }
        for at in 0..self.living.len() {
            if self.dice.percent(self.busy) && self.dice.percent(25) {
                let id = self.living[at];
                self.happens(stage, world, id, &mut ops);
            }
        }
        if self.dice.percent(self.busy) && self.dice.percent(8) {
            let keep = self.dice.below(40) as Tick;
            ops.push(Op::Share(Box::new(world.any_fact(&mut self.dice)), keep));
        }
        if self.dice.below(300) == 0 {
            ops.push(Op::Reload);
        }
        if self.dice.percent(2) {
            let op = self.spawn(stage);
            ops.push(op);
        }
        if self.dice.percent(2) && self.living.len() > 2 {
            let at = self.dice.below(self.living.len());
            ops.push(Op::Despawn(self.living.remove(at)));
        }
        ops
    }

    fn happens(&mut self, stage: &Stage, world: &World, id: MindId, ops: &mut Vec<Op>) {
        let dice = &mut self.dice;
        match dice.below(18) {
            0..=2 => {
                // Now and then more than can wait.
                let count = if dice.percent(3) { 40 } else { dice.within(1, 2) };
                for _ in 0..count {
                    let place = [dice.below(6) as f32, dice.below(6) as f32, 0.0];
                    let Some(&kind) = self.stimuli.get(dice.below(self.stimuli.len())) else {
                        continue;
                    };
                    ops.push(Op::Tell(id, Message::Stimulus(Stimulus::new(kind, place))));
                }
            }
            3 | 4 => {
                let fact = Box::new(world.any_fact(dice));
                ops.push(Op::Tell(id, Message::Told(fact)));
            }
            5 => {
                let order = OrderId(dice.below(60) as u32);
                ops.push(Op::Tell(id, Message::Done(order)));
            }
            6 | 7 | 16 | 17 if !stage.facts.is_empty() => {
                ops.push(Op::SetFact(id, *dice.pick(&stage.facts)));
            }
            8 if !stage.checks.is_empty() => {
                ops.push(Op::SetCheck(id, *dice.pick(&stage.checks), dice.percent(60)));
            }
            9 | 10 => {
                let place = [dice.below(6) as f32, dice.below(6) as f32, 0.0];
                ops.push(Op::SetPlace(id, place));
            }
            12 if !self.stimuli.is_empty() => {
                ops.push(Op::SetSide(id, *dice.pick(&self.stimuli)));
            }
            13 if dice.percent(10) => ops.push(Op::SetSeed(dice.below(4) as u64)),
            13 => {
                let squad = dice.percent(80).then(|| MindId(900 + dice.below(2) as u32));
                ops.push(Op::SetSquad(id, squad));
            }
            // The game keeps things for some, for a while.
            14 if dice.percent(30) => ops.push(Op::Claim(id, Key::Entity(any_thing(dice)))),
            14 | 15 => ops.push(Op::Release(id, Key::Entity(any_thing(dice)))),
            11 if dice.percent(40) => ops.push(Op::Interrupt(id)),
            _ => {}
        }
    }
}
