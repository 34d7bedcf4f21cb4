//! Completion of several operations in one call (MPI 4.0, 3.7.5 "Multiple Completions").
use crate::Verb;

/// The number of several operations that a call completes, and whether it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is MPI's own call")]
pub enum MultipleCompletion {
    WaitAll,
    WaitAny,
    WaitSome,
    TestAll,
    TestAny,
    TestSome,
}

impl MultipleCompletion {
    /// All values.
    pub const ALL: [Self; 6] =
        [Self::WaitAll, Self::WaitAny, Self::WaitSome, Self::TestAll, Self::TestAny, Self::TestSome];

    /// Whether the call waits; else it returns immediately.
    pub fn waits(self) -> bool {
        matches!(self, Self::WaitAll | Self::WaitAny | Self::WaitSome)
    }

    /// Whether the call completes either all operations or none.
    pub fn is_for_all(self) -> bool {
        matches!(self, Self::WaitAll | Self::TestAll)
    }

    /// Whether the call completes at most one operation.
    pub fn is_for_one(self) -> bool {
        matches!(self, Self::WaitAny | Self::TestAny)
    }

    /// The verb.
    pub fn verb(self) -> Verb {
        match self {
            Self::WaitAll => Verb::WaitAll,
            Self::WaitAny => Verb::WaitAny,
            Self::WaitSome => Verb::WaitSome,
            Self::TestAll => Verb::TestAll,
            Self::TestAny => Verb::TestAny,
            Self::TestSome => Verb::TestSome,
        }
    }
}
