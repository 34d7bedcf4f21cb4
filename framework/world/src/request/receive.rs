//! A started receive.
use std::{marker::PhantomData, rc::Rc};

use wb_comm::{CallSite, Completed, Rank, Result, Status, Verb, Wire};

use super::{Request, StartedOperation, StartedRequest};
use crate::{CommStats, message_status::element_count};

/// A started receive (`MPI_Irecv`).
#[must_use = "a request must be waited for"]
pub struct RecvRequest<T> {
    pub(crate) started: StartedRequest,
    /// The rank from which its statuses count sources.
    pub(crate) first_source: Rank,
    pub(crate) element: PhantomData<T>,
}

impl<T: Wire> RecvRequest<T> {
    /// True once [`wait`](Self::wait) would not block (`MPI_Test`, but the request must still be waited for).
    ///
    /// # Errors
    /// The errors of the receive.
    #[track_caller]
    pub fn test(&mut self) -> Result<bool> {
        self.started.test(CallSite::caller(Verb::Test))
    }

    /// Completes the receive: the received elements and their status (`MPI_Wait`).
    ///
    /// # Errors
    /// The errors of the receive.
    #[track_caller]
    pub fn wait(self) -> Result<(Vec<T>, Status)> {
        self.complete(CallSite::caller(Verb::Wait), None)
    }

    /// Withdraws the receive if no message has matched it, and returns `None`; else completes it (`MPI_Cancel` with its `MPI_Wait`).
    ///
    /// Whether a message that was sent has matched it already depends on the order of the ranks, as the result of [`test`](Self::test) does.
    /// Sends cannot be cancelled: MPI 4.0 deprecates that.
    ///
    /// # Errors
    /// The errors of the receive.
    #[track_caller]
    pub fn cancel(self) -> Result<Option<(Vec<T>, Status)>> {
        let site = CallSite::caller(Verb::Cancel);
        let (stats, first_source) = (Rc::clone(&self.started.stats), self.first_source);
        let completed = self.started.cancel(site)?;
        completed.map(|completed| received(completed, first_source, &stats, site)).transpose()
    }
}

/// The elements of a completed receive.
fn received<T: Wire>(
    completed: Completed,
    first_source: Rank,
    stats: &CommStats,
    site: CallSite,
) -> Result<(Vec<T>, Status)> {
    let status = completed.status.expect("a completed receive has a status");
    stats.note_message_received(&status);
    let mut data: Vec<T> = completed.block.into_vec().expect("a receive gives back the buffer it was given");
    data.truncate(element_count::<T>(&status).inspect_err(|error| stats.note_error(site, error))?);
    Ok((data, status.with_sources_from(first_source)))
}

impl<T> StartedOperation for RecvRequest<T> {
    fn started(&mut self) -> Result<&mut StartedRequest> {
        Ok(&mut self.started)
    }
}

impl<T: Wire> Request for RecvRequest<T> {
    type Output = (Vec<T>, Status);

    fn complete(self, site: CallSite, begin: Option<u64>) -> Result<(Vec<T>, Status)> {
        let (stats, first_source) = (Rc::clone(&self.started.stats), self.first_source);
        received(self.started.finish_receive(site, begin)?, first_source, &stats, site)
    }
}
