//! The calls that were taken and those that were passed on, and the report about them.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use wb_comm::{
    Text, Verb,
    text::{Lang, preload as text},
};

/// Why a call was passed on to the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The first calls on a communicator, which may not live long.
    FirstCalls,
    /// A block of this length is faster by the library.
    Length,
    /// An operation, or the type of a reduction, that the algorithms do not have.
    Operation,
    /// A communicator of one rank.
    OneRank,
    /// A communicator of more ranks than the algorithms are for.
    ManyRanks,
    /// A communicator of two groups.
    Inter,
    /// Ranks that cannot open each other's memory, as on several nodes.
    SeveralNodes,
    /// No memory to share.
    NoMemory,
    /// Arguments that are wrong or that the library has to judge.
    Arguments,
}

impl Reason {
    const ALL: [Self; 9] = [
        Self::FirstCalls,
        Self::Length,
        Self::Operation,
        Self::OneRank,
        Self::ManyRanks,
        Self::Inter,
        Self::SeveralNodes,
        Self::NoMemory,
        Self::Arguments,
    ];

    fn text(self) -> Text {
        match self {
            Self::FirstCalls => text::first_calls(),
            Self::Length => text::length(),
            Self::Operation => text::operation(),
            Self::OneRank => text::one_rank(),
            Self::ManyRanks => text::many_ranks(),
            Self::Inter => text::inter(),
            Self::SeveralNodes => text::several_nodes(),
            Self::NoMemory => text::no_memory(),
            Self::Arguments => text::arguments(),
        }
    }
}

/// The interposed operations, in the order of the report.
const VERBS: [(Verb, &str); 8] = [
    (Verb::Barrier, "MPI_Barrier"),
    (Verb::Bcast, "MPI_Bcast"),
    (Verb::Reduce, "MPI_Reduce"),
    (Verb::Allreduce, "MPI_Allreduce"),
    (Verb::Allgather, "MPI_Allgather"),
    (Verb::Gather, "MPI_Gather"),
    (Verb::Scatter, "MPI_Scatter"),
    (Verb::Alltoall, "MPI_Alltoall"),
];

/// The C function of an operation.
pub(crate) fn name(verb: Verb) -> &'static str {
    VERBS.iter().find(|(known, _)| *known == verb).map_or("MPI", |(_, name)| name)
}

/// By operation: the calls that were taken, and those that were passed on for each reason.
static COUNTS: [[AtomicU64; 1 + Reason::ALL.len()]; VERBS.len()] =
    [const { [const { AtomicU64::new(0) }; 1 + Reason::ALL.len()] }; VERBS.len()];

/// The number of interposed operations.
pub(crate) const OPERATIONS: usize = VERBS.len();

/// By verb: its number among them.
const ROWS: [u8; Verb::ALL.len()] = {
    let mut rows = [u8::MAX; Verb::ALL.len()];
    let mut row = 0;
    while row < VERBS.len() {
        rows[VERBS[row].0 as usize] = row as u8;
        row += 1;
    }
    rows
};

/// The number of an interposed operation.
#[inline]
pub(crate) fn row(verb: Verb) -> usize {
    usize::from(ROWS[verb as usize])
}

/// Counts a call: taken, or passed on.
#[inline]
pub(crate) fn count(verb: Verb, result: Result<(), Reason>) {
    let row = row(verb);
    let column = result.map_or_else(|reason| 1 + reason as usize, |()| 0);
    COUNTS[row][column].fetch_add(1, Relaxed);
}

/// The table of all calls of this process.
pub(crate) fn report(lang: Lang) -> String {
    let mut table = text::report().in_language(lang).to_owned();
    for ((_, name), counts) in VERBS.iter().zip(&COUNTS) {
        let counts = counts.each_ref().map(|count| count.load(Relaxed));
        let [taken, passed_on @ ..] = counts;
        let sum: u64 = passed_on.iter().sum();
        if taken + sum == 0 {
            continue;
        }
        let reasons = Reason::ALL.iter().zip(passed_on).filter(|(_, count)| *count > 0);
        let reasons = reasons.map(|(reason, count)| format!("{}: {count}", reason.text().in_language(lang)));
        let reasons = reasons.collect::<Vec<_>>().join(", ");
        table += format!("\n{name:14}{taken:>12}{sum:>12}   {reasons}").trim_end();
    }
    table
}
