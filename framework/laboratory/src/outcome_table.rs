//! The known results of each form at each size, launch by launch.
use std::collections::BTreeMap;

use wb_record::{
    Backend, BarrierForm, BarrierLine, BarrierOutcome, BarrierRun, BarrierSeries, ComparedClock,
    EpisodeMessages, HostPlacement, SCHEMA_VERSION,
};

use crate::{
    job::{BarrierJobFailure, JobFindings},
    samples::FormSamples,
    schedule::JobPlan,
};

#[derive(Default)]
pub(crate) struct OutcomeTable {
    results: BTreeMap<(usize, BarrierForm), FormRecord>,
    /// The node of each rank, by number and kind of ranks.
    nodes: BTreeMap<(usize, Backend), Vec<usize>>,
}

/// The results of one form at one size.
struct FormRecord {
    outcome: BarrierOutcome,
    placement: Vec<HostPlacement>,
    compared: Vec<ComparedClock>,
    messages: Option<EpisodeMessages>,
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
        for (form, result) in forms.iter().zip(results) {
            let record = self.entry(form, ranks);
            record.placement.clone_from(&placement);
            if largest_uncertainty_ns(&compared) > largest_uncertainty_ns(&record.compared) {
                record.compared.clone_from(&compared);
            }
            record.add(result);
        }
    }

    fn entry(&mut self, form: &BarrierForm, ranks: usize) -> &mut FormRecord {
        self.results.entry((ranks, form.clone())).or_insert_with(|| FormRecord {
            outcome: BarrierOutcome::Measured { launches: vec![] },
            placement: vec![],
            compared: vec![],
            messages: None,
        })
    }

    /// The records.
    pub(crate) fn into_lines(self, run: BarrierRun) -> Vec<BarrierLine> {
        let name = run.run.clone();
        let series = self.results.into_iter().map(|((ranks, form), result)| {
            let FormRecord { outcome, placement, compared, messages } = result;
            let (schema, run) = (SCHEMA_VERSION, name.clone());
            let series = BarrierSeries { schema, run, form, ranks, placement, compared, messages, outcome };
            BarrierLine::BarrierSeries(Box::new(series))
        });
        std::iter::once(BarrierLine::BarrierRun(Box::new(run))).chain(series).collect()
    }
}

impl FormRecord {
    fn add(&mut self, found: FormSamples) {
        match (found, &mut self.outcome) {
            (FormSamples::Samples(samples, messages), BarrierOutcome::Measured { launches }) => {
                launches.push(samples);
                self.messages = messages;
            }
            (FormSamples::Samples(..), BarrierOutcome::Refused { .. } | BarrierOutcome::Failed { .. }) => {}
            (FormSamples::Wrong(reason), outcome) => *outcome = BarrierOutcome::Failed { reason },
            (FormSamples::Refused(reason), outcome) => *outcome = BarrierOutcome::Refused { reason },
        }
    }
}

fn largest_uncertainty_ns(clocks: &[ComparedClock]) -> f64 {
    clocks.iter().map(|clock| clock.uncertainty_ns).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use wb_record::BarrierSamples;

    use super::*;
    use crate::job_spec::tests::form;

    fn job(result: FormSamples, nodes: &[usize], uncertainty_ns: f64) -> JobFindings {
        let clock = ComparedClock {
            host: "n1".into(),
            first_rank: 1,
            ranks: 1,
            offset_ns: 0.0,
            drift_ppm: 0.0,
            uncertainty_ns,
            step_ns: 0.0,
        };
        JobFindings { forms: vec![result], nodes: nodes.into(), placement: vec![], compared: vec![clock] }
    }

    fn samples() -> FormSamples {
        FormSamples::Samples(BarrierSamples::default(), Some(EpisodeMessages::default()))
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
        add(FormSamples::Wrong("rank 0 left early".into()), 4.0);
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
}
