//! One letter while its reasons are collected: what is lost and what is left always add up.

use wb_text::Text;

use crate::{Letter, LetterGrade, Points, Reason, ReasonKind, task_grade::MeasuredInterval};

/// A letter with the points that are left.
pub(super) struct LetterSum {
    grade: LetterGrade,
}

impl LetterSum {
    /// All of `of`, or nothing for a letter that earns none.
    pub(super) fn new(letter: Letter, of: Option<Points>) -> Self {
        let points = of.unwrap_or(Points::ZERO);
        Self { grade: LetterGrade { letter, points, of, measured: None, reasons: Vec::new() } }
    }

    /// A letter that shows `measured`.
    pub(super) fn measured(letter: Letter, measured: Option<MeasuredInterval>) -> Self {
        let mut sum = Self::new(letter, None);
        sum.grade.measured = measured;
        sum
    }

    /// Takes `lost` away.
    pub(super) fn lose(&mut self, lost: Points, kind: ReasonKind, text: Text, remedy: Option<Text>) {
        self.grade.points = self.grade.points - lost;
        self.grade.reasons.push(Reason { kind, text, lost, remedy });
    }

    /// Adds a remark that costs nothing.
    pub(super) fn note(&mut self, kind: ReasonKind, text: Text) {
        self.grade.reasons.push(Reason { kind, text, lost: Points::ZERO, remedy: None });
    }

    pub(super) fn finish(self) -> LetterGrade {
        self.grade
    }
}
