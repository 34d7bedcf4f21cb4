//! The jobs and their order: inside a launch all jobs are in random order, so that no version always runs after another
//! one has warmed the machine up.
use wb_messages::{Lang, performance as text};
use wb_record::Version;
use wb_runner::random::shuffle;

use super::settings::CampaignSettings;

/// The purpose of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobPurpose {
    /// One version on all workloads.
    Series(Version),
    /// The assignment's verb and the library's, which chooses its algorithm or has a fixed one.
    Sweep {
        /// Whether the library's algorithm is fixed.
        forced: bool,
    },
    /// Messages and rounds.
    Count,
}

/// One job to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScheduledJob {
    pub(crate) launch: u32,
    pub(crate) purpose: JobPurpose,
    /// The requested number of ranks.
    pub(crate) ranks: usize,
}

impl ScheduledJob {
    /// Its name for the user.
    pub(crate) fn name(self, lang: Lang) -> String {
        let (launch, ranks) = (self.launch + 1, self.ranks);
        match self.purpose {
            JobPurpose::Series(Version::Mpi) => text::job_mpi(lang, launch, ranks),
            JobPurpose::Series(Version::Seq) => text::job_seq(lang, launch),
            JobPurpose::Series(Version::Reference) => text::job_reference(lang, launch),
            JobPurpose::Sweep { forced: false } => text::job_sweep(lang, launch, ranks),
            JobPurpose::Sweep { forced: true } => text::job_forced_sweep(lang, launch, ranks),
            JobPurpose::Count => text::job_count(lang, ranks),
        }
    }
}

/// The measurements that are possible in addition to the two versions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OptionalMeasurements {
    /// Whether the task is a communication assignment.
    pub(crate) sweep: bool,
    /// Whether the algorithm of the library's verb can be fixed.
    pub(crate) forced: bool,
    /// Whether there is an instructor's version.
    pub(crate) reference: bool,
}

/// The jobs of one launch in random order.
pub(crate) fn launch(
    settings: &CampaignSettings,
    extras: OptionalMeasurements,
    cores: usize,
    launch: u32,
    random: &mut oorandom::Rand32,
) -> Vec<ScheduledJob> {
    let step = |purpose, ranks| ScheduledJob { launch, purpose, ranks };
    let mut steps = Vec::new();
    if settings.seq {
        steps.push(step(JobPurpose::Series(Version::Seq), 1));
    }
    if extras.reference {
        steps.push(step(JobPurpose::Series(Version::Reference), 1));
    }
    // Ranks that share cores only show whether the task works, for which one launch is enough.
    let wanted = |ranks: &&usize| settings.mpi && (**ranks <= cores || launch == 0);
    for &ranks in settings.ranks.iter().filter(wanted) {
        steps.push(step(JobPurpose::Series(Version::Mpi), ranks));
        if extras.sweep && ranks > 1 {
            steps.push(step(JobPurpose::Sweep { forced: false }, ranks));
            if extras.forced && ranks <= cores {
                steps.push(step(JobPurpose::Sweep { forced: true }, ranks));
            }
        }
    }
    shuffle(&mut steps, random);
    if launch == settings.part.index() && extras.sweep && settings.mpi {
        let counts = settings.ranks.iter().filter(|&&ranks| ranks > 1);
        steps.splice(0..0, counts.map(|&ranks| step(JobPurpose::Count, ranks)));
    }
    steps
}

#[cfg(test)]
mod tests {
    use wb_record::LaunchPart;

    use super::*;
    use crate::settings::tests::settings;

    fn steps(number: u32, extras: OptionalMeasurements) -> Vec<ScheduledJob> {
        let mut random = oorandom::Rand32::new(u64::from(number));
        launch(&settings(&[1, 2, 4]), extras, 2, number, &mut random)
    }

    #[test]
    fn a_launch_has_every_version_once_and_shared_cores_only_in_the_first() {
        let ranks = |steps: &[ScheduledJob]| {
            let mut ranks: Vec<_> = steps.iter().map(|step| step.ranks).collect();
            ranks.sort_unstable();
            ranks
        };
        assert_eq!(ranks(&steps(0, OptionalMeasurements::default())), [1, 1, 2, 4]);
        assert_eq!(ranks(&steps(1, OptionalMeasurements::default())), [1, 1, 2]);
    }

    #[test]
    fn the_order_differs_between_launches() {
        let orders: Vec<Vec<usize>> = (1..20)
            .map(|n| steps(n, OptionalMeasurements::default()).iter().map(|step| step.ranks).collect())
            .collect();
        assert!(orders.iter().any(|order| order != &orders[0]));
    }

    #[test]
    fn sweeps_count_first_and_are_forced_where_every_rank_has_a_core() {
        let steps = steps(0, OptionalMeasurements { sweep: true, forced: true, reference: false });
        assert_eq!(
            steps[..2].iter().map(|s| (s.purpose, s.ranks)).collect::<Vec<_>>(),
            [(JobPurpose::Count, 2), (JobPurpose::Count, 4)]
        );
        let part = CampaignSettings { part: LaunchPart::new(1, 2).expect("a part"), ..settings(&[1, 2, 4]) };
        let extras = OptionalMeasurements { sweep: true, ..OptionalMeasurements::default() };
        let has_counts = |number| {
            let steps = launch(&part, extras, 2, number, &mut oorandom::Rand32::new(1));
            steps.iter().any(|step| step.purpose == JobPurpose::Count)
        };
        assert_eq!([0, 1, 3].map(has_counts), [false, true, false], "in the first launch of a part");
        let forced = steps.iter().filter(|s| s.purpose == JobPurpose::Sweep { forced: true });
        assert_eq!(forced.map(|s| s.ranks).collect::<Vec<_>>(), [2]);
    }
}
