//! A fixed amount of computation without memory accesses or communication, which shows the speed of the machine itself.
//!
//! Eight independent chains of multiplications keep the multiplier busy on every cycle. A single chain would wait for
//! its own results most of the time, and two of them on one core's hardware threads would show no loss.
use std::hint::black_box;

use super::{
    bench::RankBench,
    sample::{self, RegionStamps},
};
use wb_comm::Result;
use wb_record::ElapsedFrom;
use wb_runner::clock;

/// Steps of one sample of the ceiling: about ten milliseconds. In the development profile a step takes several times as long;
/// only tests of the harness measure in it.
const CEILING_STEPS: u64 = if cfg!(debug_assertions) { 1_000_000 } else { 4_000_000 };

/// Steps of one sample of the sentinel.
const SENTINEL_STEPS: u64 = CEILING_STEPS / 5;

/// The number of samples of a sentinel; the shortest counts, so that one interruption does not look like a slower
/// machine.
const SENTINEL_SAMPLES: usize = 5;

/// Executes `steps` steps.
fn spin(steps: u64) -> u64 {
    let mut chains: [u64; 8] = std::array::from_fn(|chain| black_box(chain as u64 + 1));
    for _ in 0..steps {
        for chain in &mut chains {
            *chain = chain.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
        }
    }
    chains.into_iter().fold(0, u64::wrapping_add)
}

/// This rank's time for a fixed amount of work, the shortest of a few samples.
pub(crate) fn sentinel() -> u64 {
    let samples = (0..SENTINEL_SAMPLES).map(|_| {
        let start = clock::now();
        black_box(spin(SENTINEL_STEPS));
        clock::now() - start
    });
    samples.min().expect("at least one sample")
}

/// The times that all ranks need for the same amount of work each, started together.
pub(crate) fn ceiling(bench: &RankBench, samples: usize) -> Result<(Vec<u64>, ElapsedFrom)> {
    let mut regions: Vec<RegionStamps> = Vec::with_capacity(samples + 1);
    // One sample more than is kept: the first one wakes the cores up.
    for _ in 0..=samples {
        bench.common_start()?.wait();
        let start = clock::now();
        black_box(spin(CEILING_STEPS));
        let end = clock::now();
        regions.push(bench.stamps(start, end)?);
    }
    bench.compare_clocks()?;
    let (mut spans, elapsed_from) = sample::spans(&bench.clock, &[regions[1..].iter().collect()]);
    Ok((spans.remove(0).into_iter().map(|span| span.elapsed_ns).collect(), elapsed_from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_steps_take_more_time() {
        // The shortest of some: a rank that loses its core during a sample does not measure the work.
        let time = |steps| {
            let once = || {
                let start = clock::now();
                black_box(spin(steps));
                clock::now() - start
            };
            (0..SENTINEL_SAMPLES).map(|_| once()).min().expect("at least one sample")
        };
        let (few, many) = (time(SENTINEL_STEPS), time(20 * SENTINEL_STEPS));
        assert!(many > 4 * few, "{few} ns for some work, {many} ns for twenty times as much");
    }
}
