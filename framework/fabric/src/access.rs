//! An access to a part of a window, as plain data: carried out where it is called, or on its way as a [`Flight`].
use std::sync::{Arc, Mutex};

use wb_comm::{Accumulation, Block, Layout, Operation, Rank, Until, View, ViewMut, Word};

use crate::{clock::Clock, part::Part};

/// What one rank does to the part of another. Its data are borrowed ([`View`]) or its own ([`Block`]).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access<D> {
    /// The member that calls.
    pub(crate) origin: Rank,
    /// The member whose part it is.
    pub(crate) target: Rank,
    /// The first element.
    pub(crate) at: usize,
    /// How many elements.
    pub(crate) count: usize,
    pub(crate) change: Change<D>,
    /// Does it bring back what was there before?
    pub(crate) brings: bool,
    /// Must it stay behind the ordered accesses of its origin before it? Accumulates must, put and get need not.
    pub(crate) ordered: bool,
}

/// What becomes of the elements.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change<D> {
    /// They stay.
    Nothing,
    /// They are combined with data.
    Combine(D, Accumulation),
    /// One element becomes a value, if it is as expected.
    Swap { expected: D, value: D },
    /// One 64-bit integer changes.
    Word(Word),
    /// They stay; the access takes place once one 64-bit integer is such.
    Await(Until),
}

/// Where the origin looks for what an access under way brings.
pub(crate) type Place = Arc<Mutex<Option<Block>>>;

/// An access on its way to its target, or its answer on the way back.
#[derive(Debug)]
pub struct Flight {
    /// Index of the window.
    pub(crate) window: usize,
    pub(crate) access: Access<Block>,
    /// What was there before, once it has taken place.
    pub(crate) brought: Option<Block>,
    /// Where that is to go.
    pub(crate) place: Option<Place>,
    /// What its origin knew, and then what it brings to know, where clocks are kept.
    pub(crate) clock: Option<Clock>,
}

impl<D> Access<D> {
    /// The same with its data in another form.
    fn with<'a, E>(&'a self, form: impl Fn(&'a D) -> E) -> Access<E> {
        let change = match &self.change {
            Change::Nothing => Change::Nothing,
            Change::Combine(data, how) => Change::Combine(form(data), *how),
            Change::Swap { expected, value } => Change::Swap { expected: form(expected), value: form(value) },
            Change::Word(becomes) => Change::Word(*becomes),
            Change::Await(until) => Change::Await(*until),
        };
        let Self { origin, target, at, count, brings, ordered, .. } = *self;
        Access { origin, target, at, count, change, brings, ordered }
    }

    /// Can somebody go on because of it?
    pub(crate) fn changes(&self) -> bool {
        !matches!(self.change, Change::Nothing | Change::Await(_))
    }

    /// Do those hear of it who fetch these elements later? Only what is atomic tells anybody anything.
    pub(crate) fn tells(&self) -> bool {
        let reads = matches!(self.change, Change::Combine(_, Accumulation::Keep) | Change::Word(Word::Keep));
        self.ordered && self.changes() && !reads
    }

    /// Does its origin hear of those who have changed these elements before?
    pub(crate) fn hears(&self) -> bool {
        self.ordered && self.brings || matches!(self.change, Change::Await(_))
    }

    /// Which elements of whom.
    pub(crate) fn elements(&self) -> (Rank, usize, usize) {
        (self.target, self.at, self.count)
    }

    /// May it take place now?
    pub(crate) fn is_due(&self, part: &Part) -> bool {
        match self.change {
            Change::Await(until) => until.admits(part.value(self.at)),
            _ => true,
        }
    }
}

/// Which elements an access touches, and how: enough to tell whether it matters which of two comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    window: usize,
    target: Rank,
    at: usize,
    count: usize,
    effect: Effect,
}

/// What becomes of elements that are touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Stay,
    /// They are combined with something and nobody sees what was there: with others of the same operation in any order.
    Combine(Operation),
    Change,
}

impl Footprint {
    /// Do the two touch a common element, and come to something else in the other order?
    pub fn conflicts(&self, other: &Self) -> bool {
        let end = (self.at + self.count).min(other.at + other.count);
        let common = self.at.max(other.at) < end;
        let one_part = (self.window, self.target) == (other.window, other.target);
        let commute = self.effect == other.effect && self.effect != Effect::Change;
        one_part && common && !commute
    }
}

impl Flight {
    /// What it touches. `is_watched`: somebody waits for a value there, and sees each.
    pub(crate) fn footprint(&self, is_watched: bool) -> Footprint {
        let Access { target, at, count, brings, .. } = self.access;
        let effect = match &self.access.change {
            Change::Nothing | Change::Await(_) | Change::Combine(_, Accumulation::Keep) => Effect::Stay,
            // Sums of floating-point numbers are rounded in their order.
            Change::Combine(data, Accumulation::With(how))
                if !brings && !is_watched && !matches!(data.view().layout(), Layout::F32 | Layout::F64) =>
            {
                Effect::Combine(*how)
            }
            Change::Word(Word::Keep) => Effect::Stay,
            Change::Combine(..) | Change::Swap { .. } | Change::Word(_) => Effect::Change,
        };
        Footprint { window: self.window, target, at, count, effect }
    }

    /// Must it stay behind one that left before it?
    pub(crate) fn stays_behind(&self, earlier: &Self) -> bool {
        let (mine, theirs) = (&self.access, &earlier.access);
        let one_way = (mine.origin, mine.target) == (theirs.origin, theirs.target);
        self.window == earlier.window && one_way && mine.ordered && theirs.ordered
    }
}

impl Access<View<'_>> {
    /// With data of its own.
    pub(crate) fn to_owned(self) -> Access<Block> {
        self.with(|data| {
            let mut copy = Block::zeroed(data.layout(), data.count());
            copy.view_mut().bytes().copy_from_slice(data.bytes());
            copy
        })
    }

    /// How many bytes go to the target.
    pub(crate) fn bytes(&self) -> usize {
        match self.change {
            Change::Nothing | Change::Word(Word::Keep) => 0,
            Change::Combine(data, _) => data.bytes().len(),
            Change::Swap { expected, value } => expected.bytes().len() + value.bytes().len(),
            Change::Word(Word::Swap { .. }) => 2 * size_of::<i64>(),
            Change::Word(Word::Add(_) | Word::Replace(_)) | Change::Await(_) => size_of::<i64>(),
        }
    }

    /// Takes place: copies out what is there and changes it, as one.
    pub(crate) fn carry_out(&self, part: &mut Part, before: Option<ViewMut<'_>>) {
        if let Some(before) = before {
            part.read(self.at, before);
        }
        match self.change {
            Change::Nothing | Change::Await(_) => {}
            Change::Combine(data, how) => part.accumulate(self.at, data, how),
            Change::Swap { expected, value } => part.swap(self.at, expected, value),
            Change::Word(becomes) => {
                part.word(self.at, becomes);
            }
        }
    }
}

impl Access<Block> {
    /// To look at.
    pub(crate) fn view(&self) -> Access<View<'_>> {
        self.with(Block::view)
    }
}
