//! The arguments of `cargo wb summary`.
use std::path::PathBuf;

use clap::Args;
use wb_messages::{change as text, cli, judge};

use super::{BackendArgument, help::localized};

#[derive(Debug, Args)]
pub(crate) struct SummaryArgs {
    #[arg(value_name = "BASE", help = localized(text::help_base))]
    pub(crate) base: Option<String>,
    #[arg(short = 'o', long = "output", value_name = "FILE", help = localized(text::help_summary_output))]
    pub(crate) output: Option<PathBuf>,
    #[arg(long, value_enum, default_value = "mpi", help = localized(cli::help_backend))]
    pub(crate) backend: BackendArgument,
    #[arg(long, help = localized(judge::help_sandbox))]
    pub(crate) sandbox: bool,
}
