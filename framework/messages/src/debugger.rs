//! The messages of a rank that waits for a debugger.
messages! {
    waits_for_debugger(rank, pid, file) {
        "rank {rank} waits for a debugger: process {pid} ({file}); set breakpoints, then let it continue",
        "процесс {rank} ждёт отладчика: номер в системе {pid} ({file}); поставьте точки останова и продолжите выполнение",
    }
    no_debugger(minutes) {
        "no debugger has attached for {minutes} minutes: the tests start without one",
        "за {minutes} минут отладчик не подключился: тесты начинаются без него",
    }
    cannot_wait_for_debugger(error) {
        "this system does not say whether a debugger is attached ({error}): the tests start without one",
        "система не сообщает, подключён ли отладчик ({error}): тесты начинаются без него",
    }
    debug_needs_launcher(rank, ranks) {
        "WB_DEBUG_RANK={rank} needs the ranks of one job: WB_DEBUG_RANK={rank} mpirun -n {ranks} cargo test -p TASK NAME",
        "для WB_DEBUG_RANK={rank} нужен один запуск: WB_DEBUG_RANK={rank} mpirun -n {ranks} cargo test -p TASK NAME",
    }
}
