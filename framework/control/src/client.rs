//! The client: numbers its requests, and repeats one under the same number when the connection to the store breaks.
//!
//! Invariant: *a request is executed once or not at all, never twice*, although it may be sent several times: the
//! server knows its number. When all attempts have failed, it is unknown whether the request was executed; then the
//! client is unusable and every call returns the error.
use std::{
    hash::{BuildHasher, RandomState},
    thread,
    time::{Duration, Instant},
};

use crate::{
    Credentials, Error, Result, Secret,
    protocol::{ReplyBody, StoreOp, StoreRequest},
    store_link::{StoreLink, TcpLink},
};

/// The operations of a store that a group needs.
///
/// # Errors
/// Every verb: [`Error::Link`] and its like when the store is lost, [`Error::Rule`] when it refuses the request.
#[allow(clippy::missing_errors_doc, reason = "said once for the whole trait")]
pub trait Store {
    /// Adds to a counter, created at 0; gives the new value.
    fn add(&mut self, key: &str, delta: i64) -> Result<i64>;

    /// Sets a key.
    fn set(&mut self, key: &str, value: &str) -> Result<()>;

    /// A key's value; waits at most for the given time. `None` when it was not set in time.
    fn get(&mut self, key: &str, wait: Duration) -> Result<Option<String>>;

    /// Removes a key, whether it exists or not.
    fn remove(&mut self, key: &str) -> Result<()>;
}

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

/// See the module.
#[derive(Debug)]
pub struct Client<L: StoreLink = TcpLink> {
    link: L,
    client_id: u64,
    /// The secret that authenticates the session; the number alone does not.
    key: Secret,
    last_request: u64,
    is_open: bool,
    failure: Option<Error>,
    retry_policy: RetryPolicy,
}

impl Client {
    /// Connects to a server.
    ///
    /// # Errors
    /// [`Error::Link`] when it does not answer, [`Error::Refused`] when it refuses this client.
    pub fn connect(server: Credentials, persistence: RetryPolicy) -> Result<Self> {
        Client::with_link(TcpLink::new(server), persistence)
    }
}

impl<L: StoreLink> Client<L> {
    /// A new client over a given link.
    ///
    /// # Errors
    /// As [`Client::connect`].
    pub fn with_link(link: L, persistence: RetryPolicy) -> Result<Self> {
        // Random enough to differ from every other member's: the standard library seeds it from the system for each
        // process.
        let number = RandomState::new().hash_one((std::process::id(), thread::current().id()));
        let key = Secret::random();
        let mut client = Self {
            link,
            client_id: number,
            key,
            last_request: 0,
            is_open: false,
            failure: None,
            retry_policy: persistence,
        };
        let by = Instant::now() + persistence.reply_timeout * persistence.max_attempts;
        client.retry(by, Duration::ZERO, |_, _| Ok(()))?;
        Ok(client)
    }

    /// An answer that does not belong to what was asked for.
    fn unexpected_reply(&self, asked: &str, answer: &ReplyBody) -> Error {
        Error::Protocol { server: self.link.server(), reason: format!("{asked} was answered by {answer:?}") }
    }

    fn request(&mut self, op: StoreOp, wait: Duration) -> Result<ReplyBody> {
        if let Some(lost) = &self.failure {
            return Err(lost.clone());
        }
        // Counts as used from now on, whether the server receives it or not: a hello in between has to report it.
        self.last_request += 1;
        let request = StoreRequest { id: self.last_request, op };
        let by = Instant::now() + wait + self.retry_policy.reply_timeout * self.retry_policy.max_attempts;
        let answer = self.retry(by, wait, |link, by| link.exchange(&request, by));
        match answer {
            Ok(ReplyBody::Wrong(why)) => Err(Error::Rule(why)),
            other => other,
        }
    }

    /// Executes an operation over the link. Opens the link again and repeats as long as the error is an error of the
    /// link.
    fn retry<T>(
        &mut self,
        by: Instant,
        wait: Duration,
        mut what: impl FnMut(&mut L, Instant) -> Result<T>,
    ) -> Result<T> {
        let mut pause = self.retry_policy.initial_backoff;
        let mut attempt = 1;
        let error = loop {
            let soon = |wait| by.min(Instant::now() + wait + self.retry_policy.reply_timeout);
            let opened = match self.is_open {
                true => Ok(()),
                false => self.link.open((self.client_id, self.key), self.last_request, soon(Duration::ZERO)),
            };
            match opened.and_then(|()| what(&mut self.link, soon(wait))) {
                Ok(done) => {
                    self.is_open = true;
                    return Ok(done);
                }
                Err(Error::Link { .. })
                    if attempt < self.retry_policy.max_attempts && Instant::now() < by => {}
                Err(error) => break error,
            }
            self.is_open = false;
            attempt += 1;
            thread::sleep(pause.min(by.saturating_duration_since(Instant::now())));
            pause *= 2;
        };
        self.is_open = false;
        self.failure = Some(error.clone());
        Err(error)
    }
}

impl<L: StoreLink> Drop for Client<L> {
    fn drop(&mut self) {
        if self.is_open {
            self.link.bye();
        }
    }
}

impl<L: StoreLink> Store for Client<L> {
    fn add(&mut self, key: &str, delta: i64) -> Result<i64> {
        match self.request(StoreOp::Add { key: key.into(), delta }, Duration::ZERO)? {
            ReplyBody::Sum(sum) => Ok(sum),
            other => Err(self.unexpected_reply("Add", &other)),
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        match self.request(StoreOp::Set { key: key.into(), value: value.into() }, Duration::ZERO)? {
            ReplyBody::Done => Ok(()),
            other => Err(self.unexpected_reply("Set", &other)),
        }
    }

    fn get(&mut self, key: &str, wait: Duration) -> Result<Option<String>> {
        let ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        match self.request(StoreOp::Get { key: key.into(), wait: ms }, wait)? {
            ReplyBody::Value(value) => Ok(Some(value)),
            ReplyBody::Late => Ok(None),
            other => Err(self.unexpected_reply("Get", &other)),
        }
    }

    fn remove(&mut self, key: &str) -> Result<()> {
        match self.request(StoreOp::Remove { key: key.into() }, Duration::ZERO)? {
            ReplyBody::Done => Ok(()),
            other => Err(self.unexpected_reply("Remove", &other)),
        }
    }
}
