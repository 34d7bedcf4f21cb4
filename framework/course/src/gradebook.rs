//! The grades of a whole course: its files and all evidence in, one grade for each student and assignment out.

use std::collections::HashMap;

use jiff::Timestamp;
use wb_config::{
    ConfirmedSimilarities, ConfirmedSimilarity, CourseSettings, GivenVariants, Overrides, Roster,
    RosterStudent, SimilarPart, SimilarityLogin,
};

use crate::{
    ConfirmedCopy, Evidence, GradingInput, GradingRules, Letter, OverrideDecision, Points, SolutionPart,
    TaskGrade, grade,
};

/// The files of a course that decide grades.
#[derive(Clone, Debug)]
pub struct GradingFiles {
    /// `course.yaml`.
    pub course: CourseSettings,
    /// `roster.csv`.
    pub roster: Roster,
    /// `variants.csv`.
    pub given: GivenVariants,
    /// `overrides.yaml`.
    pub overrides: Overrides,
    /// `similarity.yaml`.
    pub similarities: ConfirmedSimilarities,
}

/// Evidence by student and assignment.
type EvidenceIndex<'e> = HashMap<(String, u8), Vec<&'e Evidence>>;

impl GradingFiles {
    /// One grade for each student and assignment, in the order of the roster: also where nothing was submitted.
    pub fn grade_all(&self, evidence: &[Evidence], at: Timestamp) -> Vec<TaskGrade> {
        let mut index: EvidenceIndex<'_> = HashMap::new();
        for one in evidence {
            index.entry((one.login.to_ascii_lowercase(), one.assignment)).or_default().push(one);
        }
        let grades = self.roster.students.iter().flat_map(|student| {
            let login = student.login.to_ascii_lowercase();
            let index = &index;
            self.course.assignments.iter().map(move |assignment| {
                let found = index.get(&(login.clone(), assignment.number)).map_or(&[][..], Vec::as_slice);
                let evidence = self.counted(student, assignment.number, found);
                self.grade_task(student, assignment.number, evidence, at, false)
            })
        });
        grades.collect()
    }

    /// Of several tasks of one student for one assignment the one that counts: of the given variant, and of these the one that was
    /// merged last.
    fn counted<'e>(
        &self,
        student: &RosterStudent,
        assignment: u8,
        found: &[&'e Evidence],
    ) -> Option<&'e Evidence> {
        let given = self.given.variant(&student.login, assignment);
        found.iter().copied().max_by_key(|evidence| {
            let is_given = given.is_none_or(|given| given == evidence.variant);
            let merged_at = evidence.submission.as_ref().map(|submission| submission.merged_at);
            (is_given, merged_at, &evidence.task)
        })
    }

    /// The grade of `student` for an assignment, from this evidence. With `dry_run`, a state that is not merged is graded as if it were
    /// merged at `at`.
    ///
    /// The grade's variant is 0 where none was given and nothing was submitted.
    pub fn grade_task(
        &self,
        student: &RosterStudent,
        assignment: u8,
        evidence: Option<&Evidence>,
        at: Timestamp,
        dry_run: bool,
    ) -> TaskGrade {
        let given = self.given.variant(&student.login, assignment);
        let variant = given.or(evidence.map(|evidence| evidence.variant)).unwrap_or(0);
        grade(&GradingInput {
            rules: &GradingRules::for_student(&self.course, student, assignment, variant),
            login: &student.login,
            assignment,
            variant,
            evidence,
            overrides: &self.overrides_of(&student.login, assignment),
            copies: &self.copies_of(&student.login, assignment, variant),
            at,
            dry_run,
        })
    }

    /// The points of all assignments together.
    pub fn total_points(&self) -> Points {
        let of = |points: wb_config::AssignmentPoints| {
            [points.mpi, points.seq, points.performance, points.report].map(Points::whole)
        };
        self.course.assignments.iter().flat_map(|assignment| of(assignment.points)).sum()
    }

    /// The mark that `total` earns on the scale of the course.
    pub fn mark(&self, total: Points) -> Option<&str> {
        let hundredths = |points: Points| u32::try_from(points.hundredths()).unwrap_or(0);
        let of = hundredths(self.total_points());
        (of > 0).then(|| self.course.mark(hundredths(total), of)).flatten()
    }

    fn overrides_of(&self, login: &str, assignment: u8) -> Vec<OverrideDecision> {
        let listed = self.overrides.list.iter();
        let meant =
            listed.filter(|one| one.assignment == assignment && one.login.eq_ignore_ascii_case(login));
        let decision = |one: &wb_config::OverrideSettings| {
            Some(OverrideDecision {
                letter: Letter::ALL.into_iter().find(|letter| letter.character() == one.letter)?,
                points: Points::from_hundredths(one.points_hundredths),
                by: one.by.clone(),
                at: one.at.first_instant(&self.course.time_zone),
                reason: one.reason.clone(),
            })
        };
        meant.filter_map(decision).collect()
    }

    fn copies_of(&self, login: &str, assignment: u8, variant: u8) -> Vec<ConfirmedCopy> {
        let is_meant = |case: &&ConfirmedSimilarity| {
            let SimilarityLogin(first) = &case.logins[0];
            let SimilarityLogin(second) = &case.logins[1];
            (case.assignment, case.variant) == (assignment, variant)
                && [first, second].into_iter().any(|one| one.eq_ignore_ascii_case(login))
        };
        let copy = |case: &ConfirmedSimilarity| ConfirmedCopy {
            part: match case.part {
                SimilarPart::Seq => SolutionPart::Seq,
                SimilarPart::Mpi => SolutionPart::Mpi,
            },
            by: case.by.clone(),
            at: case.at.first_instant(&self.course.time_zone),
            reason: case.reason.clone(),
        };
        self.similarities.list.iter().filter(is_meant).map(copy).collect()
    }
}
