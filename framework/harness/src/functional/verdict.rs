//! Verdicts as they are counted, recorded and told.
use std::{
    io::Write,
    sync::{Arc, Mutex, PoisonError},
};

use wb_messages::{Lang, WIDTH, functional as text, wrapped};
use wb_record::Verdict;

use super::{
    case::{Case, Verdicts},
    lane::LaneId,
    records::{self, Line},
    report::{self, Backend, Outcome},
    summary,
    trial::Trial,
};

/// Counts and records the verdicts on a test at one number of ranks.
pub(super) fn count(
    case: &Case,
    id: LaneId,
    backend: &Backend,
    runs: usize,
    ranks: usize,
    judged: Verdicts,
) -> Outcome {
    let Verdicts { passed, finding, took } = judged;
    let missing = runs.saturating_sub(passed).max(usize::from(finding.is_some()));
    match finding.as_ref().map(|finding| finding.verdict) {
        Some(Verdict::Skip) => summary::left_out(backend, ranks, missing),
        _ => summary::ran(backend, ranks, passed, missing),
    }
    records::note(
        case,
        &Line {
            ranks,
            backend: id.backend(),
            verdict: finding.as_ref().map_or(Verdict::Pass, |finding| finding.verdict),
            reason: finding.as_ref().map(|finding| finding.headline.as_str()),
            took,
        },
    );
    Outcome { backend: backend.clone(), ranks, finding }
}

/// The reports so far: libtest holds them back until its end, which may never come.
static REPORTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Tells what failed of a test, and lets it fail then.
pub(super) fn tell(case: &Case, outcomes: &[Outcome]) {
    if outcomes.iter().all(|outcome| outcome.finding.is_none()) {
        return;
    }
    let report = report::text(&case.name, outcomes);
    REPORTS.lock().unwrap_or_else(PoisonError::into_inner).push(report.clone());
    report::fail(&report)
}

/// Lets a test fail none of whose numbers of ranks can be had.
pub(super) fn nothing_tested(case: &Case, available: Option<usize>) {
    let lang = Lang::of_environment();
    let skipped = |(ranks, _): &(usize, Vec<Arc<dyn Trial>>)| {
        format!("    {}\n", text::too_few_ranks(lang, ranks, available.unwrap_or_default()))
    };
    let skips: String = case.trials.iter().map(skipped).collect();
    report::fail(&format!("\n{} {}\n  {}\n{skips}", text::fail(lang), case.name, text::nothing_tested(lang)))
}

/// The reports so far, a last one, and the counts: before a process leaves without libtest's end.
pub(super) fn tell_all(last: &str) {
    let reports = std::mem::take(&mut *REPORTS.lock().unwrap_or_else(PoisonError::into_inner)).concat();
    let ends = wrapped(&text::job_ends_here(Lang::of_environment()), "  ", "    ", WIDTH);
    let _nowhere_to_say = writeln!(wb_process::early::real_stderr(), "{reports}{last}{ends}");
    summary::print();
}
