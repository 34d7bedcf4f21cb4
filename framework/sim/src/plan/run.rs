//! The pass: every rank as far as it gets, until all are through.
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
    ops::Range,
};

use wb_comm::{Label, Rank};

use super::{
    entry::Entry,
    inbox::Inbox,
    noise::Noise,
    passage::{Card, Message, Part, Passage, Passages},
    recording::{Kind, Recording},
};
use crate::{Machine, Port, card::CardPorts};

/// Not there yet.
const NEVER: u64 = u64::MAX;

/// In front of the number of an [`Ask`].
const ASKED: u64 = 1 << 63;

/// In front of the time when a receive was posted that has nothing yet. Moments that are known are below it.
const POSTED: u64 = 1 << 62;

/// A recording on a machine: one episode after the other, each entered when the last one is left.
pub struct Run<'a> {
    pub(super) recording: &'a Recording,
    pub(super) machine: &'a Machine,
    /// As it was before the last episode.
    pub(super) noise_before: Noise,
    noise: Noise,
    /// Of the last episode.
    pub(super) entries: Vec<u64>,
    /// One an operation, of the last episode. Of a receive: when its message is there. Of a send: when it is over.
    pub(super) moments: Vec<u64>,
    /// Bytes that came, one an operation; nobody is listed where no message has any.
    pub(super) sizes: Vec<usize>,
    /// What had to wait for its receive in the last episode.
    pub(super) asks: Vec<Ask>,
    ranks: Vec<Standing>,
    inbox: Inbox,
    ready: VecDeque<u32>,
    payloads: BinaryHeap<Reverse<Payload>>,
    cards: CardPorts,
    passages: Passages,
    /// One an operation: is a message on its way to this receive through cards? Nobody is listed where there are none.
    awaited: Vec<bool>,
    /// When each began the last repetition of the recording.
    began: Vec<u64>,
    arrivals: Vec<(u64, usize)>,
    fault: Option<Fault>,
}

/// Where a rank stands.
#[derive(Clone, Debug, Default)]
struct Standing {
    /// The operations of its round once that is called; until then nothing, where the round begins.
    round: Range<usize>,
    /// When the round was called; between rounds, the rank's clock.
    clock: u64,
    /// When its processor is done with the sends of the round.
    sent: u64,
    /// Operations of the round whose moment is not known.
    missing: usize,
    port: Port,
}

/// A send that waits until it meets its receive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ask {
    pub(super) send: usize,
    recv: usize,
    sender: Rank,
    receiver: Rank,
    /// When the header is at the receiver; with a synchronous message that is short, all of it.
    pub(super) arrives: u64,
    bytes: usize,
    /// Has all of it come with the header?
    pub(super) whole: bool,
}

/// When a payload may go to the port, whose it is, its send, and the number of its [`Ask`].
type Payload = (u64, Rank, usize, usize);

/// Why a recording is no program that ends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Ranks wait for what never comes.
    #[error("{ranks} rank(s) wait for ever; rank {rank} waits for rank {peer}, tag {}", label.tag)]
    Stuck {
        /// How many.
        ranks: usize,
        /// The lowest of them.
        rank: Rank,
        /// Whom it waits for.
        peer: Rank,
        /// And for what.
        label: Label,
    },
    /// One episode begins before the other is over, and messages of both wait for the same cards.
    #[error("ranks share cards, at which episodes overlap: they need a recording that is repeated")]
    Overlaps,
    /// Nobody receives a message.
    #[error("nobody receives the message of rank {from} to rank {to}, tag {}", label.tag)]
    Stray {
        /// The sender.
        from: Rank,
        /// To whom.
        to: Rank,
        /// What it is called.
        label: Label,
    },
    /// A message is longer than the receive's buffer.
    #[error("the message of {bytes} bytes from rank {from} does not fit the {room} bytes of rank {to}")]
    Truncated {
        /// The sender.
        from: Rank,
        /// The receiver.
        to: Rank,
        /// The message's size.
        bytes: usize,
        /// The buffer's.
        room: usize,
    },
}

