//! A group: its name, its version, and the agreement that every member means the same group.
//!
//! A version is used until an error occurs in it. Then the members' counts differ (one timed out, others may have been
//! released), so it is never used again. It is *abandoned*: every member that arrives later gets an error, and a leader
//! agrees the next version with the members that continue.
use std::time::Duration;

use wb_comm::{
    Text,
    text::{control as text, error::duration},
};

use crate::{Error, Result, Store, error::BarrierContext};

/// A member's description of its group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupMember {
    /// The group's name: letters, digits, `.` and `-`, at most 32; several groups can use one store.
    pub group: String,
    /// The group's version, 1 in the beginning.
    pub version: u64,
    /// This member, `0..size`.
    pub rank: usize,
    /// How many members, the same for all.
    pub size: usize,
}

impl GroupMember {
    /// Member `rank` of `size` of the group `"world"`, version 1.
    pub fn new(rank: usize, size: usize) -> Self {
        Self { group: "world".into(), version: 1, rank, size }
    }

    /// # Errors
    /// [`Error::Invalid`] for a size of 0, a rank outside, a name that a key cannot have, version 0.
    pub(crate) fn validated(self) -> Result<Self> {
        let Self { group, version, rank, size } = &self;
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
        let named = (1..=32).contains(&group.len()) && group.chars().all(letter);
        match () {
            () if *size == 0 => Err(Error::Invalid(text::no_members())),
            () if rank >= size => Err(Error::Invalid(text::rank_outside(*rank, *size))),
            () if !named => Err(Error::Invalid(text::name(group.escape_debug().to_string()))),
            () if *version == 0 => Err(Error::Invalid(text::version())),
            () => Ok(self),
        }
    }

    /// The position of this member at a barrier.
    pub(crate) fn context(&self, barrier: u64) -> BarrierContext {
        let Self { group, version, rank, size } = self;
        BarrierContext { group: group.clone(), version: *version, rank: *rank, size: *size, barrier }
    }

    /// `<group>_<version>_<what>`: a key of this version.
    pub(crate) fn versioned_key(&self, what: &str) -> String {
        format!("{}_{}_{what}", self.group, self.version)
    }

    /// The counter of arrivals at a barrier.
    pub(crate) fn arrivals_key(&self, barrier: u64) -> String {
        self.versioned_key(&format!("{barrier}_BA"))
    }

    /// The key whose value releases every member from a barrier, or says why no member is released.
    pub(crate) fn release_key(&self, barrier: u64) -> String {
        self.versioned_key(&format!("{barrier}_BW"))
    }

    /// Joins: checks that no member has this rank already and that rank 0 means a group of the same size.
    ///
    /// # Errors
    /// [`Error::Group`] when this does not hold or rank 0 does not arrive within `patience`; the errors of the store.
    pub(crate) fn join(&self, store: &mut impl Store, patience: Duration) -> Result<()> {
        let strange = |why: Text| Error::Group { context: self.context(0), why };
        let taken = store.add(&self.versioned_key(&format!("RANK{}", self.rank)), 1)?;
        if taken != 1 {
            return Err(strange(text::joined_already(self.rank)));
        }
        if self.rank == 0 {
            return store.set(&self.versioned_key("SIZE"), &self.size.to_string());
        }
        match store.get(&self.versioned_key("SIZE"), patience)? {
            Some(size) if size == self.size.to_string() => Ok(()),
            Some(size) => Err(strange(text::sizes_differ(self.size, size))),
            None => Err(strange(text::no_first_rank(duration(patience)))),
        }
    }

    /// Makes every wait at these barriers fail, now or later: this version is over.
    pub(crate) fn abandon(&self, store: &mut impl Store, barriers: &[u64], why: &str) -> Result<()> {
        // The length of a value is limited, too.
        let why: String = why.chars().take(200).collect();
        barriers.iter().try_for_each(|&barrier| store.set(&self.release_key(barrier), &why))
    }

    /// As the leader: creates the next version, for `size` members of which this is `rank`, and notifies the followers.
    pub(crate) fn lead(&self, store: &mut impl Store, rank: usize, size: usize) -> Result<Self> {
        let next = Self { group: self.group.clone(), version: self.version + 1, rank, size }.validated()?;
        let leaders = store.add(&self.versioned_key("LEADERS"), 1)?;
        if leaders != 1 {
            return Err(Error::Group { context: self.context(0), why: text::led_already() });
        }
        store.set(&self.versioned_key("NEXT"), &size.to_string())?;
        self.remove_keys(store)?;
        Ok(next)
    }

    /// Removes the keys of an abandoned version that no member needs. The remaining keys notify late members.
    fn remove_keys(&self, store: &mut impl Store) -> Result<()> {
        store.remove(&self.versioned_key("SIZE"))?;
        (0..self.size).try_for_each(|rank| store.remove(&self.versioned_key(&format!("RANK{rank}"))))
    }

    /// Follows the leader to the next version as `rank` of `size`.
    pub(crate) fn follow(
        &self,
        store: &mut impl Store,
        rank: usize,
        size: usize,
        patience: Duration,
    ) -> Result<Self> {
        let next = Self { group: self.group.clone(), version: self.version + 1, rank, size }.validated()?;
        let strange = |why: Text| Err(Error::Group { context: self.context(0), why });
        match store.get(&self.versioned_key("NEXT"), patience)? {
            Some(led) if led == size.to_string() => Ok(next),
            Some(led) => strange(text::next_sizes_differ(led, size)),
            None => strange(text::no_leader(duration(patience))),
        }
    }
}
