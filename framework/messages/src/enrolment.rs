//! The messages of `cargo wb course check`, `cargo wb course assign` and `cargo wb new --for`.
messages! {
    about_check() {
        "Name all problems of course.yaml, roster.csv, variants.csv, overrides.yaml and similarity.yaml in the folder tasks",
        "Назвать все ошибки в course.yaml, roster.csv, variants.csv, overrides.yaml и similarity.yaml из папки tasks",
    }
    about_assign() {
        "Give each student of the roster the variants that are missing in tasks/variants.csv; given ones stay",
        "Дать каждому студенту списка варианты, которых нет в tasks/variants.csv; данные ранее остаются",
    }
    help_explain() { "Show where the variants of this student come from", "Показать, откуда варианты этого студента" }
    help_page() { "Also write all variants as a page that needs no network", "Записать все варианты и как страницу, которой не нужна сеть" }
    help_dry_run() { "Print what would be given, and write nothing", "Показать, что было бы дано, и ничего не записывать" }
    help_for() {
        "The student's login: name, group and variant come from tasks/roster.csv and tasks/variants.csv",
        "Логин студента: имя, группа и вариант берутся из tasks/roster.csv и tasks/variants.csv",
    }
    help_assignment() { "With --for: the assignment", "Вместе с --for: номер задания" }
    not_given(login, assignment) {
        "`{login}` has no variant of assignment {assignment} in tasks/variants.csv yet; the instructor gives it with `cargo wb course assign`",
        "в tasks/variants.csv у `{login}` ещё нет варианта задания {assignment}; его даёт преподаватель командой `cargo wb course assign`",
    }
    checked(variants, groups, students, given) {
        "variants: {variants}, groups: {groups}, students: {students}, given variants: {given}",
        "вариантов {variants}, групп {groups}, студентов {students}, дано вариантов {given}",
    }
    checked_decisions(extensions, overrides, similarities) {
        "extensions: {extensions}, overrides: {overrides}, confirmed similarities: {similarities}",
        "продлений {extensions}, изменённых оценок {overrides}, подтверждённых совпадений {similarities}",
    }
    departed(given) {
        "of these, of students who are not in the roster: {given}; they stay given",
        "из них {given} — у студентов, которых нет в списке; они остаются данными",
    }
    no_problem() { "no problem found", "ошибок не найдено" }
    problems(count) { "problems: {count}", "ошибок: {count}" }
    no_roster(file) {
        "{file} is missing: the students with the columns login,name,group",
        "нет файла {file}: студенты в столбцах login,name,group",
    }
    no_variants(assignment) {
        "assignment {assignment} has no variants in tasks/course.yaml",
        "в задании {assignment} нет вариантов в tasks/course.yaml",
    }
    unknown_login_suggest(login, near) {
        "the login `{login}` is not in tasks/roster.csv; do you mean {near}?",
        "логина `{login}` нет в tasks/roster.csv; может быть, {near}?",
    }
    unknown_login(login) { "the login `{login}` is not in tasks/roster.csv", "логина `{login}` нет в tasks/roster.csv" }
    nothing_to_give(students) {
        "each of the {students} students has all variants already",
        "у всех студентов ({students}) варианты уже есть",
    }
    would_give(new, students) {
        "{new} variants would be given to {students} students:",
        "были бы даны варианты ({new}) студентам ({students}):",
    }
    given(new, students, file) {
        "{new} variants given to {students} students, in {file}",
        "даны варианты ({new}) студентам ({students}), в файле {file}",
    }
    page_written(file) { "page: {file}", "страница: {file}" }
    column_student() { "student", "студент" }
    column_group() { "group", "группа" }
    shared(count) {
        "{count} of them are shared within a group: it has more students than the assignment has variants",
        "из них {count} повторяются в группе: студентов в ней больше, чем вариантов задания",
    }
    equal_students(one, other) {
        "`{one}` and `{other}` have the same variants of all assignments: there are too few variants to avoid it",
        "у `{one}` и `{other}` совпадают варианты всех заданий: вариантов слишком мало",
    }
    explain_student(login, name, group) { "{login}: {name}, group {group}", "{login}: {name}, группа {group}" }
    explain_given(assignment, variant, line, title) {
        "assignment {assignment}: variant {variant} ({title}), given before: line {line} of tasks/variants.csv",
        "задание {assignment}: вариант {variant} ({title}), дан ранее: строка {line} файла tasks/variants.csv",
    }
    explain_new(assignment, variant, title) {
        "assignment {assignment}: variant {variant} ({title}), new",
        "задание {assignment}: вариант {variant} ({title}), новый",
    }
    explain_free(free, all, group) {
        "no other student of the group {group} has it: {free} of {all} variants were free there",
        "ни у кого больше в группе {group} его нет: там было свободно вариантов {free} из {all}",
    }
    explain_shared(group, students) {
        "no variant was free in the group {group}: {students} others have it, which is the fewest",
        "в группе {group} свободных вариантов не было: он есть ещё у {students}, меньше всего",
    }
    explain_draw(count, seed) {
        "the seed {seed} drew it from {count} that the course uses least",
        "выбран начальным значением {seed} из {count}, которые в курсе встречаются реже всего",
    }
    explain_exchanged(login) {
        "it was chosen for {login}, as follows, and exchanged for the variant chosen here: otherwise two students would have the same variants of all assignments",
        "он был выбран для {login}, как описано ниже, и обменян на выбранный здесь: иначе у двух студентов совпали бы варианты всех заданий",
    }
    explain_distinct() {
        "the first choice was passed over, since another student has the same variants of all assignments",
        "первый выбор пропущен: иначе варианты всех заданий совпали бы с вариантами другого студента",
    }
    explain_group_mates(group, students) {
        "others of the group {group} with it: {students}",
        "в группе {group} он есть ещё у: {students}",
    }
    explain_alone(group) { "no other student of the group {group} has it", "ни у кого больше в группе {group} его нет" }
    variants_title(title) { "Variants: {title}", "Варианты: {title}" }
    column_assignment(number) { "assignment {number}", "задание {number}" }
}
