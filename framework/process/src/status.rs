//! The exit status of a process, for the user: the standard library has an English text only.
use std::{os::unix::process::ExitStatusExt, process::ExitStatus};

use wb_messages::{Lang, program as text};

/// The exit code or the signal of a process that has ended.
pub fn describe_status(status: ExitStatus, lang: Lang) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => text::ended_with_code(lang, code),
        (None, Some(signal)) => text::ended_by_signal(lang, named(signal, &status.to_string())),
        (None, None) => status.to_string(),
    }
}

/// The number of a signal with its name, which only the standard library's text has: `signal: 6 (SIGABRT) (core dumped)`.
fn named(signal: i32, status: &str) -> String {
    match status.split(['(', ')']).find(|part| part.starts_with("SIG")) {
        Some(name) => format!("{signal} ({name})"),
        None => signal.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_a_code_or_a_signal_in_the_users_language() {
        let described = |raw, lang| describe_status(ExitStatus::from_raw(raw), lang);
        assert_eq!(described(101 << 8, Lang::En), "exit code 101");
        assert_eq!(described(101 << 8, Lang::Ru), "код завершения 101");
        assert_eq!(described(11, Lang::Ru), "сигнал 11 (SIGSEGV)");
        assert_eq!(described(6 | 0x80, Lang::En), "signal 6 (SIGABRT)", "with a core dump");
        assert_eq!(described(40, Lang::En), "signal 40");
    }
}
