//! A task of the demo, before its files are made.

use wb_config::{CourseSettings, TaskKind};

use crate::demo::{people::DemoStudent, profile::TaskProfile};

/// One student's task for one assignment.
pub(crate) struct DemoTask<'a> {
    pub(crate) student: &'a DemoStudent,
    pub(crate) assignment: u8,
    pub(crate) variant: u8,
    /// The package.
    pub(crate) name: String,
    pub(crate) profile: TaskProfile,
}

impl DemoTask<'_> {
    /// Whether its measurements have a speed-up.
    pub(crate) fn is_measured(&self, course: &CourseSettings) -> bool {
        let profile = &self.profile;
        let kind = course.variant(self.assignment, self.variant).map(|variant| variant.kind);
        profile.gap.is_none()
            && !profile.is_wrong
            && !profile.is_disabled
            && kind == Some(TaskKind::Computation)
    }
}
