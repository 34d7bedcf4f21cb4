//! The errors of a command line: the place, the problem and the allowed values, from the table of messages.

use std::error::Error;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use wb_messages::{Lang, WIDTH, cli, usage_error as text, wrap};
use wb_record::InvalidLaunchPart;

use super::{grade::InvalidDate, help::command_line, numbers::InvalidNumber, run_name::InvalidRunName};

/// The message about the command line `words`; `None` if it asks for help.
pub(super) fn describe(error: &clap::Error, words: &[String], lang: Lang) -> Option<String> {
    let what = problem_text(error, words, lang)?;
    let usage = context(error, ContextKind::Usage).map(|usage| usage_text(&usage, lang));
    let what = wrap(&format!("{}: {what}", cli::error(lang)), "", "    ", WIDTH);
    let lines = [Some(what), usage, Some(text::more(lang))];
    Some(lines.into_iter().flatten().collect::<Vec<_>>().join("\n"))
}

/// The forms of a command, each on lines of its own.
fn usage_text(usage: &str, lang: Lang) -> String {
    let forms = super::help::localize_usage(usage.trim_start_matches("Usage:").trim(), lang);
    let wrapped = forms.lines().map(|form| wrap(&text::usage(lang, form.trim()), "", "    ", WIDTH));
    wrapped.collect::<Vec<_>>().join("\n")
}

fn problem_text(error: &clap::Error, words: &[String], lang: Lang) -> Option<String> {
    let of = |kind| context(error, kind).unwrap_or_default();
    let named = |kind| typed_option(&option_name(&of(kind)), words, lang);
    let argument = || named(ContextKind::InvalidArg);
    let suggested = |kind| context(error, kind).map(|near| text::suggestion(lang, near)).unwrap_or_default();
    Some(match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => return None,
        ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::NoEquals => {
            invalid_value_text(error, &argument(), lang)
        }
        ErrorKind::UnknownArgument if is_filter_of_tests(&argument(), &of(ContextKind::Usage)) => {
            text::filter_of_tests(lang, argument())
        }
        ErrorKind::UnknownArgument => {
            text::unknown_argument(lang, argument(), suggested(ContextKind::SuggestedArg))
        }
        ErrorKind::InvalidSubcommand => {
            let command = of(ContextKind::InvalidSubcommand);
            let inner = inner_command(&command, lang).map(|near| text::suggestion(lang, near));
            let near = inner.unwrap_or_else(|| suggested(ContextKind::SuggestedSubcommand));
            text::unknown_command(lang, command, near)
        }
        ErrorKind::MissingRequiredArgument => text::missing(lang, of(ContextKind::InvalidArg)),
        ErrorKind::MissingSubcommand => text::missing_command(lang),
        ErrorKind::ArgumentConflict => match context(error, ContextKind::PriorArg) {
            Some(other) if option_name(&other) != option_name(&of(ContextKind::InvalidArg)) => {
                text::conflict(lang, argument(), named(ContextKind::PriorArg))
            }
            _ => text::given_twice(lang, argument()),
        },
        ErrorKind::TooManyValues | ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            text::number_of_values(lang, argument())
        }
        ErrorKind::InvalidUtf8 => text::not_unicode(lang),
        _ => error.kind().as_str().unwrap_or_default().to_owned(),
    })
}

/// The command with this name inside another command: `course scoreboard` for `scoreboard`.
fn inner_command(name: &str, lang: Lang) -> Option<String> {
    let line = command_line(lang);
    let outer = line.get_subcommands().find(|outer| outer.find_subcommand(name).is_some())?;
    Some(format!("{} {name}", outer.get_name()))
}

