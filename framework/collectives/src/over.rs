//! A barrier on what carries it: [`OverMemory`] and [`OverMessages`], and the two phases of patterns.
use std::ops::{Deref, Range};

use wb_comm::{
    Barrier, Cells, Error, Label, Memory, Op, Pending, Remote, Result, Site, Source, SplitBarrier, Transport,
    View, ViewMut, Window, text,
};

use crate::{
    Entry,
    blocking::{can_block, entry_can_block},
    catalogue::{AnyProgram, Setting},
    plan::{Plan, Step},
    script::Script,
};

/// A memory on which a program of forgotten type can run.
pub trait Host: Memory {
    /// One episode.
    ///
    /// # Errors
    /// What the memory can meet.
    fn run(&mut self, program: &dyn AnyProgram, epoch: i64) -> Result<()>;
}

impl Host for Cells<'_> {
    #[inline]
    fn run(&mut self, program: &dyn AnyProgram, epoch: i64) -> Result<()> {
        program.on_cells(self, epoch)
    }
}

impl<W: Deref<Target: Window>> Host for Remote<W> {
    fn run(&mut self, program: &dyn AnyProgram, epoch: i64) -> Result<()> {
        program.on_memory(self, epoch)
    }
}

impl Host for &mut dyn Memory {
    fn run(&mut self, program: &dyn AnyProgram, epoch: i64) -> Result<()> {
        program.on_memory(self, epoch)
    }
}

/// Any barrier on some memory whose cells hold the program's initial value. All episodes run on this one memory.
pub struct OverMemory<M> {
    program: Box<dyn AnyProgram>,
    memory: M,
    epoch: i64,
}

impl<M: Host> OverMemory<M> {
    /// Before the first episode.
    pub fn new(program: Box<dyn AnyProgram>, memory: M) -> Self {
        Self { program, memory, epoch: 0 }
    }
}

impl<M: Host> Barrier for OverMemory<M> {
    #[inline]
    fn wait(&mut self) -> Result<()> {
        self.epoch += 1;
        self.memory.run(&*self.program, self.epoch)
    }
}

/// A pattern on some memory, in two phases.
pub struct SplitOverMemory<M> {
    script: Script,
    memory: M,
    epoch: i64,
    /// The next move; all are made: no episode is open.
    at: usize,
}

impl<M: Memory> SplitOverMemory<M> {
    /// Before the first episode.
    pub fn new(script: Script, memory: M) -> Self {
        Self { at: script.len(), script, memory, epoch: 0 }
    }
}

impl<M: Memory> SplitBarrier for SplitOverMemory<M> {
    fn arrive(&mut self) -> Result<()> {
        if self.at < self.script.len() {
            return Err(still_open());
        }
        self.epoch += 1;
        self.at = 0;
        self.poll().map(drop)
    }

    fn poll(&mut self) -> Result<bool> {
        while self.at < self.script.len() {
            if !self.script.attempt(self.at, &mut self.memory, self.epoch)? {
                return Ok(false);
            }
            self.at += 1;
        }
        Ok(true)
    }
}

impl<M: Memory> Barrier for SplitOverMemory<M> {
    fn wait(&mut self) -> Result<()> {
        self.arrive()?;
        while !self.poll()? {
            std::hint::spin_loop();
        }
        Ok(())
    }
}

fn still_open() -> Error {
    Error::Setup(text::barrier::still_open())
}

/// Internal tags from here on are barrier slots; those below belong to [`Port`](crate::Port).
const FIRST_SLOT_TAG: i32 = 1 << 8;

/// A pattern as zero-byte messages of a two-sided transport.
///
/// Steps that need not wait for each other are posted together: the receives that follow some sends, up to the next
/// send. So a linear barrier's root receives in any order, and an exchange is one `MPI_Sendrecv`. Nothing is allocated
/// after the beginning.
///
/// Only one barrier at a time may use a transport (take a `dup`): two over overlapping groups would answer each other.
/// It borrows the transport or owns it: `T` is a `&dyn Transport` or an `Rc<dyn Transport>`.
pub struct OverMessages<T> {
    transport: T,
    site: Site,
    ops: Vec<Op<'static>>,
    rounds: Vec<Range<usize>>,
    /// The posted operations of a split episode's round, and the number of the next round.
    pending: Vec<Box<dyn Pending>>,
    at: usize,
}

impl<T: Deref<Target: Transport>> OverMessages<T> {
    /// For episodes called at `site`.
    ///
    /// # Panics
    /// When the plan is not this rank's.
    pub fn new(plan: &Plan, transport: T, site: Site) -> Self {
        assert_eq!((plan.rank, plan.size), (transport.rank(), transport.size()), "another rank's plan");
        Self::with(rounds(&plan.steps), plan, transport, site)
    }

    /// As [`new`](Self::new), with everybody's plans at hand: where they are proved not to need it, a send is not held
    /// back until the next receive is posted with it. A leaf of a tree then sends, and then receives, by two plain calls.
    ///
    /// # Panics
    /// When the plans are not those of this transport's ranks.
    pub fn of(plans: &[Plan], transport: T, site: Site) -> Self {
        let plan = &plans[transport.rank()];
        let rounds = if can_block(plans) { runs(&plan.steps) } else { rounds(&plan.steps) };
        Self::with(rounds, plan, transport, site)
    }

