//! cargo for one task in a sandbox: its build and its programs see the framework, the task and its assignment.
//!
//! The invariant: *nothing of another student, no grade and no evidence exists inside, and inside writes only in files that
//! nothing outside follows or executes outside of a sandbox.* The target folder is the task's own, because what a build script of
//! one task leaves must not be linked into another task. The libraries in it are links to a folder that all tasks share and none
//! can write.

mod prebuilt;
mod shared_libraries;

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::Command,
};

use shared_libraries::SharedLibraries;
use wb_messages::{Lang, judge as text};
use wb_process::sandbox::{Sandbox, SandboxLimits, SandboxedCommand};

use crate::{
    error::{CliError, Result},
    task_workspace,
    workspace::{TaskEntry, Workspace, cargo_path},
};

/// The variables of this process that a build in a sandbox keeps, besides those of every program in a sandbox. cargo builds everything
/// again where one of them differs.
const BUILD_VARIABLES: [&str; 5] = ["CC", "MPICC", "LIBCLANG_PATH", "RUSTFLAGS", "CARGO_INCREMENTAL"];

/// What the root of a workspace has for builds and tests, besides packages.
const SHARED_FILES: [&str; 5] =
    ["Cargo.toml", "rust-toolchain.toml", "rustfmt.toml", "tasks/course.yaml", "tasks/clippy.toml"];

/// The folder inside of files that programs write for us.
const OUTPUT: &str = "/output";

/// The folder inside of the libraries that all sandboxes share.
const LIBRARIES: &str = "/libraries";

/// A file that a program inside writes for us.
pub(crate) struct OutputFile {
    pub(crate) outside: PathBuf,
    pub(crate) inside: PathBuf,
}

/// The sandbox of one task.
#[derive(Clone)]
pub(crate) struct SandboxedTask {
    sandbox: Sandbox,
    inside: SandboxedCommand,
    root: PathBuf,
    /// The target folder of the workspace, in whose place the own one is inside: paths in prebuilt libraries stay right.
    shared_target: PathBuf,
    /// Our folder, which is not visible inside.
    folder: PathBuf,
    sysroot: PathBuf,
}

impl SandboxedTask {
    /// The sandbox for a task, if one is wanted: nothing is built or run without it.
    pub(crate) fn if_wanted(
        is_wanted: bool,
        workspace: &Workspace,
        task: &str,
        lang: Lang,
    ) -> Result<Option<Self>> {
        is_wanted.then(|| Self::find(workspace, task, lang)).transpose()
    }

    /// A workspace with a task as it is, and the sandbox for that.
    pub(crate) fn unchanged(whole: &Workspace, task: &str, lang: Lang) -> Result<(Workspace, Self)> {
        let TaskEntry { folder, settings, .. } = whole.task(task, lang)?;
        let settings = settings?;
        let assignment = whole.assignment(settings.task_number, settings.variant);
        let shown = task_workspace::unchanged(whole, (task, &folder), assignment.as_ref())?;
        let sandbox = Self::find(&shown, task, lang)?;
        Ok((shown, sandbox))
    }

    /// The sandbox for the only task of this workspace.
    fn find(workspace: &Workspace, task: &str, lang: Lang) -> Result<Self> {
        let sandbox = Sandbox::find()
            .map_err(|why| CliError::Missing(text::sandbox_missing(lang, why.render(lang))))?;
        Self::new(workspace, sandbox, task)
    }

    /// Prepares the folders of the sandbox.
    pub(crate) fn new(workspace: &Workspace, sandbox: Sandbox, task: &str) -> Result<Self> {
        let root = workspace.root().to_owned();
        let shared_target = workspace.target().to_owned();
        let folder = shared_target.join("sandbox").join(task);
        fs::create_dir_all(&folder).map_err(CliError::system("create", &folder))?;
        fetch(&root);
        let inside = SandboxedCommand::new(SandboxLimits::BUILD);
        let sysroot = sysroot(&root)?;
        let this = Self { sandbox, inside, root, shared_target, folder, sysroot };
        // A workspace may be in the target folder of another one: its files are mounted after that.
        let mut this = this.with_libraries(workspace.foreign())?.with_target()?;
        let settings = [workspace.cargo_settings().to_owned()];
        let shared = SHARED_FILES.map(|file| this.root.join(file)).into_iter().chain(settings);
        let shared = shared.filter(|file| file.exists());
        for path in shared.chain(workspace.folders()) {
            // Generated sources name files without links.
            if let Some(real) = path.canonicalize().ok().filter(|real| *real != path) {
                this.inside = this.inside.readable(real);
            }
            this.inside = this.inside.readable(path);
        }
        for name in BUILD_VARIABLES {
            this.inside = this.inside.variable(name);
        }
        this.inside = this.inside.readable(&this.sysroot);
        let home = cargo_home();
        for downloads in ["registry", "git"].iter().filter_map(|name| Some(home.as_ref()?.join(name))) {
            if downloads.is_dir() {
                this.inside = this.inside.readable(downloads);
            }
        }
        this.with_lock_file()
    }

