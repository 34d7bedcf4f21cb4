//! The end of a runner: it accepts its members, and turns what they send into events.
//!
//! The invariant: *a member can neither block the runner nor fill its memory.* A message to a member that reads nothing ends at a deadline.
//! A thread reads the messages of a member; it waits where the runner has not taken the earlier ones, and refuses what is too long.
use std::{
    collections::BTreeSet,
    fs, io,
    io::Write,
    net::{Shutdown, SocketAddr, TcpListener, UdpSocket},
    os::{
        fd::AsFd,
        unix::{
            fs::PermissionsExt,
            net::{UnixListener, UnixStream},
        },
    },
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc::SyncSender,
    },
    thread,
    time::{Duration, Instant},
};

use rustix::event::{PollFd, PollFlags, poll};
use serde::{Serialize, de::DeserializeOwned};
use wb_process::ProcessIdentity;

use super::{
    Hello, PROTOCOL_VERSION, ToRunner,
    address::{RunnerAddress, local_address, secret_path, socket_path, stream_between_hosts},
    frame,
};
use crate::{clock, run_folder};

/// The folders of channels begin with this.
const FOLDER: &str = "wb-run";

/// The time in which a connection must introduce itself.
const HELLO_MAX: Duration = Duration::from_secs(10);

/// The largest introduction: who sends more has not shown the secret yet.
const HELLO_BYTES: u32 = 1 << 12;

/// The connections that may be without an introduction at a time, beyond the members that are missing.
const MAX_UNKNOWN: usize = 8;

/// The interval at which a blocked write checks its deadline.
const WRITE_INTERVAL: Duration = Duration::from_millis(50);

/// The deadline of a message that has no other.
const STALLED: Duration = Duration::from_secs(60);

/// The bytes of one write: a member that reads slowly is noticed between two of them.
const WRITE_BYTES: usize = 1 << 20;

/// The port of a datagram that is never sent: the system is asked for the address from which it would reach a host.
const ANY_PORT: u16 = 9;

/// An event of a job's members.
#[derive(Debug)]
pub enum ChannelEvent<M> {
    /// A member has connected.
    Joined {
        /// The number of the member.
        member: usize,
        /// The identity of the process, as it states it.
        process: ProcessIdentity,
        /// The host of the process, as it states it.
        host: String,
        /// The process identifier, as the system states it, where the process is on this host.
        pid: Option<u32>,
        /// The way to it, until its runner has taken it.
        stream: Option<MemberStream>,
    },
    /// A member has given a sign only.
    Alive {
        /// The number of the member.
        member: usize,
        /// Whether a signal has asked it to end.
        is_asked_to_end: bool,
    },
    /// A message of a member, and when it had arrived.
    Message {
        /// The number of the member.
        member: usize,
        /// The time of arrival, by this process's clock.
        at_ns: u64,
        /// The message.
        message: M,
        /// The payload of the message.
        payload: Option<Vec<u8>>,
    },
    /// A member has closed its connection, or is lost.
    Closed {
        /// The number of the member.
        member: usize,
    },
    /// A member sent what is not a message.
    Unreadable {
        /// The number of the member.
        member: usize,
        /// The reason.
        error: String,
    },
    /// A connection was refused.
    Refused(Refusal),
}

/// The reason why a connection was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The process does not know the secret, or what it sent is not an introduction.
    Stranger,
    /// The process uses this version of the protocol.
    Version(u32),
    /// There is no member with this number.
    NoSuchMember(usize),
    /// The member is connected already.
    Twice(usize),
}

/// The limits of the data that members may send.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The events of all members that wait at a time: a member that sends more waits.
    pub max_waiting: usize,
    /// The largest message in bytes.
    pub max_message: u32,
    /// The largest payload in bytes.
    pub max_payload: Arc<AtomicU64>,
}

impl Default for Transfer {
    /// Messages of our own programs, without payloads.
    fn default() -> Self {
        Self { max_waiting: 64, max_message: 1 << 30, max_payload: Arc::default() }
    }
}

