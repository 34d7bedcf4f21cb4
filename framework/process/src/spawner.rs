//! The one thread that starts our jobs.
//!
//! Linux ties a parent-death signal to the *thread* that forked, not to its process: a job started by a test's thread
//! would be terminated when that test returns, even if another thread owns the job. So all jobs are started by a thread
//! that lives as long as the process.

use std::{
    io,
    process::{Child, Command},
    sync::{OnceLock, mpsc},
};

use rustix::process::Pid;

/// A command to start, and the channel for the result.
type SpawnRequest = (Command, mpsc::Sender<io::Result<Child>>);

/// Starts `command` on the spawning thread and enters its group among the running ones.
pub(crate) fn spawn(command: Command) -> io::Result<Child> {
    let (reply, answer) = mpsc::channel();
    let gone = |_| io::Error::other("the thread that starts jobs is gone");
    spawn_requests()?
        .send((command, reply))
        .map_err(|_| io::Error::other("the thread that starts jobs is gone"))?;
    answer.recv().map_err(gone)?
}

/// The spawning thread's queue; the thread is started with the first request.
fn spawn_requests() -> io::Result<mpsc::Sender<SpawnRequest>> {
    static SPAWN_REQUESTS: OnceLock<Result<mpsc::Sender<SpawnRequest>, io::ErrorKind>> = OnceLock::new();
    let start = || {
        let (sender, inbox) = mpsc::channel::<SpawnRequest>();
        let serve = move || inbox.into_iter().for_each(start_job);
        let thread = std::thread::Builder::new().name("wb-spawner".into()).spawn(serve);
        thread.map(|_| sender).map_err(|error| error.kind())
    };
    SPAWN_REQUESTS.get_or_init(start).clone().map_err(io::Error::from)
}

fn start_job((mut command, reply): SpawnRequest) {
    let mut running = crate::group::running();
    let child = command.spawn();
    if let Ok(child) = &child {
        running.push(Pid::from_child(child));
    }
    drop(running);
    // The requesting thread waits for the answer, so the channel is open.
    let _delivered = reply.send(child);
}
