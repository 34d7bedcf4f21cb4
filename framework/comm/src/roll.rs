//! The roll of a communicator: what every rank brings to its k-th collective, and whether that fits together.
//!
//! MPI compares nothing: a broadcast that meets a barrier hangs or computes nonsense. A backend that sees all ranks calls
//! the roll when a rank comes to a collective, before anything is sent, and so can name both lines.
//!
//! ```
//! use wb_comm::{Contribution, Roll, Site, Verb};
//! let mut roll = Roll::of(2);
//! assert!(roll.enter(0, Contribution::of(Site::here(Verb::Bcast)).root(0)).is_ok());
//! let mismatch = roll.enter(1, Contribution::of(Site::here(Verb::Barrier))).expect_err("they differ");
//! assert_eq!(mismatch.code.to_string(), "WB0030");
//! ```
use std::{collections::VecDeque, fmt};

use crate::{Call, Code, Layout, Operation, Rank, Site, Text, Unjoined, text::collective};

/// How many elements a rank brings or takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// Nothing that could differ.
    None,
    /// So many, as everybody.
    Equal(usize),
    /// A block of so many, which the table of another rank names.
    Own(usize),
    /// The table: each rank's block.
    Table(Vec<usize>),
    /// To each rank and from each rank.
    Exchange(Vec<usize>, Vec<usize>),
}

impl Lengths {
    /// Do the lengths of two ranks fit?
    fn fit(&self, rank: Rank, other: &Self, other_rank: Rank) -> bool {
        use Lengths::{Equal, Exchange, None, Own, Table};
        match (self, other) {
            (None | Own(_), None | Own(_)) => true,
            (Equal(mine), Equal(theirs)) => mine == theirs,
            (Table(mine), Table(theirs)) => mine == theirs,
            (Table(table), Own(length)) => table.get(other_rank) == Some(length),
            (Own(length), Table(table)) => table.get(rank) == Some(length),
            (Exchange(sends, receives), Exchange(their_sends, their_receives)) => {
                sends.get(other_rank) == their_receives.get(rank)
                    && their_sends.get(rank) == receives.get(other_rank)
            }
            _ => false,
        }
    }

    fn told(&self, rank: Rank, other: Rank) -> Text {
        match self {
            Self::None => collective::nothing(),
            Self::Equal(length) => collective::elements(*length),
            Self::Own(length) => collective::block(*length),
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
pub struct Contribution {
    /// The call.
    pub site: Site,
    /// The root that it names.
    pub root: Option<Rank>,
    /// The type of its elements.
    pub layout: Option<Layout>,
    /// How many they are.
    pub lengths: Lengths,
    /// The reduction that it asks for.
    pub operation: Option<Operation>,
}

impl Contribution {
    /// Only itself.
    pub fn of(site: Site) -> Self {
        Self { site, root: None, layout: None, lengths: Lengths::None, operation: None }
    }

    /// The call.
    pub fn site(&self) -> Site {
        self.site
    }

    /// And the root that it names.
    #[must_use]
    pub fn root(self, root: Rank) -> Self {
        Self { root: Some(root), ..self }
    }

    /// And elements of this type.
    #[must_use]
    pub fn elements(self, layout: Layout, lengths: Lengths) -> Self {
        Self { layout: Some(layout), lengths, ..self }
    }

    /// And the reduction that it asks for.
    #[must_use]
    pub fn operation(self, operation: Operation) -> Self {
        Self { operation: Some(operation), ..self }
    }

    /// In what the two do not fit: the code, and what each has.
    fn differs(&self, rank: Rank, other: &Self, other_rank: Rank) -> Option<(Code, Text, Text)> {
        let names = |mine: &dyn fmt::Display, theirs: &dyn fmt::Display| {
            (Text::verbatim(mine.to_string()), Text::verbatim(theirs.to_string()))
        };
        let (mine, theirs) = (self.site.verb, other.site.verb);
        if mine != theirs {
            let (mine, theirs) = names(&mine, &theirs);
            return Some((Code::CollectiveOrder, mine, theirs));
        }
        if let (Some(mine), Some(theirs)) = (self.root, other.root).differing() {
            return Some((Code::CollectiveRoot, collective::root(mine), collective::root(theirs)));
        }
        if let (Some(mine), Some(theirs)) = (self.layout, other.layout).differing() {
            let (mine, theirs) = names(&mine, &theirs);
            return Some((Code::CollectiveType, mine, theirs));
        }
        if let (Some(mine), Some(theirs)) = (self.operation, other.operation).differing() {
            let (mine, theirs) = names(&mine, &theirs);
            return Some((Code::CollectiveOperation, mine, theirs));
        }
        let (mine, theirs) = (&self.lengths, &other.lengths);
        let told = || (Code::CollectiveCount, mine.told(rank, other_rank), theirs.told(other_rank, rank));
        (!mine.fit(rank, theirs, other_rank)).then(told)
    }
}

trait Differing {
    /// The pair, emptied where both are the same.
    fn differing(self) -> Self;

    /// Are both there, and not the same?
    fn differ(self) -> bool;
}

impl<T: PartialEq> Differing for (Option<T>, Option<T>) {
    fn differing(self) -> Self {
        if self.0 == self.1 { (None, None) } else { self }
    }

    fn differ(self) -> bool {
        matches!(self.differing(), (Some(_), Some(_)))
    }
}

/// Two calls that are not parts of one collective.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// In what they differ.
    pub code: Code,
    /// The call that came later.
    pub call: Call,
    /// What it brings.
    pub what: Text,
    /// The call that was there before.
    pub earlier: Call,
    /// What that brings.
    pub than: Text,
}

impl Mismatch {
    /// What is told of it, a line each.
    pub fn texts(&self) -> Vec<Text> {
        let Self { call, what, earlier, than, .. } = self;
        vec![
            collective::mismatch(),
            collective::side(call.text(), what),
            collective::side(earlier.text(), than),
        ]
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code)?;
        crate::error::lines(&self.texts(), f)
    }
}

impl std::error::Error for Mismatch {}

/// See the module.
#[derive(Clone, Debug)]
pub struct Roll {
    /// How many collectives each rank has come to.
    entered: Vec<u64>,
    /// How many all have come to.
    over: u64,
    /// Those that not all have come to yet.
    open: VecDeque<Meeting>,
    /// One that is over, to be used again.
    spare: Meeting,
}

impl Roll {
    /// Of a communicator of `size` ranks.
    pub fn of(size: usize) -> Self {
        Self { entered: vec![0; size], over: 0, open: VecDeque::new(), spare: Meeting::default() }
    }

