//! The server: the keys, its clients, a thread for each connection, and one lock around all of them.
//!
//! Invariants:
//!
//! * *A repeated request counts once.* A client has one request under way, so the number and the answer of its newest one
//!   are enough: the same number again gets that answer again (or waits again), an older one is an error.
//! * *No client can stop the others.* A connection that makes no request in time, does not read its replies or violates the
//!   protocol is closed, with the reason where it may be read. A parked Get holds no lock: its thread waits until a key is
//!   created.
//! * *Memory is bounded whatever a client does.* The numbers of clients, connections and keys and the length of a line are
//!   limited. A request or a connection beyond a limit is refused with the reason; one connection more closes the oldest that
//!   has made no request, so silent connections keep no client out.
use std::{
    cmp::Ordering,
    collections::{BTreeSet, HashMap},
    convert::Infallible,
    io::{self, ErrorKind},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use crate::{
    Credentials, Secret,
    protocol::{Answer, FromServer, Lines, Op, Request},
};

/// The time that a client has to take a reply.
const WRITE_TIMEOUT: Duration = Duration::from_millis(500);

/// How long a server without a free file descriptor or thread waits before it accepts again.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(20);

/// The time in which a connection makes its first request.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(5);

/// Keys at one time.
pub(crate) const MAX_KEYS: usize = 4096;

/// Connections at one time for each client: it may open a second one before the server notices that its first one is broken.
pub(crate) const CONNECTIONS_PER_CLIENT: usize = 2;

/// A running server. Dropping it ends it: every client gets the reason, then all connections are closed.
#[derive(Debug)]
pub struct Server {
    credentials: Credentials,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server on a free port of an interface; the first `max_clients` that can reach it and have its token can use the
    /// store.
    ///
    /// # Errors
    /// The error of the system.
    pub fn start(interface: Ipv4Addr, max_clients: usize) -> io::Result<Self> {
        Self::start_with(interface, max_clients, SILENCE_TIMEOUT)
    }

    pub(crate) fn start_with(
        interface: Ipv4Addr,
        max_clients: usize,
        silence_timeout: Duration,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind((interface, 0))?;
        let token = Secret::random();
        let shared = Arc::new(Shared {
            max_clients,
            silence_timeout,
            token,
            store: Mutex::default(),
            changed: Condvar::new(),
        });
        let accepting = Arc::clone(&shared);
        let credentials = Credentials { address: listener.local_addr()?, token };
        let acceptor = thread::Builder::new().name("wb-control".into());
        let acceptor = Some(acceptor.spawn(move || accepting.accept(&listener))?);
        Ok(Self { credentials, shared, acceptor })
    }

    /// What a client needs: the address on which the server listens, and its token.
    pub fn credentials(&self) -> Credentials {
        self.credentials
    }

    #[cfg(test)]
    pub(crate) fn store(&self) -> MutexGuard<'_, Store> {
        self.shared.lock()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let mut store = self.shared.lock();
        store.is_stopped = true;
        for stream in store.connections.values() {
            // Its thread says why it ends. The client may have gone already.
            let _gone = stream.shutdown(Shutdown::Read);
        }
        drop(store);
        self.shared.changed.notify_all();
        // The acceptor sees that it has to end when a connection comes.
        if TcpStream::connect_timeout(&self.credentials.address, WRITE_TIMEOUT).is_ok()
            && let Some(acceptor) = self.acceptor.take()
        {
            let _panicked_and_said_so = acceptor.join();
        }
    }
}

#[derive(Debug)]
struct Shared {
    max_clients: usize,
    silence_timeout: Duration,
    token: Secret,
    store: Mutex<Store>,
    /// A key was created, or the server ends.
    changed: Condvar,
}

#[derive(Debug, Default)]
pub(crate) struct Store {
    pub(crate) keys: HashMap<String, String>,
    pub(crate) clients: HashMap<Secret, ClientState>,
    /// The connections by number; a later connection has a larger number.
    connections: HashMap<u64, TcpStream>,
    /// The connections that have made no request.
    pub(crate) silent: BTreeSet<u64>,
    last_connection: u64,
    is_stopped: bool,
    /// Requests, each counted once.
    pub(crate) requests: u64,
    /// Requests that had been made before.
    pub(crate) repeats: u64,
    /// Gets that wait.
    pub(crate) parked: usize,
}

/// The newest request of a client.
#[derive(Debug, Default)]
pub(crate) struct ClientState {
    request: u64,
    /// The answer to the request, unless it waits.
    answer: Option<Answer>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Accepts connections until the server ends; returns when their threads have ended.
    fn accept(&self, listener: &TcpListener) {
        thread::scope(|scope| {
            loop {
                let accepted = listener.accept();
                let mut store = self.lock();
                if store.is_stopped {
                    return;
                }
                let served = accepted.and_then(|(stream, _)| {
                    let lines = Lines::new(stream.try_clone()?, WRITE_TIMEOUT)?;
                    let Some(number) = store.open(stream, CONNECTIONS_PER_CLIENT * self.max_clients) else {
                        return Ok(());
                    };
                    drop(store);
                    let thread = thread::Builder::new().name("wb-control".into());
                    let spawned = thread.spawn_scoped(scope, move || self.serve(number, lines));
                    spawned.map(drop).inspect_err(|_| self.lock().close(number))
                });
                if served.is_err() {
                    thread::sleep(ACCEPT_BACKOFF);
                }
            }
        });
    }

