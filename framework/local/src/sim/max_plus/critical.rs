//! The critical path: the chain of waits that decides the last exit, walked backwards from it.
//!
//! Each step back finds what a rank waited for last: a message that came after the processor was free, the receiver of
//! a rendezvous or synchronous send, or only its own processor. The path ends at the entry of a rank.
use std::ops::Range;

use rustc_hash::FxHashMap;
use wb_comm::Rank;

use super::{
    noise::Processor,
    recording::{OpClass, RecordedOpKind},
    run::{MaxPlusRun, RendezvousSend},
};

/// One step of the path, in the order of time. Nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStep {
    /// The path begins where this rank enters.
    Entry {
        /// The rank.
        rank: Rank,
        /// When it enters.
        at: u64,
    },
    /// A message that was waited for.
    Message {
        /// The sender.
        from: Rank,
        /// The receiver.
        to: Rank,
        /// When the sender calls the send.
        called_at: u64,
        /// When the message arrives.
        arrives: u64,
    },
    /// A send that waited for its receiver.
    Acknowledgement {
        /// The receiver, which posts late.
        from: Rank,
        /// The sender, which waits.
        to: Rank,
        /// When the receiver posts.
        posted: u64,
        /// When the send completes.
        completed_at: u64,
    },
    /// The path ends where this rank exits.
    Exit {
        /// The rank.
        rank: Rank,
        /// When it exits.
        at: u64,
    },
}

/// The critical path, from an entry to the last exit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaxPlusPath {
    /// The steps in the order of time, from an entry to an exit.
    pub steps: Vec<PathStep>,
}

impl MaxPlusPath {
    /// The number of messages and acknowledgements on the path.
    pub fn hops(&self) -> usize {
        self.steps.len() - 2
    }
}

/// One round of a rank, recomputed.
struct CompletedRound {
    ops: Range<usize>,
    /// When its processor is done with the sends.
    sends_done: u64,
    /// Its receives in the order of arrivals.
    received: Vec<CompletedReceive>,
    /// When the processor is done with them.
    done: u64,
}

/// One receive of a round, recomputed.
struct CompletedReceive {
    op: usize,
    /// Whether the processor was free when the message came.
    was_free: bool,
    /// When the processor is done with it.
    done: u64,
}

/// The times of one message of an episode, nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageTimes {
    /// The sender.
    pub from: Rank,
    /// The receiver.
    pub to: Rank,
    /// Its length in bytes.
    pub bytes: usize,
    /// When the sender calls the send.
    pub called_at: u64,
    /// When it arrives.
    pub arrives: u64,
    /// When the receiver's processor is done with it.
    pub received_at: u64,
}

/// What a round waited for last.
enum WaitCause {
    /// The rank's own processor.
    Processor,
    /// The message of this receive.
    Message(usize),
    /// The receiver of this send.
    Acknowledgement(usize),
}

