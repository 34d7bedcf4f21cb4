//! The pass: advances every rank as far as possible, until all have ended.
mod matching;

use std::{collections::VecDeque, ops::Range};

use wb_comm::{MessageTag, Rank};

use super::{
    arrival::ArrivalPattern,
    episode::{EpisodeTimes, RecordingError},
    node_events::{EventLocation, MessagePart, NodeEvent, NodeEvents},
    noise::Noise,
    program_store::StoredProgram,
    receive_matcher::ReceiveMatcher,
    recording::{OpClass, RecordedOpKind, Recording},
    symmetry::{NicArrivals, SymmetryReduction},
};
use crate::sim::{Machine, Port, nic::NicPorts};

/// The time of an event that is not known yet.
const NEVER: u64 = u64::MAX;

/// Set in the number of a [`RendezvousSend`].
const RENDEZVOUS_BIT: u64 = 1 << 63;

/// Set in the time when an unmatched receive was posted. Known times are below it.
const POSTED_BIT: u64 = 1 << 62;

/// A recording on a machine: one episode after the other, each entered at the exits of the one before.
pub struct MaxPlusRun<'a> {
    pub(super) recording: &'a Recording,
    pub(super) machine: &'a Machine,
    /// The noise before the last episode.
    pub(super) noise_before: Noise,
    noise: Noise,
    /// The entries of the last episode.
    pub(super) entries: Vec<u64>,
    /// By slot, in the last episode. Of a receive: when its message arrives. Of a send: when it completes.
    pub(super) completion_times: Vec<u64>,
    /// The bytes received, by slot; empty where no message has any.
    pub(super) received_bytes: Vec<usize>,
    /// The sends of the last episode that waited for their receives.
    pub(super) rendezvous: Vec<RendezvousSend>,
    /// The simulated ranks, as in all lists by rank.
    ranks: Vec<RankProgress>,
    pub(super) symmetry: SymmetryReduction,
    nic_arrivals: NicArrivals,
    matcher: ReceiveMatcher,
    ready: VecDeque<u32>,
    nics: NicPorts,
    events: NodeEvents,
    /// When each rank began the last repetition of the recording.
    last_repetition_starts: Vec<u64>,
    arrivals: Vec<(u64, usize)>,
    error: Option<RecordingError>,
}

/// The progress of a rank.
#[derive(Clone, Debug, Default)]
struct RankProgress {
    /// The operations of its round once that is called; before that, empty at the round's beginning.
    round: Range<u32>,
    /// When the round was called; between rounds, the rank's clock.
    clock: u64,
    /// When its processor is done with the sends of the round.
    sends_done: u64,
    /// Operations of the round whose completion time is not known.
    incomplete: u32,
    port: Port,
}

/// A send that waits for its receive.
#[derive(Clone, Copy, Debug)]
pub(super) struct RendezvousSend {
    pub(super) send: usize,
    recv: usize,
    pub(super) sender: Rank,
    receiver: Rank,
    /// When the header is at the receiver; for a short synchronous message, all of it.
    pub(super) arrives: u64,
    bytes: usize,
    /// Whether the whole message has come with the header.
    pub(super) is_whole: bool,
}

/// A send, decoded from its sender's program.
#[derive(Clone, Copy, Debug)]
struct SendOp {
    to: Rank,
    bytes: usize,
    is_synchronous: bool,
    tag: MessageTag,
}

impl<'a> MaxPlusRun<'a> {
    /// A run before its first episode, which ranks enter as in `entry`.
    pub fn new(recording: &'a Recording, machine: &'a Machine, entry: &ArrivalPattern, noise: Noise) -> Self {
        let entries = entry.times(recording.size());
        let fold = match noise.is_none() {
            true => SymmetryReduction::from_recording(recording, machine, &entries),
            false => SymmetryReduction::none(recording.size()),
        };
        Self::with_symmetry(recording, machine, entries, noise, fold)
    }

