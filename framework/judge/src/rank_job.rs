//! The judge's side of a job: its start, the connections of its ranks, its end.
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{self, Receiver, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

use wb_comm::InputFiles;
use wb_messages::{Lang, hosts, judge as text};
use wb_process::{Job, JobExit, JobStopper, children};
use wb_record::Backend;
use wb_runner::{
    channel::{ChannelEvent, MemberStream, PROTOCOL_VERSION, Refusal, RunnerChannel, Transfer},
    format::format_ranks,
    output_tail,
};

use crate::{
    cpu_time::RankProcesses,
    end_cause::AskEndCause,
    message::{FromRank, ToRank},
    pass::describe_out_of_turn,
    rank_arguments::RankArguments,
};

/// The time in which all ranks must connect.
const SETUP: Duration = Duration::from_secs(30);

/// The time in which a job must end that was asked to.
const SHUTDOWN: Duration = Duration::from_secs(10);

/// The time in which processes end that a job leaves for a moment.
const ENDING: Duration = Duration::from_millis(500);

/// The interval of checks for processes that a job leaves for a moment.
const ENDING_INTERVAL: Duration = Duration::from_millis(2);

/// The largest message without its payload; a larger one is not from our program.
const MAX_MESSAGE: u32 = 1 << 20;

/// The bytes that any output may have.
const LEAST_OUTPUT_LIMIT: u64 = 1 << 26;

/// The bytes that an output may have for each byte of its input.
const OUTPUT_FACTOR: u64 = 4;

/// The longest job.
const MAX_JOB: Duration = Duration::from_secs(24 * 3600);

/// Makes the command that starts the rank program with these arguments. The folder is that of the channel to the judge: see
/// [`RankJobRequest::command`].
pub type LaunchCommand<'a> = &'a dyn Fn(&[String], &Path) -> io::Result<Command>;

/// How a job of ranks is started.
pub struct RankJobRequest<'a> {
    /// The kind of ranks.
    pub backend: Backend,
    /// The number of ranks.
    pub ranks: usize,
    /// Makes the command from the arguments of the rank program and the folder of the channel. It names the folder to the program
    /// ([`RunnerAddress::add_to`](wb_runner::channel::RunnerAddress::add_to)), at the path at which a sandbox shows it.
    pub command: LaunchCommand<'a>,
    /// The files that the ranks may read, in the folder in which they see them.
    pub files: InputFiles,
    /// Asks why the job was ended from outside, where something watches it.
    pub end_cause: Option<AskEndCause>,
    /// The language of reasons.
    pub lang: Lang,
}

/// An event of a job.
pub(crate) enum RankEvent {
    /// An event of a rank's connection.
    Member(ChannelEvent<FromRank>),
    /// The job has ended.
    Ended(JobExit),
}

impl From<ChannelEvent<FromRank>> for RankEvent {
    fn from(event: ChannelEvent<FromRank>) -> Self {
        Self::Member(event)
    }
}

/// A running job whose ranks are connected.
pub struct RankJob {
    lang: Lang,
    ranks: Vec<MemberStream>,
    max_output: Arc<AtomicU64>,
    events: Receiver<RankEvent>,
    stopper: JobStopper,
    pub(crate) processes: RankProcesses,
    thread_level: Option<String>,
    exit: Option<JobExit>,
    output: PathBuf,
    /// The children of this process that do not belong to the job.
    known: BTreeSet<u32>,
    end_cause: Option<AskEndCause>,
    /// Its folder has the output.
    _channel: RunnerChannel,
}

impl RankJob {
    /// Starts the job, and waits until all its ranks are connected.
    ///
    /// # Errors
    /// The reason, for the user: the job did not start, a rank did not connect, or another process connected.
    pub fn start(request: &RankJobRequest<'_>) -> Result<Self, String> {
        Self::try_start(request).map_err(|error| match request.end_cause.as_ref().and_then(|ask| ask()) {
            Some(cause) => cause.reason,
            None => error.to_string(),
        })
    }

