//! A job that runs: its members, their messages, and the watch over them.
//!
//! The invariant: *a job ends, and everything that its members sent is seen before its end.* It is ended at its deadline, when a rank is
//! stopped, and when a rank on another host gives no sign any more.
use std::{
    collections::BTreeSet,
    io,
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

/// The longest job.
const MAX_JOB: Duration = Duration::from_secs(366 * 24 * 3600);

/// The events that wait at a time: a member that sends more waits.
const QUEUE: usize = 64;

/// An event of a running job.
#[derive(Debug)]
pub enum JobEvent<M> {
    /// A member has connected, from this host.
    Joined(usize, String),
    /// A message of a member.
    Message(usize, M),
    /// A member has ended, or is lost; it sends no more.
    Closed(usize),
    /// Nothing has happened for a moment.
    Idle,
    /// The job has ended. This is the last event.
    Ended(JobExit),
}

/// An event that waits to be handled.
#[derive(Debug)]
enum QueuedEvent<M> {
    Member(ChannelEvent<M>),
    /// The job has ended.
    Ended,
}

impl<M> From<ChannelEvent<M>> for QueuedEvent<M> {
    fn from(event: ChannelEvent<M>) -> Self {
        Self::Member(event)
    }
}

/// A running job. It ends when this is dropped.
#[derive(Debug)]
pub struct RunningJob<M> {
    job: Option<Job>,
    exit: Option<(JobExit, Instant)>,
    events: Receiver<QueuedEvent<M>>,
    members: Vec<Option<MemberStream>>,
    /// Whether a member has sent a message.
    has_begun: bool,
    watch: Option<JobWatch>,
    stopped: Option<StoppedRanks>,
    checked_at: Instant,
    deadline: Option<Instant>,
    folder: Option<RunFolder>,
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
        let output = folder.path().join(OUTPUT_FILE);
        let hosts = launch::host_names();
        let (mut running, sender) = Self::open(members, &hosts)?;
        running.channel.address().add_to(&mut program);
        let job = Job::spawn_to_files(launch(program)?, &output, &output)?;
        // The receiver may be gone.
        job.on_end(move || drop(sender.send(QueuedEvent::Ended)))?;
        running.watch = (!hosts.is_empty()).then(|| JobWatch::new(members));
        running.stopped = Some(StoppedRanks::new(&job));
        (running.job, running.folder) = (Some(job), Some(folder));
        Ok(running)
    }

    /// The channel for a job of members on these hosts, or on this one if there are none, that something else has started. It has no end.
    ///
    /// # Errors
    /// When no channel can be opened.
    pub fn of_launched(members: usize, hosts: &[String]) -> io::Result<Self> {
        Self::open(members, hosts).map(|(running, _)| running)
    }

    fn open(members: usize, hosts: &[String]) -> io::Result<(Self, SyncSender<QueuedEvent<M>>)> {
        let mut channel = match hosts.is_empty() {
            true => RunnerChannel::on_this_host()?,
            false => RunnerChannel::between_hosts(hosts)?,
        };
        let (sender, events) = mpsc::sync_channel(QUEUE);
        channel.accept::<M, _>(members, Transfer::default(), sender.clone())?;
        let running = Self {
            stopped: None,
            job: None,
            exit: None,
            events,
            members: (0..members).map(|_| None).collect(),
            has_begun: false,
            watch: None,
            checked_at: Instant::now(),
            deadline: None,
            folder: None,
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
        if let Some(stream) = &mut self.members[member] {
            let _gone = stream.send(message, None, None);
        }
    }

    /// Waits for the next event, at most for `wait`.
    ///
    /// # Errors
    /// When the system does not report the end of the job.
    pub fn next_event(&mut self, wait: Duration) -> io::Result<JobEvent<M>> {
        let until = Instant::now() + wait;
        loop {
            let is_over = |(_, at): (JobExit, Instant)| {
                self.members.iter().all(Option::is_none) || at.elapsed() > LAST_MESSAGES_MAX
            };
            if let Some((exit, _)) = self.exit.filter(|exit| is_over(*exit)) {
                return Ok(JobEvent::Ended(exit));
            }
            self.check()?;
            let left = until.saturating_duration_since(Instant::now()).min(CHECK_INTERVAL);
            match self.events.recv_timeout(left) {
                Ok(QueuedEvent::Member(event)) => {
                    if let Some(event) = self.handle(event) {
                        return Ok(event);
                    }
                }
                Ok(QueuedEvent::Ended) => {
                    if let Some(job) = self.job.take() {
                        self.exit = Some((job.wait(MAX_JOB)?, Instant::now()));
                    }
                }
                Err(_) if Instant::now() >= until => return Ok(JobEvent::Idle),
                Err(_) => {}
            }
        }
    }

    fn handle(&mut self, event: ChannelEvent<M>) -> Option<JobEvent<M>> {
        match event {
            ChannelEvent::Joined { member, host, stream, .. } => {
                self.members[member] = Some(stream);
                self.watch.iter_mut().for_each(|watch| watch.signs.join(member, host.clone()));
                Some(JobEvent::Joined(member, host))
            }
            ChannelEvent::Alive { member, is_asked_to_end } => {
                self.watch.iter_mut().for_each(|watch| watch.signs.add(member, is_asked_to_end));
                None
            }
            ChannelEvent::Message { member, message, .. } => {
                self.has_begun = true;
                self.watch.iter_mut().for_each(|watch| watch.signs.add(member, false));
                Some(JobEvent::Message(member, message))
            }
            ChannelEvent::Closed { member } | ChannelEvent::Unreadable { member, .. } => {
                self.members[member] = None;
                Some(JobEvent::Closed(member))
            }
            // A stranger is no matter of the job.
            ChannelEvent::Refused(_) => None,
        }
    }

    /// Ends the job if it cannot end by itself, or not in time.
    fn check(&mut self) -> io::Result<()> {
        // A job without a deadline may be stopped in a debugger.
        let Some(deadline) = self.deadline.filter(|_| self.job.is_some()) else { return Ok(()) };
        let is_late = Instant::now() >= deadline;
        if !is_late && self.checked_at.elapsed() < CHECK_INTERVAL {
            return Ok(());
        }
        self.checked_at = Instant::now();
        let has_begun = self.has_begun;
        let is_lost = |watch: &mut JobWatch| watch.has_silent_rank(|| has_begun);
        let is_stopped = self.stopped.as_mut().is_some_and(StoppedRanks::look);
        if is_late || is_stopped || self.watch.as_mut().is_some_and(is_lost) {
            self.stop()?;
        }
        Ok(())
    }

    /// Ends the job.
    ///
    /// # Errors
    /// When the system does not report its end.
    pub fn stop(&mut self) -> io::Result<()> {
        if let Some(job) = self.job.take() {
            self.exit = Some((job.wait(Duration::ZERO)?, Instant::now()));
        }
        Ok(())
    }

    /// Why the job ended without the results of all ranks; those of `reported` left one. `None` where that is not known.
    pub fn loss(&mut self, exit: &JobExit, reported: &BTreeSet<usize>) -> Option<JobLoss> {
        let stopped = self.stopped.as_ref().and_then(StoppedRanks::loss);
        let output = self.folder.as_ref()?.path().join(OUTPUT_FILE);
        stopped.or_else(|| self.watch.as_mut()?.loss(exit, &output, reported))
    }

    /// Its folder, when it has ended; `None` of a job that something else has started.
    pub fn into_folder(self) -> Option<RunFolder> {
        self.folder
    }
}
