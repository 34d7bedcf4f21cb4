//! Operations that outlive the call that posts them: the request and the buffer it uses, owned together.
//!
//! A request that is dropped unfinished cannot be taken back from MPI, so its buffer is leaked (MPI may write into it at
//! any time) and the seat counts it: it is the student's mistake, and stays a harmless one.
use std::{ffi::c_int, mem, rc::Rc};

use mpi::ffi::{MPI_Request, MPI_Status, MPI_Test, MPI_Wait};
use wb_comm::{Block, Code, Completed, Label, Match, Pending, Rank, Result, Site, Source, Status};

use crate::{
    call::{self, Wait},
    check::{self, check},
    communicator::Communicator,
    handles,
    transport::{MpiTransport, blank_status},
};

/// A posted send or receive.
pub(crate) struct Posted {
    /// `MPI_REQUEST_NULL` once MPI is done with the block.
    request: MPI_Request,
    /// `None` once given back or leaked.
    block: Option<Block>,
    direction: Direction,
    /// The call that posted it.
    site: Site,
    wait: Wait,
    /// How it ended, once found complete; for a receive with what came.
    outcome: Option<Result<Option<Status>>>,
    communicator: Rc<Communicator>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Send,
    Recv,
}

impl Posted {
    pub(crate) fn send(
        transport: &MpiTransport,
        (to, label): (Rank, Label),
        block: Block,
        synchronous: bool,
        site: Site,
    ) -> Result<Self> {
        let outgoing = transport.outgoing(to, label, block.view())?;
        let bytes = block.view().bytes();
        // SAFETY: the elements do not move while the block lives, which is until the request is complete or for ever;
        // nobody else can reach the block.
        let request = unsafe { outgoing.post(bytes.as_ptr(), synchronous)? };
        let wait = Wait::to(to, label.tag, bytes.len()).among(&transport.communicator);
        Ok(Self::new(transport, request, block, (Direction::Send, site), wait))
    }

    pub(crate) fn recv(
        transport: &MpiTransport,
        from: Source,
        label: Match,
        mut block: Block,
        site: Site,
    ) -> Result<Self> {
        let mut view = block.view_mut();
        let incoming = transport.incoming(from, label, &view)?;
        let bytes = view.bytes();
        let wait = Wait::from(from, label.tag, bytes.len()).among(&transport.communicator);
        // SAFETY: as in `send`.
        let request = unsafe { incoming.post(bytes.as_mut_ptr())? };
        Ok(Self::new(transport, request, block, (Direction::Recv, site), wait))
    }

    fn new(
        transport: &MpiTransport,
        request: MPI_Request,
        block: Block,
        (direction, site): (Direction, Site),
        wait: Wait,
    ) -> Self {
        let communicator = Rc::clone(&transport.communicator);
        Self { request, block: Some(block), direction, site, wait, outcome: None, communicator }
    }

    /// Keeps the outcome of a call that completed the request.
    fn note(&mut self, call: &'static str, code: c_int, raw: &MPI_Status) -> Result<Option<Status>> {
        let outcome = match self.direction {
            Direction::Send => check(call, code).map(|()| None),
            Direction::Recv => check::received(call, code, raw, self.room()).map(Some),
        };
        self.outcome.insert(outcome).clone()
    }

    fn room(&self) -> usize {
        self.block.as_ref().map_or(0, |block| block.view().bytes().len())
    }
}

impl Pending for Posted {
    fn test(&mut self, _site: Site) -> Result<bool> {
        if let Some(outcome) = &self.outcome {
            return outcome.clone().map(|_| true);
        }
        let mut done = 0;
        let mut raw = blank_status();
        // SAFETY: an active request of ours, one int and one status for the answer.
        let code = unsafe { MPI_Test(&mut self.request, &mut done, &mut raw) };
        if code == handles::SUCCESS && done == 0 {
            return Ok(false);
        }
        self.note("MPI_Test", code, &raw).map(|_| true)
    }

    fn wait(mut self: Box<Self>, site: Site) -> Result<Completed> {
        let status = match self.outcome.take() {
            Some(outcome) => outcome?,
            None => {
                let mut raw = blank_status();
                let code = {
                    let _inside = call::enter(site, self.wait.started_by(self.site));
                    // SAFETY: an active request of ours.
                    unsafe { MPI_Wait(&mut self.request, &mut raw) }
                };
                self.note("MPI_Wait", code, &raw)?
            }
        };
        let block =
            self.block.take().expect("only waiting gives the block away, and it consumes the request");
        Ok(Completed { block, status })
    }
}

impl Drop for Posted {
    fn drop(&mut self) {
        // A failed wait that left the request active is no completion: MPI may still write.
        if self.request != handles::REQUEST_NULL {
            mem::forget(self.block.take());
            let call = call::described(self.site, self.wait);
            let what = wb_comm::text::left::request(call, &self.communicator.name);
            self.communicator.registry.leave(Code::RequestLeft, self.site, vec![what]);
        }
    }
}
