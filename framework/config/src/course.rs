//! `course.yaml`: limits, efficiency bands, points, deadlines and penalties of the whole course.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    time::Duration,
};

use jiff::civil::Date;
use serde::Deserialize;
use wb_text::{Text, settings};

use crate::{
    TitleSettings,
    error::{ConfigError, FILE_BYTES_MAX, Result},
    source, value, yaml,
};

/// The name of the course's file.
const FILE: &str = "course.yaml";

/// The settings of the course.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CourseSettings {
    /// How long a task may take.
    pub limits: CourseLimits,
    /// Which share of the performance points an efficiency earns, best band first.
    pub efficiency_bands: Vec<EfficiencyBandSettings>,
    /// The whole pipeline decides, and not `run` alone, if its efficiency is below this share of `run`'s, in per cent.
    #[serde(default = "default_pipeline_decides", deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub pipeline_decides_below_percent: u8,
    /// The tasks of the semester, in order: 1, 2, 3.
    pub tasks: Vec<CourseTask>,
    /// The penalties.
    pub penalties: Penalties,
}

/// The defaults of a course.
fn default_pipeline_decides() -> u8 {
    50
}

/// How long a task may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CourseLimits {
    /// The sum of the stages of a functional case.
    #[serde(rename = "functional_seconds", deserialize_with = "value::seconds")]
    pub functional: Duration,
    /// One measured repetition.
    #[serde(rename = "performance_seconds", deserialize_with = "value::seconds")]
    pub performance: Duration,
}

/// One step of the scale from efficiency to points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EfficiencyBandSettings {
    /// The least efficiency of the band, in per cent; the band ends below the one before it.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub from_percent: u8,
    /// The share of the performance points, in per cent.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub points_percent: u8,
}

/// One task of the semester.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CourseTask {
    /// Its number.
    #[serde(deserialize_with = "value::whole::<_, _, 1, 3>")]
    pub number: u8,
    /// Its subject.
    pub title: TitleSettings,
    /// The points that it can earn.
    pub points: Points,
    /// The last day on which it earns all of these points.
    #[serde(deserialize_with = "value::date")]
    pub deadline: Date,
}

/// The points of the parts of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// The version for MPI.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub mpi: u8,
    /// The sequential version.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub seq: u8,
    /// The efficiency.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub performance: u8,
    /// The report.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub report: u8,
}

/// The penalties.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Penalties {
    /// Points for every day after the deadline.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub late_points_per_day: u8,
    /// The share of the sequential version's points that copying costs.
    #[serde(deserialize_with = "value::fraction")]
    pub copied_share_of_seq: f64,
}

impl Points {
    /// All parts together.
    pub fn total(&self) -> u32 {
        [self.mpi, self.seq, self.performance, self.report].into_iter().map(u32::from).sum()
    }
}

impl CourseSettings {
    /// Finds and reads the course of the task or crate in `start`: `tasks/course.yaml` of the workspace around it, and
    /// no other file, because a task does not set the rules of its own grading.
    ///
    /// # Errors
    /// When there is none, or a value in it is invalid.
    pub fn find(start: &Path) -> Result<Self> {
        let file = Self::file(start).ok_or_else(|| ConfigError::NoCourse { start: start.into() })?;
        Self::parse(&file, &source::load(&file)?)
    }

    /// The file that [`CourseSettings::find`] reads.
    pub fn file(start: &Path) -> Option<PathBuf> {
        let file = workspace(start)?.join("tasks").join(FILE);
        file.exists().then_some(file)
    }

    /// The files named `course.yaml` between `start` and the root of its workspace, which set nothing.
    pub fn ignored_files(start: &Path) -> Vec<PathBuf> {
        let Some(root) = workspace(start) else { return Vec::new() };
        let course = root.join("tasks").join(FILE);
        let inside = start.ancestors().take_while(|folder| folder.starts_with(root));
        let candidates = inside.flat_map(|folder| [folder.join(FILE), folder.join("tasks").join(FILE)]);
        let mut ignored: Vec<PathBuf> =
            candidates.filter(|file| *file != course && file.symlink_metadata().is_ok()).collect();
        ignored.sort();
        ignored.dedup();
        ignored
    }

    /// Reads `text`, the content of `file`.
    ///
    /// # Errors
    /// When a value in it is invalid.
    pub fn parse(file: &Path, text: &str) -> Result<Self> {
        let course: Self = yaml::read(file, text)?;
        match course.misnumbered_task().or_else(|| course.misordered_band()) {
            None => Ok(course),
            Some((path, problem)) => {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                Err(yaml::diagnostic_at(file, text, &path, problem).into())
            }
        }
    }

    /// The share, in per cent, of the performance points that `efficiency_percent` earns: that of the first band it
    /// reaches, and none below all of them.
    pub fn points_percent(&self, efficiency_percent: f64) -> u8 {
        let reached = |band: &&EfficiencyBandSettings| efficiency_percent >= f64::from(band.from_percent);
        self.efficiency_bands.iter().find(reached).map_or(0, |band| band.points_percent)
    }

    /// The task with `number`.
    ///
    /// # Panics
    /// When `number` is not 1, 2 or 3.
    pub fn task(&self, number: u8) -> &CourseTask {
        &self.tasks[usize::from(number) - 1]
    }

    fn misnumbered_task(&self) -> Option<(Vec<String>, Text)> {
        let wrong = self.tasks.iter().enumerate().find(|(at, task)| usize::from(task.number) != at + 1);
        if let Some((at, task)) = wrong {
            let problem = settings::task_order(task.number, at + 1);
            return Some((vec!["tasks".into(), at.to_string(), "number".into()], problem));
        }
        let problem = settings::task_count(self.tasks.len());
        (self.tasks.len() != 3).then(|| (vec!["tasks".into()], problem))
    }

    fn misordered_band(&self) -> Option<(Vec<String>, Text)> {
        let bands = &self.efficiency_bands;
        if bands.is_empty() {
            return Some((vec!["efficiency_bands".into()], settings::no_bands()));
        }
        let falls = |at: &usize| {
            let (above, here) = (bands[at - 1], bands[*at]);
            here.from_percent < above.from_percent && here.points_percent < above.points_percent
        };
        let at = (1..bands.len()).find(|at| !falls(at))?;
        Some((vec!["efficiency_bands".into(), at.to_string()], settings::bands_order()))
    }
}

/// The root of the workspace around `start`: the nearest folder whose `Cargo.toml` has a table `[workspace]`, as cargo
/// looks for it.
fn workspace(start: &Path) -> Option<&Path> {
    start.ancestors().find(|folder| is_workspace(&folder.join("Cargo.toml")))
}

fn is_workspace(manifest: &Path) -> bool {
    let Some(file) = manifest.is_file().then(|| File::open(manifest).ok()).flatten() else { return false };
    let lines = BufReader::new(file.take(FILE_BYTES_MAX)).lines().map_while(std::io::Result::ok);
    lines.into_iter().any(|line| matches!(line.trim_start(), table if table.starts_with("[workspace]") || table.starts_with("[workspace.")))
}
