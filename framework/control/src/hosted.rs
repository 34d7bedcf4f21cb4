//! The control network of a job with another transport: rank 0 starts the server where all other ranks reach it, and
//! every rank joins.
//!
//! Where all ranks share a loopback interface, the server listens on that one, and no other host can reach it. Otherwise rank 0 starts a
//! server on each address of its host; every rank tries them with their tokens; the first one that all reach stays, all others end. So
//! the server listens on one interface only, and nothing depends on how a site names its hosts. Addresses and tokens are sent in
//! messages of the job.
use std::{net::SocketAddr, thread, time::Duration};

use wb_comm::{
    Barrier, CallSite, Error, MessageTag, Op, Result, SendMode, Source, Transport, View, ViewMut,
    text::control as text,
};

use crate::{
    Client, ControlBarrier, Credentials, GroupMember, RetryPolicy, Server, StoreLimits,
    interfaces::{addresses, loopback_key},
};

/// The tag of the messages here, apart from those of the collectives.
const TAG: MessageTag = MessageTag::internal(1000);

/// The most addresses that are tried.
const MAX_ADDRESSES: usize = 8;

/// Room for the credentials of all addresses, or for the reason why there are none.
const MESSAGE_BYTES: usize = 128 * MAX_ADDRESSES;

/// How long a rank tries one of several addresses. One that is filtered does not answer at all.
const TRIAL: RetryPolicy = RetryPolicy {
    reply_timeout: Duration::from_secs(1),
    max_attempts: 1,
    initial_backoff: Duration::from_millis(1),
};

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
    /// Collective over `transport`: rank 0 starts a server, all join it.
    ///
    /// # Errors
    /// [`Error::Setup`] at all ranks when the server cannot be started, or is not reached by all; the errors of the
    /// transport.
    pub fn start(transport: &dyn Transport, patience: Duration, site: CallSite) -> Result<Self> {
        let exchange = Exchange { transport, site };
        let keys = exchange.gather(loopback_key())?;
        let is_one_host = keys.windows(2).all(|pair| pair[0] == pair[1]);
        let size = transport.size();
        let limits = StoreLimits {
            max_clients: StoreLimits::default().max_clients.max(size),
            ..StoreLimits::default()
        };
        let started = (transport.rank() == 0).then(|| start_servers(is_one_host, limits));
        let message = started.as_ref().map(|servers| match servers {
            Ok(servers) => {
                servers.iter().map(|server| server.credentials().to_string()).collect::<Vec<_>>().join(" ")
            }
            Err(reason) => reason.clone(),
        });
        let message = exchange.broadcast_text(message)?;
        let offered: std::result::Result<Vec<Credentials>, _> = message.split(' ').map(str::parse).collect();
        let offered = offered.map_err(|_| Error::Setup(text::no_server(&message)))?;
        let (chosen, client) = exchange.join_first_reached_by_all(&offered)?;
        let barrier = Some(ControlBarrier::new(client, patience));
        let server = started.and_then(std::result::Result::ok).map(|mut servers| servers.swap_remove(chosen));
        Ok(Self { barrier, server })
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
        self.server = None;
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
        self.barrier.as_mut().expect("a rank waits before it leaves").wait()
    }
}

/// A server on the loopback interface, or one on each address of this host.
fn start_servers(is_one_host: bool, limits: StoreLimits) -> std::result::Result<Vec<Server>, String> {
    if is_one_host {
        return Server::start(limits).map(|server| vec![server]).map_err(|error| error.to_string());
    }
    let mut servers = vec![];
    let mut reason = "this host has no address that others reach".to_owned();
    for address in addresses() {
        match Server::bind(SocketAddr::from((address, 0)), limits) {
            Ok(server) => servers.push(server),
            Err(error) => reason = format!("{address}: {error}"),
        }
        if servers.len() == MAX_ADDRESSES {
            break;
        }
    }
    if servers.is_empty() { Err(reason) } else { Ok(servers) }
}

/// The messages of all ranks with rank 0.
struct Exchange<'t> {
    transport: &'t dyn Transport,
    site: CallSite,
}

