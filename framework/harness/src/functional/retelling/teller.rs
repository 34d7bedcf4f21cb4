//! The ranks of a retelling: each makes the calls of one transcript.
use std::{
    collections::BTreeMap,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use wb_comm::{
    Assertion, Block, Contribution, Error, Finding, Label, LockKind, Match, Op, Pending, Rank, Result, Site,
    Source, ThreadsJob, Transport, Verb, View, ViewMut, Window, WindowKind,
};

use crate::functional::{
    company::Company,
    transcript::{Act, Made, OnWindow, Operation, Over, Said, Transcript, layout},
};

/// How often a rank that has nothing more to tell looks whether all is over.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// The tag of a message that nobody sends.
const NEVER: i32 = i32::MAX;

/// The tag by which ranks meet in a collective.
const MEETING: i32 = NEVER - 1;

/// What the ranks share.
pub(super) struct Script {
    transcripts: Vec<Transcript>,
    company: Company,
    /// Does every collective wait for all its ranks?
    synchronizing: bool,
    /// By rank, the call that it has come to.
    at: Vec<AtomicUsize>,
    /// How many ranks have told all of their transcript; who waits for that is counted before it does, and once more after.
    through: AtomicUsize,
    /// Has a call come to its end that did not then?
    went_on: AtomicBool,
}

impl Script {
    pub(super) fn of(transcripts: Vec<Transcript>, synchronizing: bool) -> Self {
        let company = Company::of(&transcripts);
        let at = transcripts.iter().map(|_| AtomicUsize::default()).collect();
        let (through, went_on) = Default::default();
        Self { transcripts, company, synchronizing, at, through, went_on }
    }

    /// What each rank does; gives the mistake that one of its calls was refused for.
    pub(super) fn job(self: &Arc<Self>) -> ThreadsJob {
        let script = Arc::clone(self);
        Arc::new(move |transport| {
            let rank = transport.rank();
            let failed = Teller::of(transport, &script).tell(&script.transcripts[rank]).err();
            script.through.fetch_add(1, Ordering::SeqCst);
            let found: Option<Finding> =
                failed.and_then(|(site, error)| Finding::of_error(rank, Some(site), &error));
            Box::new(found)
        })
    }

    /// Does the rank stand in a receive that would have taken another message as well? It is made again as the receive of the
    /// message that it took.
    pub(super) fn stands_in_wildcard(&self, rank: Rank) -> bool {
        let calls = &self.transcripts[rank].calls;
        let started = |request| calls.iter().find_map(|said: &Said| said.starts(request));
        match calls.get(self.at[rank].load(Ordering::SeqCst)).map(|said| &said.act) {
            Some(Act::Round(operations)) => operations.iter().any(Operation::is_wildcard),
            Some(Act::Wait { request, .. }) => started(*request).is_some_and(Operation::is_wildcard),
            _ => false,
        }
    }

    /// Has a rank gone on that did not then? Call once all have ended.
    pub(super) fn somebody_went_on(&self) -> bool {
        self.went_on.load(Ordering::SeqCst)
    }
}

/// A rank that makes the calls of a transcript.
struct Teller<'a> {
    rank: Rank,
    script: &'a Script,
    communicators: BTreeMap<usize, Rc<dyn Transport>>,
    windows: BTreeMap<usize, Box<dyn Window>>,
    requests: BTreeMap<usize, Box<dyn Pending>>,
    /// How many collectives it has come to, by communicator.
    collectives: BTreeMap<usize, usize>,
}

impl<'a> Teller<'a> {
    fn of(world: Rc<dyn Transport>, script: &'a Script) -> Self {
        let rank = world.rank();
        let communicators = [(0, world)].into();
        let (windows, requests, collectives) = Default::default();
        Self { rank, script, communicators, windows, requests, collectives }
    }

    fn tell(mut self, transcript: &'a Transcript) -> std::result::Result<(), (Site, Error)> {
        let heard = heard(transcript);
        for (at, said) in transcript.calls.iter().enumerate() {
            self.script.at[self.rank].store(at, Ordering::SeqCst);
            let told = self.say(said, &heard);
            told.map_err(|error| (said.site, error))?;
            if said.over == Over::Open {
                return self.linger().map_err(|error| (said.site, error));
            }
        }
        Ok(())
    }

