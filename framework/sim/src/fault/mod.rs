//! What goes wrong with ranks and messages, on purpose: small objects that a run in virtual time asks at every step.
//!
//! | module | noun | as users write it |
//! |---|---|---|
//! | `slow` | a rank whose processor is slower | `slow:RANK:FACTOR` |
//! | `jitter` | everything takes longer, by chance | `jitter:SEED` or `jitter:SEED:PERCENT` |
//! | `late` | a rank that enters late | `late:RANK:NS` |
//! | `no_async_progress` | a rank that hears nothing while it computes | `deaf:RANK` |
//!
//! The invariant: *a fault changes times and nothing else.* Messages of one rank to another stay in their order, and equal
//! faults give equal times on every computer.
//!
//! ```
//! use wb_sim::fault::Faults;
//! let faults = Faults::parse(&["slow:3:2.0", "jitter:7"])?;
//! assert!(faults.check(4).is_ok());
//! assert_eq!(faults.check(3).unwrap_err().to_string(), "the fault `slow:3:2.0`: there is no rank 3 among 3 ranks");
//! # Ok::<(), wb_sim::fault::FaultError>(())
//! ```
mod jitter;
mod late;
mod no_async_progress;
mod slow;

use std::fmt;

use wb_comm::{Rank, Text, text::simulation};

/// One fault; what it does not say stays as it is. Times in nanoseconds.
trait Fault: fmt::Debug + Send + Sync {
    /// The same, of which nothing has been asked yet.
    fn fresh_copy(&self) -> Box<dyn Fault>;

    /// The rank that it befalls, if it is a single one.
    fn rank(&self) -> Option<Rank> {
        None
    }

    /// When the rank enters.
    fn start_time(&self, _rank: Rank) -> u64 {
        0
    }

    /// How long the processor of the rank is busy with what takes so long without the fault.
    fn busy_time(&mut self, _rank: Rank, takes: u64) -> u64 {
        takes
    }

    /// When a message arrives that without the fault arrives `at` and that flies for `latency`. Asked in the order in which
    /// messages leave.
    fn arrival_time(&mut self, _from: Rank, _to: Rank, at: u64, _latency: u64) -> u64 {
        at
    }

    /// The rank computes from `begin` to `end`.
    fn record_computing(&mut self, _rank: Rank, _begin: u64, _end: u64) {}

    /// When the rank takes note of what arrives `at`. Asked in the order of time.
    fn notice_time(&mut self, _rank: Rank, at: u64) -> u64 {
        at
    }
}

/// All faults of a run, and how each was asked for; none by default.
#[derive(Debug, Default)]
pub struct Faults(Vec<(String, Box<dyn Fault>)>);

/// Why there is no such fault.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultError {
    /// No fault has this name.
    Unknown {
        /// What was asked for.
        spec: String,
    },
    /// The rest behind the name is not understood.
    Form {
        /// What was asked for.
        spec: String,
        /// As it is written.
        syntax: &'static str,
    },
    /// It befalls a rank that there is not.
    NoRank {
        /// What was asked for.
        spec: String,
        /// The rank that it would befall.
        rank: Rank,
        /// How many there are.
        ranks: usize,
    },
}

impl FaultError {
    /// As a value that is rendered where it is shown.
    pub fn text(&self) -> Text {
        match self {
            Self::Unknown { spec: asked } => simulation::unknown_fault(asked, syntaxes().join(", ")),
            Self::Form { spec: asked, syntax: form } => simulation::fault_form(asked, *form),
            Self::NoRank { spec: asked, rank, ranks } => simulation::fault_of_no_rank(asked, *rank, *ranks),
        }
    }
}

impl fmt::Display for FaultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl std::error::Error for FaultError {}

/// A fault's name, how it is written, and what reads the words behind its name.
type FaultKind = (&'static str, &'static str, fn(&[&str]) -> Option<Box<dyn Fault>>);

const KINDS: [FaultKind; 4] = [
    ("slow", slow::SYNTAX, slow::parse),
    ("jitter", jitter::SYNTAX, jitter::parse),
    ("late", late::SYNTAX, late::parse),
    ("deaf", no_async_progress::SYNTAX, no_async_progress::parse),
];

