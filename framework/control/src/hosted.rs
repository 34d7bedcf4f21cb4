//! The control network of a job with another transport: rank 0 starts the server where all other ranks reach it, and
//! every rank joins.
//!
//! Where all ranks are on one node, the server listens on its loopback interface, and no other host can reach it. Otherwise it
//! listens on all interfaces, and a rank takes the first address of rank 0's host on which the server admits it, so nothing
//! depends on how a site names its hosts. Addresses and token are sent in a message of the job.
use std::{
    fs,
    net::{Ipv4Addr, SocketAddr},
    thread,
    time::Duration,
};

use wb_comm::{
    Barrier, CallSite, Error, MessageTag, Op, Result, SendMode, Source, Transport, View, ViewMut,
    text::control as text,
};

use crate::{Client, ControlBarrier, Credentials, RetryPolicy, Server};

/// The tag of the message here, apart from those of the collectives.
const TAG: MessageTag = MessageTag::internal(1000);

/// The most addresses that are tried.
const MAX_ADDRESSES: usize = 8;

/// Room for the credentials of all addresses, or for the reason why there are none.
const MESSAGE_BYTES: usize = 256 * MAX_ADDRESSES;

/// How long a rank tries one of several addresses. One that is filtered does not answer at all.
const TRIAL: RetryPolicy = RetryPolicy { reply_timeout: Duration::from_secs(1), max_attempts: 1 };

/// A member of a job whose rank 0 keeps the server.
///
/// Dropping it [leaves](Self::leave) without reporting errors, so that rank 0 does not end the server while other
/// members still wait for the reply to their last request. After a failure, or while panicking, it leaves immediately.
/// All ranks drop it at the same point of the program: rank 0 waits for the others there, at most for the patience.
#[derive(Debug)]
pub struct HostedBarrier {
    /// The barrier; `None` once it was left.
    barrier: Option<ControlBarrier>,
    server: Option<Server>,
}

