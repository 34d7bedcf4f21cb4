//! The messages of `cargo wb`.
messages! {
    about() {
        "The workbench of an MPI course: make, test, measure and report tasks",
        "Рабочее место курса по MPI: создать, проверить, измерить задачи и построить отчёты",
    }
    about_new() { "Make the folder of a new task", "Создать папку новой задачи" }
    about_list() { "List the tasks and their settings", "Показать задачи и их настройки" }
    about_test() {
        "Install missing requirements, then check the style and run the tests",
        "Доустановить недостающее, проверить стиль и выполнить тесты",
    }
    about_perf() {
        "Measure one task while you work on it: one table, no pages",
        "Измерить одну задачу в ходе работы: одна таблица, без страниц",
    }
    about_trace() {
        "Trace one run of a task, or of another MPI program (-- mpirun ...), to see which rank waits for which, and why it is not faster",
        "Записать трассу одного запуска задачи или другой программы MPI (-- mpirun ...): кто кого ждёт и почему не быстрее",
    }
    about_report() {
        "Test, measure and trace one task or all, and write the pages to hand in",
        "Проверить и измерить одну задачу или все, записать трассу и страницы отчёта для сдачи",
    }
    about_doctor() { "Show what this machine has and what is missing", "Показать, что есть на этой машине и чего не хватает" }
    about_setup() { "Install missing requirements", "Установить недостающее" }
    about_barriers() { "Barriers: list, prove, draw, simulate and measure them", "Барьеры: перечислить, доказать, нарисовать, смоделировать, измерить" }
    about_barriers_bench() {
        "Measure barriers beside the libraries' own; a full run writes reports/barriers",
        "Измерить барьеры рядом с библиотечными; полный прогон записывает reports/barriers",
    }
    help_bench_ranks() { "Numbers of ranks, as in 2,4", "Числа процессов, например 2,4" }
    help_bench_quick() { "Fewer launches and rounds: under a minute", "Меньше запусков и повторов: меньше минуты" }
    help_substrate() { "Only these substrates: messages, cells, window, mpi, ...", "Только на этих носителях: messages, cells, window, mpi, ..." }
    help_only() { "Only these barriers, by name", "Только эти барьеры, по имени" }
    unknown_name(name, known) {
        "there is no `{name}`; there are {known}",
        "`{name}` не существует; есть {known}",
    }
    exit_codes() {
        "Exit codes:\n  0  done\n  1  a test, a check, a measurement or an inspection of the machine failed\n  2  the command line is wrong\n  3  the settings or the workspace cannot be read\n  4  something that is needed is not installed",
        "Коды завершения:\n  0  выполнено\n  1  не прошёл тест, проверка, измерение или осмотр машины\n  2  ошибка в командной строке\n  3  не читаются настройки или рабочее пространство\n  4  не установлено то, что нужно",
    }
    help_lang() { "The language of all texts: en or ru", "Язык всех текстов: en или ru" }
    help_json() { "Print JSON for programs instead of text for people", "Печатать JSON для программ вместо текста для людей" }
    help_new_name() { "The folder: surname_initial_task, as in ivanov_i_scatter", "Папка: фамилия_и_задача, например ivanov_i_scatter" }
    help_student() { "The student's name", "Имя студента" }
    help_group() { "The student's group", "Группа студента" }
    help_number() { "The task of the semester: 1, 2 or 3", "Номер задания: 1, 2 или 3" }
    help_variant() { "The variant of that task", "Вариант этого задания" }
    help_task() { "The task, by the name of its folder", "Задача, по имени её папки" }
    help_mpi() { "Which MPI: openmpi or mpich", "Какой MPI: openmpi или mpich" }
    help_no_install() { "Install nothing: report missing requirements and stop", "Ничего не устанавливать: сказать, чего не хватает, и остановиться" }
    help_backend() { "What carries the messages: mpi, or threads of one process", "Что передаёт сообщения: mpi или threads (потоки одного процесса)" }
    help_hosts() {
        "Run the ranks on the hosts of this file (lines `NAME slots=N` or `NAME:N`), without FILE on those of the settings",
        "Запускать процессы на узлах из этого файла (строки `NAME slots=N` или `NAME:N`), без FILE — из файла настроек",
    }
    help_launcher() {
        "What starts the ranks: the launcher of the MPI library (mpirun, mpiexec) or srun of Slurm",
        "Что запускает процессы: программа библиотеки MPI (mpirun, mpiexec) или srun из Slurm",
    }
    help_map() {
        "Consecutive ranks on consecutive cores, sockets or nodes, each bound to a core",
        "Соседние процессы на соседних ядрах, процессорах или узлах, каждый привязан к ядру",
    }
    no_host_file() {
        "--hosts without a file: name one, or set `hosts` in `cluster` of tasks/course.yaml or in ~/.config/workbench/cluster.yaml",
        "--hosts без файла: укажите файл или задайте `hosts` в `cluster` файла tasks/course.yaml либо в ~/.config/workbench/cluster.yaml",
    }
    no_hosts_with_srun() {
        "srun runs on the hosts that Slurm selects: leave out --hosts, or select --launcher mpirun",
        "srun запускает процессы на узлах, которые выбирает Slurm: уберите --hosts или выберите --launcher mpirun",
    }
    hosts_need_mpi() {
        "ranks that are threads run on this host only: leave out --hosts and --launcher, or select --backend mpi",
        "процессы-потоки работают только на этом узле: уберите --hosts и --launcher или выберите --backend mpi",
    }
    help_libtest() { "Arguments for the test programs", "Аргументы для программ с тестами" }
    help_ranks() { "Numbers of ranks, as in 1,2,4, instead of those in task.yaml", "Числа процессов, например 1,2,4, вместо указанных в task.yaml" }
    help_trace_backend() {
        "What carries the messages: mpi, threads of one process, or sim: virtual time on --machine",
        "Что передаёт сообщения: mpi, threads (потоки одного процесса) или sim (виртуальное время на --machine)",
    }
    faults_need_virtual_time() {
        "--fault changes a simulated machine: add --backend sim",
        "--fault меняет моделируемую машину: добавьте --backend sim",
    }
    help_trace_ranks() { "How many ranks", "Сколько процессов" }
    help_output() { "The page to write", "Файл страницы" }
    help_perfetto() { "Also write the trace for Perfetto (ui.perfetto.dev)", "Записать трассу и для Perfetto (ui.perfetto.dev)" }
    help_workload() { "The workload of task.yaml; without this option the first", "Нагрузка из task.yaml; без этого параметра первая" }
    busy_with(what, pid) {
        "another command works on `{what}` (process {pid}); wait until it has ended, or end it",
        "с `{what}` уже работает другая команда (процесс {pid}); дождитесь её конца или завершите её",
    }
    busy(what) {
        "another command works on `{what}`; wait until it has ended",
        "с `{what}` уже работает другая команда; дождитесь её конца",
    }
    trace_failed(task, why) { "{task}: the run could not be traced ({why})", "{task}: не удалось записать трассу ({why})" }
    help_trace_command() {
        "The command that starts another MPI program, as in -- mpirun -n 4 ./program",
        "Команда, которая запускает другую программу MPI, например -- mpirun -n 4 ./program",
    }
    traced_program_failed(command, ended) { "{command}: {ended}", "{command}: {ended}" }
    no_log(library) {
        "no process called MPI_Init of {library}: this is not an MPI program, it contains the library itself, or it uses another MPI; MPICC selects one, as in MPICC=mpicc.mpich cargo wb trace -- mpiexec.mpich ...",
        "ни один процесс не вызвал MPI_Init из {library}: это не программа MPI, библиотека встроена в неё или это другая MPI; её выбирает MPICC, например MPICC=mpicc.mpich cargo wb trace -- mpiexec.mpich ...",
    }
    missing_logs(ranks) {
        "no calls were recorded on ranks {ranks}: they ended in MPI_Init, or run on another host",
        "нет записи вызовов процессов {ranks}: они завершились в MPI_Init или работают на другом узле",
    }
    several_clocks() {
        "the ranks ran on several hosts, whose clocks differ; only programs on one host can be traced",
        "процессы работали на нескольких узлах с разными часами; записать трассу можно только на одном узле",
    }
    ranks_as_unit() { "ranks", "проц." }
    trace_unreadable(error) { "the trace cannot be read: {error}", "трасса не читается: {error}" }
    help_quick() { "Fewer repetitions and wider intervals", "Меньше повторений, шире интервалы" }
    help_verbose() {
        "Print all that the pages say, every step and every file, instead of one screen",
        "Печатать всё, что есть на страницах, каждый шаг и каждый файл, а не один экран",
    }
    seconds_left(seconds) { "{seconds} s left", "осталось {seconds} с" }
    minutes_left(minutes) { "{minutes} min left", "осталось {minutes} мин" }
    help_render() { "Measure nothing: write the reports again from the records that are there", "Ничего не измерять: построить отчёты заново по имеющимся записям" }
    help_model() {
        "Show beside the measurements what they would be on this machine (`cargo wb machines`), a name or a file; this host is always shown once it is calibrated",
        "Показать рядом с измерениями, какими они были бы на этой машине (`cargo wb machines`), имя или файл; эта машина показана всегда, если откалибрована",
    }
    help_model_ranks() {
        "Numbers of ranks of that machine beyond the measured ones: a list like 8,16, or a range like 2..1024, which doubles (2..64 without it)",
        "Числа процессов этой машины сверх измеренных: список 8,16 или диапазон 2..1024 с удвоением (без указания 2..64)",
    }
    simulating(task, machine) { "{task}: what it would take on {machine} (model)", "{task}: сколько это заняло бы на {machine} (модель)" }
    tracing(task, ranks) { "{task}: one more run, traced, on {ranks} ranks", "{task}: ещё один запуск, с трассой, процессов: {ranks}" }
    not_simulated(task, machine, why) { "{task}: not all of it was simulated on {machine} ({why})", "{task}: на {machine} смоделировано не всё ({why})" }
    help_dry_run() { "Only print what would be installed", "Только показать, что было бы установлено" }
    error() { "error", "ошибка" }
    no_workspace(error) { "this is not a folder of the workbench, or its manifests are broken:\n{error}", "это не папка рабочего места, либо испорчены манифесты:\n{error}" }
    /// Where there are too many tasks to name them.
    no_task_of_many(name, count) {
        "there is no task `{name}`; `cargo wb list` shows the tasks, there are {count}",
        "задачи `{name}` нет; имеющиеся задачи показывает `cargo wb list`, всего {count}",
    }
    no_task(name, known) { "there is no task `{name}`; the tasks are: {known}", "задачи `{name}` нет; имеющиеся задачи: {known}" }
    no_task_suggest(name, near) {
        "there is no task `{name}`; did you mean {near}?",
        "задачи `{name}` нет; возможно, имелось в виду {near}?",
    }
    total(passed, failed, skipped) {
        "{passed} passed, {failed} failed, {skipped} skipped",
        "пройдено {passed}, с ошибкой {failed}, пропущено {skipped}",
    }
    style_failed(checks) {
        "the style is not right, see above: {checks}",
        "стиль с ошибками, см. выше: {checks}",
    }
    no_test_selected(words) {
        "no test ran: `{words}` selects none of them; `-- --list` shows their names",
        "ни один тест не запущен: `{words}` не выбирает ни одного; `-- --list` показывает их имена",
    }
    no_test_result() {
        "no test has left a result: there are no tests, or one of them has ended its test program",
        "ни один тест не оставил результата: тестов нет или один из них завершил программу тестов",
    }
    interrupted() { "interrupted: what was running has been ended", "прервано: всё запущенное остановлено" }
    no_tasks() { "there is no task yet", "задач пока нет" }
    cannot(what, path, error) { "cannot {what} {path}: {error}", "не удалось {what} {path}: {error}" }
    to_create() { "create", "создать" }
    to_read() { "read", "прочитать" }
    to_remove() { "remove", "удалить" }
    to_run() { "run", "запустить" }
    to_write() { "write", "записать" }
    not_found() { "no such file or folder", "нет такого файла или папки" }
    permission_denied() { "permission denied", "нет прав" }
    is_a_folder() { "it is a folder", "это папка" }
    bad_name(name) {
        "`{name}` is not a valid task name: it must be surname_initial_task in lower-case Latin letters and digits, as in ivanov_i_scatter",
        "`{name}` не годится как имя задачи: нужно фамилия_инициал_задача строчными латинскими буквами и цифрами, например ivanov_i_scatter",
    }
    exists(path) { "{path} exists already and is left as it is", "{path} уже существует и оставлена как есть" }
    bad_variant(task, last, variant) {
        "task {task} has no variant {variant}, only 1 to {last}",
        "у задания {task} нет варианта {variant}, есть от 1 до {last}",
    }
    bad_text(option) { "--{option} must not be empty", "значение --{option} не должно быть пустым" }
    bad_quote(option) {
        "--{option} must not contain line breaks, control or invisible characters",
        "в значении --{option} не должно быть переводов строки, управляющих и невидимых символов",
    }
    bad_names() {
        "task.yaml cannot contain these values of --student and --group",
        "task.yaml не может содержать такие значения --student и --group",
    }
    step_ok(seconds) { "ok      {seconds:>6} s", "готово  {seconds:>6} с" }
    step_failed(seconds, why) { "FAILED  {seconds:>6} s  ({why})", "ОШИБКА  {seconds:>6} с  ({why})" }
    programs_side_by_side(count, cores) {
        "{count} test programs, {cores} at a time; the output of those that fail is shown",
        "программ с тестами: {count}, одновременно: {cores}; показан вывод тех, что завершились с ошибкой",
    }
    repeat_tests(command) { "failed: {command}", "с ошибкой: {command}" }
    tests_kept(at) {
        "the sources are those of the tests that ended at {at}: their verdicts are used",
        "исходный код не менялся после тестов, завершённых {at}: использованы их результаты",
    }
    program_did_not_end(program, seconds) {
        "{program} did not end within {seconds} s and was ended",
        "{program}: программа не завершилась за {seconds} с и остановлена",
    }
    tests_did_not_end(program, seconds, tests) {
        "{program} did not end within {seconds} s and was ended; tests that had not ended: {tests}",
        "{program}: программа не завершилась за {seconds} с и остановлена; не завершились тесты: {tests}",
    }
    ended_by_deadline(seconds) { "still running after {seconds} s, ended", "не завершилось за {seconds} с, остановлено" }
    tests_of_backend(what) { "testing on {what}", "проверка на {what}" }
    threads_asked() { "the embedded backend (ranks are threads), as asked", "встроенном движке (процессы заменены потоками), как указано" }
    embedded_backend() {
        "no MPI found: measuring on the embedded backend (ranks are threads); `cargo wb setup` installs Open MPI",
        "MPI не найден: измерение на встроенном движке (процессы заменены потоками); `cargo wb setup` установит Open MPI",
    }
    mpi_fallback(used, reason) { "MPI: {used} is used, since the default one does not work: {reason}", "MPI: используется {used}, потому что тот, что выбран по умолчанию, не работает: {reason}" }
    manifests_refused(reason) {
        "cargo refuses the manifest of a task, on which no grade depends: {reason}",
        "cargo не принимает манифест одной из задач, от которого оценка не зависит: {reason}",
    }
    mpi_fails(reason) { "the default MPI does not work, and nothing is measured with another one unless you choose it (`MPICC`, `--backend threads`):\n{reason}", "MPI, выбранный по умолчанию, не работает, а с другим измерений не будет, пока вы его не укажете (`MPICC`, `--backend threads`):\n{reason}" }
    mpi_needed(missing) { "MPI was requested and is not usable:\n{missing}", "указан MPI, но он не готов к работе:\n{missing}" }
    measuring(k, n, task) { "[{k}/{n}] measuring {task}", "[{k}/{n}] измерение: {task}" }
    disabled(task) { "{task}: both versions are disabled in task.yaml, skipped", "{task}: обе версии отключены в task.yaml, пропущено" }
    measurement_failed(task, why) { "{task}: the measurement failed ({why})", "{task}: измерение не удалось ({why})" }
    report_failed_of(task, file, why) { "{task}: no report ({why}), from {file}", "{task}: отчёт не построен ({why}), файл {file}" }
    report_failed(task, why) { "{task}: no report ({why})", "{task}: отчёт не построен ({why})" }
    report_written(path) { "written: {path}", "записано: {path}" }
    report_not_kept() {
        "only a full run (all barriers and substrates, P = 2, 4, 8 at least, not --quick, with MPI) replaces reports/barriers",
        "reports/barriers заменяет только полный прогон (все барьеры и носители, не меньше чем P = 2, 4, 8, без --quick, с MPI)",
    }
    building_all(count) {
        "building the benchmarks of {count} tasks (release; the first time takes minutes)",
        "сборка программ измерений, задач: {count} (release; первый раз занимает минуты)",
    }
    building(task) {
        "building {task} (release, minutes the first time)",
        "сборка {task} (release, в первый раз — минуты)",
    }
    testing() { "      functional tests", "      функциональные тесты" }
    tests_failed() { "its functional tests failed, see the report", "функциональные тесты не пройдены, смотрите отчёт" }
    nothing_recorded() { "it left no record", "не осталось ни одной записи" }
    records_unreadable(error) { "its records cannot be read: {error}", "записи не читаются: {error}" }
    records_without_tests(why) {
        "no functional record: {why}; tests/functional.rs must run its tests with `workbench::functional`",
        "нет функциональной записи: {why}; tests/functional.rs должен выполнять тесты через `workbench::functional`",
    }
    failed_tasks(names) { "failed: {names}", "не удалось: {names}" }
    nothing_to_report() { "there is no enabled task to report", "нет ни одной включённой задачи для отчёта" }
    column_task() { "task", "задача" }
    column_student() { "student", "студент" }
    column_number() { "no.", "№" }
    column_versions() { "versions", "версии" }
    column_title() { "title", "название" }
    column_settings_wrong() { "task.yaml is wrong", "ошибка в task.yaml" }
    new_made(path) { "made {path}", "создана папка {path}" }
    new_title(number, variant, title) { "assignment {number}, variant {variant}: {title}", "задание {number}, вариант {variant}: {title}" }
    new_not_enrolled(problem) {
        "{problem}; `cargo wb new --for LOGIN --assignment NUMBER` takes name, group and variant from the files of the course",
        "{problem}; `cargo wb new --for LOGIN --assignment NUMBER` берёт имя, группу и вариант из файлов курса",
    }
    /// Of a task whose problem is in the instructor's crate.
    new_next_of_assignment(name, statement) {
        "next:\n  1. read the statement                   {statement}\n  2. write the sequential version         src/seq.rs\n  3. write the version for MPI            src/mpi.rs\n  4. add cases                            tests/functional.rs\n  5. cargo wb test -p {name}\n  6. cargo wb perf -p {name} --quick",
        "дальше:\n  1. прочитать условие                    {statement}\n  2. написать последовательную версию     src/seq.rs\n  3. написать версию для MPI              src/mpi.rs\n  4. добавить случаи                      tests/functional.rs\n  5. cargo wb test -p {name}\n  6. cargo wb perf -p {name} --quick",
    }
    new_next(name) {
        "next:\n  1. write the problem and its check      src/problem.rs\n  2. write the sequential version         src/seq.rs\n  3. write the version for MPI            src/mpi.rs\n  4. add cases                            tests/functional.rs\n  5. cargo wb test -p {name}\n  6. cargo wb perf -p {name} --quick",
        "дальше:\n  1. описать задачу и её проверку         src/problem.rs\n  2. написать последовательную версию     src/seq.rs\n  3. написать версию для MPI              src/mpi.rs\n  4. добавить случаи                      tests/functional.rs\n  5. cargo wb test -p {name}\n  6. cargo wb perf -p {name} --quick",
    }
}
