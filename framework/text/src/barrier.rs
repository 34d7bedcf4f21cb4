//! Barriers and broadcasts that cannot be chosen, built or run: reasons of `wb_comm::Error::Setup` and `Interrupted`.
texts! {
    unknown(name, names) {
        "there is no barrier \"{name}\"; there are {names}",
        "барьера \"{name}\" нет; есть {names}",
    }
    unknown_broadcast(name, names) {
        "there is no broadcast \"{name}\"; there are {names}",
        "рассылки \"{name}\" нет; есть {names}",
    }
    unknown_on(name, substrate, names) {
        "there is no barrier \"{name}\"; on {substrate} are allowed: {names}",
        "барьера \"{name}\" нет; для `{substrate}` допустимы {names}",
    }
    not_on(name, substrate, names) {
        "barrier \"{name}\" does not run on {substrate} for a whole group; allowed: {names}",
        "барьер \"{name}\" не работает на `{substrate}` для всей группы; допустимы {names}",
    }
    no_default(name, substrate) {
        "on {substrate} the library chooses: there is no \"{name}\" of ours",
        "на `{substrate}` барьер выбирает библиотека: собственного \"{name}\" нет",
    }
    not_of_world(name) {
        "{name} is not a barrier that a world can carry",
        "барьер {name} нельзя выполнить на коммуникаторе `world`",
    }
    /// A library's function, or a barrier of a library.
    not_in_backend(name, backend) {
        "{name} needs a library's barrier, the backend {backend} has none",
        "для {name} нужен барьер библиотеки, а в реализации {backend} его нет",
    }
    no_nonblocking() {
        "this backend has no non-blocking barrier",
        "в этой реализации нет неблокирующего барьера",
    }
    no_form(name, substrate) {
        "{name} cannot be built on {substrate}",
        "{name} нельзя построить на `{substrate}`",
    }
    several_hosts() {
        "ranks are on several hosts, and this form needs the memory of one",
        "процессы на нескольких узлах, а этому варианту нужна память одного узла",
    }
    nobody() { "a barrier needs at least 1 participant", "в барьере должен быть хотя бы 1 участник" }
    nodes_of_others(size, nodes) {
        "{size} participants, but the nodes of {nodes}",
        "участников: {size}, а узлы заданы для {nodes}",
    }
    radix(radix) {
        "radix {radix} is not allowed: at least 2",
        "основание {radix} недопустимо, нужно не меньше 2",
    }
    made_for_others(size, called) {
        "made for {size} participants, called by {called}",
        "построен для участников: {size}, а вызван участниками: {called}",
    }
    /// A barrier that is defined for some sizes only.
    size(name, sizes, size) {
        "{name} is a barrier of {sizes} ranks, not of {size}",
        "{name} — барьер для {sizes} процессов, а не для {size}",
    }
    listed_twice(pe) { "PE {pe} is listed twice", "процесс {pe} указан дважды" }
    listed_outside(pe, size) {
        "PE {pe} is listed, but the team has {size}",
        "указан процесс {pe}, а процессов в команде {size}",
    }
    not_listed(pe, members) {
        "PE {pe} is not in the subset [{members}]",
        "процесс {pe} не входит в подмножество [{members}]",
    }
    no_sizes() { "no number of participants is asked for", "не задано ни одного числа участников" }
    endless() { "the pattern does not end", "схема не завершается" }
    not_waited(rank, to) {
        "rank {rank} signals rank {to}, which does not wait for it",
        "процесс {rank} посылает сигнал процессу {to}, который его не ждёт",
    }
    not_signalled(rank, from) {
        "rank {rank} waits for a signal from rank {from}, which does not send it",
        "процесс {rank} ждёт сигнала от процесса {from}, который его не посылает",
    }
    still_open() {
        "a barrier is entered again before its last episode is over: poll it to the end first",
        "вход в барьер повторён до завершения предыдущего прохода: сначала дождитесь его конца",
    }
    cell_awaited(pe, cell, owner, until, value) {
        "PE {pe} waits for cell {cell} of PE {owner} to be {until}; it is {value}",
        "процесс {pe} ждёт, чтобы ячейка {cell} процесса {owner} стала {until}; её значение {value}",
    }
}
