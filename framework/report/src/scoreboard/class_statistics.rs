//! What the page of the class shows: counts and medians of all students' grades.

use std::collections::BTreeMap;

use wb_course::{Letter, Points, Scoreboard, ScoreboardStudent, TaskGrade};

/// Bins of the distribution, each of ten per cent.
pub(crate) const BINS: usize = 10;

/// A reason of fewer students than this is not frequent.
const MIN_TIMES: usize = 2;

/// Rows of the table of frequent reasons.
const MAX_REASONS: usize = 12;

/// The tasks of one variant.
pub(crate) struct VariantStatistics {
    pub(crate) assignment: u8,
    pub(crate) variant: u8,
    pub(crate) students: usize,
    pub(crate) submitted: usize,
    /// The median of the submitted tasks; `None` where there is none.
    pub(crate) median: Option<Points>,
    pub(crate) of: Points,
}

impl VariantStatistics {
    /// The median as a share of the greatest possible number of points.
    pub(crate) fn share(&self) -> Option<f64> {
        Some(share(self.median?, self.of))
    }
}

/// The students of one group.
pub(crate) struct GroupStatistics<'a> {
    pub(crate) group: &'a str,
    pub(crate) students: usize,
    /// Submitted tasks, and all tasks.
    pub(crate) submitted: (usize, usize),
    pub(crate) median: Option<Points>,
}

/// A reason that several tasks have.
pub(crate) struct FrequentReason {
    /// The letter and the text, in the language of the page.
    pub(crate) letter: Letter,
    pub(crate) text: String,
    pub(crate) times: usize,
    pub(crate) lost: Points,
}

/// `points` as a share of `of`; 0 where nothing can be earned.
pub(crate) fn share(points: Points, of: Points) -> f64 {
    match of > Points::ZERO {
        true => f64::from(points.hundredths()) / f64::from(of.hundredths()),
        false => 0.0,
    }
}

/// The median; of an even number, the mean of the two in the middle, rounded down to a hundredth.
pub(crate) fn median(mut points: Vec<Points>) -> Option<Points> {
    points.sort_unstable();
    let upper = *points.get(points.len() / 2)?;
    let lower = points[(points.len() - 1) / 2];
    Some(Points::from_hundredths((lower.hundredths() + upper.hundredths()).div_euclid(2)))
}

/// Students by share of the greatest possible sum: bin `k` has the shares from `10 k` to below `10 (k + 1)` per cent, the last
/// one 100 per cent too.
pub(crate) fn distribution(students: &[ScoreboardStudent]) -> [usize; BINS] {
    let mut bins = [0; BINS];
    for student in students {
        let (total, of) = (student.total.hundredths().max(0), student.of.hundredths().max(1));
        let bin = i64::from(total) * BINS as i64 / i64::from(of);
        bins[usize::try_from(bin).unwrap_or(0).min(BINS - 1)] += 1;
    }
    bins
}

/// Marks and how many students have each, in the order of the best total with the mark; students without one are not counted.
pub(crate) fn marks(students: &[ScoreboardStudent]) -> Vec<(&str, usize)> {
    let mut found: BTreeMap<&str, (Points, usize)> = BTreeMap::new();
    for student in students {
        if let Some(mark) = &student.mark {
            let entry = found.entry(mark).or_insert((student.total, 0));
            entry.0 = entry.0.max(student.total);
            entry.1 += 1;
        }
    }
    let mut marks: Vec<_> = found.into_iter().collect();
    marks.sort_by_key(|(_, (best, _))| std::cmp::Reverse(*best));
    marks.into_iter().map(|(mark, (_, count))| (mark, count)).collect()
}

/// Every group, by name.
pub(crate) fn groups(students: &[ScoreboardStudent]) -> Vec<GroupStatistics<'_>> {
    let mut groups: BTreeMap<&str, Vec<&ScoreboardStudent>> = BTreeMap::new();
    for student in students {
        groups.entry(student.group.as_deref().unwrap_or_default()).or_default().push(student);
    }
    let statistics = |(group, students): (_, Vec<&ScoreboardStudent>)| {
        let tasks = || students.iter().flat_map(|student| &student.tasks);
        GroupStatistics {
            group,
            students: students.len(),
            submitted: (tasks().filter(|task| task.submitted).count(), tasks().count()),
            median: median(students.iter().map(|student| student.total).collect()),
        }
    };
    groups.into_iter().map(statistics).collect()
}

