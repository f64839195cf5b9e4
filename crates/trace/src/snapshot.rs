//! All that minds are, as a keyframe holds it.

use throng_mind::Minds;
use throng_mind::pack::{Damaged, Packer, Unpacker};

pub(crate) fn save<W: ?Sized + Sync>(minds: &Minds<W>, to: &mut Packer) {
    to.number(u64::from(minds.now()));
    to.number(minds.len() as u64);
    for mind in minds.iter() {
        to.put(&mind.id().0).put(&mind.npc().index()).put(&mind.me()).put(&mind.here());
    }
}

pub(crate) fn restore(minds: &mut Minds<()>, from: &mut Unpacker<'_>) -> Result<(), Damaged> {
    if from.number()? != 0 {
        return from.damaged("keyframe of the first tick");
    }
    for _ in 0..from.count()? {
        let id: u32 = from.take()?;
        let npc: usize = from.take()?;
        let npcs = minds.spec().domain.npcs();
        let Some(npc) = npcs.get(npc).map(|npc| npc.id()) else { return from.damaged("type") };
        let mind = minds.spawn(npc, from.take()?);
        minds.set_place(mind, from.take()?);
        if mind.0 != id {
            return from.damaged("mind");
        }
    }
    Ok(())
}
