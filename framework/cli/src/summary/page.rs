//! The page of a change in Markdown: results first, then what each check printed.

use std::{collections::BTreeSet, path::PathBuf};

use wb_messages::{Lang, change as text, number};
use wb_report::document::{BlockGroup, Document, List, Medium, Table, left, right};

/// The part of an output that is kept: its end, in bytes. A page of a job has at most a megabyte.
const OUTPUT_BYTES_MAX: usize = 60_000;

/// The files outside of the author's folders that are listed.
const OUTSIDE_MAX: usize = 50;

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckOutcome {
    Passed,
    /// This is a failure of the whole command.
    Failed,
    /// A check that is information only did not succeed.
    Unavailable,
    /// The sources break a rule, so their program was not started.
    NotRun,
}

pub(super) struct CheckResult {
    pub(super) title: String,
    pub(super) outcome: CheckOutcome,
    pub(super) seconds: f64,
    pub(super) output: String,
}

/// What is known about a change.
pub(super) struct SummaryPage<'a> {
    pub(super) commit: &'a str,
    /// The changed tasks with their students.
    pub(super) tasks: Vec<(String, String)>,
    /// The changed files outside of the folders of these tasks.
    pub(super) outside: Vec<PathBuf>,
    pub(super) checks: &'a [CheckResult],
}

impl SummaryPage<'_> {
    /// The page.
    pub(super) fn markdown(&self, lang: Lang) -> String {
        let mut page = Document::new(Medium::Markdown);
        page.heading(2, text::heading(lang));
        self.authors(&mut page, lang);
        if !self.outside.is_empty() {
            page.alarm(text::outside(lang, self.outside.len()));
            let files = self.outside.iter().take(OUTSIDE_MAX);
            let files = files.map(|file| wb_text::escape::markdown(&file.to_string_lossy()).into_owned());
            let more = self.outside.len().checked_sub(OUTSIDE_MAX).filter(|more| *more > 0);
            let more = more.map(|more| text::more_files(lang, more));
            page.list(List::Bullets(""), files.chain(more));
        }
        page.table(self.table(lang));
        for check in self.checks.iter().filter(|check| check.outcome != CheckOutcome::NotRun) {
            output(&mut page, check, lang);
        }
        page.to_text()
    }

    fn authors(&self, page: &mut Document, lang: Lang) {
        page.paragraph(text::compared(lang, wb_text::escape::markdown(self.commit)));
        let task = |(task, student): &(String, String)| {
            text::task_of(lang, wb_text::escape::markdown(task), wb_text::escape::markdown(student))
        };
        page.list(List::Bullets(""), self.tasks.iter().map(task));
        let students: BTreeSet<&str> = self.tasks.iter().map(|(_, student)| student.as_str()).collect();
        if students.len() > 1 {
            page.alarm(text::several_students(lang, students.len()));
        }
    }

    fn table(&self, lang: Lang) -> Table {
        let [check, result, seconds] = [text::column_check, text::column_result, text::column_seconds];
        let mut table = Table::new([left(check(lang)), left(result(lang)), right(seconds(lang))]);
        for check in self.checks {
            let result = match check.outcome {
                CheckOutcome::Passed => text::passed(lang),
                CheckOutcome::Failed => text::failed(lang),
                CheckOutcome::Unavailable => text::unavailable(lang),
                CheckOutcome::NotRun => text::not_run(lang),
            };
            let title = wb_text::escape::markdown(&check.title).into_owned();
            table.row([title, result, number::fixed(lang, check.seconds, 1)]);
        }
        table
    }
}

/// What a check printed, closed unless it failed.
fn output(page: &mut Document, check: &CheckResult, lang: Lang) {
    let (shown, is_open) =
        (last_lines(&check.output, OUTPUT_BYTES_MAX), check.outcome != CheckOutcome::Passed);
    let summary = wb_text::escape::markdown(&check.title).into_owned();
    page.group(BlockGroup::Details { summary, is_open }, |details| {
        if shown.len() < check.output.len() {
            details.paragraph(text::shortened(lang));
        }
        details.code(wb_text::escape::terminal(shown));
    });
}

/// The longest end of a text that begins with a line and has at most `most` bytes.
fn last_lines(text: &str, most: usize) -> &str {
    let Some(from) = text.len().checked_sub(most).filter(|from| *from > 0) else { return text };
    let from = (from..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    text[from..].split_once('\n').map_or(&text[from..], |(_, whole)| whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str, outcome: CheckOutcome) -> CheckResult {
        CheckResult { title: "cargo wb test".into(), outcome, seconds: 1.25, output: output.into() }
    }

    fn page(checks: &[CheckResult], outside: &[&str], tasks: &[(&str, &str)]) -> String {
        let tasks = tasks.iter().map(|(task, student)| (task.to_string(), student.to_string())).collect();
        let outside = outside.iter().map(PathBuf::from).collect();
        SummaryPage { commit: "abc", tasks, outside, checks }.markdown(Lang::En)
    }

    #[test]
    fn a_student_cannot_leave_the_block_of_the_output() {
        let hostile = "```\n</details>\n# All passed\n`````\n\u{1b}[2J";
        let shown = page(&[check(hostile, CheckOutcome::Passed)], &[], &[]);
        assert!(shown.contains("\n``````text\n```\n</details>"), "{shown}");
        assert!(shown.contains("\n``````\n\n</details>\n") && !shown.contains('\u{1b}'), "{shown}");
    }

    #[test]
    fn names_are_no_markup() {
        let shown = page(&[], &["docs/<img src=x>|`.md"], &[("a_b_c", "**Bold** <b>")]);
        assert!(!shown.contains("<img") && !shown.contains("<b>") && !shown.contains("**Bold**"), "{shown}");
        assert!(shown.contains("outside"), "{shown}");
    }

    #[test]
    fn a_long_output_keeps_its_last_whole_lines() {
        let long: String = (0..20_000).map(|line| format!("строка {line}\n")).collect();
        let kept = last_lines(&long, OUTPUT_BYTES_MAX);
        assert!(kept.len() <= OUTPUT_BYTES_MAX && kept.starts_with("строка ") && kept.ends_with("19999\n"));
        assert!(page(&[check(&long, CheckOutcome::Passed)], &[], &[]).contains("only the end"));
        assert_eq!(last_lines("all", 3), "all");
    }

    #[test]
    fn results_are_told_apart() {
        use CheckOutcome::{Failed, NotRun, Passed, Unavailable};
        let checks = [Passed, Failed, Unavailable, NotRun].map(|outcome| check("", outcome));
        let shown = page(&checks, &[], &[]);
        for word in ["| passed | 1.2", "| **FAILED** |", "| not available |", "| not run: ", "<details open>"]
        {
            assert!(shown.contains(word), "{word} in {shown}");
        }
        assert_eq!(shown.matches("<details").count(), 3, "{shown}");
    }

    #[test]
    fn several_students_in_one_change_are_named() {
        let one = page(&[], &[], &[("ivanov_i_sum", "Ivanov"), ("ivanov_i_max", "Ivanov")]);
        assert!(!one.contains("students"), "{one}");
        let two = page(&[], &[], &[("ivanov_i_sum", "Ivanov"), ("petrov_p_sum", "Petrov")]);
        assert!(two.contains("**tasks of 2 students**"), "{two}");
        assert_eq!(page(&[], &vec!["x"; 60], &[]).matches("\n- ").count(), OUTSIDE_MAX + 1);
    }
}
