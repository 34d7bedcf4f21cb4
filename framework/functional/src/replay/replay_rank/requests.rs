//! The requests of a replayed rank: their waits, and what a started collective waits for.
use std::rc::Rc;

use wb_comm::{
    Block, CallSite, Datatype, MessageTag, MultipleCompletion, Pending, Result, Source, TagPattern,
};

use super::{ReplayRank, StartedCollective, UNUSED_TAG};
use crate::replay::call_trace::trace::CallStatus;

impl ReplayRank<'_> {
    /// Starts the collective that was called last.
    pub(super) fn start_collective(&mut self, on: usize, request: usize, site: CallSite) {
        let number = self.collectives.get(&on).copied().unwrap_or_default();
        self.started_collectives.insert(request, StartedCollective { on, number, site });
    }

    pub(super) fn wait(&mut self, request: usize, site: CallSite, status: CallStatus) -> Result<()> {
        if let Some(started) = self.started_collectives.remove(&request) {
            return self.await_missing(started, site, status);
        }
        match self.requests.remove(&request) {
            Some(pending) => pending.wait(site).map(drop),
            None => Ok(()),
        }
    }

    /// Waits for all of these requests, or for one of them, as the rank did when it was blocked.
    pub(super) fn wait_for_several(&mut self, requests: &[usize], all: bool, site: CallSite) -> Result<()> {
        let mut pending: Vec<Box<dyn Pending>> = vec![];
        for request in requests {
            let missing =
                self.started_collectives.remove(request).and_then(|started| self.missing_peer(&started));
            pending.extend(missing.transpose()?);
            pending.extend(self.requests.remove(request));
        }
        let mode = if all { MultipleCompletion::WaitAll } else { MultipleCompletion::WaitAny };
        let mut waited: Vec<&mut dyn Pending> = pending.iter_mut().map(|pending| &mut **pending).collect();
        let world = Rc::clone(&self.communicators[&0]);
        world.complete(&mut waited, mode, site).map(drop)
    }

    /// A receive from a rank that did not call this collective, if there is one.
    pub(super) fn missing_peer(&self, started: &StartedCollective) -> Option<Result<Box<dyn Pending>>> {
        let missing = self.state.communicators.missing(self.rank, started.on, started.number)?;
        let communicator = self.communicators.get(&started.on)?;
        let (tag, nothing) =
            (TagPattern::from(MessageTag::internal(UNUSED_TAG)), Block::zeroed(Datatype::U8, 0));
        Some(communicator.post_recv(Source::Rank(missing), tag, nothing, started.site))
    }

    /// Waits for a rank that did not call the collective of this number, if the rank was blocked there.
    pub(super) fn await_missing(
        &self,
        started: StartedCollective,
        site: CallSite,
        status: CallStatus,
    ) -> Result<()> {
        if status != CallStatus::Open {
            return Ok(());
        }
        self.missing_peer(&started).map_or(Ok(()), |pending| pending?.wait(site).map(drop))
    }
}
