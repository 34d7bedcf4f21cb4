//! What the library for unmodified programs reports: the calls that it took and passed on, and why a job ends.
texts! {
    /// The head of the table.
    report() {
        "collective calls of rank 0  taken   passed on   because",
        "вызовы процесса 0       выполнено    передано   причина",
    }
    first_calls() { "first calls on a communicator", "первые вызовы на коммуникаторе" }
    length() { "the library is faster", "библиотека быстрее" }
    operation() { "operation or type", "операция или тип" }
    one_rank() { "one rank", "один процесс" }
    many_ranks() { "many ranks", "много процессов" }
    inter() { "inter-communicator", "интеркоммуникатор" }
    several_nodes() { "no common memory", "нет общей памяти" }
    no_memory() { "no room for memory", "нет места для памяти" }
    arguments() { "arguments", "аргументы" }
    other_library(version) {
        "wb-preload: the program uses \"{version}\", and this library was built for another MPI: choose it with `cargo wb preload --mpi`",
        "wb-preload: программа использует \"{version}\", а эта библиотека собрана для другой MPI: выберите её с помощью `cargo wb preload --mpi`",
    }
    no_number(value) {
        "wb-preload: WB_PRELOAD_AFTER is \"{value}\", and must be a number of calls",
        "wb-preload: значение WB_PRELOAD_AFTER — \"{value}\", а нужно число вызовов",
    }
    library_failed(code) { "the MPI library reports error {code}", "библиотека MPI сообщает об ошибке {code}" }
    /// The head of an error.
    failed(program, rank, function, number) {
        "wb-preload: {program}: rank {rank} cannot complete {function}, call {number} of its communicator",
        "wb-preload: {program}: процесс {rank} не может завершить {function}, вызов {number} на коммуникаторе",
    }
    /// One of two calls that differ.
    side(rank, function, what) { "  rank {rank}: {function}: {what}", "  процесс {rank}: {function}: {what}" }
}
