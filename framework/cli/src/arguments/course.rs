//! The arguments of `cargo wb course`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use jiff::Timestamp;
use wb_messages::{course as text, enrolment};

use super::help::localized;

/// The commands on the whole course.
#[derive(Debug, Subcommand)]
pub(crate) enum CourseCommand {
    #[command(about = localized(enrolment::about_check))]
    Check,
    #[command(about = localized(enrolment::about_assign))]
    Assign(AssignArgs),
    #[command(about = localized(text::about_scoreboard))]
    Scoreboard(ScoreboardArgs),
}

#[derive(Debug, Args)]
pub(crate) struct AssignArgs {
    #[arg(long, value_name = "LOGIN", help = localized(enrolment::help_explain))]
    pub(crate) explain: Option<String>,
    #[arg(long, value_name = "FILE", help = localized(enrolment::help_page))]
    pub(crate) page: Option<PathBuf>,
    #[arg(long, help = localized(enrolment::help_dry_run))]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ScoreboardArgs {
    #[arg(long, value_name = "FILE", default_value = "grades/grades.json", help = localized(text::help_grades))]
    pub(crate) grades: PathBuf,
    #[arg(long, conflicts_with = "private", help = localized(text::help_public))]
    pub(crate) public: bool,
    #[arg(long, help = localized(text::help_private))]
    pub(crate) private: bool,
    #[arg(long, value_name = "DIR", default_value = "scoreboard", help = localized(text::help_scoreboard_out))]
    pub(crate) out: PathBuf,
    #[arg(long, value_name = "MOMENT", value_parser = moment, help = localized(text::help_scoreboard_at))]
    pub(crate) at: Option<Timestamp>,
}

fn moment(value: &str) -> Result<Timestamp, String> {
    value.parse().map_err(|_| localized(text::not_a_moment))
}
