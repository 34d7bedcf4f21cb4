//! A memory and a transport that count the signals they carry.
use std::{
    cell::Cell as Counter,
    rc::Rc,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use wb_collectives::{catalogue::AnyProgram, over::Host};
use wb_comm::{
    Block, Cell, Label, Layout, Match, Memory, Op, Pending, Rank, Result, Site, Source, Status, Transport,
    Until, Window, WindowKind,
};

/// How often cells were changed.
#[derive(Debug, Default)]
pub struct Changes {
    /// Of other PEs: puts, adds and atomics.
    pub others: AtomicUsize,
    /// Of one's own.
    pub own: AtomicUsize,
}

/// Another memory; what changes cells is counted.
pub struct Counted<'a, M> {
    /// The memory.
    pub memory: M,
    /// So far.
    pub changes: &'a Changes,
}

impl<M: Memory> Counted<'_, M> {
    fn signal(&self, pe: Rank) {
        let own = pe == self.memory.rank();
        if own { &self.changes.own } else { &self.changes.others }.fetch_add(1, Relaxed);
    }
}

impl<M: Memory> Host for Counted<'_, M> {
    fn run(&mut self, program: &dyn AnyProgram, epoch: i64) -> Result<()> {
        program.on_memory(self, epoch)
    }
}

impl<M: Memory> Memory for Counted<'_, M> {
    fn rank(&self) -> Rank {
        self.memory.rank()
    }
    fn size(&self) -> usize {
        self.memory.size()
    }
    fn load(&mut self, cell: Cell) -> Result<i64> {
        self.memory.load(cell)
    }
    fn store(&mut self, cell: Cell, value: i64) -> Result<()> {
        self.signal(self.memory.rank());
        self.memory.store(cell, value)
    }
    fn put(&mut self, pe: Rank, cell: Cell, value: i64) -> Result<()> {
        self.signal(pe);
        self.memory.put(pe, cell, value)
    }
    fn add(&mut self, pe: Rank, cell: Cell, by: i64) -> Result<()> {
        self.signal(pe);
        self.memory.add(pe, cell, by)
    }
    fn get(&mut self, pe: Rank, cell: Cell) -> Result<i64> {
        self.memory.get(pe, cell)
    }
    fn fetch_add(&mut self, pe: Rank, cell: Cell, by: i64) -> Result<i64> {
        self.signal(pe);
        self.memory.fetch_add(pe, cell, by)
    }
    fn swap(&mut self, pe: Rank, cell: Cell, value: i64) -> Result<i64> {
        self.signal(pe);
        self.memory.swap(pe, cell, value)
    }
    fn compare_swap(&mut self, pe: Rank, cell: Cell, expected: i64, value: i64) -> Result<i64> {
        self.signal(pe);
        self.memory.compare_swap(pe, cell, expected, value)
    }
    fn wait(&mut self, cell: Cell, until: Until) -> Result<()> {
        self.memory.wait(cell, until)
    }
    fn poll(&mut self, pe: Rank, cell: Cell, until: Until) -> Result<()> {
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
pub struct CountedTransport {
    /// The transport.
    pub transport: Rc<dyn Transport>,
    /// Sends so far.
    pub sends: Rc<Counter<usize>>,
}

impl CountedTransport {
    fn count(&self, sends: usize) {
        self.sends.set(self.sends.get() + sends);
    }

    fn alike(&self, transport: Rc<dyn Transport>) -> Rc<dyn Transport> {
        Rc::new(Self { transport, sends: Rc::clone(&self.sends) })
    }
}

impl Transport for CountedTransport {
    fn contribute(&self, contribution: wb_comm::Contribution) -> Result<()> {
        self.transport.contribute(contribution)
    }
    fn rank(&self) -> Rank {
        self.transport.rank()
    }
    fn size(&self) -> usize {
        self.transport.size()
    }
    fn backend(&self) -> &'static str {
        self.transport.backend()
    }
    fn round(&self, ops: &mut [Op<'_>], site: Site) -> Result<()> {
        self.count(ops.iter().filter(|op| matches!(op, Op::Send { .. })).count());
        self.transport.round(ops, site)
    }
    fn post_send(
        &self,
        to: Rank,
        label: Label,
        data: Block,
        synchronous: bool,
        site: Site,
    ) -> Result<Box<dyn Pending>> {
        self.count(1);
        self.transport.post_send(to, label, data, synchronous, site)
    }
    fn post_recv(&self, from: Source, label: Match, into: Block, site: Site) -> Result<Box<dyn Pending>> {
        self.transport.post_recv(from, label, into, site)
    }
    fn probe(&self, from: Source, label: Match, site: Site) -> Result<Status> {
        self.transport.probe(from, label, site)
    }
    fn iprobe(&self, from: Source, label: Match, site: Site) -> Result<Option<Status>> {
        self.transport.iprobe(from, label, site)
    }
    fn split(&self, color: Option<u32>, key: i32, site: Site) -> Result<Option<Rc<dyn Transport>>> {
        Ok(self.transport.split(color, key, site)?.map(|part| self.alike(part)))
    }
    fn dup(&self, site: Site) -> Result<Rc<dyn Transport>> {
        Ok(self.alike(self.transport.dup(site)?))
    }
    fn window(&self, kind: WindowKind, layout: Layout, count: usize, site: Site) -> Result<Box<dyn Window>> {
        self.transport.window(kind, layout, count, site)
    }
    fn nodes(&self, site: Site) -> Result<Vec<usize>> {
        self.transport.nodes(site)
    }
    fn now(&self) -> u64 {
        self.transport.now()
    }
}