    fn with_symmetry(
        recording: &'a Recording,
        machine: &'a Machine,
        mut entries: Vec<u64>,
        noise: Noise,
        fold: SymmetryReduction,
    ) -> Self {
        let (simulated, carries) = (fold.representatives(), recording.bytes() > 0);
        entries.truncate(simulated);
        let progress = |clock: &u64| RankProgress { clock: *clock, ..RankProgress::default() };
        Self {
            recording,
            machine,
            noise_before: Noise::none(),
            noise,
            ranks: entries.iter().map(progress).collect(),
            symmetry: fold,
            nic_arrivals: NicArrivals::default(),
            nics: NicPorts::new(machine, simulated),
            events: NodeEvents::new(machine, simulated),
            last_repetition_starts: vec![],
            entries,
            completion_times: vec![],
            received_bytes: if carries { vec![0; recording.slots(simulated)] } else { vec![] },
            rendezvous: vec![],
            matcher: ReceiveMatcher::default(),
            ready: VecDeque::new(),
            arrivals: vec![],
            error: None,
        }
    }

    /// Runs one more episode.
    ///
    /// # Errors
    /// A [`RecordingError`] where the recording is not a program that ends; the run cannot be used afterwards. Where
    /// ranks share NICs ([`Machine::has_shared_nics`]), [`RecordingError::EpisodesOverlap`] for an episode after the
    /// first.
    pub fn episode(&mut self) -> Result<EpisodeTimes, RecordingError> {
        let size = self.recording.size();
        if self.machine.has_shared_nics(size) && !self.completion_times.is_empty() {
            return Err(RecordingError::EpisodesOverlap);
        }
        self.rewind();
        self.run_ready();
        // All other consequences have been processed, so nothing becomes ready before the earliest of these.
        while let Some((queue, until)) = self.events.next() {
            while let Some(event) = self.events.pop(queue, until) {
                if self.has_nic_collision(event) {
                    return self.without_symmetry().episode();
                }
                self.process_event(event);
                self.run_ready();
            }
        }
        let by_rank =
            |of: &dyn Fn(Rank) -> u64| (0..size).map(|rank| of(self.symmetry.representative(rank))).collect();
        match self.error.take().or_else(|| self.deadlock()) {
            Some(fault) => Err(fault),
            None => Ok(EpisodeTimes {
                entries: by_rank(&|rank| self.last_repetition_starts[rank]),
                exits: by_rank(&|rank| self.ranks[rank].clock),
            }),
        }
    }

    /// Where one node is simulated for all: does a message meet one of another node at a NIC, so that all must be
    /// simulated?
    fn has_nic_collision(&mut self, event: NodeEvent) -> bool {
        if !self.symmetry.is_reduced() || event.location != EventLocation::ReceiverNic {
            return false;
        }
        let (receiver, _) = self.nic_destination(event);
        let nic = self.machine.nics.map_or(0, |nics| nics.nic_of(self.machine, receiver));
        self.nic_arrivals.has_collision(nic, event.time, self.machine.node_of(event.sender()))
    }

    /// The same run before its first episode, with every rank simulated.
    pub(super) fn without_symmetry(&mut self) -> &mut Self {
        let entries =
            (0..self.recording.size()).map(|rank| self.entries[self.symmetry.representative(rank)]).collect();
        let fold = SymmetryReduction::none(self.recording.size());
        *self = Self::with_symmetry(self.recording, self.machine, entries, Noise::none(), fold);
        self
    }

    /// Returns every rank to its first operation, at the time of its last exit.
    fn rewind(&mut self) {
        self.noise_before.clone_from(&self.noise);
        self.completion_times.clear();
        self.completion_times.resize(self.recording.slots(self.ranks.len()), NEVER);
        self.rendezvous.clear();
        self.matcher = ReceiveMatcher::default();
        for (rank, progress) in self.ranks.iter_mut().enumerate() {
            self.entries[rank] = progress.clock;
            progress.round = 0..0;
        }
        self.last_repetition_starts.clone_from(&self.entries);
        self.ready.extend(0..self.ranks.len() as u32);
    }

    /// Advances all ranks that are ready.
    fn run_ready(&mut self) {
        while let Some(rank) = self.ready.pop_front() {
            self.advance_rank(rank as Rank);
        }
    }

