//! The messages of `cargo wb watch`.
messages! {
    about() {
        "Test a task at each save: the verdict, the first failure, and what became better or worse",
        "Проверять задачу при каждом сохранении: вердикт, первая ошибка, что стало лучше или хуже",
    }
    help_task() {
        "The task; without it the task of the saved file",
        "Задача; без этого аргумента — задача, файл которой сохранён",
    }
    help_page() {
        "Serve the same as a page, for a browser on this machine only",
        "Показывать то же на странице, только для браузера на этой машине",
    }
    page_at(address) { "Page: {address}", "Страница: {address}" }
    first_line() { "First failing line:", "Первая строка с ошибкой:" }
    waits_title(ranks) { "Which rank waits for which, P = {ranks}", "Какой процесс какого ждёт, P = {ranks}" }
    waits_for(from, to, call, line) {
        "rank {from} waits for rank {to}: {call} at {line}",
        "процесс {from} ждёт процесс {to}: {call} в {line}",
    }
    trace_page() { "The last trace: diagram and matrix", "Последняя трасса: диаграмма и матрица" }
    command_ended() {
        "`cargo wb watch` has ended: this page is not renewed any more.",
        "Команда `cargo wb watch` завершена: страница больше не обновляется.",
    }
    needs_terminal() {
        "`cargo wb watch` needs a terminal, and its standard input or output is not one; `cargo wb test -p TASK` runs the same tests once",
        "для `cargo wb watch` нужен терминал, а стандартный ввод или вывод им не является; `cargo wb test -p TASK` выполнит те же тесты один раз",
    }
    waiting() {
        "Save a file of a task: its tests run then.",
        "Сохраните файл задачи, и её тесты будут выполнены.",
    }
    title(task) { "cargo wb watch: {task}", "cargo wb watch: {task}" }
    build() { "build", "сборка" }
    one_process() { "threads, virtual time", "потоки, вирт. время" }
    no_mpi() {
        "No MPI is installed: only threads and virtual time are tested (`cargo wb setup` installs MPI).",
        "MPI не установлен: проверяются только потоки и виртуальное время (установит `cargo wb setup`).",
    }
    running(seconds) { "running, {seconds} s", "выполняется, {seconds} с" }
    passed() { "PASSED", "УСПЕХ" }
    failed() { "FAILED", "ОШИБКА" }
    nothing_ran() { "NOT RUN", "ПРОПУСК" }
    built() { "ok", "готово" }
    seconds(seconds) { "{seconds} s", "{seconds} с" }
    better(backends, tests) { "better on {backends}: {tests}", "лучше ({backends}): {tests}" }
    worse(backends, tests) { "worse on {backends}: {tests}", "хуже ({backends}): {tests}" }
    and_more(tests, count) { "{tests} and {count} more", "{tests} и ещё {count}" }
    no_task(file) {
        "{file} belongs to no task, so no test runs; key r runs the tests again.",
        "{file} не относится ни к одной задаче, тесты не выполняются; клавиша r запускает их снова.",
    }
    other_task(file, other, task) {
        "{file} belongs to the task {other}; this command watches {task} only.",
        "{file} относится к задаче {other}; эта команда следит только за {task}.",
    }
    gone(task) {
        "The task {task} does not exist any more: its folder was deleted or renamed. Save a file of a task.",
        "Задачи {task} больше нет: её папка удалена или переименована. Сохраните файл задачи.",
    }
    save_first() {
        "No task is selected yet: save a file of a task first.",
        "Задача ещё не выбрана: сначала сохраните файл задачи.",
    }
    more_lines(count) { "... {count} more lines", "... ещё строк: {count}" }
    keys() {
        "r: run again   c: check   t: trace   q: quit",
        "r: запустить снова   c: check   t: trace   q: выход",
    }
    press_key() {
        "Press a key to return to the tests, q to quit.",
        "Нажмите клавишу, чтобы вернуться к тестам, или q для выхода.",
    }
}
