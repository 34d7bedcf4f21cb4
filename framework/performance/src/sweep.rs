//! Measures a communication assignment's own verb together with the library's: time against size, messages and rounds.
//!
//! The verbs alternate, in random order, on the same communicator with the same data, so that disturbances of the
//! machine affect both. A sample contains several calls, because one call of a small message is shorter than the
//! clock's resolution.
//!
//! The calls of a sample must not overlap. With a fixed root they would: the root could start the next call before the
//! last one has completed, and the sample would measure the rate of messages instead of their latency. So the root
//! decreases by one from call to call. In a binomial tree the next root is the leaf farthest from the current one, and
//! it cannot start before it has the data; at two ranks the sample is a ping-pong.
//!
//! The library's result is the reference: both verbs of a pair start with the same data and the same roots, so they
//! must leave the same elements on every rank. So the check is the same for every verb: a broadcast, a scatter, a
//! reduction.
//!
//! A verb may move nothing at a size: a scatter of fewer elements than ranks. Its times have no meaning there, so only
//! one pair of samples is taken, to check the result, and the size is marked.
use std::{hint::black_box, rc::Rc, time::Duration};

use wb_comm::{Rank, Result, Transport};
use wb_record::{Backend, Formula, Sweep};
use wb_runner::{JobClock, clock};
use wb_task::Communication;
use wb_world::World;

use super::{
    bench::RankBench,
    job::{JobSpec, SamplingPolicy},
    sample::{self, RegionStamps},
};

/// The root of the first call of every sample, and of the calls that are counted.
const ROOT: Rank = 0;

/// The intended duration of one sample.
const SAMPLE_NS: u64 = 200_000;

/// The least length of a sample, in uncertainties of several clocks.
const MIN_UNCERTAINTIES: u64 = 100;

/// The most calls in one sample.
const MAX_CALLS_PER_SAMPLE: usize = 1_000;

/// Calls of the trial that determines the number of calls in a sample.
const TRIAL_CALLS: usize = 5;

/// The largest relative difference of two elements: sums in another order are rounded differently, a wrong element
/// differs by more.
const ROUNDING: f64 = 1e-9;

/// A size without samples, as recorded. The orchestrator adds what is not measured: both verbs and their theory.
pub(crate) fn without_samples(order: &JobSpec, count: usize, inner: usize) -> Sweep {
    Sweep {
        ranks: order.ranks as u32,
        root: ROOT as u32,
        element: "f64".to_owned(),
        count: count as u64,
        bytes: (count * size_of::<f64>()) as u64,
        launch: order.launch,
        inner_iterations: inner as u64,
        correct: true,
        ..Sweep::default()
    }
}

/// The name of the library's verb that the own verb is compared with.
pub(crate) fn library_call(backend: Backend, operation: &str) -> String {
    match (backend, operation.split_at_checked(1)) {
        (Backend::Mpi, Some((first, rest))) => format!("MPI_{}{rest}", first.to_uppercase()),
        _ => format!("World::{operation}"),
    }
}

/// A communication assignment with its type erased: one virtual call for each size.
pub(crate) trait ErasedCommunication: Send + Sync {
    /// MPI's name of the verb.
    fn operation(&self) -> &'static str;

    /// The author's cost formulas at a number of ranks.
    fn formula(&self, ranks: usize) -> Formula;

    /// Collective: measures one size with both verbs.
    fn sweep(&self, bench: &RankBench, order: &JobSpec, count: usize) -> Result<Sweep>;

    /// Collective, on a new transport: the rounds of one call, counted on this rank.
    fn count(&self, transport: Rc<dyn Transport>, count: usize) -> Result<Option<u64>>;
}

