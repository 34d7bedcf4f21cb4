//! The records around the measurements: the plan, a trace.
use wb_record::{EfficiencyBand, Environment, MeasuredWorkload, MeasurementPlan, RankTrace, Trace};

use super::request;
use crate::{job_spec::WorkloadRequest, settings::CampaignSettings};

/// The time of all records.
pub(super) const MEASURED_AT: &str = "2026-03-01T10:15:00Z";

/// The plan of the campaign, with points for two bands of efficiency.
pub(super) fn plan(settings: &CampaignSettings) -> MeasurementPlan {
    let bands = [(0.5, 1.0), (0.4, 0.7)];
    let bands = bands.map(|(least_efficiency, share)| EfficiencyBand { least_efficiency, share }).to_vec();
    MeasurementPlan {
        bands,
        least_repetition_ns: 1_000_000,
        performance_points: Some(10.0),
        ..settings.plan.clone()
    }
}

/// The trace of one run of the version.
pub(super) fn trace(
    settings: &CampaignSettings,
    environment: &Environment,
    rank_traces: Vec<RankTrace>,
) -> Trace {
    let WorkloadRequest { name, size, .. } = request();
    let workload = MeasuredWorkload { name, size: size as u64, unit: String::new() };
    Trace::new(MEASURED_AT, settings.subject.clone(), environment.clone(), workload, rank_traces)
}
