//! The line of the user's program that led to a call, if `#[track_caller]` does not give it.
//!
//! `#[track_caller]` names the caller of a verb. If a verb is passed as a value, as in
//! `requests.into_iter().map(SendRequest::wait)`, its caller is an adapter of the standard library; if it is called
//! through a function pointer, its caller is the verb's own definition. A panic inside a function of the standard
//! library names that function. In these cases the stack is walked from the innermost call outwards, to the first line
//! that belongs neither to the standard library, nor to a dependency, nor to the framework.
//!
//! A walk takes microseconds, so measured runs [switch it off](disable_stack_walks). Resolving the addresses takes much
//! longer, and is done on demand.
use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{
        LazyLock, Mutex, OnceLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use crate::kept_values::{KeptValues, keep_once};

/// The number of innermost calls that are kept: a user's line is only a few adapters away.
const MAX_FRAMES: usize = 48;

/// How far before an instruction without a line its line is looked for.
const MAX_BYTES_WITHOUT_LINE: usize = 128;

/// The path prefix of the standard library in debug information.
const STD_PREFIX: &str = "/rustc/";

/// Parts of the paths of published sources: crates, and the standard library of a toolchain.
const REGISTRY_PATHS: [&str; 3] = ["registry/src", "git/checkouts", "lib/rustlib/src"];

static STACK_WALKS_DISABLED: AtomicBool = AtomicBool::new(false);

/// Disables stack walks in this process: their cost would be measured.
pub fn disable_stack_walks() {
    STACK_WALKS_DISABLED.store(true, Relaxed);
}

/// A line of source.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SourceLine {
    /// The file, as the compiler names those of this workspace.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 1 if unknown.
    pub column: u32,
    /// The function, as Rust names it; empty if unknown.
    pub function: String,
}

impl fmt::Display for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, function, .. } = self;
        write!(f, "{file}:{line} ({function})")
    }
}

/// Whether the file is not the user's: it belongs to the standard library, or to the sources of the verbs.
#[inline]
pub fn is_library_file(file: &str) -> bool {
    file.starts_with(STD_PREFIX) || is_verb_file(file)
}

/// Whether it is a source of the user, not of the framework, the standard library or a published crate. The framework's
/// tests and examples count as user sources.
pub fn is_user_file(file: &Path) -> bool {
    // The C library and the MPI library may have line tables, too.
    let is_source = file.extension().is_some_and(|kind| kind == "rs");
    is_source && !is_framework_file(file) && !is_registry_file(file)
}

fn is_registry_file(file: &Path) -> bool {
    let file = file.to_string_lossy();
    file.starts_with(STD_PREFIX) || REGISTRY_PATHS.iter().any(|part| file.contains(part))
}

fn is_framework_file(file: &Path) -> bool {
    let below =
        file.strip_prefix(workspace_root().join("framework")).or_else(|_| file.strip_prefix(FRAMEWORK_DIR));
    below.is_ok_and(|below| below.components().nth(1).is_some_and(|part| part.as_os_str() == "src"))
}

/// The workspace of the framework: this crate is two folders below it.
fn workspace_root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own)
}

/// Whether verbs are defined in this file. Every verb asks that: the folder is a constant.
#[inline]
fn is_verb_file(file: &str) -> bool {
    file.strip_prefix(FRAMEWORK_DIR).is_some_and(|file| file.starts_with("world/src/"))
}

/// The folder of the framework's crates, as the compiler names files in it: `framework/`.
const FRAMEWORK_DIR: &str = file!().split_at(file!().len() - "comm/src/call_stack.rs".len()).0;

/// The innermost calls of a thread, each stack kept once for the life of the process.
#[derive(Debug)]
pub struct CallStack {
    /// Return addresses, the innermost first.
    frames: Vec<usize>,
    user_line: OnceLock<Option<SourceLine>>,
}

impl PartialEq for CallStack {
    fn eq(&self, other: &Self) -> bool {
        self.frames == other.frames
    }
}

impl Eq for CallStack {}

impl std::hash::Hash for CallStack {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.frames.hash(state);
    }
}

impl CallStack {
    /// The stack of this thread; `None` if [stack walks are disabled](disable_stack_walks).
    pub fn capture() -> Option<&'static Self> {
        static KEPT: KeptValues<CallStack> = LazyLock::new(Mutex::default);
        if STACK_WALKS_DISABLED.load(Relaxed) {
            return None;
        }
        let calls = return_addresses(MAX_FRAMES);
        Some(keep_once(&KEPT, Self { frames: calls, user_line: OnceLock::new() }))
    }

    /// The innermost line of the user; `None` if there is none, or if the lines are unknown.
    pub fn user_line(&self) -> Option<&SourceLine> {
        self.user_line.get_or_init(|| innermost_user_frame(&self.frames, file!()).line).as_ref()
    }
}

/// The return addresses on the calling thread's stack, the innermost first, at most `most`.
pub fn return_addresses(most: usize) -> Vec<usize> {
    let mut calls = Vec::with_capacity(most);
    backtrace::trace(|frame| {
        calls.push(frame.ip() as usize);
        calls.len() < most
    });
    calls
}

/// The user's part of a stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserFrame {
    /// The innermost line of the user.
    pub line: Option<SourceLine>,
    /// Whether framework code is further in. Then the line has called it.
    pub is_in_framework: bool,
}

