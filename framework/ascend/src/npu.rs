//! One PE: the memory of its cores, its view of the memory between PEs, and what its host does.
//!
//! Cores are threads of this process. The memory between PEs is a slice of atomics that all PEs see, whoever owns it: a
//! vector where PEs share a process, a shared window of MPI where each is a process of its own. Cores never call MPI.
use std::{
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicI64, Ordering::Relaxed},
    },
    thread,
};

use wb_comm::{Cells, Patience, Spacing, cells::required};
use wb_shmem::{
    partial::PairCounters,
    slots::{SLOTS, Slots},
};

use crate::{Core, Error, Machine, Result, Team, layout};

/// See the module.
#[derive(Debug)]
pub struct Npu<'a> {
    pub(crate) machine: Machine,
    pub(crate) pe: usize,
    between: &'a [AtomicI64],
    cores: Vec<AtomicI64>,
    stop: &'a AtomicBool,
    patience: Patience,
    host: Mutex<Host>,
    /// Which use of each slot is going on here; 0: none.
    generations: [AtomicI64; SLOTS],
}

/// What the host of a PE remembers.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) slots: Slots,
    pub(crate) pairs: PairCounters,
}

impl<'a> Npu<'a> {
    /// Atomics, all 0 in the beginning, that the PEs of `machine` need between them.
    pub fn required(machine: &Machine) -> usize {
        required(machine.pes, layout::pe_cells(machine), Spacing::Packed)
    }

    /// PE number `pe`. Setting `stop` ends every wait of its cores.
    ///
    /// # Errors
    /// What [`Machine::check`] finds; [`Error::Pe`]; [`Error::Memory`] for a slice that is too short.
    pub fn new(machine: Machine, pe: usize, between: &'a [AtomicI64], stop: &'a AtomicBool) -> Result<Self> {
        machine.check()?;
        if pe >= machine.pes {
            return Err(Error::Pe { pe, pes: machine.pes });
        }
        let (got, needed) = (between.len(), Self::required(&machine));
        if got < needed {
            return Err(Error::Memory { got, needed });
        }
        let cells = required(machine.cores_each(), layout::core_cells(&machine), Spacing::Packed);
        let cores = (0..cells).map(|_| AtomicI64::new(0)).collect();
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let patience = Patience::of(machine.pes * machine.cores_each(), processors);
        let host = Host { slots: Slots::default(), pairs: PairCounters::new(0, machine.pes) };
        let generations = std::array::from_fn(|slot| AtomicI64::new(i64::from(slot == 0)));
        Ok(Self { machine, pe, between, cores, stop, patience, host: Mutex::new(host), generations })
    }

    /// This PE's number.
    pub fn pe(&self) -> usize {
        self.pe
    }

    /// The machine it belongs to.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The memory between PEs, as this PE.
    pub(crate) fn between(&self) -> Cells<'_> {
        let (pes, cells) = (self.machine.pes, layout::pe_cells(&self.machine));
        Cells::new(self.between, self.pe, pes, cells, Spacing::Packed, self.patience)
            .interrupted_by(self.stop)
    }

    /// The memory of this PE's cores, as core `core`.
    pub(crate) fn cores(&self, core: usize) -> Cells<'_> {
        let (cores, cells) = (self.machine.cores_each(), layout::core_cells(&self.machine));
        Cells::new(&self.cores, core, cores, cells, Spacing::Packed, self.patience).interrupted_by(self.stop)
    }

    /// Ends every wait of every core, since one has failed.
    pub(crate) fn give_up(&self) {
        self.stop.store(true, Relaxed);
    }

    /// The number of this PE in a team that exists.
    pub(crate) fn member(&self, team: &Team) -> Result<usize> {
        let index = team.index(self.pe)?;
        match self.generations[team.slot].load(Relaxed) == team.generation {
            true => Ok(index),
            false => Err(Error::Destroyed { team: team.name() }),
        }
    }

    /// From now on the slot's use is this one; 0: none.
    pub(crate) fn set_generation(&self, slot: usize, generation: i64) {
        self.generations[slot].store(generation, Relaxed);
    }

    pub(crate) fn host(&self) -> MutexGuard<'_, Host> {
        self.host.lock().expect("nothing panics while the host's state is held")
    }

    /// Every core runs `kernel`; gives what each returned. A core that fails or panics ends the others' waits.
    ///
    /// # Errors
    /// The first core's error that is not the consequence of another's; [`Error::Panicked`].
    pub fn run<R: Send>(&self, kernel: impl Fn(&mut Core<'_>) -> Result<R> + Sync) -> Result<Vec<R>> {
        let results: Vec<_> = thread::scope(|scope| {
            let start = |core| {
                let kernel = &kernel;
                scope.spawn(move || self.guarded(core, kernel))
            };
            let threads: Vec<_> = (0..self.machine.cores_each()).map(start).collect();
            threads.into_iter().map(|thread| thread.join().expect("panics are caught")).collect()
        });
        first_failure(results)
    }

    /// Runs `kernel` as one core, in this thread.
    pub(crate) fn guarded<R>(&self, core: usize, kernel: &dyn Fn(&mut Core<'_>) -> Result<R>) -> Result<R> {
        let run = std::panic::AssertUnwindSafe(|| kernel(&mut Core::new(self, core)));
        let result = std::panic::catch_unwind(run).unwrap_or(Err(Error::Panicked { core, pe: self.pe }));
        if result.is_err() {
            self.give_up();
        }
        result
    }
}

/// All that was returned, or the error that explains the others.
pub(crate) fn first_failure<R>(results: Vec<Result<R>>) -> Result<Vec<R>> {
    let failed = |cause: bool| {
        let mut errors = results.iter().filter_map(|result| result.as_ref().err());
        errors.find(|error| !cause || !error.is_consequence()).cloned()
    };
    match failed(true).or_else(|| failed(false)) {
        Some(error) => Err(error),
        None => results.into_iter().collect(),
    }
}
