//! Does the functional harness notice? Every way in which a parallel program fails has a test that fails in that way (`canary_cases`). Here
//! they are started as a user would start them. A harness that passes everything would pass its own tests, but not these.
use rstest::rstest;
use wb_comm::LibraryInfo;
use wb_record::Backend;
use wb_tests::canary_runner::{FULL_RUN_RANKS, canaries, full_run};

#[cfg(all(feature = "mpi", target_os = "linux"))]
#[path = "canaries/debugged.rs"]
mod debugged;
#[path = "canaries/foreign_words.rs"]
mod foreign_words;
#[path = "canaries/input_files.rs"]
mod input_files;
#[cfg(all(feature = "mpi", target_os = "linux"))]
#[path = "canaries/killed.rs"]
mod killed;
#[path = "canaries/observed.rs"]
mod observed;
mod planted;
#[path = "canaries/russian.rs"]
mod russian;
#[path = "canaries/task_settings.rs"]
mod task_settings;
#[path = "canaries/unending.rs"]
mod unending;

/// The result of a canary on every backend at two ranks; ranks that have no part in the mistake are there under a launcher: its verdict, the reason of each of these verdicts,
/// and what its report must say besides. (The reasons are compared one by one: a report prints equal ones only once, so
/// a canary that fails on one backend for a reason of its own could hide behind the others.)
#[rstest]
#[case::panic("panics::rank_1_panics", "FAIL", "rank 1 panicked in run", &["the canary of rank 1 panics", "panics.rs:10:13"])]
#[case::ended("panics::rank_1_panics_by_abort", "ABORTED", "rank 1 ended the job in run: abort(3)", &["1  called abort in run at", "panics.rs:22:19"])]
#[case::late_panic("panics::rank_1_panics_at_the_end", "FAIL", "rank 1 panicked in run", &["no rank waits for rank 1", "0  came back"])]
#[case::hidden("panics::rank_1_panics_with_hidden_characters", "FAIL", "rank 1 panicked in run", &["\\u{1b}[2J\\u{1b}]0;title\\u{7}\\u{0} reversed \\u{202e} here"])]
#[case::receive("deadlock::a_receive_is_never_answered", "HANG", WAIT, &["0  in run: recv from 1, tag 7, 24 bytes", "1  in run: recv from 0, tag 7", "deadlock.rs:9", "WB0001: ranks wait", "who waits for whom: 0 -> 1 -> 0", "cargo wb explain WB0001"])]
#[case::sends("deadlock::both_send_first", "HANG", WAIT, &["0  in run: send to 1, tag 3, 2097152 bytes", "1  in run: send to 0, tag 3", "deadlock.rs:21", "WB0020: ranks wait", "cargo wb explain WB0020"])]
#[case::near_miss("deadlock::another_tag_is_awaited", "HANG", WAIT, &["WB0003: ranks wait", "rank 1 has a message from 0 with tag 17 and waits for tag 18", "send at ", "deadlock.rs:32 (rank 0)"])]
#[case::roots("disagreement::every_rank_is_the_root", "FAIL", "calls of different ranks do not go together", &["WB0031: calls", "disagreement.rs:14 (rank 0): root 0", "disagreement.rs:14 (rank 1): root 1"])]
#[case::leftovers(
    "unread_messages::messages_stay_unread",
    "FAIL",
    "3 message(s) were sent and never received",
    LEFTOVERS
)]
#[case::request("dropped_requests::a_request_is_dropped", "FAIL", "1 request(s) never waited for", &["WB0011: 1 request(s)", "irecv from 0, tag 77, 8 bytes, communicator world", "dropped_requests.rs:9 (rank 1)", "cargo wb explain WB0011"])]
#[case::request_of_a_message("dropped_requests::a_request_is_dropped_with_its_message", "FAIL", "1 request(s) never waited for", &["WB0011: 1 request(s)", "irecv from 0, tag 78, 8 bytes, communicator world", "dropped_requests.rs:22 (rank 1)"])]
#[case::unjoined("disagreement::all_but_the_root_reduce_again", "FAIL", "1 collective(s) that some ranks of the communicator never call", &["WB0004: 1 collective(s)", "reduce on communicator world: called by rank 1, not by rank 0", "disagreement.rs:25 (rank 1)"])]
#[case::disagreement("disagreement::rank_1_has_another_number", "FAIL", "the ranks disagree", &["rank 0: 42", "rank 1: 43"])]
#[case::exit("exits::rank_1_calls_exit_0", "CRASH", "rank 1 called exit in run", &[])]
#[case::twice("panics::rank_1_panics_in_a_destructor_too", "CRASH", "no result from rank", &["panics.rs:65:9: the cause", "panics.rs:59:13: the destructor panics, too"])]
#[case::abort("exits::rank_1_aborts", "CRASH", "no result from rank", &["1  no record", "SIGABRT"])]
#[case::silent("no_communication::every_rank_guesses", "FAIL", "it communicates nothing", &[])]
#[case::barriers("no_communication::every_rank_guesses_between_barriers", "FAIL", "it communicates nothing", &[])]
#[case::slow("slow::postprocessing_takes_three_seconds", "LIMIT", "still waited outside of MPI in postprocessing", &["limit hit", "waits in the operating system", "waiting outside of MPI in postprocessing", "tests/canary_cases/slow.rs:9 (canary_cases::slow::three_seconds)"])]
#[case::endless("slow::a_loop_does_not_end", "LIMIT", "rank 1 was still computing in run", &["rank 1 computes and does not communicate, at tests/canary_cases/slow.rs:", "computing in run  at tests/canary_cases/slow.rs:", "does the loop around this line end"])]
#[case::destructor("destructors::a_destructor_of_rank_1_does_not_end", "FAIL", "has delivered its result and does not end", &["  rank 1 has delivered its result", "still running after the result: tests/canary_cases/destructors.rs:1", "1  came back, and does not end", "destructors (Drop) of thread-local values"])]
#[case::memory("memory::rank_1_asks_for_a_matrix_too_large", "CRASH", "rank 1 ran out of memory in run: it asked for 8.0 TB", &["8.0 TB were asked for at tests/canary_cases/memory.rs:14", "is the size in this line right"])]
#[case::capacity("memory::rank_1_asks_for_more_than_an_address_can_name", "FAIL", "rank 1 panicked in run", &["capacity overflow", "more memory was asked for than an address can name", "tests/canary_cases/memory.rs:26"])]
#[case::process("child_processes::rank_1_leaves_a_process", "FAIL", "1 process(es) left behind by the task, and ended", &["sleep (process ", "wait for every process that the task starts"])]
#[case::daemon("child_processes::rank_1_leaves_a_daemon", "FAIL", "process(es) left behind by the task, and ended", &[" (process "])]
#[case::unnoticed("panics::a_thread_panics_and_a_call_fails_unnoticed", "FAIL", "the ranks disagree", &["the thread `worker` of the task panicked at", "panics.rs:76:43: the thread is lost", "send at tests/canary_cases/panics.rs:77 returned an error that the stage"])]
#[case::error("wrong_results::a_call_returns_an_error", "FAIL", "run returned an error", &["destination 2 does not exist"])]
#[case::wrong("wrong_results::the_result_is_wrong_everywhere", "FAIL", "the output on rank 0 is wrong", &["the oracle: expected 42, got 43"])]
#[case::home("output_homes::the_output_at_home_is_wrong", "FAIL", "the output on rank ", &["the oracle: expected 42, got 43", "the output on rank 1 is wrong"])]
#[case::first_check("wrong_results::the_first_of_two_checks_fails", "FAIL", "the output on rank 0 is wrong", &[])]
#[case::collective("rules::a_collective_is_called", "FAIL", "collective call(s), and only point-to-point", &["2 collective call(s)", "bcast at ", "rules.rs:8 (rank 0)"])]
#[case::messages("rules::too_many_messages", "FAIL", "messages were sent, 0 are required", &["1 messages were sent"])]
#[case::accepted("rules::a_bad_input_is_accepted", "FAIL", "validation must refuse this input", &[])]
#[case::refused("rules::a_good_input_is_refused", "FAIL", "validation refused the input: the number is zero", &[])]
#[case::no_input("rules::no_input_at_all", "FAIL", "the test gives no input for", &[])]
fn a_plain_run_reports(#[case] test: &str, #[case] word: &str, #[case] reason: &str, #[case] texts: &[&str]) {
    let report = full_run().report(test);
    let hidden: String = report.0.chars().filter(|c| "\u{1b}\u{7}\u{202e}\0".contains(*c)).collect();
    assert_eq!(hidden, "", "{}", report.0);
    let library = canaries().library();
    for (backend, name) in backends(library.as_ref()) {
        let verdict = full_run().verdict(test, backend, FULL_RUN_RANKS as u32);
        let because = verdict.reason.as_deref().unwrap_or_default();
        assert!(because.contains(reason), "{name}: {because}\n{}", report.0);
        assert_eq!(format!("{:?}", verdict.verdict).to_uppercase(), word, "{name}");
        assert!(report.0.contains(name), "{name} is not in\n{}", report.0);
        let waits: Vec<_> = verdict.waits.iter().map(|wait| (wait.rank, wait.waits_for)).collect();
        assert_eq!(
            waits == [(0, 1), (1, 0)],
            reason == WAIT && !texts[0].contains("WB0003"),
            "{name}: {waits:?}"
        );
    }
    assert_eq!(report.0.matches(&format!("\n{word} {test} [")).count(), 1, "one mistake\n{}", report.0);
    report.assert_contains(texts);
    // An error that a stage passes on is the reason.
    assert_eq!(report.0.contains("returned an error that"), test.ends_with("unnoticed"), "{}", report.0);
}

