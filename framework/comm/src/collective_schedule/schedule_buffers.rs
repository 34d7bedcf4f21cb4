//! The buffers of a collective operation, and the elements that its messages and steps use.
use super::{Buffer, LocalStep, Part, RoundMessage};
use crate::{Block, MessageTag, Op, Result, SendMode, Source, View, ViewMut, Wire};

/// The buffers of an operation that outlives its call.
#[derive(Debug)]
pub struct OwnedBuffers {
    /// The contribution of this rank; empty if it has none.
    pub send: Block,
    /// The result of this rank; empty if it has none.
    pub recv: Block,
}

/// The buffers of an operation that is complete when its call returns.
#[derive(Debug)]
pub struct BorrowedBuffers<'a> {
    /// The contribution of this rank; empty if it has none.
    pub send: View<'a>,
    /// The result of this rank; empty if it has none.
    pub recv: ViewMut<'a>,
}

impl<'a> BorrowedBuffers<'a> {
    /// The buffers of a call, of one element type.
    pub fn new<T: Wire>(send: &'a [T], recv: &'a mut [T]) -> Self {
        Self { send: View::from_slice(send), recv: ViewMut::from_slice(recv) }
    }

    /// Two empty buffers.
    pub fn none() -> Self {
        Self::new::<u8>(&[], &mut [])
    }
}

/// The buffers of an operation while a schedule is executed.
#[derive(Debug)]
pub struct ScheduleBuffers<'a> {
    /// The contribution of this rank.
    pub send: View<'a>,
    /// The result of this rank.
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
    /// If two messages, one of them a receive, have elements in common: [`CollectiveSchedule::round`](super::CollectiveSchedule::round) has checked them.
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
    ///
    /// # Errors
    /// [`Error::NotAssociative`](crate::Error::NotAssociative), of a user's reduction.
    pub fn execute(&mut self, step: LocalStep) -> Result<()> {
        match step {
            LocalStep::Copy(from, into) => {
                let (from, mut into) = self.pair(from, into);
                into.bytes().copy_from_slice(from.bytes());
                Ok(())
            }
            LocalStep::Fold(operation, left, into) => {
                let (left, into) = self.pair(left, into);
                operation.fold(left, into)
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
            Op::Send { to, tag, data, mode: SendMode::Standard }
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
    use crate::Operation;

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
            Op::SendLayout { .. } | Op::RecvLayout { .. } => panic!("a round has no layouts"),
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
        buffers.execute(LocalStep::Copy(Part::send(2), scratch(0, 2))).expect("sound");
        buffers.execute(LocalStep::Fold(Operation::Sum, scratch(0, 2), whole.part(2, 2))).expect("sound");
        buffers.execute(LocalStep::Fold(Operation::Prod, whole.part(0, 1), whole.part(3, 1))).expect("sound");
        buffers.execute(LocalStep::Copy(whole.part(3, 1), whole.part(0, 1))).expect("sound");
        assert_eq!((recv, memory), ([420, 20, 31, 420], [1, 2]));
    }
}
