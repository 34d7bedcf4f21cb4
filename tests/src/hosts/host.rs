//! One host of a set: its start, the commands that run on it, its link to the network, its end.
use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use wb_process::test_host_programs::UNSHARE;

use super::{
    HostsError,
    init::{InitProcess, StartingInit, run},
    namespaces::{HostProcess, enter, processes_beside},
    network::{HostNetwork, SET_FOLDER, on_hosts},
};

/// The script of a host, and the name of its file in the folder of the set.
pub(super) const SCRIPT: (&str, &str) = ("host.sh", include_str!("host.sh"));

/// The folders that each host has for itself.
const PRIVATE_FOLDERS: [&str; 3] = ["/tmp", "/dev/shm", "/run"];

/// The servers of a host. Slurm's controller has a second process.
const SERVICES: [&str; 6] = ["sshd", "slurmd", "slurmstepd", "slurmctld", "slurmscriptd", "munged"];

/// A host.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) name: String,
    pub(super) init: InitProcess,
}

/// A host that is not ready yet.
pub(super) struct StartingHost {
    name: String,
    init: StartingInit,
}

impl StartingHost {
    pub(super) fn start(network: &HostNetwork, name: &str, address: &str) -> Result<Self, HostsError> {
        let mut command = network.enter();
        command.arg("unshare").args(UNSHARE).arg("bash").arg(on_hosts(SCRIPT.0)).args([name, address]);
        command.arg(home_of_root().join(".ssh")).args(visible_folders());
        let init = StartingInit::start(format!("the start of host {name}"), command, 2)?;
        Ok(Self { name: name.into(), init })
    }

    pub(super) fn wait(self) -> Result<Host, HostsError> {
        Ok(Host { name: self.name, init: self.init.wait()? })
    }
}

impl Host {
    /// The command that runs `program` here, in a folder that exists on the host. It ends when its `nsenter` ends.
    pub(super) fn command(&self, folder: &Path, program: &OsStr) -> Command {
        assert!(!self.init.is_killed(), "{} was killed", self.name);
        let mut command = enter(self.init.pid);
        // The number of an owner is not valid on the host; who starts the command may set it later.
        command.args(["setpriv", "--pdeathsig", "KILL", "env", "-u", wb_process::OWNER_VARIABLE, "-C"]);
        command.arg(folder).arg(program);
        wb_process::remove_launcher_variables(&mut command);
        // An outer job of Slurm has another controller.
        let foreign = env::vars_os().map(|(name, _)| name);
        for name in foreign.filter(|name| name.to_string_lossy().starts_with("SLURM_")) {
            command.env_remove(name);
        }
        command.env_remove("TMPDIR");
        command
    }

    /// The processes that run here, except its first process and its servers.
    pub(super) fn processes(&self) -> Vec<HostProcess> {
        let is_service = |process: &HostProcess| SERVICES.contains(&process.name.as_str());
        let mut found = processes_beside(self.init.pid);
        found.retain(|process| process.pid != self.init.pid && !is_service(process));
        found
    }

    /// Connects the host to the network, or disconnects it.
    pub(super) fn set_link(&self, network: &HostNetwork, state: &str) -> Result<(), HostsError> {
        let mut command = network.enter();
        command.args(["ip", "link", "set", &self.name, state]);
        run(&format!("setting the link of {} {state}", self.name), command).map(drop)
    }

    /// Sets the monotonic clock of all that is started over `ssh` from now on ahead: a new server in a time namespace of its own.
    pub(super) fn shift_clock(&self, seconds: u32) -> Result<(), HostsError> {
        let mut command = self.command(Path::new("/"), "bash".as_ref());
        command.args(["-c", SHIFTED_CLOCK, "shifted-clock", &seconds.to_string(), SET_FOLDER, &self.name]);
        run(&format!("setting the clock of {} ahead", self.name), command).map(drop)
    }

    /// Loses this share of the packets that the host sends and gets, on the other end of its link, where the host does not see it.
    pub(super) fn lose_packets(&self, network: &HostNetwork, percent: u32) -> Result<(), HostsError> {
        let step = format!("losing {percent} % of the packets of {}", self.name);
        let mut command = network.enter();
        command.args(["tc", "qdisc", "replace", "dev", &self.name, "clsact"]);
        run(&step, command)?;
        for direction in ["ingress", "egress"] {
            let mut command = network.enter();
            command.args(["tc", "filter", "replace", "dev", &self.name, direction, "pref", "1", "protocol"]);
            command.args(["all", "bpf", "direct-action", "bytecode", &drop_program(percent)]);
            run(&step, command)?;
        }
        Ok(())
    }

