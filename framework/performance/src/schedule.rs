//! The jobs of a launch in their order, and the algorithm of the library's verb that a job may fix.
//!
//! Inside a launch all jobs are in random order, so that no version always runs after another one has warmed the machine up.
//!
//! Equal algorithms are compared: a library chooses among many by size and number of ranks, so environment variables that it reads at
//! start select its binomial tree.
use std::process::Command;

use wb_comm::LibraryInfo;
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
    /// Rounds.
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
    /// The name of the purpose for the user.
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

/// An algorithm that can be fixed in a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ForcedAlgorithm {
    /// The name of the verb in records.
    pub(crate) algorithm: &'static str,
    variables: &'static [(&'static str, &'static str)],
}

/// `coll_tuned` has the algorithms; components with a higher priority are excluded. Algorithm 6 of its broadcast is
/// the binomial tree, and segment size 0 sends every message in one piece.
const OPEN_MPI_BCAST: ForcedAlgorithm = ForcedAlgorithm {
    algorithm: "binomial",
    variables: &[
        ("OMPI_MCA_coll", "basic,libnbc,self,tuned"),
        ("OMPI_MCA_coll_tuned_use_dynamic_rules", "1"),
        ("OMPI_MCA_coll_tuned_bcast_algorithm", "6"),
        ("OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize", "0"),
    ],
};

/// The device's own collectives (shared memory) would have precedence over the general ones.
const MPICH_BCAST: ForcedAlgorithm = ForcedAlgorithm {
    algorithm: "binomial",
    variables: &[("MPIR_CVAR_DEVICE_COLLECTIVES", "none"), ("MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial")],
};

impl ForcedAlgorithm {
    /// The algorithm that can be fixed in `library` for `operation`; `None` if none is known.
    pub(crate) fn for_operation(library: &LibraryInfo, operation: &str) -> Option<Self> {
        match (library.implementation.as_str(), operation) {
            ("Open MPI", "bcast") => Some(OPEN_MPI_BCAST),
            ("MPICH", "bcast") => Some(MPICH_BCAST),
            _ => None,
        }
    }

    /// Sets the variables for the job that `command` starts.
    pub(crate) fn apply(self, command: &mut Command) {
        command.envs(self.variables.iter().copied());
    }

    /// The variables of the job, for its records.
    pub(crate) fn variables(self) -> impl Iterator<Item = (String, String)> {
        self.variables.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()))
    }
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

    #[test]
    fn what_is_known_is_told_and_what_is_not_is_left_alone() {
        let library =
            |flavour: &str| LibraryInfo { implementation: flavour.into(), ..LibraryInfo::default() };
        let mut command = Command::new("true");
        ForcedAlgorithm::for_operation(&library("Open MPI"), "bcast").expect("known").apply(&mut command);
        let wanted = "OMPI_MCA_coll_tuned_bcast_algorithm";
        assert!(command.get_envs().any(|(name, value)| name == wanted && value.is_some_and(|v| v == "6")));
        assert_eq!(ForcedAlgorithm::for_operation(&library("Open MPI"), "alltoall"), None);
        assert_eq!(ForcedAlgorithm::for_operation(&library("unknown"), "bcast"), None);
    }
}
