//! Does the functional harness notice? Every way in which a parallel program goes wrong has a test that goes wrong in that
//! way (`canary_cases`); here they are started, as a user would start them, and their verdicts and texts are looked at.
//! A harness that passes everything would pass its own tests, but not these.
use rstest::rstest;
use wb_comm::Library;
use wb_record::Backend;
use wb_tests::aviary::{Song, canaries, everything};

/// What becomes of a canary on every backend at two and at four ranks: its verdict, the reason of each of these verdicts,
/// and what its report must say besides. (The reasons are looked up one by one: a report tells only once what is alike, so
/// a canary that fails on one backend for a reason of its own could hide behind the others.)
#[rstest]
#[case::panic("panics::rank_1_panics", "FAIL", "rank 1 panicked in run", &["has fallen off its perch", "panics.rs:10:13"])]
#[case::late_panic("panics::rank_1_panics_at_the_end", "FAIL", "rank 1 panicked in run", &["nobody needs rank 1 any more", "0  came back"])]
#[case::receive("deadlock::a_receive_is_never_answered", "HANG", WAIT, &["0  in run: recv from 1, tag 7, 24 bytes", "1  in run: recv from 0, tag 7", "deadlock.rs:9", "WB0001: ranks wait", "who waits for whom: 0 -> 1 -> 0", "cargo wb explain WB0001"])]
#[case::sends("deadlock::both_send_first", "HANG", WAIT, &["0  in run: send to 1, tag 3, 2097152 bytes", "1  in run: send to 0, tag 3", "deadlock.rs:21", "WB0020: ranks wait", "cargo wb explain WB0020"])]
#[case::near_miss("deadlock::another_tag_is_awaited", "HANG", WAIT, &["WB0003: ranks wait", "rank 1 has a message from 0 with tag 17 and waits for tag 18", "send at ", "deadlock.rs:32 (rank 0)"])]
#[case::roots("disagreement::everybody_is_the_root", "FAIL", "calls of different ranks do not go together", &["WB0031: calls", "disagreement.rs:14 (rank 0): root 0", "disagreement.rs:14 (rank 1): root 1"])]
#[case::leftovers(
    "leftovers::messages_stay_unread",
    "FAIL",
    "3 message(s) were sent and never received",
    LEFTOVERS
)]
#[case::request("abandoned::a_request_is_dropped", "FAIL", "1 request(s) never waited for", &["WB0011: 1 request(s)", "irecv from 0, tag 77, 8 bytes, communicator world", "abandoned.rs:9 (rank 1)", "cargo wb explain WB0011"])]
#[case::disagreement("disagreement::rank_1_has_another_number", "FAIL", "the ranks disagree", &["rank 0: 42", "rank 1: 43"])]
#[case::exit("exits::rank_1_calls_exit_0", "CRASH", "rank 1 called exit in run", &[])]
#[case::abort("exits::rank_1_aborts", "CRASH", "no result from rank", &["1  no record", "SIGABRT"])]
#[case::silent("silent::every_rank_guesses", "FAIL", "it communicates nothing", &[])]
#[case::slow("slow::postprocessing_takes_three_seconds", "LIMIT", "still computing in postprocessing", &["limit hit", "computing in postprocessing"])]
#[case::error("wrong::a_call_returns_an_error", "FAIL", "run returned an error", &["destination 2 does not exist"])]
#[case::wrong("wrong::the_result_is_wrong_everywhere", "FAIL", "the output on rank 0 is wrong", &["the oracle: expected 42, got 43"])]
#[case::first_check("wrong::the_first_of_two_checks_fails", "FAIL", "the output on rank 0 is wrong", &[])]
#[case::collective("rules::a_collective_is_called", "FAIL", "collective call(s), and only point-to-point", &["2 collective call(s)", "bcast at ", "rules.rs:10 (rank 0)"])]
#[case::messages("rules::too_many_messages", "FAIL", "messages were sent, 0 are required", &["1 messages were sent"])]
#[case::accepted("rules::a_bad_input_is_accepted", "FAIL", "validation must refuse this input", &[])]
#[case::refused("rules::a_good_input_is_refused", "FAIL", "validation refused the input: the number is zero", &[])]
#[case::no_input("rules::no_input_at_all", "FAIL", "the test gives no input for", &[])]
fn a_plain_run_tells(#[case] test: &str, #[case] word: &str, #[case] reason: &str, #[case] texts: &[&str]) {
    let report = everything().report(test);
    let library = canaries().library();
    for ranks in [2, 4] {
        for (backend, name) in backends(library.as_ref()) {
            let verdict = everything().verdict(test, backend, ranks);
            let because = verdict.reason.as_deref().unwrap_or_default();
            assert!(because.contains(reason), "{name}, {ranks} ranks: {because}\n{}", report.0);
            assert_eq!(format!("{:?}", verdict.verdict).to_uppercase(), word, "{name}, {ranks} ranks");
            assert!(report.0.contains(name), "{name} is not in\n{}", report.0);
        }
    }
    assert_eq!(report.0.matches(&format!("\n{word} {test} [")).count(), 1, "one mistake\n{}", report.0);
    report.must_contain(texts);
}

