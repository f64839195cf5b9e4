//! `promise …`: what must come of a story.

use super::{Reading, Statement, statements, whole};
use crate::body::vocabulary::TASKS;
use crate::story::squads::SquadWhat;
use crate::story::{Claim, Promise, Spot, Step};
use throng_domain::Span;
use throng_domain::names::template_of;
use throng_domain::notes::{Note, NoteWord, Relation, Reported, WordKind};
use throng_mind::squad::TaskEnd;

/// What can be promised of an actor.
const OF_ACTORS: [&str; 14] = [
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
];
/// What can be promised of a squad.
const OF_SQUADS: [&str; 6] = ["plans", "does", "starts", "fails", "never", "wants"];

impl<'m> Reading<'m> {
    /// One promise.
    pub(super) fn promise(&mut self, note: &'m Note) -> Result<(), Reported> {
        let mut statement = self.statement(note);
        let (who, claim) = statement.claim()?;
        let by = match statement.sees("by") {
            true => Some(statement.deadline(&claim)?),
            false => None,
        };
        statement.end()?;
        let text = note.text();
        let text = text.split_once(' ').map_or("", |(_, rest)| rest).to_string();
        self.story.promises.push(Promise { text, span: note.span, who, claim, by });
        Ok(())
    }
}

impl Statement<'_, '_> {
    /// `by SECONDS`, of claims that are kept at a moment.
    fn deadline(&mut self, claim: &Claim) -> Result<u32, Reported> {
        let place = self.place();
        self.next();
        let at = self.moment()?;
        match claim {
            Claim::NeverDoes(_) | Claim::NeverPlans(_) | Claim::NobodyShares => {}
            Claim::CallsBelow(_) | Claim::HeavyAtMost(_) | Claim::NobodyStands => {}
            _ => return Ok(at),
        }
        Err(self.senseless(place, "this promise is about the whole story", "leave `by` out"))
    }

    /// What is promised, and of whom.
    fn claim(&mut self) -> Result<(Option<usize>, Claim), Reported> {
        let story = self.story;
        if self.take_word("calls") {
            self.keyword("below", "`below`, as in `calls below 1 per second`")?;
            let most = self.number("how many", 0.001, 1000.0)?;
            return match self.take_word("per") && self.take_word("second") {
                true => Ok((None, Claim::CallsBelow(most))),
                false => Err(self.expected("`per second`")),
            };
        }
        if self.take_word("heavy") {
            return match self.take_word("at") && self.take_word("most") {
                true => Ok((None, Claim::HeavyAtMost(whole(self, "how many", 0.0, 1000.0)?))),
                false => Err(self.expected("`heavy at most N`")),
            };
        }
        if self.take_word("nobody") {
            return match (self.take_word("stands"), self.take_word("shares")) {
                (true, _) => Ok((None, Claim::NobodyStands)),
                (_, true) => Ok((None, Claim::NobodyShares)),
                _ => Err(self.expected("`stands` or `shares`")),
            };
        }
        if self.take_word("squad") {
            return self.of_squad();
        }
        let subject = self.name("an actor or a thing")?;
        if let Some(actor) = story.find_actor(&subject.text) {
            return Ok((Some(actor), self.promise_of_actor(actor, subject)?));
        }
        if story.find_thing(&subject.text).is_some() {
            self.sign(WordKind::Compare(Relation::Is))?;
            let state = self.value("a state")?;
            return Ok((None, Claim::Is(self.need(subject, state)?)));
        }
        let known = story.actor_names().chain(story.thing_names());
        let known = known.chain(["calls", "heavy", "nobody", "squad"]);
        Err(self.unknown_in_order("actor or thing", &subject.text, subject.span, known))
    }

