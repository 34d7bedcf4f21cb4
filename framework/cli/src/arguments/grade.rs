//! The arguments of `cargo wb grade`.

use std::{error, fmt, path::PathBuf};

use clap::Args;
use wb_config::CourseDate;
use wb_messages::{grade as text, judge};

use super::help::localized;

#[derive(Debug, Args)]
pub(crate) struct GradeArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK", conflicts_with_all = ["group", "all"], help = localized(text::help_task))]
    pub(crate) task: Option<String>,
    #[arg(long, value_name = "GROUP", conflicts_with = "all", help = localized(text::help_group))]
    pub(crate) group: Option<String>,
    #[arg(long, help = localized(text::help_all))]
    pub(crate) all: bool,
    #[arg(long, value_name = "DATE", value_parser = date, help = localized(text::help_at))]
    pub(crate) at: Option<CourseDate>,
    #[arg(long, conflicts_with_all = ["group", "all", "from_evidence"], help = localized(text::help_dry_run))]
    pub(crate) dry_run: bool,
    #[arg(long, conflicts_with = "from_evidence", help = localized(text::help_collect))]
    pub(crate) collect: bool,
    #[arg(long, conflicts_with_all = ["task", "dry_run", "from_evidence", "measure"], help = localized(text::help_changed))]
    pub(crate) changed: bool,
    #[arg(long, help = localized(text::help_from_evidence))]
    pub(crate) from_evidence: bool,
    #[arg(long, conflicts_with = "from_evidence", help = localized(text::help_measure))]
    pub(crate) measure: bool,
    #[arg(long, conflicts_with_all = ["from_evidence", "measure"], help = localized(text::help_judge))]
    pub(crate) judge: bool,
    #[arg(long, conflicts_with = "from_evidence", help = localized(judge::help_sandbox))]
    pub(crate) sandbox: bool,
    #[arg(long, requires = "judge", value_name = "DIR", help = localized(judge::help_private))]
    pub(crate) private: Option<PathBuf>,
    #[arg(long, value_name = "BRANCH", help = localized(text::help_main))]
    pub(crate) main: Option<String>,
}

/// A text that is neither a day nor a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InvalidDate;

impl fmt::Display for InvalidDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a date")
    }
}

impl error::Error for InvalidDate {}

fn date(value: &str) -> Result<CourseDate, InvalidDate> {
    CourseDate::parse(value).ok_or(InvalidDate)
}
