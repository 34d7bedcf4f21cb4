//! What a process of ours says outside its proper work: before its tests run, when it cannot print.
messages! {
    filter_selects_nothing(filter) {
        "error: the filter `{filter}` selects no test of this binary (`--list` shows them all); nothing was run",
        "ошибка: фильтр `{filter}` не выбирает ни одного теста этой программы (список: `--list`); ничего не запущено",
    }
    /// Units of bytes, each a thousand times the one before.
    byte_units() { "B kB MB GB TB PB EB", "Б кБ МБ ГБ ТБ ПБ ЭБ" }
    stdout_unwritten(why) {
        "error: cannot write the standard output ({why}); what was to be shown is incomplete",
        "ошибка: не удаётся записать стандартный вывод ({why}); показано не всё",
    }
}
