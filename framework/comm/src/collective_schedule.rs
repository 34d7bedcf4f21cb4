//! A collective operation of one rank as data: its messages and its local steps, in rounds.
//!
//! An algorithm makes the schedule from the rank, the number of ranks and the counts; it does not depend on the data. A blocking
//! operation executes the rounds one after the other. A nonblocking operation is started with the schedule and the buffers, and the backend
//! executes the next round as soon as the messages of the last one have arrived (Hoefler, Lumsdaine and Rehm, "Implementation and
//! performance analysis of non-blocking collective operations for MPI", SC 2007).
//!
//! ```
//! use wb_comm::{CollectiveSchedule, OwnedBuffers, Block, Operation, Part};
//!
//! // Rank 0 of 2 receives the values of rank 1 and adds them on the right of its own.
//! let mut schedule = CollectiveSchedule::default();
//! let other = schedule.scratch(3);
//! schedule.receive(1, other);
//! schedule.copy(Part::send(3), Part::recv(3));
//! schedule.fold(Operation::Sum, other, Part::recv(3));
//! assert_eq!((schedule.rounds().len(), schedule.scratch_count()), (1, 3));
//! ```
use crate::{Block, MessageTag, Op, Operation, Rank, Source, View, ViewMut};

/// A buffer of a collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffer {
    /// What this rank contributes; it is not written.
    Send,
    /// What this rank gets. In a broadcast also what it contributes.
    Recv,
    /// Memory of the operation itself.
    Scratch,
}

/// Elements of a buffer: `count` of them from `start` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The buffer.
    pub buffer: Buffer,
    /// The first element.
    pub start: usize,
    /// The number of elements.
    pub count: usize,
}

impl Part {
    /// The first `count` elements of the send buffer.
    pub fn send(count: usize) -> Self {
        Self { buffer: Buffer::Send, start: 0, count }
    }

    /// The first `count` elements of the receive buffer.
    pub fn recv(count: usize) -> Self {
        Self { buffer: Buffer::Recv, start: 0, count }
    }

    /// Elements `start .. start + count` of this part.
    ///
    /// # Panics
    /// If some of them are outside of it.
    #[must_use]
    pub fn part(self, start: usize, count: usize) -> Self {
        assert!(start + count <= self.count, "part {start}+{count} of {self:?}");
        Self { start: self.start + start, count, ..self }
    }

    /// Whether an element belongs to both.
    fn overlaps(self, other: Self) -> bool {
        let common = self.start < other.start + other.count && other.start < self.start + self.count;
        self.buffer == other.buffer && self.count > 0 && other.count > 0 && common
    }
}

/// A message of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundMessage {
    /// Sends the part to this rank.
    Send(Rank, Part),
    /// Receives the part from this rank.
    Receive(Rank, Part),
}

/// A step without communication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalStep {
    /// Copies the first part to the second one.
    Copy(Part, Part),
    /// Combines the first part on the left with the second part, which gets the result.
    Fold(Operation, Part, Part),
}

/// Messages that are posted together, and the steps after all of them are complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The messages. No receive has an element in common with another message.
    pub messages: Vec<RoundMessage>,
    /// The steps, in order.
    pub steps: Vec<LocalStep>,
}

/// The rounds of a rank; see the [module](self).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectiveSchedule {
    rounds: Vec<Round>,
    scratch: usize,
}

impl CollectiveSchedule {
    /// The rounds.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// The number of elements of the scratch buffer.
    pub fn scratch_count(&self) -> usize {
        self.scratch
    }

    /// Further `count` elements of the scratch buffer.
    pub fn scratch(&mut self, count: usize) -> Part {
        let start = self.scratch;
        self.scratch += count;
        Part { buffer: Buffer::Scratch, start, count }
    }

    /// Adds a round of these messages; none without any.
    ///
    /// # Panics
    /// If a receive has an element in common with another message, or is into the send buffer.
    pub fn round(&mut self, messages: Vec<RoundMessage>) {
        if messages.is_empty() {
            return;
        }
        for (index, message) in messages.iter().enumerate() {
            let RoundMessage::Receive(_, into) = message else { continue };
            assert!(into.buffer != Buffer::Send, "the send buffer is not written");
            let others = messages.iter().enumerate().filter(|(other, _)| *other != index);
            for (_, RoundMessage::Send(_, other) | RoundMessage::Receive(_, other)) in others {
                assert!(!into.overlaps(*other), "{into:?} is received while {other:?} is used");
            }
        }
        self.rounds.push(Round { messages, steps: vec![] });
    }

