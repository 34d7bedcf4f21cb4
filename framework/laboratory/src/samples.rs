//! Computes the recorded samples from the stamps of all ranks, and checks that no rank left early.
use wb_record::{BarrierSamples, EpisodeMessages};

use crate::job_spec::{BarrierRankAnswer, FormResult, Visit};

/// The result of a job for one form.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FormSamples {
    /// No rank can build it, for this reason.
    Refused(String),
    /// Samples of a barrier that held, and the messages of all ranks in one episode.
    Samples(BarrierSamples, Option<EpisodeMessages>),
    /// A rank left before all ranks had entered, or the messages were not those of the pattern.
    Wrong(String),
}

/// The result of form `number` from the ranks' answers, whose pattern sends the messages `planned`; `None` when the answers do not form a
/// complete job.
pub(crate) fn form_samples(
    answers: &[BarrierRankAnswer],
    number: usize,
    planned: Option<EpisodeMessages>,
) -> Option<FormSamples> {
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
            FormResult::Visited { episodes, visits, .. } => Some((*episodes, visits.as_slice())),
            FormResult::Refused(_) => None,
        })
        .collect();
    let sent = sent_by_all(&seen);
    if sent != planned {
        return Some(FormSamples::Wrong(other_messages(sent, planned)));
    }
    let uncertainty_ns =
        answers.iter().filter_map(|answer| answer.result.findings()).map(|found| found.uncertainty_ns).max();
    Some(merge_visits(&visited, uncertainty_ns.unwrap_or(0), sent))
}

/// The messages of all ranks; `None` where they cannot be counted.
fn sent_by_all(seen: &[&FormResult]) -> Option<EpisodeMessages> {
    let sent = seen.iter().filter_map(|seen| match seen {
        FormResult::Visited { sent, .. } => *sent,
        FormResult::Refused(_) => None,
    });
    sent.reduce(|all, one| EpisodeMessages {
        within_node: all.within_node + one.within_node,
        between_nodes: all.between_nodes + one.between_nodes,
    })
}

fn other_messages(sent: Option<EpisodeMessages>, planned: Option<EpisodeMessages>) -> String {
    let [sent, planned] = [sent, planned].map(Option::unwrap_or_default);
    format!(
        "an episode sent {} messages within a node and {} between nodes, its pattern sends {} and {}",
        sent.within_node, sent.between_nodes, planned.within_node, planned.between_nodes
    )
}

fn form_result(answer: &BarrierRankAnswer, number: usize) -> Option<&FormResult> {
    answer.result.findings()?.forms.get(number)
}

fn merge_visits(
    ranks: &[(u64, &[Visit])],
    uncertainty_ns: u64,
    sent: Option<EpisodeMessages>,
) -> FormSamples {
    let (episodes, first) = ranks[0];
    let several_clocks = Some(uncertainty_ns).filter(|&ns| ns > 0);
    let mut samples =
        BarrierSamples { episodes, uncertainty_ns: several_clocks, ..BarrierSamples::default() };
    for number in 0..first.len() {
        let visits: Vec<&Visit> = ranks.iter().map(|(_, visits)| &visits[number]).collect();
        samples.starts_ns.push(visits[0].start_ns);
        let slowest = visits.iter().map(|visit| visit.batch_ns).max();
        samples.batches_ns.push(slowest.expect("at least one rank"));
        for trace in 0..visits[0].stamps.len() {
            let stamps: Vec<(u64, u64)> = visits.iter().map(|visit| visit.stamps[trace]).collect();
            match EpisodeLatency::from_stamps(&stamps, uncertainty_ns) {
                Ok(EpisodeLatency { latency_ns, skew_ns }) => {
                    samples.latency_ns.push(latency_ns);
                    samples.skew_ns.push(skew_ns);
                }
                Err(told) => return FormSamples::Wrong(told),
            }
        }
    }
    FormSamples::Samples(samples, sent)
}

/// One episode, from the stamps of all ranks.
#[derive(Debug, PartialEq)]
struct EpisodeLatency {
    latency_ns: u64,
    skew_ns: u64,
}