    /// The rank comes to its next collective. Costs the same however many have come before, but for tables of lengths.
    ///
    /// # Errors
    /// Another rank's call of it does not fit.
    pub fn enter(&mut self, rank: Rank, contribution: Contribution) -> Result<(), Box<Mismatch>> {
        let number = usize::try_from(self.entered[rank] - self.over).expect("ranks run ahead by a few calls");
        self.entered[rank] += 1;
        if number == self.open.len() {
            self.open.push_back(std::mem::take(&mut self.spare));
        }
        self.open[number].join(rank, contribution)?;
        if self.open.front().is_some_and(|first| first.brought.len() == self.entered.len()) {
            self.spare = self.open.pop_front().expect("just looked at").emptied();
            self.over += 1;
        }
        Ok(())
    }

    /// The first collective that some ranks have come to and others have not, in this communicator's numbering.
    pub fn unjoined(&self) -> Option<Unjoined> {
        self.unjoined_at(0)
    }

    /// The last collective that `rank` has come to, if others have not.
    pub fn unjoined_by(&self, rank: Rank) -> Option<Unjoined> {
        self.unjoined_at(usize::try_from(self.entered[rank].checked_sub(self.over + 1)?).ok()?)
    }

    fn unjoined_at(&self, at: usize) -> Option<Unjoined> {
        let meeting = self.open.get(at)?;
        let call = |(rank, brings): &(Rank, Contribution)| Call { rank: *rank, site: brings.site };
        let has_come =
            |rank: Rank| usize::try_from(self.entered[rank] - self.over).is_ok_and(|past| past > at);
        Some(Unjoined {
            called: meeting.brought.iter().map(call).collect(),
            missing: (0..self.entered.len()).filter(|rank| !has_come(*rank)).collect(),
            more: self.open.len() - at - 1,
        })
    }
}

/// One collective: what those bring who have come, all of which fits together, and what of it decides about others.
#[derive(Clone, Debug, Default)]
struct Meeting {
    /// In the order of their coming.
    brought: Vec<(Rank, Contribution)>,
    /// The root that somebody names.
    root: Option<Rank>,
    /// The type that somebody names.
    layout: Option<Layout>,
    /// The reduction that somebody asks for.
    operation: Option<Operation>,
    /// Who in [`brought`](Self::brought) has a table first.
    table: Option<usize>,
}

impl Meeting {
    /// One more comes.
    fn join(&mut self, rank: Rank, contribution: Contribution) -> Result<(), Box<Mismatch>> {
        if !self.surely_fits(rank, &contribution)
            && let Some(mismatch) = self.mismatch(rank, &contribution)
        {
            return Err(Box::new(mismatch));
        }
        self.root = self.root.or(contribution.root);
        self.layout = self.layout.or(contribution.layout);
        self.operation = self.operation.or(contribution.operation);
        if let (None, Lengths::Table(_)) = (self.table, &contribution.lengths) {
            self.table = Some(self.brought.len());
        }
        self.brought.push((rank, contribution));
        Ok(())
    }

