//! `course.yaml`: everything that is the same for all students, from the title to the penalties.

mod assignment;
mod date;
mod grading;
mod groups;

use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use jiff::tz::TimeZone;
use serde::Deserialize;
use wb_text::{Text, settings};

pub use assignment::{AssignmentPoints, AssignmentRule, AssignmentSettings, VARIANTS_MAX, VariantSettings};
pub use date::CourseDate;
pub use grading::{CommunicationPoints, CourseLimits, EfficiencyBandSettings, MarkSettings, Penalties};
pub use groups::{ExtensionSettings, StreamSettings};

use crate::{
    ClusterSettings, TitleSettings,
    error::{ConfigError, FILE_BYTES_MAX, Result},
    source, value, yaml,
};

/// The name of the course's file.
const FILE: &str = "course.yaml";

/// The settings of the course.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CourseSettings {
    /// Its title.
    #[serde(default)]
    pub title: TitleSettings,
    /// Whether all students and results are invented: every page says so. `cargo wb course demo` sets it.
    #[serde(default)]
    pub synthetic: bool,
    /// The time zone of its deadlines.
    #[serde(default = "default_time_zone", deserialize_with = "value::time_zone")]
    pub time_zone: TimeZone,
    /// The time limits of a task.
    pub limits: CourseLimits,
    /// The share of the performance points that an efficiency earns, best band first.
    pub efficiency_bands: Vec<EfficiencyBandSettings>,
    /// The whole pipeline decides, and not `run` alone, if its efficiency is below this share of `run`'s, in per cent.
    #[serde(default = "default_pipeline_decides", deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub pipeline_decides_below_percent: u8,
    /// A rank may do this share of the whole work, in per cent, besides an even part of it.
    #[serde(default = "default_work_margin", deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub work_margin_percent: u8,
    /// How communication assignments earn the points of their performance.
    #[serde(default)]
    pub communication: CommunicationPoints,
    /// The points of the whole course; the points of the assignments add up to it.
    #[serde(default, deserialize_with = "value::optional_whole::<_, _, 1, 1000>")]
    pub total_points: Option<u32>,
    /// The mark that a share of the points earns, best mark first.
    #[serde(default)]
    pub marks: Vec<MarkSettings>,
    /// The streams and their groups.
    #[serde(default)]
    pub streams: Vec<StreamSettings>,
    /// The assignments of the semester, in order: 1, 2, 3. The key `tasks` of earlier courses means the same.
    #[serde(alias = "tasks")]
    pub assignments: Vec<AssignmentSettings>,
    /// The penalties.
    pub penalties: Penalties,
    /// Later deadlines of single students.
    #[serde(default)]
    pub extensions: Vec<ExtensionSettings>,
    /// The placement of jobs on a cluster for which the command line has none.
    #[serde(default)]
    pub cluster: ClusterSettings,
    /// What performs the collective operations of ranks on MPI where `WB_COLLECTIVE_ALGORITHM` does not say it.
    #[serde(default, deserialize_with = "value::optional_text")]
    pub collectives: Option<String>,
    /// The seed from which variants are assigned.
    #[serde(default, deserialize_with = "value::whole::<_, _, 0, 9_007_199_254_740_992>")]
    pub variant_seed: u64,
}

/// The zone of a course that names none.
fn default_time_zone() -> TimeZone {
    TimeZone::UTC
}

/// The defaults of a course.
fn default_pipeline_decides() -> u8 {
    50
}

