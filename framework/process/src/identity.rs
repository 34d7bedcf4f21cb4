//! The identity of a process: its number and its start time, because numbers of processes are reused.

use std::fs;

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

    /// The fields from the third on. The second field is the program's name in parentheses and may contain anything.
    fn fields(&self) -> impl Iterator<Item = &str> {
        self.0.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace()
    }
}

/// The start of a process in the kernel's ticks since boot; `None` if there is no such process, or the system does not report
/// it.
pub fn start_time(pid: u32) -> Option<String> {
    // The 22nd field.
    Stat::of(pid)?.fields().nth(19).map(str::to_owned)
}

/// Whether the process with this number and this start still exists. True where the system does not report it.
pub fn is_running(pid: u32, start: &str) -> bool {
    match start_time(std::process::id()) {
        None => true,
        Some(_) => start_time(pid).is_some_and(|found| found == start),
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_process_that_has_ended_is_there_until_it_is_collected() {
        let mut child = Command::new("sleep").arg("60").spawn().expect("a process");
        let start = start_time(child.id()).expect("it runs");
        assert!(!Stat::of(child.id()).expect("it runs").has_ended());
        child.kill().expect("it runs");
        while !Stat::of(child.id()).expect("not collected").has_ended() {
            std::thread::yield_now();
        }
        assert!(is_running(child.id(), &start));
        child.wait().expect("its end");
        assert!(Stat::of(child.id()).is_none() && !is_running(child.id(), &start));
    }

    #[test]
    fn a_program_s_name_may_contain_anything() {
        let stat = |text: &str| Stat(text.to_owned());
        let odd = stat("7 (a) Z (b) S 1 2");
        assert_eq!((odd.name(), odd.has_ended()), (Some("a) Z (b"), false));
        assert_eq!(
            [" X 1", " Z 1", " R 1"].map(|rest| stat(&format!("7 (a){rest}")).has_ended()),
            [true, true, false]
        );
    }

    #[test]
    fn a_process_has_one_start() {
        let own = start_time(std::process::id()).expect("proc is mounted");
        assert!(own.bytes().all(|byte| byte.is_ascii_digit()) && own != "0", "{own}");
        assert_eq!(start_time(std::process::id()), Some(own.clone()));
        assert!(is_running(std::process::id(), &own));
        assert!(!is_running(std::process::id(), "0") && !is_running(4_194_305, &own));
    }
}
