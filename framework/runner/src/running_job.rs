//! A job that runs: its members, their messages, and the watch over them.
//!
//! The invariant: *a job ends, and everything that its members sent is seen before its end.* It is ended at its deadline, when a rank is
//! stopped, when a rank on another host gives no sign any more, and when its launcher does not end after its ranks.
use std::{
    collections::BTreeSet,
    io,
    path::PathBuf,
    process::Command,
    sync::mpsc::{self, Receiver, SyncSender},
    time::{Duration, Instant},
};

use serde::{Serialize, de::DeserializeOwned};
use wb_process::{Job, JobExit};

use crate::{
    channel::{ChannelEvent, MemberStream, RunnerAddress, RunnerChannel, Transfer},
    job_loss::{JobLoss, JobWatch},
    launch,
    run_folder::RunFolder,
    stopped_ranks::StoppedRanks,
};

/// The file in a job's folder that receives its output.
pub const OUTPUT_FILE: &str = "output";

/// The interval of checks whether a job can still end by itself: rare, since each takes processor time.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The time after the end of a job in which the last messages of its members arrive.
const LAST_MESSAGES_MAX: Duration = Duration::from_secs(2);

/// How long a launcher may run on after all ranks that had connected have ended. That of Open MPI 4.1 can wait for itself for ever where a
/// rank was killed while it started.
const LAUNCHER_END_MAX: Duration =
    if cfg!(test) { Duration::from_millis(500) } else { Duration::from_secs(10) };

/// The longest job.
const MAX_JOB: Duration = Duration::from_secs(366 * 24 * 3600);

/// An event of a running job.
#[derive(Debug)]
pub enum JobEvent<M> {
    /// An event of a member.
    Member(ChannelEvent<M>),
    /// No event for a moment.
    Idle,
    /// The job has ended. This is the last event.
    Ended(JobExit),
}

/// A running job. It ends when this is dropped.
#[derive(Debug)]
pub struct RunningJob<M> {
    job: Option<Job>,
    exit: Option<(JobExit, Instant)>,
    /// `None` is the end of the job.
    events: Receiver<Option<ChannelEvent<M>>>,
    members: Vec<Option<MemberStream>>,
    /// Since when no member is connected; `None` before the first one is.
    disconnected_since: Option<Instant>,
    /// Whether a member has sent a message.
    has_begun: bool,
    watch: Option<JobWatch>,
    stopped: Option<StoppedRanks>,
    checked_at: Instant,
    deadline: Option<Instant>,
    folder: Option<RunFolder>,
    output: PathBuf,
    channel: RunnerChannel,
}

