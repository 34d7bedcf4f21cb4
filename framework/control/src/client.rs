//! The client: numbers its requests, and repeats one under the same number when the connection to the store breaks.
//!
//! Invariant: *a request is executed once or not at all, never twice*, although it may be sent several times: the
//! server knows its number. When all attempts have failed, it is unknown whether the request was executed; then the
//! client is unusable and every call returns the error.
use std::{
    io::{self, ErrorKind},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use wb_comm::{Text, text::control as text};

use crate::{
    Credentials, Secret,
    protocol::{FromServer, Lines, Op, Request, remaining},
};

/// The pause before the second attempt; it doubles each time.
const INITIAL_BACKOFF: Duration = Duration::from_millis(5);

/// The result of a request.
pub type Result<T> = std::result::Result<T, Error>;

/// The reason why a request failed: the store is lost, or a rule of it does not allow the request.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct Error(pub Text);

/// For code that uses barriers, not stores.
impl From<Error> for wb_comm::Error {
    fn from(Error(reason): Error) -> Self {
        Self::Interrupted { reason }
    }
}

/// The timeouts and retries of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The time limit of an answer, in addition to the waiting time of a Get.
    pub reply_timeout: Duration,
    /// The number of times that a request is sent before the store counts as lost; at least 1.
    pub max_attempts: u32,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { reply_timeout: Duration::from_secs(2), max_attempts: 4 }
    }
}

/// A connection to a store that is made again when it breaks. Its verbs fail when the store is lost, or when it does not take
/// the request.
#[derive(Debug)]
#[allow(clippy::missing_errors_doc, reason = "said once for the whole type")]
pub struct Client {
    server: Credentials,
    /// The name by which the server recognises this client when it connects again.
    name: Secret,
    last_request: u64,
    lines: Option<Lines>,
    failure: Option<Error>,
    pub(crate) retry_policy: RetryPolicy,
}

#[allow(clippy::missing_errors_doc, reason = "said once for the whole type")]
impl Client {
    /// Connects to a server.
    pub fn connect(server: Credentials, retry_policy: RetryPolicy) -> Result<Self> {
        let name = Secret::random();
        let mut client = Self { server, name, last_request: 0, lines: None, failure: None, retry_policy };
        // The server admits a client with its first request.
        client.get("", Duration::ZERO)?;
        Ok(client)
    }

    /// Adds to a counter, created at 0; gives the new value.
    pub fn add(&mut self, key: &str, delta: i64) -> Result<i64> {
        let sum = self.request(Op::Add { key: key.into(), delta }, Duration::ZERO)?.unwrap_or_default();
        sum.parse().map_err(|_| self.broken_protocol(&format!("{sum:?} is not a sum")))
    }

    /// Sets a key.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        self.request(Op::Set { key: key.into(), value: value.into() }, Duration::ZERO).map(drop)
    }

    /// A key's value; waits at most for the given time. `None` when it was not set in time. A value that is removed as soon as
    /// it is set may be missed.
    pub fn get(&mut self, key: &str, wait: Duration) -> Result<Option<String>> {
        let ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        self.request(Op::Get { key: key.into(), wait: ms }, wait)
    }

    /// Removes a key, whether it exists or not.
    pub fn remove(&mut self, key: &str) -> Result<()> {
        self.request(Op::Remove { key: key.into() }, Duration::ZERO).map(drop)
    }

    fn request(&mut self, op: Op, wait: Duration) -> Result<Option<String>> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        self.last_request += 1;
        let (token, client, id) = (self.server.token, self.name, self.last_request);
        let received = self.retry(&Request { token, client, id, op }, wait);
        match received {
            Ok(FromServer::Reply { id, answer }) if id == self.last_request => {
                answer.map_err(|why| Error(text::rule(why)))
            }
            received => Err(self.failure.insert(self.lost(received)).clone()),
        }
    }

    /// Sends a request until the server replies or all attempts are made.
    fn retry(&mut self, request: &Request, wait: Duration) -> io::Result<FromServer> {
        let RetryPolicy { reply_timeout, max_attempts } = self.retry_policy;
        let mut pause = INITIAL_BACKOFF;
        let by = Instant::now() + wait + reply_timeout * max_attempts;
        let mut attempt = 1;
        loop {
            let received = self.attempt(request, by.min(Instant::now() + wait + reply_timeout));
            let is_broken = received.as_ref().is_err_and(|error| error.kind() != ErrorKind::InvalidData);
            if !is_broken || attempt >= max_attempts || Instant::now() >= by {
                return received;
            }
            attempt += 1;
            thread::sleep(pause.min(by.saturating_duration_since(Instant::now())));
            pause *= 2;
        }
    }

    /// One attempt, on a new connection where there is none. After an error there is none.
    fn attempt(&mut self, request: &Request, by: Instant) -> io::Result<FromServer> {
        let mut lines = match self.lines.take() {
            Some(lines) => lines,
            None => {
                let timeout = self.retry_policy.reply_timeout;
                let stream = TcpStream::connect_timeout(&self.server.address, timeout.min(remaining(by)?))?;
                Lines::new(stream, timeout)?
            }
        };
        lines.send(request)?;
        let received = lines.receive(Some(by))?;
        self.lines = Some(lines);
        Ok(received)
    }

    /// The reason why the store is of no use after this.
    fn lost(&self, received: io::Result<FromServer>) -> Error {
        let server = self.server.address.to_string();
        let reason = match received {
            Ok(FromServer::Refused(reason)) => return Error(text::refused(server, reason)),
            Ok(other) => return self.broken_protocol(&format!("not expected now: {other:?}")),
            Err(error) => match error.kind() {
                ErrorKind::InvalidData => return self.broken_protocol(&error.to_string()),
                ErrorKind::WouldBlock | ErrorKind::TimedOut => "nothing came in time".into(),
                ErrorKind::UnexpectedEof => "it closed the connection".into(),
                _ => error.to_string(),
            },
        };
        Error(text::no_answer(server, reason))
    }

    fn broken_protocol(&self, reason: &str) -> Error {
        Error(text::protocol(self.server.address.to_string(), reason))
    }
}