impl MaxPlusRun<'_> {
    /// The critical path of the last episode, to its last exit (of several, the lowest rank's); `exits` are those of
    /// its [`EpisodeTimes`](super::EpisodeTimes).
    ///
    /// # Panics
    /// Without ranks, and before the first episode.
    pub fn critical_path(&self, exits: &[u64]) -> MaxPlusPath {
        let last = *exits.iter().max().expect("at least one rank");
        let mut rank = exits.iter().position(|exit| *exit == last).expect("it is among them");
        let asks: FxHashMap<_, &RendezvousSend> = self
            .rendezvous
            .iter()
            .map(|ask| ((self.symmetry.representative(ask.sender), ask.send), ask))
            .collect();
        let mut steps = vec![PathStep::Exit { rank, at: last }];
        let mut rounds = self.rounds_before(rank, self.recording.program(rank).len());
        while let Some(round) = rounds.pop() {
            let (from, step, op) = match self.cause(rank, &round) {
                WaitCause::Processor => continue,
                WaitCause::Message(recv) => {
                    let (from, arrives) = (self.peer(rank, recv), self.completion_time(rank, recv));
                    let send = self.counterpart(rank, recv);
                    let late =
                        |ask: &&RendezvousSend| !ask.is_whole && self.call_time(rank, recv) > ask.arrives;
                    if asks.get(&(self.symmetry.representative(from), send)).is_some_and(late) {
                        // The payload waited for the call of this round.
                        continue;
                    }
                    let called = self.call_time(from, send);
                    (from, PathStep::Message { from, to: rank, called_at: called, arrives }, send)
                }
                WaitCause::Acknowledgement(send) => {
                    let (from, completed_at) = (self.peer(rank, send), self.completion_time(rank, send));
                    let recv = self.counterpart(rank, send);
                    let posted = self.call_time(from, recv);
                    if posted <= asks[&(self.symmetry.representative(rank), send)].arrives {
                        continue;
                    }
                    (from, PathStep::Acknowledgement { from, to: rank, posted, completed_at }, recv)
                }
            };
            steps.push(step);
            (rank, rounds) = (from, self.rounds_before(from, op));
        }
        steps.push(PathStep::Entry { rank, at: self.entries[self.symmetry.representative(rank)] });
        steps.reverse();
        MaxPlusPath { steps }
    }

    /// The messages of the last episode, by receiver, and in the order of the receiver's operations.
    pub fn message_times(&self) -> Vec<MessageTimes> {
        (0..self.recording.size()).flat_map(|to| self.messages_to(to)).collect()
    }

    fn messages_to(&self, to: Rank) -> Vec<MessageTimes> {
        let rounds = self.rounds_before(to, self.recording.program(to).len());
        let mut received: Vec<_> = rounds.iter().flat_map(|round| &round.received).collect();
        received.sort_unstable_by_key(|receive| receive.op);
        let times = |receive: &&CompletedReceive| {
            let (from, send) = (self.peer(to, receive.op), self.counterpart(to, receive.op));
            MessageTimes {
                from,
                to,
                bytes: self.bytes(to, receive.op),
                called_at: self.call_time(from, send),
                arrives: self.completion_time(to, receive.op),
                received_at: receive.done,
            }
        };
        received.iter().map(times).collect()
    }

    fn class(&self, rank: Rank, op: usize) -> &OpClass {
        self.recording.class(&self.recording.program(rank), op)
    }

    fn completion_time(&self, rank: Rank, op: usize) -> u64 {
        self.completion_times[self.recording.program(self.symmetry.representative(rank)).slot(op)]
    }

    /// The bytes that a receive has received.
    fn bytes(&self, rank: Rank, recv: usize) -> usize {
        let slot = self.recording.program(self.symmetry.representative(rank)).slot(recv);
        self.received_bytes.get(slot).copied().unwrap_or(0)
    }

    fn peer(&self, rank: Rank, op: usize) -> Rank {
        self.recording.program(rank).peer(op)
    }

    fn cause(&self, rank: Rank, round: &CompletedRound) -> WaitCause {
        match self.sends(rank, round).max_by_key(|op| self.completion_time(rank, *op)) {
            Some(send) if self.completion_time(rank, send) > round.done => WaitCause::Acknowledgement(send),
            _ => match round.received.iter().rev().find(|receive| receive.was_free) {
                Some(receive) => WaitCause::Message(receive.op),
                None => WaitCause::Processor,
            },
        }
    }

    /// The rounds of `rank` before the one that `op` belongs to.
    fn rounds_before(&self, rank: Rank, op: usize) -> Vec<CompletedRound> {
        self.rounds(rank, op, &mut self.noise_before.processor(rank))
    }

    /// The same, with the processor's state; `processor` is then in the state after these rounds.
    fn rounds(&self, rank: Rank, op: usize, processor: &mut Processor) -> Vec<CompletedRound> {
        let program = self.recording.program(rank);
        let (mut start, mut clock, mut rounds) =
            (0, self.entries[self.symmetry.representative(rank)], vec![]);
        while start < program.len() {
            let ops = start..self.recording.round_end(&program, start);
            if ops.contains(&op) {
                break;
            }
            let round = self.replay_round(rank, ops, clock, processor);
            start = round.ops.end;
            clock = self.send_end(rank, &round);
            rounds.push(round);
        }
        rounds
    }

    /// When `rank` called `op`: after the sends before it in its round.
    fn call_time(&self, rank: Rank, op: usize) -> u64 {
        let mut processor = self.noise_before.processor(rank);
        let before = self.rounds(rank, op, &mut processor);
        let (start, clock) = before.last().map_or_else(
            || (0, self.entries[self.symmetry.representative(rank)]),
            |round| (round.ops.end, self.send_end(rank, round)),
        );
        self.replay_round(rank, start..op, clock, &mut processor).sends_done
    }

    fn sends(&self, rank: Rank, round: &CompletedRound) -> impl Iterator<Item = usize> {
        let is_send = move |op: &usize| matches!(self.class(rank, *op).kind, RecordedOpKind::Send { .. });
        round.ops.clone().filter(is_send)
    }

    fn send_end(&self, rank: Rank, round: &CompletedRound) -> u64 {
        self.sends(rank, round).map(|op| self.completion_time(rank, op)).max().unwrap_or(0).max(round.done)
    }

    /// The operations `ops` of one round, called at `called`.
    fn replay_round(
        &self,
        rank: Rank,
        ops: Range<usize>,
        called: u64,
        processor: &mut Processor,
    ) -> CompletedRound {
        let link = |op: usize| self.machine.link(rank, self.peer(rank, op));
        let (mut sent, mut arrivals) = (called, vec![]);
        for op in ops.clone() {
            match self.class(rank, op).kind {
                RecordedOpKind::Send { bytes, .. } => {
                    sent = processor.finish_time(sent, link(op).send_time(bytes));
                }
                RecordedOpKind::Recv { .. } => arrivals.push((self.completion_time(rank, op), op)),
            }
        }
        arrivals.sort_unstable();
        let mut done = sent;
        let received = arrivals.into_iter().map(|(arrives, op)| {
            let was_free = arrives >= done;
            done = processor.finish_time(done.max(arrives), link(op).processor_time(self.bytes(rank, op)));
            CompletedReceive { op, was_free, done }
        });
        CompletedRound { received: received.collect(), ops, sends_done: sent, done }
    }

    /// The matching operation of `op` of `rank` at the other rank.
    fn counterpart(&self, rank: Rank, op: usize) -> usize {
        let (peer, tag) = (self.peer(rank, op), self.class(rank, op).tag);
        let sends = matches!(self.class(rank, op).kind, RecordedOpKind::Send { .. });
        let with = |owner: Rank, other: Rank, is_send: bool| {
            (0..self.recording.program(owner).len()).filter(move |op| {
                let class = self.class(owner, *op);
                let send = matches!(class.kind, RecordedOpKind::Send { .. });
                self.peer(owner, *op) == other && class.tag == tag && send == is_send
            })
        };
        let before = with(rank, peer, sends).take_while(|earlier| *earlier < op).count();
        with(peer, rank, !sends).nth(before).expect("every message of an episode has two ends")
    }
}
