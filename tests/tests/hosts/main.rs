//! The test hosts: what a host is, jobs of MPI and of Slurm on several hosts, and that nothing of a set is left.
//!
//! Where this machine can have no hosts, every test that needs them is skipped with the reason, and counted as that. This program is
//! a rank of its jobs, and the laboratory of barriers, too.
mod batch;
mod commands;
mod failure_trial;
mod failures;
mod isolation;
mod job_failures;
mod jobs;
mod laboratory;
mod leftovers;
mod lifetime;
mod program;
mod rank;
mod reports;
mod traces;

use std::{
    env,
    process::{Command, ExitCode},
    thread,
    time::{Duration, Instant},
};

use libtest_mimic::{Arguments, Completion, Trial};
use wb_tests::hosts::HostsError;

/// A test: it fails by a panic or an error, and is skipped where there can be no hosts.
type HostsTest = fn() -> Result<(), HostsError>;

/// A test and its name.
macro_rules! test {
    ($file:ident :: $name:ident) => {
        (stringify!($name), $file::$name)
    };
}

const TESTS: &[(&str, HostsTest)] = &[
    test!(isolation::every_host_has_its_own_name_and_address),
    test!(isolation::ssh_reaches_every_host_without_an_option),
    test!(isolation::memory_and_temporary_files_are_private_and_the_rest_is_shared),
    test!(isolation::a_full_folder_is_full_on_one_host_only),
    test!(isolation::a_disconnected_host_is_reached_when_it_is_connected_again),
    test!(isolation::the_processes_of_a_host_are_those_of_its_programs),
    test!(isolation::a_missing_program_is_named_with_its_package),
    test!(jobs::the_launcher_starts_ranks_on_every_host),
    test!(jobs::canary_ranks_without_shared_memory_are_found),
    test!(jobs::canary_ranks_on_one_host_are_found),
    test!(jobs::the_end_of_a_host_ends_its_job),
    test!(jobs::a_host_that_is_cut_off_does_not_end_its_job),
    test!(batch::slurm_starts_ranks_on_every_host),
    test!(batch::canary_ranks_of_the_wrong_protocol_are_found),
    test!(batch::the_launcher_uses_the_hosts_of_an_allocation),
    test!(batch::scripts_and_arrays_run_and_jobs_are_cancelled),
    test!(batch::jobs_end_at_their_time_limit_and_with_their_host),
    test!(commands::the_tests_of_a_task_run_on_all_hosts_of_a_file),
    test!(commands::the_tests_of_a_task_run_under_slurm),
    test!(commands::a_lost_host_ends_the_tests_of_a_task_and_is_named),
    test!(commands::doctor_names_the_host_and_what_to_do),
    test!(commands::a_command_runs_as_a_job_of_slurm_with_its_output_and_status),
    test!(commands::an_interrupted_command_cancels_its_job),
    test!(commands::a_script_is_written_and_nothing_is_submitted),
    test!(reports::a_report_is_measured_by_an_array_of_jobs),
    test!(laboratory::barriers_are_measured_on_the_hosts_of_a_file),
    test!(laboratory::the_control_network_and_windows_cross_from_host_to_host),
    test!(laboratory::barriers_are_measured_under_slurm),
    test!(laboratory::links_within_a_host_and_between_hosts_are_fitted),
    test!(failures::every_failure_is_reported_and_leaves_nothing),
    test!(job_failures::a_job_that_slurm_ends_is_named_as_that_and_keeps_its_records),
    test!(job_failures::a_job_that_waits_for_ever_shows_its_reason),
    test!(traces::a_trace_of_two_hosts_has_the_times_of_one_clock),
    test!(lifetime::a_dropped_set_leaves_nothing),
    test!(lifetime::a_set_leaves_nothing_after_a_panic),
    test!(lifetime::a_set_leaves_nothing_when_its_owner_is_killed),
    test!(lifetime::two_sets_do_not_disturb_each_other),
    test!(lifetime::sets_start_and_end_fast),
    test!(lifetime::canary_what_is_left_is_found),
    test!(program::the_status_and_the_streams_are_those_of_the_command),
    test!(program::a_folder_in_a_private_place_is_visible_when_the_command_runs_in_it),
    test!(program::a_wrong_command_line_is_an_error),
];

/// Tests that take so long that they run on request only.
const LONG_TESTS: &[(&str, HostsTest)] = &[test!(failures::every_failure_many_times)];

fn main() -> ExitCode {
    if laboratory::is_laboratory() {
        return wb_laboratory::main(&[]);
    }
    if let Some(role) = env::args().nth(1).and_then(|word| rank::Role::parse(&word)) {
        return rank::main(role);
    }
    let trial = |&(name, test): &(&str, HostsTest)| {
        Trial::ignorable_test(name, move || match test() {
            Ok(()) => Ok(Completion::Completed),
            Err(error @ HostsError::Unavailable(_)) => Ok(Completion::ignored_with(error.to_string())),
            Err(error) => Err(error.into()),
        })
    };
    let long = LONG_TESTS.iter().map(|test| trial(test).with_ignored_flag(true));
    let trials = TESTS.iter().map(trial).chain(long);
    let mut arguments = Arguments::from_args();
    // Each test has hosts of its own and waits most of the time; more of them would exceed limits of time.
    arguments.test_threads = arguments.test_threads.or(Some(2));
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// The standard output of a command that must succeed.
fn output_of(mut command: Command) -> String {
    let output = command.output().expect("it starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{error}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Waits until something is so, and fails with its description when that takes too long.
fn wait_until(what: &str, limit: Duration, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < limit, "not in {limit:?}: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}
