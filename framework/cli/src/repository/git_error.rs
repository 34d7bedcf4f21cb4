//! Why git has no answer.

use std::{io, path::PathBuf};

use wb_messages::{Lang, repository as text};

pub(crate) type Result<T> = std::result::Result<T, GitError>;

/// The reason why a question to git has no answer.
#[derive(Debug)]
pub(crate) enum GitError {
    /// The program cannot be started.
    NotStarted(io::Error),
    /// No folder around this one is a clone.
    NoRepository { folder: PathBuf },
    /// The clone has no commit of this name.
    NoCommit { name: String },
    /// The clone has none of the usual names of the main branch.
    NoMainBranch { tried: &'static [&'static str] },
    /// Commits are missing in this clone, so the history says less than the truth; and so may be what these names stand for.
    Shallow { tried: Vec<String> },
    /// git ended with an error.
    Failed { command: String, message: String },
    /// git printed something else than was asked for.
    Unreadable { command: String },
    /// A file of the work tree cannot be read.
    File { file: PathBuf, source: io::Error },
}

impl GitError {
    /// Whether the clone lacks what the question is about, and git itself works.
    pub(crate) const fn is_missing_history(&self) -> bool {
        matches!(self, Self::NoRepository { .. } | Self::NoMainBranch { .. } | Self::Shallow { .. })
    }

    /// The message.
    pub(crate) fn render(&self, lang: Lang) -> String {
        match self {
            Self::NotStarted(error) => text::not_started(lang, error),
            Self::NoRepository { folder } => text::no_repository(lang, folder.display()),
            Self::NoCommit { name } => text::no_commit(lang, wb_text::escape::line(name)),
            Self::NoMainBranch { tried } => text::no_main_branch(lang, tried.join(", ")),
            Self::Shallow { tried } if tried.is_empty() => text::shallow(lang),
            Self::Shallow { tried } => text::shallow_without(lang, wb_text::escape::line(&tried.join(", "))),
            Self::Failed { command, message } => {
                text::failed(lang, wb_text::escape::line(command), wb_text::escape::line(message))
            }
            Self::Unreadable { command } => text::unreadable(lang, wb_text::escape::line(command)),
            Self::File { file, source } => text::file(lang, file.display(), source),
        }
    }
}
