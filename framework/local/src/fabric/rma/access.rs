//! An access to a part of a window, as plain data: applied within the call, or in flight as an [`InFlightAccess`].
use std::sync::{Arc, Mutex};

use wb_comm::{Accumulation, Block, Datatype, Operation, Rank, Until, View, ViewMut, WordUpdate};

use crate::fabric::{races::vector_clock::VectorClock, rma::window_part::WindowPart};

/// An access of one rank to the part of another. Its data are borrowed ([`View`]) or owned ([`Block`]).
#[derive(Clone, Copy, Debug)]
pub(crate) struct RmaOperation<D> {
    /// The member that calls.
    pub(crate) origin: Rank,
    /// The member that owns the part.
    pub(crate) target: Rank,
    /// The first element.
    pub(crate) at: usize,
    /// The number of elements.
    pub(crate) count: usize,
    pub(crate) update: TargetUpdate<D>,
    /// Whether it fetches the former value.
    pub(crate) is_fetching: bool,
    /// Whether it must stay behind the earlier ordered accesses of its origin. Accumulates must, put and get need not.
    pub(crate) is_ordered: bool,
}

/// How the elements change.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TargetUpdate<D> {
    /// They do not change.
    Read,
    /// They are combined with data.
    Accumulate(D, Accumulation),
    /// One element becomes a value, if it is equal to the expected one.
    CompareAndSwap { expected: D, value: D },
    /// One 64-bit integer changes.
    Word(WordUpdate),
    /// They do not change; the access takes place once one 64-bit integer satisfies the condition.
    WaitUntil(Until),
}

/// The slot in which the origin finds the data of a fetching access.
pub(crate) type FetchSlot = Arc<Mutex<Option<Block>>>;

/// An access in flight to its target, or its reply.
#[derive(Debug)]
pub struct InFlightAccess {
    /// Index of the window.
    pub(crate) window: usize,
    pub(crate) access: RmaOperation<Block>,
    /// The former value, once it has taken place.
    pub(crate) fetched: Option<Block>,
    /// The slot for the fetched data.
    pub(crate) fetch_slot: Option<FetchSlot>,
    /// The clock of its origin, and then the clock that it acquires, if clocks are kept.
    pub(crate) clock: Option<VectorClock>,
}

impl<D> RmaOperation<D> {
    /// The same with its data in another form.
    fn map_data<'a, E>(&'a self, form: impl Fn(&'a D) -> E) -> RmaOperation<E> {
        let change = match &self.update {
            TargetUpdate::Read => TargetUpdate::Read,
            TargetUpdate::Accumulate(data, op) => TargetUpdate::Accumulate(form(data), *op),
            TargetUpdate::CompareAndSwap { expected, value } => {
                TargetUpdate::CompareAndSwap { expected: form(expected), value: form(value) }
            }
            TargetUpdate::Word(becomes) => TargetUpdate::Word(*becomes),
            TargetUpdate::WaitUntil(until) => TargetUpdate::WaitUntil(*until),
        };
        let Self { origin, target, at, count, is_fetching: call, is_ordered: ordered, .. } = *self;
        RmaOperation { origin, target, at, count, update: change, is_fetching: call, is_ordered: ordered }
    }

    /// Whether a waiting rank may continue because of it.
    pub(crate) fn is_write(&self) -> bool {
        !matches!(self.update, TargetUpdate::Read | TargetUpdate::WaitUntil(_))
    }

    /// Whether later fetches of these elements acquire its clock. Only atomic accesses release a clock.
    pub(crate) fn releases_clock(&self) -> bool {
        let reads = matches!(
            self.update,
            TargetUpdate::Accumulate(_, Accumulation::Keep) | TargetUpdate::Word(WordUpdate::Keep)
        );
        self.is_ordered && self.is_write() && !reads
    }

    /// Whether its origin acquires the clocks of earlier changes of these elements.
    pub(crate) fn acquires_clock(&self) -> bool {
        self.is_ordered && self.is_fetching || matches!(self.update, TargetUpdate::WaitUntil(_))
    }

