//! A life of squads: a plane with spots, members whose work is dice, and all rules looked at after
//! each step.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]
#![allow(dead_code, reason = "not every test asks for all of it")]

mod plain;

pub(crate) use plain::{Plain, spot_name};
use plain::{body, far};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use throng_base::SplitMix;
use throng_base::codec::Encoder;
use throng_domain::{Format, Limits, formats};
use throng_mind::fact::{Attribute, EntityId, FactDraft, Position};
use throng_mind::orders::{Message, MindId, Order, Stimulus, TaskSlot};
use throng_mind::spec::Spec;
use throng_mind::squad::{Spot, Squad, Squads, TaskEnd, TaskEvent};
use throng_mind::time::{Pace, Tick};
use throng_mind::words::Word;
use throng_mind::{MindError, Minds};
use throng_planner::PreparedDomain;

pub(crate) const TEXT: &str = "
domain squads
var duty: none, cover, move, suppress, flank, attack, search, hold, ring
var mood: good, bad
var did: none, cover, advance, orderly, search, fire, flank, strike, hold, ring
sensor mood: on mood keeps 4 feeds mood
symbol duty: task of task, none
symbol mood: bad if mood, good
action work(what in duty): duty what -> none
action sulk: mood bad -> good takes 2
action get_to_cover: did -> cover
action advance_in_cover: did -> advance
action orderly_advance: did -> orderly
action search_area: did -> search
action lay_fire: did -> fire
action flank: did -> flank
action strike: did -> strike
action hold_ground: did -> hold
action form_ring: did -> ring
goal obey: duty = none priority 50 relevance if task
goal sulks: mood = good priority 90
goal cover: did = cover priority 10 relevance if wish(knowledge = cover)
goal advance: did = advance priority 10 relevance if wish(knowledge = advance)
goal orderly: did = orderly priority 10 relevance if wish(knowledge = orderly)
goal searched: did = search priority 10 relevance if wish(knowledge = search)
goal fire: did = fire priority 10 relevance if wish(knowledge = fire)
goal flanked: did = flank priority 10 relevance if wish(knowledge = flank)
goal struck: did = strike priority 10 relevance if wish(knowledge = strike)
goal held: did = hold priority 10 relevance if wish(knowledge = hold)
goal ringed: did = ring priority 10 relevance if wish(knowledge = ring)
npc soldier
    can work, sulk
    wants obey, sulks
    retry 0.2
npc platoon
    can get_to_cover, advance_in_cover, orderly_advance, search_area, lay_fire, flank, strike,
        hold_ground, form_ring
    wants cover, advance, orderly, searched, fire, flanked, struck, held, ringed
    starts did = none
    retry 0.2
    memory 64
squad platoon: of soldier within 6 most 5 least 2 tasks 6 patience 1
";

/// The statement about the squad.
pub(crate) const SQUAD: &str =
    "squad platoon: of soldier within 6 most 5 least 2 tasks 6 patience 1";

/// The same file with sergeants who lead, things that are seen and told on, orders by radio or by
/// voice, and a formation.
pub(crate) fn led_by(orders: &str) -> String {
    let squad = format!(
        "squad platoon: of sergeant, soldier within 6 most 5 least 2 tasks 6 patience 1
    leader sergeant, soldier succession 1
    shares sight after 0.3
    orders by {orders}
    formation file
formation file: 0 0, 0 -1, 0 -2, 0 -3, 0 -4
select nook: one of den
    claims
sensor spy: on sight keeps 5
npc sergeant
    can work, sulk
    wants obey, sulks
    retry 0.2"
    );
    TEXT.replace(SQUAD, &squad)
}

const WITHIN: f32 = 6.0;
const WISHES: [&str; 9] =
    ["cover", "advance", "orderly", "search", "fire", "flank", "strike", "hold", "ring"];

fn minds(text: &str, threads: usize) -> Minds<Plain> {
    let limits = Limits::default();
    let loaded = formats::load(
        "t",
        text,
        Format::Npc,
        &limits,
        &throng_mind::notes::WORDS,
        &mut formats::no_includes,
    );
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.report));
    let pace = Pace { ticks_per_second: 10 };
    let spec = Spec::read(&model, Arc::new(PreparedDomain::new(&model)), pace).unwrap();
    Minds::new(spec, body(), threads).unwrap()
}

