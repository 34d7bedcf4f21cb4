//! Texts of any program of the workbench: wrong settings, wrong filters of tests, standard output, units.
messages! {
    /// The heading of an error's place in a settings file; the problem itself is a text of `wb-text`.
    diagnostic(file, line, column) { "{file}, line {line}, column {column}: this setting is wrong", "{file}, строка {line}, столбец {column}: ошибка в настройках" }
    filter_selects_nothing(filter) {
        "error: the filter `{filter}` selects no test of this binary (`--list` shows them all); nothing was run",
        "ошибка: фильтр `{filter}` не выбирает ни одного теста этой программы (список: `--list`); ничего не запущено",
    }
    filter_selects_elsewhere(filter, program) {
        "the filter `{filter}` selects no test of this binary; it selects tests of `{program}`",
        "фильтр `{filter}` не выбирает ни одного теста этой программы; он выбирает тесты программы `{program}`",
    }
    hidden_failure(reports) {
        "{reports}\nerror: tests with these reports count as passed: `#[should_panic]` takes a failed run for the panic that it expects; remove it",
        "{reports}\nошибка: тесты с этими отчётами считаются пройденными: `#[should_panic]` принимает неудачный запуск за ожидаемый panic; уберите его",
    }
    exit_in_test(test) {
        "error: the test `{test}` has ended its test program; tests without a result were not run to their end",
        "ошибка: тест `{test}` завершил программу тестов; тесты без результата не выполнены до конца",
    }
    ended_with_code(code) { "exit code {code}", "код завершения {code}" }
    ended_by_signal(signal) { "signal {signal}", "сигнал {signal}" }
    /// Units of bytes, each a thousand times the former.
    byte_units() { "B kB MB GB TB PB EB", "Б кБ МБ ГБ ТБ ПБ ЭБ" }
    stdout_unwritten(why) {
        "error: cannot write the standard output ({why}); the output shown is incomplete",
        "ошибка: не удаётся записать стандартный вывод ({why}); показано не всё",
    }
}
