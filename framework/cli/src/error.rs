//! The errors of commands.

use std::{io, path::PathBuf};

use wb_config::ConfigError;
use wb_messages::{Lang, WIDTH, cli as text, wrap};

use crate::repository::GitError;

pub(crate) type Result<T> = std::result::Result<T, CliError>;

/// The reason why a command failed.
#[derive(Debug)]
pub(crate) enum CliError {
    /// Settings that are wrong or missing.
    Settings(ConfigError),
    /// No workspace here.
    Workspace(cargo_metadata::Error),
    /// A usage error, in the user's language.
    Usage(String),
    /// A missing requirement, in the user's language.
    Missing(String),
    /// Another command uses the same task, in the user's language.
    Busy(String),
    /// A file or a program that the system refused.
    System { what: &'static str, path: PathBuf, source: io::Error },
    /// A question to git without an answer.
    Git(GitError),
}

impl From<GitError> for CliError {
    fn from(error: GitError) -> Self {
        Self::Git(error)
    }
}

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> Self {
        Self::Settings(error)
    }
}

impl CliError {
    /// For `map_err`: the operation on `path` that failed.
    pub(crate) fn system(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::System { what, path, source }
    }

    /// The exit code of this program.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Git(GitError::NoCommit { .. } | GitError::NoMainBranch { .. }) | Self::Usage(_) => 2,
            Self::System { .. } | Self::Busy(_) | Self::Git(_) => 1,
            Self::Settings(_) | Self::Workspace(_) => 3,
            Self::Missing(_) => 4,
        }
    }

    /// The message.
    pub(crate) fn render(&self, lang: Lang) -> String {
        match self {
            Self::Settings(error) => describe_config_error(error, lang),
            Self::Workspace(error) => text::no_workspace(lang, error),
            Self::Usage(message) | Self::Missing(message) | Self::Busy(message) => message.clone(),
            Self::Git(error) => error.render(lang),
            Self::System { what, path, source } => {
                text::cannot(lang, action_text(what, lang), path.display(), describe_io_error(source, lang))
            }
        }
    }
}

/// The lines of a message for a terminal. Indented lines stay as they are: they are excerpts of files.
pub(crate) fn fit_terminal(message: &str) -> String {
    let fit = |line: &str| match line.starts_with(char::is_whitespace) {
        true => line.to_owned(),
        false => wrap(line, "", "  ", WIDTH),
    };
    message.lines().map(fit).collect::<Vec<_>>().join("\n")
}

/// The operation that failed, in the reader's language.
fn action_text(what: &str, lang: Lang) -> String {
    match what {
        "create" => text::to_create(lang),
        "read" => text::to_read(lang),
        "remove" => text::to_remove(lang),
        "run" => text::to_run(lang),
        "write" => text::to_write(lang),
        other => other.to_owned(),
    }
}

/// The reason of the system; other reasons are in the language of the system.
fn describe_io_error(source: &io::Error, lang: Lang) -> String {
    match source.kind() {
        io::ErrorKind::NotFound => text::not_found(lang),
        io::ErrorKind::PermissionDenied => text::permission_denied(lang),
        io::ErrorKind::IsADirectory => text::is_a_folder(lang),
        _ => source.to_string(),
    }
}

/// The message of a settings error; a diagnostic with its line.
pub(crate) fn describe_config_error(error: &ConfigError, lang: Lang) -> String {
    error.text().render(lang)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use wb_config::TaskSettings;

    use super::*;

    fn rendered(text: &str) -> String {
        let error = TaskSettings::parse(Path::new("task.yaml"), text).expect_err("wrong settings");
        describe_config_error(&error, Lang::En)
    }

    #[test]
    fn a_line_of_more_columns_than_sixteen_bits_count_is_shown_around_the_place() {
        for columns in [100, 65_535, 65_536, 70_000, 1_000_000] {
            let message = rendered(&format!("student: A\ngroup: G\n{}wrong: 1\n", " ".repeat(columns)));
            assert!(message.contains("task.yaml:3:") && message.len() < 2_000, "{columns}: {message}");
            let message = self::rendered(&format!("student: A # {}\nwrong: 1\n", "x".repeat(columns)));
            assert!(
                message.contains("unknown field `wrong`") && message.len() < 2_000,
                "{columns}: {message}"
            );
        }
    }

    #[test]
    fn prose_is_wrapped_for_a_terminal_and_an_excerpt_is_not() {
        let excerpt = format!("  3 | {}", "word ".repeat(30));
        let message = format!("error: {}\n\n{excerpt}\nshort", "word ".repeat(30));
        let fitted = fit_terminal(&message);
        let is_right = |line: &str| line.chars().count() <= WIDTH || line == excerpt;
        assert!(fitted.lines().all(is_right) && fitted.lines().count() > 4, "{fitted}");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&fitted), words(&message));
    }

    #[test]
    fn the_lines_around_a_place_do_not_move_the_cursor() {
        let message = rendered("# \u{202e}\nwrong: 1 # \u{202e}\n");
        assert!(message.contains("unknown field `wrong`"), "{message}");
        assert!(!message.contains('\u{202e}'), "{message:?}");
    }
}