impl<C: Communication> ErasedCommunication for C {
    fn operation(&self) -> &'static str {
        C::OPERATION
    }

    fn formula(&self, ranks: usize) -> Formula {
        Formula {
            algorithm: C::ALGORITHM.to_owned(),
            messages: self.messages(ranks),
            messages_formula: C::MESSAGES.to_owned(),
            rounds: self.rounds(ranks),
            rounds_formula: C::ROUNDS.to_owned(),
        }
    }

    fn sweep(&self, bench: &RankBench, order: &JobSpec, count: usize) -> Result<Sweep> {
        bench.watchdog.enter(bench.slot, format!("{} {count}", C::OPERATION));
        let mut rank = SweepRank { bench, data: vec![0.0; count], first: vec![0.0; count], pairs: 0 };
        let own = |world: &World, data: &mut [f64], root| self.own(world, data, root);
        let library = |world: &World, data: &mut [f64], root| self.library(world, data, root);
        let trials = [rank.sample(TRIAL_CALLS, own)?, rank.sample(TRIAL_CALLS, library)?];
        let inner = calls_per_sample(&trials, bench.clock.uncertainty_ns());
        let mut random = oorandom::Rand32::new(order.seed ^ count as u64);
        let mut sweep = without_samples(order, count, inner);
        let begin = bench.max_barrier(bench.reference_now())?;
        let mut stamps = [vec![], vec![]];
        loop {
            rank.pairs += 1;
            // The same seed on every rank: all ranks use the same order.
            let (student, from_library) = if random.rand_u32() & 1 == 0 {
                let student = rank.sample(inner, own)?;
                rank.store_first_result();
                (student, rank.sample(inner, library)?)
            } else {
                let from_library = rank.sample(inner, library)?;
                rank.store_first_result();
                (rank.sample(inner, own)?, from_library)
            };
            sweep.student_ns.push(student.elapsed_ns);
            sweep.library_ns.push(from_library.elapsed_ns);
            sweep.messages = student.messages / inner as u64;
            // A reference that communicates nothing is not a reference.
            sweep.correct &= rank.is_same_result()? && (bench.size() == 1 || !from_library.is_silent);
            sweep.moves_nothing = bench.size() > 1 && sweep.correct && student.moves_nothing;
            let latest = student.end.max(from_library.end);
            stamps[0].push(student.stamps);
            stamps[1].push(from_library.stamps);
            if is_sampled_enough(&order.sampling, &sweep, Duration::from_nanos(latest.saturating_sub(begin)))
            {
                bench.compare_clocks()?;
                finish_times(&mut sweep, &stamps, &bench.clock);
                return Ok(sweep);
            }
            bench.compare_clocks_if_due(latest)?;
        }
    }

    fn count(&self, transport: Rc<dyn Transport>, count: usize) -> Result<Option<u64>> {
        let world = World::new(transport);
        self.own(&world, &mut vec![0.0; count], ROOT)?;
        Ok(world.rounds())
    }
}

struct SweepRank<'a> {
    bench: &'a RankBench,
    data: Vec<f64>,
    /// The result of the first verb of a pair in `data`.
    first: Vec<f64>,
    /// Pairs of samples taken: each starts with other data.
    pairs: u32,
}

/// One sample over all ranks.
struct SweepSample {
    stamps: RegionStamps,
    elapsed_ns: u64,
    end: u64,
    messages: u64,
    /// Whether no rank communicated.
    is_silent: bool,
    /// Whether no rank sent or received a byte, nor called a collective verb, whose bytes are not counted.
    moves_nothing: bool,
}

impl SweepRank<'_> {
    /// Collective: `calls` calls between two readings of the clock. The data of every call are new, and at the
    /// beginning no rank has another rank's data.
    fn sample(
        &mut self,
        calls: usize,
        verb: impl Fn(&World, &mut [f64], Rank) -> Result<()>,
    ) -> Result<SweepSample> {
        let (bench, world) = (self.bench, &self.bench.world);
        let (rank, size) = (bench.rank(), bench.size());
        for (place, element) in self.data.iter_mut().enumerate() {
            *element = initial_value(self.pairs, rank, place);
        }
        let before = world.counts();
        let line = bench.common_start()?;
        bench.watchdog.arm(bench.slot);
        line.wait();

        let start = clock::now();
        let mut root = ROOT;
        for call in 0..calls {
            if rank == root {
                self.data[0] = stamp(self.pairs, call);
            }
            verb(world, black_box(&mut self.data), root)?;
            root = root.checked_sub(1).unwrap_or(size - 1);
        }
        let end = clock::now();

        bench.watchdog.disarm(bench.slot);
        let sent = world.counts() - before;
        let moved = sent.sent_bytes + sent.received_bytes + sent.collectives;
        let all = bench.allgather(&[start, end, sent.sends, u64::from(!sent.is_silent()), moved])?;
        let (ranks, _) = all.as_chunks::<5>();
        let stamps: RegionStamps = ranks.iter().map(|rank| (rank[0], rank[1])).collect();
        let span = sample::interim_span(&bench.clock, &stamps);
        Ok(SweepSample {
            stamps,
            elapsed_ns: span.elapsed_ns,
            end: span.end,
            messages: ranks.iter().map(|rank| rank[2]).sum(),
            is_silent: ranks.iter().all(|rank| rank[3] == 0),
            moves_nothing: ranks.iter().all(|rank| rank[4] == 0),
        })
    }

    /// Stores the result of the first verb of a pair.
    fn store_first_result(&mut self) {
        self.first.copy_from_slice(&self.data);
    }

    /// Collective: whether the result of the second verb of the pair is that of the first, on every rank.
    fn is_same_result(&self) -> Result<bool> {
        let same = self.first.iter().zip(&self.data).all(|(&a, &b)| is_close(a, b));
        Ok(self.bench.allgather(&[u64::from(same)])?.iter().all(|&same| same == 1))
    }
}

/// Whether the elements are equal up to rounding.
pub(crate) fn is_close(a: f64, b: f64) -> bool {
    let apart = (a - b).abs();
    a == b || apart.is_finite() && apart <= ROUNDING * a.abs().max(b.abs())
}

