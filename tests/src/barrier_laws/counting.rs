//! A memory and a transport that count the signals they carry.
use std::{
    cell::Cell as Counter,
    rc::Rc,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use wb_algorithms::barriers::{ErasedProgram, adapters::ErasedMemory};
use wb_comm::{
    Block, CallSite, CellIndex, Collectives, Memory, MessageTag, Op, Pending, Rank, Result, SendMode,
    Transport, TransportDecorator, Until,
};

/// The number of changes of cells.
#[derive(Debug, Default)]
pub struct ChangeCounts {
    /// Of other PEs: puts, adds and atomics.
    pub others: AtomicUsize,
    /// Of one's own.
    pub own: AtomicUsize,
}

/// Another memory; what changes cells is counted.
pub struct CountingMemory<'a, M> {
    /// The memory.
    pub memory: M,
    /// So far.
    pub changes: &'a ChangeCounts,
}

impl<M: Memory> CountingMemory<'_, M> {
    fn signal(&self, pe: Rank) {
        let own = pe == self.memory.rank();
        if own { &self.changes.own } else { &self.changes.others }.fetch_add(1, Relaxed);
    }
}

impl<M: Memory> ErasedMemory for CountingMemory<'_, M> {
    fn run(&mut self, program: &dyn ErasedProgram, epoch: i64) -> Result<()> {
        program.run_on_memory(self, epoch)
    }
}

impl<M: Memory> Memory for CountingMemory<'_, M> {
    fn rank(&self) -> Rank {
        self.memory.rank()
    }
    fn size(&self) -> usize {
        self.memory.size()
    }
    fn load(&mut self, cell: CellIndex) -> Result<i64> {
        self.memory.load(cell)
    }
    fn store(&mut self, cell: CellIndex, value: i64) -> Result<()> {
        self.signal(self.memory.rank());
        self.memory.store(cell, value)
    }
    fn put(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<()> {
        self.signal(pe);
        self.memory.put(pe, cell, value)
    }
    fn add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<()> {
        self.signal(pe);
        self.memory.add(pe, cell, by)
    }
    fn get(&mut self, pe: Rank, cell: CellIndex) -> Result<i64> {
        self.memory.get(pe, cell)
    }
    fn fetch_add(&mut self, pe: Rank, cell: CellIndex, by: i64) -> Result<i64> {
        self.signal(pe);
        self.memory.fetch_add(pe, cell, by)
    }
    fn swap(&mut self, pe: Rank, cell: CellIndex, value: i64) -> Result<i64> {
        self.signal(pe);
        self.memory.swap(pe, cell, value)
    }
    fn compare_swap(&mut self, pe: Rank, cell: CellIndex, expected: i64, value: i64) -> Result<i64> {
        self.signal(pe);
        self.memory.compare_swap(pe, cell, expected, value)
    }
    fn wait(&mut self, cell: CellIndex, until: Until) -> Result<()> {
        self.memory.wait(cell, until)
    }
    fn poll(&mut self, pe: Rank, cell: CellIndex, until: Until) -> Result<()> {
        self.memory.poll(pe, cell, until)
    }
    fn fence(&mut self) -> Result<()> {
        self.memory.fence()
    }
    fn quiet(&mut self) -> Result<()> {
        self.memory.quiet()
    }
}

/// Another transport without its library's collectives; sends are counted.
pub struct CountingTransport {
    /// The transport.
    pub transport: Rc<dyn Transport>,
    /// Sends so far.
    pub sends: Rc<Counter<usize>>,
}

impl CountingTransport {
    fn count(&self, sends: usize) {
        self.sends.set(self.sends.get() + sends);
    }
}

impl TransportDecorator for CountingTransport {
    fn inner(&self) -> &dyn Transport {
        &*self.transport
    }
    fn native_collectives(&self) -> Option<&dyn Collectives> {
        None
    }
    fn post_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()> {
        self.count(ops.iter().filter(|op| matches!(op, Op::Send { .. })).count());
        self.transport.post_and_wait(ops, site)
    }
    fn post_send(
        &self,
        to: Rank,
        tag: MessageTag,
        data: Block,
        mode: SendMode,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        self.count(1);
        self.transport.post_send(to, tag, data, mode, site)
    }
    fn decorate(&self, transport: Rc<dyn Transport>) -> Rc<dyn Transport> {
        Rc::new(Self { transport, sends: Rc::clone(&self.sends) })
    }
}