/// A life of squads, with all rules looked at after each step.
pub(crate) struct Life {
    pub(crate) minds: Minds<Plain>,
    pub(crate) squads: Squads,
    pub(crate) plain: Plain,
    pub(crate) now: Tick,
    /// Tasks by number: under way, and those that were.
    pub(crate) open: BTreeSet<u32>,
    pub(crate) ended: BTreeSet<u32>,
    /// Those that their members know of, or knew: since when.
    told: BTreeMap<u32, Tick>,
    /// How many ended in which way.
    pub(crate) ends: BTreeMap<&'static str, u32>,
    /// How often somebody was put aside, came back, and a squad lost its mind.
    pub(crate) travels: [u32; 3],
    dice: SplitMix,
    next: u64,
    squads_before: BTreeSet<u32>,
    away: Vec<Vec<u8>>,
    /// By squad, since when nobody leads it.
    leaderless: BTreeMap<u32, Tick>,
    /// By member, the task that he knew of after the last tick.
    knew: BTreeMap<MindId, u32>,
    /// How often a squad was without a leader, a member had not heard of its task yet, somebody
    /// knew what he was told, and a member had not heard that his task is over.
    pub(crate) ties: [u32; 4],
}

impl Life {
    pub(crate) fn new(seed: u64, threads: usize) -> Life {
        Life::of(TEXT, seed, threads)
    }

    /// A life by a file of one's own.
    pub(crate) fn of(text: &str, seed: u64, threads: usize) -> Life {
        let minds = minds(text, threads);
        let mut dice = SplitMix::new(seed);
        let mut spots = Vec::new();
        for at in 0..dice.number() % 30 {
            let place = [(dice.number() % 40) as f32, (dice.number() % 40) as f32, 0.0];
            let name = minds.word(&spot_name(at as usize)).unwrap();
            spots.push(Spot { slot: TaskSlot::Place(name), place });
        }
        let character = minds.word("character").unwrap();
        let plain = Plain { people: BTreeMap::new(), spots, enemy: None, character };
        Life {
            minds,
            squads: Squads::new(),
            plain,
            dice,
            now: 0,
            next: 1,
            open: BTreeSet::new(),
            ended: BTreeSet::new(),
            told: BTreeMap::new(),
            ends: BTreeMap::new(),
            travels: [0; 3],
            squads_before: BTreeSet::new(),
            away: Vec::new(),
            leaderless: BTreeMap::new(),
            knew: BTreeMap::new(),
            ties: [0; 4],
        }
    }

    fn chance(&mut self, of: u64) -> bool {
        self.dice.number().is_multiple_of(of)
    }

    fn place(&mut self) -> Position {
        [(self.dice.number() % 40) as f32, (self.dice.number() % 40) as f32, 0.0]
    }

    pub(crate) fn soldiers(&self) -> Vec<(MindId, EntityId)> {
        let people = self.minds.iter().filter(|mind| self.plain.people.contains_key(&mind.me()));
        people.map(|mind| (mind.id(), mind.me())).collect()
    }

    pub(crate) fn be_born(&mut self) {
        let (me, place) = (EntityId(self.next), self.place());
        self.next += 1;
        let side = if self.chance(3) { "blue" } else { "red" };
        self.plain.people.insert(me, (place, self.minds.word(side).unwrap()));
        let of = self.minds.spec().squads[0].of.clone();
        // Every fourth is of the first type.
        let at = if of.len() > 1 { usize::from(!self.chance(4)) } else { 0 };
        let soldier = of[at];
        let mind = self.minds.spawn(soldier, me).unwrap();
        self.minds.set_place(mind, place).unwrap();
    }

    pub(crate) fn die(&mut self, mind: MindId, me: EntityId) {
        self.plain.people.remove(&me);
        self.minds.despawn(mind, &self.plain).unwrap();
    }

    /// Somebody's mind is kept elsewhere for a while, whether his squad is told or not.
    fn go_away(&mut self, mind: MindId) {
        if self.chance(2) {
            self.squads.leave(mind, &mut self.minds);
        }
        self.away.push(self.minds.put_aside(mind).unwrap());
        self.travels[0] += 1;
    }

