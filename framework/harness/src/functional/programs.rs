//! Bare programs on real ranks, under the same watch as tests: what is found in each of them.
//!
//! A test asks whether a task is right and tells people what is not; whoever looks at the finders themselves asks what
//! they find, as data. So a program here is a function of a [`World`] without input, output and oracle, and what its
//! ranks leave is told as [`Witnessed`]. As many programs as possible share a job; one that ends its job is followed by
//! another job, which takes up the rest.
use std::{
    collections::BTreeMap,
    env, io,
    path::Path,
    rc::Rc,
    sync::Arc,
    time::{Duration, Instant},
};

use wb_comm::{Blocked, Finding, Result, Threads, Transport};
use wb_task::{self as task, Progress};
use wb_world::World;

use super::{
    case, causes,
    entry::{Entry, How},
    evidence::{CaseEvidence, Evidence},
    lane::{self, Judged, LaneId},
    member::Member,
    panics,
    question::{Expected, Question, RunId},
    retelling::{self, Buffering},
    spoken::OUTPUT,
    trial::{self, Came, Trial},
};
use crate::{Backends, folder, said};

/// What the ranks of a job run.
#[derive(Clone, Debug)]
pub struct Program {
    /// Names it among the others.
    pub name: String,
    /// On so many ranks.
    pub ranks: usize,
    /// As each of them.
    pub body: fn(&World) -> Result<()>,
}

/// What is known of a program that ran.
#[derive(Clone, Debug, Default)]
pub struct Witnessed {
    /// The mistakes that were found.
    pub findings: Vec<Finding>,
    /// Sends that wait for each other where no message is buffered, as the library may have done this time.
    pub buffering: Vec<Finding>,
    /// Where the ranks stood that did not come back.
    pub blocked: Vec<Blocked>,
    /// When it was known why the ranks did not come back, counted from the beginning of the run.
    pub named_after: Option<Duration>,
    /// Panics, and errors that are no mistake of a known kind: a rank and its words.
    pub strange: Vec<String>,
}

/// Runs `programs` on real processes, each under `limit`; `None` in a process that is a rank of such a job.
///
/// To be called by a test that does nothing else: its jobs are this binary, with this test.
///
/// # Errors
/// No processes are linked, a job cannot be started, or one ends without any evidence.
pub fn witness(
    backends: Backends,
    programs: &[Program],
    limit: Duration,
) -> io::Result<Option<BTreeMap<String, Witnessed>>> {
    match env::var_os(lane::FOLDER) {
        Some(folder) => take_part(backends, Path::new(&folder), programs, limit).map(|()| None),
        None => gather(backends, programs).map(Some),
    }
}

fn take_part(backends: Backends, folder: &Path, programs: &[Program], limit: Duration) -> io::Result<()> {
    let judged = Judged::read(folder)?;
    let processes = backends.processes.ok_or_else(|| io::Error::other("no processes are linked"))?;
    let member = Member::join(backends, processes, None, Some(folder), Box::new(|_, _| {}));
    let member = member.map_err(io::Error::other)?;
    let here = |program: &&Program| program.ranks == member.size && !judged.has(&program.name, member.size);
    for program in programs.iter().filter(here) {
        let trial = Arc::new(ProgramTrial::of(program, limit));
        member.run(&program.name, program.ranks, &[trial]).map_err(io::Error::other)?;
    }
    Ok(())
}

fn gather(backends: Backends, programs: &[Program]) -> io::Result<BTreeMap<String, Witnessed>> {
    let mut witnessed = BTreeMap::new();
    let selection = ["--exact".to_owned(), case::next_name()];
    while let Some(ranks) = programs.iter().find(|p| !witnessed.contains_key(&p.name)).map(|p| p.ranks) {
        let folder = folder::create()?;
        Judged::of(witnessed.keys().cloned()).write(&folder)?;
        lane::start(backends, LaneId::Processes(ranks), &folder, &selection)?;
        let found = Evidence::read(&folder, ranks)?;
        if found.cases.is_empty() {
            return Err(io::Error::other(said::last_lines(&folder.join(OUTPUT), 0)));
        }
        let of = |case| Witnessed::of(ranks, case, backends.retelling);
        witnessed.extend(found.cases.into_iter().map(|((name, _), case)| (name, of(case))));
    }
    Ok(witnessed)
}

impl Witnessed {
    fn of(ranks: usize, mut case: CaseEvidence, retelling: Buffering) -> Self {
        let run = case.runs.remove(&0).unwrap_or_default();
        let missing = (0..ranks).filter(|rank| !run.entries.contains_key(rank));
        let silent = missing.map(|rank| format!("rank {rank} left no entry"));
        let strange = silent.chain(run.entries.values().filter_map(strange)).collect();
        let blocked = run.entries.values().filter_map(|entry| entry.standing.clone()).collect();
        let buffering = retelling::unbuffered(ranks, &run.entries, retelling);
        Self { findings: causes::all(&run), buffering, blocked, named_after: run.named_after, strange }
    }
}

/// What a rank told that is no finding and no consequence of another one's.
fn strange(entry: &Entry) -> Option<String> {
    let told = matches!(entry.how, How::Panicked | How::Failed | How::Left | How::Limit);
    (told && entry.finding.is_none()).then(|| format!("rank {} {:?}: {}", entry.rank, entry.how, entry.text))
}

/// A program as the harness runs it.
struct ProgramTrial {
    body: fn(&World) -> Result<()>,
    question: Question,
}

impl ProgramTrial {
    fn of(program: &Program, limit: Duration) -> Self {
        let question = Question {
            id: RunId { case: program.name.clone(), ranks: program.ranks, input: 0 },
            inputs: 1,
            excerpt: String::new(),
            home: 0,
            place: task::Place::Home,
            expected: Expected::default(),
            limit: Some(limit),
        };
        Self { body: program.body, question }
    }
}

impl Trial for ProgramTrial {
    fn question(&self) -> &Question {
        &self.question
    }

    fn consult_reference(&self, _threads: &dyn Threads) {}

    fn attempt(&self, transport: Rc<dyn Transport>, progress: &Progress) -> Came {
        let world = World::new(transport);
        let began = Instant::now();
        let ended = panics::catch(|| (self.body)(&world));
        let ended = ended.map(|result| result.map_err(|error| (error, world.refused())));
        Came::of(&world, began.elapsed(), progress, ended)
    }

    fn examine(&self, came: Came) -> Entry {
        came.entry::<std::result::Result<(), trial::Refused>>(|rank, ended| match ended {
            Ok(()) => Entry::of(rank, How::Returned),
            Err((error, at)) => trial::failed_call(rank, None, at, &error),
        })
    }
}
