//! One command at a time on one task: two that measure it would write the same records.

use wb_messages::{Lang, cli as text};
use wb_process::{Lock, Locked};

use crate::{
    error::{CliError, Result},
    workspace::Workspace,
};

/// Keeps other commands away from `what`, the name of a task or of a family of records, until the lock is dropped.
///
/// # Errors
/// Another process has it, which is named.
pub(crate) fn hold(workspace: &Workspace, what: &str, lang: Lang) -> Result<Lock> {
    let path = workspace.scratch("locks")?.join(format!("{what}.lock"));
    Lock::take(&path).map_err(|locked| match locked {
        Locked::By(Some(pid)) => CliError::Busy(text::busy_with(lang, what, pid)),
        Locked::By(None) => CliError::Busy(text::busy(lang, what)),
        Locked::Unusable(error) => CliError::system("write", path)(error),
    })
}