    /// How many people there are, here or away.
    #[allow(dead_code, reason = "not every test asks")]
    pub(crate) fn n_people(&self) -> usize {
        self.minds.len() + self.away.len()
    }

    fn come_back(&mut self) {
        let at = self.dice.below(self.away.len());
        let bytes = self.away.remove(at);
        self.minds.restore_mind(&bytes).unwrap();
        self.travels[1] += 1;
    }

    /// Whatever may happen between two ticks.
    pub(crate) fn happen(&mut self) {
        if self.plain.people.len() < 12 && self.chance(12) {
            self.be_born();
        }
        if self.chance(40) {
            self.plain.enemy = if self.chance(3) { None } else { Some(self.place()) };
        }
        for (mind, me) in self.soldiers() {
            match self.dice.number() % 400 {
                0..2 => self.die(mind, me),
                2..4 => {
                    let to = self.place();
                    self.plain.people.get_mut(&me).unwrap().0 = to;
                }
                4..60 => {
                    let step = (self.dice.number() % 3) as f32 - 1.0;
                    self.plain.people.get_mut(&me).unwrap().0[0] += step;
                }
                60..63 => {
                    let mood = self.minds.word("mood").unwrap();
                    self.minds.tell(mind, Stimulus::new(mood, [0.0; 3])).unwrap();
                }
                63 => self.go_away(mind),
                _ => {}
            }
            if let Some(&(place, _)) = self.plain.people.get(&me) {
                let placed = self.minds.set_place(mind, place);
                let has_left = self.minds.mind(mind).is_none();
                let expected = if has_left { Err(MindError::NoMind(mind)) } else { Ok(()) };
                assert_eq!(placed, expected, "only a mind that has left has no place");
            }
        }
        if !self.away.is_empty() && self.chance(8) {
            self.come_back();
        }
        self.see();
        let squads: Vec<MindId> = self.squads.all().iter().map(|squad| squad.mind).collect();
        for squad in squads {
            if self.chance(800) {
                self.travels[2] += 1;
                match self.chance(2) {
                    true => _ = self.minds.despawn(squad, &self.plain),
                    false => _ = self.minds.put_aside(squad),
                }
            } else if self.chance(25) {
                let wish = WISHES[(self.dice.number() % WISHES.len() as u64) as usize];
                let (kind, wish) =
                    (self.minds.word("wish").unwrap(), self.minds.word(wish).unwrap());
                let fact = FactDraft::new(kind).with(Attribute::Knowledge, wish, 1.0).keep(100);
                self.minds.tell(squad, Message::Retold(Box::new(fact))).unwrap();
            }
        }
    }

    /// Somebody sees something, where the file says what becomes of it.
    fn see(&mut self) {
        if self.minds.spec().squads[0].shares.is_empty() || self.chance(3) {
            return;
        }
        let soldiers = self.soldiers();
        if let Some(&(mind, _)) = soldiers.get(self.dice.below(soldiers.len().max(1))) {
            let place = self.place();
            let object = Some(EntityId(8_000 + self.dice.number() % 4));
            let sight = self.minds.word("sight").unwrap();
            self.minds.tell(mind, Stimulus { object, ..Stimulus::new(sight, place) }).unwrap();
        }
    }

    pub(crate) fn tick(&mut self) {
        self.step();
        self.minds_tick();
    }

    /// The step of the squads.
    pub(crate) fn step(&mut self) {
        self.now += 1;
        self.squads.step(&mut self.minds, &self.plain, self.now);
        self.look();
    }

    /// The tick of the minds behind it.
    pub(crate) fn minds_tick(&mut self) {
        self.minds.tick(&self.plain, self.now);
        self.ask_members();
        self.ask_what_they_know();
        let sent: Vec<_> = self.minds.orders().to_vec();
        for sent in sent {
            let is_task = matches!(sent.order, Order::Task { .. });
            assert!(self.squads.take(&sent) || !is_task, "a task that nobody takes: {sent:?}");
        }
    }

