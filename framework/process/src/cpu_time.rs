//! The processor time of this thread, and that of another process from its clock.

use std::mem::MaybeUninit;

use rustix::time::{ClockId, clock_gettime};

/// The kind of a clock that counts what all threads of a process have computed, also those that have ended: the last bits of a clock of
/// `clock_getcpuclockid(3)`.
const SCHEDULED_TIME: libc::clockid_t = 2;

/// The largest number of a process that Linux gives.
const PID_MAX: libc::clockid_t = 1 << 22;

/// The processor time of this thread so far in nanoseconds.
pub fn thread_cpu_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}

/// The processor time of a process so far in nanoseconds; `None` where there is no such process or no such clock.
pub fn process_cpu_ns(pid: u32) -> Option<u64> {
    // A larger number does not fit into a clock, and would name another one.
    let number = libc::clockid_t::try_from(pid).ok().filter(|pid| *pid <= PID_MAX)?;
    let clock = (!number << 3) | SCHEDULED_TIME;
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: the call writes to `time` alone, which has its type and size; a clock that does not exist is refused.
    let refused = unsafe { libc::clock_gettime(clock, time.as_mut_ptr()) };
    // SAFETY: all-zero bytes are a valid `timespec`, so `time` is initialised whether or not the call wrote to it.
    let time = unsafe { time.assume_init() };
    let nanoseconds = u64::try_from(time.tv_sec).ok()? * 1_000_000_000 + u64::try_from(time.tv_nsec).ok()?;
    (cfg!(target_os = "linux") && refused == 0).then_some(nanoseconds)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn threads_that_have_ended_count_and_a_process_that_is_gone_has_no_time() {
        let before = process_cpu_ns(std::process::id()).expect("this process");
        let computing = || {
            let start = Instant::now();
            while thread_cpu_ns() < 20_000_000 && start.elapsed() < Duration::from_secs(60) {}
        };
        std::thread::spawn(computing).join().expect("it ends");
        assert!(process_cpu_ns(std::process::id()) >= Some(before + 20_000_000));
        assert_eq!(process_cpu_ns(i32::MAX.cast_unsigned()), None);
        assert_eq!(process_cpu_ns(u32::MAX), None);
    }
}
