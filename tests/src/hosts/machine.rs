//! Whether this machine can have hosts.
use std::process::{Command, Stdio};

use wb_process::test_host_programs::{HOST_PROGRAMS, UNSHARE};

use super::{
    HostsError,
    programs::{check_programs, search_path},
};

/// Whether this machine can have hosts.
///
/// # Errors
/// [`HostsError::Unavailable`] with the reason.
pub(super) fn check_machine() -> Result<(), HostsError> {
    if !cfg!(target_os = "linux") {
        return Err(HostsError::Unavailable("hosts are namespaces of Linux".into()));
    }
    if !wb_process::is_root() {
        return Err(HostsError::Unavailable("they need root".into()));
    }
    check_programs(&HOST_PROGRAMS, &search_path())?;
    let mut probe = Command::new("unshare");
    probe.env("PATH", search_path()).args(UNSHARE).args(["--mount-proc", "ip", "link", "add", "wb-hosts"]);
    let output = probe.args(["type", "bridge"]).stdin(Stdio::null()).output();
    let output = output.map_err(HostsError::system("unshare"))?;
    if output.status.success() {
        return Ok(());
    }
    let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(HostsError::Unavailable(format!("no namespaces with a bridge: {reason}")))
}
