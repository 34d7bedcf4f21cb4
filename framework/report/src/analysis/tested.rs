//! Of which sources the functional verdicts are, and from when.

use wb_record::Record;

/// The run of the functional tests.
pub(crate) struct Tested<'r> {
    /// When its last test ended.
    pub(crate) at: &'r str,
    /// The commit of the sources, if it is known.
    pub(crate) commit: Option<&'r str>,
    /// Whether the sources differed from it.
    pub(crate) is_dirty: bool,
    /// Whether what was measured is of the same commit.
    pub(crate) is_of_measured: bool,
}

impl<'r> Tested<'r> {
    /// Of the records of one run, beside the record that stands for the measurements; `None` without records.
    pub(super) fn of(tested: &[&'r Record], measured: &Record) -> Option<Self> {
        let last = tested.last()?;
        let build = &last.environment.build;
        Some(Self {
            at: &last.at,
            commit: build.commit.as_deref(),
            is_dirty: build.dirty == Some(true),
            is_of_measured: build.commit == measured.environment.build.commit,
        })
    }
}