/// Each backend as records and as reports name it.
fn backends(library: Option<&LibraryInfo>) -> Vec<(Backend, &str)> {
    let mpi = library.map(|library| (Backend::Mpi, library.implementation.as_str()));
    let always = [(Backend::Threads, "threads"), (Backend::VirtualTime, "virtual time")];
    always.into_iter().chain(mpi).collect()
}

const WAIT: &str = "ranks wait for each other and none can continue";

const LEFTOVERS: &[&str] = &[
    "WB0010: ",
    "cargo wb explain WB0010",
    "3 message(s) were sent and never received",
    "from rank 0 to rank 1, tag 11, 3 bytes, communicator world",
    "from rank 0 to rank 1, tag 12, 8 bytes, communicator world",
    "from rank 0 to rank 1, tag 13, 20 bytes, communicator split 1 of world",
];

#[test]
fn right_tests_beside_wrong_ones_pass() {
    let [slow @ .., rest] = &full_run().parts[..] else { panic!("a full run has parts") };
    for output in &full_run().parts {
        assert_eq!(output.code, Some(101), "{}", output.text);
        for test in
            ["correct::a_right_one", "correct::a_right_one_with_rules", "wrong_results::z_right_after_all"]
        {
            output.assert_contains(&[&format!("test {test} ... ok")]);
        }
        assert_eq!(output.text.matches("test result: FAILED").count(), 1);
        output.assert_contains(&["workbench: "]);
    }
    for output in slow {
        output.assert_contains(&["threads: 15 run(s) passed, ", "virtual time: 15 run(s) passed, "]);
    }
    rest.assert_contains(&["threads: 24 run(s) passed, ", "virtual time: 24 run(s) passed, "]);
    rest.assert_contains(&[
        "test rank_counts::all_need_more_ranks ... ok",
        "test output_homes::the_output_at_home_is_right ... ok",
        "test child_processes::rank_1_waits_for_its_process ... ok",
    ]);
}

