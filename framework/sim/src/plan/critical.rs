//! The critical path: the chain of waits that decides the last exit, walked backwards from it.
//!
//! At every step back the question is what a rank waited for last: a message that came after the processor was free, the
//! receiver of a send that had to ask, or nobody but its own processor. The path ends at the entry of some rank.
use std::ops::Range;

use rustc_hash::FxHashMap;
use wb_comm::Rank;

use super::{
    noise::Processor,
    recording::{Class, Kind},
    run::{Ask, Run},
};

/// One step of the path, in the order of time. Nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leg {
    /// The path begins where this rank enters.
    Enters {
        /// Who.
        rank: Rank,
        /// When.
        at: u64,
    },
    /// A message that was waited for.
    Message {
        /// The sender.
        from: Rank,
        /// The receiver.
        to: Rank,
        /// When the sender called.
        called: u64,
        /// When the message is there.
        arrives: u64,
    },
    /// A send that waited for its receiver.
    Answer {
        /// The receiver, which posts late.
        from: Rank,
        /// The sender, which waits.
        to: Rank,
        /// When the receiver posts.
        posted: u64,
        /// When the send is over.
        over: u64,
    },
    /// The path ends where this rank leaves.
    Leaves {
        /// Who.
        rank: Rank,
        /// When.
        at: u64,
    },
}

/// The critical path, from an entry to the last exit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// In the order of time; the first enters, the last leaves.
    pub legs: Vec<Leg>,
}

impl Path {
    /// How many messages and answers are on it.
    pub fn hops(&self) -> usize {
        self.legs.len() - 2
    }
}

/// One round of a rank, done again.
struct Round {
    ops: Range<usize>,
    /// When its processor is done with the sends.
    sent: u64,
    /// Its receives in the order of arrivals: the operation, and whether the processor was free when the message came.
    received: Vec<(usize, bool)>,
    /// When the processor is done with them.
    done: u64,
}

/// What a round waited for last.
enum Cause {
    /// The rank's own processor.
    Own,
    /// The message of this receive.
    Message(usize),
    /// The receiver of this send.
    Answer(usize),
}

