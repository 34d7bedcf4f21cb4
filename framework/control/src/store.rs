//! What a server holds: the keys, the members with their parked Gets, and the open connections.
//!
//! Invariant: *a repeated request counts once.* A client has one request under way, so the number and the answer of its
//! newest one are enough: the same number again gets that answer again (or continues waiting), an older one is an error.
//! A rank joins a group once, and is known by its client's secret as long as the server runs: it may connect again at
//! any time. A second program with its rank is refused, since the barrier cannot distinguish its requests from those of
//! the first one.
use std::{
    collections::{BTreeMap, HashMap},
    net::{Shutdown, TcpStream},
    sync::Arc,
    time::Duration,
};

use crate::{
    GroupMember, Secret,
    protocol::{Answer, FromServer, Hello, Op, Request, VERSION},
};

/// The limits of a server: its memory is bounded whatever a client does. Beyond one of them a request or a connection is
/// refused with the reason; the others continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreLimits {
    /// Members of all groups. As many connections may be without a hello at one time; one more closes the oldest of
    /// them, so silent connections keep no member out.
    pub max_clients: usize,
    /// Bytes of a line, its end included.
    pub max_line_bytes: usize,
    /// Keys at one time.
    pub max_keys: usize,
    /// Bytes of all keys and values.
    pub max_bytes: usize,
    /// How long a connection may stay without a hello.
    pub hello_timeout: Duration,
}

impl Default for StoreLimits {
    fn default() -> Self {
        Self {
            max_clients: 256,
            max_line_bytes: 4096,
            max_keys: 4096,
            max_bytes: 1 << 20,
            hello_timeout: Duration::from_secs(5),
        }
    }
}

/// The number of requests, and of present objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Requests, each counted once.
    pub requests: u64,
    /// Requests that had been made before.
    pub repeats: u64,
    /// Keys at this moment.
    pub keys: usize,
    /// Bytes of keys and values at this moment.
    pub bytes: usize,
    /// Parked Gets at this moment.
    pub parked: usize,
    /// Members that have joined.
    pub members: usize,
    /// Connections at this moment that have not said hello, or are refused.
    pub strangers: usize,
}

/// A reply, and where it goes.
pub(crate) type AddressedReply = (Arc<TcpStream>, FromServer);

/// The number of a connection; they grow.
pub(crate) type ConnectionId = u64;

#[derive(Debug)]
struct Connection {
    stream: Arc<TcpStream>,
    /// The group and the rank, once it has said hello.
    member: Option<(String, usize)>,
}

#[derive(Debug)]
struct MemberState {
    client: Secret,
    size: usize,
    /// Its newest connection.
    connection: ConnectionId,
    last_request: u64,
    /// The answer to that request, unless it waits.
    answer: Option<Answer>,
    parked_key: Option<String>,
}

#[derive(Debug, Default)]
pub(crate) struct Store {
    keys: HashMap<String, String>,
    members: HashMap<(String, usize), MemberState>,
    connections: BTreeMap<ConnectionId, Connection>,
    last_connection: ConnectionId,
    pub(crate) is_stopped: bool,
    statistics: Statistics,
}

impl Store {
    pub(crate) fn statistics(&self) -> Statistics {
        Statistics {
            keys: self.keys.len(),
            parked: self.members.values().filter(|member| member.parked_key.is_some()).count(),
            members: self.members.len(),
            strangers: self.strangers().count(),
            ..self.statistics
        }
    }

    pub(crate) fn open(&mut self, stream: Arc<TcpStream>) -> ConnectionId {
        self.last_connection += 1;
        self.connections.insert(self.last_connection, Connection { stream, member: None });
        self.last_connection
    }

    /// The connection has ended. What its member waited for is waited for again when it repeats the request.
    pub(crate) fn close(&mut self, id: ConnectionId) {
        if let Some(member) = self.member_of(id) {
            member.parked_key = None;
        }
        self.connections.remove(&id);
    }

    pub(crate) fn streams(&self) -> Vec<Arc<TcpStream>> {
        self.connections.values().map(|connection| Arc::clone(&connection.stream)).collect()
    }

    /// The connections without a hello, the oldest first.
    pub(crate) fn strangers(&self) -> impl Iterator<Item = &TcpStream> {
        self.connections.values().filter(|connection| connection.member.is_none()).map(|other| &*other.stream)
    }

