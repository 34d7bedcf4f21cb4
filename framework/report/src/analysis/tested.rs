//! Of which sources the functional verdicts are, and from when.

use wb_record::Record;

/// The run of the functional tests.
pub(crate) struct TestRunInfo<'r> {
    /// When its last test ended.
    pub(crate) ended_at: &'r str,
    /// The commit of the sources, if it is known.
    pub(crate) commit: Option<&'r str>,
    /// Whether the sources differed from it.
    pub(crate) is_dirty: bool,
    /// Whether what was measured is of the same commit.
    pub(crate) is_of_measured: bool,
}

impl<'r> TestRunInfo<'r> {
    /// The information from the records of one run, beside the record of the measurements; `None` without records.
    pub(super) fn from_records(tested: &[&'r Record], measured: &Record) -> Option<Self> {
        let last = tested.last()?;
        let build = &last.environment.build;
        Some(Self {
            ended_at: &last.at,
            commit: build.commit.as_deref(),
            is_dirty: build.dirty == Some(true),
            is_of_measured: build.commit == measured.environment.build.commit,
        })
    }
}
