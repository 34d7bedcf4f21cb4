//! The clock of all time stamps, its cost, and the cell that prevents the compiler from moving work across a reading.
use rustix::time::{ClockId, clock_gettime};

/// The clock's name in records.
pub const NAME: &str = "CLOCK_MONOTONIC";

/// Nanoseconds of the clock that all processes of one machine share.
#[inline]
pub fn now() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The smallest difference between two different readings.
pub fn resolution() -> u64 {
    let differences = (0..1000).map(|_| {
        let first = now();
        let mut second = now();
        while second == first {
            second = now();
        }
        second - first
    });
    differences.min().expect("a thousand differences")
}

/// The identity of the running kernel: equal on all ranks exactly when they share a clock.
pub fn kernel_identity() -> String {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
    id.unwrap_or_else(|_| rustix::system::uname().nodename().to_string_lossy().into_owned()).trim().to_owned()
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
}
