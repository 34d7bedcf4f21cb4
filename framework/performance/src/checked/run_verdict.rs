//! The verdict on one run of a check, from what its ranks return.
use wb_comm::{
    Finding, Rank,
    exploration::RunVerdict,
    job::{JobOutcome, RankTermination},
    text::error,
};
use wb_messages::Lang;
use wb_task::{Failure, Verdict};
use wb_worker::{diff_report, output_tail};

use crate::measure_error::MeasureError;

/// What a rank says of its run.
pub(crate) enum RankVerdict {
    /// All is well here, and this came out.
    Right(Option<String>),
    /// Validation refused the input, or there is none of this size.
    Rejected,
    /// The oracle says that the output is wrong.
    Wrong(String),
    /// It met an error that is a mistake.
    Found(Finding),
    /// It met an error, mostly because of another rank.
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

/// What a run is worth: what ranks found out before what follows from it.
pub(crate) fn run_verdict(outcome: JobOutcome, refused: &mut bool) -> RunVerdict {
    let (mut found, mut wrong, mut failed) = (vec![], None, None);
    let mut result = String::new();
    for (rank, ended) in outcome.ranks.into_iter().enumerate() {
        let said = match ended {
            RankTermination::Returned(said) => *said.downcast::<RankVerdict>().expect("what the job returns"),
            RankTermination::Panicked(text) => {
                RankVerdict::Wrong(output_tail::text(&error::peer_panicked(text)))
            }
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
