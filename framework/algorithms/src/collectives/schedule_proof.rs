//! The schedules of an algorithm, executed on symbols: its messages and rounds, and the proof that every rank ends with the right contributions.
//!
//! An element is the list of the contributions that it was made from, in the order of the operands. Schedules do not depend on data, and receives
//! name their senders, so one execution decides for all orders. It is done twice: with sends that complete immediately, and with synchronous ones.
use std::{collections::HashMap, fmt};

use wb_comm::{Buffer, CollectiveSchedule, LocalStep, Part, Rank, RoundMessage, Verb};

use crate::collectives::{Member, MessageAlgorithm, SizedCall};

/// The contributions of an element: the rank, and the element of its buffer.
type Contributions = Vec<(Rank, usize)>;

/// A message of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedMessage {
    /// The sender.
    pub from: Rank,
    /// The receiver.
    pub to: Rank,
    /// Elements.
    pub count: usize,
    /// The unit time at whose end it has arrived, from 1, where each rank has one port to send, and each message takes one unit.
    pub arrives: usize,
}

/// The reason why schedules are not the operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScheduleRefutation {
    /// Ranks wait for ever; this is the lowest, with its round.
    Deadlock(Rank, usize),
    /// No rank receives a message from the first rank to the second.
    UnmatchedMessage(Rank, Rank),
    /// A message from the first rank to the second is not as long as its receive.
    LengthMismatch(Rank, Rank),
    /// A rank ends with other contributions to an element of its receive buffer.
    WrongResult(Rank, usize),
}

impl fmt::Display for ScheduleRefutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deadlock(rank, round) => {
                write!(f, "deadlock: rank {rank} does not complete its round {round}")
            }
            Self::UnmatchedMessage(from, to) => {
                write!(f, "no rank receives a message of rank {from} to rank {to}")
            }
            Self::LengthMismatch(from, to) => {
                write!(f, "a message of rank {from} to rank {to} is not as long as its receive")
            }
            Self::WrongResult(rank, element) => {
                write!(f, "rank {rank} ends with wrong contributions to element {element}")
            }
        }
    }
}

/// One rank of an execution.
struct RankState {
    buffers: [Vec<Contributions>; 3],
    round: usize,
    /// The unit time at which its last round was complete.
    clock: usize,
    /// The unit time at which the current round is complete, and its incomplete operations, once they are posted.
    posted: Option<(usize, usize)>,
}

/// A message that was sent: its elements and the time of its arrival.
type Sent = (Vec<Contributions>, usize);

/// An execution of schedules.
struct Execution<'s> {
    schedules: &'s [CollectiveSchedule],
    ranks: Vec<RankState>,
    /// What was sent and what is to be received, by sender and receiver.
    queues: HashMap<(Rank, Rank), (Vec<Sent>, Vec<Part>)>,
    messages: Vec<TimedMessage>,
    synchronous: bool,
}

/// The messages of an algorithm of this many ranks with blocks of `count` elements from a root, in the order of time.
///
/// # Errors
/// The violated property.
pub fn prove(
    algorithm: &MessageAlgorithm,
    size: usize,
    count: usize,
    root: Rank,
) -> Result<Vec<TimedMessage>, ScheduleRefutation> {
    let schedules = algorithm.schedules(size, count, root);
    prove_schedules(&schedules, (algorithm.verb, root), count, true)?;
    prove_schedules(&schedules, (algorithm.verb, root), count, false)
}

/// Proves all numbers of ranks up to the given one from root 0, with blocks of 0, 1 and 3 elements; returns the number of cases.
///
/// # Errors
/// The first refuted case: ranks, elements, and why.
pub fn prove_all(
    algorithm: &MessageAlgorithm,
    most_ranks: usize,
) -> Result<usize, (usize, usize, ScheduleRefutation)> {
    let cases = (1..=most_ranks).flat_map(|size| [0, 1, 3].map(|count| (size, count)));
    cases
        .map(|(size, count)| prove(algorithm, size, count, 0).map(|_| 1).map_err(|why| (size, count, why)))
        .sum()
}

fn prove_schedules(
    schedules: &[CollectiveSchedule],
    (verb, root): (Verb, Rank),
    count: usize,
    synchronous: bool,
) -> Result<Vec<TimedMessage>, ScheduleRefutation> {
    let size = schedules.len();
    let call = |rank| SizedCall::with_root(verb, Member { rank, size }, root).expect("a call with blocks");
    let own = |rank, blocks: usize| (0..blocks * count).map(|at| vec![(rank, at)]).collect();
    let state = |rank| {
        let (send, recv) = (own(rank, call(rank).send_blocks), vec![vec![]; call(rank).recv_blocks * count]);
        let recv = if (verb, rank) == (Verb::Bcast, root) { own(rank, 1) } else { recv };
        let scratch = vec![vec![]; schedules[rank].scratch_count()];
        RankState { buffers: [send, recv, scratch], round: 0, clock: 0, posted: None }
    };
    let (ranks, queues) = ((0..size).map(state).collect(), HashMap::new());
    let mut execution = Execution { schedules, ranks, queues, messages: vec![], synchronous };
    execution.run()?;
    for (rank, state) in execution.ranks.iter().enumerate() {
        let [_, recv, _] = &state.buffers;
        let is_wrong = |at: &usize| {
            expected((verb, root), rank, size, count, *at).is_some_and(|right| recv[*at] != right)
        };
        if let Some(at) = (0..recv.len()).find(is_wrong) {
            return Err(ScheduleRefutation::WrongResult(rank, at));
        }
    }
    execution.messages.sort_by_key(|message| (message.arrives, message.from, message.to));
    Ok(execution.messages)
}

