//! A barrier on a substrate: [`MemoryBarrier`] and [`MessageBarrier`], and the two phases of patterns.
use std::ops::{Deref, Range};

use wb_comm::{
    Barrier, CallSite, Cells, ErasedWindow, Error, Memory, MessageTag, Op, Pending, RemoteMemory, Result,
    SendMode, Source, SplitBarrier, Transport, View, ViewMut, text,
};

use crate::barriers::{
    BarrierEntry, ErasedProgram, GroupConfig, Plan, PlanStep,
    blocking::{can_block, entry_can_block},
    compiled_plan::CompiledPlan,
};

/// A memory on which a program with an erased type can run.
pub trait ErasedMemory: Memory {
    /// One episode.
    ///
    /// # Errors
    /// The errors of the memory.
    fn run(&mut self, program: &dyn ErasedProgram, epoch: i64) -> Result<()>;
}

impl ErasedMemory for Cells<'_> {
    #[inline]
    fn run(&mut self, program: &dyn ErasedProgram, epoch: i64) -> Result<()> {
        program.run_on_cells(self, epoch)
    }
}

impl<W: Deref<Target: ErasedWindow>> ErasedMemory for RemoteMemory<W> {
    fn run(&mut self, program: &dyn ErasedProgram, epoch: i64) -> Result<()> {
        program.run_on_memory(self, epoch)
    }
}

impl ErasedMemory for &mut dyn Memory {
    fn run(&mut self, program: &dyn ErasedProgram, epoch: i64) -> Result<()> {
        program.run_on_memory(self, epoch)
    }
}

/// A barrier in memory whose cells hold the program's initial value. All episodes run on this one memory.
pub struct MemoryBarrier<M> {
    program: Box<dyn ErasedProgram>,
    memory: M,
    epoch: i64,
}

impl<M: ErasedMemory> MemoryBarrier<M> {
    /// Before the first episode.
    pub fn new(program: Box<dyn ErasedProgram>, memory: M) -> Self {
        Self { program, memory, epoch: 0 }
    }
}

impl<M: ErasedMemory> Barrier for MemoryBarrier<M> {
    #[inline]
    fn wait(&mut self) -> Result<()> {
        self.epoch += 1;
        self.memory.run(&*self.program, self.epoch)
    }
}

/// A pattern on some memory, in two phases.
pub struct SplitMemoryBarrier<M> {
    plan: CompiledPlan,
    memory: M,
    epoch: i64,
    /// The next step; after the last step no episode is open.
    next_step: usize,
}

impl<M: Memory> SplitMemoryBarrier<M> {
    /// Before the first episode.
    pub fn new(plan: CompiledPlan, memory: M) -> Self {
        Self { next_step: plan.len(), plan, memory, epoch: 0 }
    }
}

impl<M: Memory> SplitBarrier for SplitMemoryBarrier<M> {
    fn arrive(&mut self) -> Result<()> {
        if self.next_step < self.plan.len() {
            return Err(episode_open_error());
        }
        self.epoch += 1;
        self.next_step = 0;
        self.poll().map(drop)
    }

    fn poll(&mut self) -> Result<bool> {
        while self.next_step < self.plan.len() {
            if !self.plan.try_step(self.next_step, &mut self.memory, self.epoch)? {
                return Ok(false);
            }
            self.next_step += 1;
        }
        Ok(true)
    }
}

impl<M: Memory> Barrier for SplitMemoryBarrier<M> {
    fn wait(&mut self) -> Result<()> {
        self.arrive()?;
        while !self.poll()? {
            std::hint::spin_loop();
        }
        Ok(())
    }
}

fn episode_open_error() -> Error {
    Error::Setup(text::barrier::still_open())
}

/// Internal tags from here on are barrier slots; those below belong to `CollectiveContext` of `wb_algorithms::collectives`.
const FIRST_SLOT_TAG: i32 = 1 << 8;

