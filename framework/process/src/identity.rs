//! Which process: its number and when it started. Numbers of processes come again, with another start.

use std::fs;

/// When a process was started, in the kernel's ticks since boot; `None` when there is no such process, or the system does
/// not say.
pub fn started(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the program's name in parentheses and may contain anything; the 22nd is the start.
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_whitespace().nth(19).map(str::to_owned)
}

/// Is the process that had this number and this start still there? Where the system does not say, it is.
pub fn is_there(pid: u32, start: &str) -> bool {
    match started(std::process::id()) {
        None => true,
        Some(_) => started(pid).is_some_and(|found| found == start),
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_one_start() {
        let own = started(std::process::id()).expect("proc is mounted");
        assert!(own.bytes().all(|byte| byte.is_ascii_digit()) && own != "0", "{own}");
        assert_eq!(started(std::process::id()), Some(own.clone()));
        assert!(is_there(std::process::id(), &own));
        assert!(!is_there(std::process::id(), "0") && !is_there(4_194_305, &own));
    }
}