#[test]
fn a_test_that_failed_does_not_pass_as_one_that_should_panic() {
    let output = canaries().with_ranks(2).run_alone(&["--exact", "rules::a_failure_is_expected"]);
    output.assert_contains(&["1 passed", "\nFAIL rules::a_failure_is_expected [", "remove it"]);
    assert_eq!(output.code, Some(101), "{}", output.text);
}

#[test]
fn an_impossible_number_of_ranks_is_named_with_its_line() {
    let report = full_run().report("rank_counts::no_rank_at_all");
    report.assert_contains(&["panicked at tests/canary_cases/rank_counts.rs:18:"]);
}

#[test]
fn an_order_of_messages_that_was_seen_to_differ_is_named() {
    let test = "wrong_results::the_first_message_decides";
    let report = canaries().with_ranks(4).run_alone(&["--exact", test]).report(test).0;
    let report = report.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = "the same input passed on virtual time: P = 4, where messages arrived in another order";
    assert!(report.contains(text), "{report}");
}

/// Exit hooks run when all tests have their verdict: the last test of the process has it revoked.
#[test]
fn an_exit_hook_that_does_not_end_fails_its_test() {
    let test = "destructors::an_exit_hook_of_rank_1_does_not_end";
    let canaries = canaries();
    let output = canaries.clone().with_ranks(2).run_alone(&["--ignored", "--exact", test]);
    for (backend, name) in backends(canaries.library().as_ref()) {
        let verdict = output.verdict(test, backend, 2);
        let because = verdict.reason.as_deref().unwrap_or_default();
        assert!(
            because.contains("1 has delivered its result and does not end"),
            "{name}: {because}\n{}",
            output.text
        );
    }
    output
        .report(test)
        .assert_contains(&["still running after the result: tests/canary_cases/destructors.rs:1"]);
}

