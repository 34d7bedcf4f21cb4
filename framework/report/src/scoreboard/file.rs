//! A file of a scoreboard, before it is written.

/// One file of a scoreboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreboardFile {
    /// The path below the folder of the scoreboard, with `/`.
    pub path: String,
    /// The content.
    pub text: String,
}
