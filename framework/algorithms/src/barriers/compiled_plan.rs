//! A pattern in memory: its plan, with every signal given a cell.
//!
//! Each signal (sender, receiver, slot) has one cell and one writer, and the cell only grows: in episode b it must have
//! reached b (or n b, for a signal that is given n times an episode). No cell is reset, so no signal is lost to a fast
//! neighbour. Compilation happens once; an episode executes a list of steps.
use std::collections::HashMap;

use wb_comm::{CellIndex, Error, Memory, Rank, Result, Until, text::barrier};

use crate::barriers::{BarrierProgram, MemoryOrdering, Plan, PlanStep, Slot};

/// The encoding of a signal in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SignalEncoding {
    /// Add 1 to a cell of the receiver, which waits on its own memory: right under any order of delivery.
    Add,
    /// Put the count into a cell of the receiver, which waits on its own memory: right where puts of one PE to one cell
    /// arrive in order, as in shared memory, and cheaper there.
    Put,
    /// Store the count into an own cell, which the receivers read repeatedly (Ascend's pull).
    Pull,
}

impl SignalEncoding {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Add, Self::Put, Self::Pull];

    /// `"add"`, `"put"`, `"pull"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Put => "put",
            Self::Pull => "pull",
        }
    }
}

/// The value of a cell after the `nth` of its `per` signals in an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EpochCount {
    nth: i64,
    per: i64,
}

impl EpochCount {
    #[inline]
    fn in_episode(self, epoch: i64) -> i64 {
        (epoch - 1) * self.per + self.nth
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CompiledStep {
    Add { pe: Rank, cell: CellIndex },
    Put { pe: Rank, cell: CellIndex, count: EpochCount },
    Store { cell: CellIndex, count: EpochCount },
    Wait { cell: CellIndex, count: EpochCount },
    Poll { pe: Rank, cell: CellIndex, count: EpochCount },
}

/// One rank's part, ready to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledPlan {
    encoding: SignalEncoding,
    cells: usize,
    steps: Vec<CompiledStep>,
}

/// The senders and slots of the signals, in the receiver's order.
type SignalKey = (Rank, Slot);

impl CompiledPlan {
    /// The part of `rank`, from every rank's plans.
    ///
    /// # Errors
    /// [`Error::Setup`]: a rank is signalled without waiting for it, or waits for a signal that no rank sends.
    pub fn from_plans(rank: Rank, plans: &[Plan], encoding: SignalEncoding) -> Result<Self> {
        match encoding {
            SignalEncoding::Add | SignalEncoding::Put => Self::compile_push(rank, plans, encoding),
            SignalEncoding::Pull => Self::compile_pull(rank, plans),
        }
    }

    fn compile_push(rank: Rank, plans: &[Plan], encoding: SignalEncoding) -> Result<Self> {
        let waits: Vec<_> = plans.iter().map(wait_cells).collect();
        let mut seen: HashMap<(Rank, SignalKey), i64> = HashMap::new();
        let mut steps = vec![];
        for step in &plans[rank].steps {
            let (owner, key) = match *step {
                PlanStep::Signal { to, slot, .. } => (to, (rank, slot)),
                PlanStep::Wait { from, slot } => (rank, (from, slot)),
            };
            let &(cell, per) = waits
                .get(owner)
                .and_then(|keys| keys.get(&key))
                .ok_or_else(|| Error::Setup(barrier::not_waited(rank, owner)))?;
            let nth = seen.entry((owner, key)).or_default();
            *nth += 1;
            let count = EpochCount { nth: *nth, per };
            steps.push(match (step, encoding) {
                (PlanStep::Wait { .. }, _) => CompiledStep::Wait { cell, count },
                (PlanStep::Signal { .. }, SignalEncoding::Put) => {
                    CompiledStep::Put { pe: owner, cell, count }
                }
                (PlanStep::Signal { .. }, _) => CompiledStep::Add { pe: owner, cell },
            });
        }
        let cells = waits.iter().map(HashMap::len).max().unwrap_or_default();
        Ok(Self { encoding, cells, steps })
    }

