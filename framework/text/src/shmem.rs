//! The errors of the calls of OpenSHMEM's model, and why a library of OpenSHMEM cannot be used.
texts! {
    pe(pe, size) {
        "PE {pe} does not exist: there are {size}, numbered from 0",
        "процесса {pe} нет: всего процессов {size}, нумерация с 0",
    }
    bounds(call, at, end, length) {
        "{call}: elements {at}..{end} of a symmetric array of {length}",
        "{call}: элементы {at}..{end} симметричного массива, элементов в нём: {length}",
    }
    cell(cell, cells) {
        "cell {cell} of a symmetric array of {cells}",
        "ячейка {cell} симметричного массива, ячеек в нём: {cells}",
    }
    arrays_differ(pe, theirs, me, mine) {
        "the PEs allocate different arrays together: PE {pe} {theirs}, PE {me} {mine}",
        "процессы вместе выделяют разные массивы: процесс {pe} — {theirs}, процесс {me} — {mine}",
    }
    array(count, layout) { "{count} of {layout}", "элементов типа {layout}: {count}" }
    not_allocated(call) {
        "{call}: this symmetric array is not allocated (any more)",
        "{call}: этот симметричный массив не выделен или уже освобождён",
    }
    no_room(longs) {
        "no room for {longs} longs on the symmetric heap (SHMEM_SYMMETRIC_SIZE)",
        "в симметричной куче нет места, нужно чисел `long`: {longs} (SHMEM_SYMMETRIC_SIZE)",
    }
    stride(stride) {
        "a team's stride must be at least 1, not {stride}",
        "шаг команды должен быть не меньше 1, а задан {stride}",
    }
    team_size(size) {
        "a team has at least 1 member, not {size}",
        "в команде должен быть хотя бы 1 процесс, а задано {size}",
    }
    team_outside(start, stride, size, last) {
        "a team of PEs {start}, {start} + {stride}, ... with {size} member(s) does not fit: its parent has PEs 0..={last}",
        "команда из процессов {start}, {start} + {stride}, ... (всего {size}) не помещается в исходную, где процессы 0..={last}",
    }
    teams_differ(pe, theirs, me, mine) {
        "the PEs split a team differently: PE {pe} asks for {theirs}, PE {me} for {mine}",
        "процессы разделяют команду по-разному: процесс {pe} запрашивает {theirs}, процесс {me} — {mine}",
    }
    barriers_differ(pe, theirs, me, mine) {
        "the PEs choose different barriers: PE {pe} {theirs}, PE {me} {mine}",
        "процессы выбирают разные барьеры: процесс {pe} — {theirs}, процесс {me} — {mine}",
    }
    not_member(call, pe, team) {
        "{call}: PE {pe} is not a member of the team {team}",
        "{call}: процесс {pe} не входит в команду {team}",
    }
    destroyed(call, team) {
        "{call}: the team {team} has been destroyed",
        "{call}: команда {team} уже уничтожена",
    }
    world_stays() { "the world team cannot be destroyed", "команду всех процессов нельзя уничтожить" }
    no_slot(slots) {
        "no team slot is free at all members: at most {slots} teams exist at a time; destroy some",
        "ни один номер команды не свободен у всех участников: команд одновременно не больше {slots}; уничтожьте лишние",
    }
    freed_twice(slot) { "team slot {slot} is freed twice", "номер команды {slot} освобождается дважды" }
    no_cells(name, needed, team, left, capacity) {
        "the barrier {name} needs {needed} cells, the team {team} has {left} of {capacity} left",
        "барьеру {name} нужно ячеек: {needed}, а у команды {team} осталось {left} из {capacity}",
    }
    barrier_wrong(name) {
        "the barrier {name} is wrong on purpose: it runs on no team",
        "барьер {name} намеренно неверен: в командах он не работает",
    }
    barrier_of_library(name) {
        "the barrier {name} is a library's own: it runs on no team",
        "барьер {name} принадлежит библиотеке: в командах он не работает",
    }
    active_set(size, start, log_stride, pes) {
        "an active set of {size} PEs from {start} with a stride of 2^{log_stride} does not fit {pes} PEs",
        "активное множество с процесса {start} с шагом 2^{log_stride}, процессов в нём {size}, не помещается: всего процессов {pes}",
    }
    outside_active_set(pe) {
        "PE {pe} is not in the active set that it wants to wait in",
        "процесс {pe} не входит в активное множество, в котором ждёт",
    }
    no_library(reason) { "no OpenSHMEM library: {reason}", "нет библиотеки OpenSHMEM: {reason}" }
    incomplete(library, function) {
        "the OpenSHMEM library {library} has no {function}",
        "в библиотеке OpenSHMEM `{library}` нет функции `{function}`",
    }
    other_mpi() {
        "this program is linked with an MPI that is not Open MPI, and the OpenSHMEM library is Open MPI's: both in one process would be two libraries under the same names",
        "программа собрана не с Open MPI, а библиотека OpenSHMEM из Open MPI: в одном процессе были бы две библиотеки с одинаковыми именами",
    }
    no_job() {
        "this process is not a PE of a job: start it with Open MPI's launcher (mpirun, oshrun)",
        "этот процесс не входит в задание: запустите его через Open MPI (`mpirun`, `oshrun`)",
    }
    randomised() {
        "addresses are randomised in this process: with PEs whose maps differ, Open MPI's shmem_init writes past its tables (its issue 13621) and crashes in up to half of all runs; start the job by `wb_shmem::oshmem::without_randomisation`, by hand as `setarch -R mpirun ...`",
        "адреса в этом процессе рандомизированы: если карты памяти процессов различаются, shmem_init из Open MPI пишет за пределы своих таблиц (ошибка 13621) и аварийно завершает до половины запусков; запустите задание через `wb_shmem::oshmem::without_randomisation` или вручную: `setarch -R mpirun ...`",
    }
    always_randomised(reason) {
        "addresses cannot be kept from being randomised here: {reason}",
        "отключить рандомизацию адресов здесь нельзя: {reason}",
    }
    started() { "OpenSHMEM is started already in this process", "OpenSHMEM в этом процессе уже запущена" }
    thread_level(level) {
        "OpenSHMEM provides thread level {level}, at least 2 (serialized) is needed",
        "OpenSHMEM предоставляет уровень поддержки потоков {level}, нужен не ниже 2 (SHMEM_THREAD_SERIALIZED)",
    }
    other_ranks(pe, pes, rank, ranks) {
        "this is PE {pe} of {pes} and rank {rank} of {ranks}",
        "номер процесса в OpenSHMEM — {pe} из {pes}, а ранг — {rank} из {ranks}",
    }
}