/// A runner that listens; it stops when this is dropped.
#[derive(Debug)]
pub struct RunnerChannel {
    address: RunnerAddress,
    secret: String,
    listener: Option<Listener>,
    folder: Option<PathBuf>,
    /// The accepting thread ends when the other end is closed.
    stop: Option<UnixStream>,
}

#[derive(Debug)]
enum Listener {
    Unix(UnixListener),
    Tcp(TcpListener),
}

impl RunnerChannel {
    /// A channel for members on this host. It needs no file, where the system has names of sockets that are none.
    ///
    /// # Errors
    /// When the system refuses the socket.
    pub fn on_this_host() -> io::Result<Self> {
        match local_socket()? {
            Some((name, listener)) => {
                let secret = random_secret()?;
                let address = RunnerAddress::Local { name, secret: secret.clone() };
                let listener = Some(Listener::Unix(listener));
                Ok(Self { address, secret, listener, folder: None, stop: None })
            }
            None => Self::in_folder(),
        }
    }

    /// A channel for members that see its folder, as those in a sandbox.
    ///
    /// # Errors
    /// When the system's folder for temporary files cannot be written.
    pub fn in_folder() -> io::Result<Self> {
        // The path of a socket must be short. The outer folder is ours alone; the inner one is what a sandbox shows to another user.
        let outer = run_folder::create_in(&std::env::temp_dir(), FOLDER)?;
        let (folder, secret) = (outer.join("job"), random_secret()?);
        fs::create_dir(&folder)?;
        fs::write(secret_path(&folder), &secret)?;
        let listener = UnixListener::bind(socket_path(&folder))?;
        fs::set_permissions(socket_path(&folder), fs::Permissions::from_mode(0o666))?;
        let (address, listener) = (RunnerAddress::Folder(folder), Some(Listener::Unix(listener)));
        Ok(Self { address, secret, listener, folder: Some(outer), stop: None })
    }

    /// A channel for members on hosts with these names.
    ///
    /// # Errors
    /// When this host has no address from which it reaches one of them.
    pub fn between_hosts(hosts: &[String]) -> io::Result<Self> {
        let listener = TcpListener::bind(("0.0.0.0", 0))?;
        let (port, secret) = (listener.local_addr()?.port(), random_secret()?);
        let mut addresses: Vec<SocketAddr> = vec![];
        for host in hosts {
            let socket = UdpSocket::bind(("0.0.0.0", 0))?;
            let named = |error: io::Error| io::Error::new(error.kind(), format!("host {host}: {error}"));
            socket.connect((host.as_str(), ANY_PORT)).map_err(named)?;
            let address = SocketAddr::new(socket.local_addr()?.ip(), port);
            if !addresses.contains(&address) {
                addresses.push(address);
            }
        }
        // A member on another host does not wait for a loopback address of this one.
        addresses.sort_by_key(|address| address.ip().is_loopback());
        let address = RunnerAddress::Network { addresses, secret: secret.clone() };
        Ok(Self { address, secret, listener: Some(Listener::Tcp(listener)), folder: None, stop: None })
    }

    /// The address for its members.
    pub fn address(&self) -> &RunnerAddress {
        &self.address
    }

    /// The folder that its members must see, if there is one; it has the socket and the secret.
    pub fn folder(&self) -> Option<&Path> {
        match &self.address {
            RunnerAddress::Folder(folder) => Some(folder),
            RunnerAddress::Local { .. } | RunnerAddress::Network { .. } => None,
        }
    }

