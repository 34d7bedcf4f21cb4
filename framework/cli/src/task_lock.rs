//! One command at a time on one task: two that measure it would write the same records.

use wb_messages::{Lang, cli as text};
use wb_process::{FileLock, LockError};

use crate::{
    error::{CliError, Result},
    workspace::Workspace,
};

/// Keeps other commands away from `what`, the name of a task or of a family of records, until the lock is dropped.
///
/// # Errors
/// Another process has it, which is named.
pub(crate) fn lock_task(workspace: &Workspace, what: &str, lang: Lang) -> Result<FileLock> {
    let path = workspace.scratch("locks")?.join(format!("{what}.lock"));
    FileLock::try_acquire(&path).map_err(|locked| match locked {
        LockError::HeldBy(Some(pid)) => CliError::Busy(text::busy_with(lang, what, pid)),
        LockError::HeldBy(None) => CliError::Busy(text::busy(lang, what)),
        LockError::Unusable(error) => CliError::system("write", path)(error),
    })
}
