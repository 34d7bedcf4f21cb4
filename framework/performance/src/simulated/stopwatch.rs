//! One mode of a pass on one rank: its start and end, its computing and its traffic.
use wb_world::{FrameworkCalls as _, World};

/// The measurement of one mode on one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lap {
    pub(super) begin: u64,
    pub(super) end: u64,
    pub(super) worked_ns: u64,
    pub(super) messages: u64,
    pub(super) bytes: u64,
}

/// The start of a lap.
pub(super) struct Stopwatch<'w> {
    world: &'w World,
    begin: u64,
    counts: wb_world::Counts,
}

impl<'w> Stopwatch<'w> {
    pub(super) fn start(world: &'w World) -> Self {
        Self { world, begin: world.transport().now(), counts: counts(world) }
    }

    pub(super) fn lap(&self) -> Lap {
        let counts = counts(self.world) - self.counts;
        Lap {
            begin: self.begin,
            end: self.world.transport().now(),
            worked_ns: counts.worked_ns,
            messages: counts.sends,
            bytes: counts.sent_bytes,
        }
    }
}

/// The counts, with the computing that was measured so far.
fn counts(world: &World) -> wb_world::Counts {
    world.work(0, 0);
    world.counts()
}
