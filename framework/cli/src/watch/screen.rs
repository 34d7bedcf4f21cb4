//! What the screen shows, as a pure function of the events of a run.

use std::{collections::BTreeMap, time::Duration};

use crossterm::style::Stylize;
use unicode_width::UnicodeWidthChar;
use wb_messages::{Lang, number, watch as text, wrap};

use super::suite_result::{ResultChanges, Suite, SuiteResult, SuiteVerdict, TestResults};
use crate::error::fit_terminal;

/// Columns of a step's verdict, which comes first so that a narrow terminal does not break it, and of its name.
const VERDICT: usize = 8;
const NAME: usize = 22;

/// The most tests that a line of changes names.
const MAX_NAMED_TESTS: usize = 2;

/// Columns of a tabulator.
const TAB: &str = "    ";

/// A step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    Build,
    Tests(Suite),
}

/// The result of a step, rendered.
struct StepResult {
    verdict: SuiteVerdict,
    summary: String,
    elapsed: Duration,
}

/// The state of the screen.
pub(super) struct Screen {
    lang: Lang,
    /// The name of the MPI; `None` where none is installed.
    mpi: Option<String>,
    task: Option<String>,
    running: Option<Step>,
    results: BTreeMap<Step, StepResult>,
    changes: Vec<(Suite, ResultChanges)>,
    /// The last results of each task, with which the next ones are compared.
    known: BTreeMap<(String, Suite), TestResults>,
    note: Option<String>,
    /// The first failure, or the output of the build.
    body: String,
}

impl Screen {
    pub(super) fn new(mpi: Option<String>, lang: Lang) -> Self {
        let (results, known) = (BTreeMap::new(), BTreeMap::new());
        let (task, running, changes, note, body) = (None, None, vec![], None, text::waiting(lang));
        Self { lang, mpi, task, running, results, changes, known, note, body }
    }

    /// The task that is shown.
    pub(super) fn task(&self) -> Option<&str> {
        self.task.as_deref()
    }

    pub(super) fn is_building(&self) -> bool {
        self.running == Some(Step::Build)
    }

    /// A run of the tests of a task starts.
    pub(super) fn start(&mut self, task: &str) {
        self.clear();
        self.task = Some(task.to_owned());
        self.running = Some(Step::Build);
    }

    /// The last line that cargo has written.
    pub(super) fn build_progress(&mut self, line: &str) {
        self.body = wb_escape::coloured(line).into_owned();
    }

    /// The build has ended: its output is shown when it has failed or, until a test fails, when it has warned.
    pub(super) fn built(&mut self, is_success: bool, output: &str, elapsed: Duration) {
        let verdict = if is_success { SuiteVerdict::Passed } else { SuiteVerdict::Failed };
        self.results.insert(Step::Build, StepResult { verdict, summary: String::new(), elapsed });
        self.body = diagnostics(output, is_success);
        self.running = is_success.then_some(Step::Tests(Suite::OneProcess));
    }

    /// The tests of a suite have ended.
    pub(super) fn tested(&mut self, suite: Suite, result: SuiteResult) {
        let SuiteResult { verdict, totals, tests, failure, elapsed } = result;
        let summary = totals.render(self.lang);
        self.results.insert(Step::Tests(suite), StepResult { verdict, summary, elapsed });
        let key = (self.task.clone().unwrap_or_default(), suite);
        if let Some(before) = self.known.get(&key) {
            self.changes.push((suite, ResultChanges::between(before, &tests)));
        }
        self.known.insert(key, tests);
        let is_first = !self
            .results
            .iter()
            .any(|(step, result)| *step != Step::Tests(suite) && result.verdict == SuiteVerdict::Failed);
        if let Some(failure) = failure.filter(|_| is_first) {
            self.body = wb_escape::terminal(&failure).into_owned();
        }
        let has_next = suite == Suite::OneProcess && self.mpi.is_some();
        self.running = has_next.then_some(Step::Tests(Suite::Mpi));
    }

