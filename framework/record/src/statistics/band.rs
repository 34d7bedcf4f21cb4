//! The share of the points for an efficiency with its interval.

use serde::{Deserialize, Serialize};

use crate::statistics::Estimate;

/// One row of the course's efficiency table: from `least_efficiency` on, `share` of the points. Records store it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EfficiencyBand {
    /// Lower edge, included: 0.45 for 45 %.
    pub least_efficiency: f64,
    /// Share of the performance points: 0.9 for 90 %.
    pub share: f64,
}

/// The share of the points that an efficiency earns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grade {
    /// Share of the points, 0..=1.
    pub share: f64,
    /// Whether the whole interval lies in one band. If not, more launches are needed, `share` is the better band's, and
    /// the report marks it with "±".
    pub is_certain: bool,
}

/// Grades an efficiency. Below all bands the share is 0; without an interval nothing is certain.
pub fn grade(bands: &[EfficiencyBand], efficiency: &Estimate) -> Grade {
    match efficiency.interval {
        None => Grade { share: share(bands, efficiency.value), is_certain: false },
        Some(interval) => {
            let (worst, best) = (share(bands, interval.lo), share(bands, interval.hi));
            Grade { share: best, is_certain: worst == best }
        }
    }
}

fn share(bands: &[EfficiencyBand], efficiency: f64) -> f64 {
    let reached = bands.iter().filter(|band| efficiency >= band.least_efficiency);
    reached.max_by(|a, b| a.least_efficiency.total_cmp(&b.least_efficiency)).map_or(0.0, |band| band.share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Interval;

    const BANDS: [EfficiencyBand; 3] = [
        EfficiencyBand { least_efficiency: 0.50, share: 1.0 },
        EfficiencyBand { least_efficiency: 0.45, share: 0.9 },
        EfficiencyBand { least_efficiency: 0.42, share: 0.8 },
    ];

    fn graded(value: f64, lo: f64, hi: f64) -> Grade {
        grade(&BANDS, &Estimate { value, interval: Some(Interval { lo, hi }) })
    }

    #[test]
    fn an_interval_inside_one_band_is_final() {
        assert_eq!(graded(0.47, 0.45, 0.499), Grade { share: 0.9, is_certain: true });
        assert_eq!(graded(0.9, 0.8, 1.1), Grade { share: 1.0, is_certain: true });
        assert_eq!(graded(0.1, 0.0, 0.2), Grade { share: 0.0, is_certain: true });
    }

    #[test]
    fn a_straddling_interval_earns_the_better_band_and_says_so() {
        assert_eq!(graded(0.449, 0.44, 0.46), Grade { share: 0.9, is_certain: false });
        assert_eq!(graded(0.41, 0.40, 0.42), Grade { share: 0.8, is_certain: false });
    }

    #[test]
    fn without_an_interval_nothing_is_certain() {
        let bare = Estimate { value: 0.9, interval: None };
        assert_eq!(grade(&BANDS, &bare), Grade { share: 1.0, is_certain: false });
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter() {
        let reversed: Vec<EfficiencyBand> = BANDS.into_iter().rev().collect();
        let e = Estimate { value: 0.46, interval: Some(Interval { lo: 0.455, hi: 0.47 }) };
        assert_eq!(grade(&reversed, &e), grade(&BANDS, &e));
    }
}
