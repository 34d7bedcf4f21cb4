//! The line of the user's program that led to a call, where `#[track_caller]` does not give it.
//!
//! `#[track_caller]` names the caller of a verb. Where a verb is passed as a value, as in
//! `requests.into_iter().map(SendRequest::wait)`, its caller is an adapter of the standard library, and behind a function
//! pointer it is the verb's own definition. A panic inside a function of the standard library names that function. In these
//! cases the stack is walked from the innermost call outwards, to the first line that belongs neither to the standard library,
//! nor to a dependency, nor to the framework.
//!
//! A walk takes microseconds, so measured runs [switch it off](spare_the_stack). What the addresses mean takes much longer, and
//! is looked up once somebody asks.
use std::{
    collections::HashSet,
    path::Path,
    sync::{
        LazyLock, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

/// How many of the innermost calls are kept: a user's line lies behind a few adapters.
const CALLS: usize = 48;

/// Where the compiler says that the standard library lies.
const STANDARD: &str = "/rustc/";

static SPARED: AtomicBool = AtomicBool::new(false);

/// From now on no stack is walked in this process: what it would cost is measured.
pub fn spare_the_stack() {
    SPARED.store(true, Relaxed);
}

/// A line of source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The file, as the compiler names those of this workspace.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 1 where it is not known.
    pub column: u32,
}

/// Is a line of this file none of the user's: of the standard library, or of the sources of the verbs?
#[inline]
pub fn is_foreign(file: &str) -> bool {
    file.starts_with(STANDARD) || is_of_verbs(file)
}

/// Is it a file of a dependency?
pub fn is_of_dependency(file: &str) -> bool {
    file.contains("/registry/src/")
}

/// Is it a file in which the verbs are defined?
fn is_of_verbs(file: &str) -> bool {
    file.strip_prefix(framework()).is_some_and(|file| file.starts_with("world/src/"))
}

/// The folder of the framework's crates, as the compiler names files in it: `framework/`.
fn framework() -> &'static str {
    file!().strip_suffix("comm/src/caller.rs").unwrap_or_default()
}

/// The innermost calls of a thread, each stack kept once for the life of the process.
#[derive(Debug)]
pub struct Stack {
    /// Return addresses, the innermost first.
    calls: Vec<usize>,
    user: OnceLock<Option<Line>>,
}

impl PartialEq for Stack {
    fn eq(&self, other: &Self) -> bool {
        self.calls == other.calls
    }
}

impl Eq for Stack {}

impl std::hash::Hash for Stack {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.calls.hash(state);
    }
}

impl Stack {
    /// This thread's; `None` where [the stack is spared](spare_the_stack).
    pub fn here() -> Option<&'static Self> {
        static KNOWN: LazyLock<Mutex<HashSet<&'static Stack>>> = LazyLock::new(Mutex::default);
        if SPARED.load(Relaxed) {
            return None;
        }
        let mut calls = Vec::with_capacity(CALLS);
        backtrace::trace(|frame| {
            calls.push(frame.ip() as usize);
            calls.len() < CALLS
        });
        let stack = Self { calls, user: OnceLock::new() };
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = known.get(&stack).copied();
        Some(kept.unwrap_or_else(|| {
            let kept: &'static Self = Box::leak(Box::new(stack));
            known.insert(kept);
            kept
        }))
    }

    /// The innermost line of the user's; `None` where there is none, or nothing is known of the lines.
    pub fn user(&self) -> Option<&Line> {
        self.user.get_or_init(|| self.calls.iter().find_map(|call| line_of_user(*call))).as_ref()
    }
}

/// The line of a call, if it is the user's; of calls that the compiler has put into one, the innermost that is.
fn line_of_user(call: usize) -> Option<Line> {
    let mut found = None;
    backtrace::resolve(call as *mut _, |symbol| {
        if let (None, Some(file), Some(line)) = (&found, symbol.filename(), symbol.lineno()) {
            let column = symbol.colno().unwrap_or(1);
            found = of_user(file).map(|file| Line { file, line, column });
        }
    });
    found
}

/// The file as the compiler names it, if it is the user's.
fn of_user(file: &Path) -> Option<String> {
    // This crate lies two folders below the workspace.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let inside = file.strip_prefix(root).unwrap_or(file).to_str()?;
    let mut parts = inside.strip_prefix(framework()).unwrap_or_default().split('/');
    let of_framework = parts.nth(1) == Some("src");
    // The C library, and that of MPI, may have line tables, too.
    if file.extension()? != "rs" {
        return None;
    }
    (!of_framework && !is_foreign(inside) && !is_of_dependency(inside)).then(|| inside.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_library_of_dependencies_and_of_the_verbs_are_foreign() {
        for file in ["/rustc/59807616/library/core/src/ops/function.rs", "framework/world/src/request.rs"] {
            assert!(is_foreign(file), "{file}");
        }
        assert!(is_of_dependency("cargo/registry/src/index/rayon/src/lib.rs"));
        for file in ["tasks/ivanov_i_sum/src/mpi.rs", "work/src/main.rs", "framework/world/tests/misuse.rs"] {
            assert!(!is_foreign(file), "{file}");
        }
    }

    #[test]
    fn the_framework_s_own_sources_are_nobody_s_lines_and_its_examples_are() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a workspace");
        let of = |file: &str| of_user(&root.join(file));
        assert_eq!(of("framework/harness/src/functional/trial.rs"), None);
        assert_eq!(of_user(Path::new("./nptl/pthread_create.c")), None);
        assert_eq!(
            of("framework/workbench/examples/ring.rs").as_deref(),
            Some("framework/workbench/examples/ring.rs")
        );
        assert_eq!(of("tasks/ivanov_i_sum/src/mpi.rs").as_deref(), Some("tasks/ivanov_i_sum/src/mpi.rs"));
    }
}
