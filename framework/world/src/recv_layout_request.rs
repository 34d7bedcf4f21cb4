//! Started receives into the elements that layouts name.
use std::{marker::PhantomData, rc::Rc};

use wb_comm::{CallSite, Result, Status, Verb, Wire};

use crate::{
    message_status::element_count,
    request::{Request, StartedOperation, StartedRequest},
};

/// A started receive into the elements that a layout names (`MPI_Irecv`).
#[must_use = "a request must be waited for"]
pub struct RecvLayoutRequest<T> {
    pub(crate) started: StartedRequest,
    pub(crate) element: PhantomData<T>,
}

impl<T: Wire> RecvLayoutRequest<T> {
    /// True once [`wait`](Self::wait) would not block (`MPI_Test`, but the request must still be waited for).
    ///
    /// # Errors
    /// The errors of the receive.
    #[track_caller]
    pub fn test(&mut self) -> Result<bool> {
        self.started.test(CallSite::caller(Verb::Test))
    }

    /// Completes the receive: the whole buffer and the status of the message (`MPI_Wait`).
    ///
    /// # Errors
    /// The errors of the receive.
    #[track_caller]
    pub fn wait(self) -> Result<(Vec<T>, Status)> {
        self.complete(CallSite::caller(Verb::Wait), None)
    }
}

impl<T> StartedOperation for RecvLayoutRequest<T> {
    fn started(&mut self) -> Result<&mut StartedRequest> {
        Ok(&mut self.started)
    }
}

impl<T: Wire> Request for RecvLayoutRequest<T> {
    type Output = (Vec<T>, Status);

    fn complete(self, site: CallSite, begin: Option<u64>) -> Result<(Vec<T>, Status)> {
        let stats = Rc::clone(&self.started.stats);
        let done = self.started.finish_receive(site, begin)?;
        let status = done.status.expect("a completed receive has a status");
        stats.note_message_received(&status);
        element_count::<T>(&status).inspect_err(|error| stats.note_error(site, error))?;
        Ok((done.block.into_vec().expect("a receive gives back the buffer it was given"), status))
    }
}
