//! The nonblocking collective verbs of a [`World`]: they check the arguments, then start the library's call or our rounds.
//!
//! A request owns its buffers: what is sent is passed by value, and the wait returns what is received. All ranks of the communicator must
//! start their collective operations, blocking and nonblocking ones, in the same order.
use std::marker::PhantomData;

use wb_algorithms::collectives::Algorithms;
use wb_comm::{
    Block, CallSite, CollectiveKind, Collectives as _, MultipleCompletion, OwnedBuffers, Pending, Result,
    Transport, Wire,
};

use crate::{
    CollectiveRequest, World,
    call_tracer::{OptionalTracer, TracedCall},
    collective::{CollectiveArguments, Owned, Received, room},
    request::StartedRequest,
};

#[allow(clippy::missing_errors_doc, reason = "all: Error::Rank, Error::Count, and what the backend can meet")]
impl World {
    /// Enters a barrier without waiting for the others (`MPI_Ibarrier`): the wait returns when all ranks have entered.
    #[track_caller]
    pub fn ibarrier(&self) -> Result<CollectiveRequest<()>> {
        self.start_kind::<u8, _>((CollectiveKind::Barrier, None, Received::Room(0)))
    }

    /// Starts an operation; what only the root passes may be absent.
    #[track_caller]
    pub(crate) fn start_kind<T: Wire, O>(
        &self,
        (kind, send, recv): Owned<'_, T>,
    ) -> Result<CollectiveRequest<O>> {
        let site = CallSite::caller(kind.nonblocking_verb());
        let counts = (send.as_ref().map(Vec::len), Some(recv.count()));
        let arguments = CollectiveArguments::new(self, (site, T::DATATYPE), kind, counts);
        let send = Block::from_vec(send.unwrap_or_default());
        let started = self.start_erased(&arguments, send, recv, room::<T>)?;
        Ok(CollectiveRequest { started, gets: kind.gives_result_to(self.rank()), output: PhantomData })
    }

    /// Starts an operation if its arguments are right.
    fn start_erased(
        &self,
        arguments: &CollectiveArguments<'_>,
        send: Block,
        recv: Received,
        room: fn(usize) -> Block,
    ) -> Result<StartedRequest> {
        let (site, call, request) = (arguments.site, TracedCall::begin(&self.tracer), self.next_request());
        let pending = self.start_checked(arguments, send, recv, room);
        call.end(site, &pending, |tracer, _| {
            tracer.start_collective(arguments.shape(), arguments.bytes(), request)
        });
        let pending = pending.inspect_err(|error| self.stats().note_error(site, error))?;
        Ok(self.start_request(pending, request))
    }

    fn start_checked(
        &self,
        arguments: &CollectiveArguments<'_>,
        send: Block,
        recv: Received,
        room: fn(usize) -> Block,
    ) -> Result<Box<dyn Pending>> {
        let counts = arguments.check()?;
        self.transport().enter_collective_with(|| arguments.call(counts))?;
        let send = if arguments.send.is_some() { send } else { Block::zeroed(arguments.datatype, 0) };
        let buffers = OwnedBuffers { send, recv: recv.into_block(room) };
        let pending =
            start_operation(&**self.transport(), &self.tracer, arguments.kind, buffers, arguments.site)?;
        self.stats().note_collective(arguments.site);
        Ok(pending)
    }
}

/// Starts an operation: the library's, or one of our algorithms. In a pass without overlap it is complete afterwards.
#[inline]
pub(crate) fn start_operation(
    transport: &dyn Transport,
    tracer: &OptionalTracer,
    kind: CollectiveKind<'_>,
    buffers: OwnedBuffers,
    site: CallSite,
) -> Result<Box<dyn Pending>> {
    let mut pending = match transport.native_collectives() {
        Some(library) => library.start(kind, buffers, site),
        None => Algorithms(transport).start(kind, buffers, site),
    }?;
    if tracer.as_ref().is_some_and(|tracer| tracer.completes_at_start()) {
        transport.complete(&mut [&mut *pending], MultipleCompletion::WaitAll, site)?;
    }
    Ok(pending)
}
