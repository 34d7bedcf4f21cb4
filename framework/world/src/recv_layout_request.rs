//! Started receives into the elements that layouts name.
use std::{marker::PhantomData, rc::Rc};

use wb_comm::{CallSite, Completed, Result, Status, Verb, Wire};
use wb_record::EventKind;

use crate::{
    message_status::{element_count, source_envelope},
    request::StartedRequest,
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
        self.started.test(CallSite::caller(Verb::Wait))
    }

    /// Completes the receive: the whole buffer and the status of the message (`MPI_Wait`).
    ///
    /// # Errors
    /// The errors of the receive.
    #[track_caller]
    pub fn wait(self) -> Result<(Vec<T>, Status)> {
        let site = CallSite::caller(Verb::Wait);
        let (request, stats) = (self.started.request, Rc::clone(&self.started.stats));
        let status = |done: &Completed| done.status.expect("a completed receive has a status");
        let event =
            |done: &Completed| EventKind::FinishReceive { request, from: source_envelope(&status(done)) };
        let done = self.started.wait(site, |_, done| event(done))?;
        let status = status(&done);
        stats.note_message_received(status.bytes);
        element_count::<T>(&status).inspect_err(|_| stats.note_error(site))?;
        Ok((done.block.into_vec().expect("a receive gives back the buffer it was given"), status))
    }
}
