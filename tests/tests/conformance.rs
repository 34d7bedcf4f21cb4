//! Every verb keeps its laws on every backend: threads, virtual time, MPI's own collectives, and our algorithms over MPI's messages.
//! The laws are the same functions, so the backends are held against each other. Threads and virtual time, which run our algorithms,
//! do so at every P from 1 to 17; MPI at the P that differ for an algorithm: one, two, odd, powers of two and their neighbours.
use std::{rc::Rc, sync::Arc, time::Duration};

use wb_comm::{ThreadRanks, Transport, job::RankTermination};
use wb_local::{sim::Simulator, threads::LocalThreads};
use wb_tests::{
    broken_files::{BrokenFiles, FileFault},
    laws::{self, Law},
    rotated_contributions::RotatedContributions,
    test_machine::simulator,
};
use wb_world::World;

const MAX_RANKS: usize = 17;

/// Longer than all laws take at one P, also on busy cores.
const LIMIT: Duration = Duration::from_secs(120);

/// Runs every law on a communicator of its own, so that no message of one law can meet the next.
fn run_laws(world: &World, laws: &[Law]) -> Vec<&'static str> {
    let run = |&(name, law): &Law| {
        law(&world.dup().expect("dup"));
        name
    };
    laws.iter().map(run).collect()
}

/// Runs the laws on threads; what went wrong, on every rank that it went wrong on.
fn on_threads(size: usize, laws: Vec<Law>) -> Result<(), String> {
    on(&LocalThreads::default(), size, laws)
}

/// Runs the laws on ranks of one process; what went wrong, on every rank that it went wrong on.
fn on(backend: &dyn ThreadRanks, size: usize, laws: Vec<Law>) -> Result<(), String> {
    on_decorated(backend, size, laws, |transport| transport)
}

/// The same, over transports that `decorate` makes.
fn on_decorated(
    backend: &dyn ThreadRanks,
    size: usize,
    laws: Vec<Law>,
    decorate: fn(Rc<dyn Transport>) -> Rc<dyn Transport>,
) -> Result<(), String> {
    let job = Arc::new(move |transport: Rc<dyn Transport>| -> Box<dyn std::any::Any + Send> {
        Box::new(run_laws(&World::new(decorate(transport)), &laws).len())
    });
    let outcome = backend.run(size, Some(LIMIT), job);
    let message = |(rank, ended): (usize, RankTermination)| match ended {
        RankTermination::Returned(_) => None,
        RankTermination::Panicked(text) => Some(format!("P = {size}, rank {rank}: {text}")),
        RankTermination::Unfinished | RankTermination::Starved(_) => {
            Some(format!("P = {size}, rank {rank} is lost"))
        }
    };
    let mut wrong: Vec<_> = outcome.ranks.into_iter().enumerate().filter_map(message).collect();
    wrong.extend(outcome.findings.iter().map(|finding| format!("P = {size}: {finding}")));
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

#[test]
fn threads_keep_the_laws() {
    for size in 1..=MAX_RANKS {
        on_threads(size, laws::all()).unwrap();
    }
}

/// Most payloads ask first, or at some sizes none do.
#[test]
fn virtual_time_keeps_the_laws() {
    for size in 1..=MAX_RANKS {
        on(&simulator(64), size, laws::all()).unwrap();
    }
    for size in [2, 5, 8] {
        on(&simulator(65536), size, laws::all()).unwrap();
    }
}

#[test]
fn canary_a_broken_law_is_reported() {
    let broken: Law =
        ("the last rank is right", |world| assert_ne!(world.rank() + 1, world.size(), "it is not"));
    let message = on_threads(3, vec![broken]).expect_err("the law is broken on rank 2");
    assert!(message.contains("P = 3, rank 2: assertion") && message.contains("it is not"), "{message}");
}

#[test]
fn canary_every_law_of_data_notices_elements_in_another_order() {
    for law in laws::data() {
        let decorate = |transport| Rc::new(RotatedContributions(transport)) as Rc<dyn Transport>;
        let outcome = on_decorated(&wb_local::threads::LocalThreads::default(), 4, vec![law], decorate);
        assert!(outcome.is_err_and(|message| message.contains("assertion")), "{}", law.0);
    }
}

#[test]
fn canary_a_message_that_is_not_received_is_reported() {
    let untidy: Law = ("untidy", |world| world.send(&[1u8], 0, 3).expect("send"));
    let message = on_threads(1, vec![untidy]).expect_err("a message is left");
    assert!(message.contains("WB0010") && message.contains("tag 3"), "{message}");
}

/// The laws of files that are broken where files have a fault.
fn broken_laws(fault: FileFault) -> Vec<&'static str> {
    let threads = LocalThreads { files_in_memory: true, ..LocalThreads::DEFAULT };
    let is_broken = |(_, law): &&Law| {
        let law = *law;
        let job = Arc::new(move |inner: Rc<dyn Transport>| -> Box<dyn std::any::Any + Send> {
            law(&World::new(Rc::new(BrokenFiles { inner, fault })));
            Box::new(())
        });
        let ended = threads.run(4, Some(LIMIT), job).ranks;
        ended.iter().any(|ended| !matches!(ended, RankTermination::Returned(_)))
    };
    laws::of_files().iter().filter(is_broken).map(|(name, _)| *name).collect()
}

