//! A started receive.
use std::{marker::PhantomData, rc::Rc};

use wb_comm::{CallSite, Completed, Result, Status, Verb, Wire};
use wb_record::EventKind;

use super::{Request, StartedOperation, StartedRequest};
use crate::message_status::{element_count, source_envelope};

/// A started receive (`MPI_Irecv`).
#[must_use = "a request must be waited for"]
pub struct RecvRequest<T> {
    pub(crate) started: StartedRequest,
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
}

impl<T> StartedOperation for RecvRequest<T> {
    fn started(&mut self) -> Result<&mut StartedRequest> {
        Ok(&mut self.started)
    }
}

impl<T: Wire> Request for RecvRequest<T> {
    type Output = (Vec<T>, Status);

    fn complete(self, site: CallSite, begin: Option<u64>) -> Result<(Vec<T>, Status)> {
        let ledger = Rc::clone(&self.started.stats);
        let came =
            |done: &Completed| source_envelope(&done.status.expect("a completed receive has a status"));
        let finished = |request, done: &Completed| EventKind::FinishReceive { request, from: came(done) };
        let done = self.started.finish(site, begin, finished)?;
        let status = done.status.expect("a completed receive has a status");
        ledger.note_message_received(&status);
        let mut data: Vec<T> = done.block.into_vec().expect("a receive gives back the buffer it was given");
        data.truncate(element_count::<T>(&status).inspect_err(|_| ledger.note_error(site))?);
        Ok((data, status))
    }
}
