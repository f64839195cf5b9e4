//! `promise …`: what must come of a story.

use super::all::BEGINNINGS;
use super::{Reading, Statement, statements, whole};
use crate::body::vocabulary::TASKS;
use crate::story::squads::SquadWhat;
use crate::story::{Claim, HowMany, Promise, Spot, Step};
use crate::thing::ThingKind;
use throng_domain::Span;
use throng_domain::names::{plain_of, template_of};
use throng_domain::notes::{Note, NoteWord, Relation, Reported, WordKind};
use throng_mind::squad::TaskEnd;

/// What can be promised of an actor.
const OF_ACTORS: [&str; 18] = [
    "plans",
    "does",
    "starts",
    "fails",
    "never",
    "wants",
    "is",
    "at",
    "forgets",
    "remembers",
    "learns",
    "gets",
    "fulfils",
    "refuses",
    "picks",
    "leaves",
    "has",
    "leads",
];
/// What can be promised of a squad.
const OF_SQUADS: [&str; 6] = ["plans", "does", "starts", "fails", "never", "wants"];

impl<'m> Reading<'m> {
    /// One promise.
    pub(super) fn promise(&mut self, note: &'m Note) -> Result<(), Reported> {
        let mut statement = self.statement(note);
        let Promised { who, among, claim } = statement.claim()?;
        let by = match statement.sees("by") || statement.sees("until") {
            true => Some(statement.deadline(&claim)?),
            false => None,
        };
        statement.end()?;
        let text = note.text();
        let text = text.split_once(' ').map_or("", |(_, rest)| rest).to_string();
        self.story.promises.push(Promise { text, span: note.span, who, among, claim, by });
        Ok(())
    }
}

/// What is promised, and of whom.
pub(super) struct Promised {
    pub(super) who: Option<usize>,
    pub(super) among: Option<(HowMany, Vec<usize>)>,
    pub(super) claim: Claim,
}

impl From<Claim> for Promised {
    fn from(claim: Claim) -> Promised {
        Promised { who: None, among: None, claim }
    }
}

impl Statement<'_, '_> {
    /// `by SECONDS`, of claims that are kept at a moment; `until SECONDS`, of what must not be before.
    fn deadline(&mut self, claim: &Claim) -> Result<u32, Reported> {
        let (place, until) = (self.place(), self.sees("until"));
        self.next();
        let at = self.moment()?;
        let cure = match (claim.is_never(), until) {
            (true, true) => return Ok(at),
            (true, false) => "write `until` for `by`, or leave it out: never in the whole story",
            (false, true) => "write `by`: at that moment or before",
            (false, false) => "leave `by` out",
        };
        match claim {
            _ if claim.is_never() || until => {
                let text = "what must never be is so up to a moment, the rest by one";
                return Err(self.senseless(place, text, cure));
            }
            Claim::NobodyShares => {}
            Claim::CallsBelow(_) | Claim::HeavyAtMost(_) | Claim::NobodyStands => {}
            Claim::QuestionsAtMost(_) => {}
            Claim::NobodyKnows(_)
            | Claim::NobodyIdle(..)
            | Claim::NobodyTwitches
            | Claim::NobodyDoubles(..) => {}
            Claim::AfterKill(_) | Claim::AfterDeath(..) | Claim::DeathsHaveCauses => {}
            Claim::ThrowsAtMost(..) | Claim::NobodyHurt(..) | Claim::Within(..) => {}
            Claim::Cloaked(..) => {}
            _ => return Ok(at),
        }
        Err(self.senseless(place, "this promise is about the whole story", cure))
    }

