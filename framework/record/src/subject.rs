//! The task that was measured, and its author.

use serde::{Deserialize, Serialize};
use wb_text::Text;

use crate::fields::{AllowedValues, CheckedNumber as _, FieldVisitor, VisitFields};

/// The task that was measured and its author, from the settings file of the task.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Subject {
    /// The task's folder and package name, for example `nalitov_d_broadcast`.
    pub task: String,
    /// The title of the task.
    pub title: Text<String>,
    /// The author.
    pub student: String,
    /// The author's group, for example `3823B1PR1`.
    pub group: String,
    /// The number of the assignment in the course: 1, 2 or 3.
    pub task_number: u32,
    /// The variant of the assignment.
    pub variant: u32,
}

impl VisitFields for Text<String> {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>) {
        let Self { en, ru } = self;
        visitor.field("en", |visitor| en.visit_fields(visitor));
        visitor.field("ru", |visitor| ru.visit_fields(visitor));
    }
}

impl VisitFields for Subject {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>) {
        let Self { task, title, student, group, task_number, variant } = self;
        visitor.field("task", |visitor| {
            visitor.package(task);
            task.visit_fields(visitor);
        });
        visitor.field("title", |visitor| title.visit_fields(visitor));
        visitor.field("student", |visitor| student.visit_fields(visitor));
        visitor.field("group", |visitor| group.visit_fields(visitor));
        visitor.field("task_number", |visitor| task_number.check(AllowedValues::Whole(0, 1000), visitor));
        visitor.field("variant", |visitor| variant.check(AllowedValues::Whole(0, 1000), visitor));
    }
}
