//! The judge's side of a job: its start, the connections of its ranks, its end.
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    os::unix::{
        fs::PermissionsExt,
        net::{UnixListener, UnixStream},
    },
    path::{Path, PathBuf},
    process::Command,
    sync::mpsc::{self, Receiver, SyncSender},
    thread,
    time::{Duration, Instant},
};

use wb_comm::InputFiles;
use wb_messages::{Lang, hosts, judge as text};
use wb_process::{Job, JobExit, JobStopper, children};
use wb_record::Backend;
use wb_runner::{format::format_ranks, output_tail, run_folder};

use crate::{
    address::{JudgeAddress, socket_path, token_path},
    cpu_time::RankProcesses,
    end_cause::AskEndCause,
    examiner::random_seed,
    message::{self, FromRank, ToRank},
    rank_stream::{OutputLimit, RankEvent, RankStream},
};

/// The folders of jobs begin with this.
const FOLDER: &str = "wb-judge";

/// The time in which all ranks must connect.
const SETUP: Duration = Duration::from_secs(30);

/// The time in which a job must end that was asked to.
const SHUTDOWN: Duration = Duration::from_secs(10);

/// The time in which processes end that a job leaves for a moment.
const ENDING: Duration = Duration::from_millis(500);

/// The interval of checks for new connections.
const ACCEPT_INTERVAL: Duration = Duration::from_millis(2);

/// The longest job.
const MAX_JOB: Duration = Duration::from_secs(24 * 3600);

/// Makes the command that starts the rank program with these arguments, where `folder` is the folder of the job: see
/// [`RankJobRequest::command`].
pub type LaunchCommand<'a> = &'a dyn Fn(&[String], &Path) -> io::Result<Command>;

/// How a job of ranks is started.
pub struct RankJobRequest<'a> {
    /// The kind of ranks.
    pub backend: Backend,
    /// The number of ranks.
    pub ranks: usize,
    /// Makes the command from the arguments of the rank program and the folder of the job. Inside a sandbox the command
    /// makes the folder visible at [`visible_folder`](Self::visible_folder).
    pub command: LaunchCommand<'a>,
    /// The path at which the ranks see the folder of the job, if it is another one.
    pub visible_folder: Option<PathBuf>,
    /// The files that the ranks may read, in the folder in which they see them.
    pub files: InputFiles,
    /// Asks why the job was ended from outside, where something watches it.
    pub end_cause: Option<AskEndCause>,
    /// The language of reasons.
    pub lang: Lang,
}

impl RankJobRequest<'_> {
    /// The address of the judge for ranks of a job with this folder.
    fn address(&self, folder: &Path) -> JudgeAddress {
        JudgeAddress {
            folder: self.visible_folder.clone().unwrap_or_else(|| folder.to_owned()),
            backend: self.backend,
            ranks: self.ranks,
            files: self.files.clone(),
        }
    }
}

/// A running job whose ranks are connected.
pub struct RankJob {
    lang: Lang,
    ranks: Vec<RankStream>,
    pub(crate) output_limit: OutputLimit,
    events: Receiver<RankEvent>,
    stopper: JobStopper,
    pub(crate) processes: RankProcesses,
    thread_level: Option<String>,
    exit: Option<JobExit>,
    output: PathBuf,
    /// The children of this process that do not belong to the job.
    known: BTreeSet<u32>,
    end_cause: Option<AskEndCause>,
    _folder: JobFolder,
}

/// The folder of a job, which is removed with it or at the latest with this process.
struct JobFolder(PathBuf);

impl Drop for JobFolder {
    fn drop(&mut self) {
        run_folder::remove(&self.0);
    }
}

struct ConnectedRank {
    stream: UnixStream,
    pid: u32,
    thread_level: Option<String>,
}

impl RankJob {
    /// Starts the job, and waits until all its ranks are connected.
    ///
    /// # Errors
    /// The reason, for the user: the job did not start, a rank did not connect, or another process connected.
    pub fn start(request: &RankJobRequest<'_>) -> Result<Self, String> {
        // The path of a socket must be short.
        let folder =
            run_folder::create_in(&std::env::temp_dir(), FOLDER).map_err(|error| error.to_string())?;
        let started = Self::start_in(request, JobFolder(folder)).map_err(|error| error.to_string());
        started.map_err(|why| match request.end_cause.as_ref().and_then(|ask| ask()) {
            Some(cause) => cause.reason,
            None => why,
        })
    }

