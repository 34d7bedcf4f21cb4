//! The laboratory with ranks that read two clocks: rank 1 of its jobs is in a time namespace, so its clock is 5 s ahead.
//!
//! This program is the laboratory and a rank, too. Without time namespaces the test is skipped and counted as skipped.
#![forbid(unsafe_code)]

#[path = "../../clocks/tests/namespaces/time_namespace.rs"]
mod time_namespace;

use std::{
    env, fs,
    process::{Command, ExitCode},
    thread,
    time::Duration,
};

use libtest_mimic::{Arguments, Trial};
use time_namespace::{AHEAD_S, enter_as_rank_1, why_missing};
use wb_comm::{Barrier, Result};
use wb_laboratory::{InjectedFault, main as laboratory};
use wb_process::launcher_rank;
use wb_record::{BarrierLine, BarrierOutcome, BarrierSeries};

/// A barrier of which rank 0 leaves 20 ms too early: more than the clocks are uncertain by.
const INJECTED: &[InjectedFault] = &[InjectedFault {
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

fn main() -> ExitCode {
    if launcher_rank().is_some() || env::args().any(|argument| argument == "--records") {
        enter_as_rank_1();
        return laboratory(INJECTED);
    }
    let missing = why_missing();
    if let Some(reason) = &missing {
        println!("skipped: {reason}");
    }
    let test = Trial::test("barriers_of_two_clocks_are_measured_as_on_one", || {
        barriers_of_two_clocks_are_measured_as_on_one();
        Ok(())
    });
    libtest_mimic::run(&Arguments::from_args(), vec![test.with_ignored_flag(missing.is_some())]).exit_code()
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
    let output = command.output().expect("it starts");
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "one form must fail\n{shown}");
    let series = |line| if let BarrierLine::BarrierSeries(series) = line { Some(*series) } else { None };
    let text = fs::read_to_string(&records).expect("records");
    BarrierLine::read_all(&text).expect("readable").into_iter().filter_map(series).collect()
}

fn barriers_of_two_clocks_are_measured_as_on_one() {
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
