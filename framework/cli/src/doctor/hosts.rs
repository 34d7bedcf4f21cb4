//! `cargo wb doctor --hosts FILE`: whether each host can run ranks, and what to do where it cannot.
//!
//! First each host is asked over `ssh`, all at a time; then the launcher starts a small program of MPI on each host alone, and at
//! last on all hosts together, as a job does.

use std::{
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::Duration,
};

use serde::Serialize;
use wb_config::HostFile;
use wb_messages::{Lang, WIDTH, hosts as text, number, wrap};
use wb_process::output_of;

use super::host_probe::{self, ClockReading, HostFacts};
use crate::{
    CommandStatus,
    arguments::BackendArgument,
    backend::SelectedBackend,
    error::{CliError, Result},
    output,
    system_probe::{Flavour, MpiInstallation, compile},
    workspace::Workspace,
};

/// The time limit of a launch.
const LAUNCH_LIMIT: Duration = Duration::from_secs(30);

/// An offset above this makes dates of files and records misleading.
const OFFSET_MAX_NS: u64 = 1_000_000_000;

/// Each rank prints `wb-rank`, its rank, the number of ranks and the library's version, after a barrier.
const PROGRAM: &str = r#"#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    int rank, size, length;
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    printf("wb-rank;%d;%d;%s\n", rank, size, version);
    return MPI_Finalize();
}
"#;

/// The result about one host.
#[derive(Serialize)]
struct HostReport {
    host: String,
    slots: u32,
    #[serde(rename = "well")]
    is_ok: bool,
    facts: Option<String>,
    problem: Option<String>,
    fix: Option<String>,
}

/// A problem of a host, and what to do.
struct HostProblem(String, String);

pub(super) fn run(file: &Path, lang: Lang, json: bool) -> Result<CommandStatus> {
    let hosts = HostFile::load(file)?;
    let SelectedBackend::Mpi(mpi) = SelectedBackend::select(Some(BackendArgument::Mpi), lang)? else {
        unreachable!("MPI was asked for");
    };
    let folder = Workspace::find()?.scratch("doctor")?;
    let folder = tempfile::tempdir_in(&folder).map_err(CliError::system("create", folder))?;
    let program = compile(&mpi.wrapper, PROGRAM, folder.path());
    let program = program.ok_or_else(|| CliError::Missing(text::cannot_compile(lang, &mpi.wrapper)))?;
    // The launcher's own rank on this host shows the version that all must have.
    let own = launch(&mpi, None, 1, &program).and_then(|ranks| ranks.into_iter().next());
    let doctor = HostDoctor { mpi: &mpi, program, own_version: own, lang };
    let mut reports: Vec<HostReport> = doctor.probe_all(&hosts);
    let all_well = reports.iter().all(|report| report.is_ok);
    let together = all_well.then(|| doctor.launch_together(&hosts));
    if let Some(Some(HostProblem(problem, fix))) = &together {
        reports.push(HostReport {
            host: hosts.list(),
            slots: 0,
            is_ok: false,
            facts: None,
            problem: Some(problem.clone()),
            fix: Some(fix.clone()),
        });
    }
    let missing = reports.iter().filter(|report| !report.is_ok).count();
    if json {
        output::print_json(&reports);
    } else {
        reports.iter().for_each(|report| print_report(report, lang));
        println!(
            "{}",
            if missing == 0 {
                text::all_well(lang, hosts.hosts.len())
            } else {
                text::not_all_well(lang, missing)
            }
        );
    }
    Ok(CommandStatus::from_success(missing == 0))
}

fn print_report(report: &HostReport, lang: Lang) {
    let mark = if report.is_ok { "✓" } else { "✗" };
    for line in report.facts.iter().chain(&report.problem) {
        let line = format!("{}: {}", report.host, wb_text::escape::line(line));
        println!("{}", wrap(&line, &format!("{mark} "), "    ", WIDTH));
    }
    if let Some(fix) = &report.fix {
        println!("{}", wrap(&text::fix(lang, fix), "    ", "    ", WIDTH));
    }
}

/// What the hosts are compared with.
struct HostDoctor<'a> {
    mpi: &'a MpiInstallation,
    program: PathBuf,
    /// The version of the library on this host, as the library states it.
    own_version: Option<String>,
    lang: Lang,
}

