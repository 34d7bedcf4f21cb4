//! Slurm on the hosts of a set: a controller on the first one, a daemon on each, one key for all.
use std::{
    fmt::Write,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use super::{
    HostsError,
    host::Host,
    init::run,
    network::{HostNetwork, on_hosts},
};

/// The partition of all hosts.
pub const PARTITION: &str = "test";

/// The partition of the same hosts whose jobs preempt those of [`PARTITION`].
pub const URGENT_PARTITION: &str = "urgent";

const SCRIPT: &str = include_str!("slurm.sh");

/// How long Slurm may take until all nodes are idle.
const START_LIMIT: Duration = Duration::from_secs(30);

const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Bytes of the key.
const KEY_LENGTH: usize = 1024;

/// The settings: no accounting, no control groups, short intervals; hosts may have more slots than the machine has cores.
fn settings(hosts: &[Host], slots: usize) -> String {
    let folder = on_hosts("");
    let folder = folder.display();
    let mut text = format!(
        "ClusterName=test-hosts\nSlurmctldHost={controller}\nSlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\n\
         StateSaveLocation=/run/slurmctld\nSlurmdSpoolDir=/run/slurmd\n\
         SlurmctldPidFile=/run/slurmctld.pid\nSlurmdPidFile=/run/slurmd.pid\n\
         SlurmctldLogFile={folder}slurmctld.log\nSlurmdLogFile={folder}%n.slurmd.log\n\
         ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n\
         SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nSlurmdParameters=config_overrides\n\
         SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1\n\
         ReturnToService=2\nKillWait=2\nSlurmdTimeout=4\nPreemptType=preempt/partition_prio\nPreemptMode=CANCEL\n",
        controller = hosts[0].name
    );
    for host in hosts {
        writeln!(text, "NodeName={} CPUs={slots} State=UNKNOWN", host.name).expect("a string");
    }
    let partition =
        |name: &str, rest: &str| format!("PartitionName={name} Nodes=ALL State=UP MaxTime=INFINITE {rest}\n");
    text + &partition(PARTITION, "Default=YES PriorityTier=1 PreemptMode=CANCEL")
        + &partition(URGENT_PARTITION, "PriorityTier=2 PreemptMode=OFF")
}

/// Starts the daemons, and waits until every host is idle.
pub(super) fn start(network: &HostNetwork, hosts: &[Host], slots: usize) -> Result<(), HostsError> {
    network.write("slurm.conf", settings(hosts, slots))?;
    let mut key = network.enter();
    let path = on_hosts("munge.key");
    let script = format!("umask 077; head -c {KEY_LENGTH} /dev/urandom > {}", path.display());
    key.args(["bash", "-c", &script]);
    run("making the key of munge", key)?;
    thread::scope(|scope| {
        let starting: Vec<_> =
            hosts.iter().map(|host| scope.spawn(|| start_daemons(host, &hosts[0]))).collect();
        starting.into_iter().try_for_each(|thread| thread.join().expect("no start panics"))
    })?;
    wait_until_idle(&hosts[0], hosts.len())
}

fn start_daemons(host: &Host, controller: &Host) -> Result<(), HostsError> {
    let mut command = host.command(Path::new("/"), "bash".as_ref());
    command.args(["-c", SCRIPT, "slurm", &host.name, &controller.name]);
    run(&format!("the start of Slurm on {}", host.name), command).map(drop)
}

fn wait_until_idle(controller: &Host, count: usize) -> Result<(), HostsError> {
    let started = Instant::now();
    loop {
        let mut sinfo = controller.command(Path::new("/"), "sinfo".as_ref());
        sinfo.args(["--noheader", "--partition", PARTITION, "--format", "%T %D"]);
        let output = run("sinfo", sinfo).unwrap_or_else(|error| error.to_string());
        if output.trim() == format!("idle {count}") {
            return Ok(());
        }
        if started.elapsed() > START_LIMIT {
            return Err(HostsError::TimedOut {
                step: "the start of Slurm".into(),
                limit: START_LIMIT,
                output,
            });
        }
        thread::sleep(POLL_INTERVAL);
    }
}
