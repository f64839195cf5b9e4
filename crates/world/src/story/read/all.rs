//! Promises about several actors, about all, and about what comes after what.

use super::promises::{Promised, Types};
use super::{LONGEST, Statement, statements, whole};
use crate::story::{Claim, HowMany, Reaction};
use throng_domain::Model;
use throng_domain::names::{plain_of, prefixes_of};
use throng_domain::notes::{NoteWord, Reported, WordKind};
use throng_mind::time::Tick;

/// Words that a promise may begin with instead of a name.
pub(super) const BEGINNINGS: [&str; 12] = [
    "calls",
    "heavy",
    "questions",
    "nobody",
    "squad",
    "some",
    "one",
    "side",
    "everybody",
    "after",
    "every",
    "at",
];
/// The most that is counted.
const MOST: f64 = 1000.0;

impl<'m> Statement<'m, '_> {
    /// A promise that begins with no name; `None` if it begins with one.
    pub(super) fn of_all(&mut self) -> Result<Option<Promised>, Reported> {
        let begins = |word: &&NoteWord| BEGINNINGS.contains(&word.text.as_str());
        let Some(first) = self.peek().filter(begins) else { return Ok(None) };
        self.next();
        Ok(Some(match first.text.as_str() {
            "nobody" => self.nobody()?,
            "some" => self.group(HowMany::Some)?,
            "one" => {
                self.keyword("of", "`of` and a side, as in `one of red does pull`")?;
                self.group(HowMany::One)?
            }
            "side" => self.group(HowMany::Each)?,
            "everybody" => {
                let actors = &self.story.actors;
                let all: Vec<usize> =
                    (0..actors.len()).filter(|&it| actors[it].is_minded()).collect();
                let claim = self.promise_of_actors(HowMany::Each, &all, first)?;
                Promised { who: None, among: Some((HowMany::Each, all)), claim }
            }
            "after" => self.after()?.into(),
            "every" => {
                self.phrase("death has a cause", "`every death has a cause`")?;
                Claim::DeathsHaveCauses.into()
            }
            _ => self.at_most()?.into(),
        }))
    }

    /// Words that must come next.
    pub(super) fn phrase(&mut self, words: &str, what: &str) -> Result<(), Reported> {
        words.split(' ').try_for_each(|word| self.keyword(word, what))
    }

    /// `SIDE VERB …`
    fn group(&mut self, how_many: HowMany) -> Result<Promised, Reported> {
        let (side, mut members) = self.side()?;
        let claim = self.promise_of_actors(how_many, &members, side)?;
        // Who has no mind is not asked what only minds can keep.
        let of_minds =
            !matches!(claim, Claim::Alive(_) | Claim::At(_) | Claim::Leaves(_) | Claim::Within(..))
                && !matches!(claim, Claim::NeverAt(_) | Claim::Has(_) | Claim::Cloaked(..))
                && !matches!(claim, Claim::ComesWithin(..));
        members.retain(|&actor| !of_minds || self.story.actors[actor].is_minded());
        Ok(Promised { who: None, among: Some((how_many, members)), claim })
    }

    /// A side or a type of minds, and its actors.
    pub(super) fn side(&mut self) -> Result<(&'m NoteWord, Vec<usize>), Reported> {
        let (word, story) = (self.name("a side, as `red`, or a type, as `soldier`")?, self.story);
        let sides = story.actors.iter().map(|actor| actor.side.as_str());
        let sides = sides.filter(|side| !side.is_empty());
        let npcs = self.model.npcs();
        let types = story.actors.iter().filter_map(|actor| Some(npcs.get(actor.npc?)?.name()));
        let is_type = types.clone().any(|known| known == word.text);
        if is_type && !sides.clone().any(|side| side == word.text) {
            let is_of = |npc: Option<usize>| npc.is_some_and(|at| npcs[at].name() == word.text);
            let all = 0..story.actors.len();
            return Ok((word, all.filter(|&at| is_of(story.actors[at].npc)).collect()));
        }
        self.find("side or type", word, sides.chain(types))?;
        Ok((word, story.of_side(&word.text)))
    }

    /// Seconds as ticks, at least one.
    pub(super) fn ticks(&mut self, what: &str) -> Result<Tick, Reported> {
        let seconds = self.number(what, 0.0, LONGEST)?;
        Ok(self.story.pace.ticks(seconds).max(1))
    }

    /// Behind `nobody`.
    fn nobody(&mut self) -> Result<Promised, Reported> {
        if self.take_word("stands") {
            return Ok(Claim::NobodyStands.into());
        }
        if self.take_word("shares") {
            return Ok(Claim::NobodyShares.into());
        }
        if self.take_word("twitches") {
            return Ok(Claim::NobodyTwitches.into());
        }
        if self.take_word("knows") {
            return Ok(Claim::NobodyKnows(self.pattern()?).into());
        }
        if self.take_word("idle") {
            return Ok(self.idle(None)?.into());
        }
        if self.take_word("doubles") {
            let select = self.select(&self.types_of_minds())?;
            self.keyword("for", "`for` and how many seconds")?;
            let ticks = self.ticks("how many seconds")?;
            self.phrase("while another threatens", "`while another threatens`")?;
            return Ok(Claim::NobodyDoubles(select, ticks).into());
        }
        if !self.take_word("of") {
            let what = "`stands`, `shares`, `twitches`, `knows`, `idle`, `doubles` or `of SIDE`";
            return Err(self.expected(what));
        }
        let (side, members) = self.side()?;
        if self.take_word("idle") {
            return Ok(self.idle(Some(members))?.into());
        }
        let hurt = self.sees("is") && self.peek_second().is_some_and(|word| word.text == "hurt");
        if hurt {
            self.phrase("is hurt by", "`is hurt by` and a side")?;
            let (_, by) = self.side()?;
            return Ok(Claim::NobodyHurt(members, by).into());
        }
        let claim = self.promise_of_actors(HowMany::None, &members, side)?;
        Ok(Promised { who: None, among: Some((HowMany::None, members)), claim })
    }

    /// `for S while KIND(…) [counting GOAL, …]`, behind `nobody idle` or `nobody of SIDE idle`.
    fn idle(&mut self, of: Option<Vec<usize>>) -> Result<Claim, Reported> {
        self.keyword("for", "`for` and how many seconds")?;
        let ticks = self.ticks("how many seconds")?;
        self.keyword("while", "`while` and what it knows, as `character(knowledge = alive)`")?;
        let pattern = self.pattern()?;
        let counting = match self.take_word("counting") {
            true => self.any_goals(&self.types_of_minds())?,
            false => Vec::new(),
        };
        Ok(Claim::NobodyIdle(ticks, pattern, counting, of))
    }

    /// `most N of SIDE throws per S`, behind `at`.
    fn at_most(&mut self) -> Result<Claim, Reported> {
        self.keyword("most", "`at most N of SIDE throws per SECONDS`")?;
        let most = whole(self, "how many", 0.0, MOST)?;
        self.keyword("of", "`of` and a side")?;
        let (_, members) = self.side()?;
        self.phrase("throws per", "`throws per` and how many seconds")?;
        Ok(Claim::ThrowsAtMost(most, members, self.ticks("how many seconds")?))
    }

    /// `a kill the killer …`, `a death of SIDE those who see it …`, behind `after`.
    fn after(&mut self) -> Result<Claim, Reported> {
        self.keyword("a", "`a kill` or `a death of SIDE`")?;
        if self.take_word("kill") {
            self.phrase("the killer", "`the killer`")?;
            let npcs = self.types_of_minds();
            return Ok(Claim::AfterKill(self.reaction(&npcs, "picks", "wants")?));
        }
        self.phrase("death of", "`kill`, or `death of` and a side")?;
        let (_, members) = self.side()?;
        self.phrase("those who see it", "`those who see it`")?;
        let npcs = members.iter().filter_map(|&actor| self.story.actors[actor].npc);
        let npcs: Vec<usize> = npcs.collect();
        Ok(Claim::AfterDeath(members, self.reaction(&npcs, "pick", "want")?))
    }

    /// `picks SELECT or wants GOAL, … within S`
    fn reaction(&mut self, npcs: &[usize], picks: &str, wants: &str) -> Result<Reaction, Reported> {
        let mut reaction = Reaction { picks: Vec::new(), wants: Vec::new(), within: 0 };
        loop {
            if self.take_word(picks) {
                reaction.picks.push(self.select(npcs)?);
            } else if self.take_word(wants) {
                reaction.wants.extend(self.any_goals(npcs)?);
            } else {
                return Err(self.expected(&format!("`{picks} SELECT` or `{wants} GOAL`")));
            }
            if !self.take_word("or") {
                break;
            }
        }
        self.keyword("within", "`or`, or `within` and how many seconds")?;
        reaction.within = self.ticks("how many seconds")?;
        Ok(reaction)
    }

    /// `GOAL, GOAL, …`, each wanted by one of these types.
    fn any_goals(&mut self, npcs: &[usize]) -> Result<Vec<u32>, Reported> {
        let mut goals = self.goal(Types { npcs, each: false })?;
        while self.take_sign(WordKind::Comma) {
            goals.extend(self.goal(Types { npcs, each: false })?);
        }
        Ok(goals)
    }

    /// The types of all actors with minds.
    fn types_of_minds(&self) -> Vec<usize> {
        self.story.actors.iter().filter_map(|actor| actor.npc).collect()
    }

    /// The name of a selection that these types may make.
    pub(super) fn select(&mut self, npcs: &[usize]) -> Result<String, Reported> {
        let word = self.name("a selection, as `target`")?;
        if let Some(select) = self.find_select(&word.text, npcs) {
            return Ok(select);
        }
        self.find("selection", word, select_names(self.model))?;
        Ok(word.text.clone())
    }

    /// A selection or a slot by its name, or by what a file calls it that is read under another: the
    /// file of one of these types before any other.
    fn find_select(&self, text: &str, npcs: &[usize]) -> Option<String> {
        let number = |tail: &str| tail.bytes().all(|it| it.is_ascii_digit());
        let slot = text.rsplit_once('.').filter(|(_, tail)| number(tail));
        let (name, tail) = slot.unwrap_or((text, ""));
        let is_own = |known: &str, prefix: &str| {
            known.strip_prefix(prefix).is_some_and(|own| own == name || own == text)
        };
        let names = || select_names(self.model);
        let mut of_types = npcs.iter().flat_map(|&npc| prefixes(self.model, npc)).chain([""]);
        let own = of_types.find_map(|prefix| names().find(|known| is_own(known, prefix)));
        let found = own.or_else(|| names().find(|known| plain_of(known) == name))?;
        let is_slot = !tail.is_empty() && !found.ends_with(text);
        Some(if is_slot { format!("{found}.{tail}") } else { found.to_string() })
    }

    /// `picks SELECT [THING]`
    pub(super) fn picks(&mut self, npcs: &[usize]) -> Result<Claim, Reported> {
        let select = self.select(npcs)?;
        if self.is_done() || self.sees("by") {
            return Ok(Claim::Picks(select, None));
        }
        let (word, story) = (self.name("an actor, a thing or a node")?, self.story);
        let known = story.actor_names().chain(story.thing_names()).chain(story.node_names());
        self.find("actor, thing or node", word, known)?;
        Ok(Claim::Picks(select, Some(word.text.clone())))
    }

    /// `at SPOT`, or `at SELECT`.
    pub(super) fn at_or_pick(&mut self, actors: &[usize]) -> Result<Claim, Reported> {
        let (word, story) = (self.name("a node, a thing, a mark, or a selection")?, self.story);
        let mut spots = story.node_names().chain(story.thing_names()).chain(story.mark_names());
        let npcs = actors.iter().map(|&actor| story.actors[actor].npc).collect::<Option<Vec<_>>>();
        let select = npcs.and_then(|npcs| self.find_select(&word.text, &npcs));
        match select.filter(|_| !spots.any(|name| name == word.text)) {
            Some(select) => Ok(Claim::AtPick(select)),
            None => Ok(Claim::At(self.spot_named(word)?)),
        }
    }
}

/// The names of all selections.
fn select_names(model: &Model) -> impl Iterator<Item = &str> + Clone {
    statements(model, "select").filter_map(|note| Some(note.words.first()?.text.as_str()))
}

/// What names of a type begin with: of its goals first, then of its actions.
fn prefixes(model: &Model, npc: usize) -> Vec<&str> {
    let npc = &model.npcs()[npc];
    let goals = npc.wants().iter().map(|&goal| model[goal].name());
    prefixes_of(goals.chain(npc.can().iter().map(|&action| model[action].name())))
}
