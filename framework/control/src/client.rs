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

use crate::{
    Credentials, Error, GroupMember, Result, Secret,
    protocol::{Answer, FromServer, Hello, Op, Receiver, Request, VERSION, is_timeout, remaining, send},
};

/// The longest line that a client accepts, in bytes.
const MAX_LINE_BYTES: usize = 1 << 16;

/// The timeouts and retries of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The time limit of an answer, in addition to the waiting time of a Get.
    pub reply_timeout: Duration,
    /// How often a request is sent before the store counts as lost; at least 1.
    pub max_attempts: u32,
    /// The pause before the second attempt; it doubles each time.
    pub initial_backoff: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            reply_timeout: Duration::from_secs(2),
            max_attempts: 4,
            initial_backoff: Duration::from_millis(20),
        }
    }
}

/// See the module. Its verbs return [`Error::Link`] and its like when the store is lost, [`Error::Rule`] when it refuses
/// the request.
#[derive(Debug)]
#[allow(clippy::missing_errors_doc, reason = "said once for the whole type")]
pub struct Client {
    server: Credentials,
    member: GroupMember,
    /// By which the server knows this client when it connects again.
    secret: Secret,
    last_request: u64,
    receiver: Option<Receiver>,
    failure: Option<Error>,
    pub(crate) retry_policy: RetryPolicy,
}

#[allow(clippy::missing_errors_doc, reason = "said once for the whole type")]
impl Client {
    /// Connects to a server as a member that has not joined yet.
    ///
    /// # Errors
    /// [`Error::Link`] when it does not answer, [`Error::Refused`] when it refuses this client.
    pub fn connect(server: Credentials, member: GroupMember, retry_policy: RetryPolicy) -> Result<Self> {
        let (secret, last_request) = (Secret::random(), 0);
        let mut client =
            Self { server, member, secret, last_request, receiver: None, failure: None, retry_policy };
        client.retry(None, Duration::ZERO)?;
        Ok(client)
    }

    /// The member that it is.
    pub fn member(&self) -> &GroupMember {
        &self.member
    }

    /// Adds to a counter, created at 0; gives the new value.
    pub fn add(&mut self, key: &str, delta: i64) -> Result<i64> {
        match self.request(Op::Add { key: key.into(), delta }, Duration::ZERO)? {
            Answer::Sum(sum) => Ok(sum),
            other => Err(self.unexpected(&other)),
        }
    }

    /// Sets a key.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        match self.request(Op::Set { key: key.into(), value: value.into() }, Duration::ZERO)? {
            Answer::Done => Ok(()),
            other => Err(self.unexpected(&other)),
        }
    }

    /// A key's value; waits at most for the given time. `None` when it was not set in time.
    pub fn get(&mut self, key: &str, wait: Duration) -> Result<Option<String>> {
        let ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        match self.request(Op::Get { key: key.into(), wait: ms }, wait)? {
            Answer::Value(value) => Ok(Some(value)),
            Answer::Late => Ok(None),
            other => Err(self.unexpected(&other)),
        }
    }

    /// Removes a key, whether it exists or not.
    pub fn remove(&mut self, key: &str) -> Result<()> {
        match self.request(Op::Remove { key: key.into() }, Duration::ZERO)? {
            Answer::Done => Ok(()),
            other => Err(self.unexpected(&other)),
        }
    }

    fn request(&mut self, op: Op, wait: Duration) -> Result<Answer> {
        if let Some(lost) = &self.failure {
            return Err(lost.clone());
        }
        self.last_request += 1;
        match self.retry(Some(&Request { id: self.last_request, op }), wait)? {
            Answer::Wrong(why) => Err(Error::Rule(why)),
            answer => Ok(answer),
        }
    }

    /// Makes a request, or without one connects only. Connects again and repeats as long as the connection breaks.
    fn retry(&mut self, request: Option<&Request>, wait: Duration) -> Result<Answer> {
        let by = Instant::now() + wait + self.retry_policy.reply_timeout * self.retry_policy.max_attempts;
        let mut pause = self.retry_policy.initial_backoff;
        let mut attempt = 1;
        loop {
            let error = match self.attempt(request, wait, by) {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            self.receiver = None;
            let is_link = matches!(error, Error::Link { .. });
            if !is_link || attempt >= self.retry_policy.max_attempts || Instant::now() >= by {
                self.failure = Some(error.clone());
                return Err(error);
            }
            attempt += 1;
            thread::sleep(pause.min(by.saturating_duration_since(Instant::now())));
            pause *= 2;
        }
    }

    fn attempt(&mut self, request: Option<&Request>, wait: Duration, by: Instant) -> Result<Answer> {
        let timeout = self.retry_policy.reply_timeout;
        let soon = |wait| by.min(Instant::now() + wait + timeout);
        if self.receiver.is_none() {
            let by = soon(Duration::ZERO);
            self.receiver = Some(self.open(by).map_err(|error| self.link_error(&error))?);
            match self.receive(by)? {
                FromServer::Welcome => {}
                other => return Err(self.unexpected(&other)),
            }
        }
        let Some(request) = request else { return Ok(Answer::Done) };
        let by = soon(wait);
        if let Some(receiver) = &self.receiver {
            send(receiver.stream(), request).map_err(|error| self.link_error(&error))?;
        }
        match self.receive(by)? {
            FromServer::Reply { id, answer } if id == request.id => Ok(answer),
            other => Err(self.unexpected(&other)),
        }
    }

    fn open(&self, by: Instant) -> io::Result<Receiver> {
        let stream = TcpStream::connect_timeout(&self.server.address, remaining(by)?)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(remaining(by)?))?;
        let (token, client, member) = (self.server.token, self.secret, self.member.clone());
        send(&stream, &Hello { version: VERSION, token, client, member })?;
        Ok(Receiver::new(stream, MAX_LINE_BYTES))
    }

    fn receive(&mut self, by: Instant) -> Result<FromServer> {
        let said =
            self.receiver.as_mut().map_or(Err(ErrorKind::NotConnected.into()), |it| it.receive(Some(by)));
        let server = self.server.address.to_string();
        match said {
            Ok(FromServer::Refused(reason)) => Err(Error::Refused { server, reason }),
            Ok(said) => Ok(said),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                Err(Error::Protocol { server, reason: error.to_string() })
            }
            Err(error) => Err(self.link_error(&error)),
        }
    }

    fn link_error(&self, error: &io::Error) -> Error {
        let reason = match error.kind() {
            _ if is_timeout(error) => "nothing came in time".into(),
            ErrorKind::UnexpectedEof => "it closed the connection".into(),
            _ => error.to_string(),
        };
        Error::Link { server: self.server.address.to_string(), reason }
    }

    fn unexpected(&self, said: &impl std::fmt::Debug) -> Error {
        let server = self.server.address.to_string();
        Error::Protocol { server, reason: format!("not expected now: {said:?}") }
    }
}
