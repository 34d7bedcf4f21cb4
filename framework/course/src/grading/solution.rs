//! S: the sequential and the parallel version.
//!
//! A part earns all of its points or none: a version that is right at some numbers of ranks only is wrong.

use wb_text::{Text, grade as text};

use super::{input::GradingInput, letter_sum::LetterSum};
use crate::{Evidence, FailedTest, Letter, LetterGrade, Points, ReasonKind, SolutionPart, VersionEvidence};

/// What is wrong with a part, and what to do.
type Fault = (ReasonKind, Text, Text);

/// What the two parts earned.
#[derive(Clone, Copy, Debug)]
pub(super) struct EarnedParts {
    pub(super) seq: Points,
    pub(super) mpi: Points,
}

impl EarnedParts {
    pub(super) fn of_part(self, part: SolutionPart) -> Points {
        match part {
            SolutionPart::Seq => self.seq,
            SolutionPart::Mpi => self.mpi,
        }
    }
}

pub(super) fn grade_solution(input: &GradingInput<'_>, evidence: &Evidence) -> (LetterGrade, EarnedParts) {
    let points = input.rules.points;
    let mut sum = LetterSum::new(Letter::Solution, Some(points.seq + points.mpi));
    let mut earned = EarnedParts { seq: points.seq, mpi: points.mpi };
    for part in SolutionPart::ALL {
        let faults = faults(evidence, part);
        // All faults of a part must be removed, so the first one carries the points of the part.
        let mut left = points.of_part(part);
        if faults.is_empty() {
            sum.note(ReasonKind::Earned, text::earned(part.title(), evidence.version(part).passed));
            continue;
        }
        match part {
            SolutionPart::Seq => earned.seq = Points::ZERO,
            SolutionPart::Mpi => earned.mpi = Points::ZERO,
        }
        for (kind, fault, remedy) in faults {
            sum.lose(left, kind, fault, Some(remedy));
            left = Points::ZERO;
        }
    }
    if !evidence.instructor_owned {
        sum.note(ReasonKind::OwnInputs, text::own_inputs());
    } else if !evidence.judged {
        sum.note(ReasonKind::NotJudged, text::not_judged());
    }
    (sum.finish(), earned)
}

/// All that is wrong with a part.
fn faults(evidence: &Evidence, part: SolutionPart) -> Vec<Fault> {
    let mut faults: Vec<Fault> = test_fault(evidence, part).into_iter().collect();
    if evidence.version(part).enabled {
        let failures = evidence.version(part).failures.iter();
        faults.extend(
            failures.map(|failed| (ReasonKind::TestsFailed, describe(failed), text::correct(&evidence.task))),
        );
    }
    if evidence.incomplete && evidence.version(part).enabled && evidence.version(part).failed == 0 {
        let remedy = text::correct(&evidence.task);
        let reason = evidence.unended.clone().unwrap_or_else(text::tests_incomplete);
        faults.push((ReasonKind::TestsIncomplete, reason, remedy));
    }
    let broken = evidence.broken_rules.iter().filter(|rule| rule.part.is_none_or(|of| of == part));
    faults.extend(broken.map(|rule| {
        let found = text::broken_rule(&rule.file, rule.line, &rule.rule, &rule.text);
        let remedy = rule.remedy.clone().unwrap_or_else(|| text::keep_rules(&evidence.task));
        (ReasonKind::BrokenRule, found, remedy)
    }));
    faults
}

/// The reason why the tests of a part earn nothing, if there is one.
fn test_fault(evidence: &Evidence, part: SolutionPart) -> Option<Fault> {
    let (task, title) = (&evidence.task, part.title());
    let version: &VersionEvidence = evidence.version(part);
    let all = version.passed.saturating_add(version.failed);
    match () {
        () if !version.enabled => Some((ReasonKind::Disabled, text::disabled(title), text::enable(title))),
        () if version.failed > 0 => {
            let found = text::failed(title, version.failed, all);
            Some((ReasonKind::TestsFailed, found, text::correct(task)))
        }
        () if version.passed == 0 && version.skipped > 0 => {
            let found = text::only_skipped(title, version.skipped);
            Some((ReasonKind::NotTested, found, text::test_on_mpi(task)))
        }
        () if version.passed == 0 => {
            Some((ReasonKind::NotTested, text::not_tested(title), text::write_tests(part.type_name(), task)))
        }
        () if part == SolutionPart::Mpi && version.passed_on_mpi == 0 => {
            Some((ReasonKind::NotOnMpi, text::not_on_mpi(title), text::test_on_mpi(task)))
        }
        () => None,
    }
}

fn describe(failed: &FailedTest) -> Text {
    text::failed_test(&failed.test, failed.ranks, &failed.backend, &failed.outcome, &failed.reason)
}
