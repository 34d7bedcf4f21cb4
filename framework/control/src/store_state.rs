//! The store without sockets: keys, parked Gets, and the last answer to each client.
//!
//! Invariant: *a repeated request counts once.* A client has one request under way, so only the answer to its newest id
//! is remembered: the same id again gets that answer again (or continues waiting), an older id is an error. The data of
//! a disconnected client are forgotten after [`StoreLimits::session_timeout`], so memory is bounded by the
//! [`StoreLimits`] whatever the clients do.
//!
//! It reads no clock: the caller passes the time, so that a test can run it under any delay.
use std::{
    collections::{BTreeSet, HashMap},
    time::{Duration, Instant},
};

use crate::{
    StoreLimits,
    credentials::Secret,
    key_table::KeyTable,
    limits::MAX_WAIT,
    protocol::{Hello, Reply, ReplyBody, StoreOp, StoreRequest, VERSION},
};

/// The number that a client gave itself.
pub type ClientId = u64;

/// A reply and its addressee.
pub type AddressedReply = (ClientId, Reply);

/// The number of requests, with repetitions counted separately, and the number of present objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Requests of each kind.
    pub adds: u64,
    /// See `adds`.
    pub sets: u64,
    /// See `adds`.
    pub gets: u64,
    /// See `adds`.
    pub removes: u64,
    /// Requests that had been made before.
    pub repeats: u64,
    /// Keys at this moment.
    pub keys: usize,
    /// Parked Gets at this moment.
    pub parked: usize,
    /// Clients at this moment, including disconnected ones that may reconnect.
    pub clients: usize,
    /// Connections at this moment that have not said hello, or are refused.
    pub unauthenticated: usize,
}

impl Statistics {
    /// Requests of all kinds, each counted once.
    pub fn requests(&self) -> u64 {
        self.adds + self.sets + self.gets + self.removes
    }
}

/// The data that are kept about a client.
#[derive(Debug)]
struct Session {
    /// The key that the client presented at its first hello.
    key: Secret,
    /// The id of the newest request.
    last_request: u64,
    /// The status of that request.
    status: RequestStatus,
    /// Since when the client is disconnected.
    disconnected_since: Option<Instant>,
}

/// The status of a client's newest request.
#[derive(Debug)]
enum RequestStatus {
    Answered(ReplyBody),
    Parked { key: String, until: Instant },
}

/// See the module.
#[derive(Debug)]
pub struct StoreState {
    limits: StoreLimits,
    keys: KeyTable,
    sessions: HashMap<ClientId, Session>,
    /// The clients that wait for a key, in the order of arrival of the first.
    waiting_clients: HashMap<String, Vec<ClientId>>,
    /// The same clients, by the end of their waiting time.
    wait_deadlines: BTreeSet<(Instant, ClientId)>,
    statistics: Statistics,
}

impl StoreState {
    /// An empty store.
    pub fn new(limits: StoreLimits) -> Self {
        Self {
            limits,
            keys: KeyTable::new(limits),
            sessions: HashMap::new(),
            waiting_clients: HashMap::new(),
            wait_deadlines: BTreeSet::new(),
            statistics: Statistics::default(),
        }
    }

    /// The counts of requests and of present objects.
    pub fn statistics(&self) -> Statistics {
        let (keys, parked, clients) = (self.keys.len(), self.wait_deadlines.len(), self.sessions.len());
        Statistics { keys, parked, clients, ..self.statistics }
    }

    /// A client connects or reconnects.
    ///
    /// # Errors
    /// The reason of a refusal: another version, the number of another client, a client that is not known any more, too
    /// many clients. The server, not the store, checks the token.
    pub fn hello(&mut self, now: Instant, hello: Hello) -> Result<(), String> {
        let Hello { version, client, last, key, .. } = hello;
        if version != VERSION {
            return Err(format!("protocol version {version}; this server speaks {VERSION}"));
        }
        match self.sessions.get_mut(&client) {
            Some(session) if session.key != key => Err(format!(
                "client {client} is there already, with another key; a new client needs another number"
            )),
            Some(session) if last == 0 && session.last_request > 0 => {
                Err(format!("client {client} is there already; a new client needs another number"))
            }
            Some(session) => {
                session.disconnected_since = None;
                Ok(())
            }
            None if last > 0 => Err(format!(
                "client {client} is not known (any more): the server was started anew, or the client was away for more \
                 than {:?}; whether its request {last} was done cannot be told",
                self.limits.session_timeout
            )),
            None => self.start_session(now, client, key),
        }
    }

    fn start_session(&mut self, now: Instant, client: ClientId, key: Secret) -> Result<(), String> {
        self.remove_expired_sessions(now);
        if self.sessions.len() >= self.limits.max_clients {
            return Err(format!("there are {} clients, more are not allowed", self.limits.max_clients));
        }
        let newest = RequestStatus::Answered(ReplyBody::Done);
        self.sessions
            .insert(client, Session { key, last_request: 0, status: newest, disconnected_since: None });
        Ok(())
    }

    /// The client's connection is gone; it may come back.
    pub fn disconnected(&mut self, now: Instant, client: ClientId) {
        if let Some(session) = self.sessions.get_mut(&client) {
            session.disconnected_since = Some(now);
        }
    }

    /// The client will not come back.
    pub fn bye(&mut self, client: ClientId) {
        self.unpark(client);
        self.sessions.remove(&client);
    }

    fn remove_expired_sessions(&mut self, now: Instant) {
        let over = |since: Instant| now.saturating_duration_since(since) >= self.limits.session_timeout;
        let absent = self.sessions.iter().filter(|(_, session)| session.disconnected_since.is_some_and(over));
        let absent: Vec<_> = absent.map(|(&client, _)| client).collect();
        absent.into_iter().for_each(|client| self.bye(client));
    }

