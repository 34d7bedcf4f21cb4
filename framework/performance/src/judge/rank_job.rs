//! The judge's side of a job: its start, the connections of its ranks, its end.
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use wb_comm::InputFiles;
use wb_messages::{Lang, hosts, judge as text};
use wb_process::children;
use wb_record::Backend;
use wb_runner::{
    JobEvent, OUTPUT_FILE, RunningJob,
    channel::{ChannelEvent, PROTOCOL_VERSION, Refusal, RunnerChannel, Transfer},
    format::format_ranks,
    output_tail,
};

use crate::judge::{
    cpu_time::RankProcesses,
    message::{FromRank, RankArguments, ToRank, describe_out_of_turn},
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

/// Makes the command that starts the rank program with these arguments. The folder is that of the channel to the judge: see
/// [`RankJobRequest::command`].
pub type LaunchCommand<'a> = &'a dyn Fn(&[String], &Path) -> io::Result<Command>;

/// The request for a job of ranks.
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

/// The reason why a job was ended from outside: its memory, which the judge does not watch itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndCause {
    /// The reason, for the user.
    pub reason: String,
    /// The process that used most memory.
    pub process: u32,
    /// The memory that it used, in bytes.
    pub used: u64,
}

/// Asks why a job was ended; nothing if no one but the judge and the ranks has ended it.
pub type AskEndCause = Arc<dyn Fn() -> Option<EndCause> + Send + Sync>;

/// A running job whose ranks are connected.
pub struct RankJob {
    pub(crate) lang: Lang,
    size: usize,
    max_output: Arc<AtomicU64>,
    pub(crate) job: RunningJob<FromRank>,
    pub(crate) processes: RankProcesses,
    thread_level: Option<String>,
    output: PathBuf,
    /// The children of this process that do not belong to the job.
    known: BTreeSet<u32>,
    end_cause: Option<AskEndCause>,
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
        // Each rank has at most one message that the judge awaits.
        let (max_waiting, max_payload) = (2 * request.ranks, Arc::clone(&max_output));
        let transfer = Transfer { max_waiting, max_message: MAX_MESSAGE, max_payload };
        let channel = RunnerChannel::in_folder()?;
        let [shared, own] =
            [channel.folder(), channel.private_folder()].map(|folder| folder.expect("it has a folder"));
        let output = own.join(OUTPUT_FILE);
        let (backend, ranks, files) = (request.backend, request.ranks, request.files.clone());
        let arguments = RankArguments { backend, ranks, files };
        let command = (request.command)(&arguments.to_arguments()?, shared)?;
        children::become_subreaper()?;
        let known = children::current_children();
        let mut this = Self {
            lang: request.lang,
            size: ranks,
            max_output,
            job: RunningJob::start_on_channel(channel, ranks, transfer, command, output.clone())?,
            processes: RankProcesses::default(),
            thread_level: None,
            output,
            known,
            end_cause: request.end_cause.clone(),
        };
        this.await_ranks(backend).map_err(io::Error::other)?;
        Ok(this)
    }

    /// Waits until all ranks have connected. A process that is not a rank of the job, and a rank that connects twice, end the
    /// job.
    fn await_ranks(&mut self, backend: Backend) -> Result<(), String> {
        let (lang, ranks, deadline) = (self.lang, self.size, Instant::now() + SETUP);
        let (mut pids, mut levels) = (BTreeMap::new(), BTreeMap::new());
        while levels.len() < ranks {
            let event = match self.next_event(deadline) {
                JobEvent::Member(event) => event,
                JobEvent::Ended(exit) => {
                    let status = output_tail::describe_status(exit.status, lang);
                    return Err(text::ended_unconnected(lang, status, self.output_start()));
                }
                JobEvent::Idle => {
                    let missing = (0..ranks).filter(|rank| !levels.contains_key(rank));
                    let (missing, output) = (format_ranks(missing).unwrap_or_default(), self.output_start());
                    return Err(text::not_connected(lang, missing, SETUP.as_secs(), output));
                }
            };
            match event {
                ChannelEvent::Joined { member, pid, .. } => {
                    pids.insert(member, pid.ok_or_else(|| text::not_a_rank(lang))?);
                }
                ChannelEvent::Message { member, message, .. } => match message {
                    FromRank::Joined { size, .. } if size != ranks => {
                        return Err(text::wrong_size(lang, ranks, member, size));
                    }
                    FromRank::Joined { thread_level, .. } if !levels.contains_key(&member) => {
                        levels.insert(member, thread_level);
                    }
                    other => return Err(describe_out_of_turn(lang, member, &other)),
                },
                ChannelEvent::Unreadable { member, error } => {
                    return Err(text::not_a_message(lang, member, error));
                }
                ChannelEvent::Refused(Refusal::Stranger | Refusal::NoSuchMember(_)) => {
                    return Err(text::not_a_rank(lang));
                }
                ChannelEvent::Refused(Refusal::Twice(rank)) => return Err(text::connected_twice(lang, rank)),
                ChannelEvent::Refused(Refusal::Version(its)) => {
                    return Err(text::other_version(lang, its, PROTOCOL_VERSION));
                }
                // The end of the job, or of the time to connect, shows why a rank has closed its connection.
                ChannelEvent::Closed { .. } | ChannelEvent::Alive { .. } => {}
            }
        }
        if backend == Backend::Mpi && pids.values().collect::<BTreeSet<_>>().len() < ranks {
            return Err(text::shared_process(lang));
        }
        self.processes = RankProcesses::new(pids.into_values());
        self.thread_level = levels.into_values().flatten().next();
        Ok(())
    }

    /// The pass has an input of this many bytes, which limits its outputs.
    pub(crate) fn limit_outputs(&self, input: usize) {
        self.max_output.store(output_limit(input), Ordering::Relaxed);
    }

    /// The number of ranks.
    pub fn size(&self) -> usize {
        self.size
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

    /// The reason why the job was ended from outside, as text; it names the rank whose process used most memory.
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

    /// The next event before the deadline; none at it, even where a rank continues to send.
    pub(crate) fn next_event(&mut self, deadline: Instant) -> JobEvent<FromRank> {
        if Instant::now() >= deadline {
            return JobEvent::Idle;
        }
        self.job.next_before(deadline).unwrap_or(JobEvent::Idle)
    }

    /// Ends the job in order.
    ///
    /// # Errors
    /// The reason, for the user: a rank or its process did not end as it should, or left processes.
    pub fn end(mut self) -> Result<(), String> {
        let deadline = Instant::now() + SHUTDOWN;
        for rank in 0..self.size {
            // A rank that is lost or reads nothing shows in the end of the job.
            let _lost = self.job.send_before(rank, &ToRank::End, None, Some(deadline));
        }
        let exit = loop {
            match self.next_event(deadline) {
                JobEvent::Ended(exit) => break exit,
                JobEvent::Idle => return Err(text::does_not_end(self.lang, SHUTDOWN.as_secs())),
                JobEvent::Member(_) => {}
            }
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
        // The system may not report its end.
        let _unknown = self.job.stop();
        let _already_a_verdict = children::kill_others(&self.known);
    }
}

/// The bytes of the largest output for an input of this many bytes.
fn output_limit(input: usize) -> u64 {
    (input as u64).saturating_mul(OUTPUT_FACTOR).max(LEAST_OUTPUT_LIMIT)
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
