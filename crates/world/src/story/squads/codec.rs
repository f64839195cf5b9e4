//! The squads of a story as bytes and back.
//!
//! In:   squads and those that were; or bytes, not to be trusted.
//! Out:  bytes; or squads of this story, led by minds that are there.
//! Cost: one pass. Names follow from the order in which squads formed and are not kept, nor is
//!       what the last step told.

use super::{Command, SquadVoice, name_of_voice};
use throng_base::codec::{DecodeError, Decoder, Encoder};
use throng_mind::SavedMinds;
use throng_mind::fact::EntityId;
use throng_mind::orders::MindId;
use throng_mind::squad::Squad;

impl Command {
    pub(in crate::story) fn encode(&self, to: &mut Encoder) {
        let Command { squads, voices, told: _ } = self;
        to.write(squads);
        to.list(voices.iter().map(|SquadVoice { name: _, kind, mind, members, leader }| {
            (kind, mind, members, leader)
        }));
    }

    pub(in crate::story) fn decode(
        from: &mut Decoder<'_>,
        minds: &SavedMinds,
    ) -> Result<Self, DecodeError> {
        let n_kinds = minds.spec().squads.len();
        let before = from.limit_symbols(minds.spec().words.limit());
        let squads = from.read();
        from.limit_symbols(before);
        let mut command = Command { squads: squads?, ..Command::default() };
        // In another version of the file squads form anew, so their kinds are not asked for.
        let is_same = minds.restored().same_file;
        let n_kinds = if is_same { n_kinds } else { usize::MAX };
        for _ in 0..from.count()? {
            let kind = from.below(n_kinds, "kind of squad")?;
            let (mind, members): (MindId, Vec<EntityId>) = (from.read()?, from.read()?);
            let leader: Option<MindId> = from.read()?;
            if is_same {
                let name = name_of_voice(minds.spec(), kind, &command.voices);
                command.voices.push(SquadVoice { name, kind, mind, members, leader });
            }
        }
        let fits = |squad: &Squad| command.has_minds(squad, minds, is_same);
        let fits = command.squads.all().iter().all(fits);
        if fits { Ok(command) } else { from.error("set of squads of this story") }
    }

    /// Whether all members of a squad have minds, it is led by one, and if that is asked for, by one
    /// of its type with a voice.
    fn has_minds(&self, squad: &Squad, minds: &SavedMinds, with_kind: bool) -> bool {
        let is = |mind: MindId, me: EntityId| minds.mind(mind).is_some_and(|mind| mind.me() == me);
        let members = squad.members.iter().all(|member| is(member.mind, member.me));
        members && minds.mind(squad.mind).is_some() && (!with_kind || self.knows(squad, minds))
    }

    fn knows(&self, squad: &Squad, minds: &SavedMinds) -> bool {
        let kind = minds.spec().squads.get(squad.kind);
        let leads = |npc| minds.mind(squad.mind).is_some_and(|mind| mind.npc() == npc);
        let voice = |voice: &SquadVoice| voice.mind == squad.mind && voice.kind == squad.kind;
        kind.is_some_and(|kind| leads(kind.npc)) && self.voices.iter().any(voice)
    }

    /// How many minds lead squads.
    pub(in crate::story) fn n_minds(&self) -> usize {
        self.squads.all().len()
    }
}
