//! The tag and the context of a message, and what a receive matches.
//!
//! User messages use [`Context::User`]; those of our own algorithms use [`Context::Internal`]. The two never match each
//! other, whatever the tags and wildcards, as MPI separates its collectives from point-to-point messages.

/// The context of a message within a communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    /// Messages of the user.
    User,
    /// Messages that our algorithms send on the user's behalf.
    Internal,
}

/// The context and the tag of a message (`0..=i32::MAX`; a backend may allow less and then reports an error).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MessageTag {
    /// The context.
    pub context: Context,
    /// The tag in it.
    pub tag: i32,
}

impl MessageTag {
    /// A user's message.
    pub fn user(tag: i32) -> Self {
        Self { context: Context::User, tag }
    }

    /// A message of our own algorithms.
    pub const fn internal(tag: i32) -> Self {
        Self { context: Context::Internal, tag }
    }
}

/// What a receive accepts: a context, and one tag or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TagPattern {
    /// The context.
    pub context: Context,
    /// The tag; `None` is `MPI_ANY_TAG`.
    pub tag: Option<i32>,
}

impl TagPattern {
    /// Whether a message with this context and tag matches.
    pub fn matches(self, other: MessageTag) -> bool {
        self.context == other.context && self.tag.is_none_or(|tag| tag == other.tag)
    }
}

impl From<MessageTag> for TagPattern {
    fn from(other: MessageTag) -> Self {
        Self { context: other.context, tag: Some(other.tag) }
    }
}
