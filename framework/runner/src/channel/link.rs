//! The end of a member.
use std::{
    io::{self, Write},
    os::unix::net::UnixStream,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use serde::{Serialize, de::DeserializeOwned};
use wb_process::{ProcessIdentity, identity};

use super::{Hello, PROTOCOL_VERSION, RunnerAddress, ToRunner, frame};

/// The time between two signs of a member on another host.
const SIGN_INTERVAL: Duration = Duration::from_secs(1);

/// The exit code of a member whose runner is gone.
const EXIT_ABANDONED: i32 = 125;

/// The connection of a member to its runner.
#[derive(Debug)]
pub struct RunnerLink {
    writer: Mutex<UnixStream>,
    reader: Mutex<UnixStream>,
    /// Whether this process may outlive its runner.
    may_outlive: AtomicBool,
}

/// The number of this process among the members of its job: the rank that its launcher gave it, or 0.
pub fn member_number() -> usize {
    wb_process::launcher_rank().map_or(0, |launched| launched.rank)
}

impl RunnerLink {
    /// Connects this process as the member of its runner that its launcher made it; `None` if it has no runner.
    ///
    /// # Errors
    /// When the address is wrong, or the runner cannot be reached.
    pub fn from_environment() -> io::Result<Option<Arc<Self>>> {
        let address = RunnerAddress::from_environment()?;
        address.map(|address| Self::connect(&address, member_number())).transpose()
    }

    /// Connects as the member `member`.
    ///
    /// # Errors
    /// When the runner cannot be reached.
    pub fn connect(address: &RunnerAddress, member: usize) -> io::Result<Arc<Self>> {
        let (stream, secret) = address.connect()?;
        let reader = Mutex::new(stream.try_clone()?);
        let link = Arc::new(Self { reader, writer: Mutex::new(stream), may_outlive: AtomicBool::new(false) });
        let (process, host) = (ProcessIdentity::current(), identity::host_name());
        let hello = Hello { version: PROTOCOL_VERSION, secret, member, process, host };
        link.write(&ToRunner::<()>::Hello(hello), None)?;
        if address.is_between_hosts() {
            link.give_signs()?;
        }
        Ok(link)
    }

    /// Sends the runner a sign once a second that this process runs, and one when a signal asks it to end. This process ends when the
    /// runner cannot be reached any more, also while a library that waits for other hosts initialises itself.
    fn give_signs(self: &Arc<Self>) -> io::Result<()> {
        let (own, at_end) = (Arc::clone(self), Arc::clone(self));
        wb_process::on_sigterm(move || drop(at_end.write(&ToRunner::<()>::AskedToEnd, None)))?;
        let beat = move || {
            while own.write(&ToRunner::<()>::Alive, None).is_ok() {
                thread::sleep(SIGN_INTERVAL);
            }
            own.end_abandoned();
        };
        thread::Builder::new().name("wb-signs".into()).spawn(beat).map(drop)
    }

    /// Sends a message with its payload.
    ///
    /// # Errors
    /// When the runner is gone.
    pub fn send<M: Serialize>(&self, message: &M, payload: Option<&[u8]>) -> io::Result<()> {
        self.write(&ToRunner::Work(message), payload)
    }

    fn write<M: Serialize>(&self, message: &ToRunner<M>, payload: Option<&[u8]>) -> io::Result<()> {
        // Before the lock: a thread that runs out of memory here reports that through this link.
        let head = frame::head(message, payload)?;
        let mut writer = lock(&self.writer);
        writer.write_all(&head)?;
        payload.map_or(Ok(()), |payload| writer.write_all(payload))
    }

    /// Waits for the next message and its payload.
    ///
    /// # Errors
    /// When the runner is gone, or the message is not one of type `M`.
    pub fn receive<M: DeserializeOwned>(&self) -> io::Result<(M, Option<Vec<u8>>)> {
        frame::read(&mut *lock(&self.reader), u32::MAX, || frame::MAX_PAYLOAD)
    }

    /// Starts a thread that handles the messages of the runner and ends this process when the runner is gone.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn listen<M: DeserializeOwned>(
        self: &Arc<Self>,
        mut handle: impl FnMut(M) + Send + 'static,
    ) -> io::Result<()> {
        let own = Arc::clone(self);
        let listen = move || {
            while let Ok((message, _)) = own.receive() {
                handle(message);
            }
            own.end_abandoned();
        };
        thread::Builder::new().name("wb-runner".into()).spawn(listen).map(drop)
    }

    /// Ends this process, whose runner is gone, unless it may outlive it.
    fn end_abandoned(&self) {
        if !self.may_outlive.load(Ordering::SeqCst) {
            wb_process::exit_now(EXIT_ABANDONED);
        }
    }

    /// Allows this process to outlive its runner: it is about to exit.
    pub fn permit_end(&self) {
        self.may_outlive.store(true, Ordering::SeqCst);
    }

    #[cfg(test)]
    pub(super) fn read_some(&self, buffer: &mut [u8]) -> io::Result<usize> {
        io::Read::read(&mut *lock(&self.reader), buffer)
    }

    /// Sends no more: the runner sees the end of this member after all that it has sent.
    #[cfg(test)]
    pub(crate) fn close(&self) {
        // The runner may be gone.
        let _gone = lock(&self.writer).shutdown(std::net::Shutdown::Write);
    }
}

fn lock(stream: &Mutex<UnixStream>) -> MutexGuard<'_, UnixStream> {
    stream.lock().unwrap_or_else(PoisonError::into_inner)
}
