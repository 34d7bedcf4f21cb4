//! The command line. Its help and its errors are in the language that it asks for; the help of a command or an argument is an
//! attribute of its field.

mod barriers;
mod book;
mod broadcasts;
mod collectives;
mod course;
mod grade;
mod help;
mod judge;
mod numbers;
mod placement;
mod run_name;
mod slurm;
mod sources;
mod summary;
mod tasks;
mod usage_error;

use std::{
    ffi::OsString,
    io::{self, IsTerminal},
    process,
};

pub(crate) use barriers::{
    BarrierBenchArgs, BarrierPlanArgs, BarriersCommand, FULL_RANKS, ListBarriersArgs, ProveBarriersArgs,
    SimulateBarriersArgs,
};
pub(crate) use book::BookArgs;
pub(crate) use broadcasts::{
    BroadcastsCommand, ListBroadcastsArgs, ProveBroadcastsArgs, SimulateBroadcastsArgs,
};
use clap::{FromArgMatches, Parser, Subcommand, ValueEnum};
pub(crate) use collectives::{
    CollectiveBenchArgs, CollectivePlanArgs, CollectivesCommand, ListCollectivesArgs, ProveCollectivesArgs,
    SimulateCollectivesArgs, ThreadLevelArgument,
};
pub(crate) use course::{AssignArgs, CourseCommand, DemoArgs, ScoreboardArgs};
pub(crate) use grade::GradeArgs;
use help::{command_line, localized};
pub(crate) use judge::JudgeArgs;
pub(crate) use numbers::RankList;
pub(crate) use placement::{LauncherArgument, PlacementArgs};
pub(crate) use run_name::RunName;
pub(crate) use slurm::SlurmArgs;
pub(crate) use sources::{RulesArgs, SimilarArgs};
pub(crate) use summary::SummaryArgs;
pub(crate) use tasks::{
    BackendArgument, CalibrateArgs, CheckArgs, DoctorArgs, ExplainArgs, NewArgs, PerfArgs, PreloadArgs,
    ReportArgs, SetupArgs, SimulateTaskArgs, TestArgs, TraceArgs, TraceBackendArgument, WatchArgs,
};
use wb_messages::{
    Lang, book as book_text, broadcasts as broadcasts_text, change, checker, cli as text,
    course as course_text, judge as judge_text, pages, prediction, preload, rules, similar, simulator,
};

/// The two forms of `cargo wb new`.
const NEW_USAGE: &str =
    "cargo wb new [OPTIONS] --student <STUDENT> --group <GROUP> --task <1|2|3> --variant <VARIANT> <NAME>
       cargo wb new [OPTIONS] --for <LOGIN> --assignment <1|2|3>";

/// The exit code of a wrong command line.
const EXIT_USAGE: i32 = 2;

/// The command to execute, and how to print its results.
pub(crate) struct CliArguments {
    pub(crate) command: Command,
    pub(crate) lang: Lang,
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
#[command(
    name = "cargo wb",
    bin_name = "cargo wb",
    disable_help_subcommand = true,
    about = localized(text::about),
    after_help = localized(text::exit_codes)
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
    #[arg(long, global = true, value_enum, help = localized(text::help_lang))]
    lang: Option<LangArgument>,
    #[arg(long, global = true, help = localized(text::help_json))]
    json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(about = localized(text::about_new), override_usage = NEW_USAGE)]
    New(NewArgs),
    #[command(about = localized(text::about_list))]
    List,
    #[command(about = localized(text::about_test))]
    Test(TestArgs),
    #[command(about = localized(wb_messages::watch::about))]
    Watch(WatchArgs),
    #[command(about = localized(wb_messages::top::about))]
    Top,
    #[command(about = localized(change::about_summary))]
    Summary(SummaryArgs),
    #[command(about = localized(text::about_perf))]
    Perf(PerfArgs),
    #[command(about = localized(judge_text::about))]
    Judge(JudgeArgs),
    #[command(about = localized(preload::about))]
    Preload(PreloadArgs),
    #[command(about = localized(text::about_trace))]
    Trace(TraceArgs),
    #[command(about = localized(text::about_report))]
    Report(ReportArgs),
    #[command(about = localized(prediction::about_simulate))]
    Simulate(SimulateTaskArgs),
    #[command(about = localized(checker::about_check))]
    Check(CheckArgs),
    #[command(about = localized(rules::about))]
    Rules(RulesArgs),
    #[command(about = localized(similar::about))]
    Similar(SimilarArgs),
    #[command(about = localized(text::about_doctor))]
    Doctor(DoctorArgs),
    #[command(about = localized(text::about_setup))]
    Setup(SetupArgs),
    #[command(about = localized(pages::about_explain))]
    Explain(ExplainArgs),
    #[command(subcommand, about = localized(wb_messages::collectives::about))]
    Collectives(CollectivesCommand),
    #[command(subcommand, about = localized(text::about_barriers))]
    Barriers(BarriersCommand),
    #[command(subcommand, about = localized(broadcasts_text::about))]
    Broadcasts(BroadcastsCommand),
    #[command(subcommand, about = localized(course_text::about))]
    Course(CourseCommand),
    #[command(about = localized(book_text::about))]
    Book(BookArgs),
    #[command(about = localized(wb_messages::grade::about))]
    Grade(GradeArgs),
    #[command(about = localized(simulator::about_machines))]
    Machines,
    #[command(about = localized(simulator::about_calibrate))]
    Calibrate(CalibrateArgs),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LangArgument {
    En,
    Ru,
}

impl From<LangArgument> for Lang {
    fn from(argument: LangArgument) -> Self {
        match argument {
            LangArgument::En => Self::En,
            LangArgument::Ru => Self::Ru,
        }
    }
}

impl CliArguments {
    /// Reads the command line of this process. Ends the process after the help, or with code 2 after an error.
    pub(crate) fn from_process() -> Self {
        let words: Vec<OsString> = std::env::args_os().collect();
        let environment = Lang::from_environment();
        let requested = requested_language(&words).unwrap_or(environment);
        let matches = command_line(requested).try_get_matches_from(&words);
        let parsed = matches.and_then(|matches| CommandLine::from_arg_matches(&matches));
        let parsed = parsed.unwrap_or_else(|error| exit_with_error(&error, &words, requested));
        Self { command: parsed.command, lang: parsed.lang.map_or(environment, Lang::from), json: parsed.json }
    }
}

/// Prints the error of the command line, or the help that it asks for.
fn exit_with_error(error: &clap::Error, words: &[OsString], lang: Lang) -> ! {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    match usage_error::describe(error, &words, lang) {
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
        Some(message) => {
            eprintln!("{message}");
            process::exit(EXIT_USAGE)
        }
    }
}

/// The language of `--lang`, found before the command line is read, because its help is in that language.
fn requested_language(words: &[OsString]) -> Option<Lang> {
    let words: Vec<&str> =
        words.iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--").collect();
    let separate = words.windows(2).find(|pair| pair[0] == "--lang").map(|pair| pair[1]);
    Lang::parse(separate.or_else(|| words.iter().find_map(|word| word.strip_prefix("--lang=")))?)
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
        let requested =
            |line: &str| requested_language(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(requested("wb --lang ru list"), Some(Lang::Ru));
        assert_eq!(requested("wb list --lang=en"), Some(Lang::En));
        assert_eq!(requested("wb test -- --lang ru"), None);
    }
}