/// The contributions to element `at` of the receive buffer of a rank; `None` where the operation leaves it undefined.
fn expected(
    (verb, root): (Verb, Rank),
    rank: Rank,
    size: usize,
    count: usize,
    at: usize,
) -> Option<Contributions> {
    let (block, element) = (at / count, at % count);
    let fold = |ranks: usize, at: usize| (0..ranks).map(|rank| (rank, at)).collect();
    Some(match verb {
        Verb::Bcast => vec![(root, at)],
        Verb::Scatter => vec![(root, rank * count + at)],
        Verb::Gather | Verb::Allgather => vec![(block, element)],
        Verb::Alltoall => vec![(block, rank * count + element)],
        Verb::ReduceScatterBlock => fold(size, rank * count + at),
        Verb::Scan => fold(rank + 1, at),
        Verb::Exscan if rank == 0 => return None,
        Verb::Exscan => fold(rank, at),
        _ => fold(size, at),
    })
}

impl Execution<'_> {
    fn run(&mut self) -> Result<(), ScheduleRefutation> {
        while (0..self.ranks.len()).try_fold(false, |any, rank| Ok(self.advance(rank)? || any))? {}
        let is_over = |(rank, state): (usize, &RankState)| state.round == self.schedules[rank].rounds().len();
        if let Some(rank) = (0..self.ranks.len()).find(|&rank| !is_over((rank, &self.ranks[rank]))) {
            return Err(ScheduleRefutation::Deadlock(rank, self.ranks[rank].round));
        }
        let mut left: Vec<_> = self.queues.iter().filter(|(_, (sent, _))| !sent.is_empty()).collect();
        left.sort_by_key(|(key, _)| **key);
        left.first().map_or(Ok(()), |((from, to), _)| Err(ScheduleRefutation::UnmatchedMessage(*from, *to)))
    }

    /// Posts the round of a rank, or completes it; false if it can do neither.
    fn advance(&mut self, rank: Rank) -> Result<bool, ScheduleRefutation> {
        let schedules = self.schedules;
        let state = &mut self.ranks[rank];
        let Some(round) = schedules[rank].rounds().get(state.round) else { return Ok(false) };
        match state.posted {
            None => self.post(rank, &round.messages)?,
            Some((_, open)) if open > 0 => return Ok(false),
            Some((closes, _)) => {
                round.steps.iter().for_each(|step| state.execute(*step));
                (state.clock, state.posted, state.round) = (closes, None, state.round + 1);
            }
        }
        Ok(true)
    }

    fn post(&mut self, rank: Rank, messages: &[RoundMessage]) -> Result<(), ScheduleRefutation> {
        let clock = self.ranks[rank].clock;
        let waits =
            |message: &&RoundMessage| self.synchronous || matches!(message, RoundMessage::Receive(..));
        self.ranks[rank].posted = Some((clock, messages.iter().filter(waits).count()));
        let mut leaves = clock;
        for message in messages {
            let (from, to) = match *message {
                RoundMessage::Send(to, part) => {
                    leaves += 1;
                    let state = &mut self.ranks[rank];
                    state.close_at(leaves, 0);
                    let elements = state.buffers[place(part)][part.start..][..part.count].to_vec();
                    self.messages.push(TimedMessage { from: rank, to, count: part.count, arrives: leaves });
                    self.queues.entry((rank, to)).or_default().0.push((elements, leaves));
                    (rank, to)
                }
                RoundMessage::Receive(from, part) => {
                    self.queues.entry((from, rank)).or_default().1.push(part);
                    (from, rank)
                }
            };
            self.deliver(from, to)?;
        }
        Ok(())
    }

    fn deliver(&mut self, from: Rank, to: Rank) -> Result<(), ScheduleRefutation> {
        let (sent, receives) = self.queues.entry((from, to)).or_default();
        if sent.is_empty() || receives.is_empty() {
            return Ok(());
        }
        let ((elements, arrives), part) = (sent.remove(0), receives.remove(0));
        if elements.len() != part.count {
            return Err(ScheduleRefutation::LengthMismatch(from, to));
        }
        self.ranks[to].buffers[place(part)][part.start..][..part.count].clone_from_slice(&elements);
        self.ranks[to].close_at(arrives, 1);
        if self.synchronous {
            self.ranks[from].close_at(0, 1);
        }
        Ok(())
    }
}

