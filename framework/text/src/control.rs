//! The errors between a member of the control network and its store.
texts! {
    no_answer(server, reason) {
        "the store at {server} does not answer: {reason}",
        "хранилище {server} не отвечает: {reason}",
    }
    refused(server, reason) {
        "the store at {server} refused this client: {reason}",
        "хранилище {server} отказало этому клиенту: {reason}",
    }
    protocol(server, reason) {
        "the store at {server} breaks the protocol: {reason}",
        "хранилище {server} нарушает протокол: {reason}",
    }
    rule(reason) { "the store did not take the request: {reason}", "хранилище не приняло запрос: {reason}" }
    late(limit, arrived, size) {
        "not all members came in {limit}: {arrived} of {size} had arrived",
        "за {limit} пришли не все участники: {arrived} из {size}",
    }
    abandoned(reason) {
        "this version of the group was abandoned: {reason}",
        "эта версия группы отменена: {reason}",
    }
    too_many(arrived, size) {
        "this is arrival {arrived} of {size}: a process that was restarted, or one of an older version of the group, takes part",
        "это приход {arrived} из {size}: участвует перезапущенный процесс или процесс прежней версии группы",
    }
    /// The member and its barrier.
    at(rank, size, group, version, stage) {
        "rank {rank} of {size}, group {group}, version {version}, {stage}",
        "процесс {rank} из {size}, группа {group}, версия {version}, {stage}",
    }
    joining() { "joining", "вход в группу" }
    barrier(number) { "barrier {number}", "барьер {number}" }
    placed(place, what) { "{place}: {what}", "{place}: {what}" }
    no_members() { "a group of 0 members", "в группе 0 участников" }
    rank_outside(rank, size) {
        "rank {rank} in a group of {size}",
        "процесс {rank} в группе, где участников {size}",
    }
    name(name) {
        "\"{name}\" as a group's name: 1 to 32 letters, digits, dots and dashes",
        "имя группы \"{name}\": нужно от 1 до 32 латинских букв, цифр, точек и дефисов",
    }
    version() { "versions count from 1", "версии нумеруются с 1" }
    no_server(reason) { "no server: {reason}", "сервер не запущен: {reason}" }
    no_common_address() {
        "no address of the host of rank 0 is reached by all ranks",
        "ни один адрес узла процесса 0 не доступен всем процессам",
    }
    joined_already(rank) {
        "rank {rank} has joined already: a process that was started again needs a new version",
        "процесс {rank} уже вошёл: перезапущенному процессу нужна новая версия",
    }
    sizes_differ(mine, theirs) {
        "this rank has a group of {mine}, rank 0 of {theirs}",
        "у этого процесса участников в группе {mine}, а у процесса 0 — {theirs}",
    }
    no_first_rank(limit) {
        "rank 0 did not join within {limit}",
        "процесс 0 не вошёл в группу за {limit}",
    }
    led_already() {
        "another member leads to the next version already",
        "к следующей версии уже ведёт другой участник",
    }
    next_sizes_differ(led, mine) {
        "the leader continues with {led} members, this rank with {mine}",
        "ведущий продолжает с числом участников {led}, а этот процесс — {mine}",
    }
    no_leader(limit) {
        "no leader agreed a next version within {limit}",
        "за {limit} ни один ведущий не согласовал следующую версию",
    }
}