    /// The folder of this runner alone, which contains [`folder`](Self::folder) and is removed with it.
    pub fn private_folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Accepts members from now on until all `members` have joined, and sends their events as the caller's own type.
    ///
    /// # Errors
    /// When the system refuses a thread.
    ///
    /// # Panics
    /// When it accepts already.
    pub fn accept<M, E>(
        &mut self,
        members: usize,
        transfer: Transfer,
        events: SyncSender<E>,
    ) -> io::Result<()>
    where
        M: DeserializeOwned + 'static,
        E: From<ChannelEvent<M>> + Send + 'static,
    {
        let listener = self.listener.take().expect("a channel accepts once");
        let (stop, stopped) = UnixStream::pair()?;
        let missing = Arc::new(Mutex::new((0..members).collect::<BTreeSet<usize>>()));
        let reception = Reception {
            secret: self.secret.clone(),
            members,
            missing: Arc::clone(&missing),
            transfer,
            events,
            stopped: stopped.try_clone()?,
        };
        let reception = Arc::new(reception);
        let accept = move || {
            while !lock(&missing).is_empty()
                && let Some(stream) = listener.next_before(&stopped)
            {
                // Others wait until the system accepts them.
                while Arc::strong_count(&reception) > lock(&missing).len() + MAX_UNKNOWN {
                    thread::sleep(WRITE_INTERVAL);
                }
                let reception = Arc::clone(&reception);
                // Without a thread the connection is closed; its member ends, which shows.
                let _refused = thread::Builder::new()
                    .name("wb-member".into())
                    .spawn(move || reception.receive::<M>(stream));
            }
        };
        thread::Builder::new().name("wb-accept".into()).spawn(accept)?;
        self.stop = Some(stop);
        Ok(())
    }
}

impl Drop for RunnerChannel {
    fn drop(&mut self) {
        self.folder.iter().for_each(|folder| run_folder::remove(folder));
    }
}

impl Listener {
    /// The next connection; `None` once `stopped` is closed, or the system refuses.
    fn next_before(&self, stopped: &UnixStream) -> Option<UnixStream> {
        let own = match self {
            Self::Unix(listener) => listener.as_fd(),
            Self::Tcp(listener) => listener.as_fd(),
        };
        let mut ready = [PollFd::from_borrowed_fd(own, PollFlags::IN), PollFd::new(stopped, PollFlags::IN)];
        while matches!(poll(&mut ready, None), Err(rustix::io::Errno::INTR)) {}
        if !ready[1].revents().is_empty() {
            return None;
        }
        match self {
            Self::Unix(listener) => listener.accept().map(|(stream, _)| stream).ok(),
            Self::Tcp(listener) => {
                listener.accept().and_then(|(stream, _)| stream_between_hosts(stream)).ok()
            }
        }
    }
}

/// What is known about connections that introduce themselves.
struct Reception<E> {
    secret: String,
    members: usize,
    missing: Arc<Mutex<BTreeSet<usize>>>,
    transfer: Transfer,
    events: SyncSender<E>,
    /// The accepting thread ends when this is shut down.
    stopped: UnixStream,
}

