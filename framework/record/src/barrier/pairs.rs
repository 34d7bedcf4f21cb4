//! Visits of two forms that belong together: the machine was in the same state for both.
//!
//! A pair is a visit of the form that was visited less often, and the visit of the other that began nearest to it. Records
//! from before visits had starts have one visit a round, and the two of one round are a pair.
use super::BarrierSamples;
use crate::statistics::{Estimate, paired_ratio};

impl BarrierSamples {
    /// How many times longer an episode of `above` takes than one of `below`: the median over the pairs of all launches.
    ///
    /// Both must be of one job: visits of different jobs have nothing in common. `None` without pairs.
    pub fn ratio(above: &[Self], below: &[Self]) -> Option<Estimate> {
        let launches: Vec<_> = above.iter().zip(below).map(|(above, below)| pairs(above, below)).collect();
        paired_ratio(&launches)
    }
}

/// The pairs of one launch, in nanoseconds an episode.
fn pairs(above: &BarrierSamples, below: &BarrierSamples) -> Vec<(f64, f64)> {
    let times = |samples: &BarrierSamples| samples.episode_ns().collect::<Vec<f64>>();
    let (a, b) = (times(above), times(below));
    let of = |(i, j): (usize, usize)| (a[i], b[j]);
    let have_starts = |samples: &BarrierSamples| samples.starts_ns.len() == samples.batches_ns.len();
    if !have_starts(above) || !have_starts(below) {
        let by_round = (0..a.len()).map(|round| (round, round)).map(of);
        return if a.len() == b.len() { by_round.collect() } else { vec![] };
    }
    match a.len() <= b.len() {
        true => neighbours(&above.starts_ns, &below.starts_ns).map(of).collect(),
        false => neighbours(&below.starts_ns, &above.starts_ns).map(|(j, i)| of((i, j))).collect(),
    }
}

/// Each of the first, with the one of the second that is nearest in time.
fn neighbours<'a>(first: &'a [u64], second: &'a [u64]) -> impl Iterator<Item = (usize, usize)> + 'a {
    first.iter().enumerate().filter_map(|(index, &at)| {
        let nearest = (0..second.len()).min_by_key(|&other| second[other].abs_diff(at));
        nearest.map(|nearest| (index, nearest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Visits of one episode each: when, and how long.
    fn samples(visits: &[(u64, u64)]) -> BarrierSamples {
        BarrierSamples {
            episodes: 1,
            starts_ns: visits.iter().map(|visit| visit.0).collect(),
            batches_ns: visits.iter().map(|visit| visit.1).collect(),
            ..BarrierSamples::default()
        }
    }

    /// The machine is slow from 1000 to 2000; the measure is visited twice as often.
    fn drifting() -> (BarrierSamples, BarrierSamples) {
        let measure = samples(&[(0, 10), (500, 10), (1000, 70), (1500, 70), (2000, 10), (2500, 10)]);
        (measure, samples(&[(1010, 140), (1490, 140), (2010, 20)]))
    }

    #[test]
    fn the_nearest_visits_are_pairs_whoever_is_above() {
        let (measure, own) = drifting();
        assert_eq!(pairs(&own, &measure), [(140.0, 70.0), (140.0, 70.0), (20.0, 10.0)]);
        assert_eq!(pairs(&measure, &own), [(70.0, 140.0), (70.0, 140.0), (10.0, 20.0)]);
        let ratio = BarrierSamples::ratio(&[own.clone(), own], &[measure.clone(), measure]).expect("pairs");
        assert!(
            (ratio.value - 2.0).abs() < 1e-12 && ratio.interval.is_some_and(|i| i.half_width() < 1e-9),
            "{ratio:?}"
        );
    }

    /// The canary: by the medians of the same visits it is fourteen times as slow, not twice.
    #[test]
    fn medians_over_the_launch_would_lie() {
        let (measure, own) = drifting();
        let times = |samples: &BarrierSamples| vec![samples.episode_ns().collect::<Vec<_>>()];
        let lie = crate::statistics::ratio_of_medians(&times(&own), &times(&measure)).expect("samples");
        assert!(lie.value > 10.0, "{lie:?}");
    }

    #[test]
    fn without_starts_the_rounds_are_the_pairs() {
        let old = |batches: &[u64]| BarrierSamples {
            episodes: 1,
            batches_ns: batches.into(),
            ..BarrierSamples::default()
        };
        assert_eq!(pairs(&old(&[4, 9]), &old(&[2, 3])), [(4.0, 2.0), (9.0, 3.0)]);
        assert!(pairs(&old(&[4, 9]), &old(&[2])).is_empty(), "rounds of different jobs");
    }
}
