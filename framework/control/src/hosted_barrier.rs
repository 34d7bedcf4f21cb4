//! The control network of a job with another transport: rank 0 starts the server, every member gets its address and
//! token.
use std::{thread, time::Duration};

use wb_comm::{Barrier, CallSite, Error, MessageTag, Op, Result, Source, Transport, View, ViewMut, text};

use crate::{ControlBarrier, Credentials, Server, StoreLimits};

/// The tag of the messages that carry the credentials, apart from those of the collectives.
const TAG: i32 = 1000;

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
    /// Collective over `transport`: rank 0 starts a server on this machine's loopback interface, all join version 1.
    ///
    /// # Errors
    /// [`Error::Setup`] at all ranks when the server cannot be started; the errors of the transport and the store.
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
        let started = (rank == 0).then(|| Server::start(limits));
        let message = started.as_ref().map(|server| match server {
            Ok(server) => server.credentials().to_string(),
            Err(error) => error.to_string(),
        });
        let message = broadcast_text(transport, message, site)?;
        let credentials: Credentials =
            message.parse().map_err(|_| Error::Setup(text::control::no_server(&message)))?;
        let server = started.and_then(std::result::Result::ok);
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

/// Room for the longest credentials, or the reason why there are none.
const CREDENTIALS_BYTES: usize = 128;

/// Every member gets rank 0's text of at most [`CREDENTIALS_BYTES`].
fn broadcast_text(transport: &dyn Transport, text: Option<String>, site: CallSite) -> Result<String> {
    let label = MessageTag::internal(TAG);
    let mut bytes = [0u8; CREDENTIALS_BYTES];
    if let Some(text) = text {
        let length = text.len().min(bytes.len());
        bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
        let send = |to| Op::Send { to, tag: label, data: View::from_slice(&bytes), synchronous: false };
        transport.post_and_wait(&mut (1..transport.size()).map(send).collect::<Vec<_>>(), site)?;
    } else {
        let data = ViewMut::from_slice(&mut bytes);
        let receive = Op::Recv { from: Source::Rank(0), tag: label.into(), data, status: None };
        transport.post_and_wait(&mut [receive], site)?;
    }
    let length = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    Ok(String::from_utf8_lossy(&bytes[..length]).into_owned())
}
