//! The settings of a campaign: those of the task and of the course, and the command line, which has precedence.
use std::{path::Path, time::Duration};

use wb_config::{
    AssignmentFiles, ConfigError, CourseSettings, Enrolment, JobPlacement, TaskKind, TaskSettings,
    TimeLimits, VersionStatus, WorkloadSettings,
};
use wb_messages::{Lang, performance as text};
use wb_record::{LaunchPart, MeasurementPlan, Subject};
use wb_runner::subject::subject;

use super::{
    arguments::BenchmarkArguments,
    job::{SamplingPolicy, WorkloadRequest},
    program::Package,
};

/// All settings of a campaign, validated.
#[derive(Clone, Debug)]
pub(crate) struct CampaignSettings {
    /// The task and its author.
    pub(crate) subject: Subject,
    /// Whether the sequential version is measured.
    pub(crate) seq: bool,
    /// Whether the parallel version is measured.
    pub(crate) mpi: bool,
    /// The files of the assignment, of which there may be none.
    pub(crate) files: AssignmentFiles,
    /// The inputs.
    pub(crate) workloads: Vec<WorkloadRequest>,
    /// The limit of one pass.
    pub(crate) limit: Option<Duration>,
    /// The recorded part of the settings.
    pub(crate) plan: MeasurementPlan,
    /// The numbers of ranks.
    pub(crate) ranks: Vec<usize>,
    /// What the line of progress begins with, if there is one line.
    pub(crate) progress: Option<String>,
    /// The launches to measure.
    pub(crate) part: LaunchPart,
    /// The rules that decide when a series is sampled enough.
    pub(crate) sampling: SamplingPolicy,
    /// The sampling of a size of a sweep.
    pub(crate) sweep: SamplingPolicy,
    /// The same where ranks share cores, which only shows whether the task works.
    pub(crate) short: SamplingPolicy,
}

/// The thoroughness of the measurement.
struct SamplingRules {
    launches: u32,
    min_repetition_time: Duration,
    /// The sampling of series; its budget is the wall time of one launch for one mode of all workloads together.
    series: SamplingPolicy,
    sweep: SamplingPolicy,
}

const QUICK: SamplingRules = SamplingRules {
    launches: 2,
    min_repetition_time: Duration::from_millis(20),
    series: sampling(0.05, (6, 20), Duration::from_millis(600)),
    sweep: sampling(0.05, (10, 200), Duration::from_millis(40)),
};

const FINAL: SamplingRules = SamplingRules {
    launches: 10,
    min_repetition_time: Duration::from_millis(50),
    series: sampling(0.03, (6, 50), Duration::from_secs(1)),
    sweep: sampling(0.03, (20, 500), Duration::from_millis(150)),
};

const fn sampling(target: f64, (least, most): (usize, usize), budget: Duration) -> SamplingPolicy {
    SamplingPolicy { min_repetitions: least, max_repetitions: most, target, budget, ceiling: 5 }
}

impl CampaignSettings {
    /// The workloads of this name; all workloads without a name.
    ///
    /// # Errors
    /// For the user: there is none, with the names of the existing ones.
    pub(crate) fn select_workloads(
        &self,
        requested: Option<&str>,
        lang: Lang,
    ) -> Result<Vec<WorkloadRequest>, String> {
        let is_chosen = |request: &&WorkloadRequest| requested.is_none_or(|name| request.name == name);
        let chosen: Vec<_> = self.workloads.iter().filter(is_chosen).cloned().collect();
        if chosen.is_empty() {
            let names: Vec<&str> = self.workloads.iter().map(|request| request.name.as_str()).collect();
            return Err(text::no_such_workload(lang, requested.unwrap_or_default(), names.join(", ")));
        }
        Ok(chosen)
    }