    /// The target, the first element and the number of elements.
    pub(crate) fn elements(&self) -> (Rank, usize, usize) {
        (self.target, self.at, self.count)
    }

    /// Whether it can take place now.
    pub(crate) fn is_ready(&self, part: &WindowPart) -> bool {
        match self.update {
            TargetUpdate::WaitUntil(until) => until.matches(part.value(self.at)),
            _ => true,
        }
    }
}

/// The elements that an access touches, and how: enough to decide whether the order of two accesses matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessFootprint {
    window: usize,
    target: Rank,
    at: usize,
    count: usize,
    effect: Effect,
}

/// The effect of an access on its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Read,
    /// They are combined with data and the former value is not observed: commutes with others of the same operation.
    Accumulate(Operation),
    Write,
}

impl AccessFootprint {
    /// Whether the two touch a common element, and have another result in the other order.
    pub fn conflicts(&self, other: &Self) -> bool {
        let end = (self.at + self.count).min(other.at + other.count);
        let common = self.at.max(other.at) < end;
        let one_part = (self.window, self.target) == (other.window, other.target);
        let commute = self.effect == other.effect && self.effect != Effect::Write;
        one_part && common && !commute
    }
}

impl InFlightAccess {
    /// The footprint of the access. `is_watched`: a rank waits for a value there, and sees each.
    pub(crate) fn footprint(&self, is_watched: bool) -> AccessFootprint {
        let RmaOperation { target, at, count, is_fetching: call, .. } = self.access;
        let effect = match &self.access.update {
            TargetUpdate::Read
            | TargetUpdate::WaitUntil(_)
            | TargetUpdate::Accumulate(_, Accumulation::Keep) => Effect::Read,
            // The rounding of floating-point sums depends on their order.
            TargetUpdate::Accumulate(data, Accumulation::With(op))
                if !call
                    && !is_watched
                    && !matches!(data.view().datatype(), Datatype::F32 | Datatype::F64) =>
            {
                Effect::Accumulate(*op)
            }
            TargetUpdate::Word(WordUpdate::Keep) => Effect::Read,
            TargetUpdate::Accumulate(..) | TargetUpdate::CompareAndSwap { .. } | TargetUpdate::Word(_) => {
                Effect::Write
            }
        };
        AccessFootprint { window: self.window, target, at, count, effect }
    }

    /// Whether it must stay behind `earlier`, which left before it.
    pub(crate) fn must_follow(&self, earlier: &Self) -> bool {
        let (mine, theirs) = (&self.access, &earlier.access);
        let one_way = (mine.origin, mine.target) == (theirs.origin, theirs.target);
        self.window == earlier.window && one_way && mine.is_ordered && theirs.is_ordered
    }
}

impl RmaOperation<View<'_>> {
    /// The operation with owned data.
    pub(crate) fn to_owned(self) -> RmaOperation<Block> {
        self.map_data(|data| {
            let mut copy = Block::zeroed(data.datatype(), data.count());
            copy.view_mut().bytes().copy_from_slice(data.bytes());
            copy
        })
    }

    /// The number of bytes that go to the target.
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

    /// Applies the access atomically: copies the former value out and changes it.
    pub(crate) fn apply(&self, part: &mut WindowPart, before: Option<ViewMut<'_>>) {
        if let Some(before) = before {
            part.read(self.at, before);
        }
        match self.update {
            TargetUpdate::Read | TargetUpdate::WaitUntil(_) => {}
            TargetUpdate::Accumulate(data, op) => part.accumulate(self.at, data, op),
            TargetUpdate::CompareAndSwap { expected, value } => part.swap(self.at, expected, value),
            TargetUpdate::Word(becomes) => {
                part.update_word(self.at, becomes);
            }
        }
    }
}

impl RmaOperation<Block> {
    /// The operation with borrowed data.
    pub(crate) fn as_view(&self) -> RmaOperation<View<'_>> {
        self.map_data(Block::view)
    }
}
