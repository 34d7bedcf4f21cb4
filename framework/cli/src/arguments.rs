//! The command line. Its help is taken from the table of messages, in the language that the command line asks for.

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use wb_messages::{
    Lang, barriers as barrier, broadcasts as broadcast, checker, cli as text, pages, prediction, simulator,
};

pub(crate) use self::{
    barriers::{Barriers, Bench, FULL_RANKS, ListBarriers, MOST_BENCH_RANKS, Plan, Prove, Simulate},
    broadcasts::{Broadcasts, ListBroadcasts, ProveBroadcasts, SimulateBroadcasts},
};
use crate::{machine::Flavour, simulate::Compute};

mod barriers;
mod broadcasts;

/// What was asked for.
pub(crate) struct Arguments {
    pub(crate) command: Command,
    pub(crate) lang: Lang,
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
#[command(name = "cargo wb", bin_name = "cargo wb", disable_help_subcommand = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
    #[arg(long, global = true, value_enum)]
    lang: Option<LangArgument>,
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    New(New),
    List,
    Test(Test),
    Perf(Perf),
    Trace(Trace),
    Report(Report),
    Simulate(SimulateTask),
    Check(Check),
    Doctor,
    Setup(Setup),
    Explain(Explain),
    #[command(subcommand)]
    Barriers(Barriers),
    #[command(subcommand)]
    Broadcasts(Broadcasts),
    Machines,
    Calibrate,
}

#[derive(Debug, Args)]
pub(crate) struct New {
    pub(crate) name: String,
    #[arg(long)]
    pub(crate) student: String,
    #[arg(long)]
    pub(crate) group: String,
    #[arg(long = "task", value_name = "1|2|3", value_parser = clap::value_parser!(u8).range(1..=3))]
    pub(crate) number: u8,
    #[arg(long)]
    pub(crate) variant: u8,
}

