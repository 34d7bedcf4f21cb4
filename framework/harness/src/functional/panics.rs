//! Panics of the code under test: caught with their text and place, and not printed: the report tells of them once.
use std::{
    cell::RefCell,
    panic::{self, AssertUnwindSafe, PanicHookInfo},
    sync::Once,
};

use crate::said;

/// What a panic said, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Caught {
    /// Its text.
    pub(super) text: String,
    /// File, line and column.
    pub(super) place: Option<String>,
}

enum Listening {
    No,
    Yes,
    Heard(Caught),
}

thread_local! {
    static LISTENING: RefCell<Listening> = const { RefCell::new(Listening::No) };
}

/// Runs `work`; a panic in it comes back as a value.
pub(super) fn catch<R>(work: impl FnOnce() -> R) -> Result<R, Caught> {
    listen_to_all();
    LISTENING.set(Listening::Yes);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let heard = LISTENING.replace(Listening::No);
    result.map_err(|payload| match heard {
        Listening::Heard(caught) => caught,
        // `resume_unwind` calls no hook.
        Listening::No | Listening::Yes => Caught { text: said::by_panic(&*payload), place: None },
    })
}

/// Wraps the panic hook, once: on a thread that catches, a panic is noted; on any other it is printed as always.
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
        if matches!(listening, Listening::No) {
            return false;
        }
        let place = info.location().map(ToString::to_string);
        *listening = Listening::Heard(Caught { text: said::by_panic(info.payload()), place });
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
}
