//! Barriers on shared cells, in each style and spacing.
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use wb_algorithms::barriers::{
    BarrierEntry, ErasedProgram, GroupConfig, adapters::MemoryBarrier, compiled_plan::SignalEncoding,
};
use wb_comm::{Barrier, Cells, Error, Rank, Result, Spacing, SpinPolicy, cells::required_len, text};
use wb_world::World;

use super::{
    BarrierInstance, BarrierProvider, PutWords, Region, TeamMemory,
    counting::{ChangeCounts, CountingMemory},
    shared_words::SharedWords,
};

/// Barriers on the cells of a team's memory, in one signal encoding and spacing.
pub struct CellBarriers<'a> {
    /// The memory of the cells.
    pub memory: &'a dyn TeamMemory,
    /// The encoding of signals in memory; counting programs have no choice.
    pub encoding: SignalEncoding,
    /// The spacing of the cells.
    pub spacing: Spacing,
    /// For how many cores.
    pub cores: usize,
    /// Count the signals? Slower, since each verb is a dynamic call then.
    pub counts_signals: bool,
    /// The nodes of the setting that is pretended.
    pub nodes: fn(usize) -> Vec<usize>,
}

impl CellBarriers<'_> {
    fn program(&self, entry: &BarrierEntry, rank: Rank, size: usize) -> Result<Box<dyn ErasedProgram>> {
        let config = GroupConfig { nodes: (self.nodes)(size), ..GroupConfig::new(size) };
        entry
            .in_memory(rank, &config, self.encoding)
            .ok_or_else(|| Error::Setup(text::barrier::no_form(entry.name, "memory")))?
    }
}

impl BarrierProvider for CellBarriers<'_> {
    fn name(&self) -> String {
        let counted = if self.counts_signals { ", counted" } else { "" };
        format!("cells ({}, {}{counted})", self.encoding.name(), self.spacing.name())
    }

    fn build(&self, entry: &BarrierEntry, team: &World) -> Result<Box<dyn BarrierInstance>> {
        let (rank, size) = (team.rank(), team.size());
        let program = self.program(entry, rank, size)?;
        let (cells, initial) = (program.cells(size), program.initial());
        // Some barriers need no cell in a group of one, and a region is never empty.
        let count = required_len(size, cells, self.spacing).max(1);
        let region = self.memory.region(team, count, initial)?;
        let words = self.completes_memory(entry).then(|| SharedWords::new(self.memory, team)).transpose()?;
        Ok(Box::new(CellInstance {
            region,
            words,
            program: std::cell::Cell::new(Some(program)),
            cells,
            rank,
            size,
            spacing: self.spacing,
            spin_policy: SpinPolicy::for_participants(size, self.cores),
            stop_flag: Arc::clone(self.memory.stop_flag()),
            changes: self.counts_signals.then(ChangeCounts::default),
        }))
    }

    fn signals(&self, entry: &BarrierEntry, size: usize) -> Option<usize> {
        entry.cost.filter(|_| self.counts_signals).map(|cost| cost(size).messages)
    }

    fn completes_memory(&self, entry: &BarrierEntry) -> bool {
        entry.guarantee.memory
    }

    fn supports(&self, entry: &BarrierEntry, config: &GroupConfig) -> bool {
        entry.in_memory(0, config, self.encoding).is_some_and(|program| program.is_ok())
    }
}

struct CellInstance {
    region: Box<dyn Region>,
    words: Option<SharedWords>,
    program: std::cell::Cell<Option<Box<dyn ErasedProgram>>>,
    cells: usize,
    rank: Rank,
    size: usize,
    spacing: Spacing,
    spin_policy: SpinPolicy,
    stop_flag: Arc<AtomicBool>,
    changes: Option<ChangeCounts>,
}

impl BarrierInstance for CellInstance {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        let Self { rank, size, cells, spacing, spin_policy, .. } = *self;
        let cells = Cells::new(self.region.atoms(), rank, size, cells, spacing, spin_policy);
        let cells = cells.with_interrupt(&self.stop_flag);
        let program = self.program.take().expect("the handle is taken once");
        match &self.changes {
            Some(changes) => Box::new(MemoryBarrier::new(program, CountingMemory { memory: cells, changes })),
            None => Box::new(MemoryBarrier::new(program, cells)),
        }
    }

    fn signals(&self) -> Option<[usize; 2]> {
        self.changes.as_ref().map(|changes| [changes.others.load(Relaxed), changes.own.load(Relaxed)])
    }

    fn put_words(&self) -> Option<&dyn PutWords> {
        self.words.as_ref().map(|words| words as &dyn PutWords)
    }

    fn values(&self) -> Vec<i64> {
        let stride = self.spacing.stride();
        let atoms = self.region.atoms().iter().step_by(stride).take(self.size * self.cells);
        atoms.map(|atom| atom.load(Relaxed)).collect()
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.words.map_or(Ok(()), SharedWords::close)?;
        self.region.close()
    }
}
