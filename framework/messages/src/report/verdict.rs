//! The sentence at the top of a report, and the next steps.
messages! {
    scaling(ranks, speedup, interval, mode, workload) {
        "On {ranks} ranks the program is {speedup} times as fast as the best sequential one{interval}: {mode}, {workload}.",
        "На {ranks} процессах программа быстрее лучшей последовательной в {speedup} раза{interval}: {mode}, {workload}."
    }
    scaling_slower(ranks, speedup, interval, mode, workload) {
        "On {ranks} ranks the program is slower than the best sequential one, S = {speedup}{interval}: {mode}, {workload}.",
        "На {ranks} процессах программа медленнее лучшей последовательной, S = {speedup}{interval}: {mode}, {workload}."
    }
    scaling_equal(ranks, speedup, interval, mode, workload) {
        "On {ranks} ranks the program is neither faster nor slower than the best sequential one beyond doubt, S = {speedup}{interval}: {mode}, {workload}.",
        "На {ranks} процессах программа достоверно не быстрее и не медленнее лучшей последовательной, S = {speedup}{interval}: {mode}, {workload}."
    }
    interval(lo, hi) { " (95 % interval {lo} to {hi})", " (95 %-й интервал от {lo} до {hi})" }
    no_interval() { " (too few samples for an interval)", " (для интервала слишком мало измерений)" }
    efficiency(formula) { "Efficiency {formula}.", "Эффективность {formula}." }
    base(version, time) { "Base T* = {time} ({version} version).", "База T* = {time} (версия: {version})." }
    points(formula) { "Performance points: {formula}.", "Баллы за производительность: {formula}." }
    not_gradable() { "Not gradable as measured: see the red lines below.", "В таком виде не оценивается: см. красные строки ниже." }
    communication(call, faster, equal, slower) {
        "Beside {call} of the same run: sizes at which it is faster: {faster}, indistinguishable: {equal}, slower: {slower}.",
        "Рядом с {call} в том же запуске: размеров, на которых быстрее: {faster}, неотличимо: {equal}, медленнее: {slower}."
    }
    no_speedup() {
        "A communication operation has no sequential counterpart, so no speed-up is stated.",
        "У коммуникационной операции нет последовательного аналога, поэтому ускорение не приводится."
    }
    functional(passed, of) { "{passed} of {of} functional tests passed; nothing was timed.", "Пройдено функциональных тестов: {passed} из {of}; время не измерялось." }
    nothing_incorrect() { "The output was wrong in at least one repetition, so no speed-up is stated.", "Хотя бы в одном повторении ответ неверен, поэтому ускорение не приводится." }
    nothing_too_short() { "The run is too short to be timed for a grade, so no speed-up is stated.", "Время слишком мало, чтобы его оценивать, поэтому ускорение не приводится." }
    nothing_oversubscribed() { "There were more ranks than usable cores: functional only, no efficiency is stated.", "Процессов больше, чем доступных ядер: только проверка правильности, эффективность не приводится." }
    nothing_no_base() { "There is no sequential time to compare with, so no speed-up is stated.", "Нет последовательного времени для сравнения, поэтому ускорение не приводится." }
    nothing_no_time() { "No parallel time on two ranks or more was measured.", "Параллельное время на двух и более процессах не измерено." }
    next() { "What to try next", "Что попробовать дальше" }

    fix_result() { "Make the result right first: run the functional tests at this rank count.", "Сначала добейтесь верного ответа: запустите функциональные тесты с этим числом процессов." }
    fix_failures() { "Some functional tests or launches failed: correct them before you look at times.", "Есть непройденные тесты или запуски: исправьте их, прежде чем смотреть на время." }
    more_ranks() { "Measure on two ranks or more, as with `-n 1,2,4`: a speed-up compares them with one.", "Измерьте на двух и более процессах, например `-n 1,2,4`: ускорение сравнивает их с одним." }
    enable_version() { "Enable the version that is missing (`status` in task.yaml), and measure again.", "Включите недостающую версию (`status` в task.yaml) и измерьте заново." }
    install_mpi() { "Measure on real MPI: `cargo wb setup` installs what is missing.", "Измерьте на настоящем MPI: `cargo wb setup` установит недостающее." }
    fewer_ranks(usable) { "This machine has {usable} usable cores: measure with at most that many ranks, or on a larger machine.", "На этой машине доступно ядер: {usable}. Измеряйте не более чем на стольких процессах или на большей машине." }
    bigger_input() { "Enlarge the performance workload in task.yaml until one repetition takes long enough.", "Увеличьте размер задачи в task.yaml, чтобы одно повторение длилось достаточно долго." }
    calmer_machine() { "Close other programs and measure again: the samples scatter more than they should.", "Закройте другие программы и измерьте заново: разброс больше, чем следует." }
    more_launches() {
        "Measure again, to the end and with other programs closed: more launches narrow the intervals.",
        "Измерьте ещё раз, до конца и без посторонних программ: больше запусков, уже интервалы.",
    }
    final_run() { "Run without --quick for a grade: more launches narrow the intervals.", "Для оценки запустите без --quick: больше запусков, уже интервалы." }
    recheck_base() { "More than linear: is it the cache, or a weak base? Recheck the sequential version first.", "Ускорение больше линейного: это кэш или слабая база? Сначала проверьте последовательную версию." }
    release_build() { "Build with optimisation: times of an unoptimised program mean nothing.", "Соберите с оптимизацией: время неоптимизированной программы ничего не значит." }
    share_the_work() { "One rank does the work: divide the computing, or its data, among the ranks.", "Работает один процесс: разделите вычисления или данные между процессами." }
    above_ceiling() { "The speed-up is above what this machine allows: measure again on a quiet machine, and recheck what the versions compute.", "Ускорение выше возможного на этой машине: измерьте заново на свободной машине и проверьте, что вычисляют версии." }
    run_tests() { "Run `cargo wb report` without --quick: it runs the functional tests and keeps their verdicts.", "Запустите `cargo wb report` без --quick: он выполнит функциональные тесты и сохранит их результаты." }
    pipeline_decides(alone, allowed) {
        "The whole pipeline decides: `run` alone reaches {alone}, and the efficiency of the pipeline is below {allowed} of that.",
        "Решает весь конвейер: отдельно `run` достигает {alone}, а эффективность конвейера ниже {allowed} от этого.",
    }
    machine_limits(share) { "The program reaches {share} of what this machine allows at this rank count: the rest is the machine's, not yours.", "Программа достигает {share} возможного на этой машине при таком числе процессов: остальное зависит от машины, а не от вас." }
    distribution(efficiency) { "With distribution and collection of the data the efficiency falls to {efficiency}: look at what preprocessing and postprocessing send.", "Вместе с раздачей и сбором данных эффективность падает до {efficiency}: посмотрите, что пересылают preprocessing и postprocessing." }
    overhead(share) { "{share} of the ranks' time is overhead: look for waiting, uneven parts and work that every rank repeats.", "{share} времени процессов уходит на накладные расходы: ищите ожидание, неравные части и работу, которую повторяет каждый процесс." }
    small_messages() { "Small messages are slower than the library's: count the calls and copies before the first send.", "Короткие сообщения медленнее библиотечных: посчитайте вызовы и копирования до первой отправки." }
    large_messages() { "Large messages are slower than the library's: compare the bytes each rank sends, and think of segments.", "Длинные сообщения медленнее библиотечных: сравните объём, который отправляет каждый процесс, и подумайте о сегментах." }
    counts() { "The counted messages or rounds differ from the formula: the tree is not the one you describe.", "Число сообщений или раундов не совпадает с формулой: дерево не то, что вы описываете." }
    measure_again() { "Measure everything again in one go: the records mix machines, builds or backends.", "Измерьте всё заново за один раз: в записях смешаны машины, сборки или способы передачи." }
    write_analysis() { "Nothing to correct: write the analysis.", "Исправлять нечего: пишите анализ." }
}
