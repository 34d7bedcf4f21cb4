//! The clocks of all ranks, and what is under way between them in the order of its time.
//!
//! A rank that has the baton runs ahead of everybody else's time, which is harmless: what it sends arrives later still, and
//! what it posts is matched by the times noted, not by the order of processing. Only who looks without waiting must first
//! let happen what lies before ([`Hub::look`](wb_fabric::Hub::look)).
//!
//! Things happen in the order of the [`calendar`](crate::calendar), which is the same in every run.
use std::sync::Arc;

use rustc_hash::FxHashMap;
use wb_comm::Rank;
use wb_fabric::{Happening, Mode, OperationId, Over, Pace, Sight, State};

use crate::{
    Faults, Machine, Port,
    calendar::{Calendar, Entry, Turn},
    card::CardPorts,
    turns::{Next, Turns},
};

/// So often in a row may each rank look in vain, while nothing is under way, before nobody believes any more that looking
/// helps.
const VAIN_LOOKS: u64 = 10_000;

/// A look at memory of one's own, which may well be reading it; many of them are as bad as a look in vain.
const GLANCE: u64 = 1;

/// A look in vain.
const LOOK: u64 = 500 * GLANCE;

/// What is under way.
#[derive(Debug)]
enum Underway {
    /// It comes about.
    Happening(Happening),
    /// The payload of a message that has been asked for goes to the port of its sender: not before its time, since another
    /// one of the same sender may be asked for in between.
    Payload(Box<Payload>),
    /// A message comes to the card of its sender's node: not before its time, since ranks of the node run ahead of each
    /// other.
    Leaves(Box<Passage>),
    /// Its first byte comes to the card of its receiver's node.
    Comes(Box<Passage>),
}

/// See [`Underway::Payload`].
#[derive(Debug)]
struct Payload {
    between: (Rank, Rank),
    bytes: usize,
    sent: Happening,
    landed: Happening,
}

/// A message that goes through cards which ranks share.
#[derive(Debug)]
struct Passage {
    between: (Rank, Rank),
    bytes: usize,
    /// What its leaving brings about: that of a payload.
    sent: Option<Happening>,
    landed: Happening,
    /// Is it what faults of messages befall?
    faulty: bool,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Clockwork {
    machine: Arc<Machine>,
    faults: Faults,
    /// Of what happens now.
    time: u64,
    /// By rank: its present.
    clocks: Vec<u64>,
    ports: Vec<Port>,
    /// By rank: where answers leave it. They wait for each other and not for what its processor sends, which may have run
    /// ahead of them.
    answering: Vec<Port>,
    cards: CardPorts,
    calendar: Calendar,
    /// What is under way, by place; free places are empty.
    happenings: Vec<Option<Underway>>,
    free: Vec<u32>,
    /// By rank: the number of the entry that is valid; earlier ones are void.
    called: Vec<u64>,
    /// By the send of a message that has to ask: the number of its header. Payloads that are asked for at the same time go
    /// in the order of their headers, whoever receives them.
    headers: FxHashMap<OperationId, u64>,
    /// How many entries were made.
    made: u64,
    /// How many happenings came about.
    happened: u64,
    /// How often in a row ranks have looked in vain, in [`GLANCE`]s.
    vain: u64,
    /// Who has the baton, or had it last.
    holder: Option<Rank>,
}

impl Clockwork {
    /// Everybody's clock shows when it enters, 0 unless a fault says more, and everybody is to run.
    pub(crate) fn new(machine: Arc<Machine>, faults: Faults, size: usize) -> Self {
        let mut clockwork = Self {
            cards: CardPorts::new(&machine, size),
            machine,
            clocks: (0..size).map(|rank| faults.enters(rank)).collect(),
            faults,
            time: 0,
            ports: vec![Port::default(); size],
            answering: vec![Port::default(); size],
            calendar: Calendar::new(),
            happenings: Vec::new(),
            free: Vec::new(),
            called: vec![0; size],
            headers: FxHashMap::default(),
            made: 0,
            happened: 0,
            vain: 0,
            holder: None,
        };
        (0..size).for_each(|rank| clockwork.wake(rank));
        clockwork
    }

    /// What is next in the order of time.
    fn next(&mut self) -> Option<Next> {
        while let Some(entry) = self.calendar.pop() {
            let rank = entry.turn.rank();
            if entry.turn.is_rank() {
                if self.called[rank] == entry.number {
                    self.time = entry.at;
                    return Some(Next::Rank(rank));
                }
                continue;
            }
            self.time = entry.at;
            let heard = self.faults.hears(rank, entry.at);
            if heard > entry.at && !self.is_at_card(entry.place) {
                self.calendar.enter(Entry { at: heard, ..entry });
                continue;
            }
            self.vain = 0;
            self.free.push(entry.place);
            match self.happenings[entry.place as usize].take()? {
                Underway::Happening(what) => {
                    self.happened += 1;
                    return Some(Next::Happening(what));
                }
                Underway::Payload(payload) => self.inject(*payload),
                Underway::Leaves(passage) => self.let_out(passage),
                Underway::Comes(passage) => self.let_in(*passage),
            }
        }
        None
    }

