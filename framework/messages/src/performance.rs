//! The progress messages of a benchmark.
messages! {
    unknown_argument(argument) {
        "`{argument}` is not understood. Allowed: --wb-quick, --wb-ranks 1,2,4, --wb-records FILE, --wb-progress TEXT, --wb-lang en|ru, --wb-seed N, --wb-trace FILE, --wb-workload NAME, --wb-backend mpi|threads, --wb-simulate MACHINE, --wb-fault FAULT, --wb-compute declared|measured",
        "`{argument}` не распознано. Допустимо: --wb-quick, --wb-ranks 1,2,4, --wb-records ФАЙЛ, --wb-progress ТЕКСТ, --wb-lang en|ru, --wb-seed N, --wb-trace ФАЙЛ, --wb-workload ИМЯ, --wb-backend mpi|threads, --wb-simulate МАШИНА, --wb-fault СБОЙ, --wb-compute declared|measured",
    }
    ranks_by_command() {
        "the command line",
        "командная строка",
    }
    ranks_with_cores(chosen, cores) {
        "{chosen}, as far as {cores} usable core(s) allow",
        "{chosen}, не более числа доступных ядер: {cores}",
    }
    not_measuring(task) {
        "{task}: built, nothing measured; `cargo bench -p {task}` measures",
        "{task}: собрано, измерений не было; измеряет `cargo bench -p {task}`",
    }
    records_in_use(path, pid) {
        "{path}: another measurement writes its records here (process {pid}); wait until it has ended, or end it",
        "{path}: сюда пишет записи другое измерение (процесс {pid}); дождитесь его конца или завершите его",
    }
    inside_a_launcher() {
        "A benchmark starts its own MPI jobs: run it without mpirun",
        "Измерения сами запускают задания MPI: запустите их без mpirun",
    }
    outside_of_mask(rank, cpus, mask) { "rank {rank} runs on the processors {cpus} although this process may only use others ({mask}): the launcher or a variable of yours binds it there", "процесс {rank} выполняется на процессорах {cpus}, хотя разрешены только другие ({mask}): его привязывает команда запуска или ваша переменная" }
    job_reference(launch) { "launch {launch}: instructor's seq", "запуск {launch}: seq преподавателя" }
    job_seq(launch) {
        "launch {launch}: seq, alone",
        "запуск {launch}: seq, отдельно",
    }
    job_mpi(launch, ranks) {
        "launch {launch}: mpi, P = {ranks}",
        "запуск {launch}: mpi, P = {ranks}",
    }
    job_sweep(launch, ranks) {
        "launch {launch}: beside the library, P = {ranks}",
        "запуск {launch}: рядом с библиотекой, P = {ranks}",
    }
    job_forced_sweep(launch, ranks) {
        "launch {launch}: beside the library's same algorithm, P = {ranks}",
        "запуск {launch}: рядом с тем же алгоритмом библиотеки, P = {ranks}",
    }
    job_count(ranks) {
        "messages and rounds, P = {ranks}",
        "сообщения и раунды, P = {ranks}",
    }
    job_failed(job, why) {
        "FAILED {job}: {why}",
        "НЕ УДАЛОСЬ {job}: {why}",
    }
    limit_is_over(seconds, workload, place) {
        "interrupted, workload `{workload}`: the limit of {seconds} s for one pass is over; {place} (WB_PERF_MAX_TIME sets another limit)",
        "прервано на нагрузке `{workload}`: лимит {seconds} с на один проход исчерпан; {place} (другой лимит: WB_PERF_MAX_TIME)",
    }
    moves_nothing() {
        "no data is moved at this size: not compared",
        "при этом размере данные не передаются: сравнения нет",
    }
    medians() {
        "Medians:",
        "Медианы:",
    }
    records_are_in(file) {
        "Records: {file}",
        "Записи: {file}",
    }
    report_renders_them(task) {
        "`cargo wb report -p {task}` measures and makes the report with speed-up, efficiency and their intervals.",
        "`cargo wb report -p {task}` измеряет и строит отчёт с ускорением, эффективностью и их интервалами.",
    }
    no_such_workload(name, known) {
        "there is no workload `{name}` in task.yaml; there are: {known}",
        "нагрузки `{name}` нет в task.yaml; есть: {known}",
    }
    no_ranks_to_trace() {
        "no number of ranks: name one with --wb-ranks, or in task.yaml",
        "не указано число процессов: задайте его через --wb-ranks или в task.yaml",
    }
    traced_run_is_wrong(reason) {
        "profile omitted: the result of the traced run is incorrect: {reason}",
        "профиль не построен: результат трассируемого запуска неверен: {reason}",
    }
    bad_computing(name, known) {
        "`{name}` is not a way to charge computing; there are {known}",
        "`{name}` не является способом учёта вычислений; есть {known}",
    }
    bad_part(given) {
        "part `{given}` is not allowed. Expected its number from 0 and the number of parts, as in 0/5",
        "часть `{given}` не подходит. Ожидаются её номер от 0 и число частей, например 0/5",
    }
    bad_backend(name, known) {
        "backend `{name}` is not known. Allowed: {known}",
        "носитель сообщений `{name}` неизвестен. Допустимо: {known}",
    }
    no_mpi_to_trace() {
        "this program is not linked with MPI, so it cannot be traced on it",
        "эта программа собрана без MPI, трассировать её на нём нельзя",
    }
}
