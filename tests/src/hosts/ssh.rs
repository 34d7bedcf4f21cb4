//! `ssh` between the hosts of a set, without any option: one key for all, the names of the hosts, and what they are known by.
use std::{fmt::Write, fs};

use super::{
    HostsError,
    init::run,
    network::{HostNetwork, SET_FOLDER},
};

/// The settings of the clients. A user's own files are hidden on a host.
fn client_settings() -> String {
    format!(
        "Host *\n  IdentityFile {SET_FOLDER}/key\n  GlobalKnownHostsFile {SET_FOLDER}/known_hosts\n  \
         UserKnownHostsFile none\n  StrictHostKeyChecking yes\n  UpdateHostKeys no\n  LogLevel ERROR\n  \
         KexAlgorithms curve25519-sha256\n"
    )
}

fn server_settings() -> String {
    format!(
        "HostKey {SET_FOLDER}/key\nAuthorizedKeysFile {SET_FOLDER}/key.pub\nStrictModes no\nUsePAM no\n\
         PermitRootLogin prohibit-password\nPasswordAuthentication no\nPidFile none\nPrintMotd no\nPrintLastLog no\n\
         UseDNS no\nMaxStartups 100\nMaxSessions 100\nSubsystem sftp internal-sftp\n"
    )
}

/// Writes the keys and the settings into the folder of the set, for hosts of these names and addresses.
pub(super) fn write_files(network: &HostNetwork, hosts: &[(String, String)]) -> Result<(), HostsError> {
    let mut keygen = network.enter();
    keygen.args(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test-hosts", "-f"]);
    keygen.arg(format!("{SET_FOLDER}/key"));
    run("making a key", keygen)?;
    let public = fs::read_to_string(network.path("key.pub")).map_err(HostsError::system("reading a key"))?;
    let key = public.trim_end().trim_end_matches("test-hosts").trim_end();
    let (mut names, mut known) = ("127.0.0.1 localhost\n".to_owned(), String::new());
    for (name, address) in hosts {
        writeln!(names, "{address} {name}").expect("a string");
        writeln!(known, "{name},{address} {key}").expect("a string");
    }
    network.write("hosts", names)?;
    network.write("known_hosts", known)?;
    network.write("ssh_config", client_settings())?;
    network.write("sshd_config", server_settings())
}