/// Every variant that a student has, the hardest first: the lowest median share, then those without a submitted task.
pub(crate) fn variants(board: &Scoreboard) -> Vec<VariantStatistics> {
    let mut tasks: BTreeMap<(u8, u8), Vec<&TaskGrade>> = BTreeMap::new();
    let given = board.students.iter().flat_map(|student| &student.tasks).filter(|task| task.variant > 0);
    for task in given {
        tasks.entry((task.assignment, task.variant)).or_default().push(task);
    }
    let statistics = |((assignment, variant), tasks): ((u8, u8), Vec<&TaskGrade>)| {
        let submitted: Vec<Points> =
            tasks.iter().filter(|task| task.submitted).map(|task| task.total).collect();
        VariantStatistics {
            assignment,
            variant,
            students: tasks.len(),
            submitted: submitted.len(),
            median: median(submitted),
            of: tasks.iter().map(|task| task.of).max().unwrap_or_default(),
        }
    };
    let mut all: Vec<VariantStatistics> = tasks.into_iter().map(statistics).collect();
    all.sort_by(|a, b| {
        let key = |variant: &VariantStatistics| variant.share().unwrap_or(f64::INFINITY);
        key(a).total_cmp(&key(b)).then((a.assignment, a.variant).cmp(&(b.assignment, b.variant)))
    });
    all
}

/// The points that each letter of an assignment did not give, over all students.
pub(crate) fn lost_points(board: &Scoreboard, assignment: u8) -> Vec<(Letter, Points)> {
    let tasks = || board.students.iter().flat_map(|student| &student.tasks);
    let of_letter = |letter| {
        let grades = tasks().filter(|task| task.assignment == assignment);
        let reasons = grades.filter_map(|task| task.letter(letter)).flat_map(|grade| &grade.reasons);
        (letter, reasons.map(|reason| reason.lost).sum())
    };
    Letter::ALL.into_iter().map(of_letter).collect()
}

/// The reasons that cost points in several tasks, the most frequent first. `text` is the text of a reason for the page.
pub(crate) fn frequent_reasons(
    board: &Scoreboard,
    text: impl Fn(&wb_course::Reason) -> String,
) -> Vec<FrequentReason> {
    let mut found: BTreeMap<(Letter, String), (usize, Points)> = BTreeMap::new();
    let tasks = board.students.iter().flat_map(|student| &student.tasks);
    for grade in tasks.flat_map(|task| &task.letters) {
        for reason in grade.reasons.iter().filter(|reason| reason.lost > Points::ZERO) {
            let entry = found.entry((grade.letter, text(reason))).or_default();
            entry.0 += 1;
            entry.1 += reason.lost;
        }
    }
    let frequent = found.into_iter().filter(|(_, (times, _))| *times >= MIN_TIMES);
    let mut all: Vec<FrequentReason> = frequent
        .map(|((letter, text), (times, lost))| FrequentReason { letter, text, times, lost })
        .collect();
    all.sort_by_key(|reason| std::cmp::Reverse((reason.times, reason.lost)));
    all.truncate(MAX_REASONS);
    all
}

#[cfg(test)]
mod tests {
    use wb_course::{LetterGrade, Reason, ReasonKind, Visibility};
    use wb_text::Text;

    use super::*;

    fn lost(points: u8) -> LetterGrade {
        let reason = Reason {
            kind: ReasonKind::Late,
            text: Text::untranslated("late"),
            lost: Points::whole(points),
            remedy: None,
        };
        let none = Reason { lost: Points::ZERO, ..reason.clone() };
        LetterGrade {
            letter: Letter::Deadline,
            points: -Points::whole(points),
            of: None,
            measured: None,
            reasons: vec![reason, none],
        }
    }

