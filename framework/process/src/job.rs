//! A command in a process group of its own, with a hard deadline.

use std::{
    fs::File,
    io,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal};

use crate::{
    children,
    group::{self, TERMINATION_GRACE},
};

/// A running command together with everything it started that stayed in its process group.
///
/// It ends at the latest when it is dropped, when its deadline passes, when this process gets Ctrl-C or SIGTERM, and
/// when this process is killed (its leader then gets SIGTERM from the kernel).
#[derive(Debug)]
pub struct Job {
    child: Child,
    leader: Pid,
    started: Instant,
    reaped: bool,
}

/// The end of a job.
#[derive(Clone, Copy, Debug)]
pub struct JobExit {
    /// The exit status of the command.
    pub status: ExitStatus,
    /// Whether it was ended at its deadline.
    pub has_timed_out: bool,
    /// Time from the start to the end of the command.
    pub elapsed: Duration,
}

impl JobExit {
    /// Whether the command ended by itself and with code 0.
    pub fn is_success(&self) -> bool {
        !self.has_timed_out && self.status.success()
    }
}

impl Job {
    /// Starts `command` in its own process group. Standard output and error go where `command` directs them; there is no
    /// standard input, since a background group that reads from a terminal is stopped.
    ///
    /// # Errors
    /// When the command cannot be started.
    pub fn spawn(mut command: Command) -> io::Result<Self> {
        group::handle_signals()?;
        command.stdin(Stdio::null()).process_group(0);
        crate::parent::set_terminate_with_parent(&mut command);
        crate::owner::set_owner(&mut command);
        let started = Instant::now();
        let child = crate::spawner::spawn(command)?;
        Ok(Self { leader: Pid::from_child(&child), child, started, reaped: false })
    }

    /// [`Job::spawn`] with standard output and error in two new files, or in one when the paths are the same.
    ///
    /// # Errors
    /// When a file cannot be created or the command cannot be started.
    pub fn spawn_to_files(mut command: Command, stdout: &Path, stderr: &Path) -> io::Result<Self> {
        let out = File::create(stdout)?;
        let err = if stdout == stderr { out.try_clone()? } else { File::create(stderr)? };
        command.stdout(out).stderr(err);
        Self::spawn(command)
    }

    /// The process identifier of the command, which is also its group's.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The reading end of the command's standard output, once, if it was started with a pipe there.
    pub fn stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// The reading end of the command's standard error, once, if it was started with a pipe there.
    pub fn stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// Waits for the command's end, at most until `limit` after its start: then the whole group gets SIGTERM and, after
    /// [`TERMINATION_GRACE`], SIGKILL. When the command has ended by itself, what it left behind in its group is killed too.
    ///
    /// The waiting costs no processor time: it must not disturb what the job measures.
    ///
    /// # Errors
    /// When the system refuses to report the exit status of the command, or to start a thread.
    pub fn wait(self, limit: Duration) -> io::Result<JobExit> {
        let left = limit.saturating_sub(self.started.elapsed());
        self.wait_until(|end| end.recv_timeout(left).ok())
    }

    /// Calls `announce` on a thread of its own when the command has ended. It is not waited for by that.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn on_end(&self, announce: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let leader = self.leader;
        let wait = move || {
            group::wait_for_end(leader);
            announce();
        };
        std::thread::Builder::new().name("wb-end".into()).spawn(wait).map(drop)
    }

    /// Ends the job when `wait_limit` returns `None`.
    fn wait_until(
        mut self,
        wait_limit: impl FnOnce(&Receiver<Instant>) -> Option<Instant>,
    ) -> io::Result<JobExit> {
        let leader = self.leader;
        let (announce, end) = mpsc::channel();
        std::thread::Builder::new().name("wb-wait".into()).spawn(move || {
            group::wait_for_end(leader);
            // The receiver may be gone: the waiting below has its own deadline.
            let _late = announce.send(Instant::now());
        })?;
        let ended_by_itself = wait_limit(&end);
        let mut below = vec![];
        if ended_by_itself.is_none() {
            // A launcher's `ssh` is in a group of its own, and stays when the launcher is killed before it has ended it.
            below = children::below(leader);
            group::send_signal(leader, Signal::TERM);
            // A process that is stopped ends only when it continues.
            group::send_signal(leader, Signal::CONT);
            let _in_grace = end.recv_timeout(TERMINATION_GRACE);
        }
        let status = self.reap()?;
        below.iter().for_each(children::kill);
        let elapsed = ended_by_itself.unwrap_or_else(Instant::now).duration_since(self.started);
        Ok(JobExit { status, has_timed_out: ended_by_itself.is_none(), elapsed })
    }

    /// Kills the rest of the group, reaps the leader, and removes the group from the list.
    fn reap(&mut self) -> io::Result<ExitStatus> {
        // Killed, reaped and removed under one guard: the signal thread never sees a number that is no longer ours, and
        // a group that it has asked to end is not killed before its grace period is over.
        let mut running = group::running();
        // The leader is alive or a zombie, so its number still names our group only.
        group::send_signal(self.leader, Signal::KILL);
        group::wait_for_end(self.leader);
        running.retain(|&leader| leader != self.leader);
        self.reaped = true;
        self.child.wait()
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if !self.reaped {
            let _status_nobody_wants = self.reap();
        }
    }
}
