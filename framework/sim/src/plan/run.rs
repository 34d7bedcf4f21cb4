//! The pass: every rank as far as it gets, until all are through.
use std::{collections::VecDeque, ops::Range};

use wb_comm::{Label, Rank};

use super::{
    entry::Entry,
    events::{Event, Events, Part, Place},
    fold::{Fold, Meetings},
    inbox::Inbox,
    noise::Noise,
    outcome::{Fault, Outcome},
    recording::{Class, Kind, Recording},
    text::Program,
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
    /// One an operation, by slot, of the last episode. Of a receive: when its message is there. Of a send: when it is over.
    pub(super) moments: Vec<u64>,
    /// Bytes that came, one an operation, by slot; nobody is listed where no message has any.
    pub(super) sizes: Vec<usize>,
    /// What had to wait for its receive in the last episode.
    pub(super) asks: Vec<Ask>,
    /// Of the ranks that are simulated, as all lists by rank.
    ranks: Vec<Standing>,
    pub(super) fold: Fold,
    meetings: Meetings,
    inbox: Inbox,
    ready: VecDeque<u32>,
    cards: CardPorts,
    events: Events,
    /// When each began the last repetition of the recording.
    began: Vec<u64>,
    arrivals: Vec<(u64, usize)>,
    fault: Option<Fault>,
}

/// Where a rank stands.
#[derive(Clone, Debug, Default)]
struct Standing {
    /// The operations of its round once that is called; until then nothing, where the round begins.
    round: Range<u32>,
    /// When the round was called; between rounds, the rank's clock.
    clock: u64,
    /// When its processor is done with the sends of the round.
    sent: u64,
    /// Operations of the round whose moment is not known.
    missing: u32,
    port: Port,
}

/// A send that waits until it meets its receive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ask {
    pub(super) send: usize,
    recv: usize,
    pub(super) sender: Rank,
    receiver: Rank,
    /// When the header is at the receiver; with a synchronous message that is short, all of it.
    pub(super) arrives: u64,
    bytes: usize,
    /// Has all of it come with the header?
    pub(super) whole: bool,
}

/// A send, read from its sender's program.
#[derive(Clone, Copy, Debug)]
struct Sending {
    to: Rank,
    bytes: usize,
    synchronous: bool,
    label: Label,
}

impl<'a> Run<'a> {
    /// Before the first episode, which ranks enter as `entry` says.
    pub fn new(recording: &'a Recording, machine: &'a Machine, entry: &Entry, noise: Noise) -> Self {
        let entries = entry.times(recording.size());
        let fold = match noise.is_none() {
            true => Fold::of(recording, machine, &entries),
            false => Fold::none(recording.size()),
        };
        Self::folded(recording, machine, entries, noise, fold)
    }

