//! The predictions of a model for the measured series, and their errors.
//!
//! Predicted numbers are beside the measured ones and never among them: no grade is computed from them.

use std::collections::BTreeMap;

use wb_record::{
    ComputingCost, Measurement, Prediction, PredictionModel, Record, Version, statistics::efficiency,
};

use super::{Flag, ModelRow, ResultRow, Unchecked, Withheld, WorkloadGroup};

/// One machine, and the summary of its predictions.
pub(crate) struct ModelAnalysis<'r> {
    pub(crate) model: &'r PredictionModel,
    /// What computing cost; `None` without a single prediction.
    pub(crate) computing: Option<ComputingCost>,
    pub(crate) declared: DeclaredComputing,
    /// The error that is farthest from zero, with its rank count.
    pub(crate) worst: Option<(u32, f64)>,
    /// Parallel rank counts without a measurement to compare the prediction with.
    pub(crate) unchecked: Vec<u32>,
    /// Predictions that contradict themselves; they are not among the rows.
    pub(crate) contradictory: usize,
}

/// The versions that declare what they compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeclaredComputing {
    Both,
    ParallelOnly,
    SequentialOnly,
    Nothing,
}

/// Puts the predictions of every model among these records into the groups they belong to.
pub(super) fn attach_predictions<'r>(
    records: &[&'r Record],
    groups: &mut [WorkloadGroup],
    has_speedup: bool,
) -> Vec<ModelAnalysis<'r>> {
    let models = records.iter().filter_map(|record| match &record.measurement {
        Measurement::Model(model) => Some(model),
        _ => None,
    });
    let models: Vec<&PredictionModel> = models.collect();
    models.into_iter().map(|model| analyse_model(model, records, groups, has_speedup)).collect()
}

fn analyse_model<'r>(
    model: &'r PredictionModel,
    records: &[&'r Record],
    groups: &mut [WorkloadGroup],
    has_speedup: bool,
) -> ModelAnalysis<'r> {
    let of_model = records.iter().filter_map(|record| match &record.measurement {
        Measurement::Prediction(one) if one.machine == model.machine && one.faults.is_empty() => Some(one),
        _ => None,
    });
    let (sound, contradictory): (Vec<_>, Vec<_>) = of_model.partition(|one| is_consistent(one));
    let passes = median_passes(sound);
    let mut rows: Vec<ModelRow> = Vec::new();
    for group in groups {
        let of_group =
            |one: &&Prediction| one.series.workload == group.workload && one.series.mode == group.mode;
        let passes: Vec<&Prediction> = passes.iter().copied().filter(of_group).collect();
        let base = base(&passes).filter(|_| has_speedup);
        let added: Vec<ModelRow> = passes.iter().map(|one| row(one, base, group)).collect();
        rows.extend(added.iter().cloned());
        group.models.extend(added);
    }
    let parallel = || rows.iter().filter(|row| row.version == Version::Mpi);
    let errors = rows.iter().filter_map(|row| Some((row.ranks, row.error.ok()?)));
    let is_unchecked = |row: &&ModelRow| row.error.is_err() && row.time_ns.is_some();
    let mut unchecked: Vec<u32> = parallel().filter(is_unchecked).map(|row| row.ranks).collect();
    unchecked.sort_unstable();
    unchecked.dedup();
    ModelAnalysis {
        model,
        computing: passes.first().map(|one| one.computing),
        declared: declared(passes.iter().copied()),
        worst: errors.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())),
        unchecked,
        contradictory: contradictory.len(),
    }
}

/// No rank works longer than the whole run, and the sum over the ranks is not less than the largest.
fn is_consistent(one: &Prediction) -> bool {
    let together = one.worked_max_ns.saturating_mul(u64::from(one.series.ranks));
    let adds_up = (one.worked_max_ns..=together).contains(&one.worked_ns);
    adds_up && (one.computing == ComputingCost::Measured || one.worked_max_ns <= one.elapsed_ns)
}

