//! What the screen shows, as a pure function of the events of a run.

use std::{collections::BTreeMap, mem, time::Duration};

use crossterm::style::Stylize;
use unicode_width::UnicodeWidthChar;
use wb_messages::{Lang, number, watch as text, wrap};
use wb_record::FunctionalRecord;

use super::{
    page::PageState,
    step_result::{Step, StepResult, StepVerdict, plain},
};
use crate::error::fit_terminal;

/// Columns of a step's verdict, which comes first so that a narrow terminal does not break it, and of its name.
const VERDICT: usize = 8;
const NAME: usize = 22;

/// The most tests that a line of changes names.
const MAX_NAMED_TESTS: usize = 2;

/// The state of the screen.
pub(super) struct Screen {
    lang: Lang,
    /// The name of the MPI; `None` where none is installed.
    mpi: Option<String>,
    task: Option<String>,
    running: Option<Step>,
    results: BTreeMap<Step, StepResult>,
    /// Lines about the tests that became worse or better.
    changes: Vec<(String, bool)>,
    /// The last results of each task, with which the next ones are compared.
    known: BTreeMap<(String, Step), BTreeMap<String, bool>>,
    note: Option<String>,
    /// The first failure, or what the compiler has found.
    body: String,
    /// The records of hangs of that step.
    hangs: Vec<FunctionalRecord>,
    /// The line with the address of the page, if it is served.
    address: Option<String>,
}

impl Screen {
    pub(super) fn new(mpi: Option<String>, lang: Lang) -> Self {
        let (results, known) = (BTreeMap::new(), BTreeMap::new());
        let (task, running, changes, note, body) = (None, None, vec![], None, text::waiting(lang));
        let (hangs, address) = (vec![], None);
        Self { lang, mpi, task, running, results, changes, known, note, body, hangs, address }
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
        self.failed("");
        (self.task, self.running) = (Some(task.to_owned()), Some(Step::Build));
    }

    /// The last line that cargo has written.
    pub(super) fn build_progress(&mut self, line: &str) {
        self.body = wb_text::escape::coloured(line).into_owned();
    }

    pub(super) fn ended(&mut self, step: Step, mut result: StepResult) {
        let is_first_failure = self.results.values().all(|earlier| earlier.verdict != StepVerdict::Failed);
        let report = std::mem::take(&mut result.report);
        if step == Step::Build || !report.is_empty() && is_first_failure {
            (self.body, self.hangs) = (report, mem::take(&mut result.hangs));
        }
        self.running = match step {
            Step::Build if result.verdict == StepVerdict::Passed => Some(Step::OneProcess),
            Step::OneProcess if self.mpi.is_some() => Some(Step::Mpi),
            Step::Build | Step::OneProcess | Step::Mpi => None,
        };
        self.compare(step, &result);
        self.results.insert(step, result);
    }

    /// Compares the tests with those of the run before.
    fn compare(&mut self, step: Step, result: &StepResult) {
        let (lang, backends) = (self.lang, self.name(step));
        let before = self.known.insert((self.task.clone().unwrap_or_default(), step), result.tests.clone());
        for (is_better, line) in [(false, text::worse as fn(_, _, _) -> _), (true, text::better)] {
            let changed = before.as_ref().map(|before| result.changed(before, is_better));
            if let Some(changed) = changed.filter(|changed| !changed.is_empty()) {
                self.changes.push((line(lang, backends.clone(), list(&changed, lang)), is_better));
            }
        }
    }

    /// The run was ended.
    pub(super) fn stopped(&mut self) {
        self.running = None;
    }

