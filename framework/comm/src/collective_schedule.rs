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
mod schedule_buffers;

use crate::{Operation, Rank};

pub use schedule_buffers::{BorrowedBuffers, OwnedBuffers, ScheduleBuffers};

/// A buffer of a collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffer {
    /// The contribution of this rank, which is not written.
    Send,
    /// The result of this rank; in a broadcast also its contribution.
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

    /// The rounds, each to be executed once.
    pub fn into_rounds(self) -> std::vec::IntoIter<Round> {
        self.rounds.into_iter()
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
        let shifted = other.map_parts(|part| match part.buffer {
            Buffer::Scratch => Part { start: part.start + offset, ..part },
            _ => part,
        });
        self.scratch += shifted.scratch;
        self.rounds.extend(shifted.rounds);
    }

    /// The same rounds with other parts; distinct elements must stay distinct.
    #[must_use]
    pub fn map_parts(mut self, map: impl Fn(Part) -> Part) -> Self {
        for Round { messages, steps } in &mut self.rounds {
            for RoundMessage::Send(_, part) | RoundMessage::Receive(_, part) in messages {
                *part = map(*part);
            }
            for LocalStep::Copy(from, into) | LocalStep::Fold(_, from, into) in steps {
                (*from, *into) = (map(*from), map(*into));
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(start: usize, count: usize) -> Part {
        Part { buffer: Buffer::Scratch, start, count }
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
