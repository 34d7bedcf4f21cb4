//! A set of hosts from its start to its end, however that comes about: nothing of it is left, and no other set is disturbed.
use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use wb_process::ProcessIdentity;
use wb_tests::hosts::{HostsError, Namespaces, TestHosts, descendants};

use crate::{
    leftovers::{MachineNames, leftovers},
    output_of,
    program::test_hosts,
    wait_until,
};

/// For the end of a set whose owner was killed.
const SOON: Duration = Duration::from_secs(10);

/// Namespaces of a host: network, host name, mounts, processes, shared memory.
const KINDS: usize = 5;

/// Starts a daemon and a file system on every host: what could outlive them.
fn occupy(hosts: &TestHosts) {
    for host in 0..hosts.names().len() {
        let mut command = hosts.command(host, "bash");
        let script =
            "mkdir /tmp/mount; mount -t tmpfs tmpfs /tmp/mount; ip link add dummy0 type dummy || true
            setsid sleep 1000 > /dev/null 2>&1 &";
        command.args(["-euc", script]);
        output_of(command);
    }
}

pub(crate) fn a_dropped_set_leaves_nothing() -> Result<(), HostsError> {
    let before = MachineNames::now();
    let hosts = TestHosts::start_with_slurm(4, 2)?;
    occupy(&hosts);
    let namespaces = hosts.namespaces();
    assert_eq!(namespaces.names().len(), (4 + 1) * KINDS);
    assert!(namespaces.processes().len() > 4 * KINDS, "the hosts run");
    assert_eq!(MachineNames::now().changes_since(&before), [""; 0], "nothing is outside while they run");
    drop(hosts);
    assert_eq!(leftovers(&namespaces, &before), [""; 0], "immediately after the drop");
    Ok(())
}

pub(crate) fn a_set_leaves_nothing_after_a_panic() -> Result<(), HostsError> {
    let before = MachineNames::now();
    let hosts = TestHosts::start(2, 2)?;
    let namespaces = hosts.namespaces();
    let panicked = catch_unwind(AssertUnwindSafe(move || {
        occupy(&hosts);
        panic!("a panic in {:?}", hosts.names());
    }));
    assert!(panicked.is_err());
    assert_eq!(leftovers(&namespaces, &before), [""; 0]);
    Ok(())
}

/// The program `test-hosts`, with a command that does not end, and the namespaces of its hosts.
fn running_owner(folder: &Path) -> (Child, Namespaces) {
    let mut command = test_hosts(&["--hosts", "3", "--slurm"]);
    let script = format!("ssh wb2 'sleep 1000' & touch {}/started; sleep 1001", folder.display());
    command.args(["bash", "-c", &script]).current_dir(folder).stdin(Stdio::null());
    let owner = command.spawn().expect("it starts");
    wait_until("the command runs", SOON, || folder.join("started").exists());
    let namespaces = Namespaces::of(descendants(owner.id()));
    assert_eq!(namespaces.names().len(), (3 + 1) * KINDS);
    (owner, namespaces)
}

pub(crate) fn a_set_leaves_nothing_when_its_owner_is_killed() -> Result<(), HostsError> {
    drop(TestHosts::start(1, 1)?);
    for signal in [Signal::KILL, Signal::TERM, Signal::INT, Signal::HUP] {
        let before = MachineNames::now();
        let folder = tempfile::tempdir().expect("a folder");
        // It is visible on the hosts because the owner runs in it.
        let (mut owner, namespaces) = running_owner(folder.path());
        let below: Vec<_> = descendants(owner.id()).into_iter().filter_map(ProcessIdentity::of).collect();
        assert!(!below.is_empty());
        let pid = Pid::from_raw(owner.id().cast_signed()).expect("a number");
        kill_process(pid, signal).expect("it runs");
        let status = owner.wait().expect("its end");
        assert!(!status.success(), "{signal:?}: {status}");
        wait_until("nothing is left", SOON, || leftovers(&namespaces, &before).is_empty());
        wait_until("no process is left", SOON, || below.iter().all(ProcessIdentity::has_ended));
    }
    Ok(())
}

