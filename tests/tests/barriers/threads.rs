//! Ranks are threads: messages, cells in every style and spacing, windows, and what is native to threads.
use std::{sync::Arc, time::Duration};

use wb_algorithms::barriers::{BarrierEntry, catalogue};
use wb_tests::barrier_laws::{
    LawRun, TeamThreadMemory,
    threads::{LawProgram, on_threads},
};

use crate::setups::{BarrierSetup, is_representative, partner};

/// Of representatives.
const SIZES: [usize; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 33];

/// Of any other barrier: `wb_algorithms::barriers` proves each at every size.
const FEW_SIZES: [usize; 7] = [1, 2, 3, 4, 5, 8, 17];

/// All of them for messages and cells; fewer for what is as good as its parts, which are tried at all.
fn sizes(entry: &BarrierEntry, setup: BarrierSetup) -> Vec<usize> {
    let sizes = if is_representative(entry) { &SIZES[..] } else { &FEW_SIZES };
    let tried = |size: &usize| match setup {
        BarrierSetup::Messages { .. } | BarrierSetup::Standard | BarrierSetup::Cells { .. } => true,
        BarrierSetup::Named { .. }
        | BarrierSetup::Epochs
        | BarrierSetup::Stream { .. }
        | BarrierSetup::Network => *size <= 9,
        BarrierSetup::Heap => [2, 3, 4].contains(size),
    };
    sizes.iter().copied().filter(tried).collect()
}

/// For all laws of one barrier carried in one way: far more than they ever take.
const LIMIT: Duration = Duration::from_secs(60);

/// All laws for one barrier; whether it can be built at that size.
fn check_laws(
    entry: &'static BarrierEntry,
    setup: BarrierSetup,
    size: usize,
    cores: usize,
) -> Result<bool, String> {
    let config = setup.group_config(size);
    if !setup.provider(&TeamThreadMemory::default(), cores).supports(entry, &config) {
        return Ok(false);
    }
    let part: Arc<LawProgram> = Arc::new(move |world, memory| {
        let barrier_provider = setup.provider(memory, cores);
        let effort = setup.effort(size);
        let partner = partner(entry, &*barrier_provider, &setup.group_config(size));
        LawRun { world, memory, provider: &*barrier_provider, entry, partner, effort }.run().map(drop)
    });
    on_threads(size, LIMIT, &part).map(|()| true)
}

/// Every barrier at every size in all of its setups that are `wanted`; all failures are reported together.
fn check_all(wanted: fn(&BarrierSetup) -> bool) {
    // Other tests run beside this one, so no rank has a core of its own: waits give way soon.
    let cores = 1;
    let mut broken = vec![];
    for entry in catalogue::all() {
        for setup in BarrierSetup::all(entry).into_iter().filter(wanted) {
            let mut tried = |size| {
                check_laws(entry, setup, size, cores).unwrap_or_else(|why| {
                    broken.push(why);
                    true
                })
            };
            let kept: Vec<_> = sizes(entry, setup).into_iter().map(&mut tried).collect();
            assert!(kept.contains(&true), "{} can be built at no size", entry.name);
        }
    }
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn barriers_over_messages_keep_the_laws() {
    check_all(|setup| matches!(setup, BarrierSetup::Messages { .. }));
}

#[test]
fn barriers_on_cells_keep_the_laws() {
    check_all(|setup| matches!(setup, BarrierSetup::Cells { .. }));
}

#[test]
fn barriers_of_teams_on_windows_keep_the_laws() {
    check_all(|setup| matches!(setup, BarrierSetup::Heap));
}

#[test]
fn natives_of_threads_keep_the_laws() {
    check_all(|setup| {
        matches!(
            setup,
            BarrierSetup::Named { .. }
                | BarrierSetup::Epochs
                | BarrierSetup::Standard
                | BarrierSetup::Stream { .. }
                | BarrierSetup::Network
        )
    });
}
