//! The server: one thread, many clients, no blocking call.
//!
//! Invariant: *no client can stop the others.* All sockets are non-blocking. A client that sends without end is read in
//! turns; a client that does not read, or says no hello, is disconnected; a client that violates the protocol gets the
//! reason and is disconnected. Connections that have not said hello are *strangers*. Their number is limited, and one
//! more replaces the oldest, so a member, which says hello immediately, is admitted however many others are silent.
//! Without the server's token a client is not admitted. One thread is enough: a barrier's requests arrive in bursts of
//! a few microseconds' work each, and a store that serves one request after the other needs no lock.
use std::{
    collections::{BTreeSet, HashMap},
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU8, Ordering},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

use mio::{
    Events, Interest, Poll, Token, Waker,
    net::{TcpListener, TcpStream},
};

use crate::{
    Statistics, StoreLimits, StoreState,
    connection::{Connection, ReadStatus},
    credentials::{Credentials, Secret},
    protocol::{FromClient, FromServer, Hello, VERSION, parse},
    store_state::{AddressedReply, ClientId},
};

const LISTENER: Token = Token(0);
const WAKER: Token = Token(1);

/// The time that refused clients, or the clients of a server that ends, have to read the last lines.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(500);

/// The number of connections that are accepted before the open ones have their turn, so that a hello is read in time.
const MAX_ACCEPTED_PER_TURN: usize = 16;

/// How long a server without a free file descriptor waits before it accepts again.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(20);

/// How a server is asked to end.
const COMMAND_RUN: u8 = 0;
const COMMAND_SHUT_DOWN: u8 = 1;
const COMMAND_ABORT: u8 = 2;

/// A running server; dropping it shuts it down.
#[derive(Debug)]
pub struct Server {
    credentials: Credentials,
    command: Arc<AtomicU8>,
    waker: Arc<Waker>,
    statistics: Arc<Mutex<Statistics>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server on a free port of this machine's loopback interface.
    ///
    /// # Errors
    /// The error of the system.
    pub fn start(limits: StoreLimits) -> io::Result<Self> {
        Self::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), limits)
    }

    /// Starts a server on `address`; every member that can reach it and has its token can use the store.
    ///
    /// # Errors
    /// The error of the system.
    pub fn bind(address: SocketAddr, limits: StoreLimits) -> io::Result<Self> {
        let mut listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let poll = Poll::new()?;
        poll.registry().register(&mut listener, LISTENER, Interest::READABLE)?;
        let waker = Arc::new(Waker::new(poll.registry(), WAKER)?);
        let (wish, statistics) = (Arc::new(AtomicU8::new(COMMAND_RUN)), Arc::default());
        let credentials = Credentials { address, token: Secret::random() };
        let service = ServerLoop {
            limits,
            token: credentials.token,
            poll,
            listener,
            command: Arc::clone(&wish),
            statistics: Arc::clone(&statistics),
            state: StoreState::new(limits),
            connections: HashMap::new(),
            tokens: HashMap::new(),
            unauthenticated: BTreeSet::new(),
            accept_at: None,
            last_token: WAKER.0,
            unread: vec![],
        };
        let thread = std::thread::Builder::new().name("wb-control".into()).spawn(|| service.run())?;
        Ok(Self { credentials, command: wish, waker, statistics, thread: Some(thread) })
    }

    /// The address on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.credentials.address
    }

    /// What a member needs to join: the server's address and its token.
    pub fn credentials(&self) -> Credentials {
        self.credentials
    }

    /// The counts of requests and of present objects. A reply that a client has received is counted.
    pub fn statistics(&self) -> Statistics {
        *self.statistics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the server: every connected client is notified, then all connections are closed.
    ///
    /// # Panics
    /// When the server's thread panicked.
    pub fn shut_down(mut self) {
        self.stop(COMMAND_SHUT_DOWN).expect("the server's thread ran to its end");
    }

    /// Ends the server without notifying the clients, as a crash would.
    ///
    /// # Panics
    /// When the server's thread panicked.
    pub fn abort(mut self) {
        self.stop(COMMAND_ABORT).expect("the server's thread ran to its end");
    }

    fn stop(&mut self, wish: u8) -> std::thread::Result<()> {
        let Some(thread) = self.thread.take() else { return Ok(()) };
        self.command.store(wish, Ordering::SeqCst);
        if self.waker.wake().is_err() {
            // The thread cannot be notified, so it is not joined.
            return Ok(());
        }
        thread.join()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _panicked_and_said_so = self.stop(COMMAND_SHUT_DOWN);
    }
}

