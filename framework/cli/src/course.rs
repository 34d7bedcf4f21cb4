//! `cargo wb course`: the commands on the whole course.

mod assign;
mod check;
mod demo;
mod explain;
mod pseudonym_secret;
mod scoreboard;
mod variant_book;

use wb_messages::Lang;

use crate::{CommandStatus, arguments::CourseCommand, error::Result};

pub(crate) fn run(wanted: &CourseCommand, lang: Lang, json: bool) -> Result<CommandStatus> {
    match wanted {
        CourseCommand::Check => check::run(lang, json),
        CourseCommand::Assign(wanted) => assign::run(wanted, lang, json),
        CourseCommand::Demo(wanted) => demo::run(wanted, lang, json),
        CourseCommand::Scoreboard(wanted) => scoreboard::run(wanted, lang, json),
    }
}
