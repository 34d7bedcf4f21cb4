//! Do two orders agree? Kendall's tau: the share of pairs in the same order, less that of pairs in the opposite one.
//!
//! For a choice among algorithms the order is what matters, and it is sturdier than any error of a prediction.

/// Kendall's tau-b of pairs of values (M. Kendall, Biometrika 33, 1945): 1 for the same order, -1 for the opposite, about 0
/// for none; pairs that tie on one side count half. `None` where one side does not vary at all.
///
/// ```
/// use wb_record::statistics::kendall_tau;
/// assert_eq!(kendall_tau(&[(1.0, 10.0), (2.0, 20.0), (3.0, 30.0)]), Some(1.0));
/// assert_eq!(kendall_tau(&[(1.0, 30.0), (2.0, 20.0), (3.0, 10.0)]), Some(-1.0));
/// assert_eq!(kendall_tau(&[(1.0, 1.0), (1.0, 2.0)]), None);
/// ```
pub fn kendall_tau(pairs: &[(f64, f64)]) -> Option<f64> {
    let (mut agreement, mut left, mut right) = (0.0, 0.0, 0.0);
    for (at, one) in pairs.iter().enumerate() {
        for other in &pairs[at + 1..] {
            let (x, y) = (sign(one.0 - other.0), sign(one.1 - other.1));
            agreement += x * y;
            left += x * x;
            right += y * y;
        }
    }
    let scale = f64::sqrt(left * right);
    (scale > 0.0).then(|| agreement / scale)
}

fn sign(difference: f64) -> f64 {
    if difference == 0.0 { 0.0 } else { difference.signum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_and_disorder_lower_it() {
        let one_swap = [(1.0, 1.0), (2.0, 3.0), (3.0, 2.0), (4.0, 4.0)];
        assert_eq!(kendall_tau(&one_swap), Some(4.0 / 6.0));
        let tie = [(1.0, 1.0), (2.0, 1.0), (3.0, 2.0)];
        assert_eq!(kendall_tau(&tie), Some(2.0 / f64::sqrt(6.0)));
        assert_eq!(kendall_tau(&[]), None);
    }
}
