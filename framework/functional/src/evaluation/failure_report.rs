//! A failure: its kind, which is the same whatever the numbers, names and outputs in its text; and the text: what happened, where every rank
//! was, what to look at next.
use std::{
    collections::BTreeSet,
    fmt::{self, Write},
};

use wb_comm::{CallLocation, Code};
use wb_messages::{Lang, WIDTH, functional as text, pages, wrap};
use wb_record::{RankWait, TestOutcome};
use wb_runner::format::group_ranks;
use wb_task::Stage;

/// The kinds of failures; those of a rank have the stage in which it failed, if it was in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// A backend has found a mistake that has a code.
    Finding,
    /// Calls of different ranks do not match.
    Mismatched,
    /// A rank panicked.
    Panicked(Option<Stage>),
    /// A rank called `abort`.
    Aborted(Option<Stage>),
    /// A stage of a rank returned an error.
    Failed(Option<Stage>),
    /// Ranks did not end after they had delivered their results.
    Unterminated,
    /// Validation refused an input that is valid.
    Refused,
    /// Validation accepted an input that is not valid.
    NotRefused,
    /// A rank that should have an output has none.
    OutputMissing,
    /// A rank that should have no output has one.
    OutputUnexpected,
    /// The outputs of the ranks differ.
    OutputsDisagree,
    /// The oracle refuses the output.
    OutputWrong,
    /// The output differs from that of the reference.
    OutputNotReference,
    /// The task started processes and did not wait for them.
    ProcessesLeft,
    /// The numbers of sent and of received messages differ.
    MessagesUnaccounted,
    /// The version calls verbs that it must not call.
    OtherVerbs,
    /// The task sends another number of messages than the test allows.
    MessageCount,
    /// Data did not take the way that the problem states.
    Bypassed,
    /// The test has no inputs.
    NoInputs,
    /// The ranks have run other inputs than the test has.
    OtherInputs,
    /// A parallel version communicates nothing.
    Silent,
    /// Ranks wait for each other.
    Deadlock,
    /// A rank exceeded the limit of a call.
    OverLimit,
    /// Ranks were in calls at the limit, and nothing shows that none could continue.
    Blocked,
    /// Calls still completed at the limit.
    Calling,
    /// A rank still computed at the limit.
    Computing(Option<Stage>),
    /// A rank slept at the limit.
    Asleep(Option<Stage>),
    /// A rank ended its process.
    Exited(Option<Stage>),
    /// A rank's memory was exhausted.
    OutOfMemory(Option<Stage>),
    /// A rank left no record.
    NoRecord,
    /// A job that the user started left no verdict.
    NoVerdict,
    /// The job ended after its last run.
    JobTerminated,
    /// The job ended before this test.
    JobNotRun,
    /// Hosts or ranks of the job were lost: this test and all others there have no verdict.
    HostsLost,
    /// The test was not run.
    NotRun,
}

impl FailureKind {
    /// Whether it is about a job and not about a test: every test of the job fails so.
    pub(crate) fn is_of_job(self) -> bool {
        matches!(self, Self::JobNotRun | Self::HostsLost)
    }

    /// The outcome of a test that fails so.
    pub(crate) fn outcome(self) -> TestOutcome {
        match self {
            Self::Deadlock => TestOutcome::Hang,
            Self::OverLimit | Self::Blocked | Self::Calling | Self::Computing(_) | Self::Asleep(_) => {
                TestOutcome::Limit
            }
            Self::Exited(_)
            | Self::OutOfMemory(_)
            | Self::NoRecord
            | Self::NoVerdict
            | Self::JobTerminated
            | Self::JobNotRun
            | Self::HostsLost => TestOutcome::Crash,
            Self::Aborted(_) => TestOutcome::Aborted,
            Self::NotRun => TestOutcome::Skip,
            Self::Finding
            | Self::Mismatched
            | Self::Panicked(_)
            | Self::Failed(_)
            | Self::Unterminated
            | Self::Refused
            | Self::NotRefused
            | Self::OutputMissing
            | Self::OutputUnexpected
            | Self::OutputsDisagree
            | Self::OutputWrong
            | Self::OutputNotReference
            | Self::ProcessesLeft
            | Self::MessagesUnaccounted
            | Self::OtherVerbs
            | Self::MessageCount
            | Self::Bypassed
            | Self::NoInputs
            | Self::OtherInputs
            | Self::Silent => TestOutcome::Fail,
        }
    }
}