    /// The rules.
    fn look(&mut self) {
        for news in self.squads.news() {
            let number = news.task.number;
            match news.event {
                TaskEvent::Given => {
                    assert!(
                        self.open.insert(number) && !self.ended.contains(&number),
                        "given twice"
                    );
                }
                TaskEvent::Told => {
                    let is_first = self.told.insert(number, self.now).is_none();
                    assert!(self.open.contains(&number) && is_first, "told twice");
                }
                TaskEvent::Ended(how) => {
                    assert!(self.open.remove(&number), "{number} ended without being open");
                    assert!(self.ended.insert(number), "{number} ended twice");
                    let name = match how {
                        TaskEnd::Done => "done",
                        TaskEnd::Failed(_) => "failed",
                        TaskEnd::Refused => "refused",
                        TaskEnd::Cancelled => "cancelled",
                        TaskEnd::Dead => "dead",
                        TaskEnd::TimedOut => "late",
                    };
                    *self.ends.entry(name).or_default() += 1;
                }
            }
        }
        let tasks: BTreeSet<u32> = self.squads.tasks().iter().map(|task| task.number).collect();
        assert_eq!(tasks, self.open);
        let (mut claims, mut busy) = (BTreeSet::new(), BTreeSet::new());
        for task in self.squads.tasks() {
            assert_eq!(task.told, self.told.contains_key(&task.number), "{task:?}");
            assert!(
                task.slot == TaskSlot::Free || claims.insert(task.slot),
                "two claims on one slot"
            );
            assert!(busy.insert(task.member), "two tasks for one member");
            assert!(self.minds.mind(task.member).is_some(), "the dead have no tasks");
            let squad = self.squads.all().iter().find(|squad| squad.number == task.squad);
            assert!(squad.unwrap().has(task.member), "a task of another squad");
            let allowed = self.minds.spec().squads[squad.unwrap().kind].tasks;
            assert!(self.now - task.given <= allowed, "a task that does not end: {task:?}");
        }
        let mut members = BTreeSet::new();
        for squad in self.squads.all() {
            assert!(squad.members.len() <= 5 && squad.members.len() >= 2, "{squad:?}");
            assert!(self.minds.mind(squad.mind).is_some());
            let people: Vec<_> =
                squad.members.iter().map(|member| self.plain.people[&member.me]).collect();
            assert!(people.iter().all(|(_, side)| *side == people[0].1), "two sides in a squad");
            assert!(squad.members.iter().all(|member| members.insert(member.mind)));
            if !self.squads_before.contains(&squad.number) {
                self.is_near(&people.iter().map(|(place, _)| *place).collect::<Vec<_>>());
            }
        }
        self.look_at_ties();
        self.squads_before = self.squads.all().iter().map(|squad| squad.number).collect();
    }

    /// Who leads is of the first type that there is, and nobody leads for no longer than the file
    /// says; what waits to be told is bounded; no two go to one place.
    fn look_at_ties(&mut self) {
        let spec = self.minds.spec();
        for squad in self.squads.all() {
            let kind = &spec.squads[squad.kind];
            let rank = |mind: MindId| {
                let npc = self.minds.mind(mind).unwrap().npc();
                kind.leader.iter().position(|it| *it == npc).unwrap()
            };
            match squad.leader {
                _ if kind.leader.is_empty() => assert_eq!(squad.leader, None),
                Some(leader) => {
                    assert!(squad.has(leader), "{squad:?}");
                    let best = squad.members.iter().map(|member| rank(member.mind)).min();
                    assert_eq!(Some(rank(leader)), best, "{squad:?}");
                    self.leaderless.remove(&squad.number);
                }
                None => {
                    self.ties[0] += 1;
                    let since = *self.leaderless.entry(squad.number).or_insert(self.now);
                    assert!(self.now - since < kind.succession, "{squad:?} since {since}");
                }
            }
        }
        let numbers: BTreeSet<u32> = self.squads.all().iter().map(|squad| squad.number).collect();
        self.leaderless.retain(|squad, _| numbers.contains(squad));
    }