    /// What is promised, and of whom.
    fn claim(&mut self) -> Result<Promised, Reported> {
        let story = self.story;
        if self.take_word("calls") {
            self.keyword("below", "`below`, as in `calls below 1 per second`")?;
            let most = self.number("how many", 0.001, 1000.0)?;
            return match self.take_word("per") && self.take_word("second") {
                true => Ok(Claim::CallsBelow(most).into()),
                false => Err(self.expected("`per second`")),
            };
        }
        if self.take_word("heavy") {
            return match self.take_word("at") && self.take_word("most") {
                true => Ok(Claim::HeavyAtMost(whole(self, "how many", 0.0, 1000.0)?).into()),
                false => Err(self.expected("`heavy at most N`")),
            };
        }
        if self.take_word("questions") {
            let at_most = self.take_word("at") && self.take_word("most");
            let most = at_most.then(|| whole(self, "how many", 0.0, 100_000.0)).transpose()?;
            return match most.filter(|_| self.take_word("per") && self.take_word("tick")) {
                Some(most) => Ok(Claim::QuestionsAtMost(most).into()),
                None => Err(self.expected("`questions at most N per tick`")),
            };
        }
        if self.take_word("squad") {
            return self.of_squad();
        }
        if let Some(promised) = self.of_all()? {
            return Ok(promised);
        }
        let subject = self.name("an actor or a thing")?;
        if let Some(actor) = story.find_actor(&subject.text) {
            let claim = self.promise_of_actors(HowMany::Each, &[actor], subject)?;
            return Ok(Promised { who: Some(actor), among: None, claim });
        }
        if story.find_thing(&subject.text).is_some() {
            let never = self.take_word("never");
            if !self.take_sign(WordKind::Compare(Relation::Is)) {
                let what = "`= STATE` or `never = STATE`, as in `gate never = open`";
                return Err(self.expected(what));
            }
            let state = self.value("a state")?;
            let need = self.need(subject, state)?;
            return Ok(if never { Claim::NeverIs(need) } else { Claim::Is(need) }.into());
        }
        let known = story.actor_names().chain(story.thing_names()).chain(BEGINNINGS);
        Err(self.unknown_in_order("actor or thing", &subject.text, subject.span, known))
    }

    /// What is promised of one actor, or of so many of several.
    pub(super) fn promise_of_actors(
        &mut self,
        how_many: HowMany,
        actors: &[usize],
        subject: &NoteWord,
    ) -> Result<Claim, Reported> {
        let verb = self.name("what is promised of it, as `does`")?;
        match verb.text.as_str() {
            "is" => return self.state_of_actor(),
            "at" => return self.at_or_pick(actors),
            "leaves" => return Ok(Claim::Leaves(self.spot()?)),
            "has" => return self.has(),
            "never" if self.take_word("at") => return Ok(Claim::NeverAt(self.spot()?)),
            _ => _ = self.find("promise", verb, OF_ACTORS.into_iter())?,
        }
        let npcs: Vec<usize> =
            actors.iter().filter_map(|&actor| self.story.actors[actor].npc).collect();
        let lacks = npcs.len() < actors.len() && how_many == HowMany::Each;
        if lacks || npcs.is_empty() {
            let text = format!("`{}` has no mind that could keep this", subject.text);
            let cure = "promise it of an actor with `npc TYPE`";
            return Err(self.senseless(subject.span, text, cure));
        }
        let what = match verb.text.as_str() {
            "gets" => SquadWhat::Given,
            "fulfils" => SquadWhat::Ended(TaskEnd::Done),
            "refuses" => SquadWhat::Ended(TaskEnd::Refused),
            "leads" => return self.leads(),
            _ => return self.of_mind(&npcs, how_many == HowMany::Each, verb),
        };
        let name = self.model.npcs()[npcs[0]].name();
        // Behind the colon: before it stands the squad's own type.
        let has_it = |note: &Note| note.words.iter().skip(2).any(|word| word.text == name);
        if !statements(self.model, "squad").any(has_it) {
            let text = format!("`{name}` is in no squad, and gets no tasks");
            let cure = format!("write `squad TYPE: of {name} within CELLS`");
            return Err(self.senseless(verb.span, text, cure));
        }
        let task = self.name("a task, as in `refuses hold`")?;
        self.find("task", task, TASKS.into_iter())?;
        Ok(Claim::Task(what, task.text.clone()))
    }

    /// The type of a squad, behind `leads`.
    fn leads(&mut self) -> Result<Claim, Reported> {
        let (model, word) = (self.model, self.name("the type of a squad, as in `leads fireteam`")?);
        let known = self.story.squads.iter().map(|&npc| model.npcs()[npc].name());
        self.find("squad", word, known)?;
        Ok(Claim::Task(SquadWhat::Leads, word.text.clone()))
    }

