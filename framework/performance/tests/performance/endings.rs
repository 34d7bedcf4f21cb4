//! Tests of ranks that end abnormally: without memory, with processes left running, or not at all.
use super::*;

pub(super) fn memory_that_runs_out_is_the_reason() {
    let run = measure("greedy", "1,2", None);
    assert_eq!(run.output.status.code(), Some(1));
    let said =
        "rank 1 ran out of memory: it asked for 1.1 PB at framework/performance/tests/performance/adder.rs:";
    for failure in run.failures(Version::Mpi, 2) {
        let Some(SeriesFailure::Crashed { reason }) = failure else { panic!("{failure:?}") };
        assert!(reason.starts_with(said), "{reason}");
    }
    assert!(
        run.stderr_text().contains(said) && !run.stderr_text().contains("memory allocation"),
        "{}",
        run.stderr_text()
    );
}

#[cfg(target_os = "linux")]
pub(super) fn processes_left_behind_are_ended_and_named() {
    let run = measure("parent", "2", None);
    assert_eq!(run.output.status.code(), Some(1));
    for failure in run.failures(Version::Mpi, 2) {
        let Some(SeriesFailure::Crashed { reason }) = failure else { panic!("{failure:?}") };
        assert!(reason.contains("left behind by the task, and ended: "), "{reason}");
    }
    assert_eq!(running_daemons(), 0);
}

#[cfg(target_os = "linux")]
pub(super) fn a_rank_that_does_not_end_after_its_result_fails_its_launch() {
    let start = std::time::Instant::now();
    let run = measure("unended", "2", None);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert_eq!(run.output.status.code(), Some(1));
    for failure in run.failures(Version::Mpi, 2) {
        let Some(SeriesFailure::Crashed { reason }) = failure else { panic!("{failure:?}") };
        assert!(
            reason.starts_with("rank 1 has delivered its result and does not end (P = 2, threads)"),
            "{reason}"
        );
        assert!(reason.contains("framework/performance/tests/performance/adder.rs:"), "{reason}");
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn a_rank_that_does_not_end_after_its_result_fails_its_launch() {}

/// The number of running daemons of [`Manner::Parent`].
pub(super) fn running_daemons() -> usize {
    let processes = fs::read_dir("/proc").expect("proc is mounted").flatten();
    let is_left = |entry: &fs::DirEntry| {
        fs::read(entry.path().join("cmdline")).is_ok_and(|line| line.starts_with(b"sleep\x003603\0"))
    };
    processes.filter(is_left).count()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn processes_left_behind_are_ended_and_named() {}