impl HostDoctor<'_> {
    fn probe_all(&self, hosts: &HostFile) -> Vec<HostReport> {
        let answers: Vec<_> = thread::scope(|scope| {
            let ask = |name: &str| {
                let (name, program) = (name.to_owned(), self.program.clone());
                scope.spawn(move || host_probe::probe(&name, &program))
            };
            let asked: Vec<_> = hosts.hosts.iter().map(|host| ask(&host.name)).collect();
            asked.into_iter().map(|asked| asked.join().unwrap_or(Err(None))).collect()
        });
        let report =
            |(host, answer): (&wb_config::HostSettings, std::result::Result<HostFacts, Option<String>>)| {
                let facts = answer.as_ref().ok().map(|facts| self.describe(facts));
                let problem = match answer {
                    Err(reason) => Some(self.unreachable(&host.name, reason)),
                    Ok(facts) => self.problem(&host.name, &facts),
                };
                let (problem, fix) = problem.map(|HostProblem(problem, fix)| (problem, fix)).unzip();
                HostReport {
                    host: host.name.clone(),
                    slots: host.slots,
                    is_ok: problem.is_none(),
                    facts,
                    problem,
                    fix,
                }
            };
        hosts.hosts.iter().zip(answers).map(report).collect()
    }

    fn describe(&self, facts: &HostFacts) -> String {
        let ClockReading { offset_ns, offset_error_ns, drift_ppm, drift_error_ppm } = facts.clock;
        let ms = |ns: f64| number::fixed(self.lang, ns / 1e6, 2);
        text::facts(
            self.lang,
            &facts.architecture,
            facts.cores,
            ms(2.0 * offset_error_ns as f64),
            format!("{} ± {}", ms(offset_ns as f64), ms(offset_error_ns as f64)),
            format!(
                "{} ± {}",
                number::fixed(self.lang, drift_ppm, 0),
                number::fixed(self.lang, drift_error_ppm, 0)
            ),
        )
    }

    fn unreachable(&self, host: &str, reason: Option<String>) -> HostProblem {
        let problem = match reason {
            Some(reason) => text::cannot_log_in(self.lang, reason),
            None => text::no_answer(self.lang),
        };
        HostProblem(problem, text::fix_log_in(self.lang, host))
    }

    /// The first problem of a host that answers.
    fn problem(&self, host: &str, facts: &HostFacts) -> Option<HostProblem> {
        let lang = self.lang;
        if facts.architecture != std::env::consts::ARCH {
            let problem = text::other_architecture(lang, &facts.architecture, std::env::consts::ARCH);
            return Some(HostProblem(problem, text::fix_architecture(lang)));
        }
        if !facts.sees_shared_folder {
            let problem = text::not_shared(lang, self.program.display());
            return Some(HostProblem(problem, text::fix_shared(lang)));
        }
        if let Some(problem) = clock_problem(facts.clock, lang) {
            return Some(problem);
        }
        let version = launch(self.mpi, Some(&format!("{host}:1")), 1, &self.program);
        match version.and_then(|ranks| ranks.into_iter().next()) {
            None => {
                let problem = text::cannot_launch(lang, &self.mpi.launcher);
                Some(HostProblem(problem, text::fix_launch(lang, self.mpi.flavour.name(), host)))
            }
            other if other == self.own_version => None,
            Some(other) => {
                let own = self.own_version.clone().unwrap_or_default();
                Some(HostProblem(text::other_version(lang, other, own), text::fix_version(lang)))
            }
        }
    }

    /// The problem of a job on all hosts together.
    fn launch_together(&self, hosts: &HostFile) -> Option<HostProblem> {
        let list: Vec<String> = hosts.hosts.iter().map(|host| format!("{}:1", host.name)).collect();
        let count = hosts.hosts.len();
        match launch(self.mpi, Some(&list.join(",")), count, &self.program) {
            Some(ranks) if ranks.len() == count => None,
            _ => Some(HostProblem(text::not_together(self.lang, count), text::fix_together(self.lang))),
        }
    }
}

/// The problem of a clock that is ahead or behind.
fn clock_problem(clock: ClockReading, lang: Lang) -> Option<HostProblem> {
    let is_off = clock.offset_ns.unsigned_abs() > OFFSET_MAX_NS;
    let seconds = number::fixed(lang, clock.offset_ns as f64 / 1e9, 1);
    is_off.then(|| HostProblem(text::clock_is_off(lang, seconds), text::fix_clock(lang)))
}

/// The versions of the library that the ranks of a job state, when every rank sees all; on this host without hosts.
fn launch(mpi: &MpiInstallation, hosts: Option<&str>, ranks: usize, program: &Path) -> Option<Vec<String>> {
    let mut command = Command::new(&mpi.launcher);
    wb_process::remove_launcher_variables(&mut command);
    wb_process::remote_launcher_environment(&mut command);
    let option = match mpi.flavour {
        Flavour::OpenMpi => "--host",
        Flavour::Mpich => "-hosts",
    };
    if let Some(hosts) = hosts {
        command.args([option, hosts]);
    }
    command.args(["-n", &ranks.to_string()]).arg(program);
    let output = output_of(command, LAUNCH_LIMIT)?;
    let version = |line: &str| {
        let rest = line.strip_prefix("wb-rank;")?;
        let mut fields = rest.splitn(3, ';');
        let (_, size, version) = (fields.next()?, fields.next()?, fields.next()?);
        (size == ranks.to_string()).then(|| version.to_owned())
    };
    Some(output.lines().filter_map(version).collect()).filter(|versions: &Vec<_>| versions.len() == ranks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_more_than_a_second_ahead_or_behind_is_a_problem() {
        let most = OFFSET_MAX_NS.cast_signed();
        for (offset_ns, is_off) in [(most + 1, true), (most, false), (-most, false), (-most - 1, true)] {
            let clock = ClockReading { offset_ns, offset_error_ns: 1, drift_ppm: 0.0, drift_error_ppm: 0.0 };
            assert_eq!(clock_problem(clock, Lang::En).is_some(), is_off, "a clock {offset_ns} ns ahead");
        }
    }
}
