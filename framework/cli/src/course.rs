//! `cargo wb course`: the commands on the whole course.

mod pseudonym_secret;
mod scoreboard;

use wb_messages::Lang;

use crate::{CommandStatus, arguments::CourseCommand, error::Result};

pub(crate) fn run(wanted: &CourseCommand, lang: Lang, json: bool) -> Result<CommandStatus> {
    match wanted {
        CourseCommand::Scoreboard(wanted) => scoreboard::run(wanted, lang, json),
    }
}
