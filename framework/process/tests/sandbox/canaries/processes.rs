//! Attempts on other processes, on their number and on time.
use std::{
    fs,
    os::unix::process::ExitStatusExt,
    process::Command,
    time::{Duration, Instant},
};

use wb_process::sandbox::{Sandbox, SandboxLimits, SandboxedCommand};

use crate::{bash, inside, open_folder, run, text};

pub(crate) fn a_fork_bomb_is_stopped_by_the_limit_of_processes(sandbox: &Sandbox) {
    let few = SandboxedCommand::new(SandboxLimits { processes: 64, ..SandboxLimits::RUN });
    // The shell tries again for 15 seconds: no process may end before.
    let script = "for i in $(seq 200); do sleep 300 & done; echo all started";
    let start = Instant::now();
    let tried = inside(sandbox, &few, script);
    let shown = text(&tried);
    assert!(shown.contains("Resource temporarily unavailable") && !shown.contains("all started"), "{shown}");
    assert!(start.elapsed() < Duration::from_secs(60));
}

pub(crate) fn every_limit_is_set_and_cannot_be_lifted(sandbox: &Sandbox) {
    let (process_memory, file_size, cpu_time) = (512 << 20, 3 << 20, Duration::from_secs(77));
    let limits = SandboxLimits { process_memory, file_size, processes: 499, cpu_time, ..SandboxLimits::RUN };
    let limited = SandboxedCommand::new(limits);
    // The shell counts memory and files in units of 1024 bytes.
    let expected = "d 524288 524288, f 3072 3072, u 499 499, n 4096 4096, t 77 77, c 0 0";
    let script = "for of in d f u n t c; do echo $of $(ulimit -S$of) $(ulimit -H$of); done";
    let shown = |output| text(&output).trim().replace('\n', ", ");
    assert_eq!(shown(inside(sandbox, &limited, script)), expected, "the limits inside, soft and hard");
    let outside = shown(bash(script).output().expect("bash"));
    let is_set_outside = |limit: &str| !limit.starts_with(['n', 'c']) && outside.contains(limit);
    assert!(!expected.split(", ").any(is_set_outside), "the canary, no sandbox: {outside}");
    // There is room for more.
    let write = "head -c 4M /dev/full > /tmp/file && echo all; stat -c %s /tmp/file";
    let larger = text(&inside(sandbox, &limited, write));
    assert!(larger.starts_with("3145728\n"), "4 MB end at the largest size of a file, 3 MB: {larger}");
}

pub(crate) fn an_endless_loop_ends_at_the_limit_of_processor_time(sandbox: &Sandbox) {
    let short =
        SandboxedCommand::new(SandboxLimits { cpu_time: Duration::from_secs(1), ..SandboxLimits::RUN });
    let start = Instant::now();
    let tried = inside(sandbox, &short, "while true; do :; done");
    assert!(!tried.status.success(), "{:?} {:?}", tried.status, tried.status.signal());
    assert!(start.elapsed() < Duration::from_secs(60));
}

pub(crate) fn other_processes_are_neither_seen_nor_signalled(sandbox: &Sandbox) {
    let mut victim = Command::new("sleep").arg("60").spawn().expect("a process");
    let script = format!(
        "kill -9 {0} && echo killed; kill -9 -1; ls /proc/{0}/mem && echo seen; echo end",
        victim.id()
    );
    let tried = inside(sandbox, &run(), &script);
    assert!(!text(&tried).contains("killed") && !text(&tried).contains("seen"), "{}", text(&tried));
    assert!(victim.try_wait().expect("ours").is_none(), "it still runs");
    victim.kill().expect("ours");
    victim.wait().expect("ours");
}

pub(crate) fn a_daemon_ends_with_the_sandbox(sandbox: &Sandbox) {
    let scratch = open_folder();
    sandbox.hand_over(scratch.path()).expect("ours");
    let beat = scratch.path().join("beat");
    let script = format!(
        "setsid bash -c 'while true; do date +%N >> {0}; sleep 0.05; done' > /dev/null 2>&1 & \
         until [ -s {0} ]; do sleep 0.05; done; cat {0}",
        beat.display()
    );
    let tried = inside(sandbox, &run().writable(scratch.path()), &script);
    assert!(!tried.stdout.is_empty(), "the daemon ran: {}", text(&tried));
    let read = || fs::read_to_string(&beat).expect("there");
    let last = read();
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(read(), last, "the daemon is gone");
}
