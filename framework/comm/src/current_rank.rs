//! The rank whose code runs on this thread, for hooks of panics and of exits, which have no argument for it.
//!
//! A thread belongs to one rank for its whole life, or, in virtual time, to one rank after the other. A scheduler that
//! resumes a rank sets it here and nowhere else.
//!
//! ```
//! use wb_comm::current_rank;
//! assert_eq!(current_rank::rank(), None);
//! assert_eq!(current_rank::run_as(3, current_rank::rank), Some(3));
//! assert_eq!(current_rank::rank(), None);
//! ```
use std::cell::Cell;

use crate::Rank;

thread_local! {
    static CURRENT: Cell<Option<Rank>> = const { Cell::new(None) };
}

/// The rank, in the job's numbering, whose code calls this; `None` outside of a rank.
pub fn rank() -> Option<Rank> {
    CURRENT.get()
}

/// Runs the code of `rank` on this thread until it returns, panics or yields its thread to another rank.
pub fn run_as<R>(rank: Rank, code: impl FnOnce() -> R) -> R {
    let _before = RestoreRank(CURRENT.replace(Some(rank)));
    code()
}

/// Restores the former rank when dropped.
struct RestoreRank(Option<Rank>);

impl Drop for RestoreRank {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn whoever_ran_before_runs_again_even_after_a_panic() {
        run_as(1, || {
            let ended = catch_unwind(|| run_as(2, || panic!("of rank {:?}", rank())));
            let message = *ended.expect_err("it panics").downcast::<String>().expect("a text");
            assert_eq!((message.as_str(), rank()), ("of rank Some(2)", Some(1)));
        });
        assert_eq!(rank(), None);
    }
}