/// What a task leaves behind is gone when its tests are over.
#[test]
#[cfg(target_os = "linux")]
fn no_process_of_a_task_outlives_its_tests() {
    let parts = &full_run().parts;
    let is_left = |entry: &std::fs::DirEntry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        line.starts_with(b"sleep\x003601\0") || line.starts_with(b"sleep\x003602\0")
    };
    let processes = std::fs::read_dir("/proc").expect("proc is mounted").flatten();
    assert_eq!(processes.filter(is_left).count(), 0, "{parts:#?}");
}

#[rstest]
#[case("wrong_results::the_reference_is_wrong", &["the reference's own output is wrong"])]
#[case("output_homes::the_output_is_at_another_place_than_the_assignment_s", &["`OUTPUT` of the task is Place::Home,", "Place::Everywhere"])]
fn what_makes_every_run_wrong_is_named(#[case] test: &str, #[case] texts: &[&str]) {
    full_run().report(test).assert_contains(texts);
}

#[test]
fn a_filter_that_selects_nothing_is_an_error() {
    let output = canaries().run_alone(&["no_such_test"]);
    assert_eq!(output.code, Some(wb_process::EMPTY_FILTER_EXIT_CODE), "{}", output.text);
    output.assert_contains(&["the filter `no_such_test` selects no test"]);
}

#[cfg(feature = "mpi")]
mod under_a_launcher {
    use std::time::Duration;

    use wb_tests::canary_runner::RunOutput;

    use super::*;

    /// Far longer than a job with a lost rank takes, and far shorter than a rank that waits for it would wait.
    const SOON: Duration = Duration::from_secs(120);

    fn assert_soon(output: &RunOutput) {
        assert!(output.duration < SOON, "{:?}\n{}", output.duration, output.text);
    }

    #[test]
    fn a_launcher_that_hangs_after_its_last_words_has_the_code_of_the_failed_rank() {
        let words = "echo 'mpirun detected that one or more processes exited with non-zero status'; \
                     echo '  Exit code:    101'; exec sleep 170";
        let output = canaries().run_after(words, &[]);
        assert_eq!(output.code, Some(101), "{}", output.text);
        assert_soon(&output);
    }

    const PANIC: &[&str] = &[
        "rank 1 panicked in run",
        "in run: recv from 1, tag 1, 4 bytes",
        "last output of rank 1",
        "rank 1 has seen 42",
    ];

    /// One canary in the user's own job: one report, soon, and never exit code 0.
    #[rstest]
    #[case::panic(4, "panics::rank_1_panics", "FAIL", PANIC)]
    #[case::receive(4, "deadlock::a_receive_is_never_answered", "HANG", &["3  in run: recv from 0, tag 7, 24 bytes", "deadlock.rs:9"])]
    #[case::exit(4, "exits::rank_1_calls_exit_0", "CRASH", &["rank 1 called exit in run"])]
    #[case::slow(4, "slow::postprocessing_takes_three_seconds", "LIMIT", &["waiting outside of MPI in postprocessing", "tests/canary_cases/slow.rs:9 (canary"])]
    #[case::endless(2, "slow::a_loop_does_not_end", "LIMIT", &["rank 1 computes and does not communicate, at tests/canary_cases/slow.rs:"])]
    fn a_lost_rank_ends_the_job(
        #[case] ranks: usize,
        #[case] test: &str,
        #[case] word: &str,
        #[case] texts: &[&str],
    ) {
        let output = canaries().with_ranks(ranks).run_launched(ranks, &["--exact", test]);
        assert_ne!(output.code, Some(0), "{}", output.text);
        assert_soon(&output);
        assert_eq!(output.text.matches(&format!("\n{word} {test} [")).count(), 1, "{}", output.text);
        assert_eq!(output.text.matches("running 1 test").count(), 1, "{}", output.text);
        let table = output.text.split("the ranks:\n").nth(1).expect("a table of ranks");
        let is_arrow = |c: char| " ┌│└▶↓".contains(c);
        let rows = table.lines().map(|row| row.trim_start_matches(is_arrow));
        let named: Vec<_> = rows.filter_map(|row| Some(row.split_once("  ")?.0)).collect();
        let is_named = |rank: usize| named.iter().any(|of| *of == "0-3" || of.contains(&rank.to_string()));
        assert!((0..ranks).all(is_named), "{}", output.text);
        output.assert_contains(texts);
        output.assert_contains(&["the ranks cannot continue after this", "0 run(s) passed, 1 failed"]);
    }

