//! Memory exhaustion: the size of the request, the rank, and the line.
//!
//! Rust ends a process whose allocation fails: a line on standard error, then `abort`. So the allocator of our
//! programs, which is the system's, records for each thread the request that it refused, and a handler of SIGABRT reads
//! that record. If the abort results from the failed allocation, the handler calls the hook of [`on_out_of_memory`].
//!
//! The handler runs on the requesting thread, after the allocator has refused. No lock of the allocator is held, so the
//! hook may allocate: a process whose one request was too large can still satisfy smaller ones. When even that fails,
//! the process dies of its SIGABRT as if nothing had been caught.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    ffi::c_int,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use wb_comm::call_stack::SourceLine;
use wb_messages::{Lang, number, program as text};

use crate::{cpu_time::thread_cpu_ns, stack};

thread_local! {
    /// The bytes of this thread's last request that was refused, and its processor time then.
    static LAST_REFUSED: Cell<(usize, u64)> = const { Cell::new((0, 0)) };
}

/// An abort belongs to a refusal when the thread has computed no longer than this since: printing a message takes less.
/// A program may handle a refusal (`try_reserve`), and abort later for another reason.
const MAX_REFUSAL_AGE_NS: u64 = 2_000_000_000;

/// The system's allocator, which records refused requests.
struct RecordingAllocator;

#[global_allocator]
static ALLOCATOR: RecordingAllocator = RecordingAllocator;

fn record_refusal(block: *mut u8, bytes: usize) -> *mut u8 {
    if block.is_null() {
        // A thread whose locals are destroyed records nothing.
        let _gone = LAST_REFUSED.try_with(|refused| refused.set((bytes, thread_cpu_ns())));
    }
    block
}

// SAFETY: every method hands its arguments on to the system's allocator and its answer back; noting a refusal allocates
// nothing and does not unwind.
unsafe impl GlobalAlloc for RecordingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        record_refusal(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block came from the system's allocator with this layout.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as in `alloc`.
        record_refusal(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as in `alloc` and `dealloc`.
        record_refusal(unsafe { System.realloc(block, layout, bytes) }, bytes)
    }
}

/// A request for memory that ended its process.
#[derive(Debug)]
pub struct OutOfMemory {
    bytes: usize,
    frames: Vec<usize>,
}

impl OutOfMemory {
    /// The bytes in a readable unit.
    pub fn amount(&self, lang: Lang) -> String {
        byte_amount(lang, self.bytes)
    }

    /// The line of the user's that requested the memory, directly or not. Finding it takes a moment: write required
    /// output first.
    pub fn user_line(&self) -> Option<SourceLine> {
        let frames = self.frames.clone();
        // On a stack of its own: a coroutine's may be too small for a reader of debug information.
        let read = std::thread::Builder::new().spawn(move || stack::user_line(&frames));
        read.ok()?.join().ok()?
    }
}

/// Bytes in a readable unit.
pub fn byte_amount(lang: Lang, bytes: usize) -> String {
    let units = text::byte_units(lang);
    let mut value = bytes as f64;
    let mut decimals = 0;
    let mut names = units.split(' ');
    let mut name = names.next().unwrap_or_default();
    while let Some(larger) = (value >= 1000.0).then(|| names.next()).flatten() {
        (value, name, decimals) = (value / 1000.0, larger, 1);
    }
    format!("{} {name}", number::fixed(lang, value, decimals))
}

static HOOK: OnceLock<fn(&OutOfMemory)> = OnceLock::new();

/// Calls `hook`, on the requesting thread, before this process dies of an allocation that failed. The first registered
/// hook is used. It may end the process itself.
///
/// # Errors
/// When the system refuses the handler.
pub fn on_out_of_memory(hook: fn(&OutOfMemory)) -> std::io::Result<()> {
    let _first_counts = HOOK.set(hook);
    stack::set_signal_handler(libc::SIGABRT, on_abort)
}

/// The handler of a thread whose allocation failed. After its return `abort` ends the process.
extern "C" fn on_abort(_: c_int) {
    static BEGUN: AtomicBool = AtomicBool::new(false);
    let (bytes, at_ns) = LAST_REFUSED.try_with(Cell::get).unwrap_or_default();
    let belongs = bytes > 0 && thread_cpu_ns().saturating_sub(at_ns) < MAX_REFUSAL_AGE_NS;
    if !belongs || BEGUN.swap(true, Ordering::SeqCst) {
        return;
    }
    if let Some(hook) = HOOK.get() {
        ENDING.store(true, Ordering::SeqCst);
        hook(&OutOfMemory { bytes, frames: stack::current_frames() });
    }
}

/// Whether a thread of this process is about to end it, because its memory ran out. Code that would end the process for
/// a consequence of that waits.
pub fn is_ending() -> bool {
    ENDING.load(Ordering::SeqCst)
}

static ENDING: AtomicBool = AtomicBool::new(false);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_easily() {
        assert_eq!(byte_amount(Lang::En, 999), "999 B");
        assert_eq!(byte_amount(Lang::Ru, 2_500_000), "2,5 МБ");
        assert_eq!(byte_amount(Lang::En, 2_500_000), "2.5 MB");
        assert_eq!(byte_amount(Lang::En, 8_000_000_000_000), "8.0 TB");
        assert_eq!(byte_amount(Lang::En, usize::MAX), "18.4 EB");
    }

    #[test]
    fn a_refusal_is_noted_for_its_thread_only() {
        let mut numbers: Vec<u64> = vec![];
        let refusal = numbers.try_reserve_exact(1 << 50).expect_err("more than there is").to_string();
        assert!(refusal.contains("allocator returned an error"), "{refusal}");
        assert_eq!(LAST_REFUSED.get().0, 1 << 53);
        let elsewhere = std::thread::spawn(|| LAST_REFUSED.get().0).join().expect("no panic");
        assert_eq!(elsewhere, 0);
    }
}
