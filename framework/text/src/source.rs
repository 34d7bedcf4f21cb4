//! The rules on the sources of a task: why a place breaks a rule, and what to do instead.

texts! {
    not_rust(error) { "the file is not Rust, so its rules cannot be checked: {error}", "файл не разбирается как Rust, правила проверить нельзя: {error}" }
    utf16() { "it is in UTF-16, and the compiler reads UTF-8 only: save it in this encoding", "он в кодировке UTF-16, а компилятор читает только UTF-8: сохраните его в этой кодировке" }
    foreign_crate(name) { "the crate `{name}` is not one that a task may use", "крейт `{name}` в задачах не разрешён" }
    path_outside(path) { "the path `{path}` leads out of the task's folder", "путь `{path}` ведёт за пределы папки задачи" }
    path_not_literal() { "the file is not named by one string, so it is not known which one is read", "файл не назван одной строкой, и неизвестно, какой файл читается" }
    path_not_source(path) { "`{path}` does not end in `.rs`, so the code in it would not be checked", "`{path}` не оканчивается на `.rs`, и код в нём не был бы проверен" }
    path_not_below(path, folder) { "the path `{path}` does not lead to a `.rs` file below `{folder}/`, where the rules on it apply", "путь `{path}` не ведёт к файлу `.rs` внутри `{folder}/`, где действуют правила о нём" }
    system(path) { "`{path}` reaches the operating system or is not on the list of modules that only compute", "`{path}` обращается к операционной системе или не входит в список модулей, которые только вычисляют" }
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
    instructor_name(name) { "`{name}` belongs to the instructor's solution, inputs or judge", "`{name}` относится к решению, входным данным или судье преподавателя" }
    not_a_tree(ranks, rounds, bound) { "the messages of a transfer follow one another in {rounds} rounds at P = {ranks}; over a tree they take at most {bound}", "сообщения передачи идут друг за другом, раундов {rounds} при P = {ranks}; по дереву их не больше {bound}" }
    transfer_moved(rounds, messages, bytes, all, ranks) { "`run` takes {rounds} rounds and sends {messages} messages with {bytes} of the {all} bytes of all stages at P = {ranks}: the transfer is not in `run`", "в `run` раундов {rounds}, сообщений {messages}, в них байт {bytes} из {all} за все этапы при P = {ranks}: передача находится не в `run`" }
    computing_not_divided(ranks, run, alone) { "`run` takes {run} ms at P = {ranks}, and {alone} ms on one rank, in this version or in the assignment's reference, where messages are free: the computing is not divided among the ranks, or a part takes as long as the whole", "`run` занимает {run} мс при P = {ranks} и {alone} мс на одном процессе, в этой версии или в эталонном решении задания, когда сообщения ничего не стоят: вычисления не разделены между процессами, или часть занимает столько же, сколько целое" }
    run_too_short(run) { "`run` takes {run} ms on one rank, which is too short to measure", "`run` занимает {run} мс на одном процессе, этого мало для измерения" }
    no_virtual_runs() { "there are no runs in virtual time", "запусков в виртуальном времени нет" }
    virtual_run_failed(why) { "the task does not run in virtual time: {why}", "задача не выполняется в виртуальном времени: {why}" }
    wrong_in_virtual_time(version, workload, ranks) { "in virtual time the result of {version} for the workload `{workload}` is wrong at P = {ranks}", "в виртуальном времени результат {version} для нагрузки `{workload}` при P = {ranks} неверен" }
    remedy_virtual_time(options) { "correct the version first: `cargo wb simulate -p TASK{options}` repeats the run", "сначала исправьте версию: `cargo wb simulate -p TASK{options}` повторяет запуск" }
    remedy_tree() { "let every rank that has the data pass them on, so that the number of senders grows with each step", "пусть каждый процесс, получивший данные, передаёт их дальше, чтобы число отправителей росло на каждом шаге" }
    less_work(ranks, worked, reference) {
        "at P = {ranks} all ranks together compute {worked} ms in all stages, less than half of the {reference} ms of the reference: a better algorithm, or one that does not solve the problem for each input",
        "при P = {ranks} все процессы вместе вычисляют на всех этапах {worked} мс — меньше половины {reference} мс эталона: это лучший алгоритм или решение не для любого входа",
    }
    rank_works_more(ranks, most, share, whole, allowed) {
        "at P = {ranks} one rank computes {most} ms in all stages, {share} % of the {whole} ms of the best sequential version, and an even division with the margin of the course is {allowed} %",
        "при P = {ranks} один процесс вычисляет на всех этапах {most} мс, это {share} % от {whole} мс лучшей последовательной версии, а равное разделение с запасом курса — {allowed} %",
    }
    not_decided(reason) { "it is not decided, and without a decision there are no points: {reason}", "не решено, а без решения баллов нет: {reason}" }
    remedy_not_decided() { "give the workload a size at which `run` takes 1 ms or more", "задайте нагрузке размер, при котором `run` занимает не меньше 1 мс" }
    remedy_question() {
        "divide the work evenly; where it is, and the algorithm is another or a slower one, ask your instructor, whose word is a line of `tasks/overrides.yaml`",
        "разделите работу поровну; если она разделена, а алгоритм другой или медленнее, спросите преподавателя: его слово — строка в `tasks/overrides.yaml`",
    }
    remedy_readable() { "correct the file: `cargo check` refuses it, too", "исправьте файл: `cargo check` тоже его не примет" }
    remedy_crates() { "use `workbench` and the assignment's crate; in tests also `rstest`, `approx` and `proptest`; each with `workspace = true`", "используйте `workbench` и крейт задания, в тестах также `rstest`, `approx` и `proptest`; каждый с `workspace = true`" }
    remedy_system() { "compute from the input only; print with `println!` if you must", "вычисляйте только по входным данным; для отладочной печати есть `println!`" }
    remedy_threads() { "send what another rank needs by the verbs of `World`", "передавайте нужное другому процессу операциями `World`" }
    remedy_clock() { "the harness measures the stages; a task may read `World::now`", "этапы измеряет система; задача может читать `World::now`" }
    remedy_unsafe() { "write it in safe Rust", "напишите это на безопасном Rust" }
    remedy_hidden() { "write the whole path, with the name of the module; what a macro of your own gets, bring in by `use`", "напишите путь полностью, с именем модуля; то, что получает собственный макрос, введите через `use`" }
    remedy_included() { "put the file into the task's folder and name it by one string", "положите файл в папку задачи и назовите его одной строкой" }
    remedy_around_world() { "use the `World` that the stage is given, and its verbs", "используйте переданный этапу `World` и его операции" }
    remedy_instructor() { "solve the problem of the assignment's crate with code of your own; a type of your own needs another name", "решите задачу из крейта задания собственным кодом; свой тип назовите иначе" }
}
