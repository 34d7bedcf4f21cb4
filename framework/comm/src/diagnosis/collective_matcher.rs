//! Matches the collective calls of a communicator: the k-th call of every rank must be the same operation with arguments that match.
//!
//! MPI does not compare them: a broadcast that meets a barrier hangs or computes nonsense. A backend that sees all ranks
//! reports each call before it sends anything, and so can name both lines.
//!
//! ```
//! use wb_comm::{CallSite, CollectiveCall, Verb};
//! use wb_comm::diagnosis::CollectiveMatcher;
//! let mut matcher = CollectiveMatcher::new(2);
//! assert!(matcher.enter(0, CollectiveCall::new(CallSite::caller(Verb::Bcast)).with_root(0)).is_ok());
//! let mismatch = matcher.enter(1, CollectiveCall::new(CallSite::caller(Verb::Barrier))).expect_err("they differ");
//! assert_eq!(mismatch.code.to_string(), "WB0030");
//! ```
use std::collections::VecDeque;

use crate::{
    CollectiveCall, CollectiveCounts, CollectiveMismatch, Datatype, NewTopology, Operation, Rank, RankCall,
    diagnosis::IncompleteCollective,
};

/// The collective calls of one communicator that not all of its ranks have entered, to compare each further call with.
#[derive(Clone, Debug)]
pub struct CollectiveMatcher {
    /// The number of collectives that each rank has entered.
    entered: Vec<u64>,
    /// The number of collectives that every rank has entered.
    completed: u64,
    /// The collectives that some ranks have entered and others have not.
    pending: VecDeque<CollectiveInstance>,
    /// A completed instance, kept for its allocation.
    reusable: CollectiveInstance,
}

impl CollectiveMatcher {
    /// The matcher of a communicator of `size` ranks.
    pub fn new(size: usize) -> Self {
        Self {
            entered: vec![0; size],
            completed: 0,
            pending: VecDeque::new(),
            reusable: CollectiveInstance::default(),
        }
    }

    /// Adds the rank's next collective call. The cost does not depend on the number of calls before it, except for tables of counts.
    ///
    /// # Errors
    /// The call does not match another rank's call of the same collective.
    pub fn enter(&mut self, rank: Rank, contribution: CollectiveCall) -> Result<(), Box<CollectiveMismatch>> {
        let number =
            usize::try_from(self.entered[rank] - self.completed).expect("ranks run ahead by a few calls");
        self.entered[rank] += 1;
        if number == self.pending.len() {
            self.pending.push_back(std::mem::take(&mut self.reusable));
        }
        self.pending[number].add(rank, contribution)?;
        if self.pending.front().is_some_and(|first| first.calls.len() == self.entered.len()) {
            self.reusable = self.pending.pop_front().expect("it has a first element").cleared();
            self.completed += 1;
        }
        Ok(())
    }

    /// The first collective that some ranks have entered and others have not, in this communicator's numbering.
    pub fn first_incomplete(&self) -> Option<IncompleteCollective> {
        self.incomplete_at(0)
    }

    /// The last collective that `rank` has entered, if others have not.
    pub fn last_incomplete_of(&self, rank: Rank) -> Option<IncompleteCollective> {
        self.incomplete_at(usize::try_from(self.entered[rank].checked_sub(self.completed + 1)?).ok()?)
    }

    fn incomplete_at(&self, at: usize) -> Option<IncompleteCollective> {
        let instance = self.pending.get(at)?;
        let call = |(rank, call): &(Rank, CollectiveCall)| RankCall { rank: *rank, site: call.site };
        let has_entered =
            |rank: Rank| usize::try_from(self.entered[rank] - self.completed).is_ok_and(|past| past > at);
        Some(IncompleteCollective {
            called: instance.calls.iter().map(call).collect(),
            missing: (0..self.entered.len()).filter(|rank| !has_entered(*rank)).collect(),
            later_incomplete: self.pending.len() - at - 1,
        })
    }
}

/// One collective: the calls so far, which all match, and their arguments that decide about further calls.
#[derive(Clone, Debug, Default)]
struct CollectiveInstance {
    /// The calls in their order.
    calls: Vec<(Rank, CollectiveCall)>,
    /// The root that a call names.
    root: Option<Rank>,
    /// The element type that a call names.
    datatype: Option<Datatype>,
    /// The reduction that a call names.
    operation: Option<Operation>,
    /// The index in [`calls`](Self::calls) of the first call with a table.
    table: Option<usize>,
}

impl CollectiveInstance {
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

    /// Whether the call matches all earlier calls, as far as that is known without comparing each of them.
    fn is_known_match(&self, rank: Rank, contribution: &CollectiveCall) -> bool {
        let Some((_, first)) = self.calls.first() else { return true };
        let CollectiveCall { site, root, datatype, counts, operation, topology, file } = contribution;
        site.verb == first.site.verb
            && may_be_equal(*root, self.root)
            && may_be_equal(*datatype, self.datatype)
            && may_be_equal(*operation, self.operation)
            && *file == first.file
            && topology
                .as_ref()
                .is_none_or(|mine| is_same_on_all(mine) && first.topology.as_ref() == Some(mine))
            && self.are_known_to_match(rank, counts, &first.counts)
    }

    /// An equal table matches every call that matches the known table, and so does a block of the length in the known table.
    fn are_known_to_match(&self, rank: Rank, counts: &CollectiveCounts, first: &CollectiveCounts) -> bool {
        use CollectiveCounts::{Block, Equal, Exchange, None, Table};
        let table = self.table.map(|at| &self.calls[at].1.counts);
        match (counts, first) {
            (Equal(mine), Equal(first)) => mine == first,
            (None, None | Block(_)) => table.is_none(),
            (Block(_) | Table(_), None | Block(_) | Table(_)) => match (counts, table) {
                (Block(length), Some(Table(table))) => table.get(rank) == Some(length),
                (Block(_), _) => true,
                (mine, table) => table == Some(mine),
            },
            (None | Block(_) | Table(_) | Equal(_) | Exchange(..), _) => false,
        }
    }

    /// The first earlier call that does not match.
    fn mismatch(&self, rank: Rank, contribution: &CollectiveCall) -> Option<CollectiveMismatch> {
        self.calls.iter().find_map(|(other, theirs)| contribution.find_mismatch(rank, theirs, *other))
    }

    /// The instance without calls; the allocation is kept.
    fn cleared(mut self) -> Self {
        self.calls.clear();
        Self { calls: self.calls, ..Self::default() }
    }
}

/// Whether all ranks pass the same arguments; those of a graph are matched rank by rank.
fn is_same_on_all(topology: &NewTopology) -> bool {
    !matches!(topology, NewTopology::Graph { .. } | NewTopology::Group { .. })
}

/// Whether at most one of them exists, or both are equal.
fn may_be_equal<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
    one.zip(other).is_none_or(|(one, other)| one == other)
}

#[cfg(test)]
mod tests;
