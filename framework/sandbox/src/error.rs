//! The reasons for which there is no sandbox.

/// There is no sandbox, for this reason.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// The system is not Linux.
    #[error("there is a sandbox on Linux only")]
    NotLinux,
    /// A program is not installed.
    #[error("`{program}` is not installed (Debian package {package})")]
    Missing {
        /// The program.
        program: &'static str,
        /// The package of Debian that contains it.
        package: &'static str,
    },
    /// The kernel refuses what bubblewrap needs.
    #[error("bubblewrap does not work here: {reason}")]
    Refused {
        /// What bubblewrap printed.
        reason: String,
    },
}
