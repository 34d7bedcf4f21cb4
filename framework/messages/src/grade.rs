//! The messages of `cargo wb grade`.
messages! {
    about() { "Grade tasks: points by letters, each lost point with its reason", "Оценить задачи: баллы по буквам, каждая потеря с причиной" }
    help_task() {
        "Grade this task from new evidence: run its tests, read its records, its report and the repository",
        "Оценить эту задачу по новым свидетельствам: выполнить тесты, прочитать записи, отчёт и репозиторий",
    }
    help_group() { "Grade the tasks of this group", "Оценить задачи этой группы" }
    help_all() { "Grade all tasks and write grades/grades.json", "Оценить все задачи и записать grades/grades.json" }
    help_at() {
        "The moment of the grades: the end of a day such as 2027-05-20, or 2027-05-20T12:00; now without it",
        "Момент оценок: конец дня, например 2027-05-20, или 2027-05-20T12:00; без указания сейчас",
    }
    help_dry_run() {
        "Grade the task of this folder, or of -p, as if it were merged now; write nothing",
        "Оценить задачу этой папки или ключа -p, как если бы её влили сейчас; ничего не записывать",
    }
    help_collect() {
        "Collect new evidence of each graded task, as -p does",
        "Собрать новые свидетельства по каждой оцениваемой задаче, как с ключом -p",
    }
    help_changed() {
        "Collect only for tasks that changed on the main branch, or whose assignment did, since their evidence",
        "Собрать только по задачам, которые после их свидетельств изменились в основной ветке или у которых изменилось задание",
    }
    help_from_evidence() {
        "Use grades/evidence and run nothing; --group and --all do so without --collect",
        "Взять grades/evidence и ничего не запускать; --group и --all без --collect делают так же",
    }
    help_measure() {
        "Measure, instead of reading the records of the report",
        "Измерить заново, а не читать записи отчёта",
    }
    help_judge() {
        "Let the judge test and measure tasks whose variant has a crate of the instructor's",
        "Тестировать и измерять под судьёй задачи, у варианта которых есть крейт преподавателя",
    }
    help_main() {
        "The branch into which tasks are merged; main, origin/main or master without it",
        "Ветка, в которую вливают задачи; без указания main, origin/main или master",
    }
    name_what() {
        "name what to grade: -p TASK, --group GROUP or --all; in the folder of a task --dry-run needs no name",
        "укажите, что оценить: -p TASK, --group GROUP или --all; в папке задачи ключу --dry-run имя не нужно",
    }
    no_group(group, known) {
        "no student of the roster is in the group {group}; the groups are {known}",
        "в списке нет студентов группы {group}; есть группы {known}",
    }
    not_in_roster(task) {
        "{task}: its student is not in tasks/roster.csv",
        "{task}: студента нет в tasks/roster.csv",
    }
    skipped(task, why) { "{task} is left out: {why}", "{task} пропущена: {why}" }
    current(count) {
        "evidence that is up to date, and was not collected again: {count}",
        "свидетельств, которые не устарели и не собирались заново: {count}",
    }
    collecting(at, of, task) { "[{at}/{of}] {task}: tests, records, report, repository", "[{at}/{of}] {task}: тесты, записи, отчёт, репозиторий" }
    without_main_branch(why) {
        "the date of the submission is left out: {why}",
        "дата сдачи не учитывается: {why}",
    }
    removed_task(task) {
        "{task}: there is no such task, so its evidence does not count; remove grades/evidence/{task}.json",
        "{task}: такой задачи нет, её свидетельства не учитываются; удалите grades/evidence/{task}.json",
    }
    second_task(login, assignment, why) {
        "{login}, assignment {assignment}: {why}",
        "{login}, задание {assignment}: {why}",
    }
    not_all_judged(task, why) {
        "{task}: not everything passed or was measured under the judge: {why}",
        "{task}: под судьёй не всё прошло или измерено: {why}",
    }
    unmeasured(task, why) { "{task}: without measurements: {why}", "{task}: без измерений: {why}" }
    wrote(file, count) { "written: {file}, grades: {count}", "записано: {file}, оценок: {count}" }
    column_student() { "Student", "Студент" }
    column_task() { "Task", "Задача" }
    column_total() { "Total", "Всего" }
    nothing_submitted() { "not submitted", "не сдана" }
    heading(task, assignment, variant) {
        "{task}: assignment {assignment}, variant {variant}",
        "{task}: задание {assignment}, вариант {variant}",
    }
    now(total, of) { "{total} of {of} now", "сейчас {total} из {of}" }
    total(total, of) { "{total} of {of}", "{total} из {of}" }
    more(points, letter, why) { "{points} more for {letter}: {why}", "ещё {points} за {letter}: {why}" }
    lost(points, letter, why) { "{points} lost for {letter}: {why}", "потеряно {points} за {letter}: {why}" }
    remedy(what) { "to do: {what}", "что сделать: {what}" }
    nothing_more() { "nothing more can be earned", "больше получить нельзя" }
    overridden(letter, from, to, by, at, reason) {
        "{letter} was changed from {from} to {to} by {by} on {at}: {reason}",
        "{letter}: было {from}, стало {to}; изменил(а) {by} {at}: {reason}",
    }
}
