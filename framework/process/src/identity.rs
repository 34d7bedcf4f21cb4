//! The identity of a process: its number and its start time, because numbers of processes are reused.

use std::{fs, sync::OnceLock};

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

/// The identity of the table of processes that this process sees: equal exactly where two processes see each other under their
/// numbers. Two hosts, and two namespaces of processes on one host, have different ones.
pub fn process_table() -> &'static str {
    static TABLE: OnceLock<String> = OnceLock::new();
    TABLE.get_or_init(|| {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id");
        let boot = boot.map_or_else(|_| host_name(), |id| id.trim().to_owned());
        // `pid:[4026531836]`
        let namespace = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let namespace = namespace.to_string_lossy();
        format!("{boot}/{}", namespace.trim_start_matches("pid:[").trim_end_matches(']'))
    })
}

/// The name of this host in its network.
pub fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
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
    fn every_namespace_has_a_table_of_its_own_and_a_process_of_this_one_has_this_one() {
        let table = process_table();
        let (boot, namespace) = table.split_once('/').expect("two parts");
        assert!(boot.len() > 30 && !namespace.is_empty(), "{table}");
        let read = |arguments: &[&str]| {
            let output = Command::new(arguments[0]).args(&arguments[1..]).output().expect("a program");
            output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let of_child = read(&["readlink", "/proc/self/ns/pid"]).expect("it reads its own");
        assert_eq!(of_child, format!("pid:[{namespace}]"));
        let inside =
            ["unshare", "--user", "--pid", "--fork", "--mount-proc", "readlink", "/proc/self/ns/pid"];
        // Where namespaces are not allowed there is only one.
        if let Some(other) = read(&inside) {
            assert_ne!(other, of_child);
        }
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
