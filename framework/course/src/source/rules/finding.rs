//! One broken rule: where, what, why, and what to do.

use serde::{Deserialize, Serialize};
use wb_text::Text;

use super::SourceRule;
use crate::source::{source_file::SourceFile, token::Token};

/// A place in the sources of a task that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFinding {
    /// The rule.
    pub rule: SourceRule,
    /// The file, below the task's folder.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The words of the source that break the rule.
    pub words: String,
    /// Why that breaks it.
    pub reason: Text,
    /// What to do instead.
    pub remedy: Text,
}

impl SourceFinding {
    /// What findings are sorted by.
    pub(super) fn order(&self) -> (&str, usize, usize, SourceRule, &str) {
        (&self.file, self.line, self.column, self.rule, &self.words)
    }
}

/// A place in a file.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) file: &'a SourceFile,
    pub(super) line: usize,
    pub(super) column: usize,
}

impl<'a> Place<'a> {
    /// The place of a token.
    pub(super) fn of(file: &'a SourceFile, token: &Token) -> Self {
        Self { file, line: token.start.line, column: token.start.column + 1 }
    }

    /// The finding at this place.
    pub(super) fn finding(self, rule: SourceRule, words: &str, reason: Text) -> SourceFinding {
        let file = self.file.path.clone();
        let remedy = rule.remedy();
        SourceFinding {
            rule,
            file,
            line: self.line,
            column: self.column,
            words: words.to_owned(),
            reason,
            remedy,
        }
    }
}
