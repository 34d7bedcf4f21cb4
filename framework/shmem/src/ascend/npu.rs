//! One PE: the memory of its cores, its view of the memory between PEs, and the actions of its host.
//!
//! Cores are threads of this process. The memory between PEs is a slice of atomics that all PEs see, whichever PE owns an element: a
//! vector where PEs share a process, a shared window of MPI where each is a process of its own. Cores never call MPI.
use std::{
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicI64, Ordering::Relaxed},
    },
    thread,
};

use wb_comm::{Cells, Spacing, SpinPolicy, cells::required_len};

use crate::{
    ascend::{AscendMachine, Core, Error, NpuTeam, Result, layout},
    team_slots::{SLOTS, TeamSlots},
};

/// One PE: the private memory of its cores, its view of the memory between PEs, and the calls of its host.
#[derive(Debug)]
pub struct Npu<'a> {
    pub(crate) machine: AscendMachine,
    pub(crate) pe: usize,
    inter_pe_memory: &'a [AtomicI64],
    core_memory: Vec<AtomicI64>,
    stop: &'a AtomicBool,
    spin_policy: SpinPolicy,
    host: Mutex<HostState>,
    /// The generation of each slot that is in use here; 0: none.
    generations: [AtomicI64; SLOTS],
}

/// The state of a PE's host.
#[derive(Debug)]
pub(crate) struct HostState {
    pub(crate) slots: TeamSlots,
}

impl<'a> Npu<'a> {
    /// Atomics, initially 0, that the PEs of `machine` need between them.
    pub fn required(machine: &AscendMachine) -> usize {
        required_len(machine.pes, layout::pe_cells(machine), Spacing::Packed)
    }

    /// PE number `pe`. Setting `stop` ends every wait of its cores.
    ///
    /// # Errors
    /// What [`AscendMachine::check`] finds; [`Error::Pe`]; [`Error::Memory`] for a slice that is too short.
    pub fn new(
        machine: AscendMachine,
        pe: usize,
        inter_pe_memory: &'a [AtomicI64],
        stop: &'a AtomicBool,
    ) -> Result<Self> {
        machine.check()?;
        if pe >= machine.pes {
            return Err(Error::Pe { pe, pes: machine.pes });
        }
        let (got, needed) = (inter_pe_memory.len(), Self::required(&machine));
        if got < needed {
            return Err(Error::Memory { got, needed });
        }
        let cells = required_len(machine.cores_per_pe(), layout::core_cells(&machine), Spacing::Packed);
        let cores = (0..cells).map(|_| AtomicI64::new(0)).collect();
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let spin_policy = SpinPolicy::for_participants(machine.pes * machine.cores_per_pe(), processors);
        let host = HostState { slots: TeamSlots::default() };
        let generations = std::array::from_fn(|slot| AtomicI64::new(i64::from(slot == 0)));
        Ok(Self {
            machine,
            pe,
            inter_pe_memory,
            core_memory: cores,
            stop,
            spin_policy,
            host: Mutex::new(host),
            generations,
        })
    }

    /// This PE's number.
    pub fn pe(&self) -> usize {
        self.pe
    }

    /// The machine it belongs to.
    pub fn machine(&self) -> &AscendMachine {
        &self.machine
    }

    /// The memory between PEs, as this PE.
    pub(crate) fn inter_pe_memory(&self) -> Cells<'_> {
        let (pes, cells) = (self.machine.pes, layout::pe_cells(&self.machine));
        Cells::new(self.inter_pe_memory, self.pe, pes, cells, Spacing::Packed, self.spin_policy)
            .with_interrupt(self.stop)
    }

    /// The memory of this PE's cores, as core `core`.
    pub(crate) fn core_memory(&self, core: usize) -> Cells<'_> {
        let (cores, cells) = (self.machine.cores_per_pe(), layout::core_cells(&self.machine));
        Cells::new(&self.core_memory, core, cores, cells, Spacing::Packed, self.spin_policy)
            .with_interrupt(self.stop)
    }

    /// Ends every wait of every core, since one has failed.
    pub(crate) fn stop_all(&self) {
        self.stop.store(true, Relaxed);
    }

    /// The number of this PE in an existing team.
    pub(crate) fn member(&self, team: &NpuTeam) -> Result<usize> {
        let index = team.index(self.pe)?;
        match self.generations[team.slot].load(Relaxed) == team.generation {
            true => Ok(index),
            false => Err(Error::Destroyed { team: team.name() }),
        }
    }

    /// Sets the generation of the slot; 0: none.
    pub(crate) fn set_generation(&self, slot: usize, generation: i64) {
        self.generations[slot].store(generation, Relaxed);
    }

    pub(crate) fn host(&self) -> MutexGuard<'_, HostState> {
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
                scope.spawn(move || self.run_core(core, kernel))
            };
            let threads: Vec<_> = (0..self.machine.cores_per_pe()).map(start).collect();
            threads.into_iter().map(|thread| thread.join().expect("panics are caught")).collect()
        });
        first_failure(results)
    }

    /// Runs `kernel` as one core, in this thread.
    pub(crate) fn run_core<R>(&self, core: usize, kernel: &dyn Fn(&mut Core<'_>) -> Result<R>) -> Result<R> {
        let run = std::panic::AssertUnwindSafe(|| kernel(&mut Core::new(self, core)));
        let result = std::panic::catch_unwind(run).unwrap_or(Err(Error::Panicked { core, pe: self.pe }));
        if result.is_err() {
            self.stop_all();
        }
        result
    }
}

/// All return values, or the error that explains the others.
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
