//! The network of a set of hosts: a bridge in namespaces of its own, and the folder that all hosts of the set share.
use std::{
    path::{Path, PathBuf},
    process::Command,
};

use wb_process::test_host_programs::UNSHARE;

use super::{
    HostsError,
    init::{InitProcess, StartingInit},
    namespaces::enter,
    programs::search_path,
};

/// The folder of a set, in the private `/run` of each of its hosts.
pub(super) const SET_FOLDER: &str = "/run/test-hosts";

const SCRIPT: &str = include_str!("network.sh");

/// The namespaces around all hosts of a set.
#[derive(Debug)]
pub(super) struct HostNetwork {
    pub(super) init: InitProcess,
}

impl HostNetwork {
    pub(super) fn start() -> Result<Self, HostsError> {
        // The kernel kills `unshare` with this process, and the namespaces with `unshare`, which blocks SIGTERM.
        let mut command = Command::new("setpriv");
        command.env("PATH", search_path()).args(["--pdeathsig", "KILL", "unshare"]).args(UNSHARE);
        command.args(["--mount-proc", "bash", "-c", SCRIPT, "network"]);
        let init = StartingInit::start("the start of the network".into(), command, 1)?.wait()?;
        Ok(Self { init })
    }

    /// A file of the set's folder, as this process sees it.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        let folder = PathBuf::from(format!("/proc/{}/root{SET_FOLDER}", self.init.pid));
        folder.join(name)
    }

    /// Writes a file of the set's folder.
    pub(super) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> Result<(), HostsError> {
        let path = self.path(name);
        std::fs::write(&path, text).map_err(HostsError::system(format!("writing {}", path.display())))
    }

    /// The command that runs what follows beside the bridge.
    pub(super) fn enter(&self) -> Command {
        enter(self.init.pid)
    }
}

/// The path on the hosts of a file of the set's folder.
pub(super) fn on_hosts(name: &str) -> PathBuf {
    Path::new(SET_FOLDER).join(name)
}