impl HostedBarrier {
    /// Collective over `transport`: rank 0 starts a server, all join it.
    ///
    /// # Errors
    /// [`Error::Setup`] at all ranks when the server cannot be started, and at a rank that does not reach it: the others then
    /// miss it in their first wait. The errors of the transport.
    pub fn start(transport: &dyn Transport, timeout: Duration, site: CallSite) -> Result<Self> {
        let is_one_node = transport.nodes(site)?.iter().all(|node| *node == 0);
        let (server, offer) = match transport.rank() {
            0 => match start_server(is_one_node, transport.size()) {
                Ok((server, offered)) => (Some(server), Ok(offered)),
                Err(error) => (None, Err(error.to_string())),
            },
            _ => (None, Ok(vec![])),
        };
        let offered =
            broadcast(transport, offer, site)?.map_err(|why| Error::Setup(text::no_server(&why)))?;
        let (client, rank, size) = (connect(&offered)?, transport.rank(), transport.size());
        Ok(Self { barrier: Some(ControlBarrier::join(client, "world", rank, size, timeout)?), server })
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
        if self.barrier.as_ref().is_some_and(|barrier| barrier.failure.is_none()) && !thread::panicking() {
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

/// A server, and the ways to it from other processes.
fn start_server(is_one_node: bool, size: usize) -> std::io::Result<(Server, Vec<Credentials>)> {
    let (interface, mut addresses) = match is_one_node {
        true => (Ipv4Addr::LOCALHOST, vec![Ipv4Addr::LOCALHOST]),
        false => (Ipv4Addr::UNSPECIFIED, local_addresses(&fs::read_to_string("/proc/net/fib_trie")?)),
    };
    addresses.truncate(MAX_ADDRESSES);
    // A rank is another client at each address that it tries.
    let server = Server::start(interface, size * addresses.len().max(1))?;
    let Credentials { address, token } = server.credentials();
    let at = |host: Ipv4Addr| Credentials { address: SocketAddr::from((host, address.port())), token };
    Ok((server, addresses.into_iter().map(at).collect()))
}

/// The addresses of this host in the kernel's table of routes, those of its loopback interface last: each is a line `|-- 10.0.0.1`
/// before a line `/32 host LOCAL`.
fn local_addresses(table: &str) -> Vec<Ipv4Addr> {
    let mut found = vec![];
    let mut last = None;
    for line in table.lines().map(str::trim) {
        if let Some(address) = line.strip_prefix("|-- ") {
            last = address.parse().ok();
        } else if line == "/32 host LOCAL"
            && let Some(address) = last
            && !found.contains(&address)
        {
            found.push(address);
        }
    }
    found.sort_by_key(Ipv4Addr::is_loopback);
    found
}

/// A client at the first address where the server admits this rank.
fn connect(offered: &[Credentials]) -> Result<Client> {
    let policy = if offered.len() == 1 { RetryPolicy::default() } else { TRIAL };
    let mut reason = "it has none".to_owned();
    for server in offered {
        match Client::connect(*server, policy) {
            Ok(mut client) => {
                client.retry_policy = RetryPolicy::default();
                return Ok(client);
            }
            Err(error) => reason = error.to_string(),
        }
    }
    Err(Error::Setup(text::no_address(reason)))
}

/// The credentials that rank 0 offers, or the reason why it offers none.
type Offer = std::result::Result<Vec<Credentials>, String>;

/// Every rank gets the offer of rank 0.
fn broadcast(transport: &dyn Transport, offer: Offer, site: CallSite) -> Result<Offer> {
    let mut bytes = [0u8; MESSAGE_BYTES];
    if transport.rank() == 0 {
        let text = serde_json::to_vec(&offer).expect("an offer has a text");
        let length = text.len().min(bytes.len());
        bytes[..length].copy_from_slice(&text[..length]);
        let send = |to| Op::Send { to, tag: TAG, data: View::from_slice(&bytes), mode: SendMode::Standard };
        let mut sends: Vec<Op<'_>> = (1..transport.size()).map(send).collect();
        transport.post_and_wait(&mut sends, site)?;
        return Ok(offer);
    }
    let data = ViewMut::from_slice(&mut bytes);
    let receive = Op::Recv { from: Source::Rank(0), tag: TAG.into(), data, status: None };
    transport.post_and_wait(&mut [receive], site)?;
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    Ok(serde_json::from_slice(text).unwrap_or_else(|_| Err(String::from_utf8_lossy(text).into_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Secret;

    #[test]
    fn a_rank_takes_the_first_address_whose_server_admits_it() {
        let servers = [(); 2].map(|()| Server::start(Ipv4Addr::LOCALHOST, 2).expect("started"));
        let right = servers.each_ref().map(Server::credentials);
        let foreign = Credentials { token: Secret::random(), ..right[0] };
        connect(&[foreign, right[0], right[1]]).expect("the second one");
        assert_eq!(servers.each_ref().map(|server| server.store().clients.len()), [1, 0]);
        let refused = connect(&[foreign, foreign]).expect_err("no other").to_string();
        assert!(
            refused.contains("reaches no address of the host of rank 0") && refused.contains("the token")
        );
    }

    #[test]
    fn one_node_uses_the_loopback_interface_only_and_several_all_addresses() {
        for is_one_node in [true, false] {
            let (server, offered) = start_server(is_one_node, 2).expect("started");
            let interface = server.credentials().address.ip();
            assert_eq!((interface.is_loopback(), interface.is_unspecified()), (is_one_node, !is_one_node));
            assert!(offered.iter().all(|way| way.address.ip().is_loopback()) || !is_one_node);
            connect(&offered[offered.len() - 1..])
                .expect("the last one is of this host's loopback interface");
        }
        let table = "|-- nonsense\n/32 host LOCAL\n|-- 10.0.0.0\n/24 link UNICAST\n|-- 127.0.0.1\n/32 host LOCAL\n\
                     |-- 10.0.0.1\n/32 host LOCAL\n|-- 10.0.0.1\n/32 host LOCAL\n";
        assert_eq!(local_addresses(table), [Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::LOCALHOST]);
    }
}