    /// Hides a folder by one whose server does not answer: who opens a file in it waits, and can be killed.
    pub(super) fn hang_folder(&self, folder: &Path) -> Result<(), HostsError> {
        let mut command = self.command(Path::new("/"), "bash".as_ref());
        command.args(["-c", HANGING_FOLDER, "hanging-folder"]).arg(folder);
        run(&format!("letting {} of {} hang", folder.display(), self.name), command).map(drop)
    }

    /// Limits a folder to `bytes` bytes. One that is not a file system of the host's own is hidden by an empty one.
    pub(super) fn limit_folder(&self, folder: &Path, bytes: u64) -> Result<(), HostsError> {
        let is_own = PRIVATE_FOLDERS.iter().any(|private| Path::new(private) == folder);
        let mut command = self.command(Path::new("/"), "mount".as_ref());
        match is_own {
            true => command.args(["-o", &format!("remount,size={bytes}")]),
            false => command.args(["-t", "tmpfs", "-o", &format!("size={bytes}"), "tmpfs"]),
        };
        command.arg(folder);
        run(&format!("limiting {} of {}", folder.display(), self.name), command).map(drop)
    }
}

/// A folder of the kernel's automounter whose daemon does not read its questions. The first process of the host holds the pipe open by
/// which they are asked, since the kernel answers with an error when no process could.
const HANGING_FOLDER: &str = "set -eu
[ -p /run/no-answer ] || mkfifo /run/no-answer
exec 5<> /run/no-answer
mount -i -t autofs -o fd=5,pgrp=1,minproto=5,maxproto=5,indirect no-answer \"$1\"
setsid tail -f /dev/null <&5 > /dev/null 2>&1 & disown";

/// Replaces the server of `ssh` by one whose clock is ahead: SECONDS SET_FOLDER NAME.
const SHIFTED_CLOCK: &str = "set -eu
for process in /proc/[0-9]*; do
    [ \"$(cat \"$process/comm\" 2> /dev/null)\" != sshd ] || kill \"${process#/proc/}\"
done
sshd=$(command -v sshd)
while \"$sshd\" -t -f \"$2/sshd_config\" && (: < \"/dev/tcp/$3/22\") 2> /dev/null; do sleep 0.02; done
unshare --time --monotonic \"$1\" --fork \"$sshd\" -f \"$2/sshd_config\" -E \"$2/$3.sshd.log\"";

/// The program of classic BPF that drops this share of packets (`TC_ACT_SHOT`) and lets the others pass (`TC_ACT_OK`). Its first
/// instruction loads a random number of 32 bits.
fn drop_program(percent: u32) -> String {
    let passes = (u64::from(u32::MAX) * u64::from(100 - percent.min(100)) / 100) as u32;
    match percent {
        100.. => "1,6 0 0 2".to_owned(),
        _ => format!("4,32 0 0 4294963256,37 0 1 {passes},6 0 0 2,6 0 0 0"),
    }
}

/// The home folder of root as the system knows it: `ssh` does not use the variable `HOME`.
fn home_of_root() -> PathBuf {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let root = users.lines().find(|line| line.split(':').nth(2) == Some("0"));
    root.and_then(|line| line.split(':').nth(5)).unwrap_or("/root").into()
}

/// The folders of this run that a host would hide: the working folder, the workspace, the programs of this build.
fn visible_folders() -> Vec<PathBuf> {
    let program = env::current_exe().ok();
    let wanted = [
        env::current_dir().ok(),
        Some(crate::sources::root().to_owned()),
        program.and_then(|program| program.parent().map(Path::to_owned)),
        env::var_os("CARGO_HOME").map(PathBuf::from),
    ];
    outermost(wanted.into_iter().flatten().filter(|folder| is_hidden(folder)).collect())
}

/// Whether a host hides this folder. A private folder itself stays private.
fn is_hidden(folder: &Path) -> bool {
    let is_below = |private: &str| folder.starts_with(private) && folder != Path::new(private);
    PRIVATE_FOLDERS.iter().any(|private| is_below(private)) && !folder.starts_with(SET_FOLDER)
}

/// The folders that are in no other one of these.
fn outermost(mut folders: Vec<PathBuf>) -> Vec<PathBuf> {
    folders.sort();
    folders.dedup_by(|inner, outer| inner.starts_with(outer));
    folders
}
