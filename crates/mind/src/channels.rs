//! Channels: what of a body something takes, so that two things can be done at once.
//!
//! In:   the names of a clause `uses`.
//! Out:  a set of channels, to be held against another.
//! Cost: one byte.

use std::fmt;

/// A part of a body that does one thing at a time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Channel {
    /// Going, and standing somewhere.
    Legs,
    /// Weapons and things.
    Hands,
    /// Where one looks.
    Head,
    /// Speaking.
    Voice,
}

impl Channel {
    /// All of them, in the order in which they are told.
    pub const ALL: [Channel; 4] = [Channel::Legs, Channel::Hands, Channel::Head, Channel::Voice];

    /// As files write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["legs", "hands", "head", "voice"][self as usize]
    }

    /// The channel of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Channel> {
        Channel::ALL.into_iter().find(|channel| channel.name() == name)
    }
}

/// Some of the channels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ChannelSet(u8);

impl ChannelSet {
    /// None of them.
    pub const NONE: ChannelSet = ChannelSet(0);
    /// All of them: what an action uses that does not say.
    pub const ALL: ChannelSet = ChannelSet(0b1111);

    /// The same with one more.
    #[must_use]
    pub fn with(self, channel: Channel) -> ChannelSet {
        ChannelSet(self.0 | 1 << channel as u8)
    }

    /// Those of both.
    #[must_use]
    pub fn and(self, other: ChannelSet) -> ChannelSet {
        ChannelSet(self.0 | other.0)
    }

    /// Whether this is one of them.
    #[must_use]
    pub fn has(self, channel: Channel) -> bool {
        self.0 & 1 << channel as u8 != 0
    }

    /// Whether the two have one in common.
    #[must_use]
    pub fn meets(self, other: ChannelSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Them, in the order in which they are told.
    pub fn iter(self) -> impl Iterator<Item = Channel> {
        Channel::ALL.into_iter().filter(move |&channel| self.has(channel))
    }
}

impl fmt::Display for ChannelSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, channel) in self.iter().enumerate() {
            let between = if at == 0 { "" } else { ", " };
            write!(f, "{between}{}", channel.name())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_into_it_and_tells_it_in_order() {
        let set = ChannelSet::NONE.with(Channel::Head).with(Channel::Hands);
        assert_eq!(set.to_string(), "hands, head");
        assert!(set.has(Channel::Hands) && !set.has(Channel::Legs));
        assert!(set.meets(ChannelSet::NONE.with(Channel::Head)));
        assert!(!set.meets(ChannelSet::NONE.with(Channel::Voice)));
        assert_eq!(set.and(ChannelSet::NONE.with(Channel::Legs)).iter().count(), 3);
        let all = Channel::ALL.into_iter().fold(ChannelSet::NONE, ChannelSet::with);
        assert_eq!(all, ChannelSet::ALL);
    }

    #[test]
    fn every_channel_is_known_by_its_name() {
        for channel in Channel::ALL {
            assert_eq!(Channel::named(channel.name()), Some(channel));
        }
        assert_eq!(Channel::named("leg"), None);
    }
}