    /// Adds a round that sends `part` to `to`.
    pub fn send(&mut self, to: Rank, part: Part) {
        self.round(vec![RoundMessage::Send(to, part)]);
    }

    /// Adds a round that receives `part` from `from`.
    pub fn receive(&mut self, from: Rank, part: Part) {
        self.round(vec![RoundMessage::Receive(from, part)]);
    }

    /// Adds a round that sends `out` to `to` while it receives `into` from `from`.
    pub fn exchange(&mut self, to: Rank, out: Part, from: Rank, into: Part) {
        self.round(vec![RoundMessage::Receive(from, into), RoundMessage::Send(to, out)]);
    }

    /// Copies a part after the last round.
    ///
    /// # Panics
    /// If the counts differ, or the parts have elements in common.
    pub fn copy(&mut self, from: Part, into: Part) {
        self.step(LocalStep::Copy(from, into), from, into);
    }

    /// Combines `left` with `into` after the last round; `into` gets the result.
    ///
    /// # Panics
    /// If the counts differ, or the parts have elements in common.
    pub fn fold(&mut self, operation: Operation, left: Part, into: Part) {
        self.step(LocalStep::Fold(operation, left, into), left, into);
    }

    fn step(&mut self, step: LocalStep, from: Part, into: Part) {
        assert!(from.count == into.count && !from.overlaps(into), "{step:?}");
        assert!(into.buffer != Buffer::Send, "the send buffer is not written");
        if self.rounds.is_empty() {
            self.rounds.push(Round::default());
        }
        self.rounds.last_mut().expect("there is one").steps.push(step);
    }

    /// Adds the rounds of another schedule after these.
    pub fn append(&mut self, other: Self) {
        let offset = self.scratch;
        let shift = |part: Part| match part.buffer {
            Buffer::Scratch => Part { start: part.start + offset, ..part },
            _ => part,
        };
        self.scratch += other.scratch;
        for Round { messages, steps } in other.rounds {
            let messages = messages.into_iter().map(|message| match message {
                RoundMessage::Send(to, part) => RoundMessage::Send(to, shift(part)),
                RoundMessage::Receive(from, part) => RoundMessage::Receive(from, shift(part)),
            });
            let steps = steps.into_iter().map(|step| match step {
                LocalStep::Copy(from, into) => LocalStep::Copy(shift(from), shift(into)),
                LocalStep::Fold(operation, left, into) => {
                    LocalStep::Fold(operation, shift(left), shift(into))
                }
            });
            self.rounds.push(Round { messages: messages.collect(), steps: steps.collect() });
        }
    }
}

/// The buffers of an operation that outlives its call.
#[derive(Debug)]
pub struct OwnedBuffers {
    /// What this rank contributes; empty if nothing.
    pub send: Block,
    /// What this rank gets; empty if nothing.
    pub recv: Block,
}

/// The buffers of an operation while a schedule is executed.
#[derive(Debug)]
pub struct ScheduleBuffers<'a> {
    /// What this rank contributes.
    pub send: View<'a>,
    /// What this rank gets.
    pub recv: ViewMut<'a>,
    /// The scratch buffer, as long as the schedule says.
    pub scratch: ViewMut<'a>,
}

