//! Ranks are real MPI processes: messages on communicators of their own, cells in a shared window, words of
//! an RMA window, TCP, the library's own barriers; and teams of the OpenSHMEM layer.
//!
//! One job runs every barrier and every law on three ranks, the smallest number at which teams overlap; two other jobs run
//! barriers with signals of every kind on fewer and on more ranks. Each rank leaves what it has kept, and the starter counts it.
//! Further jobs pretend that their ranks are on several nodes, and run what looks at nodes. More ranks than cores are right to test and wrong to
//! measure. Every barrier is proved for P = 1..257 in `wb_algorithms::barriers`, and runs at more sizes on threads.
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

use wb_algorithms::barriers::catalogue;
use wb_comm::{CallSite, ProcessRanks, Result, Transport, TransportDecorator};
use wb_tests::{
    barrier_laws::{BarrierLaw, LawEffort, LawRun, TeamMemory, TeamThreadMemory, TeamWindowMemory},
    job,
};
use wb_world::World;

use crate::setups::{BarrierSetup, NodesOf, is_representative, one_node, partner, three_nodes, two_nodes};

const FOLDER: &str = "WBTEST_BARRIER_LAWS_FOLDER";

/// The number of the job's nodes among [`NODES`].
const NODES_VARIABLE: &str = "WBTEST_BARRIER_LAWS_NODES";

/// Which nodes jobs have.
const NODES: [NodesOf; 3] = [one_node, two_nodes, three_nodes];

/// For a whole job: far more than it ever takes.
const LIMIT: Duration = Duration::from_secs(1200);

/// Atomics for all regions of one trial whose teams a rank leads.
const REGION_ATOMICS: usize = 1 << 18;

/// Before the job's limit waiting ranks are ordered to give up, so that they can report what they wait for.
const GIVE_UP_AFTER: Duration = Duration::from_secs(1100);

/// Run by the test binary of cargo it starts a job at every P; run by a launcher it is a rank of such a job.
#[test]
fn barriers_between_processes_keep_the_laws() {
    match std::env::var_os(FOLDER) {
        Some(folder) => run_rank(Path::new(&folder)),
        None => jobs().into_iter().for_each(|[size, nodes]| start_job(size, nodes)),
    }
}

/// The number of ranks at which every barrier runs.
const SIZE_OF_ALL: usize = 3;

/// Each job: its number of ranks, and that of its nodes among [`NODES`].
const JOBS: [[usize; 2]; 5] = [[SIZE_OF_ALL, 0], [2, 0], [8, 0], [5, 1], [5, 2]];

/// MPICH's ranks spin, so where they share cores each message costs a time slice: there up to 4 are tried when asked for.
fn is_spinning(size: usize) -> bool {
    wb_mpi::MPI.library().implementation == "MPICH" && size > wb_process::usable_cores()
}

fn jobs() -> Vec<[usize; 2]> {
    let most = if std::env::var_os("WBTEST_ALL_RANKS").is_some() { 4 } else { 0 };
    let (tried, left): (Vec<_>, Vec<_>) =
        JOBS.into_iter().partition(|[size, _]| !is_spinning(*size) || *size <= most);
    if !left.is_empty() {
        let left: Vec<_> = left.iter().map(|[size, _]| size).collect();
        eprintln!(
            "MPICH's ranks spin on shared cores: P = {left:?} are left out; WBTEST_ALL_RANKS=1 tries up to 4"
        );
    }
    tried
}

/// Every way of every barrier that a job of `size` ranks on such nodes runs and can build.
fn law_runs(
    size: usize,
    nodes: NodesOf,
) -> Vec<(&'static wb_algorithms::barriers::BarrierEntry, BarrierSetup)> {
    let team_memory = TeamThreadMemory::default();
    let of = |entry| {
        BarrierSetup::between_processes(entry, nodes, size).into_iter().map(move |setup| (entry, setup))
    };
    let is_run =
        |entry: &&_| size == SIZE_OF_ALL || nodes(size) != one_node(size) || is_representative(entry);
    let all = catalogue::all().into_iter().filter(is_run).flat_map(of);
    all.filter(|(entry, setup)| setup.provider(&team_memory, 1).supports(entry, &setup.group_config(size)))
        .collect()
}