pub(crate) fn two_sets_do_not_disturb_each_other() -> Result<(), HostsError> {
    let before = MachineNames::now();
    let mut one = TestHosts::start_with_slurm(2, 2)?;
    let other = TestHosts::start_with_slurm(3, 1)?;
    assert!(one.namespaces().names().is_disjoint(&other.namespaces().names()));
    let run = |hosts: &TestHosts, words: &[&str]| {
        let mut command = hosts.command(0, words[0]);
        command.args(&words[1..]);
        output_of(command)
    };
    fs::write(one.outside().join("file"), "one").expect("a file");
    assert!(!other.outside().join("file").exists());
    // A server of one set is at an address that the other one has, too.
    run(&one, &["ssh", "wb2", "/usr/sbin/sshd -f /run/test-hosts/sshd_config -p 2222"]);
    let connect = ["bash", "-c", "< /dev/tcp/wb2/2222"];
    run(&one, &connect);
    assert!(!other.command(0, "bash").args(&connect[1..]).output().expect("it starts").status.success());
    assert_eq!(run(&one, &["srun", "--nodes=2", "hostname"]).lines().count(), 2);
    assert_eq!(run(&other, &["srun", "--nodes=3", "hostname"]).lines().count(), 3);
    one.kill(1);
    assert_eq!(run(&other, &["ssh", "wb2", "hostname"]), "wb2\n");
    let namespaces = one.namespaces();
    drop(one);
    assert_eq!(run(&other, &["srun", "--nodes=3", "hostname"]).lines().count(), 3);
    assert_eq!(leftovers(&namespaces, &before), [""; 0]);
    Ok(())
}

/// The least of a few times: other programs share the cores.
fn least_time(start: impl Fn() -> Result<TestHosts, HostsError>) -> Result<Duration, HostsError> {
    let mut least = Duration::MAX;
    for _ in 0..3 {
        let started = Instant::now();
        drop(start()?);
        least = least.min(started.elapsed());
    }
    Ok(least)
}

pub(crate) fn sets_start_and_end_fast() -> Result<(), HostsError> {
    let plain = least_time(|| TestHosts::start(4, 2))?;
    assert!(plain < Duration::from_secs(2), "4 hosts take {plain:?}");
    let slurm = least_time(|| TestHosts::start_with_slurm(4, 2))?;
    assert!(slurm < Duration::from_secs(5), "4 hosts with Slurm take {slurm:?}");
    eprintln!("4 hosts: {plain:.2?}, with Slurm: {slurm:.2?}");
    Ok(())
}

/// A process that enters a host from outside is not in its namespace of processes, so it outlives the host.
pub(crate) fn canary_what_is_left_is_found() -> Result<(), HostsError> {
    let before = MachineNames::now();
    let hosts = TestHosts::start(1, 1)?;
    let namespaces = hosts.namespaces();
    let mut program = hosts.command(0, "sleep");
    program.arg("1000").stdin(Stdio::null());
    let mut program = program.spawn().expect("it starts");
    wait_until("the program runs", SOON, || hosts.processes(0).len() == 1);
    let inside = hosts.processes(0)[0].pid;
    let mut stays = Command::new("nsenter");
    let mut stays =
        stays.args(["--target", &inside.to_string(), "--net", "sleep", "1000"]).spawn().expect("it starts");
    wait_until("it has entered", SOON, || {
        namespaces.processes().iter().any(|process| process.pid == stays.id())
    });
    drop(hosts);
    program.wait().expect("it ends with its host");
    let found = leftovers(&namespaces, &before);
    assert!(found.len() == 1 && found[0].contains("sleep"), "{found:?}");
    stays.kill().expect("it runs");
    stays.wait().expect("its end");
    assert_eq!(leftovers(&namespaces, &before), [""; 0]);
    let folder = Path::new("/tmp/test-hosts-canary");
    fs::create_dir(folder).expect("a folder");
    let found = leftovers(&namespaces, &before);
    fs::remove_dir(folder).expect("it is there");
    assert_eq!(found, ["/tmp test-hosts"]);
    Ok(())
}
