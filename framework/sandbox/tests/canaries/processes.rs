//! Attempts on other processes, on their number and on time.
use std::{
    fs,
    os::unix::process::ExitStatusExt,
    process::Command,
    time::{Duration, Instant},
};

use wb_sandbox::{Sandbox, SandboxLimits, SandboxedCommand};

use crate::{inside, open_folder, run, text};

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
        "setsid bash -c 'while true; do date +%N > {0}; sleep 0.05; done' > /dev/null 2>&1 & sleep 0.5; cat {0}",
        beat.display()
    );
    let tried = inside(sandbox, &run().writable(scratch.path()), &script);
    assert!(!tried.stdout.is_empty(), "the daemon ran: {}", text(&tried));
    let read = || fs::read_to_string(&beat).expect("there");
    let last = read();
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(read(), last, "the daemon is gone");
}