    /// Reads `task.yaml` and `course.yaml` of the package.
    pub(crate) fn load(
        package: Package,
        arguments: &BenchmarkArguments,
        lang: Lang,
    ) -> Result<Self, Box<ConfigError>> {
        let folder = Path::new(package.folder);
        let task = TaskSettings::load(folder)?;
        let course = CourseSettings::find(folder)?;
        Enrolment::find(folder)?.check_task(&course, folder, &task)?;
        let limits = TimeLimits::from_process_environment(&course)?;
        JobPlacement::from_process_environment()?;
        Ok(Self::from_config(package.name, &task, &course, limits, arguments, lang))
    }

    fn from_config(
        name: &str,
        task: &TaskSettings,
        course: &CourseSettings,
        limits: TimeLimits,
        arguments: &BenchmarkArguments,
        lang: Lang,
    ) -> Self {
        let rules = if arguments.quick { QUICK } else { FINAL };
        let ranks = arguments.ranks.clone().unwrap_or_else(|| task.performance.ranks.clone());
        let request = |of: &WorkloadSettings| WorkloadRequest { name: of.name.clone(), size: of.size };
        let workloads: Vec<_> = task.performance.workloads.iter().map(request).collect();
        let budget = rules.series.budget / workloads.len().max(1) as u32;
        let sampling = SamplingPolicy { budget, ..rules.series };
        let chosen_by =
            if arguments.ranks.is_some() { text::ranks_by_command(lang) } else { "task.yaml".into() };
        let plan = measurement_plan(task, course, (&ranks, chosen_by), arguments.quick, budget);
        Self {
            subject: subject(name, task),
            seq: task.status.seq == VersionStatus::Enabled,
            mpi: task.status.mpi == VersionStatus::Enabled,
            files: task.files.clone().unwrap_or_default(),
            workloads,
            limit: limits.performance,
            plan,
            ranks,
            progress: arguments.progress.clone(),
            part: arguments.part.unwrap_or(LaunchPart::WHOLE),
            sampling,
            sweep: rules.sweep,
            short: SamplingPolicy {
                min_repetitions: 3,
                max_repetitions: 5,
                budget: budget / 2,
                ceiling: 2,
                ..sampling
            },
        }
    }

    /// Also measures the parallel version on one rank, independently of `task.yaml`: its time there reveals a
    /// sequential version that was slowed down.
    pub(crate) fn include_one_rank(&mut self) {
        if self.mpi && !self.ranks.contains(&1) {
            self.ranks.insert(0, 1);
            self.plan.ranks.insert(0, 1);
        }
    }

    /// Leaves out numbers of ranks above these usable cores: they show no speed-up.
    pub(crate) fn keep_ranks_with_cores(&mut self, cores: usize, lang: Lang) {
        let all = self.ranks.len();
        self.ranks.retain(|&ranks| ranks <= cores);
        if self.ranks.len() < all {
            self.plan.ranks = self.ranks.iter().map(|&ranks| ranks as u32).collect();
            self.plan.ranks_chosen_by = text::ranks_with_cores(lang, &self.plan.ranks_chosen_by, cores);
        }
    }

    /// The largest number of launches of one series when it does not converge earlier.
    pub(crate) fn launches_at_most(&self) -> u32 {
        max_launches(self.plan.quick, self.plan.launches)
    }
}

/// A quick run has a fixed number of launches; a final one may take twice its launches to converge.
fn max_launches(quick: bool, launches: u32) -> u32 {
    if quick { launches } else { 2 * launches }
}

/// The recorded part of the settings. `budget` is that of one series in one launch.
fn measurement_plan(
    task: &TaskSettings,
    course: &CourseSettings,
    (ranks, ranks_chosen_by): (&[usize], String),
    quick: bool,
    budget: Duration,
) -> MeasurementPlan {
    let rules = if quick { QUICK } else { FINAL };
    MeasurementPlan {
        quick,
        ranks: ranks.iter().map(|&ranks| ranks as u32).collect(),
        ranks_chosen_by,
        launches: rules.launches,
        target_half_width: rules.series.target,
        budget_s: (budget * max_launches(quick, rules.launches)).as_secs_f64(),
        least_repetition_ns: least_repetition(task.kind, &rules).as_nanos() as u64,
        bands: course.efficiency_bands.iter().map(Into::into).collect(),
        performance_points: Some(f64::from(course.assignment(task.task_number).points.performance)),
        graded_ranks: None,
        pipeline_decides_below: Some(f64::from(course.pipeline_decides_below_percent) / 100.0),
    }
}

