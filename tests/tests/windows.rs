//! Windows keep their rules on every backend, and the figures of the MPI-2 standard do what they promise and no more.
//!
//! The cases are those of `wb_tests::epochs`; the figures are the examples of `workbench`, the very files. On threads the
//! figures also run on windows that are as relaxed as MPI allows.
use std::{rc::Rc, sync::Arc};

use wb_comm::{Code, ThreadRanks, Transport, job::RankTermination};
use wb_local::threads::LocalThreads;
use wb_tests::{
    epochs,
    laws::Law,
    relaxed_rma::{CompletionPolicy, RelaxedTransport},
    test_machine::simulator,
};
use wb_world::{LockKind, Operation, World};

#[allow(dead_code, unreachable_pub, reason = "an example has a main")]
#[path = "../../framework/workbench/examples/rma_board.rs"]
mod rma_board;
#[allow(dead_code, unreachable_pub, reason = "an example has a main")]
#[path = "../../framework/workbench/examples/rma_strong.rs"]
mod rma_strong;
#[allow(dead_code, unreachable_pub, reason = "an example has a main")]
#[path = "../../framework/workbench/examples/rma_weak.rs"]
mod rma_weak;

const FIGURES: &[Law] =
    &[("figure 6.1, strong", strong), ("figure 6.2, weak", weak), ("figure 6.3, board", board)];

/// Every call returned after its partner had come, and what was put is there.
fn strong(world: &World) {
    if world.size() < 2 {
        return;
    }
    let events = rma_strong::strong(world).expect("the figure is legal");
    assert_eq!(events.found, 61);
    assert!(events.post_called <= events.start_returned, "{events:?}");
    assert!(events.complete_called <= events.wait_returned, "{events:?}");
    assert!(events.wait_returned <= events.origin_goes_on, "{events:?}");
}

/// What was put is there; whether the library buffered is not asserted.
fn weak(world: &World) {
    if world.size() >= 2 {
        assert_eq!(rma_weak::weak(world).expect("the figure is legal").found, [6, 2]);
    }
}

/// Every notice is there, once and whole, and a rank's own are in its order; nothing is asserted of the others'.
fn board(world: &World) {
    const EACH: i64 = 6;
    let pinned = rma_board::board(world, EACH).expect("the figure is legal");
    if world.rank() != rma_board::OWNER {
        return assert!(pinned.is_empty());
    }
    assert!(pinned.iter().all(|[who, number, sum]| who + number == *sum), "a torn notice in {pinned:?}");
    for who in 0..world.size() as i64 {
        let values: Vec<_> =
            pinned.iter().filter(|notice| notice[0] == who).map(|notice| notice[1]).collect();
        assert_eq!(values, (0..EACH).collect::<Vec<_>>(), "rank {who} in {pinned:?}");
    }
}

/// Runs every law on a communicator of its own.
#[cfg(feature = "mpi")]
fn run_laws(world: &World, laws: &[Law]) -> usize {
    for (_, law) in laws {
        law(&world.dup().expect("dup"));
    }
    laws.len()
}

/// Runs a law on threads; what went wrong, on every rank that it went wrong on.
fn on_threads(size: usize, laxity: Option<CompletionPolicy>, law: Law) -> Result<(), String> {
    on(&LocalThreads::default(), size, laxity, law)
}