    /// Cards do their work whether or not anybody listens.
    fn is_at_card(&self, place: u32) -> bool {
        matches!(self.happenings[place as usize], Some(Underway::Leaves(_) | Underway::Comes(_)))
    }

    /// By rank: what its clock shows.
    pub(crate) fn clocks(&self) -> &[u64] {
        &self.clocks
    }

    /// How many things came about so far.
    pub(crate) fn happened(&self) -> u64 {
        self.happened
    }

    /// Whose turn it is, or was last; `None` before the first.
    pub(crate) fn holder(&self) -> Option<Rank> {
        self.holder
    }

    /// `rank` computes what takes so long where nothing goes wrong; gives how long it takes.
    fn compute(&mut self, rank: Rank, ns: u64) -> u64 {
        let (begin, takes) = (self.clocks[rank], self.faults.busy(rank, ns));
        self.clocks[rank] += takes;
        self.faults.computes(rank, begin, self.clocks[rank]);
        takes
    }

    fn enter(&mut self, at: u64, turn: Turn, place: u32) {
        self.made += 1;
        self.calendar.enter(Entry { at, turn, number: self.made, place });
    }

    /// A payload goes to the port now.
    fn inject(&mut self, Payload { between: (from, to), bytes, sent, landed }: Payload) {
        let link = self.machine.link(from, to);
        let flight = self.ports[from].inject(self.time, link, bytes);
        if self.machine.passes_cards(from, to) {
            let passage = Passage { between: (from, to), bytes, sent: Some(sent), landed, faulty: false };
            return self.put_off(flight.begins, from, Underway::Leaves(Box::new(passage)));
        }
        self.put_off(flight.left, from, Underway::Happening(sent));
        self.put_off(flight.arrives, to, Underway::Happening(landed));
    }

    /// A message is at the card of its sender's node.
    fn let_out(&mut self, mut passage: Box<Passage>) {
        let Passage { between: (from, to), bytes, .. } = *passage;
        let begins = self.cards.leaves(&self.machine, from, bytes, self.time);
        let link = &self.machine.network;
        let (left, mut comes) = (begins + link.serial(bytes), begins + link.latency);
        if passage.faulty {
            comes = self.faults.arrives(from, to, comes, link.latency);
        }
        if let Some(sent) = passage.sent.take() {
            self.put_off(left, from, Underway::Happening(sent));
        }
        self.put_off(comes, from, Underway::Comes(passage));
    }

    /// The first byte of a message is at the card of its receiver's node.
    fn let_in(&mut self, Passage { between: (_, to), bytes, landed, .. }: Passage) {
        let begins = self.cards.comes(&self.machine, to, bytes, self.time);
        let arrives = begins + self.machine.network.serial(bytes);
        self.put_off(arrives, to, Underway::Happening(landed));
    }

    /// Puts off what will happen to `to`.
    fn put_off(&mut self, at: u64, to: Rank, what: Underway) {
        let place = self.keep(what);
        self.enter(at, Turn::happens_to(to), place);
    }

    /// Where that which happens is kept.
    fn keep(&mut self, what: Underway) -> u32 {
        match self.free.pop() {
            Some(place) => {
                self.happenings[place as usize] = Some(what);
                place
            }
            None => {
                self.happenings.push(Some(what));
                u32::try_from(self.happenings.len() - 1).expect("fewer messages under way than 2^32")
            }
        }
    }

    /// So many bytes leave `from` at its present; what happens when they are there.
    fn leave(&mut self, from: Rank, to: Rank, bytes: usize, landed: Happening) {
        let link = self.machine.link(from, to);
        self.clocks[from] += self.faults.busy(from, link.busy(bytes));
        self.vain = 0;
        let flight = self.ports[from].inject(self.clocks[from], link, bytes);
        if self.machine.passes_cards(from, to) {
            let passage = Passage { between: (from, to), bytes, sent: None, landed, faulty: true };
            return self.put_off(flight.begins, from, Underway::Leaves(Box::new(passage)));
        }
        let arrives = self.faults.arrives(from, to, flight.arrives, link.latency);
        self.put_off(arrives, to, Underway::Happening(landed));
    }
}

impl Pace for Clockwork {
    const TIMED: bool = true;

    fn wake(&mut self, rank: Rank) {
        let at = self.clocks[rank].max(self.time);
        self.enter(at, Turn::runs(rank), 0);
        self.called[rank] = self.made;
    }

    fn quiet(&self) -> bool {
        self.happenings.len() == self.free.len()
    }

    fn time(&self) -> u64 {
        self.time
    }

    fn clock(&self, rank: Rank) -> u64 {
        self.clocks[rank]
    }