impl<'a> ScheduleBuffers<'a> {
    /// The elements of a part.
    pub fn view(&self, part: Part) -> View<'_> {
        let whole = match part.buffer {
            Buffer::Send => self.send,
            Buffer::Recv => self.recv.as_view(),
            Buffer::Scratch => self.scratch.as_view(),
        };
        whole.part(part.start, part.count)
    }

    /// The elements of a part, to be written.
    ///
    /// # Panics
    /// If it is a part of the send buffer.
    pub fn view_mut(&mut self, part: Part) -> ViewMut<'_> {
        let whole = match part.buffer {
            Buffer::Send => panic!("the send buffer is not written"),
            Buffer::Recv => self.recv.reborrow(),
            Buffer::Scratch => self.scratch.reborrow(),
        };
        whole.part(part.start, part.count)
    }

    /// The operations of a round's messages, in their order.
    ///
    /// # Panics
    /// If two messages, one of them a receive, have elements in common: [`CollectiveSchedule::round`] has checked them.
    pub fn ops(&mut self, messages: &[RoundMessage], tag: MessageTag) -> Vec<Op<'_>> {
        let mut pieces: Vec<Option<Piece<'_>>> = messages.iter().map(|_| None).collect();
        divide(self.recv.reborrow(), Buffer::Recv, messages, &mut pieces);
        divide(self.scratch.reborrow(), Buffer::Scratch, messages, &mut pieces);
        let send = self.send;
        messages.iter().zip(pieces).map(|(message, piece)| op(*message, piece, send, tag)).collect()
    }

    /// The elements of a part to be read, and those of another one to be written.
    fn pair(&mut self, from: Part, into: Part) -> (View<'_>, ViewMut<'_>) {
        let (recv, scratch) = (self.recv.reborrow(), self.scratch.reborrow());
        let (whole, other) = match into.buffer {
            Buffer::Send => panic!("the send buffer is not written"),
            Buffer::Recv => (recv, scratch),
            Buffer::Scratch => (scratch, recv),
        };
        if from.buffer == Buffer::Send {
            return (self.send.part(from.start, from.count), whole.part(into.start, into.count));
        }
        if from.buffer != into.buffer {
            return (other.into_view().part(from.start, from.count), whole.part(into.start, into.count));
        }
        let from_is_first = from.start < into.start;
        let (low, high) = whole.split_at(from.start.max(into.start));
        let (low_part, high_part) = if from_is_first { (from, into) } else { (into, from) };
        let (low, high) = (low.part(low_part.start, low_part.count), high.part(0, high_part.count));
        if from_is_first { (low.into_view(), high) } else { (high.into_view(), low) }
    }

    /// Executes a step.
    pub fn execute(&mut self, step: LocalStep) {
        match step {
            LocalStep::Copy(from, into) => {
                let (from, mut into) = self.pair(from, into);
                into.bytes().copy_from_slice(from.bytes());
            }
            LocalStep::Fold(operation, left, into) => {
                let (left, into) = self.pair(left, into);
                operation.fold(left, into);
            }
        }
    }
}

