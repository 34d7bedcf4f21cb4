//! Jobs that are lost, or that do not start, and what becomes of the other inputs.
use wb_record::{Backend, TestOutcome, Version};
use wb_task::GradedInput;

use super::{Outcome, StartRanks, first_failure, graded, own_main, start, verdicts};

/// A lost job is replaced, and its inputs get the reason.
pub(crate) fn one_after_the_other(backend: Backend) -> Outcome {
    let (outcome, why) = first_failure("exits", backend, 2);
    assert_eq!(outcome, TestOutcome::Crash, "{why}");
    assert!(why.contains("ended without an answer"), "{why}");
    let hanging = verdicts("hangs", backend, 2);
    let outcomes: Vec<_> = hanging.iter().map(|verdict| verdict.record.verdict).collect();
    // The refused input needs no run, so its job is the third one.
    assert_eq!(outcomes, [TestOutcome::Limit, TestOutcome::Limit, TestOutcome::Pass], "{hanging:?}");
    let why = hanging[0].record.reason.as_deref().unwrap_or_default();
    assert!(why.contains("no answer from rank(s)") && why.contains("within 1 s"), "{why}");
    Ok(())
}

/// After three lost jobs, and after as many that do not start, the other inputs are not run.
pub(crate) fn many() -> Outcome {
    let private = ["one", "two", "three"].map(|name| GradedInput::new(name, vec![1, 2]));
    let ends = |_: Version, ranks| start("exits", Backend::Threads, ranks);
    let never_starts = |_: Version, _: usize| Err("no host".to_owned());
    let starts: [(&str, StartRanks<'_>); 2] = [("a rank exits", &ends), ("no job starts", &never_starts)];
    for (case, start) in starts {
        let verdicts = graded(start, (Backend::Threads, 2), &private);
        let found: Vec<_> = verdicts.iter().map(|verdict| verdict.record.verdict).collect();
        let expected = [[TestOutcome::Crash; 3], [TestOutcome::Skip; 3]].concat();
        assert_eq!(
            found, expected,
            "{case}: of six inputs the first three lose a job, the others are not run"
        );
    }
    Ok(())
}

/// What a job leaves behind, and one process that connects as every rank.
pub(crate) fn leaks_and_daemons() -> Outcome {
    let (outcome, why) = first_failure("leaks", Backend::Mpi, 2);
    assert!(outcome == TestOutcome::Fail && why.contains("left over"), "{why}");
    let (outcome, why) = first_failure("daemon", Backend::Mpi, 2);
    // A launcher may wait for the daemon, which has its output.
    let is_named = why.contains("sleep") || why.contains("does not end");
    assert!(outcome == TestOutcome::Crash && is_named, "{why}");
    let (_, why) = first_failure(own_main::IS_ALL_RANKS, Backend::Mpi, 2);
    assert_eq!(why, "two ranks of MPI connected from one process");
    Ok(())
}
