//! A rank's call of a collective operation with its arguments, and the mismatch of two such calls.
//!
//! ```
//! use wb_comm::{CallSite, Code, CollectiveCall, Verb};
//! let bcast = CollectiveCall::new(CallSite::caller(Verb::Bcast)).with_root(0);
//! let barrier = CollectiveCall::new(CallSite::caller(Verb::Barrier));
//! let mismatch = bcast.find_mismatch(0, &barrier, 1).expect("the verbs differ");
//! assert_eq!(mismatch.code, Code::CollectiveOrder);
//! ```
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    CallSite, Code, Datatype, FileArgs, NewTopology, Operation, Rank, RankCall, Text, TypedNumber, Verb,
    text::collective,
};

/// The numbers of elements in a rank's call of a collective.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CollectiveCounts {
    /// No count that could differ.
    None,
    /// One count, the same on every rank.
    Equal(usize),
    /// The length of this rank's block; the root's table names it too.
    Block(usize),
    /// The table of block lengths, one for each rank.
    Table(Vec<usize>),
    /// The counts sent to each rank, and the counts received from each rank.
    Exchange(Vec<usize>, Vec<usize>),
}

impl CollectiveCounts {
    /// Whether the counts of two ranks match.
    fn matches(&self, rank: Rank, other: &Self, other_rank: Rank) -> bool {
        use CollectiveCounts::{Block, Equal, Exchange, None, Table};
        match (self, other) {
            (None | Block(_), None | Block(_)) => true,
            (Equal(mine), Equal(theirs)) => mine == theirs,
            (Table(mine), Table(theirs)) => mine == theirs,
            (Table(table), Block(length)) => table.get(other_rank) == Some(length),
            (Block(length), Table(table)) => table.get(rank) == Some(length),
            (Exchange(sends, receives), Exchange(their_sends, their_receives)) => {
                sends.get(other_rank) == their_receives.get(rank)
                    && their_sends.get(rank) == receives.get(other_rank)
            }
            _ => false,
        }
    }

    fn describe(&self, rank: Rank, other: Rank) -> Text {
        match self {
            Self::None => collective::nothing(),
            Self::Equal(length) => collective::elements(*length),
            Self::Block(length) => collective::block(*length),
            Self::Table(table) => collective::blocks(&table[..]),
            Self::Exchange(sends, receives) => {
                let at = |lengths: &[usize], rank: Rank| lengths.get(rank).copied().unwrap_or_default();
                collective::exchange(at(sends, other), other, at(receives, other), rank)
            }
        }
    }
}

/// A rank's call of a collective with the arguments that must match those of the other ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectiveCall {
    /// The call.
    pub site: CallSite,
    /// The root argument.
    pub root: Option<Rank>,
    /// The element type.
    pub datatype: Option<Datatype>,
    /// The numbers of elements.
    pub counts: CollectiveCounts,
    /// The reduction.
    pub operation: Option<Operation>,
    /// The topology of the communicator that the call makes.
    pub topology: Option<NewTopology>,
    /// The file that the call opens.
    pub file: Option<FileArgs>,
}

impl CollectiveCall {
    /// A call without arguments.
    pub fn new(site: CallSite) -> Self {
        Self {
            site,
            root: None,
            datatype: None,
            counts: CollectiveCounts::None,
            operation: None,
            topology: None,
            file: None,
        }
    }

    /// The call.
    pub fn site(&self) -> CallSite {
        self.site
    }

    /// Adds the topology of the communicator that the call makes.
    #[must_use]
    pub fn with_topology(self, topology: NewTopology) -> Self {
        Self { topology: Some(topology), ..self }
    }

    /// Adds the file that the call opens.
    #[must_use]
    pub fn with_file(self, file: FileArgs) -> Self {
        Self { file: Some(file), ..self }
    }

    /// Adds the root.
    #[must_use]
    pub fn with_root(self, root: Rank) -> Self {
        Self { root: Some(root), ..self }
    }

    /// Adds the type and the number of the elements.
    #[must_use]
    pub fn with_elements(self, datatype: Datatype, counts: CollectiveCounts) -> Self {
        Self { datatype: Some(datatype), counts, ..self }
    }

    /// Adds the reduction.
    #[must_use]
    pub fn with_operation(self, operation: Operation) -> Self {
        Self { operation: Some(operation), ..self }
    }

