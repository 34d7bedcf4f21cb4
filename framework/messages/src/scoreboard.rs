//! The pages of a scoreboard.
messages! {
    students() { "Students", "Студенты" }
    class() { "Class", "Курс в целом" }
    pages_label() { "Pages", "Страницы" }
    other_language() { "Русский", "English" }
    theme() { "Colours", "Цвета" }
    theme_auto() { "Colours: as the system", "Цвета: как в системе" }
    theme_light() { "Colours: light", "Цвета: светлые" }
    theme_dark() { "Colours: dark", "Цвета: тёмные" }
    skip() { "To the table", "К таблице" }
    synthetic() {
        "Synthetic data: all students and results on this page are invented.",
        "Синтетические данные: все студенты и результаты на этой странице вымышлены.",
    }
    public() { "Pseudonyms instead of names", "Вместо имён псевдонимы" }
    private() { "With names: for instructors only", "С именами: только для преподавателей" }
    computed(at, zone) { "Grades at {at}, {zone}", "Оценки на {at}, {zone}" }
    count_students(count) { "Students: {count}", "Студентов: {count}" }
    // The table of the class.
    search() { "Search", "Поиск" }
    search_hint() { "name, login or group", "имя, логин или группа" }
    search_pseudonym() { "pseudonym", "псевдоним" }
    sort_pseudonym() { "pseudonym", "псевдоним" }
    stream() { "Stream", "Поток" }
    group() { "Group", "Группа" }
    variant() { "Variant", "Вариант" }
    variant_short() { "Var.", "Вар." }
    remark() { "Remark", "Пометка" }
    all() { "all", "все" }
    flag_missing() { "not submitted", "не сдано" }
    flag_late() { "late", "с опозданием" }
    flag_copying() { "copying confirmed", "заимствование подтверждено" }
    flag_override() { "changed by hand", "изменено вручную" }
    flag_own_problem() { "graded by the student's own tests", "оценено по тестам студента" }
    sort() { "Order", "Порядок" }
    sort_given() { "group, name", "группа, имя" }
    sort_down() { "descending", "по убыванию" }
    reset() { "Reset", "Сбросить" }
    shown(shown, all) { "Shown: {shown} of {all}", "Показано: {shown} из {all}" }
    none_shown() { "No student matches these filters.", "Ни один студент не подходит под эти условия." }
    student() { "Student", "Студент" }
    total() { "Total", "Всего" }
    sum() { "Sum", "Сумма" }
    mark() { "Mark", "Оценка" }
    no_mark() { "none yet", "пока нет" }
    assignment(number, title) { "Assignment {number}. {title}", "Задание {number}. {title}" }
    assignment_short(number) { "Assignment {number}", "Задание {number}" }
    of(points) { "of {points}", "из {points}" }
    points_of(points, of) { "{points} of {of}", "{points} из {of}" }
    keys() {
        "Keys: arrows move in the table, Enter or Space shows the reasons of a letter, Esc closes them. A heading sorts its column.",
        "Клавиши: стрелки перемещают по таблице, Enter или пробел показывает причины у буквы, Esc закрывает их. Заголовок сортирует столбец.",
    }
    letters() { "Letters", "Буквы" }
    letter_solution() { "solution: sequential and parallel version", "решение: последовательная и параллельная версии" }
    letter_performance() { "performance: points for the efficiency", "производительность: баллы за эффективность" }
    letter_acceleration() { "acceleration: the speed-up", "ускорение" }
    letter_efficiency() { "efficiency, per cent", "эффективность, проценты" }
    letter_deadline() { "deadline: penalty for late days", "срок: штраф за дни опоздания" }
    letter_copying() { "copying: penalty that an instructor has confirmed", "заимствование: штраф, подтверждённый преподавателем" }
    letter_report() { "report", "отчёт" }
    changed_mark() { "changed by an instructor", "изменено преподавателем" }
    close() { "Close", "Закрыть" }
    to_student_page() { "All grades of this student", "Все оценки этого студента" }
    // Reasons.
    reasons() { "Reasons", "Причины" }
    lost(points) { "not given: {points}", "не начислено: {points}" }
    penalty(points) { "penalty: {points}", "штраф: {points}" }
    remedy(what) { "To earn it: {what}", "Чтобы получить: {what}" }
    no_reason() { "Nothing was lost here.", "Здесь ничего не потеряно." }
    measured_about(value, ranks) { "about {value}, ranks: {ranks}", "около {value}, процессов: {ranks}" }
    measured_at(value, interval, ranks) {
        "{value} {interval}, ranks: {ranks}",
        "{value} {interval}, процессов: {ranks}",
    }
    changed_by(by, at, from, to, why) {
        "{by} changed {from} to {to} on {at}: {why}",
        "{by}, {at}: {from} изменено на {to}. Причина: {why}",
    }
    // The page of a student.
    letter() { "Letter", "Буква" }
    meaning() { "Meaning", "Что означает" }
    points() { "Points", "Баллы" }
    not_submitted() { "Nothing was submitted for this assignment.", "По этому заданию ничего не сдано." }
    task() { "Package", "Пакет" }
    commit() { "Commit", "Коммит" }
    given_variant(number, title) { "Variant {number}: {title}", "Вариант {number}: {title}" }
    no_variant() { "No variant was given.", "Вариант не выдан." }
    history() { "Measurements by commit", "Измерения по коммитам" }
    history_about() {
        "Each point is a commit, oldest first; the line through it is the interval of confidence.",
        "Каждая точка соответствует коммиту, сначала старые; отрезок показывает доверительный интервал.",
    }
    speedup() { "Speed-up", "Ускорение" }
    efficiency() { "Efficiency, %", "Эффективность, %" }
    column_at() { "Date", "Дата" }
    previous_student() { "Previous", "Предыдущий" }
    next_student() { "Next", "Следующий" }
    // The page of the class.
    class_title() { "The class", "Курс в целом" }
    distribution() { "Distribution of totals", "Распределение сумм" }
    distribution_about() {
        "Number of students by share of the greatest possible sum.",
        "Число студентов по доле наибольшей возможной суммы.",
    }
    bin(from, to, count) { "{from} to {to} %: {count}", "от {from} до {to} %: {count}" }
    share_axis() { "share of the sum, %", "доля суммы, %" }
    students_axis() { "students", "студентов" }
    marks() { "Marks", "Оценки" }
    groups() { "Groups", "Группы" }
    count() { "Students", "Студентов" }
    submitted() { "Submitted", "Сдано" }
    median_total() { "Median total", "Медиана суммы" }
    median_points() { "Median", "Медиана" }
    median_share() { "Share", "Доля" }
    hardest() { "Hardest variants", "Самые трудные варианты" }
    hardest_about() {
        "Variants by the median points of submitted tasks, lowest share first.",
        "Варианты по медиане баллов сданных задач, сначала с наименьшей долей.",
    }
    lost_points() { "Points not given", "Не начисленные баллы" }
    lost_about() {
        "The sum over all students, by letter. Penalties are in D and C.",
        "Сумма по всем студентам, по буквам. Штрафы указаны в D и C.",
    }
    frequent() { "Frequent reasons", "Частые причины" }
    reason() { "Reason", "Причина" }
    times() { "Times", "Раз" }
    points_lost() { "Points lost", "Потеряно баллов" }
    nothing_yet() { "There is no data yet.", "Данных пока нет." }
    data() { "Data", "Данные" }
    data_json() { "scoreboard.json", "scoreboard.json" }
    data_csv() { "CSV for a gradebook", "CSV для журнала" }
    // Errors.
    error_not_json(line, column, why) {
        "line {line}, column {column}: {why}",
        "строка {line}, столбец {column}: {why}",
    }
    error_newer(found, known) {
        "the file has schema {found}, this program knows {known}: update the workbench",
        "в файле схема {found}, эта программа знает {known}: обновите рабочее место",
    }
    error_older(found, known) {
        "the file has schema {found}, this program reads {known}: make it again with `cargo wb grade --all` and `cargo wb course scoreboard`",
        "в файле схема {found}, эта программа читает {known}: создайте его заново командами `cargo wb grade --all` и `cargo wb course scoreboard`",
    }
    error_grades() {
        "these are grades; a scoreboard is what `cargo wb course scoreboard --export FILE` writes",
        "это оценки; таблицу результатов записывает команда `cargo wb course scoreboard --export FILE`",
    }
    error_time_zone(zone) {
        "the time zone `{zone}` is unknown; expected an IANA name such as Europe/Moscow",
        "часовой пояс `{zone}` неизвестен; нужно имя из базы IANA, например Europe/Moscow",
    }
    error_names_on_public(id, field) {
        "student `{id}`: a public scoreboard must not contain `{field}`",
        "студент `{id}`: в публичной таблице не должно быть `{field}`",
    }
    error_same_id(id) {
        "two students have the id `{id}`",
        "у двух студентов один и тот же id `{id}`",
    }
    error_assignments(id) {
        "student `{id}`: one grade is expected for each assignment, in their order",
        "студент `{id}`: нужна одна оценка за каждое задание, в порядке заданий",
    }
}
