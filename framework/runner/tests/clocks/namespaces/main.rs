//! The law of corrected stamps on real ranks of MPI: rank 1 is in a time namespace, so its clock is 5 s ahead; a drift is
//! planted through the clock.
//!
//! Without MPI, or where time namespaces are not allowed, the tests are skipped and counted as skipped.
mod time_namespace;

use std::{process::ExitCode, rc::Rc, sync::Arc, time::Duration};

use libtest_mimic::{Arguments, Trial};
use serde::{Deserialize, Serialize};
use time_namespace::{AHEAD_S, enter_as_rank_1, why_missing};
use wb_comm::{Backends, Transport};
use wb_record::Backend;
use wb_runner::{
    OrderedRank, OrderedRanks, RankEnd, StopReason,
    channel::RunnerAddress,
    clock,
    clocks::{ClockEstimate, CommonClock, HostClocks, compare_clocks},
    job::{Answers, JobRequest, execute_order, run_job},
};
use wb_world::World;

const AHEAD_NS: u64 = AHEAD_S * 1_000_000_000;

/// The time between the comparisons: 50 ppm of it are 20 µs.
const PAUSE: Duration = Duration::from_millis(400);

/// The number of ranks of a job.
const RANKS: usize = 3;

/// How a rank ended: it measured, or failed.
type ClockEnd = RankEnd<ClockResult, ()>;

/// The order of a job: the drift of the clock of rank 1.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ClockOrder {
    drift_ppm: i64,
}

/// What a rank found.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ClockResult {
    clocks: usize,
    /// The largest share of its uncertainty that the error of a stamp takes: as it was read, and corrected.
    uncorrected: f64,
    corrected: f64,
    offset_ns: i64,
    drift_ppm: f64,
    uncertainty_ns: u64,
}

fn main() -> ExitCode {
    // A process with several threads cannot enter a namespace.
    let is_ahead = RunnerAddress::is_set() && enter_as_rank_1();
    if let Some(code) = execute_order(|order, link| run_ranks(is_ahead, order, link.answers())) {
        return code;
    }
    let backends = workbench::backends();
    let not_linked =
        "this program is not linked with MPI; `cargo test --workspace --test namespaces` links it";
    let missing = if backends.processes.is_none() { Some(not_linked.to_owned()) } else { why_missing() };
    if let Some(reason) = &missing {
        println!("skipped: {reason}");
    }
    let test = |name, drift_ppm| {
        let law = move || {
            check(backends, drift_ppm);
            Ok(())
        };
        Trial::test(name, law).with_ignored_flag(missing.is_some())
    };
    let tests = vec![
        test("a_clock_that_is_5_s_ahead_is_corrected_within_the_bound", 0),
        test("so_is_one_that_drifts", 50),
    ];
    // Two jobs at a time would disturb each other.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    libtest_mimic::run(&arguments, tests).exit_code()
}

/// The ranks of a job.
fn run_ranks(is_ahead: bool, order: ClockOrder, answers: Answers<ClockEnd>) -> std::io::Result<bool> {
    let work = Arc::new(move |rank: OrderedRank<()>| {
        let measured = measure(rank.transport, is_ahead, order.drift_ppm);
        measured.map(RankEnd::Done).map_err(|error| StopReason::Error(error.to_string()))
    });
    let (backends, backend, size, limit) = (workbench::backends(), Backend::Mpi, RANKS, None);
    OrderedRanks { backends, backend, size, limit, answers, work }.execute()
}

fn measure(transport: Rc<dyn Transport>, is_ahead: bool, drift_ppm: i64) -> wb_comm::Result<ClockResult> {
    let (rank, size) = (transport.rank(), transport.size());
    let world = World::new(transport);
    // The namespace is a number of its kernel; 0 for all ranks outside of it.
    let mut namespaces = vec![0u8; size];
    world.allgather(&[u8::from(is_ahead)], &mut namespaces)?;
    let clocks = HostClocks::from_identities(&namespaces);
    let begin = clock::now();
    // The planted drift begins with the program.
    let drifted = |reading: u64| {
        let run = reading - begin;
        if rank == 1 { reading + run * drift_ppm as u64 / 1_000_000 } else { reading }
    };
    let now_ns = || drifted(clock::now());
    let mut common = CommonClock::new(clocks.clone(), clock::resolution());
    let mut readings = vec![];
    for _ in 0..2 {
        common.add(&compare_clocks(&world, &clocks, &now_ns)?);
        for _ in 0..20 {
            std::thread::sleep(PAUSE / 20);
            readings.push(clock::now());
        }
    }
    common.add(&compare_clocks(&world, &clocks, &now_ns)?);
    let (mut uncorrected, mut corrected) = (0.0f64, 0.0f64);
    for reading in readings {
        let (read, truth) = (drifted(reading), if is_ahead { reading - AHEAD_NS } else { reading });
        let stamp = common.correct(rank, read);
        let share = |found: u64| found.abs_diff(truth) as f64 / stamp.uncertainty_ns as f64;
        (uncorrected, corrected) = (uncorrected.max(share(read)), corrected.max(share(stamp.reference_ns)));
    }
    let ClockEstimate { offset_ns, drift_ppm, uncertainty_ns, .. } = common.estimate(clocks.count() - 1);
    let clocks = clocks.count();
    Ok(ClockResult { clocks, uncorrected, corrected, offset_ns, drift_ppm, uncertainty_ns })
}

/// Runs a job of three ranks, the second of which is in a time namespace, and checks the law.
fn check(backends: Backends, drift_ppm: i64) {
    let (backend, deadline) = (Backend::Mpi, Duration::from_secs(120));
    let request = JobRequest { backends, backend, ranks: RANKS, limit: None, deadline };
    let order = ClockOrder { drift_ppm };
    let answers = run_job::<ClockEnd>(request, &order, |_| (), |_| ()).expect("the job counts");
    for answer in &answers {
        let is_ahead = answer.rank == 1;
        let result = answer.result.findings().expect("it has succeeded");
        assert_eq!((answer.size, result.clocks), (RANKS, 2));
        assert_eq!(
            answer.machine != answers[0].machine,
            is_ahead,
            "the identity of the clock names the namespace"
        );
        assert!(result.corrected <= 1.0, "{answer:?}");
        assert_eq!(result.uncorrected > 1.0, is_ahead, "without the correction: {answer:?}");
        let drift_ns = (result.drift_ppm - drift_ppm as f64).abs() * 2.0 * PAUSE.as_secs_f64() * 1e3;
        assert!(drift_ns <= 2.0 * result.uncertainty_ns as f64, "{answer:?}");
        // The planted drift adds 1 µs for each 20 ms since the start of the program.
        let late_ns = result.offset_ns.abs_diff(AHEAD_NS as i64);
        assert!(late_ns <= result.uncertainty_ns + drift_ppm as u64 * 20_000, "{answer:?}");
    }
}
