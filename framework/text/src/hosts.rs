//! Errors of host files and of the settings that say how ranks are started.
texts! {
    no_hosts() { "the file is empty, expected a line for each host", "файл пуст, ожидается строка для каждого узла" }
    no_slots(name) {
        "`{name}` without a number of ranks, expected `{name} slots=N` (Open MPI) or `{name}:N` (MPICH): the libraries differ in what a missing number means",
        "у `{name}` не указано число процессов, ожидается `{name} slots=N` (Open MPI) или `{name}:N` (MPICH): без числа библиотеки понимают строку по-разному",
    }
    invalid_line(found) {
        "`{found}`, expected `NAME slots=N` (Open MPI) or `NAME:N` (MPICH)",
        "`{found}`, ожидается `NAME slots=N` (Open MPI) или `NAME:N` (MPICH)",
    }
    invalid_name(name) {
        "`{name}` is not the name of a host, expected 1 to 253 Latin letters, digits, `.`, `-` or `_`, the first one a letter or a digit",
        "`{name}` — не имя узла, ожидается от 1 до 253 латинских букв, цифр, знаков `.`, `-` и `_`, сначала буква или цифра",
    }
    invalid_slots(found, max) {
        "`{found}` ranks, expected a whole number from 1 to {max}",
        "число процессов `{found}`, ожидается целое число от 1 до {max}",
    }
    host_again(name, line) {
        "`{name}` is in line {line} already, expected each host once with all its ranks",
        "`{name}` уже есть в строке {line}, каждый узел указывается один раз со всеми его процессами",
    }
    two_formats(line) {
        "this line and line {line} have different formats, expected `NAME slots=N` or `NAME:N` in all lines",
        "форматы этой строки и строки {line} различаются, ожидается `NAME slots=N` или `NAME:N` во всех строках",
    }
    hosts_allowed() {
        "the path of a host file from the root, srun (the hosts that Slurm selects), or mpirun (this host)",
        "путь к файлу узлов от корня, srun (узлы, которые выбирает Slurm) или mpirun (этот узел)",
    }
    map_allowed() { "core, socket or node", "core, socket или node" }
}
