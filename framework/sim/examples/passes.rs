//! How fast the pass of maxima is: `cargo run --release -p wb-sim --example passes -- [RANKS] [EPISODES] [MACHINE]`.
use std::time::Instant;

use wb_collectives::{barrier::pattern::dissemination::Dissemination, over::OverMessages, plan::Plan};
use wb_comm::{Barrier, Site, Transport, Verb};
use wb_sim::{
    library,
    plan::{Entry, Noise, Recording, Run},
};

fn main() {
    let number = |at: usize, otherwise: usize| {
        std::env::args().nth(at).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let (ranks, episodes) = (number(1, 1 << 20), number(2, 1));
    let name = std::env::args().nth(3).unwrap_or_else(|| "cluster-ib".to_owned());
    let description = library::find(&name).expect("a machine");
    let machine = description.machine(&name, ranks).expect("it has as many cores");
    let site = Site::here(Verb::Barrier);
    let began = Instant::now();
    let barrier = |transport: &dyn Transport| {
        let plan = Plan::of(&Dissemination, transport.rank(), transport.size())?;
        OverMessages::new(&plan, transport, site).wait()
    };
    let recording = Recording::of(ranks, barrier).expect("it does not depend on data");
    let recorded = began.elapsed();
    let recording = if episodes > 1 { recording.repeated(episodes) } else { recording };
    let mut run = Run::new(&recording, &machine, &Entry::Together, Noise::none());
    let exit = run.episode().expect("it ends").last_exit();
    println!(
        "{} messages written down in {recorded:.2?}, {episodes} episode(s) in {:.2?}; virtual {exit} ns",
        recording.messages(),
        began.elapsed() - recorded
    );
}
