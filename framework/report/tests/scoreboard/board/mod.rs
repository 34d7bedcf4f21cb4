//! Scoreboards for tests: a class of any size, made without chance, and names that try to become markup.
#![allow(dead_code, reason = "each test program uses a part of it")]

use jiff::Timestamp;
use wb_course::{
    AppliedOverride, HistoryPoint, Letter, LetterGrade, MeasuredInterval, Points, Reason, ReasonKind,
    SCOREBOARD_SCHEMA, Scoreboard, ScoreboardAssignment, ScoreboardStudent, ScoreboardVariant, TaskGrade,
    Visibility,
};
use wb_text::Text;

/// Names that must stay text.
pub(crate) const HOSTILE: [&str; 6] = [
    "<script>document.title='hacked'</script>",
    "\"><img src=x onerror=\"document.title='hacked'\">",
    "</script><script>document.title='hacked'</script>",
    "Иван\u{202e}нави \u{2066}x",
    "O'Neill & \"Sons\" <b>",
    "مريم احمد",
];

/// A private scoreboard of `count` students in groups of 25; the last ones have hostile names.
pub(crate) fn class(count: usize) -> Scoreboard {
    let mut students: Vec<ScoreboardStudent> = (0..count).map(student).collect();
    for (name, student) in HOSTILE.iter().zip(students.iter_mut().rev()) {
        student.name = Some((*name).to_owned());
    }
    if let Some(student) = students.iter_mut().rev().nth(HOSTILE.len()) {
        student.name = Some("Длинноеимя".repeat(20));
    }
    Scoreboard {
        schema: SCOREBOARD_SCHEMA,
        title: Text::new("Parallel programming: processes", "Параллельное программирование: процессы"),
        at: moment("2027-05-20T09:00:00Z"),
        time_zone: "Europe/Moscow".to_owned(),
        visibility: Visibility::Private,
        synthetic: true,
        assignments: (1..=3).map(assignment).collect(),
        students,
    }
}

/// The same class with pseudonyms.
pub(crate) fn public_class(count: usize) -> Scoreboard {
    let mut board = class(count);
    board.visibility = Visibility::Public;
    for student in &mut board.students {
        *student = student.published(b"the secret of these tests");
    }
    board.students.sort_by(|a, b| a.id.cmp(&b.id));
    board
}

pub(crate) fn moment(text: &str) -> Timestamp {
    text.parse().expect("a moment")
}

const OF: [[u8; 3]; 3] = [[10, 0, 2], [15, 5, 3], [20, 10, 5]];

fn assignment(number: u8) -> ScoreboardAssignment {
    let titles = [
        Text::new("Vectors, matrices, integrals and strings", "Векторы, матрицы, интегралы и строки"),
        Text::new("Collective operations, topologies, algebra", "Коллективные операции, топологии, алгебра"),
        Text::new("Computational methods", "Вычислительные методы"),
    ];
    let variants = (1..=27).map(|number| ScoreboardVariant {
        number,
        title: Text { en: format!("Problem {number}").into(), ru: format!("Задача {number}").into() },
    });
    ScoreboardAssignment {
        number,
        title: titles[usize::from(number) - 1].clone(),
        of: full(number),
        variants: variants.collect(),
    }
}

fn full(assignment: u8) -> Points {
    OF[usize::from(assignment) - 1].iter().map(|points| Points::whole(*points)).sum()
}

fn student(index: usize) -> ScoreboardStudent {
    const SURNAMES: [&str; 10] = [
        "Абрамова",
        "Беляев",
        "Воронцов",
        "Громова",
        "Дорофеев",
        "Ефимова",
        "Журавлёв",
        "Захарова",
        "Ильин",
        "Крылова",
    ];
    const NAMES: [&str; 7] = ["Анна", "Борис", "Вера", "Глеб", "Дарья", "Егор", "Жанна"];
    let login = format!("user{index:03}");
    let tasks: Vec<TaskGrade> = (1..=3).map(|assignment| task(index, &login, assignment)).collect();
    let total = tasks.iter().map(|task| task.total).sum();
    ScoreboardStudent {
        id: login,
        name: Some(format!("{} {}", SURNAMES[index % 10], NAMES[index / 10 % 7])),
        stream: Some(format!("Stream {}", index / 75 + 1)),
        group: Some(format!("3823B1PR{}", index / 25 + 1)),
        total,
        of: (1..=3).map(full).sum(),
        mark: (total > Points::whole(35))
            .then(|| if total > Points::whole(60) { "5".into() } else { "4".into() }),
        tasks,
        history: (0..index % 7).map(|commit| history(index, commit)).collect(),
    }
}

fn interval(value: f64) -> MeasuredInterval {
    MeasuredInterval { low: value * 0.95, value, high: value * 1.06, ranks: 4 }
}

