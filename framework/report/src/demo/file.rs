//! A file of a synthetic course, before it is written.

/// One file of a synthetic course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemoFile {
    /// The path below the folder of the course, with `/`.
    pub path: String,
    /// The content.
    pub text: String,
}

impl DemoFile {
    pub(crate) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }
}
