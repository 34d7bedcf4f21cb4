//! Invented records: what the measurements of a task would have been for its drawn efficiency.
//!
//! Times follow Amdahl's law with the serial share that gives the efficiency on [`RANKS`] ranks, and a drawn noise.

use jiff::Timestamp;
use wb_config::CourseSettings;
use wb_record::{
    ElapsedFrom, Environment, MeasuredWorkload, MeasurementPlan, Record, Repetition, Series, SeriesOutcome,
    Subject, TimedRegion, Timing, Version,
};
use wb_text::Text;

use crate::demo::{random::DemoRandom, task::DemoTask};

/// The number of ranks whose efficiency is graded.
pub(crate) const RANKS: u32 = 4;

/// The rank counts of the measurements.
const MEASURED_RANKS: [u32; 3] = [1, 2, RANKS];

/// The sequential time, in nanoseconds.
const SEQ_NS: f64 = 8e8;

/// The pipeline takes longer than `run` by this factor.
const PIPELINE: f64 = 1.06;

const LAUNCHES: u32 = 3;
const REPETITIONS: usize = 6;

/// The plan, then the timings and the outcomes of all series.
pub(crate) fn of_task(course: &CourseSettings, task: &DemoTask<'_>, changed_at: Timestamp) -> Vec<Record> {
    let mut random = DemoRandom::new(task.profile.efficiency.to_bits(), &task.name);
    let plan = Record::new(
        format!("{}-invented", task.name),
        changed_at.to_string(),
        subject(course, task),
        environment(),
        plan(course, task.assignment),
    );
    let regions = [TimedRegion::TaskRun, TimedRegion::Pipeline];
    let all: Vec<Series> = regions.into_iter().flat_map(series).collect();
    let timings = all.iter().flat_map(|series| (0..LAUNCHES).map(move |launch| (series, launch)));
    let timings: Vec<Timing> =
        timings.map(|(series, launch)| timing(series, launch, &task.profile, &mut random)).collect();
    let with = |measurement: wb_record::Measurement| Record { measurement, ..plan.clone() };
    let measured = timings.into_iter().map(|timing| with(timing.into()));
    let ended = all.into_iter().map(|series| with(outcome(series, task.profile.spread).into()));
    let following: Vec<Record> = measured.chain(ended).collect();
    std::iter::once(plan.clone()).chain(following).collect()
}

fn subject(course: &CourseSettings, task: &DemoTask<'_>) -> Subject {
    let title = course.variant(task.assignment, task.variant).map(|variant| &variant.title);
    let text = |text: Option<&String>| text.cloned().unwrap_or_else(|| task.name.clone());
    Subject {
        task: task.name.clone(),
        title: Text {
            en: text(title.and_then(|title| title.en.as_ref())) + " (synthetic)",
            ru: text(title.and_then(|title| title.ru.as_ref())) + " (синтетические данные)",
        },
        student: task.student.name.clone(),
        group: task.student.group.clone(),
        task_number: task.assignment.into(),
        variant: task.variant.into(),
    }
}

/// A machine that does not exist.
fn environment() -> Environment {
    let mut environment = Environment::example();
    "Invented: nothing was measured".clone_into(&mut environment.machine.cpu);
    "invented".clone_into(&mut environment.machine.os);
    environment.machine.physical_cores = RANKS;
    environment.machine.usable_cores = RANKS;
    environment
}

fn plan(course: &CourseSettings, assignment: u8) -> MeasurementPlan {
    MeasurementPlan {
        quick: false,
        ranks: MEASURED_RANKS.to_vec(),
        ranks_chosen_by: "task.yaml".to_owned(),
        launches: LAUNCHES,
        target_half_width: 0.03,
        budget_s: 30.0,
        least_repetition_ns: 50_000_000,
        bands: course.efficiency_bands.iter().map(Into::into).collect(),
        performance_points: Some(f64::from(course.assignment(assignment).points.performance)),
        graded_ranks: None,
        pipeline_decides_below: Some(f64::from(course.pipeline_decides_below_percent) / 100.0),
    }
}

/// The sequential version, and the parallel one on each number of ranks.
fn series(mode: TimedRegion) -> Vec<Series> {
    let workload = MeasuredWorkload { name: "default".to_owned(), size: 1_000_000, unit: String::new() };
    let versions = MEASURED_RANKS.map(|ranks| (Version::Mpi, ranks));
    let versions = std::iter::once((Version::Seq, 1)).chain(versions);
    versions.map(|(version, ranks)| Series { workload: workload.clone(), version, mode, ranks }).collect()
}

fn timing(
    series: &Series,
    launch: u32,
    profile: &crate::demo::profile::TaskProfile,
    random: &mut DemoRandom,
) -> Timing {
    let factor = if series.mode == TimedRegion::Pipeline { PIPELINE } else { 1.0 };
    let time = factor * SEQ_NS * time_share(profile.efficiency / 100.0, series.ranks);
    let mut repetition = || Repetition {
        elapsed_ns: (time * (1.0 + profile.spread / 400.0 * random.between(-1.0, 1.0))) as u64,
        entry_skew_ns: 2_000,
        correct: Some(true),
        involuntary_switches: 0,
        cpu_share: Some(0.99),
        queued_ns: None,
    };
    Timing {
        series: series.clone(),
        launch,
        fresh_inputs: Some(true),
        warmup_dropped: 1,
        inner_iterations: 1,
        elapsed_from: ElapsedFrom::CommonClock,
        repetitions: (0..REPETITIONS).map(|_| repetition()).collect(),
        stages: vec![],
        traffic: None,
        sentinel: None,
    }
}

/// The time on `ranks` ranks over the sequential time, by Amdahl's law: a serial share f gives the efficiency
/// 1 / (1 + f (P - 1)) on P ranks.
fn time_share(efficiency: f64, ranks: u32) -> f64 {
    let serial = ((1.0 / efficiency - 1.0) / f64::from(RANKS - 1)).clamp(0.0, 1.0);
    serial + (1.0 - serial) / f64::from(ranks)
}

fn outcome(series: Series, spread: f64) -> SeriesOutcome {
    SeriesOutcome {
        series,
        converged: true,
        half_width: Some(spread / 400.0),
        budget_s: 30.0,
        spent_s: 15.0,
        repeated_launches: 0,
        failure: None,
    }
}
