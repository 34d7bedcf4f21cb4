//! An access to a part of a window, as plain data: carried out where it is called, or on its way as an [`InFlightAccess`].
use std::sync::{Arc, Mutex};

use wb_comm::{Accumulation, Block, Datatype, Operation, Rank, Until, View, ViewMut, WordUpdate};

use crate::{races::vector_clock::VectorClock, rma::window_part::WindowPart};

/// What one rank does to the part of another. Its data are borrowed ([`View`]) or its own ([`Block`]).
#[derive(Clone, Copy, Debug)]
pub(crate) struct RmaOperation<D> {
    /// The member that calls.
    pub(crate) origin: Rank,
    /// The member whose part it is.
    pub(crate) target: Rank,
    /// The first element.
    pub(crate) at: usize,
    /// How many elements.
    pub(crate) count: usize,
    pub(crate) update: TargetUpdate<D>,
    /// Does it bring back what was there before?
    pub(crate) is_fetching: bool,
    /// Must it stay behind the ordered accesses of its origin before it? Accumulates must, put and get need not.
    pub(crate) is_ordered: bool,
}

/// What becomes of the elements.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TargetUpdate<D> {
    /// They stay.
    Read,
    /// They are combined with data.
    Accumulate(D, Accumulation),
    /// One element becomes a value, if it is as expected.
    CompareAndSwap { expected: D, value: D },
    /// One 64-bit integer changes.
    Word(WordUpdate),
    /// They stay; the access takes place once one 64-bit integer is such.
    WaitUntil(Until),
}

/// Where the origin looks for what an access under way brings.
pub(crate) type FetchSlot = Arc<Mutex<Option<Block>>>;

/// An access on its way to its target, or its answer on the way back.
#[derive(Debug)]
pub struct InFlightAccess {
    /// Index of the window.
    pub(crate) window: usize,
    pub(crate) access: RmaOperation<Block>,
    /// What was there before, once it has taken place.
    pub(crate) fetched: Option<Block>,
    /// Where that is to go.
    pub(crate) fetch_slot: Option<FetchSlot>,
    /// What its origin knew, and then what it brings to know, where clocks are kept.
    pub(crate) clock: Option<VectorClock>,
}

impl<D> RmaOperation<D> {
    /// The same with its data in another form.
    fn map_data<'a, E>(&'a self, form: impl Fn(&'a D) -> E) -> RmaOperation<E> {
        let change = match &self.update {
            TargetUpdate::Read => TargetUpdate::Read,
            TargetUpdate::Accumulate(data, how) => TargetUpdate::Accumulate(form(data), *how),
            TargetUpdate::CompareAndSwap { expected, value } => {
                TargetUpdate::CompareAndSwap { expected: form(expected), value: form(value) }
            }
            TargetUpdate::Word(becomes) => TargetUpdate::Word(*becomes),
            TargetUpdate::WaitUntil(until) => TargetUpdate::WaitUntil(*until),
        };
        let Self { origin, target, at, count, is_fetching: call, is_ordered: ordered, .. } = *self;
        RmaOperation { origin, target, at, count, update: change, is_fetching: call, is_ordered: ordered }
    }

    /// Can somebody go on because of it?
    pub(crate) fn is_write(&self) -> bool {
        !matches!(self.update, TargetUpdate::Read | TargetUpdate::WaitUntil(_))
    }

    /// Do those hear of it who fetch these elements later? Only what is atomic tells anybody anything.
    pub(crate) fn releases_clock(&self) -> bool {
        let reads = matches!(
            self.update,
            TargetUpdate::Accumulate(_, Accumulation::Keep) | TargetUpdate::Word(WordUpdate::Keep)
        );
        self.is_ordered && self.is_write() && !reads
    }

    /// Does its origin hear of those who have changed these elements before?
    pub(crate) fn acquires_clock(&self) -> bool {
        self.is_ordered && self.is_fetching || matches!(self.update, TargetUpdate::WaitUntil(_))
    }

    /// Which elements of whom.
    pub(crate) fn elements(&self) -> (Rank, usize, usize) {
        (self.target, self.at, self.count)
    }

    /// May it take place now?
    pub(crate) fn is_ready(&self, part: &WindowPart) -> bool {
        match self.update {
            TargetUpdate::WaitUntil(until) => until.matches(part.value(self.at)),
            _ => true,
        }
    }
}

