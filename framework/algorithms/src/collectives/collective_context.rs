//! The context of a collective's messages: a transport, the verb's own internal tag and the user's call.
//!
//! Every round carries the user's [`CallSite`], so a rank that hangs inside an algorithm is reported at the student's
//! line under the student's verb, not at a line of this crate. Each verb has a tag of its own: ranks that call
//! different collectives by mistake do not match each other's messages but wait, which the backend can explain.
use wb_comm::{
    Block, BorrowedBuffers, CallSite, CollectiveSchedule, MessageTag, Op, Rank, Result, ScheduleBuffers,
    SendMode, Source, Transport, Verb, View, ViewMut,
};

use crate::collectives::Member;

/// The messages of one collective call: on this transport, with the verb's internal tag, reported at the user's call.
#[derive(Clone, Copy)]
pub struct CollectiveContext<'t> {
    transport: &'t dyn Transport,
    tag: MessageTag,
    site: CallSite,
}

impl<'t> CollectiveContext<'t> {
    /// The context of `verb`, called at `site` (whose verb may differ: a verb that is composed of this one).
    pub fn new(transport: &'t dyn Transport, verb: Verb, site: CallSite) -> Self {
        Self { transport, tag: MessageTag::internal(verb as i32), site }
    }

    /// This rank.
    pub fn rank(&self) -> Rank {
        self.transport.rank()
    }

    /// The number of ranks.
    pub fn size(&self) -> usize {
        self.transport.size()
    }

    /// This rank and the number of ranks.
    pub fn member(&self) -> Member {
        Member::of(self.transport)
    }

    /// Executes the rounds of `schedule`, each when the one before is complete.
    ///
    /// # Errors
    /// The errors of the transport.
    ///
    /// # Panics
    /// If a buffer is shorter than the schedule requires.
    pub fn run(&self, schedule: &CollectiveSchedule, buffers: BorrowedBuffers<'_>) -> Result<()> {
        let BorrowedBuffers { send, recv } = buffers;
        let mut scratch = Block::zeroed(recv.datatype(), schedule.scratch_count());
        let mut buffers = ScheduleBuffers { send, recv, scratch: scratch.view_mut() };
        for round in schedule.rounds() {
            if !round.messages.is_empty() {
                self.post_and_wait(&mut buffers.ops(&round.messages, self.tag))?;
            }
            round.steps.iter().try_for_each(|step| buffers.execute(*step))?;
        }
        Ok(())
    }

    /// One step of a [`round`](Self::post_and_wait): sends `data` to `to`.
    pub fn send_op<'a>(&self, to: Rank, data: View<'a>) -> Op<'a> {
        Op::Send { to, tag: self.tag, data, mode: SendMode::Standard }
    }

    /// One step of a [`round`](Self::post_and_wait): receives `data` from `from`.
    pub fn recv_op<'a>(&self, from: Rank, data: ViewMut<'a>) -> Op<'a> {
        Op::Recv { from: Source::Rank(from), tag: self.tag.into(), data, status: None }
    }

    /// Posts all steps together, returns when all are done.
    ///
    /// # Errors
    /// The errors of the transport; the same for the other functions here.
    pub fn post_and_wait(&self, steps: &mut [Op<'_>]) -> Result<()> {
        self.transport.post_and_wait(steps, self.site)
    }

    /// Sends `data` to `to`.
    ///
    /// # Errors
    /// The errors of the transport.
    pub fn send(&self, to: Rank, data: View<'_>) -> Result<()> {
        self.post_and_wait(&mut [self.send_op(to, data)])
    }

    /// Receives `data` from `from`.
    ///
    /// # Errors
    /// The errors of the transport.
    pub fn receive(&self, from: Rank, data: ViewMut<'_>) -> Result<()> {
        self.post_and_wait(&mut [self.recv_op(from, data)])
    }

    /// Sends `out` to `to` while it receives `into` from `from`; safe on a ring for any message size.
    ///
    /// # Errors
    /// The errors of the transport.
    pub fn exchange(&self, to: Rank, out: View<'_>, from: Rank, into: ViewMut<'_>) -> Result<()> {
        self.post_and_wait(&mut [self.recv_op(from, into), self.send_op(to, out)])
    }
}
