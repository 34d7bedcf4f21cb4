//! The workspace in cargo's metadata, and the tasks in it.

use std::{
    collections::{BTreeSet, HashMap},
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::Command,
};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};
use wb_config::{ConfigError, CourseSettings, Enrolment, TaskSettings};
use wb_messages::{Lang, cli as text};

use crate::{
    change::Member,
    error::{CliError, Result},
    lock_filter,
    placement::Placement,
    suggest,
};

/// The most tasks that an error names.
const MAX_NAMED_TASKS: usize = 12;

/// The workspace around the current folder.
pub(crate) struct Workspace {
    metadata: Metadata,
    placement: Placement,
    /// The names of libraries of the course in the target folder, which a sandbox must not show, besides those of this workspace.
    foreign: BTreeSet<String>,
    /// The folder of the whole workspace that has cargo's settings.
    cargo_settings: PathBuf,
    /// Tasks whose manifests were not read: the names of their folders, and the folders.
    without_manifest: Vec<(String, PathBuf)>,
}

/// One task: a package with `[package.metadata.task]`.
pub(crate) struct TaskEntry {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    /// The settings, or why they cannot be used: they may also disagree with the course, the roster or the given variants.
    pub(crate) settings: std::result::Result<TaskSettings, ConfigError>,
}

/// One assignment of the instructor's: a package with `[package.metadata.assignment]`.
pub(crate) struct AssignmentEntry {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    pub(crate) number: u8,
    pub(crate) variant: u8,
    /// The type of its problem.
    pub(crate) problem: String,
    /// The variant of `workbench::Place` at which the output is.
    pub(crate) output: String,
}

impl Workspace {
    /// Reads the metadata of cargo, without the network and without dependencies. Also installs the filter of the clone.
    pub(crate) fn find() -> Result<Self> {
        let metadata = MetadataCommand::new().no_deps().exec().map_err(CliError::Workspace)?;
        let workspace = Self::new(metadata);
        lock_filter::install(workspace.root());
        Ok(workspace)
    }

    /// The workspace of this metadata, and tasks whose manifests are not in it: the names of their folders, and the folders.
    pub(crate) fn without_manifests(metadata: Metadata, tasks: Vec<(String, PathBuf)>) -> Self {
        Self { without_manifest: tasks, ..Self::new(metadata) }
    }

    fn new(metadata: Metadata) -> Self {
        let cargo_settings = metadata.workspace_root.as_std_path().join(".cargo");
        let (placement, foreign) = (Placement::default(), BTreeSet::new());
        Self { metadata, placement, foreign, cargo_settings, without_manifest: vec![] }
    }

    /// The workspace of one task in `root`, which builds in the target folder of `whole`.
    pub(crate) fn of_task(root: &Path, whole: &Self) -> Result<Self> {
        let mut command = MetadataCommand::new();
        command.current_dir(root).no_deps().env("CARGO_TARGET_DIR", whole.target());
        let metadata = command.exec().map_err(CliError::Workspace)?;
        let of_course =
            whole.metadata.workspace_packages().into_iter().filter(|package| is_of_course(package));
        let foreign = of_course.map(|package| package.name.replace('-', "_")).collect();
        let (cargo_settings, placement) = (whole.cargo_settings.clone(), whole.placement.clone());
        Ok(Self { foreign, cargo_settings, placement, ..Self::new(metadata) })
    }

    /// Lets the jobs of programs that cargo runs be placed so.
    pub(crate) fn place(&mut self, placement: Placement) {
        self.placement = placement;
    }

    pub(crate) fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// The folder of cargo's settings.
    pub(crate) fn cargo_settings(&self) -> &Path {
        &self.cargo_settings
    }

    /// cargo's target folder.
    pub(crate) fn target(&self) -> &Path {
        self.metadata.target_directory.as_std_path()
    }

    /// A folder of our own in cargo's target folder.
    pub(crate) fn scratch(&self, name: &str) -> Result<PathBuf> {
        let folder = self.target().join("wb").join(name);
        std::fs::create_dir_all(&folder).map_err(CliError::system("create", &folder))?;
        Ok(folder)
    }