/// A pattern as zero-byte messages of a two-sided transport.
///
/// Steps that need not wait for each other are posted together: the receives that follow some sends, up to the next
/// send. So a linear barrier's root receives in any order, and an exchange is one `MPI_Sendrecv`. An episode allocates
/// no memory.
///
/// Only one barrier at a time may use a transport (take a `dup`): the messages of two over overlapping groups would
/// match each other. It borrows the transport or owns it: `T` is a `&dyn Transport` or an `Rc<dyn Transport>`.
pub struct MessageBarrier<T> {
    transport: T,
    site: CallSite,
    ops: Vec<Op<'static>>,
    rounds: Vec<Range<usize>>,
    /// The posted operations of a split episode's round, and the number of the next round.
    pending: Vec<Box<dyn Pending>>,
    next_round: usize,
}

impl<T: Deref<Target: Transport>> MessageBarrier<T> {
    /// For episodes called at `site`.
    ///
    /// # Panics
    /// When the plan is not this rank's.
    pub fn new(plan: &Plan, transport: T, site: CallSite) -> Self {
        assert_eq!((plan.rank, plan.size), (transport.rank(), transport.size()), "another rank's plan");
        Self::from_rounds(group_into_rounds(&plan.steps), plan, transport, site)
    }

    /// As [`new`](Self::new), with the plans of all ranks: if the proof shows that it is unnecessary, a send does not
    /// wait until the next receive is posted with it. A leaf of a tree then sends, and then receives, by two plain
    /// calls.
    ///
    /// # Panics
    /// When the plans are not those of this transport's ranks.
    pub fn from_plans(plans: &[Plan], transport: T, site: CallSite) -> Self {
        let plan = &plans[transport.rank()];
        let rounds =
            if can_block(plans) { group_by_kind(&plan.steps) } else { group_into_rounds(&plan.steps) };
        Self::from_rounds(rounds, plan, transport, site)
    }

    /// As [`from_plans`](Self::from_plans), for the pattern of an entry; `None` for barriers that are not patterns. The
    /// analysis of all plans is computed once in a process, so P ranks of one process do not each build P plans.
    ///
    /// # Errors
    /// See [`BarrierEntry::plans`].
    ///
    /// # Panics
    /// When the group is not that of this transport's ranks.
    pub fn for_entry(
        entry: &BarrierEntry,
        config: &GroupConfig,
        transport: T,
        site: CallSite,
    ) -> Option<Result<Self>> {
        let can_block = entry_can_block(entry, config)?;
        let plan = entry.plan(transport.rank(), config)?;
        let over = |(can_block, plan): (bool, Plan)| {
            let rounds = if can_block { group_by_kind(&plan.steps) } else { group_into_rounds(&plan.steps) };
            Self::from_rounds(rounds, &plan, transport, site)
        };
        Some(can_block.and_then(|can_block| Ok((can_block, plan?))).map(over))
    }

    fn from_rounds(rounds: Vec<Range<usize>>, plan: &Plan, transport: T, site: CallSite) -> Self {
        assert_eq!((plan.rank, plan.size), (transport.rank(), transport.size()), "another rank's plan");
        let ops = plan.steps.iter().map(to_op).collect();
        Self { transport, site, ops, next_round: rounds.len(), rounds, pending: vec![] }
    }

    fn post(&mut self, round: Range<usize>) -> Result<()> {
        let empty = || wb_comm::Block::from_vec::<u8>(vec![]);
        // Receives first: a rank that answers immediately finds them.
        let mut ops: Vec<_> = self.ops[round].iter().collect();
        ops.sort_by_key(|op| matches!(op, Op::Send { .. }));
        for op in ops {
            self.pending.push(match op {
                Op::Send { to, tag, mode, .. } => {
                    self.transport.post_send(*to, *tag, empty(), *mode, self.site)?
                }
                Op::Recv { from, tag, .. } => self.transport.post_recv(*from, *tag, empty(), self.site)?,
                Op::SendLayout { .. } | Op::RecvLayout { .. } => unreachable!("`to_op` makes none"),
            });
        }
        Ok(())
    }
}

impl<T: Deref<Target: Transport>> Barrier for MessageBarrier<T> {
    fn wait(&mut self) -> Result<()> {
        if self.next_round < self.rounds.len() {
            return Err(episode_open_error());
        }
        for round in &self.rounds {
            self.transport.post_and_wait(&mut self.ops[round.clone()], self.site)?;
        }
        Ok(())
    }
}