#[derive(Debug, Args)]
pub(crate) struct Test {
    #[arg(short = 'p', long = "package", value_name = "TASK")]
    pub(crate) task: Option<String>,
    #[arg(long, value_enum)]
    pub(crate) mpi: Option<Flavour>,
    #[arg(long)]
    pub(crate) no_install: bool,
    #[arg(long, value_enum, default_value = "mpi")]
    pub(crate) backend: BackendArgument,
    #[arg(last = true)]
    pub(crate) libtest: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Perf {
    #[arg(short = 'p', long = "package", value_name = "TASK")]
    pub(crate) task: String,
    #[arg(short = 'n', long, value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) ranks: Vec<u16>,
    #[arg(long)]
    pub(crate) quick: bool,
    #[arg(long, value_enum)]
    pub(crate) backend: Option<BackendArgument>,
}

#[derive(Debug, Args)]
pub(crate) struct Trace {
    #[arg(short = 'p', long = "package", value_name = "TASK")]
    pub(crate) task: String,
    #[arg(id = "trace_ranks", value_name = "P", short = 'n', long = "ranks", default_value = "4", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) ranks: u16,
    #[arg(short = 'o', long = "output", value_name = "FILE", default_value = "trace.html")]
    pub(crate) output: PathBuf,
    #[arg(long, value_name = "FILE")]
    pub(crate) perfetto: Option<PathBuf>,
    #[arg(long, value_name = "NAME")]
    pub(crate) workload: Option<String>,
    #[arg(id = "trace_backend", long = "backend", value_enum)]
    pub(crate) backend: Option<TraceBackend>,
    #[arg(long, value_name = "NAME", default_value = "cluster-ib")]
    pub(crate) machine: String,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateTask {
    #[arg(short = 'p', long = "package", value_name = "TASK")]
    pub(crate) task: String,
    #[arg(id = "task_ranks", value_name = "P,P,...", short = 'n', long = "ranks", default_value = "2..64")]
    pub(crate) ranks: String,
    #[arg(long, default_value = "cluster-ib")]
    pub(crate) machine: String,
    #[arg(id = "fault", long = "fault", value_name = "FAULT")]
    pub(crate) faults: Vec<String>,
    #[arg(long, value_enum, default_value = "declared")]
    pub(crate) compute: Compute,
    #[arg(long, value_name = "NAME")]
    pub(crate) workload: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[arg(short = 'p', long = "package", value_name = "TASK")]
    pub(crate) task: String,
    #[arg(id = "check_ranks", value_name = "P,P,...", short = 'n', long = "ranks", default_value = "1..4")]
    pub(crate) ranks: String,
    #[arg(long, value_name = "NAME")]
    pub(crate) workload: Option<String>,
    #[arg(long, value_name = "10s|N")]
    pub(crate) budget: Option<String>,
    #[arg(long, value_name = "P:SIZE:SCHEDULE", conflicts_with_all = ["check_ranks", "budget"])]
    pub(crate) replay: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Report {
    #[arg(short = 'p', long = "package", value_name = "TASK")]
    pub(crate) task: Option<String>,
    #[arg(long)]
    pub(crate) quick: bool,
    #[arg(long, value_enum)]
    pub(crate) backend: Option<BackendArgument>,
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) model: Option<String>,
    #[arg(long, value_name = "P,P,...", requires = "model")]
    pub(crate) model_ranks: Option<String>,
    #[arg(long, conflicts_with_all = ["quick", "backend", "model"])]
    pub(crate) render: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Setup {
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[arg(long, value_enum)]
    pub(crate) mpi: Option<Flavour>,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}

/// What carries the messages of a traced run, as it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraceBackend {
    Mpi,
    Threads,
    Sim,
}

/// What carries the messages, as it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendArgument {
    Mpi,
    Threads,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LangArgument {
    En,
    Ru,
}

impl From<LangArgument> for Lang {
    fn from(asked: LangArgument) -> Self {
        match asked {
            LangArgument::En => Self::En,
            LangArgument::Ru => Self::Ru,
        }
    }
}

impl Arguments {
    /// The command line of this process. Ends it, with code 2 or after the help, when there is nothing to carry out.
    pub(crate) fn of_process() -> Self {
        let words: Vec<OsString> = std::env::args_os().collect();
        let environment = Lang::of_environment();
        let matches = command_line(asked_language(&words).unwrap_or(environment)).get_matches_from(words);
        let read = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        Self { command: read.command, lang: read.lang.map_or(environment, Lang::from), json: read.json }
    }
}

/// The language of `--lang`, looked up before the command line is read: its help must speak it.
fn asked_language(words: &[OsString]) -> Option<Lang> {
    let words: Vec<&str> =
        words.iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--").collect();
    let apart = words.windows(2).find(|pair| pair[0] == "--lang").map(|pair| pair[1]);
    Lang::parse(apart.or_else(|| words.iter().find_map(|word| word.strip_prefix("--lang=")))?)
}

/// The definition of the command line with its help in `lang`.
fn command_line(lang: Lang) -> clap::Command {
    let command = CommandLine::command().about(text::about(lang)).after_help(text::exit_codes(lang));
    with_help(command, "", lang)
}

/// The command and all commands below it; `path` names it, as in `"barriers bench"`.
fn with_help(command: clap::Command, path: &str, lang: Lang) -> clap::Command {
    let mut command = with_argument_help(command, lang);
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        let below = format!("{path} {name}").trim().to_owned();
        let about = command_help(&below).map(|help| help(lang)).unwrap_or_default();
        command = command.mut_subcommand(&name, |sub| with_help(sub.about(about), &below, lang));
    }
    command
}

fn with_argument_help(command: clap::Command, lang: Lang) -> clap::Command {
    command.mut_args(|argument| match argument_help(argument.get_id().as_str()) {
        Some(help) => argument.help(help(lang)),
        None => argument,
    })
}

fn command_help(name: &str) -> Option<fn(Lang) -> String> {
    Some(match name {
        "new" => text::about_new,
        "list" => text::about_list,
        "test" => text::about_test,
        "perf" => text::about_perf,
        "trace" => text::about_trace,
        "report" => text::about_report,
        "simulate" => prediction::about_simulate,
        "check" => checker::about_check,
        "doctor" => text::about_doctor,
        "setup" => text::about_setup,
        "explain" => pages::about_explain,
        "barriers" => text::about_barriers,
        "barriers list" => barrier::about_list,
        "barriers prove" => barrier::about_prove,
        "barriers plan" => barrier::about_plan,
        "barriers bench" => text::about_barriers_bench,
        "barriers simulate" => simulator::about_simulate,
        "broadcasts" => broadcast::about,
        "broadcasts list" => broadcast::about_list,
        "broadcasts prove" => broadcast::about_prove,
        "broadcasts simulate" => broadcast::about_simulate,
        "machines" => simulator::about_machines,
        "calibrate" => simulator::about_calibrate,
        _ => return None,
    })
}

fn argument_help(id: &str) -> Option<fn(Lang) -> String> {
    Some(match id {
        "lang" => text::help_lang,
        "code" => pages::help_code,
        "json" => text::help_json,
        "name" => text::help_new_name,
        "student" => text::help_student,
        "group" => text::help_group,
        "number" => text::help_number,
        "variant" => text::help_variant,
        "task" => text::help_task,
        "mpi" => text::help_mpi,
        "no_install" => text::help_no_install,
        "backend" => text::help_backend,
        "libtest" => text::help_libtest,
        "ranks" => text::help_ranks,
        "trace_backend" => text::help_trace_backend,
        "trace_ranks" => text::help_trace_ranks,
        "output" => text::help_output,
        "perfetto" => text::help_perfetto,
        "workload" => text::help_workload,
        "quick" => text::help_quick,
        "render" => text::help_render,
        "model" => text::help_model,
        "model_ranks" => text::help_model_ranks,
        "task_ranks" => prediction::help_ranks,
        "fault" => prediction::help_fault,
        "check_ranks" => checker::help_ranks,
        "budget" => checker::help_budget,
        "replay" => checker::help_replay,
        "compute" => prediction::help_compute,
        "dry_run" => text::help_dry_run,
        "list_ranks" => barrier::help_list_ranks,
        "wrong" => barrier::help_wrong,
        "barrier" => barrier::help_barrier,
        "plan_barrier" => barrier::help_plan_barrier,
        "max_ranks" => barrier::help_max_ranks,
        "plan_ranks" => barrier::help_plan_ranks,
        "radix" => barrier::help_radix,
        "nodes" => barrier::help_nodes,
        "svg" => barrier::help_svg,
        "bench_ranks" => text::help_bench_ranks,
        "bench_quick" => text::help_bench_quick,
        "substrate" => text::help_substrate,
        "only" => text::help_only,
        "broadcast" => broadcast::help_broadcast,
        "list_bytes" | "simulate_bytes" => broadcast::help_bytes,
        "segment" => broadcast::help_segment,
        "simulate_ranks" => simulator::help_ranks,
        "machine" => simulator::help_machine,
        "noise" => simulator::help_noise,
        "late" => simulator::help_late,
        "by" => simulator::help_by,
        "episodes" => simulator::help_episodes,
        "path" => simulator::help_path,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Lang::ALL.into_iter().for_each(|lang| command_line(lang).debug_assert());
    }

    #[test]
    fn every_command_and_argument_has_help_in_both_languages() {
        for lang in Lang::ALL {
            let mut command = command_line(lang);
            command.build();
            let nested = command.get_subcommands().flat_map(clap::Command::get_subcommands);
            for sub in command.get_subcommands().chain(nested) {
                assert!(
                    sub.get_about().is_some_and(|about| !about.to_string().is_empty()),
                    "{}",
                    sub.get_name()
                );
                for argument in sub.get_arguments() {
                    assert!(argument.get_help().is_some(), "{} {}", sub.get_name(), argument.get_id());
                }
            }
        }
    }

    #[test]
    fn the_language_is_found_before_the_command_line_is_read() {
        let asked = |line: &str| asked_language(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(asked("wb --lang ru list"), Some(Lang::Ru));
        assert_eq!(asked("wb list --lang=en"), Some(Lang::En));
        assert_eq!(asked("wb test -- --lang ru"), None);
    }
}