    /// The run was ended.
    pub(super) fn stopped(&mut self) {
        self.running = None;
    }

    /// The run, or the search for tasks, failed for this reason.
    pub(super) fn failed(&mut self, reason: &str) {
        self.clear();
        self.body = fit_terminal(reason);
    }

    /// The task does not exist any more.
    pub(super) fn gone(&mut self, task: &str) {
        self.failed(&text::gone(self.lang, task));
        self.task = None;
    }

    /// A remark, until the next run.
    pub(super) fn note(&mut self, note: String) {
        self.note = Some(note);
    }

    fn clear(&mut self) {
        (self.running, self.note) = (None, None);
        self.results.clear();
        self.changes.clear();
        self.body.clear();
    }

    /// The rows of a terminal with this many columns and rows; the current step has been running for `elapsed`.
    pub(super) fn rows(&self, columns: usize, rows: usize, elapsed: Duration) -> Vec<String> {
        let mut shown = wrap_coloured(&self.head(columns, elapsed), columns);
        let body = match self.body.is_empty() {
            true => vec![],
            false => wrap_coloured(&self.body, columns),
        };
        // A blank row before the body, and the row of the keys.
        let room = rows.saturating_sub(shown.len() + 2);
        shown.push(String::new());
        match body.len() > room {
            true => {
                let whole = room.saturating_sub(1);
                let left = body.len() - whole;
                shown.extend(body.into_iter().take(whole));
                shown.push(text::more_lines(self.lang, left));
            }
            false => shown.extend(body),
        }
        shown.resize(rows.saturating_sub(1), String::new());
        let keys = wrap_coloured(&text::keys(self.lang), columns).into_iter().next();
        shown.extend(keys.filter(|_| rows > 0));
        shown
    }

    /// The title, a line for each step, the changes and the remark.
    fn head(&self, columns: usize, elapsed: Duration) -> String {
        let lang = self.lang;
        let fitted = |line: String| wrap(&line, "", "  ", columns);
        let title = text::title(lang, self.task.as_deref().unwrap_or_default());
        let mut lines = vec![title.trim_end_matches([' ', ':']).bold().to_string()];
        if self.task.is_some() {
            let steps = [Step::Build, Step::Tests(Suite::OneProcess), Step::Tests(Suite::Mpi)];
            lines.extend(steps.into_iter().filter_map(|step| self.step_line(step, elapsed)));
        }
        lines.extend(self.mpi.is_none().then(|| fitted(text::no_mpi(lang))));
        for (suite, ResultChanges { better, worse }) in &self.changes {
            let backends = self.suite_name(*suite);
            if !worse.is_empty() {
                lines.push(fitted(text::worse(lang, &backends, list(worse, lang))).red().to_string());
            }
            if !better.is_empty() {
                lines.push(fitted(text::better(lang, &backends, list(better, lang))).green().to_string());
            }
        }
        lines.extend(self.note.clone().map(fitted));
        lines.join("\n")
    }

    /// The line of a step; `None` for MPI where there is none.
    fn step_line(&self, step: Step, elapsed: Duration) -> Option<String> {
        let lang = self.lang;
        let name = match step {
            Step::Build => text::build(lang),
            Step::Tests(Suite::Mpi) if self.mpi.is_none() => return None,
            Step::Tests(suite) => self.suite_name(suite),
        };
        let (verdict, state) = match self.results.get(&step) {
            Some(result) => (result.render_verdict(step, lang), result.render_summary(lang)),
            None if self.running == Some(step) => {
                (" ".repeat(VERDICT), text::running(lang, elapsed.as_secs()))
            }
            None => (" ".repeat(VERDICT), String::new()),
        };
        Some(format!("{verdict} {name:<NAME$} {state}"))
    }

    fn suite_name(&self, suite: Suite) -> String {
        match suite {
            Suite::OneProcess => text::one_process(self.lang),
            Suite::Mpi => self.mpi.clone().unwrap_or_default(),
        }
    }
}

