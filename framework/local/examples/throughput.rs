//! Measures the event loop: `cargo run --release -p wb-local --example throughput -- [RANKS] [ROUNDS] [BARRIER|races]`.
//! Runs a barrier of the catalogue over messages, `dissemination` by default; with `races` every message carries a
//! clock.
use std::{sync::Arc, time::Instant};

use wb_local::sim::{Link, Machine, Simulator};
use wb_world::World;

fn main() {
    let number = |at: usize, otherwise: usize| {
        std::env::args().nth(at).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let (ranks, rounds) = (number(1, 1024), number(2, 100));
    let word = std::env::args().nth(3).unwrap_or_else(|| "dissemination".to_owned());
    let races = word == "races";
    let link = Link {
        latency: 1000,
        overhead: 200,
        gap: 50,
        per_byte: 100,
        processor_per_byte: 0,
        eager_limit: 4096,
        segments: Vec::new(),
    };
    let machine = Machine::flat("flat", link);
    let job = move |transport| {
        let world = World::new(transport);
        if !races && word != "dissemination" {
            world.choose_barrier(&word).expect("a barrier over messages");
        }
        for _ in 0..rounds {
            world.barrier().expect("everybody comes");
        }
        Box::new(()) as Box<dyn std::any::Any + Send>
    };
    let began = Instant::now();
    let simulated =
        Simulator { detect_races: races, ..Simulator::from(machine) }.simulate(ranks, None, Arc::new(job));
    let took = began.elapsed();
    #[allow(clippy::cast_precision_loss, reason = "a rate for people")]
    let rate = simulated.event_count as f64 / took.as_secs_f64() / 1e6;
    println!(
        "{} messages in {took:.2?}: {rate:.2} million a second; virtual {} ns",
        simulated.event_count, simulated.clocks[0]
    );
}
