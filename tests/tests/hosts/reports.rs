//! Reports whose launches are measured by jobs of Slurm.
use std::{
    fs,
    path::PathBuf,
    process::Stdio,
    time::{Duration, Instant},
};

use wb_record::{Measurement, Record, Version};
use wb_tests::{
    hosts::{HostsError, TestHosts},
    sources,
};

use crate::{
    commands::{cargo_wb, text},
    output_of, wait_until,
};

const TASK: &str = "example_p_integral";

/// For the build of a benchmark and a quick run.
const LIMIT: Duration = Duration::from_secs(400);

/// The time in which a command ends whose job was cancelled.
const CANCELLED_WITHIN: Duration = Duration::from_secs(50);

/// A quick report of two numbers of ranks on two nodes.
const AS_JOBS: [&str; 12] = [
    "report",
    "-p",
    TASK,
    "--quick",
    "-n",
    "1,2",
    "--slurm",
    "--nodes",
    "2",
    "--ranks-per-node",
    "1",
    "--array",
];

/// The records of the report, which the host of the login sees in a folder of its own.
fn records(hosts: &TestHosts) -> Vec<Record> {
    let mut command = hosts.command(0, "cat");
    command.arg(sources::root().join("reports").join(TASK).join("records.jsonl"));
    wb_record::read_all(&output_of(command)).expect("records")
}

/// The number of launches of the parallel version on two ranks, and the hosts of each.
fn launches(records: &[Record]) -> (usize, Vec<usize>) {
    let of_two = records.iter().filter_map(|record| match &record.measurement {
        Measurement::Timing(timing)
            if timing.series.version == Version::Mpi
                && timing.series.ranks == 2
                && timing.series.mode == wb_record::TimedRegion::TaskRun =>
        {
            Some((timing.launch, record.environment.placement.len()))
        }
        _ => None,
    });
    let mut launches: Vec<_> = of_two.collect();
    launches.sort_unstable();
    launches.dedup_by_key(|(launch, _)| *launch);
    (launches.len(), launches.into_iter().map(|(_, hosts)| hosts).collect())
}

/// The number of outcomes, of which a whole run has one for each series.
fn outcomes(records: &[Record]) -> usize {
    records.iter().filter(|record| matches!(record.measurement, Measurement::Outcome(_))).count()
}

pub(crate) fn a_report_is_measured_by_an_array_of_jobs() -> Result<(), HostsError> {
    let hosts = TestHosts::start_with_slurm(2, 2)?;
    // The reports of this repository are not for tests.
    hosts.limit_folder(0, &sources::root().join("reports"), 64 << 20)?;
    let parts = sources::root().join("target/wb/parts").join(TASK);
    drop(fs::remove_dir_all(&parts));
    let whole = cargo_wb(&hosts, &[&AS_JOBS[..], &["2"]].concat()).output().expect("it starts");
    let shown = text(&whole);
    assert!(whole.status.success(), "{}\n{shown}", whole.status);
    for part in ["job 1_0 submitted", "job 1_1 runs on wb[1-2]", "run 1: records of 2 of 2 parts"] {
        assert!(shown.contains(part), "no `{part}` in\n{shown}");
    }
    let found = records(&hosts);
    assert_eq!(launches(&found), (2, vec![2; 2]), "two launches on two hosts\n{shown}");
    assert!(
        outcomes(&found) > 0
            && found.iter().any(|record| matches!(record.measurement, Measurement::Trace(_)))
    );
    cancelled_job_leaves_its_launches(&hosts, &parts);
    Ok(())
}

/// A job that is cancelled after its first launch: the report has this launch, and says that the run was not finished.
fn cancelled_job_leaves_its_launches(hosts: &TestHosts, parts: &std::path::Path) {
    let mut command = cargo_wb(hosts, &[&AS_JOBS[..], &["1"]].concat());
    let running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut file = PathBuf::new();
    wait_until("a launch of two ranks is recorded", LIMIT, || {
        let runs = fs::read_dir(parts).into_iter().flatten().flatten();
        file =
            runs.map(|run| run.path().join("0-of-1.jsonl")).find(|file| file.is_file()).unwrap_or_default();
        let text = fs::read_to_string(&file).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        launches(&wb_record::read_all(whole).unwrap_or_default()).0 > 0
    });
    let run =
        file.parent().and_then(|folder| folder.file_name()).expect("a run").to_string_lossy().into_owned();
    let mut cancel = hosts.command(0, "scancel");
    cancel.arg(&run);
    output_of(cancel);
    let cancelled = Instant::now();
    let output = running.wait_with_output().expect("its end");
    let shown = text(&output);
    assert!(
        cancelled.elapsed() < CANCELLED_WITHIN && output.status.code() == Some(1),
        "{}\n{shown}",
        output.status
    );
    assert!(shown.contains(&format!("run {run}, part 0 ended before its last launch")), "{shown}");
    let kept = records(hosts);
    assert!(launches(&kept).0 > 0 && outcomes(&kept) == 0, "{:?}", launches(&kept));
    // The same from the records alone, and another run by its name.
    let collect = |run: &str| {
        let words = ["report", "-p", TASK, "--collect", run];
        cargo_wb(hosts, &words).output().expect("it starts")
    };
    assert_eq!(collect(&run).status.code(), Some(1));
    let first = collect("1");
    assert!(first.status.success() && launches(&records(hosts)).0 == 2, "{}", text(&first));
    let unknown = collect("no_such_run");
    assert!(unknown.status.code() == Some(2) && text(&unknown).contains("there is no run `no_such_run`"));
}
