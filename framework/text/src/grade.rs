//! The reasons of a grade, and what would earn the points.
texts! {
    not_submitted() {
        "nothing was merged into the main branch for this assignment",
        "в основную ветку ничего не влито по этому заданию",
    }
    submit() {
        "merge a task for this assignment into the main branch",
        "влейте задачу этого задания в основную ветку",
    }
    second_task(counted, why, other) {
        "two tasks for this assignment: {counted} counts, since {why}; {other} does not",
        "две задачи по этому заданию: засчитана {counted}, так как {why}; {other} не засчитана",
    }
    of_given_variant(variant) { "it solves the given variant {variant}", "она решает выданный вариант {variant}" }
    merged_last() { "it was merged last", "она влита последней" }
    last_by_name() { "its name is the last in the alphabet", "её имя последнее по алфавиту" }
    remove_second_task() {
        "remove the task that should not count from the main branch, or ask the instructor for an override",
        "удалите из основной ветки задачу, которая не должна учитываться, или попросите преподавателя об исправлении оценки",
    }
    submitted_later(merged, at) {
        "the task was merged on {merged}, after the moment of this grade, {at}",
        "задача влита {merged}, позже момента этой оценки, {at}",
    }
    not_merged() {
        "this state is not merged into the main branch; a task that is not merged earns nothing",
        "это состояние не влито в основную ветку; невлитая задача баллов не получает",
    }
    other_variant(solved, given) {
        "the task solves variant {solved}, and variant {given} was given",
        "задача решает вариант {solved}, а выдан вариант {given}",
    }
    solve_given(given) {
        "solve variant {given}, or ask the instructor for an override",
        "решите вариант {given} или попросите преподавателя об исправлении оценки",
    }
    own_inputs() {
        "inputs and oracle are the student's: the variant has no crate of the instructor's, or the tests of the task do not use its graded inputs",
        "входные данные и проверка принадлежат студенту: у варианта нет крейта преподавателя или тесты задачи не используют его оцениваемые входные данные",
    }
    not_judged() {
        "the tests ran in the student's own program, not under the judge",
        "тесты выполнены в программе студента, а не под судьёй",
    }

    earned(part, passed) {
        "{part}: all tests passed, runs: {passed}",
        "{part}: все тесты пройдены, запусков: {passed}",
    }
    disabled(part) { "{part} is disabled in task.yaml", "{part} отключена в task.yaml" }
    enable(part) {
        "finish {part} and set its status to `enabled` in task.yaml",
        "допишите {part} и поставьте ей статус `enabled` в task.yaml",
    }
    not_tested(part) { "{part}: no functional test ran", "{part}: ни один функциональный тест не выполнен" }
    write_tests(version, task) {
        "write a test with `functional({version})` in tests/functional.rs and run `cargo test -p {task}`",
        "напишите тест с `functional({version})` в tests/functional.rs и выполните `cargo test -p {task}`",
    }
    only_skipped(part, skipped) {
        "{part}: all tests were skipped, runs: {skipped}",
        "{part}: все тесты пропущены, запусков: {skipped}",
    }
    not_on_mpi(part) {
        "{part}: no test passed on two ranks or more of a real MPI library",
        "{part}: ни один тест не пройден на двух и более процессах настоящей библиотеки MPI",
    }
    test_on_mpi(task) {
        "run `cargo test -p {task}` where MPI is installed",
        "выполните `cargo test -p {task}` там, где установлена MPI",
    }
    failed(part, failed, all) {
        "{part}: {failed} of {all} runs of tests failed",
        "{part}: не пройдено запусков тестов: {failed} из {all}",
    }
    failed_test(test, ranks, backend, outcome, reason) {
        "{test}, P = {ranks}, {backend}: {outcome}: {reason}",
        "{test}, P = {ranks}, {backend}: {outcome}: {reason}",
    }
    tests_incomplete() {
        "the tests failed without a verdict: the task does not build, its program ended early or did not end in time, or a test that runs no task failed",
        "тесты завершились неудачей без вердикта: задача не собирается, её программа завершилась досрочно или не завершилась вовремя, или не прошёл тест, который не запускает задачу",
    }
    correct(task) {
        "run `cargo test -p {task}` and correct what it reports",
        "выполните `cargo test -p {task}` и исправьте то, о чём он сообщает",
    }
    broken_rule(file, line, rule, text) {
        "{file}:{line}: rule {rule}: {text}",
        "{file}:{line}: правило {rule}: {text}",
    }
    keep_rules(task) {
        "run `cargo wb rules -p {task}` and correct what it reports",
        "выполните `cargo wb rules -p {task}` и исправьте то, о чём он сообщает",
    }

    mpi_first() {
        "the performance of a parallel version that earns no points is not graded",
        "производительность параллельной версии, не получившей баллов, не оценивается",
    }
    solve_first() {
        "earn the points of the parallel version first: the letter S says how",
        "сначала получите баллы за параллельную версию: что для этого сделать, указано у буквы S",
    }
    reaches_band(efficiency, from, percent) {
        "efficiency {efficiency}: the band from {from} % earns {percent} % of the points",
        "эффективность {efficiency}: ступень от {from} % даёт {percent} % баллов",
    }
    below_bands(efficiency) {
        "efficiency {efficiency}: below all bands",
        "эффективность {efficiency}: ниже всех ступеней",
    }
    straddles(value) {
        "± the interval contains an edge of a band, so the better band counts; the estimate itself is {value}",
        "± в интервале лежит граница ступени, поэтому засчитана лучшая ступень; сама оценка — {value}",
    }
    no_interval() {
        "± there is no interval: one launch is not enough",
        "± интервала нет: одного запуска недостаточно",
    }
    not_faster() {
        "the interval of the speed-up, of `run` or of the whole pipeline, is not above 1: only a program that is faster than the sequential one earns points",
        "интервал ускорения — функции `run` или всего конвейера — не выше 1: баллы получает только программа быстрее последовательной",
    }
    become_faster() {
        "divide all of the work among the ranks, that of preprocessing and postprocessing too",
        "разделите между процессами всю работу, в том числе в preprocessing и postprocessing",
    }
    next_band(points, from) {
        "{points} more from an efficiency of {from} %",
        "ещё {points} при эффективности от {from} %",
    }
    not_measured() { "nothing was measured", "измерений нет" }
    measure(task) { "run `cargo wb report -p {task}` and commit reports/{task}", "выполните `cargo wb report -p {task}` и сохраните reports/{task} в git" }
    too_few_cores() {
        "it was measured at more ranks than the machine has cores",
        "измерено при числе процессов больше числа ядер машины",
    }
    measure_on_more_cores() {
        "measure on a machine with at least as many cores as ranks, or fewer ranks (at least 2) in task.yaml",
        "измерьте на машине, где ядер не меньше, чем процессов, или укажите меньше процессов (не менее 2) в task.yaml",
    }
    too_short() {
        "a repetition is too short to be timed",
        "повторение слишком короткое для измерения",
    }
    larger_input() { "raise the size of the workload in task.yaml", "увеличьте размер нагрузки в task.yaml" }
    incorrect() { "an output was wrong while it was measured", "при измерении получен неверный результат" }
    no_base() { "there is no sequential time to compare with", "нет последовательного времени для сравнения" }
    no_time() { "there is no parallel time", "нет параллельного времени" }
    measured_run_failed() { "a measured run failed", "измеряемый запуск завершился неудачно" }
    measured_run_failed_by(reason) {
        "a measured run failed: {reason}",
        "измеряемый запуск завершился неудачно: {reason}",
    }
    repair_measured_run(task) {
        "repeat it by `cargo wb perf -p {task}` and repair what it reports",
        "повторите его командой `cargo wb perf -p {task}` и исправьте то, что она сообщит",
    }
    quick() { "it was measured with --quick", "измерено с ключом --quick" }
    not_mpi() { "it was not measured on an MPI library", "измерено не на библиотеке MPI" }
    untested() {
        "no functional test of the parallel version is among the records",
        "среди записей нет функционального теста параллельной версии",
    }
    single_worker() { "one rank does the work", "работу выполняет один процесс" }
    share_work() { "divide the computing among the ranks", "разделите вычисления между процессами" }
    waits() {
        "a version on one rank waits instead of computing",
        "версия на одном процессе ждёт, а не вычисляет",
    }
    remove_wait() { "remove the wait", "уберите ожидание" }
    above_ceiling() {
        "the speed-up is above what the machine allows for the same work",
        "ускорение выше того, что машина допускает для той же работы",
    }
    superlinear() { "the efficiency is above 100 %", "эффективность выше 100 %" }
    check_base() {
        "make both versions do the same work: a slow sequential version is no base",
        "пусть обе версии выполняют одну работу: медленная последовательная версия — не база",
    }
    mixed_conditions() {
        "the conditions changed between the measurements",
        "условия менялись между измерениями",
    }
    measure_again(task) {
        "measure again: `cargo wb report -p {task}`",
        "измерьте заново: `cargo wb report -p {task}`",
    }

    counts_right(sizes) {
        "messages and rounds are the formula's at all sizes: {sizes}",
        "число сообщений и раундов равно формуле на всех размерах: {sizes}",
    }
    counts_wrong(wrong, sizes) {
        "messages or rounds differ from the formula at {wrong} of {sizes} sizes",
        "число сообщений или раундов отличается от формулы на {wrong} из {sizes} размеров",
    }
    follow_formula() {
        "send as many messages in as many rounds as the formula of the algorithm says",
        "отправляйте столько сообщений и за столько раундов, сколько даёт формула алгоритма",
    }
    no_formula() {
        "there is no formula for messages and rounds, so the times decide alone",
        "формулы для сообщений и раундов нет, поэтому решает только время",
    }
    within_factor(within, sizes, call, factor) {
        "at {within} of {sizes} sizes the time is within {factor} times that of {call}",
        "на {within} из {sizes} размеров время не больше {factor} времён {call}",
    }
    slowest_size(ratio) {
        "at the worst size the time is {ratio} times the library's; the interval counts, not the estimate",
        "на худшем размере время в {ratio} раза больше библиотечного; считается интервал, а не оценка",
    }
    no_sizes() { "no size could be compared with the library", "ни один размер не удалось сравнить с библиотекой" }

    speedup(ranks, region, base) {
        "on {ranks} ranks, {region}, against {base}",
        "на {ranks} процессах, {region}, относительно {base}",
    }
    no_speedup() {
        "a communication assignment has no speed-up",
        "у коммуникационного задания нет ускорения",
    }

    in_time(changed, deadline) {
        "last change {changed}, deadline {deadline}",
        "последнее изменение {changed}, срок {deadline}",
    }
    late(days, changed, deadline) {
        "days late: {days}; last change {changed}, deadline {deadline}",
        "дней опоздания: {days}; последнее изменение {changed}, срок {deadline}",
    }
    changed_by(commit, merged) {
        "what is graded was last changed in {commit}, merged on {merged}",
        "оцениваемое последний раз изменено в {commit}, влито {merged}",
    }
    date_out_of_limits(claimed, counted) {
        "the commit bears the date {claimed}, which the main branch contradicts; {counted} counts",
        "коммит датирован {claimed}, что противоречит основной ветке; засчитано {counted}",
    }
    extended(until, by, reason) {
        "deadline extended until {until} by {by}: {reason}",
        "срок продлён до {until}, продлил(а) {by}: {reason}",
    }
    in_time_next() { "submit before the deadline", "сдавайте до срока" }

    copied(part, percent, by, reason) {
        "{part}: similarity confirmed by {by}: {reason}; it costs {percent} % of the points that {part} earned",
        "{part}: сходство подтвердил(а) {by}: {reason}; оно стоит {percent} % баллов, полученных за {part}",
    }

    no_report(task) { "there is no report in reports/{task}", "в reports/{task} нет отчёта" }
    damaged_report(file, damage) {
        "{file} cannot be read: {damage}",
        "{file} не удаётся прочитать: {damage}",
    }
    repair_report(task) {
        "repair the markers of the generated blocks: `cargo wb report -p {task} --render` writes a whole document beside it",
        "исправьте метки порождённых блоков: `cargo wb report -p {task} --render` записывает рядом целый документ",
    }
    write_report(task) {
        "run `cargo wb report -p {task}`, write the sections of the report and commit it",
        "выполните `cargo wb report -p {task}`, напишите разделы отчёта и сохраните его в git",
    }
    report_of_disabled() {
        "the report of a task whose parallel version is disabled earns nothing",
        "отчёт о задаче с отключённой параллельной версией баллов не получает",
    }
    section_missing(number, title) {
        "section {number} ({title}) is missing",
        "нет раздела {number} ({title})",
    }
    section_template(number, title) {
        "section {number} ({title}) is the template's text",
        "раздел {number} ({title}) содержит только текст шаблона",
    }
    section_short(number, title, words) {
        "section {number} ({title}) is too short, words: {words}",
        "раздел {number} ({title}) слишком короткий, слов: {words}",
    }
    write_section(number, title) {
        "write section {number} ({title})",
        "напишите раздел {number} ({title})",
    }
    blocks_stale() {
        "the generated blocks are not those of the records",
        "порождённые блоки не соответствуют записям",
    }
    render(task) { "run `cargo wb report -p {task} --render`", "выполните `cargo wb report -p {task} --render`" }
    sections_written(written) { "sections written: {written}", "написано разделов: {written}" }

    set_by(points, by, reason) {
        "set to {points} by {by}: {reason}",
        "установлено {points}, установил(а) {by}: {reason}",
    }
}
