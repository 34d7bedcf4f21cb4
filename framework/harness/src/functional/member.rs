//! This process as a member of a job: takes its rank through the runs and agrees with the others after each.
//!
//! One run has three steps that everybody notes: *ready* before it, *end* when this rank is out, *swept* when messages
//! left behind were looked for; for the last two everybody waits for everybody. A rank that cannot note its end (it
//! hangs, it called `exit`) has it noted by its watchdog or its exit hook; then the job is over, and the process leaves
//! without the library's farewell.
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
    rc::Rc,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use wb_comm::{Error, Finding, Processes, Rank, Seat, Threads, Transport};
use wb_process::{
    children,
    ending::{self, Unended},
    memory::{self, Exhausted},
    stack::{Activity, Doing},
};
use wb_task::Progress;
use wb_world::World;

use super::{
    board::{Board, Lost},
    case,
    entry::{Entry, How},
    evidence::CaseEvidence,
    exhausted,
    journal::{Event, Swept},
    judge,
    lane::LANE,
    outer,
    question::{Question, RunId},
    report::Backend,
    retelling::{self, Buffering},
    spoken::Spoken,
    transcript::{Notes, Noting},
    trial::Trial,
    unended,
    watch::{CHECKING, Phase, Watch, Watched},
};
use crate::{Backends, folder};

/// How long messages that must be somewhere are looked for.
const SEARCH: Duration = Duration::from_millis(100);

/// How long everybody may take to come to a step: the others may be computing, checking, or starting up.
pub(super) const TOGETHER: Duration = Duration::from_secs(30);

/// How long those who leave wait for each other's last entries.
const LAST_WORDS: Duration = Duration::from_millis(1500);

/// How long a rank that computes may take to find out where: it reads the debug information of the whole program.
pub(super) const LOCATING: Duration = Duration::from_secs(10);

/// How long ranks above 0 wait for rank 0's report before they leave: a launcher kills the rest of a job that loses one.
const REPORT: Duration = Duration::from_secs(15);

/// How long a rank that was asked to end may go on by itself.
const MOMENT: Duration = Duration::from_millis(500);

/// The exit code of a process that leaves a run it could not end; libtest's own for failed tests.
pub(super) const FAILED: i32 = 101;

