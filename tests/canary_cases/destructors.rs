//! Ranks that deliver their result and whose thread or process does not end.
use workbench::{Result, World};

use crate::kit::{spread, test};

/// A value that never finds what its destructor looks for.
struct Searches(u64);

impl Drop for Searches {
    fn drop(&mut self) {
        while std::hint::black_box(self.0) != 1 {
            self.0 = std::hint::black_box(self.0 / 2 + 2);
        }
    }
}

thread_local! {
    static SEARCHES: Searches = const { Searches(7) };
}

/// In virtual time all ranks have one thread.
fn rank_1_is_left_searching(world: &World, number: Option<u64>) -> Result<u64> {
    if world.rank() == 1 {
        SEARCHES.with(|searches| std::hint::black_box(searches.0));
    }
    spread(world, number)
}

#[test]
fn a_destructor_of_rank_1_does_not_end() {
    test(rank_1_is_left_searching);
}

/// Ends the job of every test that runs beside it, so it is started by name only.
#[test]
#[ignore = "an exit hook concerns the whole process"]
fn an_exit_hook_of_rank_1_does_not_end() {
    fn search() {
        drop(Searches(7));
    }
    test(|world, number| {
        if world.rank() == 1 {
            wb_process::at_exit(search);
        }
        spread(world, number)
    });
}
