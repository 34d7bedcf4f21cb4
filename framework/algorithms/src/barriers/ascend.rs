//! Ascend's three levels: cores of an NPU (a PE), NPUs, and the composition of both.
//!
//! A core sees two memories: its PE's, which the cores share, and the one between PEs, in which every core acts *as its
//! PE*. Level 1 is a barrier on the first, level 2 one on the second that only vector cores execute. The composition is
//! L1, L2, L1: all cores of each PE arrive; then the PEs synchronise; then the cores that did so release the others. No
//! PE passes the second L1 before the working cores do, since they take part in it.
//!
//! A PE counts its barriers in a counter in its cores' memory. It is read *before* the first core barrier and written
//! before the second. If it were read after the first, a slow core could read the value that a fast one has already
//! written, and would wait for a barrier that no PE enters (`wrong/counter_after_meeting` shows the shortest run).
use wb_comm::{Memory, Rank, Result, Until};

use crate::barriers::{BarrierProgram, MemorySubset, logarithm::ceil_log2};

/// A core's view.
pub trait CoreContext {
    /// This core's number among the vector cores; `None` for a cube core, which does not take part in level 2.
    fn vector_core(&self) -> Option<usize>;

    /// The number of vector cores of the PE.
    fn vector_cores(&self) -> usize;

    /// Level 1: returns once every core of the PE has called it the same number of times.
    ///
    /// # Errors
    /// The errors of the memory; the same for the other functions.
    fn core_barrier(&mut self) -> Result<()>;

    /// The memory between PEs, as this core's PE.
    fn pe_memory(&mut self) -> impl Memory + '_;

    /// The number of barriers that the PE has finished.
    ///
    /// # Errors
    /// See [`core_barrier`](Self::core_barrier).
    fn counter(&mut self) -> Result<i64>;

    /// Sets the counter; one core does.
    ///
    /// # Errors
    /// See [`core_barrier`](Self::core_barrier).
    fn set_counter(&mut self, value: i64) -> Result<()>;
}

/// A barrier of PEs that their vector cores execute together.
pub trait NpuBarrier {
    /// The number of cells that each of `pes` PEs needs.
    fn cells(&self, pes: usize) -> usize;

    /// The number of core barriers within it.
    fn core_barriers(&self, _pes: usize) -> usize {
        0
    }

    /// One core's part of episode `epoch` = 1, 2, 3, ...
    ///
    /// # Errors
    /// The errors of the memory.
    fn episode<L: CoreContext>(&self, core: &mut L, epoch: i64) -> Result<()>;
}

/// The composition L1, L2, L1, as one core executes it. Completes the memory operations of all cores first.
///
/// # Errors
/// The errors of the memories.
pub fn three_levels<L: CoreContext, N: NpuBarrier>(core: &mut L, npus: &N) -> Result<()> {
    core.pe_memory().quiet()?;
    let epoch = core.counter()? + 1;
    core.core_barrier()?;
    npus.episode(core, epoch)?;
    if core.vector_core() == Some(0) {
        core.set_counter(epoch)?;
    }
    core.core_barrier()
}

/// A barrier of PEs as a program of its own: every PE has one core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OneCore<N>(pub N);

impl<N: NpuBarrier> BarrierProgram for OneCore<N> {
    fn cells(&self, size: usize) -> usize {
        self.0.cells(size)
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        match m.size() {
            1 => Ok(()),
            _ => self.0.episode(&mut SingleCore(m), epoch),
        }
    }
}

/// A program as a barrier of PEs: vector core 0 of each PE executes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByFirstCore<P>(pub P);

impl<P: BarrierProgram> NpuBarrier for ByFirstCore<P> {
    fn cells(&self, pes: usize) -> usize {
        self.0.cells(pes)
    }

    #[inline]
    fn episode<L: CoreContext>(&self, core: &mut L, epoch: i64) -> Result<()> {
        match core.vector_core() {
            Some(0) => self.0.episode(&mut core.pe_memory(), epoch),
            _ => Ok(()),
        }
    }
}

struct SingleCore<'a, M>(&'a mut M);

impl<M: Memory> CoreContext for SingleCore<'_, M> {
    fn vector_core(&self) -> Option<usize> {
        Some(0)
    }
    fn vector_cores(&self) -> usize {
        1
    }
    fn core_barrier(&mut self) -> Result<()> {
        Ok(())
    }
    fn pe_memory(&mut self) -> impl Memory + '_ {
        &mut *self.0
    }
    fn counter(&mut self) -> Result<i64> {
        Ok(0)
    }
    fn set_counter(&mut self, _value: i64) -> Result<()> {
        Ok(())
    }
}

