//! Who is who: the actors and things of a story, in the world and as minds.
//!
//! In:   a story and what its minds are made of.
//! Out:  the world with all actors in it, and answers to the judge.
//! Cost: one entry per actor.

mod codec;

use super::answering::LateReply;
use super::facts::FactPattern;
use super::incident::Incident;
use super::picks::ShowSlots;
use super::promise::{Idle, View};
use super::read::build_order;
use super::run::PlayError;
use super::squads::{Command, SquadTold};
use super::{Deed, Need, Spot, Story};
use crate::build::ActorDraft;
use crate::cell::Cell;
use crate::error::WorldError;
use crate::node::Node;
use crate::world::World;
use std::collections::HashMap;
use throng_domain::model::{ActionId, NpcTypeId};
use throng_mind::body::Body;
use throng_mind::choose::Standing;
use throng_mind::events::Activity;
use throng_mind::fact::{Attribute, EntityId};
use throng_mind::memory::FactRef;
use throng_mind::orders::{Message, MindId};
use throng_mind::select::Key;
use throng_mind::spec::{SensorSpec, Spec};
use throng_mind::words::{Word, Words};
use throng_mind::{Mind, Minds};

/// The sensor that looks at others than enemies, too.
const SEES_ALL: &str = "see";

/// The actors, things and squads of a story, in the world and as minds.
pub struct Cast {
    pub(super) story: Story,
    pub(super) world: World,
    pub(super) minds: Minds<World>,
    pub(super) roster: Roster,
    /// All minds since the play was made or restored: whose, and its number in the world then.
    pub(super) by_mind: HashMap<MindId, (usize, EntityId)>,
    pub(super) by_handle: HashMap<EntityId, usize>,
    /// By thing: its number in the world.
    pub(super) things: Vec<EntityId>,
    words: Words,
    pub(super) command: Command,
    /// What happened in the world in the last tick.
    pub(super) incidents: Vec<Incident>,
    /// What slots held before the last tick and do not any more: by voice and slot.
    pub(super) let_go: Vec<(usize, u16, Key)>,
    /// How actions are told that have slots as parameters.
    pub(super) show_slots: ShowSlots,
    /// Replies to questions of minds that are under way.
    pub(super) replies: Vec<LateReply>,
}

/// Where the actors of the story are and what became of them, each list by actor.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Roster {
    /// Its number in the world, while it is there.
    handles: Vec<Option<EntityId>>,
    /// Its number in the world, while it is off the map.
    pub(super) away: Vec<Option<EntityId>>,
    /// Whether it has died.
    died: Vec<bool>,
    /// Its mind, while it has one.
    pub(super) ids: Vec<Option<MindId>>,
}

impl Cast {
    /// Whether an actor has an item with him, or fights with this.
    fn has_with_him(&self, actor: usize, what: &str) -> bool {
        let him = self.handle(actor).and_then(|handle| self.world.actor(handle));
        let word = self.words.find(what);
        him.zip(word).is_some_and(|(him, word)| {
            let is_it = |&held: &EntityId| self.world.thing(held).is_some_and(|it| it.name == word);
            him.carries.iter().any(is_it) || him.weapon.is_some_and(|weapon| weapon.name == word)
        })
    }

    pub(super) fn new(
        story: Story,
        mut spec: Spec,
        body: Body<World>,
        threads: usize,
    ) -> Result<Cast, PlayError> {
        let (mut world, things) = build(&story, &mut spec.words).map_err(PlayError::World)?;
        // A thousand in view of each other are many to be told of: only where somebody cares.
        let sees_all = |sensor: &SensorSpec| spec.words.text(sensor.name) == SEES_ALL;
        world.rules.sees_all = spec.sensors.iter().any(sees_all);
        let mut minds = Minds::new(spec, body, threads).map_err(PlayError::Code)?;
        minds.set_seed(story.seed);
        let words = minds.spec().words.clone();
        let n = story.actors.len();
        let mut cast = Cast {
            story,
            world,
            minds,
            roster: Roster {
                handles: vec![None; n],
                away: vec![None; n],
                died: vec![false; n],
                ids: vec![None; n],
            },
            by_mind: HashMap::new(),
            by_handle: HashMap::new(),
            things,
            words,
            command: Command::default(),
            incidents: Vec::new(),
            let_go: Vec::new(),
            show_slots: ShowSlots::default(),
            replies: Vec::new(),
        };
        for actor in 0..n {
            if cast.story.is_present(actor) {
                let cell = cast.story.actors[actor].cell;
                cast.enter(actor, cell).map_err(PlayError::World)?;
            }
        }
        Ok(cast)
    }