    fn try_start(request: &RankJobRequest<'_>) -> io::Result<Self> {
        let max_output = Arc::new(AtomicU64::new(output_limit(0)));
        let transfer = Transfer { max_message: MAX_MESSAGE, max_payload: Arc::clone(&max_output) };
        // Each rank has at most one message that the judge awaits; a rank that sends more waits.
        let (sender, events) = mpsc::sync_channel(2 * request.ranks);
        let mut channel = RunnerChannel::in_folder()?;
        channel.accept::<FromRank, RankEvent>(request.ranks, transfer, sender.clone())?;
        let [shared, own] =
            [channel.folder(), channel.private_folder()].map(|folder| folder.expect("it has a folder"));
        let output = own.join("output.txt");
        let (backend, ranks, files) = (request.backend, request.ranks, request.files.clone());
        let arguments = RankArguments { backend, ranks, files };
        children::become_subreaper()?;
        let known = children::current_children();
        let command = (request.command)(&arguments.to_arguments(), shared)?;
        let job = Job::spawn_to_files(command, &output, &output)?;
        let stopper = job.stopper();
        watch_end(job, sender)?;
        let mut this = Self {
            lang: request.lang,
            ranks: vec![],
            max_output,
            events,
            stopper,
            processes: RankProcesses::default(),
            thread_level: None,
            exit: None,
            output,
            known,
            end_cause: request.end_cause.clone(),
            _channel: channel,
        };
        this.await_ranks(backend, ranks).map_err(io::Error::other)?;
        Ok(this)
    }

    /// Waits until all ranks have connected. A process that is not a rank of the job, and a rank that connects twice, end the
    /// job.
    fn await_ranks(&mut self, backend: Backend, ranks: usize) -> Result<(), String> {
        let (deadline, mut streams, mut levels) = (Instant::now() + SETUP, BTreeMap::new(), BTreeMap::new());
        while levels.len() < ranks {
            match self.next_event(Some(deadline)) {
                Some(RankEvent::Member(ChannelEvent::Joined { member, pid, stream, .. })) => {
                    streams.insert(member, (pid.ok_or_else(|| text::not_a_rank(self.lang))?, stream));
                }
                Some(RankEvent::Member(ChannelEvent::Message { member, message, .. })) => {
                    let is_known = levels.contains_key(&member);
                    levels.insert(member, self.check_first_message(member, ranks, message, is_known)?);
                }
                Some(event) => self.check_setup(event)?,
                None => {
                    let missing = (0..ranks).filter(|rank| !levels.contains_key(rank));
                    let (missing, output) = (format_ranks(missing).unwrap_or_default(), self.output_start());
                    return Err(text::not_connected(self.lang, missing, SETUP.as_secs(), output));
                }
            }
        }
        let (pids, streams): (Vec<u32>, _) = streams.into_values().unzip();
        if backend == Backend::Mpi && pids.iter().collect::<BTreeSet<_>>().len() < ranks {
            return Err(text::shared_process(self.lang));
        }
        self.processes = RankProcesses::new(pids);
        self.ranks = streams;
        self.thread_level = levels.into_values().flatten().next();
        Ok(())
    }

    /// The thread level that a rank states in its first message.
    fn check_first_message(
        &self,
        rank: usize,
        ranks: usize,
        message: FromRank,
        is_known: bool,
    ) -> Result<Option<String>, String> {
        match message {
            FromRank::Joined { size, .. } if size != ranks => {
                Err(text::wrong_size(self.lang, ranks, rank, size))
            }
            FromRank::Joined { thread_level, .. } if !is_known => Ok(thread_level),
            other => Err(describe_out_of_turn(self.lang, rank, &other)),
        }
    }

    /// Whether ranks may still connect after this event, which is not one of them.
    fn check_setup(&self, event: RankEvent) -> Result<(), String> {
        let lang = self.lang;
        Err(match event {
            RankEvent::Member(ChannelEvent::Refused(refusal)) => match refusal {
                Refusal::Stranger | Refusal::NoSuchMember(_) => text::not_a_rank(lang),
                Refusal::Twice(rank) => text::connected_twice(lang, rank),
                Refusal::Version(its) => text::other_version(lang, its, PROTOCOL_VERSION),
            },
            RankEvent::Member(ChannelEvent::Unreadable { member, error }) => {
                text::not_a_message(lang, member, error)
            }
            RankEvent::Ended(exit) => {
                let status = output_tail::describe_status(exit.status, lang);
                text::ended_unconnected(lang, status, self.output_start())
            }
            // The end of the job, or of the time to connect, shows why a rank has closed its connection.
            RankEvent::Member(_) => return Ok(()),
        })
    }

    /// The pass has an input of this many bytes, which limits its outputs.
    pub(crate) fn limit_outputs(&self, input: usize) {
        self.max_output.store(output_limit(input), Ordering::Relaxed);
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
            thread::sleep(ENDING_INTERVAL);
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

/// The bytes of the largest output for an input of this many bytes.
fn output_limit(input: usize) -> u64 {
    (input as u64).saturating_mul(OUTPUT_FACTOR).max(LEAST_OUTPUT_LIMIT)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_may_be_larger_than_the_input_within_reason() {
        assert_eq!(output_limit(0), LEAST_OUTPUT_LIMIT);
        assert_eq!(output_limit(1 << 30), 1 << 32);
    }
}
