//! Errors of settings: files, environment variables, and values that contradict each other.
texts! {
    unreadable(file, reason) { "cannot read {file}: {reason}", "не удалось прочитать {file}: {reason}" }
    missing() { "there is no such file", "такого файла нет" }
    not_permitted() { "permission denied", "нет прав доступа" }
    not_a_file(file) { "{file} is not a regular file", "{file} — не обычный файл" }
    too_large(file, bytes) { "{file} has more than {bytes} bytes", "{file}: файл больше {bytes} байт" }
    no_course(start) {
        "no tasks/course.yaml in the workspace around {start}",
        "нет tasks/course.yaml в рабочем пространстве, содержащем {start}",
    }
    course_ignored(file) {
        "{file} sets nothing: the rules of the course are in tasks/course.yaml of the workspace; remove this file",
        "{file} ни на что не влияет: правила курса заданы в tasks/course.yaml рабочего пространства; удалите этот файл",
    }
    two_assignments(first, second) {
        "{first} and {second} are assignments of the same number and variant; remove one",
        "{first} и {second} — задания с одним номером и вариантом; удалите одно из них",
    }
    name_taken(file) { "{file} has this name, too", "это же имя есть в {file}" }
    no_private_inputs(folder) {
        "{folder} has no *.json, expected a file for each graded input",
        "в {folder} нет файлов *.json, ожидается по файлу на каждый набор данных для оценки",
    }
    not_graded_ranks(ranks, graded) {
        "the assignment is not graded on {ranks} ranks, expected some of {graded}",
        "задание не проверяется на числе процессов {ranks}, ожидаются числа из {graded}",
    }
    assignment_sets(key, file) {
        "{file} sets this, expected no {key} here",
        "это задано в {file}, здесь ключа {key} быть не должно",
    }
    input_name(name, max) {
        "`{name}` is not the name of a file, expected 1 to {max} Latin letters, digits, `.`, `_` and `-` that begin with a letter, a digit or `_`",
        "`{name}` не является именем файла, ожидается от 1 до {max} латинских букв, цифр и знаков `.`, `_`, `-`, начиная с буквы, цифры или `_`",
    }
    input_again() { "this file is listed twice, expected each once", "этот файл указан дважды, ожидается по одному разу" }
    input_missing(name, folder) {
        "the file {folder}/{name} beside this file does not exist or is not a regular file, expected the name of a file in that folder",
        "рядом с этим файлом нет {folder}/{name} или это не обычный файл, ожидается имя файла из этой папки",
    }
    environment(name, value, allowed) {
        "the environment variable {name} is `{value}`, but it must be {allowed}",
        "переменная окружения {name} равна `{value}`, а должна быть: {allowed}",
    }
    unknown_variable(name, known) {
        "the environment variable {name} is not known, so it has no effect: unset it, or correct its name to one of {known}",
        "переменная окружения {name} неизвестна и ни на что не влияет: удалите её или исправьте её имя на одно из {known}",
    }
    limit_allowed() { "a number of seconds from 0.001 to 3600, or `none`", "число секунд от 0,001 до 3600 или `none`" }
    rank_allowed() { "the number of a rank, from 0 on", "номер процесса (ранг), начиная с 0" }
    place(file, line, column, problem) { "{file}:{line}:{column}: {problem}", "{file}:{line}:{column}: {problem}" }
    /// A problem of the value that a path of keys leads to.
    at(path, problem) { "{path}: {problem}", "`{path}`: {problem}" }
    not_utf8(byte) {
        "byte {byte} is not UTF-8, expected a text in UTF-8: save the file so (in a spreadsheet: CSV UTF-8)",
        "байт {byte} не из UTF-8, ожидается текст в UTF-8: сохраните файл так (в электронной таблице: CSV UTF-8)",
    }
    utf16() {
        "the text is in UTF-16, expected a text in UTF-8: save the file so (in a spreadsheet: CSV UTF-8)",
        "текст в кодировке UTF-16, ожидается текст в UTF-8: сохраните файл так (в электронной таблице: CSV UTF-8)",
    }
    merge_conflict() {
        "git has not merged these lines: keep the right ones and remove the lines of `<<<<<<<`, `=======` and `>>>>>>>`",
        "git не смог слить эти строки: оставьте нужные и удалите строки с `<<<<<<<`, `=======` и `>>>>>>>`",
    }
    bytes(bytes, max) { "{bytes} bytes, expected at most {max}", "размер {bytes} байт, разрешено не больше {max}" }
    empty_file() { "the file is empty, expected settings", "файл пуст, ожидаются настройки" }
    control(code) {
        "character U+{code} is a control, expected a text without",
        "управляющий символ U+{code}, ожидается текст без таких символов",
    }
    brackets(max) {
        "more than {max} opening brackets, expected fewer: this nests too deep",
        "открывающих скобок больше {max}: слишком большая вложенность",
    }
    steps(max) {
        "more than {max} steps of a list in one line: this nests too deep",
        "в одной строке больше {max} уровней списка: слишком большая вложенность",
    }
    variant(assignment, variant, last) {
        "assignment {assignment} has no variant {variant}, expected a whole number from 1 to {last}",
        "в задании {assignment} нет варианта {variant}, ожидается целое число от 1 до {last}",
    }
    unknown_student(student, group) {
        "the student `{student}` of the group `{group}` is not in tasks/roster.csv",
        "студента `{student}` из группы `{group}` нет в tasks/roster.csv",
    }
    unknown_login(login) { "the login `{login}` is not in tasks/roster.csv", "логина `{login}` нет в tasks/roster.csv" }
    other_student(login, name) {
        "`{login}` is `{name}` in tasks/roster.csv",
        "в tasks/roster.csv `{login}` — это `{name}`",
    }
    other_group(login, group) {
        "`{login}` is in the group `{group}` in tasks/roster.csv",
        "в tasks/roster.csv `{login}` в группе `{group}`",
    }
    variant_not_given(login, assignment) {
        "tasks/variants.csv gives `{login}` no variant of assignment {assignment}",
        "tasks/variants.csv не даёт `{login}` варианта задания {assignment}",
    }
    other_variant(login, variant, assignment) {
        "tasks/variants.csv gives `{login}` variant {variant} of assignment {assignment}",
        "tasks/variants.csv даёт `{login}` вариант {variant} задания {assignment}",
    }
    csv_empty(expected) {
        "the file is empty, expected the columns `{expected}` in the first line",
        "файл пуст, в первой строке ожидаются столбцы `{expected}`",
    }
    csv_header(found, expected) {
        "the first line is `{found}`, expected the columns `{expected}`",
        "первая строка — `{found}`, ожидаются столбцы `{expected}`",
    }
    csv_separator(separator, expected) {
        "the columns are separated by `{separator}`, expected commas: `{expected}`",
        "столбцы разделены знаком `{separator}`, ожидаются запятые: `{expected}`",
    }
    csv_tabs(expected) {
        "the columns are separated by tabs, expected commas: `{expected}`",
        "столбцы разделены табуляцией, ожидаются запятые: `{expected}`",
    }
    csv_columns(count, expected) {
        "{count} fields in this line, expected the columns `{expected}`",
        "полей в строке: {count}, ожидаются столбцы `{expected}`",
    }
    csv_open_quote() {
        "a text in quotes goes over several lines, expected a closing `\"` in the same line",
        "текст в кавычках занимает несколько строк, ожидается закрывающая `\"` в той же строке",
    }
    login_letter(login, letter, code) {
        "`{letter}` (U+{code}) in the login `{login}` is not a Latin letter, though it may look like one; expected 1 to 64 Latin letters, digits, `-`, `_` and `.`",
        "`{letter}` (U+{code}) в логине `{login}` — не латинская буква, хотя может быть на неё похожа; ожидается от 1 до 64 латинских букв, цифр и знаков `-`, `_`, `.`",
    }
    login_again(login, line) {
        "the login `{login}` is in line {line} already, expected each student once",
        "логин `{login}` уже указан в строке {line}, каждый студент указывается один раз",
    }
    variant_given_again(login, assignment, line) {
        "line {line} gives `{login}` a variant of assignment {assignment} already, expected one",
        "строка {line} уже даёт `{login}` вариант задания {assignment}, ожидается один",
    }
    override_again(login, assignment, letter) {
        "the letter {letter} of `{login}` for assignment {assignment} is overridden already, expected one entry",
        "буква {letter} для `{login}` в задании {assignment} уже изменена, ожидается одна запись",
    }
    similar_to_oneself(login) {
        "`{login}` twice, expected two students",
        "`{login}` указан дважды, ожидаются два студента",
    }
    similarity_again() {
        "this case is listed already, expected each one once",
        "этот случай уже есть в списке, каждый указывается один раз",
    }
    no_workloads() { "the list is empty, expected at least one workload", "список пуст, ожидается хотя бы один набор данных" }
    workload_again() {
        "this workload is listed already, expected each one once",
        "этот набор данных уже есть в списке, каждый указывается один раз",
    }
    no_ranks() {
        "the list is empty, expected at least one number of ranks",
        "список пуст, ожидается хотя бы одно число процессов",
    }
    ranks_fall(here, before) {
        "{here} after {before}, expected numbers of ranks that increase",
        "{here} после {before}, числа процессов должны возрастать",
    }
    assignment_order(assignment, place) {
        "assignment {assignment} at place {place}, expected the assignments 1, 2, 3 in order",
        "задание {assignment} на месте {place}, ожидаются задания 1, 2, 3 по порядку",
    }
    assignment_count(count) {
        "{count} assignments, expected the assignments 1, 2, 3",
        "заданий: {count}, ожидаются задания 1, 2, 3",
    }
    variant_order(variant, place) {
        "variant {variant} at place {place}, expected the variants 1, 2, 3, ... in order",
        "вариант {variant} на месте {place}, ожидаются варианты 1, 2, 3, ... по порядку",
    }
    no_bands() { "the list is empty, expected at least one band", "список пуст, ожидается хотя бы одна ступень шкалы" }
    bands_order() {
        "expected less efficiency and fewer points than the band before",
        "эффективность и баллы должны быть меньше, чем у предыдущей ступени шкалы",
    }
    cores(groups, group, max) {
        "{groups} groups of {group} cores on a node, expected at most {max} cores in all",
        "групп на узле: {groups}, ядер в группе: {group}; всего разрешено не больше {max} ядер",
    }
    cards_without_network() {
        "cards without a link `network` that they belong to",
        "сетевые карты заданы, а соединение `network`, к которому они относятся, нет",
    }
    cards(cards, cores) {
        "{cards} cards on a node of {cores} cores, expected as many at most",
        "сетевых карт: {cards}, ядер на узле: {cores}; карт не может быть больше, чем ядер",
    }
    cards_take_no_time() {
        "ranks that share a card need a link `network` of latency_ns and overhead_ns from 1",
        "процессам с общей сетевой картой нужно соединение `network`, где latency_ns и overhead_ns не меньше 1",
    }
    no_node_link(groups) {
        "{groups} groups a node, expected a link `node` between them",
        "групп на узле: {groups}, ожидается соединение `node` между ними",
    }
    pieces_fall(here, before) {
        "from_bytes {here} after {before}, expected a larger one: pieces rise",
        "from_bytes {here} после {before}: значения должны возрастать",
    }
}