/// Why this process cannot take part.
#[derive(Debug, thiserror::Error)]
pub(super) enum CannotJoin {
    /// The library refuses.
    #[error(transparent)]
    Library(#[from] Error),
    /// The job is not the one that was announced.
    #[error("{announced} ranks announced, {size} there")]
    OtherSize {
        /// By the launcher.
        announced: usize,
        /// By the library.
        size: usize,
    },
    /// The folder of the run cannot be used.
    #[error(transparent)]
    Folder(#[from] io::Error),
}

/// What a process does when a run ends the job: rank 0 of a job that nobody watches tells about it.
pub(super) type Farewell = Box<dyn Fn(&Board, &Question) + Send + Sync>;

/// See the module.
pub(super) struct Member {
    pub(super) rank: usize,
    pub(super) size: usize,
    processes: &'static dyn Processes,
    threads: &'static dyn Threads,
    retelling: Buffering,
    board: Arc<Board>,
    watch: Arc<Watch>,
    spoken: Spoken,
    farewell: Farewell,
    /// The processes below this one that are none of a task's.
    children: BTreeSet<u32>,
    /// One test at a time.
    turn: Mutex<()>,
}

/// The member that this process is, for the exit hook.
static MEMBER: OnceLock<Arc<Member>> = OnceLock::new();

impl Member {
    /// Joins the job of this process; `folder` is that of the run, or agreed on with the others when there is none yet.
    pub(super) fn join(
        backends: Backends,
        processes: &'static dyn Processes,
        announced: Option<usize>,
        folder: Option<&Path>,
        farewell: Farewell,
    ) -> Result<Arc<Self>, CannotJoin> {
        let seat = processes.take_seat()?;
        let (rank, size) = (seat.rank(), seat.size());
        if let Some(announced) = announced.filter(|&announced| announced != size) {
            return Err(CannotJoin::OtherSize { announced, size });
        }
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => agree_on_folder(&*seat)?,
        };
        children::adopt()?;
        let member = Arc::new(Self {
            rank,
            size,
            processes,
            threads: backends.threads,
            retelling: backends.retelling,
            board: Arc::new(Board::open(&folder, rank, size)?),
            watch: Arc::default(),
            spoken: Spoken::of(&folder),
            farewell,
            children: children::known(),
            turn: Mutex::new(()),
        });
        member.start_watch()?;
        if MEMBER.set(Arc::clone(&member)).is_ok() {
            ending::expect_exit()?;
            wb_process::at_exit(say_goodbye);
            wb_process::on_terminate(say_last_words)?;
            memory::on_exhausted(tell_exhausted)?;
        }
        Ok(member)
    }

    fn start_watch(self: &Arc<Self>) -> io::Result<()> {
        let (board, member) = (Arc::clone(&self.board), Arc::clone(self));
        // A journal that cannot be read shows nothing; the limit still ends the run.
        let somebody_failed = move |question: &Question| board.somebody_failed(&question.id).unwrap_or(false);
        self.watch.start(somebody_failed, move |run| member.leave(&run, How::Late))
    }

    /// Waits until no other test of this process is in the job.
    pub(super) fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes this rank through all runs of a test at one number of ranks, up to the first that fails. All its runs have
    /// one communicator, and no other test has it.
    pub(super) fn run(
        &self,
        name: &str,
        ranks: usize,
        trials: &[Arc<dyn Trial>],
    ) -> Result<CaseEvidence, Lost> {
        unended::begin();
        let seat = self.processes.take_seat().map_err(io::Error::other)?;
        let id = case::id(name, ranks);
        self.board.agree(&Event::Case { id: id.clone(), inputs: trials.len() }, TOGETHER)?;
        let mut evidence = CaseEvidence { inputs: trials.len(), ..CaseEvidence::default() };
        let Some(mut last) = trials.first().map(|trial| trial.question()) else {
            self.board.agree(&Event::Done(id), TOGETHER)?;
            return Ok(evidence);
        };
        let opened = self.watched(last, Phase::Opening, || seat.open(ranks))?;
        let mut is_right = true;
        for (number, trial) in trials.iter().enumerate() {
            last = trial.question();
            let run = evidence.runs.entry(number).or_default();
            let entries = self.attempt(opened.as_ref(), &**trial)?;
            run.entries.extend(entries.into_iter().map(|entry| (entry.rank, entry)));
            for swept in self.sweep(&*seat, last, &run.entries)? {
                run.swept.add(&swept);
            }
            // Everybody sees the same entries, so everybody stops here or nobody.
            is_right = judge::run(last, run).is_none();
            if !is_right {
                break;
            }
        }
        drop(opened);
        let close = || if is_right { seat.close() } else { seat.close_after_failure() };
        self.watched(last, Phase::Sweeping, close)?;
        self.board.agree(&Event::Done(id), TOGETHER)?;
        if last.limit.is_some() {
            unended::watch(last.id.clone(), tell_unended);
        }
        Ok(evidence)
    }

    /// Work with the library that belongs to no run, but may not end either.
    fn watched<R>(
        &self,
        question: &Question,
        phase: Phase,
        work: impl FnOnce() -> wb_comm::Result<R>,
    ) -> io::Result<R> {
        self.watch.begin(question, phase, &Arc::default());
        let result = work();
        if self.watch.take().is_none() {
            step_aside();
        }
        result.map_err(io::Error::other)
    }

    /// One run of this rank; the entries of all.
    fn attempt(&self, transport: Option<&Rc<dyn Transport>>, trial: &dyn Trial) -> Result<Vec<Entry>, Lost> {
        let question = trial.question();
        self.board.note(&Event::Ready(question.id.clone()))?;
        let progress = Arc::new(Progress::default());
        self.spoken.begin();
        let notes = Notes::default();
        self.watch.begin_noted(question, Phase::Stages, &progress, &notes);
        let entry = match transport {
            Some(transport) => {
                let came = trial.attempt(Noting::world(Rc::clone(transport), &notes), &progress);
                self.watch.enter(Phase::Checking);
                if self.rank == question.home && came.panic.is_none() {
                    trial.consult_reference(self.threads);
                }
                trial.examine(came)
            }
            None => Entry::of(self.rank, How::Apart),
        };
        let Some(watched) = self.watch.take() else { step_aside() };
        let said = if entry.is_failure() { self.spoken.since() } else { String::new() };
        let transcript = notes.told(entry.is_failure());
        let entry = Entry { said, transcript, ..entry };
        match self.board.agree(&Event::End(question.id.clone(), Box::new(entry)), CHECKING + TOGETHER) {
            Ok(all) if all.iter().any(is_fatal) => self.depart(&watched),
            Ok(all) => Ok(all.into_iter().filter_map(entry_of).collect()),
            Err(Lost::Gone(_) | Lost::Silent(..)) => self.depart(&watched),
            Err(other) => Err(other),
        }
    }

    /// What was left of a run that everybody came out of; found and freed by all.
    fn sweep(
        &self,
        seat: &dyn Seat,
        question: &Question,
        entries: &BTreeMap<Rank, Entry>,
    ) -> Result<Vec<Swept>, Lost> {
        let (sends, receives) = entries
            .values()
            .fold((0, 0), |(sends, receives), e| (sends + e.counts.sends, receives + e.counts.receives));
        let patience = if sends == receives { Duration::ZERO } else { SEARCH };
        let findings = self.watched(question, Phase::Sweeping, || seat.sweep(patience))?;
        let swept =
            Swept { findings, retold: self.retold(question, entries), processes: self.end_children() };
        let all = self.board.agree(&Event::Swept(question.id.clone(), swept), TOGETHER)?;
        let swept = |event| if let Event::Swept(_, swept) = event { Some(swept) } else { None };
        Ok(all.into_iter().filter_map(swept).collect())
    }

    /// Ends the processes that the task has left, and names them.
    fn end_children(&self) -> Vec<String> {
        children::end_others(&self.children).iter().map(ToString::to_string).collect()
    }

    /// What the transcripts of all say together: rank 0 finds out for all.
    fn retold(&self, question: &Question, entries: &BTreeMap<Rank, Entry>) -> Vec<Finding> {
        if self.rank > 0 { vec![] } else { retelling::of(question.id.ranks, entries, self.retelling) }
    }

    /// Notes how this rank's run ends and leaves. Called by the watchdog or the exit hook, which took the run.
    fn leave(&self, run: &Watched, how: How) -> ! {
        let standing = if how == How::Late { self.processes.current_call() } else { None };
        let (said, transcript) = (self.spoken.since(), run.notes.told(true));
        self.end(run, Entry { standing, said, transcript, ..run.entry(self.rank, how) })
    }

    /// Notes `entry` as the end of this rank's run, and leaves.
    fn end(&self, run: &Watched, entry: Entry) -> ! {
        // If the journal cannot be written, the missing record tells.
        let id = &run.question.id;
        let sample = if entry.is_outside() { Some(run.sample()) } else { None };
        let _unwritten = self.board.note(&Event::End(id.clone(), Box::new(entry)));
        // The others need the end at once; where this one was takes a moment to find out.
        if let Some(sample) = sample {
            let unknown = Doing { activity: Activity::Computes, line: None };
            let doing = sample.map_or(unknown, |sample| sample.doing());
            let _unwritten = self.board.note(&Event::Doing(id.clone(), self.rank, doing));
        }
        self.depart(run)
    }

    /// Leaves a job that cannot go on, when the last entries are in and rank 0 has told.
    fn depart(&self, run: &Watched) -> ! {
        let question = &run.question;
        self.processes.abandon();
        let all_in = || self.board.all_have_ended(&question.id).unwrap_or(true);
        wait_for(LAST_WORDS, all_in);
        wait_for(LOCATING, || self.board.all_are_located(&question.id).unwrap_or(true));
        if self.rank == 0 {
            self.name(run);
            (self.farewell)(&self.board, question);
            let _unwritten = self.board.note(&Event::Told);
        } else {
            wait_for(REPORT, || self.board.told().unwrap_or(true));
        }
        // What is left below holds the launcher's pipes open.
        self.end_children();
        folder::remove_all();
        wb_process::exit_now(FAILED)
    }
}

impl Member {
    /// Finds out why a run ends its job. What cannot be read or written then is missed by who judges.
    fn name(&self, run: &Watched) {
        let RunId { case, ranks, input } = &run.question.id;
        let evidence = self.board.evidence().unwrap_or_default();
        let this = evidence.cases.get(&(case.clone(), *ranks)).and_then(|case| case.runs.get(input));
        let retold = this.map(|this| self.retold(&run.question, &this.entries)).unwrap_or_default();
        let named = Event::Named(run.question.id.clone(), run.elapsed(), retold);
        let _unwritten = self.board.note(&named);
    }
}

/// Rank 0 makes the folder and tells the others, by the library: it is the only thing they share yet.
fn agree_on_folder(seat: &dyn Seat) -> Result<PathBuf, CannotJoin> {
    let mine = if seat.rank() == 0 { Some(folder::create()?) } else { None };
    let bytes = mine.as_ref().map(|path| path.to_string_lossy().into_owned().into_bytes());
    let transport = seat.open(seat.size())?.expect("a communicator of all ranks has this one");
    let told = World::new(Rc::clone(&transport)).announce(0, bytes.as_deref());
    drop(transport);
    seat.close()?;
    Ok(PathBuf::from(String::from_utf8_lossy(&told?).into_owned()))
}

/// The exit hook: an orderly end, or `exit` in the middle of a run.
fn say_goodbye() {
    let Some(member) = MEMBER.get() else { return };
    match member.watch.take() {
        Some(run) => member.leave(&run, How::Left),
        // Nobody is left to hear of a failure here; the missing goodbye is noticed.
        None => drop(member.board.note(&Event::Bye)),
    }
}

/// The rank has asked for more memory than there is: its process ends with it.
fn tell_exhausted(exhausted: &Exhausted) {
    let Some(member) = MEMBER.get() else { return };
    if let Some(run) = member.watch.take() {
        let stage = run.entry(member.rank, How::Exhausted).stage;
        let id = &run.question.id;
        let entry = exhausted::entry(member.rank, stage, exhausted);
        // What cannot be written is missed by who judges.
        let _unwritten = member.board.note(&Event::End(id.clone(), Box::new(entry)));
        let located = Event::Doing(id.clone(), member.rank, exhausted::doing(exhausted));
        let _unwritten = member.board.note(&located);
        member.depart(&run);
    }
}

/// This rank does not end after a test, whose verdict its process may have told already.
fn tell_unended(id: RunId, found: Unended) {
    let Some(member) = MEMBER.get() else { return };
    let doing = found.sample.map(|sample| sample.doing());
    let entry = Entry::of(member.rank, How::Returned).unended(doing.clone());
    // A job of ours leaves the telling to who started it.
    if std::env::var_os(LANE).is_none() {
        outer::tell_unended(&Backend::processes(&member.processes.library()), &id, &entry);
    }
    let _unwritten = member.board.note(&Event::Unended(id, vec![member.rank], doing));
    wb_process::exit_now(FAILED)
}

/// The launcher asks this process to end, as it does when another rank is lost: it has a moment to say where it stood. A
/// rank that is already out of its run, and waits for the lost one's entry, finds out by itself in that moment.
fn say_last_words() {
    let Some(member) = MEMBER.get() else { return };
    match member.watch.take() {
        Some(run) => member.leave(&run, How::Late),
        None => std::thread::sleep(MOMENT),
    }
}

/// Somebody else is ending this process: nothing may happen on this thread any more.
fn step_aside() -> ! {
    loop {
        std::thread::park();
    }
}

fn wait_for(patience: Duration, done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() && start.elapsed() < patience {
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn is_fatal(event: &Event) -> bool {
    matches!(event, Event::End(_, entry) if entry.is_fatal())
}

fn entry_of(event: Event) -> Option<Entry> {
    match event {
        Event::End(_, entry) => Some(*entry),
        _ => None,
    }
}
