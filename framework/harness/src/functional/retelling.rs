//! What all ranks' transcripts say together: the calls are made again, on ranks that see each other.
//!
//! Every rank of the retelling makes the calls of one transcript, without payload and without its code. Where a call came
//! to its end it does so here: a wildcard takes what it took, a collective waits for nobody. A call that was not over is
//! made for real, and so whoever waited then waits now. Ranks of one process know what they wait for and who sent what
//! from which line, so what they find is what was the matter: one diagnosis for all backends.
//!
//! It says nothing of a rank that was computing when it was ended, and nothing when a transcript is missing.
use std::{any::Any, collections::BTreeMap, rc::Rc, sync::Arc, thread, time::Duration};

use wb_comm::{
    Assertion, Block, Code, Contribution, Error, Finding, Label, LockKind, Match, Op, Pending, Rank, Result,
    Site, Source, Threads, ThreadsJob, Transport, Verb, ViewMut, Window, WindowKind, job::Ended,
};

use super::{
    company::Company,
    entry::{Entry, How},
    transcript::{Act, Made, OnWindow, Operation, Over, Said, Transcript, layout},
};

/// What it may take: who waits is known at once, and calls take microseconds.
const LIMIT: Duration = Duration::from_millis(500);

/// How often a rank that has nothing more to tell looks whether all is over.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// The tag of a message that nobody sends.
const NEVER: i32 = i32::MAX;

/// Ranks as threads that keep a copy of a message of at most so many bytes.
pub(super) type Buffering = fn(usize) -> Box<dyn Threads>;

/// What is found out of the transcripts of all ranks of a run; empty as well when that cannot be said.
pub(super) fn of(ranks: usize, entries: &BTreeMap<Rank, Entry>, buffering: Buffering) -> Vec<Finding> {
    let Some(tale) = Tale::of(ranks, entries) else { return vec![] };
    let threads = buffering(tale.buffered());
    tale.found(&*threads)
}

/// What would have been found if no message had been buffered: where nobody could have gone on.
pub(super) fn unbuffered(
    ranks: usize,
    entries: &BTreeMap<Rank, Entry>,
    buffering: Buffering,
) -> Vec<Finding> {
    let Some(tale) = Tale::of(ranks, entries) else { return vec![] };
    let found = tale.told(&*buffering(0));
    found.into_iter().filter(|finding| finding.code == Code::Buffering).collect()
}

/// The transcripts, and how they end.
struct Tale {
    transcripts: Vec<Transcript>,
    all_came_back: bool,
}

impl Tale {
    fn of(ranks: usize, entries: &BTreeMap<Rank, Entry>) -> Option<Self> {
        let entries: Vec<_> = (0..ranks).map(|rank| entries.get(&rank)).collect::<Option<_>>()?;
        let read = |entry: &&Entry| Transcript::read(entry.transcript.as_deref()?);
        let transcripts: Vec<_> = entries.iter().map(read).collect::<Option<_>>()?;
        let stands = |told: &Transcript| told.calls.last().is_some_and(|said| said.over == Over::Open);
        let known = |(entry, told): (&&Entry, &Transcript)| entry.how != How::Late || stands(told);
        let all_came_back = entries.iter().all(|entry| matches!(entry.how, How::Returned | How::Refused));
        entries.iter().zip(&transcripts).all(known).then_some(Self { transcripts, all_came_back })
    }

    /// The longest message that the library may have kept a copy of, as far as it is known: shorter than one that it has
    /// not.
    fn buffered(&self) -> usize {
        self.transcripts.iter().flat_map(unsent).min().map_or(usize::MAX, |bytes| bytes.saturating_sub(1))
    }

    /// What is told, without what contradicts that all ranks came back.
    fn found(self, threads: &dyn Threads) -> Vec<Finding> {
        let all_came_back = self.all_came_back;
        let mut found = self.told(threads);
        found.retain(|finding| !(all_came_back && is_of_waiting(finding.code)));
        found
    }

    fn told(self, threads: &dyn Threads) -> Vec<Finding> {
        let ranks = self.transcripts.len();
        let outcome = threads.run(ranks, Some(LIMIT), job(self.transcripts));
        if outcome.timed_out {
            return vec![]; // Somebody went on who did not then.
        }
        let mut told: Vec<Finding> = vec![];
        for ended in outcome.ranks {
            let Ended::Returned(value) = ended else { return vec![] };
            let refused =
                <Box<dyn Any + Send>>::downcast::<Option<Finding>>(value).expect("the job returns this");
            told.extend(refused.filter(|finding| !told.contains(finding)));
        }
        if told.is_empty() { outcome.findings } else { told }
    }
}