    /// Does it fit all that was brought, as far as can be told without going through it?
    fn surely_fits(&self, rank: Rank, contribution: &Contribution) -> bool {
        let Some((_, first)) = self.brought.first() else { return true };
        let Contribution { site, root, layout, lengths, operation } = contribution;
        site.verb == first.site.verb
            && !(*root, self.root).differ()
            && !(*layout, self.layout).differ()
            && !(*operation, self.operation).differ()
            && self.surely_fit(rank, lengths, &first.lengths)
    }

    /// Whoever has the table that is there fits all who fit that, and so does a block of the length that it says.
    fn surely_fit(&self, rank: Rank, lengths: &Lengths, first: &Lengths) -> bool {
        use Lengths::{Equal, Exchange, None, Own, Table};
        let table = self.table.map(|at| &self.brought[at].1.lengths);
        match (lengths, first) {
            (Equal(mine), Equal(first)) => mine == first,
            (None, None | Own(_)) => table.is_none(),
            (Own(_) | Table(_), None | Own(_) | Table(_)) => match (lengths, table) {
                (Own(length), Some(Table(table))) => table.get(rank) == Some(length),
                (Own(_), _) => true,
                (mine, table) => table == Some(mine),
            },
            (None | Own(_) | Table(_) | Equal(_) | Exchange(..), _) => false,
        }
    }

    /// The first one that came whose call does not fit.
    fn mismatch(&self, rank: Rank, contribution: &Contribution) -> Option<Mismatch> {
        self.brought.iter().find_map(|(other, theirs)| {
            let (code, what, than) = contribution.differs(rank, theirs, *other)?;
            let call = Call { rank, site: contribution.site };
            Some(Mismatch { code, call, what, earlier: Call { rank: *other, site: theirs.site }, than })
        })
    }

