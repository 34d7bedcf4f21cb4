//! The identity of a line: two lines of a file with one identity are the same measurement.

use std::collections::HashMap;

use crate::ReadError;

/// The identity of a line that a file may contain only once.
pub(crate) trait LineIdentity {
    /// The name of its kind, and the values that distinguish it; `None` where a file may contain it again.
    fn identity(&self) -> Option<(&'static str, String)>;
}

/// The lines so far.
#[derive(Default)]
pub(crate) struct SeenLines<'t> {
    lines: HashMap<&'t str, usize>,
    identities: HashMap<(&'static str, String), usize>,
}

impl<'t> SeenLines<'t> {
    /// Notes a line.
    ///
    /// # Errors
    /// [`ReadError::Duplicate`]: an earlier line is the same, or has the same identity.
    pub(crate) fn check_unique(
        &mut self,
        record: &impl LineIdentity,
        line: &'t str,
        number: usize,
    ) -> Result<(), ReadError> {
        let duplicate = |first, what| ReadError::Duplicate { line: number, first, what };
        if let Some(first) = self.lines.insert(line, number) {
            return Err(duplicate(first, "record"));
        }
        let Some((what, key)) = record.identity() else { return Ok(()) };
        match self.identities.insert((what, key), number) {
            None => Ok(()),
            Some(first) => Err(duplicate(first, what)),
        }
    }
}
