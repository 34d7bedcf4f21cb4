//! The store without sockets: keys, parked Gets, and what each client was answered last.
//!
//! Invariant: *a request that is repeated counts once.* A client has one request under way, so the answer to its newest
//! id is all that has to be remembered: the same id again gets that answer again (or goes on waiting), an older id is
//! an error. What is remembered of a client who is cut off is forgotten after [`Limits::memory`], so memory is bounded
//! by the [`Limits`] whatever the clients do.
//!
//! No clock here: whoever runs the store says what time it is, so that a test can run it under any delay.
use std::{
    collections::{BTreeSet, HashMap},
    time::{Duration, Instant},
};

use crate::{
    Limits,
    credentials::Secret,
    keys::Keys,
    limits::LONGEST_WAIT,
    protocol::{Answer, Hello, Op, Reply, Request, VERSION},
};

/// The number that a client gave itself.
pub type ClientId = u64;

/// A reply and whom it is for.
pub type Outgoing = (ClientId, Reply);

/// How often what was asked for, repetitions counted apart; and how much there is now.
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
    /// Clients at this moment, those among them that are cut off and may come back.
    pub clients: usize,
    /// Connections at this moment that have not said hello, or are refused.
    pub strangers: usize,
}

impl Statistics {
    /// Requests of all kinds, each counted once.
    pub fn requests(&self) -> u64 {
        self.adds + self.sets + self.gets + self.removes
    }
}

/// What is remembered of a client.
#[derive(Debug)]
struct Session {
    /// What the client showed at its first hello.
    key: Secret,
    /// The id of the newest request.
    last: u64,
    /// How it stands.
    newest: Newest,
    /// Since when there is no connection.
    away: Option<Instant>,
}

/// How a client's newest request stands.
#[derive(Debug)]
enum Newest {
    Answered(Answer),
    Parked { key: String, until: Instant },
}

/// See the module.
#[derive(Debug)]
pub struct State {
    limits: Limits,
    keys: Keys,
    sessions: HashMap<ClientId, Session>,
    /// Who waits for a key, in the order of arrival of the first.
    waiting: HashMap<String, Vec<ClientId>>,
    /// The same, by the end of their patience.
    patience: BTreeSet<(Instant, ClientId)>,
    counted: Statistics,
}

