//! A posted operation that its rank has yet to wait for.
use std::{rc::Rc, thread};

use wb_comm::{Block, Completed, Pending, Result, Site, Status};

use crate::{
    deadlock::{Need, Standing},
    endpoint::Participant,
    operation::{OperationId, Progress},
};

/// Owns the buffer; the message itself lies in the hub, so dropping a request is sound at any time.
#[derive(Debug)]
pub(crate) struct Request {
    participant: Rc<Participant>,
    buffer: Option<Block>,
    stage: Stage,
}

/// How far a request has come.
#[derive(Debug)]
enum Stage {
    /// In the hub.
    Posted(OperationId),
    /// Over, its outcome in the buffer.
    Complete(Option<Status>),
    /// Over, and its rank has been told why it failed.
    Failed,
}

impl Request {
    /// Of an operation that has just been posted.
    pub(crate) fn new(participant: Rc<Participant>, id: OperationId, buffer: Block) -> Self {
        Self { participant, buffer: Some(buffer), stage: Stage::Posted(id) }
    }

    /// Takes over how the operation ended.
    fn finish(&mut self, progress: Progress) -> Result<Option<Status>> {
        self.stage = Stage::Failed;
        let status = match progress {
            Progress::Received(message) => {
                let buffer = self.buffer.as_mut().expect("only wait takes the buffer");
                Some(self.participant.receive(&message?, buffer.view_mut().bytes()))
            }
            Progress::Sent | Progress::Open => None,
        };
        self.stage = Stage::Complete(status);
        Ok(status)
    }

    /// Waits in the hub and takes the operation from it, whatever comes of it.
    fn complete(&mut self, id: OperationId, site: Site) -> Result<Option<Status>> {
        let participant = Rc::clone(&self.participant);
        let mut state = participant.hub.lock();
        let standing = Standing { site, need: Need::Operations(vec![id]) };
        let waited = match state.admit(participant.rank, site) {
            Ok(()) => participant.hub.wait(state, participant.rank, standing),
            Err(error) => {
                drop(state);
                Err(error)
            }
        };
        match waited {
            Ok(mut state) => {
                let progress = state.take(id).progress;
                drop(state);
                self.finish(progress)
            }
            Err(error) => {
                self.stage = Stage::Failed;
                participant.hub.lock().take(id);
                Err(error)
            }
        }
    }
}

impl Pending for Request {
    fn test(&mut self, site: Site) -> Result<bool> {
        let Stage::Posted(id) = self.stage else { return Ok(true) };
        let participant = Rc::clone(&self.participant);
        let mut state = participant.hub.lock();
        state.admit(participant.rank, site)?;
        if state.operations[&id].done() {
            let progress = state.take(id).progress;
            drop(state);
            return self.finish(progress).map(|_| true);
        }
        drop(state);
        // A rank that polls must not keep the processor from the one it waits for.
        thread::yield_now();
        Ok(false)
    }

    fn wait(mut self: Box<Self>, site: Site) -> Result<Completed> {
        let status = match self.stage {
            Stage::Posted(id) => self.complete(id, site)?,
            Stage::Complete(status) => status,
            Stage::Failed => None,
        };
        let block = self.buffer.take().expect("a request is waited for once");
        Ok(Completed { block, status })
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        if let Stage::Posted(id) = self.stage {
            self.participant.hub.lock().abandon(id);
        }
    }
}