impl<M: DeserializeOwned + Send + 'static> RunningJob<M> {
    /// Starts a job of `members` members. `program` is the command of one, to which the address of its runner is added; `launch` makes the
    /// command of all of it. The output goes to the file [`OUTPUT_FILE`] of `folder`.
    ///
    /// # Errors
    /// When the job cannot be started.
    pub fn start(
        members: usize,
        mut program: Command,
        folder: RunFolder,
        launch: impl FnOnce(Command) -> io::Result<Command>,
    ) -> io::Result<Self> {
        let hosts = launch::host_names();
        let channel = open_channel(&hosts)?;
        channel.address().add_to(&mut program);
        let output = folder.path().join(OUTPUT_FILE);
        let mut running =
            Self::start_on_channel(channel, members, Transfer::default(), launch(program)?, output)?;
        running.watch = (!hosts.is_empty()).then(|| JobWatch::new(members));
        running.folder = Some(folder);
        Ok(running)
    }

    /// Starts a job of `members` members over this channel, whose address its command names to them. The output goes to the file `output`.
    ///
    /// # Errors
    /// When the job cannot be started.
    pub fn start_on_channel(
        channel: RunnerChannel,
        members: usize,
        transfer: Transfer,
        command: Command,
        output: PathBuf,
    ) -> io::Result<Self> {
        let (mut running, sender) = Self::open(channel, members, transfer)?;
        let job = Job::spawn_to_files(command, &output, &output)?;
        // The receiver may be gone.
        job.on_end(move || drop(sender.send(None)))?;
        running.stopped = Some(StoppedRanks::new(&job));
        (running.job, running.output) = (Some(job), output);
        Ok(running)
    }

    /// The channel for a job of members on these hosts, or on this one if there are none, that something else has started. It has no end.
    ///
    /// # Errors
    /// When no channel can be opened.
    pub fn of_launched(members: usize, hosts: &[String]) -> io::Result<Self> {
        Self::open(open_channel(hosts)?, members, Transfer::default()).map(|(running, _)| running)
    }

    fn open(
        mut channel: RunnerChannel,
        members: usize,
        transfer: Transfer,
    ) -> io::Result<(Self, SyncSender<Option<ChannelEvent<M>>>)> {
        let (sender, events) = mpsc::sync_channel(transfer.max_waiting);
        channel.accept::<M, _>(members, transfer, sender.clone())?;
        let running = Self {
            stopped: None,
            job: None,
            exit: None,
            events,
            members: (0..members).map(|_| None).collect(),
            disconnected_since: None,
            has_begun: false,
            watch: None,
            checked_at: Instant::now(),
            deadline: None,
            folder: None,
            output: PathBuf::new(),
            channel,
        };
        Ok((running, sender))
    }

    /// The address for its members.
    pub fn address(&self) -> &RunnerAddress {
        self.channel.address()
    }

    /// The job is ended after this duration from now on, whatever the former deadline; `None` lifts the deadline.
    pub fn set_deadline(&mut self, after: Option<Duration>) {
        self.deadline = after.and_then(|after| Instant::now().checked_add(after));
    }

    /// Sends a message to a member; one that is gone shows in the events.
    pub fn send(&mut self, member: usize, message: &impl Serialize) {
        let _gone = self.send_before(member, message, None, None);
    }

    /// Sends a message with its payload to a member, at most until the deadline.
    ///
    /// # Errors
    /// `TimedOut` when the member does not read it, others when the member is gone.
    pub fn send_before(
        &mut self,
        member: usize,
        message: &impl Serialize,
        payload: Option<&[u8]>,
        deadline: Option<Instant>,
    ) -> io::Result<()> {
        let stream = self.members[member].as_mut().ok_or(io::ErrorKind::NotConnected)?;
        stream.send(message, payload, deadline)
    }

    /// Waits for the next event, at most for `wait`. A sign or a refused connection is none.
    ///
    /// # Errors
    /// When the system does not report the end of the job.
    pub fn next_event(&mut self, wait: Duration) -> io::Result<JobEvent<M>> {
        let until = Instant::now() + wait;
        loop {
            match self.next_before(until)? {
                JobEvent::Member(ChannelEvent::Alive { .. } | ChannelEvent::Refused(_)) => {}
                event => return Ok(event),
            }
        }
    }

    /// Waits for the next event of any kind, at most until then.
    ///
    /// # Errors
    /// When the system does not report the end of the job.
    pub fn next_before(&mut self, until: Instant) -> io::Result<JobEvent<M>> {
        loop {
            let is_over = |(_, at): (JobExit, Instant)| {
                self.members.iter().all(Option::is_none) || at.elapsed() > LAST_MESSAGES_MAX
            };
            if let Some((exit, _)) = self.exit.filter(|exit| is_over(*exit)) {
                return Ok(JobEvent::Ended(exit));
            }
            self.check()?;
            let left = until.saturating_duration_since(Instant::now());
            let is_checked =
                self.deadline.is_some() || self.exit.is_some() || self.disconnected_since.is_some();
            match self.events.recv_timeout(if is_checked { left.min(CHECK_INTERVAL) } else { left }) {
                Ok(Some(event)) => return Ok(JobEvent::Member(self.note(event))),
                Ok(None) => {
                    if let Some(job) = self.job.take() {
                        self.exit = Some((job.wait(MAX_JOB)?, Instant::now()));
                    }
                }
                Err(_) if Instant::now() >= until => return Ok(JobEvent::Idle),
                Err(_) => {}
            }
        }
    }

    /// Notes what an event shows of its member.
    fn note(&mut self, mut event: ChannelEvent<M>) -> ChannelEvent<M> {
        let signs = self.watch.as_mut().map(|watch| &mut watch.signs);
        match (&mut event, signs) {
            (ChannelEvent::Joined { member, host, stream, .. }, signs) => {
                self.members[*member] = stream.take();
                self.disconnected_since = None;
                signs.into_iter().for_each(|signs| signs.join(*member, host.clone()));
            }
            (ChannelEvent::Alive { member, is_asked_to_end }, Some(signs)) => {
                signs.add(*member, *is_asked_to_end);
            }
            (ChannelEvent::Message { member, .. }, signs) => {
                self.has_begun = true;
                signs.into_iter().for_each(|signs| signs.add(*member, false));
            }
            (ChannelEvent::Closed { member } | ChannelEvent::Unreadable { member, .. }, signs) => {
                self.members[*member] = None;
                self.disconnected_since = self.members.iter().all(Option::is_none).then(Instant::now);
                signs.into_iter().for_each(|signs| signs.close(*member));
            }
            // A stranger is no matter of the job.
            (ChannelEvent::Alive { .. }, None) | (ChannelEvent::Refused(_), _) => {}
        }
        event
    }

    /// Ends the job if it cannot end by itself, or not in time.
    fn check(&mut self) -> io::Result<()> {
        if self.job.is_none() {
            return Ok(());
        }
        let is_disconnected_too_long =
            self.disconnected_since.is_some_and(|since| since.elapsed() > LAUNCHER_END_MAX);
        if is_disconnected_too_long || self.is_late() { self.stop() } else { Ok(()) }
    }

    /// Whether the deadline is over, or a rank is stopped or lost. A job without a deadline may be stopped in a debugger.
    fn is_late(&mut self) -> bool {
        let Some(deadline) = self.deadline else { return false };
        let is_over = Instant::now() >= deadline;
        if !is_over && self.checked_at.elapsed() < CHECK_INTERVAL {
            return false;
        }
        self.checked_at = Instant::now();
        let is_stopped = self.stopped.as_mut().is_some_and(StoppedRanks::check);
        let has_begun = self.has_begun;
        let is_lost = self.watch.as_mut().is_some_and(|watch| watch.has_silent_rank(|| has_begun));
        is_over || is_stopped || is_lost
    }

    /// Ends the job.
    ///
    /// # Errors
    /// When the system does not report its end.
    pub fn stop(&mut self) -> io::Result<()> {
        if let Some(job) = self.job.take() {
            self.watch.iter_mut().for_each(|watch| watch.signs.end());
            self.exit = Some((job.wait(Duration::ZERO)?, Instant::now()));
        }
        Ok(())
    }

    /// The reason why the job ended without the results of all ranks; those of `reported` left one. `None` where that is not known.
    pub fn loss(&mut self, exit: &JobExit, reported: &BTreeSet<usize>) -> Option<JobLoss> {
        let stopped = self.stopped.as_ref().and_then(StoppedRanks::loss);
        stopped.or_else(|| self.watch.as_mut()?.loss(exit, &self.output, reported))
    }

    /// The folder of the job, when it has ended; `None` for a job that something else has started.
    pub fn into_folder(self) -> Option<RunFolder> {
        self.folder
    }
}

