//! What the library that records the calls of unmodified programs reports.
texts! {
    no_function(function) {
        "wb-tracer: the MPI library of this program has no function {function}",
        "wb-tracer: в библиотеке MPI этой программы нет функции {function}",
    }
    not_recorded(folder, error) {
        "wb-tracer: the calls of this process are not recorded ({folder}: {error})",
        "wb-tracer: вызовы этого процесса не записываются ({folder}: {error})",
    }
}
