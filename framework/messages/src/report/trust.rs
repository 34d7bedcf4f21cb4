//! The trust box: whether the numbers are reliable.
messages! {
    heading() { "Can these numbers be trusted?", "Можно ли верить этим числам?" }
    good() { "good", "хорошо" }
    doubtful() { "doubtful", "под вопросом" }
    bad() { "bad", "плохо" }
    embedded() { "embedded backend: ranks are threads, not MPI", "встроенный режим: процессы изображены потоками, это не MPI" }
    virtual_time() { "virtual time: ranks take turns on a model of a machine", "виртуальное время: процессы работают по очереди на модели машины" }
    real_mpi(library) { "real MPI processes on {library}", "настоящие процессы MPI: {library}" }
    mixed() { "machines, builds or backends are mixed in one run", "в одном запуске смешаны машины, сборки или способы передачи" }
    ranks(most, usable) { "at most {most} ranks on {usable} usable cores", "процессов не более {most}, доступных ядер: {usable}" }
    ranks_above(most, usable) { "up to {most} ranks on {usable} usable cores: rows above are functional only", "процессов до {most}, доступных ядер: {usable}; строки, где процессов больше, — только для проверки правильности" }
    sampling(launches, samples) { "launches of each series: at least {launches}, samples: at least {samples}", "запусков каждой серии: не менее {launches}, измерений: не менее {samples}" }
    sampling_quick(launches, samples) { "quick run, not for grades: launches of each series: at least {launches}, samples: at least {samples}", "быстрый запуск, не для оценки: запусков каждой серии: не менее {launches}, измерений: не менее {samples}" }
    converged(converged, of) { "{converged} of {of} series converged", "сошлось серий: {converged} из {of}" }
    not_converged(converged, of, target) { "not converged: {converged} of {of} series reached a half-width of {target} of the median", "не сошлось: полуширины {target} от медианы достигли {converged} из {of} серий" }
    checked(right) { "output checked in every repetition: {right} right, 0 wrong", "ответ проверен в каждом повторении: {right} верных, 0 неверных" }
    checked_with(right, wrong, unchecked) { "output checked: {right} right, {wrong} wrong, {unchecked} not checked", "проверка ответа: {right} верных, {wrong} неверных, {unchecked} не проверено" }
    checked_sizes(right, of) { "output right on every rank at {right} of {of} sizes", "ответ верен на всех процессах: {right} из {of} размеров" }
    drift(drift) { "machine speed before and after the launches differs by at most {drift}", "скорость машины до и после запусков отличается не более чем на {drift}" }
    drift_unknown() { "machine speed before and after the launches was not compared", "скорость машины до и после запусков не сравнивалась" }
    undisturbed(of) { "no series was disturbed or noisy ({of} looked at)", "помех и шума нет ни в одной серии (просмотрено {of})" }
    disturbed(disturbed, of) { "{disturbed} of {of} series were disturbed by other programs or noisy", "в {disturbed} из {of} серий помехи от других программ или шум" }
    long_enough(of) { "repetitions are long enough for the clock in all {of} series", "повторения достаточно длинны для часов во всех сериях ({of})" }
    short_repetitions(short, of) { "repetitions too short to be timed: {short} of {of} series", "повторения слишком коротки для измерения: {short} из {of} серий" }
    tests(passed, failed) { "functional tests of the parallel version on two ranks or more: {passed} passed, {failed} failed", "функциональные тесты параллельной версии на двух и более процессах: пройдено {passed}, не пройдено {failed}" }
    untested() { "no functional record of the parallel version on two ranks or more", "нет записей о функциональных тестах параллельной версии на двух и более процессах" }
    single_worker(rank, share, ranks) { "one rank does the work: of the computing of {ranks} ranks rank {rank} does {share}", "работает один процесс: из вычислений {ranks} процессов ранг {rank} выполняет {share}" }
    shared_work(ranks, share) { "the computing is shared by {ranks} ranks: the busiest does {share}", "вычисления разделены между процессами ({ranks}): самый занятый выполняет {share}" }
    waits(version) { "the {version} version on one rank waits instead of computing: its processor time is less than its wall time", "версия «{version}» на одном процессе ждёт вместо вычислений: её процессорное время меньше времени по часам" }
    above_ceiling() { "a speed-up lies above 110 % of what this machine allows: the versions do not do the same work, or the machine was busy", "ускорение выше 110 % возможного на этой машине: версии делают разную работу или машина была занята" }
    hosts(layouts) { "several nodes: {layouts}", "несколько узлов: {layouts}" }
    host_layout(ranks, hosts, per_host) { "P = {ranks}: {hosts} nodes x {per_host} ranks per node", "P = {ranks}: узлов {hosts} x процессов на узле {per_host}" }
    clocks(uncertainty) { "the clocks of the nodes were compared: a time is wrong by at most {uncertainty}", "часы узлов сравнены: погрешность времени не больше {uncertainty}" }
    clock_step(step) { "a clock stepped by up to {step} during a launch", "во время запуска часы скачком изменились не более чем на {step}" }
    local_clocks(records) { "launches whose clocks were too uncertain, with the longest time of a rank on its own clock: {records}", "запусков, в которых погрешность часов слишком велика и взято наибольшее время процесса по его часам: {records}" }
    different_hosts(sets) { "series of one table were measured on different sets of nodes: {sets}", "серии одной таблицы измерены на разных наборах узлов: {sets}" }
    fresh_inputs() { "every repetition had an input of its own", "у каждого повторения были свои входные данные" }
    same_input() { "the input is the same for every seed: a stored result cannot be distinguished from a computed one; let `Problem::workload` use its seed", "входные данные не зависят от начального значения: сохранённый ответ не отличить от вычисленного; используйте его в `Problem::workload`" }
    build(level) { "optimisation level {level}, sources as committed", "уровень оптимизации {level}, исходные тексты как в коммите" }
    build_dirty(level) { "optimisation level {level}, sources differ from the commit", "уровень оптимизации {level}, исходные тексты отличаются от коммита" }
    load(load, cores) { "load average before the run {load} on {cores} cores", "средняя загрузка перед запуском {load}, ядер: {cores}" }
}
