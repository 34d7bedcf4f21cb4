//! The laboratory with ranks that read two clocks: rank 1 of its jobs is in a time namespace, so its clock is 5 s ahead.
use std::{env, fs, process::Command, thread, time::Duration};

use wb_comm::{Barrier, Result};
use wb_laboratory::InjectedFault;
use wb_record::{BarrierLine, BarrierOutcome, BarrierSeries};

use crate::time_namespace::AHEAD_S;

/// Set for the laboratory whose ranks read two clocks.
pub(crate) const SEVERAL: &str = "WB_TEST_SEVERAL_CLOCKS";

/// A barrier of which rank 0 leaves 20 ms too early: more than the clocks are uncertain by.
pub(crate) const INJECTED: &[InjectedFault] = &[InjectedFault {
    name: "canary_leaves",
    barrier: |transport| Ok(Box::new(EarlyLeaver(transport.rank()))),
}];

struct EarlyLeaver(usize);

impl Barrier for EarlyLeaver {
    fn wait(&mut self) -> Result<()> {
        if self.0 == 1 {
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

/// The records of a quick run on two ranks.
fn measure() -> Vec<BarrierSeries> {
    let folder = tempfile::tempdir().expect("a folder");
    let records = folder.path().join("records");
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args([
        "--lang",
        "en",
        "--quick",
        "--ranks",
        "2",
        "--seed",
        "7",
        "--substrate",
        "messages,mpi,cells",
    ]);
    command.args(["--only", "dissemination,mpi_barrier,canary_leaves", "--records"]).arg(&records);
    let output = command.env(SEVERAL, "1").output().expect("it starts");
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "one form must fail\n{shown}");
    let series = |line| if let BarrierLine::BarrierSeries(series) = line { Some(*series) } else { None };
    let text = fs::read_to_string(&records).expect("records");
    BarrierLine::read_all(&text).expect("readable").into_iter().filter_map(series).collect()
}

pub(crate) fn barriers_of_two_clocks_are_measured_as_on_one() {
    let all = measure();
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
