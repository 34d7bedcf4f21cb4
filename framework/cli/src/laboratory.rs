//! The program of the laboratory: how it is built and run; and a benchmark by it, from its arguments to the report.

use std::{
    fs,
    io::IsTerminal,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use wb_messages::{Lang, cli as text};
use wb_process::{Job, JobExit};
use wb_record::BarrierLine;

use crate::{
    CommandStatus,
    backend::SelectedBackend,
    error::{CliError, Result},
    step, task_lock, terminal,
    workspace::Workspace,
};

const PACKAGE: &str = "wb-laboratory";

/// The benchmark limits its own time; this limit ends one that does not.
const LIMIT: Duration = Duration::from_secs(3600);

/// The exit code of a benchmark that refuses its arguments.
const EXIT_BAD_ARGUMENTS: i32 = 2;

/// The command that builds the program, with its title.
pub(crate) fn build(workspace: &Workspace, backend: &SelectedBackend) -> (String, Command) {
    let mut command = backend.cargo(workspace, &["build", "--release", "--package", PACKAGE]);
    backend.select_features(&mut command);
    (format!("cargo build --release -p {PACKAGE}"), command)
}

/// The command that builds and runs the program; its arguments follow.
pub(crate) fn program(workspace: &Workspace, backend: &SelectedBackend) -> Command {
    let mut command = backend.cargo(workspace, &["run", "--release", "--package", PACKAGE]);
    backend.select_features(&mut command);
    if !std::io::stderr().is_terminal() {
        command.arg("--quiet");
    }
    command.arg("--");
    command
}

/// Runs the program. Standard output is for the results of this command.
pub(crate) fn run(mut command: Command, limit: Duration) -> Result<JobExit> {
    command.stdout(Stdio::from(std::io::stderr()));
    Job::spawn(command).and_then(|job| job.wait(limit)).map_err(CliError::system("run", "cargo run"))
}

/// Numbers as an argument of the program.
pub(crate) fn listed(numbers: &[impl ToString]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// A benchmark by the laboratory.
pub(crate) struct LaboratoryBench {
    /// The name of the folders of its records and of its report, and of its table.
    pub(crate) name: &'static str,
    /// The arguments of the program, without the file of records and the language.
    pub(crate) arguments: Vec<String>,
    /// Whether the report will be kept, if there is an MPI library.
    pub(crate) is_full_request: bool,
    /// Whether these are the records of a run whose report is kept.
    pub(crate) is_full: fn(&[BarrierLine]) -> bool,
    /// Renders the report for a terminal in a language and of a width, and for files.
    pub(crate) report: fn(&[BarrierLine], Lang, u16) -> LaboratoryReport,
}

/// A report in all media.
pub(crate) struct LaboratoryReport {
    pub(crate) terminal: String,
    pub(crate) csv: String,
    /// In English and in Russian.
    pub(crate) pages: [String; 2],
    /// In English and in Russian.
    pub(crate) documents: [String; 2],
    /// Names and pictures.
    pub(crate) charts: Vec<(String, String)>,
}

impl LaboratoryBench {
    /// Measures, prints the result, and writes the report: into `reports` after a full run, beside the records after another one.
    pub(crate) fn run(
        &self,
        workspace: &Workspace,
        backend: &SelectedBackend,
        lang: Lang,
        json: bool,
    ) -> Result<CommandStatus> {
        let _lock = task_lock::lock_task(workspace, self.name, lang)?;
        let scratch = workspace.scratch(self.name)?;
        let file = scratch.join("records.jsonl");
        let kept = workspace.root().join("reports").join(self.name);
        if self.is_full_request {
            // Checked now, not after minutes of measuring.
            fs::create_dir_all(&kept).map_err(CliError::system("create", &kept))?;
        }
        // Records of an earlier run must not be mixed with this one's.
        fs::write(&file, "").map_err(CliError::system("write", &file))?;
        let mut command = program(workspace, backend);
        command.args(["--lang", lang.code()]).args(&self.arguments).arg("--records").arg(&file);
        let ended = run(command, LIMIT)?;
        let lines = read(&file, lang);
        let failure = (!ended.is_success()).then(|| step::describe_failure(&ended, LIMIT, lang));
        if lines.is_empty() {
            let why = failure.unwrap_or_else(|| text::nothing_recorded(lang));
            if ended.status.code() == Some(EXIT_BAD_ARGUMENTS) {
                return Err(CliError::Usage(why));
            }
            eprintln!("{}", text::measurement_failed(lang, self.name, why));
            return Ok(CommandStatus::Failure);
        }
        let report = (self.report)(&lines, lang, terminal::width());
        match json {
            true => lines.iter().for_each(|line| println!("{}", line.to_line())),
            false => println!("{}", report.terminal),
        }
        let is_kept = (self.is_full)(&lines);
        let page = self.write_all(if is_kept { &kept } else { &scratch }, &lines, &report, lang)?;
        eprintln!("{}", text::report_written(lang, page.display()));
        if !is_kept {
            eprintln!("{}", text::report_not_kept(lang));
        }
        Ok(CommandStatus::from_success(failure.is_none()))
    }

    /// Writes records, tables, charts and pages; returns the page of `lang`.
    fn write_all(
        &self,
        folder: &Path,
        lines: &[BarrierLine],
        report: &LaboratoryReport,
        lang: Lang,
    ) -> Result<PathBuf> {
        fs::create_dir_all(folder).map_err(CliError::system("create", folder))?;
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            wb_process::write_atomically(&path, text).map_err(CliError::system("write", &path))
        };
        let records: String = lines.iter().map(|line| line.to_line() + "\n").collect();
        write("records.jsonl", &records)?;
        write(&format!("{}.csv", self.name), &report.csv)?;
        let names = [("report.html", "report.md"), ("report.ru.html", "report.ru.md")];
        for (number, (page, document)) in names.iter().enumerate() {
            write(page, &report.pages[number])?;
            write(document, &report.documents[number])?;
        }
        for (name, chart) in &report.charts {
            write(name, chart)?;
        }
        Ok(folder.join(match lang {
            Lang::En => "report.html",
            Lang::Ru => "report.ru.html",
        }))
    }
}

/// The records; none if they cannot be read, with a message.
fn read(file: &Path, lang: Lang) -> Vec<BarrierLine> {
    let text_of_file = fs::read_to_string(file).unwrap_or_default();
    BarrierLine::read_all(&text_of_file).unwrap_or_else(|error| {
        eprintln!("{}", text::records_unreadable(lang, error));
        vec![]
    })
}