/// The data that the thread owns.
struct ServerLoop {
    limits: StoreLimits,
    token: Secret,
    poll: Poll,
    listener: TcpListener,
    command: Arc<AtomicU8>,
    statistics: Arc<Mutex<Statistics>>,
    state: StoreState,
    connections: HashMap<Token, Connection>,
    tokens: HashMap<ClientId, Token>,
    /// Connections without a client, the oldest first.
    unauthenticated: BTreeSet<Token>,
    /// When to accept, if a member may wait to be.
    accept_at: Option<Instant>,
    last_token: usize,
    /// Connections whose turn ended with more to read.
    unread: Vec<Token>,
}

impl ServerLoop {
    fn run(mut self) {
        let mut events = Events::with_capacity(256);
        while self.command.load(Ordering::SeqCst) == COMMAND_RUN {
            let wait = self.next_timeout();
            match self.poll.poll(&mut events, wait) {
                Err(error) if error.kind() != io::ErrorKind::Interrupted => return,
                _ => self.process_events(&events),
            }
        }
        if self.command.load(Ordering::SeqCst) == COMMAND_SHUT_DOWN {
            self.drain_and_close();
        }
    }

    /// The time until the next deadline.
    fn next_timeout(&self) -> Option<Duration> {
        if !self.unread.is_empty() {
            return Some(Duration::ZERO);
        }
        let deadlines = self.connections.values().filter_map(|connection| connection.deadline);
        let next = deadlines.chain(self.state.next_deadline()).chain(self.accept_at).min()?;
        if self.accept_at.is_some_and(|at| at <= Instant::now()) {
            return Some(Duration::ZERO);
        }
        // Rounded up: a wait that ends too early would be repeated immediately, again and again.
        Some(next.saturating_duration_since(Instant::now()) + Duration::from_millis(1))
    }

    fn process_events(&mut self, events: &Events) {
        let mut ready = std::mem::take(&mut self.unread);
        for event in events {
            match event.token() {
                LISTENER => self.accept_at = Some(Instant::now()),
                WAKER => {}
                token if !ready.contains(&token) => ready.push(token),
                _ => {}
            }
        }
        ready.into_iter().for_each(|token| self.read_client(token));
        let now = Instant::now();
        if self.accept_at.is_some_and(|at| at <= now) {
            self.accept();
        }
        let late = self.state.expire(now);
        self.deliver(late);
        let over = |connection: &Connection| connection.deadline.is_some_and(|deadline| deadline <= now);
        let over: Vec<_> =
            self.connections.iter().filter(|(_, c)| over(c)).map(|(&token, _)| token).collect();
        over.into_iter().for_each(|token| self.close(token));
        self.publish_statistics();
        self.flush();
    }