    /// Ends the rank's round, if it has called one, and calls rounds until one must wait.
    fn advance_rank(&mut self, rank: Rank) {
        if !self.ranks[rank].round.is_empty() {
            self.end_round(rank);
        }
        let program = self.recording.program(rank);
        while (self.ranks[rank].round.start as usize) < program.len() {
            self.post_round(rank, &program);
            if self.ranks[rank].incomplete > 0 {
                return;
            }
            self.end_round(rank);
        }
    }

    fn post_round(&mut self, rank: Rank, program: &StoredProgram<'_>) {
        let progress = &mut self.ranks[rank];
        let start = progress.round.start as usize;
        progress.sends_done = progress.clock;
        if self.recording.starts_last_repetition(program, start) {
            self.last_repetition_starts[rank] = progress.clock;
        }
        let round = start..self.recording.round_end(program, start);
        for op in round.clone() {
            match self.recording.class(program, op).kind {
                RecordedOpKind::Send { .. } => self.send(rank, program, op),
                RecordedOpKind::Recv { .. } => self.post(rank, program.slot(op)),
            }
        }
        let missing =
            round.clone().filter(|op| self.completion_times[program.slot(*op)] >= POSTED_BIT).count();
        let progress = &mut self.ranks[rank];
        (progress.round, progress.incomplete) = (start as u32..round.end as u32, missing as u32);
    }

    /// Posts the receive in `slot`, after the sends before it.
    fn post(&mut self, rank: Rank, slot: usize) {
        let at = self.ranks[rank].sends_done;
        match self.completion_times[slot] {
            NEVER => self.completion_times[slot] = POSTED_BIT | at,
            asked if asked & RENDEZVOUS_BIT != 0 => {
                self.match_rendezvous((asked & !RENDEZVOUS_BIT) as usize, at);
            }
            _ => {}
        }
    }

    fn send(&mut self, rank: Rank, program: &StoredProgram<'_>, op: usize) {
        let SendOp { to, bytes, is_synchronous: synchronous, .. } = self.read_send(program, op);
        let link = self.machine.link(rank, to);
        let progress = &mut self.ranks[rank];
        let short = bytes <= link.eager_limit;
        progress.sends_done = self.noise.finish_time(rank, progress.sends_done, link.send_time(bytes));
        let flight = progress.port.inject(progress.sends_done, link, if short { bytes } else { 0 });
        if short && !synchronous {
            self.completion_times[program.slot(op)] = progress.sends_done;
        }
        match self.machine.uses_shared_nics(rank, to) {
            false => self.message_arrived(self.symmetry.sender(rank, to), op, flight.arrives),
            true => {
                let node = self.machine.node_of(rank);
                self.events.add_nic_event(
                    node,
                    flight.departs,
                    EventLocation::SenderNic,
                    (rank, MessagePart::Header, op),
                );
            }
        }
    }

    fn process_event(&mut self, event: NodeEvent) {
        let (NodeEvent { time: at, part, id, .. }, network) = (event, &self.machine.network);
        if event.location == EventLocation::SenderPort {
            return self.inject(at, id);
        }
        let (sender, (receiver, bytes)) = (event.sender(), self.nic_destination(event));
        if event.location == EventLocation::SenderNic {
            let begins = self.nics.depart(self.machine, sender, bytes, at);
            if part == MessagePart::Payload {
                self.set_completion(sender, self.rendezvous[id].send, begins + network.serial(bytes));
            }
            let (node, comes) = (self.machine.node_of(receiver), begins + network.latency);
            let sender = match part {
                MessagePart::Header => self.symmetry.sender(sender, receiver),
                MessagePart::Payload => self.rendezvous[id].sender,
            };
            return self.events.add_nic_event(node, comes, EventLocation::ReceiverNic, (sender, part, id));
        }
        let arrives = self.nics.arrive(self.machine, receiver, bytes, at) + network.serial(bytes);
        match part {
            MessagePart::Header => self.message_arrived(sender, id, arrives),
            MessagePart::Payload => self.set_completion(receiver, self.rendezvous[id].recv, arrives),
        }
    }

