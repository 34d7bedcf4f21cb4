//! One case: settings, evidence and decisions that a test changes.

use jiff::Timestamp;
use wb_course::{
    CommunicationEvidence, ConfirmedCopy, Evidence, GradingInput, GradingRules, Letter, OverrideDecision,
    PerformanceEvidence, Points, Reason, ScalingEvidence, TaskGrade, grade,
};

/// A task that earns everything, until a test changes something.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) rules: GradingRules,
    pub(crate) evidence: Evidence,
    pub(crate) overrides: Vec<OverrideDecision>,
    pub(crate) copies: Vec<ConfirmedCopy>,
    pub(crate) at: Timestamp,
    pub(crate) dry_run: bool,
    pub(crate) absent: bool,
}

impl Default for Case {
    fn default() -> Self {
        Self {
            rules: GradingRules::example(),
            evidence: Evidence::example(),
            overrides: vec![],
            copies: vec![],
            at: at("2027-06-01T00:00:00Z"),
            dry_run: false,
            absent: false,
        }
    }
}

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(crate) fn points(text: &str) -> Points {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[allow(dead_code, reason = "each test program uses a part")]
impl Case {
    /// The grade, which keeps the laws of all grades.
    pub(crate) fn grade(&self) -> TaskGrade {
        let graded = grade(&GradingInput {
            rules: &self.rules,
            login: "ivanov.i",
            assignment: 2,
            variant: 4,
            evidence: (!self.absent).then_some(&self.evidence),
            overrides: &self.overrides,
            copies: &self.copies,
            at: self.at,
            dry_run: self.dry_run,
        });
        self.check(&graded);
        graded
    }

    /// Each lost point has a reason, each letter is there once, and the total is the letters' sum within its range.
    #[track_caller]
    pub(crate) fn check(&self, graded: &TaskGrade) {
        assert_eq!(
            graded.letters.iter().map(|one| one.letter).collect::<Vec<_>>(),
            Letter::ALL,
            "the letters"
        );
        for letter in &graded.letters {
            let lost: Points = letter.reasons.iter().map(|reason| reason.lost).sum();
            let missing = letter.of.unwrap_or(Points::ZERO) - letter.points;
            assert_eq!(lost, missing, "what the reasons cost is what is missing: {letter:#?}");
            let is_loss = |reason: &Reason| reason.lost >= Points::ZERO;
            assert!(letter.reasons.iter().all(is_loss), "no reason gives points: {letter:#?}");
            let is_within = letter.of.is_none_or(|of| (Points::ZERO..=of).contains(&letter.points));
            assert!(is_within, "points from none to all: {letter:#?}");
        }
        let sum: Points = graded.letters.iter().map(|letter| letter.points).sum();
        let total = sum.clamp(Points::ZERO, graded.of);
        assert_eq!(graded.total, total, "the total is the sum of the letters within its range: {graded:#?}");
    }

    /// Fails unless all letters together have these points.
    #[track_caller]
    pub(crate) fn total(&self, expected: &str) {
        let graded = self.grade();
        assert_eq!(graded.total, points(expected), "the total of {:#?}", graded.letters);
    }

    /// Fails unless `letter` has these points.
    #[track_caller]
    pub(crate) fn points(&self, letter: Letter, expected: &str, case: &str) {
        let graded = self.grade();
        let found = graded.letter(letter).expect("every letter is there");
        assert_eq!(found.points, points(expected), "the points of {letter:?}, {case}: {:#?}", found.reasons);
    }

    /// Fails unless `letter` loses `lost` for `reason`.
    #[track_caller]
    pub(crate) fn lost(&self, letter: Letter, lost: &str, reason: &str) {
        let graded = self.grade();
        let reasons = &graded.letter(letter).expect("every letter is there").reasons;
        let found = reasons.iter().find(|found| found.text.en == reason);
        let found = found.unwrap_or_else(|| panic!("no such reason: {reasons:#?}"));
        assert_eq!(found.lost, points(lost), "what {letter:?} loses for: {reason}");
    }

    pub(crate) fn remedies(&self, letter: Letter) -> Vec<String> {
        let graded = self.grade();
        let reasons = &graded.letter(letter).expect("every letter is there").reasons;
        reasons.iter().filter_map(|reason| Some(reason.remedy.as_ref()?.en.to_string())).collect()
    }

    pub(crate) fn submitted(&mut self, changed: &str) {
        let submission = self.evidence.submission.as_mut().expect("the example is submitted");
        (submission.changed_at, submission.merged_at) = (at(changed), at(changed));
    }

    pub(crate) fn scaling(&mut self) -> &mut ScalingEvidence {
        match &mut self.evidence.performance {
            PerformanceEvidence::Scaling(scaling) => scaling,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn communication(&mut self) -> &mut CommunicationEvidence {
        match &mut self.evidence.performance {
            PerformanceEvidence::Communication(communication) => communication,
            other => panic!("{other:?}"),
        }
    }
}