    /// The target folder of the builds inside.
    fn target(&self) -> PathBuf {
        self.folder.join("target")
    }

    /// An empty file for what a program inside writes, and its path there. It cannot be replaced from inside.
    pub(crate) fn with_output_file(self, name: &str) -> Result<(Self, OutputFile)> {
        let file = OutputFile { outside: self.folder.join(name), inside: Path::new(OUTPUT).join(name) };
        let made = replace(&file.outside, &[]).and_then(|()| self.sandbox.hand_over(&file.outside));
        made.map_err(CliError::system("create", &file.outside))?;
        Ok((Self { inside: self.inside.mounted(&file.outside, &file.inside, true), ..self }, file))
    }

    /// A call of cargo in the root of the workspace, or of a program that it has built inside, as a command in the sandbox.
    pub(crate) fn command(&self, command: &Command) -> Result<Command> {
        let programs = self.sysroot.join("bin");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = [programs.clone()].into_iter().chain(std::env::split_paths(&path));
        let mut direct = match command.get_program() {
            program if program == cargo_path() => Command::new(programs.join("cargo")),
            program => Command::new(program),
        };
        direct.args(command.get_args()).current_dir(command.get_current_dir().unwrap_or(&self.root));
        direct.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        direct.env("RUSTC", programs.join("rustc")).env("RUSTDOC", programs.join("rustdoc"));
        direct.env("PATH", std::env::join_paths(paths).unwrap_or(path));
        direct.env("CARGO_NET_OFFLINE", "true");
        if !command.get_envs().any(|(name, _)| name == "CARGO_TARGET_DIR") {
            direct.env("CARGO_TARGET_DIR", &self.shared_target);
        }
        if let Some(home) = cargo_home() {
            direct.env("CARGO_HOME", home);
        }
        self.sandbox.command(&self.inside, &direct).map_err(CliError::system("run", "bwrap"))
    }

    /// The program that a build has left at this path inside. It must be a file of the own target folder: a link may lead
    /// anywhere.
    pub(crate) fn built_program(&self, program: &Path) -> io::Result<PathBuf> {
        let inside = program.strip_prefix(&self.shared_target).map_err(io::Error::other)?;
        let (program, target) = (self.target().join(inside).canonicalize()?, self.target().canonicalize()?);
        match program.starts_with(&target) && program.is_file() {
            true => Ok(program),
            false => Err(io::Error::other(format!("{} is not in {}", program.display(), target.display()))),
        }
    }

    /// The libraries that are built already, without those of the course's packages.
    fn with_libraries(self, of_course: &BTreeSet<String>) -> Result<Self> {
        let (target, states) = (self.target(), self.shared_target.join("sandbox/.libraries"));
        let shared = SharedLibraries::find(&self.shared_target, &states, of_course)
            .map_err(CliError::system("create", states))?;
        prebuilt::prepare(&target, (&self.shared_target, of_course), (&shared, Path::new(LIBRARIES)))
            .map_err(CliError::system("create", target))?;
        Ok(Self { inside: self.inside.mounted(shared.folder, LIBRARIES, false), ..self })
    }

    fn with_target(self) -> Result<Self> {
        let target = self.target();
        if let Ok(below) = self.root.strip_prefix(&self.shared_target) {
            // What bubblewrap makes itself below a folder from outside is private to root.
            let parents = ["framework", "tasks"].map(|folder| target.join(below).join(folder));
            let made = parents.iter().try_for_each(fs::create_dir_all);
            made.map_err(CliError::system("create", &target))?;
        }
        self.sandbox.hand_over(&target).map_err(CliError::system("write", &target))?;
        let inside = self.inside.mounted(target, &self.shared_target, true);
        Ok(Self { inside, ..self })
    }

    /// A copy of the lock file, which cargo changes where packages are not visible.
    fn with_lock_file(self) -> Result<Self> {
        let (original, copy) = (self.root.join("Cargo.lock"), self.folder.join("Cargo.lock"));
        let text = fs::read(&original).map_err(CliError::system("read", &original))?;
        replace(&copy, &text).map_err(CliError::system("write", &copy))?;
        self.sandbox.hand_over(&copy).map_err(CliError::system("write", &copy))?;
        Ok(Self { inside: self.inside.mounted(copy, original, true), ..self })
    }
}

/// Writes a new file in place of one that may be there.
fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    io::Write::write_all(&mut File::create_new(file)?, bytes)
}

/// Downloads dependencies outside, where nothing of the task is executed.
fn fetch(root: &Path) {
    let mut fetch = Command::new(cargo_path());
    fetch.args(["fetch", "--quiet"]).current_dir(root);
    // Without a network this fails, and the build in the sandbox names what is missing.
    let _offline = fetch.status();
}

/// The folder of the compiler and cargo.
fn sysroot(root: &Path) -> Result<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).current_dir(root).output();
    let output = output.map_err(CliError::system("run", "rustc"))?;
    Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
}

/// The folder of cargo's downloads.
fn cargo_home() -> Option<PathBuf> {
    let set = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    set.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))
}