/// The elements of a message.
enum Piece<'a> {
    Shared(View<'a>),
    Exclusive(ViewMut<'a>),
}

/// The operation of a message; `piece` has its elements unless they are in the send buffer.
fn op<'a>(message: RoundMessage, piece: Option<Piece<'a>>, send: View<'a>, tag: MessageTag) -> Op<'a> {
    match (message, piece) {
        (RoundMessage::Send(to, part), piece) => {
            let data = match piece {
                None => send.part(part.start, part.count),
                Some(Piece::Shared(view)) => view,
                Some(Piece::Exclusive(view)) => view.into_view(),
            };
            Op::Send { to, tag, data, synchronous: false }
        }
        (RoundMessage::Receive(from, _), Some(Piece::Exclusive(data))) => {
            Op::Recv { from: Source::Rank(from), tag: tag.into(), data, status: None }
        }
        (RoundMessage::Receive(..), _) => panic!("{message:?} is not into a buffer that is written"),
    }
}

/// Gives each message in `buffer` its elements of `whole`.
fn divide<'a>(
    whole: ViewMut<'a>,
    buffer: Buffer,
    messages: &[RoundMessage],
    pieces: &mut [Option<Piece<'a>>],
) {
    let part_of = |message: &RoundMessage| match *message {
        RoundMessage::Send(_, part) | RoundMessage::Receive(_, part) => part,
    };
    let parts = messages.iter().map(part_of).enumerate();
    let mut parts: Vec<(usize, Part)> = parts.filter(|(_, part)| part.buffer == buffer).collect();
    let is_received = |index: usize| matches!(messages[index], RoundMessage::Receive(..));
    if !parts.iter().any(|(index, _)| is_received(*index)) {
        let whole = whole.into_view();
        for (index, part) in parts {
            pieces[index] = Some(Piece::Shared(whole.part(part.start, part.count)));
        }
        return;
    }
    parts.sort_by_key(|(_, part)| (part.start, part.count));
    let (mut rest, mut taken) = (whole, 0);
    for (index, part) in parts {
        let skipped = if part.count == 0 { 0 } else { part.start - taken };
        let (_, after) = rest.split_at(skipped);
        let (piece, after) = after.split_at(part.count);
        (rest, taken) = (after, taken + skipped + part.count);
        pieces[index] = Some(Piece::Exclusive(piece));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(start: usize, count: usize) -> Part {
        Part { buffer: Buffer::Scratch, start, count }
    }

    #[test]
    fn the_operations_of_a_round_have_the_elements_of_their_parts() {
        let (send, mut recv, mut memory) = ([1, 2], [3, 4, 5, 6], [7, 8, 9]);
        let mut buffers = ScheduleBuffers {
            send: View::from_slice(&send),
            recv: ViewMut::from_slice(&mut recv),
            scratch: ViewMut::from_slice(&mut memory),
        };
        let messages = [
            RoundMessage::Receive(1, Part::recv(4).part(2, 2)),
            RoundMessage::Send(2, Part::recv(4).part(0, 1)),
            RoundMessage::Send(3, Part::send(2).part(1, 1)),
            RoundMessage::Send(4, scratch(1, 2)),
            RoundMessage::Send(5, scratch(2, 1)),
            RoundMessage::Receive(6, Part::recv(4).part(1, 0)),
        ];
        let ops = buffers.ops(&messages, MessageTag::internal(3));
        let read = |op: &Op<'_>| match op {
            Op::Send { data, .. } => data.slice::<i32>().map(<[i32]>::to_vec),
            Op::Recv { data, .. } => data.as_view().slice::<i32>().map(<[i32]>::to_vec),
        };
        let found: Vec<Vec<i32>> = ops.iter().map(|op| read(op).expect("integers")).collect();
        assert_eq!(found, [vec![5, 6], vec![3], vec![2], vec![8, 9], vec![9], vec![]]);
    }

    #[test]
    fn steps_copy_and_combine_within_a_buffer_and_between_buffers() {
        let (send, mut recv, mut memory) = ([1, 2], [10, 20, 30, 40], [100, 200]);
        let mut buffers = ScheduleBuffers {
            send: View::from_slice(&send),
            recv: ViewMut::from_slice(&mut recv),
            scratch: ViewMut::from_slice(&mut memory),
        };
        let whole = Part::recv(4);
        buffers.execute(LocalStep::Copy(Part::send(2), scratch(0, 2)));
        buffers.execute(LocalStep::Fold(Operation::Sum, scratch(0, 2), whole.part(2, 2)));
        buffers.execute(LocalStep::Fold(Operation::Prod, whole.part(0, 1), whole.part(3, 1)));
        buffers.execute(LocalStep::Copy(whole.part(3, 1), whole.part(0, 1)));
        assert_eq!((recv, memory), ([420, 20, 31, 420], [1, 2]));
    }

    #[test]
    fn a_schedule_appended_to_another_has_scratch_elements_of_its_own() {
        let made = || {
            let mut schedule = CollectiveSchedule::default();
            let part = schedule.scratch(3);
            schedule.exchange(1, Part::send(3), 1, part);
            schedule.copy(part, Part::recv(3));
            schedule
        };
        let mut both = made();
        both.append(made());
        assert_eq!((both.rounds().len(), both.scratch_count()), (2, 6));
        assert_eq!(both.rounds()[1].messages[0], RoundMessage::Receive(1, scratch(3, 3)));
        assert_eq!(both.rounds()[1].steps, [LocalStep::Copy(scratch(3, 3), Part::recv(3))]);
    }

    #[test]
    #[should_panic(expected = "is received while")]
    fn a_round_does_not_receive_elements_that_it_sends() {
        let part = Part::recv(4);
        CollectiveSchedule::default().exchange(1, part.part(0, 2), 2, part.part(1, 2));
    }
}