/// How each fault is written.
pub fn syntaxes() -> Vec<&'static str> {
    KINDS.iter().map(|(_, form, _)| *form).collect()
}

impl Faults {
    /// The faults that are asked for like this, one a text.
    ///
    /// # Errors
    /// [`FaultError::Unknown`] and [`FaultError::Form`].
    pub fn parse(asked: &[impl AsRef<str>]) -> Result<Self, FaultError> {
        let read = |asked: &str| {
            let (name, rest) = asked.split_once(':').unwrap_or((asked, ""));
            let (_, form, read) = KINDS
                .iter()
                .find(|(known, ..)| *known == name)
                .ok_or_else(|| FaultError::Unknown { spec: asked.to_owned() })?;
            let fault = read(&rest.split(':').collect::<Vec<_>>());
            let fault = fault.ok_or_else(|| FaultError::Form { spec: asked.to_owned(), syntax: form })?;
            Ok((asked.to_owned(), fault))
        };
        Ok(Self(asked.iter().map(|asked| read(asked.as_ref())).collect::<Result<_, _>>()?))
    }

    /// Is there the rank that each of them befalls?
    ///
    /// # Errors
    /// [`FaultError::NoRank`].
    pub fn check(&self, ranks: usize) -> Result<(), FaultError> {
        let absent = |(asked, fault): &(String, Box<dyn Fault>)| {
            let rank = fault.rank().filter(|rank| *rank >= ranks)?;
            Some(FaultError::NoRank { spec: asked.clone(), rank, ranks })
        };
        self.0.iter().find_map(absent).map_or(Ok(()), Err)
    }

    /// When the rank enters.
    pub(crate) fn start_time(&self, rank: Rank) -> u64 {
        self.0.iter().map(|(_, fault)| fault.start_time(rank)).max().unwrap_or(0)
    }

    /// How long the processor of the rank is busy.
    pub(crate) fn busy_time(&mut self, rank: Rank, takes: u64) -> u64 {
        self.0.iter_mut().fold(takes, |takes, (_, fault)| fault.busy_time(rank, takes))
    }

    /// When a message arrives.
    pub(crate) fn arrival_time(&mut self, from: Rank, to: Rank, at: u64, latency: u64) -> u64 {
        self.0.iter_mut().fold(at, |at, (_, fault)| fault.arrival_time(from, to, at, latency))
    }

    /// The rank computes.
    pub(crate) fn record_computing(&mut self, rank: Rank, begin: u64, end: u64) {
        self.0.iter_mut().for_each(|(_, fault)| fault.record_computing(rank, begin, end));
    }

    /// When the rank takes note of what arrives.
    pub(crate) fn notice_time(&mut self, rank: Rank, at: u64) -> u64 {
        self.0.iter_mut().fold(at, |at, (_, fault)| fault.notice_time(rank, at))
    }
}

impl Clone for Faults {
    /// The same faults before a run.
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|(asked, fault)| (asked.clone(), fault.fresh_copy())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_read_and_its_form_is_told() {
        let good = ["slow:3:2.0", "slow:0:1.25", "jitter:7", "jitter:7:50", "late:2:1000", "deaf:1"];
        assert!(Faults::parse(&good).is_ok());
        let bad = ["slow", "slow:3", "slow:x:2", "slow:3:0.5", "slow:3:inf", "jitter", "jitter:-1", "late:2"];
        for asked in bad.into_iter().chain(["late:2:1:1", "deaf", "deaf:", "deaf:1:2", "jitter:1:1001"]) {
            let told = Faults::parse(&[asked]).expect_err(asked).to_string();
            assert!(told.starts_with(&format!("the fault `{asked}` is not of the form ")), "{told}");
        }
        let told = Faults::parse(&["slaw:3:2"]).expect_err("no such fault").to_string();
        assert!(told.contains("there are slow:RANK:FACTOR") && told.contains(", late:RANK:NS, "), "{told}");
    }
}
