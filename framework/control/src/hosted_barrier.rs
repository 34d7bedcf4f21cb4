//! The control network of a job with another transport: rank 0 starts the server, every member gets its address and
//! token.
use std::{thread, time::Duration};

use wb_comm::{Barrier, CallSite, Result, Transport};

use crate::{ControlBarrier, Server, StoreLimits, hosted_server};

/// A member of a job whose rank 0 keeps the server.
///
/// Dropping it [leaves](Self::leave) without reporting errors, so that rank 0 does not end the server while other
/// members still wait for the reply to their last request. After a failure, or while panicking, it leaves immediately.
/// All ranks drop it at the same point of the program: rank 0 waits for the others there, at most for the patience.
#[derive(Debug)]
pub struct HostedBarrier {
    /// `None` once it was left.
    barrier: Option<ControlBarrier>,
    server: Option<Server>,
}

impl HostedBarrier {
    /// Collective over `transport`: rank 0 starts a server, all join version 1. It listens on the loopback interface if all ranks
    /// share one, otherwise on the first address of rank 0's host that all ranks reach.
    ///
    /// # Errors
    /// [`Error::Setup`](wb_comm::Error::Setup) at all ranks when the server cannot be started, or is not reached by all; the errors of
    /// the transport and the store.
    pub fn start(transport: &dyn Transport, patience: Duration, site: CallSite) -> Result<Self> {
        let (rank, size) = (transport.rank(), transport.size());
        let limits = StoreLimits {
            max_clients: StoreLimits::default().max_clients.max(2 * size),
            ..StoreLimits::default()
        };
        // Members that connect at the same moment are strangers until they have said hello.
        let limits = StoreLimits { max_unauthenticated: limits.max_unauthenticated.max(2 * size), ..limits };
        let limits =
            StoreLimits { max_parked: limits.max_clients, max_keys: limits.max_keys.max(4 * size), ..limits };
        let (credentials, server) = hosted_server::start(transport, limits, site)?;
        let barrier = ControlBarrier::connect(credentials, rank, size, patience)?;
        Ok(Self { barrier: Some(barrier), server })
    }

    /// The server, at rank 0.
    pub fn server(&self) -> Option<&Server> {
        self.server.as_ref()
    }

    /// Leaves; rank 0 ends the server when every member has left.
    ///
    /// # Errors
    /// As [`ControlBarrier::leave`].
    pub fn leave(mut self) -> Result<()> {
        self.shut_down()
    }

    fn shut_down(&mut self) -> Result<()> {
        let left = self.barrier.take().map_or(Ok(()), ControlBarrier::leave);
        self.server.take().into_iter().for_each(Server::shut_down);
        Ok(left?)
    }
}

impl Drop for HostedBarrier {
    fn drop(&mut self) {
        let whole = self.barrier.as_ref().is_some_and(|barrier| barrier.failure().is_none());
        if whole && !thread::panicking() {
            // The errors are available from `leave`.
            let _untold = self.shut_down();
        }
    }
}

impl Barrier for HostedBarrier {
    fn wait(&mut self) -> Result<()> {
        self.barrier.as_mut().expect("nobody waits after leaving").wait()
    }
}
