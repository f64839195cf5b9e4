//! `promise …`: what must come of a story.

use super::declare::need;
use super::script::names;
use super::{Reading, Spot, Step, spelled, whole};
use crate::body::vocabulary::TASKS;
use crate::story::{Claim, Driver, Promise, Story};
use throng_domain::names::template_of;
use throng_domain::notes::{Note, NoteReader, NoteWord, Relation, Reported, WordKind};
use throng_domain::{Code, Model, Span};

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
        let about = About { model: self.model, story: &self.story, flavours: &self.flavours };
        let mut reader = NoteReader::new(note, &mut self.report);
        let claim = about.claim(&mut reader)?;
        let by = match reader.sees("by") {
            true => Some(about.deadline(&claim, &mut reader)?),
            false => None,
        };
        reader.end()?;
        let text = spelled(&note.words);
        self.story.promises.push(Promise { text, span: note.span, claim, by });
        Ok(())
    }
}

/// What promises may speak of.
struct About<'a> {
    model: &'a Model,
    story: &'a Story,
    flavours: &'a [&'a str],
}

impl About<'_> {
    /// `by SECONDS`, of claims that are kept at a moment.
    fn deadline(&self, claim: &Claim, reader: &mut NoteReader<'_, '_>) -> Result<u32, Reported> {
        let place = reader.place();
        reader.next();
        let at = Reading::moment(self.story, reader)?;
        match claim {
            Claim::NeverDoes(..) | Claim::NeverPlans(..) => {}
            Claim::CallsBelow(_) | Claim::HeavyAtMost(_) | Claim::NobodyStands => {}
            Claim::NobodyShares => {}
            _ => return Ok(at),
        }
        let text = "this promise is about the whole story";
        reader.report.say(Code::NoteSense, place, text, "leave `by` out");
        Err(Reported)
    }

    fn claim(&self, reader: &mut NoteReader<'_, '_>) -> Result<Claim, Reported> {
        if reader.take_word("calls") {
            if !reader.take_word("below") {
                return Err(reader.expected("`below`, as in `calls below 1 per second`"));
            }
            let most = reader.number("how many", 0.001, 1000.0)?;
            let ends = reader.take_word("per") && reader.take_word("second");
            return match ends {
                true => Ok(Claim::CallsBelow(most)),
                false => Err(reader.expected("`per second`")),
            };
        }
        if reader.take_word("heavy") {
            return match reader.take_word("at") && reader.take_word("most") {
                true => Ok(Claim::HeavyAtMost(whole(reader, "how many", 0.0, 1000.0)?)),
                false => Err(reader.expected("`heavy at most N`")),
            };
        }
        if reader.take_word("nobody") {
            return match (reader.take_word("stands"), reader.take_word("shares")) {
                (true, _) => Ok(Claim::NobodyStands),
                (_, true) => Ok(Claim::NobodyShares),
                _ => Err(reader.expected("`stands` or `shares`")),
            };
        }
        if reader.take_word("squad") {
            return self.of_squad(reader);
        }
        let subject = reader.name("an actor or a thing")?;
        if let Some(actor) = self.story.actors.iter().position(|known| known.name == subject.text) {
            return self.of_actor(actor, subject, reader);
        }
        if self.story.things.iter().any(|known| known.name == subject.text) {
            reader.sign(WordKind::Compare(Relation::Is))?;
            let state = reader.value("a state")?;
            return Ok(Claim::Is(need(self.story, subject, state, reader)?));
        }
        let known = names(self.story).chain(["calls", "heavy", "nobody", "squad"]);
        Err(reader.unknown_in_order("actor or thing", &subject.text, subject.span, known))
    }

    fn of_actor(
        &self,
        actor: usize,
        subject: &NoteWord,
        reader: &mut NoteReader<'_, '_>,
    ) -> Result<Claim, Reported> {
        let verb = reader.name("what is promised of it, as `does`")?;
        match verb.text.as_str() {
            "is" => match (reader.take_word("dead"), reader.take_word("alive")) {
                (false, false) => return Err(reader.expected("`dead` or `alive`")),
                (dead, _) => return Ok(Claim::Alive(actor, !dead)),
            },
            "at" => return Ok(Claim::At(actor, self.spot(reader)?)),
            word if !OF_ACTORS.contains(&word) => {
                let known = OF_ACTORS.into_iter();
                return Err(reader.unknown("promise", &verb.text, verb.span, known));
            }
            _ => {}
        }
        let Driver::Mind(npc) = self.story.actors[actor].driver else {
            let text = format!("`{}` has no mind that could keep this", subject.text);
            let cure = "promise it of an actor with `npc TYPE`";
            reader.report.say(Code::NoteSense, subject.span, text, cure);
            return Err(Reported);
        };
        let is_member = || self.is_in_a_squad(npc);
        match verb.text.as_str() {
            "gets" | "fulfils" | "refuses" if !is_member() => {
                let name = self.model.npcs()[npc].name();
                let text = format!("`{name}` is in no squad, and gets no tasks");
                let cure = format!("write `squad TYPE: of {name} within CELLS`");
                reader.report.say(Code::NoteSense, verb.span, text, cure);
                return Err(Reported);
            }
            "gets" => return Ok(Claim::Gets(actor, task(reader)?)),
            "fulfils" => return Ok(Claim::Fulfils(actor, task(reader)?)),
            "refuses" => return Ok(Claim::Refuses(actor, task(reader)?)),
            _ => {}
        }
        self.of_mind(actor, npc, verb, reader)
    }

    /// `squad TYPE VERB …`: of some squad of the type.
    fn of_squad(&self, reader: &mut NoteReader<'_, '_>) -> Result<Claim, Reported> {
        let word = reader.name("the type of a squad")?;
        let name = |npc: &usize| self.model.npcs()[*npc].name();
        let kind = self.story.squads.iter().position(|npc| name(npc) == word.text);
        let Some(kind) = kind else {
            let known = self.story.squads.iter().map(name);
            return Err(reader.unknown("squad", &word.text, word.span, known));
        };
        let verb = reader.name("what is promised of it, as `wants`")?;
        if !OF_SQUADS.contains(&verb.text.as_str()) {
            let known = OF_SQUADS.into_iter();
            return Err(reader.unknown("promise", &verb.text, verb.span, known));
        }
        let who = self.story.actors.len() + kind;
        self.of_mind(who, self.story.squads[kind], verb, reader)
    }

    fn is_in_a_squad(&self, npc: usize) -> bool {
        let name = self.model.npcs()[npc].name();
        let mut squads = self.model.notes().iter().filter(|note| note.keyword.word == "squad");
        // Behind the colon: before it stands the squad's own type.
        squads.any(|note| note.words.iter().skip(2).any(|word| word.text == name))
    }

    /// What can be promised of any mind.
    fn of_mind(
        &self,
        actor: usize,
        npc: usize,
        verb: &NoteWord,
        reader: &mut NoteReader<'_, '_>,
    ) -> Result<Claim, Reported> {
        Ok(match verb.text.as_str() {
            "plans" => Claim::Plans(actor, self.steps(npc, false, reader)?),
            "does" => Claim::Does(actor, self.steps(npc, true, reader)?),
            "starts" => self.starts(actor, npc, reader)?,
            "fails" => Claim::Fails(actor, self.step(npc, true, reader)?),
            "learns" => Claim::Learns(actor, self.step(npc, false, reader)?),
            "wants" => self.goals(actor, npc, reader)?,
            "forgets" => Claim::Forgets(actor, reader.name("a kind of fact")?.text.clone()),
            "remembers" => Claim::Remembers(actor, reader.name("a kind of fact")?.text.clone()),
            _ if reader.take_word("does") => Claim::NeverDoes(actor, self.step(npc, true, reader)?),
            _ if reader.take_word("plans") => {
                Claim::NeverPlans(actor, self.step(npc, false, reader)?)
            }
            _ => return Err(reader.expected("`does` or `plans`")),
        })
    }

    /// `starts ACTION [as KIND]`
    fn starts(
        &self,
        actor: usize,
        npc: usize,
        reader: &mut NoteReader<'_, '_>,
    ) -> Result<Claim, Reported> {
        let step = self.step(npc, true, reader)?;
        if !reader.take_word("as") {
            return Ok(Claim::Starts(actor, step, None));
        }
        let word = reader.name("a kind of the action")?;
        let actions = step.actions.iter().map(|&action| &self.model.actions()[action as usize]);
        let known = actions.flat_map(|action| action.kinds()).map(|kind| kind.name());
        match known.clone().any(|name| name == word.text) {
            true => Ok(Claim::Starts(actor, step.clone(), Some(word.text.clone()))),
            false => Err(reader.unknown("kind", &word.text, word.span, known)),
        }
    }

    fn steps(
        &self,
        npc: usize,
        flavours: bool,
        reader: &mut NoteReader<'_, '_>,
    ) -> Result<Vec<Step>, Reported> {
        let mut steps = vec![self.step(npc, flavours, reader)?];
        while reader.take_sign(WordKind::Comma) {
            steps.push(self.step(npc, flavours, reader)?);
        }
        Ok(steps)
    }

    /// An action, a template, or a flavour.
    fn step(
        &self,
        npc: usize,
        flavours: bool,
        reader: &mut NoteReader<'_, '_>,
    ) -> Result<Step, Reported> {
        let (text, span) = reader.reference("an action")?;
        let flavour = self.flavours.iter().position(|known| *known == text);
        let flavour = flavour.filter(|_| flavours).and_then(|at| u16::try_from(at).ok());
        let all = self.model.actions();
        let is = |name: &str| name == text || template_of(name) == Some(&text);
        let named: Vec<u32> =
            (0u32..).zip(all).filter(|(_, action)| is(action.name())).map(|(at, _)| at).collect();
        if named.is_empty() && flavour.is_none() {
            let known = all.iter().map(throng_domain::model::Action::name);
            let known = known.flat_map(|name| [Some(name), template_of(name)]).flatten();
            let known = known.chain(self.flavours.iter().copied());
            return Err(reader.unknown("action", &text, span, known));
        }
        let can: Vec<usize> = self.model.npcs()[npc].can().iter().map(|id| id.index()).collect();
        let actions: Vec<u32> =
            named.into_iter().filter(|&action| can.contains(&(action as usize))).collect();
        if actions.is_empty() && flavour.is_none() {
            return Err(self.cannot(npc, "can", &text, span, reader));
        }
        Ok(Step { text, actions, flavour })
    }

    fn goals(
        &self,
        actor: usize,
        npc: usize,
        reader: &mut NoteReader<'_, '_>,
    ) -> Result<Claim, Reported> {
        let (text, span) = reader.reference("a goal")?;
        let all = self.model.goals();
        let is = |name: &str| name == text || template_of(name) == Some(&text);
        let named: Vec<u32> =
            (0u32..).zip(all).filter(|(_, goal)| is(goal.name())).map(|(at, _)| at).collect();
        if named.is_empty() {
            let known = all.iter().map(throng_domain::model::Goal::name);
            return Err(reader.unknown("goal", &text, span, known));
        }
        let wants: Vec<usize> =
            self.model.npcs()[npc].wants().iter().map(|id| id.index()).collect();
        let goals: Vec<u32> =
            named.into_iter().filter(|&goal| wants.contains(&(goal as usize))).collect();
        match goals.is_empty() {
            true => Err(self.cannot(npc, "wants", &text, span, reader)),
            false => Ok(Claim::Wants(actor, text, goals)),
        }
    }

    /// The type does not list it, so the promise could never be kept, or never be broken.
    fn cannot(
        &self,
        npc: usize,
        list: &str,
        text: &str,
        span: Span,
        reader: &mut NoteReader<'_, '_>,
    ) -> Reported {
        let name = self.model.npcs()[npc].name();
        let text = format!("`{text}` is not in the `{list}` of `{name}`");
        reader.report.say(
            Code::NoteSense,
            span,
            text,
            format!("add it to `{list}`, or mend the name"),
        );
        Reported
    }

    /// A node, a thing, or a mark.
    fn spot(&self, reader: &mut NoteReader<'_, '_>) -> Result<Spot, Reported> {
        let word = reader.name("a node, a thing, or a mark")?;
        let name = word.text.clone();
        if let Some(node) = self.story.nodes.iter().find(|known| known.name == name) {
            return Ok(Spot { name, cell: node.cell, beside: false });
        }
        if let Some(thing) = self.story.things.iter().find(|known| known.name == name) {
            return Ok(Spot { name, cell: thing.cell, beside: true });
        }
        if let Some(mark) = self.story.marks.iter().find(|known| known.name == name) {
            return Ok(Spot { name, cell: mark.cell, beside: false });
        }
        let nodes = self.story.nodes.iter().map(|known| known.name.as_str());
        let things = self.story.things.iter().map(|known| known.name.as_str());
        let marks = self.story.marks.iter().map(|known| known.name.as_str());
        let known = nodes.chain(things).chain(marks);
        Err(reader.unknown("node, thing or mark", &word.text, word.span, known))
    }
}

/// What squads can ask for.
fn task(reader: &mut NoteReader<'_, '_>) -> Result<String, Reported> {
    let word = reader.name("a task, as in `refuses hold`")?;
    match TASKS.contains(&word.text.as_str()) {
        true => Ok(word.text.clone()),
        false => Err(reader.unknown("task", &word.text, word.span, TASKS.into_iter())),
    }
}
