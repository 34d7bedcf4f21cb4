//! The roll of a communicator: what every rank brings to its k-th collective, and whether that fits together.
//!
//! MPI compares nothing: a broadcast that meets a barrier hangs or computes nonsense. A backend that sees all ranks calls
//! the roll when a rank comes to a collective, before anything is sent, and so can name both lines.
//!
//! ```
//! use wb_comm::{CollectiveCall, CollectiveMatcher, CallSite, Verb};
//! let mut roll = CollectiveMatcher::new(2);
//! assert!(roll.enter(0, CollectiveCall::new(CallSite::caller(Verb::Bcast)).with_root(0)).is_ok());
//! let mismatch = roll.enter(1, CollectiveCall::new(CallSite::caller(Verb::Barrier))).expect_err("they differ");
//! assert_eq!(mismatch.code.to_string(), "WB0030");
//! ```
use std::{collections::VecDeque, fmt};

use crate::{
    CallSite, Code, Datatype, IncompleteCollective, Operation, Rank, RankCall, Text, text::collective,
};

/// How many elements a rank brings or takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CollectiveCounts {
    /// Nothing that could differ.
    None,
    /// So many, as everybody.
    Equal(usize),
    /// A block of so many, which the table of another rank names.
    Block(usize),
    /// The table: each rank's block.
    Table(Vec<usize>),
    /// To each rank and from each rank.
    Exchange(Vec<usize>, Vec<usize>),
}

impl CollectiveCounts {
    /// Do the lengths of two ranks fit?
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

/// What a rank brings to a collective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectiveCall {
    /// The call.
    pub site: CallSite,
    /// The root that it names.
    pub root: Option<Rank>,
    /// The type of its elements.
    pub datatype: Option<Datatype>,
    /// How many they are.
    pub counts: CollectiveCounts,
    /// The reduction that it asks for.
    pub operation: Option<Operation>,
}

impl CollectiveCall {
    /// Only itself.
    pub fn new(site: CallSite) -> Self {
        Self { site, root: None, datatype: None, counts: CollectiveCounts::None, operation: None }
    }

    /// The call.
    pub fn site(&self) -> CallSite {
        self.site
    }

    /// And the root that it names.
    #[must_use]
    pub fn with_root(self, root: Rank) -> Self {
        Self { root: Some(root), ..self }
    }

    /// And elements of this type.
    #[must_use]
    pub fn with_elements(self, layout: Datatype, lengths: CollectiveCounts) -> Self {
        Self { datatype: Some(layout), counts: lengths, ..self }
    }

    /// And the reduction that it asks for.
    #[must_use]
    pub fn with_operation(self, operation: Operation) -> Self {
        Self { operation: Some(operation), ..self }
    }

    /// In what the two do not fit: the code, and what each has.
    fn find_mismatch(&self, rank: Rank, other: &Self, other_rank: Rank) -> Option<(Code, Text, Text)> {
        let names = |mine: &dyn fmt::Display, theirs: &dyn fmt::Display| {
            (Text::verbatim(mine.to_string()), Text::verbatim(theirs.to_string()))
        };
        let (mine, theirs) = (self.site.verb, other.site.verb);
        if mine != theirs {
            let (mine, theirs) = names(&mine, &theirs);
            return Some((Code::CollectiveOrder, mine, theirs));
        }
        if let (Some(mine), Some(theirs)) = (self.root, other.root).if_different() {
            return Some((Code::CollectiveRoot, collective::root(mine), collective::root(theirs)));
        }
        if let (Some(mine), Some(theirs)) = (self.datatype, other.datatype).if_different() {
            let (mine, theirs) = names(&mine, &theirs);
            return Some((Code::CollectiveType, mine, theirs));
        }
        if let (Some(mine), Some(theirs)) = (self.operation, other.operation).if_different() {
            let (mine, theirs) = names(&mine, &theirs);
            return Some((Code::CollectiveOperation, mine, theirs));
        }
        let (mine, theirs) = (&self.counts, &other.counts);
        let told =
            || (Code::CollectiveCount, mine.describe(rank, other_rank), theirs.describe(other_rank, rank));
        (!mine.matches(rank, theirs, other_rank)).then(told)
    }
}

trait PairDifference {
    /// The pair, emptied where both are the same.
    fn if_different(self) -> Self;

    /// Are both there, and not the same?
    fn is_different(&self) -> bool;
}

impl<T: PartialEq> PairDifference for (Option<T>, Option<T>) {
    fn if_different(self) -> Self {
        if self.0 == self.1 { (None, None) } else { self }
    }

    fn is_different(&self) -> bool {
        matches!(self, (Some(one), Some(other)) if one != other)
    }
}

/// Two calls that are not parts of one collective.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectiveMismatch {
    /// In what they differ.
    pub code: Code,
    /// The call that came later.
    pub call: RankCall,
    /// What it brings.
    pub description: Text,
    /// The call that was there before.
    pub earlier: RankCall,
    /// What that brings.
    pub earlier_description: Text,
}

impl CollectiveMismatch {
    /// What is told of it, a line each.
    pub fn texts(&self) -> Vec<Text> {
        let Self { call, description: what, earlier, earlier_description: than, .. } = self;
        vec![
            collective::mismatch(),
            collective::side(call.text(), what),
            collective::side(earlier.text(), than),
        ]
    }
}

impl fmt::Display for CollectiveMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code)?;
        crate::error::write_lines(&self.texts(), f)
    }
}

impl std::error::Error for CollectiveMismatch {}

/// See the module.
#[derive(Clone, Debug)]
pub struct CollectiveMatcher {
    /// How many collectives each rank has come to.
    entered: Vec<u64>,
    /// How many all have come to.
    completed: u64,
    /// Those that not all have come to yet.
    pending: VecDeque<CollectiveInstance>,
    /// One that is over, to be used again.
    reusable: CollectiveInstance,
}

