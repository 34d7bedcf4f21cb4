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
    not_joined(reason) {
        "this member cannot join the group: {reason}",
        "участник не может вступить в группу: {reason}",
    }
    late(limit, arrived, size) {
        "not all members came in {limit}: {arrived} of {size} had arrived",
        "за {limit} пришли не все участники: {arrived} из {size}",
    }
    abandoned(reason) {
        "this group was abandoned: {reason}",
        "эта группа отменена: {reason}",
    }
    too_many(arrived, size) {
        "this is arrival {arrived} of {size}: a process outside the group takes part",
        "это приход {arrived} из {size}: участвует процесс вне группы",
    }
    /// The member and its barrier.
    at(rank, size, group, barrier) {
        "rank {rank} of {size}, group {group}, barrier {barrier}",
        "процесс {rank} из {size}, группа {group}, барьер {barrier}",
    }
    placed(place, what) { "{place}: {what}", "{place}: {what}" }
    no_server(reason) { "no server: {reason}", "сервер не запущен: {reason}" }
    no_address(reason) {
        "this rank reaches no address of the host of rank 0: {reason}",
        "процессу не доступен ни один адрес узла процесса 0: {reason}",
    }
}