/// When ranks came and went, nanoseconds, by rank; of a recording that is repeated, in its last repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// When each began.
    pub entries: Vec<u64>,
    /// When each was done.
    pub exits: Vec<u64>,
}

impl Outcome {
    /// From the last entry to the last exit: what the episode costs. (An algorithm that lets ranks go early can be done
    /// before the last has come; then it costs nothing.)
    pub fn cost(&self) -> u64 {
        self.last_exit().saturating_sub(self.last_entry())
    }

    /// The last entry.
    pub fn last_entry(&self) -> u64 {
        self.entries.iter().copied().max().unwrap_or(0)
    }

    /// The first exit.
    pub fn first_exit(&self) -> u64 {
        self.exits.iter().copied().min().unwrap_or(0)
    }

    /// The last exit.
    pub fn last_exit(&self) -> u64 {
        self.exits.iter().copied().max().unwrap_or(0)
    }

    /// The mean exit, rounded down.
    pub fn mean_exit(&self) -> u64 {
        let sum: u128 = self.exits.iter().copied().map(u128::from).sum();
        (sum / (self.exits.len() as u128).max(1)) as u64
    }
}

impl<'a> Run<'a> {
    /// Before the first episode, which ranks enter as `entry` says.
    pub fn new(recording: &'a Recording, machine: &'a Machine, entry: &Entry, noise: Noise) -> Self {
        let entries = entry.times(recording.size());
        let standing = |clock: &u64| Standing { clock: *clock, ..Standing::default() };
        let carries = recording.bytes() > 0;
        Self {
            recording,
            machine,
            noise_before: Noise::none(),
            noise,
            ranks: entries.iter().map(standing).collect(),
            cards: CardPorts::new(machine, recording.size()),
            passages: Passages::new(),
            awaited: vec![],
            began: entries.clone(),
            entries,
            moments: vec![],
            sizes: if carries { vec![0; recording.ops.len()] } else { vec![] },
            asks: vec![],
            inbox: Inbox::default(),
            ready: VecDeque::new(),
            payloads: BinaryHeap::new(),
            arrivals: vec![],
            fault: None,
        }
    }

    /// One more episode.
    ///
    /// # Errors
    /// A [`Fault`] where the recording is no program that ends; the run is of no use afterwards. Where ranks share
    /// cards ([`Machine::uses_cards`]), [`Fault::Overlaps`] for another than the first.
    pub fn episode(&mut self) -> Result<Outcome, Fault> {
        if self.machine.uses_cards(self.ranks.len()) && !self.moments.is_empty() {
            return Err(Fault::Overlaps);
        }
        self.rewind();
        loop {
            while let Some(rank) = self.ready.pop_front() {
                self.go_on(rank as Rank);
            }
            // All else has been followed to its end, so nothing can become ready before the earliest of these.
            let payload = self.payloads.peek().map(|Reverse((ready, ..))| *ready);
            if let Some(passage) = self.passages.pop_before(payload.unwrap_or(u64::MAX)) {
                self.pass(passage);
                continue;
            }
            let Some(Reverse((ready, _, _, ask))) = self.payloads.pop() else { break };
            self.inject(ready, ask);
        }
        match self.fault.take().or_else(|| self.stuck()) {
            Some(fault) => Err(fault),
            None => Ok(Outcome {
                entries: self.began.clone(),
                exits: self.ranks.iter().map(|rank| rank.clock).collect(),
            }),
        }
    }

    /// Everybody stands before the first operation, at the time when it left the last episode.
    fn rewind(&mut self) {
        self.noise_before.clone_from(&self.noise);
        self.moments.clear();
        self.moments.resize(self.recording.ops.len(), NEVER);
        self.asks.clear();
        self.inbox = Inbox::default();
        if self.machine.uses_cards(self.ranks.len()) {
            self.awaited.resize(self.recording.ops.len(), false);
        }
        for (rank, standing) in self.ranks.iter_mut().enumerate() {
            self.entries[rank] = standing.clock;
            let start = self.recording.starts[rank];
            standing.round = start..start;
        }
        self.began.clone_from(&self.entries);
        self.ready.extend(0..self.ranks.len() as u32);
    }

