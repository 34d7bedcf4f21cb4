//! The messages of the exploration of all orders.
messages! {
    about_check() {
        "Try a task in every order that MPI allows, on small inputs",
        "Проверить задачу при всех порядках, которые допускает MPI, на малых данных",
    }
    help_ranks() {
        "Numbers of ranks: a list like 1,2,4, or a range like 1..4",
        "Числа процессов: список 1,2,4 или диапазон 1..4",
    }
    help_budget() {
        "How much to try: 10s for all cases together, or a number of runs for each case",
        "Сколько пробовать: 10s на всё вместе или число запусков на каждый случай",
    }
    help_replay() {
        "Run one schedule again, as a report names it: 3:7:0.2.1",
        "Повторить одно расписание, как оно названо в отчёте: 3:7:0.2.1",
    }
    bad_ranks(item, most) {
        "`{item}` is neither a number of ranks from 1 to {most} nor a range like 1..4",
        "`{item}` не является числом процессов от 1 до {most} или диапазоном вида 1..4",
    }
    bad_budget(line) {
        "`{line}` is not a budget: 10s (at most 86400s), or a number of runs like 1000",
        "`{line}` не задаёт бюджет: 10s (не больше 86400s) или число запусков, например 1000",
    }
    bad_replay(line, ranks, size) {
        "`{line}` names no run: ranks from 1 to {ranks}, size from 1 to {size} and schedule, as 3:7:0.2.1",
        "`{line}` не называет запуска: процессы от 1 до {ranks}, размер от 1 до {size} и расписание, например 3:7:0.2.1",
    }
    heading(task) {
        "{task}: every order that MPI allows, first with unlimited buffering of sends, then without any, then with a few messages kept",
        "{task}: все порядки, которые допускает MPI, сначала с неограниченной буферизацией отправок, затем без неё, затем с несколькими сохранёнными сообщениями",
    }
    workload(workload) {
        "workload `{workload}`: runs",
        "нагрузка `{workload}`: запуски",
    }
    size() { "size", "размер" }
    cell_wrong() { "WRONG", "ОШИБКА" }
    fault(workload, size, ranks) {
        "Wrong in the smallest case, workload `{workload}`, size {size}, P = {ranks}:",
        "Ошибка в наименьшем случае: нагрузка `{workload}`, размер {size}, P = {ranks}:",
    }
    unbuffered() {
        "(all is well while sends are buffered; without buffering:)",
        "(пока отправки буферизуются, ошибок нет; без буферизации:)",
    }
    limited_buffering() {
        "(it needs a library that keeps some messages and lets other sends wait:)",
        "(так бывает, если библиотека одни сообщения сохраняет, а другие отправки заставляет ждать:)",
    }
    remark(workload, size, ranks) {
        "Not wrong, but not the same in all orders, workload `{workload}`, size {size}, P = {ranks}:",
        "Не ошибка, но результат не один при всех порядках: нагрузка `{workload}`, размер {size}, P = {ranks}:",
    }
    both_replay_commands() {
        "both runs again:",
        "оба запуска ещё раз:",
    }
    replay_command() {
        "this run again:",
        "тот же запуск ещё раз:",
    }
    replayed_right() {
        "This run is right.",
        "Этот запуск верен.",
    }
    replayed_wrong() {
        "This run is wrong:",
        "Этот запуск неверен:",
    }
    nothing_checked() {
        "Nothing was checked: the task has no input of these sizes, or refuses it (-). Let Problem::workload return an input that validation accepts for each size from 1 on.",
        "Ничего не проверено: входа таких размеров у задачи нет, или она его отвергает (-). Пусть Problem::workload для каждого размера от 1 возвращает вход, который принимает validation.",
    }
    all_right(runs, seconds) {
        "Nothing is wrong, and this is exhaustive: there are no more orders at these sizes. {runs} runs, {seconds} s.",
        "Ошибок нет, и проверка полна: других порядков при этих размерах нет. Запусков: {runs}, {seconds} с.",
    }
    right_so_far(done, cases, runs, seconds) {
        "Nothing is wrong in what was tried, but this is NOT exhaustive: where there is a +, the budget was spent before the orders were (--budget). All orders: {done} of {cases} cases; the number of remaining orders of the others is unknown. {runs} runs, {seconds} s.",
        "В том, что проверено, ошибок нет, но проверка НЕ полна: где стоит +, бюджет кончился раньше, чем порядки (--budget). Все порядки: случаев {done} из {cases}; сколько осталось в других, неизвестно. Запусков: {runs}, {seconds} с.",
    }
    wrong(cases, runs, seconds) {
        "Something is wrong: workloads with a fault: {cases}. {runs} runs, {seconds} s.",
        "Есть ошибки: нагрузок с ошибкой: {cases}. Запусков: {runs}, {seconds} с.",
    }
    explain(code) { "What {code} means: cargo wb explain {code}", "Что значит {code}: cargo wb explain {code}" }
}