    /// The receiver of a message between nodes, and the number of its bytes that pass the NICs.
    fn nic_destination(&self, event: NodeEvent) -> (Rank, usize) {
        if event.part == MessagePart::Payload {
            return (self.rendezvous[event.id].receiver, self.rendezvous[event.id].bytes);
        }
        let SendOp { to, bytes, .. } = self.read_send(&self.recording.program(event.sender()), event.id);
        (to, if bytes <= self.machine.network.eager_limit { bytes } else { 0 })
    }

    fn read_send(&self, program: &StoredProgram<'_>, op: usize) -> SendOp {
        let OpClass { kind, tag, .. } = *self.recording.class(program, op);
        let RecordedOpKind::Send { bytes, synchronous } = kind else {
            unreachable!("only sends are under way")
        };
        SendOp { to: program.peer(op), bytes, is_synchronous: synchronous, tag }
    }

    fn inject(&mut self, ready: u64, number: usize) {
        let ask = self.rendezvous[number];
        let link = self.machine.link(ask.sender, ask.receiver);
        let sender = self.symmetry.representative(ask.sender);
        let flight = self.ranks[sender].port.inject(ready, link, ask.bytes);
        if self.machine.uses_shared_nics(ask.sender, ask.receiver) {
            let node = self.machine.node_of(sender);
            return self.events.add_nic_event(
                node,
                flight.departs,
                EventLocation::SenderNic,
                (sender, MessagePart::Payload, number),
            );
        }
        self.set_completion(ask.receiver, ask.recv, flight.arrives);
        self.set_completion(sender, ask.send, flight.sent);
    }

    /// Sets the completion time of an operation of `rank`; if the rank waits for it, the rank may continue.
    fn set_completion(&mut self, rank: Rank, op: usize, moment: u64) {
        debug_assert!(moment < POSTED_BIT, "a century");
        self.completion_times[self.recording.program(rank).slot(op)] = moment;
        let progress = &mut self.ranks[rank];
        if progress.round.contains(&(op as u32)) {
            progress.incomplete -= 1;
            if progress.incomplete == 0 {
                self.ready.push_back(rank as u32);
            }
        }
    }

    fn end_round(&mut self, rank: Rank) {
        let round = self.ranks[rank].round.clone();
        self.arrivals.clear();
        let mut sent = 0;
        let program = self.recording.program(rank);
        for op in round.start as usize..round.end as usize {
            let moment = self.completion_times[program.slot(op)];
            match self.recording.class(&program, op).kind {
                RecordedOpKind::Send { .. } => sent = sent.max(moment),
                RecordedOpKind::Recv { .. } => self.arrivals.push((moment, op)),
            }
        }
        self.arrivals.sort_unstable();
        let mut done = self.ranks[rank].sends_done;
        for &(arrives, op) in &self.arrivals {
            let bytes = self.received_bytes.get(program.slot(op)).copied().unwrap_or(0);
            let work = self.machine.link(program.peer(op), rank).processor_time(bytes);
            done = self.noise.finish_time(rank, done.max(arrives), work);
        }
        let progress = &mut self.ranks[rank];
        progress.clock = done.max(sent);
        progress.round = round.end..round.end;
    }

    /// The lowest waiting rank, and what it waits for.
    fn deadlock(&self) -> Option<RecordingError> {
        let waits =
            |rank: &Rank| (self.ranks[*rank].round.start as usize) < self.recording.program(*rank).len();
        let rank = (0..self.ranks.len()).find(waits)?;
        let ranks = (0..self.ranks.len()).filter(waits).count() * (self.recording.size() / self.ranks.len());
        let (program, round) = (self.recording.program(rank), self.ranks[rank].round.clone());
        let mut ops = round.start as usize..round.end as usize;
        let op = ops.find(|op| self.completion_times[program.slot(*op)] >= POSTED_BIT)?;
        let (peer, tag) = (program.peer(op), self.recording.class(&program, op).tag);
        Some(RecordingError::Deadlock { ranks, rank, peer, tag })
    }
}
