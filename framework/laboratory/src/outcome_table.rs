//! The known results of each form at each size, launch by launch; and the samples of one job, from the stamps of all ranks, with the check
//! that no rank left early.
use std::collections::BTreeMap;

use wb_record::{
    Backend, BarrierForm, BarrierLine, BarrierOutcome, BarrierRun, BarrierSamples, BarrierSeries,
    ComparedClock, EpisodeMessages, SCHEMA_VERSION,
};

use crate::{
    job::{BarrierJobFailure, BarrierJobSpec, BarrierRankAnswer, FormResult, JobFindings, Visit},
    schedule::JobPlan,
};

#[derive(Default)]
pub(crate) struct OutcomeTable {
    results: BTreeMap<(usize, BarrierForm), BarrierSeries>,
    /// The node of each rank, by number and kind of ranks.
    nodes: BTreeMap<(usize, Backend), Vec<usize>>,
}

impl OutcomeTable {
    /// Whether the form has failed at this size.
    pub(crate) fn has_failed(&self, form: &BarrierForm, ranks: usize) -> bool {
        let result = self.results.get(&(ranks, form.clone()));
        result.is_some_and(|result| matches!(result.outcome, BarrierOutcome::Failed { .. }))
    }

    /// Records that the form failed, whatever it did before.
    pub(crate) fn fail(&mut self, form: &BarrierForm, ranks: usize, reason: String) {
        self.entry(form, ranks).outcome = BarrierOutcome::Failed { reason };
    }

    /// The findings, if all launches at this size had their ranks on the same nodes: times on others are not comparable.
    pub(crate) fn check_nodes(
        &mut self,
        plan: &JobPlan,
        found: JobFindings,
    ) -> Result<JobFindings, BarrierJobFailure> {
        let known = self.nodes.entry((plan.ranks, plan.backend)).or_insert_with(|| found.nodes.clone());
        if *known == found.nodes {
            return Ok(found);
        }
        let reason =
            format!("the nodes of the ranks were {known:?} in the first launch and are {:?}", found.nodes);
        Err(BarrierJobFailure::new(reason))
    }

    /// Adds the findings of a job of these forms.
    pub(crate) fn add_job(&mut self, forms: &[BarrierForm], ranks: usize, found: JobFindings) {
        let JobFindings { forms: results, placement, compared, .. } = found;
        for (form, (outcome, messages)) in forms.iter().zip(results) {
            let series = self.entry(form, ranks);
            series.placement.clone_from(&placement);
            if largest_uncertainty_ns(&compared) > largest_uncertainty_ns(&series.compared) {
                series.compared.clone_from(&compared);
            }
            match (outcome, &mut series.outcome) {
                (BarrierOutcome::Measured { launches: new }, BarrierOutcome::Measured { launches }) => {
                    launches.extend(new);
                    series.messages = messages;
                }
                (BarrierOutcome::Measured { .. }, _) => {}
                (outcome, before) => *before = outcome,
            }
        }
    }

    fn entry(&mut self, form: &BarrierForm, ranks: usize) -> &mut BarrierSeries {
        self.results.entry((ranks, form.clone())).or_insert_with(|| BarrierSeries {
            schema: SCHEMA_VERSION,
            run: String::new(),
            form: form.clone(),
            ranks,
            placement: vec![],
            compared: vec![],
            messages: None,
            outcome: BarrierOutcome::Measured { launches: vec![] },
        })
    }

    /// The records of this run.
    pub(crate) fn into_lines(self, run: BarrierRun) -> Vec<BarrierLine> {
        let name = run.run.clone();
        let series = self.results.into_values().map(|series| {
            BarrierLine::BarrierSeries(Box::new(BarrierSeries { run: name.clone(), ..series }))
        });
        std::iter::once(BarrierLine::BarrierRun(Box::new(run))).chain(series).collect()
    }
}

fn largest_uncertainty_ns(clocks: &[ComparedClock]) -> f64 {
    clocks.iter().map(|clock| clock.uncertainty_ns).fold(0.0, f64::max)
}

/// The result of one job for one form: its outcome, and the messages of all ranks in one episode.
pub(crate) type FormOutcome = (BarrierOutcome, Option<EpisodeMessages>);

/// What the visits of a form of an operation on data are examined with.
pub(crate) struct Calls {
    /// The number of the form whose results its own must equal.
    reference: usize,
    /// Whether ranks share cores: then they cannot start at one time.
    share_cores: bool,
}

