//! The barrier on the store: every member adds one, the last one sets a key, every member gets that key.
//!
//! Member, barrier number `sn`: `sn += 1`; `v = Add(<version>_<sn>_BA, 1)`; if `v = 1` and `sn > 2`, Remove both keys of
//! `sn - 2`; if `v = size`, Set `<version>_<sn>_BW` to `ok`; Get that key, which the server answers when it is there.
//!
//! Requests: P Add, 1 Set, P Get = 2P + 1, and 2 Remove from the third barrier on. On the wire each is a message and a
//! reply. The server processes them one by one: O(P) time there, while a member waits for two round trips.
//!
//! Why `sn - 2`: the first member to arrive at `sn` has left `sn - 1`, so every member has entered `sn - 1`, so every
//! member has left `sn - 2`. The same does not follow for `sn - 1`: a slow member may still have to get that key, and
//! would wait for ever.
use std::time::Duration;

use wb_comm::Barrier;

use crate::{Client, Credentials, Error, GroupMember, Result, RetryPolicy, Store};

/// The value of the key that releases the members.
const RELEASE_VALUE: &str = "ok";

/// The smallest number of generations after which keys can be removed.
const MIN_REMOVAL_INTERVAL: u64 = 2;

/// One member's handle.
#[derive(Debug)]
pub struct ControlBarrier<S: Store = Client> {
    store: S,
    member: GroupMember,
    timeout: Duration,
    /// The number of the barrier that was entered last.
    last_entered: u64,
    removal_interval: u64,
    failure: Option<Error>,
}

impl ControlBarrier {
    /// Connects to the server and joins the group `"world"`, version 1, as `rank` of `size`. `patience` is for joining
    /// and for each barrier.
    ///
    /// # Errors
    /// As [`ControlBarrier::join`]; [`Error::Link`] when the server cannot be reached.
    pub fn connect(server: Credentials, rank: usize, size: usize, patience: Duration) -> Result<Self> {
        let member = GroupMember::new(rank, size).validated()?;
        Self::join(Client::connect(server, RetryPolicy::default())?, member, patience)
    }
}

impl<S: Store> ControlBarrier<S> {
    /// Joins a group on a store.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an invalid group; [`Error::Group`] when the members do not agree about it, which the
    /// members that have joined detect at their first barrier; the errors of the store.
    pub fn join(mut store: S, member: GroupMember, patience: Duration) -> Result<Self> {
        let member = member.validated()?;
        if member.size > 1 {
            let joined = member.join(&mut store, patience);
            joined.inspect_err(|error| abandon_group(&mut store, &member, &[1], error))?;
        }
        Ok(Self {
            store,
            member,
            timeout: patience,
            last_entered: 0,
            removal_interval: MIN_REMOVAL_INTERVAL,
            failure: None,
        })
    }

    /// Removes keys already after `generations`. A value below 2 is wrong; tests show this.
    #[doc(hidden)]
    #[must_use]
    pub fn with_removal_interval(self, generations: u64) -> Self {
        Self { removal_interval: generations, ..self }
    }

    /// The member and the version of its group.
    pub fn member(&self) -> &GroupMember {
        &self.member
    }

    /// How many barriers of this version were entered.
    pub fn entered_count(&self) -> u64 {
        self.last_entered
    }

    /// Why this version is over, if it is.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// Abandons this version: every member that waits in it, now or later, gets [`Error::Abandoned`] with this reason.
    ///
    /// # Errors
    /// The errors of the store.
    pub fn abandon(&mut self, why: &str) -> Result<()> {
        let place = self.member.context(self.last_entered);
        let next = self.last_entered + 1;
        self.failure = Some(Error::Abandoned { context: place.clone(), reason: why.into() });
        self.member.abandon(&mut self.store, &[next], &format!("{place}: {why}"))
    }

    /// As the leader of those who continue after a failure: agrees the next version with them and joins it as `rank` of
    /// `size`. Exactly one member leads, the others [`follow`](Self::follow); the member that stays in the old version gets an
    /// error there.
    ///
    /// # Errors
    /// As [`ControlBarrier::join`]; [`Error::Group`] when another member leads.
    pub fn lead(mut self, rank: usize, size: usize) -> Result<Self> {
        if self.failure.is_none() {
            self.abandon("the leader went on to the next version")?;
        }
        let next = self.member.lead(&mut self.store, rank, size)?;
        Self::join(self.store, next, self.timeout)
    }