impl StepResult {
    fn render_verdict(&self, step: Step, lang: Lang) -> String {
        let padded = |verdict: String| format!("{verdict:<VERDICT$}");
        let verdict = match (self.verdict, step) {
            (SuiteVerdict::Passed, Step::Build) => padded(text::built(lang)).green(),
            (SuiteVerdict::Passed, Step::Tests(_)) => padded(text::passed(lang)).green().bold(),
            (SuiteVerdict::Failed, _) => padded(text::failed(lang)).red().bold(),
            (SuiteVerdict::NothingRan, _) => padded(text::nothing_ran(lang)).yellow().bold(),
        };
        verdict.to_string()
    }

    fn render_summary(&self, lang: Lang) -> String {
        let seconds = text::seconds(lang, number::fixed(lang, self.elapsed.as_secs_f64(), 1));
        let parts = [self.summary.clone(), seconds];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ")
    }
}

/// The errors in the output of cargo, or its warnings where it has succeeded: its lines about the progress come before.
fn diagnostics(output: &str, is_success: bool) -> String {
    let wanted = if is_success { "warning" } else { "error" };
    let is_first = |line: &str| plain(line).starts_with(wanted);
    let first = output.lines().position(is_first);
    let shown = match (first, is_success) {
        (Some(first), _) => output.lines().skip(first).collect::<Vec<_>>().join("\n"),
        (None, true) => String::new(),
        (None, false) => output.to_owned(),
    };
    wb_escape::coloured(&shown).into_owned()
}

/// The line without colours.
fn plain(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    first + &parts.filter_map(|part| Some(part.split_once('m')?.1)).collect::<String>()
}

/// The first names, and how many there are besides.
fn list(tests: &[String], lang: Lang) -> String {
    let named = tests.iter().take(MAX_NAMED_TESTS).cloned().collect::<Vec<_>>().join(", ");
    match tests.len().saturating_sub(MAX_NAMED_TESTS) {
        0 => named,
        more => text::and_more(lang, named, more),
    }
}

