//! How fast the pass of maxima is: `cargo run --release -p wb-sim --example passes -- [RANKS] [EPISODES]`.
use std::time::Instant;

use wb_collectives::{barrier::pattern::dissemination::Dissemination, over::OverMessages, plan::Plan};
use wb_comm::{Barrier, Site, Transport, Verb};
use wb_sim::{
    Link, Machine,
    plan::{Entry, Noise, Recording, Run},
};

fn main() {
    let number = |at: usize, otherwise: usize| {
        std::env::args().nth(at).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let (ranks, episodes) = (number(1, 1 << 20), number(2, 1));
    let link =
        Link { latency: 1000, overhead: 200, gap: 50, per_byte: 100, copy: 0, eager: 4096, pieces: vec![] };
    let machine = Machine::flat("flat", link);
    let site = Site::here(Verb::Barrier);
    let began = Instant::now();
    let barrier = |transport: &dyn Transport| {
        let plan = Plan::of(&Dissemination, transport.rank(), transport.size())?;
        OverMessages::new(&plan, transport, site).wait()
    };
    let recording = Recording::of(ranks, barrier).expect("it does not depend on data");
    let recorded = began.elapsed();
    let mut run = Run::new(&recording, &machine, &Entry::Together, Noise::none());
    let exits: Vec<u64> = (0..episodes).map(|_| run.episode().expect("it ends").last_exit()).collect();
    println!(
        "{} messages written down in {recorded:.2?}, {episodes} episode(s) in {:.2?}; virtual {exits:?} ns",
        recording.messages(),
        began.elapsed() - recorded
    );
}
