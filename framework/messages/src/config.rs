//! What is said about settings that are wrong. What is wrong with a value is told by the strict types themselves.
messages! {
    unreadable(file, told) { "cannot read {file}: {told}", "не удалось прочитать {file}: {told}" }
    diagnostic(file, line, column) { "{file}, line {line}, column {column}: this setting is wrong", "{file}, строка {line}, столбец {column}: ошибка в настройках" }
    marker() { "here", "здесь" }
    no_course(start) { "no tasks/course.yaml in the workspace around {start}", "нет tasks/course.yaml в рабочем пространстве, содержащем {start}" }
    not_a_file(file) { "{file} is not a regular file", "{file} — не обычный файл" }
    too_large(file, bytes) { "{file} has more than {bytes} bytes, the most that settings may have", "{file}: больше {bytes} байт — предела для файла настроек" }
    course_ignored(file) {
        "{file} sets nothing: the rules of the course are in tasks/course.yaml of the workspace; remove this file",
        "{file} ни на что не влияет: правила курса заданы в tasks/course.yaml рабочего пространства; удалите этот файл",
    }
    environment(name, value, allowed) {
        "the environment variable {name} is `{value}`, but it must be {allowed}",
        "переменная окружения {name} равна `{value}`, а должна быть: {allowed}",
    }
}