impl State {
    /// An empty store.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            keys: Keys::new(limits),
            sessions: HashMap::new(),
            waiting: HashMap::new(),
            patience: BTreeSet::new(),
            counted: Statistics::default(),
        }
    }

    /// What was done and what there is.
    pub fn statistics(&self) -> Statistics {
        let (keys, parked, clients) = (self.keys.len(), self.patience.len(), self.sessions.len());
        Statistics { keys, parked, clients, ..self.counted }
    }

    /// A client is there, or there again.
    ///
    /// # Errors
    /// Why it is refused: another version, the number of another client, a client that is not known any more, too many
    /// clients. The token is the server's affair, not the store's.
    pub fn hello(&mut self, now: Instant, hello: Hello) -> Result<(), String> {
        let Hello { version, client, last, key, .. } = hello;
        if version != VERSION {
            return Err(format!("protocol version {version}; this server speaks {VERSION}"));
        }
        match self.sessions.get_mut(&client) {
            Some(session) if session.key != key => Err(format!(
                "client {client} is there already, with another key; a new client needs another number"
            )),
            Some(session) if last == 0 && session.last > 0 => {
                Err(format!("client {client} is there already; a new client needs another number"))
            }
            Some(session) => {
                session.away = None;
                Ok(())
            }
            None if last > 0 => Err(format!(
                "client {client} is not known (any more): the server was started anew, or the client was away for more \
                 than {:?}; whether its request {last} was done cannot be told",
                self.limits.memory
            )),
            None => self.admit(now, client, key),
        }
    }

    fn admit(&mut self, now: Instant, client: ClientId, key: Secret) -> Result<(), String> {
        self.forget_the_absent(now);
        if self.sessions.len() >= self.limits.clients {
            return Err(format!("there are {} clients, more are not allowed", self.limits.clients));
        }
        let newest = Newest::Answered(Answer::Done);
        self.sessions.insert(client, Session { key, last: 0, newest, away: None });
        Ok(())
    }

    /// The client's connection is gone; it may come back.
    pub fn away(&mut self, now: Instant, client: ClientId) {
        if let Some(session) = self.sessions.get_mut(&client) {
            session.away = Some(now);
        }
    }

    /// The client will not come back.
    pub fn bye(&mut self, client: ClientId) {
        self.unpark(client);
        self.sessions.remove(&client);
    }

    fn forget_the_absent(&mut self, now: Instant) {
        let over = |since: Instant| now.saturating_duration_since(since) >= self.limits.memory;
        let absent = self.sessions.iter().filter(|(_, session)| session.away.is_some_and(over));
        let absent: Vec<_> = absent.map(|(&client, _)| client).collect();
        absent.into_iter().for_each(|client| self.bye(client));
    }

    /// Does what a client asks for; the replies that this leads to, to this client and to others.
    pub fn request(&mut self, now: Instant, client: ClientId, request: Request) -> Vec<Outgoing> {
        let Request { id, op } = request;
        let Some(session) = self.sessions.get_mut(&client) else {
            return vec![wrong(client, id, format!("client {client} has not said hello"))];
        };
        if id < session.last || id == 0 {
            let why = format!("request {id} is older than {}, the newest of client {client}", session.last);
            return vec![wrong(client, id, why)];
        }
        if id == session.last {
            self.counted.repeats += 1;
            return match &session.newest {
                Newest::Answered(answer) => vec![(client, Reply { id, answer: answer.clone() })],
                Newest::Parked { .. } => vec![],
            };
        }
        session.last = id;
        // Whoever asks for something new does not wait any more.
        self.unpark(client);
        self.count(&op);
        self.perform(now, client, op)
    }

    fn count(&mut self, op: &Op) {
        let counter = match op {
            Op::Add { .. } => &mut self.counted.adds,
            Op::Set { .. } => &mut self.counted.sets,
            Op::Get { .. } => &mut self.counted.gets,
            Op::Remove { .. } => &mut self.counted.removes,
        };
        *counter += 1;
    }

    fn perform(&mut self, now: Instant, client: ClientId, op: Op) -> Vec<Outgoing> {
        let done = match op {
            Op::Get { key, wait } => return self.get(now, client, key, wait),
            Op::Remove { key } => {
                self.keys.remove(&key);
                return vec![self.answer(client, Answer::Done)];
            }
            Op::Add { key, delta } => self.keys.add(&key, delta).map(|sum| (key, Answer::Sum(sum))),
            Op::Set { key, value } => self.keys.set(&key, value).map(|()| (key, Answer::Done)),
        };
        match done {
            Err(why) => vec![self.answer(client, Answer::Wrong(why))],
            Ok((key, answer)) => {
                let mut replies = vec![self.answer(client, answer)];
                replies.extend(self.wake(&key));
                replies
            }
        }
    }

    fn get(&mut self, now: Instant, client: ClientId, key: String, wait: u64) -> Vec<Outgoing> {
        let found = self.keys.get(&key);
        let full = self.patience.len() >= self.limits.parked;
        let at_once = match found {
            Err(why) => Answer::Wrong(why),
            Ok(Some(value)) => Answer::Value(value),
            Ok(None) if wait == 0 => Answer::Late,
            Ok(None) if full => {
                Answer::Wrong(format!("{} Gets are parked, more are not allowed", self.limits.parked))
            }
            Ok(None) => {
                self.park(client, key, now + Duration::from_millis(wait).min(LONGEST_WAIT));
                return vec![];
            }
        };
        vec![self.answer(client, at_once)]
    }

    fn park(&mut self, client: ClientId, key: String, until: Instant) {
        self.patience.insert((until, client));
        self.waiting.entry(key.clone()).or_default().push(client);
        if let Some(session) = self.sessions.get_mut(&client) {
            session.newest = Newest::Parked { key, until };
        }
    }

    fn unpark(&mut self, client: ClientId) {
        let Some(session) = self.sessions.get(&client) else { return };
        let Newest::Parked { key, until } = &session.newest else { return };
        self.patience.remove(&(*until, client));
        if let Some(waiting) = self.waiting.get_mut(key) {
            waiting.retain(|&other| other != client);
            if waiting.is_empty() {
                self.waiting.remove(key);
            }
        }
    }

    /// Remembers and makes the reply to a client's newest request.
    fn answer(&mut self, client: ClientId, answer: Answer) -> Outgoing {
        self.unpark(client);
        let session = self.sessions.get_mut(&client).expect("only clients that are known are answered");
        session.newest = Newest::Answered(answer.clone());
        (client, Reply { id: session.last, answer })
    }

    /// Answers everybody who waits for `key`.
    fn wake(&mut self, key: &str) -> Vec<Outgoing> {
        let Some(waiting) = self.waiting.get(key).cloned() else { return vec![] };
        let Ok(Some(value)) = self.keys.get(key) else { return vec![] };
        waiting.into_iter().map(|client| self.answer(client, Answer::Value(value.clone()))).collect()
    }

    /// Answers those whose patience is over, forgets those who were away too long.
    pub fn expire(&mut self, now: Instant) -> Vec<Outgoing> {
        self.forget_the_absent(now);
        let over: Vec<_> = self.patience.iter().take_while(|(until, _)| *until <= now).copied().collect();
        over.into_iter().map(|(_, client)| self.answer(client, Answer::Late)).collect()
    }

    /// When [`expire`](Self::expire) has something to do next.
    pub fn next_deadline(&self) -> Option<Instant> {
        let parked = self.patience.first().map(|(until, _)| *until);
        let away = self.sessions.values().filter_map(|session| session.away).min();
        parked.into_iter().chain(away.map(|since| since + self.limits.memory)).min()
    }
}

fn wrong(client: ClientId, id: u64, why: String) -> Outgoing {
    (client, Reply { id, answer: Answer::Wrong(why) })
}
