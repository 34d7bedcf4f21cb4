//! The collective operations in shared memory beside the library's own: every algorithm of the catalogue.
//!
//! All ways of an operation alternate in one job. Before each sample a rank writes its data anew; all ranks start at one time of the common
//! clock, and the sample is the time from there until the last rank has returned. The medians are printed, and how much faster than the library
//! an algorithm is.
//!
//! ```console
//! $ cargo build --release -p wb-mpi --example shared_memory_collectives
//! $ mpirun -n 2 target/release/examples/shared_memory_collectives [allreduce | bcast | ...] [packed | padded] [SLOT_KIB]
//! ```
use std::{env, hint, rc::Rc};

use wb_algorithms::collectives::shared_memory::{SegmentLayout, SharedAlgorithm, SharedCollectives, all};
use wb_comm::{
    BorrowedBuffers, CallSite, CollectiveKind, Operation, ProcessRanks as _, Rank, SpinPolicy, Transport,
    Verb,
};

/// Bytes of a block.
const BYTES: [usize; 9] = [8, 64, 512, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 4 << 20];

/// From the call that announces a start to the start.
const LEAD_NS: u64 = 8_000;

fn main() {
    let job = wb_mpi::MPI.init().expect("ranks of mpirun");
    let size = job.size();
    let world = job.open_communicator(size).expect("all ranks").expect("each is a member");
    let arguments: Vec<String> = env::args().skip(1).collect();
    let slot_bytes = arguments
        .iter()
        .find_map(|word| word.parse::<usize>().ok())
        .map_or(SegmentLayout::SLOT_BYTES, |kib| kib << 10);
    let is = |word: &str| arguments.iter().any(|argument| argument == word);
    let packed = is("packed") || size == 2 && !is("padded");
    let make = if packed { SegmentLayout::packed } else { SegmentLayout::padded };
    // The cores of the node: a launcher binds a rank to one of them.
    let policy = SpinPolicy::for_participants(size, wb_process::node_cpus().len());
    let layout = make(SegmentLayout::SLOTS, slot_bytes);
    let shared = SharedCollectives::new(Rc::clone(&world), layout, policy, site(Verb::WindowCreate));
    let bench = Bench { shared: shared.expect("ranks of one node"), world };
    let verbs = all().into_iter().flat_map(|algorithm| algorithm.verbs.iter().copied());
    let mut verbs: Vec<Verb> = verbs.filter(|verb| *verb != Verb::ReduceScatter).collect();
    verbs.dedup();
    bench.print_overhead();
    let named = verbs.iter().any(|verb| is(verb.name()));
    for verb in verbs.into_iter().filter(|verb| !named || is(verb.name())) {
        BYTES.into_iter().for_each(|bytes| bench.compare(verb, bytes));
    }
    bench.shared.free(site(Verb::WindowFree)).expect("all ranks free it");
    drop(bench.world);
    job.free_communicators().expect("no message is left");
}

#[track_caller]
fn site(verb: Verb) -> CallSite {
    CallSite::caller(verb)
}

struct Bench {
    shared: SharedCollectives,
    world: Rc<dyn Transport>,
}

/// What a call of a verb sends and gets, in blocks, at rank 0, its root, and at the others.
fn blocks(verb: Verb, size: usize, is_root: bool) -> (usize, usize) {
    let at_root = |blocks: usize| if is_root { blocks } else { 0 };
    match verb {
        Verb::Barrier => (0, 0),
        Verb::Bcast => (0, 1),
        Verb::Reduce => (1, at_root(1)),
        Verb::Gather => (1, at_root(size)),
        Verb::Scatter => (at_root(size), 1),
        Verb::Allgather => (1, size),
        Verb::Alltoall => (size, size),
        Verb::ReduceScatterBlock => (size, 1),
        _ => (1, 1),
    }
}

fn kind(verb: Verb) -> CollectiveKind<'static> {
    let (root, operation) = (0, Operation::Sum);
    match verb {
        Verb::Barrier => CollectiveKind::Barrier,
        Verb::Bcast => CollectiveKind::Bcast { root },
        Verb::Reduce => CollectiveKind::Reduce { operation, root },
        Verb::Allreduce => CollectiveKind::Allreduce { operation },
        Verb::Gather => CollectiveKind::Gather { root },
        Verb::Scatter => CollectiveKind::Scatter { root },
        Verb::Allgather => CollectiveKind::Allgather,
        Verb::Alltoall => CollectiveKind::Alltoall,
        Verb::ReduceScatterBlock => CollectiveKind::ReduceScatterBlock { operation },
        Verb::Scan => CollectiveKind::Scan { operation },
        Verb::Exscan => CollectiveKind::Exscan { operation },
        other => unreachable!("{other} is not in the catalogue"),
    }
}