    fn promise_of_actor(&mut self, actor: usize, subject: &NoteWord) -> Result<Claim, Reported> {
        let verb = self.name("what is promised of it, as `does`")?;
        match verb.text.as_str() {
            "is" => match (self.take_word("dead"), self.take_word("alive")) {
                (false, false) => return Err(self.expected("`dead` or `alive`")),
                (dead, _) => return Ok(Claim::Alive(!dead)),
            },
            "at" => return Ok(Claim::At(self.spot()?)),
            _ => _ = self.find("promise", verb, OF_ACTORS.into_iter())?,
        }
        let Some(npc) = self.story.actors[actor].npc else {
            let text = format!("`{}` has no mind that could keep this", subject.text);
            let cure = "promise it of an actor with `npc TYPE`";
            return Err(self.senseless(subject.span, text, cure));
        };
        let what = match verb.text.as_str() {
            "gets" => SquadWhat::Given,
            "fulfils" => SquadWhat::Ended(TaskEnd::Done),
            "refuses" => SquadWhat::Ended(TaskEnd::Refused),
            _ => return self.of_mind(npc, verb),
        };
        let name = self.model.npcs()[npc].name();
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

    /// `squad TYPE VERB …`: of some squad of the type.
    fn of_squad(&mut self) -> Result<(Option<usize>, Claim), Reported> {
        let (model, story) = (self.model, self.story);
        let word = self.name("the type of a squad")?;
        let known = story.squads.iter().map(|&npc| model.npcs()[npc].name());
        let kind = self.find("squad", word, known)?;
        let verb = self.name("what is promised of it, as `wants`")?;
        self.find("promise", verb, OF_SQUADS.into_iter())?;
        let claim = self.of_mind(story.squads[kind], verb)?;
        Ok((Some(story.actors.len() + kind), claim))
    }

    /// What can be promised of any mind.
    fn of_mind(&mut self, npc: usize, verb: &NoteWord) -> Result<Claim, Reported> {
        Ok(match verb.text.as_str() {
            "plans" => Claim::Plans(self.steps(npc, false)?),
            "does" => Claim::Does(self.steps(npc, true)?),
            "starts" => self.starts(npc)?,
            "fails" => Claim::Fails(self.step(npc, true)?),
            "learns" => Claim::Learns(self.step(npc, false)?),
            "wants" => self.goals(npc)?,
            "forgets" => Claim::Forgets(self.name("a kind of fact")?.text.clone()),
            "remembers" => Claim::Remembers(self.name("a kind of fact")?.text.clone()),
            _ if self.take_word("does") => Claim::NeverDoes(self.step(npc, true)?),
            _ if self.take_word("plans") => Claim::NeverPlans(self.step(npc, false)?),
            _ => return Err(self.expected("`does` or `plans`")),
        })
    }

    /// `starts ACTION [as KIND]`
    fn starts(&mut self, npc: usize) -> Result<Claim, Reported> {
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

    fn steps(&mut self, npc: usize, flavours: bool) -> Result<Vec<Step>, Reported> {
        let mut steps = vec![self.step(npc, flavours)?];
        while self.take_sign(WordKind::Comma) {
            steps.push(self.step(npc, flavours)?);
        }
        Ok(steps)
    }

    /// An action, a template, or a flavour.
    fn step(&mut self, npc: usize, flavours: bool) -> Result<Step, Reported> {
        let (text, span) = self.reference("an action")?;
        let (known_flavours, model) = (self.flavours, self.model);
        let flavour = known_flavours.iter().position(|known| *known == text);
        let flavour = flavour.filter(|_| flavours).and_then(|at| u16::try_from(at).ok());
        let names = model.actions().iter().map(throng_domain::model::Action::name);
        let mut actions = called(&text, names.clone());
        if actions.is_empty() && flavour.is_none() {
            let known = names.flat_map(|name| [Some(name), template_of(name)]).flatten();
            let known = known.chain(known_flavours.iter().copied());
            return Err(self.unknown("action", &text, span, known));
        }
        let can = model.npcs()[npc].can();
        actions.retain(|&action| can.iter().any(|id| id.index() == action as usize));
        if actions.is_empty() && flavour.is_none() {
            return Err(self.cannot(npc, "can", &text, span));
        }
        Ok(Step { text, actions, flavour })
    }

    fn goals(&mut self, npc: usize) -> Result<Claim, Reported> {
        let (text, span) = self.reference("a goal")?;
        let names = self.model.goals().iter().map(throng_domain::model::Goal::name);
        let mut goals = called(&text, names.clone());
        if goals.is_empty() {
            return Err(self.unknown("goal", &text, span, names));
        }
        let wants = self.model.npcs()[npc].wants();
        goals.retain(|&goal| wants.iter().any(|id| id.index() == goal as usize));
        match goals.is_empty() {
            true => Err(self.cannot(npc, "wants", &text, span)),
            false => Ok(Claim::Wants(goals)),
        }
    }

    /// The type does not list it, so the promise could never be kept, or never be broken.
    fn cannot(&mut self, npc: usize, list: &str, text: &str, span: Span) -> Reported {
        let name = self.model.npcs()[npc].name();
        let text = format!("`{text}` is not in the `{list}` of `{name}`");
        self.senseless(span, text, format!("add it to `{list}`, or mend the name"))
    }

    /// A node, a thing, or a mark.
    fn spot(&mut self) -> Result<Spot, Reported> {
        let (word, story) = (self.name("a node, a thing, or a mark")?, self.story);
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

/// The positions of what is called so, or made from the template called so.
fn called<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> Vec<u32> {
    let is = |name: &str| name == text || template_of(name) == Some(text);
    (0..).zip(names).filter(|(_, name)| is(name)).map(|(at, _)| at).collect()
}
