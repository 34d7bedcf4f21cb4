//! The records in a file, or the reason why they are refused.

use std::{io, path::Path};

use wb_messages::{Lang, cli as text, document};
use wb_record::Record;

use crate::record_input;

/// The records in `file`, or the reason why they are refused, in `lang`.
pub(crate) fn read(file: &Path, lang: Lang) -> std::result::Result<Vec<Record>, String> {
    let text_of_file = record_input::read(file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => text::nothing_recorded(lang),
        _ => text::records_unreadable(lang, error),
    })?;
    let records =
        wb_record::read_all(&text_of_file).map_err(|error| text::records_unreadable(lang, error))?;
    match records.is_empty() {
        true => Err(text::nothing_recorded(lang)),
        false => Ok(records),
    }
}

/// The records of `task` in `file`, or the reason why they are refused: a record of another task is an error.
pub(crate) fn read_for_task(task: &str, file: &Path, lang: Lang) -> std::result::Result<Vec<Record>, String> {
    all_of_task(task, read(file, lang)?, lang)
}

/// The records of `task` in the text of a file, which may be empty.
pub(crate) fn parse_for_task(
    task: &str,
    lines: &str,
    lang: Lang,
) -> std::result::Result<Vec<Record>, String> {
    let records = wb_record::read_all(lines).map_err(|error| text::records_unreadable(lang, error))?;
    all_of_task(task, records, lang)
}

fn all_of_task(task: &str, records: Vec<Record>, lang: Lang) -> std::result::Result<Vec<Record>, String> {
    match records.iter().position(|record| record.subject.task != task) {
        None => Ok(records),
        Some(at) => {
            let foreign = document::foreign(lang, &records[at].subject.task, at + 1);
            Err(text::records_unreadable(lang, foreign))
        }
    }
}
