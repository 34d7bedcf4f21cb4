//! The place of a call that belongs to no communicator: its errors name it themselves.
use std::panic::Location;

use wb_comm::text::{Text, waiting};

/// The call with the file and the line of the caller.
#[track_caller]
pub(crate) fn call_text(verb: &'static str) -> Text {
    let caller = Location::caller();
    waiting::call_at(verb, caller.file(), caller.line())
}