    /// The call that was not over is: who stood there then goes on now, nobody knows where to. So it is in the way of
    /// saying that nobody can go on, until all others are through as well.
    fn linger(&self) -> Result<()> {
        let Script { transcripts, through, went_on, .. } = self.script;
        let world = &self.communicators[&0];
        went_on.store(true, Ordering::SeqCst);
        through.fetch_add(1, Ordering::SeqCst);
        while through.load(Ordering::SeqCst) < transcripts.len() {
            world.iprobe(Source::Any, Match::from(Label::internal(NEVER)), Site::here(Verb::Iprobe))?;
            thread::sleep(LOOK_EVERY);
        }
        Ok(())
    }

    fn say(&mut self, said: &'a Said, heard: &BTreeMap<usize, (Rank, i32)>) -> Result<()> {
        let Said { site, on, act, over } = said;
        match act {
            Act::OnWindow(call) => return self.on_window(*on, call, *site, *over),
            Act::Wait { request, .. } => return self.wait(*request, *site),
            Act::Drop { request } => {
                drop(self.requests.remove(request));
                return Ok(());
            }
            _ => {}
        }
        let Some(communicator) = self.communicators.get(on).cloned() else { return Ok(()) };
        match act {
            Act::Round(operations) => round(&*communicator, operations, *site, *over),
            Act::Start { .. } if *over == Over::Refused => Ok(()),
            Act::Start { request, operation } => {
                let operation = operation.clone().that_got(heard.get(request).copied());
                let pending = start(&*communicator, &operation, *site)?;
                self.requests.insert(*request, pending);
                Ok(())
            }
            Act::Probe(wanted) if *over == Over::Open => {
                communicator.probe(wanted.source(), wanted.accepts(), *site).map(drop)
            }
            Act::Collective(brings) => self.collective(*on, &*communicator, brings.at(*site), *over),
            Act::Split { color, key, made } if *over != Over::Refused => {
                let part = communicator.split(*color, *key, *site)?;
                self.keep(made.as_ref(), part);
                Ok(())
            }
            Act::Dup { made } if *over != Over::Refused => {
                let copy = communicator.dup(*site)?;
                self.keep(made.as_ref(), Some(copy));
                Ok(())
            }
            Act::Window { kind, layout: of, count, made } if *over != Over::Refused => {
                let window = communicator.window(window_kind(*kind), layout(*of), *count, *site)?;
                if let Some(made) = made {
                    self.windows.insert(made.number, window);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn keep(&mut self, made: Option<&Made>, part: Option<Rc<dyn Transport>>) {
        self.communicators.extend(made.map(|made| made.number).zip(part));
    }

    fn wait(&mut self, request: usize, site: Site) -> Result<()> {
        match self.requests.remove(&request) {
            Some(pending) => pending.wait(site).map(drop),
            None => Ok(()),
        }
    }

    /// Comes to a collective; stays there if it did, for one of those who did not come.
    fn collective(
        &mut self,
        on: usize,
        communicator: &dyn Transport,
        brings: Contribution,
        over: Over,
    ) -> Result<()> {
        let site = brings.site();
        communicator.contribute(brings)?;
        if self.script.synchronizing {
            meet(communicator, site)?;
        }
        let come_to = self.collectives.entry(on).or_default();
        *come_to += 1;
        let missing = self.script.company.missing(self.rank, on, *come_to).filter(|_| over == Over::Open);
        let Some(missing) = missing else { return Ok(()) };
        let mut nothing = [0_u8; 0];
        let data = ViewMut::of(&mut nothing);
        let label = Match::from(Label::internal(NEVER));
        communicator.round(&mut [Op::Recv { from: Source::Rank(missing), label, data, status: None }], site)
    }

    fn on_window(&mut self, number: usize, call: &OnWindow, site: Site, over: Over) -> Result<()> {
        if over == Over::Refused {
            return Ok(());
        }
        if matches!(call, OnWindow::Free | OnWindow::Dropped) {
            let Some(window) = self.windows.remove(&number) else { return Ok(()) };
            return if *call == OnWindow::Free { window.free(site) } else { Ok(()) };
        }
        let Some(window) = self.windows.get(&number) else { return Ok(()) };
        let plain = Assertion::default();
        match call {
            OnWindow::Fence => window.fence(plain, site),
            OnWindow::Post(group) => window.post(group, plain, site),
            OnWindow::Start(group) => window.start(group, plain, site),
            OnWindow::Complete => window.complete(site),
            OnWindow::Wait => window.wait(site),
            OnWindow::Lock { exclusive: true, target } => {
                window.lock(LockKind::Exclusive, *target, plain, site)
            }
            OnWindow::Lock { exclusive: false, target } => {
                window.lock(LockKind::Shared, *target, plain, site)
            }
            OnWindow::Unlock(target) => window.unlock(*target, site),
            OnWindow::LockAll => window.lock_all(plain, site),
            OnWindow::UnlockAll => window.unlock_all(site),
            OnWindow::Free | OnWindow::Dropped => Ok(()),
        }
    }
}

/// Waits until all ranks of the communicator have come: the first one hears of all others, and then they hear of it.
fn meet(communicator: &dyn Transport, site: Site) -> Result<()> {
    let partners: Vec<Rank> =
        if communicator.rank() == 0 { (1..communicator.size()).collect() } else { vec![0] };
    let hears_first = communicator.rank() == 0;
    exchange(communicator, &partners, !hears_first, site)?;
    exchange(communicator, &partners, hears_first, site)
}

/// An empty message to, or from, each of these.
fn exchange(communicator: &dyn Transport, partners: &[Rank], sends: bool, site: Site) -> Result<()> {
    let (nothing, label) = ([0_u8; 0], Label::internal(MEETING));
    let mut rooms = vec![nothing; partners.len()];
    let op = |(partner, room)| match sends {
        true => Op::Send { to: partner, label, data: View::of(&nothing), synchronous: false },
        false => {
            let data = ViewMut::of::<u8>(room);
            Op::Recv { from: Source::Rank(partner), label: label.into(), data, status: None }
        }
    };
    let mut ops: Vec<_> =
        partners.iter().copied().zip(rooms.iter_mut().map(|room| &mut room[..])).map(op).collect();
    communicator.round(&mut ops, site)
}

/// What the receives got that were started and waited for, by request.
fn heard(transcript: &Transcript) -> BTreeMap<usize, (Rank, i32)> {
    let heard = |said: &Said| match said.act {
        Act::Wait { request, came: Some(came) } => Some((request, came)),
        _ => None,
    };
    transcript.calls.iter().filter_map(heard).collect()
}

fn round(communicator: &dyn Transport, operations: &[Operation], site: Site, over: Over) -> Result<()> {
    // A send that was refused has sent nothing; a receive may have been refused because of its message.
    if over == Over::Refused && operations.iter().all(|operation| operation.sends) {
        return Ok(());
    }
    let mut blocks: Vec<_> = operations.iter().map(room).collect();
    let ops = operations.iter().zip(&mut blocks).map(|(operation, block)| operation.on(block));
    communicator.round(&mut ops.collect::<Vec<_>>(), site)
}

fn room(operation: &Operation) -> Block {
    let (layout, count) = operation.elements();
    Block::zeroed(layout, count)
}

fn start(communicator: &dyn Transport, operation: &Operation, site: Site) -> Result<Box<dyn Pending>> {
    match operation.peer {
        Some(to) if operation.sends => {
            communicator.post_send(to, operation.label(), room(operation), operation.synchronous, site)
        }
        _ => communicator.post_recv(operation.source(), operation.accepts(), room(operation), site),
    }
}

fn window_kind(number: u8) -> WindowKind {
    [WindowKind::Create, WindowKind::Allocate, WindowKind::Shared][usize::from(number)]
}