    /// The run, or the search for tasks, failed for this reason.
    pub(super) fn failed(&mut self, reason: &str) {
        (self.running, self.note) = (None, None);
        self.results.clear();
        self.changes.clear();
        self.hangs.clear();
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

    /// The page has this address.
    pub(super) fn show_address(&mut self, address: &str) {
        self.address = Some(text::page_at(self.lang, address));
    }

    /// What the page shows.
    pub(super) fn page_state(&self, elapsed: Duration) -> PageState {
        let has_failed = self.results.values().any(|result| result.verdict == StepVerdict::Failed);
        let head = self.head(usize::MAX, elapsed).lines().map(plain).collect();
        let body = self.body.lines().map(plain).collect::<Vec<_>>().join("\n");
        PageState { head, body, has_failed, hangs: self.hangs.clone() }
    }

    /// The rows of a terminal with this many columns and rows; the current step has been running for `elapsed`.
    pub(super) fn rows(&self, columns: usize, rows: usize, elapsed: Duration) -> Vec<String> {
        let mut shown = wrap_coloured(&self.head(columns, elapsed), columns);
        shown.extend(self.address.iter().flat_map(|line| wrap_coloured(line, columns)));
        let mut body = wrap_coloured(&self.body, columns);
        // A blank row before the body, and the row of the keys.
        let height = rows.saturating_sub(shown.len() + 2);
        if body.len() > height {
            let left = body.len() - height.saturating_sub(1);
            body.truncate(height.saturating_sub(1));
            body.extend(wrap_coloured(&text::more_lines(self.lang, left), columns).into_iter().take(1));
        }
        shown.push(String::new());
        shown.extend(body);
        shown.resize(rows.saturating_sub(1), String::new());
        shown.extend(wrap_coloured(&text::keys(self.lang), columns));
        shown.truncate(rows);
        shown
    }

    /// The title, a line for each step, the changes and the remark.
    fn head(&self, columns: usize, elapsed: Duration) -> String {
        let fitted = |line: &str| wrap(line, "", "  ", columns);
        let task = self.task.iter().map(|task| format!(": {task}")).collect::<String>();
        let mut lines = vec![format!("cargo wb watch{task}").bold().to_string()];
        if self.task.is_some() {
            let mpi = self.mpi.is_some().then_some(Step::Mpi);
            let steps = [Step::Build, Step::OneProcess].into_iter().chain(mpi);
            lines.extend(steps.map(|step| self.step_line(step, elapsed)));
        }
        lines.extend(self.mpi.is_none().then(|| fitted(&text::no_mpi(self.lang))));
        lines.extend(self.changes.iter().map(|(line, is_better)| match is_better {
            true => fitted(line).green().to_string(),
            false => fitted(line).red().to_string(),
        }));
        lines.extend(self.note.as_deref().map(fitted));
        lines.join("\n")
    }

    fn step_line(&self, step: Step, elapsed: Duration) -> String {
        let (lang, name) = (self.lang, self.name(step));
        let (verdict, state) = match self.results.get(&step) {
            Some(result) => (result.render_verdict(step, lang), result.render_summary(step, lang)),
            None if self.running == Some(step) => {
                (" ".repeat(VERDICT), text::running(lang, elapsed.as_secs()))
            }
            None => (" ".repeat(VERDICT), String::new()),
        };
        format!("{verdict} {name:<NAME$} {state}")
    }

    fn name(&self, step: Step) -> String {
        match step {
            Step::Build => text::build(self.lang),
            Step::OneProcess => text::one_process(self.lang),
            Step::Mpi => self.mpi.clone().unwrap_or_default(),
        }
    }
}

impl StepResult {
    fn render_verdict(&self, step: Step, lang: Lang) -> String {
        let padded = |verdict: String| format!("{verdict:<VERDICT$}").bold();
        let verdict = match (self.verdict, step) {
            (StepVerdict::Passed, Step::Build) => padded(text::built(lang)).green(),
            (StepVerdict::Passed, _) => padded(text::passed(lang)).green(),
            (StepVerdict::Failed, _) => padded(text::failed(lang)).red(),
            (StepVerdict::NothingRan, _) => padded(text::nothing_ran(lang)).yellow(),
        };
        verdict.to_string()
    }

