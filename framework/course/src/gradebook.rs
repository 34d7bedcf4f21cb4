//! The grades of a whole course: its files and all evidence in, one grade for each student and assignment out.

use std::collections::HashMap;

use jiff::Timestamp;
use wb_config::{
    ConfirmedSimilarities, ConfirmedSimilarity, CourseSettings, GivenVariants, Overrides, Roster,
    RosterStudent, SimilarPart, SimilarityLogin,
};
use wb_text::{Text, grade as text};

use crate::{
    ConfirmedCopy, Evidence, GradingInput, GradingRules, Letter, OverrideDecision, Points, Reason,
    ReasonKind, SolutionPart, TaskGrade, grade,
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
                let counted = self.counted(student, assignment.number, found);
                let mut grade = self.grade_task(student, assignment.number, counted, at, false);
                self.explain_choice(&mut grade, counted, found);
                grade
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

    /// Says in the reasons of S which of several tasks counts, and why.
    fn explain_choice(&self, grade: &mut TaskGrade, counted: Option<&Evidence>, found: &[&Evidence]) {
        let Some(counted) = counted else { return };
        for other in found.iter().filter(|other| other.task != counted.task) {
            let merged = |of: &Evidence| of.submission.as_ref().map(|submission| submission.merged_at);
            let why: Text = match () {
                () if other.variant != counted.variant && grade.variant == counted.variant => {
                    text::of_given_variant(counted.variant)
                }
                () if merged(other) != merged(counted) => text::merged_last(),
                () => text::last_by_name(),
            };
            let reason = Reason {
                kind: ReasonKind::SecondTask,
                text: text::second_task(&counted.task, why, &other.task),
                lost: Points::ZERO,
                remedy: Some(text::remove_second_task()),
            };
            let solution = grade.letters.iter_mut().filter(|grade| grade.letter == Letter::Solution);
            solution.for_each(|grade| grade.reasons.push(reason.clone()));
        }
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
            let is_login = |SimilarityLogin(one): &SimilarityLogin| one.eq_ignore_ascii_case(login);
            (case.assignment, case.variant) == (assignment, variant) && case.students().iter().any(is_login)
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