    /// Serves a connection until it ends, and says why.
    fn serve(&self, number: u64, mut lines: Lines) {
        let Err(ended) = self.serve_connection(number, &mut lines);
        let mut store = self.lock();
        store.close(number);
        let reason = match ended.kind() {
            _ if store.is_stopped => "the server shuts down".to_owned(),
            ErrorKind::InvalidData => ended.to_string(),
            _ => return,
        };
        drop(store);
        // Who is gone needs no reason.
        let _gone = lines.send(&FromServer::Refused(reason));
    }

    /// Serves one connection; an error of kind `InvalidData` has the reason of a refusal.
    fn serve_connection(&self, connection: u64, lines: &mut Lines) -> io::Result<Infallible> {
        let mut by = Some(Instant::now() + self.silence_timeout);
        loop {
            let request: Request = lines.receive(by.take())?;
            let id = request.id;
            let answer = self.request(connection, request)?;
            lines.send(&FromServer::Reply { id, answer })?;
        }
    }

    /// Executes the request of a client, once. A Get waits here until its key exists or its time is over.
    ///
    /// # Errors
    /// When the client is refused, or the server ends.
    fn request(&self, connection: u64, Request { token, client, id, op }: Request) -> io::Result<Answer> {
        let refuse = |why: String| Err(io::Error::new(ErrorKind::InvalidData, why));
        if token != self.token {
            return refuse("the token is not that of this server; the program that started it has it".into());
        }
        let mut store = self.lock();
        let client_count = store.clients.len();
        if client_count >= self.max_clients && !store.clients.contains_key(&client) {
            return refuse(format!("there are {client_count} clients, more are not allowed"));
        }
        store.silent.remove(&connection);
        let newest = store.clients.entry(client).or_default();
        match id.cmp(&newest.request) {
            Ordering::Less | Ordering::Equal if id == 0 => return Ok(Err("requests count from 1".into())),
            Ordering::Less => {
                return Ok(Err(format!(
                    "request {id} is older than {}, the newest of this client",
                    newest.request
                )));
            }
            Ordering::Equal => {
                let known = newest.answer.clone();
                store.repeats += 1;
                if let Some(answer) = known {
                    return Ok(answer);
                }
            }
            Ordering::Greater => {
                *newest = ClientState { request: id, answer: None };
                store.requests += 1;
            }
        }
        if let Op::Get { key, wait } = &op {
            store.parked += 1;
            let is_parked = |store: &mut Store| !store.keys.contains_key(key) && !store.is_stopped;
            let waited = self.changed.wait_timeout_while(store, Duration::from_millis(*wait), is_parked);
            (store, _) = waited.unwrap_or_else(PoisonError::into_inner);
            store.parked -= 1;
            if store.is_stopped {
                return Err(ErrorKind::ConnectionAborted.into());
            }
        }
        let keys = store.keys.len();
        let answer = store.execute(op);
        if store.keys.len() > keys {
            self.changed.notify_all();
        }
        // A Get that its client repeated on another connection may be over there, and others be made since.
        if let Some(newest) = store.clients.get_mut(&client).filter(|newest| newest.request == id) {
            newest.answer = Some(answer.clone());
        }
        Ok(answer)
    }
}

impl Store {
    /// Accepts a connection. Where there are too many, the oldest silent one ends; where none is silent, there is no new one.
    fn open(&mut self, stream: TcpStream, max_connections: usize) -> Option<u64> {
        if self.connections.len() >= max_connections {
            let oldest = self.silent.pop_first()?;
            // Its thread ends; it may be gone already.
            let _gone = self.connections.remove(&oldest)?.shutdown(Shutdown::Both);
        }
        self.last_connection += 1;
        self.connections.insert(self.last_connection, stream);
        self.silent.insert(self.last_connection);
        Some(self.last_connection)
    }

    fn close(&mut self, connection: u64) {
        self.connections.remove(&connection);
        self.silent.remove(&connection);
    }

    fn execute(&mut self, op: Op) -> Answer {
        match op {
            Op::Add { key, delta } => {
                let before = self.keys.get(&key).map_or("0", String::as_str);
                let count: i64 =
                    before.parse().map_err(|_| "the key was set to a text, it does not count")?;
                let sum = count.checked_add(delta);
                let sum = sum.ok_or_else(|| format!("the key is {count}; with {delta} it leaves 64 bits"))?;
                self.put(key, sum.to_string())?;
                Ok(Some(sum.to_string()))
            }
            Op::Set { key, value } => self.put(key, value).map(|()| None),
            Op::Get { key, .. } => Ok(self.keys.get(&key).cloned()),
            Op::Remove { key } => {
                self.keys.remove(&key);
                Ok(None)
            }
        }
    }

    fn put(&mut self, key: String, value: String) -> Result<(), String> {
        if self.keys.len() >= MAX_KEYS && !self.keys.contains_key(&key) {
            return Err(format!("there are {MAX_KEYS} keys, more are not allowed"));
        }
        self.keys.insert(key, value);
        Ok(())
    }
}
