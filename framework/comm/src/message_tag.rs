//! Under which name: a message's channel and tag, and what a receive matches.
//!
//! Users' messages travel on [`Context::User`]; those of our own algorithms on [`Context::Internal`]. The two never
//! match each other, whatever the tags and wildcards, as MPI keeps its collectives apart from point-to-point.

/// Which of a communicator's two streams a message belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    /// What the user sends.
    User,
    /// What our algorithms send on the user's behalf.
    Internal,
}

/// A message's full name: channel and tag (`0..=i32::MAX`; a backend may allow less and then says so).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MessageTag {
    /// The stream.
    pub context: Context,
    /// The tag inside it.
    pub tag: i32,
}

impl MessageTag {
    /// A user's message.
    pub fn user(tag: i32) -> Self {
        Self { context: Context::User, tag }
    }

    /// A message of our own algorithms.
    pub fn internal(tag: i32) -> Self {
        Self { context: Context::Internal, tag }
    }
}

/// What a receive accepts: a channel, and one tag or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TagPattern {
    /// The stream.
    pub context: Context,
    /// The tag; `None` is `MPI_ANY_TAG`.
    pub tag: Option<i32>,
}

impl TagPattern {
    /// Does a message of this name answer?
    pub fn matches(self, label: MessageTag) -> bool {
        self.context == label.context && self.tag.is_none_or(|tag| tag == label.tag)
    }
}

impl From<MessageTag> for TagPattern {
    fn from(label: MessageTag) -> Self {
        Self { context: label.context, tag: Some(label.tag) }
    }
}
