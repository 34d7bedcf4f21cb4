//! Every kind of file that comes from outside, and all that is made from one.

use std::path::Path;

use wb_config::{CourseSettings, MachineSettings, TaskSettings};
use wb_messages::Lang;
use wb_record::{BarrierLine, Calibration, Measurement, Trace};
use wb_report::{barriers, trace};

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputKind {
    Records,
    Trace,
    Barriers,
    Calibration,
    Task,
    Course,
    Machine,
}

pub(crate) const KINDS: [InputKind; 7] = [
    InputKind::Records,
    InputKind::Trace,
    InputKind::Barriers,
    InputKind::Calibration,
    InputKind::Task,
    InputKind::Course,
    InputKind::Machine,
];

/// What came of a file.
pub(crate) enum ReadOutcome {
    /// It is refused, for this reason.
    Refused(String),
    /// It is read, and this was made from it.
    Pages(Vec<String>),
}

impl InputKind {
    /// The name of its folder in the corpus.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Records => "records",
            Self::Trace => "traces",
            Self::Barriers => "barriers",
            Self::Calibration => "calibrations",
            Self::Task => "tasks",
            Self::Course => "courses",
            Self::Machine => "machines",
        }
    }

    /// Reads the bytes as a file of this kind and makes everything from it that can be made.
    pub(crate) fn read(self, bytes: &[u8]) -> ReadOutcome {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return ReadOutcome::Refused("not UTF-8".to_owned());
        };
        let made = match self {
            Self::Records => records(text),
            Self::Trace => traces(text),
            Self::Barriers => barriers(text),
            Self::Calibration => calibration(text),
            Self::Task => settings(TaskSettings::parse("task.yaml".as_ref(), text)),
            Self::Course => settings(CourseSettings::parse("course.yaml".as_ref(), text)),
            Self::Machine => machine(text),
        };
        made.map_or_else(ReadOutcome::Refused, ReadOutcome::Pages)
    }
}

type ReadPages = Result<Vec<String>, String>;

fn error_text(error: &impl ToString) -> String {
    error.to_string()
}

fn records(text: &str) -> ReadPages {
    let records = wb_record::read_all(text).map_err(|error| error_text(&error))?;
    let report = wb_report::TaskReport::new(&records);
    let mut pages = vec![report.csv()];
    pages.extend(wb_report::markdown_in_all_languages(&records));
    let summary: Vec<_> = report.summary().into_iter().collect();
    for lang in Lang::ALL {
        pages.push(report.terminal(lang, 240));
        pages.push(report.screen("", lang));
        pages.push(report.html(lang));
        pages.push(wb_report::index(&summary, &[], lang));
        pages.push(wb_report::predictions(&records, lang));
    }
    for record in &records {
        if let Measurement::Trace(one) = &record.measurement {
            pages.extend(trace::terminal(one, Lang::En));
        }
    }
    Ok(pages)
}

fn traces(text: &str) -> ReadPages {
    let read = Trace::parse_line(text.trim_end()).map_err(|error| error_text(&error))?;
    let refused = |error| error_text(&error);
    let mut pages = vec![trace::perfetto(&read).map_err(refused)?];
    for lang in Lang::ALL {
        pages.push(trace::terminal(&read, lang).map_err(refused)?);
        pages.push(trace::html(&read, &trace::Sources::new(), lang).map_err(refused)?);
    }
    pages.push(trace::html(&read.truncated(2), &trace::Sources::new(), Lang::En).map_err(refused)?);
    Ok(pages)
}

fn barriers(text: &str) -> ReadPages {
    let lines = BarrierLine::read_all(text).map_err(|error| error_text(&error))?;
    let mut pages = vec![barriers::csv(&lines)];
    for lang in Lang::ALL {
        pages.push(barriers::terminal(&lines, lang, 80));
        pages.push(barriers::markdown(&lines, lang));
        pages.push(barriers::html(&lines, lang));
        pages.extend(barriers::charts(&lines, lang).into_iter().map(|(_, chart)| chart));
    }
    Ok(pages)
}

fn calibration(text: &str) -> ReadPages {
    let read = Calibration::parse_line(text.trim_end()).map_err(|error| error_text(&error))?;
    let all = [&read.fitted, &read.held_out_sizes, &read.held_out_launches, &read.predicted];
    Ok(all
        .into_iter()
        .map(|points| points.iter().map(|p| format!("{} ", p.relative_error())).collect())
        .collect())
}

fn settings<T: std::fmt::Debug>(read: wb_config::Result<T>) -> ReadPages {
    read.map(|settings| vec![format!("{settings:?}")]).map_err(|error| error_text(&error))
}

fn machine(text: &str) -> ReadPages {
    let machine = MachineSettings::parse(Path::new("m.yaml"), text).map_err(|error| error_text(&error))?;
    let again = MachineSettings::parse(Path::new("m.yaml"), &machine.to_yaml())
        .map_err(|error| error_text(&error))?;
    assert_eq!(again, machine, "what was written reads back to the same");
    Ok(vec![format!("{machine:?}, {:?} cores", machine.cores())])
}