    /// Follows the leader to the next version as `rank` of `size`.
    ///
    /// # Errors
    /// As [`ControlBarrier::join`]; [`Error::Group`] when no member leads within the patience, or to another size.
    pub fn follow(mut self, rank: usize, size: usize) -> Result<Self> {
        let next = self.member.follow(&mut self.store, rank, size, self.timeout)?;
        Self::join(self.store, next, self.timeout)
    }

    /// Leaves after the last barrier. Rank 0 returns when every member has left, so the one that keeps the server can end
    /// it then; the others return immediately.
    ///
    /// # Errors
    /// [`Error::Late`] at rank 0 when not every member leaves within the patience; the errors of the store.
    pub fn leave(mut self) -> Result<()> {
        if self.member.size == 1 {
            return Ok(());
        }
        let (left, all_left) = (self.member.versioned_key("LEFT"), self.member.versioned_key("ALL_LEFT"));
        if self.store.add(&left, 1)? == self.member.size as i64 {
            self.store.set(&all_left, RELEASE_VALUE)?;
        }
        if self.member.rank == 0 && self.store.get(&all_left, self.timeout)?.is_none() {
            return Err(self.late_error(&left));
        }
        Ok(())
    }

    fn run_episode(&mut self) -> Result<()> {
        let (sn, size) = (self.last_entered, self.member.size as i64);
        let (arrivals, word) = (self.member.arrivals_key(sn), self.member.release_key(sn));
        let arrived = self.store.add(&arrivals, 1)?;
        if !(1..=size).contains(&arrived) {
            return Err(Error::TooMany { context: self.member.context(sn), arrived });
        }
        if arrived == 1 && sn > self.removal_interval {
            let old = sn - self.removal_interval;
            self.store.remove(&self.member.arrivals_key(old))?;
            self.store.remove(&self.member.release_key(old))?;
        }
        if arrived == size {
            self.store.set(&word, RELEASE_VALUE)?;
        }
        match self.store.get(&word, self.timeout)? {
            Some(word) if word == RELEASE_VALUE => Ok(()),
            Some(why) => Err(Error::Abandoned { context: self.member.context(sn), reason: why }),
            None => Err(self.late_error(&arrivals)),
        }
    }

    fn late_error(&mut self, counter: &str) -> Error {
        let arrived = match self.store.get(counter, Duration::ZERO) {
            Ok(count) => count.unwrap_or_else(|| "nobody known (the count is removed)".into()),
            Err(error) => format!("an unknown number ({error})"),
        };
        let (place, after_ms) = (self.member.context(self.last_entered), self.timeout.as_millis());
        Error::Late { context: place, arrived, after_ms }
    }
}

/// Notifies the others, as far as possible.
fn abandon_group(store: &mut impl Store, member: &GroupMember, barriers: &[u64], error: &Error) {
    match error {
        // No member can be notified, or the member that gave up first has notified every member.
        Error::Link { .. } | Error::Refused { .. } | Error::Protocol { .. } | Error::Abandoned { .. } => {}
        error => {
            // The error itself goes to the caller; that the others could not be notified adds nothing to it.
            let _unheard = member.abandon(store, barriers, &error.to_string());
        }
    }
}

impl<S: Store> Barrier for ControlBarrier<S> {
    fn wait(&mut self) -> wb_comm::Result<()> {
        if let Some(failed) = &self.failure {
            return Err(failed.clone().into());
        }
        self.last_entered += 1;
        if self.member.size == 1 {
            return Ok(());
        }
        self.run_episode().map_err(|error| {
            // Members that were released from this barrier detect it at the next one, which this member will not enter.
            abandon_group(&mut self.store, &self.member, &[self.last_entered, self.last_entered + 1], &error);
            let place = self.member.context(self.last_entered);
            let error = match error {
                placed @ (Error::Late { .. } | Error::Abandoned { .. } | Error::TooMany { .. }) => placed,
                source => Error::At { context: place, source: Box::new(source) },
            };
            self.failure = Some(error.clone());
            error.into()
        })
    }
}