impl EpisodeLatency {
    /// From every rank's entry and exit, whose differences are wrong by at most `uncertainty_ns`; the error names the rank that left
    /// early and the rank that had not entered. It is certain: an exit that the uncertainty explains counts as one at the last entry.
    fn from_stamps(stamps: &[(u64, u64)], uncertainty_ns: u64) -> Result<Self, String> {
        let ranks = || stamps.iter().copied().enumerate();
        let (last, (entry, _)) = ranks().max_by_key(|(_, (entry, _))| *entry).expect("at least one rank");
        let (early, (_, first)) = ranks().min_by_key(|(_, (_, exit))| *exit).expect("at least one rank");
        let exit = stamps.iter().map(|(_, exit)| *exit).max().expect("at least one rank");
        if entry > first + uncertainty_ns {
            return Err(format!("rank {early} left {} ns before rank {last} had entered", entry - first));
        }
        Ok(Self { latency_ns: exit.saturating_sub(entry), skew_ns: exit - first })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job_spec::{BarrierRankResult, RankFindings};

    const SENT: EpisodeMessages = EpisodeMessages { within_node: 0, between_nodes: 1 };

    fn answer_of(rank: usize, result: FormResult, uncertainty_ns: u64) -> BarrierRankAnswer {
        let found = RankFindings { forms: vec![result], uncertainty_ns, ..RankFindings::default() };
        BarrierRankAnswer::new(rank, 2, BarrierRankResult::Done(found))
    }

    fn visited(rank: usize, batch_ns: u64, stamps: (u64, u64), uncertainty_ns: u64) -> BarrierRankAnswer {
        let visits = vec![Visit { start_ns: stamps.0, batch_ns, stamps: vec![stamps] }];
        answer_of(rank, FormResult::Visited { sent: Some(SENT), episodes: 4, visits }, uncertainty_ns)
    }

    /// The result of two ranks, whose pattern sends one message each to the other node.
    fn samples(answers: &[BarrierRankAnswer]) -> FormSamples {
        let planned = EpisodeMessages { within_node: 0, between_nodes: 2 };
        form_samples(answers, 0, Some(planned)).expect("a whole job")
    }

    #[test]
    fn a_batch_is_the_slowest_ranks_and_an_episode_everybodys() {
        let found = samples(&[visited(0, 40, (10, 60), 0), visited(1, 44, (30, 50), 0)]);
        let wanted = BarrierSamples {
            episodes: 4,
            batches_ns: vec![44],
            starts_ns: vec![10],
            latency_ns: vec![30],
            skew_ns: vec![10],
            uncertainty_ns: None,
        };
        assert_eq!(found, FormSamples::Samples(wanted, Some(EpisodeMessages { between_nodes: 2, ..SENT })));
    }

    #[test]
    fn who_leaves_early_is_told() {
        let broken = samples(&[visited(0, 40, (10, 25), 0), visited(1, 44, (30, 50), 0)]);
        assert_eq!(broken, FormSamples::Wrong("rank 0 left 5 ns before rank 1 had entered".into()));
    }

    #[test]
    fn an_early_exit_must_be_certain_on_several_clocks() {
        let left_early_by_5 =
            |uncertainty_ns| [visited(0, 40, (10, 25), uncertainty_ns), visited(1, 44, (30, 50), 4)];
        assert!(matches!(samples(&left_early_by_5(4)), FormSamples::Wrong(_)));
        let FormSamples::Samples(found, _) = samples(&left_early_by_5(5)) else { panic!("not certain") };
        assert_eq!((found.latency_ns, found.skew_ns, found.uncertainty_ns), (vec![20], vec![25], Some(5)));
    }

    #[test]
    fn messages_that_are_not_the_patterns_are_told() {
        let answers = [visited(0, 40, (10, 60), 0), visited(1, 44, (30, 50), 0)];
        let wrong = form_samples(&answers, 0, Some(EpisodeMessages { within_node: 2, between_nodes: 0 }));
        let why = "an episode sent 0 messages within a node and 2 between nodes, its pattern sends 2 and 0";
        assert_eq!(wrong, Some(FormSamples::Wrong(why.into())));
        assert!(matches!(form_samples(&answers, 0, None), Some(FormSamples::Wrong(_))));
    }

    #[test]
    fn the_refusal_of_the_rank_that_knows_why_is_told() {
        let refused = |rank, why: &str| answer_of(rank, FormResult::Refused(why.into()), 0);
        let refused = [refused(0, "another rank cannot build it"), refused(1, "only for 2 ranks")];
        assert_eq!(samples(&refused), FormSamples::Refused("only for 2 ranks".into()));
        assert_eq!(form_samples(&refused, 1, None), None);
    }
}