/// The innermost line of the user among these return addresses, the innermost first; of inlined calls, the innermost.
/// Code of the file `sampler`, which took the addresses, does not count as the framework's.
pub fn innermost_user_frame(calls: &[usize], sampler: &str) -> UserFrame {
    let mut found = UserFrame::default();
    for &call in calls {
        let mut user_code = None;
        backtrace::resolve(call as *mut _, |symbol| {
            if user_code.is_some() {
                return;
            }
            match symbol.filename() {
                Some(file) if is_user_file(file) => {
                    let function = symbol.name().map(|name| name.to_string());
                    user_code = Some((line_of(symbol, file), function));
                }
                Some(file) => found.is_in_framework |= is_framework_file(file) && !file.ends_with(sampler),
                None => {
                    found.is_in_framework |= symbol.name().is_some_and(|name| is_framework_function(&name));
                }
            }
        });
        found.line = user_code.and_then(|(line, function)| line.or_else(|| line_before(call, &function?)));
        if found.line.is_some() {
            return found;
        }
    }
    UserFrame::default()
}

/// The line of the nearest instruction before `call` that has one, in the function of this name: the compiler gives some
/// instructions no line, for example those that load a variable again in a loop.
fn line_before(call: usize, function: &str) -> Option<SourceLine> {
    for address in (call.saturating_sub(MAX_BYTES_WITHOUT_LINE)..call).rev() {
        let mut is_same_function = false;
        let mut line = None;
        backtrace::resolve(address as *mut _, |symbol| {
            if line.is_none() && symbol.name().is_some_and(|name| name.to_string() == function) {
                is_same_function = true;
                line = symbol.filename().and_then(|file| line_of(symbol, file));
            }
        });
        if line.is_some() || !is_same_function {
            return line;
        }
    }
    None
}

/// Whether a function of the framework has this name. Most of its crates are built without tables of lines (`Cargo.toml`
/// of the workspace), so that a task's program is small. Crates with a user's lines, such as `wb_tests`, have tables.
fn is_framework_function(name: &impl fmt::Display) -> bool {
    let name = name.to_string();
    let path = name.trim_start_matches(['<', '&']);
    path.starts_with("wb_") || path.starts_with("workbench::")
}

fn line_of(symbol: &backtrace::Symbol, file: &Path) -> Option<SourceLine> {
    let function = symbol.name().map(|name| format!("{name:#}")).unwrap_or_default();
    let column = symbol.colno().unwrap_or(1);
    Some(SourceLine { file: display_path(file), line: symbol.lineno()?, column, function })
}

/// The file, relative to the workspace or to the current folder if it is below one of them.
fn display_path(file: &Path) -> String {
    let roots = [Some(workspace_root().to_owned()), std::env::current_dir().ok()];
    let below = roots.iter().flatten().find_map(|root: &PathBuf| file.strip_prefix(root).ok());
    below.unwrap_or(file).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_library_and_of_the_verbs_are_foreign() {
        for file in ["/rustc/59807616/library/core/src/ops/function.rs", "framework/world/src/request.rs"] {
            assert!(is_library_file(file), "{file}");
        }
        for file in ["tasks/ivanov_i_sum/src/mpi.rs", "work/src/main.rs", "framework/world/tests/misuse.rs"] {
            assert!(!is_library_file(file), "{file}");
        }
    }

    #[test]
    fn only_the_users_own_sources_count() {
        for file in [
            "/users/me/tasks/a/src/mpi.rs",
            "tests/canary_cases/slow.rs",
            "framework/performance/tests/performance.rs",
            "framework/workbench/examples/ring.rs",
        ] {
            assert!(is_user_file(Path::new(file)), "{file}");
            assert!(is_user_file(&workspace_root().join(file)), "{file} of the workspace");
        }
        for file in [
            "framework/world/src/world.rs",
            "framework/functional/src/test/test_run.rs",
            "/rustc/0123/library/core/src/num/mod.rs",
            "/users/me/.cargo/registry/src/index/rand/src/lib.rs",
            "/users/me/.rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/num/mod.rs",
            "../sysdeps/unix/clone3.S",
            "./nptl/pthread_create.c",
        ] {
            assert!(!is_user_file(Path::new(file)), "{file}");
        }
        assert!(!is_user_file(&workspace_root().join("framework/world/src/world.rs")));
    }

    #[test]
    fn functions_of_the_framework_are_known_by_their_names() {
        for name in [
            "wb_local::fabric::job_state::JobState::block::h0123456789abcdef",
            "<wb_local::threads::transport::ThreadTransport as wb_comm::transport::Transport>::post_and_wait",
            "<&wb_local::sim::Runtime as core::fmt::Debug>::fmt",
            "workbench::functional::{{closure}}",
        ] {
            assert!(is_framework_function(&name), "{name}");
        }
        for name in [
            "ivanov_i_sum::mpi::run",
            "<ivanov_i_sum::Sum as wb_task::task::Task>::run",
            "core::ops::function::FnOnce::call_once",
            "core::ptr::drop_in_place<wb_local::fabric::job_state::JobState>",
            "MPI_Recv",
        ] {
            assert!(!is_framework_function(&name), "{name}");
        }
    }

    #[test]
    fn a_file_is_shown_as_it_lies_in_the_workspace() {
        let file = "tasks/ivanov_i_sum/src/mpi.rs";
        assert_eq!(display_path(&workspace_root().join(file)), file);
        assert_eq!(display_path(Path::new(file)), file);
    }
}