/// The channel for members on these hosts, or on this one if there are none.
fn open_channel(hosts: &[String]) -> io::Result<RunnerChannel> {
    match hosts.is_empty() {
        true => RunnerChannel::on_this_host(),
        false => RunnerChannel::between_hosts(hosts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunnerLink;

    #[test]
    fn a_launcher_that_runs_on_after_all_ranks_is_ended() {
        let folder = tempfile::tempdir().expect("a folder");
        let channel = RunnerChannel::on_this_host().expect("a channel");
        let address = channel.address().clone();
        let mut launcher = Command::new("sleep");
        launcher.arg("600");
        let output = folder.path().join(OUTPUT_FILE);
        let mut job = RunningJob::<()>::start_on_channel(channel, 2, Transfer::default(), launcher, output)
            .expect("sleep starts");
        let ranks = [0, 1].map(|rank| RunnerLink::connect(&address, rank).expect("it listens"));
        let mut next = |wait| job.next_event(wait).expect("its end is reported");
        for expected in 0..2 {
            let event = next(Duration::from_secs(10));
            assert!(matches!(event, JobEvent::Member(ChannelEvent::Joined { .. })), "{expected}: {event:?}");
        }
        ranks[0].close();
        assert!(matches!(
            next(Duration::from_secs(10)),
            JobEvent::Member(ChannelEvent::Closed { member: 0 })
        ));
        assert!(matches!(next(LAUNCHER_END_MAX * 3), JobEvent::Idle), "rank 1 runs");
        ranks[1].close();
        assert!(matches!(
            next(Duration::from_secs(10)),
            JobEvent::Member(ChannelEvent::Closed { member: 1 })
        ));
        let JobEvent::Ended(exit) = next(Duration::from_secs(60)) else { panic!("the launcher runs") };
        assert!(exit.has_timed_out, "{exit:?}");
    }
}