    /// Ends the rank's round, if it has called one, and calls rounds until one has to wait.
    fn go_on(&mut self, rank: Rank) {
        if !self.ranks[rank].round.is_empty() {
            self.end_round(rank);
        }
        while self.ranks[rank].round.start < self.recording.starts[rank + 1] {
            self.call_round(rank);
            if self.ranks[rank].missing > 0 {
                return;
            }
            self.end_round(rank);
        }
    }

    fn call_round(&mut self, rank: Rank) {
        let standing = &mut self.ranks[rank];
        let start = standing.round.start;
        standing.sent = standing.clock;
        if self.recording.begins_last(rank, start) {
            self.began[rank] = standing.clock;
        }
        let round = start..self.recording.round_end(start, self.recording.starts[rank + 1]);
        for op in round.clone() {
            match self.recording.class(op).kind {
                Kind::Send { bytes, synchronous } => self.send(rank, op, bytes, synchronous),
                Kind::Recv { .. } => self.post(rank, op),
            }
        }
        let missing = self.moments[round.clone()].iter().filter(|moment| **moment >= POSTED).count();
        let standing = &mut self.ranks[rank];
        (standing.round, standing.missing) = (round, missing);
    }

    /// After the sends before it.
    fn post(&mut self, rank: Rank, op: usize) {
        let at = self.ranks[rank].sent;
        match self.moments[op] {
            NEVER => self.moments[op] = POSTED | at,
            asked if asked & ASKED != 0 => self.meet((asked & !ASKED) as usize, at),
            _ => {}
        }
    }

    fn send(&mut self, rank: Rank, op: usize, bytes: usize, synchronous: bool) {
        let to = self.recording.peer(op);
        let link = self.machine.link(rank, to);
        let standing = &mut self.ranks[rank];
        let short = bytes <= link.eager;
        let goes = if short { bytes } else { 0 };
        standing.sent = self.noise.done(rank, standing.sent, link.leaving(bytes));
        let flight = standing.port.inject(standing.sent, link, goes);
        if short && !synchronous {
            self.moments[op] = standing.sent;
        }
        let Some(recv) = self.receive_of(rank, op, bytes) else { return };
        let part = if short && !synchronous { Part::Eager } else { Part::Asks { whole: short } };
        let message = Message { send: op, recv, sender: rank, receiver: to, bytes, part };
        if self.machine.passes_cards(rank, to) {
            self.awaited[recv] = true;
            self.passages.push(Passage { at: flight.begins, card: Card::Senders, message });
        } else {
            self.land(message, flight.arrives);
        }
    }

    /// A message is at a card.
    fn pass(&mut self, Passage { at, card, message }: Passage) {
        let (bytes, link) = (message.carried(), &self.machine.network);
        if card == Card::Receivers {
            let begins = self.cards.comes(self.machine, message.receiver, bytes, at);
            return self.land(message, begins + link.serial(bytes));
        }
        let begins = self.cards.leaves(self.machine, message.sender, bytes, at);
        if message.part == Part::Payload {
            self.know(message.sender, message.send, begins + link.serial(bytes));
        }
        self.passages.push(Passage { at: begins + link.latency, card: Card::Receivers, message });
    }

    /// A message, or its header, is at its receiver.
    fn land(&mut self, message: Message, arrives: u64) {
        let Message { send, recv, sender, receiver, bytes, part } = message;
        let Part::Asks { whole } = part else { return self.know(receiver, recv, arrives) };
        let number = self.asks.len();
        self.asks.push(Ask { send, recv, sender, receiver, arrives, bytes, whole });
        let before = std::mem::replace(&mut self.moments[recv], ASKED | number as u64);
        if before != NEVER {
            self.meet(number, before & !POSTED);
        }
    }

