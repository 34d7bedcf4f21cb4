//! Ranks of running jobs that somebody looks at, as `cargo wb top` does: their stages, calls and lines, and nothing where nobody looks.
use std::{
    process::Command,
    thread,
    time::{Duration, Instant},
};

use wb_comm::Verb;
use wb_process::{
    Job, before_main,
    job_status::{self, JobWork, RankStatus},
};
use wb_runner::launch;
use wb_tests::canary_runner::canaries;

/// Rank 1 computes after a receive, and rank 0 waits for it in a barrier.
const TEST: &str = "slow::a_loop_does_not_end";

/// How long a job may take to start and to answer.
const SOON: Duration = Duration::from_secs(180);

/// The ranks of the job of this command, once they are as expected. `name` is what the job is found by.
fn observed(
    mut command: Command,
    name: &str,
    is_expected: impl Fn(&[RankStatus]) -> bool,
) -> Vec<RankStatus> {
    command.args(["--exact", TEST]).env("CARGO_PKG_NAME", name);
    command.env("WB_TASK_MAX_TIME", "1800").env("WBTEST_CANARY_RANKS", "2");
    command.current_dir(wb_tests::sources::root().join("tests"));
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("output");
    let job = Job::spawn_to_files(command, &output, &output).expect("it starts");
    let state = [before_main::state_folder().expect("a folder")];
    let (start, mut last) = (Instant::now(), None);
    let ranks = loop {
        let found = job_status::observe(&state).into_iter().find(|found| found.status.program == name);
        if let Some(JobWork::Tests { run: Some(run), ranks, .. }) = found.map(|found| found.status.work) {
            assert_eq!((run.test.as_str(), run.ranks, run.input), (TEST, 2, 1));
            if is_expected(&ranks) {
                break ranks;
            }
            last = Some(ranks);
        }
        assert!(start.elapsed() < SOON, "{last:#?}");
        thread::sleep(Duration::from_millis(20));
    };
    job.wait(Duration::ZERO).expect("its end");
    ranks
}

fn are_in_run(ranks: &[RankStatus]) -> bool {
    ranks.len() == 2 && ranks.iter().all(|rank| rank.stage.as_deref() == Some("run"))
}

#[track_caller]
fn assert_processes(ranks: &[RankStatus]) {
    let [waiting, computing] = ranks else { panic!("{ranks:#?}") };
    let barrier = waiting.call.as_ref().expect("it waits");
    assert!(barrier.verb == Verb::Barrier && barrier.file.ends_with("slow.rs"), "{barrier:?}");
    let last = computing.last_call.as_ref().expect("it has received");
    assert_eq!((computing.call.as_ref(), last.call.as_str()), (None, "recv"));
    assert!(last.file.ends_with("number_task.rs") && last.line > 0, "{last:?}");
    assert_eq!((waiting.sent_bytes, computing.sent_bytes), (Some(8), Some(0)));
    assert!(ranks.iter().all(|rank| rank.since.is_some_and(|since| since < SOON)), "{ranks:?}");
    assert!(ranks.iter().all(|rank| rank.host == wb_process::identity::host_name()), "{ranks:?}");
}

/// Both have made all calls that they make.
fn have_come(ranks: &[RankStatus]) -> bool {
    are_in_run(ranks) && ranks[0].call.is_some() && ranks[1].call.is_none() && ranks[1].last_call.is_some()
}

#[test]
fn ranks_of_mpirun_show_stage_call_and_line() {
    let Some(library) = canaries().library() else { return };
    let launched = launch::on_ranks(&library, 2, &Command::new(canaries().path())).expect("a launcher");
    assert_processes(&observed(launched, "observed-launched", have_come));
}

#[test]
fn ranks_of_a_plain_run_show_the_same_and_threads_their_stage() {
    let plain = |backends: &str| {
        let mut command = Command::new(canaries().path());
        wb_process::remove_launcher_variables(&mut command);
        command.env("WB_TEST_BACKENDS", backends);
        command
    };
    if canaries().library().is_some() {
        assert_processes(&observed(plain("mpi"), "observed-plain", have_come));
    }
    let threads = observed(plain("threads"), "observed-threads", are_in_run);
    assert!(threads.iter().all(|rank| rank.call.is_none() && rank.since.is_none()), "{threads:?}");
}