    /// An item of the story, or a weapon, behind `has`.
    fn has(&mut self) -> Result<Claim, Reported> {
        let (word, story) = (self.name("an item or a weapon, as `key`")?, self.story);
        let items = story.things.iter().filter(|thing| thing.kind == ThingKind::Item);
        let items = items.map(|thing| thing.name.as_str());
        let weapons = story.actors.iter().filter_map(|actor| actor.weapon.as_deref());
        let known = items.chain(weapons);
        self.find("item or weapon", word, known)?;
        Ok(Claim::Has(word.text.clone()))
    }

    /// `dead`, `alive`, `within N of ACTOR until S` or `by S`, `cloaked …`, behind `is`.
    fn state_of_actor(&mut self) -> Result<Claim, Reported> {
        if self.take_word("cloaked") {
            return self.cloaked();
        }
        if !self.take_word("within") {
            return match (self.take_word("dead"), self.take_word("alive")) {
                (false, false) => Err(self.expected("`dead`, `alive`, `within` or `cloaked`")),
                (dead, _) => Ok(Claim::Alive(!dead)),
            };
        }
        let cells = self.number("how many cells", 0.0, 1000.0)? as f32;
        self.keyword("of", "`of` and an actor")?;
        let word = self.name("an actor")?;
        let other = self.find("actor", word, self.story.actor_names())?;
        if self.sees("by") {
            return Ok(Claim::ComesWithin(cells, other));
        }
        self.keyword("until", "`until`, for all the time, or `by`, for once, and a moment")?;
        Ok(Claim::Within(cells, other, self.moment()?))
    }

    /// `squad TYPE VERB …`: of some squad of the type.
    fn of_squad(&mut self) -> Result<Promised, Reported> {
        let (model, story) = (self.model, self.story);
        let word = self.name("the type of a squad")?;
        let known = story.squads.iter().map(|&npc| model.npcs()[npc].name());
        let kind = self.find("squad", word, known)?;
        let verb = self.name("what is promised of it, as `wants`")?;
        self.find("promise", verb, OF_SQUADS.into_iter())?;
        let claim = self.of_mind(&[story.squads[kind]], true, verb)?;
        Ok(Promised { who: Some(story.actors.len() + kind), among: None, claim })
    }

    /// What can be promised of any mind of these types; what they do must be known to `each` of
    /// them, or to one.
    fn of_mind(&mut self, npcs: &[usize], each: bool, verb: &NoteWord) -> Result<Claim, Reported> {
        let npc = Types { npcs, each };
        Ok(match verb.text.as_str() {
            "plans" => Claim::Plans(self.steps(npc, false)?),
            "does" => Claim::Does(self.steps(npc, true)?),
            "starts" => self.starts(npc)?,
            "fails" => Claim::Fails(self.step(npc, true)?),
            "learns" => Claim::Learns(self.step(npc, false)?),
            "wants" => self.goals(npc)?,
            "forgets" => Claim::Forgets(self.name("a kind of fact")?.text.clone()),
            "remembers" => Claim::Remembers(self.name("a kind of fact")?.text.clone()),
            "picks" => self.picks(npcs)?,
            _ if self.take_word("does") => Claim::NeverDoes(self.step(npc, true)?),
            _ if self.take_word("plans") => Claim::NeverPlans(self.step(npc, false)?),
            _ if self.take_word("starts") => {
                let step = self.step(npc, true)?;
                Claim::NeverAmong(step, self.crowd(npcs)?)
            }
            _ => return Err(self.expected("`does`, `plans`, `starts` or `at`")),
        })
    }

    /// `starts ACTION [as KIND]`
    fn starts(&mut self, npc: Types<'_>) -> Result<Claim, Reported> {
        let step = self.step(npc, true)?;
        if !self.take_word("as") {
            return Ok(Claim::Starts(step, None));
        }
        let (word, model) = (self.name("a kind of the action")?, self.model);
        let actions = step.actions.iter().map(|&action| &model.actions()[action as usize]);
        let known = actions.flat_map(|action| action.kinds()).map(|kind| kind.name());
        self.find("kind", word, known)?;
        Ok(Claim::Starts(step, Some(word.text.clone())))
    }

