//! Under which name: a message's channel and tag, and what a receive matches.
//!
//! Users' messages travel on [`Channel::User`]; those of our own algorithms on [`Channel::Internal`]. The two never
//! match each other, whatever the tags and wildcards, as MPI keeps its collectives apart from point-to-point.

/// Which of a communicator's two streams a message belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// What the user sends.
    User,
    /// What our algorithms send on the user's behalf.
    Internal,
}

/// A message's full name: channel and tag (`0..=i32::MAX`; a backend may allow less and then says so).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The stream.
    pub channel: Channel,
    /// The tag inside it.
    pub tag: i32,
}

impl Label {
    /// A user's message.
    pub fn user(tag: i32) -> Self {
        Self { channel: Channel::User, tag }
    }

    /// A message of our own algorithms.
    pub fn internal(tag: i32) -> Self {
        Self { channel: Channel::Internal, tag }
    }
}

/// What a receive accepts: a channel, and one tag or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Match {
    /// The stream.
    pub channel: Channel,
    /// The tag; `None` is `MPI_ANY_TAG`.
    pub tag: Option<i32>,
}

impl Match {
    /// Does a message of this name answer?
    pub fn admits(self, label: Label) -> bool {
        self.channel == label.channel && self.tag.is_none_or(|tag| tag == label.tag)
    }
}

impl From<Label> for Match {
    fn from(label: Label) -> Self {
        Self { channel: label.channel, tag: Some(label.tag) }
    }
}