impl Bench {
    fn rank(&self) -> Rank {
        self.world.rank()
    }

    /// Prints what a sample takes without an operation.
    fn print_overhead(&self) {
        let time = |_| {
            let start = self.announce_start();
            self.wait_for(start);
            (self.world.now() - start) as f64
        };
        let overhead = self.median_of_last((0..1000).map(time).collect());
        if self.rank() == 0 {
            println!("a start and a return take {overhead:.0} ns of each of the times below");
        }
    }

    fn wait_for(&self, start: u64) {
        while self.world.now() < start {
            hint::spin_loop();
        }
    }

    /// Measures the library and all algorithms of a verb, and prints their medians.
    fn compare(&self, verb: Verb, bytes: usize) {
        let of_verb = all().into_iter().filter(|algorithm| algorithm.verbs.contains(&verb));
        let ways: Vec<Option<&SharedAlgorithm>> = std::iter::once(None).chain(of_verb.map(Some)).collect();
        let samples = (300_000_000 / (bytes * self.world.size() + 100_000)).clamp(100, 1500);
        let mut times = vec![vec![]; ways.len()];
        let (sent, got) = blocks(verb, self.world.size(), self.rank() == 0);
        let (mut send, mut recv) = (vec![0.0; sent * bytes / 8], vec![0.0; got * bytes / 8]);
        let mut results = vec![vec![]; ways.len()];
        for sample in 0..samples {
            for turn in 0..ways.len() {
                let way = (sample + turn) % ways.len();
                let value = |at: usize| (sample + self.rank() + at % 100) as f64;
                send.iter_mut().chain(&mut recv).enumerate().for_each(|(at, element)| *element = value(at));
                times[way].push(self.sample(ways[way], verb, &send, &mut recv));
                results[way].clone_from(&recv);
            }
            assert!(
                results.iter().all(|result| *result == results[0]),
                "{verb} of {bytes} bytes: results differ"
            );
        }
        let medians: Vec<f64> = times.into_iter().map(|times| self.median_of_last(times)).collect();
        if self.rank() == 0 {
            for (way, median) in ways.iter().zip(&medians).skip(1) {
                let name = way.map_or("", |way| way.name);
                let ratio = medians[0] / median;
                println!(
                    "{name:24} {bytes:>8} B: library {:>9.0} ns, shared memory {median:>9.0} ns, {ratio:.2}x",
                    medians[0]
                );
            }
        }
    }

    /// The time from a common start to the return of this rank; infinite if it was late for the start.
    fn sample(&self, way: Option<&SharedAlgorithm>, verb: Verb, send: &[f64], recv: &mut [f64]) -> f64 {
        let (kind, buffers) = (kind(verb), BorrowedBuffers::new(send, recv));
        let start = self.announce_start();
        let is_late = self.world.now() >= start;
        self.wait_for(start);
        let done = match way {
            Some(algorithm) => self.shared.run_by(algorithm, kind, buffers, site(verb)),
            None => self.library().run(kind, buffers, site(verb)),
        };
        let time = (self.world.now() - start) as f64;
        done.expect("all ranks call it");
        if is_late { f64::INFINITY } else { time }
    }

    fn library(&self) -> &dyn wb_comm::Collectives {
        self.world.native_collectives().expect("MPI has collectives")
    }

    /// All ranks are here, and start at this time.
    fn announce_start(&self) -> u64 {
        self.library().barrier(site(Verb::Barrier)).expect("all ranks call it");
        let mut start = [self.world.now() + LEAD_NS];
        let buffers = BorrowedBuffers::new(&[], &mut start);
        self.library()
            .run(CollectiveKind::Bcast { root: 0 }, buffers, site(Verb::Bcast))
            .expect("all ranks call it");
        start[0]
    }

    /// The median over the samples of the time of the last rank; late samples do not count.
    fn median_of_last(&self, times: Vec<f64>) -> f64 {
        let mut last = vec![0.0; times.len()];
        let kind = CollectiveKind::Allreduce { operation: Operation::Max };
        let buffers = BorrowedBuffers::new(&times, &mut last);
        self.library().run(kind, buffers, site(Verb::Allreduce)).expect("all ranks call it");
        last.retain(|time| time.is_finite());
        last.sort_by(f64::total_cmp);
        last.get(last.len() / 2).copied().unwrap_or(f64::NAN)
    }
}
