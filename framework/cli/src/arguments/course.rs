//! The arguments of `cargo wb course`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use wb_messages::{course as text, enrolment};
use wb_report::demo::DEMO_STUDENTS_MAX;

use super::{help::localized, numbers::whole};

/// The commands on the whole course.
#[derive(Debug, Subcommand)]
pub(crate) enum CourseCommand {
    #[command(about = localized(enrolment::about_check))]
    Check,
    #[command(about = localized(enrolment::about_assign))]
    Assign(AssignArgs),
    #[command(about = localized(text::about_demo))]
    Demo(DemoArgs),
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
pub(crate) struct DemoArgs {
    #[arg(value_name = "OUT", help = localized(text::help_demo_out))]
    pub(crate) out: PathBuf,
    #[arg(long, value_name = "N", default_value = "150", value_parser = whole(1_u16, DEMO_STUDENTS_MAX), help = localized(text::help_demo_students))]
    pub(crate) students: u16,
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole(0_u64, u64::MAX), help = localized(text::help_demo_seed))]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct ScoreboardArgs {
    #[arg(long, value_name = "FILE", default_value = "grades/grades.json", help = localized(text::help_grades))]
    pub(crate) grades: PathBuf,
    #[arg(long, conflicts_with = "private", help = localized(text::help_public))]
    pub(crate) public: bool,
    #[arg(long, value_name = "FILE", conflicts_with_all = ["private", "out", "pseudonym"], help = localized(text::help_export))]
    pub(crate) export: Option<PathBuf>,
    #[arg(long, value_name = "FILE", conflicts_with_all = ["private", "grades", "export", "pseudonym"], help = localized(text::help_from))]
    pub(crate) from: Option<PathBuf>,
    #[arg(long, help = localized(text::help_private))]
    pub(crate) private: bool,
    #[arg(long, value_name = "DIR", default_value = "scoreboard", help = localized(text::help_scoreboard_out))]
    pub(crate) out: PathBuf,
    #[arg(long, value_name = "LOGIN", conflicts_with = "private", help = localized(text::help_pseudonym))]
    pub(crate) pseudonym: Option<String>,
}
