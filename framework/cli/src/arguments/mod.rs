//! The command line. Its help, and what is wrong with it, are told in the language that it asks for.

mod barriers;
mod broadcasts;
mod help;
mod numbers;
mod tasks;
mod usage_error;

use std::{
    ffi::OsString,
    io::{self, IsTerminal},
    process,
};

use clap::{FromArgMatches, Parser, Subcommand, ValueEnum};
use wb_messages::Lang;

pub(crate) use barriers::{
    BarrierBenchArgs, BarrierPlanArgs, BarriersCommand, FULL_RANKS, ListBarriersArgs, ProveBarriersArgs,
    SimulateBarriersArgs,
};
pub(crate) use broadcasts::{
    BroadcastsCommand, ListBroadcastsArgs, ProveBroadcastsArgs, SimulateBroadcastsArgs,
};
pub(crate) use numbers::RankList;
pub(crate) use tasks::{
    BackendArgument, CheckArgs, ExplainArgs, NewArgs, PerfArgs, ReportArgs, SetupArgs, SimulateTaskArgs,
    TestArgs, TraceArgs, TraceBackendArgument,
};

use help::command_line;

/// The exit code of a wrong command line.
const EXIT_USAGE: i32 = 2;

/// What was asked for.
pub(crate) struct CliArguments {
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
    New(NewArgs),
    List,
    Test(TestArgs),
    Perf(PerfArgs),
    Trace(TraceArgs),
    Report(ReportArgs),
    Simulate(SimulateTaskArgs),
    Check(CheckArgs),
    Doctor,
    Setup(SetupArgs),
    Explain(ExplainArgs),
    #[command(subcommand)]
    Barriers(BarriersCommand),
    #[command(subcommand)]
    Broadcasts(BroadcastsCommand),
    Machines,
    Calibrate,
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

impl CliArguments {
    /// The command line of this process. Ends it, with code 2 or after the help, when there is nothing to carry out.
    pub(crate) fn from_process() -> Self {
        let words: Vec<OsString> = std::env::args_os().collect();
        let environment = Lang::from_environment();
        let asked = requested_language(&words).unwrap_or(environment);
        let matches = command_line(asked).try_get_matches_from(words);
        let read = matches.and_then(|matches| CommandLine::from_arg_matches(&matches));
        let read = read.unwrap_or_else(|error| exit_with_error(&error, asked));
        Self { command: read.command, lang: read.lang.map_or(environment, Lang::from), json: read.json }
    }
}

/// Tells what is wrong with the command line, or the help that it asks for.
fn exit_with_error(error: &clap::Error, lang: Lang) -> ! {
    match usage_error::describe(error, lang) {
        None if error.use_stderr() => error.exit(),
        None => {
            let help = error.render();
            let shown = match io::stdout().is_terminal() {
                true => help.ansi().to_string(),
                false => help.to_string(),
            };
            print!("{}", help::localize_usage(&shown, lang));
            wb_process::output::flush();
            process::exit(error.exit_code())
        }
        Some(told) => {
            eprintln!("{told}");
            process::exit(EXIT_USAGE)
        }
    }
}

/// The language of `--lang`, looked up before the command line is read: its help must speak it.
fn requested_language(words: &[OsString]) -> Option<Lang> {
    let words: Vec<&str> =
        words.iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--").collect();
    let apart = words.windows(2).find(|pair| pair[0] == "--lang").map(|pair| pair[1]);
    Lang::parse(apart.or_else(|| words.iter().find_map(|word| word.strip_prefix("--lang=")))?)
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
                let help = help::localize_usage(&sub.clone().render_long_help().to_string(), lang);
                let english = [
                    "[default:",
                    "[possible values",
                    "[aliases",
                    "[OPTIONS]",
                    "<COMMAND>",
                    "Usage",
                    "Options",
                ];
                if lang == Lang::Ru {
                    assert!(!english.iter().any(|word| help.contains(word)), "{help}");
                }
                for argument in sub.get_arguments() {
                    assert!(argument.get_help().is_some(), "{} {}", sub.get_name(), argument.get_id());
                }
            }
        }
    }

    #[test]
    fn the_language_is_found_before_the_command_line_is_read() {
        let asked = |line: &str| requested_language(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(asked("wb --lang ru list"), Some(Lang::Ru));
        assert_eq!(asked("wb list --lang=en"), Some(Lang::En));
        assert_eq!(asked("wb test -- --lang ru"), None);
    }
}
