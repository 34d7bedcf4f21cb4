//! The sandbox of a judge's ranks: what they see.
use std::{io, path::Path, process::Command};

use wb_comm::InputFiles;
use wb_sandbox::{ExcessReport, Sandbox, SandboxLimits, SandboxedCommand};

/// The path at which ranks in a sandbox see the folder of the channel to their judge.
pub(crate) const INSIDE: &str = "/judge";

/// The folder in which they see the files of the assignment.
pub(crate) const INPUT_FILES: &str = "/files";

/// The command in a sandbox that shows the program, the folder of the channel and the files of the assignment.
pub(crate) fn in_sandbox(
    sandbox: &Sandbox,
    command: &Command,
    (program, folder, files): (&Path, &Path, &InputFiles),
    excess: ExcessReport,
) -> io::Result<Command> {
    let mut inside =
        SandboxedCommand::new(SandboxLimits::RUN).readable(program).mounted(folder, INSIDE, false);
    for name in files.names() {
        // Each by itself: the folder may have others.
        inside = inside.mounted(files.folder().join(name), Path::new(INPUT_FILES).join(name), false);
    }
    inside = inside.reporting_to(excess);
    for (name, _) in std::env::vars_os() {
        let is_users = ["OMPI_MCA_", "PRTE_MCA_", "PMIX_MCA_", "MPIR_CVAR_", "UCX_"];
        if is_users.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
            inside = inside.variable(name);
        }
    }
    sandbox.command(&inside, command)
}
