//! A recording that was full on one rank is told as far as it is whole on all of them.
//!
//! After its log was full a rank's time would look like computing, and its partners would wait for calls that nobody wrote
//! down. So all lanes end where the first log was full.
use std::borrow::Cow;

use wb_record::RankTrace;

/// The lanes as far as all of them are whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Truncation<'a> {
    /// The lanes.
    pub ranks: Cow<'a, [RankTrace]>,
    /// Since when calls are missing, if any are.
    pub missing_since: Option<u64>,
    /// Calls that are not in the lanes: those that were not written down, and those that came after the cut.
    pub missing_calls: u64,
}

/// Cuts the lanes where the first log was full.
pub fn truncate(lanes: &[RankTrace]) -> Truncation<'_> {
    let full = lanes.iter().filter(|lane| lane.left_out > 0);
    let ends = full.map(|lane| lane.events.last().map_or(lane.begin_ns, |event| event.end_ns));
    let Some(from) = ends.min() else {
        return Truncation { ranks: Cow::Borrowed(lanes), missing_since: None, missing_calls: 0 };
    };
    let mut left_out = lanes.iter().map(|lane| lane.left_out).sum();
    let cut = |lane: &RankTrace| {
        let mut lane = lane.clone();
        let kept = lane.events.partition_point(|event| event.end_ns <= from);
        left_out += (lane.events.len() - kept) as u64;
        // A call that the cut goes through is left out, and the lane ends where it was entered.
        let entered = lane.events.get(kept).map_or(from, |event| event.begin_ns.min(from));
        lane.events.truncate(kept);
        lane.begin_ns = lane.begin_ns.min(from);
        lane.end_ns = lane.end_ns.min(entered).max(lane.begin_ns);
        lane.stages.retain(|stage| stage.begin_ns <= from);
        lane
    };
    let lanes = Cow::Owned(lanes.iter().map(cut).collect());
    Truncation { ranks: lanes, missing_since: Some(from), missing_calls: left_out }
}
