//! What a host is: a name, an address, `ssh`, folders and processes of its own, and a link that can be cut.
use std::{collections::BTreeSet, fs, io, path::Path, process::Stdio, time::Duration};

use wb_process::Job;
use wb_process::test_host_programs::{HOST_PROGRAMS, SLURM_PROGRAMS};
use wb_tests::hosts::{HostsError, TestHosts, check_programs};

use crate::{output_of, wait_until};

const SOON: Duration = Duration::from_secs(10);

/// The output of a script on a host.
fn script(hosts: &TestHosts, host: usize, text: &str) -> String {
    let mut command = hosts.command(host, "bash");
    command.args(["-euc", text]);
    output_of(command).trim().to_owned()
}

pub(crate) fn every_host_has_its_own_name_and_address() -> Result<(), HostsError> {
    let hosts = TestHosts::start(4, 2)?;
    assert_eq!(hosts.names(), ["wb1", "wb2", "wb3", "wb4"]);
    let names: Vec<_> = (0..4).map(|host| script(&hosts, host, "hostname")).collect();
    assert_eq!(names, hosts.names());
    let address = "ip -brief -4 address show eth0 | awk '{ print $3 }'";
    let addresses: BTreeSet<_> = (0..4).map(|host| script(&hosts, host, address)).collect();
    let expected = ["10.77.0.11/24", "10.77.0.12/24", "10.77.0.13/24", "10.77.0.14/24"];
    assert_eq!(addresses, expected.map(String::from).into());
    let devices = script(&hosts, 0, "ip -brief link | awk '{ print $1 }' | sort");
    assert!(devices.starts_with("eth0@") && devices.ends_with("\nlo"), "nothing of this machine: {devices}");
    assert_eq!(hosts.open_mpi_hostfile(), "wb1 slots=2\nwb2 slots=2\nwb3 slots=2\nwb4 slots=2\n");
    assert_eq!(hosts.mpich_hostfile(), "wb1:2\nwb2:2\nwb3:2\nwb4:2\n");
    Ok(())
}

pub(crate) fn ssh_reaches_every_host_without_an_option() -> Result<(), HostsError> {
    let hosts = TestHosts::start(3, 2)?;
    for from in 0..3 {
        for to in hosts.names() {
            let mut ssh = hosts.command(from, "ssh");
            ssh.args([to, "hostname"]);
            assert_eq!(output_of(ssh).trim(), to, "from host {from}");
        }
    }
    let mut ssh = hosts.command(0, "ssh");
    ssh.args(["wb2", "exit 7"]);
    assert_eq!(ssh.status().expect("ssh starts").code(), Some(7));
    // A host that does not exist has no name.
    let mut ssh = hosts.command(0, "ssh");
    assert!(!ssh.args(["wb4", "true"]).output().expect("ssh starts").status.success());
    Ok(())
}

pub(crate) fn memory_and_temporary_files_are_private_and_the_rest_is_shared() -> Result<(), HostsError> {
    let hosts = TestHosts::start(2, 2)?;
    for folder in ["/dev/shm", "/tmp", "/run"] {
        let file = format!("{folder}/of-one-host");
        script(&hosts, 0, &format!("touch {file}"));
        assert_eq!(script(&hosts, 1, &format!("ls {file} 2>&1 || true")).lines().count(), 1);
        assert!(script(&hosts, 1, &format!("ls {folder}")).lines().all(|name| name != "of-one-host"));
        assert!(!Path::new(&file).exists(), "{file} is on this machine");
    }
    // System V shared memory is private, too.
    script(&hosts, 0, "ipcmk --shmem 4096");
    let segments = |host| script(&hosts, host, "ipcs --shmems | grep -c ^0x || true");
    assert_eq!((segments(0).as_str(), segments(1).as_str()), ("1", "0"));
    let shared = hosts.shared_folder();
    script(&hosts, 0, &format!("echo text > {}/file", shared.display()));
    assert_eq!(script(&hosts, 1, &format!("cat {}/file", shared.display())), "text");
    assert_eq!(fs::read_to_string(hosts.outside().join("file")).expect("the file"), "text\n");
    let here = std::env::current_dir().expect("a folder");
    assert_eq!(script(&hosts, 1, "pwd"), here.display().to_string());
    assert!(script(&hosts, 1, "ls").contains("Cargo.toml"), "the workspace is visible");
    // The number of this process means another one on a host.
    let mut owner = hosts.command(0, "sh");
    owner.args(["-c", "echo owner=$WB_OWNER"]).stdout(Stdio::piped());
    let mut job = Job::spawn(owner).expect("it starts");
    let printed = io::read_to_string(job.stdout().expect("a pipe")).expect("a text");
    assert_eq!(printed, "owner=\n");
    Ok(())
}

