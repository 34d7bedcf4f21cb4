//! The server of a job: rank 0 starts it where all other ranks reach it.
//!
//! Where all ranks share a loopback interface, the server listens on that one, and no other host can reach it. Otherwise rank 0 starts a
//! server on each address of its host; every rank tries them with their tokens; the first one that all reach stays, all others end. So
//! the server listens on one interface only, and nothing depends on how a site names its hosts. Addresses and tokens are sent in
//! messages of the job.
use std::{net::SocketAddr, time::Duration};

use wb_comm::{
    CallSite, Error, MessageTag, Op, Result, SendMode, Source, Transport, View, ViewMut,
    text::control as text,
};

use crate::{
    Client, Credentials, RetryPolicy, Server, StoreLimits,
    interfaces::{addresses, loopback_key},
};

/// The tag of the messages here, apart from those of the collectives.
const TAG: MessageTag = MessageTag::internal(1000);

/// The most addresses that are tried.
const MAX_ADDRESSES: usize = 8;

/// Room for the credentials of all addresses, or for the reason why there are none.
const MESSAGE_BYTES: usize = 128 * MAX_ADDRESSES;

/// How long a rank tries one address. One that is filtered does not answer at all.
const TRIAL: RetryPolicy = RetryPolicy {
    reply_timeout: Duration::from_secs(1),
    max_attempts: 1,
    initial_backoff: Duration::from_millis(1),
};

/// Collective over `transport`: the credentials of the server; and the server, at rank 0.
///
/// # Errors
/// [`Error::Setup`] at all ranks when no server can be started or none is reached by all; the errors of the transport.
pub(crate) fn start(
    transport: &dyn Transport,
    limits: StoreLimits,
    site: CallSite,
) -> Result<(Credentials, Option<Server>)> {
    let exchange = Exchange { transport, site };
    let keys = exchange.gather(loopback_key())?;
    let is_one_host = keys.windows(2).all(|pair| pair[0] == pair[1]);
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
    let mut servers = started.and_then(std::result::Result::ok);
    let chosen = match offered.len() {
        // A rank that cannot reach the only one says so when it joins.
        1 => 0,
        _ => exchange.first_reached_by_all(&offered)?,
    };
    let credentials = offered.get(chosen).copied().ok_or_else(|| Error::Setup(text::no_common_address()))?;
    Ok((credentials, servers.as_mut().map(|servers| servers.swap_remove(chosen))))
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
    /// The number of the first server that every rank reaches; beyond the last one if there is none.
    fn first_reached_by_all(&self, offered: &[Credentials]) -> Result<usize> {
        let reaches = |(number, credentials): (usize, &Credentials)| {
            u64::from(Client::connect(*credentials, TRIAL).is_ok()) << number
        };
        let mine: u64 = offered.iter().enumerate().map(reaches).sum();
        let common = self.gather(mine)?.into_iter().fold(u64::MAX, |common, reached| common & reached);
        let first = (self.transport.rank() == 0).then(|| common.trailing_zeros().to_string());
        Ok(self.broadcast_text(first)?.parse().unwrap_or(usize::MAX))
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

    /// What three ranks choose of what each of them gets.
    fn chosen(offered: [Vec<Credentials>; 3]) -> Vec<usize> {
        let job = move |transport: Rc<dyn Transport>| -> Box<dyn Any + Send> {
            let exchange = Exchange { transport: &*transport, site: CallSite::caller(Verb::Barrier) };
            Box::new(exchange.first_reached_by_all(&offered[transport.rank()]).expect("messages"))
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
        let server = Server::start(StoreLimits::default()).expect("started");
        let right = server.credentials();
        let foreign = Credentials { token: Secret::random(), ..right };
        let alike = |offered: [Credentials; 3]| [0; 3].map(|_| offered.to_vec());
        assert_eq!(chosen(alike([foreign, right, right])), [1; 3]);
        assert!(chosen(alike([foreign; 3])).into_iter().all(|number| number >= 3));
        // One rank reaches the second one only.
        let mut offered = alike([right; 3]);
        offered[2][0] = foreign;
        assert_eq!(chosen(offered), [1; 3]);
        assert_eq!(server.statistics().requests(), 0);
    }

    #[test]
    fn on_one_host_only_the_loopback_interface_is_used() {
        let [server] = &start_servers(true, StoreLimits::default()).expect("started")[..] else {
            panic!("one server")
        };
        assert!(server.address().ip().is_loopback(), "{}", server.address());
    }

    #[test]
    fn on_several_hosts_each_server_listens_on_one_address_of_this_one() {
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