    fn start_in(request: &RankJobRequest<'_>, folder: JobFolder) -> io::Result<Self> {
        // The outer folder is ours alone; the inner one is what a sandbox shows to another user.
        let inner = folder.0.join("job");
        fs::create_dir(&inner)?;
        let token = format!("{:016x}{:016x}", random_seed()?, random_seed()?);
        fs::write(token_path(&inner), &token)?;
        let listener = UnixListener::bind(socket_path(&inner))?;
        fs::set_permissions(socket_path(&inner), fs::Permissions::from_mode(0o666))?;
        listener.set_nonblocking(true)?;
        let address = request.address(&inner);
        let output = folder.0.join("output.txt");
        children::become_subreaper()?;
        let known = children::current_children();
        let command = (request.command)(&address.to_arguments(), &inner)?;
        let job = Job::spawn_to_files(command, &output, &output)?;
        let stopper = job.stopper();
        // Each rank has at most one message that the judge awaits; a rank that sends more waits.
        let (sender, events) = mpsc::sync_channel(2 * request.ranks);
        watch_end(job, sender.clone())?;
        let mut this = Self {
            lang: request.lang,
            ranks: vec![],
            output_limit: OutputLimit::default(),
            events,
            stopper,
            processes: RankProcesses::default(),
            thread_level: None,
            exit: None,
            output,
            known,
            end_cause: request.end_cause.clone(),
            _folder: folder,
        };
        let connected = this.accept_all(&listener, request, &token)?;
        fs::remove_file(socket_path(&inner))?;
        this.processes = RankProcesses::new(connected.values().map(|rank| rank.pid));
        for (rank, connection) in connected {
            if this.thread_level.is_none() {
                this.thread_level = connection.thread_level;
            }
            let stream = RankStream::new(connection.stream)?;
            stream.read_messages(rank, sender.clone(), this.output_limit.clone())?;
            this.ranks.push(stream);
        }
        Ok(this)
    }