    fn compile_pull(rank: Rank, plans: &[Plan]) -> Result<Self> {
        let stores: Vec<_> = plans.iter().map(store_cells).collect();
        let mut waits: HashMap<SignalKey, usize> = HashMap::new();
        let mut steps = vec![];
        let once = EpochCount { nth: 1, per: 1 };
        let mut stored = None;
        for (at, step) in plans[rank].steps.iter().enumerate() {
            steps.push(match *step {
                PlanStep::Signal { .. } => {
                    let cell = stores[rank].cell_of_step[&at];
                    if stored == Some(cell) {
                        continue;
                    }
                    stored = Some(cell);
                    CompiledStep::Store { cell, count: once }
                }
                PlanStep::Wait { from, slot } => {
                    let nth = waits.entry((from, slot)).or_default();
                    let cells = stores.get(from).and_then(|stores| stores.cells_of.get(&(rank, slot)));
                    let cell = *cells
                        .and_then(|cells| cells.get(*nth))
                        .ok_or_else(|| Error::Setup(barrier::not_signalled(rank, from)))?;
                    *nth += 1;
                    CompiledStep::Poll { pe: from, cell, count: once }
                }
            });
        }
        let cells = stores.iter().map(|stores| stores.cells).max().unwrap_or_default();
        Ok(Self { encoding: SignalEncoding::Pull, cells, steps })
    }

    /// The number of steps of an episode.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether it has no steps, as in a group of one.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Takes the step of that number if it need not wait; returns whether it did.
    ///
    /// # Errors
    /// The errors of the memory.
    ///
    /// # Panics
    /// When the step does not exist.
    pub fn try_step<M: Memory>(&self, number: usize, m: &mut M, epoch: i64) -> Result<bool> {
        match self.steps[number] {
            CompiledStep::Wait { cell, count } => m.test(cell, Until::AtLeast(count.in_episode(epoch))),
            CompiledStep::Poll { pe, cell, count } => Ok(m.get(pe, cell)? >= count.in_episode(epoch)),
            other => other.execute(m, epoch).map(|()| true),
        }
    }
}

impl CompiledStep {
    #[inline]
    fn execute<M: Memory>(self, m: &mut M, epoch: i64) -> Result<()> {
        match self {
            Self::Add { pe, cell } => m.add(pe, cell, 1),
            Self::Put { pe, cell, count } => m.put(pe, cell, count.in_episode(epoch)),
            Self::Store { cell, count } => m.store(cell, count.in_episode(epoch)),
            Self::Wait { cell, count } => m.wait(cell, Until::AtLeast(count.in_episode(epoch))),
            Self::Poll { pe, cell, count } => m.poll(pe, cell, Until::AtLeast(count.in_episode(epoch))),
        }
    }
}

impl BarrierProgram for CompiledPlan {
    fn cells(&self, _size: usize) -> usize {
        self.cells
    }

    fn required_ordering(&self) -> MemoryOrdering {
        match self.encoding {
            SignalEncoding::Add | SignalEncoding::Pull => MemoryOrdering::UNORDERED,
            SignalEncoding::Put => MemoryOrdering::FIFO,
        }
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        self.steps.iter().try_for_each(|step| step.execute(m, epoch))
    }
}

/// The signals for which a rank waits: the cell of each, in the order of its plan, and the number of waits for it in an
/// episode.
fn wait_cells(plan: &Plan) -> HashMap<SignalKey, (CellIndex, i64)> {
    let mut keys: HashMap<SignalKey, (CellIndex, i64)> = HashMap::new();
    for step in &plan.steps {
        if let PlanStep::Wait { from, slot } = *step {
            let next = keys.len();
            keys.entry((from, slot)).or_insert((next, 0)).1 += 1;
        }
    }
    keys
}

/// The own cells that a rank stores for pulling: one for all signals of a slot without a wait between them.
#[derive(Default)]
struct StoreCells {
    cells: usize,
    cell_of_step: HashMap<usize, CellIndex>,
    /// For each receiver and slot its cells, in the order of signalling.
    cells_of: HashMap<SignalKey, Vec<CellIndex>>,
}

fn store_cells(plan: &Plan) -> StoreCells {
    let mut stores = StoreCells::default();
    let mut open: Option<Slot> = None;
    for (at, step) in plan.steps.iter().enumerate() {
        let PlanStep::Signal { to, slot, .. } = *step else {
            open = None;
            continue;
        };
        let again =
            stores.cells_of.get(&(to, slot)).is_some_and(|cells| cells.last() == Some(&(stores.cells - 1)));
        if open != Some(slot) || again {
            stores.cells += 1;
            open = Some(slot);
        }
        stores.cell_of_step.insert(at, stores.cells - 1);
        stores.cells_of.entry((to, slot)).or_default().push(stores.cells - 1);
    }
    stores
}
