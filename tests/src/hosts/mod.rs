//! Test hosts: 2 to 4 hosts on this machine, on which real MPI libraries and a real Slurm run.
//!
//! A host is a set of namespaces: network, host name, mounts, processes, shared memory. It has an `sshd`, and `/tmp`,
//! `/dev/shm` and `/run` of its own; all else is this machine's file system, which plays the part of the shared one. All
//! hosts of a set are inside of further namespaces with the bridge that connects them.
//!
//! The invariant: *a set leaves nothing.* It makes no name outside of its namespaces: no file, no network device, no mount.
//! The namespaces end with their processes, the processes with the first one, and the first one with the process that owns
//! the set, even when that is killed.
//!
//! ```ignore
//! let hosts = TestHosts::start(2, 2)?;
//! let output = hosts.command(0, "ssh").args(["wb2", "hostname"]).output()?;
//! assert_eq!(output.stdout, b"wb2\n");
//! ```
mod error;
mod host;
mod init;
mod machine;
mod namespaces;
mod network;
mod programs;
mod slurm;
mod ssh;

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
    process::Command,
};

pub use error::HostsError;
pub use namespaces::{HostProcess, Namespaces, descendants};
pub use programs::check_programs;
pub use slurm::{PARTITION, URGENT_PARTITION};

use wb_process::test_host_programs::SLURM_PROGRAMS;

use host::{Host, StartingHost};
use network::{HostNetwork, on_hosts};

/// The most hosts of a set.
pub const MAX_HOSTS: usize = 4;

/// A set of hosts. It ends when it is dropped.
#[derive(Debug)]
pub struct TestHosts {
    // Dropped first: the hosts end with it.
    network: HostNetwork,
    hosts: Vec<Host>,
    slots: usize,
    has_slurm: bool,
}

impl TestHosts {
    /// Starts `count` hosts, `wb1`, `wb2` and so on, each for `slots` ranks.
    ///
    /// # Errors
    /// [`HostsError::Unavailable`] where the machine cannot have hosts; another error where their start fails.
    ///
    /// # Panics
    /// When `count` is 0 or above [`MAX_HOSTS`], or `slots` is 0.
    pub fn start(count: usize, slots: usize) -> Result<Self, HostsError> {
        assert!((1..=MAX_HOSTS).contains(&count) && slots > 0, "{count} hosts with {slots} slots");
        machine::check_machine()?;
        let network = HostNetwork::start()?;
        let names: Vec<_> = (1..=count).map(|number| (format!("wb{number}"), address(number))).collect();
        ssh::write_files(&network, &names)?;
        network.write(host::SCRIPT.0, host::SCRIPT.1)?;
        let starting = names.iter().map(|(name, address)| StartingHost::start(&network, name, address));
        let starting = starting.collect::<Result<Vec<_>, _>>()?;
        let hosts = starting.into_iter().map(StartingHost::wait).collect::<Result<_, _>>()?;
        Ok(Self { network, hosts, slots, has_slurm: false })
    }

    /// Starts hosts with Slurm: the first one is its controller and the login node, all are nodes of [`PARTITION`].
    ///
    /// # Errors
    /// As [`start`](Self::start).
    ///
    /// # Panics
    /// As there.
    pub fn start_with_slurm(count: usize, slots: usize) -> Result<Self, HostsError> {
        check_programs(&SLURM_PROGRAMS, &programs::search_path())?;
        let mut hosts = Self::start(count, slots)?;
        slurm::start(&hosts.network, &hosts.hosts, slots)?;
        hosts.has_slurm = true;
        Ok(hosts)
    }

    /// The names of the hosts, in order.
    pub fn names(&self) -> Vec<&str> {
        self.hosts.iter().map(|host| host.name.as_str()).collect()
    }