    /// The number of an actor in the world, while it is there.
    pub fn handle(&self, actor: usize) -> Option<EntityId> {
        self.roster.handles[actor]
    }

    /// The type of an actor's mind.
    fn npc(&self, actor: usize) -> Option<NpcTypeId> {
        let npcs = self.minds.spec().domain.npcs();
        npcs.get(self.story.actors[actor].npc?).map(|npc| npc.id())
    }

    /// The same, while it lives.
    pub(super) fn living(&self, actor: usize) -> Option<EntityId> {
        self.roster.handles[actor].filter(|&it| self.world.actor(it).is_some_and(|it| it.alive))
    }

    /// The mind of an actor, while it has one; behind the actors come the squads.
    pub fn mind(&self, actor: usize) -> Option<&Mind> {
        let squad = self.squad_voice(actor).map(|squad| squad.mind);
        self.minds.mind(self.roster.ids.get(actor).copied().flatten().or(squad)?)
    }

    throng_base::getters! {
        /// The story.
        story: &Story;
        /// The world as it is.
        world: &World;
        /// The minds as they are.
        minds: &Minds<World>;
        /// All words of the minds and the world.
        words: &Words;
    }

    pub(super) fn word(&self, text: &str) -> Word {
        self.words.find(text).unwrap_or(Word::NONE)
    }

    /// Puts an actor into the world, with a mind if it has one.
    fn enter(&mut self, actor: usize, cell: Cell) -> Result<(), WorldError> {
        let draft = ActorDraft { cell, ..self.story.actors[actor].clone() };
        let handle = self.world.add_actor(&draft, &mut self.words)?;
        self.begin(actor, handle, cell);
        Ok(())
    }

    /// The actor is there from now on, with a mind if it has one.
    fn begin(&mut self, actor: usize, handle: EntityId, cell: Cell) {
        self.roster.handles[actor] = Some(handle);
        self.by_handle.insert(handle, actor);
        if let Some(npc) = self.npc(actor)
            && let Ok(mind) = self.minds.spawn(npc, handle)
        {
            let _ = self.minds.set_place(mind, cell.place());
            let side = self.world.actor(handle).map_or(Word::NONE, |actor| actor.side);
            let _ = self.minds.set_side(mind, side);
            self.roster.ids[actor] = Some(mind);
            self.by_mind.insert(mind, (actor, handle));
        }
    }

    /// Lets an actor appear: from outside, or from elsewhere.
    pub(super) fn appear(&mut self, actor: usize, cell: Cell) -> bool {
        if let Some(handle) = self.roster.handles[actor] {
            return self.world.place(handle, cell);
        }
        let Some(handle) = self.roster.away[actor] else { return self.enter(actor, cell).is_ok() };
        let health = self.story.actors[actor].health;
        if self.roster.died[actor] || !self.world.bring_back(handle, cell, health) {
            return false;
        }
        self.roster.away[actor] = None;
        self.begin(actor, handle, cell);
        true
    }

    /// Takes an actor, whose mind has ended, off the map.
    pub(super) fn leave(&mut self, actor: usize) -> bool {
        let Some(handle) = self.roster.handles[actor].take() else { return false };
        self.by_handle.remove(&handle);
        self.roster.away[actor] = Some(handle);
        self.world.take_off(handle)
    }

    /// Actors that have died since the last question.
    pub(super) fn newly_dead(&mut self) -> Vec<usize> {
        let is_new = |&actor: &usize| {
            !self.roster.died[actor]
                && self.roster.handles[actor].is_some()
                && self.living(actor).is_none()
        };
        let newly: Vec<usize> = (0..self.roster.handles.len()).filter(is_new).collect();
        newly.iter().for_each(|&actor| self.roster.died[actor] = true);
        newly
    }

