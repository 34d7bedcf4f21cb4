//! The checks of the arguments of messages.
use wb_comm::{Error, MessageTag, Rank, Result, SendMode, Source};

use crate::fabric::{endpoint::Endpoint, job_state::JobState, runtime::Runtime};

impl<H: Runtime> Endpoint<H> {
    pub(super) fn check_destination(&self, to: Rank) -> Result<()> {
        Error::check_rank("destination", to, self.size)
    }

    pub(super) fn check_source(&self, source: Source) -> Result<()> {
        match source {
            Source::Rank(rank) => Error::check_rank("source", rank, self.size),
            Source::Any => Ok(()),
        }
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