impl RankState {
    /// The current round is complete at this time at the earliest; this many of its operations are over.
    fn close_at(&mut self, time: usize, operations: usize) {
        let (closes, open) = self.posted.as_mut().expect("what is over was posted");
        (*closes, *open) = ((*closes).max(time), *open - operations);
    }

    fn execute(&mut self, step: LocalStep) {
        let (from, into) = match step {
            LocalStep::Copy(from, into) | LocalStep::Fold(_, from, into) => (from, into),
        };
        for at in 0..into.count {
            let mut value = self.buffers[place(from)][from.start + at].clone();
            let target = &mut self.buffers[place(into)][into.start + at];
            if matches!(step, LocalStep::Fold(..)) {
                value.extend_from_slice(target);
            }
            *target = value;
        }
    }
}

/// The number of a part's buffer.
fn place(part: Part) -> usize {
    match part.buffer {
        Buffer::Send => 0,
        Buffer::Recv => 1,
        Buffer::Scratch => 2,
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::Operation;

    use super::*;
    use crate::collectives::message_algorithms::MESSAGE_ALGORITHMS;

    #[test]
    fn every_algorithm_over_messages_is_its_operation() {
        for algorithm in MESSAGE_ALGORITHMS {
            assert_eq!(prove_all(algorithm, 17), Ok(51), "{} {}", algorithm.verb, algorithm.name);
        }
    }

    #[test]
    fn every_algorithm_with_a_root_is_its_operation_from_every_root() {
        let rooted: Vec<_> = MESSAGE_ALGORITHMS.iter().filter(|algorithm| algorithm.has_root()).collect();
        assert_eq!(rooted.len(), 4);
        for (algorithm, size) in rooted.into_iter().flat_map(|row| (1..10).map(move |size| (row, size))) {
            for root in 0..size {
                let refuted = prove(algorithm, size, 2, root).err();
                assert_eq!(refuted, None, "{} P = {size}, root {root}", algorithm.verb);
            }
        }
    }

    #[test]
    fn messages_and_rounds_are_those_of_the_literature() {
        let costs = |verb| {
            let messages = prove(MessageAlgorithm::of(verb).expect("a row"), 8, 1, 0).expect("proved");
            (messages.len(), messages.last().map(|last| last.arrives))
        };
        assert_eq!(costs(Verb::Bcast), (7, Some(3)));
        assert_eq!(costs(Verb::Allreduce), (24, Some(3)));
        assert_eq!(costs(Verb::Allgather), (56, Some(7)));
        assert_eq!(costs(Verb::Scatter), (7, Some(7)));
    }

    /// The schedules of `verb` for 4 ranks, after a change, are refused as another verb or for the change.
    fn refused(verb: Verb, change: impl Fn(&mut Vec<CollectiveSchedule>)) -> Option<ScheduleRefutation> {
        let mut schedules = MessageAlgorithm::of(verb).expect("a row").schedules(4, 1, 0);
        change(&mut schedules);
        prove_schedules(&schedules, (verb, 0), 1, true).err()
    }

    #[test]
    fn wrong_twins_are_refused_each_for_its_reason() {
        let without =
            |rank: usize| move |all: &mut Vec<CollectiveSchedule>| all[rank] = CollectiveSchedule::default();
        assert_eq!(refused(Verb::Allreduce, |_| ()), None);
        assert_eq!(refused(Verb::Bcast, without(0)), Some(ScheduleRefutation::Deadlock(1, 0)));
        assert_eq!(refused(Verb::Gather, without(0)), Some(ScheduleRefutation::Deadlock(1, 0)));
        let halved = |all: &mut Vec<CollectiveSchedule>| {
            all[1] = all[1].clone().map_parts(|part| part.part(0, 0));
        };
        assert_eq!(refused(Verb::Bcast, halved), Some(ScheduleRefutation::LengthMismatch(0, 1)));
        // Operands in the wrong order: rank 0 combines what it receives on the left of its own.
        let backwards = |all: &mut Vec<CollectiveSchedule>| {
            let (mut root, mut other) = (CollectiveSchedule::default(), CollectiveSchedule::default());
            let received = root.scratch(1);
            root.copy(Part::send(1), Part::recv(1));
            root.receive(1, received);
            root.fold(Operation::Sum, received, Part::recv(1));
            other.send(0, Part::send(1));
            *all = vec![root, other];
        };
        assert_eq!(refused(Verb::Reduce, backwards), Some(ScheduleRefutation::WrongResult(0, 0)));
        let twice = |all: &mut Vec<CollectiveSchedule>| all[1].send(0, Part::send(1));
        assert_eq!(refused(Verb::Gather, twice), Some(ScheduleRefutation::Deadlock(1, 1)));
    }
}
