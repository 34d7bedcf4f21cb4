//! The server: a thread for each connection, and one lock around the store.
//!
//! Invariant: *no client can stop the others.* A connection that says no hello in time, does not read its replies or
//! violates the protocol is closed, with the reason where it may be read. A parked Get occupies no lock: the thread whose
//! request sets the key sends the answer, while the thread of the one that waits reads on, until the time is over or the
//! connection ends. Connections that have not said hello are *strangers*; see [`StoreLimits::max_clients`].
use std::{
    convert::Infallible,
    io::{self, ErrorKind},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use crate::{
    Credentials, Secret, Statistics, StoreLimits,
    protocol::{FromServer, Hello, Op, Receiver, Request, is_timeout, send},
    store::{ConnectionId, Store},
};

/// The longest time for which a Get may be parked, whatever time the client asks for.
const MAX_WAIT: Duration = Duration::from_secs(24 * 3600);

/// The time that a client has to take a reply.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long a server without a free file descriptor or thread waits before it accepts again.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(20);

/// A running server; dropping it shuts it down.
#[derive(Debug)]
pub struct Server {
    credentials: Credentials,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    limits: StoreLimits,
    token: Secret,
    store: Mutex<Store>,
    /// A connection has ended, or has said its hello.
    closed: Condvar,
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
        let listener = TcpListener::bind(address)?;
        let credentials = Credentials { address: listener.local_addr()?, token: Secret::random() };
        let (store, closed) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { limits, token: credentials.token, store, closed });
        let accepting = Arc::clone(&shared);
        let acceptor = thread::Builder::new().name("wb-control".into());
        let acceptor = Some(acceptor.spawn(move || accepting.accept(&listener))?);
        Ok(Self { credentials, shared, acceptor })
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
        self.shared.lock().statistics()
    }

    /// Ends the server, as dropping it does: every client is notified, then all connections are closed.
    pub fn shut_down(self) {}
}

impl Drop for Server {
    fn drop(&mut self) {
        let streams = {
            let mut store = self.shared.lock();
            store.is_stopped = true;
            store.streams()
        };
        for stream in streams {
            // Who is gone needs no notice.
            let _gone = (
                send(&stream, &FromServer::Refused("the server shuts down".into())),
                stream.shutdown(Shutdown::Both),
            );
        }
        // The acceptor sees that it has to end when a connection comes.
        if TcpStream::connect_timeout(&self.address(), PATIENCE).is_ok()
            && let Some(acceptor) = self.acceptor.take()
        {
            let _panicked_and_said_so = acceptor.join();
        }
        self.shared.await_closed(|store| !store.streams().is_empty());
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns when enough connections that were shut down have ended, which takes their threads a moment.
    fn await_closed(&self, is_full: impl Fn(&Store) -> bool) -> bool {
        let store = self.lock();
        let waited = self.closed.wait_timeout_while(store, 2 * PATIENCE, |store| is_full(store));
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    fn accept(self: Arc<Self>, listener: &TcpListener) {
        loop {
            let accepted = listener.accept();
            if self.lock().is_stopped {
                return;
            }
            let served = match accepted {
                Ok((stream, _)) if self.make_room(self.limits.max_clients) => Self::serve(&self, stream),
                other => other.map(drop),
            };
            match served.map_err(|error| error.kind()) {
                Ok(()) | Err(ErrorKind::Interrupted | ErrorKind::ConnectionAborted) => {}
                Err(_) => {
                    let strangers = self.lock().strangers().count();
                    self.make_room(strangers);
                    thread::sleep(ACCEPT_BACKOFF);
                }
            }
        }
    }

    /// Closes the oldest stranger unless there are less than `most`; are there now?
    fn make_room(&self, most: usize) -> bool {
        let is_full = |store: &Store| store.strangers().count() >= most.max(1);
        let store = self.lock();
        if is_full(&store)
            && let Some(oldest) = store.strangers().next()
        {
            // Its thread ends; the client may have gone already.
            let _gone = oldest.shutdown(Shutdown::Both);
        }
        drop(store);
        self.await_closed(is_full)
    }

    fn serve(shared: &Arc<Self>, stream: TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut receiver = Receiver::new(stream.try_clone()?, shared.limits.max_line_bytes);
        let id = shared.lock().open(Arc::new(stream));
        let serving = Arc::clone(shared);
        let thread = thread::Builder::new().name("wb-control".into());
        let spawned = thread.spawn(move || {
            let Err(ended) = serving.converse(id, &mut receiver);
            if ended.kind() == ErrorKind::InvalidData {
                // Who is gone needs no reason.
                let _gone = send(receiver.stream(), &FromServer::Refused(ended.to_string()));
            }
            serving.close(id);
        });
        spawned.map(drop).inspect_err(|_| shared.close(id))
    }

    fn close(&self, id: ConnectionId) {
        self.lock().close(id);
        self.closed.notify_all();
    }

    /// Serves one connection until it ends; `InvalidData` is the reason of a refusal.
    fn converse(&self, id: ConnectionId, receiver: &mut Receiver) -> io::Result<Infallible> {
        let hello: Hello = receiver.receive(Some(Instant::now() + self.limits.hello_timeout))?;
        let refuse = |why: String| io::Error::new(ErrorKind::InvalidData, why);
        // Checked first: without the token a connection learns nothing about the store.
        if hello.token != self.token {
            return Err(refuse(
                "the token is not that of this server; the program that started the server has it".into(),
            ));
        }
        self.lock().admit(id, hello, &self.limits).map_err(refuse)?;
        self.closed.notify_all();
        send(receiver.stream(), &FromServer::Welcome)?;
        let mut parked_until = None;
        loop {
            let replies = match receiver.receive::<Request>(parked_until) {
                Err(error) if parked_until.is_some() && is_timeout(&error) => {
                    parked_until = None;
                    self.lock().expire(id).into_iter().collect()
                }
                received => {
                    let request = received?;
                    parked_until = match request.op {
                        Op::Get { wait, .. } => {
                            Some(Instant::now() + Duration::from_millis(wait).min(MAX_WAIT))
                        }
                        _ => None,
                    };
                    self.lock().request(id, request, &self.limits)
                }
            };
            for (stream, reply) in replies {
                if send(&stream, &reply).is_err() {
                    // Its thread ends; the client gets its reply when it asks again.
                    let _gone = stream.shutdown(Shutdown::Both);
                }
            }
        }
    }
}