    fn folded(
        recording: &'a Recording,
        machine: &'a Machine,
        mut entries: Vec<u64>,
        noise: Noise,
        fold: Fold,
    ) -> Self {
        let (simulated, carries) = (fold.simulated(), recording.bytes() > 0);
        entries.truncate(simulated);
        let standing = |clock: &u64| Standing { clock: *clock, ..Standing::default() };
        Self {
            recording,
            machine,
            noise_before: Noise::none(),
            noise,
            ranks: entries.iter().map(standing).collect(),
            fold,
            meetings: Meetings::default(),
            cards: CardPorts::new(machine, simulated),
            events: Events::new(machine, simulated),
            began: vec![],
            entries,
            moments: vec![],
            sizes: if carries { vec![0; recording.slots(simulated)] } else { vec![] },
            asks: vec![],
            inbox: Inbox::default(),
            ready: VecDeque::new(),
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
        let size = self.recording.size();
        if self.machine.uses_cards(size) && !self.moments.is_empty() {
            return Err(Fault::Overlaps);
        }
        self.rewind();
        self.follow();
        // All else has been followed to its end, so nothing becomes ready before the earliest of these.
        while let Some((queue, until)) = self.events.next() {
            while let Some(event) = self.events.pop(queue, until) {
                if self.meets_another(event) {
                    return self.unfolded().episode();
                }
                self.happen(event);
                self.follow();
            }
        }
        let by_rank = |of: &dyn Fn(Rank) -> u64| (0..size).map(|rank| of(self.fold.home(rank))).collect();
        match self.fault.take().or_else(|| self.stuck()) {
            Some(fault) => Err(fault),
            None => Ok(Outcome {
                entries: by_rank(&|rank| self.began[rank]),
                exits: by_rank(&|rank| self.ranks[rank].clock),
            }),
        }
    }

    /// Where one node is simulated for all: does a message meet one of another node at a card, so that all must be simulated?
    fn meets_another(&mut self, event: Event) -> bool {
        if !self.fold.is_folded() || event.place != Place::Comes {
            return false;
        }
        let (receiver, _) = self.addressed(event);
        let card = self.machine.cards.map_or(0, |cards| cards.of(self.machine, receiver));
        self.meetings.meets(card, event.at, self.machine.node_of(event.sender()))
    }

    /// The same before its first episode, with every rank simulated.
    pub(super) fn unfolded(&mut self) -> &mut Self {
        let entries = (0..self.recording.size()).map(|rank| self.entries[self.fold.home(rank)]).collect();
        let fold = Fold::none(self.recording.size());
        *self = Self::folded(self.recording, self.machine, entries, Noise::none(), fold);
        self
    }

    /// Everybody stands before the first operation, at the time when it left the last episode.
    fn rewind(&mut self) {
        self.noise_before.clone_from(&self.noise);
        self.moments.clear();
        self.moments.resize(self.recording.slots(self.ranks.len()), NEVER);
        self.asks.clear();
        self.inbox = Inbox::default();
        for (rank, standing) in self.ranks.iter_mut().enumerate() {
            self.entries[rank] = standing.clock;
            standing.round = 0..0;
        }
        self.began.clone_from(&self.entries);
        self.ready.extend(0..self.ranks.len() as u32);
    }

    /// All that is ready goes on.
    fn follow(&mut self) {
        while let Some(rank) = self.ready.pop_front() {
            self.go_on(rank as Rank);
        }
    }

    /// Ends the rank's round, if it has called one, and calls rounds until one has to wait.
    fn go_on(&mut self, rank: Rank) {
        if !self.ranks[rank].round.is_empty() {
            self.end_round(rank);
        }
        let program = self.recording.program(rank);
        while (self.ranks[rank].round.start as usize) < program.len() {
            self.call_round(rank, &program);
            if self.ranks[rank].missing > 0 {
                return;
            }
            self.end_round(rank);
        }
    }

    fn call_round(&mut self, rank: Rank, program: &Program<'_>) {
        let standing = &mut self.ranks[rank];
        let start = standing.round.start as usize;
        standing.sent = standing.clock;
        if self.recording.begins_last(program, start) {
            self.began[rank] = standing.clock;
        }
        let round = start..self.recording.round_end(program, start);
        for op in round.clone() {
            match self.recording.class(program, op).kind {
                Kind::Send { .. } => self.send(rank, program, op),
                Kind::Recv { .. } => self.post(rank, program.slot(op)),
            }
        }
        let missing = round.clone().filter(|op| self.moments[program.slot(*op)] >= POSTED).count();
        let standing = &mut self.ranks[rank];
        (standing.round, standing.missing) = (start as u32..round.end as u32, missing as u32);
    }

    /// After the sends before it.
    fn post(&mut self, rank: Rank, slot: usize) {
        let at = self.ranks[rank].sent;
        match self.moments[slot] {
            NEVER => self.moments[slot] = POSTED | at,
            asked if asked & ASKED != 0 => self.meet((asked & !ASKED) as usize, at),
            _ => {}
        }
    }

    fn send(&mut self, rank: Rank, program: &Program<'_>, op: usize) {
        let Sending { to, bytes, synchronous, .. } = self.sending(program, op);
        let link = self.machine.link(rank, to);
        let standing = &mut self.ranks[rank];
        let short = bytes <= link.eager;
        standing.sent = self.noise.done(rank, standing.sent, link.leaving(bytes));
        let flight = standing.port.inject(standing.sent, link, if short { bytes } else { 0 });
        if short && !synchronous {
            self.moments[program.slot(op)] = standing.sent;
        }
        match self.machine.passes_cards(rank, to) {
            false => self.land(self.fold.sender(rank, to), op, flight.arrives),
            true => {
                let node = self.machine.node_of(rank);
                self.events.card(node, flight.begins, Place::Leaves, (rank, Part::First, op));
            }
        }
    }

    fn happen(&mut self, event: Event) {
        let (Event { at, part, id, .. }, network) = (event, &self.machine.network);
        if event.place == Place::Port {
            return self.inject(at, id);
        }
        let (sender, (receiver, bytes)) = (event.sender(), self.addressed(event));
        if event.place == Place::Leaves {
            let begins = self.cards.leaves(self.machine, sender, bytes, at);
            if part == Part::Payload {
                self.know(sender, self.asks[id].send, begins + network.serial(bytes));
            }
            let (node, comes) = (self.machine.node_of(receiver), begins + network.latency);
            let sender = match part {
                Part::First => self.fold.sender(sender, receiver),
                Part::Payload => self.asks[id].sender,
            };
            return self.events.card(node, comes, Place::Comes, (sender, part, id));
        }
        let arrives = self.cards.comes(self.machine, receiver, bytes, at) + network.serial(bytes);
        match part {
            Part::First => self.land(sender, id, arrives),
            Part::Payload => self.know(receiver, self.asks[id].recv, arrives),
        }
    }

    /// To whom a message between nodes goes, and how much of it goes through the cards.
    fn addressed(&self, event: Event) -> (Rank, usize) {
        if event.part == Part::Payload {
            return (self.asks[event.id].receiver, self.asks[event.id].bytes);
        }
        let Sending { to, bytes, .. } = self.sending(&self.recording.program(event.sender()), event.id);
        (to, if bytes <= self.machine.network.eager { bytes } else { 0 })
    }

    fn sending(&self, program: &Program<'_>, op: usize) -> Sending {
        let Class { kind, label, .. } = *self.recording.class(program, op);
        let Kind::Send { bytes, synchronous } = kind else { unreachable!("only sends are under way") };
        Sending { to: program.peer(op), bytes, synchronous, label }
    }

    /// A message, or its header, is at its receiver. Those of one sender come in the order of sending, on every way.
    fn land(&mut self, sender: Rank, send: usize, arrives: u64) {
        let sending = self.sending(&self.recording.program(sender), send);
        let Sending { to: receiver, bytes, synchronous, .. } = sending;
        let Some(recv) = self.receive_of(sender, sending) else { return };
        let whole = bytes <= self.machine.link(sender, receiver).eager;
        if whole && !synchronous {
            return self.know(receiver, recv, arrives);
        }
        let number = self.asks.len();
        self.asks.push(Ask { send, recv, sender, receiver, arrives, bytes, whole });
        let slot = self.recording.program(receiver).slot(recv);
        let before = std::mem::replace(&mut self.moments[slot], ASKED | number as u64);
        if before != NEVER {
            self.meet(number, before & !POSTED);
        }
    }

    /// The receive that a message of `rank` belongs to.
    fn receive_of(&mut self, rank: Rank, Sending { to, bytes, label, .. }: Sending) -> Option<usize> {
        let (program, from_op) = (self.recording.program(to), self.ranks[to].round.start as usize);
        let moments = &self.moments;
        let open = |op: usize| {
            let moment = moments[program.slot(op)];
            moment & POSTED != 0 && (moment == NEVER || moment & ASKED == 0)
        };
        let found = self.inbox.receive(self.recording, to, (rank, label), from_op, open);
        let Some(recv) = found else {
            self.fault.get_or_insert(Fault::Stray { from: rank, to, label });
            return None;
        };
        if let Kind::Recv { room } = self.recording.class(&program, recv).kind
            && room < bytes
        {
            self.fault.get_or_insert(Fault::Truncated { from: rank, to, bytes, room });
        }
        if let Some(size) = self.sizes.get_mut(program.slot(recv)) {
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
            self.know(self.fold.home(ask.sender), ask.send, told);
        } else {
            let sender = self.fold.home(ask.sender);
            self.events.payload(self.machine.node_of(sender), told, (sender, ask.send), number);
        }
    }

    fn inject(&mut self, ready: u64, number: usize) {
        let ask = self.asks[number];
        let link = self.machine.link(ask.sender, ask.receiver);
        let sender = self.fold.home(ask.sender);
        let flight = self.ranks[sender].port.inject(ready, link, ask.bytes);
        if self.machine.passes_cards(ask.sender, ask.receiver) {
            let node = self.machine.node_of(sender);
            return self.events.card(node, flight.begins, Place::Leaves, (sender, Part::Payload, number));
        }
        self.know(ask.receiver, ask.recv, flight.arrives);
        self.know(sender, ask.send, flight.left);
    }

    /// The moment of an operation of `rank` is known; of one that the rank has called and waits for, it goes on.
    fn know(&mut self, rank: Rank, op: usize, moment: u64) {
        debug_assert!(moment < POSTED, "a century");
        self.moments[self.recording.program(rank).slot(op)] = moment;
        let standing = &mut self.ranks[rank];
        if standing.round.contains(&(op as u32)) {
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
        let program = self.recording.program(rank);
        for op in round.start as usize..round.end as usize {
            let moment = self.moments[program.slot(op)];
            match self.recording.class(&program, op).kind {
                Kind::Send { .. } => over = over.max(moment),
                Kind::Recv { .. } => self.arrivals.push((moment, op)),
            }
        }
        self.arrivals.sort_unstable();
        let mut done = self.ranks[rank].sent;
        for &(arrives, op) in &self.arrivals {
            let bytes = self.sizes.get(program.slot(op)).copied().unwrap_or(0);
            let work = self.machine.link(program.peer(op), rank).busy(bytes);
            done = self.noise.done(rank, done.max(arrives), work);
        }
        let standing = &mut self.ranks[rank];
        standing.clock = done.max(over);
        standing.round = round.end..round.end;
    }

    /// The lowest rank that waits, and what for.
    fn stuck(&self) -> Option<Fault> {
        let waits =
            |rank: &Rank| (self.ranks[*rank].round.start as usize) < self.recording.program(*rank).len();
        let rank = (0..self.ranks.len()).find(waits)?;
        let ranks = (0..self.ranks.len()).filter(waits).count() * (self.recording.size() / self.ranks.len());
        let (program, round) = (self.recording.program(rank), self.ranks[rank].round.clone());
        let mut ops = round.start as usize..round.end as usize;
        let op = ops.find(|op| self.moments[program.slot(*op)] >= POSTED)?;
        let (peer, label) = (program.peer(op), self.recording.class(&program, op).label);
        Some(Fault::Stuck { ranks, rank, peer, label })
    }
}
