//! Verbs that a version may not call.
use wb_config::AssignmentRule;
use wb_messages::Lang;
use wb_performance::judge::{Examiner, GradedRuns, random_seed};
use wb_record::{Backend, Version};

use super::{LIMIT, Outcome, StartRanks, start, sum::Sum};

/// The right version calls a collective verb, in which its sum is made.
pub(super) fn forbidden_calls(backend: Backend) -> Outcome {
    let (lang, seed) = (Lang::En, random_seed()?);
    for (version, ranks, rule, words) in [
        (Version::Mpi, 2, AssignmentRule::SendAndReceiveOnly, "only point-to-point messages are allowed"),
        (
            Version::Seq,
            1,
            AssignmentRule::Communicates,
            "of the sequential version, which does not communicate",
        ),
    ] {
        let examiner: Examiner<Sum> = Examiner::new(workbench::backends().threads, vec![rule].leak(), lang);
        let start: StartRanks<'_> = &|_, ranks| start("", backend, ranks);
        let runs = GradedRuns { examiner, start, backend, limit: Some(LIMIT), additional: &[], seed, lang };
        let reasons: Vec<_> =
            runs.run(version, ranks).into_iter().filter_map(|verdict| verdict.record.reason).collect();
        assert!(reasons.iter().any(|reason| reason.contains(words)), "{version:?}: {reasons:?}");
    }
    Ok(())
}