    /// The launcher decides how a rank that aborts ends; the harness must not let it pass.
    #[test]
    fn an_aborting_rank_never_passes() {
        let output = canaries().with_ranks(2).run_launched(2, &["--exact", "exits::rank_1_aborts"]);
        output.assert_contains(&["running 1 test"]);
        assert_ne!(output.code, Some(0), "{}", output.text);
        assert_soon(&output);
    }

    #[test]
    fn a_destructor_that_does_not_end_is_reported_by_its_rank() {
        let test = "destructors::a_destructor_of_rank_1_does_not_end";
        let output = canaries().with_ranks(2).run_launched(2, &["--exact", test]);
        assert_ne!(output.code, Some(0), "{}", output.text);
        output.assert_contains(&[
            &format!("FAIL {test} ["),
            "rank 1 has delivered its result and does not end",
        ]);
    }

    #[test]
    fn failures_that_all_survive_do_not_stop_the_rest() {
        let lost = [
            "deadlock::",
            "destructors::",
            "exits::",
            "memory::",
            "rank_1_panics",
            "slow::",
            "unending::",
            "rank_counts::",
        ];
        let arguments: Vec<_> = lost.iter().flat_map(|name| ["--skip", name]).collect();
        let output = canaries().with_ranks(4).run_launched(4, &arguments);
        assert_ne!(output.code, Some(0), "{}", output.text);
        assert_eq!(output.text.matches("test result: FAILED").count(), 1, "{}", output.text);
        for (test, word) in [
            ("unread_messages::messages_stay_unread", "FAIL"),
            ("disagreement::rank_1_has_another_number", "FAIL"),
            ("no_communication::every_rank_guesses", "FAIL"),
            ("dropped_requests::a_request_is_dropped", "FAIL"),
            ("wrong_results::the_first_of_two_checks_fails", "FAIL"),
        ] {
            assert!(output.text.contains(&format!("\n{word} {test} [")), "{test}\n{}", output.text);
        }
        output.assert_contains(LEFTOVERS);
        output.assert_contains(&[
            "test correct::a_right_one ... ok",
            "test wrong_results::z_right_after_all ... ok",
        ]);
    }

    #[test]
    fn right_tests_pass_with_one_report() {
        let output = canaries().run_launched(4, &["correct::"]);
        assert_eq!(output.code, Some(0), "{}", output.text);
        assert_eq!(output.text.matches("test result: ok. 2 passed").count(), 1, "{}", output.text);
    }

    #[test]
    fn more_ranks_than_there_are_is_a_skip_that_counts() {
        let output = canaries().run_launched(4, &["rank_counts::"]);
        assert_ne!(output.code, Some(0), "{}", output.text);
        output.assert_contains(&[
            "test rank_counts::some_need_more_ranks ... ok",
            "test rank_counts::all_need_more_ranks ... FAILED",
            "nothing was tested",
            "SKIP P = 6: the launcher gave 4 rank(s)",
            "2 run(s) passed, 0 failed, 3 skipped",
            "P = 5, 6 skipped: the launcher gave 4 rank(s)",
        ]);
    }

    /// cargo starts one process for each test target in the same slot; only one of them can join the job.
    #[test]
    fn a_second_binary_in_the_same_slot_starts_its_own_job() {
        let output = canaries().run_launched_twice(2, "correct::a_right_one");
        assert_eq!(output.code, Some(0), "{}", output.text);
        assert_eq!(output.text.matches("test result: ok. 2 passed").count(), 2, "{}", output.text);
        assert_eq!(output.text.matches("run(s) passed, 0 failed").count(), 2, "{}", output.text);
    }

    #[test]
    fn the_launcher_of_another_library_is_refused() {
        let output: RunOutput = canaries().run_foreign_launcher(4, &["--exact", "correct::a_right_one"]);
        assert_ne!(output.code, Some(0), "{}", output.text);
        output.assert_contains(&["the launcher announced 4 ranks, and the job has 1", "Use: "]);
    }

    #[test]
    fn a_filter_that_selects_nothing_is_an_error_for_a_launcher_too() {
        let output = canaries().run_launched(2, &["no_such_test"]);
        assert_ne!(output.code, Some(0), "{}", output.text);
        output.assert_contains(&["the filter `no_such_test` selects no test"]);
    }

    #[test]
    fn nextest_cannot_share_a_slot() {
        let output =
            canaries().with_variable("NEXTEST", "1").run_launched(2, &["--exact", "correct::a_right_one"]);
        assert_ne!(output.code, Some(0), "{}", output.text);
        output.assert_contains(&["cargo nextest"]);
    }
}