    fn steps(&mut self, npc: Types<'_>, all: bool) -> Result<Vec<Step>, Reported> {
        let mut steps = vec![self.step(npc, all)?];
        while self.take_sign(WordKind::Comma) {
            steps.push(self.step(npc, all)?);
        }
        Ok(steps)
    }

    /// An action, a template; where plans are not spoken of, a flavour or a beside.
    fn step(&mut self, npc: Types<'_>, all: bool) -> Result<Step, Reported> {
        let (text, span) = self.reference("an action")?;
        let (flavours, besides, model) = (self.flavours, self.besides, self.model);
        let named = |list: &[&str]| {
            let at = list.iter().position(|known| *known == text).filter(|_| all);
            at.and_then(|at| u16::try_from(at).ok())
        };
        let (flavour, beside) = (named(flavours), named(besides));
        let names = model.actions().iter().map(throng_domain::model::Action::name);
        let can_one = |at: &u32| npc.npcs.iter().any(|&npc| can(model, npc, *at));
        let mut actions = called(&text, names.clone());
        // What a file that is read under a name calls its own.
        if !actions.iter().any(can_one) {
            let plain = called(&text, names.clone().map(plain_of));
            let plain: Vec<u32> = plain.into_iter().filter(can_one).collect();
            actions = if plain.is_empty() { actions } else { plain };
        }
        let mut shown = None;
        if actions.is_empty() {
            (actions, shown) = self.by_slots(&text);
        }
        let is_other = flavour.is_some() || beside.is_some();
        if actions.is_empty() && !is_other {
            let bare = |name| plain_of(template_of(name).unwrap_or(name));
            let known = own_first(names.clone().map(bare), can_one);
            let known = known.into_iter().chain(flavours.iter().chain(besides).copied());
            let known = known.chain(names.map(plain_of));
            return Err(self.unknown_in_order("action", &text, span, known));
        }
        let can = |npc: usize, action: u32| can(model, npc, action);
        if let Some(npc) = npc.lacking(is_other, |npc| actions.iter().any(|&it| can(npc, it))) {
            return Err(self.cannot(npc, "can", &text, span));
        }
        actions.retain(|&action| npc.npcs.iter().any(|&npc| can(npc, action)));
        Ok(Step { text, actions, flavour, beside, shown })
    }

    /// The actions that `goto(cover)` means, where `cover` has several slots; or `goto(c7)`, with
    /// what must be in the slot then.
    fn by_slots(&self, text: &str) -> (Vec<u32>, Option<String>) {
        let names = || (0..).zip(self.model.actions().iter().map(|action| action.name()));
        let without_numbers = |name: &str| {
            let Some((head, inside)) = name.split_once('(') else { return name.to_string() };
            let words = inside.trim_end_matches(')').split(' ');
            let number = |tail: &str| tail.bytes().all(|it| it.is_ascii_digit());
            let bare = words.map(|word| match word.rsplit_once('.') {
                Some((select, tail)) if number(tail) => plain_of(select),
                _ => plain_of(word),
            });
            format!("{}({})", plain_of(head), bare.collect::<Vec<_>>().join(" "))
        };
        let of_select = names().filter(|(_, name)| without_numbers(name) == without_numbers(text));
        let of_select: Vec<u32> = of_select.map(|(at, _)| at).collect();
        if !of_select.is_empty() {
            return (of_select, None);
        }
        let Some((head, inside)) = text.split_once('(') else { return (Vec::new(), None) };
        let story = self.story;
        let mut known = story.actor_names().chain(story.thing_names()).chain(story.node_names());
        let is_there =
            known.any(|name| inside.trim_end_matches(')').split(' ').any(|it| it == name));
        let selects: Vec<&str> = statements(self.model, "select")
            .filter_map(|note| Some(note.words.first()?.text.as_str()))
            .collect();
        let has_slot = |name: &str| {
            let inside = name.split_once('(').map_or("", |(_, inside)| inside);
            inside.trim_end_matches(')').split(' ').any(|word| {
                selects.contains(&word.split_once('.').map_or(word, |(select, _)| select))
            })
        };
        let with_slots =
            names().filter(|(_, name)| template_of(name) == Some(head) && has_slot(name));
        let actions = with_slots.filter(|_| is_there).map(|(at, _)| at).collect();
        (actions, Some(text.to_string()))
    }