/// Does it tell of ranks that cannot go on?
fn is_of_waiting(code: Code) -> bool {
    use Code::{Buffering, CollectiveAlone, Deadlock, Matched, NearMiss, PartnerEnded};
    matches!(code, Deadlock | PartnerEnded | NearMiss | CollectiveAlone | Buffering | Matched)
}

/// The sizes of the standard sends that a rank stands in.
fn unsent(transcript: &Transcript) -> Vec<usize> {
    let Some(Said { act, over: Over::Open, .. }) = transcript.calls.last() else { return vec![] };
    let operations: Vec<&Operation> = match act {
        Act::Round(operations) => operations.iter().collect(),
        Act::Wait { request, .. } => {
            transcript.calls.iter().filter_map(|said| said.starts(*request)).collect()
        }
        _ => vec![],
    };
    operations.into_iter().filter(|operation| operation.sends).map(Operation::bytes).collect()
}

impl Said {
    /// The operation, if it is the one of this request.
    fn starts(&self, number: usize) -> Option<&Operation> {
        match &self.act {
            Act::Start { request, operation } if *request == number => Some(operation),
            _ => None,
        }
    }
}

fn job(transcripts: Vec<Transcript>) -> ThreadsJob {
    let company = Company::of(&transcripts);
    let told = Arc::new((transcripts, company));
    Arc::new(move |transport| {
        let (transcripts, company) = &*told;
        let rank = transport.rank();
        let failed = Teller::of(transport, company).tell(&transcripts[rank]).err();
        let found: Option<Finding> =
            failed.and_then(|(site, error)| Finding::of_error(rank, Some(site), &error));
        Box::new(found)
    })
}

/// A rank that makes the calls of a transcript.
struct Teller<'a> {
    rank: Rank,
    company: &'a Company,
    communicators: BTreeMap<usize, Rc<dyn Transport>>,
    windows: BTreeMap<usize, Box<dyn Window>>,
    requests: BTreeMap<usize, Box<dyn Pending>>,
    /// How many collectives it has come to, by communicator.
    collectives: BTreeMap<usize, usize>,
}

impl<'a> Teller<'a> {
    fn of(world: Rc<dyn Transport>, company: &'a Company) -> Self {
        let rank = world.rank();
        let communicators = [(0, world)].into();
        let (windows, requests, collectives) = Default::default();
        Self { rank, company, communicators, windows, requests, collectives }
    }

    fn tell(mut self, transcript: &'a Transcript) -> std::result::Result<(), (Site, Error)> {
        let heard = heard(transcript);
        for said in &transcript.calls {
            let told = self.say(said, &heard);
            told.map_err(|error| (said.site, error))?;
            if said.over == Over::Open {
                return self.linger().map_err(|error| (said.site, error));
            }
        }
        Ok(())
    }

    /// The call that was not over is: who stood there then goes on now, nobody knows where to.
    fn linger(&self) -> Result<()> {
        let world = &self.communicators[&0];
        loop {
            world.iprobe(Source::Any, Match::from(Label::internal(NEVER)), Site::here(Verb::Iprobe))?;
            thread::sleep(LOOK_EVERY);
        }
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
        let come_to = self.collectives.entry(on).or_default();
        *come_to += 1;
        let missing = self.company.missing(self.rank, on, *come_to).filter(|_| over == Over::Open);
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
        Some(to) if operation.sends => communicator.post_send(to, operation.label(), room(operation), site),
        _ => communicator.post_recv(operation.source(), operation.accepts(), room(operation), site),
    }
}

fn window_kind(number: u8) -> WindowKind {
    [WindowKind::Create, WindowKind::Allocate, WindowKind::Shared][usize::from(number)]
}

#[cfg(test)]
mod tests {
    use wb_threads::Local;
    use wb_world::World;

    use super::*;
    use crate::functional::transcript::{Notes, Noting};

    const BUFFERING: Buffering = |eager_limit| Box::new(Local { eager_limit, races: false });

