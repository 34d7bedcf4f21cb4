//! Ranks are real MPI processes: messages on communicators of their own, cells in a shared window, words of
//! an RMA window, and the library's own barriers.
//!
//! One job for each number of ranks runs every barrier and every law; each rank leaves what it has kept, and the starter
//! counts it. More ranks than cores are right to test and wrong to measure.
use std::{
    fs,
    path::Path,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use wb_collectives::catalogue;
use wb_comm::Processes;
use wb_tests::{
    barrier_laws::{Ground, OnWindows, Pace, Trial},
    job,
};
use wb_world::World;

use crate::ways::{Way, partner};

const FOLDER: &str = "WB_BARRIER_LAWS_FOLDER";

/// For a whole job: far more than it ever takes.
const LIMIT: Duration = Duration::from_secs(240);

/// Before the job's limit waiting ranks are told to give up, so that they can say what they wait for.
const PATIENCE: Duration = Duration::from_secs(200);

/// Run by the test binary of cargo it starts a job at every P; run by a launcher it is a rank of such a job.
#[test]
fn barriers_between_processes_keep_the_laws() {
    match std::env::var_os(FOLDER) {
        Some(folder) => be_a_rank(Path::new(&folder)),
        None => sizes().into_iter().for_each(start_job),
    }
}

/// MPICH's ranks spin on shared cores, so that each message costs a time slice.
fn sizes() -> Vec<usize> {
    const SIZES: [usize; 7] = [1, 2, 3, 4, 5, 7, 8];
    let cores = wb_process::usable_cores();
    let spins = wb_mpi::MPI.library().flavour == "MPICH" && cores < 8;
    if !spins || std::env::var_os("WB_ALL_RANKS").is_some() {
        return SIZES.to_vec();
    }
    eprintln!(
        "MPICH's ranks spin on shared cores: P up to {cores} only; WB_ALL_RANKS=1 tries all of {SIZES:?}"
    );
    SIZES.into_iter().filter(|size| *size <= cores).collect()
}

/// Every way of every barrier that can be built for `size` ranks.
fn trials(size: usize) -> Vec<(&'static wb_collectives::Entry, Way)> {
    let ground = OnWindows::default();
    let all = catalogue::all()
        .into_iter()
        .flat_map(|entry| Way::between_processes(entry).into_iter().map(move |way| (entry, way)));
    all.filter(|(entry, way)| way.on(&ground, 1).can(entry, &way.setting(size))).collect()
}

fn be_a_rank(folder: &Path) {
    let seat = wb_mpi::MPI.take_seat().expect("a seat");
    let transport = seat.open(seat.size()).expect("open").expect("all ranks take part");
    let world = World::new(Rc::clone(&transport));
    let ground = OnWindows::default();
    give_up_later(Arc::clone(ground.given_up()));
    let mut kept = vec![];
    for (entry, way) in trials(seat.size()) {
        let carrier = way.on(&ground, 1);
        let pace = Pace::between_processes(seat.size(), wb_process::usable_cores());
        let partner = partner(entry, &*carrier, &way.setting(seat.size()));
        let trial = Trial { world: &world, ground: &ground, carrier: &*carrier, entry, partner, pace };
        let laws = trial.run().unwrap_or_else(|why| panic!("{why}"));
        kept.push(format!("{} on {}: {}", entry.name, carrier.name(), laws.join(" ")));
    }
    let leftovers = seat.sweep(Duration::ZERO).expect("sweep");
    assert!(leftovers.is_empty(), "left over: {leftovers:?}");
    seat.close().expect("close");
    fs::write(folder.join(seat.rank().to_string()), kept.join("\n")).expect("the folder can be written");
}

fn give_up_later(flag: Arc<AtomicBool>) {
    thread::spawn(move || {
        thread::sleep(PATIENCE);
        flag.store(true, Relaxed);
    });
}

fn start_job(size: usize) {
    let left = job::run(size, "mpi::barriers_between_processes_keep_the_laws", FOLDER, LIMIT);
    let expected = trials(size).len();
    assert!(expected > 0, "nothing to try");
    for (rank, kept) in left.by_rank.iter().enumerate() {
        let kept = kept.lines().filter(|line| line.contains("stamps storm clean")).count();
        assert_eq!(kept, expected, "P = {size}, rank {rank} did not keep every law\n{}", left.said);
    }
}
