//! What the sandbox stops: one test for each row of the table in `docs/instructor.md`. Each attempt is also made without the
//! sandbox, or on what the sandbox permits, where it must succeed: a check that cannot fail is worth nothing.
//!
//! Where there is no sandbox, every test is skipped with the reason, and counted as that.
mod builds;
mod files;
mod kernel;
mod memory;
mod network;
mod processes;

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    process::{Command, Output},
};

use libtest_mimic::{Arguments, Trial};
use wb_process::sandbox::{Sandbox, SandboxLimits, SandboxedCommand};

/// A test and its name.
macro_rules! test {
    ($file:ident :: $name:ident) => {
        (stringify!($name), $file::$name)
    };
}

/// An attempt to leave a sandbox.
type Attempt = fn(&Sandbox);

const TESTS: &[(&str, Attempt)] = &[
    test!(network::no_connection_leaves_the_sandbox_and_no_server_outside_is_reached),
    test!(network::loopback_works_inside_as_mpi_needs_it),
    test!(network::names_of_machines_are_not_resolved),
    test!(files::nothing_outside_the_scratch_is_written),
    test!(files::no_home_folder_and_nothing_that_was_not_named_is_read),
    test!(files::only_named_variables_are_left),
    test!(files::the_folder_of_devices_takes_no_file),
    test!(processes::a_fork_bomb_is_stopped_by_the_limit_of_processes),
    test!(processes::every_limit_is_set_and_cannot_be_lifted),
    test!(processes::an_endless_loop_ends_at_the_limit_of_processor_time),
    test!(processes::other_processes_are_neither_seen_nor_signalled),
    test!(processes::a_daemon_ends_with_the_sandbox),
    test!(memory::memory_is_limited_in_processes_and_in_files),
    test!(memory::processes_that_together_use_too_much_memory_are_ended),
    test!(memory::memory_that_processes_share_counts_once),
    test!(kernel::no_namespace_is_made_in_which_there_are_capabilities),
    test!(kernel::memory_that_no_limit_counts_and_namespaces_have_no_system_call),
    test!(kernel::both_mpi_libraries_run_inside),
    test!(kernel::no_capability_and_no_device_is_left),
    test!(builds::build_scripts_and_procedural_macros_are_in_the_sandbox_too),
];

fn main() {
    let arguments = Arguments::from_args();
    let sandbox = Sandbox::find();
    if let Err(error) = &sandbox {
        println!("SKIP: {error}");
    }
    let trials = TESTS.iter().map(|(name, test)| {
        let (test, there) = (*test, sandbox.as_ref().ok().cloned());
        let is_skipped = there.is_none();
        let run = move || {
            there.iter().for_each(test);
            Ok(())
        };
        Trial::test(*name, run).with_ignored_flag(is_skipped)
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn bash(script: &str) -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", script]);
    command
}

fn inside(sandbox: &Sandbox, seen: &SandboxedCommand, script: &str) -> Output {
    sandbox.command(seen, &bash(script)).expect("a sandbox").output().expect("bubblewrap runs")
}

fn run() -> SandboxedCommand {
    SandboxedCommand::new(SandboxLimits::RUN)
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A folder that every user may enter and list.
fn open_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("ours");
    folder
}