pub(crate) fn a_full_folder_is_full_on_one_host_only() -> Result<(), HostsError> {
    let hosts = TestHosts::start(2, 2)?;
    let fill = |host, folder: &Path| {
        let mut command = hosts.command(host, "dd");
        command.args(["if=/dev/zero", "bs=64k", "count=64"]);
        let output = command.arg(format!("of={}/file", folder.display())).output().expect("dd starts");
        match output.status.success() {
            true => None,
            false => Some(String::from_utf8_lossy(&output.stderr).contains("No space left on device")),
        }
    };
    let chosen = hosts.shared_folder().join("chosen");
    fs::create_dir(hosts.outside().join("chosen")).expect("a folder");
    for folder in [Path::new("/tmp"), &chosen] {
        assert_eq!(fill(0, folder), None, "{} is not full before", folder.display());
        fs::remove_file(hosts.outside().join("chosen/file")).ok();
        script(&hosts, 0, &format!("rm -f {}/file", folder.display()));
        hosts.limit_folder(0, folder, 1 << 20)?;
        assert_eq!(fill(0, folder), Some(true), "{}", folder.display());
        assert_eq!(fill(1, folder), None, "{} on the other host", folder.display());
    }
    Ok(())
}

pub(crate) fn a_disconnected_host_is_reached_when_it_is_connected_again() -> Result<(), HostsError> {
    let hosts = TestHosts::start(3, 2)?;
    let reaches = |to: &str| {
        let mut ssh = hosts.command(0, "ssh");
        ssh.args(["-o", "ConnectTimeout=1", to, "true"]).output().expect("ssh starts").status.success()
    };
    wait_until("both are reached", SOON, || reaches("wb2") && reaches("wb3"));
    hosts.disconnect(1)?;
    assert!(!reaches("wb2"));
    wait_until("only wb2 is disconnected", SOON, || reaches("wb3"));
    hosts.reconnect(1)?;
    wait_until("wb2 is reached again", SOON, || reaches("wb2"));
    Ok(())
}

pub(crate) fn the_processes_of_a_host_are_those_of_its_programs() -> Result<(), HostsError> {
    let mut hosts = TestHosts::start(2, 2)?;
    assert_eq!(hosts.processes(0), []);
    // A daemon leaves its session; its parent ends.
    script(&hosts, 0, "setsid sleep 1000 > /dev/null 2>&1 &");
    let names = |hosts: &TestHosts, host| -> Vec<String> {
        hosts.processes(host).into_iter().map(|process| process.name).collect()
    };
    wait_until("the daemon runs", SOON, || names(&hosts, 0) == ["sleep"]);
    assert_eq!(hosts.processes(1), []);
    script(&hosts, 0, "setsid true > /dev/null 2>&1 &");
    wait_until("an orphan is reaped", SOON, || {
        script(&hosts, 0, "ps -e -o stat=").lines().all(|state| !state.starts_with('Z'))
    });
    let daemon = hosts.processes(0)[0].pid;
    assert!(Path::new(&format!("/proc/{daemon}")).exists());
    let mut remote = hosts.command(0, "ssh");
    let mut remote = remote.args(["wb2", "sleep 1001"]).spawn().expect("ssh starts");
    wait_until("the remote program runs", SOON, || names(&hosts, 1) == ["sleep"]);
    hosts.kill(1);
    wait_until("ssh ends with its peer", SOON, || remote.try_wait().expect("a child").is_some());
    assert_eq!(hosts.processes(1), []);
    Ok(())
}

pub(crate) fn a_missing_program_is_named_with_its_package() -> Result<(), HostsError> {
    for (programs, reason) in [
        (&HOST_PROGRAMS[..], "no test hosts: bash is not installed (Debian package bash)"),
        (&SLURM_PROGRAMS[..], "no test hosts: munged is not installed (Debian package munge)"),
    ] {
        let error = check_programs(programs, "/nowhere").expect_err("nothing is there");
        assert!(matches!(error, HostsError::Unavailable(_)));
        assert_eq!(error.to_string(), reason);
    }
    Ok(())
}
