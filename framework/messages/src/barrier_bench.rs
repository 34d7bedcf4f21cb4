//! The messages of the barrier benchmark.
messages! {
    unknown_argument(argument) {
        "`{argument}` is not understood. Allowed: --records FILE, --ranks 2,4, --only NAME,..., --substrate NAME,..., --calls all|NAME,..., --bytes 8,64, --threads, --funneled, --quick, --seed N, --lang en|ru",
        "`{argument}` не распознано. Допустимо: --records ФАЙЛ, --ranks 2,4, --only ИМЯ,..., --substrate ИМЯ,..., --calls all|ИМЯ,..., --bytes 8,64, --threads, --funneled, --quick, --seed N, --lang en|ru",
    }
    incomplete() {
        "needed: --records FILE and --ranks 2,4, and --bytes 8,64 with --calls",
        "нужны --records ФАЙЛ и --ranks 2,4, а с --calls ещё --bytes 8,64",
    }
    unknown_name(name, known) {
        "there is no `{name}`; there are {known}",
        "`{name}` не существует; есть {known}",
    }
    bad_bytes(item) {
        "`{item}` is not a length of a block: a multiple of 4 bytes",
        "`{item}` не длина блока: нужно число байтов, кратное 4",
    }
    inside_a_launcher() {
        "the laboratory starts its own MPI jobs: run it without mpirun",
        "лаборатория сама запускает задания MPI: запустите её без mpirun",
    }
    nothing_to_measure() {
        "nothing to measure: what was asked for needs an MPI library, and this program has none",
        "измерять нечего: выбранному нужна библиотека MPI, а эта программа собрана без неё",
    }
    job(seconds, launch, launches, what) {
        "{seconds:>4} s  launch {launch} of {launches}: {what}",
        "{seconds:>4} с  запуск {launch} из {launches}: {what}",
    }
    job_processes(ranks, forms) {
        "P = {ranks} processes, {forms} forms",
        "P = {ranks}, процессы; вариантов: {forms}",
    }
    job_threads(ranks, forms) {
        "P = {ranks} threads, {forms} forms",
        "P = {ranks}, потоки; вариантов: {forms}",
    }
    job_forced(ranks, algorithm) {
        "P = {ranks}, the library held to {algorithm}",
        "P = {ranks}, библиотека привязана к {algorithm}",
    }
    failed(form, reason) {
        "FAILED {form}: {reason}",
        "ОШИБКА {form}: {reason}",
    }
    job_failed(reason) {
        "the job does not count: {reason}",
        "задание не засчитано: {reason}",
    }
}
