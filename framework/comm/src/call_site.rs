//! The call that a rank is in: the verb and the line of the user's source.
use std::{fmt, panic::Location};

use crate::{
    SourceLocation, Verb,
    call_stack::{self, CallStack},
};

/// A call in the user's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The verb.
    pub verb: Verb,
    /// The line.
    pub location: SourceLocation,
}

impl CallSite {
    /// The caller's location. Mark every function between the user and this one `#[track_caller]`. If the verb was
    /// passed as a value, its caller is not the user's code; then the line is taken from the stack.
    #[track_caller]
    #[inline]
    pub fn caller(verb: Verb) -> Self {
        let location = Location::caller();
        let location = if call_stack::is_library_file(location.file()) {
            user_location(location)
        } else {
            SourceLocation::native(location)
        };
        Self { verb, location }
    }
}

/// The user's line that called a line outside the user's code.
#[cold]
fn user_location(location: &'static Location<'static>) -> SourceLocation {
    match CallStack::capture() {
        Some(stack) => SourceLocation::in_library(location, stack),
        None => SourceLocation::native(location),
    }
}

impl fmt::Display for CallSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.verb, self.location)
    }
}
