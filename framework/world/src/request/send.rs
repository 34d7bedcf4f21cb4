//! A started send.
use std::marker::PhantomData;

use wb_comm::{CallSite, Result, Verb, Wire};

use super::{Request, StartedOperation, StartedRequest};

/// A started send (`MPI_Isend`).
#[must_use = "a request must be waited for"]
pub struct SendRequest<T> {
    pub(crate) started: StartedRequest,
    pub(crate) element: PhantomData<T>,
}

impl<T: Wire> SendRequest<T> {
    /// True once [`wait`](Self::wait) would not block (`MPI_Test`, but the request must still be waited for).
    ///
    /// # Errors
    /// The errors of the send.
    #[track_caller]
    pub fn test(&mut self) -> Result<bool> {
        self.started.test(CallSite::caller(Verb::Test))
    }

    /// Completes the send and returns the buffer (`MPI_Wait`).
    ///
    /// # Errors
    /// The errors of the send.
    #[track_caller]
    pub fn wait(self) -> Result<Vec<T>> {
        self.complete(CallSite::caller(Verb::Wait), None)
    }
}

impl<T> StartedOperation for SendRequest<T> {
    fn started(&mut self) -> Result<&mut StartedRequest> {
        Ok(&mut self.started)
    }
}

impl<T: Wire> Request for SendRequest<T> {
    type Output = Vec<T>;

    fn complete(self, site: CallSite, begin: Option<u64>) -> Result<Vec<T>> {
        let completed = self.started.finish_send(site, begin)?;
        Ok(completed.block.into_vec().expect("a send gives back the buffer it was given"))
    }
}
