//! Ranks of running jobs that are observed, as by `cargo wb top`: their stages, calls and lines.
use std::{
    process::Command,
    thread,
    time::{Duration, Instant},
};

use wb_comm::Verb;
use wb_process::{
    Job, before_main,
    job_status::{self, RankStatus},
};
use wb_runner::launch;
use wb_tests::canary_runner::canaries;

/// Rank 1 computes after a receive, and rank 0 waits for it in a barrier.
const TEST: &str = "slow::a_loop_does_not_end";

/// How long a job may take to start and to answer.
const SOON: Duration = Duration::from_secs(180);

/// The two ranks of the job of this command on these backends, once they are in `run` and as expected.
fn observed(
    mut command: Command,
    backends: &str,
    is_expected: impl Fn(&[RankStatus; 2]) -> bool,
) -> [RankStatus; 2] {
    let name = format!("observed-{backends}");
    command.args(["--exact", TEST]).env("CARGO_PKG_NAME", &name).env("WB_TEST_BACKENDS", backends);
    command.env("WB_TASK_MAX_TIME", "1800").env("WBTEST_CANARY_RANKS", "2");
    command.current_dir(wb_tests::sources::root().join("tests"));
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("output");
    let job = Job::spawn_to_files(command, &output, &output).expect("it starts");
    let state = [before_main::state_folder().expect("a folder")];
    let start = Instant::now();
    loop {
        let found = job_status::observe(&state).into_iter().find(|(found, _)| found.program == name);
        let ranks = found.and_then(|(found, _)| <[RankStatus; 2]>::try_from(found.ranks?).ok());
        let are_in_run =
            |ranks: &[RankStatus; 2]| ranks.iter().all(|rank| rank.stage.as_deref() == Some("run"));
        if let Some(ranks) = ranks.as_ref().filter(|ranks| are_in_run(ranks) && is_expected(ranks)) {
            job.wait(Duration::ZERO).expect("its end");
            return ranks.clone();
        }
        assert!(start.elapsed() < SOON, "{ranks:#?}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn assert_processes(command: Command, backends: &str) {
    let have_come = |[waiting, computing]: &[RankStatus; 2]| {
        waiting.call.is_some() && computing.call.is_none() && computing.last_call.is_some()
    };
    let [waiting, computing] = observed(command, backends, have_come);
    let barrier = waiting.call.as_ref().expect("it waits");
    assert!(barrier.verb == Verb::Barrier && barrier.file.ends_with("slow.rs"), "{barrier:?}");
    let last = computing.last_call.as_ref().expect("it has received");
    assert!(last.call == "recv" && last.file.ends_with("number_task.rs") && last.line > 0, "{last:?}");
    assert_eq!((waiting.sent_bytes, computing.sent_bytes), (Some(8), Some(0)));
    for rank in [waiting, computing] {
        assert!(rank.since.is_some_and(|since| since < SOON), "{rank:?}");
        assert_eq!(rank.host, wb_process::identity::host_name());
    }
}

#[test]
fn ranks_of_mpirun_and_of_a_plain_run_show_stage_call_and_line_and_threads_their_stage() {
    let plain = || {
        let mut command = Command::new(canaries().path());
        wb_process::remove_launcher_variables(&mut command);
        command
    };
    if let Some(library) = canaries().library() {
        let launched = launch::on_ranks(&library, 2, &Command::new(canaries().path())).expect("a launcher");
        assert_processes(launched, "mpi,threads");
        assert_processes(plain(), "mpi");
    }
    let threads = observed(plain(), "threads", |_| true);
    assert!(threads.iter().all(|rank| rank.call.is_none() && rank.since.is_none()), "{threads:?}");
}
