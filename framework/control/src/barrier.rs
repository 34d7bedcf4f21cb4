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
//!
//! A rank joins a group once, since the barrier cannot distinguish the requests of two programs with one rank. The first one to
//! join sets the group's size, and the others compare theirs.
use std::time::Duration;

use wb_comm::{
    Barrier,
    text::{control as text, error::duration},
};

use crate::{
    Client,
    client::{Error, Result},
};

/// The value of the key that releases the members.
const RELEASE_VALUE: &str = "ok";

/// The number of barriers after which keys are removed; 1 would be too early.
const REMOVAL_INTERVAL: u64 = 2;

/// One member's handle.
#[derive(Debug)]
pub struct ControlBarrier {
    client: Client,
    group: String,
    rank: usize,
    size: usize,
    timeout: Duration,
    /// The number of the barrier that was entered last.
    last_entered: u64,
    pub(crate) failure: Option<Error>,
}

impl ControlBarrier {
    /// Joins a group as `rank` of `size`; several groups can use one server. `timeout` is for each barrier.
    ///
    /// # Errors
    /// That the rank has joined already, or the members do not agree about the size; those of the store.
    pub fn join(client: Client, group: &str, rank: usize, size: usize, timeout: Duration) -> Result<Self> {
        let group = group.to_owned();
        let mut new = Self { client, group, rank, size, timeout, last_entered: 0, failure: None };
        match new.enter_group() {
            Ok(()) => Ok(new),
            Err(error) => Err(new.at(error)),
        }
    }

    fn enter_group(&mut self) -> Result<()> {
        let refused = |why: String| Err(Error(text::not_joined(why)));
        let (rank, size) = (self.rank, self.size.to_string());
        if rank >= self.size {
            return refused(format!("there is no rank {rank} in a group of {size}"));
        }
        let agreed = self.key("SIZE");
        if self.client.add(&self.key("JOINED"), 1)? == 1 {
            self.client.set(&agreed, &size)?;
        }
        match self.client.get(&agreed, self.timeout)? {
            Some(agreed) if agreed == size => {}
            Some(agreed) => return refused(format!("its size is {agreed}")),
            None => return refused("its size is not known in time".into()),
        }
        if self.client.add(&self.key(format_args!("RANK_{rank}")), 1)? > 1 {
            return refused(format!(
                "rank {rank} has joined already; a process that was started again needs a new group"
            ));
        }
        Ok(())
    }

    /// Leaves after the last barrier. Rank 0 returns when every member has left, so the one that keeps the server can end
    /// it then; the others return immediately.
    ///
    /// # Errors
    /// At rank 0 that not every member leaves within the patience; the errors of the store.
    pub fn leave(mut self) -> Result<()> {
        self.leave_group().map_err(|error| self.at(error))
    }

    fn leave_group(&mut self) -> Result<()> {
        if self.size == 1 {
            return Ok(());
        }
        let (left, all_left) = (self.key("LEFT"), self.key("ALL_LEFT"));
        if self.client.add(&left, 1)? == self.size as i64 {
            self.client.set(&all_left, RELEASE_VALUE)?;
        }
        if self.rank == 0 && self.client.get(&all_left, self.timeout)?.is_none() {
            return Err(self.late_error(&left));
        }
        Ok(())
    }

    fn key(&self, what: impl std::fmt::Display) -> String {
        format!("{}_{what}", self.group)
    }

    /// The counter of arrivals at a barrier.
    fn arrivals_key(&self, barrier: u64) -> String {
        self.key(format_args!("{barrier}_BA"))
    }

    /// The key whose value releases every member from a barrier, or says why no member is released.
    fn release_key(&self, barrier: u64) -> String {
        self.key(format_args!("{barrier}_BW"))
    }

    /// Returns the value of the release key.
    fn run_episode(&mut self) -> Result<String> {
        let (sn, size) = (self.last_entered, self.size as i64);
        let (arrivals, release) = (self.arrivals_key(sn), self.release_key(sn));
        let arrived = self.client.add(&arrivals, 1)?;
        if !(1..=size).contains(&arrived) {
            return Err(Error(text::too_many(arrived, size)));
        }
        if arrived == 1 && sn > REMOVAL_INTERVAL {
            let old = sn - REMOVAL_INTERVAL;
            self.client.remove(&self.arrivals_key(old))?;
            self.client.remove(&self.release_key(old))?;
        }
        if arrived == size {
            self.client.set(&release, RELEASE_VALUE)?;
        }
        let value = self.client.get(&release, self.timeout)?;
        value.ok_or_else(|| self.late_error(&arrivals))
    }

    fn late_error(&mut self, counter: &str) -> Error {
        let arrived = match self.client.get(counter, Duration::ZERO) {
            Ok(count) => count.unwrap_or_else(|| "nobody known (the count is removed)".into()),
            Err(error) => format!("an unknown number ({error})"),
        };
        Error(text::late(duration(self.timeout), arrived, self.size))
    }

    /// The error with the member and its barrier.
    fn at(&self, Error(reason): Error) -> Error {
        Error(text::placed(text::at(self.rank, self.size, &*self.group, self.last_entered), reason))
    }

    /// Notifies the others, as far as possible. Members that were released from this barrier detect it at the next one,
    /// which this member will not enter; it is set first, before those who wait here continue.
    fn abandon(&mut self, error: &Error) {
        // The length of a line is limited.
        let why: String = error.to_string().chars().take(200).collect();
        for barrier in [self.last_entered + 1, self.last_entered] {
            // The error itself goes to the caller; that the others could not be notified adds nothing to it.
            let _not_delivered = self.client.set(&self.release_key(barrier), &why);
        }
    }
}

impl Barrier for ControlBarrier {
    fn wait(&mut self) -> wb_comm::Result<()> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone().into());
        }
        self.last_entered += 1;
        if self.size == 1 {
            return Ok(());
        }
        let error = match self.run_episode() {
            Ok(value) if value == RELEASE_VALUE => return Ok(()),
            Ok(why) => self.at(Error(text::abandoned(why))),
            Err(error) => {
                let error = self.at(error);
                self.abandon(&error);
                error
            }
        };
        Err(self.failure.insert(error).clone().into())
    }
}
