//! The laboratory with ranks that read two clocks: rank 1 of its jobs is in a time namespace, so its clock is 5 s ahead.
use std::time::Duration;

use wb_laboratory::InjectedFault;
use wb_record::{BarrierOutcome, BarrierSeries};

use crate::{
    canaries::{EarlyLeaver, run},
    time_namespace::AHEAD_S,
};

/// Set for the laboratory whose ranks read two clocks.
pub(crate) const SEVERAL: &str = "WB_TEST_SEVERAL_CLOCKS";

/// A barrier of which rank 0 leaves 20 ms too early: more than the clocks are uncertain by.
pub(crate) const INJECTED: &[InjectedFault] = &[InjectedFault {
    name: "canary_leaves",
    barrier: |transport| Ok(Box::new(EarlyLeaver(transport.rank(), Duration::from_millis(20)))),
}];

pub(crate) fn barriers_of_two_clocks_are_measured_as_on_one() {
    let only = ["--substrate", "messages,mpi,cells", "--only", "dissemination,mpi_barrier,canary_leaves"];
    let (all, _) = run(&only, &[(SEVERAL, "1")]);
    let of_processes = |one: &&BarrierSeries| !one.compared.is_empty();
    let measured: Vec<&BarrierSeries> = all.iter().filter(of_processes).collect();
    assert!(measured.len() >= 4, "{all:?}");
    for series in measured {
        let [reference, other] = &series.compared[..] else { panic!("{:?}", series.compared) };
        assert_eq!((reference.offset_ns, other.first_rank), (0.0, 1));
        let ahead_ns = AHEAD_S as f64 * 1e9;
        assert!((other.offset_ns - ahead_ns).abs() <= other.uncertainty_ns, "{other:?}");
        assert_eq!(other.host, series.placement[0].host);
        let BarrierOutcome::Measured { launches } = &series.outcome else { continue };
        for launch in launches {
            let bound_ns = launch.uncertainty_ns.expect("two clocks");
            assert!(bound_ns as f64 >= 2.0 && bound_ns < 1_000_000_000, "{bound_ns}");
            let longest = launch.latency_ns.iter().chain(&launch.skew_ns).max().expect("samples");
            assert!(*longest < 4_000_000_000, "an offset that is not removed is 5 s: {longest} ns");
        }
    }
    let outcome = |name: &str| &all.iter().find(|one| one.form.variant == name).expect("a record").outcome;
    let early = outcome("canary_leaves");
    let is_named =
        matches!(early, BarrierOutcome::Failed { reason } if reason.contains("before rank 1 had entered"));
    assert!(is_named, "{early:?}");
    assert!(matches!(outcome("mpi_barrier"), BarrierOutcome::Measured { launches } if launches.len() == 2));
}