/// A value that an argument does not take.
fn invalid_value_text(error: &clap::Error, argument: &str, lang: Lang) -> String {
    let given = context(error, ContextKind::InvalidValue).unwrap_or_default();
    let is_refused_as = |refusal: fn(&(dyn Error + 'static)) -> bool| error.source().is_some_and(refusal);
    if is_refused_as(<dyn Error>::is::<InvalidDate>) {
        return text::bad_date(lang, argument, given);
    }
    if is_refused_as(<dyn Error>::is::<InvalidLaunchPart>) {
        return text::bad_part(lang, argument, given);
    }
    if is_refused_as(<dyn Error>::is::<InvalidRunName>) {
        return text::bad_run(lang, argument, given);
    }
    let allowed = match error.source().and_then(|source| source.downcast_ref::<InvalidNumber>()) {
        Some(InvalidNumber { item, allowed: (least, most), range }) => {
            return match range {
                Some(range) => text::bad_ranks(lang, argument, item, least, most, range),
                None => text::bad_number(lang, argument, item, least, most),
            };
        }
        None => context(error, ContextKind::ValidValue),
    };
    match (given.as_str(), allowed) {
        ("", None) => text::no_value(lang, argument),
        ("", Some(allowed)) => text::no_value_of(lang, argument, allowed),
        (given, None) => text::bad_value(lang, argument, given),
        (given, Some(allowed)) => text::bad_value_of(lang, argument, given, allowed),
    }
}

/// An option without the names of its values: `--ranks <P>` is `--ranks`, and so is `--ranks [<P>]`.
fn option_name(argument: &str) -> String {
    match argument.split_once(' ') {
        Some((option, _)) if option.starts_with('-') => option.to_owned(),
        _ => argument.to_owned(),
    }
}

/// Whether an unknown argument is a word for the test programs, without the `--` in front.
fn is_filter_of_tests(argument: &str, usage: &str) -> bool {
    !argument.starts_with('-') && usage.contains("cargo wb test ")
}

/// An option as it is written in `words`: a short form is named with the long one, by which the help lists it.
fn typed_option(option: &str, words: &[String], lang: Lang) -> String {
    let Some(long) = option.strip_prefix("--") else { return option.to_owned() };
    let mut words = words.iter().skip(1).take_while(|word| *word != "--");
    let is_short = |word: &&String| !word.starts_with("--") && word.starts_with('-');
    let is_long = |word: &&String| word.split('=').next() == Some(option);
    match words.find(|word| is_long(word) || is_short(word) && has_short(&command_line(lang), long, word)) {
        Some(word) if is_short(&word) => format!("{} ({option})", word.chars().take(2).collect::<String>()),
        _ => option.to_owned(),
    }
}

/// Whether a command at or below this one has an option of this long name whose short form begins the word.
fn has_short(command: &clap::Command, long: &str, word: &str) -> bool {
    let is_meant = |argument: &clap::Arg| {
        let shorts = argument
            .get_short()
            .into_iter()
            .chain(argument.get_visible_short_aliases().into_iter().flatten());
        argument.get_long() == Some(long) && shorts.into_iter().any(|short| word[1..].starts_with(short))
    };
    command.get_arguments().any(is_meant) || command.get_subcommands().any(|sub| has_short(sub, long, word))
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<String> {
    Some(match error.get(kind)? {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(texts) => texts.join(", "),
        ContextValue::StyledStr(text) => text.to_string(),
        ContextValue::StyledStrs(texts) => {
            texts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        }
        ContextValue::Number(number) => number.to_string(),
        _ => return None,
    })
    .filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_text(line: &str, lang: Lang) -> String {
        let words: Vec<_> =
            std::iter::once("cargo wb").chain(line.split_whitespace()).map(str::to_owned).collect();
        let error = command_line(lang).try_get_matches_from(&words).expect_err(line);
        describe(&error, &words, lang).unwrap_or_else(|| panic!("{line}: {error}"))
    }

    #[test]
    fn every_refusal_says_where_what_and_what_is_allowed() {
        for (line, expected) in [
            (
                "simulate -p x -n two",
                "error: -n (--ranks): `two` is neither a number from 1 to 16384 nor a range like 2..8",
            ),
            (
                "check -p x -P 17",
                "error: -P (--ranks): `17` is neither a number from 1 to 16 nor a range like 1..4",
            ),
            ("trace -p x -n 0", "error: -n (--ranks): `0` is not a whole number from 1 to 1024"),
            ("trace -p x -n0", "error: -n (--ranks): `0` is not a whole number from 1 to 1024"),
            ("trace -p x --ranks 0", "error: --ranks: `0` is not a whole number from 1 to 1024"),
            ("test -p x no_such_name", "error: a filter of tests goes after `--`: `-- no_such_name`"),
            ("barriers plan binomial -P x", "error: -P (--ranks): `x` is not a whole number from 1 to 4096"),
            ("perf -p x --backend mpj", "error: --backend: `mpj` is not allowed; there are mpi, threads"),
            ("list --lang", "error: --lang needs a value: en, ru"),
            (
                "grade --at yesterday",
                "error: --at: `yesterday` is neither a day such as 2027-05-20 nor a moment",
            ),
            (
                "grade --at 2027-13-40",
                "error: --at: `2027-13-40` is neither a day such as 2027-05-20 nor a moment",
            ),
            (
                "report -p x --run a --part 5/5",
                "error: --part: `5/5` is not a part like 0/5: its number from 0, and the number of parts",
            ),
            (
                "report -p x --part 0/5 --run ../a",
                "error: --run: `../a` is not the name of a run: 1 to 40 letters a-z, digits, - or _",
            ),
            ("report -p x --slurm --hosts f", "error: --slurm and --hosts exclude each other"),
            ("perf", "error: missing: --package <TASK>"),
            ("perf -p x --quik", "error: there is no `--quik` here; do you mean --quick?"),
            ("calibrat", "error: there is no command `calibrat`; do you mean calibrate?"),
            ("scoreboard", "error: there is no command `scoreboard`; do you mean course scoreboard?"),
            ("list --json --json", "error: --json is given twice"),
        ] {
            let all = error_text(line, Lang::En);
            assert!(all.replace("\n    ", " ").starts_with(expected), "{line}: {all}");
        }
    }

    #[test]
    fn a_refusal_speaks_russian_only_and_fits_a_terminal() {
        const CLAP: [&str; 7] =
            ["error", "invalid", "required", "unexpected", "For more", "Usage", "possible"];
        for line in
            ["simulate -p x -n two", "perf", "perf -p x --quik", "calibrat", "list --lang xx", "list --lang"]
        {
            let all = error_text(line, Lang::Ru);
            assert!(!CLAP.iter().any(|word| all.contains(word)), "{all}");
            assert!(all.lines().all(|line| line.chars().count() <= WIDTH), "{all}");
        }
    }

    #[test]
    fn every_form_of_a_command_has_its_own_line() {
        let all = error_text("new --for ivanov_i", Lang::En);
        let forms: Vec<_> = all.lines().filter(|line| line.starts_with("usage: cargo wb new")).collect();
        assert_eq!(forms.len(), 2, "{all}");
        assert!(forms[1].contains("--for <LOGIN>"), "{all}");
    }

    #[test]
    fn help_is_no_refusal() {
        let error = command_line(Lang::En).try_get_matches_from(["cargo wb", "--help"]).expect_err("help");
        assert_eq!(describe(&error, &[], Lang::En), None);
    }
}