/// The element of a rank at an index before a sample: a whole number up to 4096, mixed, so that a wrong rank, a wrong
/// index and data of an earlier sample are all detected.
fn initial_value(pair: u32, rank: Rank, place: usize) -> f64 {
    let place = place as u64 ^ (rank as u64) << 40 ^ u64::from(pair) << 52;
    // Fibonacci hashing: the upper bits of the product depend on all bits of the index.
    f64::from((place.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as u32 + 1)
}

/// The first element that the root sends in a call, different from that of all other calls of the sweep.
fn stamp(pair: u32, call: usize) -> f64 {
    f64::from(pair + 5) * MAX_CALLS_PER_SAMPLE as f64 + call as f64
}

/// Gives both verbs their final times, after a comparison of the clocks that follows the last sample.
fn finish_times(sweep: &mut Sweep, stamps: &[Vec<RegionStamps>; 2], clock: &JobClock) {
    let (spans, elapsed_from) =
        sample::spans(clock, &stamps.each_ref().map(|regions| regions.iter().collect()));
    let mut times = spans.into_iter().map(|spans| spans.into_iter().map(|span| span.elapsed_ns).collect());
    sweep.student_ns = times.next().expect("the times of the own verb");
    sweep.library_ns = times.next().expect("the times of the library's verb");
    sweep.elapsed_from = elapsed_from;
}

/// The number of calls in one sample, so that the faster verb has the intended duration: longer where several clocks
/// make a time uncertain.
fn calls_per_sample(trials: &[SweepSample; 2], uncertainty_ns: u64) -> usize {
    let [own, library] = trials;
    let call_ns = (own.elapsed_ns.min(library.elapsed_ns) / TRIAL_CALLS as u64).max(1);
    let sample_ns = SAMPLE_NS.max(MIN_UNCERTAINTIES * uncertainty_ns);
    usize::try_from(sample_ns / call_ns).unwrap_or(MAX_CALLS_PER_SAMPLE).clamp(1, MAX_CALLS_PER_SAMPLE)
}

/// Whether both verbs are sampled enough in the given time. One pair is enough for a wrong verb and one that moves
/// nothing.
pub(crate) fn is_sampled_enough(sampling: &SamplingPolicy, sweep: &Sweep, spent: Duration) -> bool {
    let taken = sweep.student_ns.len();
    !sweep.correct
        || sweep.moves_nothing
        || taken >= sampling.max_repetitions
        || taken >= sampling.min_repetitions && spent >= sampling.budget
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_holds_so_many_calls_that_the_clock_can_tell_it() {
        let taking = |elapsed_ns| SweepSample {
            stamps: vec![],
            elapsed_ns,
            end: 0,
            messages: 0,
            is_silent: false,
            moves_nothing: false,
        };
        assert_eq!(calls_per_sample(&[taking(5_000), taking(9_000)], 0), 200);
        assert_eq!(calls_per_sample(&[taking(5_000), taking(9_000)], 8_000), 800);
        assert_eq!(calls_per_sample(&[taking(0), taking(0)], 0), MAX_CALLS_PER_SAMPLE);
        assert_eq!(calls_per_sample(&[taking(5_000_000_000), taking(5_000_000_000)], 0), 1);
    }

    #[test]
    fn no_two_calls_send_the_same_first_element() {
        let mut stamps: Vec<_> = (1..4)
            .flat_map(|sample| (0..MAX_CALLS_PER_SAMPLE).map(move |call| stamp(sample, call).to_bits()))
            .collect();
        stamps.sort_unstable();
        stamps.dedup();
        assert_eq!(stamps.len(), 3 * MAX_CALLS_PER_SAMPLE);
        assert!(stamps.iter().all(|&bits| f64::from_bits(bits) > 4096.0), "none is among the fillings");
    }

    #[test]
    fn ranks_and_pairs_begin_with_different_data() {
        let filled = |pair, rank| (0..1000).map(|place| initial_value(pair, rank, place)).collect::<Vec<_>>();
        let reference = filled(1, 0);
        for (pair, rank) in [(1, 1), (1, 7), (2, 0), (3, 0)] {
            let equal = reference.iter().zip(filled(pair, rank)).filter(|(a, b)| **a == *b).count();
            assert!(equal < 10, "pair {pair}, rank {rank}: {equal} of 1000 elements are equal by chance");
        }
        assert!(reference.iter().all(|element| (1.0..=4096.0).contains(element)));
    }

    #[test]
    fn rounding_is_no_difference_and_a_wrong_element_is() {
        assert!(is_close(0.1 + 0.2, 0.3) && is_close(f64::INFINITY, f64::INFINITY));
        assert!(!is_close(4095.0, 4096.0) && !is_close(1.0, f64::NAN) && !is_close(1.0, f64::INFINITY));
    }

    #[test]
    fn the_librarys_call_has_the_librarys_name() {
        assert_eq!(library_call(Backend::Mpi, "bcast"), "MPI_Bcast");
        assert_eq!(library_call(Backend::Threads, "bcast"), "World::bcast");
    }
}
