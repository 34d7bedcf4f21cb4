//! Our half of `simgrid/compare.sh`: 100 dissemination barriers, then 100 binomial broadcasts of 1 KB with such a barrier
//! after each.
use std::time::Instant;

use wb_collectives::{
    Port, bcast,
    catalogue::{self, Form, Setting},
    over::OverMessages,
};
use wb_comm::{Barrier, Site, Transport, Verb, ViewMut};
use wb_sim::{
    Link, Machine,
    plan::{Entry, Noise, Recording, Run},
};

/// The platform of `simgrid/platform.xml`.
fn platform() -> Machine {
    let link = Link {
        latency: 1000,
        overhead: 200,
        gap: 0,
        per_byte: 40,
        copy: 0,
        eager: 65_536,
        pieces: Vec::new(),
    };
    Machine { poll: 1, ..Machine::flat("platform.xml", link) }
}

/// The last exit after 100 episodes, seconds.
fn hundred(recording: &Recording, machine: &Machine) -> f64 {
    let mut run = Run::new(recording, machine, &Entry::Together, Noise::none());
    let exits = (0..100).map(|_| run.episode().expect("it ends").last_exit());
    exits.last().expect("100 episodes") as f64 / 1e9
}

fn main() {
    let size = std::env::args().nth(1).map_or(1024, |text| text.parse().expect("a number of ranks"));
    let began = Instant::now();
    let Form::Pattern(make) = catalogue::find("dissemination").expect("a row").form else {
        unreachable!("dissemination is a pattern")
    };
    let pattern = make(&Setting::of(size)).expect("any size");
    let barrier = |transport: &dyn Transport| {
        let plan = pattern.plan(transport.rank(), size)?;
        OverMessages::new(&plan, transport, Site::here(Verb::Barrier)).wait()
    };
    let barriers = Recording::of(size, barrier);
    let broadcasts = Recording::of(size, |transport| {
        let port = Port::new(transport, Verb::Bcast, Site::here(Verb::Bcast));
        bcast::binomial(&port, ViewMut::of(&mut [0_u8; 1024]), 0)?;
        barrier(transport)
    });
    let machine = platform();
    let [barriers, broadcasts] = [barriers, broadcasts]
        .map(|recording| hundred(&recording.expect("it does not depend on data"), &machine));
    println!("ours, {size} ranks: barriers and broadcasts, simulated seconds");
    println!("{barriers:.9} {broadcasts:.9}");
    println!("took {:.3} s", began.elapsed().as_secs_f64());
}
