//! Jobs of the MPI that is linked, on several hosts: its own launcher, by `ssh`.
use std::{
    env, fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use wb_comm::ProcessRanks;
use wb_process::launcher_environment;
use wb_tests::{
    hosts::{HostProcess, HostsError, TestHosts},
    job::{JobOutput, run_to_end},
};

use crate::{
    output_of,
    rank::{MESSAGE_LENGTH, Role},
    wait_until,
};

/// Ranks of a job: two hosts with two slots.
pub(crate) const RANKS: usize = 4;

/// For a whole job.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// For what follows the loss of a host.
const SOON: Duration = Duration::from_secs(30);

/// Is the linked MPI Open MPI?
pub(crate) fn is_open_mpi() -> bool {
    wb_mpi::MPI.library().implementation == "Open MPI"
}

/// Appends this program, as a rank, to the command of a launcher.
pub(crate) fn add_rank(command: &mut Command, hosts: &TestHosts, role: Role) {
    launcher_environment(command, RANKS);
    command.arg(env::current_exe().expect("this program")).arg(role.word()).arg(hosts.shared_folder());
}

/// The arguments by which the launcher gets the hosts of the set from a file.
pub(crate) fn add_hostfile(command: &mut Command, hosts: &TestHosts) {
    let (option, text) = match is_open_mpi() {
        true => ("--hostfile", hosts.open_mpi_hostfile()),
        false => ("-f", hosts.mpich_hostfile()),
    };
    fs::write(hosts.outside().join("hostfile"), text).expect("a file");
    command.arg(option).arg(hosts.shared_folder().join("hostfile"));
}

/// The name of the launcher.
pub(crate) fn launcher() -> String {
    wb_mpi::MPI.library().launchers.first().expect("a launcher").clone()
}

/// The launcher on the first host, for all hosts.
fn launch(hosts: &TestHosts, role: Role, options: &[&str]) -> Command {
    let mut command = hosts.command(0, launcher());
    command.args(["-n", &RANKS.to_string()]).args(options);
    add_hostfile(&mut command, hosts);
    add_rank(&mut command, hosts, role);
    command
}

/// Runs a job to its end; what its ranks wrote into the shared folder.
pub(crate) fn run(hosts: &TestHosts, command: Command) -> JobOutput {
    run_to_end(command, RANKS, &hosts.outside(), LIMIT).unwrap_or_else(|error| panic!("{error}"))
}

/// The reasons why these are not the files of two ranks on each of two hosts, of one world.
pub(crate) fn wrong_places(job: &JobOutput) -> Vec<String> {
    let expected = |rank: usize| format!("wb{} size 4 nodes [0, 0, 1, 1] sum 6", rank / 2 + 1);
    let ranks = job.by_rank.iter().enumerate();
    let wrong = ranks.filter(|(rank, found)| **found != expected(*rank));
    wrong.map(|(rank, found)| format!("rank {rank}: {found:?}, not {:?}", expected(rank))).collect()
}

/// The bytes that a host has sent through a device.
fn sent_bytes(hosts: &TestHosts, host: usize, device: &str) -> usize {
    let mut command = hosts.command(host, "cat");
    command.arg("/proc/net/dev");
    let text = output_of(command);
    let line = text.lines().find_map(|line| line.trim().strip_prefix(device)?.strip_prefix(':'));
    let field = line.and_then(|line| line.split_whitespace().nth(8)).expect("a device");
    field.parse().expect("a number")
}

/// How the long message went: it crosses from host to host twice, and passes inside of each host once.
fn wrong_ways(hosts: &TestHosts) -> Vec<String> {
    let mut wrong = vec![];
    for host in 0..2 {
        let (outside, inside) = (sent_bytes(hosts, host, "eth0"), sent_bytes(hosts, host, "lo"));
        if !(MESSAGE_LENGTH..2 * MESSAGE_LENGTH).contains(&outside) {
            wrong.push(format!("host {host} sent {outside} bytes to the other one"));
        }
        if inside >= MESSAGE_LENGTH {
            wrong.push(format!("host {host} sent {inside} bytes to itself"));
        }
    }
    wrong
}

pub(crate) fn the_launcher_starts_ranks_on_every_host() -> Result<(), HostsError> {
    let hosts = TestHosts::start(2, 2)?;
    let job = run(&hosts, launch(&hosts, Role::Observe, &[]));
    assert_eq!(wrong_places(&job), [""; 0], "{}", job.output);
    assert_eq!(wrong_ways(&hosts), [""; 0]);
    assert!(job.success, "{}", job.output);
    for host in 0..2 {
        assert_eq!(hosts.processes(host), []);
        let mut list = hosts.command(host, "ls");
        list.arg("/dev/shm");
        assert_eq!(output_of(list), "", "memory is left");
    }
    Ok(())
}

pub(crate) fn canary_ranks_without_shared_memory_are_found() -> Result<(), HostsError> {
    let hosts = TestHosts::start(2, 2)?;
    let options: &[&str] = if is_open_mpi() { &["--mca", "btl", "self,tcp"] } else { &[] };
    let mut command = launch(&hosts, Role::Observe, options);
    command.env("MPIR_CVAR_NOLOCAL", "1").env("UCX_TLS", "tcp,self");
    let job = run(&hosts, command);
    assert!(job.success, "{}", job.output);
    let found = wrong_ways(&hosts);
    assert!(found.iter().any(|reason| reason.ends_with("bytes to itself")), "{found:?}");
    Ok(())
}

pub(crate) fn canary_ranks_on_one_host_are_found() -> Result<(), HostsError> {
    let hosts = TestHosts::start(1, 4)?;
    let job = run(&hosts, launch(&hosts, Role::Observe, &[]));
    assert!(job.success, "{}", job.output);
    let expected: Vec<_> = (0..RANKS).map(|_| "wb1 size 4 nodes [0, 0, 0, 0] sum 6".to_owned()).collect();
    assert_eq!(job.by_rank, expected);
    assert_eq!(wrong_places(&job).len(), RANKS);
    Ok(())
}

/// Waits until every rank has written that it waits.
pub(crate) fn wait_for_ranks(folder: &Path) {
    let text = |rank: usize| fs::read_to_string(folder.join(rank.to_string())).unwrap_or_default();
    wait_until("every rank waits", LIMIT, || (0..RANKS).all(|rank| text(rank) == "waits"));
}

/// The end of a host while its ranks run: how the job ended.
pub(crate) fn end_while_running(
    hosts: &mut TestHosts,
    command: Command,
    limit: Duration,
    end: impl FnOnce(&mut TestHosts) + Send,
) -> Result<JobOutput, String> {
    let folder = hosts.outside();
    let started = Instant::now();
    std::thread::scope(|scope| {
        let job = scope.spawn(|| run_to_end(command, RANKS, &folder, limit));
        wait_for_ranks(&folder);
        eprintln!("ranks run after {:.1?}", started.elapsed());
        let ended = Instant::now();
        end(hosts);
        let result = job.join().expect("no panic");
        eprintln!("the job ended after {:.1?}", ended.elapsed());
        result
    })
}

pub(crate) fn the_end_of_a_host_ends_its_job() -> Result<(), HostsError> {
    let mut hosts = TestHosts::start(2, 2)?;
    let command = launch(&hosts, Role::Wait, &[]);
    let job = end_while_running(&mut hosts, command, LIMIT, |hosts| hosts.kill(1));
    let job = job.unwrap_or_else(|error| panic!("{error}"));
    assert!(!job.success, "{}", job.output);
    wait_until("no rank is left", SOON, || hosts.processes(0).is_empty());
    Ok(())
}

/// No packet says that the host has ended, so only a limit ends the job. Then no rank is left; the connection to the lost host, which
/// waits for an answer, stays until the system gives it up.
pub(crate) fn a_host_that_is_cut_off_does_not_end_its_job() -> Result<(), HostsError> {
    let mut hosts = TestHosts::start(2, 2)?;
    let command = launch(&hosts, Role::Wait, &[]);
    let limit = Duration::from_secs(12);
    let job = end_while_running(&mut hosts, command, limit, |hosts| {
        hosts.disconnect(1).expect("a link");
        hosts.kill(1);
    });
    let error = job.err().expect("the job waits for its limit");
    assert!(error.starts_with("not done after 12s"), "{error}");
    let is_connection = |process: &HostProcess| process.name == "ssh";
    wait_until("no rank is left", SOON, || hosts.processes(0).iter().all(is_connection));
    Ok(())
}