    /// Hands the world's reports to the minds, and tells them where they are.
    pub(super) fn deliver(&mut self) {
        let reports: Vec<(EntityId, Message)> = self.world.reports().collect();
        for (handle, message) in reports {
            // Scripted actors have no mind to tell.
            let Some(&actor) = self.by_handle.get(&handle) else { continue };
            if let Some(id) = self.roster.ids[actor] {
                self.note_heard(actor, &message);
                // A mind that has ended need not know.
                let _ = self.minds.tell(id, message);
            }
        }
        let Cast { world, minds, roster: Roster { ids, handles, .. }, .. } = self;
        for (id, handle) in ids.iter().zip(handles) {
            if let (Some(id), Some(handle)) = (id, handle)
                && let Some(actor) = world.actor(*handle)
            {
                let _ = minds.set_place(*id, actor.cell.place());
            }
        }
    }
}

impl Cast {
    /// Whether an actor's mind has such a fact about another actor.
    fn has_fact_of(
        &self,
        actor: usize,
        kind: Word,
        other: usize,
        is: impl Fn(FactRef<'_>) -> bool,
    ) -> bool {
        let Some((mind, handle)) = self.mind(actor).zip(self.handle(other)) else { return false };
        let mut facts = mind.memory().of_kind(kind);
        facts.any(|fact| fact.entity(Attribute::Object) == Some(handle) && is(fact))
    }
}

impl View for Cast {
    fn is_alive(&self, actor: usize) -> bool {
        !self.roster.died[actor]
    }

    fn is_at(&self, actor: usize, spot: &Spot) -> bool {
        let found = self.roster.handles[actor].and_then(|handle| self.world.actor(handle));
        found.is_some_and(|actor| {
            actor.cell == spot.cell || spot.beside && actor.cell.is_beside(spot.cell)
        })
    }

    fn is_so(&self, need: &Need) -> bool {
        let thing = self.world.thing(self.things[need.thing]);
        thing.is_some_and(|thing| self.words.text(thing.state()) == need.state)
    }

    fn remembers(&self, actor: usize, kind: &str) -> bool {
        let kind = self.word(kind);
        let is_shared = || self.minds.shared().of_kind(kind).next().is_some();
        self.mind(actor)
            .is_some_and(|mind| mind.memory().of_kind(kind).next().is_some() || is_shared())
    }

    fn kind(&self, kind: Word) -> String {
        self.words.text(kind).to_string()
    }

    fn plan(&self, actor: usize) -> Vec<u32> {
        let steps = self.mind(actor).map_or(&[][..], |mind| mind.plan().steps());
        steps.iter().map(|action| action.index() as u32).collect()
    }

    fn asked(&self, actor: usize) -> u32 {
        self.mind(actor).map_or(0, |mind| mind.plan().asked())
    }

    fn whom(&self, voice: usize) -> usize {
        self.squad_voice(voice).map_or(voice, |squad| self.story.actors.len() + squad.kind)
    }

    fn squad_news(&self) -> &[SquadTold] {
        Cast::squad_news(self)
    }

    fn sharing(&self) -> Option<(&str, &str, &str)> {
        // Who passes by takes nothing.
        let there = |node: &Node| {
            let at = self.world.actors().nearest(node.cell, 0.0).into_iter();
            at.filter(|it| !it.is_moving()).map(|it| it.text.as_str())
        };
        let nodes = self.world.nodes().iter().filter(|node| self.world.exists(node));
        nodes.into_iter().find_map(|node| {
            let mut there = there(node);
            Some((there.next()?, there.next()?, node.text.as_str()))
        })
    }

    fn incidents(&self) -> &[Incident] {
        Cast::incidents(self)
    }

    fn n_questions(&self) -> usize {
        self.minds.questions().len()
    }

    fn picked(&self, actor: usize, select: &str) -> Vec<String> {
        self.picked_names(actor, select)
    }

    fn is_at_pick(&self, actor: usize, select: &str) -> bool {
        self.stands_at_pick(actor, select)
    }

    fn shown(&self, actor: usize, action: u32) -> Option<String> {
        let map = self.minds.spec().domain.map();
        let action = ActionId::from_index(action as usize)?;
        Some(self.with_names(actor, map.action(action), ShowSlots::Held))
    }

    fn shown_at_end(&self, actor: usize, action: u32) -> Option<String> {
        let map = self.minds.spec().domain.map();
        let action = ActionId::from_index(action as usize)?;
        Some(self.with_old_names(actor, map.action(action), ShowSlots::Held))
    }