impl Run<'_> {
    /// The critical path of the last episode, to its last exit (of several, the lowest rank's); `exits` are those of its
    /// [`Outcome`](super::Outcome).
    ///
    /// # Panics
    /// For nobody, and before the first episode.
    pub fn critical_path(&self, exits: &[u64]) -> Path {
        let last = *exits.iter().max().expect("at least one rank");
        let mut rank = exits.iter().position(|exit| *exit == last).expect("it is among them");
        let asks: FxHashMap<_, &Ask> =
            self.asks.iter().map(|ask| ((self.fold.home(ask.sender), ask.send), ask)).collect();
        let mut legs = vec![Leg::Leaves { rank, at: last }];
        let mut rounds = self.rounds_before(rank, self.recording.program(rank).len());
        while let Some(round) = rounds.pop() {
            let (from, leg, op) = match self.cause(rank, &round) {
                Cause::Own => continue,
                Cause::Message(recv) => {
                    let (from, arrives) = (self.peer(rank, recv), self.moment(rank, recv));
                    let send = self.counterpart(rank, recv);
                    let late = |ask: &&Ask| !ask.whole && self.called(rank, recv) > ask.arrives;
                    if asks.get(&(self.fold.home(from), send)).is_some_and(late) {
                        // The payload stood waiting for this very round to be called.
                        continue;
                    }
                    let called = self.called(from, send);
                    (from, Leg::Message { from, to: rank, called, arrives }, send)
                }
                Cause::Answer(send) => {
                    let (from, over) = (self.peer(rank, send), self.moment(rank, send));
                    let recv = self.counterpart(rank, send);
                    let posted = self.called(from, recv);
                    if posted <= asks[&(self.fold.home(rank), send)].arrives {
                        continue;
                    }
                    (from, Leg::Answer { from, to: rank, posted, over }, recv)
                }
            };
            legs.push(leg);
            (rank, rounds) = (from, self.rounds_before(from, op));
        }
        legs.push(Leg::Enters { rank, at: self.entries[self.fold.home(rank)] });
        legs.reverse();
        Path { legs }
    }

    fn class(&self, rank: Rank, op: usize) -> &Class {
        self.recording.class(&self.recording.program(rank), op)
    }

    fn moment(&self, rank: Rank, op: usize) -> u64 {
        self.moments[self.recording.program(self.fold.home(rank)).slot(op)]
    }

    fn peer(&self, rank: Rank, op: usize) -> Rank {
        self.recording.program(rank).peer(op)
    }

    fn cause(&self, rank: Rank, round: &Round) -> Cause {
        match self.sends(rank, round).max_by_key(|op| self.moment(rank, *op)) {
            Some(send) if self.moment(rank, send) > round.done => Cause::Answer(send),
            _ => match round.received.iter().rev().find(|(_, was_free)| *was_free) {
                Some((recv, _)) => Cause::Message(*recv),
                None => Cause::Own,
            },
        }
    }

    /// The rounds of `rank` before the one that `op` belongs to.
    fn rounds_before(&self, rank: Rank, op: usize) -> Vec<Round> {
        self.rounds(rank, op, &mut self.noise_before.processor(rank))
    }

    /// The same on a processor that is then where these rounds end.
    fn rounds(&self, rank: Rank, op: usize, processor: &mut Processor) -> Vec<Round> {
        let program = self.recording.program(rank);
        let (mut start, mut clock, mut rounds) = (0, self.entries[self.fold.home(rank)], vec![]);
        while start < program.len() {
            let ops = start..self.recording.round_end(&program, start);
            if ops.contains(&op) {
                break;
            }
            let round = self.again(rank, ops, clock, processor);
            start = round.ops.end;
            clock = self.left(rank, &round);
            rounds.push(round);
        }
        rounds
    }

    /// When `rank` came to `op`: after the sends before it in its round.
    fn called(&self, rank: Rank, op: usize) -> u64 {
        let mut processor = self.noise_before.processor(rank);
        let before = self.rounds(rank, op, &mut processor);
        let (start, clock) = before.last().map_or_else(
            || (0, self.entries[self.fold.home(rank)]),
            |round| (round.ops.end, self.left(rank, round)),
        );
        self.again(rank, start..op, clock, &mut processor).sent
    }

    fn sends(&self, rank: Rank, round: &Round) -> impl Iterator<Item = usize> {
        let is_send = move |op: &usize| matches!(self.class(rank, *op).kind, Kind::Send { .. });
        round.ops.clone().filter(is_send)
    }

    fn left(&self, rank: Rank, round: &Round) -> u64 {
        self.sends(rank, round).map(|op| self.moment(rank, op)).max().unwrap_or(0).max(round.done)
    }

    /// The operations `ops` of one round, called at `called`.
    fn again(&self, rank: Rank, ops: Range<usize>, called: u64, processor: &mut Processor) -> Round {
        let link = |op: usize| self.machine.link(rank, self.peer(rank, op));
        let (mut sent, mut arrivals) = (called, vec![]);
        for op in ops.clone() {
            match self.class(rank, op).kind {
                Kind::Send { bytes, .. } => sent = processor.done(sent, link(op).leaving(bytes)),
                Kind::Recv { .. } => arrivals.push((self.moment(rank, op), op)),
            }
        }
        arrivals.sort_unstable();
        let mut done = sent;
        let received = arrivals.into_iter().map(|(arrives, op)| {
            let was_free = arrives >= done;
            let bytes =
                self.sizes.get(self.recording.program(self.fold.home(rank)).slot(op)).copied().unwrap_or(0);
            done = processor.done(done.max(arrives), link(op).busy(bytes));
            (op, was_free)
        });
        Round { received: received.collect(), ops, sent, done }
    }

    /// The other end of the message of `op`, which is `rank`'s.
    fn counterpart(&self, rank: Rank, op: usize) -> usize {
        let (peer, label) = (self.peer(rank, op), self.class(rank, op).label);
        let sends = matches!(self.class(rank, op).kind, Kind::Send { .. });
        let with = |owner: Rank, other: Rank, is_send: bool| {
            (0..self.recording.program(owner).len()).filter(move |op| {
                let class = self.class(owner, *op);
                let send = matches!(class.kind, Kind::Send { .. });
                self.peer(owner, *op) == other && class.label == label && send == is_send
            })
        };
        let before = with(rank, peer, sends).take_while(|earlier| *earlier < op).count();
        with(peer, rank, !sends).nth(before).expect("every message of an episode has two ends")
    }
}