/// Runs a law on ranks of one process; what went wrong, on every rank that it went wrong on.
fn on(
    backend: &dyn ThreadRanks,
    size: usize,
    laxity: Option<CompletionPolicy>,
    (name, law): (&str, impl Fn(&World) + Send + Sync + 'static),
) -> Result<(), String> {
    let job = Arc::new(move |transport: Rc<dyn Transport>| -> Box<dyn std::any::Any + Send> {
        let transport = match laxity {
            Some(laxity) => Rc::new(RelaxedTransport::new(transport, laxity)),
            None => transport,
        };
        law(&World::new(transport));
        Box::new(())
    });
    let outcome = backend.run(size, Some(std::time::Duration::from_secs(60)), job);
    let message = |(rank, ended): (usize, RankTermination)| match ended {
        RankTermination::Returned(_) => None,
        RankTermination::Panicked(text) => {
            Some(format!("{name}, P = {size}, {laxity:?}, rank {rank}: {text}"))
        }
        RankTermination::Unfinished | RankTermination::Starved(_) => {
            Some(format!("{name}, P = {size}, {laxity:?}, rank {rank} is lost"))
        }
    };
    let races = outcome.findings.iter().filter(|finding| finding.code == Code::WindowRace);
    let races: Vec<_> = races.map(|race| format!("{name}, P = {size}: {race}")).collect();
    let wrong: Vec<_> = outcome.ranks.into_iter().enumerate().filter_map(message).chain(races).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Ordered accesses are not a race, whatever orders them.
#[test]
fn figures_race_for_nothing() {
    let watched = wb_local::sim::Simulator { detect_races: true, ..simulator(4096) };
    for law in FIGURES {
        for size in 1..=5 {
            for backend in [&LocalThreads::WITH_RACE_DETECTION as &dyn ThreadRanks, &watched] {
                on(backend, size, None, *law).unwrap();
            }
        }
    }
}

/// The rules are the same where accesses are held against each other, and what keeps them races for nothing.
#[test]
fn laws_race_for_nothing() {
    let watched = wb_local::sim::Simulator { detect_races: true, ..simulator(4096) };
    for law in epochs::everywhere() {
        for size in 1..=5 {
            for backend in [&LocalThreads::WITH_RACE_DETECTION as &dyn ThreadRanks, &watched] {
                on(backend, size, None, law).unwrap();
            }
        }
    }
}

/// Rank 0 puts into the part of the last rank, which reads it: whether `order` orders the two is what it is about.
fn put_and_read(world: &World, order: &str) -> wb_world::Result<()> {
    let (window, last) = (world.window::<i64>(1)?, world.size() - 1);
    let put = || match world.rank() {
        0 => window.lock(LockKind::Shared, last).and_then(|lock| lock.put(&[1], 0).and(lock.unlock())),
        _ => Ok(()),
    };
    let read = || if world.rank() == last { window.read_all().map(drop) } else { Ok(()) };
    let mut others = 1..world.size();
    match (order, world.rank()) {
        ("ibarrier", _) => put().and(world.ibarrier()?.wait()).and(read())?,
        ("iallreduce", _) => {
            put()?;
            world.iallreduce(vec![1], Operation::Sum)?.wait().and(read())?;
        }
        ("mprobe", 0) => put().and_then(|()| others.try_for_each(|to| world.send(&[1], to, 0)))?,
        ("mprobe", _) => {
            let message = world.mprobe(0, 0)?;
            read().and(message.recv(&mut [0]))?;
        }
        ("ssend" | "send", 0) => {
            put()?;
            others.try_for_each(|from| world.recv(&mut [0], from, 0).map(drop))?;
        }
        ("ssend", _) => world.ssend(&[1], 0, 0).and(read())?,
        ("send", _) => world.send(&[1], 0, 0).and(read())?,
        (started, _) => {
            let (barrier, is_early) = (world.ibarrier()?, started == "read before the wait");
            let first = if is_early { put().and(read()) } else { put() };
            first.and(barrier.wait()).and(if is_early { Ok(()) } else { read() })?;
        }
    }
    window.free()
}

#[test]
fn what_orders_ranks_orders_their_accesses_and_nothing_else_does() {
    let ordered = ["ibarrier", "iallreduce", "mprobe", "ssend"].map(|order| (order, false));
    let unordered = ["send", "read before the wait", "put after the start"].map(|order| (order, true));
    for (order, has_race) in ordered.into_iter().chain(unordered) {
        let law = move |world: &World| put_and_read(world, order).expect("it is legal");
        for eager_limit in [0, 4096] {
            let watched = wb_local::sim::Simulator { detect_races: true, ..simulator(eager_limit) };
            let threads = LocalThreads { eager_limit, ..LocalThreads::WITH_RACE_DETECTION };
            for backend in [&threads as &dyn ThreadRanks, &watched] {
                // The last of four ranks knows of rank 0 also through another one.
                let ended = on(backend, 4, None, (order, law));
                let found = ended.as_ref().err().map(|message| message.contains("WB0022"));
                assert_eq!(found, has_race.then_some(true), "{order}, eager limit {eager_limit}: {ended:?}");
            }
        }
    }
}

#[test]
fn threads_keep_the_rules() {
    for law in epochs::everywhere() {
        (1..=5).for_each(|size| on_threads(size, None, law).unwrap());
    }
    for law in epochs::in_one_process() {
        (2..=4).for_each(|size| on_threads(size, None, law).unwrap());
    }
}

#[test]
fn virtual_time_keeps_the_rules() {
    let simulator = simulator(4096);
    for law in epochs::everywhere() {
        (1..=5).for_each(|size| on(&simulator, size, None, law).unwrap());
    }
    for law in epochs::in_one_process() {
        (2..=4).for_each(|size| on(&simulator, size, None, law).unwrap());
    }
    for law in FIGURES {
        (1..=5).for_each(|size| on(&simulator, size, None, *law).unwrap());
    }
}

#[test]
fn lax_windows_keep_the_rules_too() {
    for laxity in [CompletionPolicy::AtComplete, CompletionPolicy::AfterComplete, CompletionPolicy::AtFlush] {
        for law in epochs::everywhere() {
            (1..=4).for_each(|size| on_threads(size, Some(laxity), law).unwrap());
        }
    }
}

#[test]
fn figures_are_right_whatever_the_library_does() {
    for laxity in [
        None,
        Some(CompletionPolicy::AtComplete),
        Some(CompletionPolicy::AfterComplete),
        Some(CompletionPolicy::AtFlush),
    ] {
        for law in FIGURES {
            (1..=5).for_each(|size| on_threads(size, laxity, *law).unwrap());
        }
    }
}

/// The three ways do differ: else the test above would run one thing three times.
#[test]
fn canary_strict_windows_wait_and_lax_ones_buffer() {
    const BUFFERS: Law = ("buffers", |world| assert!(rma_weak::weak(world).expect("legal").is_buffered));
    const WAITS: Law = ("waits", |world| assert!(!rma_weak::weak(world).expect("legal").is_buffered));
    on_threads(2, None, WAITS).unwrap();
    on_threads(2, Some(CompletionPolicy::AtComplete), WAITS).unwrap();
    on_threads(2, Some(CompletionPolicy::AfterComplete), BUFFERS).unwrap();
}

/// A program that looks before wait is right by luck on strict windows, and found out by the rules on all.
#[test]
fn canary_a_look_before_wait_is_refused() {
    const HASTY: Law = ("hasty", |world| {
        let window = world.window::<i64>(1).expect("window");
        if world.rank() == 0 {
            let access = window.start(&[1]).expect("start");
            access.put(&[5], 1, 0).expect("put");
            access.complete().expect("complete");
        } else {
            let exposure = window.post(&[0]).expect("post");
            window.read_all().expect("no rank knows yet");
            exposure.wait().unwrap_or_else(|refused| panic!("{refused}"));
        }
    });
    let message = on_threads(2, None, HASTY).expect_err("a load and a put of one element");
    assert!(
        message.contains("rule 8") && message.contains("put at ") && message.contains("read at "),
        "{message}"
    );
}

#[cfg(feature = "mpi")]
mod mpi {
    use std::{fs, path::Path, time::Duration};

    use wb_comm::ProcessRanks;
    use wb_tests::{epochs, job};
    use wb_world::World;

    use super::{FIGURES, run_laws};

    const FOLDER: &str = "WBTEST_WINDOWS_FOLDER";
    const LIMIT: Duration = Duration::from_secs(1200);

    /// Run by the test binary of cargo it starts a job at each P; run by a launcher it is a rank of such a job.
    #[test]
    fn mpi_keeps_the_rules() {
        match std::env::var_os(FOLDER) {
            Some(folder) => run_rank(Path::new(&folder)),
            None => sizes().iter().copied().for_each(start_job),
        }
    }

    /// MPICH's ranks spin: sharing cores, each synchronisation costs a time slice; there P = 5 is tried when asked for
    /// (`WBTEST_ALL_RANKS=1`).
    fn sizes() -> &'static [usize] {
        let spins = wb_mpi::MPI.library().implementation == "MPICH" && wb_process::usable_cores() < 5;
        if spins && std::env::var_os("WBTEST_ALL_RANKS").is_none() {
            eprintln!("MPICH's ranks spin on shared cores: P = 1, 2, 3 only; WBTEST_ALL_RANKS=1 tries 5 too");
            return &[1, 2, 3];
        }
        &[1, 2, 3, 5]
    }

    fn run_rank(folder: &Path) {
        let job_handle = wb_mpi::MPI.init().expect("MPI starts");
        let transport =
            job_handle.open_communicator(job_handle.size()).expect("open").expect("all ranks take part");
        let laws = [epochs::everywhere(), FIGURES.to_vec()].concat();
        let kept = run_laws(&World::new(transport), &laws);
        job_handle.free_communicators().expect("close");
        fs::write(folder.join(job_handle.rank().to_string()), kept.to_string())
            .expect("the folder can be written");
    }

    fn start_job(size: usize) {
        let left = job::run(size, "windows::mpi::mpi_keeps_the_rules", FOLDER, LIMIT);
        let expected = (epochs::everywhere().len() + FIGURES.len()).to_string();
        for (rank, kept) in left.by_rank.iter().enumerate() {
            assert_eq!(*kept, expected, "P = {size}, rank {rank} did not keep every rule\n{}", left.output);
        }
    }
}
