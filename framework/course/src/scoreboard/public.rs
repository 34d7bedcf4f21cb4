//! What everyone may see of a student's grades.
//!
//! Each field is listed, so a new one must be decided here. A public student is its own public form; so a reader can check that a file
//! contains nothing else.

use crate::{
    Letter, LetterGrade, MeasuredInterval, Points, Reason, ReasonKind, ScoreboardStudent, TaskGrade,
    pseudonym,
};

impl ScoreboardStudent {
    /// The student under a pseudonym: points, marks, and the kinds of their reasons.
    ///
    /// Group, stream, variant, commits, moments and measurements by commit are left out: they belong to one student, so a reader who
    /// knows them would find the row. A measured speed-up is rounded to halves, an efficiency to tens of per cent.
    pub fn published(&self, secret: &[u8]) -> Self {
        self.under(&pseudonym(secret, &self.id))
    }

    /// Whether a public scoreboard may contain this student as it is.
    pub fn is_public(&self) -> bool {
        *self == self.under(&self.id)
    }

    fn under(&self, id: &str) -> Self {
        Self {
            id: id.to_owned(),
            name: None,
            stream: None,
            group: None,
            total: self.total,
            of: self.of,
            mark: self.mark.clone(),
            tasks: self.tasks.iter().map(|task| public_task(task, id)).collect(),
            history: Vec::new(),
        }
    }
}

fn public_task(task: &TaskGrade, id: &str) -> TaskGrade {
    TaskGrade {
        login: id.to_owned(),
        assignment: task.assignment,
        variant: 0,
        task: None,
        commit: None,
        submitted: task.submitted,
        instructor_owned: None,
        letters: task.letters.iter().map(public_letter).collect(),
        total: task.total,
        of: task.of,
        overrides: Vec::new(),
    }
}

fn public_letter(grade: &LetterGrade) -> LetterGrade {
    LetterGrade {
        letter: grade.letter,
        points: grade.points,
        of: grade.of,
        measured: grade.measured.map(|measured| rounded(grade.letter, measured)),
        reasons: public_reasons(&grade.reasons),
    }
}

/// One reason for each kind, with the points of all its reasons.
fn public_reasons(reasons: &[Reason]) -> Vec<Reason> {
    let mut kinds: Vec<(ReasonKind, Points)> = Vec::new();
    for reason in reasons {
        match kinds.iter_mut().find(|(kind, _)| *kind == reason.kind) {
            Some((_, lost)) => *lost += reason.lost,
            None => kinds.push((reason.kind, reason.lost)),
        }
    }
    let public = |(kind, lost): (ReasonKind, Points)| {
        // A remark is left out; a lost point keeps a reason.
        let text = kind.public_text().or_else(|| (lost > Points::ZERO).then(wb_text::public_reason::lost))?;
        Some(Reason { kind, text, lost, remedy: None })
    };
    kinds.into_iter().filter_map(public).collect()
}

/// The measured number without its interval and without digits by which a record could be recognised.
fn rounded(letter: Letter, measured: MeasuredInterval) -> MeasuredInterval {
    let step = match letter {
        Letter::Efficiency => 10.0,
        _ => 0.5,
    };
    let value = (measured.value / step).round() * step;
    MeasuredInterval { low: value, value, high: value, ranks: measured.ranks }
}
