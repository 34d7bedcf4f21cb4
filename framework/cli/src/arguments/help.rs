//! The help of every command and argument, from the table of messages.

use clap::{Arg, ArgAction, CommandFactory};
use wb_messages::{
    Lang, WIDTH, barriers, broadcasts, checker, cli as text, pages, prediction, simulator, usage_error, wrap,
};

use super::CommandLine;

/// The definition of the command line with its help in `lang`.
pub(super) fn command_line(lang: Lang) -> clap::Command {
    let command = CommandLine::command().about(text::about(lang)).after_help(text::exit_codes(lang));
    with_help(command, "", lang)
}

/// The command and all commands below it; `path` names it, as in `"barriers bench"`.
fn with_help(command: clap::Command, path: &str, lang: Lang) -> clap::Command {
    let mut command = with_headings(with_argument_help(command, lang), lang);
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        let below = format!("{path} {name}").trim().to_owned();
        let about = command_help(&below).map(|help| help(lang)).unwrap_or_default();
        command = command.mut_subcommand(&name, |sub| with_help(sub.about(about), &below, lang));
    }
    command
}

/// The words around the lists: those of clap are English.
fn with_headings(command: clap::Command, lang: Lang) -> clap::Command {
    let help =
        Arg::new("help").short('h').long("help").action(ArgAction::Help).help(usage_error::help_help(lang));
    let command = command.disable_help_flag(true).arg(help);
    let command = command.mut_args(|argument| {
        let heading = match argument.is_positional() {
            true => usage_error::heading_arguments(lang),
            false => usage_error::heading_options(lang),
        };
        argument.help_heading(heading)
    });
    let usage = usage_error::heading_usage(lang);
    command
        .subcommand_help_heading(usage_error::heading_commands(lang))
        .help_template(format!("{{about-with-newline}}\n{usage}: {{usage}}\n\n{{all-args}}{{after-help}}"))
}

fn with_argument_help(command: clap::Command, lang: Lang) -> clap::Command {
    command.mut_args(|argument| match argument_help(argument.get_id().as_str()) {
        Some(help) => {
            let help = [vec![help(lang)], argument_notes(&argument, lang)].concat().join(" ");
            match argument.get_action().takes_values() {
                true => argument.help(help).hide_possible_values(true).hide_default_value(true),
                false => argument.help(help),
            }
        }
        None => argument,
    })
}

/// What an argument allows, and what it is without being given: clap's own words for it are English.
fn argument_notes(argument: &Arg, lang: Lang) -> Vec<String> {
    let allowed: Vec<_> = match argument.get_action().takes_values() {
        true => argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect(),
        false => vec![],
    };
    let usual: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let allowed = (!allowed.is_empty()).then(|| usage_error::allowed_values(lang, allowed.join(", ")));
    let usual = (!usual.is_empty() && argument.get_action().takes_values())
        .then(|| usage_error::default_value(lang, usual.join(", ")));
    allowed.into_iter().chain(usual).collect()
}

/// The places of a usage line that clap names in English, and a long usage line in several.
pub(super) fn localize_usage(text: &str, lang: Lang) -> String {
    let (options, command) = (usage_error::any_options(lang), usage_error::one_command(lang));
    let text = text.replace("[OPTIONS]", &options).replace("<COMMAND>", &command);
    let usage = format!("{}:", usage_error::heading_usage(lang));
    let fitted = |line: &str| match line.starts_with(&usage) {
        true => wrap(line.trim_end(), "", "    ", WIDTH) + "\n",
        false => line.to_owned(),
    };
    text.split_inclusive('\n').map(fitted).collect()
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
        "barriers list" => barriers::about_list,
        "barriers prove" => barriers::about_prove,
        "barriers plan" => barriers::about_plan,
        "barriers bench" => text::about_barriers_bench,
        "barriers simulate" => simulator::about_simulate,
        "broadcasts" => broadcasts::about,
        "broadcasts list" => broadcasts::about_list,
        "broadcasts prove" => broadcasts::about_prove,
        "broadcasts simulate" => broadcasts::about_simulate,
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
        "list_ranks" => barriers::help_list_ranks,
        "wrong" => barriers::help_wrong,
        "barrier" => barriers::help_barrier,
        "plan_barrier" => barriers::help_plan_barrier,
        "max_ranks" => barriers::help_max_ranks,
        "plan_ranks" => barriers::help_plan_ranks,
        "radix" => barriers::help_radix,
        "nodes" => barriers::help_nodes,
        "svg" => barriers::help_svg,
        "bench_ranks" => text::help_bench_ranks,
        "bench_quick" => text::help_bench_quick,
        "substrate" => text::help_substrate,
        "only" => text::help_only,
        "broadcast" => broadcasts::help_broadcast,
        "list_bytes" | "simulate_bytes" => broadcasts::help_bytes,
        "segment" => broadcasts::help_segment,
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
