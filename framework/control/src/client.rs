//! The client: numbers its requests, and repeats one under the same number when the way to the store broke.
//!
//! Invariant: *a request is done once or not at all, never twice*, although it may be sent several times: the server
//! knows its number. What cannot be known is whether a request was done when all attempts failed; then the client is of
//! no use any more and says so at every call.
use std::{
    hash::{BuildHasher, RandomState},
    thread,
    time::{Duration, Instant},
};

use crate::{
    Credentials, Error, Result, Secret,
    link::{Link, TcpLink},
    protocol::{Answer, Op, Request},
};

/// What a group needs of a store.
///
/// # Errors
/// Every verb: [`Error::Link`] and its like when the store is lost, [`Error::Rule`] when it refuses the request.
#[allow(clippy::missing_errors_doc, reason = "said once for the whole trait")]
pub trait Store {
    /// Adds to a counter, created at 0; gives the new value.
    fn add(&mut self, key: &str, delta: i64) -> Result<i64>;

    /// Sets a key.
    fn set(&mut self, key: &str, value: &str) -> Result<()>;

    /// A key's value, waited for at most so long; `None` when it was not set in time.
    fn get(&mut self, key: &str, wait: Duration) -> Result<Option<String>>;

    /// Takes a key away, whether it is there or not.
    fn remove(&mut self, key: &str) -> Result<()>;
}

/// How patient a client is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Persistence {
    /// How long an answer may take, on top of what a Get waits by its nature.
    pub reply: Duration,
    /// How often a request is sent before the store counts as lost; at least 1.
    pub attempts: u32,
    /// The pause before the second attempt; it doubles each time.
    pub pause: Duration,
}

impl Default for Persistence {
    fn default() -> Self {
        Self { reply: Duration::from_secs(2), attempts: 4, pause: Duration::from_millis(20) }
    }
}

/// See the module.
#[derive(Debug)]
pub struct Client<L: Link = TcpLink> {
    link: L,
    number: u64,
    /// What holds the session: the number alone does not.
    key: Secret,
    last: u64,
    open: bool,
    lost: Option<Error>,
    persistence: Persistence,
}

impl Client {
    /// Connects to a server.
    ///
    /// # Errors
    /// [`Error::Link`] when it does not answer, [`Error::Refused`] when it does not want this client.
    pub fn connect(server: Credentials, persistence: Persistence) -> Result<Self> {
        Client::over(TcpLink::to(server), persistence)
    }
}

impl<L: Link> Client<L> {
    /// A new client over a link of the caller's.
    ///
    /// # Errors
    /// As [`Client::connect`].
    pub fn over(link: L, persistence: Persistence) -> Result<Self> {
        // Random enough to be nobody else's: the standard library seeds it from the system for each process.
        let number = RandomState::new().hash_one((std::process::id(), thread::current().id()));
        let key = Secret::random();
        let mut client = Self { link, number, key, last: 0, open: false, lost: None, persistence };
        let by = Instant::now() + persistence.reply * persistence.attempts;
        client.attempt(by, Duration::ZERO, |_, _| Ok(()))?;
        Ok(client)
    }

    /// An answer that does not belong to what was asked for.
    fn misfit(&self, asked: &str, answer: &Answer) -> Error {
        Error::Protocol { server: self.link.server(), why: format!("{asked} was answered by {answer:?}") }
    }

    fn call(&mut self, op: Op, wait: Duration) -> Result<Answer> {
        if let Some(lost) = &self.lost {
            return Err(lost.clone());
        }
        // Used from now on, whether the server hears of it or not: a hello in between has to say so.
        self.last += 1;
        let request = Request { id: self.last, op };
        let by = Instant::now() + wait + self.persistence.reply * self.persistence.attempts;
        let answer = self.attempt(by, wait, |link, by| link.exchange(&request, by));
        match answer {
            Ok(Answer::Wrong(why)) => Err(Error::Rule(why)),
            other => other,
        }
    }

    /// Does something over the link; opens it again and repeats as long as only the link is to blame.
    fn attempt<T>(
        &mut self,
        by: Instant,
        wait: Duration,
        mut what: impl FnMut(&mut L, Instant) -> Result<T>,
    ) -> Result<T> {
        let mut pause = self.persistence.pause;
        let mut attempt = 1;
        let error = loop {
            let soon = |wait| by.min(Instant::now() + wait + self.persistence.reply);
            let opened = match self.open {
                true => Ok(()),
                false => self.link.open((self.number, self.key), self.last, soon(Duration::ZERO)),
            };
            match opened.and_then(|()| what(&mut self.link, soon(wait))) {
                Ok(done) => {
                    self.open = true;
                    return Ok(done);
                }
                Err(Error::Link { .. }) if attempt < self.persistence.attempts && Instant::now() < by => {}
                Err(error) => break error,
            }
            self.open = false;
            attempt += 1;
            thread::sleep(pause.min(by.saturating_duration_since(Instant::now())));
            pause *= 2;
        };
        self.open = false;
        self.lost = Some(error.clone());
        Err(error)
    }
}

impl<L: Link> Drop for Client<L> {
    fn drop(&mut self) {
        if self.open {
            self.link.bye();
        }
    }
}

impl<L: Link> Store for Client<L> {
    fn add(&mut self, key: &str, delta: i64) -> Result<i64> {
        match self.call(Op::Add { key: key.into(), delta }, Duration::ZERO)? {
            Answer::Sum(sum) => Ok(sum),
            other => Err(self.misfit("Add", &other)),
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        match self.call(Op::Set { key: key.into(), value: value.into() }, Duration::ZERO)? {
            Answer::Done => Ok(()),
            other => Err(self.misfit("Set", &other)),
        }
    }

    fn get(&mut self, key: &str, wait: Duration) -> Result<Option<String>> {
        let ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        match self.call(Op::Get { key: key.into(), wait: ms }, wait)? {
            Answer::Value(value) => Ok(Some(value)),
            Answer::Late => Ok(None),
            other => Err(self.misfit("Get", &other)),
        }
    }

    fn remove(&mut self, key: &str) -> Result<()> {
        match self.call(Op::Remove { key: key.into() }, Duration::ZERO)? {
            Answer::Done => Ok(()),
            other => Err(self.misfit("Remove", &other)),
        }
    }
}
