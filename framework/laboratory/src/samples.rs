//! Computes the recorded samples from the stamps of all ranks, and checks that no rank left early.
use wb_record::BarrierSamples;

use crate::job_spec::{BarrierRankAnswer, BarrierRankResult, FormResult, Visit};

/// The result of a job for one form.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FormSamples {
    /// No rank can build it, for this reason.
    Refused(String),
    /// Samples of a barrier that held.
    Samples(BarrierSamples),
    /// A rank left before all ranks had entered.
    EarlyExit(String),
}

/// The result of form `number` from the ranks' answers; `None` when the answers do not form a complete job.
pub(crate) fn form_samples(answers: &[BarrierRankAnswer], number: usize) -> Option<FormSamples> {
    let seen: Option<Vec<&FormResult>> = answers.iter().map(|answer| form_result(answer, number)).collect();
    let seen = seen?;
    let refusals =
        || seen.iter().filter_map(|seen| if let FormResult::Refused(why) = seen { Some(why) } else { None });
    let own = refusals().find(|why| !why.starts_with("another rank")).or_else(|| refusals().next());
    if let Some(why) = own {
        return Some(FormSamples::Refused(why.clone()));
    }
    let visited: Vec<(u64, &[Visit])> = seen
        .iter()
        .filter_map(|seen| match seen {
            FormResult::Visited { episodes, visits } => Some((*episodes, visits.as_slice())),
            FormResult::Refused(_) => None,
        })
        .collect();
    Some(merge_visits(&visited))
}

fn form_result(answer: &BarrierRankAnswer, number: usize) -> Option<&FormResult> {
    match &answer.result {
        BarrierRankResult::Done(seen) => seen.get(number),
        BarrierRankResult::Stopped { .. } => None,
    }
}

fn merge_visits(ranks: &[(u64, &[Visit])]) -> FormSamples {
    let (episodes, first) = ranks[0];
    let mut samples = BarrierSamples { episodes, ..BarrierSamples::default() };
    for number in 0..first.len() {
        let visits: Vec<&Visit> = ranks.iter().map(|(_, visits)| &visits[number]).collect();
        samples.starts_ns.push(visits[0].start_ns);
        let slowest = visits.iter().map(|visit| visit.batch_ns).max();
        samples.batches_ns.push(slowest.expect("at least one rank"));
        for trace in 0..visits[0].stamps.len() {
            let stamps: Vec<(u64, u64)> = visits.iter().map(|visit| visit.stamps[trace]).collect();
            match EpisodeLatency::from_stamps(&stamps) {
                Ok(EpisodeLatency { latency_ns, skew_ns }) => {
                    samples.latency_ns.push(latency_ns);
                    samples.skew_ns.push(skew_ns);
                }
                Err(told) => return FormSamples::EarlyExit(told),
            }
        }
    }
    FormSamples::Samples(samples)
}

/// One episode, from the stamps of all ranks.
#[derive(Debug, PartialEq)]
struct EpisodeLatency {
    latency_ns: u64,
    skew_ns: u64,
}

impl EpisodeLatency {
    /// From every rank's entry and exit; the error names the rank that left early and the rank that had not entered.
    fn from_stamps(stamps: &[(u64, u64)]) -> Result<Self, String> {
        let ranks = || stamps.iter().copied().enumerate();
        let (last, (entry, _)) = ranks().max_by_key(|(_, (entry, _))| *entry).expect("at least one rank");
        let (early, (_, first)) = ranks().min_by_key(|(_, (_, exit))| *exit).expect("at least one rank");
        let exit = stamps.iter().map(|(_, exit)| *exit).max().expect("at least one rank");
        match first.checked_sub(entry) {
            Some(_) => Ok(Self { latency_ns: exit - entry, skew_ns: exit - first }),
            None => Err(format!("rank {early} left {} ns before rank {last} had entered", entry - first)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(rank: usize, batch_ns: u64, stamps: (u64, u64)) -> BarrierRankAnswer {
        let visits = vec![Visit { start_ns: stamps.0, batch_ns, stamps: vec![stamps] }];
        let seen = vec![FormResult::Visited { episodes: 4, visits }];
        BarrierRankAnswer { rank, size: 2, machine: String::new(), result: BarrierRankResult::Done(seen) }
    }

    #[test]
    fn a_batch_is_the_slowest_ranks_and_an_episode_everybodys() {
        let found = form_samples(&[answer(0, 40, (10, 60)), answer(1, 44, (30, 50))], 0);
        let wanted = BarrierSamples {
            episodes: 4,
            batches_ns: vec![44],
            starts_ns: vec![10],
            latency_ns: vec![30],
            skew_ns: vec![10],
        };
        assert_eq!(found, Some(FormSamples::Samples(wanted)));
    }

    #[test]
    fn who_leaves_early_is_told() {
        let broken = form_samples(&[answer(0, 40, (10, 25)), answer(1, 44, (30, 50))], 0);
        assert_eq!(broken, Some(FormSamples::EarlyExit("rank 0 left 5 ns before rank 1 had entered".into())));
    }

    #[test]
    fn the_refusal_of_the_rank_that_knows_why_is_told() {
        let mut refused = [answer(0, 1, (1, 2)), answer(1, 1, (1, 2))];
        refused[0].result =
            BarrierRankResult::Done(vec![FormResult::Refused("another rank cannot build it".into())]);
        refused[1].result = BarrierRankResult::Done(vec![FormResult::Refused("only for 2 ranks".into())]);
        assert_eq!(form_samples(&refused, 0), Some(FormSamples::Refused("only for 2 ranks".into())));
        assert_eq!(form_samples(&refused, 1), None);
    }
}
