//! The identity of a process: its number, its start, because numbers are reused, and the table of processes that has the number,
//! because every host and every namespace has numbers of its own.
//!
//! It is one word without `/` and spaces, so it can be a part of a variable, of a file name and of a journal.

use std::{fmt, fs, str::FromStr, sync::OnceLock};

use rustix::{
    io::Errno,
    process::{Pid, test_kill_process},
};
use serde::{Deserialize, Serialize};

/// The start of a process where the system does not report it.
const UNKNOWN_START: &str = "unknown";

/// A process among all processes of all hosts. Its text is `NUMBER-START-TABLE`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProcessIdentity {
    number: u32,
    start: String,
    table: String,
}

/// The text is not the identity of a process.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a process: expected NUMBER-START-TABLE")]
pub struct NotAProcess(String);

impl ProcessIdentity {
    /// This process.
    pub fn current() -> Self {
        Self::of(std::process::id()).expect("this process runs")
    }

    /// The process that has this number here; `None` if there is none.
    pub fn of(number: u32) -> Option<Self> {
        let start = match (start_time(number), start_time(std::process::id())) {
            (Some(start), _) => start,
            (None, None) => UNKNOWN_START.to_owned(),
            (None, Some(_)) => return None,
        };
        Some(Self { number, start, table: process_table().to_owned() })
    }

    /// The number of the process in its table.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Whether this process sees it under its number. It does not see those of another host.
    pub fn is_visible(&self) -> bool {
        self.table == process_table()
    }

    /// Whether it has ended, collected by its parent or not. Unknown, and therefore false, of a process that is not visible.
    pub fn has_ended(&self) -> bool {
        let Some(pid) = Pid::from_raw(self.number.cast_signed()).filter(|_| self.is_visible()) else {
            return false;
        };
        if test_kill_process(pid) == Err(Errno::SRCH) {
            return true;
        }
        // Where the system reports no starts, the number alone counts.
        Stat::of(self.number).is_some_and(|stat| stat.has_ended() || stat.start() != Some(&self.start))
    }
}

impl fmt::Display for ProcessIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.number, self.start, self.table)
    }
}

impl FromStr for ProcessIdentity {
    type Err = NotAProcess;

    fn from_str(text: &str) -> Result<Self, NotAProcess> {
        let parse = || {
            let mut parts = text.splitn(3, '-');
            let (number, start, table) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
            let is_word = |part: &str| !part.is_empty() && !part.contains(['-', '/', ' ']);
            (is_word(start) && is_word(table)).then(|| Self {
                number,
                start: start.to_owned(),
                table: table.to_owned(),
            })
        };
        parse().ok_or_else(|| NotAProcess(text.to_owned()))
    }
}

impl TryFrom<String> for ProcessIdentity {
    type Error = NotAProcess;

    fn try_from(text: String) -> Result<Self, NotAProcess> {
        text.parse()
    }
}

impl From<ProcessIdentity> for String {
    fn from(process: ProcessIdentity) -> Self {
        process.to_string()
    }
}

/// The status of a process, as the kernel reports it.
pub(crate) struct Stat(String);

impl Stat {
    /// `None` if there is no such process, or the system does not report it.
    pub(crate) fn of(pid: u32) -> Option<Self> {
        fs::read_to_string(format!("/proc/{pid}/stat")).ok().map(Self)
    }

    /// The name of its program.
    pub(crate) fn name(&self) -> Option<&str> {
        self.0.rsplit_once(')')?.0.split_once('(').map(|(_, name)| name)
    }

    /// Whether it has ended and waits to be reaped.
    pub(crate) fn has_ended(&self) -> bool {
        self.fields().next().is_some_and(|state| ["Z", "X"].contains(&state))
    }

    /// Whether a signal has stopped it, and no debugger.
    pub(crate) fn is_stopped(&self) -> bool {
        self.fields().next() == Some("T")
    }

    /// The number of its parent.
    pub(crate) fn parent(&self) -> Option<u32> {
        self.fields().nth(1)?.parse().ok()
    }

    /// The start of the process in the kernel's ticks since boot.
    fn start(&self) -> Option<&str> {
        // The 22nd field.
        self.fields().nth(19)
    }

    /// The fields from the third on. The second field is the program's name in parentheses and may contain anything.
    fn fields(&self) -> impl Iterator<Item = &str> {
        self.0.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace()
    }
}

/// The start of a process; `None` if there is no such process, or the system does not report it.
fn start_time(pid: u32) -> Option<String> {
    Stat::of(pid)?.start().map(str::to_owned)
}

/// The identity of the table of processes that this process sees: equal exactly where two processes see each other under their
/// numbers. Two hosts, and two namespaces of processes on one host, have different ones.
fn process_table() -> &'static str {
    static TABLE: OnceLock<String> = OnceLock::new();
    TABLE.get_or_init(|| {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_else(|_| host_name());
        let boot: String = boot.chars().filter(char::is_ascii_alphanumeric).collect();
        // `pid:[4026531836]`
        let namespace = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let namespace = namespace.to_string_lossy();
        format!("{boot}.{}", namespace.trim_start_matches("pid:[").trim_end_matches(']'))
    })
}

/// The name of this host in its network.
pub fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