/// One of a test's inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InputRef {
    /// The number of the input, from 1.
    pub(crate) number: usize,
    /// The number of inputs.
    pub(crate) total: usize,
    /// The input in short.
    pub(crate) text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FailureReport {
    /// The kind of the failure.
    pub(crate) kind: FailureKind,
    /// The mistake's name, where it is one that has a page.
    pub(crate) code: Option<Code>,
    /// The headline, one line.
    pub(crate) headline: String,
    /// The details: a panic's text, unreceived messages, outputs that differ.
    pub(crate) details: Vec<String>,
    /// The lines of the program that it is about, as `file:line`.
    pub(crate) lines: BTreeSet<String>,
    /// The input, when the failure is one of a run.
    pub(crate) input: Option<InputRef>,
    /// The position of every rank.
    pub(crate) ranks: Vec<String>,
    /// Ranks each of which waits for the next one only, and the last one for the first; empty if there are none.
    pub(crate) cycle: Vec<usize>,
    /// Which rank waits for which.
    pub(crate) waits: Vec<RankWait>,
    /// The number of ranks that needed a processor when the limit was over.
    pub(crate) busy_ranks: usize,
    /// The printed output: a heading and lines.
    pub(crate) printed: Option<(String, String)>,
    /// The hint on what to look at next.
    pub(crate) hint: String,
}

impl FailureReport {
    /// A finding without further lines.
    pub(crate) fn new(kind: FailureKind, headline: String, hint: String) -> Self {
        let (details, lines, ranks, cycle, busy_ranks) = (vec![], BTreeSet::new(), vec![], vec![], 0);
        let (code, input, printed, waits) = (None, None, None, vec![]);
        Self { kind, code, headline, details, lines, input, ranks, cycle, waits, busy_ranks, printed, hint }
    }

    /// What a backend found, with its lines: the first is the headline's, others of another kind begin with their codes.
    pub(crate) fn from_findings(
        kind: FailureKind,
        found: &[wb_comm::Finding],
        headline: String,
        hint: String,
    ) -> Self {
        let lang = Lang::from_environment();
        let first = found.first().map(|finding| finding.code);
        let details = found.iter().flat_map(|finding| {
            let code = Some(finding.code).filter(|code| Some(*code) != first);
            let prefix = code.map_or_else(String::new, |code| format!("{code}: "));
            let details = finding.details.iter().map(move |detail| detail.render(lang)).enumerate();
            let details =
                details.map(move |(at, line)| if at == 0 { format!("{prefix}{line}") } else { line });
            details
                .chain(finding.locations.iter().map(move |place| format!("  {}", place.text().render(lang))))
        });
        let details = details.collect();
        Self {
            code: found.first().map(|finding| finding.code),
            details,
            lines: found.iter().flat_map(|finding| &finding.locations).map(source_line).collect(),
            ..Self::new(kind, headline, hint)
        }
    }

    /// The outcome of a test with this failure.
    pub(crate) fn outcome(&self) -> TestOutcome {
        self.kind.outcome()
    }

    /// The same with these details.
    pub(crate) fn with_details(mut self, details: Vec<String>) -> Self {
        self.details = details;
        self
    }

    /// The headline of the failure.
    pub(crate) fn title(&self, lang: Lang) -> String {
        match self.code {
            Some(code) if self.outcome() == TestOutcome::Hang => {
                format!("{code}: {}", text::hang_because(lang, pages::page(code).title.in_language(lang)))
            }
            Some(code) => format!("{code}: {}", self.headline),
            None => self.headline.clone(),
        }
    }

    /// The failure, and the position of every rank.
    pub(crate) fn render(&self, lang: Lang) -> String {
        let mut report = String::new();
        self.write_to(&mut report, lang).expect("a text takes any line");
        report
    }

    /// The failure, and its input.
    pub(crate) fn render_short(&self, lang: Lang) -> String {
        let input = self
            .input
            .as_ref()
            .map(|InputRef { number, total: of, text }| text::input(lang, number, of, text));
        let lines = std::iter::once(self.title(lang)).chain(input);
        lines.map(|line| wrap(&line, "  ", "    ", WIDTH) + "\n").collect()
    }

    fn write_to(&self, to: &mut String, lang: Lang) -> fmt::Result {
        writeln!(to, "{}", wrap(&self.title(lang), "  ", "    ", WIDTH))?;
        for detail in &self.details {
            write_wrapped(to, "    ", detail)?;
        }
        if let Some(InputRef { number, total: of, text }) = &self.input {
            writeln!(to, "{}", wrap(&text::input(lang, number, of, text), "  ", "    ", WIDTH))?;
        }
        if !self.ranks.is_empty() {
            writeln!(to, "  {}", text::ranks_heading(lang))?;
            self.write_cycle(to)?;
            let others = self.ranks.iter().enumerate().filter(|(rank, _)| !self.cycle.contains(rank));
            for (mut ranks, state) in group_ranks(others) {
                if ranks.len() > WIDTH / 4 {
                    writeln!(to, "{}", wrap(&ranks, "    ", "    ", WIDTH))?;
                    ranks.clear();
                }
                write_wrapped(to, &format!("    {ranks:>3}  "), state)?;
            }
        }
        if let Some((heading, lines)) = &self.printed {
            writeln!(to, "  {heading}")?;
            lines.lines().try_for_each(|line| writeln!(to, "    | {line}"))?;
        }
        Ok(())
    }

