//! The verdict on one run of a check, from what its ranks return.
use wb_comm::{
    Finding, Rank,
    exploration::RunVerdict,
    job::{JobOutcome, RankTermination},
    text::error,
};
use wb_messages::Lang;
use wb_runner::{diff_report, output_tail};
use wb_task::{Failure, Verdict};

use crate::measure_error::MeasureError;

/// The result of a run on one rank.
pub(crate) enum RankVerdict {
    /// The output is right here, with this text.
    Right(Option<String>),
    /// Validation refused the input, or this size has no input.
    Rejected,
    /// The oracle rejects the output.
    Wrong(String),
    /// An error that is a fault of the task.
    Found(Finding),
    /// An error that is usually a consequence of another rank's.
    Failed(String),
}

impl RankVerdict {
    pub(crate) fn from_result(
        rank: Rank,
        verdict: Result<(Option<Verdict>, Option<String>), MeasureError>,
    ) -> Self {
        match verdict {
            Ok((None | Some(Verdict::Right), output)) => Self::Right(output),
            Ok((Some(wrong), _)) => {
                Self::Wrong(diff_report::render_line(&wrong, Lang::from_environment()).unwrap_or_default())
            }
            Err(MeasureError::Task(Failure::Invalid { .. }) | MeasureError::NoWorkload(_)) => Self::Rejected,
            Err(MeasureError::Task(Failure::Stage { site: at, ref source, .. })) => {
                Finding::from_error(rank, at, source)
                    .map_or_else(|| Self::Failed(output_tail::text(&source.text())), Self::Found)
            }
            Err(other) => Self::Failed(output_tail::text(&other.text())),
        }
    }
}

/// The verdict on a run: faults that ranks found have precedence over their consequences.
pub(crate) fn run_verdict(outcome: JobOutcome, refused: &mut bool) -> RunVerdict {
    let (mut found, mut wrong, mut failed) = (vec![], None, None);
    let mut result = String::new();
    for (rank, ended) in outcome.ranks.into_iter().enumerate() {
        let said = match ended {
            RankTermination::Returned(said) => *said.downcast::<RankVerdict>().expect("what the job returns"),
            RankTermination::Panicked(panic) => RankVerdict::Wrong(output_tail::text(&panic.of_peer())),
            RankTermination::Unfinished | RankTermination::Starved(_) => {
                RankVerdict::Failed(output_tail::text(&error::late()))
            }
        };
        match said {
            RankVerdict::Right(output) => {
                result.extend(output.map(|output| format!("rank {rank}: {output}\n")));
            }
            RankVerdict::Rejected => *refused = true,
            RankVerdict::Wrong(why) => wrong = wrong.or(Some(output_tail::text(&error::of_rank(rank, why)))),
            RankVerdict::Found(finding) => found.push(finding),
            RankVerdict::Failed(why) => {
                failed = failed.or(Some(output_tail::text(&error::of_rank(rank, why))));
            }
        }
    }
    if found.is_empty() {
        found = outcome.findings;
    }
    found.dedup();
    let wrong = if found.is_empty() { wrong.or(failed) } else { wrong };
    RunVerdict { findings: found, failure: wrong, result: Some(result) }
}

#[cfg(test)]
mod tests;