    /// Executes a client's request; returns the replies that result from it, to this client and to others.
    pub fn request(&mut self, now: Instant, client: ClientId, request: StoreRequest) -> Vec<AddressedReply> {
        let StoreRequest { id, op } = request;
        let Some(session) = self.sessions.get_mut(&client) else {
            return vec![error_reply(client, id, format!("client {client} has not said hello"))];
        };
        if id < session.last_request || id == 0 {
            let why =
                format!("request {id} is older than {}, the newest of client {client}", session.last_request);
            return vec![error_reply(client, id, why)];
        }
        if id == session.last_request {
            self.statistics.repeats += 1;
            return match &session.status {
                RequestStatus::Answered(answer) => vec![(client, Reply { id, answer: answer.clone() })],
                RequestStatus::Parked { .. } => vec![],
            };
        }
        session.last_request = id;
        // A member that sends a new request does not wait any more.
        self.unpark(client);
        self.count_request(&op);
        self.perform(now, client, op)
    }

    fn count_request(&mut self, op: &StoreOp) {
        let counter = match op {
            StoreOp::Add { .. } => &mut self.statistics.adds,
            StoreOp::Set { .. } => &mut self.statistics.sets,
            StoreOp::Get { .. } => &mut self.statistics.gets,
            StoreOp::Remove { .. } => &mut self.statistics.removes,
        };
        *counter += 1;
    }

    fn perform(&mut self, now: Instant, client: ClientId, op: StoreOp) -> Vec<AddressedReply> {
        let done = match op {
            StoreOp::Get { key, wait } => return self.get(now, client, key, wait),
            StoreOp::Remove { key } => {
                self.keys.remove(&key);
                return vec![self.reply_to(client, ReplyBody::Done)];
            }
            StoreOp::Add { key, delta } => self.keys.add(&key, delta).map(|sum| (key, ReplyBody::Sum(sum))),
            StoreOp::Set { key, value } => self.keys.set(&key, value).map(|()| (key, ReplyBody::Done)),
        };
        match done {
            Err(why) => vec![self.reply_to(client, ReplyBody::Wrong(why))],
            Ok((key, answer)) => {
                let mut replies = vec![self.reply_to(client, answer)];
                replies.extend(self.notify_waiters(&key));
                replies
            }
        }
    }

    fn get(&mut self, now: Instant, client: ClientId, key: String, wait: u64) -> Vec<AddressedReply> {
        let found = self.keys.get(&key);
        let full = self.wait_deadlines.len() >= self.limits.max_parked;
        let at_once = match found {
            Err(why) => ReplyBody::Wrong(why),
            Ok(Some(value)) => ReplyBody::Value(value),
            Ok(None) if wait == 0 => ReplyBody::Late,
            Ok(None) if full => {
                ReplyBody::Wrong(format!("{} Gets are parked, more are not allowed", self.limits.max_parked))
            }
            Ok(None) => {
                self.park(client, key, now + Duration::from_millis(wait).min(MAX_WAIT));
                return vec![];
            }
        };
        vec![self.reply_to(client, at_once)]
    }

    fn park(&mut self, client: ClientId, key: String, until: Instant) {
        self.wait_deadlines.insert((until, client));
        self.waiting_clients.entry(key.clone()).or_default().push(client);
        if let Some(session) = self.sessions.get_mut(&client) {
            session.status = RequestStatus::Parked { key, until };
        }
    }

    fn unpark(&mut self, client: ClientId) {
        let Some(session) = self.sessions.get(&client) else { return };
        let RequestStatus::Parked { key, until } = &session.status else { return };
        self.wait_deadlines.remove(&(*until, client));
        if let Some(waiting) = self.waiting_clients.get_mut(key) {
            waiting.retain(|&other| other != client);
            if waiting.is_empty() {
                self.waiting_clients.remove(key);
            }
        }
    }

    /// Remembers and makes the reply to a client's newest request.
    fn reply_to(&mut self, client: ClientId, answer: ReplyBody) -> AddressedReply {
        self.unpark(client);
        let session = self.sessions.get_mut(&client).expect("only clients that are known are answered");
        session.status = RequestStatus::Answered(answer.clone());
        (client, Reply { id: session.last_request, answer })
    }

    /// Answers every member who waits for `key`.
    fn notify_waiters(&mut self, key: &str) -> Vec<AddressedReply> {
        let Some(waiting) = self.waiting_clients.get(key).cloned() else { return vec![] };
        let Ok(Some(value)) = self.keys.get(key) else { return vec![] };
        waiting.into_iter().map(|client| self.reply_to(client, ReplyBody::Value(value.clone()))).collect()
    }

    /// Answers the clients whose waiting time is over, forgets those that were disconnected too long.
    pub fn expire(&mut self, now: Instant) -> Vec<AddressedReply> {
        self.remove_expired_sessions(now);
        let over: Vec<_> =
            self.wait_deadlines.iter().take_while(|(until, _)| *until <= now).copied().collect();
        over.into_iter().map(|(_, client)| self.reply_to(client, ReplyBody::Late)).collect()
    }

    /// When [`expire`](Self::expire) has something to do next.
    pub fn next_deadline(&self) -> Option<Instant> {
        let parked = self.wait_deadlines.first().map(|(until, _)| *until);
        let away = self.sessions.values().filter_map(|session| session.disconnected_since).min();
        parked.into_iter().chain(away.map(|since| since + self.limits.session_timeout)).min()
    }
}

fn error_reply(client: ClientId, id: u64, why: String) -> AddressedReply {
    (client, Reply { id, answer: ReplyBody::Wrong(why) })
}