/// The composition in one memory whose participants are the cores of all PEs; a PE's cells are those of its first core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreeLevels<C, N> {
    cores: C,
    npus: N,
    /// The cores of each PE, ascending.
    members: Vec<Vec<Rank>>,
    /// The first core of each PE.
    leaders: Vec<Rank>,
}

/// The PE's counter, a cell of its first core.
const COUNTER: usize = 0;

impl<C: BarrierProgram, N: NpuBarrier> ThreeLevels<C, N> {
    /// `cores` at level 1, `npus` at level 2; `pes` contains the PE of every core.
    pub fn new(cores: C, npus: N, pes: &[usize]) -> Self {
        let mut numbers = pes.to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        let of = |pe: &usize| (0..pes.len()).filter(|&core| pes[core] == *pe).collect();
        let members: Vec<Vec<Rank>> = numbers.iter().map(of).collect();
        let leaders = members.iter().map(|cores| cores[0]).collect();
        Self { cores, npus, members, leaders }
    }
}

impl<C: BarrierProgram, N: NpuBarrier> BarrierProgram for ThreeLevels<C, N> {
    fn cells(&self, size: usize) -> usize {
        1 + self.cores.cells(size) + self.npus.cells(self.leaders.len())
    }

    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let rank = m.rank();
        let place = |(pe, cores): (usize, &Vec<Rank>)| Some((pe, cores.iter().position(|&c| c == rank)?));
        let Some((pe, core)) = self.members.iter().enumerate().find_map(place) else {
            let made = self.members.iter().flatten().count();
            return Err(wb_comm::Error::Setup(wb_comm::text::barrier::made_for_others(made, m.size())));
        };
        let core_barriers = 2 + self.npus.core_barriers(self.leaders.len()) as i64;
        let passed = (epoch - 1) * core_barriers;
        three_levels(&mut EmulatedCore { levels: self, m, pe, core, core_barriers: passed }, &self.npus)
    }
}

struct EmulatedCore<'a, C, N, M> {
    levels: &'a ThreeLevels<C, N>,
    m: &'a mut M,
    pe: usize,
    core: usize,
    /// The number of core barriers of this PE so far.
    core_barriers: i64,
}

impl<C: BarrierProgram, N: NpuBarrier, M: Memory> CoreContext for EmulatedCore<'_, C, N, M> {
    fn vector_core(&self) -> Option<usize> {
        Some(self.core)
    }
    fn vector_cores(&self) -> usize {
        self.levels.members[self.pe].len()
    }
    fn core_barrier(&mut self) -> Result<()> {
        self.core_barriers += 1;
        let cores = &self.levels.members[self.pe];
        self.levels.cores.episode(&mut MemorySubset::new(self.m, cores, self.core, 1), self.core_barriers)
    }
    fn pe_memory(&mut self) -> impl Memory + '_ {
        let first = 1 + self.levels.cores.cells(self.m.size());
        MemorySubset::new(self.m, &self.levels.leaders, self.pe, first)
    }
    fn counter(&mut self) -> Result<i64> {
        self.m.get(self.levels.leaders[self.pe], COUNTER)
    }
    fn set_counter(&mut self, value: i64) -> Result<()> {
        self.m.store(COUNTER, value)
    }
}

/// Dissemination by epochs: round k puts the epoch into slot k of the PE 2^k further on, and waits for the own slot k.
/// The caller orders earlier operations.
#[inline]
pub(crate) fn disseminate<M: Memory>(m: &mut M, epoch: i64, until: Until) -> Result<()> {
    let (me, size) = (m.rank(), m.size());
    for k in 0..ceil_log2(size) {
        m.put((me + (1 << k)) % size, k, epoch)?;
        m.wait(k, until)?;
    }
    Ok(())
}

/// The condition of Ascend's wait: the peer's epoch, or one more if it has already continued to the next barrier.
///
/// The peer cannot be two ahead, and the waiter may never see the first of the two values: a wait for equality could
/// wait for ever.
pub(crate) fn at_epoch_or_next(epoch: i64) -> Until {
    Until::Either(epoch, epoch + 1)
}
