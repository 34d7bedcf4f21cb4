//! Panics of the code under test: caught with their text and position, and not printed, since the report describes them
//! once.
//!
//! Panics are recorded for each rank separately: in virtual time ranks alternate on one thread.
use std::{
    any::Any,
    cell::RefCell,
    collections::BTreeMap,
    io::Write,
    panic::{self, AssertUnwindSafe, Location, PanicHookInfo},
    sync::{Mutex, Once, PoisonError},
    thread,
};

use wb_comm::{
    Rank, current_rank,
    panic_place::{PanicPlace, RankPanic, RankStop},
};
use wb_messages::{Lang, functional as text};

/// The text and the position of a panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CaughtPanic {
    pub(crate) text: String,
    /// Where it happened, if the hook has seen it.
    place: Option<PanicPlace>,
    /// Why, if the rank has ended itself.
    pub(crate) stop: Option<RankStop>,
    /// Whether it results from a requested value that is on another rank ([`wb_world::Rooted::Elsewhere`]).
    pub(crate) is_remote_value: bool,
}

impl CaughtPanic {
    fn new(payload: &(dyn Any + Send)) -> Self {
        let RankPanic { text, stop } = RankPanic::caught(payload);
        Self { text, place: None, stop, is_remote_value: false }
    }

    /// File, line and column: of the user's program, if a line of it led there. Looked up on request, which takes time.
    pub(crate) fn location(&self) -> Option<String> {
        self.place.as_ref().map(PanicPlace::line)
    }
}

/// The most lines of a chain of calls that begins with the access to a value.
const MAX_CHAIN_LINES: u32 = 4;

/// Whether this line, or one right above it, accesses a value of another rank.
fn is_remote_access(panicked: &Location<'_>) -> bool {
    let asked = wb_world::rooted::last_access_elsewhere();
    asked.is_some_and(|asked| {
        let lines = asked.line()..asked.line() + MAX_CHAIN_LINES;
        asked.file() == panicked.file() && lines.contains(&panicked.line())
    })
}

thread_local! {
    /// The recorded panics of this thread's ranks, by rank; `None` is code of no rank.
    static CAUGHT: RefCell<BTreeMap<Option<Rank>, Option<CaughtPanic>>> = const { RefCell::new(BTreeMap::new()) };
}

/// The panics of threads of no rank: the name of the thread, and the panic.
static OF_OTHER_THREADS: Mutex<Vec<(String, CaughtPanic)>> = Mutex::new(vec![]);

/// Takes the panics of threads of no rank since this was called last, as sentences in the order in which they happened.
pub(crate) fn take_of_other_threads() -> Vec<String> {
    let panics = std::mem::take(&mut *OF_OTHER_THREADS.lock().unwrap_or_else(PoisonError::into_inner));
    let describe = |(thread, panic): (String, CaughtPanic)| {
        let place = panic.location().unwrap_or_default();
        text::thread_panicked(Lang::from_environment(), thread, place, panic.text)
    };
    panics.into_iter().map(describe).collect()
}

/// Runs `work`; a panic in it is returned as a value.
pub(crate) fn catch<R>(work: impl FnOnce() -> R) -> Result<R, CaughtPanic> {
    install_hook();
    CAUGHT.with_borrow_mut(|listening| listening.insert(current_rank::rank(), None));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let first = CAUGHT.with_borrow_mut(|listening| listening.remove(&current_rank::rank())).flatten();
    // `resume_unwind` calls no hook.
    result.map_err(|payload| first.unwrap_or_else(|| CaughtPanic::new(&*payload)))
}

/// Wraps the panic hook, once: it records panics that are caught; others are printed as always.
fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !record(info) {
                usual(info);
            }
        }));
    });
}

fn record(info: &PanicHookInfo<'_>) -> bool {
    CAUGHT.with_borrow_mut(|listening| {
        let elsewhere = info.location().is_some_and(is_remote_access);
        let place = PanicPlace::new(info);
        let caught = CaughtPanic { place, is_remote_value: elsewhere, ..CaughtPanic::new(info.payload()) };
        let Some(slot) = listening.get_mut(&current_rank::rank()) else {
            if current_rank::rank().is_none() {
                let name = thread::current().name().unwrap_or("<unnamed>").to_owned();
                OF_OTHER_THREADS.lock().unwrap_or_else(PoisonError::into_inner).push((name, caught));
            }
            return false;
        };
        // Where a destructor panics during this panic, the process aborts, and what it has printed is all that is left.
        if let Some(earlier) = slot.replace(caught) {
            let line = format!("{}: {}", earlier.location().unwrap_or_default(), earlier.text);
            let _nowhere_to_say =
                writeln!(wb_process::before_main::real_stderr(), "\n{}", wb_text::escape::terminal(&line));
        }
        true
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_comes_back_with_its_text_and_place() {
        let caught = catch(|| panic!("rank {} is lost", 3)).expect_err("it panics");
        assert_eq!(caught.text, "rank 3 is lost");
        assert!(caught.location().expect("the hook caught it").contains("panics.rs:"));
        assert_eq!(catch(|| 7), Ok(7));
    }

    #[test]
    fn a_value_that_is_on_another_rank_is_known_for_the_cause() {
        let elsewhere = || wb_world::Rooted::<u8>::Elsewhere;
        let at_once = catch(|| elsewhere().here().unwrap()).expect_err("it panics");
        let in_a_chain = catch(|| elsewhere().map(|value| value + 1).here().expect("it is here"));
        assert!(at_once.is_remote_value && in_a_chain.expect_err("it panics").is_remote_value);
        let other = catch(of_another_kind).expect_err("it panics");
        assert!(!other.is_remote_value, "this one is not about another rank's value");
    }

    #[test]
    fn ranks_that_take_turns_on_a_thread_are_heard_each_for_itself() {
        let caught = current_rank::run_as(0, || {
            catch(|| {
                let other = current_rank::run_as(1, || catch(|| panic!("of rank 1")));
                assert_eq!(other.expect_err("it panics").text, "of rank 1");
                panic!("of rank 0")
            })
        });
        let caught: CaughtPanic = caught.expect_err("it panics");
        assert_eq!(caught.text, "of rank 0");
        assert!(caught.location().is_some(), "rank 0 is listened to although rank 1 has come to its end");
    }

    /// Far from any access to a value of another rank.
    fn of_another_kind() -> u8 {
        std::iter::empty().next().unwrap()
    }
}
