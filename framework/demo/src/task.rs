//! A task of the demo, before its files are made.

use crate::{people::DemoStudent, profile::TaskProfile};

/// One student's task for one assignment.
pub(crate) struct DemoTask<'a> {
    pub(crate) student: &'a DemoStudent,
    pub(crate) assignment: u8,
    pub(crate) variant: u8,
    /// The package.
    pub(crate) name: String,
    pub(crate) profile: TaskProfile,
}