    fn task(variant: u8, total: u8, is_submitted: bool) -> TaskGrade {
        TaskGrade {
            login: "a".to_owned(),
            assignment: 1,
            variant,
            task: None,
            commit: is_submitted.then(|| "c".to_owned()),
            submitted: is_submitted,
            instructor_owned: Some(true),
            letters: if is_submitted { vec![lost(2)] } else { vec![] },
            total: Points::whole(total),
            of: Points::whole(10),
            overrides: vec![],
        }
    }

    fn student(group: &str, mark: Option<&str>, task: TaskGrade) -> ScoreboardStudent {
        ScoreboardStudent {
            id: "a".to_owned(),
            name: None,
            stream: Some("S".to_owned()),
            group: Some(group.to_owned()),
            total: task.total,
            of: task.of,
            mark: mark.map(str::to_owned),
            tasks: vec![task],
            history: vec![],
        }
    }

    fn board() -> Scoreboard {
        Scoreboard {
            schema: wb_course::SCOREBOARD_SCHEMA,
            title: Text::untranslated("C"),
            at: "2027-01-01T00:00:00Z".parse().expect("a moment"),
            time_zone: "UTC".to_owned(),
            visibility: Visibility::Private,
            synthetic: true,
            assignments: vec![],
            students: vec![
                student("B", Some("5"), task(1, 10, true)),
                student("A", Some("3"), task(1, 5, true)),
                student("A", Some("5"), task(2, 9, true)),
                student("A", None, task(3, 0, false)),
                student("A", None, task(0, 0, false)),
            ],
        }
    }

    #[test]
    fn a_median_is_between_the_two_in_the_middle() {
        let points = |all: &[u8]| all.iter().map(|points| Points::whole(*points)).collect::<Vec<_>>();
        assert_eq!(median(points(&[])), None);
        assert_eq!(median(points(&[7])), Some(Points::whole(7)));
        assert_eq!(median(points(&[9, 1, 2])), Some(Points::whole(2)));
        assert_eq!(median(points(&[1, 2, 9, 3])), Some(Points::from_hundredths(250)));
    }

    #[test]
    fn the_bins_hold_every_student_once() {
        assert_eq!(distribution(&board().students), [2, 0, 0, 0, 0, 1, 0, 0, 0, 2]);
    }

    #[test]
    fn marks_are_in_the_order_of_totals_and_groups_by_name() {
        let mut board = board();
        assert_eq!(marks(&board.students), [("5", 2), ("3", 1)]);
        board.students.push(student("B", Some("5"), task(1, 1, true)));
        assert_eq!(marks(&board.students), [("5", 3), ("3", 1)], "of the best with a mark");
        board.students.pop();
        let groups = groups(&board.students);
        let rows: Vec<_> =
            groups.iter().map(|group| (group.group, group.students, group.submitted)).collect();
        assert_eq!(rows, [("A", 4, (2, 4)), ("B", 1, (1, 1))]);
        assert_eq!(groups[0].median, Some(Points::from_hundredths(250)));
    }

    #[test]
    fn the_hardest_variant_is_the_first_and_one_without_a_task_the_last() {
        let mut board = board();
        board.students.push(student("A", None, task(4, 0, false)));
        let rows: Vec<_> = variants(&board)
            .iter()
            .map(|variant| (variant.variant, variant.students, variant.submitted, variant.median))
            .collect();
        let (hard, easy) = (Some(Points::from_hundredths(750)), Some(Points::whole(9)));
        assert_eq!(rows, [(1, 2, 2, hard), (2, 1, 1, easy), (3, 1, 0, None), (4, 1, 0, None)]);
    }

    #[test]
    fn lost_points_are_added_up_by_letter_and_by_reason() {
        let lost = lost_points(&board(), 1);
        let by_letter = |letter| lost.iter().find(|(other, _)| *other == letter).map(|(_, points)| *points);
        assert_eq!(by_letter(Letter::Deadline), Some(Points::whole(6)));
        assert_eq!(by_letter(Letter::Report), Some(Points::ZERO));
        assert!(lost_points(&board(), 2).iter().all(|(_, points)| *points == Points::ZERO));
        let frequent = frequent_reasons(&board(), |reason| reason.text.to_string());
        assert_eq!(frequent.len(), 1);
        assert_eq!(
            (frequent[0].times, frequent[0].lost, frequent[0].text.as_str()),
            (3, Points::whole(6), "late")
        );
    }
}
