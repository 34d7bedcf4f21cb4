//! The messages of `cargo wb preload`.
messages! {
    about() {
        "Run an unmodified MPI program with its collective operations in shared memory",
        "Выполнить программу MPI без изменений, с коллективными операциями через общую память",
    }
    help_command() {
        "The command: `mpirun -n 2 ./program`",
        "Команда: `mpirun -n 2 ./program`",
    }
    not_traced() {
        "`cargo wb trace` does not see the calls that `cargo wb preload` takes: run one of them at a time",
        "`cargo wb trace` не видит вызовов, которые выполняет `cargo wb preload`: запускайте их по отдельности",
    }
    loads(variable) { "the ranks get {variable}", "процессы получают {variable}" }
}