fn default_work_margin() -> u8 {
    40
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

    /// The defaults of jobs on a cluster for the workspace around `start`: what the user's file sets, and for the rest what the course
    /// sets.
    ///
    /// # Errors
    /// When one of the files is invalid. A missing file sets nothing.
    pub fn cluster_defaults(start: &Path) -> Result<ClusterSettings> {
        let course = match Self::file(start) {
            Some(file) => Self::find(start)?.cluster.relative_to(&file),
            None => ClusterSettings::default(),
        };
        Ok(ClusterSettings::of_user()?.or(course))
    }

    /// The key `collectives` of the course of the workspace around `start`.
    ///
    /// # Errors
    /// As of [`find`](Self::find); a missing file sets nothing.
    pub fn chosen_collectives(start: &Path) -> Result<Option<String>> {
        Self::file(start).map_or(Ok(None), |_| Ok(Self::find(start)?.collectives))
    }

    /// The key of `task.yaml` with a variant that the course does not have, and the problem.
    pub(crate) fn missing_variant(&self, number: u8, variant: u8) -> Option<(&'static str, Text)> {
        let last = self.assignment(number).variants.len();
        (usize::from(variant) > last).then(|| ("variant", settings::variant(number, variant, last)))
    }

    /// The file that [`CourseSettings::find`] reads.
    pub fn file(start: &Path) -> Option<PathBuf> {
        tasks_file(start, FILE)
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
        let misordered = || course.misordered_band().or_else(|| course.misnumbered_variant());
        match course.misnumbered_assignment().or_else(misordered) {
            None => Ok(course),
            Some((path, problem)) => {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                Err(yaml::diagnostic_at(file, text, &path, problem).into())
            }
        }
    }

    /// The assignment with `number`.
    ///
    /// # Panics
    /// When `number` is not 1, 2 or 3.
    pub fn assignment(&self, number: u8) -> &AssignmentSettings {
        &self.assignments[usize::from(number) - 1]
    }

    /// The share of the whole work that a rank may do besides an even part of it: the variant's own, else that of the course.
    pub fn work_margin(&self, assignment: u8, variant: u8) -> f64 {
        let own = self.variant(assignment, variant).and_then(|variant| variant.work_margin_percent);
        f64::from(own.unwrap_or(self.work_margin_percent)) / 100.0
    }

    /// The variant of an assignment; `None` when there is none with that number.
    pub fn variant(&self, assignment: u8, variant: u8) -> Option<&VariantSettings> {
        let at = usize::from(assignment).checked_sub(1)?;
        self.assignments.get(at)?.variant(variant)
    }

    /// The extension of a student for an assignment.
    pub fn extension(&self, login: &str, assignment: u8) -> Option<&ExtensionSettings> {
        let is_meant = |extension: &&ExtensionSettings| {
            extension.assignment == assignment && extension.login.eq_ignore_ascii_case(login)
        };
        self.extensions.iter().find(is_meant)
    }

    /// The deadline of a student of `group`: that of the extension, else that of the group.
    ///
    /// # Panics
    /// When `assignment` is not 1, 2 or 3.
    pub fn deadline(&self, assignment: u8, group: &str, login: &str) -> CourseDate {
        let of_group = || self.assignment(assignment).deadline_of_group(group);
        self.extension(login, assignment).map_or_else(of_group, |extension| extension.until)
    }

    /// The mark for `earned` of the `total` points of the course, both in the same unit; `None` below the lowest mark.
    pub fn mark(&self, earned: u32, total: u32) -> Option<&str> {
        let reached =
            |step: &&MarkSettings| 100 * u64::from(earned) >= u64::from(step.from_percent) * u64::from(total);
        self.marks.iter().find(reached).map(|step| step.mark.as_str())
    }

    /// The stream of a group.
    pub fn stream_of(&self, group: &str) -> Option<&StreamSettings> {
        self.streams.iter().find(|stream| stream.groups.iter().any(|known| known == group))
    }

    fn misnumbered_assignment(&self) -> Option<(Vec<String>, Text)> {
        let wrong =
            self.assignments.iter().enumerate().find(|(at, listed)| usize::from(listed.number) != at + 1);
        if let Some((at, listed)) = wrong {
            let problem = settings::assignment_order(listed.number, at + 1);
            return Some((vec!["assignments".into(), at.to_string(), "number".into()], problem));
        }
        let problem = settings::assignment_count(self.assignments.len());
        (self.assignments.len() != 3).then(|| (vec!["assignments".into()], problem))
    }

    /// A variant whose number is not its place, by which it is found.
    fn misnumbered_variant(&self) -> Option<(Vec<String>, Text)> {
        self.assignments.iter().enumerate().find_map(|(at, assignment)| {
            let numbers = assignment.variants.iter().map(|variant| usize::from(variant.number));
            let (place, number) = numbers.enumerate().find(|(place, number)| *number != place + 1)?;
            let (at, step) = (at.to_string(), place.to_string());
            let path = ["assignments", &at, "variants", &step, "number"].map(str::to_owned);
            Some((path.to_vec(), settings::variant_order(number, place + 1)))
        })
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

/// The file `name` in the folder `tasks` of the workspace around `start`, if there is one.
pub(crate) fn tasks_file(start: &Path, name: &str) -> Option<PathBuf> {
    let file = workspace(start)?.join("tasks").join(name);
    file.exists().then_some(file)
}

/// The root of the workspace around `start`: the nearest folder whose `Cargo.toml` has a table `[workspace]`, as cargo
/// looks for it.
pub(crate) fn workspace(start: &Path) -> Option<&Path> {
    start.ancestors().find(|folder| is_workspace(&folder.join("Cargo.toml")))
}

fn is_workspace(manifest: &Path) -> bool {
    let Some(file) = manifest.is_file().then(|| File::open(manifest).ok()).flatten() else { return false };
    let lines = BufReader::new(file.take(FILE_BYTES_MAX)).lines().map_while(std::io::Result::ok);
    lines.into_iter().any(|line| matches!(line.trim_start(), table if table.starts_with("[workspace]") || table.starts_with("[workspace.")))
}
