//! The rules of epochs on windows, and what is told of a call that breaks one.
//!
//! MPI 3.1, chapter 11, says which one-sided call is legal at which time, but hardly any library checks it: an illegal
//! program works, or hangs, or computes nonsense. `wb-world` checks above every backend, so the same program breaks the
//! same rule on threads and on MPI. Each rule has a number and one sentence; a violation also names the rank, the call
//! that broke the rule, the earlier call that made it illegal, and what would have been allowed.
use std::fmt;

use thiserror::Error;

use crate::{Rank, Site};

/// A rule of epochs. The numbers are those of `docs/rma.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// 1: no access outside an epoch.
    Covered,
    /// 2: one access epoch at a time.
    AccessDisjoint,
    /// 3: one exposure epoch at a time.
    ExposureDisjoint,
    /// 4: access and exposure do not exclude each other.
    Overlap,
    /// 5: no fence inside another epoch.
    FenceAlone,
    /// 6: a fence's epoch begins with its first access, unless another epoch came first.
    FenceCandidate,
    /// 7: exposed or locked, not both.
    LockOrPost,
    /// 8: no conflicting accesses in one epoch.
    Conflict,
    /// 9: what ends must have begun.
    Paired,
    /// 10: no window ends inside an epoch.
    Free,
    /// 11: every start answers a post.
    Matched,
    /// 12: assertions must be true.
    Assertions,
}

impl Rule {
    /// All, in the order of their numbers.
    pub const ALL: [Self; 12] = [
        Self::Covered,
        Self::AccessDisjoint,
        Self::ExposureDisjoint,
        Self::Overlap,
        Self::FenceAlone,
        Self::FenceCandidate,
        Self::LockOrPost,
        Self::Conflict,
        Self::Paired,
        Self::Free,
        Self::Matched,
        Self::Assertions,
    ];

    /// 1 to 12.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// The rule.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Covered => "one-sided calls are made inside an access epoch, to targets that it covers",
            Self::AccessDisjoint => {
                "the access epochs of one process on one window are disjoint; only locks of different targets may be held together"
            }
            Self::ExposureDisjoint => "the exposure epochs of one process on one window are disjoint",
            Self::Overlap => "an exposure epoch and an access epoch of one process may overlap",
            Self::FenceAlone => "no fence while start, post or a lock is open",
            Self::FenceCandidate => {
                "a fence's epoch begins with the first access after it; a start or lock before that takes its place until the next fence"
            }
            Self::LockOrPost => "an exposed window must not be locked, a locked window must not be posted",
            Self::Conflict => {
                "accesses that overlap in one epoch are all gets, or all accumulates of one operation; what a call has not completed yet is not looked at"
            }
            Self::Paired => {
                "complete ends a start, wait a post, unlock a lock of the same target; flush needs a lock"
            }
            Self::Free => "a window is freed by all ranks together, outside all epochs",
            Self::Matched => "every start to a target is answered by a post of that target, pair by pair",
            Self::Assertions => {
                "an assertion must be true, allowed for the call, and NOPRECEDE and NOSUCCEED the same on all ranks"
            }
        }
    }

    /// The class of MPI's error codes that it falls into.
    pub fn class(self) -> &'static str {
        match self {
            Self::Conflict => "MPI_ERR_RMA_CONFLICT",
            Self::Assertions => "MPI_ERR_ASSERT",
            _ => "MPI_ERR_RMA_SYNC",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule {} of epochs ({}): {}", self.number(), self.class(), self.sentence())
    }
}

/// A call by one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Whose.
    pub rank: Rank,
    /// Verb, file and line.
    pub site: Site,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (rank {})", self.site, self.rank)
    }
}

/// A call that breaks a rule.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{rule}\n  call:    {call}\n  earlier: {}\n  here:    {situation}\n  allowed: {allowed}", told(earlier.as_ref()))]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// What broke it.
    pub call: Call,
    /// What made it illegal; `None` where it is that nothing came before.
    pub earlier: Option<Call>,
    /// How things stand: "rank 1 is not among the targets {2}".
    pub situation: String,
    /// What may be called instead.
    pub allowed: &'static str,
}

fn told(earlier: Option<&Call>) -> String {
    earlier.map_or_else(|| "no call on this window".to_owned(), ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verb;

    #[test]
    fn numbers_are_those_of_the_list() {
        assert!(Rule::ALL.iter().enumerate().all(|(at, rule)| rule.number() == at + 1));
    }

    #[test]
    fn a_violation_names_rule_rank_and_both_calls() {
        let (start, put) = (Site::here(Verb::Start), Site::here(Verb::Put));
        let violation = Violation {
            rule: Rule::Covered,
            call: Call { rank: 3, site: put },
            earlier: Some(Call { rank: 3, site: start }),
            situation: "rank 1 is not among the targets {2}".into(),
            allowed: "put to rank 2",
        };
        let text = violation.to_string();
        for part in
            ["rule 1 of epochs (MPI_ERR_RMA_SYNC)", "put at ", "start at ", "(rank 3)", "{2}", "rule.rs:"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