    /// What a program's ranks wrote down, on threads; whoever was told there that waiting is in vain still waits.
    fn entries(ranks: usize, program: fn(&World) -> Result<()>) -> BTreeMap<Rank, Entry> {
        let job: ThreadsJob = Arc::new(move |transport| {
            let notes = Notes::default();
            let (rank, world) = (transport.rank(), World::new(Noting::world(transport, &notes)));
            let waits = matches!(program(&world), Err(Error::Deadlock { .. }));
            drop(world);
            let how = if waits { How::Late } else { How::Returned };
            let told = notes.told(true).expect("it is short");
            let told = if waits { told.replace("\"Refused\"", "\"Open\"").into() } else { told };
            Box::new(Entry { transcript: Some(told), ..Entry::of(rank, how) })
        });
        let ended = Local::USUAL.run(ranks, None, job).ranks.into_iter().enumerate();
        let entry = |(rank, ended)| match ended {
            Ended::Returned(entry) => (rank, *entry.downcast::<Entry>().expect("the job returns this")),
            other => panic!("{other:?}"),
        };
        ended.map(entry).collect()
    }

    fn codes(entries: &BTreeMap<Rank, Entry>) -> Vec<(Code, Vec<Rank>)> {
        let found = of(entries.len(), entries, BUFFERING);
        let ranks = |found: &Finding| found.places.iter().map(|place| place.rank).collect();
        found.iter().map(|found| (found.code, ranks(found))).collect()
    }

    fn awaits_another_tag(world: &World) -> Result<()> {
        match world.rank() {
            0 => world.send(&[1.0], 1, 7),
            _ => world.recv(&mut [0.0], 0, 8).map(drop),
        }
    }

    #[test]
    fn a_message_is_nearly_the_one_awaited_and_a_transcript_that_says_otherwise_changes_that() {
        let told = entries(2, awaits_another_tag);
        assert_eq!(codes(&told), [(Code::NearMiss, vec![1, 0])]);
        let changed = |entry: &Entry| {
            let text =
                entry.transcript.as_deref().expect("a transcript").replace("\"tag\":7", "\"tag\":6000");
            Entry { transcript: Some(text.replace("\"peer\":1", "\"peer\":0").into()), ..entry.clone() }
        };
        let changed: BTreeMap<_, _> = told.iter().map(|(rank, entry)| (*rank, changed(entry))).collect();
        assert_eq!(codes(&changed), [(Code::PartnerEnded, vec![1])]);
    }

    #[test]
    fn a_lost_transcript_or_a_rank_that_computes_leaves_nothing_to_say() {
        let told = entries(2, awaits_another_tag);
        let without = Entry { transcript: None, ..told[&0].clone() };
        assert_eq!(codes(&[(0, without), (1, told[&1].clone())].into()), []);
        let computes = Entry { how: How::Late, ..told[&0].clone() };
        assert_eq!(codes(&[(0, computes), (1, told[&1].clone())].into()), []);
    }

    fn rank_1_is_not_listened_to(world: &World) -> Result<()> {
        let part = world.split(Some(0), 0)?.expect("everybody is in it");
        if world.rank() == 1 {
            part.send(&[3_u8; 5], 0, 13)?;
        }
        part.barrier()
    }

    #[test]
    fn a_message_that_nobody_received_has_the_line_of_its_sender() {
        let told = entries(3, rank_1_is_not_listened_to);
        let found = of(3, &told, BUFFERING);
        assert_eq!(codes(&told), [(Code::Unread, vec![1])]);
        assert!(found[0].details[0].contains("tag 13, 5 bytes, communicator split 1 of world"), "{found:?}");
    }

    fn takes_from_anybody(world: &World) -> Result<()> {
        if world.rank() > 0 {
            return world.send(&[world.rank()], 0, 1);
        }
        let (mut first, mut second) = ([0], [0]);
        let one = world.irecv::<usize>(1, Source::Any, 1)?;
        world.recv(&mut second, Source::Any, 1)?;
        first.copy_from_slice(&one.wait()?.0);
        assert_eq!(first[0] + second[0], 3);
        Ok(())
    }

    #[test]
    fn wildcards_take_what_they_took_and_what_is_right_is_left_alone() {
        for _ in 0..20 {
            let told = entries(3, takes_from_anybody);
            assert_eq!((codes(&told), unbuffered(3, &told, BUFFERING)), (vec![], vec![]));
        }
    }

    fn both_send(world: &World) -> Result<()> {
        let partner = 1 - world.rank();
        world.send(&[1], partner, 0)?;
        world.recv(&mut [0], partner, 0).map(drop)
    }

    #[test]
    fn what_only_buffering_let_pass_is_found_without_it() {
        let told = entries(2, both_send);
        assert_eq!(codes(&told), []);
        let found = unbuffered(2, &told, BUFFERING);
        assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), [Code::Buffering]);
    }
}
