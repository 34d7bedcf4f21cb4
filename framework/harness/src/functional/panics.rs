//! Panics of the code under test: caught with their text and place, and not printed: the report tells of them once.
//!
//! Each rank is listened to for itself: in virtual time ranks take turns on one thread, in the middle of what they do.
use std::{
    cell::RefCell,
    collections::BTreeMap,
    panic::{self, AssertUnwindSafe, PanicHookInfo},
    sync::Once,
};

use wb_comm::{Rank, current};

use crate::said;

/// What a panic said, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Caught {
    /// Its text.
    pub(super) text: String,
    /// File, line and column.
    pub(super) place: Option<String>,
}

thread_local! {
    /// What was heard of those whose panics are caught on this thread, by rank; `None` is code of no rank.
    static LISTENING: RefCell<BTreeMap<Option<Rank>, Option<Caught>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Runs `work`; a panic in it comes back as a value.
pub(super) fn catch<R>(work: impl FnOnce() -> R) -> Result<R, Caught> {
    listen_to_all();
    LISTENING.with_borrow_mut(|listening| listening.insert(current::rank(), None));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let heard = LISTENING.with_borrow_mut(|listening| listening.remove(&current::rank())).flatten();
    // `resume_unwind` calls no hook.
    result.map_err(|payload| heard.unwrap_or_else(|| Caught { text: said::by_panic(&*payload), place: None }))
}

/// Wraps the panic hook, once: of a rank whose panics are caught it is noted; any other is printed as always.
fn listen_to_all() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !note(info) {
                usual(info);
            }
        }));
    });
}

fn note(info: &PanicHookInfo<'_>) -> bool {
    LISTENING.with_borrow_mut(|listening| {
        let Some(heard) = listening.get_mut(&current::rank()) else { return false };
        let place = info.location().map(ToString::to_string);
        *heard = Some(Caught { text: said::by_panic(info.payload()), place });
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
        assert!(caught.place.expect("the hook heard it").contains("panics.rs:"));
        assert_eq!(catch(|| 7), Ok(7));
    }

    #[test]
    fn ranks_that_take_turns_on_a_thread_are_heard_each_for_itself() {
        let caught = current::run_as(0, || {
            catch(|| {
                let other = current::run_as(1, || catch(|| panic!("of rank 1")));
                assert_eq!(other.expect_err("it panics").text, "of rank 1");
                panic!("of rank 0")
            })
        });
        let caught: Caught = caught.expect_err("it panics");
        assert_eq!(caught.text, "of rank 0");
        assert!(caught.place.is_some(), "rank 0 is listened to although rank 1 has come to its end");
    }
}
