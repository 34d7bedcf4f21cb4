//! The messages of `cargo wb collectives`.
messages! {
    about() {
        "Collective operations: what there is, why it is right, how fast it is",
        "Коллективные операции: какие есть, почему верны, насколько быстры",
    }
    about_list() { "List every algorithm of every operation, with what it costs", "Показать все алгоритмы всех операций и их стоимость" }
    about_prove() { "Prove that the algorithms over messages are right", "Доказать, что алгоритмы на сообщениях верны" }
    about_plan() { "Show the messages of an operation, round by round", "Показать сообщения операции по раундам" }
    about_simulate() { "Predict how long the algorithms take on a machine (a model)", "Предсказать время алгоритмов для машины (модель)" }
    about_bench() {
        "Measure every algorithm beside the library's call; a full run writes reports/collectives",
        "Измерить все алгоритмы рядом с библиотечными; полный прогон записывает reports/collectives",
    }
    help_verb() { "The operation, as in bcast, allreduce or barrier; all if there is none", "Операция, например bcast, allreduce или barrier; без имени — все" }
    help_verbs() { "The operations, as in bcast allreduce; all on data if there is none", "Операции, например bcast allreduce; без имени — все операции с данными" }
    help_plan() { "The operation, or a barrier by its name in the list", "Операция или барьер, по имени из списка" }
    help_block() { "How long the block of a rank is, bytes", "Длина блока одного процесса, байт" }
    help_sizes() { "Lengths of blocks, multiples of 4 bytes, as in 8,65536", "Длины блоков, кратные 4 байтам, например 8,65536" }
    help_only() { "Only these algorithms, by name, beside the library", "Только эти алгоритмы, по имени, рядом с библиотекой" }
    help_thread_level() {
        "The thread level that ranks ask MPI for: `multiple` as all programs here, or `funneled`",
        "Уровень поддержки потоков, который процессы запрашивают у MPI: `multiple`, как все программы здесь, или `funneled`",
    }
    help_quick() { "Fewer lengths, launches and rounds: about 20 s", "Меньше длин, запусков и повторов: около 20 с" }
    unknown(name, known) {
        "there is no operation `{name}`; there are {known}",
        "операции `{name}` нет; есть {known}",
    }
    unknown_suggest(name, near) {
        "there is no operation `{name}`; did you mean {near}?",
        "операции `{name}` нет; возможно, имелось в виду {near}?",
    }
    which_barrier() {
        "there are many barriers: give the name of one; `cargo wb collectives list barrier` shows them all",
        "барьеров много: укажите имя одного; все показывает `cargo wb collectives list barrier`",
    }
    column_written() { "written", "запись" }
    column_read() { "read", "чтение" }
    column_algorithm() { "algorithm", "алгоритм" }
    list_total(count, ranks, bytes) {
        "{count} algorithms for P = {ranks} ranks and blocks of {bytes} bytes: messages and rounds with one port; for shared memory the cache lines that the busiest rank writes and reads",
        "алгоритмов: {count}, для P = {ranks} и блоков по {bytes} байт: сообщения и раунды при одном порте; для общей памяти — строки кэша, которые записывает и читает самый занятый процесс",
    }
    proofs_elsewhere() {
        "Barriers and all broadcasts over messages: `cargo wb barriers prove`, `cargo wb broadcasts prove`. Algorithms in shared memory are explored by tests, with every order in which stores may become visible: `cargo test -p wb-algorithms shared_memory`.",
        "Барьеры и все рассылки на сообщениях: `cargo wb barriers prove`, `cargo wb broadcasts prove`. Алгоритмы через общую память перебираются тестами, со всеми порядками, в которых записи могут стать видимыми: `cargo test -p wb-algorithms shared_memory`.",
    }
    plan_costs(messages, rounds, bytes) {
        "{messages} messages, {rounds} rounds with one port, {bytes} bytes in all",
        "сообщений {messages}, раундов при одном порте {rounds}, всего байт {bytes}",
    }
    conditions(bytes) {
        "Microseconds until the last rank is done; blocks of {bytes} bytes.",
        "Микросекунды, пока не закончит последний процесс; блоки по {bytes} байт.",
    }
}