    fn goals(&mut self, npc: Types<'_>) -> Result<Claim, Reported> {
        Ok(Claim::Wants(self.goal(npc)?))
    }

    /// A goal that these types want, by position in the model.
    pub(super) fn goal(&mut self, npc: Types<'_>) -> Result<Vec<u32>, Reported> {
        let (text, span) = self.reference("a goal")?;
        let (model, names) = (self.model, self.model.goals().iter());
        let names = names.map(throng_domain::model::Goal::name);
        let mut goals = called(&text, names.clone());
        if goals.is_empty() {
            goals = called(&text, names.clone().map(plain_of));
        }
        let wants = |npc: usize, goal: u32| {
            model.npcs()[npc].wants().iter().any(|id| id.index() == goal as usize)
        };
        if goals.is_empty() {
            let is_own = |at: &u32| npc.npcs.iter().any(|&npc| wants(npc, *at));
            let known = own_first(names.map(plain_of), is_own).into_iter();
            return Err(self.unknown_in_order("goal", &text, span, known));
        }
        if let Some(npc) = npc.lacking(false, |npc| goals.iter().any(|&it| wants(npc, it))) {
            return Err(self.cannot(npc, "wants", &text, span));
        }
        goals.retain(|&goal| npc.npcs.iter().any(|&npc| wants(npc, goal)));
        Ok(goals)
    }

    /// The type does not list it, so the promise could never be kept, or never be broken.
    fn cannot(&mut self, npc: usize, list: &str, text: &str, span: Span) -> Reported {
        let name = self.model.npcs()[npc].name();
        let text = format!("`{text}` is not in the `{list}` of `{name}`");
        self.senseless(span, text, format!("add it to `{list}`, or mend the name"))
    }

    /// A node, a thing, or a mark.
    pub(super) fn spot(&mut self) -> Result<Spot, Reported> {
        let word = self.name("a node, a thing, or a mark")?;
        self.spot_named(word)
    }

    pub(super) fn spot_named(&mut self, word: &NoteWord) -> Result<Spot, Reported> {
        let story = self.story;
        let nodes = story.nodes.iter().map(|it| (it.name.as_str(), it.cell, false));
        let things = story.things.iter().map(|it| (it.name.as_str(), it.cell, true));
        let marks = story.marks.iter().map(|it| (it.name.as_str(), it.cell, false));
        let mut spots = nodes.chain(things).chain(marks);
        let known = spots.clone().map(|(name, ..)| name);
        let at = self.find("node, thing or mark", word, known)?;
        let (name, cell, beside) = spots.nth(at).ok_or(Reported)?;
        Ok(Spot { name: name.to_string(), cell, beside })
    }
}

/// Types of minds that a promise is about: what they do is known to `each` of them, or to one.
#[derive(Clone, Copy)]
pub(super) struct Types<'t> {
    pub(super) npcs: &'t [usize],
    pub(super) each: bool,
}

impl Types<'_> {
    /// A type that lacks what it must have.
    fn lacking(self, never: bool, has: impl Fn(usize) -> bool) -> Option<usize> {
        let mut without = self.npcs.iter().copied().filter(|&npc| !has(npc));
        let is_enough = self.each || self.npcs.iter().all(|&npc| !has(npc));
        without.next().filter(|_| is_enough && !never)
    }
}

/// Whether a type can do an action, both by position in the model.
fn can(model: &throng_domain::Model, npc: usize, action: u32) -> bool {
    model.npcs()[npc].can().iter().any(|id| id.index() == action as usize)
}

/// Names by the alphabet, those first whose positions are some people's own: the list is cut.
fn own_first<'n>(
    names: impl Iterator<Item = &'n str>,
    is_own: impl Fn(&u32) -> bool,
) -> Vec<&'n str> {
    let mut all: Vec<(bool, &str)> =
        (0..).zip(names).map(|(at, name)| (!is_own(&at), name)).collect();
    all.sort_unstable();
    all.into_iter().map(|(_, name)| name).collect()
}

/// The positions of what is called so, or made from the template called so.
fn called<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> Vec<u32> {
    let is = |name: &str| name == text || template_of(name) == Some(text);
    (0..).zip(names).filter(|(_, name)| is(name)).map(|(at, _)| at).collect()
}