/// Each backend as records and as reports name it.
fn backends(library: Option<&Library>) -> Vec<(Backend, &str)> {
    let mpi = library.map(|library| (Backend::Mpi, library.flavour.as_str()));
    let always = [(Backend::Threads, "threads"), (Backend::VirtualTime, "virtual time")];
    always.into_iter().chain(mpi).collect()
}

const WAIT: &str = "ranks wait for each other and nobody goes on";

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
    let song = everything();
    assert_eq!(song.code, Some(101), "{}", song.text);
    for test in [
        "right::a_right_one",
        "right::a_right_one_with_rules",
        "ranks::all_need_more_ranks",
        "wrong::z_right_after_all",
    ] {
        assert!(song.text.contains(&format!("test {test} ... ok")), "{test}\n{}", song.text);
    }
    assert_eq!(song.text.matches("test result: FAILED").count(), 1);
    song.must_contain(&["workbench: ", "threads: 22 run(s) passed, ", "virtual time: 22 run(s) passed, "]);
}

#[test]
fn a_reference_that_is_wrong_is_named() {
    everything()
        .report("wrong::the_reference_is_wrong")
        .must_contain(&["the reference's own output is wrong"]);
}

#[test]
fn a_filter_that_selects_nothing_is_an_error() {
    let song = canaries().alone(&["no_such_test"]);
    assert_eq!(song.code, Some(wb_process::EMPTY_FILTER), "{}", song.text);
    song.must_contain(&["the filter `no_such_test` selects no test"]);
}

#[test]
fn the_report_speaks_russian() {
    let song = canaries().speaking("ru").alone(&["silent::"]);
    song.must_contain(&["ОШИБКА silent::every_rank_guesses", "обмена нет"]);
}

#[cfg(feature = "mpi")]
mod under_a_launcher {
    use std::time::Duration;

    use super::*;

    const SOON: Duration = Duration::from_secs(5);

    /// Did it end soon? On a machine that is busy with other things a job in which nothing goes wrong takes long too; what
    /// that takes now is nobody's fault.
    fn assert_soon(song: &Song, ranks: usize) {
        if song.took >= SOON {
            let right = canaries().on_ranks(ranks).launched(ranks, &["--exact", "right::a_right_one"]);
            assert_eq!(right.code, Some(0), "{}", right.text);
            assert!(song.took < SOON + right.took, "{:?}, {:?}\n{}", song.took, right.took, song.text);
        }
    }

    const PANIC: &[&str] = &[
        "rank 1 panicked in run",
        "0  in run: recv from 1, tag 1, 4 bytes",
        "last output of rank 1",
        "rank 1 has seen 42",
    ];

    /// One canary in the user's own job: one report, soon, and never exit code 0.
    #[rstest]
    #[case::panic_of_two(2, "panics::rank_1_panics", "FAIL", PANIC)]
    #[case::panic_of_four(4, "panics::rank_1_panics", "FAIL", PANIC)]
    #[case::receive(4, "deadlock::a_receive_is_never_answered", "HANG", &["3  in run: recv from 0, tag 7, 24 bytes", "deadlock.rs:9"])]
    #[case::sends(2, "deadlock::both_send_first", "HANG", &["0  in run: send to 1, tag 3", "1  in run: send to 0, tag 3, 2097152 bytes"])]
    #[case::exit_of_two(2, "exits::rank_1_calls_exit_0", "CRASH", &["rank 1 called exit in run"])]
    #[case::exit_of_four(4, "exits::rank_1_calls_exit_0", "CRASH", &["rank 1 called exit in run"])]
    #[case::slow(4, "slow::postprocessing_takes_three_seconds", "LIMIT", &["computing in postprocessing"])]
    fn a_lost_rank_ends_the_job(
        #[case] ranks: usize,
        #[case] test: &str,
        #[case] word: &str,
        #[case] texts: &[&str],
    ) {
        let song = canaries().on_ranks(ranks).launched(ranks, &["--exact", test]);
        assert_ne!(song.code, Some(0), "{}", song.text);
        assert_soon(&song, ranks);
        assert_eq!(song.text.matches(&format!("\n{word} {test} [")).count(), 1, "{}", song.text);
        assert_eq!(song.text.matches("running 1 test").count(), 1, "{}", song.text);
        for rank in 0..ranks {
            song.must_contain(&[&format!("\n    {rank:>3}  ")]);
        }
        song.must_contain(texts);
        song.must_contain(&["the ranks cannot go on after this", "0 run(s) passed, 1 failed"]);
    }