impl Exchange<'_> {
    /// Joins the servers; the number and the client of the first one that every rank has joined.
    fn join_first_reached_by_all(&self, offered: &[Credentials]) -> Result<(usize, Client)> {
        let policy = if offered.len() == 1 { RetryPolicy::default() } else { TRIAL };
        let member = GroupMember::new(self.transport.rank(), self.transport.size());
        let join = |server: &Credentials| Client::connect(*server, member.clone(), policy).ok();
        let mut clients: Vec<_> = offered.iter().map(join).collect();
        let mine =
            clients.iter().enumerate().map(|(number, client)| u64::from(client.is_some()) << number).sum();
        let common = self.gather(mine)?.into_iter().fold(u64::MAX, |common, reached| common & reached);
        let first = (self.transport.rank() == 0).then(|| common.trailing_zeros().to_string());
        let first = self.broadcast_text(first)?.parse().unwrap_or(usize::MAX);
        let client = clients.get_mut(first).and_then(Option::take);
        let mut client = client.ok_or_else(|| Error::Setup(text::no_common_address()))?;
        client.retry_policy = RetryPolicy::default();
        Ok((first, client))
    }

    /// The number of each rank, at rank 0; empty elsewhere.
    fn gather(&self, mine: u64) -> Result<Vec<u64>> {
        let size = self.transport.size();
        if self.transport.rank() > 0 {
            let bytes = [mine];
            let send = Op::Send { to: 0, tag: TAG, data: View::from_slice(&bytes), mode: SendMode::Standard };
            self.transport.post_and_wait(&mut [send], self.site)?;
            return Ok(vec![]);
        }
        let mut all = vec![mine; size];
        let mut receives: Vec<Op<'_>> = vec![];
        for (rank, number) in all.iter_mut().enumerate().skip(1) {
            let data = ViewMut::from_slice(std::slice::from_mut(number));
            receives.push(Op::Recv { from: Source::Rank(rank), tag: TAG.into(), data, status: None });
        }
        self.transport.post_and_wait(&mut receives, self.site)?;
        drop(receives);
        Ok(all)
    }

    /// Every rank gets rank 0's text of at most [`MESSAGE_BYTES`].
    fn broadcast_text(&self, text: Option<String>) -> Result<String> {
        let mut bytes = [0u8; MESSAGE_BYTES];
        if let Some(text) = text {
            let length = text.len().min(bytes.len());
            bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
            let send =
                |to| Op::Send { to, tag: TAG, data: View::from_slice(&bytes), mode: SendMode::Standard };
            let mut sends: Vec<Op<'_>> = (1..self.transport.size()).map(send).collect();
            self.transport.post_and_wait(&mut sends, self.site)?;
        } else {
            let data = ViewMut::from_slice(&mut bytes);
            let receive = Op::Recv { from: Source::Rank(0), tag: TAG.into(), data, status: None };
            self.transport.post_and_wait(&mut [receive], self.site)?;
        }
        let length = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        Ok(String::from_utf8_lossy(&bytes[..length]).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::{any::Any, rc::Rc, sync::Arc};

    use wb_comm::{ThreadRanks, Verb, job::RankTermination};

    use super::*;
    use crate::Secret;

    /// What three ranks choose of what each of them gets; `None` where there is no server for all.
    fn chosen(offered: [Vec<Credentials>; 3]) -> Vec<Option<usize>> {
        let job = move |transport: Rc<dyn Transport>| -> Box<dyn Any + Send> {
            let exchange = Exchange { transport: &*transport, site: CallSite::caller(Verb::Barrier) };
            let joined = exchange.join_first_reached_by_all(&offered[transport.rank()]);
            Box::new(joined.ok().map(|(number, _)| number))
        };
        let outcome =
            wb_threads::LocalThreads::default().run(3, Some(Duration::from_secs(20)), Arc::new(job));
        let number = |ended: &RankTermination| match ended {
            RankTermination::Returned(number) => *number.downcast_ref().expect("a number"),
            other => panic!("{other:?}"),
        };
        outcome.ranks.iter().map(number).collect()
    }

    #[test]
    fn a_server_that_a_rank_does_not_reach_with_its_token_is_not_chosen() {
        let servers = [(); 4].map(|()| Server::start(StoreLimits::default()).expect("started"));
        let right = servers.each_ref().map(Server::credentials);
        let foreign = Credentials { token: Secret::random(), ..right[0] };
        assert_eq!(chosen([0; 3].map(|_| vec![foreign, right[0], right[1]])), [Some(1); 3]);
        assert_eq!(chosen([0; 3].map(|_| vec![foreign; 3])), [None; 3]);
        // One rank reaches the second one only.
        let both = || vec![right[2], right[3]];
        assert_eq!(chosen([both(), both(), vec![foreign, right[3]]]), [Some(1); 3]);
    }

    #[test]
    fn one_host_uses_the_loopback_interface_only_and_several_one_address_for_each_server() {
        let servers = start_servers(true, StoreLimits::default()).expect("started");
        assert_eq!(servers.iter().map(|it| it.address().ip().is_loopback()).collect::<Vec<_>>(), [true]);
        let own = addresses();
        match start_servers(false, StoreLimits::default()) {
            Ok(servers) => {
                assert!(!servers.is_empty());
                for server in servers {
                    let ip = server.address().ip();
                    assert!(own.iter().any(|own| ip == *own) && !ip.is_unspecified(), "{ip}");
                }
            }
            Err(reason) => assert!(own.is_empty(), "{reason}: {own:?}"),
        }
    }
}
