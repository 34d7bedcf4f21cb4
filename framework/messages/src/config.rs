//! The frame of a diagnostic of settings; what is wrong is a text of `wb-text`.
messages! {
    diagnostic(file, line, column) { "{file}, line {line}, column {column}: this setting is wrong", "{file}, строка {line}, столбец {column}: ошибка в настройках" }
    marker() { "here", "здесь" }
}
