//! What the hosts of the workbench's own tests are made of: programs, and namespaces. The tests start them, and `cargo wb doctor` looks
//! whether they can.

/// The programs of hosts, each with the package of Debian that contains it.
pub const HOST_PROGRAMS: [(&str, &str); 10] = [
    ("bash", "bash"),
    ("ip", "iproute2"),
    ("tc", "iproute2"),
    ("mount", "mount"),
    ("nsenter", "util-linux"),
    ("setpriv", "util-linux"),
    ("unshare", "util-linux"),
    ("ssh", "openssh-client"),
    ("ssh-keygen", "openssh-client"),
    ("sshd", "openssh-server"),
];

/// The further programs of hosts with Slurm.
pub const SLURM_PROGRAMS: [(&str, &str); 5] = [
    ("munged", "munge"),
    ("slurmctld", "slurmctld"),
    ("slurmd", "slurmd"),
    ("srun", "slurm-client"),
    ("sinfo", "slurm-client"),
];

/// Folders of administrators' programs, which the `PATH` of a user may lack.
pub const SYSTEM_FOLDERS: [&str; 3] = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/// The arguments of `unshare` that make the namespaces of a host, which end with it.
pub const UNSHARE: [&str; 7] = ["--net", "--uts", "--mount", "--pid", "--ipc", "--fork", "--kill-child"];
