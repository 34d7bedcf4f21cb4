//! Random times that are the same on every computer: whole numbers, drawn by comparisons alone.
//!
//! Source of the draw: J. von Neumann, Various techniques used in connection with random digits, 1951.
use oorandom::Rand32;

/// An independent seed for each rank: streams of neighbouring seeds would be similar (the finisher of SplitMix64,
/// Steele, Lea, Flood, OOPSLA 2014).
pub(crate) fn rank_seed(seed: u64, rank: u64) -> u64 {
    let mut mixed = seed.wrapping_add((rank + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Exponential with this mean, rounded down, by comparisons of uniform numbers: the length of the run in which each is
/// less than the one before is odd with exactly the required probability.
pub(crate) fn exponential(mean: u64, random: &mut Rand32) -> u64 {
    let mut whole = 0;
    loop {
        let first = random.rand_u32();
        if decreasing_run(first, random) % 2 == 1 {
            let drawn = u128::from(mean) * ((whole << 32) | u128::from(first));
            return u64::try_from(drawn >> 32).unwrap_or(u64::MAX);
        }
        whole += 1;
    }
}

/// The number of numbers in a row, from `first` on, that are each less than the one before.
fn decreasing_run(first: u32, random: &mut Rand32) -> usize {
    let (mut last, mut length) = (first, 1);
    loop {
        let next = random.rand_u32();
        if next >= last {
            return length;
        }
        (last, length) = (next, length + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exponential() {
        let (mut random, mean, count) = (Rand32::new(7), 1000, 100_000);
        let drawn: Vec<u64> = (0..count).map(|_| exponential(mean, &mut random)).collect();
        let average = drawn.iter().sum::<u64>() as f64 / f64::from(count);
        let above =
            |limit: u64| drawn.iter().filter(|time| **time >= limit).count() as f64 / f64::from(count);
        assert!((average / 1000.0 - 1.0).abs() < 0.02, "{average}");
        for (times, share) in [(1, (-1.0_f64).exp()), (2, (-2.0_f64).exp()), (3, (-3.0_f64).exp())] {
            assert!((above(times * mean) / share - 1.0).abs() < 0.05, "{times}: {}", above(times * mean));
        }
    }
}