    /// The ranks of the cycle, one below the other, with arrows to the ranks that they wait for.
    fn write_cycle(&self, to: &mut String) -> fmt::Result {
        for (at, &rank) in self.cycle.iter().enumerate() {
            let (rail, below) = match at {
                0 => ("┌▶", "│ "),
                _ if at + 1 < self.cycle.len() => ("│↓", "│ "),
                _ => ("└↓", "  "),
            };
            let state = self.ranks.get(rank).map_or("", String::as_str);
            let (first, rest) = (format!("  {rail}{rank:>3}  "), format!("  {below}     "));
            write_indented(to, &first, &rest, state)?;
        }
        Ok(())
    }

    /// What to look at next, a line each.
    pub(crate) fn hints(&self, lang: Lang) -> Vec<String> {
        let page = self.code.map(|code| pages::explained_by(lang, code));
        std::iter::once(self.hint.clone()).chain(page).map(|hint| text::next_step(lang, hint)).collect()
    }
}

/// The word that a report begins with.
pub(crate) fn verdict_label(verdict: TestOutcome) -> String {
    let lang = Lang::from_environment();
    match verdict {
        TestOutcome::Pass => text::pass(lang),
        TestOutcome::Fail => text::fail(lang),
        TestOutcome::Hang => text::hang(lang),
        TestOutcome::Limit => text::limit(lang),
        TestOutcome::Crash => text::crash(lang),
        TestOutcome::Aborted => text::abort(lang),
        TestOutcome::Skip => text::skip(lang),
    }
}

/// A line of the program as `file:line`.
pub(crate) fn source_line(place: &CallLocation) -> String {
    format!("{}:{}", place.file, place.line)
}

/// Writes lines, long ones broken; the first begins with `first`.
fn write_wrapped(to: &mut String, first: &str, lines: &str) -> fmt::Result {
    write_indented(to, first, &" ".repeat(first.len()), lines)
}

/// The same, where the others begin with `rest`, which is as wide.
fn write_indented(to: &mut String, first: &str, rest: &str, lines: &str) -> fmt::Result {
    lines.lines().enumerate().try_for_each(|(at, line)| {
        let first = if at == 0 { first } else { rest };
        if first.chars().count() + line.chars().count() <= WIDTH {
            return writeln!(to, "{first}{line}");
        }
        let deeper = " ".repeat(line.len() - line.trim_start().len());
        writeln!(to, "{}", wrap(line, &format!("{first}{deeper}"), &format!("{rest}{deeper}  "), WIDTH))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_everything_in_its_order() {
        let finding = FailureReport {
            input: Some(InputRef { number: 1, total: 2, text: "7".into() }),
            ranks: vec!["came back".into(), "panicked".into()],
            printed: Some(("said:".into(), "one\ntwo".into())),
            code: Some(Code::Tag),
            ..FailureReport::new(FailureKind::Finding, "it broke".into(), "here".into())
        };
        let finding = finding.with_details(vec!["why\nand how".into()]);
        let shown = finding.render(Lang::En) + &finding.hints(Lang::En).concat();
        let order = [
            "WB0043: it broke",
            "why",
            "and how",
            "input 1",
            "0  came back",
            "1  panicked",
            "| two",
            "here",
            "cargo wb explain WB0043",
        ];
        let at: Vec<_> = order.iter().map(|part| shown.find(part).expect(part)).collect();
        assert!(at.is_sorted(), "{shown}");
    }

    #[test]
    fn a_cycle_of_waits_is_drawn_in_its_order_and_the_other_ranks_follow() {
        let long = format!("recv from 1, {}", "word ".repeat(30));
        let ranks =
            ["recv from 3", "came back", &long, "recv from 2", "came back"].map(str::to_owned).to_vec();
        let report = FailureReport {
            ranks,
            cycle: vec![0, 3, 2],
            ..FailureReport::new(FailureKind::Deadlock, "they wait".into(), "here".into())
        };
        let shown = report.render(Lang::En);
        let rows: Vec<_> = shown.lines().skip_while(|line| *line != "  the ranks:").skip(1).collect();
        assert_eq!(rows[..2], ["  ┌▶  0  recv from 3", "  │↓  3  recv from 2"], "{shown}");
        assert!(
            rows[2].starts_with("  └↓  2  recv from 1, word") && rows[3].starts_with("           word"),
            "{shown}"
        );
        assert!(
            rows.last().is_some_and(|row| row.starts_with("    1") && row.ends_with("4  came back")),
            "{shown}"
        );
    }
}
