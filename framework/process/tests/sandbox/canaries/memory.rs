//! Attempts to take all memory.
use wb_process::sandbox::{ExcessReport, Sandbox, SandboxLimits, SandboxedCommand};

use crate::{inside, text};

pub(crate) fn memory_is_limited_in_processes_and_in_files(sandbox: &Sandbox) {
    let small = SandboxLimits { process_memory: 256 << 20, file_memory: 16 << 20, ..SandboxLimits::RUN };
    let small = SandboxedCommand::new(small);
    let fits = inside(sandbox, &small, "head -c 8M /dev/full | tail > /dev/null && echo fits");
    assert!(text(&fits).contains("fits"), "{}", text(&fits));
    // `tail` keeps a line that does not end in memory.
    let tried = inside(sandbox, &small, "head -c 1G /dev/full | tail > /dev/null && echo fits");
    assert!(!text(&tried).contains("fits") && text(&tried).contains("memory exhausted"), "{}", text(&tried));
    for folder in ["/tmp", "/dev/shm"] {
        let tried = inside(sandbox, &small, &format!("head -c 64M /dev/full > {folder}/file && echo fits"));
        assert!(text(&tried).contains("No space left"), "{}", text(&tried));
    }
}

pub(crate) fn processes_that_together_use_too_much_memory_are_ended(sandbox: &Sandbox) {
    let small = SandboxLimits { process_memory: 256 << 20, memory: 512 << 20, ..SandboxLimits::RUN };
    let excess = ExcessReport::default();
    let small = SandboxedCommand::new(small).reporting_to(excess.clone());
    // `tail` keeps a line that does not end in memory, here while the other end of the pipe is open.
    let fill = |processes: u32| {
        format!(
            "for i in $(seq {processes}); do (head -c 150M /dev/full; sleep 8) | tail > /dev/null & done; \
             sleep 5; echo survived"
        )
    };
    let fits = inside(sandbox, &small, &fill(2));
    assert!(text(&fits).contains("survived"), "{}", text(&fits));
    assert_eq!(excess.get(), None, "two processes with 150 MB each are below the limit of 512 MB");
    let tried = inside(sandbox, &small, &fill(6));
    assert!(!text(&tried).contains("survived") && !tried.status.success(), "{}", text(&tried));
    let excess = excess.get().expect("the reason is left");
    assert!(excess.limit == 512 << 20 && excess.used > excess.limit, "more than 512 MB: {excess:?}");
    // All six grow at once: the largest holds at least its share of what all use, and less than its own limit.
    let is_one = (excess.used / 8..256 << 20).contains(&excess.used_by_largest);
    assert!(is_one, "the largest of six has a sixth of all memory or more: {excess:?}");
}

pub(crate) fn memory_that_processes_share_counts_once(sandbox: &Sandbox) {
    let small = SandboxLimits { process_memory: 256 << 20, memory: 512 << 20, ..SandboxLimits::RUN };
    let excess = ExcessReport::default();
    let small = SandboxedCommand::new(small).reporting_to(excess.clone());
    // Ten shells have 64 MB each, which are the same memory until one of them writes to it.
    let script = "text=$(head -c 64M /dev/full | tr '\\0' x); for i in $(seq 9); do (sleep 3; :) & done; \
                  wait; echo survived ${#text}";
    let tried = inside(sandbox, &small, script);
    let excess = excess.get();
    assert_eq!(excess, None, "64 MB that ten processes share are below the limit of 512 MB");
    let shown = text(&tried);
    assert!(shown.contains("survived 67108864"), "ten processes with 64 MB of text end well: {shown}");
}