    /// The number of ranks on each host.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// The partition of Slurm, if these hosts have Slurm.
    pub fn partition(&self) -> Option<&'static str> {
        self.has_slurm.then_some(PARTITION)
    }

    /// The command that runs `program` on a host, in the current folder. Its streams and variables are those of the command,
    /// without the variables of an outer launcher. Its `current_dir` is without effect: see [`command_in`](Self::command_in).
    ///
    /// # Panics
    /// When there is no such host, or it was killed.
    pub fn command(&self, host: usize, program: impl AsRef<OsStr>) -> Command {
        let folder = env::current_dir().unwrap_or_else(|_| "/".into());
        self.command_in(host, &folder, program)
    }

    /// [`command`](Self::command) in another folder, which must exist on the host.
    ///
    /// # Panics
    /// As there.
    pub fn command_in(&self, host: usize, folder: &Path, program: impl AsRef<OsStr>) -> Command {
        self.hosts[host].command(folder, program.as_ref())
    }

    /// Kills a host: all of its processes, without warning. Its peers see their connections close; to cut it off silently,
    /// as by a loss of power, [disconnect](Self::disconnect) it first.
    ///
    /// # Panics
    /// When there is no such host.
    pub fn kill(&mut self, host: usize) {
        self.hosts[host].init.kill();
    }

    /// Disconnects a host from the network: packets to it and from it are lost.
    ///
    /// # Errors
    /// When its link cannot be set.
    ///
    /// # Panics
    /// When there is no such host.
    pub fn disconnect(&self, host: usize) -> Result<(), HostsError> {
        self.hosts[host].set_link(&self.network, "down")
    }

    /// Connects a host to the network again.
    ///
    /// # Errors
    /// When its link cannot be set.
    ///
    /// # Panics
    /// When there is no such host.
    pub fn reconnect(&self, host: usize) -> Result<(), HostsError> {
        self.hosts[host].set_link(&self.network, "up")
    }

    /// Makes the network lose `percent` percent of the packets that a host sends and gets; 0 ends that. Neither side sees it, as with a bad cable.
    ///
    /// # Errors
    /// When the program `tc` refuses.
    ///
    /// # Panics
    /// When there is no such host.
    pub fn lose_packets(&self, host: usize, percent: u32) -> Result<(), HostsError> {
        self.hosts[host].lose_packets(&self.network, percent)
    }

    /// Sets the monotonic clock of a host ahead for all that is started there over `ssh` from now on.
    ///
    /// # Errors
    /// When the kernel has no time namespaces.
    ///
    /// # Panics
    /// When there is no such host, or it was killed.
    pub fn shift_clock(&self, host: usize, seconds: u32) -> Result<(), HostsError> {
        self.hosts[host].shift_clock(seconds)
    }

    /// Lets a folder of a host hang, as one of a server of files that does not answer: a process that opens a file in it waits until it
    /// is killed. Files that are open already stay usable. It is a folder of the kernel's automounter, and no NFS.
    ///
    /// # Errors
    /// When the folder does not exist.
    ///
    /// # Panics
    /// When there is no such host, or it was killed.
    pub fn hang_folder(&self, host: usize, folder: &Path) -> Result<(), HostsError> {
        self.hosts[host].hang_folder(folder)
    }

    /// Limits what a folder of a host holds. `/tmp`, `/dev/shm` and `/run` keep their files; any other folder is hidden, on this
    /// host only, by an empty one.
    ///
    /// # Errors
    /// When the folder does not exist, or already holds more.
    ///
    /// # Panics
    /// When there is no such host, or it was killed.
    pub fn limit_folder(&self, host: usize, folder: &Path, bytes: u64) -> Result<(), HostsError> {
        self.hosts[host].limit_folder(folder, bytes)
    }

    /// The processes that run on a host, except its first process and the servers of ssh and Slurm.
    ///
    /// # Panics
    /// When there is no such host.
    pub fn processes(&self, host: usize) -> Vec<HostProcess> {
        self.hosts[host].processes()
    }

    /// An empty folder that all hosts share and that vanishes with them, as they see it; [`outside`](Self::outside) gives its path
    /// for this process.
    pub fn shared_folder(&self) -> PathBuf {
        on_hosts("shared")
    }

    /// The path by which this process sees the shared folder.
    pub fn outside(&self) -> PathBuf {
        self.network.path("shared")
    }

    /// The hosts as Open MPI's `--hostfile` reads them: `wb1 slots=2`.
    pub fn open_mpi_hostfile(&self) -> String {
        self.hosts.iter().map(|host| format!("{} slots={}\n", host.name, self.slots)).collect()
    }

    /// The hosts as MPICH's `-f` reads them: `wb1:2`.
    pub fn mpich_hostfile(&self) -> String {
        self.hosts.iter().map(|host| format!("{}:{}\n", host.name, self.slots)).collect()
    }

    /// The namespaces of this set. A process in one of them after the end of the set was left over.
    pub fn namespaces(&self) -> Namespaces {
        let hosts = self.hosts.iter().map(|host| host.init.pid);
        Namespaces::of(hosts.chain([self.network.init.pid]))
    }
}

/// The address of a host by its number from 1.
fn address(number: usize) -> String {
    format!("10.77.0.{}", 10 + number)
}
