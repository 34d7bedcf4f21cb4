//! What is said about settings that are wrong. What is wrong with a value is told by the strict types themselves.
messages! {
    unreadable(file, told) { "cannot read {file}: {told}", "не удалось прочитать {file}: {told}" }
    misprint(file, line, column) { "{file}, line {line}, column {column}: this setting is wrong", "{file}, строка {line}, столбец {column}: ошибка в настройках" }
    here() { "here", "здесь" }
    no_course(start) { "no tasks/course.yaml in {start} or any folder above it", "нет tasks/course.yaml ни в {start}, ни в папках выше" }
    environment(name, value, allowed) {
        "the environment variable {name} is `{value}`, but it must be {allowed}",
        "переменная окружения {name} равна `{value}`, а должна быть: {allowed}",
    }
}
