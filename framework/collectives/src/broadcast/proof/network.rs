//! The run: messages with values between ranks that do what is written down.
use std::{
    collections::{HashMap, VecDeque},
    ops::Range,
};

use wb_comm::Rank;

use super::{
    Case, Cost, Refutation,
    recorder::{Rounds, Step},
};

/// A message that nobody has received yet.
struct Message {
    elements: Vec<usize>,
    arrives: usize,
}

/// Between two ranks, in this direction: messages and receives in their orders. One of the two is empty.
#[derive(Default)]
struct Channel {
    messages: VecDeque<Message>,
    receives: VecDeque<Range<usize>>,
}

/// One rank.
struct Standing {
    /// Element i of the root's is i + 1; 0 is what nobody has sent.
    data: Vec<usize>,
    /// The number of the round that it stands in.
    round: usize,
    /// Operations of that round that are not over; `None` before it is posted.
    open: Option<usize>,
    /// When its last round was over; while one is open, what is known of when that one is.
    clock: usize,
    over: usize,
}

struct Network<'a> {
    programs: &'a [Rounds],
    synchronous: bool,
    ranks: Vec<Standing>,
    channels: HashMap<(Rank, Rank), Channel>,
    ready: Vec<Rank>,
    cost: Cost,
}

/// Runs all ranks to their ends.
///
/// # Errors
/// What goes wrong.
pub(super) fn run(programs: &[Rounds], case: &Case) -> Result<Cost, Refutation> {
    let count = case.extent.count;
    let standing = |rank: Rank| {
        let data = if rank == case.root { (1..=count).collect() } else { vec![0; count] };
        Standing { data, round: 0, open: None, clock: 0, over: 0 }
    };
    let mut network = Network {
        programs,
        synchronous: case.synchronous,
        ranks: (0..programs.len()).map(standing).collect(),
        channels: HashMap::new(),
        ready: (0..programs.len()).rev().collect(),
        cost: Cost { messages: 0, elements: 0, rounds: 0 },
    };
    while let Some(rank) = network.ready.pop() {
        network.go_on(rank)?;
    }
    network.ended()
}

impl Network<'_> {
    /// Posts rounds until one has to wait.
    fn go_on(&mut self, rank: Rank) -> Result<(), Refutation> {
        let programs = self.programs;
        while let Some(steps) = programs[rank].get(self.ranks[rank].round) {
            if self.ranks[rank].open.is_none() {
                self.post(rank, steps)?;
            }
            let standing = &mut self.ranks[rank];
            if standing.open != Some(0) {
                return Ok(());
            }
            (standing.clock, standing.open, standing.round) = (standing.over, None, standing.round + 1);
        }
        Ok(())
    }

    fn post(&mut self, rank: Rank, steps: &[Step]) -> Result<(), Refutation> {
        let stands = |step: &&Step| self.synchronous || matches!(step, Step::Recv { .. });
        let open = steps.iter().filter(stands).count();
        let standing = &mut self.ranks[rank];
        (standing.open, standing.over) = (Some(open), standing.clock);
        let mut leaves = standing.clock;
        for step in steps {
            match step {
                Step::Recv { from, elements } => {
                    self.channel(*from, rank).receives.push_back(elements.clone());
                    self.deliver(*from, rank)?;
                }
                Step::Send { to, elements } => {
                    leaves += 1;
                    let standing = &mut self.ranks[rank];
                    standing.over = standing.over.max(leaves);
                    let values = standing.data[elements.clone()].to_vec();
                    self.cost.messages += 1;
                    self.cost.elements += values.len();
                    self.cost.rounds = self.cost.rounds.max(leaves);
                    self.channel(rank, *to).messages.push_back(Message { elements: values, arrives: leaves });
                    self.deliver(rank, *to)?;
                }
            }
        }
        Ok(())
    }

    fn channel(&mut self, from: Rank, to: Rank) -> &mut Channel {
        self.channels.entry((from, to)).or_default()
    }

    /// A message and a receive that belong together are over.
    fn deliver(&mut self, from: Rank, to: Rank) -> Result<(), Refutation> {
        let channel = self.channel(from, to);
        if channel.messages.is_empty() || channel.receives.is_empty() {
            return Ok(());
        }
        let (Some(message), Some(into)) = (channel.messages.pop_front(), channel.receives.pop_front()) else {
            unreachable!("both are there");
        };
        if message.elements.len() != into.len() {
            return Err(Refutation::Length { from, to, sent: message.elements.len(), room: into.len() });
        }
        let receiver = &mut self.ranks[to];
        receiver.data[into].copy_from_slice(&message.elements);
        receiver.over = receiver.over.max(message.arrives);
        self.close(to);
        if self.synchronous {
            self.close(from);
        }
        Ok(())
    }

    /// One operation of the rank's round is over.
    fn close(&mut self, rank: Rank) {
        let open = self.ranks[rank].open.as_mut().expect("what is over was posted");
        *open -= 1;
        if *open == 0 {
            self.ready.push(rank);
        }
    }

    /// Has everybody ended, with everything, and is nothing left?
    fn ended(self) -> Result<Cost, Refutation> {
        for (rank, standing) in self.ranks.iter().enumerate() {
            if let Some(steps) = self.programs[rank].get(standing.round) {
                let peer = self.waits_for(rank, steps);
                return Err(Refutation::Deadlock { rank, round: standing.round, peer });
            }
        }
        let mut strays: Vec<_> = self
            .channels
            .iter()
            .filter(|(_, channel)| !channel.messages.is_empty())
            .map(|(key, _)| *key)
            .collect();
        strays.sort_unstable();
        if let Some((from, to)) = strays.first().copied() {
            return Err(Refutation::Stray { from, to });
        }
        for (rank, standing) in self.ranks.iter().enumerate() {
            if let Some(element) = (0..standing.data.len()).find(|at| standing.data[*at] != at + 1) {
                return Err(Refutation::Missing { rank, element });
            }
        }
        Ok(self.cost)
    }

    /// The peer of the first operation that is open.
    fn waits_for(&self, rank: Rank, steps: &[Step]) -> Rank {
        let is_open = |step: &&Step| match step {
            Step::Recv { from, .. } => {
                self.channels.get(&(*from, rank)).is_some_and(|channel| !channel.receives.is_empty())
            }
            Step::Send { to, .. } => {
                self.channels.get(&(rank, *to)).is_some_and(|channel| !channel.messages.is_empty())
            }
        };
        steps.iter().find(is_open).expect("a round that is not over has an open operation").peer()
    }
}
