//! The three programs of `programs.c`, and how our model runs them.
use std::sync::Arc;

use wb_collectives::{
    Port, bcast,
    catalogue::{self, Setting},
    over::OverMessages,
    plan::Plan,
};
use wb_comm::{Barrier, Result, Site, Transport, Verb, ViewMut};
use wb_sim::{
    Link, Machine, Piece,
    plan::{Entry, Noise, Recording, Run},
};

/// How often each program does the same.
pub(crate) const EPISODES: usize = 100;

/// What ranks do in an episode: a binomial broadcast of 1 KB from rank 0, a dissemination barrier, or one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// As `programs.c` understands it.
    pub(crate) name: &'static str,
    broadcasts: bool,
    barriers: bool,
}

/// All of them.
pub(crate) const PROGRAMS: [Program; 3] = [
    Program { name: "barriers", broadcasts: false, barriers: true },
    Program { name: "broadcasts+barriers", broadcasts: true, barriers: true },
    Program { name: "broadcasts", broadcasts: true, barriers: false },
];

/// The machine of `platform.xml` with an overhead of 200 ns at both ends.
pub(crate) fn platform() -> Machine {
    let (eager, pieces) = (65_536, Vec::new());
    let link = Link { latency: 1000, overhead: 200, gap: 0, per_byte: 40, copy: 0, eager, pieces };
    Machine { poll: 1, ..Machine::flat("platform.xml", link) }
}

/// The same in picoseconds for nanoseconds, and with what SMPI adds: an envelope of 16 bytes to every message, and a first byte
/// that costs as much as any other.
pub(crate) fn with_envelopes() -> Machine {
    let link = Link {
        latency: 1_000_000 + 16 * 40,
        overhead: 200_000,
        per_byte: 40_000,
        pieces: vec![Piece { from: 1, overhead: 200_000, copy: 0, serial: 40, per_byte: 40_000 }],
        ..platform().network
    };
    Machine { poll: 1, ..Machine::flat("platform.xml, picoseconds", link) }
}

impl Program {
    /// On one rank.
    fn run(self, transport: &dyn Transport, plan: &Plan, episodes: usize) -> Result<()> {
        let at = Site::here(Verb::Barrier);
        (0..episodes).try_for_each(|_| {
            if self.broadcasts {
                let port = Port::new(transport, Verb::Bcast, at);
                bcast::binomial(&port, ViewMut::of(&mut [0_u8; 1024]), 0)?;
            }
            if self.barriers { OverMessages::new(plan, transport, at).wait() } else { Ok(()) }
        })
    }

    /// The last exit, nanoseconds of `machine`, by the pass of maxima.
    pub(crate) fn in_one_pass(self, size: usize, machine: &Machine) -> u64 {
        let plans = dissemination(size);
        let recording = Recording::of(size, |transport| self.run(transport, &plans[transport.rank()], 1));
        let recording = recording.expect("it does not depend on data");
        let mut run = Run::new(&recording, machine, &Entry::Together, Noise::none());
        (0..EPISODES).map(|_| run.episode().expect("it ends").last_exit()).last().expect("some episodes")
    }

    /// The last exit, nanoseconds of `machine`, by ranks that run in virtual time.
    pub(crate) fn by_ranks(self, size: usize, machine: &Machine) -> u64 {
        let plans = Arc::new(dissemination(size));
        let ran = wb_sim::run(machine.clone(), size, move |transport| {
            self.run(&*transport, &plans[transport.rank()], EPISODES).expect("it ends");
        });
        ran.iter().map(|(_, clock)| *clock).max().expect("some ranks")
    }
}

/// By rank: its part of a dissemination barrier.
fn dissemination(size: usize) -> Vec<Plan> {
    let plans = catalogue::find("dissemination").expect("a row").plans(&Setting::of(size));
    plans.expect("it is a pattern").expect("any size")
}
