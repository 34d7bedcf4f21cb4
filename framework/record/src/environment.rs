//! Where a measurement was taken: everything outside the task that could change the number.

use std::collections::BTreeMap;

use crate::fields::{ANY, AllowedValues, COUNT, RANKS, SHARE, fields, plain};
use crate::{ClockInfo, HostPlacement};
use serde::{Deserialize, Serialize};

/// The surroundings of a measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// Processor, cores, operating system.
    pub machine: HostMachine,
    /// The backend.
    pub message_passing: MessagePassing,
    /// The build of the program, and its sources.
    pub build: BuildInfo,
    /// The clock and the barrier that start a repetition.
    pub clock: ClockInfo,
    /// The hosts on which the ranks ran, in the order of their lowest ranks; empty where it is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placement: Vec<HostPlacement>,
    /// Environment variables that can change the result (`WB_*`, `OMPI_MCA_*`, `MPICH_*`, `UCX_*`, `RUSTFLAGS` ...).
    #[serde(default)]
    pub variables: BTreeMap<String, String>,
    /// The seed that inputs and orders were derived from.
    pub seed: u64,
}

/// Processor, cores, operating system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostMachine {
    /// Processor model as the operating system names it.
    pub cpu: String,
    /// Data and unified caches of the first core, smallest level first.
    #[serde(default)]
    pub caches: Vec<Cache>,
    /// Main memory, in bytes.
    #[serde(default)]
    pub memory_bytes: Option<u64>,
    /// Operating system, for example `Debian GNU/Linux 12`.
    pub os: String,
    /// Kernel release.
    pub kernel: String,
    /// A hint that this is a container or a virtual machine, for example `docker`, `kvm`.
    #[serde(default)]
    pub virtualisation: Option<String>,
    /// Distinct physical cores the process may run on.
    pub physical_cores: u32,
    /// Cores that can really be used: those of the affinity mask, hardware threads of one core once, cut by the control group's quota,
    /// rounded down, at least 1. Records of earlier versions count each hardware thread.
    pub usable_cores: u32,
    /// One-minute load average before the measurement.
    #[serde(default)]
    pub load_before: Option<f64>,
    /// Frequency governor, if the machine reports it.
    #[serde(default)]
    pub governor: Option<String>,
    /// Frequency in MHz before the measurement, if the machine reports it.
    #[serde(default)]
    pub mhz: Option<f64>,
}

/// One cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cache {
    /// 1, 2, 3.
    pub level: u32,
    /// Size in bytes.
    pub bytes: u64,
    /// Logical cores that share it.
    pub shared_by: u32,
}

/// The backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessagePassing {
    /// Real processes on an MPI library, threads of one process, or neither.
    pub backend: Backend,
    /// The library, for example `Open MPI`; `None` on anything but MPI.
    #[serde(default)]
    pub library: Option<String>,
    /// The version of the library, for example `4.1.4`.
    #[serde(default)]
    pub version: Option<String>,
    /// The thread level that was granted, for example `MPI_THREAD_SINGLE`.
    #[serde(default)]
    pub thread_level: Option<String>,
    /// The transports that were asked for (`OMPI_MCA_btl`, `UCX_TLS` ...); `None`: the library's own choice.
    #[serde(default)]
    pub transport: Option<String>,
}

/// The kind of backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backend {
    /// One process a rank, on an MPI library.
    Mpi,
    /// One thread a rank, in one process: the embedded backend.
    Threads,
    /// No messages at all: ranks take turns in virtual time, on a model of a machine.
    VirtualTime,
}

impl Backend {
    /// `mpi`, `threads` or `virtual-time`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mpi => "mpi",
            Self::Threads => "threads",
            Self::VirtualTime => "virtual-time",
        }
    }
}

/// The build of the program, and its sources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildInfo {
    /// `rustc --version`.
    pub rustc: String,
    /// Cargo profile, for example `release`.
    pub profile: String,
    /// Optimisation level, for example `3`.
    pub opt_level: String,
    /// Target triple.
    pub target: String,
    /// `target-cpu`, if the build chose one.
    #[serde(default)]
    pub target_cpu: Option<String>,
    /// Commit of the sources; `None` outside a repository.
    #[serde(default)]
    pub commit: Option<String>,
    /// Whether the sources differed from that commit; `None` outside a repository.
    #[serde(default)]
    pub dirty: Option<bool>,
}

impl Environment {
    /// A plausible environment, for documentation and tests.
    pub fn example() -> Self {
        Self {
            machine: HostMachine {
                cpu: "Example CPU".to_owned(),
                caches: vec![
                    Cache { level: 1, bytes: 32 << 10, shared_by: 1 },
                    Cache { level: 2, bytes: 512 << 10, shared_by: 1 },
                    Cache { level: 3, bytes: 32 << 20, shared_by: 2 },
                ],
                memory_bytes: Some(8 << 30),
                os: "Debian GNU/Linux 12 (bookworm)".to_owned(),
                kernel: "6.1.0".to_owned(),
                virtualisation: Some("kvm".to_owned()),
                physical_cores: 2,
                usable_cores: 2,
                load_before: Some(0.1),
                governor: None,
                mhz: Some(2_450.0),
            },
            message_passing: MessagePassing {
                backend: Backend::Mpi,
                library: Some("Open MPI".to_owned()),
                version: Some("4.1.4".to_owned()),
                thread_level: Some("MPI_THREAD_SINGLE".to_owned()),
                transport: None,
            },
            build: BuildInfo {
                rustc: "rustc 1.95.0".to_owned(),
                profile: "release".to_owned(),
                opt_level: "3".to_owned(),
                target: "x86_64-unknown-linux-gnu".to_owned(),
                target_cpu: None,
                commit: Some("0123456789abcdef0123456789abcdef01234567".to_owned()),
                dirty: Some(false),
            },
            clock: ClockInfo::shared("CLOCK_MONOTONIC", 20.0, Some(400.0)),
            placement: vec![],
            variables: BTreeMap::new(),
            seed: 42,
        }
    }
}

fields! {
    Environment { machine, message_passing, build, clock, placement, variables, seed: ANY }
    HostMachine {
        cpu,
        caches,
        memory_bytes: COUNT,
        os,
        kernel,
        virtualisation,
        physical_cores: RANKS,
        usable_cores: RANKS,
        load_before: SHARE,
        governor,
        mhz: AllowedValues::Real(0.0, 1e6),
    }
    Cache { level: AllowedValues::Whole(0, 16), bytes: COUNT, shared_by: AllowedValues::Whole(0, 1 << 20) }
    MessagePassing { backend, library, version, thread_level, transport }
    BuildInfo { rustc, profile, opt_level, target, target_cpu, commit, dirty }
}
plain! { Backend }

#[cfg(test)]
mod tests {
    use super::Backend;

    #[test]
    fn a_backend_is_written_by_its_name() {
        for backend in [Backend::Mpi, Backend::Threads, Backend::VirtualTime] {
            let written = serde_json::to_string(&backend).expect("a word");
            assert_eq!(written, format!("\"{}\"", backend.name()));
            assert_eq!(serde_json::from_str::<Backend>(&written).expect("read back"), backend);
        }
    }
}
