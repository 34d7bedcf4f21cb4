//! The law between threads: real messages and real delays, planted clocks.
use std::{any::Any, sync::Arc};

use wb_comm::{RankFunction, ThreadRanks, job::RankTermination};
use wb_local::threads::LocalThreads;
use wb_world::World;

use super::planted_clock::{PlantedClock, planted};
use crate::clocks::{CommonClock, HostClocks, compare_clocks};

/// Ranks 0 and 2 are on one host, 1 and 3 on another.
const HOST: [usize; 4] = [0, 1, 0, 1];

/// The smallest step of the planted clocks: those of the system count nanoseconds, and a drift is rounded.
const GRANULARITY_NS: u64 = 2;

/// A delay beside the reading of the far clock, which makes one way slower than the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlowWay {
    Neither,
    /// The far side reads its clock late.
    There,
    /// The far side answers late.
    Back,
}

const DELAY_NS: u64 = 100_000;

/// The clock of threads begins at 0, and a clock that is 5 s behind must not. A drift has made a difference of 1 s by then: more
/// than any delay of a busy machine.
const BEGIN_NS: u64 = 20_000_000_000_000;

/// The true time.
fn true_ns(world: &World) -> u64 {
    BEGIN_NS + world.now()
}

fn spin(world: &World) {
    let until = world.now() + DELAY_NS;
    while world.now() < until {
        std::hint::spin_loop();
    }
}

/// One rank: compares, reads stamps, compares again; returns the worst share of the uncertainty, without and with the
/// correction.
fn rank(world: &World, far: PlantedClock, slow: SlowWay) -> [f64; 2] {
    let clock_of = |rank: usize| if HOST[rank] == 0 { PlantedClock::TRUE } else { far };
    let own = clock_of(world.rank());
    let now_ns = || {
        let is_delayed = |way| slow == way && HOST[world.rank()] == 1;
        if is_delayed(SlowWay::There) {
            spin(world);
        }
        let reading = own.read(true_ns(world));
        if is_delayed(SlowWay::Back) {
            spin(world);
        }
        reading
    };
    let clocks = HostClocks::from_identities(&HOST);
    let mut common = CommonClock::new(clocks.clone(), GRANULARITY_NS);
    common.add(&compare_clocks(world, &clocks, &now_ns).expect("compared"));
    let moments: Vec<u64> = (0..100)
        .map(|_| {
            std::thread::sleep(std::time::Duration::from_micros(50));
            true_ns(world)
        })
        .collect();
    common.add(&compare_clocks(world, &clocks, &now_ns).expect("compared"));
    let share = |reading: u64, moment: u64, uncertainty: u64| {
        reading.abs_diff(PlantedClock::TRUE.read(moment)) as f64 / uncertainty as f64
    };
    let mut worst = [0.0f64; 2];
    for moment in moments {
        let stamp = common.correct(world.rank(), own.read(moment));
        worst[0] = worst[0].max(share(own.read(moment), moment, stamp.uncertainty_ns));
        worst[1] = worst[1].max(share(stamp.reference_ns, moment, stamp.uncertainty_ns));
    }
    worst
}

/// By rank: the worst shares.
fn shares(far: PlantedClock, slow: SlowWay) -> Vec<[f64; 2]> {
    let job: RankFunction =
        Arc::new(move |transport| Box::new(rank(&World::new(transport), far, slow)) as Box<dyn Any + Send>);
    let ended = LocalThreads::DEFAULT.run(HOST.len(), Some(std::time::Duration::from_secs(60)), job).ranks;
    let unwrap = |ended| match ended {
        RankTermination::Returned(value) => *Box::<dyn Any + Send>::downcast(value).expect("shares"),
        other => panic!("{other:?}"),
    };
    ended.into_iter().map(unwrap).collect()
}

#[test]
fn the_true_time_lies_within_the_uncertainty_and_without_the_correction_it_does_not() {
    for far in planted() {
        for slow in [SlowWay::Neither, SlowWay::There, SlowWay::Back] {
            let found = shares(far, slow);
            for (rank, [uncorrected, corrected]) in found.into_iter().enumerate() {
                assert!(corrected <= 1.0, "{far:?}, {slow:?}, rank {rank}: {corrected}");
                let is_planted = HOST[rank] == 1 && (far.offset_ns, far.drift_ppm) != (0, 0);
                assert_eq!(uncorrected > 1.0, is_planted, "{far:?}, {slow:?}, rank {rank}: {uncorrected}");
            }
        }
    }
}