impl<T: Deref<Target: Transport>> SplitBarrier for MessageBarrier<T> {
    fn arrive(&mut self) -> Result<()> {
        if self.next_round < self.rounds.len() {
            return Err(episode_open_error());
        }
        self.next_round = 0;
        if let Some(first) = self.rounds.first().cloned() {
            self.post(first)?;
        }
        self.poll().map(drop)
    }

    fn poll(&mut self) -> Result<bool> {
        while self.next_round < self.rounds.len() {
            while let Some(last) = self.pending.last_mut() {
                if !last.test(self.site)? {
                    return Ok(false);
                }
                let done = self.pending.pop().expect("just looked at");
                done.wait(self.site)?;
            }
            self.next_round += 1;
            if let Some(next) = self.rounds.get(self.next_round).cloned() {
                self.post(next)?;
            }
        }
        Ok(true)
    }
}

fn to_op(step: &PlanStep) -> Op<'static> {
    let tag = |slot: u32| {
        let slot = i32::try_from(slot).expect("a slot is the number of a round");
        MessageTag::internal(FIRST_SLOT_TAG + slot)
    };
    match *step {
        PlanStep::Signal { to, slot, synchronous } => {
            let mode = if synchronous { SendMode::Synchronous } else { SendMode::Standard };
            Op::Send { to, tag: tag(slot), data: View::from_slice::<u8>(&[]), mode }
        }
        PlanStep::Wait { from, slot } => Op::Recv {
            from: Source::Rank(from),
            tag: tag(slot).into(),
            data: ViewMut::from_slice::<u8>(&mut []),
            status: None,
        },
    }
}

/// The runs of steps that can be posted together: some signals, then some waits.
pub(crate) fn group_into_rounds(steps: &[PlanStep]) -> Vec<Range<usize>> {
    let is_signal = |at: usize| matches!(steps.get(at), Some(PlanStep::Signal { .. }));
    let mut rounds = vec![];
    let mut start = 0;
    while start < steps.len() {
        let mut end = start;
        while is_signal(end) {
            end += 1;
        }
        while end < steps.len() && !is_signal(end) {
            end += 1;
        }
        rounds.push(start..end);
        start = end;
    }
    rounds
}

/// The runs of steps of one kind: some signals, or some waits.
fn group_by_kind(steps: &[PlanStep]) -> Vec<Range<usize>> {
    let is_signal = |step: &PlanStep| matches!(step, PlanStep::Signal { .. });
    let mut at = 0;
    let run = |run: &[PlanStep]| {
        at += run.len();
        at - run.len()..at
    };
    steps.chunk_by(|one, next| is_signal(one) == is_signal(next)).map(run).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_becomes_the_message_of_its_mode_peer_and_slot() {
        for synchronous in [false, true] {
            let expected = if synchronous { SendMode::Synchronous } else { SendMode::Standard };
            let signal = to_op(&PlanStep::Signal { to: 3, slot: 2, synchronous });
            let Op::Send { to: 3, tag, data, mode: sent } = signal else { panic!("{signal:?}") };
            assert_eq!((tag, data.count(), sent), (MessageTag::internal(FIRST_SLOT_TAG + 2), 0, expected));
        }
        let wait = to_op(&PlanStep::Wait { from: 4, slot: 5 });
        let Op::Recv { from, tag, data, .. } = wait else { panic!("{wait:?}") };
        assert_eq!(
            (from, tag, data.count()),
            (Source::Rank(4), MessageTag::internal(FIRST_SLOT_TAG + 5).into(), 0)
        );
    }

    #[test]
    fn runs_are_of_one_kind() {
        let signal = PlanStep::Signal { to: 0, slot: 0, synchronous: false };
        let wait = PlanStep::Wait { from: 0, slot: 0 };
        assert_eq!(group_by_kind(&[signal, signal, wait, signal]), [0..2, 2..3, 3..4]);
        assert!(group_by_kind(&[]).is_empty());
    }
}
