//! Barriers made of windows' synchronisation: no rank leaves before every rank has entered, whichever rank is late.
use std::{thread, time::Duration};

use wb_algorithms::barriers::{catalogue, rma};
use wb_comm::{Barrier, CallSite, Datatype, Verb, WindowKind};
use wb_world::{FrameworkCalls as _, Operation, World};

use crate::laws::Law;

pub(super) const LAWS: &[Law] = &[("barriers of windows", barriers), ("canary: no barrier", canary)];

const EPISODES: usize = 30;

/// The natives of the family.
fn names() -> impl Iterator<Item = &'static str> {
    let rows = catalogue::all().into_iter().map(|entry| entry.name);
    rows.filter(|name| name.starts_with("rma_"))
}

fn barriers(world: &World) {
    assert!(names().count() >= 3, "fence, all to all, dissemination");
    for name in names() {
        let site = CallSite::caller(Verb::Barrier);
        let transport = world.transport();
        let open = |_| transport.window(WindowKind::Allocate, Datatype::I64, 1, site).expect("window");
        let windows: Vec<_> = (0..rma::window_count(name, world.size())).map(open).collect();
        let borrowed = windows.iter().map(|window| &**window).collect();
        let mut barrier =
            rma::by_name(name, borrowed, site).expect("of this family").expect("for every size");
        for episode in 0..EPISODES {
            let hole = gap(world, &mut *barrier, episode);
            assert!(hole >= 0, "{name}: a rank left {} ns before the last one entered", -hole);
        }
        drop(barrier);
        windows.into_iter().for_each(|window| window.free(site).expect("free"));
    }
}

/// Nanoseconds from the last entry to the first exit; one rank after the other is late.
fn gap(world: &World, barrier: &mut dyn Barrier, episode: usize) -> i64 {
    if episode % world.size() == world.rank() {
        late(world);
    }
    let entry = world.now() as i64;
    barrier.wait().expect("all ranks take part");
    let exit = world.now() as i64;
    let (mut last_entry, mut first_exit) = ([0], [0]);
    world.allreduce(&[entry], &mut last_entry, Operation::Max).expect("allreduce");
    world.allreduce(&[exit], &mut first_exit, Operation::Min).expect("allreduce");
    first_exit[0] - last_entry[0]
}

/// A millisecond passes for this rank, by whatever clock it has.
fn late(world: &World) {
    match world.transport().backend() {
        "sim" => world.work(1_000_000, 0),
        _ => thread::sleep(Duration::from_millis(1)),
    }
}

/// What does not wait is found out.
fn canary(world: &World) {
    struct Nothing;
    impl Barrier for Nothing {
        fn wait(&mut self) -> wb_comm::Result<()> {
            Ok(())
        }
    }
    if world.size() > 1 {
        assert!((0..EPISODES).any(|episode| gap(world, &mut Nothing, episode) < 0), "no rank was early");
    }
}
