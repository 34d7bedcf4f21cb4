//! The first process of namespaces of their own: started by a script that prints `ready`, ended by SIGKILL.
//!
//! The invariant: *when it has ended, every process of its pid namespace has ended.* The kernel kills them with the first process,
//! and the first process with its parent.
use std::{
    io::{self, BufRead, BufReader},
    os::fd::OwnedFd,
    process::{Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use wb_process::Job;

use super::{HostsError, namespaces::children};

/// How long a script may take to be ready.
const START_LIMIT: Duration = Duration::from_secs(30);

/// How long the end of all processes may take after the end of the first one.
const END_LIMIT: Duration = Duration::from_secs(10);

/// The first process of namespaces, and the job that it belongs to.
#[derive(Debug)]
pub(super) struct InitProcess {
    job: Option<Job>,
    started: Instant,
    handle: OwnedFd,
    /// The number of the process in this process's namespace.
    pub(super) pid: u32,
}

/// An [`InitProcess`] whose script is not ready yet.
pub(super) struct StartingInit {
    step: String,
    job: Job,
    started: Instant,
    lines: mpsc::Receiver<String>,
    depth: usize,
}

impl StartingInit {
    /// Starts `command`, whose leader is `depth` generations above the first process.
    pub(super) fn start(step: String, mut command: Command, depth: usize) -> Result<Self, HostsError> {
        let start = || {
            let (output, input) = io::pipe()?;
            command.stdout(input.try_clone()?).stderr(input);
            let job = Job::spawn(command)?;
            let (sender, lines) = mpsc::channel();
            let read = move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    // The receiver has gone when the script was ready.
                    let _unread = sender.send(line);
                }
            };
            thread::Builder::new().spawn(read)?;
            Ok((job, lines))
        };
        let started = Instant::now();
        let (job, lines) = start().map_err(HostsError::system(&step))?;
        Ok(Self { step, job, started, lines, depth })
    }

    /// Waits until the script is ready.
    pub(super) fn wait(self) -> Result<InitProcess, HostsError> {
        let mut output = String::new();
        loop {
            let left = START_LIMIT.saturating_sub(self.started.elapsed());
            match self.lines.recv_timeout(left) {
                Ok(line) if line == "ready" => break,
                Ok(line) => output += &(line + "\n"),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(HostsError::Failed { step: self.step, output });
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(HostsError::TimedOut { step: self.step, limit: START_LIMIT, output });
                }
            }
        }
        let only_child = |pid: u32| children(pid).first().copied();
        let leader = Some(self.job.id());
        let init = (0..self.depth).fold(leader, |pid, _| pid.and_then(only_child));
        let opened = init.and_then(|pid| {
            Some((pid, pidfd_open(Pid::from_raw(pid.cast_signed())?, PidfdFlags::empty()).ok()?))
        });
        let Some((pid, handle)) = opened else {
            return Err(HostsError::Failed { step: self.step, output: "it has ended".into() });
        };
        Ok(InitProcess { job: Some(self.job), started: self.started, handle, pid })
    }
}

impl InitProcess {
    /// Kills it, and waits until every process of its namespace has ended.
    pub(super) fn kill(&mut self) {
        let Some(job) = self.job.take() else { return };
        // It may have ended already, with the namespaces around it.
        let _ended = pidfd_send_signal(&self.handle, Signal::KILL);
        // The leader ends after it. Where it does not, the job is killed.
        let _status = job.wait(self.started.elapsed() + END_LIMIT);
    }

    /// Whether it was killed here.
    pub(super) fn is_killed(&self) -> bool {
        self.job.is_none()
    }
}

impl Drop for InitProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Runs a command to its end; its output.
///
/// # Errors
/// When it cannot be started, or fails.
pub(super) fn run(step: &str, mut command: Command) -> Result<String, HostsError> {
    let output = command.stdin(Stdio::null()).output().map_err(HostsError::system(step))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(printed),
        false => {
            let output = printed + &String::from_utf8_lossy(&output.stderr);
            Err(HostsError::Failed { step: step.into(), output })
        }
    }
}