    /// What becomes of a rank that aborts is up to the launcher; that it does not pass is up to us.
    #[test]
    fn an_aborting_rank_never_passes() {
        let song = canaries().on_ranks(2).launched(2, &["--exact", "exits::rank_1_aborts"]);
        song.must_contain(&["running 1 test"]);
        assert_ne!(song.code, Some(0), "{}", song.text);
        assert_soon(&song, 2);
    }

    #[rstest]
    fn failures_that_all_survive_do_not_stop_the_rest(#[values(2, 4)] ranks: usize) {
        let lost = ["deadlock::", "exits::", "rank_1_panics", "slow::", "ranks::"];
        let arguments: Vec<_> = lost.iter().flat_map(|name| ["--skip", name]).collect();
        let song = canaries().on_ranks(ranks).launched(ranks, &arguments);
        assert_ne!(song.code, Some(0), "{}", song.text);
        assert_eq!(song.text.matches("test result: FAILED").count(), 1, "{}", song.text);
        for (test, word) in [
            ("leftovers::messages_stay_unread", "FAIL"),
            ("disagreement::rank_1_has_another_number", "FAIL"),
            ("silent::every_rank_guesses", "FAIL"),
            ("abandoned::a_request_is_dropped", "FAIL"),
            ("wrong::the_first_of_two_checks_fails", "FAIL"),
        ] {
            assert!(song.text.contains(&format!("\n{word} {test} [")), "{test}\n{}", song.text);
        }
        song.must_contain(LEFTOVERS);
        song.must_contain(&["test right::a_right_one ... ok", "test wrong::z_right_after_all ... ok"]);
    }

    #[test]
    fn right_tests_pass_with_one_report() {
        let song = canaries().launched(4, &["right::"]);
        assert_eq!(song.code, Some(0), "{}", song.text);
        assert_eq!(song.text.matches("test result: ok. 2 passed").count(), 1, "{}", song.text);
    }

    #[test]
    fn more_ranks_than_there_are_is_a_skip_that_counts() {
        let song = canaries().launched(4, &["ranks::"]);
        assert_ne!(song.code, Some(0), "{}", song.text);
        song.must_contain(&[
            "test ranks::some_need_more_ranks ... ok",
            "test ranks::all_need_more_ranks ... FAILED",
            "nothing was tested",
            "SKIP P = 6: the launcher gave 4 rank(s)",
            "2 run(s) passed, 0 failed, 3 skipped",
            "P = 5, 6 skipped: the launcher gave 4 rank(s)",
        ]);
    }

    /// cargo starts one process for each test target in the same slot; only one of them can join the job.
    #[test]
    fn a_second_binary_in_the_same_slot_starts_its_own_job() {
        let song = canaries().launched_twice(2, "right::a_right_one");
        assert_eq!(song.code, Some(0), "{}", song.text);
        assert_eq!(song.text.matches("test result: ok. 2 passed").count(), 2, "{}", song.text);
        assert_eq!(song.text.matches("run(s) passed, 0 failed").count(), 2, "{}", song.text);
    }

    #[test]
    fn the_launcher_of_another_library_is_refused() {
        let song: Song = canaries().launched_by_another(4, &["--exact", "right::a_right_one"]);
        assert_ne!(song.code, Some(0), "{}", song.text);
        song.must_contain(&["the launcher announced 4 ranks, and the job has 1", "Use: "]);
    }

    #[test]
    fn a_filter_that_selects_nothing_is_an_error_for_a_launcher_too() {
        let song = canaries().launched(2, &["no_such_test"]);
        assert_ne!(song.code, Some(0), "{}", song.text);
        song.must_contain(&["the filter `no_such_test` selects no test"]);
    }

    #[test]
    fn nextest_cannot_share_a_slot() {
        let song = canaries().with("NEXTEST", "1").launched(2, &["--exact", "right::a_right_one"]);
        assert_ne!(song.code, Some(0), "{}", song.text);
        song.must_contain(&["cargo nextest"]);
    }
}