    /// A member joins, or connects again.
    ///
    /// # Errors
    /// The reason of a refusal.
    pub(crate) fn admit(
        &mut self,
        id: ConnectionId,
        hello: Hello,
        limits: &StoreLimits,
    ) -> Result<(), String> {
        let Hello { version, client, member: GroupMember { group, rank, size }, .. } = hello;
        if version != VERSION {
            return Err(format!("protocol version {version}; this server speaks {VERSION}"));
        }
        if rank >= size {
            return Err(format!("rank {rank} in a group of {size}"));
        }
        let first = self.members.iter().find(|((other, _), _)| *other == group);
        if let Some(((_, other), MemberState { size: theirs, .. })) = first
            && *theirs != size
        {
            return Err(format!("this rank has a group of {size}, rank {other} of {theirs}"));
        }
        let key = (group, rank);
        let is_full = self.members.len() >= limits.max_clients;
        match self.members.get_mut(&key) {
            Some(known) if known.client == client => {
                let old = std::mem::replace(&mut known.connection, id);
                if let Some(old) = self.connections.get(&old) {
                    // Its thread ends; it may be gone already.
                    let _gone = old.stream.shutdown(Shutdown::Both);
                }
            }
            Some(_) => {
                return Err(format!(
                    "rank {rank} has joined already: a process that was started again needs a new group"
                ));
            }
            None if is_full => {
                return Err(format!("there are {} clients, more are not allowed", limits.max_clients));
            }
            None => {
                let (answer, parked_key) = (None, None);
                let new = MemberState { client, size, connection: id, last_request: 0, answer, parked_key };
                self.members.insert(key.clone(), new);
            }
        }
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.member = Some(key);
        }
        Ok(())
    }

    /// The member whose newest connection this is.
    fn member_of(&mut self, id: ConnectionId) -> Option<&mut MemberState> {
        let member = self.connections.get(&id)?.member.as_ref()?;
        self.members.get_mut(member).filter(|member| member.connection == id)
    }

    /// Executes a client's request; the replies that result from it, to this client first.
    pub(crate) fn request(
        &mut self,
        id: ConnectionId,
        Request { id: number, op }: Request,
        limits: &StoreLimits,
    ) -> Vec<AddressedReply> {
        // A connection that was replaced executes nothing.
        let Some(member) = self.member_of(id) else { return vec![] };
        let last = member.last_request;
        if number < last || number == 0 {
            let why = format!("request {number} is older than {last}, the newest of this client");
            let stream = Arc::clone(&self.connections[&id].stream);
            return vec![(stream, FromServer::Reply { id: number, answer: Answer::Wrong(why) })];
        }
        let known = member.answer.take().filter(|_| number == last);
        (member.last_request, member.parked_key) = (number, None);
        let counted = &mut self.statistics;
        let counter = if number == last { &mut counted.repeats } else { &mut counted.requests };
        *counter += 1;
        if let Some(answer) = known {
            return self.answer(id, answer).into_iter().collect();
        }
        let (answer, changed) = match self.perform(id, op, limits) {
            Ok(Some(done)) => done,
            Ok(None) => return vec![],
            Err(why) => (Answer::Wrong(why), None),
        };
        let mut replies: Vec<_> = self.answer(id, answer).into_iter().collect();
        if let Some(key) = changed {
            let value = self.keys[&key].clone();
            let waiting = self.members.values().filter(|member| member.parked_key.as_ref() == Some(&key));
            let waiting: Vec<_> = waiting.map(|member| member.connection).collect();
            replies
                .extend(waiting.into_iter().filter_map(|id| self.answer(id, Answer::Value(value.clone()))));
        }
        replies
    }

    /// The answer, with the key that may have waiters; `None` when the request is parked.
    fn perform(
        &mut self,
        id: ConnectionId,
        op: Op,
        limits: &StoreLimits,
    ) -> Result<Option<(Answer, Option<String>)>, String> {
        Ok(Some(match op {
            Op::Add { key, delta } => {
                let before = self.keys.get(&key).map_or("0", String::as_str);
                let count = before.parse::<i64>();
                let count = count.map_err(|_| format!("{key:?} was set to a text, it does not count"))?;
                let sum = count.checked_add(delta);
                let sum =
                    sum.ok_or_else(|| format!("{key:?} is {before}; with {delta} it leaves 64 bits"))?;
                self.put(&key, sum.to_string(), limits)?;
                (Answer::Sum(sum), Some(key))
            }
            Op::Set { key, value } => {
                self.put(&key, value, limits)?;
                (Answer::Done, Some(key))
            }
            Op::Remove { key } => {
                let bytes = self.keys.remove(&key).map_or(0, |value| key.len() + value.len());
                self.statistics.bytes -= bytes;
                (Answer::Done, None)
            }
            Op::Get { key, wait } => match self.keys.get(&key) {
                Some(value) => (Answer::Value(value.clone()), None),
                None if wait == 0 => (Answer::Late, None),
                None => {
                    if let Some(member) = self.member_of(id) {
                        member.parked_key = Some(key);
                    }
                    return Ok(None);
                }
            },
        }))
    }

    fn put(&mut self, key: &str, value: String, limits: &StoreLimits) -> Result<(), String> {
        let old = self.keys.get(key);
        if old.is_none() && self.keys.len() >= limits.max_keys {
            return Err(format!("there are {} keys, more are not allowed", limits.max_keys));
        }
        let released = old.map_or(0, |old| key.len() + old.len());
        let bytes = self.statistics.bytes - released + key.len() + value.len();
        if bytes > limits.max_bytes {
            return Err(format!("keys and values of {bytes} bytes; {} are allowed", limits.max_bytes));
        }
        self.statistics.bytes = bytes;
        self.keys.insert(key.to_owned(), value);
        Ok(())
    }

    /// Remembers and makes the reply to a member's newest request.
    fn answer(&mut self, id: ConnectionId, answer: Answer) -> Option<AddressedReply> {
        let member = self.member_of(id)?;
        (member.answer, member.parked_key) = (Some(answer.clone()), None);
        let reply = FromServer::Reply { id: member.last_request, answer };
        Some((Arc::clone(&self.connections.get(&id)?.stream), reply))
    }

    /// The time of a parked Get is over.
    pub(crate) fn expire(&mut self, id: ConnectionId) -> Option<AddressedReply> {
        self.member_of(id)?.parked_key.as_ref()?;
        self.answer(id, Answer::Late)
    }
}
