//! The rules on the sources of a task: why a place breaks a rule, and what to do instead.

texts! {
    not_rust(error) { "the file is not Rust, so its rules cannot be checked: {error}", "файл не разбирается как Rust, правила проверить нельзя: {error}" }
    utf16() { "it is in UTF-16, and the compiler reads UTF-8 only: save it in this encoding", "он в кодировке UTF-16, а компилятор читает только UTF-8: сохраните его в этой кодировке" }
    not_toml(error) { "the file is not TOML: {error}", "файл не разбирается как TOML: {error}" }
    foreign_crate(name) { "the crate `{name}` is not one that a task may use", "крейт `{name}` в задачах не разрешён" }
    foreign_source(name) { "the crate `{name}` must come from the workspace", "крейт `{name}` должен браться из рабочего пространства" }
    build_script() { "a build script runs while the task is built, outside of every check", "сборочный сценарий выполняется при сборке, вне всех проверок" }
    build_setting(file) { "`{file}` changes how the task is built", "`{file}` меняет сборку задачи" }
    manifest_key(key) { "the key `{key}` is not one that a task may set", "ключ `{key}` задавать в задаче нельзя" }
    path_outside(path) { "the path `{path}` leads out of the task's folder", "путь `{path}` ведёт за пределы папки задачи" }
    path_not_literal() { "the file is not named by one string, so it is not known which one is read", "файл не назван одной строкой, и неизвестно, какой файл читается" }
    path_not_source(path) { "`{path}` does not end in `.rs`, so the code in it would not be checked", "`{path}` не оканчивается на `.rs`, и код в нём не был бы проверен" }
    path_not_below(path, folder) { "the path `{path}` does not lead to a `.rs` file below `{folder}/`, where the rules on it apply", "путь `{path}` не ведёт к файлу `.rs` внутри `{folder}/`, где действуют правила о нём" }
    system(path) { "`{path}` reaches the operating system or is not on the list of modules that only compute", "`{path}` обращается к операционной системе или не входит в список модулей, которые только вычисляют" }
    not_input_file(path, names) { "`{path}` is not a file of the assignment, expected one of {names}", "`{path}` не входит в файлы задания, допустимы {names}" }
    input_file_mode(mode) { "`{mode}` lets a task change files; those of the assignment are opened by `FileMode::read_only()`", "`{mode}` позволяет менять файлы; файлы задания открываются в режиме `FileMode::read_only()`" }
    environment(name) { "`{name}` compiles the environment into the task", "`{name}` встраивает в задачу переменные окружения" }
    threads(path) { "`{path}` makes threads or state that ranks share; ranks communicate through `World` only", "`{path}` создаёт потоки или общее состояние процессов; процессы общаются только через `World`" }
    clock(path) { "`{path}` reads a clock; the only clock of a task is `World::now`", "`{path}` читает часы; единственные часы задачи — `World::now`" }
    foreign_code(path) { "`{path}` leads to foreign code or to the allocator", "`{path}` ведёт к чужому коду или к распределителю памяти" }
    unsafe_keyword() { "`unsafe` switches off the checks that the course relies on", "`unsafe` отключает проверки, на которые опирается курс" }
    extern_block() { "`extern` declares or exports functions of other languages", "`extern` объявляет или экспортирует функции других языков" }
    attribute(name) { "the attribute `{name}` changes how the program is linked or started", "атрибут `{name}` меняет компоновку или запуск программы" }
    assembler() { "assembler is not checked by the compiler", "ассемблер не проверяется компилятором" }
    static_mut() { "`static mut` is state that ranks share", "`static mut` — общее состояние процессов" }
    hidden_alias(path) { "`{path}` gets another name here, which hides where later paths lead", "`{path}` получает здесь другое имя, и дальше не видно, куда ведут пути" }
    hidden_glob(path) { "`{path}` brings in all modules at a time, which hides where later paths lead", "`{path}` вводит все модули сразу, и дальше не видно, куда ведут пути" }
    hidden_variable(path) { "`{path}` is put together by a macro, which hides where the path leads", "`{path}` составляется макросом, и не видно, куда ведёт путь" }
    extern_crate(name) { "`extern crate {name}` gives a crate a second name", "`extern crate {name}` даёт крейту второе имя" }
    around_world(name) { "`{name}` belongs to the inside of the framework and goes round `World`", "`{name}` относится к внутренней части системы и обходит `World`" }
    hidden_method(name) { "a macro puts the name of a method together here, which hides what is called: `{name}`", "макрос составляет здесь имя метода, и не видно, что вызывается: `{name}`" }
    instructor_name(name) { "`{name}` belongs to the instructor's solution, inputs or judge", "`{name}` относится к решению, входным данным или судье преподавателя" }
    own_problem(name) { "the problem is that of the assignment's crate, so a task has no `impl {name}` of its own", "задачу ставит крейт задания, поэтому своего `impl {name}` у студента нет" }
    made_by_macro(name) { "a macro makes an implementation of `{name}` here, which the other rules cannot read", "макрос создаёт здесь реализацию `{name}`, которую остальные правила прочесть не могут" }
    other_name(name) { "`{name}` gets another name or another meaning here, which hides the version that is measured", "`{name}` получает здесь другое имя или другой смысл, и не видно, какая версия измеряется" }
    other_type(name) { "`{name}` is implemented for a type that is not named here", "`{name}` реализован для типа, который здесь не назван" }
    outside_library(name) { "`{name}` is implemented outside of `src/`, where versions are not checked", "`{name}` реализован вне `src/`, где версии не проверяются" }
    sequential_communicates(verb, path) { "the sequential version calls `{verb}` here, through {path}", "последовательная версия вызывает здесь `{verb}`, через {path}" }
    no_sequential_version(name) { "`{name}` is measured as the sequential version, but these sources have no `impl Task for {name}`", "`{name}` измеряется как последовательная версия, но `impl Task for {name}` в исходниках нет" }
    not_point_to_point(verb) { "`{verb}` is neither a send nor a receive; this variant builds its transfer from sends and receives", "`{verb}` не является ни отправкой, ни приёмом; в этом варианте передача строится из отправок и приёмов" }
    topology(name) { "`{name}` makes or uses a communicator with a topology; in this variant the topology is computed by hand", "`{name}` создаёт или использует коммуникатор с топологией; в этом варианте топология вычисляется вручную" }
    not_a_tree(ranks, rounds, bound) { "the messages of a transfer follow one another in {rounds} rounds at P = {ranks}; over a tree they take at most {bound}", "сообщения передачи идут друг за другом, раундов {rounds} при P = {ranks}; по дереву их не больше {bound}" }
    transfer_moved(rounds, messages, bytes, all, ranks) { "`run` takes {rounds} rounds and sends {messages} messages with {bytes} of the {all} bytes of all stages at P = {ranks}: the transfer is not in `run`", "в `run` раундов {rounds}, сообщений {messages}, в них байт {bytes} из {all} за все этапы при P = {ranks}: передача находится не в `run`" }
    computing_not_divided(ranks, run, alone) { "`run` takes {run} ms at P = {ranks}, and {alone} ms on one rank, in this version or in the assignment's reference, where messages are free: the computing is not divided among the ranks", "`run` занимает {run} мс при P = {ranks} и {alone} мс на одном процессе, в этой версии или в эталонном решении задания, когда сообщения ничего не стоят: вычисления не разделены между процессами" }
    work_not_divided(ranks, percent) { "the work that `run` declares at P = {ranks} takes {percent} % of its time at P = 1 where messages are free: the computing is not divided among the ranks", "объявленная в `run` работа занимает при P = {ranks} {percent} % времени при P = 1, когда сообщения ничего не стоят: вычисления не разделены между процессами" }
    computing_moved(run, stages, sequential) { "`run` takes {run} ms of {stages} ms of all stages on one rank, and the sequential version {sequential} ms: the computing is not in `run`", "`run` занимает {run} мс из {stages} мс всех этапов на одном процессе, а последовательная версия {sequential} мс: вычисления находятся не в `run`" }
    run_too_short(run) { "`run` takes {run} ms on one rank, which is too short to measure", "`run` занимает {run} мс на одном процессе, этого мало для измерения" }
    no_virtual_runs() { "there are no runs in virtual time", "запусков в виртуальном времени нет" }
    virtual_run_failed(why) { "the task does not run in virtual time: {why}", "задача не выполняется в виртуальном времени: {why}" }
    wrong_in_virtual_time(version, workload, ranks) { "in virtual time the result of {version} for the workload `{workload}` is wrong at P = {ranks}", "в виртуальном времени результат {version} для нагрузки `{workload}` при P = {ranks} неверен" }
    remedy_virtual_time(options) { "correct the version first: `cargo wb simulate -p TASK{options}` repeats the run", "сначала исправьте версию: `cargo wb simulate -p TASK{options}` повторяет запуск" }
    remedy_tree() { "let every rank that has the data pass them on, so that the number of senders grows with each step", "пусть каждый процесс, получивший данные, передаёт их дальше, чтобы число отправителей росло на каждом шаге" }
    remedy_distribution() { "divide the work of `run` among all ranks", "разделите работу `run` между всеми процессами" }
    less_work(run, reference) {
        "on one rank `run` computes {run} ms, less than half of the {reference} ms of the reference: a better algorithm, or one that does not solve the problem for each input",
        "на одном процессе `run` вычисляет {run} мс — меньше половины {reference} мс эталона: это лучший алгоритм или решение не для любого входа",
    }
    not_decided(reason) { "it is not decided, and without a decision there are no points: {reason}", "не решено, а без решения баллов нет: {reason}" }
    remedy_not_decided() {
        "give the workload a size at which `run` takes 1 ms or more; otherwise ask your instructor, whose word is a line of `tasks/overrides.yaml`",
        "задайте нагрузке размер, при котором `run` занимает не меньше 1 мс; иначе спросите преподавателя: его слово — строка в `tasks/overrides.yaml`",
    }
    remedy_readable() { "correct the file: `cargo check` refuses it, too", "исправьте файл: `cargo check` тоже его не примет" }
    remedy_crates() { "use `workbench` and the assignment's crate; in tests also `rstest`, `approx` and `proptest`; each with `workspace = true`", "используйте `workbench` и крейт задания, в тестах также `rstest`, `approx` и `proptest`; каждый с `workspace = true`" }
    remedy_manifest() { "keep `Cargo.toml` and the files of the folder as `cargo wb new` makes them", "оставьте `Cargo.toml` и файлы папки такими, какими их создаёт `cargo wb new`" }
    remedy_system() { "compute from the input only; print with `println!` if you must", "вычисляйте только по входным данным; для отладочной печати есть `println!`" }
    remedy_threads() { "send what another rank needs by the verbs of `World`", "передавайте нужное другому процессу операциями `World`" }
    remedy_clock() { "the harness measures the stages; a task may read `World::now`", "этапы измеряет система; задача может читать `World::now`" }
    remedy_unsafe() { "write it in safe Rust", "напишите это на безопасном Rust" }
    remedy_hidden() { "write the whole path, with the name of the module", "напишите путь полностью, с именем модуля" }
    remedy_included() { "put the file into the task's folder and name it by one string", "положите файл в папку задачи и назовите его одной строкой" }
    remedy_around_world() { "use the `World` that the stage is given, and its verbs", "используйте переданный этапу `World` и его операции" }
    remedy_instructor() { "solve the problem of the assignment's crate with code of your own; a type of your own needs another name", "решите задачу из крейта задания собственным кодом; свой тип назовите иначе" }
    remedy_implementation() { "write `impl Task for` a type of yours below `src/`, under these names, without a macro", "напишите `impl Task for` для своего типа внутри `src/`, под этими именами и без макроса" }
    remedy_sequential() { "let the sequential version compute alone; only `work` and `now` of `World` are of use to it", "последовательная версия вычисляет одна; из `World` ей нужны только `work` и `now`" }
    remedy_point_to_point() { "use `send`, `ssend`, `recv`, `sendrecv`, `isend`, `irecv` and `probe`", "используйте `send`, `ssend`, `recv`, `sendrecv`, `isend`, `irecv` и `probe`" }
    remedy_topology() { "compute the neighbours of a rank from its number", "вычисляйте соседей процесса по его номеру" }
}
