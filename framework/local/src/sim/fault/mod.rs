//! Injected faults of ranks and messages: small objects that a run in virtual time queries at every step.
//!
//! | module | noun | as users write it |
//! |---|---|---|
//! | `slow` | a rank whose processor is slower | `slow:RANK:FACTOR` |
//! | `jitter` | random delays | `jitter:SEED` or `jitter:SEED:PERCENT` |
//! | `late` | a rank that enters late | `late:RANK:NS` |
//! | `no_async_progress` | a rank that receives nothing while it computes | `deaf:RANK` |
//!
//! The invariant: *a fault changes times and nothing else.* Messages of one rank to another keep their order, and
//! equal faults give equal times on every computer.
//!
//! ```
//! use wb_local::sim::fault::Faults;
//! let faults = Faults::parse(&["slow:3:2.0", "jitter:7"])?;
//! assert!(faults.check(4).is_ok());
//! assert_eq!(faults.check(3).unwrap_err().to_string(), "the fault `slow:3:2.0`: there is no rank 3 among 3 ranks");
//! # Ok::<(), wb_local::sim::fault::FaultError>(())
//! ```
mod jitter;
mod late;
mod no_async_progress;
mod slow;

use std::fmt;

use wb_comm::{Rank, Text, text::simulation};

/// One fault; the default methods change nothing. Times in nanoseconds.
trait Fault: fmt::Debug + Send + Sync {
    /// The same fault in its state before a run.
    fn fresh_copy(&self) -> Box<dyn Fault>;

    /// The rank that it affects, if it is a single one.
    fn rank(&self) -> Option<Rank> {
        None
    }

    /// When the rank enters.
    fn start_time(&self, _rank: Rank) -> u64 {
        0
    }

    /// How long the processor of the rank is busy with work that takes `takes` without the fault.
    fn busy_time(&mut self, _rank: Rank, takes: u64) -> u64 {
        takes
    }

    /// When a message arrives that arrives `at` without the fault and has this latency. Called in the order of
    /// sending.
    fn arrival_time(&mut self, _from: Rank, _to: Rank, at: u64, _latency: u64) -> u64 {
        at
    }

    /// Records that the rank computes from `begin` to `end`.
    fn record_computing(&mut self, _rank: Rank, _begin: u64, _end: u64) {}

    /// When the rank notices an arrival `at`. Called in the order of time.
    fn notice_time(&mut self, _rank: Rank, at: u64) -> u64 {
        at
    }
}

/// All faults of a run with their specifications; none by default.
#[derive(Debug, Default)]
pub struct Faults(Vec<(String, Box<dyn Fault>)>);

/// Why the specification of a fault is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultError {
    /// No fault has this name.
    Unknown {
        /// The specification.
        spec: String,
    },
    /// The rest after the name is invalid.
    Form {
        /// The specification.
        spec: String,
        /// The valid syntax.
        syntax: &'static str,
    },
    /// The fault affects a rank that does not exist.
    NoRank {
        /// The specification.
        spec: String,
        /// The rank that does not exist.
        rank: Rank,
        /// The number of ranks.
        ranks: usize,
    },
}

impl FaultError {
    /// The error as a text that is rendered where it is shown.
    pub fn text(&self) -> Text {
        match self {
            Self::Unknown { spec } => simulation::unknown_fault(spec, syntaxes().join(", ")),
            Self::Form { spec, syntax: form } => simulation::fault_form(spec, *form),
            Self::NoRank { spec, rank, ranks } => simulation::fault_of_no_rank(spec, *rank, *ranks),
        }
    }
}

impl fmt::Display for FaultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl std::error::Error for FaultError {}

/// A fault's name, its syntax, and the parser of the words after its name.
type FaultKind = (&'static str, &'static str, fn(&[&str]) -> Option<Box<dyn Fault>>);

const KINDS: [FaultKind; 4] = [
    ("slow", slow::SYNTAX, slow::parse),
    ("jitter", jitter::SYNTAX, jitter::parse),
    ("late", late::SYNTAX, late::parse),
    ("deaf", no_async_progress::SYNTAX, no_async_progress::parse),
];

/// The syntax of each fault.
pub fn syntaxes() -> Vec<&'static str> {
    KINDS.iter().map(|(_, form, _)| *form).collect()
}

impl Faults {
    /// Parses faults, one for each text.
    ///
    /// # Errors
    /// [`FaultError::Unknown`] and [`FaultError::Form`].
    pub fn parse(specs: &[impl AsRef<str>]) -> Result<Self, FaultError> {
        let read = |spec: &str| {
            let (name, rest) = spec.split_once(':').unwrap_or((spec, ""));
            let (_, form, read) = KINDS
                .iter()
                .find(|(known, ..)| *known == name)
                .ok_or_else(|| FaultError::Unknown { spec: spec.to_owned() })?;
            let fault = read(&rest.split(':').collect::<Vec<_>>());
            let fault = fault.ok_or_else(|| FaultError::Form { spec: spec.to_owned(), syntax: form })?;
            Ok((spec.to_owned(), fault))
        };
        Ok(Self(specs.iter().map(|spec| read(spec.as_ref())).collect::<Result<_, _>>()?))
    }

    /// Checks that the rank of each fault exists.
    ///
    /// # Errors
    /// [`FaultError::NoRank`].
    pub fn check(&self, ranks: usize) -> Result<(), FaultError> {
        let absent = |(spec, fault): &(String, Box<dyn Fault>)| {
            let rank = fault.rank().filter(|rank| *rank >= ranks)?;
            Some(FaultError::NoRank { spec: spec.clone(), rank, ranks })
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

    /// Records that the rank computes.
    pub(crate) fn record_computing(&mut self, rank: Rank, begin: u64, end: u64) {
        self.0.iter_mut().for_each(|(_, fault)| fault.record_computing(rank, begin, end));
    }

    /// When the rank notices an arrival.
    pub(crate) fn notice_time(&mut self, rank: Rank, at: u64) -> u64 {
        self.0.iter_mut().fold(at, |at, (_, fault)| fault.notice_time(rank, at))
    }
}

impl Clone for Faults {
    /// The same faults in their state before a run.
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|(spec, fault)| (spec.clone(), fault.fresh_copy())).collect())
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
        for spec in bad.into_iter().chain(["late:2:1:1", "deaf", "deaf:", "deaf:1:2", "jitter:1:1001"]) {
            let message = Faults::parse(&[spec]).expect_err(spec).to_string();
            assert!(message.starts_with(&format!("the fault `{spec}` is not of the form ")), "{message}");
        }
        let message = Faults::parse(&["slaw:3:2"]).expect_err("no such fault").to_string();
        assert!(
            message.contains("there are slow:RANK:FACTOR") && message.contains(", late:RANK:NS, "),
            "{message}"
        );
    }
}