/// The latest entry after the common start of a visit that counts, where each rank has a core.
const MAX_LATE_NS: u64 = 500;

impl Calls {
    /// Those of the form of this number; `None` for a barrier.
    pub(crate) fn of(order: &BarrierJobSpec, number: usize) -> Option<Self> {
        let form = &order.forms[number];
        form.verb.as_ref()?;
        let baseline = |other: &BarrierForm| other.is_baseline() && other.is_comparable(form);
        let reference = order.forms.iter().position(baseline).unwrap_or(number);
        Some(Self { reference, share_cores: order.ranks > order.cpus.len() })
    }

    /// The samples of a launch; the error names the rank with another result than the reference has for the same data.
    fn merge(
        &self,
        ranks: &[(u64, &[Visit])],
        answers: &[BarrierRankAnswer],
    ) -> Result<BarrierSamples, String> {
        let mut samples = BarrierSamples { episodes: 1, ..BarrierSamples::default() };
        for number in 0..ranks[0].1.len() {
            let visits = || ranks.iter().map(|(_, visits)| &visits[number]);
            for (rank, (visit, answer)) in visits().zip(answers).enumerate() {
                if let Some(FormResult::Visited { visits: right, .. }) = form_result(answer, self.reference)
                    && right.get(number).is_some_and(|right| right.result != visit.result)
                {
                    return Err(format!(
                        "rank {rank} has another result than by the baseline in call {number}"
                    ));
                }
            }
            let stamps = || visits().flat_map(|visit| visit.stamps.iter().copied());
            let entry = stamps().map(|(entry, _)| entry).max().ok_or("a call without stamps")?;
            let exits = || stamps().map(|(_, exit)| exit);
            let (first, last) = (exits().min().unwrap_or(entry), exits().max().unwrap_or(entry));
            let start = ranks[0].1[number].start_ns;
            if self.share_cores || entry <= start + MAX_LATE_NS {
                samples.starts_ns.push(start);
                samples.batches_ns.push(last.saturating_sub(entry).max(1));
                samples.skew_ns.push(last - first);
            }
        }
        Ok(samples)
    }
}

/// The result of form `number` from the ranks' answers, whose pattern sends the messages `planned`, or whose visits are calls; `None` when the
/// answers do not form a complete job.
pub(crate) fn form_samples(
    answers: &[BarrierRankAnswer],
    number: usize,
    planned: Option<EpisodeMessages>,
    calls: Option<&Calls>,
) -> Option<FormOutcome> {
    let seen: Option<Vec<&FormResult>> = answers.iter().map(|answer| form_result(answer, number)).collect();
    let seen = seen?;
    let refusals =
        || seen.iter().filter_map(|seen| if let FormResult::Refused(why) = seen { Some(why) } else { None });
    let own = refusals().find(|why| !why.starts_with("another rank")).or_else(|| refusals().next());
    if let Some(why) = own {
        return Some((BarrierOutcome::Refused { reason: why.clone() }, None));
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
        return Some((BarrierOutcome::Failed { reason: other_messages(sent, planned) }, None));
    }
    let uncertainty_ns =
        answers.iter().filter_map(|answer| answer.result.findings()).map(|found| found.uncertainty_ns).max();
    let merged = match calls {
        Some(calls) => calls.merge(&visited, answers),
        None => merge_visits(&visited, uncertainty_ns.unwrap_or(0)),
    };
    let outcome = match merged {
        Ok(samples) => BarrierOutcome::Measured { launches: vec![samples] },
        Err(reason) => BarrierOutcome::Failed { reason },
    };
    Some((outcome, sent))
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

fn merge_visits(ranks: &[(u64, &[Visit])], uncertainty_ns: u64) -> Result<BarrierSamples, String> {
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
            let (latency_ns, skew_ns) = latency_and_skew(&stamps, uncertainty_ns)?;
            samples.latency_ns.push(latency_ns);
            samples.skew_ns.push(skew_ns);
        }
    }
    Ok(samples)
}

