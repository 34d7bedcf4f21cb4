//! The resources from which a rank builds its forms: its communicator, and memory that all ranks share.
//!
//! Forms borrow these resources. They are stored in arenas, built collectively in the order of the forms, and freed
//! collectively after all forms.
use std::{
    cell::{Cell, OnceCell},
    rc::Rc,
    sync::atomic::AtomicI64,
};

use crate::calls::CallBench;
use typed_arena::Arena;
use wb_algorithms::{
    barriers::GroupConfig,
    collectives::{Algorithms, shared_memory::SharedCollectives},
};
use wb_comm::{
    Assertion, CallSite, Datatype, ErasedWindow, Error, Operation, Result, SpinPolicy, Transport, Verb, View,
    WindowKind, text,
};

/// The smallest number of atomics in a shared window for the cells of all forms.
const POOL_CELLS: usize = 1 << 17;

/// The alignment of each form's cells in atomics: the distance of padded cells.
const ALIGNMENT: usize = 16;

/// The resources that forms borrow.
#[derive(Default)]
pub(crate) struct BenchArena {
    transports: Arena<Rc<dyn Transport>>,
    windows: Arena<Box<dyn ErasedWindow>>,
    /// Windows in a passive epoch for their whole lifetime.
    locked_windows: Arena<Box<dyn ErasedWindow>>,
    pub(crate) segments: Arena<SharedCollectives>,
}

impl BenchArena {
    /// Collective: frees all resources.
    pub(crate) fn clear(self) -> Result<()> {
        for window in self.locked_windows.into_vec() {
            window.unlock_all(site())?;
            window.free(site())?;
        }
        self.segments.into_vec().into_iter().try_for_each(|segment| segment.free(site()))?;
        self.windows.into_vec().into_iter().try_for_each(|window| window.free(site()))
    }
}

/// One rank's tools.
pub(crate) struct BarrierBench<'g> {
    /// All ranks.
    pub(crate) transport: &'g dyn Transport,
    /// The number of ranks and their nodes.
    pub(crate) group: GroupConfig,
    /// The spin policy of waits in memory.
    pub(crate) spin_policy: SpinPolicy,
    pub(crate) arena: &'g BenchArena,
    /// What all calls of collective operations share, once the first of them is built.
    pub(crate) calls: OnceCell<Rc<CallBench<'g>>>,
    pool: Cell<&'g [AtomicI64]>,
}

/// The call site of the laboratory's own calls.
#[track_caller]
pub(crate) fn site() -> CallSite {
    CallSite::caller(Verb::Barrier)
}

impl<'g> BarrierBench<'g> {
    /// Collective: creates the resources of a rank.
    pub(crate) fn new(
        transport: &'g dyn Transport,
        spin_policy: SpinPolicy,
        arena: &'g BenchArena,
    ) -> Result<Self> {
        let nodes = transport.nodes(site())?;
        let group = GroupConfig { nodes, ..GroupConfig::new(transport.size()) };
        let (calls, pool) = (OnceCell::new(), Cell::new(&[][..]));
        Ok(Self { transport, group, spin_policy, arena, calls, pool })
    }

    pub(crate) fn rank(&self) -> usize {
        self.transport.rank()
    }

    /// Collective: the same ranks, separate messages.
    pub(crate) fn duplicate(&self) -> Result<&'g dyn Transport> {
        Ok(&**self.arena.transports.alloc(self.transport.dup(site())?))
    }

    /// Collective: a window of `count` 64-bit elements on each rank.
    pub(crate) fn window(&self, kind: WindowKind, count: usize) -> Result<&'g dyn ErasedWindow> {
        let window = self.transport.window(kind, Datatype::I64, count, site())?;
        Ok(&**self.arena.windows.alloc(window))
    }

    /// Collective: a window of `count` words on each rank, each with the value `initial`, accessible to remote atomics
    /// of all ranks.
    ///
    /// The initial values are visible after a synchronisation of all ranks after building.
    pub(crate) fn locked_window(&self, count: usize, initial: i64) -> Result<&'g dyn ErasedWindow> {
        let window = self.transport.window(WindowKind::Allocate, Datatype::I64, count, site())?;
        window.write(0, View::from_slice(&vec![initial; count]))?;
        window.lock_all(Assertion::default(), site())?;
        Ok(&**self.arena.locked_windows.alloc(window))
    }

    /// Collective: `count` atomics that all ranks map, each with the value `initial`.
    ///
    /// The initial values are visible after a synchronisation of all ranks after building.
    pub(crate) fn cells(&self, count: usize, initial: i64) -> Result<&'g [AtomicI64]> {
        let wanted = count.next_multiple_of(ALIGNMENT);
        if self.pool.get().len() < wanted {
            let each = wanted.max(POOL_CELLS).div_ceil(self.group.size);
            let window = self.window(WindowKind::Shared, each)?;
            let shared = window.shared_words();
            self.pool.set(shared.ok_or_else(|| Error::Setup(text::window::not_shared()))?);
        }
        let (cells, rest) = self.pool.get().split_at(wanted);
        self.pool.set(rest);
        if self.rank() == 0 {
            cells.iter().for_each(|cell| cell.store(initial, std::sync::atomic::Ordering::SeqCst));
        }
        Ok(cells)
    }

    /// Collective: the maximum over all ranks, element by element.
    pub(crate) fn allreduce_max(&self, mine: &[u64]) -> Result<Vec<u64>> {
        let mut all = vec![0; mine.len()];
        Algorithms(self.transport).allreduce(mine, &mut all, Operation::Max, site())?;
        Ok(all)
    }
}