impl<E> Reception<E> {
    /// Admits a connection and reads its messages, up to its end.
    fn receive<M: DeserializeOwned>(self: Arc<Self>, mut stream: UnixStream)
    where
        E: From<ChannelEvent<M>>,
    {
        // The receiver of events may be gone.
        let joined = match self.admit::<M>(&mut stream) {
            Ok(joined) => joined,
            // Many of them are not worth waiting for.
            Err(refusal) => return drop(self.events.try_send(ChannelEvent::Refused(refusal).into())),
        };
        if lock(&self.missing).is_empty() {
            // It may have ended.
            let _ended = self.stopped.shutdown(Shutdown::Both);
        }
        let ChannelEvent::Joined { member, .. } = joined else { return };
        let (events, transfer) = (self.events.clone(), self.transfer.clone());
        drop(self);
        if events.send(joined.into()).is_err() {
            return;
        }
        loop {
            let event = match frame::read(&mut stream, transfer.max_message, || {
                transfer.max_payload.load(Ordering::Relaxed)
            }) {
                Ok((ToRunner::Work(message), payload)) => {
                    ChannelEvent::Message { member, at_ns: clock::now(), message, payload }
                }
                Ok((ToRunner::Alive, _)) => ChannelEvent::Alive { member, is_asked_to_end: false },
                Ok((ToRunner::AskedToEnd, _)) => ChannelEvent::Alive { member, is_asked_to_end: true },
                Ok((ToRunner::Hello(_), _)) => {
                    ChannelEvent::Unreadable { member, error: "a second introduction".to_owned() }
                }
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    ChannelEvent::Unreadable { member, error: error.to_string() }
                }
                Err(_) => ChannelEvent::Closed { member },
            };
            let is_last = matches!(event, ChannelEvent::Unreadable { .. } | ChannelEvent::Closed { .. });
            if events.send(event.into()).is_err() || is_last {
                return;
            }
        }
    }

    /// Reads the introduction of a connection.
    fn admit<M: DeserializeOwned>(&self, stream: &mut UnixStream) -> Result<ChannelEvent<M>, Refusal> {
        let stranger = |_| Refusal::Stranger;
        stream.set_read_timeout(Some(HELLO_MAX)).map_err(stranger)?;
        let hello = frame::read::<ToRunner<M>>(stream, HELLO_BYTES, || 0);
        stream.set_read_timeout(None).map_err(stranger)?;
        let Ok((ToRunner::Hello(Hello { version, secret, member, process, host }), _)) = hello else {
            return Err(Refusal::Stranger);
        };
        if !is_equal(&secret, &self.secret) {
            return Err(Refusal::Stranger);
        }
        if version != PROTOCOL_VERSION {
            return Err(Refusal::Version(version));
        }
        if member >= self.members {
            return Err(Refusal::NoSuchMember(member));
        }
        if !lock(&self.missing).remove(&member) {
            return Err(Refusal::Twice(member));
        }
        let pid = rustix::net::sockopt::socket_peercred(&*stream).ok();
        let pid = pid.map(|peer| peer.pid.as_raw_nonzero().get().cast_unsigned());
        let stream = stream.try_clone().and_then(MemberStream::new).map_err(stranger)?;
        Ok(ChannelEvent::Joined { member, process, host, pid, stream: Some(stream) })
    }
}

/// Compares in a time that does not depend on where two secrets differ.
fn is_equal(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// A listening socket whose name is no file, where the system has such names.
#[cfg(target_os = "linux")]
fn local_socket() -> io::Result<Option<(String, UnixListener)>> {
    let name = format!("wb-{}", random_secret()?);
    let listener = UnixListener::bind_addr(&local_address(&name)?)?;
    Ok(Some((name, listener)))
}

#[cfg(not(target_os = "linux"))]
fn local_socket() -> io::Result<Option<(String, UnixListener)>> {
    Ok(None)
}

fn random_secret() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

fn lock<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The connection to a member, as the runner writes to it. It is closed when this is dropped.
#[derive(Debug)]
pub struct MemberStream(UnixStream);

impl MemberStream {
    fn new(stream: UnixStream) -> io::Result<Self> {
        stream.set_write_timeout(Some(WRITE_INTERVAL))?;
        Ok(Self(stream))
    }

    /// Sends a message with its payload, at most until the deadline.
    ///
    /// # Errors
    /// `TimedOut` when the member does not read it, others when the member is gone.
    pub fn send(
        &mut self,
        message: &impl Serialize,
        payload: Option<&[u8]>,
        deadline: Option<Instant>,
    ) -> io::Result<()> {
        let deadline = deadline.unwrap_or_else(|| Instant::now() + STALLED);
        frame::write(&mut DeadlineWriter { stream: &mut self.0, deadline }, message, payload)
    }
}

impl Drop for MemberStream {
    fn drop(&mut self) {
        // The thread that reads has a handle of its own. The member may be gone.
        let _gone = self.0.shutdown(Shutdown::Both);
    }
}

/// A stream whose writes end at a deadline.
struct DeadlineWriter<'a> {
    stream: &'a mut UnixStream,
    deadline: Instant,
}

impl Write for DeadlineWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = &bytes[..bytes.len().min(WRITE_BYTES)];
        while Instant::now() < self.deadline {
            match self.stream.write(part) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                other => return other,
            }
        }
        Err(io::ErrorKind::TimedOut.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