    fn render_summary(&self, step: Step, lang: Lang) -> String {
        let seconds = text::seconds(lang, number::fixed(lang, self.elapsed.as_secs_f64(), 1));
        match step {
            Step::Build => seconds,
            Step::OneProcess | Step::Mpi => format!("{}  {seconds}", self.totals.render(lang)),
        }
    }
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
    let lines = lines.trim_end().replace('\t', "    ");
    let (mut rows, mut row, mut used, mut colours) = (vec![], String::new(), 0, String::new());
    let mut rest = lines.chars();
    while let Some(next) = rest.next() {
        if next == '\u{1b}' {
            let sequence: String = rest.by_ref().take_while(|c| *c != 'm').collect();
            let sequence = format!("\u{1b}{sequence}m");
            colours = if sequence == RESET { String::new() } else { colours + &sequence };
            row += &sequence;
            continue;
        }
        let width = next.width().unwrap_or(0);
        if next == '\n' || used + width > columns {
            rows.push(std::mem::replace(&mut row, colours.clone()) + RESET);
            used = 0;
        }
        if next != '\n' {
            row.push(next);
            used += width;
        }
    }
    rows.push(row + RESET);
    rows
}

#[cfg(test)]
mod tests {
    use super::{super::step_result::plain, *};
    use crate::test_totals::TestTotals;

    fn screen(lang: Lang) -> Screen {
        let mut screen = Screen::new(Some("Open MPI 4.1.4".to_owned()), lang);
        screen.start("ring");
        screen
    }

    /// The rows of a terminal, without colours.
    fn shown(screen: &Screen, columns: usize, rows: usize) -> Vec<String> {
        let rows = screen.rows(columns, rows, Duration::from_secs(3));
        rows.iter().map(|row| plain(row).trim_end().to_owned()).collect()
    }

    fn built(output: &str) -> StepResult {
        StepResult::of_build(!output.contains("error"), output, Duration::from_millis(600))
    }

    fn tested(passes: bool, report: &str) -> StepResult {
        let verdict = if passes { StepVerdict::Passed } else { StepVerdict::Failed };
        let totals = TestTotals { passed: 45, failed: 23, skipped: 12, unselected: 0 };
        let elapsed = Duration::from_millis(12_340);
        StepResult {
            verdict,
            totals,
            tests: [("sorts".to_owned(), passes)].into(),
            report: report.into(),
            hangs: vec![],
            elapsed,
        }
    }

    #[test]
    fn each_step_is_added_to_one_screen_and_the_first_failure_stays() {
        let mut screen = screen(Lang::En);
        let running = ["cargo wb watch: ring", "         build                  running, 3 s"];
        assert_eq!(shown(&screen, 80, 24)[..2], running);
        screen.ended(Step::Build, built("warning: unused\n"));
        let rows = shown(&screen, 80, 24);
        assert_eq!((&*rows[1], &*rows[5]), ("ok       build                  0.6 s", "warning: unused"));
        screen.ended(Step::OneProcess, tested(false, "the\tfirst"));
        let tests = "FAILED   threads, virtual time  45 passed, 23 failed, 12 skipped  12.3 s";
        assert_eq!(shown(&screen, 80, 24)[2..4], [tests, "         Open MPI 4.1.4         running, 3 s"]);
        screen.ended(Step::Mpi, tested(false, "the second"));
        let rows = shown(&screen, 80, 24);
        assert_eq!((rows.len(), &*rows[5]), (24, "the    first"), "{rows:?}");
        assert_eq!(rows[23], "r: run again   c: check   t: trace   q: quit");
        assert!(rows.iter().all(|row| !row.contains("running") && !row.contains("second")), "{rows:?}");
    }

    #[test]
    fn a_failure_on_mpi_alone_is_shown_and_without_mpi_the_screen_says_so() {
        let mut screen = screen(Lang::En);
        screen.ended(Step::Build, built("warning: unused\n"));
        screen.ended(Step::OneProcess, tested(true, ""));
        screen.ended(Step::Mpi, tested(false, "only there"));
        assert_eq!(shown(&screen, 80, 24)[5], "only there");
        screen.mpi = None;
        screen.ended(Step::OneProcess, tested(true, ""));
        let rows = shown(&screen, 80, 24).join("\n");
        assert!(rows.contains("No MPI is installed") && !rows.contains("running"), "{rows}");
    }

