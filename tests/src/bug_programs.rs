//! The bug zoo: small programs with one mistake each, right ones beside them, and how well the mistakes are found.
//!
//! A program is a file `zoo/<class>/wrong_*.rs` or `right_*.rs` with a function of a [`World`]. Its header contains the number of
//! ranks, and the detector if a plain run does not find the mistake. The lines that a report must name are marked:
//! `// WB0003 (0, 1)` is the code, and the ranks whose calls are on that line (none: any rank).
use std::{fmt::Debug, sync::OnceLock};

use wb_comm::{Code, Rank};
use wb_world::{Result, World};

pub mod model_checking;
pub mod processes;
pub mod score;
pub mod single_run;

include!(concat!(env!("OUT_DIR"), "/zoo.rs"));

/// The function that all ranks run.
pub type ProgramFn = fn(&World) -> Result<()>;

/// The backends that find a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DetectedBy {
    /// One run of the program.
    Run,
    /// Only the model checker, which explores the other orders of events.
    Checker,
}

/// A line that must be named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedFinding {
    /// The code of the finding.
    pub code: Code,
    /// The line, from 1.
    pub line: u32,
    /// The ranks whose calls must be named; empty: of any rank.
    pub ranks: Vec<Rank>,
}

/// The same with its output, as text.
pub type ProgramWithOutput = fn(&World) -> Result<String>;

/// A program of the zoo.
#[derive(Clone, Debug)]
pub struct BugProgram {
    /// The folder: `"call_ordering"`.
    pub class: &'static str,
    /// The file without its ending: `"wrong_both_receive_first"`.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
    /// The program.
    pub program: ProgramFn,
    /// The same, with what comes out.
    pub result: ProgramWithOutput,
    /// The number of ranks.
    pub ranks: usize,
    /// By whom its mistake can be seen.
    pub detected_by: DetectedBy,
    /// The findings that are required; none in a right program.
    pub expected: Vec<ExpectedFinding>,
}

/// All of them, by class and name.
///
/// # Panics
/// When a file does not declare what it must.
pub fn all() -> &'static [BugProgram] {
    static ALL: OnceLock<Vec<BugProgram>> = OnceLock::new();
    ALL.get_or_init(|| {
        FILES
            .iter()
            .map(|(class, name, text, program, result)| parse([class, name, text], *program, *result))
            .collect()
    })
}

/// A program whose result is of no interest.
fn discard_output<R>(result: Result<R>) -> Result<()> {
    result.map(|_| ())
}

/// The output, as text.
fn debug_output<R: Debug>(result: Result<R>) -> Result<String> {
    result.map(|result| format!("{result:?}"))
}

fn parse(
    [class, name, text]: [&'static str; 3],
    program: ProgramFn,
    result: ProgramWithOutput,
) -> BugProgram {
    let header = |what: &str| text.lines().find_map(|line| line.strip_prefix("//! ")?.strip_prefix(what));
    let ranks = header("ranks: ").and_then(|ranks| ranks.parse().ok());
    let ranks = ranks.unwrap_or_else(|| panic!("{class}/{name}.rs has no line `//! ranks: 2`"));
    let detected_by = match header("seen by: ") {
        None => DetectedBy::Run,
        Some("checker") => DetectedBy::Checker,
        Some(other) => panic!("{class}/{name}.rs: {other} is not a detector"),
    };
    let marks: Vec<_> =
        text.lines().zip(1..).filter_map(|(line, number)| parse_expected(line, number)).collect();
    let wrong = name.starts_with("wrong_");
    assert!(wrong || name.starts_with("right_"), "{class}/{name}.rs is neither wrong_ nor right_");
    assert_eq!(wrong, !marks.is_empty(), "{class}/{name}.rs: wrong ones have marks, right ones have none");
    BugProgram { class, name, text, program, result, ranks, detected_by, expected: marks }
}

/// The finding that a line is marked with.
fn parse_expected(line: &str, number: u32) -> Option<ExpectedFinding> {
    let (_, mark) = line.split_once("// WB")?;
    let code = Code::parse(&format!("WB{}", mark.get(..4)?));
    let code = code.unwrap_or_else(|| panic!("there is no such code: {line}"));
    let ranks = mark[4..].trim().trim_start_matches('(').trim_end_matches(')');
    let ranks = ranks.split(',').map(str::trim).filter(|rank| !rank.is_empty());
    let ranks = ranks.map(|rank| rank.parse().expect("a rank")).collect();
    Some(ExpectedFinding { code, line: number, ranks })
}

impl BugProgram {
    /// Whether there is a mistake in it.
    pub fn is_wrong(&self) -> bool {
        !self.expected.is_empty()
    }

    /// The file, as a finding's place ends with it.
    pub fn file(&self) -> String {
        format!("zoo/{}/{}.rs", self.class, self.name)
    }

    /// The body of the program without its marks, as pages show it.
    pub fn body(&self) -> String {
        let inside = self.text.split_once("pub fn program(world: &World) -> ").expect("a program").1;
        let inside = inside.split_once(" {\n").expect("its beginning").1;
        let inside = inside.rsplit_once("\n}").expect("its end").0;
        let unmarked = |line: &str| line.split("// WB").next().unwrap_or_default().trim_end().to_owned();
        let lines: Vec<_> = inside.lines().map(unmarked).collect();
        lines.iter().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
    }
}