#[test]
fn canary_every_fault_of_files_breaks_a_law_and_every_law_of_files_is_broken() {
    let found: Vec<_> = FileFault::ALL.iter().map(|fault| (*fault, broken_laws(*fault))).collect();
    let blind: Vec<_> = found.iter().filter(|(_, laws)| laws.is_empty()).map(|(fault, _)| fault).collect();
    assert!(blind.is_empty(), "no law finds {blind:?}");
    let is_kept = |(name, _): &&Law| !found.iter().any(|(_, laws)| laws.contains(name));
    let kept: Vec<_> = laws::of_files().iter().filter(is_kept).map(|(name, _)| *name).collect();
    assert!(kept.is_empty(), "no fault breaks {kept:?}");
}

/// Their accesses are ordered by sync, barrier and sync.
#[test]
fn the_laws_of_files_have_no_races() {
    for size in 1..=5 {
        on(&LocalThreads::WITH_RACE_DETECTION, size, laws::of_files().to_vec()).unwrap();
        let watched = Simulator { detect_races: true, files_in_memory: true, ..simulator(4096) };
        on(&watched, size, laws::of_files().to_vec()).unwrap();
    }
}

#[cfg(feature = "mpi")]
mod mpi {
    use std::{fs, path::Path, rc::Rc, time::Duration};

    use wb_comm::ProcessRanks;
    use wb_tests::{job, laws, without_library::WithoutLibrary};
    use wb_world::World;

    use super::run_laws;

    const FOLDER: &str = "WBTEST_CONFORMANCE_FOLDER";
    const JOB_LIMIT: Duration = Duration::from_secs(600);

    /// Run by the test binary of cargo it starts a job at every P; run by a launcher it is a rank of such a job.
    #[test]
    fn mpi_keeps_the_laws() {
        match std::env::var_os(FOLDER) {
            Some(folder) => run_rank(Path::new(&folder)),
            None => sizes().into_iter().for_each(start_job),
        }
    }

    /// One, two, odd numbers, powers of two and a neighbour of one.
    const SIZES: [usize; 6] = [1, 2, 3, 4, 5, 8];

    /// Where waiting ranks give way to each other, all of [`SIZES`]. MPICH's spin: sharing cores, each message costs a time slice;
    /// there the larger P are tried when asked for (`WBTEST_ALL_RANKS=1`).
    fn sizes() -> Vec<usize> {
        let spins = wb_mpi::MPI.library().implementation == "MPICH" && wb_process::usable_cores() < 8;
        let few = spins && std::env::var_os("WBTEST_ALL_RANKS").is_none();
        if few {
            eprintln!(
                "MPICH's ranks spin on shared cores: P = 1..=5 only; WBTEST_ALL_RANKS=1 tries all of {SIZES:?}"
            );
        }
        SIZES.into_iter().filter(|size| !few || *size <= 5).collect()
    }

    fn run_rank(folder: &Path) {
        let job_handle = wb_mpi::MPI.init().expect("MPI starts");
        let transport =
            job_handle.open_communicator(job_handle.size()).expect("open").expect("all ranks take part");
        let mut kept = run_laws(&World::new(Rc::clone(&transport)), &laws::all());
        kept.extend(run_laws(&World::new(Rc::new(WithoutLibrary(transport))), &laws::blocking()));
        let leftovers = job_handle.find_leaks(Duration::ZERO).expect("sweep");
        assert!(leftovers.is_empty(), "left over: {leftovers:?}");
        job_handle.free_communicators().expect("close");
        fs::write(folder.join(job_handle.rank().to_string()), kept.join("\n"))
            .expect("the folder can be written");
    }

    fn start_job(size: usize) {
        let left = job::run(size, "conformance::mpi::mpi_keeps_the_laws", FOLDER, JOB_LIMIT);
        for (rank, kept) in left.by_rank.iter().enumerate() {
            let expected = laws::all().len() + laws::blocking().len();
            assert_eq!(
                kept.lines().count(),
                expected,
                "P = {size}, rank {rank} did not keep every law\n{}",
                left.output
            );
        }
    }
}
