//! The checker's findings about the schedules of a job.
texts! {
    can_take(senders) {
        "can take the message of rank {senders}",
        "может получить сообщение процесса {senders}",
    }
    fails_with_message_of(from, why) { "takes that of rank {from}: {why}", "получает сообщение процесса {from}: {why}" }
    passes_with_message_of(from) { "takes that of rank {from}: all is well", "получает сообщение процесса {from}: всё верно" }
    passes_with_another_receive(from) {
        "another receive takes that of rank {from}: all is well",
        "сообщение процесса {from} получает другой приём: всё верно",
    }
    takes_either(first, then) {
        "takes that of rank {first}, or that of rank {then}: all is well, and",
        "получает сообщение процесса {first} или процесса {then}: всё верно, и",
    }
    depends_on_poll_time(rank) { "by how late rank {rank} looks", "зависит от того, когда процесс {rank} проверяет, пришло ли сообщение" }
    depends_on_first_message(rank) {
        "by whose message rank {rank} sees first",
        "зависит от того, чьё сообщение процесс {rank} видит первым",
    }
    depends_on_window_order() { "by the order of accesses to a window", "зависит от порядка обращений к окну" }
    depends_on_buffering(from) {
        "by whether the library keeps the message of rank {from}",
        "зависит от того, буферизует ли библиотека сообщение процесса {from}",
    }
    wrong_if_early(rank) {
        "it goes wrong if rank {rank} looks early",
        "ошибка возникает, если процесс {rank} проверяет приход сообщения рано",
    }
    wrong_if_late(rank) {
        "it goes wrong if rank {rank} looks late",
        "ошибка возникает, если процесс {rank} проверяет приход сообщения поздно",
    }
    wrong_if_first(rank, from) {
        "it goes wrong if rank {rank} sees the message of rank {from} first",
        "ошибка возникает, если процесс {rank} первым видит сообщение процесса {from}",
    }
    wrong_if_buffered(from) {
        "it goes wrong if the library keeps the message of rank {from} and not others",
        "ошибка возникает, если библиотека буферизует сообщение процесса {from}, а остальные нет",
    }
    depends_on_completion(rank, call) {
        "by which of the completed operations {call} of rank {rank} returns",
        "зависит от того, какую из завершённых операций возвращает {call} процесса {rank}",
    }
    wrong_if_completed(rank, call, started, file, line) {
        "it goes wrong if {call} of rank {rank} returns the {started} of {file}:{line} first",
        "ошибка возникает, если {call} процесса {rank} первой возвращает операцию {started}, {file}:{line}",
    }
    wrong_in_one_order() {
        "it goes wrong in one order of accesses to a window only",
        "ошибка возникает только при одном порядке обращений к окну",
    }
    differs(place, here, beside, there, schedule) {
        "{place}: {here} in schedule {beside}, {there} in schedule {schedule}",
        "{place}: {here} в порядке {beside}, {there} в порядке {schedule}",
    }
    rounding() {
        "floating-point numbers, rounded otherwise: no more than a remark",
        "числа с плавающей точкой округлены по-разному: это только замечание",
    }
    not_a_schedule(line) {
        "`{line}` is not a schedule: numbers separated by dots, the first one 0, 1 or 2",
        "`{line}` — не запись порядка: нужны числа через точку, первое из них 0, 1 или 2",
    }
    no_schedule(schedule) { "this job has no schedule {schedule}", "у этого задания нет порядка {schedule}" }
    choices_change() {
        "run again under the same choices, the program makes others: it depends on something besides its messages, as a clock or random numbers",
        "при повторном запуске с теми же решениями программа принимает другие: она зависит не только от сообщений, но и, например, от часов или случайных чисел",
    }
}
