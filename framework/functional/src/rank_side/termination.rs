//! Watches whether threads and processes end after the last run of a test.
use std::sync::atomic::{AtomicUsize, Ordering};

use wb_process::thread_exit::{self, RunningThread};

use crate::test::test_case::RunId;

/// The number of the present test of this process, counted from 1: the watch of the former one is over then.
static TESTS_BEGUN: AtomicUsize = AtomicUsize::new(0);

/// A test begins in this process.
pub(crate) fn begin() {
    TESTS_BEGUN.fetch_add(1, Ordering::SeqCst);
}

/// The run `id` was the last of its test on the calling thread. Calls `end` if this thread ends but does not terminate,
/// or the process does not after it.
pub(crate) fn watch_termination(id: RunId, end: impl FnOnce(RunId, RunningThread) + Send + 'static) {
    let here = TESTS_BEGUN.load(Ordering::SeqCst);
    thread_exit::watch_thread(
        move || TESTS_BEGUN.load(Ordering::SeqCst) != here,
        move |unended| end(id, unended),
    );
}