fn run_rank(folder: &Path) {
    let job_handle = wb_mpi::MPI.init().expect("MPI starts");
    let transport =
        job_handle.open_communicator(job_handle.size()).expect("open").expect("all ranks take part");
    let number: usize = std::env::var(NODES_VARIABLE)
        .expect("set by the process that started the job")
        .parse()
        .expect("a number");
    let nodes = NODES[number];
    let world = World::new(Rc::new(PretendedNodes { inner: transport, nodes }));
    let team_memory = TeamWindowMemory::new(&world, REGION_ATOMICS).expect("a window");
    stop_after_timeout(Arc::clone(team_memory.stop_flag()));
    let (mut kept, cores) = (vec![], wb_process::usable_cores());
    for (entry, setup) in law_runs(job_handle.size(), nodes) {
        let barrier_provider = setup.provider(&team_memory, 1);
        let effort = match setup {
            _ if is_spinning(job_handle.size()) => LawEffort::for_shared_cores(),
            BarrierSetup::Cells { .. } | BarrierSetup::Messages { .. } => {
                LawEffort::between_processes(job_handle.size(), cores)
            }
            _ => LawEffort::for_expensive_signals(job_handle.size()),
        };
        let partner = partner(entry, &*barrier_provider, &setup.group_config(job_handle.size()));
        let law_run = LawRun {
            world: &world,
            memory: &team_memory,
            provider: &*barrier_provider,
            entry,
            partner,
            effort,
        };
        // What the OpenSHMEM layer adds to a barrier on a window is that it completes.
        let wanted = |law: &BarrierLaw| !matches!(setup, BarrierSetup::Heap) || law.name == "complete";
        let laws = law_run.run_selected(wanted).unwrap_or_else(|why| panic!("{why}"));
        team_memory.clear(&world).expect("a barrier");
        kept.push(format!("{} on {}: {}", entry.name, barrier_provider.name(), laws.join(" ")));
    }
    team_memory.free().expect("no region is held");
    let leftovers = job_handle.find_leaks(Duration::ZERO).expect("sweep");
    assert!(leftovers.is_empty(), "left over: {leftovers:?}");
    job_handle.free_communicators().expect("close");
    fs::write(folder.join(job_handle.rank().to_string()), kept.join("\n"))
        .expect("the folder can be written");
}

fn stop_after_timeout(flag: Arc<AtomicBool>) {
    thread::spawn(move || {
        thread::sleep(GIVE_UP_AFTER);
        flag.store(true, Relaxed);
    });
}

/// The ranks of a job on the nodes that it pretends.
struct PretendedNodes {
    inner: Rc<dyn Transport>,
    nodes: NodesOf,
}

impl TransportDecorator for PretendedNodes {
    fn inner(&self) -> &dyn Transport {
        &*self.inner
    }

    /// A team has the nodes of a job of its size.
    fn nodes(&self, _: CallSite) -> Result<Vec<usize>> {
        Ok((self.nodes)(self.inner.size()))
    }

    fn decorate(&self, made: Rc<dyn Transport>) -> Rc<dyn Transport> {
        Rc::new(Self { inner: made, nodes: self.nodes })
    }
}

fn start_job(size: usize, number: usize) {
    let nodes = NODES[number];
    let variables = [(NODES_VARIABLE, number.to_string())];
    let test = "mpi::barriers_between_processes_keep_the_laws";
    let left = job::run_with(size, test, FOLDER, LIMIT, &variables);
    let expected = law_runs(size, nodes).len();
    assert!(expected > 0, "nothing to try");
    for (rank, kept) in left.by_rank.iter().enumerate() {
        let kept = kept.lines().filter(|line| is_required_line(line)).count();
        assert_eq!(
            kept,
            expected,
            "P = {size}, nodes {:?}, rank {rank} did not keep every law\n{}",
            nodes(size),
            left.output
        );
    }
}

/// Whether a rank's line names the laws that must have been run.
fn is_required_line(line: &str) -> bool {
    line.contains("stamps storm clean") || line.ends_with("the OpenSHMEM layer's barrier: complete")
}

/// No barrier is without laws: each has a way between threads or between processes, or is the OpenSHMEM library's, whose
/// own jobs keep them (`tests/oshmem`).
#[test]
fn every_barrier_has_laws() {
    let shmem = [wb_algorithms::barriers::Substrate::Shmem];
    let lawless = |entry: &&wb_algorithms::barriers::BarrierEntry| {
        let barrier_setups = [BarrierSetup::all(entry), BarrierSetup::between_processes(entry, one_node, 2)];
        barrier_setups.concat().is_empty() && entry.substrates() != shmem
    };
    let lawless: Vec<_> = catalogue::all().into_iter().filter(lawless).map(|entry| entry.name).collect();
    assert_eq!(lawless, [""; 0]);
}
