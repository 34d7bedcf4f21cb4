//! Intervals contain the truth as often as they say, and keep their digits.

use oorandom::Rand64;

use crate::statistics::{Interval, ratio_of_medians};

/// A sample of the normal distribution, by the method of Box and Muller.
fn normal(random: &mut Rand64) -> f64 {
    let (radius, angle) = (1.0 - random.rand_float(), random.rand_float());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// Launches around `centre` that differ by 1 % of it, with repetitions that differ by half as much.
fn launches(centre: f64, random: &mut Rand64) -> Vec<Vec<f64>> {
    (0..20)
        .map(|_| {
            let launch = centre * (1.0 + 0.01 * normal(random));
            (0..4).map(|_| launch * (1.0 + 0.005 * normal(random))).collect()
        })
        .collect()
}

#[test]
fn the_interval_of_a_ratio_covers_the_truth_95_times_of_100() {
    const RUNS: usize = 250;
    let mut random = Rand64::new(1);
    let covers = |_: &usize| {
        let (above, below) = (launches(100.0, &mut random), launches(50.0, &mut random));
        let ratio = ratio_of_medians(&above, &below).expect("samples");
        ratio.interval.expect("enough launches").contains(2.0)
    };
    let covered = (0..RUNS).filter(covers).count() as f64 / RUNS as f64;
    // The seed is fixed, so is the share; three standard errors of it are 0.04.
    assert!((0.925..=0.985).contains(&covered), "{covered}");
}

#[test]
fn the_interval_of_a_ratio_keeps_its_digits() {
    // Whole numbers: their sums and halves are the same on every computer.
    let mut random = Rand64::new(7);
    let mut launches = |centre: u64| -> Vec<Vec<f64>> {
        (0..6).map(|_| (0..5).map(|_| (centre + random.rand_range(0..1000)) as f64).collect()).collect()
    };
    let (above, below) = (launches(20_000), launches(10_000));
    let ratio = ratio_of_medians(&above, &below).expect("samples");
    let Interval { lo, hi } = ratio.interval.expect("enough launches");
    assert_eq!((ratio.value, lo, hi), (1.9558963159893656, 1.9143144744490908, 2.0054180075290713));
}
