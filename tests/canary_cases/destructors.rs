//! Ranks that deliver their result and whose thread or process does not end.
use workbench::{Result, World};

use crate::number_task::{distribute, test};

/// A value that never finds what its destructor looks for.
struct EndlessDrop(u64);

impl Drop for EndlessDrop {
    fn drop(&mut self) {
        while std::hint::black_box(self.0) != 1 {
            self.0 = std::hint::black_box(self.0 / 2 + 2);
        }
    }
}

thread_local! {
    static ENDLESS_DROP: EndlessDrop = const { EndlessDrop(7) };
}

/// In virtual time all ranks have one thread.
fn rank_1_is_left_searching(world: &World, number: Option<u64>) -> Result<u64> {
    if world.rank() == 1 {
        ENDLESS_DROP.with(|searches| std::hint::black_box(searches.0));
    }
    distribute(world, number)
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
        drop(EndlessDrop(7));
    }
    test(|world, number| {
        if world.rank() == 1 {
            wb_process::at_exit(search);
        }
        distribute(world, number)
    });
}
