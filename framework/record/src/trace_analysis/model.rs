//! The costs of a message: latency and bandwidth, estimated from the messages of a trace.
use std::collections::BTreeMap;

use crate::trace_analysis::{Matching, Timeline};

/// A message of m bytes costs `latency_ns + m * ns_per_byte` (Hockney, 1994).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HockneyModel {
    /// The cost of an empty message.
    pub latency_ns: f64,
    /// The cost of each byte.
    pub ns_per_byte: f64,
}

impl HockneyModel {
    /// The line through the fastest message of each size: slower messages were disturbed, and a disturbance is not a cost of a
    /// message. `None` where all messages have one size, since one point determines no line.
    pub fn from_matching(timeline: &Timeline<'_>, matching: &Matching) -> Option<Self> {
        let mut fastest: BTreeMap<u64, u64> = BTreeMap::new();
        for message in matching.messages.iter().filter(|message| message.tag.is_some()) {
            let received = timeline.event(message.received);
            let both = received.begin_ns.max(timeline.event(message.send).begin_ns);
            let cost = received.end_ns.saturating_sub(both);
            let best = fastest.entry(message.bytes).or_insert(cost);
            *best = cost.min(*best);
        }
        let points: Vec<(f64, f64)> = fastest.into_iter().map(|(m, t)| (m as f64, t as f64)).collect();
        fit_line(&points)
    }

    /// The share of latency in the cost of these messages; 0 where both latency and bytes are free.
    pub fn latency_share(&self, bytes: u64, messages: u64) -> f64 {
        let latency = messages as f64 * self.latency_ns;
        let whole = latency + bytes as f64 * self.ns_per_byte;
        if whole > 0.0 { latency / whole } else { 0.0 }
    }

    /// Bytes a second, where bytes cost anything.
    pub fn bandwidth(&self) -> Option<f64> {
        (self.ns_per_byte > 0.0).then(|| 1e9 / self.ns_per_byte)
    }
}

/// Least squares with both coefficients at least 0.
fn fit_line(points: &[(f64, f64)]) -> Option<HockneyModel> {
    if points.len() < 2 {
        return None;
    }
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let spread: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
    let slope = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>() / spread;
    let latency_ns = y - slope * x;
    if slope < 0.0 {
        return Some(HockneyModel { latency_ns: y, ns_per_byte: 0.0 });
    }
    if latency_ns < 0.0 {
        let through_nought =
            points.iter().map(|p| p.0 * p.1).sum::<f64>() / points.iter().map(|p| p.0 * p.0).sum::<f64>();
        return Some(HockneyModel { latency_ns: 0.0, ns_per_byte: through_nought });
    }
    Some(HockneyModel { latency_ns, ns_per_byte: slope })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_and_never_costs_less_than_nothing() {
        let exact = fit_line(&[(0.0, 1000.0), (1000.0, 1500.0), (4000.0, 3000.0)]).expect("three sizes");
        assert!((exact.latency_ns - 1000.0).abs() < 1e-6 && (exact.ns_per_byte - 0.5).abs() < 1e-9);
        let falling = fit_line(&[(0.0, 20.0), (100.0, 10.0)]).expect("two sizes");
        assert_eq!(falling, HockneyModel { latency_ns: 15.0, ns_per_byte: 0.0 });
        let steep = fit_line(&[(10.0, 1.0), (20.0, 12.0)]).expect("two sizes");
        assert!(steep.latency_ns == 0.0 && (steep.ns_per_byte - 0.5).abs() < 1e-9);
        assert_eq!(fit_line(&[(8.0, 100.0)]), None);
    }

    #[test]
    fn latency_has_its_share() {
        let model = HockneyModel { latency_ns: 100.0, ns_per_byte: 1.0 };
        assert!((model.latency_share(100, 1) - 0.5).abs() < 1e-12);
        assert!((model.latency_share(0, 3) - 1.0).abs() < 1e-12);
        assert!(model.latency_share(0, 0).abs() < 1e-12);
    }
}
