//! Errors of the command line.
messages! {
    usage(usage) { "usage: {usage}", "использование: {usage}" }
    more() { "all options: --help", "все параметры: --help" }
    suggestion(near) { "; do you mean {near}?", "; может быть, {near}?" }
    unknown_argument(argument, near) { "there is no `{argument}` here{near}", "здесь нет `{argument}`{near}" }
    filter_of_tests(filter) {
        "a filter of tests goes after `--`: `-- {filter}`",
        "фильтр тестов указывают после `--`: `-- {filter}`",
    }
    unknown_command(command, near) { "there is no command `{command}`{near}", "команды `{command}` нет{near}" }
    missing(arguments) { "missing: {arguments}", "не указано: {arguments}" }
    missing_command() { "missing: a command", "не указана команда" }
    conflict(argument, other) { "{argument} and {other} exclude each other", "{argument} и {other} несовместимы" }
    given_twice(argument) { "{argument} is given twice", "{argument} указан дважды" }
    number_of_values(argument) { "{argument}: the number of values is wrong", "{argument}: нужно другое число значений" }
    not_unicode() { "a word is not valid UTF-8", "слово не в кодировке UTF-8" }
    no_value(argument) { "{argument} needs a value", "{argument}: нужно значение" }
    no_value_of(argument, allowed) { "{argument} needs a value: {allowed}", "{argument}: нужно значение: {allowed}" }
    bad_value(argument, given) { "{argument}: `{given}` is not allowed", "{argument}: `{given}` не подходит" }
    bad_value_of(argument, given, allowed) {
        "{argument}: `{given}` is not allowed; there are {allowed}",
        "{argument}: `{given}` не подходит; есть {allowed}",
    }
    bad_number(argument, given, least, most) {
        "{argument}: `{given}` is not a whole number from {least} to {most}",
        "{argument}: `{given}` не целое число от {least} до {most}",
    }
    bad_part(argument, given) {
        "{argument}: `{given}` is not a part like 0/5: its number from 0, and the number of parts",
        "{argument}: `{given}` — не часть вида 0/5: её номер от 0 и число частей",
    }
    bad_run(argument, given) {
        "{argument}: `{given}` is not the name of a run: 1 to 40 letters a-z, digits, - or _",
        "{argument}: `{given}` — не имя измерения: от 1 до 40 латинских букв, цифр, - или _",
    }
    bad_date(argument, given) {
        "{argument}: `{given}` is neither a day such as 2027-05-20 nor a moment such as 2027-05-20T12:00",
        "{argument}: `{given}` не день вида 2027-05-20 и не момент вида 2027-05-20T12:00",
    }
    bad_ranks(argument, item, least, most, range) {
        "{argument}: `{item}` is neither a number from {least} to {most} nor a range like {range}; a list is 2,4,8",
        "{argument}: `{item}` не число от {least} до {most} и не диапазон вида {range}; список: 2,4,8",
    }
    /// Above the parts of a help page.
    heading_commands() { "Commands", "Команды" }
    heading_student() { "A student's day", "День студента" }
    heading_instructor() { "An instructor's week", "Неделя преподавателя" }
    heading_laboratory() { "The laboratory", "Лаборатория" }
    heading_setup() { "Set-up", "Установка" }
    heading_arguments() { "Arguments", "Аргументы" }
    heading_options() { "Options", "Параметры" }
    heading_usage() { "Usage", "Использование" }
    /// After the help of an argument.
    allowed_values(values) { "[allowed: {values}]", "[допустимо: {values}]" }
    default_value(value) { "[default: {value}]", "[по умолчанию: {value}]" }
    /// Placeholders of a usage line.
    any_options() { "[OPTIONS]", "[ПАРАМЕТРЫ]" }
    one_command() { "<COMMAND>", "<КОМАНДА>" }
    help_help() { "This help", "Эта справка" }
}