    /// What members were told of each other's knowledge is less sure than what they see, and the
    /// places of a formation are all different.
    fn ask_what_they_know(&mut self) {
        let (spec, now) = (self.minds.spec(), self.now);
        if spec.squads[0].shares.is_empty() {
            return;
        }
        let (sight, formation) =
            (spec.words.find("sight").unwrap(), spec.words.find("formation").unwrap());
        for squad in self.squads.all() {
            let mut places: Vec<Position> = Vec::new();
            for member in &squad.members {
                let memory = self.minds.mind(member.mind).unwrap().memory();
                for fact in memory.of_kind(sight).filter(|fact| fact.writer() == spec.told) {
                    assert!(fact.sure(Attribute::Position) <= 0.81, "{fact:?}");
                    assert_ne!(fact.entity(Attribute::Source), Some(member.me), "{fact:?}");
                    self.ties[2] += 1;
                }
                let own: Vec<_> = memory.of_kind(formation).collect();
                assert!(own.len() <= 1, "{own:?}");
                let new = own.iter().filter(|fact| fact.updated() == now);
                places.extend(new.filter_map(|fact| fact.position(Attribute::Position)));
            }
            for (at, place) in places.iter().enumerate() {
                assert!(places[..at].iter().all(|other| far(*other, *place) >= 0.5), "{places:?}");
            }
        }
    }

    /// Who is in a squad remembers the task that he was told, if he has one, and no other. Who has not
    /// heard that it is over, or of another, keeps the one before.
    fn ask_members(&mut self) {
        let spec = self.minds.spec();
        let mut knows = BTreeMap::new();
        for member in self.squads.all().iter().flat_map(|squad| &squad.members) {
            let task = self.squads.tasks().iter().find(|task| task.member == member.mind);
            let told = task.filter(|task| task.told).map(|task| task.number);
            self.ties[1] += u32::from(task.is_some_and(|task| !task.told));
            let unheard = self.squads.unheard(member.mind);
            // By radio there is nothing that one has not heard.
            let by_voice = spec.squads[0].voice.is_some();
            assert!(unheard.is_none() || by_voice && told.is_none(), "{member:?} {unheard:?}");
            let memory = self.minds.mind(member.mind).unwrap().memory();
            let tasks = memory.of_kind(spec.words.find("task").unwrap());
            let known: Vec<_> = tasks.filter_map(|fact| fact.number(Attribute::Index)).collect();
            // A task that has had its time is forgotten, whether he hears that it is over or not.
            let allowed = spec.squads[0].tasks;
            let unheard = unheard.filter(|number| self.now <= self.told[number] + allowed);
            let own = told.or(unheard);
            let is_right = known == Vec::from_iter(own.map(|number| number as f32));
            assert!(is_right, "{member:?} knows of {known:?}, was told {told:?}");
            // Nobody begins anew with what is over.
            let before = self.knew.get(&member.mind).copied();
            assert!(unheard.is_none_or(|_| before == own), "{member:?} {before:?} {own:?}");
            self.ties[3] += u32::from(unheard.is_some());
            knows.extend(own.map(|number| (member.mind, number)));
        }
        self.knew = knows;
    }

    /// A new squad hangs together.
    fn is_near(&self, places: &[Position]) {
        let mut reached = vec![places[0]];
        while let Some(&next) = places.iter().find(|place| {
            let is_near = reached.iter().any(|known| far(*known, **place) <= WITHIN);
            is_near && !reached.contains(place)
        }) {
            reached.push(next);
        }
        assert!(places.iter().all(|place| reached.contains(place)), "{places:?}");
    }

    pub(crate) fn packed(&self) -> Vec<u8> {
        Encoder::bytes_of(&self.squads)
    }
}

/// Four of one side in a row.
pub(crate) fn one_squad(text: &str) -> (Life, Squad) {
    let mut life = Life::of(text, 1, 1);
    for at in 0..4 {
        life.be_born();
        let me = EntityId(at + 1);
        let red = life.minds.word("red").unwrap();
        *life.plain.people.get_mut(&me).unwrap() = ([at as f32, 0.0, 0.0], red);
    }
    for (mind, me) in life.soldiers() {
        life.minds.set_place(mind, life.plain.people[&me].0).unwrap();
    }
    life.tick();
    let squad = life.squads.all()[0].clone();
    assert_eq!((life.squads.all().len(), squad.members.len()), (1, 4));
    (life, squad)
}

/// Lets a squad want something for a long time.
pub(crate) fn wish(life: &mut Life, squad: MindId, what: &str) -> Word {
    let (kind, what) = (life.minds.word("wish").unwrap(), life.minds.word(what).unwrap());
    let wish = FactDraft::new(kind).with(Attribute::Knowledge, what, 1.0).keep(100_000);
    life.minds.tell(squad, Message::Told(Box::new(wish))).unwrap();
    what
}