impl CollectiveMatcher {
    /// Of a communicator of `size` ranks.
    pub fn new(size: usize) -> Self {
        Self {
            entered: vec![0; size],
            completed: 0,
            pending: VecDeque::new(),
            reusable: CollectiveInstance::default(),
        }
    }

    /// The rank comes to its next collective. Costs the same however many have come before, but for tables of lengths.
    ///
    /// # Errors
    /// Another rank's call of it does not fit.
    pub fn enter(&mut self, rank: Rank, contribution: CollectiveCall) -> Result<(), Box<CollectiveMismatch>> {
        let number =
            usize::try_from(self.entered[rank] - self.completed).expect("ranks run ahead by a few calls");
        self.entered[rank] += 1;
        if number == self.pending.len() {
            self.pending.push_back(std::mem::take(&mut self.reusable));
        }
        self.pending[number].add(rank, contribution)?;
        if self.pending.front().is_some_and(|first| first.calls.len() == self.entered.len()) {
            self.reusable = self.pending.pop_front().expect("just looked at").cleared();
            self.completed += 1;
        }
        Ok(())
    }

    /// The first collective that some ranks have come to and others have not, in this communicator's numbering.
    pub fn first_incomplete(&self) -> Option<IncompleteCollective> {
        self.incomplete_at(0)
    }

    /// The last collective that `rank` has come to, if others have not.
    pub fn last_incomplete_of(&self, rank: Rank) -> Option<IncompleteCollective> {
        self.incomplete_at(usize::try_from(self.entered[rank].checked_sub(self.completed + 1)?).ok()?)
    }

    fn incomplete_at(&self, at: usize) -> Option<IncompleteCollective> {
        let meeting = self.pending.get(at)?;
        let call = |(rank, brings): &(Rank, CollectiveCall)| RankCall { rank: *rank, site: brings.site };
        let has_come =
            |rank: Rank| usize::try_from(self.entered[rank] - self.completed).is_ok_and(|past| past > at);
        Some(IncompleteCollective {
            called: meeting.calls.iter().map(call).collect(),
            missing: (0..self.entered.len()).filter(|rank| !has_come(*rank)).collect(),
            later_incomplete: self.pending.len() - at - 1,
        })
    }
}

/// One collective: what those bring who have come, all of which fits together, and what of it decides about others.
#[derive(Clone, Debug, Default)]
struct CollectiveInstance {
    /// In the order of their coming.
    calls: Vec<(Rank, CollectiveCall)>,
    /// The root that somebody names.
    root: Option<Rank>,
    /// The type that somebody names.
    datatype: Option<Datatype>,
    /// The reduction that somebody asks for.
    operation: Option<Operation>,
    /// Who in [`brought`](Self::brought) has a table first.
    table: Option<usize>,
}

impl CollectiveInstance {
    /// One more comes.
    fn add(&mut self, rank: Rank, contribution: CollectiveCall) -> Result<(), Box<CollectiveMismatch>> {
        if !self.is_known_match(rank, &contribution)
            && let Some(mismatch) = self.mismatch(rank, &contribution)
        {
            return Err(Box::new(mismatch));
        }
        self.root = self.root.or(contribution.root);
        self.datatype = self.datatype.or(contribution.datatype);
        self.operation = self.operation.or(contribution.operation);
        if let (None, CollectiveCounts::Table(_)) = (self.table, &contribution.counts) {
            self.table = Some(self.calls.len());
        }
        self.calls.push((rank, contribution));
        Ok(())
    }

    /// Does it fit all that was brought, as far as can be told without going through it?
    fn is_known_match(&self, rank: Rank, contribution: &CollectiveCall) -> bool {
        let Some((_, first)) = self.calls.first() else { return true };
        let CollectiveCall { site, root, datatype: layout, counts: lengths, operation } = contribution;
        site.verb == first.site.verb
            && !(*root, self.root).is_different()
            && !(*layout, self.datatype).is_different()
            && !(*operation, self.operation).is_different()
            && self.are_known_to_match(rank, lengths, &first.counts)
    }

    /// Whoever has the table that is there fits all who fit that, and so does a block of the length that it says.
    fn are_known_to_match(&self, rank: Rank, lengths: &CollectiveCounts, first: &CollectiveCounts) -> bool {
        use CollectiveCounts::{Block, Equal, Exchange, None, Table};
        let table = self.table.map(|at| &self.calls[at].1.counts);
        match (lengths, first) {
            (Equal(mine), Equal(first)) => mine == first,
            (None, None | Block(_)) => table.is_none(),
            (Block(_) | Table(_), None | Block(_) | Table(_)) => match (lengths, table) {
                (Block(length), Some(Table(table))) => table.get(rank) == Some(length),
                (Block(_), _) => true,
                (mine, table) => table == Some(mine),
            },
            (None | Block(_) | Table(_) | Equal(_) | Exchange(..), _) => false,
        }
    }

    /// The first one that came whose call does not fit.
    fn mismatch(&self, rank: Rank, contribution: &CollectiveCall) -> Option<CollectiveMismatch> {
        self.calls.iter().find_map(|(other, theirs)| {
            let (code, what, than) = contribution.find_mismatch(rank, theirs, *other)?;
            let call = RankCall { rank, site: contribution.site };
            Some(CollectiveMismatch {
                code,
                call,
                description: what,
                earlier: RankCall { rank: *other, site: theirs.site },
                earlier_description: than,
            })
        })
    }

    /// Nobody has come; the room for those who will is kept.
    fn cleared(mut self) -> Self {
        self.calls.clear();
        Self { calls: self.calls, ..Self::default() }
    }
}

#[cfg(test)]
mod tests;
