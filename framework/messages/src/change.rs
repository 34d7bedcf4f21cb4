//! The messages of the commands that look at a change: `cargo wb test --changed` and `cargo wb summary`.
messages! {
    help_changed() {
        "Only what the change since BASE can affect; without BASE since the branch left origin/main or main",
        "Только то, на что могло повлиять изменение относительно BASE; без BASE — с момента, когда ветка отошла от origin/main или main",
    }
    about_summary() {
        "Check a change as a pull request does, and write one page in Markdown",
        "Проверить изменение так же, как pull request, и записать одну страницу в Markdown",
    }
    help_base() {
        "The commit to compare with; by default where the branch left origin/main or main",
        "Коммит, с которым сравнивать; по умолчанию тот, где ветка отошла от origin/main или main",
    }
    help_summary_output() {
        "The file to append the page to; by default $GITHUB_STEP_SUMMARY, or the screen",
        "Файл, в конец которого записать страницу; по умолчанию $GITHUB_STEP_SUMMARY или экран",
    }
    heading() { "The change", "Изменение" }
    compared(commit) { "Compared with {commit}.", "Сравнение с {commit}." }
    task_of(task, student) { "{task}: {student}", "{task}: {student}" }
    several_students(count) { "tasks of {count} students", "задачи нескольких студентов: {count}" }
    outside(count) {
        "{count} changed files are outside of the folders of these tasks:",
        "изменённые файлы вне папок этих задач: {count}",
    }
    more_files(count) { "and {count} more", "и ещё {count}" }
    column_check() { "check", "проверка" }
    column_result() { "result", "результат" }
    column_seconds() { "seconds", "секунды" }
    passed() { "passed", "пройдена" }
    failed() { "**FAILED**", "**ОШИБКА**" }
    unavailable() { "not available", "недоступна" }
    not_run() {
        "not run: the sources break a rule",
        "не запускалась: исходный текст нарушает правило",
    }
    shortened() { "The output is long: only the end is shown.", "Вывод длинный: показан только конец." }
    changed_files(count, commit) { "changed since {commit}: {count} files", "изменено относительно {commit}: файлов {count}" }
    everything(file) {
        "{file} can affect everything: all checks and tests run",
        "{file} может повлиять на всё: выполняются все проверки и тесты",
    }
    everything_in_sandbox(file) {
        "{file} can affect everything: in a sandbox only tasks are tested, `cargo wb test` runs the rest",
        "{file} может повлиять на всё: в изолированной среде тестируются только задачи, остальное выполняет `cargo wb test`",
    }
    packages(names) {
        "changed, or dependent on a changed assignment: {names}",
        "изменены или зависят от изменённого задания: {names}",
    }
    removed(folder) { "tasks/{folder} is removed: nothing to test", "папка tasks/{folder} удалена: проверять нечего" }
    documents() {
        "documents or workflows: the tests that read them run",
        "документы или рабочие процессы CI: выполняются тесты, которые их читают",
    }
    documents_in_sandbox() {
        "documents or workflows: in a sandbox they are not tested, `cargo wb test` runs their tests",
        "документы или рабочие процессы CI: в изолированной среде не проверяются, их тесты выполняет `cargo wb test`",
    }
    course() {
        "students, variants or decisions: the course is checked",
        "студенты, варианты или решения: проверяется курс",
    }
    report_of(task) { "the report of {task} is rendered from its records", "отчёт {task} строится по его записям" }
    nothing() { "nothing that is tested has changed", "ничего из проверяемого не изменилось" }
    report_step(task) { "report of {task}", "отчёт {task}" }
    report_well() { "ok", "готово" }
    report_old(file, task) {
        "{file} does not match its records: cargo wb report --render -p {task}",
        "{file} не соответствует своим записям: cargo wb report --render -p {task}",
    }
}