    fn has(&self, actor: usize, what: &str) -> bool {
        self.has_with_him(actor, what)
    }

    fn wants(&self, actor: usize) -> Option<u32> {
        Some(self.mind(actor)?.goals().active()?.index() as u32)
    }

    fn is_urgent(&self, goal: u32) -> bool {
        self.minds.spec().goals.get(goal as usize).is_some_and(|goal| goal.urgent)
    }

    fn rests(&self, actor: usize) -> bool {
        self.mind(actor).is_some_and(|mind| match mind.follow().run() {
            Some(run) => matches!(run.doing, Activity::Otherwise(_)),
            None => true,
        })
    }

    fn knows(&self, actor: usize, pattern: &FactPattern) -> bool {
        Cast::knows(self, actor, pattern)
    }

    fn saw_dead(&self, actor: usize, dead: usize) -> bool {
        self.has_fact_of(actor, self.world.words.body, dead, |_| true)
    }

    fn believes_alive(&self, actor: usize, other: usize) -> bool {
        let words = &self.world.words;
        self.has_fact_of(actor, words.character, other, |fact| {
            fact.word(Attribute::Knowledge) == Some(words.alive)
        })
    }

    fn aims_at(&self, actor: usize) -> Option<usize> {
        self.actor_of(self.world.actor(self.living(actor)?)?.aims_at?)
    }

    fn distance(&self, one: usize, other: usize) -> Option<f32> {
        let cell = |actor: usize| Some(self.world.actor(self.living(actor)?)?.cell);
        Some(cell(one)?.distance(cell(other)?))
    }

    fn distance_to_pick(&self, one: usize, who: usize, select: &str) -> Option<f32> {
        self.far_from_picked(one, who, select)
    }

    fn could_see(&self, actor: usize, other: usize) -> bool {
        let cell = |actor: usize| Some(self.world.actor(self.living(actor)?)?.cell);
        let both = cell(actor).zip(cell(other));
        both.is_some_and(|(from, to)| self.world.is_in_view(from, to))
    }

    fn is_cloaked(&self, actor: usize) -> bool {
        let it = self.living(actor).and_then(|id| self.world.actor(id));
        it.is_some_and(|it| it.cloaked)
    }

    fn idle(&self, actor: usize) -> Idle {
        let Some(mind) = self.mind(actor) else { return Idle::Absent };
        let could = |standing| matches!(standing, Standing::Active | Standing::Outscored);
        match mind.follow().run() {
            Some(_) => Idle::Busy,
            None if mind.plan().waits().is_some() => Idle::Because,
            None if self.has_just_asked(mind) => Idle::Because,
            None if mind.plan().goal().is_some() => Idle::Between,
            None if mind.goals().all().iter().any(|goal| could(goal.standing)) => Idle::Unexplained,
            None => Idle::Because,
        }
    }
}

/// The world with its things and nodes, and the number of each thing.
fn build(story: &Story, words: &mut Words) -> Result<(World, Vec<EntityId>), WorldError> {
    let floor = story.floor();
    let rows: Vec<&str> = floor.iter().map(String::as_str).collect();
    let mut world = World::new(&rows, story.pace, words)?;
    let rules = &mut world.rules;
    (rules.seed, rules.accuracy) = (story.seed, story.accuracy);
    rules.bodies_pass = story.bodies_pass;
    // Those who come later bring no new words: minds know all words from the beginning.
    for actor in &story.actors {
        let weapon = actor.weapon.as_deref();
        [&actor.name, &actor.side].into_iter().for_each(|text| _ = words.intern(text));
        weapon.into_iter().for_each(|text| _ = words.intern(text));
    }
    for entry in &story.script {
        match &entry.deed {
            Deed::Tells(tellings) => {
                let told = tellings.iter().flat_map(|telling| telling.words());
                told.for_each(|text| _ = words.intern(text));
            }
            Deed::Noise { event: Some(event), .. } => _ = words.intern(event),
            _ => {}
        }
    }
    let mut things = vec![EntityId::default(); story.things.len()];
    for position in build_order(&story.things).0 {
        things[position] = world.add_thing(&story.things[position], words)?;
    }
    for draft in &story.nodes {
        world.add_node(draft, words)?;
    }
    Ok((world, things))
}