/// Which elements an access touches, and how: enough to tell whether it matters which of two comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessFootprint {
    window: usize,
    target: Rank,
    at: usize,
    count: usize,
    effect: Effect,
}

/// What becomes of elements that are touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Read,
    /// They are combined with something and nobody sees what was there: with others of the same operation in any order.
    Accumulate(Operation),
    Write,
}

impl AccessFootprint {
    /// Do the two touch a common element, and come to something else in the other order?
    pub fn conflicts(&self, other: &Self) -> bool {
        let end = (self.at + self.count).min(other.at + other.count);
        let common = self.at.max(other.at) < end;
        let one_part = (self.window, self.target) == (other.window, other.target);
        let commute = self.effect == other.effect && self.effect != Effect::Write;
        one_part && common && !commute
    }
}

impl InFlightAccess {
    /// What it touches. `is_watched`: somebody waits for a value there, and sees each.
    pub(crate) fn footprint(&self, is_watched: bool) -> AccessFootprint {
        let RmaOperation { target, at, count, is_fetching: call, .. } = self.access;
        let effect = match &self.access.update {
            TargetUpdate::Read
            | TargetUpdate::WaitUntil(_)
            | TargetUpdate::Accumulate(_, Accumulation::Keep) => Effect::Read,
            // Sums of floating-point numbers are rounded in their order.
            TargetUpdate::Accumulate(data, Accumulation::With(how))
                if !call
                    && !is_watched
                    && !matches!(data.view().datatype(), Datatype::F32 | Datatype::F64) =>
            {
                Effect::Accumulate(*how)
            }
            TargetUpdate::Word(WordUpdate::Keep) => Effect::Read,
            TargetUpdate::Accumulate(..) | TargetUpdate::CompareAndSwap { .. } | TargetUpdate::Word(_) => {
                Effect::Write
            }
        };
        AccessFootprint { window: self.window, target, at, count, effect }
    }

    /// Must it stay behind one that left before it?
    pub(crate) fn must_follow(&self, earlier: &Self) -> bool {
        let (mine, theirs) = (&self.access, &earlier.access);
        let one_way = (mine.origin, mine.target) == (theirs.origin, theirs.target);
        self.window == earlier.window && one_way && mine.is_ordered && theirs.is_ordered
    }
}

impl RmaOperation<View<'_>> {
    /// With data of its own.
    pub(crate) fn to_owned(self) -> RmaOperation<Block> {
        self.map_data(|data| {
            let mut copy = Block::zeroed(data.datatype(), data.count());
            copy.view_mut().bytes().copy_from_slice(data.bytes());
            copy
        })
    }

    /// How many bytes go to the target.
    pub(crate) fn bytes(&self) -> usize {
        match self.update {
            TargetUpdate::Read | TargetUpdate::Word(WordUpdate::Keep) => 0,
            TargetUpdate::Accumulate(data, _) => data.bytes().len(),
            TargetUpdate::CompareAndSwap { expected, value } => expected.bytes().len() + value.bytes().len(),
            TargetUpdate::Word(WordUpdate::Swap { .. }) => 2 * size_of::<i64>(),
            TargetUpdate::Word(WordUpdate::Add(_) | WordUpdate::Replace(_)) | TargetUpdate::WaitUntil(_) => {
                size_of::<i64>()
            }
        }
    }

    /// Takes place: copies out what is there and changes it, as one.
    pub(crate) fn apply(&self, part: &mut WindowPart, before: Option<ViewMut<'_>>) {
        if let Some(before) = before {
            part.read(self.at, before);
        }
        match self.update {
            TargetUpdate::Read | TargetUpdate::WaitUntil(_) => {}
            TargetUpdate::Accumulate(data, how) => part.accumulate(self.at, data, how),
            TargetUpdate::CompareAndSwap { expected, value } => part.swap(self.at, expected, value),
            TargetUpdate::Word(becomes) => {
                part.update_word(self.at, becomes);
            }
        }
    }
}

impl RmaOperation<Block> {
    /// To look at.
    pub(crate) fn as_view(&self) -> RmaOperation<View<'_>> {
        self.map_data(Block::view)
    }
}
