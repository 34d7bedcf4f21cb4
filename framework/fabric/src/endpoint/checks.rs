//! The checks of the arguments of messages.
use wb_comm::{Error, MessageTag, Rank, Result, SendMode, Source, TagPattern};

use crate::{endpoint::Endpoint, job_state::JobState, runtime::Runtime};

impl<H: Runtime> Endpoint<H> {
    pub(super) fn check_peer(&self, role: &'static str, peer: Rank) -> Result<()> {
        Error::check_rank(role, peer, self.size)
    }

    pub(super) fn check_source(&self, source: Source) -> Result<()> {
        match source {
            Source::Rank(rank) => self.check_peer("source", rank),
            Source::Any => Ok(()),
        }
    }

    pub(super) fn check_send(&self, to: Rank, label: MessageTag) -> Result<()> {
        self.check_peer("destination", to)?;
        check_tag(Some(label.tag))
    }

    pub(super) fn check_receive(&self, from: Source, label: TagPattern) -> Result<()> {
        self.check_source(from)?;
        check_tag(label.tag)
    }

    /// Checks that a buffered send has room, and that the receive of a ready one is posted.
    pub(super) fn check_mode(
        &self,
        state: &mut JobState<H::Delivery>,
        (to, tag): (Rank, MessageTag),
        mode: SendMode,
        bytes: usize,
    ) -> Result<()> {
        match mode {
            SendMode::Buffered => state.check_attached_buffer(self.context.rank, bytes),
            SendMode::Ready if !state.has_ready_receive(self.communicator, (self.rank, to), tag) => {
                Err(Error::NotReady { dest: to, tag: tag.tag })
            }
            _ => Ok(()),
        }
    }
}

/// Checks that a tag is not negative.
pub(super) fn check_tag(tag: Option<i32>) -> Result<()> {
    match tag {
        Some(tag) if tag < 0 => Err(Error::Tag { tag, max: i32::MAX }),
        _ => Ok(()),
    }
}