/// Lines as rows of at most `columns` columns. A colour continues in the next row, and ends with each.
fn wrap_coloured(lines: &str, columns: usize) -> Vec<String> {
    const RESET: &str = "\u{1b}[0m";
    let columns = columns.max(2); // The width of a wide character.
    let lines = lines.trim_end().replace('\t', TAB);
    let (mut rows, mut row, mut used, mut colours) = (vec![], String::new(), 0, String::new());
    let mut rest = lines.chars();
    while let Some(next) = rest.next() {
        if next == '\u{1b}' {
            let sequence: String =
                std::iter::once(next).chain(rest.by_ref().take_while(|c| *c != 'm')).collect();
            colours = if matches!(&*sequence, "\u{1b}[0" | "\u{1b}[") {
                String::new()
            } else {
                colours + &sequence + "m"
            };
            row += &(sequence + "m");
            continue;
        }
        let width = next.width().unwrap_or(0);
        if next == '\n' || used + width > columns {
            rows.push(
                std::mem::replace(&mut row, colours.clone()) + if colours.is_empty() { "" } else { RESET },
            );
            used = 0;
        }
        if next != '\n' {
            row.push(next);
            used += width;
        }
    }
    rows.push(row + if colours.is_empty() { "" } else { RESET });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_totals::TestTotals;

    const MPI: &str = "Open MPI 4.1.4";

    fn screen(lang: Lang) -> Screen {
        let mut screen = Screen::new(Some(MPI.to_owned()), lang);
        screen.start("ivanov_i_ring");
        screen
    }

    /// The rows of a terminal, without colours.
    fn shown(screen: &Screen, columns: usize, rows: usize) -> Vec<String> {
        let rows = screen.rows(columns, rows, Duration::from_secs(3));
        rows.iter().map(|row| plain(row).trim_end().to_owned()).collect()
    }

    fn result(passes: bool, failure: Option<&str>) -> SuiteResult {
        let verdict = if passes { SuiteVerdict::Passed } else { SuiteVerdict::Failed };
        let totals = TestTotals { passed: 45, failed: 23, skipped: 12, unselected: 0 };
        let tests = [("sorts".to_owned(), passes)].into();
        let elapsed = Duration::from_millis(12_340);
        SuiteResult { verdict, totals, tests, failure: failure.map(str::to_owned), elapsed }
    }

    const BUILT: Duration = Duration::from_millis(600);

    #[test]
    fn each_step_is_added_to_one_screen_and_the_first_failure_stays() {
        let mut screen = screen(Lang::En);
        let rows = shown(&screen, 80, 24);
        assert_eq!(
            rows[..2],
            ["cargo wb watch: ivanov_i_ring", "         build                  running, 3 s"]
        );
        screen.built(true, "", BUILT);
        assert_eq!(shown(&screen, 80, 24)[1], "ok       build                  0.6 s");
        screen.tested(Suite::OneProcess, result(false, Some("the first\tfailure\u{1b}[2J")));
        let rows = shown(&screen, 80, 24);
        let tests = "FAILED   threads, virtual time  45 passed, 23 failed, 12 skipped  12.3 s";
        assert_eq!(rows[2..4], [tests, "         Open MPI 4.1.4         running, 3 s"]);
        screen.tested(Suite::Mpi, result(false, Some("the second")));
        let rows = shown(&screen, 80, 24);
        assert_eq!(rows[5], "the first    failure\\u{1b}[2J", "{rows:?}");
        assert_eq!((rows.len(), rows[23].as_str()), (24, "r: run again   c: check   t: trace   q: quit"));
        assert!(rows.iter().all(|row| !row.contains("running") && !row.contains("the second")), "{rows:?}");
    }

    #[test]
    fn a_failure_on_mpi_alone_is_shown() {
        let mut screen = screen(Lang::En);
        screen.built(true, "warning: unused\n", BUILT);
        screen.tested(Suite::OneProcess, result(true, None));
        assert_eq!(shown(&screen, 80, 24)[5], "warning: unused");
        screen.tested(Suite::Mpi, result(false, Some("only there")));
        assert_eq!(shown(&screen, 80, 24)[5], "only there");
    }

    #[test]
    fn changes_are_those_since_the_run_before_of_the_same_task_and_backends() {
        let mut screen = screen(Lang::En);
        let run = |screen: &mut Screen, task: &str, passes: [bool; 2]| {
            screen.start(task);
            screen.built(true, "", BUILT);
            screen.tested(Suite::OneProcess, result(passes[0], None));
            screen.tested(Suite::Mpi, result(passes[1], None));
            let rows = shown(screen, 80, 24);
            rows.into_iter().filter(|row| row.contains("sorts")).collect::<Vec<_>>()
        };
        assert_eq!(run(&mut screen, "ring", [true, false]), [""; 0]);
        assert_eq!(run(&mut screen, "other", [false, true]), [""; 0], "another task has no run before");
        screen.start("ring");
        screen.built(false, "error: no\n", BUILT);
        let expected = ["worse on threads, virtual time: sorts", "better on Open MPI 4.1.4: sorts"];
        assert_eq!(run(&mut screen, "ring", [false, true]), expected, "the build that failed has no results");
        assert_eq!(run(&mut screen, "ring", [false, true]), [""; 0]);
    }

    #[test]
    fn a_compile_error_comes_without_the_lines_before_it_and_with_its_colours() {
        let mut screen = screen(Lang::En);
        let error = "\u{1b}[1m\u{1b}[91merror[E0308]\u{1b}[0m: mismatched types";
        let output =
            format!("\u{1b}[1mCompiling\u{1b}[0m ring\nwarning: unused\n{error}\n --> src/mpi.rs:3:5\n");
        screen.built(false, &output, BUILT);
        let rows = screen.rows(80, 24, Duration::ZERO);
        assert_eq!(rows[5..7], [error, " --> src/mpi.rs:3:5"]);
        assert!(!rows.iter().any(|row| row.contains("running")), "{rows:?}");
        screen.built(false, "no such package\n", BUILT);
        assert_eq!(shown(&screen, 80, 24)[5], "no such package");
    }

    #[test]
    fn what_does_not_fit_is_counted_and_every_size_of_a_terminal_is_filled() {
        let mut screen = screen(Lang::En);
        let lines: Vec<String> =
            (1..=100).map(|number| format!("line {number} {}", "-".repeat(75))).collect();
        screen.built(false, &lines.join("\n"), BUILT);
        let rows = shown(&screen, 80, 24);
        assert!(rows[21].starts_with("line 9 ") && rows[22] == "... 183 more lines", "{rows:?}");
        for (columns, count) in [(80, 24), (40, 10), (20, 6), (7, 3), (1, 1), (0, 0), (300, 200)] {
            let rows = shown(&screen, columns, count);
            assert_eq!(rows.len(), count, "{columns} x {count}");
            assert!(rows.iter().all(|row| row.chars().count() <= columns.max(2)), "{columns}: {rows:?}");
        }
    }

    #[test]
    fn the_lines_of_steps_fit_80_columns_in_both_languages() {
        for lang in Lang::ALL {
            let mut screen = screen(lang);
            screen.built(true, "", BUILT);
            screen.tested(Suite::OneProcess, result(false, None));
            let head = screen.head(80, Duration::from_secs(3));
            assert!(head.lines().all(|line| plain(line).chars().count() <= 80), "{head:?}");
        }
    }

    #[test]
    fn without_mpi_the_screen_says_so_and_the_run_ends_before_it() {
        let mut screen = Screen::new(None, Lang::En);
        screen.start("ring");
        screen.built(true, "", BUILT);
        screen.tested(Suite::OneProcess, result(true, None));
        let rows = shown(&screen, 80, 24).join("\n");
        assert!(rows.contains("No MPI is installed") && !rows.contains("running"), "{rows}");
    }

    #[test]
    fn a_task_that_is_gone_is_named_and_no_task_is_shown() {
        let mut screen = screen(Lang::En);
        screen.gone("ivanov_i_ring");
        screen.note("a remark".to_owned());
        let rows = shown(&screen, 80, 24);
        assert_eq!(rows[..2], ["cargo wb watch", "a remark"]);
        assert!(rows[3].starts_with("The task ivanov_i_ring does not exist any more"), "{rows:?}");
        assert_eq!(screen.task(), None);
        screen.start("ring");
        assert!(!shown(&screen, 80, 24).contains(&"a remark".to_owned()), "a run begins without it");
    }

    #[test]
    fn a_colour_continues_in_the_next_row_and_wide_letters_have_two_columns() {
        let red = "\u{1b}[31m";
        let rows = wrap_coloured(&format!("ab{red}cdef\u{1b}[0mgh"), 4);
        assert_eq!(rows, [format!("ab{red}cd\u{1b}[0m"), format!("{red}ef\u{1b}[0mgh")]);
        assert_eq!(wrap_coloured("界界界", 5), ["界界", "界"]);
        assert_eq!(wrap_coloured("", 5), [""]);
        let lines = format!("a{red}\nb\n\n");
        assert_eq!(wrap_coloured(&lines, 5), [format!("a{red}\u{1b}[0m"), format!("{red}b\u{1b}[0m")]);
    }

    #[test]
    fn a_list_names_two_tests_and_counts_the_others() {
        let tests = |count| (0..count).map(|number| number.to_string()).collect::<Vec<_>>();
        assert_eq!(list(&tests(2), Lang::En), "0, 1");
        assert_eq!(list(&tests(5), Lang::En), "0, 1 and 3 more");
    }
}
