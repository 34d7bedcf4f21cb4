//! Jobs of a real Slurm on several hosts: `srun`, `salloc` and `sbatch`.
use std::{fs, process::Command, time::Duration};

use wb_tests::hosts::{HostsError, PARTITION, TestHosts};

use crate::{
    jobs::{RANKS, add_rank, end_while_running, is_open_mpi, launcher, run, wrong_places},
    output_of,
    rank::Role,
    wait_until,
};

/// For what Slurm does between its intervals.
const SOON: Duration = Duration::from_secs(20);

/// For what Slurm does every 30 s.
const INTERVAL: Duration = Duration::from_secs(90);

/// The protocol by which Slurm starts ranks of the linked MPI.
fn protocol() -> &'static str {
    if is_open_mpi() { "pmix" } else { "pmi2" }
}

/// The protocol by which ranks of the linked MPI do not find each other: those of Open MPI then end, and those of MPICH are each a
/// world of its own.
fn wrong_protocol() -> &'static str {
    if is_open_mpi() { "none" } else { "pmix" }
}

/// Slurm's own launcher on the first host, for two ranks on each of two hosts.
fn srun(hosts: &TestHosts, role: Role, protocol: &str) -> Command {
    let mut command = hosts.command(0, "srun");
    command.args(["--nodes=2", "--ntasks-per-node=2", &format!("--mpi={protocol}")]);
    add_rank(&mut command, hosts, role);
    command
}

/// The output of a script on the login node.
fn login(hosts: &TestHosts, script: &str) -> String {
    let mut command = hosts.command(0, "bash");
    command.args(["-euc", script]);
    output_of(command).trim().to_owned()
}

/// The state of a job and its reason: `TIMEOUT TimeLimit`.
fn state(hosts: &TestHosts, job: &str) -> String {
    let text = login(hosts, &format!("scontrol show job {job}"));
    let field = |name| {
        let found = text.split_whitespace().find_map(|word| word.strip_prefix(name));
        found.unwrap_or_default().to_owned()
    };
    format!("{} {}", field("JobState="), field("Reason="))
}

pub(crate) fn slurm_starts_ranks_on_every_host() -> Result<(), HostsError> {
    let hosts = TestHosts::start_with_slurm(2, 2)?;
    assert_eq!(hosts.partition(), Some(PARTITION));
    let job = run(&hosts, srun(&hosts, Role::Observe, protocol()));
    assert_eq!(wrong_places(&job), [""; 0], "{}", job.output);
    assert!(job.success, "{}", job.output);
    assert_eq!((hosts.processes(0), hosts.processes(1)), (vec![], vec![]));
    Ok(())
}

pub(crate) fn canary_ranks_of_the_wrong_protocol_are_found() -> Result<(), HostsError> {
    let hosts = TestHosts::start_with_slurm(2, 2)?;
    let job = run(&hosts, srun(&hosts, Role::Observe, wrong_protocol()));
    assert_eq!(wrong_places(&job).len(), RANKS, "{:?}\n{}", job.by_rank, job.output);
    match is_open_mpi() {
        true => assert!(!job.success && job.output.contains("OMPI was not built with"), "{}", job.output),
        false => assert!(job.by_rank[0].contains("size 1 nodes [0]"), "{:?}\n{}", job.by_rank, job.output),
    }
    Ok(())
}

/// Both launchers find the hosts in the variables of Slurm.
pub(crate) fn the_launcher_uses_the_hosts_of_an_allocation() -> Result<(), HostsError> {
    let hosts = TestHosts::start_with_slurm(2, 2)?;
    let mut command = hosts.command(0, "salloc");
    command.args(["--quiet", "--nodes=2", "--ntasks-per-node=2", &launcher()]);
    add_rank(&mut command, &hosts, Role::Observe);
    let job = run(&hosts, command);
    assert_eq!(wrong_places(&job), [""; 0], "{}", job.output);
    assert!(job.success, "{}", job.output);
    Ok(())
}

pub(crate) fn scripts_and_arrays_run_and_jobs_are_cancelled() -> Result<(), HostsError> {
    let hosts = TestHosts::start_with_slurm(2, 2)?;
    let shared = hosts.shared_folder();
    let script = "#!/bin/sh\necho \"$SLURM_ARRAY_TASK_ID of $SLURM_ARRAY_TASK_COUNT on $(hostname)\"\n";
    fs::write(hosts.outside().join("script"), script).expect("a file");
    let folder = shared.display();
    login(&hosts, &format!("sbatch --wait --array=1-6 --output={folder}/%a.txt {folder}/script"));
    for task in 1..=6 {
        let text = fs::read_to_string(hosts.outside().join(format!("{task}.txt"))).expect("an output");
        let hosts = ["wb1", "wb2"].map(|host| format!("{task} of 6 on {host}\n"));
        assert!(hosts.contains(&text), "{text:?}");
    }
    let failed = hosts.command(0, "sbatch").args(["--wait", "--wrap=exit 3", "--output=/dev/null"]).status();
    assert_eq!(failed.expect("sbatch starts").code(), Some(3));
    let job = login(&hosts, "sbatch --parsable --output=/dev/null --wrap='sleep 1000'");
    wait_until("the job runs", SOON, || state(&hosts, &job) == "RUNNING None");
    login(&hosts, &format!("scancel {job}"));
    wait_until("the job is cancelled", SOON, || state(&hosts, &job).starts_with("CANCELLED"));
    wait_until("nothing of it is left", SOON, || hosts.processes(0).is_empty());
    Ok(())
}

/// Slurm looks at limits, and at hosts that do not answer, every 30 s: so one test waits for both. The shortest limit is a minute; the
/// end of the job is set earlier.
pub(crate) fn jobs_end_at_their_time_limit_and_with_their_host() -> Result<(), HostsError> {
    let mut hosts = TestHosts::start_with_slurm(3, 2)?;
    let sbatch = "sbatch --parsable --time=1 --nodelist=wb3 --output=/dev/null --wrap='sleep 1000'";
    let limited = login(&hosts, sbatch);
    wait_until("the job runs", SOON, || state(&hosts, &limited) == "RUNNING None");
    login(&hosts, &format!("scontrol update jobid={limited} EndTime=now+1"));
    let command = srun(&hosts, Role::Wait, protocol());
    let job = end_while_running(&mut hosts, command, INTERVAL, |hosts| hosts.kill(1));
    let job = job.unwrap_or_else(|error| panic!("{error}"));
    assert!(!job.success && job.output.contains("Node failure on wb2"), "{}", job.output);
    wait_until("no rank is left", SOON, || hosts.processes(0).is_empty());
    let node = || login(&hosts, "sinfo --noheader --nodes=wb2 --format=%T");
    wait_until("the node is down", SOON, || node().starts_with("down"));
    wait_until("the job ends", INTERVAL, || state(&hosts, &limited) == "TIMEOUT TimeLimit");
    wait_until("nothing of it is left", SOON, || hosts.processes(2).is_empty());
    Ok(())
}
