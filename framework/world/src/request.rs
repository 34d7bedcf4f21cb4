//! Requests: sends and receives that were started and not yet completed.
//!
//! A request owns its buffer until it is waited for, so no borrow can outlive the operation, and even a forgotten
//! request is sound. Dropping one without waiting is an error that the harness reports.
use std::{marker::PhantomData, rc::Rc};

use wb_comm::{Completed, Pending, Result, Site, Status, Verb, Wire};
use wb_record::Act;

use crate::{
    Ledger,
    recorder::{self, Recorder, Recording},
    world::came,
};

/// What a request of either kind is made of.
pub(crate) struct Started {
    pub(crate) pending: Box<dyn Pending>,
    pub(crate) ledger: Rc<Ledger>,
    pub(crate) recording: Recording,
    /// Its number in the log.
    pub(crate) request: u32,
}

impl Started {
    fn test(&mut self, site: Site) -> Result<bool> {
        recorder::around(&self.recording, site, || self.pending.test(site), |_, _| Act::Local)
    }

    fn wait(self, site: Site, act: impl FnOnce(&Recorder, &Completed) -> Act) -> Result<Completed> {
        let Self { pending, ledger, recording, .. } = self;
        recorder::around(&recording, site, || pending.wait(site).inspect_err(|_| ledger.refuse(site)), act)
    }
}

/// A started send (`MPI_Isend`).
#[must_use = "a request must be waited for"]
pub struct SendRequest<T> {
    pub(crate) started: Started,
    pub(crate) element: PhantomData<T>,
}

impl<T: Wire> SendRequest<T> {
    /// True once [`wait`](Self::wait) would not block (`MPI_Test`, but the request stays to be waited for).
    ///
    /// # Errors
    /// What the send can meet.
    #[track_caller]
    pub fn test(&mut self) -> Result<bool> {
        self.started.test(Site::here(Verb::Wait))
    }

    /// Completes the send and gives the buffer back (`MPI_Wait`).
    ///
    /// # Errors
    /// What the send can meet.
    #[track_caller]
    pub fn wait(self) -> Result<Vec<T>> {
        let site = Site::here(Verb::Wait);
        let request = self.started.request;
        let done = self.started.wait(site, |_, _| Act::FinishSend { request })?;
        Ok(done.block.into_vec().expect("a send gives back the buffer it was given"))
    }
}

/// A started receive (`MPI_Irecv`).
#[must_use = "a request must be waited for"]
pub struct RecvRequest<T> {
    pub(crate) started: Started,
    pub(crate) element: PhantomData<T>,
}

impl<T: Wire> RecvRequest<T> {
    /// True once [`wait`](Self::wait) would not block (`MPI_Test`, but the request stays to be waited for).
    ///
    /// # Errors
    /// What the receive can meet.
    #[track_caller]
    pub fn test(&mut self) -> Result<bool> {
        self.started.test(Site::here(Verb::Wait))
    }

    /// Completes the receive: the elements that came, and who sent them (`MPI_Wait`).
    ///
    /// # Errors
    /// What the receive can meet.
    #[track_caller]
    pub fn wait(self) -> Result<(Vec<T>, Status)> {
        let site = Site::here(Verb::Wait);
        let (request, ledger) = (self.started.request, Rc::clone(&self.started.ledger));
        let came = |done: &Completed| came(&done.status.expect("a completed receive has a status"));
        let done = self.started.wait(site, |_, done| Act::FinishReceive { request, from: came(done) })?;
        let status = done.status.expect("a completed receive has a status");
        ledger.received(status.bytes);
        let mut data: Vec<T> = done.block.into_vec().expect("a receive gives back the buffer it was given");
        data.truncate(crate::world::elements::<T>(&status).inspect_err(|_| ledger.refuse(site))?);
        Ok((data, status))
    }
}