    /// All tasks by name. This reads the settings of each: where names are enough, use [`task_names`](Self::task_names).
    pub(crate) fn tasks(&self) -> Vec<TaskEntry> {
        self.tasks_where(|_| true)
    }

    /// The tasks of these names, by name; only their settings are read.
    pub(crate) fn tasks_where(&self, is_meant: impl Fn(&str) -> bool) -> Vec<TaskEntry> {
        // An error in the course's own files is an error of the commands that read them.
        let course = CourseSettings::find(self.root()).ok();
        let rules = course.and_then(|course| Some((course, Enrolment::find(self.root()).ok()?)));
        let mut selected = self.task_folders();
        selected.retain(|(name, _)| is_meant(name));
        selected.into_iter().map(|(name, folder)| entry(name, folder, rules.as_ref())).collect()
    }

    /// The names of all tasks, in order.
    pub(crate) fn task_names(&self) -> Vec<String> {
        self.task_folders().into_iter().map(|(name, _)| name).collect()
    }

    /// The names and the folders of all tasks, by name.
    pub(crate) fn task_folders(&self) -> Vec<(String, PathBuf)> {
        let packages = self.metadata.workspace_packages().into_iter();
        let tasks = packages.filter(|package| package.metadata.get("task").is_some());
        let mut found: Vec<_> = tasks.map(|package| (package.name.to_string(), folder(package))).collect();
        found.extend(self.without_manifest.iter().cloned());
        found.sort_unstable();
        found
    }

    /// All assignments with a crate of their own, by number and variant.
    pub(crate) fn assignments(&self) -> Vec<AssignmentEntry> {
        let packages = self.metadata.workspace_packages();
        let mut found: Vec<_> = packages.iter().filter_map(|package| assignment(package)).collect();
        found.sort_by_key(|entry| (entry.number, entry.variant));
        found
    }

    /// The names, as those of libraries, of all tasks and assignments of the whole workspace: what other commands build of them, even of
    /// the same task, is not seen.
    pub(crate) fn foreign(&self) -> &BTreeSet<String> {
        &self.foreign
    }

    /// The folders of all packages.
    pub(crate) fn folders(&self) -> impl Iterator<Item = PathBuf> {
        self.metadata.workspace_packages().into_iter().map(folder)
    }

    /// The names of the packages that a package depends on.
    pub(crate) fn dependencies(&self, package: &str) -> Vec<String> {
        let found = self.metadata.workspace_packages().into_iter().find(|found| *found.name == *package);
        found.iter().flat_map(|found| &found.dependencies).map(|dependency| dependency.name.clone()).collect()
    }

    /// The crate of this variant, if there is one.
    pub(crate) fn assignment(&self, number: u8, variant: u8) -> Option<AssignmentEntry> {
        self.assignments().into_iter().find(|entry| (entry.number, entry.variant) == (number, variant))
    }

    /// The task with `name`.
    pub(crate) fn task(&self, name: &str, lang: Lang) -> Result<TaskEntry> {
        self.find_task(name).ok_or_else(|| {
            let known = self.task_names();
            CliError::Usage(match suggest::nearest_names(name, known.iter().map(String::as_str)) {
                None if known.len() > MAX_NAMED_TASKS => text::no_task_of_many(lang, name, known.len()),
                None => text::no_task(lang, name, known.join(", ")),
                Some(near) => text::no_task_suggest(lang, name, near),
            })
        })
    }

    /// The task with `name`, if there is one.
    pub(crate) fn find_task(&self, name: &str) -> Option<TaskEntry> {
        self.tasks_where(|task| task == name).pop()
    }

    /// The packages that cannot be built without an MPI: those that depend on the crate `mpi`, or on such a package,
    /// with no feature to turn it off.
    pub(crate) fn packages_of_mpi(&self) -> Vec<String> {
        let mut found: Vec<String> = vec!["mpi".into()];
        loop {
            let before = found.len();
            for package in self.metadata.workspace_packages() {
                let needs = package.dependencies.iter().any(|dependency| {
                    let built = dependency.kind != DependencyKind::Development || has_tests(package);
                    built && !dependency.optional && found.contains(&dependency.name)
                });
                if needs && !found.iter().any(|name| *name == *package.name) {
                    found.push(package.name.to_string());
                }
            }
            if found.len() == before {
                return found.split_off(1);
            }
        }
    }

