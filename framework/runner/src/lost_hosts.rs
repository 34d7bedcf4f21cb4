//! The hosts of a job that cannot be reached any more: the reason for the end of a job that the launcher's output hides.
use std::{process::Command, thread, time::Duration};

use wb_config::HostFile;
use wb_process::Job;

/// The time for a login.
const LIMIT: Duration = Duration::from_secs(5);

/// The hosts that do not answer over `ssh`; all are asked at a time. None where `ssh` itself is missing: then the launcher does not
/// use it either.
pub fn lost_hosts(hosts: &HostFile) -> Vec<String> {
    let ask = |name: &str| {
        let mut command = Command::new("ssh");
        command.args(["-o", "BatchMode=yes", "-o", "ConnectTimeout=3", "--", name, "true"]);
        command.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::null());
        command.stderr(std::process::Stdio::null());
        move || Job::spawn(command).and_then(|job| job.wait(LIMIT)).is_ok_and(|ended| !ended.is_success())
    };
    let asked: Vec<_> =
        hosts.hosts.iter().map(|host| (host.name.clone(), thread::spawn(ask(&host.name)))).collect();
    let lost = asked.into_iter().filter_map(|(name, asked)| asked.join().unwrap_or(false).then_some(name));
    lost.collect()
}