    /// The first argument in which this call by `rank` differs from an earlier call by `other_rank`; `None` if both
    /// match.
    pub fn find_mismatch(&self, rank: Rank, other: &Self, other_rank: Rank) -> Option<CollectiveMismatch> {
        let (code, description, earlier_description) = self.difference(rank, other, other_rank)?;
        Some(CollectiveMismatch {
            code,
            call: RankCall { rank, site: self.site },
            description,
            earlier: RankCall { rank: other_rank, site: other.site },
            earlier_description,
        })
    }

    /// The code of the first difference, and the two values.
    fn difference(&self, rank: Rank, other: &Self, other_rank: Rank) -> Option<(Code, Text, Text)> {
        if let Some((mine, theirs)) = different(Some(self.site.verb), Some(other.site.verb)) {
            return Some((Code::CollectiveOrder, verbatim(mine), verbatim(theirs)));
        }
        if let Some((mine, theirs)) = different(self.root, other.root) {
            return Some((Code::CollectiveRoot, collective::root(mine), collective::root(theirs)));
        }
        if let Some((mine, theirs)) = self.datatype.zip(other.datatype)
            && !mine.has_numbers_of(theirs)
        {
            let (mine, theirs) = type_texts(mine, theirs);
            return Some((Code::CollectiveType, mine, theirs));
        }
        if let Some((mine, theirs)) = different(self.operation, other.operation) {
            return Some((Code::CollectiveOperation, verbatim(mine), verbatim(theirs)));
        }
        if let Some((mine, theirs)) = different(self.file.as_ref(), other.file.as_ref()) {
            return Some((Code::CollectiveFile, verbatim(mine), verbatim(theirs)));
        }
        if let Some((mine, theirs)) = self.topology.as_ref().zip(other.topology.as_ref())
            && !mine.matches(rank, theirs, other_rank)
        {
            let (mine, theirs) = (mine.describe(rank, other_rank), theirs.describe(other_rank, rank));
            return Some((Code::CollectiveTopology, mine, theirs));
        }
        let (mine, theirs) = (&self.counts, &other.counts);
        let described =
            || (Code::CollectiveCount, mine.describe(rank, other_rank), theirs.describe(other_rank, rank));
        (!mine.matches(rank, theirs, other_rank)).then(described)
    }
}

/// The pair, if both values exist and differ.
fn different<T: PartialEq>(mine: Option<T>, theirs: Option<T>) -> Option<(T, T)> {
    mine.zip(theirs).filter(|(mine, theirs)| mine != theirs)
}

/// Two types, with the first field in which they differ.
fn type_texts(mine: Datatype, theirs: Datatype) -> (Text, Text) {
    let Some(difference) = mine.find_difference(theirs, mine.size()) else {
        return (verbatim(mine), verbatim(theirs));
    };
    let text = |datatype: Datatype, number: TypedNumber| match datatype {
        Datatype::Struct(made) => verbatim(format_args!("{} {{ {number} }}", made.name())),
        _ => verbatim(datatype),
    };
    (text(mine, difference.sent), text(theirs, difference.expected))
}

fn verbatim(value: impl fmt::Display) -> Text {
    Text::verbatim(value.to_string())
}

/// Two calls that are not parts of one collective operation.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectiveMismatch {
    /// The kind of difference.
    pub code: Code,
    /// The later call.
    pub call: RankCall,
    /// The argument of the later call.
    pub description: Text,
    /// The earlier call.
    pub earlier: RankCall,
    /// The argument of the earlier call.
    pub earlier_description: Text,
}

impl CollectiveMismatch {
    /// The description of the mismatch, one text for each line.
    pub fn texts(&self) -> Vec<Text> {
        let Self { call, description, earlier, earlier_description, .. } = self;
        let mut sides = [(call, description), (earlier, earlier_description)];
        sides.sort_by_key(|(call, _)| call.rank);
        let side = |(call, argument): (&RankCall, &Text)| match self.code {
            // The verbs are in the calls.
            Code::CollectiveOrder => collective::call(call.text()),
            _ => collective::side(call.text(), argument),
        };
        std::iter::once(self.headline()).chain(sides.map(side)).collect()
    }

    fn headline(&self) -> Text {
        let [one, other] = [self.call, self.earlier].map(|call| call.site.verb);
        let starts = |one: Verb, other: Verb| {
            one.starts_collective() && one.name().strip_prefix('i') == Some(other.name())
        };
        match self.code {
            Code::CollectiveOrder if starts(one, other) || starts(other, one) => {
                collective::blocking_and_nonblocking()
            }
            Code::CollectiveOrder => collective::order(),
            _ => collective::mismatch(),
        }
    }
}

impl fmt::Display for CollectiveMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code)?;
        crate::error::write_lines(&self.texts(), f)
    }
}

impl std::error::Error for CollectiveMismatch {}
