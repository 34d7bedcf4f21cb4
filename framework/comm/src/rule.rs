//! The rules of epochs on windows, and the description of a call that violates one.
//!
//! MPI 3.1, chapter 11, defines which one-sided call is legal at which time, but few libraries check it: an illegal
//! program works, or hangs, or computes wrong results. `wb-world` checks above every backend, so the same program
//! breaks the same rule on threads and on MPI. Each rule has a number and one sentence; a violation also names the
//! rank, the call that broke the rule, the earlier call that made it illegal, and what would have been allowed.
use std::fmt;

use strum::VariantArray;

use crate::{CallLocation, CallSite, Rank, Text, text::rule};

/// A rule of epochs. The numbers are those of `docs/rma.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, VariantArray)]
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
    /// 9: every end has a beginning.
    Paired,
    /// 10: no window ends inside an epoch.
    Free,
    /// 11: every start matches a post.
    Matched,
    /// 12: assertions must be true.
    Assertions,
}

impl Rule {
    /// All, in the order of their numbers.
    pub const ALL: &[Self] = <Self as VariantArray>::VARIANTS;

    /// 1 to 12.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// The rule.
    pub fn sentence(self) -> Text {
        match self {
            Self::Covered => rule::covered(),
            Self::AccessDisjoint => rule::access_disjoint(),
            Self::ExposureDisjoint => rule::exposure_disjoint(),
            Self::Overlap => rule::overlap(),
            Self::FenceAlone => rule::fence_alone(),
            Self::FenceCandidate => rule::fence_candidate(),
            Self::LockOrPost => rule::lock_or_post(),
            Self::Conflict => rule::conflict(),
            Self::Paired => rule::paired(),
            Self::Free => rule::free(),
            Self::Matched => rule::matched(),
            Self::Assertions => rule::assertions(),
        }
    }

    /// The number, class and sentence of the rule.
    pub fn text(self) -> Text {
        rule::rule(self.number(), self.class(), self.sentence())
    }

    /// The class of MPI error codes of the rule.
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
        self.text().fmt(f)
    }
}

/// A call by a rank of this process: the rank and its [`CallSite`]. [`CallLocation`] is the same as text, of any
/// process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankCall {
    /// The rank.
    pub rank: Rank,
    /// Verb, file and line.
    pub site: CallSite,
}

impl fmt::Display for RankCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl RankCall {
    /// "recv at src/mpi.rs:12 (rank 0)".
    pub fn text(&self) -> Text {
        CallLocation::from(*self).text()
    }
}

/// A call that violates a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// The call that violated it.
    pub call: RankCall,
    /// The earlier call that made it illegal; `None` if no call preceded it.
    pub earlier: Option<RankCall>,
    /// The situation: "rank 1 is not among the targets {2}".
    pub situation: Text,
    /// The calls that are allowed instead.
    pub allowed: Text,
}

impl Violation {
    /// The description of the violation, one text for each line.
    pub fn texts(&self) -> Vec<Text> {
        let Self { rule: broken, call, earlier, situation, allowed } = self;
        vec![
            broken.text(),
            rule::call(call.text()),
            rule::earlier(earlier.as_ref().map_or_else(rule::no_call, RankCall::text)),
            rule::here(situation),
            rule::allowed(allowed),
        ]
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::error::write_lines(&self.texts(), f)
    }
}

impl std::error::Error for Violation {}

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
        let (start, put) = (CallSite::caller(Verb::Start), CallSite::caller(Verb::Put));
        let violation = Violation {
            rule: Rule::Covered,
            call: RankCall { rank: 3, site: put },
            earlier: Some(RankCall { rank: 3, site: start }),
            situation: Text::verbatim("rank 1 is not among the targets {2}"),
            allowed: Text::verbatim("put to rank 2"),
        };
        let text = violation.to_string();
        for part in
            ["rule 1 of epochs (MPI_ERR_RMA_SYNC)", "put at ", "start at ", "(rank 3)", "{2}", "rule.rs:"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
