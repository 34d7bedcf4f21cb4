//! Measures the max-plus executor: `cargo run --release -p wb-local --example passes -- [RANKS] [EPISODES] [MACHINE]`.
use std::time::Instant;

use wb_algorithms::barriers::{
    Pattern, adapters::MessageBarrier, catalogue::pattern::dissemination::Dissemination,
};
use wb_comm::{Barrier, CallSite, Transport, Verb};
use wb_local::sim::{
    machine_library,
    max_plus::{ArrivalPattern, MaxPlusRun, Noise, Recording},
};

fn main() {
    let number = |at: usize, otherwise: usize| {
        std::env::args().nth(at).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let (ranks, episodes) = (number(1, 1 << 20), number(2, 1));
    let name = std::env::args().nth(3).unwrap_or_else(|| "cluster-ib".to_owned());
    let description = machine_library::find(&name).expect("a machine");
    let machine = description.machine(&name, ranks).expect("it has as many cores");
    let site = CallSite::caller(Verb::Barrier);
    let began = Instant::now();
    let barrier = |transport: &dyn Transport| {
        let plan = Dissemination.plan(transport.rank(), transport.size())?;
        MessageBarrier::new(&plan, transport, site).wait()
    };
    let recording = Recording::from_program(ranks, barrier).expect("it does not depend on data");
    let recorded = began.elapsed();
    let recording = if episodes > 1 { recording.repeated(episodes) } else { recording };
    let mut run = MaxPlusRun::new(&recording, &machine, &ArrivalPattern::Simultaneous, Noise::none());
    let exit = run.episode().expect("it ends").last_exit();
    println!(
        "{} messages written down in {recorded:.2?}, {episodes} episode(s) in {:.2?}; virtual {exit} ns",
        recording.messages(),
        began.elapsed() - recorded
    );
}