    /// The number of programs that `cargo test` runs for these packages; the examples in the documentation of a library are one.
    pub(crate) fn test_programs(&self, names: &[&str]) -> u32 {
        let packages = self.metadata.workspace_packages().into_iter();
        let targets =
            packages.filter(|package| names.contains(&package.name.as_str())).flat_map(|of| &of.targets);
        targets.map(|target| u32::from(target.test) + u32::from(target.doctest)).sum::<u32>().max(1)
    }

    /// Every package of the workspace with its folder and its dependencies.
    pub(crate) fn members(&self) -> Vec<Member> {
        let member = |package: &Package| {
            let folder = package.manifest_path.parent().unwrap_or(&package.manifest_path).as_std_path();
            Member {
                name: package.name.to_string(),
                folder: folder.strip_prefix(self.root()).unwrap_or(folder).to_owned(),
                dependencies: package.dependencies.iter().map(|of| of.name.clone()).collect(),
            }
        };
        self.metadata.workspace_packages().into_iter().map(member).collect()
    }

    /// The name of each package by the path of its manifest.
    pub(crate) fn packages_by_manifest(&self) -> HashMap<&Path, &Package> {
        let packages = self.metadata.workspace_packages().into_iter();
        packages.map(|package| (package.manifest_path.as_std_path(), package)).collect()
    }

    /// A program of a package, as cargo starts it.
    pub(crate) fn program(&self, program: &Path, (package, folder): (&str, &Path)) -> Command {
        let mut command = without_package(program.as_os_str());
        command.current_dir(folder).envs(self.placement.variables()).env("CARGO", cargo_path());
        command.env("CARGO_PKG_NAME", package).env("CARGO_MANIFEST_DIR", folder);
        command
    }

    /// cargo in the root of the workspace.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = without_package(&cargo_path());
        command.args(arguments).current_dir(self.root()).envs(self.placement.variables());
        command.env("CARGO_TARGET_DIR", self.target());
        command
    }
}

/// The cargo that started this process, or the one of the search path.
pub(crate) fn cargo_path() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// `program` without the variables by which cargo describes the package of this process, and without a launcher's.
pub(crate) fn without_package(program: &OsStr) -> Command {
    let mut command = Command::new(program);
    let prefixes = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"];
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| prefixes.iter().any(|prefix| name.starts_with(prefix))) {
            command.env_remove(name);
        }
    }
    wb_process::remove_launcher_variables(&mut command);
    command
}

/// The assignment in a package. Number and variant in its metadata are those of its name, which a test of each crate and
/// `wb_task::AssignmentId` hold it to.
fn assignment(package: &Package) -> Option<AssignmentEntry> {
    // A task that says of itself that it is an assignment would be its own judge.
    let metadata = package.metadata.get("assignment").filter(|_| package.metadata.get("task").is_none())?;
    let whole = |key: &str| metadata.get(key)?.as_u64()?.try_into().ok();
    let text = |key: &str| Some(metadata.get(key)?.as_str()?.to_owned());
    Some(AssignmentEntry {
        name: package.name.to_string(),
        folder: folder(package),
        number: whole("number")?,
        variant: whole("variant")?,
        problem: text("problem")?,
        output: text("output")?,
    })
}

/// Whether it is a task or an assignment.
fn is_of_course(package: &Package) -> bool {
    ["task", "assignment"].iter().any(|kind| package.metadata.get(kind).is_some())
}

fn has_tests(package: &Package) -> bool {
    package.targets.iter().any(|target| target.test)
}

fn entry(name: String, folder: PathBuf, rules: Option<&(CourseSettings, Enrolment)>) -> TaskEntry {
    let settings = TaskSettings::load(&folder).and_then(|settings| match rules {
        None => Ok(settings),
        Some((course, enrolment)) => enrolment.check_task(course, &folder, &settings).map(|()| settings),
    });
    TaskEntry { name, settings, folder }
}

fn folder(package: &Package) -> PathBuf {
    let manifest = package.manifest_path.as_std_path();
    manifest.parent().unwrap_or(manifest).to_owned()
}
