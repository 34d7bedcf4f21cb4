//! From the stamps of all ranks to what is recorded; and the check that nobody left early.
use wb_record::BarrierSamples;

use crate::order::{Answer, Ending, Seen, Visit};

/// What a job found of one form.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Found {
    /// All ranks say that it cannot be built.
    Refused(String),
    /// Samples of a barrier that held.
    Samples(BarrierSamples),
    /// Somebody left before everybody had entered.
    Broken(String),
}

/// What the ranks' answers say of form `number`; `None` when they are no whole job.
pub(crate) fn found(answers: &[Answer], number: usize) -> Option<Found> {
    let seen: Option<Vec<&Seen>> = answers.iter().map(|answer| of(answer, number)).collect();
    let seen = seen?;
    let refusals =
        || seen.iter().filter_map(|seen| if let Seen::Refused(why) = seen { Some(why) } else { None });
    let own = refusals().find(|why| !why.starts_with("another rank")).or_else(|| refusals().next());
    if let Some(why) = own {
        return Some(Found::Refused(why.clone()));
    }
    let visited: Vec<(u64, &[Visit])> = seen
        .iter()
        .filter_map(|seen| match seen {
            Seen::Visited { episodes, visits } => Some((*episodes, visits.as_slice())),
            Seen::Refused(_) => None,
        })
        .collect();
    Some(merged(&visited))
}

fn of(answer: &Answer, number: usize) -> Option<&Seen> {
    match &answer.ending {
        Ending::Done(seen) => seen.get(number),
        Ending::Stopped { .. } => None,
    }
}

fn merged(ranks: &[(u64, &[Visit])]) -> Found {
    let (episodes, first) = ranks[0];
    let mut samples = BarrierSamples { episodes, ..BarrierSamples::default() };
    for number in 0..first.len() {
        let visits: Vec<&Visit> = ranks.iter().map(|(_, visits)| &visits[number]).collect();
        samples.starts_ns.push(visits[0].start_ns);
        let slowest = visits.iter().map(|visit| visit.batch_ns).max();
        samples.batches_ns.push(slowest.expect("at least one rank"));
        for trace in 0..visits[0].stamps.len() {
            let stamps: Vec<(u64, u64)> = visits.iter().map(|visit| visit.stamps[trace]).collect();
            match Episode::of(&stamps) {
                Ok(Episode { latency_ns, skew_ns }) => {
                    samples.latency_ns.push(latency_ns);
                    samples.skew_ns.push(skew_ns);
                }
                Err(told) => return Found::Broken(told),
            }
        }
    }
    Found::Samples(samples)
}

/// One episode by the stamps of all ranks.
#[derive(Debug, PartialEq)]
struct Episode {
    latency_ns: u64,
    skew_ns: u64,
}

impl Episode {
    /// From everybody's entry and exit; the error tells who left before whom had entered.
    fn of(stamps: &[(u64, u64)]) -> Result<Self, String> {
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

    fn answer(rank: usize, batch_ns: u64, stamps: (u64, u64)) -> Answer {
        let visits = vec![Visit { start_ns: stamps.0, batch_ns, stamps: vec![stamps] }];
        let seen = vec![Seen::Visited { episodes: 4, visits }];
        Answer { rank, size: 2, machine: String::new(), ending: Ending::Done(seen) }
    }

    #[test]
    fn a_batch_is_the_slowest_ranks_and_an_episode_everybodys() {
        let found = found(&[answer(0, 40, (10, 60)), answer(1, 44, (30, 50))], 0);
        let wanted = BarrierSamples {
            episodes: 4,
            batches_ns: vec![44],
            starts_ns: vec![10],
            latency_ns: vec![30],
            skew_ns: vec![10],
        };
        assert_eq!(found, Some(Found::Samples(wanted)));
    }

    #[test]
    fn who_leaves_early_is_told() {
        let broken = found(&[answer(0, 40, (10, 25)), answer(1, 44, (30, 50))], 0);
        assert_eq!(broken, Some(Found::Broken("rank 0 left 5 ns before rank 1 had entered".into())));
    }

    #[test]
    fn the_refusal_of_the_rank_that_knows_why_is_told() {
        let mut refused = [answer(0, 1, (1, 2)), answer(1, 1, (1, 2))];
        refused[0].ending = Ending::Done(vec![Seen::Refused("another rank cannot build it".into())]);
        refused[1].ending = Ending::Done(vec![Seen::Refused("only for 2 ranks".into())]);
        assert_eq!(found(&refused, 0), Some(Found::Refused("only for 2 ranks".into())));
        assert_eq!(found(&refused, 1), None);
    }
}