fn history(index: usize, commit: usize) -> HistoryPoint {
    let speedup = 1.2 + 0.35 * commit as f64 + (index % 3) as f64 * 0.1;
    HistoryPoint {
        assignment: 2,
        commit: format!("{:040x}", index * 100 + commit),
        at: moment(&format!("2027-04-{:02}T10:00:00Z", commit + 3)),
        speedup: Some(interval(speedup)),
        efficiency: (commit != 1).then(|| interval(25.0 * speedup)),
    }
}

fn reason(
    kind: ReasonKind,
    en: &'static str,
    ru: &'static str,
    lost: Points,
    remedy: Option<Text>,
) -> Reason {
    Reason { kind, text: Text::new(en, ru), lost, remedy }
}

/// The grade of one task: the cases follow from the index.
fn task(index: usize, login: &str, assignment: u8) -> TaskGrade {
    let chance = (index * 7 + usize::from(assignment) * 5) % 20;
    let is_submitted = chance != 0;
    let late = if chance == 3 { 2 } else { 0 };
    let mut letters: Vec<LetterGrade> =
        Letter::ALL.into_iter().map(|letter| letter_grade(letter, assignment, chance, late)).collect();
    let mut overrides = vec![];
    if chance == 5 {
        let grade = letters.iter_mut().find(|grade| grade.letter == Letter::Report).expect("a report");
        let from = grade.points;
        grade.points = Points::whole(1);
        grade.reasons.push(reason(ReasonKind::SetByInstructor, "set", "установлено", Points::ZERO, None));
        overrides.push(AppliedOverride {
            letter: Letter::Report,
            from,
            to: grade.points,
            by: "A. Instructor".to_owned(),
            at: moment("2027-05-01T08:00:00Z"),
            reason: "the report was defended <in person>".to_owned(),
        });
    }
    let total: Points = letters.iter().map(|letter| letter.points).sum();
    TaskGrade {
        login: login.to_owned(),
        assignment,
        variant: u8::try_from((index * 5 + usize::from(assignment)) % 27 + 1).expect("small"),
        task: is_submitted.then(|| format!("{login}_task_{assignment}")),
        commit: is_submitted.then(|| format!("{index:040x}")),
        submitted: is_submitted,
        instructor_owned: is_submitted.then_some(chance != 7),
        letters,
        total: total.max(Points::ZERO),
        of: full(assignment),
        overrides,
    }
}

fn letter_grade(letter: Letter, assignment: u8, chance: usize, late: u32) -> LetterGrade {
    let of = OF[usize::from(assignment) - 1];
    let of = match letter {
        Letter::Solution => Some(Points::whole(of[0])),
        Letter::Performance => Some(Points::whole(of[1])),
        Letter::Report => Some(Points::whole(of[2])),
        _ => None,
    };
    let grade = |points: Points, reasons| LetterGrade { letter, points, of, measured: None, reasons };
    let lost = |share: f64| {
        let of = of.unwrap_or_default();
        let text = reason(
            if chance == 0 { ReasonKind::NotSubmitted } else { ReasonKind::TestsFailed },
            "the test `sums` fails on 3 ranks (tests/functional.rs:12)",
            "тест `sums` не проходит на 3 процессах (tests/functional.rs:12)",
            of - of.share(share),
            Some(Text::new("make the test `sums` pass", "исправить решение так, чтобы тест `sums` проходил")),
        );
        grade(of.share(share), if share < 1.0 && of > Points::ZERO { vec![text] } else { vec![] })
    };
    let measured =
        |value: f64| LetterGrade { measured: Some(interval(value)), ..grade(Points::ZERO, vec![]) };
    match letter {
        Letter::Deadline if late > 0 => {
            let penalty = Points::whole(1).times(late);
            let (en, ru) = ("2 days late", "опоздание на 2 дня");
            grade(-penalty, vec![reason(ReasonKind::Late, en, ru, penalty, None)])
        }
        Letter::Copying if chance == 9 => {
            let penalty = Points::whole(1);
            let (en, ru) = ("the sequential part is a copy", "последовательная часть скопирована");
            grade(-penalty, vec![reason(ReasonKind::Copied, en, ru, penalty, None)])
        }
        Letter::Deadline | Letter::Copying => grade(Points::ZERO, vec![]),
        _ if chance == 0 => lost(0.0),
        Letter::Acceleration if assignment > 1 => measured(0.8 + chance as f64 / 6.0),
        Letter::Efficiency if assignment > 1 => measured(20.0 + chance as f64 * 4.0),
        Letter::Acceleration | Letter::Efficiency => grade(Points::ZERO, vec![]),
        _ => lost([1.0, 1.0, 0.5, 1.0, 0.0][(chance + usize::from(assignment)) % 5]),
    }
}