    /// Nobody has come; the room for those who will is kept.
    fn emptied(mut self) -> Self {
        self.brought.clear();
        Self { brought: self.brought, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verb;

    fn of(verb: Verb) -> Contribution {
        Contribution::of(Site::here(verb))
    }

    fn codes(first: &Contribution, second: &Contribution) -> Option<Code> {
        let mut roll = Roll::of(2);
        roll.enter(0, first.clone()).expect("alone");
        roll.enter(1, second.clone()).err().map(|mismatch| mismatch.code)
    }

    #[test]
    fn each_aspect_has_its_code() {
        let bcast = of(Verb::Bcast).root(0).elements(Layout::I64, Lengths::Equal(4));
        assert_eq!(codes(&bcast, &bcast.clone()), None);
        assert_eq!(codes(&bcast, &of(Verb::Barrier)), Some(Code::CollectiveOrder));
        assert_eq!(codes(&bcast, &bcast.clone().root(1)), Some(Code::CollectiveRoot));
        let other = |layout, length| bcast.clone().elements(layout, Lengths::Equal(length));
        assert_eq!(codes(&bcast, &other(Layout::F64, 4)), Some(Code::CollectiveType));
        assert_eq!(codes(&bcast, &other(Layout::I64, 5)), Some(Code::CollectiveCount));
        let reduce = |operation| of(Verb::Allreduce).operation(operation);
        let different = codes(&reduce(Operation::Sum), &reduce(Operation::Max));
        assert_eq!(different, Some(Code::CollectiveOperation));
    }

    #[test]
    fn tables_are_held_against_blocks_and_exchanges_pair_by_pair() {
        let brings = |lengths| of(Verb::Scatterv).elements(Layout::I64, lengths);
        let table = brings(Lengths::Table(vec![1, 3]));
        assert_eq!(codes(&table, &brings(Lengths::Own(3))), None);
        assert_eq!(codes(&table, &brings(Lengths::Own(2))), Some(Code::CollectiveCount));
        let zero = brings(Lengths::Exchange(vec![0, 5], vec![0, 2]));
        let one = |back| brings(Lengths::Exchange(vec![back, 1], vec![5, 1]));
        assert_eq!(codes(&zero, &one(2)), None);
        assert_eq!(codes(&zero, &one(3)), Some(Code::CollectiveCount));
    }

    #[test]
    fn a_rank_may_run_ahead_and_is_held_against_the_call_of_its_number() {
        let mut roll = Roll::of(2);
        for verb in [Verb::Barrier, Verb::Bcast, Verb::Barrier] {
            roll.enter(0, of(verb)).expect("alone");
        }
        roll.enter(1, of(Verb::Barrier)).expect("the first");
        roll.enter(1, of(Verb::Bcast)).expect("the second");
        let mismatch = roll.enter(1, of(Verb::Bcast)).expect_err("the third differs");
        assert_eq!((mismatch.call.rank, mismatch.earlier.rank), (1, 0));
        assert!(mismatch.to_string().contains("roll.rs:"), "{mismatch}");
    }

    #[test]
    fn who_has_not_come_to_which_collective_is_known() {
        let mut roll = Roll::of(3);
        let mut enter = |rank, verb| roll.enter(rank, of(verb)).expect("they fit");
        [0, 1, 2].into_iter().for_each(|rank| enter(rank, Verb::Barrier));
        [2, 0, 2]
            .into_iter()
            .zip([Verb::Bcast, Verb::Bcast, Verb::Scan])
            .for_each(|(rank, verb)| enter(rank, verb));
        let told = |open: Unjoined| {
            let called: Vec<_> = open.called.iter().map(|call| (call.rank, call.site.verb)).collect();
            (called, open.missing, open.more)
        };
        let bcast = Some((vec![(2, Verb::Bcast), (0, Verb::Bcast)], vec![1], 1));
        let scan = Some((vec![(2, Verb::Scan)], vec![0, 1], 0));
        assert_eq!(roll.unjoined().map(told), bcast);
        assert_eq!([0, 1, 2].map(|rank| roll.unjoined_by(rank).map(told)), [bcast, None, scan]);
    }

    /// Every way in which three ranks can come with one of these each: the roll says what comparing all pairs says.
    #[test]
    fn whoever_fits_fits_everybody_who_came_before() {
        let plain = || of(Verb::Gatherv).elements(Layout::I64, Lengths::None);
        let lengths = [
            Lengths::Own(1),
            Lengths::Own(2),
            Lengths::Equal(1),
            Lengths::Table(vec![1, 1, 2]),
            Lengths::Table(vec![2, 1, 1]),
            Lengths::Exchange(vec![1; 3], vec![1; 3]),
            Lengths::Exchange(vec![1, 2, 1], vec![1; 3]),
        ];
        let others = [of(Verb::Barrier), of(Verb::Gatherv), plain(), plain().root(1), plain().root(2)];
        let reduced = [Operation::Sum, Operation::Max].map(|operation| plain().operation(operation));
        let floats = plain().elements(Layout::F64, Lengths::Own(1));
        let with = lengths.map(|lengths| plain().elements(Layout::I64, lengths));
        let all: Vec<_> = with.into_iter().chain(others).chain(reduced).chain([floats]).collect();
        let mut refused = 0;
        for [first, second, third] in triples(&all) {
            let mut roll = Roll::of(3);
            let came = [(0, first), (2, second), (1, third)];
            for (at, (rank, brings)) in came.iter().enumerate() {
                let said = roll.enter(*rank, (*brings).clone()).err();
                let wanted = came[..at].iter().find_map(|(other, theirs)| {
                    let (code, ..) = brings.differs(*rank, theirs, *other)?;
                    Some((code, *other))
                });
                assert_eq!(said.as_ref().map(|said| (said.code, said.earlier.rank)), wanted, "{came:?}");
                if said.is_some() {
                    refused += 1;
                    break;
                }
            }
        }
        assert!(refused > 1000, "{refused} of {}", all.len().pow(3));
    }

    fn triples<T>(all: &[T]) -> impl Iterator<Item = [&T; 3]> {
        all.iter().flat_map(move |first| {
            all.iter().flat_map(move |second| all.iter().map(move |third| [first, second, third]))
        })
    }
}
