//! Headings and fixed sentences of report.md, report.html and the index.
messages! {
    student(name, group) { "{name}, group {group}", "{name}, группа {group}" }
    assignment(number, variant) { "task {number}, variant {variant}", "задание {number}, вариант {variant}" }
    technology_mpi() { "MPI", "MPI" }
    technology_threads() { "embedded backend, ranks are threads (not MPI)", "встроенный режим, процессы изображены потоками (не MPI)" }
    label_student() { "Student", "Студент" }
    label_technology() { "Technology", "Технология" }
    label_variant() { "Variant", "Вариант" }
    introduction() { "Introduction", "Введение" }
    problem() { "Problem statement", "Постановка задачи" }
    baseline() { "Baseline algorithm (sequential)", "Базовый алгоритм (последовательный)" }
    scheme() { "Parallelisation scheme", "Схема распараллеливания" }
    implementation() { "Implementation details", "Детали реализации" }
    setup() { "Experimental setup", "Условия эксперимента" }
    results() { "Results", "Результаты" }
    correctness() { "Correctness", "Правильность" }
    performance() { "Performance", "Производительность" }
    conclusions() { "Conclusions", "Выводы" }
    references() { "References", "Источники" }
    appendix() { "Appendix: method", "Приложение: методика" }
    write_introduction() { "*Write: what the task is for, in two or three sentences.*", "*Напишите: зачем нужна задача, два-три предложения.*" }
    write_problem() { "*Write: input, output, and what is promised about them.*", "*Напишите: вход, выход и что о них известно.*" }
    write_baseline() { "*Write: the sequential algorithm and its cost.*", "*Напишите: последовательный алгоритм и его сложность.*" }
    write_scheme() { "*Write: how data are divided, who sends what to whom, the roles of the ranks.*", "*Напишите: как делятся данные, кто кому что отправляет, роли процессов.*" }
    write_implementation() { "*Write: files, corner cases, memory.*", "*Напишите: файлы, крайние случаи, память.*" }
    write_analysis() { "*Write: why the numbers are what they are. What limits the program: the serial part, waiting, data movement, the machine?*", "*Напишите: почему числа такие. Что ограничивает программу: последовательная часть, ожидание, передача данных, машина?*" }
    write_conclusions() { "*Write: what you found, and what you would do next.*", "*Напишите: что выяснилось и что стоит сделать дальше.*" }
    write_references() { "*Write: what you used.*", "*Напишите: чем пользовались.*" }
    virtual_machine() { "virtual machine", "виртуальная машина" }
    megahertz(n) { "{n} MHz", "{n} МГц" }
    label_machine() { "Machine", "Машина" }
    label_memory() { "Memory", "Память" }
    label_cores() { "Cores", "Ядра" }
    cores(usable, physical) { "{usable} usable, {physical} physical", "доступно {usable}, физических {physical}" }
    label_caches() { "Caches", "Кэши" }
    label_system() { "System", "Система" }
    label_backend() { "Message passing", "Передача сообщений" }
    label_compiler() { "Compiler", "Компилятор" }
    label_commit() { "Commit", "Коммит" }
    commit_dirty(commit) { "{commit}, with uncommitted changes", "{commit}, с незафиксированными изменениями" }
    label_clock() { "Clock", "Часы" }
    clock(name, resolution, barrier) { "{name}, resolution {resolution}, barrier {barrier}", "{name}, разрешение {resolution}, барьер {barrier}" }
    label_variables() { "Variables", "Переменные" }
    label_frequency() { "Frequency", "Частота" }
    label_plan() { "Ranks measured", "Измеренные числа процессов" }
    plan(ranks, chosen_by) { "{ranks}, chosen by {chosen_by}", "{ranks}, выбраны так: {chosen_by}" }
    label_run() { "Run", "Запуск" }
    run(run, at, seed) { "{run}, {at}, seed {seed}", "{run}, {at}, начальное значение {seed}" }
    unknown() { "unknown", "неизвестно" }
    none() { "none", "нет" }
    workload(name, size, unit) { "{name}, {size} {unit}", "{name}, {size} {unit}" }
    base_line(version, time, interval, n, launches) { "Base: T* = {time} {interval}, {version}, n = {n} in {launches} launches.", "База: T* = {time} {interval}, версия: {version}, n = {n}, запусков {launches}." }
    no_base_line() { "There is no base time T*: no sequential version was measured.", "Базового времени T* нет: последовательная версия не измерена." }
    functional_summary(passed, of) { "{passed} of {of} functional tests passed.", "Пройдено функциональных тестов: {passed} из {of}." }
    functional_skipped(skipped) { "{skipped} skipped, which is not a pass.", "Пропущено: {skipped}; пропуск не считается успехом." }
    functional_failed(failed) { "{failed} failed.", "Не пройдено: {failed}." }
    functional_evidence(at, commit) { "Run at {at}, commit {commit}.", "Выполнены {at}, коммит {commit}." }
    functional_of_others() { "The measurements are of another commit than these tests.", "Измерения сделаны на другом коммите, чем эти тесты." }
    functional_none() { "There is no functional record: no verdict of a functional test is among the records.", "Нет функциональной записи: среди записей нет результатов функциональных тестов." }
    test() { "Test", "Тест" }
    passes() { "pass", "верно" }
    fails() { "fail", "ошибка" }
    hangs() { "hang", "зависание" }
    limits() { "limit", "предел" }
    crashes() { "crash", "падение" }
    aborts() { "abort", "abort" }
    skips() { "skip", "пропуск" }
    empty() { "No records: nothing was measured yet. Run `cargo wb perf`.", "Записей нет: ещё ничего не измерено. Запустите `cargo wb perf`." }
    index_title() { "Reports", "Отчёты" }
    index_task() { "Task", "Задача" }
    index_verdict() { "Verdict", "Вывод" }
    index_measured() { "Measured", "Измерено" }
    index_backend() { "Backend", "Передача" }
    index_lead(tasks) { "Tasks measured: {tasks}. Every row links to its report; every number comes from its records.jsonl.", "Измерено задач: {tasks}. Каждая строка ведёт к отчёту; все числа взяты из records.jsonl." }
    index_failed() { "Without a report", "Без отчёта" }
    other_language() { "Русский", "English" }
    records_link() { "records.jsonl", "records.jsonl" }
    csv_link() { "table as CSV", "таблица в CSV" }
    back_to_index() { "all reports", "все отчёты" }
    bands() { "Bands of the course", "Ступени курса" }
    band_row(least, share) { "E at least {least}: {share} of the points", "E не ниже {least}: {share} баллов" }
    status_green() { "good", "хорошо" }
    status_yellow() { "with reservations", "с оговорками" }
    status_red() { "not gradable, or little gain", "не оценивается или выигрыша мало" }
}
