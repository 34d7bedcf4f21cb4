//! Does the report of a student's wrong task begin with the cause, the rank and the line? Every case of `planted_cases` contains in
//! its text what must be named; here they run on all backends, and each backend gets a score.
use std::{collections::BTreeMap, thread};

use wb_comm::Code;
use wb_tests::canary_runner::{CanaryRunner, planted_cases};

/// The share of cases whose report must begin with all three, on every backend.
const MIN_SHARE: f64 = 0.95;

/// The files, each with its text.
const FILES: [(&str, &str); 4] = [
    ("arguments", include_str!("../planted_cases/arguments.rs")),
    ("collectives", include_str!("../planted_cases/collectives.rs")),
    ("values", include_str!("../planted_cases/values.rs")),
    ("waiting", include_str!("../planted_cases/waiting.rs")),
];

/// What a report must begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ExpectedReport {
    /// A code, or words of the headline.
    cause: String,
    /// The rank, or those of which one must be named; none where the mistake is all ranks'.
    ranks: Vec<usize>,
    /// The line, as `file:line`; `None` where the calls are right and only the values wrong.
    line: Option<String>,
}

/// A case and its marks.
#[derive(Debug)]
struct PlantedCase {
    test: String,
    expected: Vec<ExpectedReport>,
}

/// The cases of a file, in its order.
fn cases((name, text): (&str, &str)) -> Vec<PlantedCase> {
    let mut cases: Vec<PlantedCase> = vec![];
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if let Some(test) = line.strip_prefix("fn ").and_then(|rest| rest.strip_suffix("() {")) {
            cases.push(PlantedCase { test: format!("{name}::{test}"), expected: vec![] });
        }
        let Some((code, marked)) = line.split_once("//~ ") else { continue };
        let (cause, rank) = marked.rsplit_once(' ').expect("a cause and a rank");
        let ranks = rank.split('|').filter_map(|rank| rank.parse().ok()).collect();
        let line = (!code.is_empty()).then(|| format!("planted_cases/{name}.rs:{number}"));
        let mark = ExpectedReport { cause: cause.trim_matches('"').to_owned(), ranks, line };
        cases.last_mut().expect("a mark is in a test").expected.push(mark);
    }
    cases
}

/// A report as its first finding and the lines about where it was seen, each without the breaks of lines.
struct CaseReport {
    finding: String,
    title: String,
    /// Where it looks like this.
    places: String,
    /// Where it looks otherwise.
    other_places: Vec<String>,
}

impl CaseReport {
    /// Of the text that libtest shows under the test's name.
    fn parse(text: &str, test: &str) -> Self {
        let (_, first) =
            text.split_once(&format!(" {test} [")).unwrap_or_else(|| panic!("no finding:\n{text}"));
        let first = first.split("\n\n").next().unwrap_or_default();
        // A line with a deeper indentation than the one before continues it.
        let (mut seen, mut otherwise, mut finding) = (String::new(), vec![], String::new());
        let mut lines: Vec<String> = vec![];
        for line in first.lines().skip(1) {
            let deep = line.len() - line.trim_start().len();
            match lines.last_mut().filter(|_| deep >= 4) {
                Some(last) if last.starts_with("seen on ") || last.starts_with("on ") => {
                    *last += &format!(" {}", line.trim());
                }
                _ => lines.push(line.trim().to_owned()),
            }
        }
        let title = lines.first().cloned().unwrap_or_default();
        for line in lines {
            match line {
                line if line.starts_with("seen on ") => seen = line,
                line if line.starts_with("on ") && line.contains(" it shows as ") => otherwise.push(line),
                line => {
                    let words: Vec<_> = line.split_whitespace().collect();
                    finding += &format!("{} ", words.join(" "));
                }
            }
        }
        Self { finding, title, places: seen, other_places: otherwise }
    }

    /// Does it begin, on this backend, with what the marks ask for?
    fn names(&self, backend: &str, marks: &[ExpectedReport]) -> bool {
        let shown = |title: &str| marks.iter().all(|mark| has_cause(title, &self.finding, &mark.cause));
        let here = self.places.contains(backend) && shown(&self.title)
            || self.other_places.iter().any(|line| line.contains(backend) && shown(line));
        here && marks.iter().all(|mark| self.names_rank(mark) && self.names_line(mark))
    }