    #[test]
    fn changes_are_those_since_the_run_before_of_the_same_task_and_backends() {
        let mut screen = screen(Lang::En);
        let run = |screen: &mut Screen, task: &str, passes: [bool; 2]| {
            screen.start(task);
            screen.ended(Step::Build, built(""));
            screen.ended(Step::OneProcess, tested(passes[0], ""));
            screen.ended(Step::Mpi, tested(passes[1], ""));
            let rows = shown(screen, 80, 24);
            rows.into_iter().filter(|row| row.contains("sorts")).collect::<Vec<_>>()
        };
        assert_eq!(run(&mut screen, "ring", [true, false]), [""; 0]);
        assert_eq!(run(&mut screen, "other", [false, true]), [""; 0], "another task has no run before");
        screen.start("ring");
        screen.ended(Step::Build, built("error: no\n"));
        assert!(!shown(&screen, 80, 24).join("\n").contains("running"), "nothing runs after a failed build");
        let expected = ["worse on threads, virtual time: sorts", "better on Open MPI 4.1.4: sorts"];
        assert_eq!(run(&mut screen, "ring", [false, true]), expected, "the build that failed has no results");
        assert_eq!(run(&mut screen, "ring", [false, true]), [""; 0]);
        let names = ["a", "b", "c", "d"].map(str::to_owned);
        assert_eq!(
            (list(&names[..2], Lang::En), list(&names, Lang::En)),
            ("a, b".into(), "a, b and 2 more".into())
        );
    }

    #[test]
    fn what_does_not_fit_is_counted_and_every_size_of_a_terminal_is_filled() {
        let mut screen = screen(Lang::Ru);
        screen.ended(Step::OneProcess, tested(false, ""));
        let head = screen.head(80, Duration::from_secs(3));
        assert!(head.lines().all(|line| plain(line).chars().count() <= 80), "{head:?}");
        let lines: Vec<String> =
            (1..=100).map(|number| format!("error {number} {}", "-".repeat(75))).collect();
        screen.ended(Step::Build, built(&lines.join("\n")));
        let rows = shown(&screen, 80, 24);
        assert!(rows[21].starts_with("error 9 ") && rows[22] == "... ещё строк: 183", "{rows:?}");
        for (columns, count) in [(80, 24), (40, 10), (20, 6), (7, 3), (1, 1), (0, 0), (300, 200)] {
            let rows = shown(&screen, columns, count);
            assert_eq!(rows.len(), count, "{columns} x {count}");
            assert!(rows.iter().all(|row| row.chars().count() <= columns.max(2)), "{columns}: {rows:?}");
        }
    }

    #[test]
    fn a_task_that_is_gone_is_named_and_a_remark_stays_until_the_next_run() {
        let mut screen = screen(Lang::En);
        screen.gone("ring");
        screen.note("a remark".to_owned());
        let rows = shown(&screen, 80, 24);
        assert_eq!(rows[..2], ["cargo wb watch", "a remark"]);
        assert!(rows[3].starts_with("The task ring does not exist any more"), "{rows:?}");
        assert_eq!(screen.task(), None);
        screen.start("ring");
        assert!(!shown(&screen, 80, 24).contains(&"a remark".to_owned()));
    }

    #[test]
    fn a_colour_continues_in_the_next_row_and_wide_letters_have_two_columns() {
        let (red, end) = ("\u{1b}[31m", "\u{1b}[0m");
        let expected = [format!("ab{red}cd{end}"), format!("{red}ef{end}"), format!("{red}g{end}h{end}")];
        assert_eq!(wrap_coloured(&format!("ab{red}cdef\ng{end}h\n\n"), 4), expected);
        let rows = wrap_coloured("界界界", 5);
        assert_eq!(rows.iter().map(|row| plain(row)).collect::<Vec<_>>(), ["界界", "界"]);
    }
}
