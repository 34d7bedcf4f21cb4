//! One task on one screen of a terminal, and the table of all tasks.
messages! {
    workload(workload) { "Workload: {workload}", "Нагрузка: {workload}" }
    other_workloads(names) {
        "Other workloads are on the page: {names}",
        "Другие нагрузки — на странице: {names}",
    }
    other_rows(count) { "Other rows are on the page: {count}", "Другие строки — на странице: {count}" }
    other_tables(count) { "Other tables are on the page: {count}", "Другие таблицы — на странице: {count}" }
    time() { "time", "время" }
    interval() { "95 %", "95 %" }
    untraced(task) {
        "No run was traced: `cargo wb trace -p {task}` shows where the time goes.",
        "Трассы нет: `cargo wb trace -p {task}` покажет, на что уходит время.",
    }
    no_points(reasons) { "No points: {reasons}.", "Баллов нет: {reasons}." }
    no_points_yet(reasons, formula) {
        "No points: {reasons}; otherwise {formula}.",
        "Баллов нет: {reasons}; иначе {formula}.",
    }
    not_gradable(formula) {
        "Performance points: {formula}; not gradable as measured (✗).",
        "Баллы за производительность: {formula}; в таком виде не оценивается (✗).",
    }
    beside(operation, call) { "{operation}, beside {call}", "{operation}, рядом с {call}" }
    ungraded() { "performance is not graded", "производительность не оценивается" }
    communication_points(call) {
        "Points: `cargo wb grade` computes them from the counts and the times beside {call}.",
        "Баллы: `cargo wb grade` вычисляет их по числу сообщений и времени рядом с {call}.",
    }
    failed_row(version, ranks, reason) { "{version}, p = {ranks}: {reason}", "{version}, p = {ranks}: {reason}" }
    page_by_report(task) {
        "`cargo wb report -p {task}` writes the page.",
        "Страницу записывает `cargo wb report -p {task}`.",
    }
    points() { "points", "баллы" }
    remark() { "remark", "замечание" }
    all_tasks(remarks) { "All tasks: {remarks}.", "Все задачи: {remarks}." }
    slower_sizes(slower, of) { "slower: {slower} of {of} sizes", "медленнее: {slower} из {of}" }
    not_measured() { "no measurement", "нет измерений" }
    quick() { "quick run", "быстрый запуск" }
    threads() { "threads, not MPI", "потоки, не MPI" }
    virtual_time() { "virtual time", "виртуальное время" }
    mixed() { "mixed conditions", "разные условия" }
    ranks_above() { "more ranks than cores", "процессов больше ядер" }
    few_samples() { "few launches", "мало запусков" }
    not_converged() { "not converged", "не сошлось" }
    wrong() { "wrong result", "неверный ответ" }
    unchecked() { "result not checked", "ответ не проверен" }
    drift() { "machine drifted", "скорость менялась" }
    disturbed() { "noise", "помехи" }
    short() { "too short", "слишком коротко" }
    build() { "uncommitted sources", "не из коммита" }
    unoptimised() { "not optimised", "без оптимизации" }
    load() { "busy machine", "машина занята" }
    tests_failed() { "tests failed", "тесты не пройдены" }
    untested() { "no functional record", "нет записей о тестах" }
    single_worker() { "one rank works", "работает один процесс" }
    waits() { "waits, not computes", "ждёт, не вычисляет" }
    above_ceiling() { "above the ceiling", "выше потолка машины" }
    same_input() { "input without seed", "вход без seed" }
    hosts() { "several nodes", "несколько узлов" }
    no_model() { "no machine model", "нет модели машины" }
}
