//! The run: messages with values between ranks that execute the recorded rounds.
use std::{
    collections::{HashMap, VecDeque},
    ops::Range,
};

use wb_comm::Rank;

use super::{
    BroadcastCase, BroadcastCost, BroadcastRefutation,
    recorder::{RankRounds, RecordedOp},
};

/// A message that no rank has received yet.
struct PendingMessage {
    elements: Vec<usize>,
    arrives: usize,
}

/// Between two ranks, in this direction: messages and receives in their orders. One of the two is empty.
#[derive(Default)]
struct PeerQueue {
    messages: VecDeque<PendingMessage>,
    receives: VecDeque<Range<usize>>,
}

struct ProofRank {
    /// Element i of the root's is i + 1; 0 is an element that no rank has sent.
    data: Vec<usize>,
    /// The number of its present round.
    round: usize,
    /// Incomplete operations of that round; `None` before it is posted.
    open_operations: Option<usize>,
    /// The time at which its last round completed; while a round is incomplete, the known lower bound of its time.
    clock: usize,
    closes_at: usize,
}

struct Network<'a> {
    programs: &'a [RankRounds],
    synchronous: bool,
    ranks: Vec<ProofRank>,
    queues: HashMap<(Rank, Rank), PeerQueue>,
    ready: Vec<Rank>,
    cost: BroadcastCost,
}

/// Runs all ranks to their ends.
///
/// # Errors
/// The violated property.
pub(super) fn run(
    programs: &[RankRounds],
    case: &BroadcastCase,
) -> Result<BroadcastCost, BroadcastRefutation> {
    let count = case.extent.count;
    let state = |rank: Rank| {
        let data = if rank == case.root { (1..=count).collect() } else { vec![0; count] };
        ProofRank { data, round: 0, open_operations: None, clock: 0, closes_at: 0 }
    };
    let mut network = Network {
        programs,
        synchronous: case.synchronous,
        ranks: (0..programs.len()).map(state).collect(),
        queues: HashMap::new(),
        ready: (0..programs.len()).rev().collect(),
        cost: BroadcastCost { messages: 0, elements: 0, rounds: 0 },
    };
    while let Some(rank) = network.ready.pop() {
        network.advance(rank)?;
    }
    network.finish()
}

impl Network<'_> {
    /// Posts rounds until one has to wait.
    fn advance(&mut self, rank: Rank) -> Result<(), BroadcastRefutation> {
        let programs = self.programs;
        while let Some(steps) = programs[rank].get(self.ranks[rank].round) {
            if self.ranks[rank].open_operations.is_none() {
                self.post(rank, steps)?;
            }
            let state = &mut self.ranks[rank];
            if state.open_operations != Some(0) {
                return Ok(());
            }
            (state.clock, state.open_operations, state.round) = (state.closes_at, None, state.round + 1);
        }
        Ok(())
    }

    fn post(&mut self, rank: Rank, steps: &[RecordedOp]) -> Result<(), BroadcastRefutation> {
        let must_complete = |step: &&RecordedOp| self.synchronous || matches!(step, RecordedOp::Recv { .. });
        let open = steps.iter().filter(must_complete).count();
        let state = &mut self.ranks[rank];
        (state.open_operations, state.closes_at) = (Some(open), state.clock);
        let mut leaves = state.clock;
        for step in steps {
            match step {
                RecordedOp::Recv { from, elements } => {
                    self.queue(*from, rank).receives.push_back(elements.clone());
                    self.deliver(*from, rank)?;
                }
                RecordedOp::Send { to, elements } => {
                    leaves += 1;
                    let state = &mut self.ranks[rank];
                    state.closes_at = state.closes_at.max(leaves);
                    let values = state.data[elements.clone()].to_vec();
                    self.cost.messages += 1;
                    self.cost.elements += values.len();
                    self.cost.rounds = self.cost.rounds.max(leaves);
                    self.queue(rank, *to)
                        .messages
                        .push_back(PendingMessage { elements: values, arrives: leaves });
                    self.deliver(rank, *to)?;
                }
            }
        }
        Ok(())
    }

    fn queue(&mut self, from: Rank, to: Rank) -> &mut PeerQueue {
        self.queues.entry((from, to)).or_default()
    }

    /// Completes a message and its matching receive.
    fn deliver(&mut self, from: Rank, to: Rank) -> Result<(), BroadcastRefutation> {
        let channel = self.queue(from, to);
        if channel.messages.is_empty() || channel.receives.is_empty() {
            return Ok(());
        }
        let (Some(message), Some(into)) = (channel.messages.pop_front(), channel.receives.pop_front()) else {
            unreachable!("both are there");
        };
        if message.elements.len() != into.len() {
            return Err(BroadcastRefutation::LengthMismatch {
                from,
                to,
                sent: message.elements.len(),
                capacity: into.len(),
            });
        }
        let receiver = &mut self.ranks[to];
        receiver.data[into].copy_from_slice(&message.elements);
        receiver.closes_at = receiver.closes_at.max(message.arrives);
        self.close(to);
        if self.synchronous {
            self.close(from);
        }
        Ok(())
    }

    /// Completes one operation of the rank's round.
    fn close(&mut self, rank: Rank) {
        let open = self.ranks[rank].open_operations.as_mut().expect("what is over was posted");
        *open -= 1;
        if *open == 0 {
            self.ready.push(rank);
        }
    }

    /// Checks that every rank has ended with all elements and that no messages are left.
    fn finish(self) -> Result<BroadcastCost, BroadcastRefutation> {
        for (rank, state) in self.ranks.iter().enumerate() {
            if let Some(steps) = self.programs[rank].get(state.round) {
                let peer = self.waits_for(rank, steps);
                return Err(BroadcastRefutation::Deadlock { rank, round: state.round, peer });
            }
        }
        let mut unreceived: Vec<_> = self
            .queues
            .iter()
            .filter(|(_, channel)| !channel.messages.is_empty())
            .map(|(key, _)| *key)
            .collect();
        unreceived.sort_unstable();
        if let Some((from, to)) = unreceived.first().copied() {
            return Err(BroadcastRefutation::UnmatchedMessage { from, to });
        }
        for (rank, state) in self.ranks.iter().enumerate() {
            if let Some(element) = (0..state.data.len()).find(|at| state.data[*at] != at + 1) {
                return Err(BroadcastRefutation::MissingElement { rank, element });
            }
        }
        Ok(self.cost)
    }

    /// The peer of the first incomplete operation.
    fn waits_for(&self, rank: Rank, steps: &[RecordedOp]) -> Rank {
        let is_open = |step: &&RecordedOp| match step {
            RecordedOp::Recv { from, .. } => {
                self.queues.get(&(*from, rank)).is_some_and(|channel| !channel.receives.is_empty())
            }
            RecordedOp::Send { to, .. } => {
                self.queues.get(&(rank, *to)).is_some_and(|channel| !channel.messages.is_empty())
            }
        };
        steps.iter().find(is_open).expect("a round that is not over has an open operation").peer()
    }
}
