//! Jobs of Slurm that end before their command: each is named as what it is, and what was measured until then is kept.
use std::{
    fs,
    path::PathBuf,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use wb_record::{Measurement, Record};
use wb_tests::{
    hosts::{HostsError, TestHosts, URGENT_PARTITION},
    sources,
};

use crate::{
    commands::{cargo_wb, text},
    output_of, wait_until,
};

const TASK: &str = "example_p_integral";

/// For the build of a benchmark and the first launch.
const START_LIMIT: Duration = Duration::from_secs(240);

/// The time in which a command ends whose job is ended. Slurm looks at time limits every 30 s, and a job has a moment to end.
const END_LIMIT: Duration = Duration::from_secs(60);

/// Measurements on two nodes that take longer than each of these tests.
fn measure(hosts: &TestHosts) -> Child {
    let words = [
        "perf",
        "-p",
        TASK,
        "-n",
        "2",
        "--slurm",
        "--nodes",
        "2",
        "--ranks-per-node",
        "1",
        "--minutes",
        "30",
    ];
    let mut command = cargo_wb(hosts, &words);
    command.env("WB_PERF_MAX_TIME", "30").stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

fn records_file() -> PathBuf {
    sources::root().join("target/wb/records").join(format!("{TASK}.jsonl"))
}

/// The records that are written completely.
fn records() -> Vec<Record> {
    let text = fs::read_to_string(records_file()).unwrap_or_default();
    wb_record::read_all(text.rfind('\n').map_or("", |end| &text[..=end])).expect("records")
}

fn launches() -> usize {
    records().iter().filter(|record| matches!(record.measurement, Measurement::Timing(_))).count()
}

/// The output of a script on the login node.
fn login(hosts: &TestHosts, script: &str) -> String {
    let mut command = hosts.command(0, "bash");
    command.args(["-euc", script]);
    output_of(command)
}

/// Measures until a launch is recorded, lets `end` end the job, and asserts that the command says one of `reasons`, fails, keeps the
/// records and leaves no process on these hosts.
fn assert_ends(
    hosts: &mut TestHosts,
    job: usize,
    (what, reasons): (&str, &[&str]),
    end: impl FnOnce(&mut TestHosts, usize),
) {
    // A file of an earlier run is not evidence.
    drop(fs::remove_file(records_file()));
    let running = measure(hosts);
    wait_until("a launch is recorded", START_LIMIT, || launches() > 0);
    let recorded = launches();
    let ended = Instant::now();
    end(hosts, job);
    let output = running.wait_with_output().expect("its end");
    let shown = text(&output);
    eprintln!("{what}: the command ended after {:.1?}", ended.elapsed());
    assert_eq!(output.status.code(), Some(1), "{what}\n{shown}");
    assert!(ended.elapsed() < END_LIMIT, "{what}: {:.1?}\n{shown}", ended.elapsed());
    assert!(reasons.iter().any(|reason| shown.contains(reason)), "{what}: none of {reasons:?} in\n{shown}");
    let found = records();
    assert!(launches() >= recorded, "{what}: records were lost");
    let has_outcome = |record: &Record| matches!(record.measurement, Measurement::Outcome(_));
    assert!(!found.iter().any(has_outcome), "{what}: a run that was not finished has no outcome");
    wait_until("no process is left", END_LIMIT, || hosts.processes(0).is_empty());
}

pub(crate) fn a_job_that_slurm_ends_is_named_as_that_and_keeps_its_records() -> Result<(), HostsError> {
    let mut hosts = TestHosts::start_with_slurm(2, 2)?;
    assert_ends(&mut hosts, 1, ("cancelled", &["job 1 was cancelled"]), |hosts, job| {
        login(hosts, &format!("scancel {job}"));
    });
    assert_ends(&mut hosts, 2, ("preempted", &["job 2 was preempted by another job"]), |hosts, _| {
        login(
            hosts,
            &format!(
                "sbatch --partition={URGENT_PARTITION} --nodes=2 --exclusive --output=/dev/null --wrap='sleep 1'"
            ),
        );
    });
    // From the end of its time on it gets no launch, which its command may notice before Slurm ends it.
    let limit = ["job 4 reached its time limit", "the job of Slurm has reached its time limit"];
    assert_ends(&mut hosts, 4, ("time limit", &limit), |hosts, job| {
        login(hosts, &format!("scontrol update jobid={job} EndTime=now+1"));
    });
    // Where the ranks are missed before Slurm misses the node, the command says so itself.
    let lost = [
        "job 5 lost a node: wb2.",
        "on host wb2: it is stopped, or its host",
        "Slurm has lost the node(s) wb2",
    ];
    assert_ends(&mut hosts, 5, ("lost node", &lost), |hosts, _| hosts.kill(1));
    Ok(())
}

pub(crate) fn a_job_that_waits_for_ever_shows_its_reason() -> Result<(), HostsError> {
    let hosts = TestHosts::start_with_slurm(2, 2)?;
    login(&hosts, "scontrol update partitionname=test state=down");
    let running = measure(&hosts);
    let queue = || login(&hosts, "squeue --noheader --format='%T %r'");
    wait_until("the job waits", START_LIMIT, || queue().contains("PartitionDown"));
    // The command asks every second.
    std::thread::sleep(Duration::from_secs(3));
    let cancelled = Instant::now();
    login(&hosts, "scancel 1");
    let output = running.wait_with_output().expect("its end");
    let shown = text(&output);
    assert!(output.status.code() == Some(1) && cancelled.elapsed() < END_LIMIT, "{}\n{shown}", output.status);
    assert!(shown.contains("job 1 waits in the queue: PartitionDown"), "{shown}");
    assert!(shown.contains("job 1 was cancelled"), "{shown}");
    Ok(())
}