    /// As [`of`](Self::of), for the pattern of an entry; `None` for barriers that are no patterns. What everybody's plans
    /// tell is found out once in a process, so P ranks of one do not each write down P plans.
    ///
    /// # Errors
    /// See [`Entry::plans`].
    ///
    /// # Panics
    /// When the setting is not that of this transport's ranks.
    pub fn of_entry(entry: &Entry, setting: &Setting, transport: T, site: Site) -> Option<Result<Self>> {
        let can_block = entry_can_block(entry, setting)?;
        let plan = entry.plan(transport.rank(), setting)?;
        let over = |(can_block, plan): (bool, Plan)| {
            let rounds = if can_block { runs(&plan.steps) } else { rounds(&plan.steps) };
            Self::with(rounds, &plan, transport, site)
        };
        Some(can_block.and_then(|can_block| Ok((can_block, plan?))).map(over))
    }

    fn with(rounds: Vec<Range<usize>>, plan: &Plan, transport: T, site: Site) -> Self {
        assert_eq!((plan.rank, plan.size), (transport.rank(), transport.size()), "another rank's plan");
        let ops = plan.steps.iter().map(operation).collect();
        Self { transport, site, ops, at: rounds.len(), rounds, pending: vec![] }
    }

    fn post(&mut self, round: Range<usize>) -> Result<()> {
        let empty = || wb_comm::Block::of::<u8>(vec![]);
        // Receives first: whoever answers at once finds them.
        let mut ops: Vec<_> = self.ops[round].iter().collect();
        ops.sort_by_key(|op| matches!(op, Op::Send { .. }));
        for op in ops {
            self.pending.push(match op {
                Op::Send { to, label, synchronous, .. } => {
                    self.transport.post_send(*to, *label, empty(), *synchronous, self.site)?
                }
                Op::Recv { from, label, .. } => {
                    self.transport.post_recv(*from, *label, empty(), self.site)?
                }
            });
        }
        Ok(())
    }
}

impl<T: Deref<Target: Transport>> Barrier for OverMessages<T> {
    fn wait(&mut self) -> Result<()> {
        if self.at < self.rounds.len() {
            return Err(still_open());
        }
        for round in &self.rounds {
            self.transport.round(&mut self.ops[round.clone()], self.site)?;
        }
        Ok(())
    }
}

impl<T: Deref<Target: Transport>> SplitBarrier for OverMessages<T> {
    fn arrive(&mut self) -> Result<()> {
        if self.at < self.rounds.len() {
            return Err(still_open());
        }
        self.at = 0;
        if let Some(first) = self.rounds.first().cloned() {
            self.post(first)?;
        }
        self.poll().map(drop)
    }

    fn poll(&mut self) -> Result<bool> {
        while self.at < self.rounds.len() {
            while let Some(last) = self.pending.last_mut() {
                if !last.test(self.site)? {
                    return Ok(false);
                }
                let done = self.pending.pop().expect("just looked at");
                done.wait(self.site)?;
            }
            self.at += 1;
            if let Some(next) = self.rounds.get(self.at).cloned() {
                self.post(next)?;
            }
        }
        Ok(true)
    }
}

fn operation(step: &Step) -> Op<'static> {
    let label = |slot: u32| {
        let slot = i32::try_from(slot).expect("a slot is the number of a round");
        Label::internal(FIRST_SLOT_TAG + slot)
    };
    match *step {
        Step::Tell { to, slot, synchronous } => {
            Op::Send { to, label: label(slot), data: View::of::<u8>(&[]), synchronous }
        }
        Step::Hear { from, slot } => Op::Recv {
            from: Source::Rank(from),
            label: label(slot).into(),
            data: ViewMut::of::<u8>(&mut []),
            status: None,
        },
    }
}

/// The runs of steps that can be posted together: some tells, then some hears.
pub(crate) fn rounds(steps: &[Step]) -> Vec<Range<usize>> {
    let tells = |at: usize| matches!(steps.get(at), Some(Step::Tell { .. }));
    let mut rounds = vec![];
    let mut start = 0;
    while start < steps.len() {
        let mut end = start;
        while tells(end) {
            end += 1;
        }
        while end < steps.len() && !tells(end) {
            end += 1;
        }
        rounds.push(start..end);
        start = end;
    }
    rounds
}

/// The runs of steps of one kind: some tells, or some hears.
fn runs(steps: &[Step]) -> Vec<Range<usize>> {
    let tells = |step: &Step| matches!(step, Step::Tell { .. });
    let mut at = 0;
    let run = |run: &[Step]| {
        at += run.len();
        at - run.len()..at
    };
    steps.chunk_by(|one, next| tells(one) == tells(next)).map(run).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_becomes_the_message_of_its_mode_peer_and_slot() {
        for synchronous in [false, true] {
            let tell = operation(&Step::Tell { to: 3, slot: 2, synchronous });
            let Op::Send { to: 3, label, data, synchronous: mode } = tell else { panic!("{tell:?}") };
            assert_eq!((label, data.count(), mode), (Label::internal(FIRST_SLOT_TAG + 2), 0, synchronous));
        }
        let hear = operation(&Step::Hear { from: 4, slot: 5 });
        let Op::Recv { from, label, data, .. } = hear else { panic!("{hear:?}") };
        assert_eq!(
            (from, label, data.count()),
            (Source::Rank(4), Label::internal(FIRST_SLOT_TAG + 5).into(), 0)
        );
    }

    #[test]
    fn runs_are_of_one_kind() {
        let tell = Step::Tell { to: 0, slot: 0, synchronous: false };
        let hear = Step::Hear { from: 0, slot: 0 };
        assert_eq!(runs(&[tell, tell, hear, tell]), [0..2, 2..3, 3..4]);
        assert_eq!(runs(&[]), []);
    }
}
