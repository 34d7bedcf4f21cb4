//! What a rank builds its forms from: its communicator, and memory that all ranks share.
//!
//! Forms borrow what they run on. It lives in arenas here, is built collectively in the order of the forms, and is given
//! up collectively when all of them are gone.
use std::{cell::Cell, rc::Rc, sync::atomic::AtomicI64};

use typed_arena::Arena;
use wb_collectives::{Algorithms, catalogue::Setting};
use wb_comm::{
    Assertion, Collectives, Error, Layout, Operation, Patience, Result, Site, Transport, Verb, View, ViewMut,
    Window, WindowKind, text,
};

/// Cells of all forms come out of shared windows of at least this many atomics.
const POOL: usize = 1 << 17;

/// Atomics to which each form's cells are aligned: as far apart as padded cells.
const ALIGNMENT: usize = 16;

/// What forms borrow.
#[derive(Default)]
pub(crate) struct Ground {
    transports: Arena<Rc<dyn Transport>>,
    windows: Arena<Box<dyn Window>>,
    /// Those that stand in a passive epoch as long as they live.
    locked: Arena<Box<dyn Window>>,
}

impl Ground {
    /// Collective: gives everything up.
    pub(crate) fn clear(self) -> Result<()> {
        for window in self.locked.into_vec() {
            window.unlock_all(site())?;
            window.free(site())?;
        }
        self.windows.into_vec().into_iter().try_for_each(|window| window.free(site()))
    }
}

/// One rank's tools.
pub(crate) struct Bench<'g> {
    /// All ranks.
    pub(crate) transport: &'g dyn Transport,
    /// How many there are and on which nodes.
    pub(crate) setting: Setting,
    /// How long waits in memory spin.
    pub(crate) patience: Patience,
    ground: &'g Ground,
    pool: Cell<&'g [AtomicI64]>,
}

/// Where the laboratory calls from.
#[track_caller]
pub(crate) fn site() -> Site {
    Site::here(Verb::Barrier)
}

impl<'g> Bench<'g> {
    /// Collective.
    pub(crate) fn new(transport: &'g dyn Transport, cores: usize, ground: &'g Ground) -> Result<Self> {
        let nodes = transport.nodes(site())?;
        let size = transport.size();
        let setting = Setting { nodes, ..Setting::of(size) };
        let patience = Patience::of(size, cores);
        Ok(Self { transport, setting, patience, ground, pool: Cell::new(&[]) })
    }

    /// This rank.
    pub(crate) fn rank(&self) -> usize {
        self.transport.rank()
    }

    /// Collective: the same ranks, separate messages.
    pub(crate) fn channel(&self) -> Result<&'g dyn Transport> {
        Ok(&**self.ground.transports.alloc(self.transport.dup(site())?))
    }

    /// Collective: a window of so many 64-bit elements on each rank.
    pub(crate) fn window(&self, kind: WindowKind, count: usize) -> Result<&'g dyn Window> {
        let window = self.transport.window(kind, Layout::I64, count, site())?;
        Ok(&**self.ground.windows.alloc(window))
    }

    /// Collective: a window of `count` words on each rank, each holding `initial`, open to all for remote atomics.
    ///
    /// The words hold it once all ranks have met after building.
    pub(crate) fn words(&self, count: usize, initial: i64) -> Result<&'g dyn Window> {
        let window = self.transport.window(WindowKind::Allocate, Layout::I64, count, site())?;
        window.write(0, View::of(&vec![initial; count]))?;
        window.lock_all(Assertion::default(), site())?;
        Ok(&**self.ground.locked.alloc(window))
    }

    /// Collective: `count` atomics that all ranks map, each holding `initial`.
    ///
    /// They hold it once all ranks have met after building.
    pub(crate) fn cells(&self, count: usize, initial: i64) -> Result<&'g [AtomicI64]> {
        let wanted = count.next_multiple_of(ALIGNMENT);
        if self.pool.get().len() < wanted {
            let each = wanted.max(POOL).div_ceil(self.setting.size);
            let window = self.window(WindowKind::Shared, each)?;
            let shared = window.shared();
            self.pool.set(shared.ok_or_else(|| Error::Setup(text::window::not_shared()))?);
        }
        let (cells, rest) = self.pool.get().split_at(wanted);
        self.pool.set(rest);
        if self.rank() == 0 {
            cells.iter().for_each(|cell| cell.store(initial, std::sync::atomic::Ordering::SeqCst));
        }
        Ok(cells)
    }

    /// Collective: the largest of what all ranks say, element by element.
    pub(crate) fn largest(&self, mine: &[u64]) -> Result<Vec<u64>> {
        let mut all = vec![0; mine.len()];
        let (send, recv) = (View::of(mine), ViewMut::of(&mut all));
        Algorithms(self.transport).allreduce(send, recv, Operation::Max, site())?;
        Ok(all)
    }
}
