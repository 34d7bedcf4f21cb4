//! Processes that a task starts and leaves.
use std::process::{Command, Stdio};

use crate::number_task::{distribute, test};

/// Starts a program that runs for an hour.
fn start(program: &str, arguments: &[&str]) {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    command.spawn().expect("it is installed everywhere");
}

#[test]
fn rank_1_leaves_a_process() {
    test(|world, number| {
        if world.rank() == 1 {
            start("sleep", &["3601"]);
        }
        distribute(world, number)
    });
}

/// One that has left the session: no signal to a group finds it.
#[test]
fn rank_1_leaves_a_daemon() {
    test(|world, number| {
        if world.rank() == 1 {
            start("setsid", &["--fork", "sleep", "3602"]);
        }
        distribute(world, number)
    });
}

/// This one waits for what it has started.
#[test]
fn rank_1_waits_for_its_process() {
    test(|world, number| {
        if world.rank() == 1 {
            let ended =
                Command::new("true").stdin(Stdio::null()).status().expect("it is installed everywhere");
            assert!(ended.success());
        }
        distribute(world, number)
    });
}
