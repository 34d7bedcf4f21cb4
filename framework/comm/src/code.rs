//! The stable code of a kind of mistake: `WB0001`, ... `cargo wb explain` describes each.
//!
//! A number is never reused and never changes, since reports, courses and mail refer to it. Tens are classes: waits
//! (1), leaks (10), nondeterminism (20), mismatched collectives (30), messages and arguments (40 to 99); a hundred and a
//! number is the rule of epochs of that number.
//!
//! ```
//! use wb_comm::{Code, Rule};
//! assert_eq!(Code::Deadlock.to_string(), "WB0001");
//! assert_eq!(Code::parse("wb0012"), Some(Code::WindowLeak));
//! assert_eq!(Code::from_rule(Rule::Conflict).to_string(), "WB0108");
//! ```
use std::fmt;

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::Rule;

/// A kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, VariantArray, Serialize, Deserialize)]
#[repr(u16)]
#[serde(into = "String", try_from = "String")]
pub enum Code {
    /// Ranks wait for each other in a cycle.
    Deadlock = 1,
    /// A rank waits for a rank that has ended.
    PartnerEnded = 2,
    /// A rank waits, and a message that is almost the awaited one is there.
    NearMiss = 3,
    /// Some ranks wait in a collective that another one does not call.
    CollectiveIncomplete = 4,
    /// A message that no receive took.
    UnreceivedMessage = 10,
    /// A started send or receive that was never completed.
    RequestLeak = 11,
    /// A window that was not freed.
    WindowLeak = 12,
    /// A persistent request that is started while it is active, or waited for before it is started.
    PersistentState = 13,
    /// A file that was not closed.
    FileLeak = 14,
    /// A cycle that only the buffering of a standard send breaks.
    BufferDependence = 20,
    /// The choice of a wildcard receive decides the result.
    WildcardRace = 21,
    /// Conflicting accesses of two ranks to one element of a window are not ordered.
    WindowRace = 22,
    /// The results of correct runs differ with the order of arrival.
    ArrivalOrder = 23,
    /// Conflicting accesses of two ranks to one byte of a file are not ordered.
    FileRace = 24,
    /// Ranks call different collectives.
    CollectiveOrder = 30,
    /// Ranks name different roots.
    CollectiveRoot = 31,
    /// Ranks pass different numbers of elements.
    CollectiveCount = 32,
    /// Ranks pass elements of different types.
    CollectiveType = 33,
    /// Ranks pass different reductions.
    CollectiveOperation = 34,
    /// Ranks describe different topologies.
    CollectiveTopology = 35,
    /// Ranks open different files together, or one file in different modes.
    CollectiveFile = 36,
    /// A message is longer than the receive's buffer.
    Truncated = 40,
    /// A message has other elements than the receive expects.
    Type = 41,
    /// A peer or a root that does not exist.
    Rank = 42,
    /// A tag that is not allowed.
    Tag = 43,
    /// A buffer whose length does not fit the call.
    Count = 44,
    /// A reduction that is not defined for the type.
    Operation = 45,
    /// A root without its buffer.
    RootBuffer = 46,
    /// Elements outside the part of a window that its owner exposes.
    Range = 47,
    /// A buffered send that does not fit the attached buffer.
    AttachedBuffer = 48,
    /// A ready send whose receive is not posted.
    NotReady = 49,
    /// A user's reduction that is not associative.
    NotAssociative = 50,
    /// A layout that contradicts itself, or does not fit the slice that it is used on.
    Layout = 51,
    /// A file that cannot be opened in this mode.
    FileOpen = 52,
    /// A read or a write that the file's mode or its view does not allow.
    FileAccess = 53,
    /// Arguments that make no communicator: a color, the dimensions of a grid, a group.
    CommunicatorArgument = 99,
    /// Rule 1 of epochs: no access outside an epoch.
    Covered = 101,
    /// Rule 2: one access epoch at a time.
    AccessDisjoint = 102,
    /// Rule 3: one exposure epoch at a time.
    ExposureDisjoint = 103,
    /// Rule 4, which forbids nothing: access and exposure may overlap.
    Overlap = 104,
    /// Rule 5: no fence inside another epoch.
    FenceAlone = 105,
    /// Rule 6: a fence's epoch begins with its first access.
    FenceCandidate = 106,
    /// Rule 7: exposed or locked, not both.
    LockOrPost = 107,
    /// Rule 8: no conflicting accesses in one epoch.
    Conflict = 108,
    /// Rule 9: every end has a beginning.
    Paired = 109,
    /// Rule 10: no window ends inside an epoch.
    Free = 110,
    /// Rule 11: every start matches a post.
    Matched = 111,
    /// Rule 12: assertions must be true.
    Assertions = 112,
}

impl Code {
    /// All, by number.
    pub const ALL: &[Self] = <Self as VariantArray>::VARIANTS;

    /// The number, as in `WB0012`.
    pub fn number(self) -> u16 {
        self as u16
    }

    /// The code of that number.
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.number() == number)
    }

    /// Reads `WB0012`, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.to_ascii_uppercase().strip_prefix("WB").map(str::to_owned)?;
        let four = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
        Self::from_number(digits.parse().ok().filter(|_| four)?)
    }

    /// The code of a violated rule of epochs.
    pub fn from_rule(rule: Rule) -> Self {
        let number = u16::try_from(rule.number()).ok().and_then(|number| Self::from_number(100 + number));
        number.expect("every rule has a code")
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WB{:04}", self.number())
    }
}

impl From<Code> for String {
    fn from(code: Code) -> Self {
        code.to_string()
    }
}

impl TryFrom<String> for Code {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| format!("`{text}` is not a code"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_reads_what_it_writes_and_all_are_in_order() {
        assert!(Code::ALL.iter().all(|code| Code::parse(&code.to_string()) == Some(*code)));
        assert!(Code::ALL.is_sorted_by_key(|code| code.number()));
        for wrong in ["WB1", "WB9999", "0001", "WB+001", "WB00001"] {
            assert_eq!(Code::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_rule_of_epochs_is_a_hundred_and_its_number() {
        assert!(
            Rule::ALL.iter().all(|rule| usize::from(Code::from_rule(*rule).number()) == 100 + rule.number())
        );
    }
}