    /// The receive that the message of the send `op` belongs to.
    fn receive_of(&mut self, rank: Rank, op: usize, bytes: usize) -> Option<usize> {
        let (to, label) = (self.recording.peer(op), self.recording.class(op).label);
        let (moments, awaited, from_op) = (&self.moments, &self.awaited, self.ranks[to].round.start);
        let open = |op: usize| {
            let unmet = moments[op] & POSTED != 0 && (moments[op] == NEVER || moments[op] & ASKED == 0);
            unmet && !awaited.get(op).is_some_and(|awaited| *awaited)
        };
        let found = self.inbox.receive(self.recording, to, (rank, label), from_op, open);
        let Some(recv) = found else {
            self.fault.get_or_insert(Fault::Stray { from: rank, to, label });
            return None;
        };
        if let Kind::Recv { room } = self.recording.class(recv).kind
            && room < bytes
        {
            self.fault.get_or_insert(Fault::Truncated { from: rank, to, bytes, room });
        }
        if let Some(size) = self.sizes.get_mut(recv) {
            *size = bytes;
        }
        Some(recv)
    }

    /// The send has been asked for, and its receive was posted at `posted`.
    fn meet(&mut self, number: usize, posted: u64) {
        let ask = self.asks[number];
        let met = ask.arrives.max(posted);
        let told = met + self.machine.link(ask.sender, ask.receiver).latency;
        if ask.whole {
            self.know(ask.receiver, ask.recv, ask.arrives);
            self.know(ask.sender, ask.send, told);
        } else {
            self.payloads.push(Reverse((told, ask.sender, ask.send, number)));
        }
    }

    fn inject(&mut self, ready: u64, number: usize) {
        let ask = self.asks[number];
        let link = self.machine.link(ask.sender, ask.receiver);
        let flight = self.ranks[ask.sender].port.inject(ready, link, ask.bytes);
        if self.machine.passes_cards(ask.sender, ask.receiver) {
            let Ask { send, recv, sender, receiver, bytes, .. } = ask;
            let message = Message { send, recv, sender, receiver, bytes, part: Part::Payload };
            return self.passages.push(Passage { at: flight.begins, card: Card::Senders, message });
        }
        self.know(ask.receiver, ask.recv, flight.arrives);
        self.know(ask.sender, ask.send, flight.left);
    }

    /// The moment of an operation of `rank` is known; of one that the rank has called and waits for, it goes on.
    fn know(&mut self, rank: Rank, op: usize, moment: u64) {
        debug_assert!(moment < POSTED, "a century");
        self.moments[op] = moment;
        let standing = &mut self.ranks[rank];
        if standing.round.contains(&op) {
            standing.missing -= 1;
            if standing.missing == 0 {
                self.ready.push_back(rank as u32);
            }
        }
    }

    fn end_round(&mut self, rank: Rank) {
        let round = self.ranks[rank].round.clone();
        self.arrivals.clear();
        let mut over = 0;
        for op in round.clone() {
            match self.recording.class(op).kind {
                Kind::Send { .. } => over = over.max(self.moments[op]),
                Kind::Recv { .. } => self.arrivals.push((self.moments[op], op)),
            }
        }
        self.arrivals.sort_unstable();
        let mut done = self.ranks[rank].sent;
        for &(arrives, op) in &self.arrivals {
            let bytes = self.sizes.get(op).copied().unwrap_or(0);
            let work = self.machine.link(self.recording.peer(op), rank).busy(bytes);
            done = self.noise.done(rank, done.max(arrives), work);
        }
        let standing = &mut self.ranks[rank];
        standing.clock = done.max(over);
        standing.round = round.end..round.end;
    }

    /// The lowest rank that waits, and what for.
    fn stuck(&self) -> Option<Fault> {
        let waits = |rank: &Rank| self.ranks[*rank].round.start < self.recording.starts[rank + 1];
        let rank = (0..self.ranks.len()).find(waits)?;
        let ranks = (0..self.ranks.len()).filter(waits).count();
        let op = self.ranks[rank].round.clone().find(|op| self.moments[*op] >= POSTED)?;
        let (peer, label) = (self.recording.peer(op), self.recording.class(op).label);
        Some(Fault::Stuck { ranks, rank, peer, label })
    }
}
