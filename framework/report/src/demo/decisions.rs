//! What an instructor of the demo has decided, the copies among its tasks, and the archive of an earlier year.

use std::fmt::Write;

use crate::demo::{calendar::DemoCalendar, file::DemoFile, task::DemoTask};

/// The assignment whose copy is confirmed; the copies of the others are for `cargo wb similar` to find.
const CONFIRMED: u8 = 2;

/// Tasks of the archive.
const ARCHIVED: usize = 12;

/// Makes one task of each assignment a copy of another student's for the same variant, with other names.
pub(crate) fn plant_copies(tasks: &mut [DemoTask<'_>]) {
    for assignment in 1..=3 {
        let Some((from, to)) = pair(tasks, assignment) else { continue };
        let (choice, name) = (tasks[from].profile.choice.disguised(), tasks[from].name.clone());
        let copy = &mut tasks[to].profile;
        (copy.choice, copy.copied_from) = (choice, Some(name));
        (copy.is_wrong, copy.breaks_rule) = (false, false);
    }
}

/// Two submitted tasks of one variant, the earlier one right.
fn pair(tasks: &[DemoTask<'_>], assignment: u8) -> Option<(usize, usize)> {
    let usable = |task: &DemoTask<'_>| {
        let profile = &task.profile;
        task.assignment == assignment
            && profile.is_submitted
            && !profile.is_wrong
            && !profile.breaks_rule
            && !profile.is_disabled
    };
    let places: Vec<usize> = (0..tasks.len()).filter(|place| usable(&tasks[*place])).collect();
    // From the middle of the list on, so that the copies are not the first rows that a reader sees.
    let middle = places.len() / 2;
    let candidates = places[..middle].iter().rev();
    candidates.into_iter().find_map(|from| {
        let same = |to: &&usize| tasks[**to].variant == tasks[*from].variant;
        places[middle..].iter().find(same).map(|to| (*from, *to))
    })
}

/// `overrides.yaml`: a penalty that was lifted, and a report that was defended.
pub(crate) fn overrides(tasks: &[DemoTask<'_>], calendar: &DemoCalendar) -> String {
    let submitted = || tasks.iter().filter(|task| task.profile.is_submitted);
    let late = submitted().find(|task| task.profile.days_early < 0 && task.assignment < 3);
    let report = submitted().find(|task| !task.profile.open_sections.is_empty() && !task.profile.is_disabled);
    let decisions = [
        late.map(|task| (task, "D", "0", "the server was down on these days")),
        report.map(|task| (task, "R", "2", "the missing section was defended in class")),
    ];
    let mut text = "# Letters that an instructor has changed.\n".to_owned();
    for (task, letter, points, reason) in decisions.into_iter().flatten() {
        let _ = writeln!(
            text,
            "- {{ login: {}, assignment: {}, letter: {letter}, points: {points}, by: A. Instructor, at: {}, reason: {reason} }}",
            task.student.login, task.assignment, calendar.decided
        );
    }
    if text.lines().count() == 1 { "[]\n".to_owned() } else { text }
}

/// `similarity.yaml`: the confirmed copy.
pub(crate) fn similarities(tasks: &[DemoTask<'_>], calendar: &DemoCalendar) -> String {
    let copy = tasks.iter().find(|task| task.assignment == CONFIRMED && task.profile.copied_from.is_some());
    let original = |copy: &DemoTask<'_>| {
        let from = copy.profile.copied_from.as_deref();
        tasks.iter().find(|task| Some(task.name.as_str()) == from).map(|task| task.student.login.clone())
    };
    let Some((copy, original)) = copy.and_then(|copy| Some((copy, original(copy)?))) else {
        return "[]\n".to_owned();
    };
    format!(
        "# Copying that an instructor has confirmed.\n\
         - {{ assignment: {}, variant: {}, logins: [{original}, {}], part: seq, by: A. Instructor, at: {},\n    \
         reason: the same program with other names }}\n",
        copy.assignment, copy.variant, copy.student.login, calendar.decided
    )
}

/// Tasks of an earlier year; the first one is the source of a task of this year.
pub(crate) fn archive(tasks: &[DemoTask<'_>], calendar: &DemoCalendar) -> Vec<DemoFile> {
    let submitted = tasks.iter().filter(|task| task.profile.is_submitted && task.assignment == 1);
    let chosen = submitted.take(ARCHIVED).enumerate();
    let files = chosen.flat_map(|(place, task)| {
        let mut choice = task.profile.choice.disguised();
        if place > 0 {
            choice.seq = (choice.seq + 3) % crate::demo::solution::SEQ_WAYS;
            choice.mpi = (choice.mpi + 2) % crate::demo::solution::MPI_WAYS;
        }
        let folder = format!(
            "archive/{}/former_{place}_{}",
            calendar.earlier_year(),
            task.name.rsplit_once('_').map_or("task", |(_, word)| word)
        );
        [
            DemoFile::new(format!("{folder}/task.yaml"), archived_settings(task, place, calendar)),
            DemoFile::new(format!("{folder}/src/seq.rs"), choice.seq_source(false)),
            DemoFile::new(format!("{folder}/src/mpi.rs"), choice.mpi_source(false)),
        ]
    });
    files.collect()
}

fn archived_settings(task: &DemoTask<'_>, place: usize, calendar: &DemoCalendar) -> String {
    format!(
        "student: Former student {place}\ngroup: DEMO-{}\ntask_number: {}\nvariant: {}\nkind: computation\n\
         status:\n  seq: enabled\n  mpi: enabled\n\
         performance:\n  workloads:\n    - {{ name: default, size: 1000000 }}\n  ranks: [1, 2, 4]\n",
        calendar.earlier_year(),
        task.assignment,
        task.variant
    )
}
