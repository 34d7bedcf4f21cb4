//! Barriers on shared cells, in each style and spacing.
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use wb_collectives::{
    Entry,
    catalogue::{AnyProgram, Setting},
    over::OverMemory,
    script::Style,
};
use wb_comm::{Barrier, Cells, Error, Patience, Rank, Result, Spacing, cells::required, text};
use wb_world::World;

use super::{
    Carrier, Ground, Place, Region, Words,
    counted::{Changes, Counted},
    shared_words::SharedWords,
};

/// See the module.
pub struct OnCells<'a> {
    /// Where the cells lie.
    pub ground: &'a dyn Ground,
    /// How signals become memory; counting programs have no choice.
    pub style: Style,
    /// How far apart.
    pub spacing: Spacing,
    /// For how many cores.
    pub cores: usize,
    /// Count the signals? Slower, since each verb is a dynamic call then.
    pub counted: bool,
    /// The nodes of the setting that is pretended.
    pub nodes: fn(usize) -> Vec<usize>,
}

impl OnCells<'_> {
    fn program(&self, entry: &Entry, rank: Rank, size: usize) -> Result<Box<dyn AnyProgram>> {
        let setting = Setting { nodes: (self.nodes)(size), ..Setting::of(size) };
        entry
            .in_memory(rank, &setting, self.style)
            .ok_or_else(|| Error::Setup(text::barrier::no_form(entry.name, "memory")))?
    }
}

impl Carrier for OnCells<'_> {
    fn name(&self) -> String {
        let counted = if self.counted { ", counted" } else { "" };
        format!("cells ({}, {}{counted})", self.style.name(), self.spacing.name())
    }

    fn place(&self, entry: &Entry, team: &World) -> Result<Box<dyn Place>> {
        let (rank, size) = (team.rank(), team.size());
        let program = self.program(entry, rank, size)?;
        let (cells, initial) = (program.cells(size), program.initial());
        // Some barriers need no cell in a group of one, and a region is never empty.
        let count = required(size, cells, self.spacing).max(1);
        let region = self.ground.region(team, count, initial)?;
        let words = self.completes(entry).then(|| SharedWords::on(self.ground, team)).transpose()?;
        Ok(Box::new(OwnCells {
            region,
            words,
            program: std::cell::Cell::new(Some(program)),
            cells,
            rank,
            size,
            spacing: self.spacing,
            patience: Patience::of(size, self.cores),
            given_up: Arc::clone(self.ground.given_up()),
            changes: self.counted.then(Changes::default),
        }))
    }

    fn signals(&self, entry: &Entry, size: usize) -> Option<usize> {
        entry.cost.filter(|_| self.counted).map(|cost| cost(size).messages)
    }

    fn completes(&self, entry: &Entry) -> bool {
        entry.promise.memory
    }

    fn can(&self, entry: &Entry, setting: &Setting) -> bool {
        entry.in_memory(0, setting, self.style).is_some_and(|program| program.is_ok())
    }
}

struct OwnCells {
    region: Box<dyn Region>,
    words: Option<SharedWords>,
    program: std::cell::Cell<Option<Box<dyn AnyProgram>>>,
    cells: usize,
    rank: Rank,
    size: usize,
    spacing: Spacing,
    patience: Patience,
    given_up: Arc<AtomicBool>,
    changes: Option<Changes>,
}

impl Place for OwnCells {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        let Self { rank, size, cells, spacing, patience, .. } = *self;
        let cells = Cells::new(self.region.atoms(), rank, size, cells, spacing, patience);
        let cells = cells.interrupted_by(&self.given_up);
        let program = self.program.take().expect("the handle is taken once");
        match &self.changes {
            Some(changes) => Box::new(OverMemory::new(program, Counted { memory: cells, changes })),
            None => Box::new(OverMemory::new(program, cells)),
        }
    }

    fn signals(&self) -> Option<[usize; 2]> {
        self.changes.as_ref().map(|changes| [changes.others.load(Relaxed), changes.own.load(Relaxed)])
    }

    fn words(&self) -> Option<&dyn Words> {
        self.words.as_ref().map(|words| words as &dyn Words)
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
