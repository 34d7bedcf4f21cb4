//! The history of a student's measurements: a point for each commit that was measured.

use std::collections::BTreeMap;

use wb_course::{Evidence, HistoryPoint, PerformanceEvidence};

/// Adds the measurement of the evidence to the history of its student, if it is not there yet. Returns whether it was added.
///
/// Evidence without a commit or without a speed-up adds nothing. A commit that was measured again keeps its first point, so that the
/// history does not depend on how often the scoreboard was made.
pub fn add_measurement(history: &mut BTreeMap<String, Vec<HistoryPoint>>, evidence: &Evidence) -> bool {
    let (Some(submission), PerformanceEvidence::Scaling(scaling)) =
        (&evidence.submission, &evidence.performance)
    else {
        return false;
    };
    let points = history.entry(evidence.login.clone()).or_default();
    let is_same = |point: &HistoryPoint| {
        (point.assignment, &point.commit) == (evidence.assignment, &submission.changed_in)
    };
    if points.iter().any(is_same) {
        return false;
    }
    points.push(HistoryPoint {
        assignment: evidence.assignment,
        commit: submission.changed_in.clone(),
        at: submission.changed_at,
        speedup: Some(scaling.speedup),
        efficiency: Some(scaling.efficiency),
    });
    points.sort_by_key(|point| (point.assignment, point.at));
    true
}

#[cfg(test)]
mod tests {
    use wb_course::PerformanceGap;

    use super::*;

    #[test]
    fn a_commit_is_added_once_and_points_are_in_the_order_of_time() {
        let mut history = BTreeMap::new();
        let mut evidence = Evidence::example();
        assert!(add_measurement(&mut history, &evidence));
        assert!(!add_measurement(&mut history, &evidence), "the same commit");
        let submission = evidence.submission.as_mut().expect("a submission");
        submission.changed_in = "f".repeat(40);
        submission.changed_at = "2027-04-01T00:00:00Z".parse().expect("a moment");
        assert!(add_measurement(&mut history, &evidence));
        let points = &history[&evidence.login];
        assert_eq!(points.len(), 2);
        assert!(points[0].at < points[1].at && points[0].commit.starts_with('f'));
        evidence.assignment += 1;
        assert!(add_measurement(&mut history, &evidence), "another assignment in the same commit");
    }

    #[test]
    fn evidence_without_a_commit_or_a_speed_up_adds_nothing() {
        let mut history = BTreeMap::new();
        let unmerged = Evidence { submission: None, ..Evidence::example() };
        let gap = PerformanceEvidence::missing(PerformanceGap::NotMeasured);
        let unmeasured = Evidence { performance: gap, ..Evidence::example() };
        assert!(!add_measurement(&mut history, &unmerged) && !add_measurement(&mut history, &unmeasured));
        assert!(history.is_empty());
    }
}
