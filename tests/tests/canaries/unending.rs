//! Programs whose calls do not end: those that complete calls are slow, and those whose polls find nothing wait.
use rstest::rstest;
use wb_tests::canary_runner::{canaries, unending_run};

use super::{WAIT, backends};

/// Calls that complete are no deadlock, however many there are: no code, and nothing about luck. Polls that find nothing
/// are a wait, in the line of the user. A rank that waits for a lock is in no call, and the limit does not interrupt the one that holds it.
#[rstest]
#[case::messages("unending::messages_in_a_ring", true, "LIMIT", "calls still completed when 0.100 s were over: ", &["unending.rs:13", "Many small messages cost more"])]
#[case::barriers("unending::messages_to_the_root_and_barriers", true, "LIMIT", "calls still completed when 0.100 s were over: ", &["unending.rs:"])]
#[case::probes("unending::probes_for_a_message_of_another_tag", true, "HANG", WAIT, &["WB0003: ranks wait", "rank 1 has a message from 0 with tag 17 and waits for tag 18", "1  in run: iprobe from 0, tag 18  at tests/canary_cases/unending.rs:44"])]
#[case::tests("unending::tests_of_a_request_without_a_message", true, "HANG", WAIT, &["WB0004: ranks wait", "1  in run: test for irecv from 0, tag 19, 8 bytes, started at", "tests/canary_cases/unending.rs:58 at", "tests/canary_cases/unending.rs:59"])]
#[case::refused("unending::a_message_that_was_refused_is_awaited", true, "HANG", WAIT, &["send at tests/canary_cases/unending.rs:72 returned an error that the stage", "did not pass on (`?`): destination 3 does not exist", "destination 4 does not exist"])]
#[case::lock("unending::a_lock_is_held_over_a_barrier", false, "LIMIT", "still waited outside of MPI in run", &["waits in the operating system and not in a call of MPI", "waiting outside of MPI in run  at tests/canary_cases/unending.rs:86"])]
fn calls_without_end_report(
    #[case] test: &str,
    #[case] fails_on_mpi: bool,
    #[case] word: &str,
    #[case] reason: &str,
    #[case] texts: &[&str],
) {
    let report = unending_run().report(test);
    for (backend, name) in backends(canaries().library().as_ref().filter(|_| fails_on_mpi)) {
        let verdict = unending_run().verdict(test, backend, 3);
        let because = verdict.reason.as_deref().unwrap_or_default();
        assert!(because.contains(reason), "{name}: {because}\n{}", report.0);
        assert_eq!(format!("{:?}", verdict.verdict).to_uppercase(), word, "{name}\n{}", report.0);
    }
    assert_eq!(report.0.matches(&format!("\n{word} {test} [")).count(), 1, "one mistake\n{}", report.0);
    report.assert_contains(texts);
    let claims = ["WB0", "by luck", "ranks wait"].map(|text| report.0.contains(text));
    assert!(word != "LIMIT" || claims == [false; 3], "{}", report.0);
}
