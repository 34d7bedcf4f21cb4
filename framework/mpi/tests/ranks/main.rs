//! The backend on real ranks: this program starts itself under the linked library's own launcher at several sizes.
//!
//! Without [`launch::FOLDER`] in the environment it is the parent, which requires exit code 0 and one result file per
//! rank, within a deadline. With it, it is a rank, which runs every check of [`CHECKS`] on a communicator of its own.
mod allocations;
mod collectives;
mod errors;
mod launch;
mod leftovers;
mod point_to_point;
mod sample;
mod shared_memory;
mod shmem;
mod splitting;
mod windows;

use std::{env, panic, process, rc::Rc, time::Duration};

use wb_comm::{JobHandle, ProcessRanks, Transport};
use wb_mpi::MPI;

/// One check on a new communicator; it must leave no message unless it receives the leftovers itself.
type Check = fn(&dyn JobHandle, &dyn Transport);

const CHECKS: &[(&str, Check)] = &[
    ("every layout travels in a ring", point_to_point::every_layout_in_a_ring),
    ("rounds of several operations", point_to_point::rounds_of_several),
    ("channels never mix", point_to_point::channels_never_mix),
    ("probes", point_to_point::probes),
    ("posted operations", point_to_point::posted),
    ("a posted synchronous send", point_to_point::posted_synchronously),
    ("clocks agree", point_to_point::clocks),
    ("calls are visible", point_to_point::calls_are_visible),
    ("a half of a half", |_, world| splitting::a_half_of_a_half(world)),
    ("communicators in turn", |_, world| splitting::many_in_turn(world)),
    ("rooted collectives", collectives::rooted),
    ("collectives to all", collectives::all_to_all_family),
    ("allocations", |_, world| allocations::of_verbs(world)),
    ("windows: fences", |_, world| windows::fences(world)),
    ("windows: every layout", |_, world| windows::every_layout(world)),
    ("windows: reductions", |_, world| windows::reductions(world)),
    ("windows: general active target", |_, world| windows::general_active_target(world)),
    ("windows: exclusive locks", |_, world| windows::exclusive_locks(world)),
    ("windows: atomics", |_, world| windows::atomics(world)),
    ("windows: words and waits", |_, world| windows::words(world)),
    ("windows: shared memory", |_, world| windows::shared_memory(world)),
    ("collectives in shared memory", |_, world| shared_memory::results(world)),
    ("progress of a wait in shared memory", |_, world| shared_memory::progress(world)),
    ("a wait in shared memory is shown", |_, world| shared_memory::wait_is_shown(world)),
    ("windows: much", |_, world| windows::many_operations(world)),
    ("windows: bad arguments", |_, world| windows::bad_arguments(world)),
    ("windows: several", |_, world| windows::several(world)),
    ("windows: left open", leftovers::windows),
    ("nodes", |_, world| leftovers::nodes(world)),
    ("symmetric access", |_, world| shmem::access(world)),
    ("teams", |_, world| shmem::teams(world)),
    ("cores of processes", |_, world| shmem::cores(world)),
    ("bad arguments", errors::bad_arguments),
    ("truncation", errors::truncation),
    ("leftovers", leftovers::on_every_communicator),
    ("leftovers on dropped communicators", leftovers::on_dropped_communicators),
    ("abandoned requests", leftovers::abandoned_requests),
    ("one rank alone in a collective", collectives::what_one_rank_called_alone_reaches_no_later_case),
];

fn main() {
    match env::var_os(launch::FOLDER) {
        Some(folder) => run_rank(folder.as_ref()),
        None => launch::run_all_jobs(),
    }
}

fn run_rank(folder: &std::path::Path) {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        hook(panic);
        // A lost rank must not wait for the others in MPI_Finalize, nor the others for it.
        MPI.skip_finalize();
        process::exit(101);
    }));
    launch::die_at_the_deadline();
    let job = MPI.init().expect("the job's seat");
    assert_eq!(Some(job.size()), launch::job_size(), "ranks in the job as the parent announced");
    assert!(MPI.init().is_err(), "there is one seat in a process");
    for (name, check) in CHECKS {
        launch::record_step(folder, job.rank(), name);
        with_fresh_communicator(&*job, job.size(), name, *check);
    }
    for size in 1..=job.size() {
        with_fresh_communicator(&*job, size, "part of the job", point_to_point::every_layout_in_a_ring);
    }
    drop(job);
    // After a job handle was dropped with nothing open, another one can be made.
    let job = MPI.init().expect("the seat is free again");
    launch::record_success(folder, job.rank());
}

fn with_fresh_communicator(job: &dyn JobHandle, size: usize, name: &str, check: Check) {
    let world: Option<Rc<dyn Transport>> = job.open_communicator(size).expect("a communicator");
    assert_eq!(world.is_some(), job.rank() < size);
    if let Some(world) = world {
        assert_eq!((world.rank(), world.size(), world.backend()), (job.rank(), size, "mpi"));
        check(job, &*world);
        let left = job.find_leaks(Duration::ZERO).expect("swept");
        assert!(left.is_empty(), "{name} left messages: {left:?}");
    }
    job.free_communicators().expect("closed");
}
