//! The language of the help, and the texts that clap writes in English only.

use std::cell::Cell;

use clap::{Arg, ArgAction, CommandFactory};
use wb_messages::{Lang, WIDTH, usage_error, wrap};

use super::CommandLine;
use crate::terminal;

/// The columns of a help page in a wide terminal: longer lines are hard to read.
const MAX_HELP_WIDTH: u16 = 100;

thread_local! {
    /// The language of the definition that this thread builds: clap's constructors take no arguments.
    static LANGUAGE: Cell<Lang> = const { Cell::new(Lang::En) };
}

/// A text of the definition, in the language of the help.
pub(super) fn localized(text: fn(Lang) -> String) -> String {
    text(LANGUAGE.get())
}

/// The commands by who needs them.
const GROUPS: [CommandGroup; 4] = [
    (
        usage_error::heading_student,
        &["new", "list", "watch", "top", "test", "perf", "report", "trace", "check", "simulate", "explain"],
    ),
    (usage_error::heading_instructor, &["course", "grade", "judge", "rules", "similar", "summary"]),
    (
        usage_error::heading_laboratory,
        &["collectives", "barriers", "broadcasts", "preload", "machines", "calibrate"],
    ),
    (usage_error::heading_setup, &["doctor", "setup", "book"]),
];

/// A heading and its commands.
type CommandGroup = (fn(Lang) -> String, &'static [&'static str]);

/// Columns of the longest name of a command.
const NAME_WIDTH: usize = 11;

/// The definition of the command line with its help in `lang`.
pub(super) fn command_line(lang: Lang) -> clap::Command {
    LANGUAGE.set(lang);
    let width = terminal::width().min(MAX_HELP_WIDTH);
    let command = localize_command(CommandLine::command(), lang).term_width(width.into());
    let (usage, groups) = (usage_error::heading_usage(lang), command_groups(&command, width.into(), lang));
    command
        .mut_subcommands(|sub| sub.hide(true))
        .override_usage("cargo wb [OPTIONS] <COMMAND>")
        .help_template(format!(
            "{{about-with-newline}}\n{usage}: {{usage}}\n\n{groups}{{all-args}}{{after-help}}"
        ))
}

/// The commands with what they do, below the headings of their groups.
fn command_groups(command: &clap::Command, width: usize, lang: Lang) -> String {
    let line = |name: &&str| {
        let about = command.find_subcommand(name).and_then(clap::Command::get_about);
        let about = about.map(ToString::to_string).unwrap_or_default();
        let indent = " ".repeat(NAME_WIDTH + 4);
        wrap(&about, &format!("  {name:<NAME_WIDTH$}  "), &indent, width) + "\n"
    };
    let group = |(heading, names): &CommandGroup| {
        format!("{}:\n{}\n", heading(lang), names.iter().map(line).collect::<String>())
    };
    GROUPS.iter().map(group).collect()
}

/// The command and all commands below it.
fn localize_command(command: clap::Command, lang: Lang) -> clap::Command {
    with_headings(with_argument_notes(command, lang), lang).mut_subcommands(|sub| localize_command(sub, lang))
}

/// Replaces the headings of clap, which are English.
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

/// Adds the allowed values and the default to the help of each argument: clap's own notes are English.
fn with_argument_notes(command: clap::Command, lang: Lang) -> clap::Command {
    command.mut_args(|argument| match argument.get_action().takes_values() {
        false => argument,
        true => {
            let help = argument.get_help().map(ToString::to_string);
            let help = help.into_iter().chain(argument_notes(&argument, lang)).collect::<Vec<_>>().join(" ");
            argument.help(help).hide_possible_values(true).hide_default_value(true)
        }
    })
}

/// The allowed values of an argument, and its default.
fn argument_notes(argument: &Arg, lang: Lang) -> impl Iterator<Item = String> {
    let allowed: Vec<_> =
        argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    let default: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let allowed = (!allowed.is_empty()).then(|| usage_error::allowed_values(lang, allowed.join(", ")));
    let default = (!default.is_empty()).then(|| usage_error::default_value(lang, default.join(", ")));
    allowed.into_iter().chain(default)
}

/// Translates the placeholders of a usage line, and wraps a long usage line.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        grouped.sort_unstable();
        let line = command_line(Lang::En);
        let mut all: Vec<&str> = line.get_subcommands().map(clap::Command::get_name).collect();
        all.sort_unstable();
        assert_eq!(grouped, all);
        assert!(all.iter().all(|name| name.len() <= NAME_WIDTH));
    }
}
