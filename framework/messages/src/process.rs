//! What a test binary says before its tests run.
messages! {
    filter_selects_nothing(filter) {
        "error: the filter `{filter}` selects no test of this binary (`--list` shows them all); nothing was run",
        "ошибка: фильтр `{filter}` не выбирает ни одного теста этой программы (список: `--list`); ничего не запущено",
    }
}
