//! A piecewise linear curve through measured points that never falls: its breaks and their number.
//!
//! For each number of segments, dynamic programming over their ends finds the curve with the least sum of squares of
//! relative errors; more segments must justify their parameters (Bayesian information criterion: Schwarz 1978). A
//! segment begins at or above the end of the one before it, so the best prefix is not always that of the best whole
//! curve; the resulting curves are monotone all the same.
use std::ops::Range;

/// The fewest points of a segment: fewer do not determine a slope.
const MIN_POINTS: usize = 2;

/// The least relative error that is assumed: times are whole nanoseconds, and no measurement is more exact.
const MIN_RELATIVE_ERROR: f64 = 0.002;

/// Its beginning, its value there and the cost of a byte.
const PARAMETERS_PER_SEGMENT: f64 = 3.0;

/// A segment from `from` bytes until the next one begins: `at` nanoseconds, and `slope` for each further byte.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CurveSegment {
    pub(super) from: usize,
    pub(super) at: f64,
    pub(super) slope: f64,
}

impl CurveSegment {
    pub(super) fn value(&self, bytes: usize) -> f64 {
        self.at + self.slope * (bytes - self.from) as f64
    }
}

/// The curve through `points`, nanoseconds by bytes, ascending in bytes; with at most `most` segments.
pub(super) fn fit_curve(points: &[(usize, f64)], most: usize) -> Vec<CurveSegment> {
    let mut ends: Vec<Option<Prefix>> =
        (0..=points.len()).map(|end| Prefix::default().extended(points, 0..end)).collect();
    let mut curves = vec![];
    for _ in 0..most {
        curves.extend(ends[points.len()].clone());
        let with_one_more = |end: usize| {
            let starts = MIN_POINTS..=end.checked_sub(MIN_POINTS)?;
            let longer = starts.filter_map(|start| ends[start].as_ref()?.extended(points, start..end));
            longer.min_by(|one, other| one.error.total_cmp(&other.error))
        };
        ends = (0..=points.len()).map(with_one_more).collect();
    }
    let worth = |prefix: &Prefix| prefix.criterion(points.len() as f64);
    let best = curves.into_iter().min_by(|one, other| worth(one).total_cmp(&worth(other)));
    best.map(|prefix| prefix.segments).unwrap_or_default()
}

/// A curve through the first points.
#[derive(Clone, Debug, Default)]
struct Prefix {
    segments: Vec<CurveSegment>,
    error: f64,
}

impl Prefix {
    /// The curve with one more segment through these points; `None` if they are too few.
    fn extended(&self, points: &[(usize, f64)], range: Range<usize>) -> Option<Self> {
        let from = range.start.checked_sub(1).map_or(0, |last| points[last].0 + 1);
        let points = &points[range];
        if points.len() < MIN_POINTS {
            return None;
        }
        let segment = fit_line(points, from, self.segments.last().map_or(0.0, |last| last.value(from)));
        let error = |(bytes, time): &(usize, f64)| (segment.value(*bytes) / time - 1.0).powi(2);
        let misfit = self.error + points.iter().map(error).sum::<f64>();
        let segments = self.segments.iter().copied().chain([segment]).collect();
        Some(Self { segments, error: misfit })
    }

    /// The Bayesian information criterion; less is better.
    fn criterion(&self, points: f64) -> f64 {
        let error = self.error / points + MIN_RELATIVE_ERROR.powi(2);
        points * error.ln() + PARAMETERS_PER_SEGMENT * self.segments.len() as f64 * points.ln()
    }
}

/// The line from `from` on that fits best and neither falls nor begins below `floor`: least squares of errors relative
/// to the times.
pub(super) fn fit_line(points: &[(usize, f64)], from: usize, floor: f64) -> CurveSegment {
    let terms = points.iter().map(|(bytes, time)| {
        let weight = 1.0 / time;
        [weight, (bytes - from) as f64 * weight, (time - floor) * weight]
    });
    let [mut aa, mut bb, mut ab, mut at, mut bt] = [0.0; 5];
    for [one, byte, time] in terms {
        aa += one * one;
        bb += byte * byte;
        ab += one * byte;
        at += one * time;
        bt += byte * time;
    }
    let alone = |product: f64, square: f64| if square > 0.0 { (product / square).max(0.0) } else { 0.0 };
    let determinant = aa * bb - ab * ab;
    let (above, slope) = if determinant <= f64::EPSILON * aa * bb {
        (alone(at, aa), 0.0)
    } else {
        let (above, slope) = ((at * bb - bt * ab) / determinant, (bt * aa - at * ab) / determinant);
        match (above < 0.0, slope < 0.0) {
            (false, false) => (above, slope),
            (true, _) => (0.0, alone(bt, bb)),
            (false, true) => (alone(at, aa), 0.0),
        }
    };
    CurveSegment { from, at: floor + above, slope }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes() -> impl Iterator<Item = usize> {
        (0..20).flat_map(|power| [1 << power, 3 << power]).filter(|bytes| *bytes > 4)
    }

    #[test]
    fn breaks_are_found_where_they_are() {
        let value = |bytes: usize| match bytes {
            0..=1024 => 500.0 + bytes as f64,
            1025..=65_536 => 2000.0 + 0.25 * bytes as f64,
            _ => 30_000.0 + 0.5 * (bytes as f64 - 65_536.0),
        };
        let points: Vec<_> = sizes().map(|bytes| (bytes, value(bytes))).collect();
        let mut points = points;
        points.sort_by_key(|point| point.0);
        let found = fit_curve(&points, 6);
        assert_eq!(found.iter().map(|segment| segment.from).collect::<Vec<_>>(), [0, 1025, 65_537]);
        assert!(
            found.iter().all(|segment| (segment.at / value(segment.from) - 1.0).abs() < 0.01),
            "{found:?}"
        );
        // For comparison: the curve of one segment has large errors.
        let worst = |curve: &[CurveSegment]| {
            let of = |bytes| {
                curve.iter().rev().find(|segment| segment.from <= bytes).expect("the first begins at 0")
            };
            points
                .iter()
                .map(|(bytes, time)| (of(*bytes).value(*bytes) / time - 1.0).abs())
                .fold(0.0, f64::max)
        };
        assert!(worst(&found) < 0.001 && worst(&fit_curve(&points, 1)) > 0.2);
    }

    #[test]
    fn a_straight_line_with_noise_is_one_segment() {
        let mut points: Vec<_> = sizes().map(|bytes| (bytes, 400.0 + 0.3 * bytes as f64)).collect();
        points.sort_by_key(|point| point.0);
        for (number, point) in points.iter_mut().enumerate() {
            point.1 *= [1.02, 0.99, 0.98, 1.01, 1.03, 0.97, 1.0][number % 7];
        }
        assert_eq!(fit_curve(&points, 6).len(), 1);
    }

    #[test]
    fn a_curve_never_falls() {
        let points: Vec<_> =
            sizes().enumerate().map(|(at, bytes)| (bytes, [900.0, 300.0, 700.0][at % 3])).collect();
        let mut points = points;
        points.sort_by_key(|point| point.0);
        let found = fit_curve(&points, 6);
        assert!(found.iter().all(|segment| segment.slope >= 0.0));
        assert!(found.windows(2).all(|two| two[0].value(two[1].from) <= two[1].at), "{found:?}");
    }
}