    /// Accepts the connections of all ranks. A process that is not a rank of the job, and a rank that connects twice, end
    /// the job.
    fn accept_all(
        &mut self,
        listener: &UnixListener,
        request: &RankJobRequest<'_>,
        token: &str,
    ) -> io::Result<BTreeMap<usize, ConnectedRank>> {
        let (deadline, mut connected) = (Instant::now() + SETUP, BTreeMap::new());
        while connected.len() < request.ranks {
            match listener.accept() {
                Ok((stream, _)) => {
                    let (rank, connection) = self.greet(stream, request, token)?;
                    if connected.insert(rank, connection).is_some() {
                        return Err(io::Error::other(text::connected_twice(self.lang, rank)));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.await_rank(deadline, &connected, request)?;
                }
                Err(error) => return Err(error),
            }
        }
        let one_process_each = request.backend == Backend::Mpi;
        let mut pids: Vec<u32> = connected.values().map(|rank: &ConnectedRank| rank.pid).collect();
        pids.sort_unstable();
        pids.dedup();
        if one_process_each && pids.len() < request.ranks {
            return Err(io::Error::other(text::shared_process(self.lang)));
        }
        Ok(connected)
    }

    /// Waits a little for the next connection.
    fn await_rank(
        &mut self,
        deadline: Instant,
        connected: &BTreeMap<usize, ConnectedRank>,
        request: &RankJobRequest<'_>,
    ) -> io::Result<()> {
        match self.events.recv_timeout(ACCEPT_INTERVAL) {
            Ok(RankEvent::Ended(exit)) => {
                self.exit = Some(exit);
                let status = output_tail::describe_status(exit.status, self.lang);
                Err(io::Error::other(text::ended_unconnected(self.lang, status, self.output_start())))
            }
            _ if Instant::now() < deadline => Ok(()),
            _ => {
                let missing = (0..request.ranks).filter(|rank| !connected.contains_key(rank));
                let (missing, output) = (format_ranks(missing).unwrap_or_default(), self.output_start());
                Err(io::Error::other(text::not_connected(self.lang, missing, SETUP.as_secs(), output)))
            }
        }
    }

    /// Reads the first message of a connection.
    fn greet(
        &self,
        mut stream: UnixStream,
        request: &RankJobRequest<'_>,
        token: &str,
    ) -> io::Result<(usize, ConnectedRank)> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(SETUP))?;
        let pid = rustix::net::sockopt::socket_peercred(&stream)?.pid.as_raw_nonzero().get().cast_unsigned();
        let (hello, _) = message::read::<FromRank>(&mut stream, || 0)?;
        stream.set_read_timeout(None)?;
        let FromRank::Hello { token: shown, rank, size, thread_level } = hello else {
            return Err(io::Error::other(text::not_a_rank(self.lang)));
        };
        if shown != token || rank >= request.ranks {
            return Err(io::Error::other(text::not_a_rank(self.lang)));
        }
        if size != request.ranks {
            return Err(io::Error::other(text::wrong_size(self.lang, request.ranks, rank, size)));
        }
        Ok((rank, ConnectedRank { stream, pid, thread_level }))
    }

    /// The number of ranks.
    pub fn size(&self) -> usize {
        self.ranks.len()
    }

    /// The thread level that the ranks state.
    pub fn thread_level(&self) -> Option<&str> {
        self.thread_level.as_deref()
    }

    /// The end of what the job has printed.
    pub fn output_tail(&self) -> String {
        output_tail::last_lines(&self.output, 0)
    }

    /// The start of what the job has printed, and what may have kept it from its start.
    fn output_start(&self) -> String {
        output_tail::failed_launch(&self.output)
    }

    /// Why the job was ended from outside, for the user; the rank is named whose process was the cause most of all.
    pub(crate) fn end_cause(&self) -> Option<String> {
        let cause = self.end_cause.as_ref()?()?;
        let of_rank = self.processes.rank_of(cause.process);
        let of_rank = of_rank.map(|rank| text::sandbox_memory_of_rank(self.lang, rank, cause.used >> 20));
        Some([Some(cause.reason), of_rank].into_iter().flatten().collect::<Vec<_>>().join("; "))
    }

    /// The ranks that a signal has stopped, for the user.
    pub(crate) fn describe_stopped(&self) -> Option<String> {
        Some(hosts::stopped(self.lang, format_ranks(self.processes.stopped_ranks())?))
    }

    pub(crate) fn lang(&self) -> Lang {
        self.lang
    }

    /// Sends a message to a rank, at most until the deadline.
    pub(crate) fn send(
        &mut self,
        rank: usize,
        message: &ToRank,
        payload: Option<&[u8]>,
        deadline: Option<Instant>,
    ) -> io::Result<()> {
        self.ranks[rank].send(message, payload, deadline)
    }

    /// The next event before the deadline; `None` at it, even where a rank continues to send.
    pub(crate) fn next_event(&mut self, deadline: Option<Instant>) -> Option<RankEvent> {
        let event = match deadline {
            None => self.events.recv().ok(),
            Some(deadline) => {
                let left = deadline.checked_duration_since(Instant::now())?;
                self.events.recv_timeout(left).ok()
            }
        };
        if let Some(RankEvent::Ended(exit)) = event {
            self.exit = Some(exit);
        }
        event
    }

    /// Ends the job in order.
    ///
    /// # Errors
    /// The reason, for the user: a rank or its process did not end as it should, or left processes.
    pub fn end(mut self) -> Result<(), String> {
        let deadline = Instant::now() + SHUTDOWN;
        for rank in 0..self.size() {
            // A rank that is lost or reads nothing shows in the end of the job.
            let _lost = self.send(rank, &ToRank::End, None, Some(deadline));
        }
        while self.exit.is_none() {
            if self.next_event(Some(deadline)).is_none() {
                break;
            }
        }
        let Some(exit) = self.exit else {
            return Err(text::does_not_end(self.lang, SHUTDOWN.as_secs()));
        };
        // The inner process of a sandbox ends a moment after the outer one.
        let ending = Instant::now() + ENDING;
        while Instant::now() < ending && !children::current_children().is_subset(&self.known) {
            thread::sleep(ACCEPT_INTERVAL);
        }
        let left = children::kill_others(&self.known);
        if !left.is_empty() {
            return Err(output_tail::describe_children(&left, self.lang));
        }
        if exit.status.success() {
            return Ok(());
        }
        let status = output_tail::describe_status(exit.status, self.lang);
        Err(text::ended_badly(self.lang, status, self.output_tail()))
    }
}

impl Drop for RankJob {
    fn drop(&mut self) {
        if self.exit.is_none() {
            self.stopper.stop();
            while self.exit.is_none() && self.next_event(Some(Instant::now() + SHUTDOWN)).is_some() {}
        }
        let _already_a_verdict = children::kill_others(&self.known);
    }
}

/// Reports the end of the job as an event.
fn watch_end(job: Job, events: SyncSender<RankEvent>) -> io::Result<()> {
    thread::Builder::new().name("wb-judge-end".into()).spawn(move || {
        if let Ok(exit) = job.wait(MAX_JOB) {
            // The job may have been given up.
            let _given_up = events.send(RankEvent::Ended(exit));
        }
    })?;
    Ok(())
}
