//! Promises about several actors, about all, and about what comes after what.

use super::promises::{Promised, Types};
use super::{LONGEST, Statement, statements, whole};
use crate::story::{Claim, HowMany, Reaction};
use throng_domain::notes::{NoteWord, Reported, WordKind};
use throng_mind::time::Tick;

/// Words that a promise may begin with instead of a name.
pub(super) const BEGINNINGS: [&str; 11] = [
    "calls",
    "heavy",
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
    fn phrase(&mut self, words: &str, what: &str) -> Result<(), Reported> {
        words.split(' ').try_for_each(|word| self.keyword(word, what))
    }

    /// `SIDE VERB …`
    fn group(&mut self, how_many: HowMany) -> Result<Promised, Reported> {
        let (side, mut members) = self.side()?;
        let claim = self.promise_of_actors(how_many, &members, side)?;
        // Who has no mind is not asked what only minds can keep.
        let of_minds =
            !matches!(claim, Claim::Alive(_) | Claim::At(_) | Claim::Leaves(_) | Claim::Within(..))
                && !matches!(claim, Claim::NeverAt(_) | Claim::Has(_));
        members.retain(|&actor| !of_minds || self.story.actors[actor].is_minded());
        Ok(Promised { who: None, among: Some((how_many, members)), claim })
    }

    /// A side, and its actors.
    fn side(&mut self) -> Result<(&'m NoteWord, Vec<usize>), Reported> {
        let (word, story) = (self.name("a side, as `red`")?, self.story);
        let sides = story.actors.iter().map(|actor| actor.side.as_str());
        self.find("side", word, sides.filter(|side| !side.is_empty()))?;
        Ok((word, story.of_side(&word.text)))
    }

    /// Seconds as ticks, at least one.
    fn ticks(&mut self, what: &str) -> Result<Tick, Reported> {
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
        if self.take_word("idle") {
            self.keyword("for", "`for` and how many seconds")?;
            let ticks = self.ticks("how many seconds")?;
            self.keyword("while", "`while` and what it knows, as `character(knowledge = alive)`")?;
            return Ok(Claim::NobodyIdle(ticks, self.pattern()?).into());
        }
        if self.take_word("doubles") {
            let select = self.select()?;
            self.keyword("for", "`for` and how many seconds")?;
            let ticks = self.ticks("how many seconds")?;
            self.phrase("while another threatens", "`while another threatens`")?;
            return Ok(Claim::NobodyDoubles(select, ticks).into());
        }
        if !self.take_word("of") {
            let what = "`stands`, `shares`, `twitches`, `idle`, `doubles` or `of SIDE`";
            return Err(self.expected(what));
        }
        let (side, members) = self.side()?;
        let hurt = self.sees("is") && self.peek_second().is_some_and(|word| word.text == "hurt");
        if hurt {
            self.phrase("is hurt by", "`is hurt by` and a side")?;
            let (_, by) = self.side()?;
            return Ok(Claim::NobodyHurt(members, by).into());
        }
        let claim = self.promise_of_actors(HowMany::None, &members, side)?;
        Ok(Promised { who: None, among: Some((HowMany::None, members)), claim })
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
            let actors = &self.story.actors;
            let npcs: Vec<usize> = actors.iter().filter_map(|actor| actor.npc).collect();
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
                reaction.picks.push(self.select()?);
            } else if self.take_word(wants) {
                loop {
                    reaction.wants.extend(self.goal(Types { npcs, each: false })?);
                    if !self.take_sign(WordKind::Comma) {
                        break;
                    }
                }
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

    /// The name of a selection.
    pub(super) fn select(&mut self) -> Result<String, Reported> {
        let word = self.name("a selection, as `target`")?;
        self.select_named(word)
    }

    fn select_named(&mut self, word: &NoteWord) -> Result<String, Reported> {
        let selects = || {
            let notes = statements(self.model, "select");
            notes.filter_map(|note| Some(note.words.first()?.text.as_str()))
        };
        let bare = word.text.split_once('.').map_or(word.text.as_str(), |(name, _)| name);
        let is_slot = selects().any(|known| known == bare);
        if !is_slot {
            let known: Vec<&str> = selects().collect();
            self.find("selection", word, known.into_iter())?;
        }
        Ok(word.text.clone())
    }

    /// `picks SELECT [THING]`
    pub(super) fn picks(&mut self) -> Result<Claim, Reported> {
        let select = self.select()?;
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
        let is_select =
            statements(self.model, "select").filter_map(|note| note.words.first()).any(|name| {
                name.text == word.text || word.text.starts_with(&format!("{}.", name.text))
            });
        let minded = actors.iter().all(|&actor| story.actors[actor].is_minded());
        if is_select && minded && !spots.any(|name| name == word.text) {
            return Ok(Claim::AtPick(word.text.clone()));
        }
        Ok(Claim::At(self.spot_named(word)?))
    }
}
