//! The clock of all time stamps, its cost, and the cell that prevents the compiler from moving work across a reading.
use std::sync::LazyLock;

use rustix::time::{ClockId, clock_gettime};

/// The clock's name in records.
pub const NAME: &str = "CLOCK_MONOTONIC";

/// Nanoseconds of the clock that all processes of one machine share.
#[inline]
pub fn now() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The smallest difference between two different readings, which is measured once in a process.
pub fn resolution() -> u64 {
    static MEASURED: LazyLock<u64> = LazyLock::new(|| {
        let differences = (0..1000).map(|_| {
            let first = now();
            let mut second = now();
            while second == first {
                second = now();
            }
            second - first
        });
        differences.min().expect("a thousand differences")
    });
    *MEASURED
}

/// The identity of the running kernel: processes with the same one share its cores.
pub fn kernel_identity() -> String {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
    let kernel = id.unwrap_or_else(|_| rustix::system::uname().nodename().to_string_lossy().into_owned());
    kernel.trim().to_owned()
}

/// The identity of the clock that this process reads: equal on all ranks exactly when their readings can be compared.
///
/// A kernel counts from its own start, so the identity contains that of the running kernel. A time namespace adds an
/// offset to the clock of its processes, so the identity contains the namespace, too, where the kernel has them.
pub fn clock_identity() -> String {
    let namespace = std::fs::read_link("/proc/self/ns/time").unwrap_or_default();
    format!("{} {}", kernel_identity(), namespace.display()).trim().to_owned()
}

/// Keeps the processor busy until `deadline`.
pub fn spin_until(deadline: u64) {
    while now() < deadline {
        std::hint::spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_resolves_better_than_a_microsecond_and_never_goes_back() {
        let resolution = resolution();
        assert!((1..1_000_000).contains(&resolution), "{resolution} ns");
        let before = now();
        spin_until(before + 10_000);
        assert!(now() >= before + 10_000);
    }

    #[test]
    fn two_processes_of_one_machine_have_one_clock() {
        let child =
            std::process::Command::new("readlink").arg("/proc/self/ns/time").output().expect("readlink");
        let namespace = String::from_utf8_lossy(&child.stdout);
        assert!(clock_identity().ends_with(namespace.trim()), "{} {namespace}", clock_identity());
        assert_eq!(clock_identity(), clock_identity());
    }
}
