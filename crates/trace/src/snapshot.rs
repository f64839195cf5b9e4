//! All that minds are, as a keyframe holds it.

use throng_mind::Minds;
use throng_mind::pack::{Damaged, Packer, Unpacker};

pub(crate) fn save<W: ?Sized + Sync>(minds: &Minds<W>, to: &mut Packer) {
    minds.save(to);
}

pub(crate) fn restore(minds: &mut Minds<()>, from: &mut Unpacker<'_>) -> Result<(), Damaged> {
    minds.restore(from)
}
