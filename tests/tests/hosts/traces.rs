//! A trace of ranks on two hosts whose clocks differ: the times are those of one clock, and the trace says how exact they are.
use wb_messages::Lang;
use wb_record::{
    Trace,
    trace_analysis::{CausalityViolations, analyse, truncate},
};
use wb_tests::hosts::{HostsError, TestHosts};

use crate::commands::{host_file, in_task, target_of, text};

/// How far the clock of the second host is ahead.
const AHEAD_S: u32 = 60;

/// The bound of the error of a correction: half of a round trip over the bridge, on cores that are shared.
const MAX_ERROR_NS: f64 = 50e6;

fn violations(trace: &Trace) -> CausalityViolations {
    analyse(&truncate(&trace.ranks).ranks).expect("a sound trace").violations
}

/// A trace of a task on both hosts.
fn trace(hosts: &TestHosts) -> Trace {
    let (folder, program) = target_of("example_p_matmul_strips", ["--bench", "performance"]);
    let mut command = hosts.command_in(0, &folder, &program);
    in_task(&mut command, &folder);
    command.env("WB_HOSTS", host_file(hosts, "wb1:2\nwb2:2\n")).env("WB_PERF_MAX_TIME", "30");
    command.args(["--bench", "--wb-quick", "--wb-ranks", "4", "--wb-trace"]);
    let output = command.arg(hosts.shared_folder().join("trace.json")).output().expect("it starts");
    assert!(output.status.success(), "{}", text(&output));
    let line = std::fs::read_to_string(hosts.outside().join("trace.json")).expect("a trace");
    Trace::parse_line(line.trim_end()).expect("readable")
}

pub(crate) fn a_trace_of_two_hosts_has_the_times_of_one_clock() -> Result<(), HostsError> {
    let hosts = TestHosts::start(2, 2)?;
    hosts.shift_clock(1, AHEAD_S)?;
    let corrected = trace(&hosts);
    let places: Vec<(&str, &[u32])> =
        corrected.environment.placement.iter().map(|host| (host.host.as_str(), &host.ranks[..])).collect();
    assert_eq!(places, [("wb1", &[0, 1][..]), ("wb2", &[2, 3][..])]);
    let clock = &corrected.environment.clock;
    let offset_s = clock.compared[1].offset_ns / 1e9;
    assert!((offset_s - f64::from(AHEAD_S)).abs() < 0.1, "{clock:?}");
    let error_ns = clock.uncertainty_ns.expect("two clocks");
    assert!(error_ns > 0.0 && error_ns < MAX_ERROR_NS, "{clock:?}");
    assert_eq!(violations(&corrected), CausalityViolations::default());
    let shown = wb_report::trace::terminal(&corrected, Lang::En).expect("a sound trace");
    assert!(shown.contains("wb1 (0, 1), wb2 (2, 3)") && shown.contains("2 clocks"), "{shown}");
    canary_without_the_correction_messages_arrive_too_early(corrected);
    Ok(())
}

/// The same trace with the readings of each host's own clock.
fn canary_without_the_correction_messages_arrive_too_early(mut trace: Trace) {
    let ahead_ns = trace.environment.clock.compared[1].offset_ns as u64;
    trace.ranks[2..].iter_mut().for_each(|rank_trace| rank_trace.map_times(|stamp_ns| stamp_ns + ahead_ns));
    let found = violations(&trace);
    assert!(found.messages + found.collective_calls > 0, "{found:?}");
    assert!(found.largest_ns > ahead_ns / 2, "{found:?}");
    let shown = wb_report::trace::terminal(&trace, Lang::En).expect("a sound trace");
    assert!(shown.contains("The times contradict each other"), "{shown}");
}
