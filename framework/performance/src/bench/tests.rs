//! Tests of a rank's tools: how many messages one clock and two clocks cost, the common start, and the limit of a pass.
use std::{
    any::Any,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use wb_comm::{RankFunction, ThreadRanks, TransportDecorator};
use wb_runner::rank_result;
use wb_task::{Failure, Stage};

use super::*;
use crate::{
    job::{WorkloadRequest, tests::job_spec},
    pass_data::MeasureError,
    program::ErasedTask,
    sample,
    slow_stages::SlowStages,
};

/// Counts the calls that send messages.
struct Counting {
    inner: Rc<dyn Transport>,
    calls: Arc<AtomicUsize>,
}

impl TransportDecorator for Counting {
    fn inner(&self) -> &dyn Transport {
        &*self.inner
    }

    fn post_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.inner.post_and_wait(ops, site)
    }

    fn decorate(&self, inner: Rc<dyn Transport>) -> Rc<dyn Transport> {
        Rc::new(Self { inner, calls: Arc::clone(&self.calls) })
    }
}

/// Runs `check` on two ranks with these keys of clocks; returns the calls that rank 0 made before it.
fn on_two_ranks(keys: [u64; 2], check: fn(&RankBench)) -> usize {
    let job: RankFunction = Arc::new(move |inner: Rc<dyn Transport>| {
        let rank = inner.rank();
        let watch = RankWatchdog::start(2, None, |_, _, _| unreachable!("nothing is watched"));
        let watch = watch.expect("no thread");
        let calls = Arc::new(AtomicUsize::new(0));
        let transport = Rc::new(Counting { inner, calls: Arc::clone(&calls) });
        let bench = RankBench::with_clock_key(transport, true, CpuScope::Thread, watch, keys[rank]);
        let bench = bench.expect("two ranks");
        let before = calls.load(Ordering::Relaxed);
        check(&bench);
        Box::new(before) as Box<dyn Any + Send>
    });
    first_result(2, job)
}

/// Runs the job on `size` threads; returns the result of rank 0.
fn first_result<T: 'static>(size: usize, job: RankFunction) -> T {
    let mut ranks = wb_local::threads::LocalThreads::DEFAULT.run(size, None, job).ranks;
    rank_result(0, ranks.remove(0)).expect("rank 0 returns")
}

#[test]
fn ranks_of_one_clock_send_no_message_about_it_and_change_no_number() {
    let calls = on_two_ranks([7, 7], |bench| {
        assert!(bench.clock.is_shared());
        let info = bench.clock_info();
        assert_eq!((info.uncertainty_ns, info.compared), (None, vec![]));
        assert_eq!((bench.clock.reference_ns(1, 77), bench.clock.local_ns(1, 77)), (77, 77));
        bench.compare_clocks().expect("nothing");
    });
    // One barrier for the resolution, those that are timed, and one for their median: as many as before there were several
    // clocks.
    assert_eq!(calls, BARRIER_SAMPLES + 2);
}

#[test]
fn ranks_of_two_clocks_compare_them_and_their_times_remain_right() {
    // Both read the same clock and do not know it: what is found must be near 0.
    let calls = on_two_ranks([7, 8], |bench| {
        assert!(!bench.clock.is_shared());
        let (earlier, now, later) = (clock::now(), bench.reference_now(), clock::now());
        let bound = bench.clock.uncertainty_ns();
        assert!(earlier <= now + bound && now <= later + bound, "{earlier}, {now}, {later}: {bound} ns");
        let start = clock::now();
        bench.max_barrier(0).expect("a barrier");
        let stamps = bench.stamps(start, clock::now()).expect("stamps");
        bench.compare_clocks().expect("compared");
        let (spans, _) = sample::spans(&bench.clock, &[vec![&stamps]]);
        let uncorrected = sample::Span::from_stamps(stamps.iter().copied());
        let (found, expected) = (spans[0][0].elapsed_ns, uncorrected.elapsed_ns);
        let interim = sample::interim_span(&bench.clock, &stamps).elapsed_ns;
        let info = bench.clock_info();
        let uncertainty_ns = info.uncertainty_ns.expect("two clocks") as u64;
        assert!(found.abs_diff(expected) <= uncertainty_ns || found == interim, "{found} ns, {expected} ns");
        assert_eq!(info.compared.iter().map(|clock| clock.first_rank).collect::<Vec<_>>(), [0, 1]);
        assert!(
            info.compared[1].offset_ns.abs() <= info.compared[1].uncertainty_ns,
            "{:?}",
            info.compared[1]
        );
    });
    assert!(calls > BARRIER_SAMPLES + 2 + wb_runner::clocks::EXCHANGES, "{calls}");
}

#[test]
fn a_common_start_waits_for_the_same_moment_on_every_clock() {
    on_two_ranks([7, 8], |bench| {
        let CommonStart(start) = bench.common_start().expect("a start");
        let mine = bench.clock.reference_ns(bench.rank(), start.expect("both spin"));
        let starts = bench.stamps(mine, mine).expect("stamps");
        let apart = starts[0].0.abs_diff(starts[1].0);
        assert!(apart <= bench.clock.uncertainty_ns() + 2, "{apart} ns");
    });
}

const STAGE: Duration = Duration::from_millis(40);

/// The result of the measurement of [`SlowStages`] under this limit.
fn measured(limit: Duration) -> std::result::Result<usize, Option<Stage>> {
    first_result(
        1,
        Arc::new(move |transport| {
            let watch = RankWatchdog::start(1, None, |_, _, _| unreachable!("nothing is watched"));
            let bench = RankBench::new(transport, false, CpuScope::Thread, watch.expect("no thread"));
            let mut order = job_spec();
            (order.ranks, order.limit, order.sampling.budget) = (1, Some(limit), Duration::ZERO);
            let request = WorkloadRequest { name: "any".into(), size: STAGE.as_nanos() as usize };
            let ended = SlowStages.measure(&bench.expect("one rank"), &order, &request, &mut None);
            Box::new(ended.map(|series| series.len()).map_err(|error| match error {
                MeasureError::Task(Failure::Limit { stage, .. }) => Some(stage),
                _ => None,
            }))
        }),
    )
}

/// The watchdog that interrupts a hanging pass checks one timed region at a time. The pipeline limits the sum of the stages, which is
/// tested here without a watchdog.
#[test]
fn the_sum_of_the_stages_is_limited_and_a_sum_within_the_limit_is_not() {
    assert_eq!(measured(STAGE * 50), Ok(2));
    assert_eq!(measured(STAGE + STAGE / 2), Err(Some(Stage::Run)));
}