fn row(one: &Prediction, base: Option<&Prediction>, group: &WorkloadGroup) -> ModelRow {
    let (speedup, efficiency) = speedup_and_efficiency(one, base);
    ModelRow {
        machine: one.machine.clone(),
        version: one.series.version,
        ranks: one.series.ranks,
        time_ns: Some(one.elapsed_ns as f64).filter(|ns| *ns > 0.0),
        speedup,
        efficiency,
        error: error(one, group.rows.iter().find(|row| row.series == one.series)),
    }
}

fn error(one: &Prediction, measured: Option<&ResultRow>) -> Result<f64, Unchecked> {
    if one.correct == Some(false) {
        return Err(Unchecked::Wrong);
    }
    if one.elapsed_ns == 0 {
        return Err(Unchecked::Timeless);
    }
    let row = measured.ok_or(Unchecked::NotMeasured)?;
    let time = row.time.ok_or(Unchecked::NotMeasured)?;
    for (flag, reason) in
        [(Flag::Incorrect, Withheld::Incorrect), (Flag::Oversubscribed, Withheld::Oversubscribed)]
    {
        if row.has(flag) {
            return Err(Unchecked::Withheld(reason));
        }
    }
    Ok(one.elapsed_ns as f64 / time.median.value - 1.0)
}

/// One pass of every series: of several the middle one by its time, since what computing took here differs each time.
pub(crate) fn median_passes<'p>(all: impl IntoIterator<Item = &'p Prediction>) -> Vec<&'p Prediction> {
    let mut passes: BTreeMap<_, Vec<&Prediction>> = BTreeMap::new();
    for one in all {
        passes.entry(&one.series).or_default().push(one);
    }
    let of_series = |mut same: Vec<&'p Prediction>| {
        same.sort_by_key(|one| one.elapsed_ns);
        same[(same.len() - 1) / 2]
    };
    passes.into_values().map(of_series).collect()
}

/// The best version on one rank of the same model, if the sequential one declares its computing and is right.
pub(crate) fn base<'p>(passes: &[&'p Prediction]) -> Option<&'p Prediction> {
    let right = || passes.iter().copied().filter(|one| has_computing(one) && one.correct != Some(false));
    right().find(|one| one.series.version != Version::Mpi)?;
    right().filter(|one| one.series.ranks == 1 && one.elapsed_ns > 0).min_by_key(|one| one.elapsed_ns)
}

/// The speedup over the base and the efficiency of a parallel version; `None` for a wrong result, and where no computation is
/// declared.
pub(crate) fn speedup_and_efficiency(
    one: &Prediction,
    base: Option<&Prediction>,
) -> (Option<f64>, Option<f64>) {
    let honest = has_computing(one) && one.elapsed_ns > 0 && one.correct != Some(false);
    let speedup = base.filter(|_| honest).map(|base| base.elapsed_ns as f64 / one.elapsed_ns as f64);
    let parallel = speedup.filter(|_| one.series.version == Version::Mpi);
    (speedup, parallel.map(|speedup| efficiency(speedup, one.series.ranks)))
}

/// Whether computing takes any time.
fn has_computing(one: &Prediction) -> bool {
    one.computing == ComputingCost::Measured || one.worked_ns > 0
}

/// The versions that declare what they compute.
pub(crate) fn declared<'p>(passes: impl Iterator<Item = &'p Prediction> + Clone) -> DeclaredComputing {
    let declares = |version| passes.clone().any(|one| one.series.version == version && one.worked_ns > 0);
    match (declares(Version::Seq), declares(Version::Mpi)) {
        (true, true) => DeclaredComputing::Both,
        (false, true) => DeclaredComputing::ParallelOnly,
        (true, false) => DeclaredComputing::SequentialOnly,
        (false, false) => DeclaredComputing::Nothing,
    }
}
