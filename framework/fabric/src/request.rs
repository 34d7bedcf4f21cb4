//! A posted operation that its rank has yet to wait for.
use std::rc::Rc;

use smallvec::smallvec;
use wb_comm::{Block, Completed, Pending, Result, Site, Status};

use crate::{
    Hub, Sight,
    deadlock::{Need, Standing},
    endpoint::Participant,
    operation::{OperationId, Progress},
};

/// Owns the buffer; the message itself lies in the hub, so dropping a request is sound at any time.
#[derive(Debug)]
pub(crate) struct Request<H: Hub> {
    participant: Rc<Participant<H>>,
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

impl<H: Hub> Request<H> {
    /// Of an operation that has just been posted.
    pub(crate) fn new(participant: Rc<Participant<H>>, id: OperationId, buffer: Block) -> Self {
        Self { participant, buffer: Some(buffer), stage: Stage::Posted(id) }
    }

    /// Takes over how the operation ended.
    fn finish(&mut self, progress: Progress) -> Result<Option<Status>> {
        self.stage = Stage::Failed;
        let status = match progress {
            Progress::Received(message) => {
                let buffer = self.buffer.as_mut().expect("only wait takes the buffer");
                Some(self.participant.receive(message.map_err(|error| *error)?, buffer.view_mut().bytes()))
            }
            Progress::Sent | Progress::Open => None,
        };
        self.stage = Stage::Complete(status);
        Ok(status)
    }

    /// Waits in the hub and takes the operation from it, whatever comes of it.
    fn complete(&mut self, id: OperationId, site: Site) -> Result<Option<Status>> {
        let participant = Rc::clone(&self.participant);
        let mut state = participant.hub.hold();
        let standing = Standing { site, need: Need::Operations(smallvec![Some(id)]) };
        let waited = match state.admit(participant.rank, site) {
            Ok(()) => participant.hub.stand(state, participant.rank, standing),
            Err(error) => {
                drop(state);
                Err(error)
            }
        };
        match waited {
            Ok(mut state) => {
                let progress = participant.collect(&mut state, &[Some(id)]).remove(0);
                drop(state);
                self.finish(progress)
            }
            Err(error) => {
                self.stage = Stage::Failed;
                participant.hub.hold().take(id);
                Err(error)
            }
        }
    }
}

impl<H: Hub> Pending for Request<H> {
    fn test(&mut self, site: Site) -> Result<bool> {
        let Stage::Posted(id) = self.stage else { return Ok(true) };
        let participant = Rc::clone(&self.participant);
        participant.hub.look(participant.rank, Sight::Mail);
        let mut state = participant.hub.hold();
        state.admit(participant.rank, site)?;
        if state.operations[id].done() {
            let progress = participant.collect(&mut state, &[Some(id)]).remove(0);
            drop(state);
            return self.finish(progress).map(|_| true);
        }
        drop(state);
        participant.hub.idle(participant.rank);
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

impl<H: Hub> Drop for Request<H> {
    fn drop(&mut self) {
        if let Stage::Posted(id) = self.stage {
            self.participant.hub.hold().abandon(id);
        }
    }
}