    /// Accepts some of the waiting connections. While others may be waiting it stays due: they follow after a turn of
    /// the open connections.
    fn accept(&mut self) {
        for _ in 0..MAX_ACCEPTED_PER_TURN {
            match self.listener.accept() {
                Ok((stream, _)) => self.add_connection(stream),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return self.accept_at = None,
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::Interrupted | io::ErrorKind::ConnectionAborted
                    ) => {}
                Err(_) => {
                    // Probably out of file descriptors: the oldest stranger is closed to free one.
                    self.close_oldest_unauthenticated();
                    return self.accept_at = Some(Instant::now() + ACCEPT_BACKOFF);
                }
            }
        }
    }

    fn add_connection(&mut self, mut stream: TcpStream) {
        if self.unauthenticated.len() >= self.limits.max_unauthenticated {
            self.close_oldest_unauthenticated();
        }
        self.last_token += 1;
        let token = Token(self.last_token);
        let interest = Interest::READABLE | Interest::WRITABLE;
        let registered = self.poll.registry().register(&mut stream, token, interest);
        if registered.and_then(|()| stream.set_nodelay(true)).is_ok() {
            self.unauthenticated.insert(token);
            self.connections
                .insert(token, Connection::new(stream, Instant::now() + self.limits.hello_timeout));
        }
    }

    fn close_oldest_unauthenticated(&mut self) {
        if let Some(oldest) = self.unauthenticated.pop_first() {
            self.connections.remove(&oldest);
        }
    }

    /// Reads one client's lines and executes them.
    fn read_client(&mut self, token: Token) {
        let Some(connection) = self.connections.get_mut(&token) else { return };
        let turn = connection.read(&self.limits);
        while let Some(line) = self.connections.get_mut(&token).and_then(|c| c.next_line(&self.limits)) {
            if let Err(why) =
                line.and_then(|line| parse(&line)).and_then(|line| self.handle_message(token, line))
            {
                self.reject(token, why);
            }
        }
        match turn {
            ReadStatus::Empty => {}
            ReadStatus::More => self.unread.push(token),
            ReadStatus::Closed => self.close(token),
        }
    }

    fn handle_message(&mut self, token: Token, line: FromClient) -> Result<(), String> {
        let Some(connection) = self.connections.get_mut(&token) else { return Ok(()) };
        match (line, connection.client) {
            (FromClient::Hello(hello), None) => self.authenticate(token, hello),
            (FromClient::Request(request), Some(client)) => {
                let replies = self.state.request(Instant::now(), client, request);
                self.deliver(replies);
                Ok(())
            }
            (FromClient::Bye, Some(client)) => {
                self.state.bye(client);
                self.tokens.remove(&client);
                self.connections.remove(&token);
                Ok(())
            }
            (FromClient::Hello(_), Some(_)) => Err("a second hello".into()),
            (_, None) => Err("the first line of a connection has to be a hello".into()),
        }
    }

    /// A stranger becomes a client, if it has the server's token and, for a known client number, that client's key.
    fn authenticate(&mut self, token: Token, hello: Hello) -> Result<(), String> {
        // Checked first: without the token a connection learns nothing about the store.
        if hello.token != self.token {
            return Err("the token is not this server's; whoever started the server has it".into());
        }
        self.state.hello(Instant::now(), hello)?;
        let Some(connection) = self.connections.get_mut(&token) else { return Ok(()) };
        (connection.client, connection.deadline) = (Some(hello.client), None);
        self.unauthenticated.remove(&token);
        connection.send(&FromServer::Welcome { version: VERSION }, &self.limits)?;
        // The client has a newer connection: the old one is dead or will be.
        if let Some(old) = self.tokens.insert(hello.client, token) {
            self.connections.remove(&old);
        }
        Ok(())
    }

    /// Appends replies to the output of their clients; a disconnected client gets its reply when it asks again.
    fn deliver(&mut self, replies: Vec<AddressedReply>) {
        for (client, reply) in replies {
            let Some(&token) = self.tokens.get(&client) else { continue };
            let Some(connection) = self.connections.get_mut(&token) else { continue };
            if connection.send(&FromServer::Reply(reply), &self.limits).is_err() {
                self.close(token);
            }
        }
    }

    fn reject(&mut self, token: Token, why: String) {
        if let Some(connection) = self.connections.get_mut(&token) {
            connection.reject(why, Instant::now() + SHUTDOWN_TIMEOUT);
        }
    }

    fn close(&mut self, token: Token) {
        let Some(connection) = self.connections.remove(&token) else { return };
        self.unauthenticated.remove(&token);
        let Some(client) = connection.client else { return };
        if self.tokens.get(&client) == Some(&token) {
            self.tokens.remove(&client);
            self.state.disconnected(Instant::now(), client);
        }
    }

    fn publish_statistics(&self) {
        let statistics =
            Statistics { unauthenticated: self.unauthenticated.len(), ..self.state.statistics() };
        *self.statistics.lock().unwrap_or_else(PoisonError::into_inner) = statistics;
    }

    fn flush(&mut self) {
        let broken = |(&token, connection): (&Token, &mut Connection)| (!connection.flush()).then_some(token);
        let broken: Vec<_> = self.connections.iter_mut().filter_map(broken).collect();
        broken.into_iter().for_each(|token| self.close(token));
    }

    /// Notifies every member, and ends as soon as every member has it or [`SHUTDOWN_TIMEOUT`] is over.
    fn drain_and_close(mut self) {
        let by = Instant::now() + SHUTDOWN_TIMEOUT;
        self.connections
            .values_mut()
            .for_each(|connection| connection.reject("the server shuts down".into(), by));
        self.flush();
        let mut events = Events::with_capacity(256);
        while self.connections.values().any(Connection::has_unsent) && Instant::now() < by {
            let left = by.saturating_duration_since(Instant::now());
            if self.poll.poll(&mut events, Some(left + Duration::from_millis(1))).is_err() {
                return;
            }
            self.flush();
        }
        let streams = self.connections.values_mut().map(Connection::stream);
        for stream in streams {
            // It is closed when it is dropped, whatever this returns.
            let _unknown = self.poll.registry().deregister(stream);
        }
    }
}
