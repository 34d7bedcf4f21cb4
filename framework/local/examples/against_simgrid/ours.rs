//! The three programs of `programs.c` in our model.
use std::sync::Arc;

use wb_algorithms::{
    barriers::{GroupConfig, Plan, adapters::MessageBarrier, catalogue},
    collectives::{CollectiveContext, broadcast},
};
use wb_comm::{Barrier, BorrowedBuffers, CallSite, Result, Transport, Verb};
use wb_local::sim::{
    CostSegment, Link, Machine,
    max_plus::{ArrivalPattern, MaxPlusRun, Noise, Recording},
};

/// How many episodes each program has.
pub(crate) const EPISODES: usize = 100;

/// An episode: a binomial broadcast of 1 KB from rank 0, a dissemination barrier, or one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExampleProgram {
    /// The name in `programs.c`.
    pub(crate) name: &'static str,
    broadcasts: bool,
    barriers: bool,
}

pub(crate) const PROGRAMS: [ExampleProgram; 3] = [
    ExampleProgram { name: "barriers", broadcasts: false, barriers: true },
    ExampleProgram { name: "broadcasts+barriers", broadcasts: true, barriers: true },
    ExampleProgram { name: "broadcasts", broadcasts: true, barriers: false },
];

/// The machine of `platform.xml` with an overhead of 200 ns at both ends.
pub(crate) fn platform() -> Machine {
    let (eager, pieces) = (65_536, Vec::new());
    let link = Link {
        latency: 1000,
        overhead: 200,
        gap: 0,
        per_byte: 40,
        processor_per_byte: 0,
        eager_limit: eager,
        segments: pieces,
    };
    Machine { poll: 1, ..Machine::flat("platform.xml", link) }
}

/// The same machine in picoseconds instead of nanoseconds, with SMPI's additions: an envelope of 16 bytes on every
/// message, and a first byte that costs as much as any other.
pub(crate) fn with_envelopes() -> Machine {
    let link = Link {
        latency: 1_000_000 + 16 * 40,
        overhead: 200_000,
        per_byte: 40_000,
        segments: vec![CostSegment {
            min_bytes: 1,
            overhead: 200_000,
            processor_per_byte: 0,
            serial: 40,
            per_byte: 40_000,
        }],
        ..platform().network
    };
    Machine { poll: 1, ..Machine::flat("platform.xml, picoseconds", link) }
}

impl ExampleProgram {
    /// Runs the program on one rank.
    fn run(self, transport: &dyn Transport, plan: &Plan, episodes: usize) -> Result<()> {
        let at = CallSite::caller(Verb::Barrier);
        (0..episodes).try_for_each(|_| {
            if self.broadcasts {
                let comm = CollectiveContext::new(transport, Verb::Bcast, at);
                let schedule = broadcast::binomial(comm.member(), 1024, 0);
                comm.run(&schedule, BorrowedBuffers::new(&[], &mut [0_u8; 1024]))?;
            }
            if self.barriers { MessageBarrier::new(plan, transport, at).wait() } else { Ok(()) }
        })
    }

    /// The last exit by the max-plus executor, nanoseconds of `machine`.
    pub(crate) fn by_max_plus(self, size: usize, machine: &Machine) -> u64 {
        let plans = dissemination(size);
        let recording =
            Recording::from_program(size, |transport| self.run(transport, &plans[transport.rank()], 1));
        let recording = recording.expect("it does not depend on data");
        let mut run = MaxPlusRun::new(&recording, machine, &ArrivalPattern::Simultaneous, Noise::none());
        (0..EPISODES).map(|_| run.episode().expect("it ends").last_exit()).last().expect("some episodes")
    }

    /// The last exit by the event loop, nanoseconds of `machine`.
    pub(crate) fn by_event_loop(self, size: usize, machine: &Machine) -> u64 {
        let plans = Arc::new(dissemination(size));
        let ran = wb_local::sim::run(machine.clone(), size, move |transport| {
            self.run(&*transport, &plans[transport.rank()], EPISODES).expect("it ends");
        });
        ran.iter().map(|(_, clock)| *clock).max().expect("some ranks")
    }
}

/// By rank: its part of a dissemination barrier.
fn dissemination(size: usize) -> Vec<Plan> {
    let plans = catalogue::find("dissemination").expect("a row").plans(&GroupConfig::new(size));
    plans.expect("it is a pattern").expect("any size")
}
