//! Pseudo-random numbers that depend on a seed only: Steele, Lea and Flood's `SplitMix64` (2014).
//!
//! Every rank and every process makes the same numbers from the same seed.
pub use crate::oracle_seed::oracle_seed;

/// Pseudo-random 64-bit numbers.
pub fn bits(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(state)
    })
}

/// Pseudo-random numbers from -1 to 1.
pub fn reals(seed: u64) -> impl Iterator<Item = f64> {
    // The upper 53 bits fill a double's fraction: first 0..2, then -1..1.
    bits(seed).map(|bits| (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
}

/// Pseudo-random whole numbers from `-bound` to `bound`.
pub fn integers(seed: u64, bound: u32) -> impl Iterator<Item = i32> {
    let span = 2 * u64::from(bound) + 1;
    bits(seed).map(move |bits| (bits % span) as i64 - i64::from(bound)).map(|number| number as i32)
}

/// The finaliser of the generator, which spreads every bit of a number over all bits.
pub fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_that_are_published() {
        // The reference program's output for the seed 1234567: <https://prng.di.unimi.it/splitmix64.c>.
        assert_eq!(
            bits(1_234_567).take(2).collect::<Vec<_>>(),
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]
        );
    }

    #[test]
    fn numbers_keep_to_their_range() {
        assert!(reals(1).take(1000).all(|number| (-1.0..=1.0).contains(&number)));
        let drawn: std::collections::BTreeSet<_> = integers(1, 2).take(1000).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [-2, -1, 0, 1, 2]);
    }
}