    fn mode(&self, from: Rank, to: Rank, bytes: usize, synchronous: bool) -> Mode {
        if bytes > self.machine.link(from, to).eager {
            Mode::Rendezvous
        } else if synchronous {
            Mode::Synchronous
        } else {
            Mode::Eager
        }
    }

    fn send(&mut self, from: Rank, to: Rank, bytes: usize, mode: Mode, what: Happening) -> Option<Happening> {
        let asks = mode == Mode::Rendezvous;
        let header_of = match &what {
            Happening::Arrive { message, .. } if asks => message.send(),
            _ => None,
        };
        self.leave(from, to, if asks { 0 } else { bytes }, what);
        self.headers.extend(header_of.map(|send| (send, self.made)));
        None
    }

    fn acknowledge(&mut self, from: Rank, to: Rank, met: u64, what: Happening) -> Option<Happening> {
        self.put_off(met + self.machine.link(from, to).latency, from, Underway::Happening(what));
        None
    }

    fn transfer(
        &mut self,
        between: (Rank, Rank),
        bytes: usize,
        met: u64,
        sent: Happening,
        landed: Happening,
    ) -> Option<[Happening; 2]> {
        let asked = met + self.machine.link(between.0, between.1).latency;
        let header = match &sent {
            Happening::Sent(send) => self.headers.remove(send),
            _ => None,
        };
        let number = header.expect("a payload is asked for once, by its header");
        let place = self.keep(Underway::Payload(Box::new(Payload { between, bytes, sent, landed })));
        self.calendar.enter(Entry { at: asked, turn: Turn::happens_to(between.0), number, place });
        None
    }

    /// In the order of their leaving, ordered or not.
    fn access(
        &mut self,
        from: Rank,
        to: Rank,
        bytes: usize,
        _ordered: bool,
        what: Happening,
    ) -> Option<Happening> {
        self.leave(from, to, bytes, what);
        None
    }

    fn answer(&mut self, from: Rank, to: Rank, bytes: usize, what: Happening) -> Option<Happening> {
        let link = self.machine.link(from, to);
        let flight = self.answering[from].inject(self.time, link, bytes);
        if self.machine.passes_cards(from, to) {
            let passage = Passage { between: (from, to), bytes, sent: None, landed: what, faulty: false };
            self.put_off(flight.begins, from, Underway::Leaves(Box::new(passage)));
            return None;
        }
        self.put_off(flight.arrives, to, Underway::Happening(what));
        None
    }

    fn glance(&mut self, rank: Rank) {
        self.clocks[rank] += self.machine.poll;
        self.vain += GLANCE;
    }

    fn catch_up(&mut self, rank: Rank) {
        self.clocks[rank] = self.clocks[rank].max(self.time);
    }

    fn finish(&mut self, rank: Rank, over: &mut [Over]) {
        over.sort_by_key(|over| over.at);
        for over in over {
            let busy = over
                .received
                .map_or(0, |(from, bytes)| self.faults.busy(rank, self.machine.link(from, rank).busy(bytes)));
            self.clocks[rank] = self.clocks[rank].max(over.at) + busy;
        }
    }

    fn agree(&mut self, members: &[Rank]) {
        let Some(latest) = members.iter().map(|member| self.clocks[*member]).max() else { return };
        let (first, last) = (members[0], members[members.len() - 1]);
        let link = self.machine.link(first, last);
        let rounds = u64::from(members.len().next_power_of_two().trailing_zeros());
        let together = latest + rounds * (2 * link.overhead + link.latency);
        members.iter().for_each(|member| self.clocks[*member] = together);
    }
}

impl Turns for Clockwork {
    const NAME: &'static str = "sim";

    fn turn(state: &mut State<Self>) -> Option<Next> {
        state.pace.next()
    }

    fn hand(&mut self, rank: Rank) {
        self.holder = Some(rank);
    }

    /// Is there anything that lies before the present of `rank`, or with it? Then it is called for its present; else its
    /// present is what happens now.
    fn looks(&mut self, rank: Rank, _sight: Sight) -> bool {
        let present = self.clocks[rank];
        let before = |next: &Entry| next.at <= present && !next.turn.is_rank() || next.at < present;
        let ahead = self.calendar.peek().is_some_and(before);
        // Whoever glances for ever must come to hear that it is hopeless.
        let ahead = ahead || self.hopeless();
        if ahead {
            self.wake(rank);
        } else {
            self.time = present;
        }
        ahead
    }

    fn idle(&mut self, rank: Rank) {
        self.clocks[rank] += self.machine.poll;
        self.vain += LOOK;
        self.wake(rank);
    }

    fn hopeless(&self) -> bool {
        self.vain > VAIN_LOOKS * LOOK * self.clocks.len() as u64
    }

    fn work(&mut self, rank: Rank, flops: u64, bytes: u64) -> u64 {
        self.vain = 0;
        self.compute(rank, self.machine.work(flops, bytes))
    }

    /// Looking in vain takes some time, too, and is no progress.
    fn spends(&mut self, rank: Rank, ns: u64) {
        self.compute(rank, ns);
    }
}