    fn names_rank(&self, mark: &ExpectedReport) -> bool {
        let is_named = |rank: &usize| {
            let message = [
                format!("rank {rank}"),
                format!("{rank} in run"),
                format!("{rank} panicked"),
                format!("{rank} run"),
            ];
            message.iter().any(|message| self.finding.contains(message))
        };
        mark.ranks.is_empty() || mark.ranks.iter().any(is_named)
    }

    fn names_line(&self, mark: &ExpectedReport) -> bool {
        let ends = |line: &str| {
            let rest = self.finding.split_once(line).map(|(_, rest)| rest);
            rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
        };
        mark.line.as_deref().is_none_or(ends)
    }
}

/// A code must be in the title; words may be anywhere in the finding.
fn has_cause(title: &str, finding: &str, cause: &str) -> bool {
    let text = if Code::parse(cause).is_some() { title } else { finding };
    text.contains(cause)
}

/// Runs the cases of all files, each file in jobs of its own, all at the same time: most of it is waiting for limits.
fn reports(binary: &CanaryRunner) -> BTreeMap<String, CaseReport> {
    thread::scope(|scope| {
        let run = |file: (&'static str, &'static str)| {
            scope.spawn(move || {
                let output = binary.run_alone(&[&format!("{}::", file.0)]);
                let report = |test: &str| CaseReport::parse(&output.report(test).0, test);
                cases(file)
                    .iter()
                    .map(|planted| (planted.test.clone(), report(&planted.test)))
                    .collect::<Vec<_>>()
            })
        };
        let running = FILES.map(run);
        running.into_iter().flat_map(|file| file.join().expect("every case has a report")).collect()
    })
}

#[test]
fn reports_begin_with_the_cause_the_rank_and_the_line() {
    let binary = planted_cases();
    let library = binary.library().map(|library| library.implementation);
    let backends: Vec<String> =
        ["threads", "virtual time"].map(str::to_owned).into_iter().chain(library).collect();
    let reports = reports(&binary);
    let all: Vec<PlantedCase> = FILES.into_iter().flat_map(cases).collect();
    assert!(all.len() >= 45 && all.iter().all(|planted| !planted.expected.is_empty()), "{all:#?}");
    let mut complaints = String::new();
    let mut good = true;
    for backend in &backends {
        let missed: Vec<_> =
            all.iter().filter(|planted| !reports[&planted.test].names(backend, &planted.expected)).collect();
        let share = 1.0 - missed.len() as f64 / all.len() as f64;
        println!("{backend}: {} of {} ({:.0} %)", all.len() - missed.len(), all.len(), 100.0 * share);
        good &= share >= MIN_SHARE;
        for planted in missed {
            let report = &reports[&planted.test];
            println!("  not {}: {}", planted.test, report.title);
            complaints += &format!(
                "{backend}, {planted:#?}\n{}\n{}\n{:?}\n\n",
                report.finding, report.places, report.other_places
            );
        }
    }
    assert!(good, "{complaints}");
}

#[test]
fn canary_a_report_that_names_something_else_is_no_hit() {
    let text = "\nHANG a::b [threads, P = 4]\n  WB0003: ranks wait\n    rank 3 has a message\n    send at planted_cases/a.rs:12 (rank 0)\n  seen on threads: P =\n    4\n  on Open MPI 4.1.4: P = 4 it shows as HANG: WB0002: other\n";
    let report = CaseReport::parse(text, "a::b");
    let mark = |cause: &str, rank, line: &str| {
        [ExpectedReport { cause: cause.into(), ranks: vec![rank], line: Some(line.into()) }]
    };
    assert!(report.names("threads", &mark("WB0003", 3, "planted_cases/a.rs:12")));
    assert!(!report.names("threads", &mark("WB0002", 3, "planted_cases/a.rs:12")), "another cause");
    assert!(!report.names("threads", &mark("WB0003", 2, "planted_cases/a.rs:12")), "another rank");
    assert!(!report.names("threads", &mark("WB0003", 3, "planted_cases/a.rs:1")), "another line");
    assert!(!report.names("Open MPI", &mark("WB0003", 3, "planted_cases/a.rs:12")), "another title there");
    assert!(!report.names("virtual time", &mark("WB0003", 3, "planted_cases/a.rs:12")), "not seen there");
}
