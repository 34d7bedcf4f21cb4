//! The barrier on the store: every member adds one, the last one sets a key, every member gets that key.
//!
//! Member, barrier number `sn`: `sn += 1`; `v = Add(<group>_<sn>_BA, 1)`; if `v = 1` and `sn > 2`, Remove both keys of
//! `sn - 2`; if `v = size`, Set `<group>_<sn>_BW` to `ok`; Get that key, which the server answers when it is there.
//!
//! Requests: P Add, 1 Set, P Get = 2P + 1, and 2 Remove from the third barrier on. On the wire each is a message and a
//! reply. The server processes them one by one: O(P) time there, while a member waits for two round trips.
//!
//! Why `sn - 2`: the first member to arrive at `sn` has left `sn - 1`, so every member has entered `sn - 1`, so every
//! member has left `sn - 2`. The same does not follow for `sn - 1`: a slow member may still have to get that key, and
//! would wait for ever.
//!
//! A group is used until an error occurs in it. Then the members' counts differ (one timed out, others may have been
//! released), so it is *abandoned*: every member that waits in it, now or later, gets an error with the reason.
use std::time::Duration;

use wb_comm::Barrier;

use crate::{Client, Credentials, Error, GroupMember, Result, RetryPolicy};

/// The value of the key that releases the members.
const RELEASE_VALUE: &str = "ok";

/// After how many barriers keys are removed; 1 would be too early.
const REMOVAL_INTERVAL: u64 = 2;

/// One member's handle.
#[derive(Debug)]
pub struct ControlBarrier {
    client: Client,
    timeout: Duration,
    /// The number of the barrier that was entered last.
    last_entered: u64,
    failure: Option<Error>,
}

impl ControlBarrier {
    /// Connects to the server and joins the group `"world"` as `rank` of `size`. `patience` is for each barrier.
    ///
    /// # Errors
    /// [`Error::Link`] when the server cannot be reached; [`Error::Refused`] when the rank has joined already, or the
    /// members do not agree about the size.
    pub fn connect(server: Credentials, rank: usize, size: usize, patience: Duration) -> Result<Self> {
        let client = Client::connect(server, GroupMember::new(rank, size), RetryPolicy::default())?;
        Ok(Self::new(client, patience))
    }

    /// The barrier of a client that has joined.
    pub fn new(client: Client, patience: Duration) -> Self {
        Self { client, timeout: patience, last_entered: 0, failure: None }
    }

    /// Why this group is over, if it is.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// Leaves after the last barrier. Rank 0 returns when every member has left, so the one that keeps the server can end
    /// it then; the others return immediately.
    ///
    /// # Errors
    /// [`Error::Late`] at rank 0 when not every member leaves within the patience; the errors of the store.
    pub fn leave(mut self) -> Result<()> {
        let GroupMember { rank, size, .. } = *self.client.member();
        if size == 1 {
            return Ok(());
        }
        let (left, all_left) = (self.key("LEFT"), self.key("ALL_LEFT"));
        if self.client.add(&left, 1)? == size as i64 {
            self.client.set(&all_left, RELEASE_VALUE)?;
        }
        if rank == 0 && self.client.get(&all_left, self.timeout)?.is_none() {
            let late = self.late_error(&left);
            return Err(self.at(late));
        }
        Ok(())
    }

    fn key(&self, what: &str) -> String {
        format!("{}_{what}", self.client.member().group)
    }

    /// The counter of arrivals at a barrier.
    fn arrivals_key(&self, barrier: u64) -> String {
        self.key(&format!("{barrier}_BA"))
    }

    /// The key whose value releases every member from a barrier, or says why no member is released.
    fn release_key(&self, barrier: u64) -> String {
        self.key(&format!("{barrier}_BW"))
    }

    fn run_episode(&mut self) -> Result<()> {
        let (sn, size) = (self.last_entered, self.client.member().size);
        let (arrivals, word) = (self.arrivals_key(sn), self.release_key(sn));
        let arrived = self.client.add(&arrivals, 1)?;
        if !(1..=size as i64).contains(&arrived) {
            return Err(Error::TooMany { arrived, size });
        }
        if arrived == 1 && sn > REMOVAL_INTERVAL {
            let old = sn - REMOVAL_INTERVAL;
            self.client.remove(&self.arrivals_key(old))?;
            self.client.remove(&self.release_key(old))?;
        }
        if arrived == size as i64 {
            self.client.set(&word, RELEASE_VALUE)?;
        }
        match self.client.get(&word, self.timeout)? {
            Some(word) if word == RELEASE_VALUE => Ok(()),
            Some(why) => Err(Error::Abandoned(why)),
            None => Err(self.late_error(&arrivals)),
        }
    }

    fn late_error(&mut self, counter: &str) -> Error {
        let arrived = match self.client.get(counter, Duration::ZERO) {
            Ok(count) => count.unwrap_or_else(|| "nobody known (the count is removed)".into()),
            Err(error) => format!("an unknown number ({error})"),
        };
        Error::Late { arrived, size: self.client.member().size, after: self.timeout }
    }

    fn at(&self, error: Error) -> Error {
        let member = self.client.member().clone();
        Error::At { member, barrier: self.last_entered, source: Box::new(error) }
    }

    /// Notifies the others, as far as possible. Members that were released from this barrier detect it at the next one,
    /// which this member will not enter; it is set first, before those who wait here continue.
    fn abandon(&mut self, error: &Error) {
        // The length of a line is limited.
        let why: String = error.to_string().chars().take(200).collect();
        for barrier in [self.last_entered + 1, self.last_entered] {
            // The error itself goes to the caller; that the others could not be notified adds nothing to it.
            let _unheard = self.client.set(&self.release_key(barrier), &why);
        }
    }
}

impl Barrier for ControlBarrier {
    fn wait(&mut self) -> wb_comm::Result<()> {
        if let Some(failed) = &self.failure {
            return Err(failed.clone().into());
        }
        self.last_entered += 1;
        if self.client.member().size == 1 {
            return Ok(());
        }
        self.run_episode().map_err(|source| {
            let is_abandoned = matches!(source, Error::Abandoned(_));
            let error = self.at(source);
            if !is_abandoned {
                self.abandon(&error);
            }
            self.failure = Some(error.clone());
            error.into()
        })
    }
}
