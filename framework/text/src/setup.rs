//! Why a job, a communicator or a recording cannot be created: reasons of `wb_comm::Error::Setup` and `Interrupted`.
texts! {
    already_initialised() {
        "MPI is already initialised and this process's place in the job is taken",
        "MPI уже инициализирована, и место этого процесса в задании занято",
    }
    initialised_before() {
        "MPI was initialised before by other code of this process",
        "MPI уже инициализирована другим кодом этого процесса",
    }
    mixed_bindings() {
        "the MPI bindings and the MPI shim were compiled for different MPI implementations: use one CARGO_TARGET_DIR for each, or run `cargo clean -p mpi-sys`",
        "привязки и прослойка MPI собраны для разных реализаций MPI: задайте для каждой свой CARGO_TARGET_DIR или выполните `cargo clean -p mpi-sys`",
    }
    no_exit_hook() {
        "atexit has no room for MPI_Finalize",
        "функция `atexit` не приняла обработчик, который вызывает MPI_Finalize",
    }
    thread_level(level) {
        "MPI provides thread level {level}, at least Serialized is needed",
        "MPI предоставляет уровень поддержки потоков `{level}`, нужен не ниже `Serialized`",
    }
    aborted(rank, code) {
        "abort: rank {rank} ends the job with code {code}",
        "`abort`: процесс {rank} завершает задание с кодом {code}",
    }
    communicator_size(size, all) {
        "a communicator of {size} rank(s) in a job of {all}",
        "в коммуникаторе должно быть процессов: {size}, а в задании их {all}",
    }
    no_memory_for_leftover(bytes) {
        "no memory to receive a leftover message of {bytes} bytes",
        "не хватает памяти, чтобы принять непринятое сообщение, байт: {bytes}",
    }
    color(color, cast, max) {
        "color {color} ({cast} as u32) is not allowed: 0..={max} (MPI's colors are ints)",
        "цвет {color} ({cast} в типе u32) недопустим, разрешено 0..={max} (цвет в MPI имеет тип `int`)",
    }
    too_many_communicators(verb, max) {
        "{verb}: this rank holds {max} communicators, and more at a time are not allowed: make a communicator once, before the loop, or drop it when it is not used any more",
        "{verb}: этот процесс держит коммуникаторов: {max}, а больше одновременно нельзя: создайте коммуникатор один раз, до цикла, или освобождайте тот, который больше не нужен",
    }
    communicator_closed(name) {
        "communicator {name} is used after its case was closed",
        "коммуникатор {name} используется после завершения своего теста",
    }
    nodes_form(value, part) {
        "the nodes `{value}`: \"{part}\" is not of the form NODESxRANKS with both at least 1, as 2x3,1x2",
        "узлы `{value}`: \"{part}\" записано не в виде УЗЛЫxПРОЦЕССЫ, где оба числа не меньше 1, например 2x3,1x2",
    }
    nodes_of_more(value, size) {
        "the nodes `{value}` have more ranks than the {size} that there are",
        "на узлах `{value}` больше процессов, чем есть: их {size}",
    }
    nodes_of_fewer(value, size) {
        "the nodes `{value}` have fewer ranks than the {size} that there are",
        "на узлах `{value}` меньше процессов, чем есть: их {size}",
    }
    not_recordable(what) {
        "{what} cannot be recorded without a run: its outcome depends on time or data",
        "{what} нельзя записать без выполнения: результат зависит от времени или данных",
    }
    no_files(backend) {
        "files are not there on {backend}",
        "файлов нет в среде {backend}",
    }
    no_schedules(backend) {
        "nonblocking collectives are not there on {backend}",
        "неблокирующих коллективных операций нет в среде {backend}",
    }
    late_send() { "a send that is waited for later", "неблокирующую отправку" }
    late_collective() { "a nonblocking collective", "неблокирующую коллективную операцию" }
    late_completion() { "the completion of several operations", "завершение нескольких операций" }
    buffer_attached(bytes) {
        "a buffer of {bytes} bytes is attached already: buffer_detach comes first",
        "буфер уже подключён (байт: {bytes}): сначала вызывают buffer_detach",
    }
    failed_request() {
        "the last start of this persistent request has failed: make a new one",
        "последний запуск этого отложенного запроса не удался: создайте новый",
    }
    no_buffer_attached() { "no buffer is attached", "буфер не подключён" }
    late_receive() { "a receive that is waited for later", "неблокирующий приём" }
    receive_from_any() { "a receive from any rank or with any tag", "приём от любого процесса или с любым тегом" }
    other_data() { "a message that is not of the data", "сообщение не с рассылаемыми данными" }
    probe() { "a probe", "проверку входящих сообщений" }
    split() { "a split", "разделение коммуникатора" }
    duplicate() { "a duplicate", "копирование коммуникатора" }
    /// A run or a recording that its own driver ends; a user does not see it.
    broken_off() { "the run is broken off", "выполнение прекращено" }
    endless_clock_wait() {
        "this rank waits by the clock: for an hour of virtual time it has only read the clock, and the time that it waits for does not come",
        "процесс ждёт по часам: в течение часа виртуального времени он только читал часы, а время, которого он ждёт, не наступает",
    }
    no_progress() {
        "no rank makes progress: every rank waits or polls, and no message is in flight",
        "ни один процесс не продвигается: все ждут или опрашивают, и ни одно сообщение не передаётся",
    }
}
