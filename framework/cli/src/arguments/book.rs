//! The arguments of `cargo wb book`.

use std::path::PathBuf;

use clap::Args;
use wb_messages::book as text;

use super::help::localized;

#[derive(Debug, Args)]
pub(crate) struct BookArgs {
    #[arg(long, value_name = "DIR", help = localized(text::help_out))]
    pub(crate) out: Option<PathBuf>,
}