/// The shortest repetition that counts. A communication assignment has no speed-up, so only the clock limits its repetitions.
fn least_repetition(kind: TaskKind, rules: &SamplingRules) -> Duration {
    match kind {
        TaskKind::Communication => Duration::ZERO,
        TaskKind::Computation => rules.min_repetition_time,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Settings of a task that is measured at these numbers of ranks.
    pub(crate) fn settings(ranks: &[usize]) -> CampaignSettings {
        settings_of_kind("computation", ranks)
    }

    fn settings_of_kind(kind: &str, ranks: &[usize]) -> CampaignSettings {
        let task = "student: A B\ngroup: G\ntask_number: 1\nvariant: 1\nkind: KIND\n\
                    status: {seq: enabled, mpi: enabled}\n\
                    performance: {workloads: [{name: small, size: 3}, {name: large, size: 9}], ranks: [1, 2]}\n";
        let task =
            TaskSettings::parse("task.yaml".as_ref(), &task.replace("KIND", kind)).expect("right settings");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks");
        let course = CourseSettings::find(&folder).expect("the course's settings");
        let limits = TimeLimits::from_environment(&course, |_| None).expect("the course's limits");
        let arguments =
            BenchmarkArguments { quick: true, ranks: Some(ranks.to_vec()), ..BenchmarkArguments::default() };
        CampaignSettings::from_config("example", &task, &course, limits, &arguments, Lang::En)
    }

    #[test]
    fn the_command_line_comes_before_the_task_and_the_course_grades() {
        let settings = settings(&[1, 3]);
        assert_eq!(settings.ranks, [1, 3]);
        assert_ne!(settings.plan.ranks_chosen_by, "task.yaml");
        assert_eq!(settings.workloads.len(), 2);
        assert_eq!(settings.sampling.budget, QUICK.series.budget / 2);
        assert!(settings.plan.bands.windows(2).all(|b| b[0].least_efficiency > b[1].least_efficiency));
        assert!(settings.plan.performance_points.is_some());
        assert_eq!(settings.limit, Some(Duration::from_secs(10)));
    }

    #[test]
    fn only_what_has_a_speedup_needs_long_repetitions() {
        let least = |kind| settings_of_kind(kind, &[1, 2]).plan.least_repetition_ns;
        assert_eq!(least("communication"), 0);
        assert_eq!(u128::from(least("computation")), QUICK.min_repetition_time.as_nanos());
    }

    #[test]
    fn the_parallel_version_is_always_measured_alone() {
        for ranks in [&[2, 4][..], &[1, 2, 4]] {
            let mut settings = settings(ranks);
            settings.include_one_rank();
            assert_eq!((&settings.ranks[..], &settings.plan.ranks[..]), (&[1, 2, 4][..], &[1, 2, 4][..]));
        }
    }

    #[test]
    fn ranks_that_would_share_cores_are_left_out_and_the_plan_names_it() {
        let mut settings = settings(&[1, 2, 4]);
        settings.keep_ranks_with_cores(4, Lang::En);
        assert!(settings.ranks == [1, 2, 4] && !settings.plan.ranks_chosen_by.contains("cores"));
        settings.keep_ranks_with_cores(3, Lang::En);
        assert_eq!((&settings.ranks[..], &settings.plan.ranks[..]), (&[1, 2][..], &[1, 2][..]));
        assert!(
            settings.plan.ranks_chosen_by.contains("3 usable core(s)"),
            "{}",
            settings.plan.ranks_chosen_by
        );
    }

    #[test]
    fn a_final_run_may_go_on_and_a_quick_one_may_not() {
        assert_eq!(max_launches(true, QUICK.launches), QUICK.launches);
        assert!(max_launches(false, FINAL.launches) > FINAL.launches);
    }
}
