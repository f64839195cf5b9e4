//! Who is who as bytes and back, with the world and the minds.

use super::{Cast, Roster};
use crate::story::squads::Command;
use crate::world::World;
use throng_base::codec::{Decoder, Encoder};
use throng_base::codec_struct;
use throng_mind::fact::EntityId;
use throng_mind::orders::MindId;
use throng_mind::time::Tick;
use throng_mind::words::Word;
use throng_mind::{RestoreError, Restored, SavedMinds};

codec_struct!(Roster { handles, away, died, ids });

impl Cast {
    /// Writes all of it, or all but the minds for who has them already.
    pub(in crate::story) fn encode(&self, with_minds: bool, to: &mut Encoder) {
        // What is left out follows from the rest, or the story says it; of minds that have ended
        // nothing more is heard.
        let Cast { world, minds, roster, command, replies, .. } = self;
        // First, because they say what the words of the rest are.
        if with_minds {
            to.section(&minds.save());
        }
        to.write(roster);
        world.encode(to);
        command.encode(to);
        if !replies.is_empty() {
            to.write(replies);
        }
    }

    /// Reads world and minds, and who is who among them; the minds from bytes of their own if they
    /// were left out. Nothing is changed unless all of it fits.
    pub(in crate::story) fn decode(
        &mut self,
        from: &mut Decoder<'_>,
        minds: Option<&[u8]>,
        now: Tick,
    ) -> Result<Restored, RestoreError> {
        let minds = match minds {
            None => self.minds.read_saved(from.section()?)?,
            Some(bytes) => {
                let mut own = Decoder::new(bytes);
                let minds = self.minds.read_bare(&mut own)?;
                own.finish()?;
                minds
            }
        };
        let restored = minds.restored().clone();
        from.rename_symbols(restored.words());
        let roster: Roster = from.read()?;
        let Roster { handles, away, died, ids } = &roster;
        if [handles.len(), away.len(), died.len(), ids.len()] != [self.story.actors.len(); 4] {
            return Ok(from.error("cast of this story")?);
        }
        let world = self.world.restored(from)?;
        if world.now() != now || !self.actors_fit(&roster, &world) {
            return Ok(from.error("cast of this story")?);
        }
        let command = Command::decode(from, &minds)?;
        let has_replies = from.left() > 0;
        let replies: Vec<_> = if has_replies { from.read()? } else { Vec::new() };
        // None at all are not written.
        from.sound((), has_replies != replies.is_empty(), "list of late replies")?;
        let fits = from.left() == 0 && self.minds_fit(&roster, &world, &minds, &command);
        if !fits || self.minds.take_saved(minds).is_err() {
            return Ok(from.error("cast of this story")?);
        }
        self.take(roster, world, command);
        self.replies = replies;
        if !restored.same_file {
            self.begin_anew();
        }
        Ok(restored)
    }

    /// Another version of the file has taken over: no mind goes on with what was under way, and
    /// squads form anew.
    fn begin_anew(&mut self) {
        let Cast { minds, world, command, words, .. } = self;
        words.clone_from(&minds.spec().words);
        let n_orders = minds.orders().len();
        for sent in &minds.orders()[..n_orders] {
            world.order(sent);
        }
        command.squads.disband(minds, &*world);
        for sent in &minds.orders()[n_orders..] {
            world.order(sent);
        }
    }

    /// Whether every actor in the world is of the story, once, and those said to be there are.
    fn actors_fit(&self, roster: &Roster, world: &World) -> bool {
        let n_there =
            roster.handles.iter().flatten().count() + roster.away.iter().flatten().count();
        let fits = |actor: usize| {
            let (here, away) = (roster.handles[actor], roster.away[actor]);
            let entry = &self.story.actors[actor];
            let side = if entry.side.is_empty() { Word::NONE } else { self.word(&entry.side) };
            let is_he = |handle: EntityId| {
                world.actor(handle).is_some_and(|it| {
                    it.text == entry.name
                        && it.name == self.word(&entry.name)
                        && it.is_of(side, entry.is_minded())
                })
            };
            !(here.is_some() && away.is_some()) && here.or(away).is_none_or(is_he)
        };
        n_there == world.actors().len() && (0..self.story.actors.len()).all(fits)
    }

    /// Whether the minds are those of the living who have one, and of the squads.
    fn minds_fit(
        &self,
        roster: &Roster,
        world: &World,
        minds: &SavedMinds,
        command: &Command,
    ) -> bool {
        let n_minds = roster.ids.iter().flatten().count() + command.n_minds();
        let fits = |actor: usize| {
            let Some(id) = roster.ids[actor] else { return true };
            let (mind, handle) = (minds.mind(id), roster.handles[actor]);
            let lives = handle.and_then(|handle| world.actor(handle)).is_some_and(|it| it.alive);
            let same = |mind: &throng_mind::Mind| {
                Some(mind.me()) == handle && Some(mind.npc()) == self.npc(actor)
            };
            lives && mind.is_some_and(same)
        };
        minds.now() == world.now() && n_minds == minds.len() && (0..roster.ids.len()).all(fits)
    }

    fn take(&mut self, roster: Roster, world: World, command: Command) {
        let there = roster.handles.iter().enumerate();
        self.by_handle = there.filter_map(|(actor, handle)| Some(((*handle)?, actor))).collect();
        let minds = roster.ids.iter().zip(&roster.handles).enumerate();
        let whose = |(actor, (id, handle)): (usize, (&Option<MindId>, &Option<EntityId>))| {
            Some(((*id)?, (actor, (*handle)?)))
        };
        self.by_mind = minds.filter_map(whose).collect();
        for (at, voice) in command.voices.iter().enumerate() {
            let me = self.minds.mind(voice.mind).map_or(EntityId::default(), throng_mind::Mind::me);
            self.by_mind.insert(voice.mind, (self.story.actors.len() + at, me));
        }
        (self.command, self.roster, self.world) = (command, roster, world);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn rosters_come_back() {
        comes_back::<Roster>(|trial, _| Roster {
            handles: trial.any(),
            away: trial.any(),
            died: trial.any(),
            ids: trial.any(),
        });
    }
}