/// The latency and the skew of one episode, from every rank's entry and exit, whose differences are wrong by at most `uncertainty_ns`; the
/// error names the rank that left early and the rank that had not entered. It is certain: an exit that the uncertainty explains counts as
/// one at the last entry.
fn latency_and_skew(stamps: &[(u64, u64)], uncertainty_ns: u64) -> Result<(u64, u64), String> {
    let ranks = || stamps.iter().copied().enumerate();
    let (last, (entry, _)) = ranks().max_by_key(|(_, (entry, _))| *entry).expect("at least one rank");
    let (early, (_, first)) = ranks().min_by_key(|(_, (_, exit))| *exit).expect("at least one rank");
    let exit = stamps.iter().map(|(_, exit)| *exit).max().expect("at least one rank");
    if entry > first + uncertainty_ns {
        return Err(format!("rank {early} left {} ns before rank {last} had entered", entry - first));
    }
    Ok((exit.saturating_sub(entry), exit - first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{BarrierRankResult, RankFindings, tests::form};

    fn job(outcome: BarrierOutcome, nodes: &[usize], uncertainty_ns: f64) -> JobFindings {
        let clock = ComparedClock { uncertainty_ns, ..ComparedClock::default() };
        let forms = vec![(outcome, Some(EpisodeMessages::default()))];
        JobFindings {
            forms,
            nodes: nodes.into(),
            placement: vec![],
            compared: vec![clock],
            thread_level: None,
        }
    }

    fn samples() -> BarrierOutcome {
        BarrierOutcome::Measured { launches: vec![BarrierSamples::default()] }
    }

    #[test]
    fn launches_add_up_and_a_failure_stands() {
        let (mut table, form) = (OutcomeTable::default(), form("tree"));
        let mut add = |result, uncertainty_ns| {
            table.add_job(std::slice::from_ref(&form), 2, job(result, &[0, 1], uncertainty_ns));
            let record = &table.results[&(2, form.clone())];
            (record.outcome.clone(), record.compared[0].uncertainty_ns)
        };
        add(samples(), 3.0);
        add(samples(), 5.0);
        let (outcome, uncertainty_ns) = add(samples(), 4.0);
        assert!(matches!(outcome, BarrierOutcome::Measured { launches } if launches.len() == 3));
        assert_eq!(uncertainty_ns, 5.0, "that of the least certain launch");
        add(BarrierOutcome::Failed { reason: "rank 0 left early".into() }, 4.0);
        let (outcome, _) = add(samples(), 4.0);
        assert_eq!(outcome, BarrierOutcome::Failed { reason: "rank 0 left early".into() });
        assert!(table.has_failed(&form, 2) && !table.has_failed(&form, 4));
    }

    #[test]
    fn launches_on_other_nodes_do_not_count() {
        let mut table = OutcomeTable::default();
        let plan = JobPlan { backend: Backend::Mpi, ranks: 2, variables: vec![], forms: vec![] };
        let mut check = |nodes: &[usize]| table.check_nodes(&plan, job(samples(), nodes, 1.0));
        assert!(check(&[0, 1]).is_ok() && check(&[0, 1]).is_ok());
        let failed = check(&[0, 0]).expect_err("other nodes");
        assert_eq!(failed.reason, "the nodes of the ranks were [0, 1] in the first launch and are [0, 0]");
    }

    const SENT: EpisodeMessages = EpisodeMessages { within_node: 0, between_nodes: 1 };

    fn answer_of(rank: usize, result: FormResult, uncertainty_ns: u64) -> BarrierRankAnswer {
        let found = RankFindings { forms: vec![result], uncertainty_ns, ..RankFindings::default() };
        BarrierRankAnswer::new(rank, 2, BarrierRankResult::Done(found))
    }

    fn visited(rank: usize, batch_ns: u64, stamps: (u64, u64), uncertainty_ns: u64) -> BarrierRankAnswer {
        let visits = vec![Visit { start_ns: stamps.0, batch_ns, stamps: vec![stamps], result: 0 }];
        answer_of(rank, FormResult::Visited { sent: Some(SENT), episodes: 4, visits }, uncertainty_ns)
    }

    /// The result of two ranks, whose pattern sends one message each to the other node.
    fn samples_of(answers: &[BarrierRankAnswer]) -> FormOutcome {
        let planned = EpisodeMessages { within_node: 0, between_nodes: 2 };
        form_samples(answers, 0, Some(planned), None).expect("a whole job")
    }

    #[test]
    fn a_batch_is_the_slowest_ranks_and_an_episode_everybodys() {
        let found = samples_of(&[visited(0, 40, (10, 60), 0), visited(1, 44, (30, 50), 0)]);
        let wanted = BarrierSamples {
            episodes: 4,
            batches_ns: vec![44],
            starts_ns: vec![10],
            latency_ns: vec![30],
            skew_ns: vec![10],
            uncertainty_ns: None,
        };
        let outcome = BarrierOutcome::Measured { launches: vec![wanted] };
        assert_eq!(found, (outcome, Some(EpisodeMessages { between_nodes: 2, ..SENT })));
    }

    #[test]
    fn who_leaves_early_is_told() {
        let broken = samples_of(&[visited(0, 40, (10, 25), 0), visited(1, 44, (30, 50), 0)]);
        let reason = "rank 0 left 5 ns before rank 1 had entered".into();
        assert_eq!(broken.0, BarrierOutcome::Failed { reason });
    }

    #[test]
    fn an_early_exit_must_be_certain_on_several_clocks() {
        let left_early_by_5 =
            |uncertainty_ns| [visited(0, 40, (10, 25), uncertainty_ns), visited(1, 44, (30, 50), 4)];
        assert!(matches!(samples_of(&left_early_by_5(4)).0, BarrierOutcome::Failed { .. }));
        let BarrierOutcome::Measured { launches } = samples_of(&left_early_by_5(5)).0 else {
            panic!("not certain")
        };
        let found = &launches[0];
        assert_eq!(
            (&found.latency_ns[..], &found.skew_ns[..], found.uncertainty_ns),
            (&[20][..], &[25][..], Some(5))
        );
    }

    #[test]
    fn messages_that_are_not_the_patterns_are_told() {
        let answers = [visited(0, 40, (10, 60), 0), visited(1, 44, (30, 50), 0)];
        let wrong =
            form_samples(&answers, 0, Some(EpisodeMessages { within_node: 2, between_nodes: 0 }), None);
        let why = "an episode sent 0 messages within a node and 2 between nodes, its pattern sends 2 and 0";
        assert_eq!(wrong, Some((BarrierOutcome::Failed { reason: why.into() }, None)));
        assert!(matches!(form_samples(&answers, 0, None, None), Some((BarrierOutcome::Failed { .. }, _))));
    }

    #[test]
    fn the_refusal_of_the_rank_that_knows_why_is_told() {
        let refused = |rank, why: &str| answer_of(rank, FormResult::Refused(why.into()), 0);
        let refused = [refused(0, "another rank cannot build it"), refused(1, "only for 2 ranks")];
        assert_eq!(samples_of(&refused).0, BarrierOutcome::Refused { reason: "only for 2 ranks".into() });
        assert_eq!(form_samples(&refused, 1, None, None), None);
    }

    #[test]
    fn a_call_counts_from_the_last_entry_and_its_result_must_be_the_baselines() {
        let visit = |stamps, result| Visit { start_ns: 1_000, batch_ns: 0, stamps: vec![stamps], result };
        let answer = |rank, visits: Vec<Visit>, right: u64| {
            let of = |visits| FormResult::Visited { sent: None, episodes: 1, visits };
            let baseline = visits.iter().map(|visit| Visit { result: right, ..visit.clone() }).collect();
            let found = RankFindings { forms: vec![of(baseline), of(visits)], ..RankFindings::default() };
            BarrierRankAnswer::new(rank, 2, BarrierRankResult::Done(found))
        };
        let samples = |right, share_cores| {
            let first = answer(0, vec![visit((1_010, 1_400), 7), visit((1_020, 1_300), 7)], 7);
            let second = answer(1, vec![visit((1_050, 1_350), 9), visit((1_501, 1_600), 9)], right);
            let calls = Calls { reference: 0, share_cores };
            form_samples(&[first, second], 1, None, Some(&calls)).expect("a whole job").0
        };
        let BarrierOutcome::Measured { launches } = samples(9, false) else { panic!("equal results") };
        let found = &launches[0];
        assert_eq!(
            (&found.batches_ns[..], &found.skew_ns[..]),
            (&[350][..], &[50][..]),
            "the second is late"
        );
        assert!(
            matches!(samples(9, true), BarrierOutcome::Measured { launches } if launches[0].batches_ns == [350, 99])
        );
        let reason = "rank 1 has another result than by the baseline in call 0".into();
        assert_eq!(samples(8, false), BarrierOutcome::Failed { reason });
    }
}
