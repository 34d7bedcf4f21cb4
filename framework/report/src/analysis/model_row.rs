//! One prediction of a model beside its measurement.

use wb_record::Version;

use super::Withheld;

/// One prediction beside its measurement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ModelRow {
    pub(crate) machine: String,
    pub(crate) version: Version,
    pub(crate) ranks: u32,
    /// `None` where nothing takes time in the model, because no computation is declared.
    pub(crate) time_ns: Option<f64>,
    /// Against the sequential version on the same model.
    pub(crate) speedup: Option<f64>,
    /// Parallel rows only.
    pub(crate) efficiency: Option<f64>,
    /// `T_model / T_measured - 1`, or why there is none.
    pub(crate) error: Result<f64, Unchecked>,
}

/// The reason why a prediction has no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unchecked {
    /// The output of the simulated run was wrong.
    Wrong,
    /// The simulated run takes no time.
    Timeless,
    /// There is no measurement.
    NotMeasured,
    /// There is a measurement, but it is not valid.
    Withheld(Withheld),
}
