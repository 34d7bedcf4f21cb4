//! A PE of such a job: starts MPI, starts OpenSHMEM beside it, runs the checks, writes its result, and ends immediately.
use std::{fs, panic, path::Path, process::ExitCode, rc::Rc};

use wb_comm::{ProcessRanks, Transport};
use wb_process::{die_with_parent, exit_now, launcher_rank};
use wb_shmem::oshmem::ShmemLibrary;

use crate::checks;

/// Keep every check.
pub(crate) const CHECK: &str = "check";
/// Use a barrier that does not wait.
pub(crate) const BREAK: &str = "break";
/// Only try to start the library, without MPI.
pub(crate) const START: &str = "start";

pub(crate) fn main(folder: &Path, role: &str) -> ExitCode {
    die_with_parent().expect("the kernel takes it");
    if role == START {
        let number = launcher_rank().map_or(0, |launched| launched.rank);
        fs::write(folder.join(number.to_string()), crate::start_message()).expect("written");
        return ExitCode::SUCCESS;
    }
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        hook(panic);
        // Neither library has a farewell that does without this PE.
        exit_now(101);
    }));
    let job = wb_mpi::MPI.init().expect("MPI starts");
    {
        let world = job.open_communicator(job.size()).expect("open").expect("all ranks take part");
        let shmem = ShmemLibrary::shared().expect("it starts beside MPI");
        assert_eq!((shmem.pe(), shmem.size()), (job.rank(), job.size()), "PE numbers are ranks");
        let kept = run_checks(shmem, &world, role == BREAK);
        fs::write(folder.join(job.rank().to_string()), kept.join("\n")).expect("written");
        // A PE that ends ends the job, so every PE has written before.
        shmem.barrier_all();
    }
    job.free_communicators().expect("close");
    wb_mpi::MPI.finalize();
    exit_now(0)
}

fn run_checks(shmem: &'static ShmemLibrary, world: &Rc<dyn Transport>, broken: bool) -> Vec<&'static str> {
    if broken {
        checks::a_barrier_that_does_not_wait(shmem);
    }
    let run = |&(name, check): &checks::Check| {
        check(shmem, world);
        shmem.barrier_all();
        name
    };
    checks::ALL.iter().map(run).collect()
}
