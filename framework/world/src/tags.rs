//! The tags that a receive accepts.
use wb_comm::{Context, TagPattern};

/// Receives any tag (`MPI_ANY_TAG`).
pub const ANY_TAG: AnyTag = AnyTag;

/// The type of [`ANY_TAG`].
#[derive(Clone, Copy, Debug)]
pub struct AnyTag;

/// The tags that a receive accepts; a plain tag and [`ANY_TAG`] convert into it.
#[derive(Clone, Copy, Debug)]
pub struct Tags(Option<i32>);

impl From<i32> for Tags {
    fn from(tag: i32) -> Self {
        Self(Some(tag))
    }
}

impl From<AnyTag> for Tags {
    fn from(_: AnyTag) -> Self {
        Self(None)
    }
}

impl Tags {
    pub(crate) fn to_pattern(self) -> TagPattern {
        TagPattern { context: Context::User, tag: self.0 }
    }
}
